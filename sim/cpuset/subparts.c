/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs on their way between a partition and its parent's own CPUs.
 *
 * A valid partition takes its CPUs out of the parent's effective_cpus; they are then
 * in the parent's subparts_cpus.  Each change is planned first: what is given to the
 * partition, what the parent takes back, and why not, if so.
 *
 * source: update_parent_subparts_cpumask()
 */
#include "cpuset/internal.h"

struct plan {
	struct cpumask give; /* to subparts_cpus */
	struct cpumask back; /* from it */
	enum partition_error error;
	enum partition_state state; /* of the partition, afterwards */
};

bool cpuset_partition_populated(const struct cpuset *cs, const struct cpuset *excluded)
{
	struct cpuset *pos;
	bool skip = false;

	/* The root has the kernel's own threads. */
	if (!cs->parent || cs->nr_tasks || cs->attach_in_progress)
		return true;
	for (pos = cpuset_next(cs, (struct cpuset *)cs, false); pos;
	     pos = cpuset_next(cs, pos, skip)) {
		/* What lies below a partition of its own does not count. */
		skip = pos != excluded && partition_is_valid(pos);
		if (pos != excluded && !skip && cpuset_is_populated(pos))
			return true;
	}
	return false;
}

/* The CPUs of @cs that its parent gave away to partitions. */
static struct cpumask granted(const struct cpuset *cs)
{
	return cpumask_and(&cs->cpus_allowed, &cs->parent->subparts_cpus);
}

/* Whether @give would leave the parent's own tasks without a CPU. */
static bool starves_parent(const struct cpuset *cs, const struct cpumask *give)
{
	return cpumask_subset(&cs->parent->effective_cpus, give) &&
	       cpuset_partition_populated(cs->parent, cs);
}

static enum partition_error plan_enable(const struct cpuset *cs, struct plan *plan)
{
	if (!cpumask_intersects(&cs->cpus_allowed, &cs->parent->cpus_allowed))
		return PERR_INVCPUS;
	if (starves_parent(cs, &cs->cpus_allowed))
		return PERR_NOCPUS;
	plan->give = cs->cpus_allowed;
	return PERR_NONE;
}

static void plan_invalidate(const struct cpuset *cs, struct plan *plan)
{
	plan->back = granted(cs);
	if (partition_is_valid(cs)) {
		plan->state = -cs->partition;
		plan->error = PERR_NOTEXCL;
	}
}

/* What of @mask the parent has and gave to nobody. */
static struct cpumask still_to_give(const struct cpuset *cs, const struct cpumask *mask)
{
	struct cpumask within = cpumask_and(mask, &cs->parent->cpus_allowed);

	return cpumask_andnot(&within, &cs->parent->subparts_cpus);
}

/* cpus_allowed is about to be @newmask. */
static void plan_new_mask(const struct cpuset *cs, const struct cpumask *newmask,
			  struct plan *plan)
{
	struct cpumask left = granted(cs);

	plan->back = cpumask_andnot(&left, newmask);
	plan->give = still_to_give(cs, newmask);
	if (cpumask_empty(&plan->give) ||
	    cpumask_intersects(&plan->back, &cs->sys->m->active) ||
	    !starves_parent(cs, &plan->give))
		return;
	plan->error = PERR_NOCPUS;
	plan->give = cpumask_none();
	plan->back = granted(cs);
}

/* The parent's CPUs may have changed. */
static void plan_new_parent(const struct cpuset *cs, struct plan *plan)
{
	bool has_grants = cpuset_has_subparts(cs->parent);

	plan->give = still_to_give(cs, &cs->cpus_allowed);
	if ((partition_is_valid(cs) && !has_grants) ||
	    (!cpumask_empty(&plan->give) && starves_parent(cs, &plan->give))) {
		plan->error = PERR_NOCPUS;
		plan->give = cpumask_none();
		if (partition_is_valid(cs))
			plan->back = granted(cs);
	}
}

static void plan_update(const struct cpuset *cs, const struct cpumask *newmask,
			struct plan *plan)
{
	if (newmask)
		plan_new_mask(cs, newmask, plan);
	else
		plan_new_parent(cs, plan);
	/* Valid ones may become invalid, and the other way round. */
	if (partition_is_valid(cs) == (plan->error != PERR_NONE))
		plan->state = -cs->partition;
}

static void move_cpus(struct cpuset *parent, const struct plan *plan)
{
	struct cpumask back = cpumask_and(&plan->back, &parent->sys->m->active);

	parent->subparts_cpus = cpumask_or(&parent->subparts_cpus, &plan->give);
	parent->effective_cpus = cpumask_andnot(&parent->effective_cpus, &plan->give);
	parent->subparts_cpus = cpumask_andnot(&parent->subparts_cpus, &plan->back);
	if (!cpumask_empty(&plan->back))
		parent->effective_cpus = cpumask_or(&parent->effective_cpus, &back);
}

/* A partition is exclusive while it is valid. */
static bool follow_with_exclusive(struct cpuset *cs, enum partition_state state)
{
	if (partition_is_invalid(cs) && !cs->cpu_exclusive &&
	    cpuset_update_flag(cs, CS_CPU_EXCLUSIVE, true))
		return false;
	if (state < 0 && cs->cpu_exclusive)
		cpuset_update_flag(cs, CS_CPU_EXCLUSIVE, false);
	return true;
}

/* Whether isolated ones are balanced follows too, and domains with it. */
static void follow_with_balance(struct cpuset *cs, enum partition_state old)
{
	if (old == PARTITION_ISOLATED)
		cpuset_update_flag(cs, CS_LOAD_BALANCE, true);
	else if (cs->partition == PARTITION_ISOLATED)
		cpuset_update_flag(cs, CS_LOAD_BALANCE, false);
}

static enum partition_error carry_out(struct cpuset *cs, const struct plan *plan)
{
	enum partition_state old = cs->partition;
	bool moves = !cpumask_empty(&plan->give) || !cpumask_empty(&plan->back);

	if (plan->error)
		cs->partition_error = plan->error;
	if (!moves && plan->state == old)
		return PERR_NONE;
	if (plan->state != old && !follow_with_exclusive(cs, plan->state))
		return PERR_NOTEXCL;
	move_cpus(cs->parent, plan);
	cs->partition = plan->state;
	if (moves)
		cpuset_update_tasks(cs->parent);
	if (plan->state != old) {
		follow_with_balance(cs, old);
		if (partition_is_valid(cs))
			cs->partition_error = PERR_NONE;
	}
	return PERR_NONE;
}

enum partition_error cpuset_update_subparts(struct cpuset *cs,
					    enum subparts_change change,
					    const struct cpumask *newmask)
{
	struct plan plan = {.state = cs->partition};
	enum partition_error error = PERR_NONE;

	if (!partition_is_valid(cs->parent))
		return partition_is_invalid(cs->parent) ? PERR_INVPARENT : PERR_NOTPART;
	if (cpumask_empty(newmask ? newmask : &cs->cpus_allowed))
		return PERR_CPUSEMPTY;

	switch (change) {
	case SUBPARTS_ENABLE:
		error = plan_enable(cs, &plan);
		break;
	case SUBPARTS_DISABLE:
		if (!partition_is_invalid(cs))
			plan.back = granted(cs);
		break;
	case SUBPARTS_INVALIDATE:
		if (partition_is_invalid(cs))
			return PERR_NONE;
		plan_invalidate(cs, &plan);
		break;
	case SUBPARTS_UPDATE:
		plan_update(cs, newmask, &plan);
		break;
	}
	return error ? error : carry_out(cs, &plan);
}
