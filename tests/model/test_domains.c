/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Domains of the named machines and of a few odd ones.  Expected values come from
 * the topologies that the vectors state, or were worked out on paper from sd_init(),
 * build_sched_domains() and the comments of kernel/sched/topology.c.
 */
#include "test.h"

#include "model/machine_new.h"

#define USUAL (SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE)
#define SMT_FLAGS                                                                      \
	(USUAL | SD_SHARE_CPUCAPACITY | SD_SHARE_PKG_RESOURCES | SD_PREFER_SIBLING)
#define MC_FLAGS (USUAL | SD_SHARE_PKG_RESOURCES | SD_PREFER_SIBLING)
#define DIE_FLAGS (USUAL | SD_PREFER_SIBLING)
#define NUMA_FLAGS (USUAL | SD_NUMA | SD_SERIALIZE | SD_OVERLAP)
#define FAR_NUMA_FLAGS (SD_BALANCE_NEWIDLE | SD_NUMA | SD_SERIALIZE | SD_OVERLAP)

static const struct kernel_profile profile = {.name = "test", .has_ni_random = true};

static struct machine *build(const topology *topo)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &profile);
	return machine_new(topo, &spec);
}

static struct machine *machine_named(const char *name)
{
	g_autoptr(topology) topo = topology_find(name, NULL);

	assert_non_null(topo);
	return build(topo);
}

/* The domain of @cpu @height above its lowest. */
static struct sched_domain *domain_at(const struct machine *m, int cpu, int height)
{
	struct sched_domain *sd = cpu_rq(m, cpu)->sd;

	while (height-- && sd)
		sd = sd->parent;
	assert_non_null(sd);
	return sd;
}

static void append_mask(GString *text, const struct cpumask *mask)
{
	g_autofree char *list = cpumask_to_list(mask);

	g_string_append_printf(text, "%s%s", text->len ? " " : "", list);
}

/* "MC 0-3 DIE 0-7" */
static void assert_chain(const struct machine *m, int cpu, const char *expected)
{
	GString *text = g_string_new(NULL);

	for (struct sched_domain *sd = cpu_rq(m, cpu)->sd; sd; sd = sd->parent) {
		g_string_append_printf(text, "%s%s", text->len ? " " : "", sd->name);
		append_mask(text, &sd->span);
		assert_int_equal(sd->span_weight, cpumask_weight(&sd->span));
		if (sd->parent)
			assert_ptr_equal(sd->parent->child, sd);
	}
	assert_string_equal(text->str, expected);
	g_string_free(text, TRUE);
}

/* The groups' CPUs in order, "4-7 0-3". */
static void assert_groups(const struct sched_domain *sd, const char *expected)
{
	const struct sched_group *sg = sd->groups;
	GString *text = g_string_new(NULL);

	do {
		append_mask(text, &sg->cpus);
		assert_int_equal(sg->group_weight, cpumask_weight(&sg->cpus));
		sg = sg->next;
	} while (sg != sd->groups);
	assert_string_equal(text->str, expected);
	g_string_free(text, TRUE);
}

static void assert_balance_masks(const struct sched_domain *sd, const char *expected)
{
	const struct sched_group *sg = sd->groups;
	GString *text = g_string_new(NULL);

	do {
		append_mask(text, &sg->sgc->balance_mask);
		sg = sg->next;
	} while (sg != sd->groups);
	assert_string_equal(text->str, expected);
	g_string_free(text, TRUE);
}

struct expected_domain {
	uint32_t flags;
	unsigned imbalance_pct, cache_nice_tries, imb_numa_nr;
};

static void assert_domain(const struct sched_domain *sd, struct expected_domain want)
{
	assert_int_equal(sd->flags, want.flags);
	assert_int_equal(sd->imbalance_pct, want.imbalance_pct);
	assert_int_equal(sd->cache_nice_tries, want.cache_nice_tries);
	assert_int_equal(sd->imb_numa_nr, want.imb_numa_nr);
}

static const struct expected_domain smt = {SMT_FLAGS, 110, 0, 0};
static const struct expected_domain mc = {MC_FLAGS, 117, 1, 0};
static const struct expected_domain die = {DIE_FLAGS, 117, 1, 0};

