/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Domains of parts of a machine.  Expected chains were worked out on paper from
 * build_sched_domains(), set_domain_attribute() and cpu_attach_domain().
 */
#include "test.h"

#include "model/machine_new.h"

static const struct kernel_profile profile = {.name = "test", .has_ni_random = true};

static struct machine *machine_of(const char *name)
{
	g_autoptr(topology) topo = topology_find(name, NULL);
	struct machine_spec spec;

	assert_non_null(topo);
	machine_spec_init(&spec, &profile);
	return machine_new(topo, &spec);
}

static struct cpumask cpus(const char *list)
{
	struct cpumask mask;

	assert_true(cpumask_parse_list(list, CPUS_MAX, &mask, NULL));
	return mask;
}

static void build(struct machine *m, const char *list, int relax_level)
{
	struct cpumask mask = cpus(list);

	domains_build_for(m, &mask, relax_level);
}

/* "MC 0-3 DIE 0-7"; empty without any domain. */
static void assert_chain(const struct machine *m, int cpu, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (struct sched_domain *sd = cpu_rq(m, cpu)->sd; sd; sd = sd->parent) {
		g_autofree char *list = cpumask_to_list(&sd->span);

		g_string_append_printf(text, "%s%s %s", text->len ? " " : "", sd->name,
				       list);
		assert_int_equal(sd->span_weight, cpumask_weight(&sd->span));
	}
	assert_string_equal(text->str, expected);
}

/* The groups' CPUs in order, "4-7 0-3". */
static void assert_groups(const struct sched_domain *sd, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const struct sched_group *sg = sd->groups;

	do {
		g_autofree char *list = cpumask_to_list(&sg->cpus);

		g_string_append_printf(text, "%s%s", text->len ? " " : "", list);
		assert_int_equal(sg->sgc->capacity, 1024 * cpumask_weight(&sg->cpus));
		sg = sg->next;
	} while (sg != sd->groups);
	assert_string_equal(text->str, expected);
}

static void each_part_spans_its_own_cpus_only(void **state)
{
	struct machine *m = machine_of("llc2x4");

	build(m, "0-2,4-5", -1);
	build(m, "3,6-7", -1);
	assert_chain(m, 0, "MC 0-2 DIE 0-2,4-5");
	assert_chain(m, 5, "MC 4-5 DIE 0-2,4-5");
	assert_chain(m, 6, "MC 6-7 DIE 3,6-7");
	/* Alone in its cache: only the level above is left. */
	assert_chain(m, 3, "DIE 3,6-7");
	assert_groups(cpu_rq(m, 0)->sd->parent, "0-2 4-5");
	assert_groups(cpu_rq(m, 3)->sd, "3 6-7");
	machine_free(m);
}

static void the_cache_is_that_of_the_part(void **state)
{
	struct machine *m = machine_of("llc2x4");

	build(m, "1-3", -1);
	build(m, "0,4-7", -1);
	assert_int_equal(cpu_rq(m, 2)->sd_llc_size, 3);
	assert_int_equal(cpu_rq(m, 2)->sd_llc_id, 1);
	/* Though CPU 0 is balanced elsewhere: it is of the same cache. */
	assert_int_equal(cpu_rq(m, 2)->sd_llc_shared->nr_busy_cpus, 4);
	assert_int_equal(cpu_rq(m, 6)->sd_llc_size, 4);
	/* What degenerated shares nothing. */
	assert_int_equal(cpu_rq(m, 0)->sd_llc_size, 1);
	assert_null(cpu_rq(m, 0)->sd_llc_shared);
	assert_false(share_cache(m, 0, 1));
	machine_free(m);
}

static void intervals_go_by_all_cpus_of_the_level(void **state)
{
	struct machine *m = machine_of("llc2x4");
	const struct sched_domain *mc, *die;

	build(m, "0-1,4", -1);
	mc = cpu_rq(m, 0)->sd;
	die = mc->parent;
	assert_int_equal(mc->span_weight, 2);
	assert_int_equal(mc->min_interval, 4);
	assert_int_equal(mc->max_interval, 8);
	assert_int_equal(mc->balance_interval, 4);
	assert_int_equal(die->span_weight, 3);
	assert_int_equal(die->min_interval, 8);
	assert_int_equal(die->max_interval, 16);
	machine_free(m);
}

static void threads_of_a_core_may_be_parted(void **state)
{
	struct machine *m = machine_of("smt8");

	build(m, "0-3", -1);
	build(m, "4-7", -1);
	assert_chain(m, 0, "MC 0-3");
	assert_chain(m, 7, "MC 4-7");
	assert_groups(cpu_rq(m, 6)->sd, "6 7 4 5");
	machine_free(m);
}

