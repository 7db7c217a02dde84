/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Masks: what a write to cpuset.cpus makes of a cpuset and of those below it, and the
 * affinity of their tasks.
 *
 * source: update_cpumask() and update_cpumasks_hier()
 */
#include "cpuset/internal.h"

#include "cpuset/cpuset_tree.h"
#include "cpuset/domains_from_cpusets.h"
#include "sched/core.h"

#include <errno.h>

struct cpumask cpuset_compute_effective(const struct cpuset *cs,
					const struct cpumask *cpus_allowed,
					const struct cpuset *parent)
{
	struct cpumask cpus;

	if (!cpuset_has_subparts(parent))
		return cpumask_and(cpus_allowed, &parent->effective_cpus);
	/* CPUs that went off stay among subparts_cpus. */
	cpus = cpumask_or(&parent->effective_cpus, &parent->subparts_cpus);
	cpus = cpumask_and(&cpus, cpus_allowed);
	return cpumask_and(&cpus, &cs->sys->m->active);
}

void cpuset_update_tasks(struct cpuset *cs)
{
	struct list *pos;

	for (pos = cs->tasks.next; pos != &cs->tasks; pos = pos->next) {
		struct cpuset_task *ct = cpuset_task_of_node(pos);

		if (!cs->parent && ct->kthread && ct->task->per_cpu_kthread)
			continue;
		cpuset_confine_task(ct, &cs->effective_cpus);
	}
	op_count(cs->sys->op, OP_STEP_AFFINITY, cs->nr_tasks);
}

/* The hierarchy */

/* Whether it has the parent's CPUs because none of its own are there. */
static void use_parent_ecpus(struct cpuset *cs, bool use)
{
	if (cs->use_parent_ecpus == use)
		return;
	cs->use_parent_ecpus = use;
	cs->parent->child_ecpus_count += use ? 1 : -1;
}

/* A valid partition may have given away every CPU that it has. */
static bool gave_all_away(const struct cpuset *cs)
{
	return partition_is_valid(cs) &&
	       cpumask_equal(&cs->cpus_allowed, &cs->subparts_cpus);
}

static bool balance_as_parent(const struct cpuset *cs)
{
	return cs->load_balance == cs->parent->load_balance;
}

/* Whether neither it nor anything below it needs a look. */
static bool is_unchanged(const struct cpuset *cs, const struct cpumask *cpus)
{
	return !cs->partition && cpumask_equal(cpus, &cs->effective_cpus) &&
	       (!cpuset_on_dfl(cs->sys) || balance_as_parent(cs));
}

/*
 * Its effective CPUs by its parent's; false: it and all below can be skipped.
 * *@cpus stays empty for a partition that gave all away.
 */
static bool compute_cpus(struct cpuset *cs, bool force, struct cpumask *cpus)
{
	*cpus = cpuset_compute_effective(cs, &cs->cpus_allowed, cs->parent);
	if (cpuset_in_v2_mode(cs->sys) && cpumask_empty(cpus)) {
		if (gave_all_away(cs))
			return true;
		*cpus = cs->parent->effective_cpus;
		use_parent_ecpus(cs, true);
	} else {
		use_parent_ecpus(cs, false);
	}
	return force || !is_unchanged(cs, cpus);
}

/* A partition below one that changed; the one written to was seen to before. */
static enum partition_state follow_parent(struct cpuset *cs)
{
	const struct cpuset *parent = cs->parent;

	if (partition_is_valid(parent)) {
		cpuset_update_subparts(cs, SUBPARTS_UPDATE, NULL);
		return cs->partition;
	}
	cs->partition_error =
		partition_is_invalid(parent) ? PERR_INVPARENT : PERR_NOTPART;
	return partition_is_valid(cs) ? -cs->partition : cs->partition;
}

static void set_effective(struct cpuset *cs, struct cpumask cpus)
{
	if (cpuset_has_subparts(cs) && !partition_is_valid(cs)) {
		cpus = cpumask_or(&cpus, &cs->subparts_cpus);
		cpus = cpumask_and(&cpus, &cs->sys->m->active);
		cs->subparts_cpus = cpumask_none();
	}
	cs->effective_cpus = cpumask_andnot(&cpus, &cs->subparts_cpus);
}

static void set_partition(struct cpuset *cs, enum partition_state state,
			  enum partition_state old)
{
	cs->partition = state;
	if (state != old && partition_is_valid(cs))
		cs->partition_error = PERR_NONE;
}

/* Whether domains depend on it.  v2: only where it is a partition. */
static bool shapes_domains(const struct cpuset *cs)
{
	return !cpumask_empty(&cs->cpus_allowed) && cs->load_balance &&
	       (!cpuset_on_dfl(cs->sys) || partition_is_valid(cs));
}

static void update_one(struct cpuset *cs, struct cpumask cpus, bool is_top)
{
	enum partition_state old = cs->partition;
	enum partition_state state = old;

	if (!is_top && old)
		state = follow_parent(cs);
	op_count(cs->sys->op, OP_STEP_CPUSETS, 1);
	set_effective(cs, cpus);
	set_partition(cs, state, old);
	cpuset_update_tasks(cs);
	if (cpuset_on_dfl(cs->sys) && !partition_is_valid(cs))
		cs->load_balance = cs->parent->load_balance;
}

