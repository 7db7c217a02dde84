/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the real-time class schedules: its share of a task, its queue on a CPU, and
 * the table of the CPUs by priority.  Fields carry the kernel's names.
 */
#ifndef SCHEDSIM_RT_H
#define SCHEDSIM_RT_H

#include "schedsim/cpumask.h"
#include "schedsim/list.h"

/* Kernel priorities below it are real-time, 0 the highest. */
#define MAX_RT_PRIO 100

struct sched_rt_entity {
	struct list run_list;       /* in rt_rq.active while queued, running or not */
	struct list pushable_tasks; /* in rt_rq.pushable_tasks while it may be moved */
	bool on_rq;
	unsigned time_slice; /* ticks left; SCHED_RR */
};

/* Tasks by priority, and among equals in the order they came. */
struct rt_prio_array {
	uint64_t bitmap[2]; /* bit n: queue[n] is not empty */
	struct list queue[MAX_RT_PRIO];
};

struct rt_rq {
	struct rt_prio_array active;
	struct rt_prio_array pushable_tasks; /* those that wait and may run elsewhere */
	int highest_prio; /* of a queued task, running or not; MAX_RT_PRIO - 1: none */
	unsigned rt_nr_running;
	unsigned rt_nr_migratory; /* those that may run elsewhere */
	bool rt_queued;           /* rt_nr_running is part of rq.nr_running */
	bool overloaded;          /* in root_domain.rto_mask */
	bool rt_throttled;
	uint64_t rt_time; /* ns that count against the period's budget */
};

/* Beside priorities, what cpupri_set() takes.  source: kernel/sched/cpupri.h */
#define CPUPRI_INVALID (-1)
#define CPUPRI_HIGHER MAX_RT_PRIO /* a deadline task is queued */

#define CPUPRI_LEVELS (MAX_RT_PRIO + 1)

/* The CPUs of a root domain by the priority they run at, level 0 the lowest. */
struct cpupri {
	int count[CPUPRI_LEVELS];
	struct cpumask mask[CPUPRI_LEVELS];
	int level[CPUS_MAX]; /* of a CPU; CPUPRI_INVALID: none */
};

#endif
