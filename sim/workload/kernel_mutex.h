/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's mutex.  An unlock frees it and wakes the longest waiter; whoever comes
 * before that one runs may take it, but only once: a waiter that was woken in vain
 * has it handed over by the next unlock.
 *
 * That waiters spin while the owner runs (CONFIG_MUTEX_SPIN_ON_OWNER) is left out.
 *
 * source: kernel/locking/mutex.c
 */
#ifndef WORKLOAD_KERNEL_MUTEX_H
#define WORKLOAD_KERNEL_MUTEX_H

#include "workload/lock_waiter.h"

struct kernel_mutex {
	const struct lock_waiter *owner; /* not owned; NULL: free */
	bool handoff;                    /* MUTEX_FLAG_HANDOFF */
	struct list waiters;             /* of lock_waiter.node, longest wait first */
};

void kernel_mutex_init(struct kernel_mutex *mutex);
/* Never LOCK_GRACE_PERIOD. */
enum lock_answer mutex_lock(struct kernel_mutex *mutex, struct lock_waiter *w);
/* Appends to @woken who is to be woken. */
void mutex_unlock(struct kernel_mutex *mutex, struct list *woken);

#endif