/* The machines of the vectors */

static void smp4_is_one_mc(void **state)
{
	struct machine *m = machine_named("smp4");

	for (int cpu = 0; cpu < 4; cpu++) {
		assert_chain(m, cpu, "MC 0-3");
		assert_domain(domain_at(m, cpu, 0), mc);
	}
	assert_groups(domain_at(m, 0, 0), "0 1 2 3");
	assert_groups(domain_at(m, 2, 0), "2 3 0 1");
	machine_free(m);
}

static void smt8_is_smt_and_mc(void **state)
{
	static const char *const chains[] = {
		"SMT 0,4 MC 0-7",
		"SMT 1,5 MC 0-7",
		"SMT 2,6 MC 0-7",
		"SMT 3,7 MC 0-7",
	};
	struct machine *m = machine_named("smt8");

	for (int cpu = 0; cpu < 8; cpu++) {
		assert_chain(m, cpu, chains[cpu % 4]);
		assert_domain(domain_at(m, cpu, 0), smt);
		assert_domain(domain_at(m, cpu, 1), mc);
	}
	assert_groups(domain_at(m, 6, 0), "6 2");
	assert_groups(domain_at(m, 6, 1), "2,6 3,7 0,4 1,5");
	machine_free(m);
}

static void llc2x4_is_mc_and_die(void **state)
{
	struct machine *m = machine_named("llc2x4");

	for (int cpu = 0; cpu < 8; cpu++) {
		assert_chain(m, cpu, cpu < 4 ? "MC 0-3 DIE 0-7" : "MC 4-7 DIE 0-7");
		assert_domain(domain_at(m, cpu, 0), mc);
		assert_domain(domain_at(m, cpu, 1), die);
	}
	assert_groups(domain_at(m, 6, 0), "6 7 4 5");
	assert_groups(domain_at(m, 6, 1), "4-7 0-3");
	machine_free(m);
}

static void numa16_is_smt_mc_and_numa(void **state)
{
	struct machine *m = machine_named("numa16");

	assert_chain(m, 0, "SMT 0,8 MC 0-3,8-11 NUMA 0-15");
	assert_chain(m, 11, "SMT 3,11 MC 0-3,8-11 NUMA 0-15");
	assert_chain(m, 4, "SMT 4,12 MC 4-7,12-15 NUMA 0-15");
	assert_chain(m, 15, "SMT 7,15 MC 4-7,12-15 NUMA 0-15");
	for (int cpu = 0; cpu < 16; cpu++) {
		assert_domain(domain_at(m, cpu, 0), smt);
		assert_domain(domain_at(m, cpu, 1), mc);
		/* One LLC a node, and an eighth of its 8 CPUs is 1. */
		assert_domain(domain_at(m, cpu, 2),
			      (struct expected_domain){NUMA_FLAGS, 117, 2, 1});
	}
	assert_groups(domain_at(m, 13, 1), "5,13 6,14 7,15 4,12");
	assert_groups(domain_at(m, 3, 2), "0-3,8-11 4-7,12-15");
	assert_groups(domain_at(m, 9, 2), "0-3,8-11 4-7,12-15");
	assert_groups(domain_at(m, 12, 2), "4-7,12-15 0-3,8-11");
	machine_free(m);
}

/* Real machines */

static void the_haswell_desktop_is_as_smt8(void **state)
{
	struct machine *m = machine_named("i7-4790");

	assert_chain(m, 5, "SMT 1,5 MC 0-7");
	assert_int_equal(cpu_rq(m, 5)->sd_llc_size, 8);
	machine_free(m);
}

static void llc16_is_one_mc(void **state)
{
	struct machine *m = machine_named("llc16");

	assert_chain(m, 9, "MC 0-15");
	assert_int_equal(cpu_rq(m, 9)->sd_llc_size, 16);
	machine_free(m);
}

