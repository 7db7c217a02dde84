/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From cpusets to sets of CPUs that are balanced together.
 *
 * v1: cpusets with load balancing on whose CPUs meet, directly or through others, form
 * one set.  v2: each partition is one, and the root has what is left.
 *
 * source: generate_sched_domains(), kernel/cgroup/cpuset.c
 */
#include "cpuset/domains_from_cpusets.h"

#include "cpuset/internal.h"

#include <string.h>

/* The highest relax level asked for in the tree of @top. */
static int relax_level_of(const struct cpuset *top)
{
	int level = -1;
	bool skip = false;
	struct cpuset *cs;

	for (cs = (struct cpuset *)top; cs; cs = cpuset_next(top, cs, skip)) {
		skip = cpumask_empty(&cs->cpus_allowed);
		if (!skip && cs->load_balance)
			level = MAX(level, cs->relax_domain_level);
	}
	return level;
}

static void add_domain(GArray *doms, const cpusets *sys, const struct cpumask *cpus,
		       int relax_level)
{
	struct sched_dom dom = {cpumask_and(cpus, &sys->housekeeping), relax_level};

	/* The root may have given all CPUs away.  The kernel refuses to build that. */
	if (!cpumask_empty(&dom.cpus))
		g_array_append_val(doms, dom);
}

/* Whether it has CPUs but wants them not to be balanced, or none may be. */
static bool is_unbalanced(const struct cpuset *cs)
{
	return !cpumask_empty(&cs->cpus_allowed) &&
	       !(cs->load_balance &&
		 cpumask_intersects(&cs->cpus_allowed, &cs->sys->housekeeping));
}

static bool is_part_of_root(const struct cpuset *cs)
{
	const struct cpuset *root = cs->sys->root;

	return root->load_balance &&
	       cpumask_subset(&cs->cpus_allowed, &root->effective_cpus);
}

/* Cpusets whose CPUs are to be balanced, parents first.  (transfer full) */
static GPtrArray *candidates(cpusets *sys, uint64_t *looked_at)
{
	GPtrArray *list = g_ptr_array_new();
	struct cpuset *root = sys->root, *cs;
	bool skip = false;

	if (root->load_balance)
		g_ptr_array_add(list, root);
	for (cs = cpuset_next(root, root, false); cs;
	     cs = cpuset_next(root, cs, skip)) {
		(*looked_at)++;
		skip = false;
		if (is_unbalanced(cs) || is_part_of_root(cs))
			continue;
		if (cs->load_balance && !cpumask_empty(&cs->effective_cpus))
			g_ptr_array_add(list, cs);
		/* Those below have a part of its CPUs, but for partitions. */
		skip = !partition_is_valid(cs);
	}
	return list;
}

static struct cpuset *candidate(GPtrArray *list, guint i)
{
	return g_ptr_array_index(list, i);
}

/* The first member of the set that @i is in, by numbers that point towards it. */
static int find_first(GPtrArray *list, int i)
{
	while (candidate(list, (guint)i)->partition_number != i) {
		struct cpuset *cs = candidate(list, (guint)i);
		int up = cs->partition_number;

		cs->partition_number = candidate(list, (guint)up)->partition_number;
		i = up;
	}
	return i;
}

static void join_sets(GPtrArray *list, int a, int b)
{
	int first = find_first(list, a), other = find_first(list, b);

	candidate(list, (guint)MAX(first, other))->partition_number = MIN(first, other);
}

/*
 * Gives each the number of the first one of its set.  Two that meet have a CPU in
 * common, so it is enough to join all that have one with the first that has it.
 */
static void join_overlapping(GPtrArray *list)
{
	int first_with[CPUS_MAX];
	int cpu;

	memset(first_with, -1, sizeof(first_with));
	for (guint i = 0; i < list->len; i++) {
		struct cpuset *cs = candidate(list, i);

		cs->partition_number = (int)i;
		for_each_cpu (cpu, &cs->effective_cpus) {
			if (first_with[cpu] < 0)
				first_with[cpu] = (int)i;
			else
				join_sets(list, first_with[cpu], (int)i);
		}
	}
	for (guint i = 0; i < list->len; i++)
		candidate(list, i)->partition_number = find_first(list, (int)i);
}

static void add_set(GArray *doms, const cpusets *sys, GPtrArray *list, int number)
{
	struct cpumask cpus = cpumask_none();
	int level = -1;

	for (guint i = 0; i < list->len; i++) {
		const struct cpuset *cs = candidate(list, i);

		if (cs->partition_number != number)
			continue;
		cpus = cpumask_or(&cpus, &cs->effective_cpus);
		level = MAX(level, relax_level_of(cs));
	}
	add_domain(doms, sys, &cpus, level);
}

GArray *generate_sched_domains(cpusets *sys, uint64_t *looked_at)
{
	GArray *doms = g_array_new(FALSE, FALSE, sizeof(struct sched_dom));
	const struct cpuset *root = sys->root;
	g_autoptr(GPtrArray) list = NULL;

	*looked_at = 1;
	if (root->load_balance && !cpuset_has_subparts(root)) {
		add_domain(doms, sys, &root->effective_cpus, relax_level_of(root));
		return doms;
	}
	list = candidates(sys, looked_at);
	join_overlapping(list);
	for (guint i = 0; i < list->len; i++)
		if (candidate(list, i)->partition_number == (int)i)
			add_set(doms, sys, list, (int)i);
	return doms;
}

/* Whether cpusets do not know yet which CPUs are active. */
static bool races_with_hotplug(const cpusets *sys)
{
	const struct cpuset *root = sys->root;
	struct cpuset *cs;
	bool skip = false;

	if (!cpuset_has_subparts(root))
		return !cpumask_equal(&root->effective_cpus, &sys->m->active);
	for (cs = sys->root; cs; cs = cpuset_next(root, cs, skip)) {
		skip = !partition_is_valid(cs);
		if (!skip && !cpumask_subset(&cs->effective_cpus, &sys->m->active))
			return true;
	}
	return false;
}

void rebuild_sched_domains(cpusets *sys)
{
	op_result *op = sys->op;
	uint64_t looked_at;
	GArray *doms;

	if (sys->policy.rows[sys->caller].walk == WALK_ABSENT)
		return;
	op->rebuilds_requested++;
	if (races_with_hotplug(sys)) {
		op->rebuilds_dropped++;
		return;
	}
	if (sys->policy.hotplug_lock_inside)
		op_lock(op, OP_LOCK_CPUS_READ);
	doms = generate_sched_domains(sys, &looked_at);
	op_count(op, OP_STEP_GENERATE, looked_at);
	partition_sched_domains(sys, doms);
	if (sys->policy.hotplug_lock_inside)
		op_unlock(op, OP_LOCK_CPUS_READ);
}
