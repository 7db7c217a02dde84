/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling domains of every CPU: levels, spans, flags and intervals.
 *
 * source: sched_init_numa(), sd_init() and build_sched_domains(),
 * kernel/sched/topology.c, 6.1
 */
#include "model/domains.h"

#include "model/machine_new.h"
#include "schedsim/wakeup.h"

/* Settings of sd_init() that no level changes. */
#define BUSY_FACTOR 16
#define NEWIDLE_CALL 512
#define NEWIDLE_SUCCESS 256
#define NEWIDLE_RATIO 512

#define IMBALANCE_PCT 117
#define IMBALANCE_PCT_SMT 110

enum { LEVEL_SMT, LEVEL_MC, LEVEL_DIE, LEVEL_NODE, LEVEL_NUMA };

/* Levels */

static int next_distance(const topology *topo, int above)
{
	int next = 0;

	for (int a = 0; a < topo->nr_nodes; a++)
		for (int b = 0; b < topo->nr_nodes; b++) {
			int distance = topo->distance[a][b];

			if (distance > above && (!next || distance < next))
				next = distance;
		}
	return next;
}

/* SMT, MC, DIE, NODE, then one NUMA level for each distance beyond the local. */
static void build_levels(struct machine_domains *d, const topology *topo)
{
	static const struct domain_level fixed[] = {
		[LEVEL_SMT] = {"SMT", SD_SHARE_CPUCAPACITY | SD_SHARE_PKG_RESOURCES, 0},
		[LEVEL_MC] = {"MC", SD_SHARE_PKG_RESOURCES, 0},
		[LEVEL_DIE] = {"DIE", 0, 0},
		[LEVEL_NODE] = {"NODE", 0, LOCAL_DISTANCE},
	};
	GArray *levels = g_array_new(FALSE, FALSE, sizeof(struct domain_level));
	int distance = LOCAL_DISTANCE;

	g_array_append_vals(levels, fixed, G_N_ELEMENTS(fixed));
	while ((distance = next_distance(topo, distance))) {
		struct domain_level numa = {"NUMA", SD_NUMA, distance};

		g_array_append_val(levels, numa);
	}
	d->nr_levels = (int)levels->len;
	d->levels = (struct domain_level *)(void *)g_array_free(levels, FALSE);
}

/* The CPUs of @capacity, so far; none for one not seen before. */
static struct cpumask *capacity_class_cpus(struct machine_domains *d, unsigned capacity)
{
	struct capacity_class unseen = {capacity, cpumask_none()};
	GArray *classes = d->capacity_classes;

	for (guint i = 0; i < classes->len; i++) {
		struct capacity_class *class =
			&g_array_index(classes, struct capacity_class, i);

		if (class->capacity == capacity)
			return &class->cpus;
	}
	g_array_append_val(classes, unseen);
	return &g_array_index(classes, struct capacity_class, classes->len - 1).cpus;
}

/* source: asym_cpu_capacity_scan() */
static void build_capacity_classes(struct machine_domains *d, const topology *topo)
{
	d->capacity_classes = g_array_new(FALSE, FALSE, sizeof(struct capacity_class));
	for (int cpu = 0; cpu < topo->nr_cpus; cpu++)
		cpumask_set(capacity_class_cpus(d, topo->cpu[cpu].capacity), cpu);
}

static bool level_joins(const struct machine_domains *d, const topology *topo,
			int level, int a, int b)
{
	switch (level) {
	case LEVEL_SMT:
		return topo->cpu[a].core == topo->cpu[b].core;
	case LEVEL_MC:
		return topo->cpu[a].llc == topo->cpu[b].llc;
	case LEVEL_DIE:
		return topo->cpu[a].node == topo->cpu[b].node;
	default:
		return topo->distance[topo->cpu[a].node][topo->cpu[b].node] <=
		       d->levels[level].max_distance;
	}
}

/* Of @cpus, those that @level joins to @cpu. */
static struct cpumask level_span(const struct machine_domains *d, int level, int cpu,
				 const struct cpumask *cpus)
{
	struct cpumask span = cpumask_none();
	int other;

	for_each_cpu (other, cpus)
		if (level_joins(d, d->topo, level, cpu, other))
			cpumask_set(&span, other);
	return span;
}

/* One domain */

/* @cpus: all that are balanced together.  source: asym_cpu_capacity_classify() */
static uint32_t capacity_flags(const struct machine_domains *d,
			       const struct cpumask *span, const struct cpumask *cpus)
{
	unsigned inside = 0, outside = 0;

	for (guint i = 0; i < d->capacity_classes->len; i++) {
		const struct capacity_class *class =
			&g_array_index(d->capacity_classes, struct capacity_class, i);

		if (cpumask_intersects(span, &class->cpus))
			inside++;
		else if (cpumask_intersects(cpus, &class->cpus))
			outside++;
	}
	if (inside < 2)
		return 0;
	if (outside)
		return SD_ASYM_CPUCAPACITY;
	return SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL;
}