static void zen3_is_smt_mc_die_and_numa(void **state)
{
	struct machine *m = machine_named("zen3-nps1");

	assert_chain(m, 0, "SMT 0,128 MC 0-7,128-135 DIE 0-63,128-191 NUMA 0-255");
	assert_chain(m, 200,
		     "SMT 72,200 MC 72-79,200-207 DIE 64-127,192-255 NUMA 0-255");
	assert_domain(domain_at(m, 0, 0), smt);
	assert_domain(domain_at(m, 0, 1), mc);
	assert_domain(domain_at(m, 0, 2), die);
	/* Distance 32 is not above AMD's 32; eight LLCs a node, a task for each. */
	assert_domain(domain_at(m, 0, 3),
		      (struct expected_domain){NUMA_FLAGS, 117, 2, 8});
	assert_groups(domain_at(m, 200, 2),
		      "72-79,200-207 80-87,208-215 88-95,216-223 96-103,224-231 "
		      "104-111,232-239 112-119,240-247 120-127,248-255 64-71,192-199");
	assert_groups(domain_at(m, 200, 3), "64-127,192-255 0-63,128-191");
	assert_int_equal(cpu_rq(m, 200)->sd_llc_id, 72);
	assert_int_equal(cpu_rq(m, 200)->sd_llc_size, 16);
	machine_free(m);
}

static void sapphire_rapids_is_smt_mc_and_numa(void **state)
{
	struct machine *m = machine_named("spr-2s");

	assert_chain(m, 60, "SMT 60,172 MC 56-111,168-223 NUMA 0-223");
	/* An eighth of the 112 CPUs of a node. */
	assert_domain(domain_at(m, 60, 2),
		      (struct expected_domain){NUMA_FLAGS, 117, 2, 14});
	assert_int_equal(cpu_rq(m, 60)->sd_llc_id, 56);
	assert_int_equal(cpu_rq(m, 60)->sd_llc_size, 112);
	machine_free(m);
}

/* What every domain starts with */

static void intervals_follow_the_weight(void **state)
{
	struct machine *m = machine_named("numa16");
	static const unsigned weights[] = {2, 8, 16};

	for (int height = 0; height < 3; height++) {
		const struct sched_domain *sd = domain_at(m, 7, height);

		assert_int_equal(sd->min_interval, weights[height]);
		assert_int_equal(sd->balance_interval, weights[height]);
		assert_int_equal(sd->max_interval, 2 * weights[height]);
		assert_int_equal(sd->busy_factor, 16);
	}
	machine_free(m);
}

static void newidle_balancing_starts_at_half_success(void **state)
{
	struct machine *m = machine_named("smp4");
	const struct sched_domain *sd = domain_at(m, 1, 0);

	assert_int_equal(sd->newidle_call, 512);
	assert_int_equal(sd->newidle_success, 256);
	assert_int_equal(sd->newidle_ratio, 512);
	assert_int_equal(sd->max_newidle_lb_cost, 0);
	assert_int_equal(sd->last_decay_max_lb_cost, 0);
	assert_int_equal(sd->last_balance, 0);
	assert_int_equal(sd->nr_balance_failed, 0);
	machine_free(m);
}

/* Levels are counted before any of them is dropped. */
static void levels_count_from_smt(void **state)
{
	struct machine *m = machine_named("numa16");

	assert_int_equal(domain_at(m, 0, 0)->level, 0);
	assert_int_equal(domain_at(m, 0, 1)->level, 1);
	assert_int_equal(domain_at(m, 0, 2)->level, 4);
	machine_free(m);
}

/* Degeneration */

static void a_single_cpu_has_no_domain(void **state)
{
	struct machine *m = machine_named("1n1l1c1t");

	assert_null(cpu_rq(m, 0)->sd);
	assert_null(cpu_rq(m, 0)->sd_llc);
	assert_null(cpu_rq(m, 0)->sd_llc_shared);
	assert_int_equal(cpu_rq(m, 0)->sd_llc_id, 0);
	assert_int_equal(cpu_rq(m, 0)->sd_llc_size, 1);
	machine_free(m);
}

