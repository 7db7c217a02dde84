/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a cpuset may become as somebody asks: rules in the kernel's order, each a
 * look at the cpuset as it is and at a trial copy of it as it would be.
 *
 * source: validate_change() and validate_change_legacy()
 */
#include "cpuset/internal.h"

#include "sched/deadline.h"

#include <errno.h>

/* Masks within, and not more exclusive.  source: is_cpuset_subset() */
static bool is_subset(const struct cpuset *cs, const struct cpuset *of)
{
	return cpumask_subset(&cs->cpus_allowed, &of->cpus_allowed) &&
	       !(cs->mems_allowed & ~of->mems_allowed) &&
	       cs->cpu_exclusive <= of->cpu_exclusive &&
	       cs->mem_exclusive <= of->mem_exclusive;
}

static bool check_children_fit(const struct cpuset *cs, const struct cpuset *trial)
{
	const struct cpuset *child;

	for_each_child_cpuset(child, cs) if (!is_subset(child, trial)) return false;
	return true;
}

/* Tasks already there, or on their way, keep CPUs and memory. */
static bool check_not_starved(const struct cpuset *cs, const struct cpuset *trial)
{
	if (!cpuset_is_populated(cs))
		return true;
	if (!cpumask_empty(&cs->cpus_allowed) && cpumask_empty(&trial->cpus_allowed))
		return false;
	return !cs->mems_allowed || trial->mems_allowed;
}

/*
 * The root domain of any of the old CPUs must fit in the new ones.  It is that of the
 * first, as in the kernel, even if the cpuset spans others too.
 *
 * source: cpuset_cpumask_can_shrink(), dl_cpuset_cpumask_can_shrink()
 */
static bool check_deadlines_fit(const struct cpuset *cs, const struct cpuset *trial)
{
	const struct machine *m = cs->sys->m;
	struct cpumask left = cpumask_and(&trial->cpus_allowed, &m->active);
	const struct root_domain *rd;
	uint64_t capacity = 0;
	int cpu;

	if (!cs->cpu_exclusive || cpumask_empty(&cs->cpus_allowed))
		return true;
	rd = cpu_rq(m, cpumask_first(&cs->cpus_allowed))->rd;
	for_each_cpu (cpu, &left)
		capacity += cpu_rq(m, cpu)->cpu_capacity_orig;
	return !dl_overflow(&rd->dl_bw, capacity, 0, 0);
}

static bool check_exclusive(const struct cpuset *cs, const struct cpuset *trial)
{
	const struct cpuset *sibling;

	for_each_child_cpuset(sibling, cs->parent)
	{
		if (sibling == cs)
			continue;
		if ((trial->cpu_exclusive || sibling->cpu_exclusive) &&
		    cpumask_intersects(&trial->cpus_allowed, &sibling->cpus_allowed))
			return false;
		if ((trial->mem_exclusive || sibling->mem_exclusive) &&
		    trial->mems_allowed & sibling->mems_allowed)
			return false;
	}
	return true;
}

int cpuset_validate(const struct cpuset *cs, const struct cpuset *trial)
{
	if (!cpuset_in_v2_mode(cs->sys)) {
		if (!check_children_fit(cs, trial))
			return -EBUSY;
		if (cs->parent && !is_subset(trial, cs->parent))
			return -EACCES;
	}
	if (!cs->parent)
		return 0;
	if (!check_not_starved(cs, trial))
		return -ENOSPC;
	if (!check_deadlines_fit(cs, trial))
		return -EBUSY;
	if (!check_exclusive(cs, trial))
		return -EINVAL;
	return 0;
}