static void numa_domains_keep_to_the_part(void **state)
{
	struct machine *m = machine_of("numa16");

	build(m, "0-1,4-5,12", -1);
	assert_chain(m, 0, "MC 0-1 NUMA 0-1,4-5,12");
	assert_chain(m, 4, "SMT 4,12 MC 4-5,12 NUMA 0-1,4-5,12");
	assert_groups(cpu_rq(m, 5)->sd->parent, "4-5,12 0-1");
	/* Again and whole, as a later operation may want it. */
	build(m, "0-15", -1);
	assert_chain(m, 0, "SMT 0,8 MC 0-3,8-11 NUMA 0-15");
	assert_groups(cpu_rq(m, 12)->sd->parent->parent, "4-7,12-15 0-3,8-11");
	machine_free(m);
}

static void a_detached_cpu_is_balanced_with_nobody(void **state)
{
	struct machine *m = machine_of("smp4");
	struct cpumask two = cpus("2-3");

	cpu_rq(m, 3)->nohz_llc_idle = true;
	domains_detach(m, &two);
	build(m, "0-1", -1);
	assert_chain(m, 0, "MC 0-1");
	assert_chain(m, 3, "");
	assert_null(cpu_rq(m, 3)->sd_llc);
	assert_null(cpu_rq(m, 3)->sd_llc_shared);
	assert_int_equal(cpu_rq(m, 3)->sd_llc_id, 3);
	assert_int_equal(cpu_rq(m, 3)->sd_llc_size, 1);
	assert_false(cpu_rq(m, 3)->nohz_llc_idle);
	machine_free(m);
}

static void a_part_of_one_cpu_has_no_domain(void **state)
{
	struct machine *m = machine_of("smp4");

	build(m, "2", -1);
	build(m, "0-1,3", -1);
	assert_chain(m, 2, "");
	assert_chain(m, 3, "MC 0-1,3");
	machine_free(m);
}

static void from_the_relax_level_up_idle_cpus_do_not_look(void **state)
{
	struct machine *m = machine_of("zen3-nps1");
	static const char *const names[] = {"SMT", "MC", "DIE", "NUMA"};

	assert_int_equal(domains_level_max(m), 4);
	build(m, "0-255", 2);
	for (int level = 0; level < 4; level++) {
		const struct sched_domain *sd = cpu_rq(m, 7)->sd;

		for (int i = 0; i < level; i++)
			sd = sd->parent;
		assert_string_equal(sd->name, names[level]);
		assert_int_equal(!!(sd->flags & SD_BALANCE_NEWIDLE), level < 2);
		assert_true(sd->flags & SD_BALANCE_FORK || level == 3);
	}
	build(m, "0-255", 0);
	assert_false(cpu_rq(m, 7)->sd->flags & SD_BALANCE_NEWIDLE);
	machine_free(m);
}

/* SD_ASYM_CPUCAPACITY_FULL: every capacity there is among those balanced together. */
static void capacities_count_within_the_part(void **state)
{
	g_autoptr(topology) topo = topology_find("1n2l4c1t", NULL);
	struct machine_spec spec;
	struct machine *m;

	for (int cpu = 0; cpu < 8; cpu++)
		topo->cpu[cpu].capacity = cpu < 3 ? 400 : cpu < 6 ? 700 : 1024;
	machine_spec_init(&spec, &profile);
	m = machine_new(topo, &spec);
	assert_int_equal(cpu_rq(m, 0)->sd->flags & SD_ASYM_CPUCAPACITY_FULL, 0);
	assert_int_not_equal(cpu_rq(m, 0)->sd->flags & SD_ASYM_CPUCAPACITY, 0);
	build(m, "0-5", -1);
	assert_chain(m, 0, "MC 0-3 DIE 0-5");
	/* 400 and 700, and no other in the part. */
	assert_int_not_equal(cpu_rq(m, 0)->sd->flags & SD_ASYM_CPUCAPACITY_FULL, 0);
	/* 700 alone. */
	assert_int_equal(cpu_rq(m, 4)->sd->flags & SD_ASYM_CPUCAPACITY, 0);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_spans_its_own_cpus_only),
		cmocka_unit_test(the_cache_is_that_of_the_part),
		cmocka_unit_test(intervals_go_by_all_cpus_of_the_level),
		cmocka_unit_test(threads_of_a_core_may_be_parted),
		cmocka_unit_test(numa_domains_keep_to_the_part),
		cmocka_unit_test(a_detached_cpu_is_balanced_with_nobody),
		cmocka_unit_test(a_part_of_one_cpu_has_no_domain),
		cmocka_unit_test(from_the_relax_level_up_idle_cpus_do_not_look),
		cmocka_unit_test(capacities_count_within_the_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
