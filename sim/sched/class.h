/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling classes, highest first: (stop, deadline, real-time,) fair, idle.
 */
#ifndef SCHED_CLASS_H
#define SCHED_CLASS_H

#include "schedsim/machine.h"

/* source: kernel/sched/sched.h */
enum queue_flags {
	DEQUEUE_SLEEP = 0x01,
	ENQUEUE_WAKEUP = 0x01,
	QUEUE_SAVE = 0x02, /* DEQUEUE_SAVE, ENQUEUE_RESTORE */
	QUEUE_MOVE = 0x04,
	QUEUE_NOCLOCK = 0x08,
	ENQUEUE_MIGRATED = 0x40,
	ENQUEUE_INITIAL = 0x80,
};

struct sched_class {
	const char *name;
	int rank; /* higher preempts lower */
	void (*enqueue_task)(struct rq *rq, struct task *t, unsigned flags);
	void (*dequeue_task)(struct rq *rq, struct task *t, unsigned flags);
	void (*yield_task)(struct rq *rq);
	/* @t of the same class became runnable: does it preempt rq->curr? */
	void (*check_preempt_curr)(struct rq *rq, struct task *t, unsigned wake_flags);
	/* Picks, puts @prev where it must, and sets the answer; NULL: nothing of the
	 * class. */
	struct task *(*pick_next_task)(struct rq *rq, struct task *prev);
	void (*put_prev_task)(struct rq *rq, struct task *t);
	void (*set_next_task)(struct rq *rq, struct task *t);
	int (*select_task_rq)(struct machine *m, struct task *t, int prev_cpu,
			      int this_cpu, unsigned wake_flags, bool in_task);
	void (*migrate_task_rq)(struct machine *m, struct task *t, int new_cpu);
	void (*task_tick)(struct rq *rq, struct task *curr);
	void (*task_fork)(struct machine *m, struct task *child, int this_cpu);
	void (*task_dead)(struct task *t);
	void (*prio_changed)(struct rq *rq, struct task *t, int old_prio);
};

extern const struct sched_class fair_sched_class;
extern const struct sched_class idle_sched_class;

#endif
