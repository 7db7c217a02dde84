/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cpusets after a CPU went off or came on.
 *
 * v1 takes the CPU out of every mask for good, and tasks of a cpuset without CPUs move
 * to the nearest ancestor that has some.  v2 keeps what the user asked for and changes
 * only what is in effect.
 *
 * source: cpuset_hotplug_workfn(), cpuset_hotplug_update_tasks()
 */
#include "cpuset/internal.h"

#include "cpuset/cpuset_tree.h"
#include "cpuset/domains_from_cpusets.h"

/* The root follows the active CPUs; affinities in it are left alone. */
static void update_root(struct cpuset *root)
{
	struct cpumask active = root->sys->m->active;

	if (!cpuset_in_v2_mode(root->sys))
		root->cpus_allowed = active;
	/* Partitions that would leave the root nothing start anew. */
	if (cpumask_subset(&active, &root->subparts_cpus))
		root->subparts_cpus = cpumask_none();
	root->effective_cpus = cpumask_andnot(&active, &root->subparts_cpus);
}

/* v1 */

static bool is_empty(const struct cpuset *cs)
{
	return cpumask_empty(&cs->cpus_allowed) || !cs->mems_allowed;
}

/* source: remove_tasks_in_empty_cpuset() */
static void leave_empty(struct cpuset *cs)
{
	struct cpuset *to = cs->parent;

	while (is_empty(to))
		to = to->parent;
	cpuset_transfer_tasks(to, cs);
}

/*
 * Whoever holds the hotplug lock may not wait for the locks of an attach, so a worker
 * does that from 6.10 on, if there are tasks at all.
 * source: hotplug_update_tasks_legacy() and, in 6.10, cpuset_migrate_tasks_workfn()
 */
static void has_become_empty(struct cpuset *cs)
{
	if (!cs->sys->policy.hotplug_work_is_sync)
		leave_empty(cs);
	else if (cs->nr_tasks)
		cs->sys->migration_work = true;
}

/* A worker's time is nobody's, and its locks keep nobody waiting. */
static void do_migration_work(cpusets *sys)
{
	op_result *journal = sys->journal;
	struct op_scope scope;
	struct cpuset *cs;

	sys->journal = NULL;
	cpuset_op_begin(sys, &scope, REBUILD_HOTPLUG, NULL);
	for (cs = cpuset_next(sys->root, sys->root, false); cs;
	     cs = cpuset_next(sys->root, cs, false))
		if (is_empty(cs) && cs->nr_tasks)
			leave_empty(cs);
	cpuset_op_end(sys, &scope, 0);
	sys->journal = journal;
	sys->migration_work = false;
}

/* source: hotplug_update_tasks_legacy() */
static void update_v1(struct cpuset *cs, const struct cpumask *cpus)
{
	bool changed = !cpumask_equal(cpus, &cs->effective_cpus);

	cs->cpus_allowed = cs->effective_cpus = *cpus;
	cs->mems_allowed &= cs->parent->effective_mems;
	cs->effective_mems = cs->mems_allowed;
	if (changed && !cpumask_empty(cpus))
		cpuset_update_tasks(cs);
	cpuset_unlock(cs->sys);
	if (is_empty(cs))
		has_become_empty(cs);
}

/* v2 */

static void clear_subparts(struct cpuset *cs)
{
	cs->subparts_cpus = cpumask_none();
}

/* Its CPUs by its parent's, less what it gave to partitions. */
static struct cpumask own_cpus(const struct cpuset *cs)
{
	struct cpumask cpus =
		cpuset_compute_effective(cs, &cs->cpus_allowed, cs->parent);

	return cpumask_andnot(&cpus, &cs->subparts_cpus);
}

static bool is_starved(const struct cpuset *cs, const struct cpumask *cpus)
{
	return cpumask_empty(cpus) && cpuset_partition_populated(cs, NULL);
}

static enum partition_error why_invalid(const struct cpuset *parent)
{
	if (partition_is_invalid(parent))
		return PERR_INVPARENT;
	return parent->partition ? PERR_HOTPLUG : PERR_NOTPART;
}