static void cpus_that_share_nothing_have_only_die(void **state)
{
	struct machine *m = machine_named("1n4l1c1t");

	assert_chain(m, 3, "DIE 0-3");
	assert_groups(domain_at(m, 3, 0), "3 0 1 2");
	assert_null(domain_at(m, 3, 0)->child);
	assert_null(domain_at(m, 3, 0)->shared);
	assert_null(cpu_rq(m, 3)->sd_llc);
	assert_int_equal(cpu_rq(m, 3)->sd_llc_id, 3);
	assert_int_equal(cpu_rq(m, 3)->sd_llc_size, 1);
	machine_free(m);
}

static void one_core_alone_has_only_smt(void **state)
{
	struct machine *m = machine_named("1n1l1c2t");

	assert_chain(m, 1, "SMT 0-1");
	assert_ptr_equal(cpu_rq(m, 1)->sd_llc, domain_at(m, 1, 0));
	machine_free(m);
}

/* MC spans what SMT does and goes; SMT is then the last level to share a cache. */
static void an_llc_of_one_core_is_its_smt_domain(void **state)
{
	struct machine *m = machine_named("1n2l1c2t");

	assert_chain(m, 3, "SMT 1,3 DIE 0-3");
	assert_ptr_equal(cpu_rq(m, 3)->sd_llc, domain_at(m, 3, 0));
	assert_ptr_equal(cpu_rq(m, 3)->sd_llc_shared, cpu_rq(m, 1)->sd_llc_shared);
	assert_int_equal(cpu_rq(m, 3)->sd_llc_id, 1);
	assert_int_equal(cpu_rq(m, 3)->sd_llc_size, 2);
	machine_free(m);
}

static void a_lowest_domain_has_no_child_and_its_local_group_no_flags(void **state)
{
	struct machine *m = machine_named("smp4");
	const struct sched_domain *sd = domain_at(m, 1, 0);

	assert_null(sd->child);
	assert_int_equal(sd->groups->flags, 0);
	machine_free(m);
}

static void groups_carry_the_flags_of_the_level_below(void **state)
{
	struct machine *m = machine_named("numa16");

	assert_int_equal(domain_at(m, 0, 1)->groups->next->flags, SMT_FLAGS);
	/* NODE was there when NUMA's groups were made. */
	assert_int_equal(domain_at(m, 0, 2)->groups->next->flags, DIE_FLAGS);
	machine_free(m);
}

/* Who shares a capacity */

static void cpus_of_a_domain_share_groups_below_numa(void **state)
{
	struct machine *m = machine_named("llc2x4");
	const struct sched_domain *sd0 = domain_at(m, 0, 1);
	const struct sched_domain *sd5 = domain_at(m, 5, 1);

	assert_ptr_equal(sd0->groups, domain_at(m, 3, 1)->groups);
	assert_ptr_equal(sd0->groups, sd5->groups->next);
	assert_ptr_equal(sd0->groups->next, sd5->groups);
	assert_ptr_equal(sd5->groups->next->next, sd5->groups);
	/* CPU 0 alone is another group than 0-3. */
	assert_ptr_not_equal(domain_at(m, 0, 0)->groups->sgc, sd0->groups->sgc);
	machine_free(m);
}

static void numa_groups_are_private_but_share_their_capacity(void **state)
{
	struct machine *m = machine_named("numa16");
	const struct sched_domain *sd0 = domain_at(m, 0, 2);
	const struct sched_domain *sd1 = domain_at(m, 1, 2);
	const struct sched_domain *sd4 = domain_at(m, 4, 2);

	assert_ptr_not_equal(sd0->groups, sd1->groups);
	assert_ptr_equal(sd0->groups->sgc, sd1->groups->sgc);
	assert_ptr_equal(sd0->groups->sgc, sd4->groups->next->sgc);
	assert_ptr_equal(sd0->groups->next->sgc, sd4->groups->sgc);
	assert_ptr_not_equal(sd0->groups->sgc, sd4->groups->sgc);
	assert_balance_masks(sd4, "4-7,12-15 0-3,8-11");
	machine_free(m);
}

