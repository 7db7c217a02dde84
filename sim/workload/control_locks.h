/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The locks that an administrator's operations queue on, by their names in the
 * journal of an operation.
 */
#ifndef WORKLOAD_CONTROL_LOCKS_H
#define WORKLOAD_CONTROL_LOCKS_H

#include "cpuset/operation.h"
#include "workload/kernel_mutex.h"
#include "workload/percpu_rwsem.h"

/* Locks that writers may have to wait for RCU for. */
enum control_rwsem {
	RWSEM_CPUS, /* cpu_hotplug_lock */
	RWSEM_THREADGROUP,
	RWSEM_CPUSET, /* unused where the release has a mutex */
	NR_CONTROL_RWSEMS,
};

struct control_locks {
	struct kernel_mutex cgroup_mutex, cpu_maps, cpuset_mutex, sched_domains_mutex;
	struct percpu_rwsem rwsems[NR_CONTROL_RWSEMS];
	bool cpuset_rwsem; /* the cpuset lock is one, not a mutex */
};

void control_locks_init(struct control_locks *locks, bool cpuset_rwsem,
			bool favordynmods);
/* As the lock itself: percpu_down_write() and so on. */
enum lock_answer control_lock(struct control_locks *locks, enum op_lock which,
			      struct lock_waiter *w, struct list *woken);
/*
 * Whether rcu_sync_callback() of *@rwsem is to follow in a grace period; *@rwsem is
 * left alone otherwise.
 */
bool control_unlock(struct control_locks *locks, enum op_lock which, struct list *woken,
		    enum control_rwsem *rwsem);

#endif
