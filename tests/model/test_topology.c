/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include "model/topology.h"
#include "schedsim/error.h"

/* CPUs that share core, LLC or node with @cpu, as the low 64 bits of a mask. */
static uint64_t siblings(const topology *t, int cpu)
{
	uint64_t mask = 0;

	for (int other = 0; other < t->nr_cpus; other++)
		mask |= (uint64_t)(t->cpu[other].core == t->cpu[cpu].core) << other;
	return mask;
}

static uint64_t llc_of(const topology *t, int cpu)
{
	uint64_t mask = 0;

	for (int other = 0; other < t->nr_cpus; other++)
		mask |= (uint64_t)(t->cpu[other].llc == t->cpu[cpu].llc) << other;
	return mask;
}

static uint64_t node_of(const topology *t, int cpu)
{
	uint64_t mask = 0;

	for (int other = 0; other < t->nr_cpus; other++)
		mask |= (uint64_t)(t->cpu[other].node == t->cpu[cpu].node) << other;
	return mask;
}

static topology *read(const char *text)
{
	GError *error = NULL;
	topology *t = topology_from_string(text, &error);

	assert_null(error);
	assert_non_null(t);
	return t;
}

static void second_threads_come_after_all_first_ones(void **state)
{
	g_autoptr(topology) t = read("1n1l4c2t");

	assert_int_equal(t->nr_cpus, 8);
	for (int core = 0; core < 4; core++) {
		assert_int_equal(siblings(t, core), 17 << core);
		assert_int_equal(siblings(t, core + 4), 17 << core);
	}
}

static void llcs_of_two_nodes_interleave_by_thread(void **state)
{
	g_autoptr(topology) t = read("2n1l4c2t");

	assert_int_equal(t->nr_cpus, 16);
	assert_int_equal(t->nr_nodes, 2);
	assert_int_equal(llc_of(t, 0), 3855);
	assert_int_equal(llc_of(t, 11), 3855);
	assert_int_equal(llc_of(t, 4), 61680);
	assert_int_equal(llc_of(t, 15), 61680);
	assert_int_equal(node_of(t, 8), 3855);
	assert_int_equal(node_of(t, 12), 61680);
}

static void cpus_are_numbered_by_node_then_llc_then_core(void **state)
{
	g_autoptr(topology) t = read("2n2l2c1t");

	assert_int_equal(t->nr_cpus, 8);
	assert_int_equal(llc_of(t, 2), 0x0c);
	assert_int_equal(llc_of(t, 5), 0x30);
	assert_int_equal(node_of(t, 2), 0x0f);
	assert_int_equal(node_of(t, 5), 0xf0);
	assert_int_equal(siblings(t, 5), 0x20);
}

static void third_threads_follow_the_second(void **state)
{
	g_autoptr(topology) t = read("1n1l2c3t");

	assert_int_equal(siblings(t, 0), 0x15);
	assert_int_equal(siblings(t, 3), 0x2a);
}

static void a_string_has_default_distances_and_full_capacity(void **state)
{
	g_autoptr(topology) t = read("2n1l2c1t");

	assert_int_equal(t->distance[0][0], 10);
	assert_int_equal(t->distance[1][1], 10);
	assert_int_equal(t->distance[0][1], 20);
	assert_int_equal(t->distance[1][0], 20);
	assert_int_equal(t->node_reclaim_distance, 30);
	for (int cpu = 0; cpu < 4; cpu++)
		assert_int_equal(t->cpu[cpu].capacity, 1024);
	assert_string_equal(t->name, "2n1l2c1t");
	assert_null(t->summary);
}

static void the_most_cpus_and_nodes_are_accepted(void **state)
{
	g_autoptr(topology) cpus = read("2n8l16c2t");
	g_autoptr(topology) nodes = read("64n1l1c1t");

	assert_int_equal(cpus->nr_cpus, 512);
	assert_int_equal(nodes->nr_nodes, 64);
}

static void other_forms_are_refused(void **state)
{
	static const char *const texts[] = {
		"",          "1n",        "1n1l4c",    "4c2t",       "1l1n4c2t",
		"1n1l4c2tx", "1n1l4c2t ", "-1n1l4c2t", "1 n1l4c2t",  " 1n1l4c2t",
		"n1l4c2t",   "1n1l4c2T",  "+1n1l4c2t", "1n1l4.5c2t",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *message = g_strdup_printf(
			"expected a topology such as \"1n2l4c2t\" (NUMA nodes, LLCs, "
			"cores, threads, of one of the level before), got \"%s\"",
			texts[i]);
		GError *error = NULL;

		assert_null(topology_from_string(texts[i], &error));
		assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
	}
}

