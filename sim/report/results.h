/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one run measured, before anybody formats it.
 */
#ifndef REPORT_RESULTS_H
#define REPORT_RESULTS_H

#include "base/histogram.h"

#include <glib.h>
#include <stdbool.h>

/* Of one task group, or of all tasks. */
struct task_results {
#define TASK_LATENCY(name, label, why) struct histogram name;
#define TASK_FIGURE(name, unit, better, label, why) uint64_t name;
#define COUNTER(name, unit, better, label, why)
#include "report/metrics.def"
#undef TASK_LATENCY
#undef TASK_FIGURE
#undef COUNTER
	/* what the means of stacking are made of */
	uint64_t queue_length_sum;
	uint64_t avoidable_wait_sum;
};

/* Of one source of requests. */
struct source_results {
	struct histogram request_latency_ns;
	uint64_t arrived; /* requests */
	uint64_t pending; /* not answered yet, since the very beginning */
};

struct counters {
#define TASK_LATENCY(name, label, why)
#define TASK_FIGURE(name, unit, better, label, why)
#define COUNTER(name, unit, better, label, why) uint64_t name;
#include "report/metrics.def"
#undef TASK_LATENCY
#undef TASK_FIGURE
#undef COUNTER
};

/* How often a stage of select_task_rq() decided, and for which reason. */
struct decision_count {
	const char *stage, *reason; /* static */
	uint64_t count;
};

#define DECISIONS_MAX 64

/* More than the kernel has for what can be asked of it. */
#define OPERATION_ERRORS_MAX 32

/* Of one kind of operation. */
struct operation_results {
	struct histogram latency_ns;
	uint64_t done;    /* whether the kernel refused them or not */
	uint64_t refused; /* with an errno */
	struct {
		int error;
		uint64_t count;
	} errors[OPERATION_ERRORS_MAX]; /* in the order they first came */
	int nr_errors;
	uint64_t with_target; /* of them, those that have one */
	uint64_t accounts;    /* of them, those that met cpusets: */
#define OPERATION_TIME(name, label, why) struct histogram name;
#define OPERATION_COUNT(name, better, label, why) uint64_t name;
#define OPERATION_FAULT(name, fault, label, why) uint64_t name;
#define OPERATION_ABOVE(name, unit, label, why) uint64_t name;
#include "report/operation_metrics.def"
};

/* The deadline bandwidth of a root domain, of BW_ONE. */
struct root_domain_results {
	char *span;   /* owned */
	bool was, is; /* it was there before the first operation after the warm-up,
			 after the last */
	uint64_t before, after; /* total_bw then */
	uint64_t expected;      /* after: what its tasks and servers are promised */
};

/* Of one group that has had a limit: what its cpu.stat counts. */
struct cgroup_results {
	char *path;         /* owned */
	uint64_t serial_nr; /* of the group */
	uint64_t nr_periods, nr_throttled, throttled_time_ns;
	uint64_t nr_bursts, burst_time_ns;
};

struct results {
	uint64_t from_ns, to_ns; /* what was measured */

	struct task_results all;
	struct task_results *groups; /* [nr_groups] owned */
	char **group_names;          /* [nr_groups] owned */
	int nr_groups;

	struct source_results *sources; /* [nr_sources] owned */
	char **source_names;            /* [nr_sources] owned */
	int nr_sources;

	struct task_results no_task; /* of threads that belong to no group; not shown */
	struct operation_results *operations; /* [nr_operations] owned */
	char **operation_names;               /* [nr_operations] owned */
	int nr_operations;
	GArray *root_domains; /* of struct root_domain_results, owned */
	GArray *cgroups;      /* of struct cgroup_results, owned */

	struct counters counters;
	struct decision_count decisions[DECISIONS_MAX]; /* sorted by name at the end */
	int nr_decisions;

	uint64_t *idle_while_runnable_ns; /* [nr_llcs] owned */
	int nr_llcs;
	uint64_t *busy_ns; /* [nr_cpus] owned: time that was not idle */
	int nr_cpus;
};

void results_init(struct results *r, int nr_groups, int nr_sources, int nr_llcs,
		  int nr_cpus);
/* Rows for @nr kinds of operations.  The names are copied. */
void results_add_operations(struct results *r, char *const *names, int nr);
/* Empty; its elements are cleared with it.  (transfer full) */
GArray *cgroup_results_array_new(void);
/* Forgets what was counted; names stay. */
void results_reset(struct results *r);
/* Fills in what follows from the rest: @all, sums and means. */
void results_sum_up(struct results *r);
void results_clear(struct results *r);

#endif
