/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which locks each kind of operation takes first, in the kernel's order, and what one
 * of its kind costs by itself.
 */
#include "workload/operation_time.h"

static void needs(struct operation_run *run, enum op_lock lock)
{
	run->locks[run->nr_locks++] = lock;
}

static void needs_cpus_read(struct operation_run *run)
{
	if (!run->s->cpusets->policy.hotplug_lock_inside)
		needs(run, OP_LOCK_CPUS_READ);
}

/* source: cpuset_write_resmask(), rebuild_sched_domains() */
static void needs_cpusets(struct operation_run *run)
{
	needs_cpus_read(run);
	needs(run, OP_LOCK_CPUSET);
}

/* source: cgroup_attach_lock(), cpuset_can_attach() */
static void needs_all_of_attach(struct operation_run *run)
{
	needs(run, OP_LOCK_CGROUP_MUTEX);
	needs_cpus_read(run);
	needs(run, OP_LOCK_THREADGROUP);
	needs(run, OP_LOCK_CPUSET);
}

/* source: cpuset_css_online(), cpuset_css_offline() */
static void needs_all_of_directory(struct operation_run *run)
{
	needs(run, OP_LOCK_CGROUP_MUTEX);
	needs_cpusets(run);
}

static bool is_of_cpuset(const struct operation_spec *spec)
{
	return g_str_has_prefix(spec->file, "cpuset.");
}

static bool some_is_deadline(const struct operation_run *run)
{
	g_autoptr(GPtrArray) tasks = operation_tasks(run);

	for (guint i = 0; i < tasks->len; i++)
		if (((const struct task *)tasks->pdata[i])->policy == POLICY_DEADLINE)
			return true;
	return false;
}

/* A reader, where the lock knows readers.  source: __sched_setscheduler() */
static void needs_of_setscheduler(struct operation_run *run)
{
	const struct rebuild_policy *policy = &run->s->cpusets->policy;

	if (policy->readers == READERS_NONE)
		return;
	if (policy->readers == READERS_DEADLINE &&
	    run->spec->attr.sched_policy != POLICY_DEADLINE && !some_is_deadline(run))
		return;
	needs(run, policy->lock == REBUILD_LOCK_MUTEX ? OP_LOCK_CPUSET
						      : OP_LOCK_CPUSET_READ);
}

/*
 * CPUs of a suspend take their locks one after the other once all is frozen; before
 * that it has those on their way end it.  source: cpu_hotplug_disable()
 */
void operation_names_locks(struct operation_run *run)
{
	switch (run->spec->kind) {
	case OPERATION_WRITE:
		if (is_of_cpuset(run->spec))
			needs_cpusets(run);
		break;
	case OPERATION_ATTACH:
		needs_all_of_attach(run);
		break;
	case OPERATION_MKDIR:
	case OPERATION_RMDIR:
		needs_all_of_directory(run);
		break;
	case OPERATION_GOVERNOR:
	case OPERATION_TOPOLOGY:
		needs_cpusets(run);
		break;
	case OPERATION_SETSCHEDULER:
		needs_of_setscheduler(run);
		break;
	case OPERATION_OFFLINE:
	case OPERATION_ONLINE:
		if (run->stage < 2)
			needs(run, run->stage ? OP_LOCK_CPUS_WRITE : OP_LOCK_CPU_MAPS);
		break;
	case OPERATION_SUSPEND:
		if (!run->stage)
			needs(run, OP_LOCK_CPU_MAPS);
		break;
	case OPERATION_RESUME:
	case OPERATION_AFFINITY:
	case OPERATION_RENICE:
	case OPERATION_TUNABLE:
	case NR_OPERATION_KINDS:
		break;
	}
}

enum control_cost_id operation_base_cost(const struct operation_spec *spec)
{
	static const enum control_cost_id costs[NR_OPERATION_KINDS] = {
		[OPERATION_WRITE] = CONTROL_COST_cpuset_write_ns,
		[OPERATION_ATTACH] = CONTROL_COST_cgroup_attach_ns,
		[OPERATION_MKDIR] = CONTROL_COST_cgroup_mkdir_ns,
		[OPERATION_RMDIR] = CONTROL_COST_cgroup_rmdir_ns,
		[OPERATION_OFFLINE] = NR_CONTROL_COSTS,
		[OPERATION_ONLINE] = NR_CONTROL_COSTS,
		[OPERATION_SUSPEND] = CONTROL_COST_suspend_ns,
		[OPERATION_RESUME] = CONTROL_COST_resume_ns,
		[OPERATION_GOVERNOR] = CONTROL_COST_governor_ns,
		[OPERATION_TOPOLOGY] = CONTROL_COST_topology_ns,
		[OPERATION_SETSCHEDULER] = CONTROL_COST_sched_call_ns,
		[OPERATION_AFFINITY] = CONTROL_COST_sched_call_ns,
		[OPERATION_RENICE] = CONTROL_COST_sched_call_ns,
		[OPERATION_TUNABLE] = NR_CONTROL_COSTS,
	};

	if (spec->kind == OPERATION_WRITE && !is_of_cpuset(spec))
		return NR_CONTROL_COSTS;
	return costs[spec->kind];
}