static void capacities_are_sums_over_the_group(void **state)
{
	g_autoptr(topology) topo = topology_find("llc2x4", NULL);
	const struct sched_group_capacity *sgc;
	struct machine *m;

	topo->cpu[1].capacity = 300;
	topo->cpu[2].capacity = 500;
	m = build(topo);
	sgc = domain_at(m, 6, 1)->groups->next->sgc;
	assert_int_equal(sgc->capacity, 1024 + 300 + 500 + 1024);
	assert_int_equal(sgc->min_capacity, 300);
	assert_int_equal(sgc->max_capacity, 1024);
	assert_int_equal(domain_at(m, 1, 0)->groups->sgc->capacity, 300);
	assert_false(sgc->imbalance);
	machine_free(m);
}

/* Intervals of 2, 8 and 16 ms; at 100 Hz a jiffy is 10 ms, and a part counts whole. */
static void capacities_are_next_due_after_the_balance_interval(void **state)
{
	g_autoptr(topology) topo = topology_find("numa16", NULL);
	struct machine_spec spec;
	struct machine *m;

	machine_spec_init(&spec, &profile);
	spec.hz = 100;
	m = machine_new(topo, &spec);
	assert_int_equal(domain_at(m, 0, 0)->groups->sgc->next_update, 1);
	assert_int_equal(domain_at(m, 0, 1)->groups->sgc->next_update, 1);
	assert_int_equal(domain_at(m, 0, 2)->groups->sgc->next_update, 2);
	machine_free(m);

	spec.hz = 1000;
	m = machine_new(topo, &spec);
	assert_int_equal(domain_at(m, 0, 0)->groups->sgc->next_update, 2);
	assert_int_equal(domain_at(m, 0, 1)->groups->sgc->next_update, 8);
	assert_int_equal(domain_at(m, 0, 2)->groups->sgc->next_update, 16);
	machine_free(m);
}

/* What a last-level cache shares */

static void each_llc_has_its_shared_state(void **state)
{
	struct machine *m = machine_named("numa16");
	const struct sched_domain_shared *first = cpu_rq(m, 0)->sd_llc_shared;
	const struct sched_domain_shared *second = cpu_rq(m, 4)->sd_llc_shared;

	assert_ptr_equal(first, cpu_rq(m, 11)->sd_llc_shared);
	assert_ptr_equal(second, cpu_rq(m, 15)->sd_llc_shared);
	assert_ptr_not_equal(first, second);
	assert_ptr_equal(first, domain_at(m, 0, 1)->shared);
	assert_ptr_equal(cpu_rq(m, 0)->sd_llc, domain_at(m, 0, 1));
	assert_int_equal(first->nr_busy_cpus, 8);
	assert_false(first->has_idle_cores);
	assert_int_equal(first->nr_idle_scan, 0);
	assert_null(first->policy_state);
	assert_int_equal(cpu_rq(m, 11)->sd_llc_id, 0);
	assert_int_equal(cpu_rq(m, 12)->sd_llc_id, 4);
	assert_null(domain_at(m, 0, 2)->shared);
	machine_free(m);
}

static void smt_domains_have_a_shared_state_of_their_own(void **state)
{
	struct machine *m = machine_named("smt8");
	const struct sched_domain_shared *core = domain_at(m, 1, 0)->shared;

	assert_ptr_equal(core, domain_at(m, 5, 0)->shared);
	assert_ptr_not_equal(core, domain_at(m, 1, 1)->shared);
	assert_int_equal(core->nr_busy_cpus, 2);
	machine_free(m);
}

/* NUMA with more than two distances */

/* Nodes of two CPUs: node n holds 2n and 2n + 1. */
static topology *four_nodes(const int distances[4][4])
{
	topology *t = topology_from_string("4n1l2c1t", NULL);
	GError *error = NULL;

	for (int a = 0; a < 4; a++)
		for (int b = 0; b < 4; b++)
			t->distance[a][b] = distances[a][b];
	assert_true(topology_validate(t, &error));
	return t;
}

/* 0 - 1 - 2 - 3 */
static const int line[4][4] = {
	{10, 20, 30, 40},
	{20, 10, 20, 30},
	{30, 20, 10, 20},
	{40, 30, 20, 10},
};