/* Adds to @sd what follows from what its CPUs share. */
static void set_behaviour(struct sched_domain *sd, const struct domain_level *level,
			  int node_reclaim_distance)
{
	sd->imbalance_pct = IMBALANCE_PCT;
	if (sd->flags & SD_SHARE_CPUCAPACITY) {
		sd->imbalance_pct = IMBALANCE_PCT_SMT;
	} else if (!(sd->flags & SD_NUMA)) {
		sd->cache_nice_tries = 1;
	} else {
		sd->cache_nice_tries = 2;
		sd->flags &= ~(uint32_t)SD_PREFER_SIBLING;
		sd->flags |= SD_SERIALIZE | SD_OVERLAP;
		if (level->max_distance > node_reclaim_distance)
			sd->flags &= ~(uint32_t)(SD_BALANCE_EXEC | SD_BALANCE_FORK |
						 SD_WAKE_AFFINE);
	}
}

static void share_cache_state(struct machine_domains *d, struct sched_domain *sd,
			      unsigned busy)
{
	int slot = level_slot(d, sd->level, cpumask_first(&sd->span));

	g_assert(sd->level < CACHE_LEVELS);
	sd->shared = &d->shared[slot];
	sd->shared->nr_busy_cpus = (int)busy;
}

/*
 * Intervals and the count of busy CPUs begin with all that @level joins to @cpu in the
 * whole machine, whatever part of it is balanced.
 *
 * source: sd_init()
 */
static void domain_init(struct machine_domains *d, const struct machine *m, int level,
			int cpu, const struct cpumask *cpus, struct sched_domain *sd)
{
	struct cpumask machine = cpumask_first_n(d->nr_cpus);
	struct cpumask joined = level_span(d, level, cpu, &machine);
	unsigned weight = (unsigned)cpumask_weight(&joined);

	sd->name = d->levels[level].name;
	sd->level = level;
	sd->span = cpumask_and(&joined, cpus);
	sd->span_weight = (unsigned)cpumask_weight(&sd->span);
	sd->flags = SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK |
		    SD_WAKE_AFFINE | SD_PREFER_SIBLING | d->levels[level].flags |
		    capacity_flags(d, &sd->span, cpus);
	sd->min_interval = weight;
	sd->max_interval = 2 * weight;
	sd->balance_interval = weight;
	sd->busy_factor = BUSY_FACTOR;
	sd->last_balance = m->jiffies;
	sd->last_decay_max_lb_cost = m->jiffies;
	sd->newidle_call = NEWIDLE_CALL;
	sd->newidle_success = NEWIDLE_SUCCESS;
	sd->newidle_ratio = NEWIDLE_RATIO;
	set_behaviour(sd, &d->levels[level], d->topo->node_reclaim_distance);
	if (sd->flags & SD_SHARE_PKG_RESOURCES)
		share_cache_state(d, sd, weight);
}

/*
 * From the level a user asked for up, idle CPUs do not look for work.
 * source: set_domain_attribute()
 */
static void set_relax_level(struct sched_domain *sd, int relax_level)
{
	if (relax_level >= 0 && sd->level >= relax_level)
		sd->flags &= ~(uint32_t)(SD_BALANCE_WAKE | SD_BALANCE_NEWIDLE);
}

/* From SMT up to the first level that spans all of @cpus. */
static void build_chain(struct machine_domains *d, const struct machine *m, int cpu,
			const struct cpumask *cpus, int relax_level)
{
	struct sched_domain *child = NULL;

	for (int level = 0; level < d->nr_levels; level++) {
		struct sched_domain *sd = level_domain(d, level, cpu);

		domain_init(d, m, level, cpu, cpus, sd);
		sd->child = child;
		if (child)
			child->parent = sd;
		/* Tasks are not spread over CPUs of different capacities. */
		if (child && sd->flags & SD_ASYM_CPUCAPACITY)
			child->flags &= ~(uint32_t)SD_PREFER_SIBLING;
		set_relax_level(sd, relax_level);
		d->level_max = MAX(d->level_max, level);
		if (cpumask_equal(&sd->span, cpus))
			return;
		child = sd;
	}
}

/* NUMA imbalance */

/*
 * Tasks a node may hold more than another, by the first domain above the LLC: an
 * eighth of its CPUs if it has one LLC, else one task per LLC.
 */
static unsigned numa_imbalance(const struct sched_domain *sd)
{
	unsigned nr_llcs = sd->span_weight / sd->child->span_weight;

	return MAX(1, nr_llcs == 1 ? sd->span_weight >> 3 : nr_llcs);
}

static unsigned first_numa_weight(const struct sched_domain *sd)
{
	const struct sched_domain *numa = sd->parent;

	while (numa && !(numa->flags & SD_NUMA))
		numa = numa->parent;
	return numa ? numa->span_weight : sd->span_weight;
}

/*
 * Only NUMA domains are ever asked for imb_numa_nr; the others keep 0, although
 * the kernel leaves a number in those between the LLC and the node as well.
 *
 * source: the third pass of build_sched_domains()
 */
