/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's percpu_rw_semaphore: cheap for readers, and for a writer only while
 * one follows another: if none has held it for a grace period of RCU, the next one
 * waits for such a period first, so that readers see it coming.
 *
 * source: kernel/locking/percpu-rwsem.c, kernel/rcu/sync.c
 */
#ifndef WORKLOAD_PERCPU_RWSEM_H
#define WORKLOAD_PERCPU_RWSEM_H

#include "workload/lock_waiter.h"

/* source: kernel/rcu/sync.c */
enum rcu_sync_state {
	GP_IDLE,   /* readers take the fast path */
	GP_ENTER,  /* the first writer waits for a grace period */
	GP_PASSED, /* it has passed: writers need not wait */
	GP_EXIT,   /* likewise, and the last one left less than a grace period ago */
	GP_REPLAY, /* likewise, and one came and went since that period began */
};

struct rcu_sync {
	enum rcu_sync_state state;
	unsigned count;      /* of writers, from when they come */
	struct list waiters; /* of lock_waiter.node: for GP_PASSED, the last first */
};

struct percpu_rwsem {
	struct rcu_sync rss;
	bool block; /* a writer has it, or waits for the last reader to leave */
	unsigned readers;
	struct list waiters;        /* of lock_waiter.node, in the order they came */
	struct lock_waiter *writer; /* waits for readers to leave; not owned; or NULL */
};

/* @favours_writers: no writer ever waits for RCU.  source: cgroup_favor_dynmods() */
void percpu_rwsem_init(struct percpu_rwsem *sem, bool favours_writers);

/*
 * Each appends to @woken who is to be woken because of it.  Whoever slept, or waited
 * for the grace period asked for, calls again with the same waiter.
 */
enum lock_answer percpu_down_write(struct percpu_rwsem *sem, struct lock_waiter *w,
				   struct list *woken);
enum lock_answer percpu_down_read(struct percpu_rwsem *sem, struct lock_waiter *w);
void percpu_up_read(struct percpu_rwsem *sem, struct list *woken);
/* Whether rcu_sync_callback() is to be called once a grace period has passed. */
bool percpu_up_write(struct percpu_rwsem *sem, struct list *woken);
/* Whether it is to be called again, after another one. */
bool rcu_sync_callback(struct rcu_sync *rss, struct list *woken);

#endif