/* 0 - 1 - 2 - 3 - 0 */
static const int ring[4][4] = {
	{10, 20, 30, 20},
	{20, 10, 20, 30},
	{30, 20, 10, 20},
	{20, 30, 20, 10},
};

static void a_line_of_nodes_widens_by_distance(void **state)
{
	g_autoptr(topology) topo = four_nodes(line);
	struct machine *m = build(topo);

	assert_chain(m, 0, "MC 0-1 NUMA 0-3 NUMA 0-5 NUMA 0-7");
	assert_chain(m, 2, "MC 2-3 NUMA 0-5 NUMA 0-7");
	assert_chain(m, 5, "MC 4-5 NUMA 2-7 NUMA 0-7");
	assert_chain(m, 7, "MC 6-7 NUMA 4-7 NUMA 2-7 NUMA 0-7");
	machine_free(m);
}

/*
 * As the kernel's comment on a line of four nodes lists them, but for the two that
 * it calls wrong and find_descended_sibling() has since put right.
 */
static void a_line_of_nodes_has_the_kernels_groups(void **state)
{
	g_autoptr(topology) topo = four_nodes(line);
	struct machine *m = build(topo);

	assert_groups(domain_at(m, 0, 1), "0-1 2-3");
	assert_groups(domain_at(m, 2, 1), "2-3 4-5 0-1");
	assert_groups(domain_at(m, 4, 1), "4-5 6-7 2-3");
	assert_groups(domain_at(m, 6, 1), "6-7 4-5");
	/* The sibling's child reaches to node 3, so its child's child it is. */
	assert_groups(domain_at(m, 0, 2), "0-3 4-5");
	assert_groups(domain_at(m, 2, 2), "0-5 4-7");
	assert_groups(domain_at(m, 4, 2), "2-7 0-3");
	assert_groups(domain_at(m, 6, 2), "4-7 2-3");
	assert_groups(domain_at(m, 0, 3), "0-5 2-7");
	assert_groups(domain_at(m, 6, 3), "2-7 0-5");
	machine_free(m);
}

static void only_cpus_that_reach_a_group_balance_it(void **state)
{
	g_autoptr(topology) topo = four_nodes(line);
	struct machine *m = build(topo);

	assert_balance_masks(domain_at(m, 2, 2), "2-3 6-7");
	assert_balance_masks(domain_at(m, 0, 3), "0-1 6-7");
	/* Node 2's group in node 0's domain is the one of a level below. */
	assert_balance_masks(domain_at(m, 0, 2), "0-1 4-5");
	assert_ptr_equal(domain_at(m, 0, 2)->groups->next->sgc,
			 domain_at(m, 4, 1)->groups->sgc);
	machine_free(m);
}

static void each_level_of_a_line_has_its_own_capacities(void **state)
{
	g_autoptr(topology) topo = four_nodes(line);
	struct machine *m = build(topo);

	assert_int_equal(domain_at(m, 0, 1)->groups->sgc->capacity, 2 * 1024);
	assert_int_equal(domain_at(m, 0, 2)->groups->sgc->capacity, 4 * 1024);
	assert_int_equal(domain_at(m, 0, 3)->groups->sgc->capacity, 6 * 1024);
	machine_free(m);
}

static void nodes_beyond_the_reclaim_distance_are_not_forked_to(void **state)
{
	g_autoptr(topology) topo = four_nodes(line);
	struct machine *m = build(topo);

	assert_int_equal(domain_at(m, 0, 1)->flags, NUMA_FLAGS);
	assert_int_equal(domain_at(m, 0, 2)->flags, NUMA_FLAGS);
	assert_int_equal(domain_at(m, 0, 3)->flags, FAR_NUMA_FLAGS);
	machine_free(m);

	topo->node_reclaim_distance = 40;
	m = build(topo);
	assert_int_equal(domain_at(m, 0, 3)->flags, NUMA_FLAGS);
	machine_free(m);

	topo->node_reclaim_distance = 19;
	m = build(topo);
	assert_int_equal(domain_at(m, 0, 1)->flags, FAR_NUMA_FLAGS);
	machine_free(m);
}