void cpuset_update_hierarchy(struct cpuset *top, bool force)
{
	bool need_rebuild = false;
	bool skip = false;

	for (struct cpuset *cs = top; cs; cs = cpuset_next(top, cs, skip)) {
		struct cpumask cpus;

		skip = !compute_cpus(cs, force, &cpus);
		if (skip)
			continue;
		update_one(cs, cpus, cs == top);
		need_rebuild |= shapes_domains(cs);
	}
	if (need_rebuild)
		rebuild_sched_domains(top->sys);
}

void cpuset_update_siblings(struct cpuset *cs)
{
	struct cpuset *sibling;

	if (!cs->parent->child_ecpus_count)
		return;
	for_each_child_cpuset(sibling, cs->parent) if (sibling != cs &&
						       sibling->use_parent_ecpus)
		cpuset_update_hierarchy(sibling, false);
}

/* A write to cpuset.cpus */

/*
 * v2 takes CPUs that overlap a partition; those partitions are valid no longer.
 */
static void invalidate_overlapped(const struct cpuset *cs, const struct cpumask *cpus)
{
	struct cpuset *sibling;

	for_each_child_cpuset(
		sibling,
		cs->parent) if (partition_is_valid(sibling) &&
				cpumask_intersects(cpus, &sibling->cpus_allowed))
		cpuset_update_subparts(sibling, SUBPARTS_INVALIDATE, NULL);
}

/* What was given to partitions below stays within the new mask, if it may stay. */
static void trim_subparts(struct cpuset *cs, const struct cpumask *effective)
{
	bool starves;

	if (!cpuset_has_subparts(cs))
		return;
	starves = cpumask_subset(effective, &cs->subparts_cpus) &&
		  cpuset_partition_populated(cs, NULL);
	if (!partition_is_valid(cs) || starves)
		cs->subparts_cpus = cpumask_none();
	else
		cs->subparts_cpus = cpumask_and(&cs->subparts_cpus, &cs->cpus_allowed);
}

static int update_cpumask(struct cpuset *cs, const struct cpumask *cpus)
{
	struct cpuset trial = *cs;
	struct cpumask effective;
	bool overlaps;
	int err;

	trial.cpus_allowed = *cpus;
	err = cpuset_validate(cs, &trial);
	overlaps = err == -EINVAL && cpuset_on_dfl(cs->sys);
	if (err && !overlaps)
		return err;
	if (overlaps)
		invalidate_overlapped(cs, cpus);
	if (cs->partition && overlaps)
		cpuset_update_subparts(cs, SUBPARTS_INVALIDATE, NULL);
	else if (cs->partition)
		cpuset_update_subparts(cs, SUBPARTS_UPDATE, cpus);

	effective = cpuset_compute_effective(cs, cpus, cs->parent);
	cs->cpus_allowed = *cpus;
	trim_subparts(cs, &effective);
	cpuset_update_hierarchy(cs, false);
	if (cs->partition)
		cpuset_update_siblings(cs);
	return 0;
}

static int check_and_update(struct cpuset *cs, const struct cpumask *cpus)
{
	if (!cs->parent)
		return -EACCES;
	if (!cpumask_subset(cpus, &cs->sys->root->cpus_allowed))
		return -EINVAL;
	if (cpumask_equal(cpus, &cs->cpus_allowed))
		return 0;
	return update_cpumask(cs, cpus);
}

int cpuset_set_cpus(struct cpuset *cs, const struct cpumask *cpus, op_result *out)
{
	struct op_scope scope;
	int err;

	cpuset_op_begin(cs->sys, &scope, REBUILD_CPUS, out);
	cpuset_lock_write(cs->sys);
	err = check_and_update(cs, cpus);
	cpuset_unlock_write(cs->sys);
	return cpuset_op_end(cs->sys, &scope, err);
}

/* Memory nodes: no page moves, but masks decide who may have tasks. */

static void update_nodemasks(struct cpuset *top)
{
	bool skip = false;

	for (struct cpuset *cs = top; cs; cs = cpuset_next(top, cs, skip)) {
		node_set mems = cs->mems_allowed & cs->parent->effective_mems;

		if (cpuset_in_v2_mode(cs->sys) && !mems)
			mems = cs->parent->effective_mems;
		skip = mems == cs->effective_mems;
		cs->effective_mems = mems;
	}
}

static int update_nodemask(struct cpuset *cs, node_set mems)
{
	struct cpuset trial = *cs;
	int err;

	if (!cs->parent)
		return -EACCES;
	if (mems & ~cs->sys->root->mems_allowed)
		return -EINVAL;
	if (mems == cs->mems_allowed)
		return 0;
	trial.mems_allowed = mems;
	err = cpuset_validate(cs, &trial);
	if (err)
		return err;
	cs->mems_allowed = mems;
	update_nodemasks(cs);
	return 0;
}

int cpuset_set_mems(struct cpuset *cs, node_set mems, op_result *out)
{
	struct op_scope scope;
	int err;

	cpuset_op_begin(cs->sys, &scope, REBUILD_CPUS, out);
	cpuset_lock_write(cs->sys);
	err = update_nodemask(cs, mems);
	cpuset_unlock_write(cs->sys);
	return cpuset_op_end(cs->sys, &scope, err);
}
