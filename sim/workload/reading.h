/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the readers of a workload's parts share: the workload under construction
 * and the names that its tasks have used so far.
 */
#ifndef WORKLOAD_READING_H
#define WORKLOAD_READING_H

#include "model/machine_new.h"
#include "workload/node.h"
#include "workload/program.h"

/* Names numbered in the order of their first use. */
struct name_table {
	GHashTable *indices; /* name -> index + 1, owned */
	GPtrArray *names;    /* owned, of owned */
};

void name_table_init(struct name_table *t);
void name_table_clear(struct name_table *t);
/* The index of @name, which is added if it is new. */
int name_table_index(struct name_table *t, const char *name);
/* The index of @name or -1. */
int name_table_find(const struct name_table *t, const char *name);
/* Hands the names over, in their order; @t is empty afterwards.  (transfer full) */
char **name_table_take(struct name_table *t, int *count);

struct cgroup_reading;

struct reading {
	workload *w; /* not owned */
	int nr_cpus;
	const topology *topo;            /* not owned; likewise: */
	const struct machine_spec *spec; /* what the machine will be */
	enum sched_policy default_policy;
	int nr_threads; /* of the tasks read so far */
	struct name_table mutexes, conditions, channels, timers, barriers, forks;
	GArray *barrier_users;  /* of int: of barriers, in its order */
	GArray *timer_specs;    /* of struct timer_spec: of timers, in its order */
	GArray *timer_absolute; /* of bool: likewise, some event says "absolute" */
	GArray *channel_read;   /* of bool: of channels, some task receives from it */
	GArray *channel_sent;   /* of bool: likewise, something sends to it */
	struct cgroup_reading *cgroups; /* owned; NULL: there is no tree so far */
};

void reading_init(struct reading *r, workload *w, const topology *topo,
		  const struct machine_spec *spec);
void reading_clear(struct reading *r);
/* Hands the names over to the workload and settles what all tasks decide. */
void reading_finish(struct reading *r);

/* The channel that string @n names; "channels" must define it. */
bool channel_read(const struct reading *r, const struct node *n, int *channel,
		  GError **error);
/* One that messages go to. */
bool channel_sent_read(const struct reading *r, const struct node *n, int *channel,
		       GError **error);
/* "own", "round_robin", "random" or an index below the group's size. */
bool channel_select_read(const struct reading *r, const struct node *n, int channel,
			 enum channel_select *select, int *index, GError **error);

#endif
