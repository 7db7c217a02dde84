/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls about tasks that meet cpusets: policy and affinity; and the limit that
 * deadline tasks share.
 *
 * source: __sched_setscheduler(), __sched_setaffinity() and sched_rt_handler(),
 * kernel/sched/core.c and rt.c
 */
#include "cpuset/internal.h"

#include "cpuset/cpuset_tree.h"
#include "sched/core.h"
#include "sched/deadline.h"
#include "sched/rt_limit.h"

#include <errno.h>

/* Whether the release lets this change wait for cpusets. */
static bool waits_for_cpusets(const struct cpuset_task *ct,
			      const struct sched_attr *attr)
{
	switch (ct->cs->sys->policy.readers) {
	case READERS_NONE:
		return false;
	case READERS_ALL:
		return true;
	case READERS_DEADLINE:
		break;
	}
	return attr->sched_policy == POLICY_DEADLINE ||
	       ct->task->policy == POLICY_DEADLINE;
}

/* A reader where the lock knows readers. */
static enum op_lock lock_of(const cpusets *sys)
{
	return sys->policy.lock == REBUILD_LOCK_MUTEX ? OP_LOCK_CPUSET
						      : OP_LOCK_CPUSET_READ;
}

int cpuset_setattr(struct cpuset_task *ct, const struct sched_attr *attr,
		   op_result *out)
{
	cpusets *sys = ct->cs->sys;
	bool locks = waits_for_cpusets(ct, attr);
	struct op_scope scope;
	int err;

	cpuset_op_begin(sys, &scope, REBUILD_CPUS, out);
	if (locks)
		op_lock(sys->op, lock_of(sys));
	err = sched_setattr(sys->m, ct->task, attr, sys->m->this_cpu);
	if (locks)
		op_unlock(sys->op, lock_of(sys));
	return cpuset_op_end(sys, &scope, err);
}

static int set_affinity(struct cpuset_task *ct, const struct cpumask *cpus)
{
	struct machine *m = ct->cs->sys->m;
	struct cpumask online = cpuset_cpus_allowed(ct->cs);
	struct cpumask within = cpumask_and(cpus, &online);
	int err;

	if (ct->no_setaffinity)
		return -EINVAL;
	err = dl_check_affinity(m, ct->task, &within);
	return err ? err : set_cpus_allowed(m, ct->task, &within, m->this_cpu);
}

int cpuset_setaffinity(struct cpuset_task *ct, const struct cpumask *cpus,
		       op_result *out)
{
	struct op_scope scope;

	cpuset_op_begin(ct->cs->sys, &scope, REBUILD_CPUS, out);
	return cpuset_op_end(ct->cs->sys, &scope, set_affinity(ct, cpus));
}

int cpuset_set_rt_limit(cpusets *sys, uint64_t period_us, uint64_t runtime_us,
			op_result *out)
{
	struct op_scope scope;

	cpuset_op_begin(sys, &scope, REBUILD_CPUS, out);
	return cpuset_op_end(sys, &scope, set_rt_limit(sys->m, period_us, runtime_us));
}