/* source: the comment "NUMA topology", kernel/sched/topology.c */
static void a_ring_of_nodes_has_the_kernels_groups(void **state)
{
	g_autoptr(topology) topo = four_nodes(ring);
	struct machine *m = build(topo);

	assert_chain(m, 0, "MC 0-1 NUMA 0-3,6-7 NUMA 0-7");
	assert_groups(domain_at(m, 0, 1), "0-1 2-3 6-7");
	assert_groups(domain_at(m, 2, 1), "2-3 4-5 0-1");
	assert_groups(domain_at(m, 6, 1), "6-7 0-1 4-5");
	assert_groups(domain_at(m, 0, 2), "0-3,6-7 2-7");
	assert_groups(domain_at(m, 2, 2), "0-5 0-1,4-7");
	assert_groups(domain_at(m, 4, 2), "2-7 0-3,6-7");
	assert_groups(domain_at(m, 6, 2), "0-1,4-7 0-5");
	assert_balance_masks(domain_at(m, 6, 2), "6-7 2-3");
	assert_ptr_equal(domain_at(m, 6, 2)->groups->next->sgc,
			 domain_at(m, 2, 2)->groups->sgc);
	machine_free(m);
}

static void every_distance_is_a_level(void **state)
{
	static const int close[4][4] = {
		{10, 11, 12, 12},
		{11, 10, 12, 12},
		{12, 12, 10, 11},
		{12, 12, 11, 10},
	};
	g_autoptr(topology) topo = four_nodes(close);
	struct machine *m = build(topo);

	assert_chain(m, 0, "MC 0-1 NUMA 0-3 NUMA 0-7");
	assert_groups(domain_at(m, 6, 2), "4-7 0-3");
	assert_balance_masks(domain_at(m, 6, 2), "4-7 0-3");
	machine_free(m);
}

/* An eighth of two CPUs is none, so the least, 1; the last domain is twice as wide as
 * the first NUMA one. */
static void imbalance_grows_with_the_numa_span(void **state)
{
	g_autoptr(topology) topo = four_nodes(line);
	struct machine *m = build(topo);

	assert_int_equal(domain_at(m, 0, 1)->imb_numa_nr, 1);
	assert_int_equal(domain_at(m, 0, 2)->imb_numa_nr, 1);
	assert_int_equal(domain_at(m, 0, 3)->imb_numa_nr, 2);
	machine_free(m);
}

static void a_line_of_single_cpus_is_built(void **state)
{
	g_autoptr(topology) topo = topology_from_string("4n1l1c1t", NULL);
	struct machine *m;

	for (int a = 0; a < 4; a++)
		for (int b = 0; b < 4; b++)
			topo->distance[a][b] = line[a][b];
	m = build(topo);
	assert_chain(m, 0, "NUMA 0-1 NUMA 0-2 NUMA 0-3");
	assert_groups(domain_at(m, 0, 1), "0-1 2");
	assert_balance_masks(domain_at(m, 0, 1), "0 2");
	machine_free(m);
}

static void the_largest_machine_of_nodes_is_built(void **state)
{
	struct machine *m = machine_named("64n1l4c2t");
	const struct sched_group *sg = domain_at(m, 255, 2)->groups;

	assert_int_equal(cpumask_weight(&domain_at(m, 255, 2)->span), 512);
	for (int node = 0; node < 64; node++)
		sg = sg->next;
	assert_ptr_equal(sg, domain_at(m, 255, 2)->groups);
	machine_free(m);
}

/* Capacities that differ */

/* Two LLCs of two CPUs: 0 1 | 2 3. */
static struct machine *big_little(unsigned c0, unsigned c1, unsigned c2, unsigned c3)
{
	const unsigned capacities[] = {c0, c1, c2, c3};
	g_autoptr(topology) topo = topology_from_string("1n2l2c1t", NULL);

	for (int cpu = 0; cpu < 4; cpu++)
		topo->cpu[cpu].capacity = capacities[cpu];
	return build(topo);
}

