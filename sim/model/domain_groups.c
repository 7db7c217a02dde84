/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The groups of each domain and who shares their capacity.
 *
 * Below NUMA a group belongs to one child domain and all its CPUs share it.  NUMA
 * domains overlap: each CPU's has groups of its own, and the CPUs that reach a
 * group from below (its balance mask) tell which capacity it uses.
 *
 * source: build_sched_groups(), build_overlap_sched_groups() and
 * init_sched_groups_capacity(), kernel/sched/topology.c, 6.1
 */
#include "model/domains.h"

static void sum_capacity(struct sched_group *sg, const struct machine *m)
{
	struct sched_group_capacity *sgc = sg->sgc;
	int cpu;

	sgc->capacity = 0;
	sgc->min_capacity = UINT64_MAX;
	sgc->max_capacity = 0;
	for_each_cpu (cpu, &sg->cpus) {
		uint64_t capacity = capacity_of(m, cpu);

		sgc->capacity += capacity;
		sgc->min_capacity = MIN(sgc->min_capacity, capacity);
		sgc->max_capacity = MAX(sgc->max_capacity, capacity);
	}
}

static void group_init(struct sched_group *sg, const struct cpumask *cpus,
		       uint32_t flags)
{
	sg->cpus = *cpus;
	sg->group_weight = (unsigned)cpumask_weight(cpus);
	sg->flags = flags;
}

/* The group of @cpu at @level, made by whoever asks first.  source: get_group() */
static struct sched_group *get_group(struct machine_domains *d, const struct machine *m,
				     int level, int cpu)
{
	const struct sched_domain *child = level_domain(d, level, cpu)->child;
	struct cpumask alone = cpumask_of(cpu);
	const struct cpumask *cpus = child ? &child->span : &alone;
	int slot = level_slot(d, level, cpumask_first(cpus));
	struct sched_group *sg = &d->groups[slot];

	if (sg->sgc)
		return sg;
	group_init(sg, cpus, child ? child->flags : 0);
	sg->sgc = &d->capacities[slot];
	sg->sgc->balance_mask = *cpus;
	sum_capacity(sg, m);
	return sg;
}

/* The local group first, then by CPU number and round past the end. */
static void build_groups(struct machine_domains *d, const struct machine *m, int level,
			 int owner)
{
	struct sched_domain *sd = level_domain(d, level, owner);
	struct cpumask covered = cpumask_none();
	struct sched_group *last = NULL;
	int cpu, left;

	for_each_cpu_wrap (cpu, &sd->span, owner, left) {
		struct sched_group *sg;

		if (cpumask_test(&covered, cpu))
			continue;
		sg = get_group(d, m, level, cpu);
		covered = cpumask_or(&covered, &sg->cpus);
		if (last)
			last->next = sg;
		else
			sd->groups = sg;
		last = sg;
	}
	g_assert(last);
	last->next = sd->groups;
}

/*
 * In a NUMA machine of diameter 3 or more the child of a @sibling may reach beyond
 * @sd; then the first domain further down whose child does not.
 *
 * source: find_descended_sibling()
 */
static struct sched_domain *descended_sibling(const struct sched_domain *sd,
					      struct sched_domain *sibling)
{
	while (!cpumask_subset(&sibling->child->span, &sd->span))
		sibling = sibling->child;
	return sibling;
}

/* The CPUs of @sg whose own domain at @level has @sg's span for its child. */
static struct cpumask balance_mask(const struct machine_domains *d, int level,
				   const struct sched_group *sg)
{
	struct cpumask mask = cpumask_none();
	int cpu;

	for_each_cpu (cpu, &sg->cpus) {
		const struct sched_domain *child = level_domain(d, level, cpu)->child;

		if (child && cpumask_equal(&sg->cpus, &child->span))
			cpumask_set(&mask, cpu);
	}
	g_assert(!cpumask_empty(&mask));
	return mask;
}

/* source: build_group_from_child_sched_domain(), init_overlap_sched_group() */
static void overlap_group_init(struct machine_domains *d, const struct machine *m,
			       const struct sched_domain *sibling,
			       struct sched_group *sg)
{
	struct cpumask mask;
	int slot;

	group_init(sg, &sibling->child->span, sibling->child->flags);
	mask = balance_mask(d, sibling->level, sg);
	slot = level_slot(d, sibling->level, cpumask_first(&mask));
	sg->sgc = &d->capacities[slot];
	sg->sgc->balance_mask = mask;
	sum_capacity(sg, m);
}

/*
 * The domain of @cpu whose child is a group of @sd.
 *
 * Distances are symmetric, so a CPU that sees the whole machine from a level below
 * is seen from there too: it lies in the local group.  Any other has a domain as
 * high as @sd.
 */
static struct sched_domain *group_source(struct machine_domains *d,
					 const struct sched_domain *sd, int cpu)
{
	struct sched_domain *sibling = level_domain(d, sd->level, cpu);

	g_assert(sibling->child);
	return descended_sibling(sd, sibling);
}

static void build_overlap_groups(struct machine_domains *d, const struct machine *m,
				 int level, int owner)
{
	struct sched_domain *sd = level_domain(d, level, owner);
	struct sched_group *groups = g_new0(struct sched_group, sd->span_weight);
	struct cpumask covered = cpumask_none();
	int cpu, left, nr = 0;

	for_each_cpu_wrap (cpu, &sd->span, owner, left) {
		if (cpumask_test(&covered, cpu))
			continue;
		overlap_group_init(d, m, group_source(d, sd, cpu), &groups[nr]);
		covered = cpumask_or(&covered, &groups[nr].cpus);
		nr++;
	}
	groups = g_renew(struct sched_group, groups, nr);
	for (int i = 0; i < nr; i++)
		groups[i].next = &groups[(i + 1) % nr];
	sd->groups = groups;
	d->overlap_groups[level_slot(d, level, owner)] = groups;
}

/*
 * The balance CPU of its local group updated that group's capacity at boot.
 *
 * source: update_group_capacity() as called by init_sched_groups_capacity()
 */
static void set_next_update(const struct machine *m, struct sched_domain *sd, int cpu)
{
	struct sched_group_capacity *sgc = sd->groups->sgc;
	uint64_t jiffies = (sd->balance_interval * m->hz + 999) / 1000;

	if (cpu == cpumask_first(&sgc->balance_mask))
		sgc->next_update =
			m->jiffies + CLAMP(jiffies, 1, m->max_load_balance_interval);
}

void domain_groups_build(struct machine_domains *d, const struct machine *m,
			 const struct cpumask *cpus)
{
	int cpu;

	for_each_cpu (cpu, cpus)
		for (struct sched_domain *sd = level_domain(d, 0, cpu); sd;
		     sd = sd->parent) {
			if (sd->flags & SD_OVERLAP)
				build_overlap_groups(d, m, sd->level, cpu);
			else
				build_groups(d, m, sd->level, cpu);
		}
	for_each_cpu (cpu, cpus)
		for (struct sched_domain *sd = level_domain(d, 0, cpu); sd;
		     sd = sd->parent)
			set_next_update(m, sd, cpu);
}
