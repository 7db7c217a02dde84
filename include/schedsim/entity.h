/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fair class schedules: weights, running averages, entities, queues.
 * Fields carry the kernel's names.
 */
#ifndef SCHEDSIM_ENTITY_H
#define SCHEDSIM_ENTITY_H

#include "schedsim/list.h"
#include "schedsim/uclamp.h"
#include "schedsim/units.h"

#include <stdbool.h>
#include <stdint.h>

struct task;
struct rq;
struct cfs_rq;
struct cfs_bandwidth;
struct cgroup;

/* weight: 1024 << LOAD_SHIFT for nice 0; inv_weight: 2^32 / (weight >> 10), 0 when
 * stale */
struct load_weight {
	uint64_t weight;
	uint32_t inv_weight;
};

/* The flag in util_est.enqueued that the average has not moved since. */
#define UTIL_AVG_UNCHANGED 0x80000000U

struct util_est {
	uint32_t enqueued;
	uint32_t ewma;
};

/* PELT.  Sums are in units of 1024 ns; averages 0..CAPACITY_ONE (load: weight). */
struct sched_avg {
	uint64_t last_update_time; /* ns of the pelt clock; 0: to be attached */
	uint64_t load_sum;
	uint64_t runnable_sum;
	uint32_t util_sum;
	uint32_t period_contrib;
	uint64_t load_avg;
	uint64_t runnable_avg;
	uint64_t util_avg;
	struct util_est util_est;
};

/* A node of the red-black tree in sched/rbtree.h. */
struct rb_node {
	struct rb_node *parent, *left, *right;
	bool red;
};

struct rb_root {
	struct rb_node *node;
	struct rb_node *leftmost;
};

struct sched_entity {
	struct load_weight load;
	struct rb_node run_node;
	struct list group_node; /* in rq.cfs_tasks, tasks only */
	bool on_rq;

	uint64_t exec_start;       /* ns of clock_task */
	uint64_t sum_exec_runtime; /* ns */
	uint64_t vruntime;         /* ns weighted by NICE_0_LOAD / weight */
	uint64_t prev_sum_exec_runtime;
	uint64_t nr_migrations;

	/* Mean CPU time between voluntary sleeps, ns.  source: SIS_SHORT v5, 1/2 */
	uint64_t dur_avg;
	uint64_t prev_sleep_sum_runtime;

	unsigned depth;
	struct sched_entity *parent; /* not owned; NULL on the root cfs_rq */
	struct cfs_rq *cfs_rq;       /* the queue it is (to be) on, not owned */
	struct cfs_rq *my_q;         /* a group's own queue; NULL for a task */
	uint64_t runnable_weight;    /* a group's h_nr_running as PELT saw it last */

	struct sched_avg avg;
};

/* Averages of tasks that left while asleep, applied at the next update. */
struct cfs_removed {
	int nr;
	uint64_t load_avg;
	uint64_t util_avg;
	uint64_t runnable_avg;
};

struct cfs_rq {
	struct load_weight load;
	unsigned nr_running;
	unsigned h_nr_running;
	unsigned idle_nr_running;
	unsigned idle_h_nr_running;

	uint64_t min_vruntime;
	uint64_t checked_min_vruntime; /* as the invariants saw it last */
	struct rb_root timeline;       /* by vruntime; current is not in it */
	struct sched_entity *curr, *next, *last, *skip; /* not owned */

	struct sched_avg avg;
	struct cfs_removed removed;
	uint64_t tg_load_avg_contrib;
	bool propagate;
	int64_t prop_runnable_sum;

	uint64_t h_load; /* valid in jiffy last_h_load_update */
	uint64_t last_h_load_update;
	struct sched_entity *h_load_next;

	struct rq *rq;                /* not owned */
	struct task_group *tg;        /* not owned */
	bool idle;                    /* cpu.idle of its group */
	bool on_list;                 /* in rq.leaf_cfs_rq_list */
	struct list leaf_cfs_rq_list; /* children before parents */

	/* bandwidth */
	bool runtime_enabled; /* its group has a quota */
	bool throttled;     /* ran out of runtime: its entity is off the queue above */
	int throttle_count; /* throttled queues from here up to the root */
	int64_t runtime_remaining;          /* ns; negative: a debt */
	uint64_t throttled_clock;           /* ns of rq.clock */
	uint64_t throttled_clock_pelt;      /* pelt clock when it froze */
	uint64_t throttled_clock_pelt_time; /* ns it was frozen for so far */
	/* The latter when the queue ran empty; UINT64_MAX: it was frozen. */
	uint64_t throttled_pelt_idle;
	struct list throttled_list; /* in cfs_bandwidth.throttled_cfs_rq */
};

/* One group of tasks; the root group has no entities. */
struct task_group {
	uint64_t shares;
	uint64_t load_avg;         /* sum of the queues' tg_load_avg_contrib */
	struct task_group *parent; /* not owned; NULL for the root */
	struct list children;      /* owned, the newest first */
	struct list siblings;      /* in parent->children */
	struct sched_entity **se;  /* [nr_cpus] owned; NULL for the root */
	struct cfs_rq **cfs_rq;    /* [nr_cpus]; the root's lie in the rqs */
	bool idle;
	struct cfs_bandwidth *cfs_bandwidth; /* owned; NULL: never had a limit */
	unsigned uclamp_req[UCLAMP_CNT];     /* as written */
	unsigned uclamp[UCLAMP_CNT];         /* as the groups above let it */
	struct cgroup *cgroup; /* not owned; NULL for one without a directory */
};

static inline bool entity_is_task(const struct sched_entity *se)
{
	return !se->my_q;
}

#endif