static void set_imb_numa_nr(struct sched_domain *lowest)
{
	unsigned imbalance = 0, span = 1;

	for (struct sched_domain *sd = lowest; sd; sd = sd->parent) {
		bool above_llc = !(sd->flags & SD_SHARE_PKG_RESOURCES) && sd->child &&
				 sd->child->flags & SD_SHARE_PKG_RESOURCES;

		if (above_llc) {
			imbalance = numa_imbalance(sd);
			span = first_numa_weight(sd);
		}
		if (sd->flags & SD_NUMA)
			sd->imb_numa_nr = imbalance * MAX(1, sd->span_weight / span);
	}
}

/* The last-level caches' state */

static void init_llc_state(const struct machine *m, struct sched_domain_shared *shared)
{
	if (!shared)
		return;
	if (m->nr_idle_scan_fixed >= 0)
		shared->nr_idle_scan = m->nr_idle_scan_fixed;
	if (m->policy && m->policy->llc_size && !shared->policy_state)
		shared->policy_state = g_malloc0(m->policy->llc_size);
}

/* All */

struct machine_domains *domains_new(const topology *topo)
{
	struct machine_domains *d = g_new0(struct machine_domains, 1);
	gsize slots;

	build_levels(d, topo);
	build_capacity_classes(d, topo);
	d->nr_cpus = topo->nr_cpus;
	d->topo = topology_copy(topo);
	slots = (gsize)d->nr_levels * (gsize)d->nr_cpus;
	d->domains = g_new0(struct sched_domain, slots);
	d->groups = g_new0(struct sched_group, slots);
	d->capacities = g_new0(struct sched_group_capacity, slots);
	d->shared = g_new0(struct sched_domain_shared, CACHE_LEVELS * d->nr_cpus);
	d->overlap_groups = g_new0(struct sched_group *, slots);
	return d;
}

static void clear_shared(struct sched_domain_shared *shared)
{
	g_free(shared->policy_state);
	*shared = (struct sched_domain_shared){0};
}

/* Forgets what @cpu was part of before. */
static void clear_slots(struct machine_domains *d, int cpu)
{
	for (int level = 0; level < d->nr_levels; level++) {
		int slot = level_slot(d, level, cpu);

		d->domains[slot] = (struct sched_domain){0};
		d->groups[slot] = (struct sched_group){0};
		d->capacities[slot] = (struct sched_group_capacity){0};
		g_clear_pointer(&d->overlap_groups[slot], g_free);
		if (level < CACHE_LEVELS)
			clear_shared(&d->shared[slot]);
	}
}

/* source: has_asym of build_sched_domains() */
static bool capacities_differ(const struct machine_domains *d,
			      const struct cpumask *cpus)
{
	return capacity_flags(d, cpus, cpus);
}

void domains_build_for(struct machine *m, const struct cpumask *cpus, int relax_level)
{
	struct machine_domains *d = m->domains;
	int cpu;

	g_assert(!cpumask_empty(cpus));

	for_each_cpu (cpu, cpus)
		clear_slots(d, cpu);
	for_each_cpu (cpu, cpus)
		build_chain(d, m, cpu, cpus, relax_level);
	domain_groups_build(d, m, cpus);
	for_each_cpu (cpu, cpus)
		set_imb_numa_nr(level_domain(d, LEVEL_SMT, cpu));
	for_each_cpu (cpu, cpus) {
		domain_attach(level_domain(d, LEVEL_SMT, cpu), cpu_rq(m, cpu));
		init_llc_state(m, cpu_rq(m, cpu)->sd_llc_shared);
	}
	m->asym_cpucap += capacities_differ(d, cpus);
}

void domains_detach(struct machine *m, const struct cpumask *cpus)
{
	int cpu;

	m->asym_cpucap -= cpu_rq(m, cpumask_first(cpus))->sd_asym_cpucapacity != NULL;
	for_each_cpu (cpu, cpus)
		domain_attach(NULL, cpu_rq(m, cpu));
}

struct cpumask core_cpus(const struct machine *m, int cpu)
{
	struct cpumask all = cpumask_first_n(m->nr_cpus);

	return level_span(m->domains, LEVEL_SMT, cpu, &all);
}

int domains_level_max(const struct machine *m)
{
	return m->domains->level_max;
}

void domains_free(struct machine_domains *d)
{
	if (!d)
		return;
	for (int i = 0; i < CACHE_LEVELS * d->nr_cpus; i++)
		g_free(d->shared[i].policy_state);
	for (int i = 0; i < d->nr_levels * d->nr_cpus; i++)
		g_free(d->overlap_groups[i]);
	g_free(d->overlap_groups);
	g_free(d->shared);
	g_free(d->capacities);
	g_free(d->groups);
	g_free(d->domains);
	g_free(d->levels);
	g_array_free(d->capacity_classes, TRUE);
	topology_free(d->topo);
	g_free(d);
}