static void assert_refused(const char *text, const char *message)
{
	GError *error = NULL;

	assert_null(topology_from_string(text, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
}

static void none_of_a_level_is_refused(void **state)
{
	assert_refused("0n1l4c2t",
		       "expected at least 1 of each level, got \"0n1l4c2t\"");
	assert_refused("1n1l4c0t",
		       "expected at least 1 of each level, got \"1n1l4c0t\"");
}

static void too_many_cpus_are_refused(void **state)
{
	assert_refused("1n1l513c1t", "expected at most 512 CPUs, got \"1n1l513c1t\"");
	assert_refused("4294967296n4294967296l1c1t",
		       "expected at most 512 CPUs, got \"4294967296n4294967296l1c1t\"");
	assert_refused(
		"1n1l99999999999999999999c1t",
		"expected at most 512 CPUs, got \"1n1l99999999999999999999c1t\"");
}

static void too_many_nodes_are_refused(void **state)
{
	assert_refused("65n1l1c1t",
		       "expected at most 64 NUMA nodes, got \"65n1l1c1t\"");
}

struct expected_machine {
	const char *name;
	int nr_cpus, nr_nodes, nr_llcs, nr_cores, remote, reclaim;
};

static const struct expected_machine expected_machines[] = {
	{"i7-4790", 8, 1, 1, 4, 20, 30},        {"llc16", 16, 1, 1, 16, 20, 30},
	{"zen3-nps1", 256, 2, 16, 128, 32, 32}, {"spr-2s", 224, 2, 2, 112, 21, 30},
	{"hikey960", 8, 1, 2, 8, 20, 30},       {"smp4", 4, 1, 1, 4, 20, 30},
	{"smt8", 8, 1, 1, 4, 20, 30},           {"llc2x4", 8, 1, 2, 8, 20, 30},
	{"numa16", 16, 2, 2, 8, 20, 30},
};

static void assert_machine(const struct expected_machine *want)
{
	GError *error = NULL;
	g_autoptr(topology) t = topology_find(want->name, &error);
	int last;

	assert_null(error);
	last = t->nr_cpus - 1;
	assert_string_equal(t->name, want->name);
	assert_non_null(t->summary);
	assert_int_equal(t->nr_cpus, want->nr_cpus);
	assert_int_equal(t->nr_nodes, want->nr_nodes);
	assert_int_equal(t->cpu[last].llc + 1, want->nr_llcs);
	assert_int_equal(t->cpu[last].core + 1, want->nr_cores);
	assert_int_equal(t->distance[0][1], want->remote);
	assert_int_equal(t->node_reclaim_distance, want->reclaim);
	assert_true(topology_validate(t, &error));
	assert_null(error);
}

static void named_machines_have_their_shape(void **state)
{
	const struct named_machine *named = named_machines();

	for (size_t i = 0; i < G_N_ELEMENTS(expected_machines); i++) {
		assert_string_equal(named[i].name, expected_machines[i].name);
		assert_machine(&expected_machines[i]);
	}
	assert_null(named[G_N_ELEMENTS(expected_machines)].name);
}

/* 592 * 1844 / 2362 = 462.2 */
static void hikey960_has_four_little_cpus(void **state)
{
	g_autoptr(topology) t = topology_find("hikey960", NULL);

	for (int cpu = 0; cpu < 8; cpu++)
		assert_int_equal(t->cpu[cpu].capacity, cpu < 4 ? 462 : 1024);
}

static void find_takes_a_string_too(void **state)
{
	GError *error = NULL;
	g_autoptr(topology) t = topology_find("1n1l2c1t", &error);

	assert_null(error);
	assert_int_equal(t->nr_cpus, 2);
}

static void an_unknown_machine_names_the_nearest(void **state)
{
	GError *error = NULL;

	assert_null(topology_find("zen3", &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		     "expected a named machine or a topology such as \"1n2l4c2t\", got "
		     "\"zen3\"; the nearest name is \"zen3-nps1\"");
}

static void a_bad_string_is_not_taken_for_a_name(void **state)
{
	GError *error = NULL;

	assert_null(topology_find("2n1l", &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		     "expected a topology such as \"1n2l4c2t\" (NUMA nodes, LLCs, "
		     "cores, threads, of one of the level before), got \"2n1l\"");
}

static void a_new_topology_is_one_cache_of_single_threads(void **state)
{
	g_autoptr(topology) t = topology_new("mine", 3);

	assert_string_equal(t->name, "mine");
	assert_int_equal(t->nr_cpus, 3);
	assert_int_equal(t->nr_nodes, 1);
	assert_int_equal(siblings(t, 1), 2);
	assert_int_equal(llc_of(t, 1), 7);
	assert_int_equal(node_of(t, 1), 7);
	assert_int_equal(t->cpu[2].capacity, 1024);
	assert_int_equal(t->distance[62][63], 20);
	assert_int_equal(t->distance[63][63], 10);
	assert_int_equal(t->node_reclaim_distance, 30);
}

/* Validation: each test spoils one thing of a good topology. */

static void assert_invalid(const topology *t, const char *message)
{
	GError *error = NULL;

	assert_false(topology_validate(t, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
}

static void counts_out_of_range_are_invalid(void **state)
{
	g_autoptr(topology) t = read("1n1l2c1t");

	t->nr_cpus = 0;
	assert_invalid(t, "expected 1 to 512 CPUs, got 0");
	t->nr_cpus = 513;
	assert_invalid(t, "expected 1 to 512 CPUs, got 513");
	t->nr_cpus = 2;
	t->nr_nodes = 65;
	assert_invalid(t, "expected 1 to 64 NUMA nodes, got 65");
}

static void a_cpu_outside_the_nodes_is_invalid(void **state)
{
	g_autoptr(topology) t = read("2n1l2c1t");

	t->cpu[3].node = 2;
	assert_invalid(t, "CPU 3: expected a node from 0 to 1, got 2");
	t->cpu[3].node = -1;
	assert_invalid(t, "CPU 3: expected a node from 0 to 1, got -1");
}

static void a_capacity_out_of_range_is_invalid(void **state)
{
	g_autoptr(topology) t = read("1n1l2c1t");

	t->cpu[1].capacity = 0;
	assert_invalid(t, "CPU 1: expected a capacity from 1 to 1024, got 0");
	t->cpu[1].capacity = 1025;
	assert_invalid(t, "CPU 1: expected a capacity from 1 to 1024, got 1025");
}

static void a_core_over_two_llcs_is_invalid(void **state)
{
	g_autoptr(topology) t = read("1n2l2c1t");

	t->cpu[3].core = 1;
	assert_invalid(t, "CPUs 1 and 3: expected one LLC for core 1, got 0 and 1");
}

static void an_llc_over_two_nodes_is_invalid(void **state)
{
	g_autoptr(topology) t = read("2n1l2c1t");

	t->cpu[2].llc = 0;
	t->cpu[3].llc = 0;
	assert_invalid(t, "CPUs 0 and 2: expected one node for LLC 0, got 0 and 1");
}

static void a_node_without_cpus_is_invalid(void **state)
{
	g_autoptr(topology) t = read("1n1l2c1t");

	t->nr_nodes = 2;
	assert_invalid(t, "node 1: expected a CPU, got none");
}

static void distances_that_no_slit_holds_are_invalid(void **state)
{
	g_autoptr(topology) t = read("2n1l1c1t");

	t->distance[1][1] = 11;
	assert_invalid(t, "node 1: expected distance 10 to itself, got 11");
	t->distance[1][1] = 10;
	t->distance[0][1] = 10;
	assert_invalid(t, "nodes 0 and 1: expected a distance from 11 to 255, got 10");
	t->distance[0][1] = 256;
	assert_invalid(t, "nodes 0 and 1: expected a distance from 11 to 255, got 256");
	t->distance[0][1] = 21;
	assert_invalid(t,
		       "nodes 0 and 1: expected one distance both ways, got 21 and 20");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(second_threads_come_after_all_first_ones),
		cmocka_unit_test(llcs_of_two_nodes_interleave_by_thread),
		cmocka_unit_test(cpus_are_numbered_by_node_then_llc_then_core),
		cmocka_unit_test(third_threads_follow_the_second),
		cmocka_unit_test(a_string_has_default_distances_and_full_capacity),
		cmocka_unit_test(the_most_cpus_and_nodes_are_accepted),
		cmocka_unit_test(other_forms_are_refused),
		cmocka_unit_test(none_of_a_level_is_refused),
		cmocka_unit_test(too_many_cpus_are_refused),
		cmocka_unit_test(too_many_nodes_are_refused),
		cmocka_unit_test(named_machines_have_their_shape),
		cmocka_unit_test(hikey960_has_four_little_cpus),
		cmocka_unit_test(find_takes_a_string_too),
		cmocka_unit_test(an_unknown_machine_names_the_nearest),
		cmocka_unit_test(a_bad_string_is_not_taken_for_a_name),
		cmocka_unit_test(a_new_topology_is_one_cache_of_single_threads),
		cmocka_unit_test(counts_out_of_range_are_invalid),
		cmocka_unit_test(a_cpu_outside_the_nodes_is_invalid),
		cmocka_unit_test(a_capacity_out_of_range_is_invalid),
		cmocka_unit_test(a_core_over_two_llcs_is_invalid),
		cmocka_unit_test(an_llc_over_two_nodes_is_invalid),
		cmocka_unit_test(a_node_without_cpus_is_invalid),
		cmocka_unit_test(distances_that_no_slit_holds_are_invalid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