static void a_domain_of_all_capacities_is_fully_asymmetric(void **state)
{
	struct machine *m = big_little(1024, 1024, 512, 512);

	/* The child must not spread over what is not equal. */
	assert_int_equal(domain_at(m, 0, 0)->flags, MC_FLAGS & ~SD_PREFER_SIBLING);
	assert_int_equal(domain_at(m, 0, 1)->flags,
			 DIE_FLAGS | SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL);
	machine_free(m);
}

static void a_domain_that_misses_a_capacity_is_partly_asymmetric(void **state)
{
	struct machine *m = big_little(1024, 512, 256, 256);

	assert_int_equal(domain_at(m, 0, 0)->flags,
			 (MC_FLAGS | SD_ASYM_CPUCAPACITY) & ~SD_PREFER_SIBLING);
	assert_int_equal(domain_at(m, 2, 0)->flags, MC_FLAGS & ~SD_PREFER_SIBLING);
	assert_int_equal(domain_at(m, 0, 1)->flags,
			 DIE_FLAGS | SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL);
	machine_free(m);
}

static void equal_small_capacities_are_symmetric(void **state)
{
	struct machine *m = big_little(512, 512, 512, 512);

	assert_int_equal(domain_at(m, 0, 0)->flags, MC_FLAGS);
	assert_int_equal(domain_at(m, 0, 1)->flags, DIE_FLAGS);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(smp4_is_one_mc),
		cmocka_unit_test(smt8_is_smt_and_mc),
		cmocka_unit_test(llc2x4_is_mc_and_die),
		cmocka_unit_test(numa16_is_smt_mc_and_numa),
		cmocka_unit_test(the_haswell_desktop_is_as_smt8),
		cmocka_unit_test(llc16_is_one_mc),
		cmocka_unit_test(zen3_is_smt_mc_die_and_numa),
		cmocka_unit_test(sapphire_rapids_is_smt_mc_and_numa),
		cmocka_unit_test(intervals_follow_the_weight),
		cmocka_unit_test(newidle_balancing_starts_at_half_success),
		cmocka_unit_test(levels_count_from_smt),
		cmocka_unit_test(a_single_cpu_has_no_domain),
		cmocka_unit_test(cpus_that_share_nothing_have_only_die),
		cmocka_unit_test(one_core_alone_has_only_smt),
		cmocka_unit_test(an_llc_of_one_core_is_its_smt_domain),
		cmocka_unit_test(
			a_lowest_domain_has_no_child_and_its_local_group_no_flags),
		cmocka_unit_test(groups_carry_the_flags_of_the_level_below),
		cmocka_unit_test(cpus_of_a_domain_share_groups_below_numa),
		cmocka_unit_test(numa_groups_are_private_but_share_their_capacity),
		cmocka_unit_test(capacities_are_sums_over_the_group),
		cmocka_unit_test(capacities_are_next_due_after_the_balance_interval),
		cmocka_unit_test(each_llc_has_its_shared_state),
		cmocka_unit_test(smt_domains_have_a_shared_state_of_their_own),
		cmocka_unit_test(a_line_of_nodes_widens_by_distance),
		cmocka_unit_test(a_line_of_nodes_has_the_kernels_groups),
		cmocka_unit_test(only_cpus_that_reach_a_group_balance_it),
		cmocka_unit_test(each_level_of_a_line_has_its_own_capacities),
		cmocka_unit_test(nodes_beyond_the_reclaim_distance_are_not_forked_to),
		cmocka_unit_test(a_ring_of_nodes_has_the_kernels_groups),
		cmocka_unit_test(every_distance_is_a_level),
		cmocka_unit_test(imbalance_grows_with_the_numa_span),
		cmocka_unit_test(a_line_of_single_cpus_is_built),
		cmocka_unit_test(the_largest_machine_of_nodes_is_built),
		cmocka_unit_test(a_domain_of_all_capacities_is_fully_asymmetric),
		cmocka_unit_test(a_domain_that_misses_a_capacity_is_partly_asymmetric),
		cmocka_unit_test(equal_small_capacities_are_symmetric),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
