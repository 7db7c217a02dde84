/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the counting observers share.
 */
#ifndef REPORT_STATS_PRIVATE_H
#define REPORT_STATS_PRIVATE_H

#include "report/stats.h"
#include "schedsim/wakeup.h"

#define NEVER UINT64_MAX

/* What is open for one thread; times are ns, NEVER: not. */
struct thread_state {
	int group;
	bool on_its_way;     /* in a wakelist */
	uint64_t waking_ns;  /* sched_waking without switch-in yet */
	uint64_t woken_ns;   /* sched_wakeup likewise */
	uint64_t queued_ns;  /* waits on a run queue since */
	uint64_t running_ns; /* is current since */
};

struct cpu_state {
	int llc;
	bool idle;              /* the idle task is current */
	unsigned queued;        /* tasks on the run queue, the current one included */
	unsigned on_their_way;  /* in its wakelist */
	uint64_t busy_since_ns; /* while not idle */
};

struct llc_state {
	unsigned nr_idle;    /* CPUs with nothing to run */
	unsigned nr_waiting; /* CPUs with a task that waits */
	uint64_t since_ns;   /* both are above 0 since; NEVER: not so */
};

enum stats_observer {
	OBSERVE_TASKS,
	OBSERVE_WAKEUPS,
	OBSERVE_STACKING,
	OBSERVE_IDLE,
	NR_OBSERVERS,
};

struct stats {
	struct results results;
	struct observer observers[NR_OBSERVERS];
	struct sim_observer sim_observer;
	GArray *threads;               /* of struct thread_state, by pid; owned */
	struct cpu_state *cpus;        /* [results.nr_cpus] owned */
	struct llc_state *llcs;        /* [results.nr_llcs] owned */
	const struct machine *machine; /* not owned; NULL: not known */
	GArray *groups_before; /* of struct cgroup_results at the end of the warm-up;
				  owned */
};

/* NULL for an idle task. */
struct thread_state *thread_state(stats *s, const struct task *t);

static inline struct task_results *group_of(stats *s, const struct thread_state *th)
{
	return th->group == NO_TASK_GROUP ? &s->results.no_task
					  : &s->results.groups[th->group];
}

void stats_tasks_init(stats *s);
void stats_wakeups_init(stats *s);
void stats_stacking_init(stats *s);
void stats_idle_init(stats *s);
/* @c: NULL for none */
void stats_control_init(stats *s, const struct control *c);
void stats_operations_init(stats *s);
void stats_control_clear(stats *s);

/* Closes what is open at @now_ns, so that counting may stop or start afresh. */
void stats_tasks_cut(stats *s, uint64_t now_ns);
void stats_idle_cut(stats *s, uint64_t now_ns);
void stats_control_cut(stats *s);
/* Fills in results.cgroups. */
void stats_control_finish(stats *s);

#endif
