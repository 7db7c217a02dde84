/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the deadline class schedules: reservations, the queue of a CPU, and the
 * bandwidth that a root domain has promised.  Fields carry the kernel's names.
 */
#ifndef SCHEDSIM_DEADLINE_H
#define SCHEDSIM_DEADLINE_H

#include "schedsim/cpumask.h"
#include "schedsim/entity.h"
#include "schedsim/timer.h"

/* Bandwidth: CPU time by period, BW_ONE for a whole CPU.  source: BW_UNIT */
#define BW_SHIFT 20
#define BW_ONE (1ULL << BW_SHIFT)

/* A runtime without limit.  source: RUNTIME_INF */
#define RUNTIME_INF UINT64_MAX
/* dl_bw.bw where nothing limits admission. */
#define DL_BW_UNLIMITED UINT64_MAX

/* source: SCHED_FLAG_*, uapi/linux/sched.h */
enum sched_attr_flags {
	SCHED_FLAG_RECLAIM = 0x02, /* the task takes what others leave (GRUB) */
	SCHED_FLAG_KEEP_POLICY = 0x08,
	SCHED_FLAG_KEEP_PARAMS = 0x10, /* nice, priority and reservation */
	SCHED_FLAG_UTIL_CLAMP_MIN = 0x20,
	SCHED_FLAG_UTIL_CLAMP_MAX = 0x40,
	SCHED_FLAG_KEEP_ALL = SCHED_FLAG_KEEP_POLICY | SCHED_FLAG_KEEP_PARAMS,
	SCHED_FLAG_UTIL_CLAMP = SCHED_FLAG_UTIL_CLAMP_MIN | SCHED_FLAG_UTIL_CLAMP_MAX,
};

struct sched_dl_entity {
	struct rb_node rb_node; /* in dl_rq.root */
	bool on_rq;             /* in that tree */

	/* the reservation, ns */
	uint64_t dl_runtime;
	uint64_t dl_deadline; /* relative */
	uint64_t dl_period;
	uint64_t dl_bw;      /* dl_runtime / dl_period, of BW_ONE */
	uint64_t dl_density; /* dl_runtime / dl_deadline, of BW_ONE */
	unsigned flags;      /* SCHED_FLAG_RECLAIM */
	/* whose figures hold while it is boosted; NULL: its own.  not owned */
	const struct sched_dl_entity *pi_se;

	/* the current instance */
	int64_t runtime;   /* what is left, ns; negative: overrun */
	uint64_t deadline; /* absolute, ns of rq.clock */

	bool dl_throttled;                 /* without runtime until dl_timer fires */
	bool dl_yielded;                   /* gave up what was left of this instance */
	bool dl_non_contending;            /* asleep, its 0-lag time still to come */
	struct sched_timer dl_timer;       /* the next replenishment */
	struct sched_timer inactive_timer; /* the 0-lag time */
};

struct dl_rq {
	struct rb_root root; /* by deadline; current is in it */
	unsigned dl_nr_running;
	struct {
		uint64_t curr; /* of all that are queued; 0: none */
		uint64_t next; /* of those that could be pushed */
	} earliest_dl;
	unsigned dl_nr_migratory; /* queued ones that may use several CPUs */
	bool overloaded;          /* in root_domain.dlo_mask */
	struct rb_root pushable_dl_tasks_root;

	/* of BW_ONE; for GRUB */
	uint64_t running_bw; /* of active tasks */
	uint64_t this_bw;    /* of all tasks that belong here, asleep or not */
	uint64_t extra_bw;   /* what this CPU's share of the limit has left */
	uint64_t bw_ratio;   /* 1 / the limit, << RATIO_SHIFT */
};

/* source: struct dl_bw */
struct dl_bw {
	uint64_t bw;       /* limit for each CPU, or DL_BW_UNLIMITED */
	uint64_t total_bw; /* promised */
};

/*
 * CPUs with deadline tasks in a heap, the latest of their earliest deadlines first.
 * source: struct cpudl
 */
struct cpudl {
	int size;
	struct cpumask free_cpus; /* without any */
	struct {
		uint64_t dl;
		int cpu;
	} elements[CPUS_MAX];
	int place[CPUS_MAX]; /* of a CPU in elements; CPUDL_NONE */
};

#define CPUDL_NONE (-1)

#endif
