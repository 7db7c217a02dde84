/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/control_locks.h"

void control_locks_init(struct control_locks *locks, bool cpuset_rwsem,
			bool favordynmods)
{
	kernel_mutex_init(&locks->cgroup_mutex);
	kernel_mutex_init(&locks->cpu_maps);
	kernel_mutex_init(&locks->cpuset_mutex);
	kernel_mutex_init(&locks->sched_domains_mutex);
	percpu_rwsem_init(&locks->rwsems[RWSEM_CPUS], false);
	percpu_rwsem_init(&locks->rwsems[RWSEM_THREADGROUP], favordynmods);
	percpu_rwsem_init(&locks->rwsems[RWSEM_CPUSET], false);
	locks->cpuset_rwsem = cpuset_rwsem;
}

/* How a lock of the journal is taken: a mutex, or a side of a percpu_rwsem. */
struct side {
	struct kernel_mutex *mutex; /* NULL: @rwsem */
	enum control_rwsem rwsem;
	bool reader;
};

static struct side side_of(struct control_locks *locks, enum op_lock which)
{
	switch (which) {
	case OP_LOCK_CGROUP_MUTEX:
		return (struct side){.mutex = &locks->cgroup_mutex};
	case OP_LOCK_CPU_MAPS:
		return (struct side){.mutex = &locks->cpu_maps};
	case OP_LOCK_CPUS_READ:
		return (struct side){.rwsem = RWSEM_CPUS, .reader = true};
	case OP_LOCK_CPUS_WRITE:
		return (struct side){.rwsem = RWSEM_CPUS};
	case OP_LOCK_THREADGROUP:
		return (struct side){.rwsem = RWSEM_THREADGROUP};
	case OP_LOCK_CPUSET:
	case OP_LOCK_CPUSET_READ:
		if (!locks->cpuset_rwsem)
			return (struct side){.mutex = &locks->cpuset_mutex};
		return (struct side){.rwsem = RWSEM_CPUSET,
				     .reader = which == OP_LOCK_CPUSET_READ};
	case OP_LOCK_SCHED_DOMAINS:
		return (struct side){.mutex = &locks->sched_domains_mutex};
	case NR_OP_LOCKS:
		break;
	}
	g_assert_not_reached();
}

enum lock_answer control_lock(struct control_locks *locks, enum op_lock which,
			      struct lock_waiter *w, struct list *woken)
{
	struct side side = side_of(locks, which);

	if (side.mutex)
		return mutex_lock(side.mutex, w);
	if (side.reader)
		return percpu_down_read(&locks->rwsems[side.rwsem], w);
	return percpu_down_write(&locks->rwsems[side.rwsem], w, woken);
}

bool control_unlock(struct control_locks *locks, enum op_lock which, struct list *woken,
		    enum control_rwsem *rwsem)
{
	struct side side = side_of(locks, which);

	if (side.mutex) {
		mutex_unlock(side.mutex, woken);
		return false;
	}
	if (side.reader) {
		percpu_up_read(&locks->rwsems[side.rwsem], woken);
		return false;
	}
	*rwsem = side.rwsem;
	return percpu_up_write(&locks->rwsems[side.rwsem], woken);
}
