/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread on its way to one of the kernel's sleeping locks, as the locks see it.
 *
 * Locks know neither time nor threads: they say who has to sleep and who is to be
 * woken, and whoever asked carries it out.
 */
#ifndef WORKLOAD_LOCK_WAITER_H
#define WORKLOAD_LOCK_WAITER_H

#include "schedsim/list.h"

struct lock_waiter {
	struct list node;      /* in the queue of a lock */
	struct list wake_node; /* among those that are to be woken */
	int stage;             /* how far it has come with this lock; 0: it just came */
	bool reader;           /* of a percpu_rwsem */
	bool told;             /* that it is to wake up, perhaps before it slept */
};

enum lock_answer {
	LOCK_TAKEN,
	LOCK_SLEEPS,            /* until it is woken; then it asks again */
	LOCK_SLEEPS_FOR_PERIOD, /* likewise, for the grace period of another writer */
	LOCK_GRACE_PERIOD,      /* for one of its own; then it asks again */
};

static inline void lock_waiter_init(struct lock_waiter *w)
{
	*w = (struct lock_waiter){0};
	list_init(&w->node);
	list_init(&w->wake_node);
}

/* Whoever was told to wake it, and has not yet, does it for both. */
static inline void lock_waiter_wake(struct lock_waiter *w, struct list *woken)
{
	w->told = true;
	if (list_empty(&w->wake_node))
		list_add_tail(woken, &w->wake_node);
}

#endif