static void invalidate(struct cpuset *cs, struct cpumask *cpus)
{
	cpuset_update_subparts(cs, SUBPARTS_DISABLE, NULL);
	if (cpuset_has_subparts(cs)) {
		clear_subparts(cs);
		*cpus = own_cpus(cs);
	}
	if (partition_is_valid(cs)) {
		cs->partition = -cs->partition;
		cs->partition_error = why_invalid(cs->parent);
	}
	cs->sys->force_rebuild = true;
}

/* May make a partition invalid, or an invalid one valid again. */
static void update_partition(struct cpuset *cs, struct cpumask *cpus)
{
	const struct cpuset *parent = cs->parent;

	/* Rather than be without a CPU it takes back what it gave away. */
	if (cpuset_has_subparts(cs) && partition_is_valid(cs) && is_starved(cs, cpus)) {
		clear_subparts(cs);
		*cpus = own_cpus(cs);
	}
	if (partition_is_valid(cs) &&
	    (!cpuset_has_subparts(parent) || is_starved(cs, cpus))) {
		invalidate(cs, cpus);
	} else if (partition_is_valid(parent) && partition_is_invalid(cs)) {
		cpuset_update_subparts(cs, SUBPARTS_UPDATE, NULL);
		if (partition_is_valid(cs))
			cs->sys->force_rebuild = true;
	}
}

/* source: hotplug_update_tasks() */
static void update_v2(struct cpuset *cs, struct cpumask cpus)
{
	node_set mems = cs->mems_allowed & cs->parent->effective_mems;
	bool changed = !cpumask_equal(&cpus, &cs->effective_cpus);

	if (cpumask_empty(&cpus) && !partition_is_valid(cs))
		cpus = cs->parent->effective_cpus;
	cs->effective_cpus = cpus;
	cs->effective_mems = mems ? mems : cs->parent->effective_mems;
	if (changed)
		cpuset_update_tasks(cs);
	cpuset_unlock(cs->sys);
}

static void update_descendant(struct cpuset *cs)
{
	struct cpumask cpus;

	cpuset_lock(cs->sys);
	op_count(cs->sys->op, OP_STEP_CPUSETS, 1);
	cpus = own_cpus(cs);
	if (cpuset_in_v2_mode(cs->sys) && cs->partition)
		update_partition(cs, &cpus);
	if (cpuset_in_v2_mode(cs->sys))
		update_v2(cs, cpus);
	else
		update_v1(cs, &cpus);
}

/* Who asks for the rebuild, as the policy's table tells them apart. */
static enum rebuild_caller caller_of(const cpusets *sys, bool cpus_updated)
{
	if (!sys->force_resume)
		return REBUILD_HOTPLUG;
	return cpus_updated ? REBUILD_RESUME_UPDATED : REBUILD_RESUME;
}

/* Whoever takes a CPU off or on holds the hotplug lock already. */
static void rebuild(cpusets *sys)
{
	if (sys->policy.hotplug_work_is_sync)
		cpuset_lock(sys);
	else
		cpuset_lock_write(sys);
	rebuild_sched_domains(sys);
	if (sys->policy.hotplug_work_is_sync)
		cpuset_unlock(sys);
	else
		cpuset_unlock_write(sys);
}

void cpuset_handle_hotplug(cpusets *sys)
{
	struct cpuset *root = sys->root, *cs;
	/* With partitions the root's mask never equals the active CPUs. */
	bool updated = !cpumask_equal(&root->effective_cpus, &sys->m->active) ||
		       cpuset_has_subparts(root);
	enum rebuild_caller caller = sys->caller;

	sys->hotplug_work = false;
	sys->caller = caller_of(sys, updated);
	sys->force_resume = false;
	cpuset_lock(sys);
	if (updated)
		update_root(root);
	cpuset_unlock(sys);
	if (updated)
		for (cs = cpuset_next(root, root, false); cs;
		     cs = cpuset_next(root, cs, false))
			update_descendant(cs);
	if (updated || sys->force_rebuild) {
		sys->force_rebuild = false;
		rebuild(sys);
	}
	sys->caller = caller;
}

void cpuset_hotplug_work(cpusets *sys, op_result *out)
{
	struct op_scope scope;

	cpuset_op_begin(sys, &scope, REBUILD_HOTPLUG, out);
	if (sys->hotplug_work)
		cpuset_handle_hotplug(sys);
	cpuset_op_end(sys, &scope, 0);
	if (sys->migration_work)
		do_migration_work(sys);
}
