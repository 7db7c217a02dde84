/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling classes, highest first: stop, deadline, real-time, fair, idle.
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
	ENQUEUE_HEAD = 0x10,
	ENQUEUE_REPLENISH = 0x20,
	ENQUEUE_MIGRATED = 0x40,
	ENQUEUE_INITIAL = 0x80,
};

/*
 * A scheduling class.  Hooks that say so may be NULL; the others every class has.
 */
struct sched_class {
	const char *name;
	int rank; /* higher preempts lower */
	void (*enqueue_task)(struct rq *rq, struct task *t, unsigned flags);
	void (*dequeue_task)(struct rq *rq, struct task *t, unsigned flags);
	void (*yield_task)(struct rq *rq);
	/* @t of the same class became runnable: does it preempt rq->curr? */
	void (*check_preempt_curr)(struct rq *rq, struct task *t, unsigned wake_flags);
	/*
	 * Before @prev, of this class or a higher one, is put: may pull tasks.  True
	 * when a task of this class or a higher one is runnable.
	 */
	bool (*balance)(struct rq *rq, struct task *prev);
	/* @prev is put already.  The pick, set as next; NULL: nothing of the class. */
	struct task *(*pick_next_task)(struct rq *rq);
	void (*put_prev_task)(struct rq *rq, struct task *t);
	/* @t goes on running after it was set aside, or is what was picked. */
	void (*set_next_task)(struct rq *rq, struct task *t);
	int (*select_task_rq)(struct machine *m, struct task *t, int prev_cpu,
			      int this_cpu, unsigned wake_flags, bool in_task);
	void (*task_tick)(struct rq *rq, struct task *curr);
	/* current is charged up to the clock; never NULL */
	void (*update_curr)(struct rq *rq);

	/* NULL for none: */
	void (*migrate_task_rq)(struct machine *m, struct task *t, int new_cpu);
	/* @t was woken or forked on @rq and did not take over at once. */
	void (*task_woken)(struct rq *rq, struct task *t);
	void (*task_fork)(struct machine *m, struct task *child, int this_cpu);
	void (*task_dead)(struct task *t);
	/* Before t->cpus_mask becomes @cpus. */
	void (*set_cpus_allowed)(struct rq *rq, struct task *t,
				 const struct cpumask *cpus);
	/* @t left for, or came from, another class; it is queued or not. */
	void (*switched_from)(struct rq *rq, struct task *t);
	void (*switched_to)(struct rq *rq, struct task *t);
	void (*prio_changed)(struct rq *rq, struct task *t, int old_prio);
	/* @rq came to its root domain, or is about to leave it or to go off. */
	void (*rq_online)(struct rq *rq);
	void (*rq_offline)(struct rq *rq);
	/* @t, not queued at the moment, has another t->sched_task_group. */
	void (*task_change_group)(struct task *t);
};

extern const struct sched_class rt_sched_class;
extern const struct sched_class fair_sched_class;
extern const struct sched_class idle_sched_class;

/* The class of a policy, or NULL where it is not simulated. */
const struct sched_class *sched_class_of(enum sched_policy policy);
/* All of them, highest first; ends with NULL. */
const struct sched_class *const *sched_classes(void);

/* @fn runs once when the switch under way is over.  source: queue_balance_callback() */
void queue_balance_callback(struct rq *rq, void (*fn)(struct rq *rq));

#endif
