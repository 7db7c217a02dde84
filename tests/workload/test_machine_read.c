/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "machine", in each of its forms.
 */
#include "workload/machine_read.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "test.h"
#include "workload_text.h"

#include <glib/gstdio.h>

static char *with_machine(const char *machine)
{
	return g_strdup_printf("{'duration': '1s', 'machine': %s, 'tasks': {'t': "
			       "{'run': 1}}}",
			       machine);
}

static struct workload_input read_machine(const char *machine)
{
	g_autofree char *json = with_machine(machine);

	return workload_of(json);
}

static void assert_refused(const char *machine, const char *message)
{
	g_autofree char *json = with_machine(machine);

	assert_workload_error(json, INPUT_ERROR_VALUE, message);
}

static void a_name_or_a_topology_is_enough(void **state)
{
	struct workload_input in = read_machine("'llc16'");

	assert_int_equal(in.topology->nr_cpus, 16);
	assert_int_equal(in.spec.hz, 250);
	assert_string_equal(in.spec.profile->name, "6.1-lts");
	workload_input_clear(&in);
	in = read_machine("'2n1l4c2t'");
	assert_int_equal(in.topology->nr_cpus, 16);
	assert_int_equal(in.topology->nr_nodes, 2);
	workload_input_clear(&in);
}

static void eight_cpus_are_the_default(void **state)
{
	struct workload_input in = workload_of_task("'run': 1");

	assert_int_equal(in.topology->nr_cpus, 8);
	assert_int_equal(in.topology->cpu[7].llc, in.topology->cpu[0].llc);
	workload_input_clear(&in);
}

static void settings_have_the_kernel_s_names(void **state)
{
	struct workload_input in = read_machine(
		"{'topology': 'smt8', 'kernel': '6.1.0', 'preempt': 'full', 'hz': "
		"1000, "
		"'features': ['NO_WA_WEIGHT', 'SIS_PROP'], 'tunable_scaling': 'none', "
		"'tunables': {'min_granularity_ns': '3ms', 'nr_migrate': 8}, 'costs': "
		"{'wakeup_ipi_ns': '2us'}}");

	assert_string_equal(in.topology->name, "smt8");
	assert_string_equal(in.spec.profile->name, "6.1.0");
	assert_int_equal(in.spec.preempt, PREEMPT_FULL);
	assert_int_equal(in.spec.hz, 1000);
	assert_false(in.spec.feat.WA_WEIGHT);
	assert_true(in.spec.feat.SIS_PROP);
	assert_false(in.spec.feat.NI_RANDOM);
	assert_int_equal(in.spec.scaling, SCALING_NONE);
	assert_int_equal(in.spec.tunables.min_granularity_ns, 3000000);
	assert_int_equal(in.spec.tunables.nr_migrate, 8);
	assert_true(in.spec.tunables.latency_ns == UINT64_MAX);
	assert_int_equal(in.spec.costs.wakeup_ipi_ns, 2000);
	workload_input_clear(&in);
}

/* Of their names' unit, whichever the time is written in. */
static void tunables_are_times_of_their_unit(void **state)
{
	struct workload_input in = read_machine(
		"{'tunables': {'sched_rt_period_us': '20ms', 'sched_rt_runtime_us': "
		"'=3*5us', 'sched_rr_timeslice_ms': '1s', 'latency_ns': '8us', "
		"'wakeup_granularity_ns': 7}}");

	assert_int_equal(in.spec.tunables.sched_rt_period_us, 20000);
	assert_int_equal(in.spec.tunables.sched_rt_runtime_us, 15);
	assert_int_equal(in.spec.tunables.sched_rr_timeslice_ms, 1000);
	assert_int_equal(in.spec.tunables.latency_ns, 8000);
	assert_int_equal(in.spec.tunables.wakeup_granularity_ns, 7);
	workload_input_clear(&in);
}

static void real_time_may_be_without_limit(void **state)
{
	struct workload_input in =
		read_machine("{'tunables': {'sched_rt_runtime_us': -1}}");

	assert_true(in.spec.tunables.sched_rt_runtime_us == RT_RUNTIME_UNLIMITED);
	workload_input_clear(&in);
}

static void cpus_can_be_isolated(void **state)
{
	struct workload_input in =
		read_machine("{'topology': '1n1l4c1t', 'isolcpus': '1-2'}");

	assert_true(cpumask_test(&in.spec.isolated, 1));
	assert_true(cpumask_test(&in.spec.isolated, 2));
	assert_int_equal(cpumask_weight(&in.spec.isolated), 2);
	workload_input_clear(&in);
	assert_workload_error(
		"{'machine': {'topology': '1n1l2c1t', 'isolcpus': '0-1'}, "
		"'tasks': {'t': {'run': 1}}}",
		INPUT_ERROR_VALUE,
		"machine.isolcpus: expected CPUs that leave at least one "
		"to the others, got \"0-1\"");
	assert_workload_error("{'machine': {'topology': '1n1l2c1t', 'isolcpus': '2'}, "
			      "'tasks': {'t': {'run': 1}}}",
			      INPUT_ERROR_VALUE,
			      "machine.isolcpus: expected CPUs below 2, got \"2\"");
}

static void costs_can_all_be_none(void **state)
{
	struct workload_input in = read_machine("{'costs': 'none'}");
	static const struct machine_costs none;

	assert_memory_equal(&in.spec.costs, &none, sizeof(none));
	assert_int_equal(in.spec.control_costs.grace_period_ns.each.b, 0);
	workload_input_clear(&in);
}

static void costs_of_operations_may_be_drawn(void **state)
{
	struct workload_input in = read_machine(
		"{'costs': {'walk_task_ns': 1140, 'grace_period_ns': '30ms', "
		"'cpuset_write_ns': {'lognormal': {'median': '3ms', 'p99': '7ms'}}, "
		"'cpu_on_ns': {'list': ['1ms', '2ms']}}}");
	const struct control_costs *costs = &in.spec.control_costs;

	assert_int_equal(costs->walk_task_ns.each.a, 1140);
	assert_int_equal(costs->grace_period_ns.each.a, 30000000);
	assert_int_equal(costs->cpuset_write_ns.each.kind, DIST_LOGNORMAL);
	assert_int_equal(costs->cpuset_write_ns.each.b, 7000000);
	assert_int_equal(costs->cpu_on_ns.each.values[1], 2000000);
	/* as it was */
	assert_int_equal(costs->cpu_off_ns.each.kind, DIST_UNIFORM);
	workload_input_clear(&in);
}

static void cpus_are_described_one_by_one(void **state)
{
	struct workload_input in = read_machine(
		"{'cpus': [{'core': 0}, {'core': 0}, {'core': 1, 'llc': 1, 'node': 1}, "
		"{'core': 2, 'llc': 1, 'node': 1, 'capacity': 512}], 'distances': "
		"[[10, "
		"32], [32, 10]], 'node_reclaim_distance': 32}");
	const topology *t = in.topology;

	assert_int_equal(t->nr_cpus, 4);
	assert_int_equal(t->nr_nodes, 2);
	assert_int_equal(t->cpu[1].core, 0);
	assert_int_equal(t->cpu[2].llc, 1);
	assert_int_equal(t->cpu[2].capacity, 1024);
	assert_int_equal(t->cpu[3].capacity, 512);
	assert_int_equal(t->distance[0][1], 32);
	assert_int_equal(t->node_reclaim_distance, 32);
	workload_input_clear(&in);
}

static void a_cpu_that_says_no_core_has_its_own(void **state)
{
	struct workload_input in = read_machine("{'cpus': [{}, {}, {}]}");

	assert_int_equal(in.topology->cpu[2].core, 2);
	assert_int_equal(in.topology->cpu[2].llc, 0);
	workload_input_clear(&in);
}

static void capacities_change_a_shape(void **state)
{
	struct workload_input in = read_machine(
		"{'topology': '1n1l8c1t', 'capacities': {'0-3': 462, '6': 800}}");

	assert_int_equal(in.topology->cpu[3].capacity, 462);
	assert_int_equal(in.topology->cpu[4].capacity, 1024);
	assert_int_equal(in.topology->cpu[6].capacity, 800);
	workload_input_clear(&in);
}

/* A machine, and what is said of it. */
static const char *const mistakes[][2] = {
	{"16", "machine: expected a machine's name, a topology or an object, "
	       "got 16"},
	{"{'topologie': 'smp4'}", "machine: expected a known key, got "
				  "\"topologie\"; the nearest is \"topology\""},
	{"{'topology': 'smp4', 'cpus': [{}]}",
	 "machine: expected \"topology\" or \"cpus\", got both"},
	{"{'topology': 4}", "machine.topology: expected a machine's name or a "
			    "topology such as \"1n2l4c2t\", got 4"},
	{"{'kernel': '6.2'}",
	 "machine.kernel: expected \"6.1-lts\" or \"6.1.0\", got \"6.2\""},
	{"{'preempt': 'rt'}", "machine.preempt: expected \"none\", "
			      "\"voluntary\" or \"full\", got \"rt\""},
	{"{'hz': 200}", "machine.hz: expected 100, 250, 300 or 1000, got 200"},
	{"{'hz': '250'}", "machine.hz: expected a whole number from 100 to "
			  "1000, got \"250\""},
	{"{'features': 'NO_WA_WEIGHT'}",
	 "machine.features: expected an array such as [\"NO_WA_WEIGHT\"], got "
	 "\"NO_WA_WEIGHT\""},
	{"{'features': ['NO_WA_WIGHT']}",
	 "machine.features[0]: expected a feature, a tunable or a cost, got "
	 "\"NO_WA_WIGHT\"; the nearest is \"NO_WA_WEIGHT\""},
	{"{'features': ['latency_ns=1']}",
	 "machine.features[0]: expected a feature, got \"latency_ns=1\""},
	{"{'kernel': '6.1.0', 'features': ['NI_RANDOM']}",
	 "machine.features[0]: expected a feature of kernel 6.1.0, got "
	 "\"NI_RANDOM\""},
	{"{'features': ['WA_WEIGHT', 'NO_WA_WEIGHT']}",
	 "machine.features[1]: expected each feature once, got "
	 "\"NO_WA_WEIGHT\""},
	{"{'features': ['SIS_PROP', 'SIS_PROP']}",
	 "machine.features[1]: expected each feature once, got \"SIS_PROP\""},
	{"{'tunables': {'nr_migrate': '1us'}}",
	 "machine.tunables.nr_migrate: expected a whole number from 0 to "
	 "4294967295, got \"1us\""},
	{"{'tunables': {'sched_rt_period_us': '1500ns'}}",
	 "machine.tunables.sched_rt_period_us: expected a whole number from 0 "
	 "to 4294967295 or a time, got \"1500ns\""},
	{"{'tunables': {'sched_rt_period_us': 0}}",
	 "machine.tunables: sched_rt_period_us: expected a whole number from 1 "
	 "to 4294967295, got \"0\""},
	{"{'tunables': {'sched_rt_runtime_us': '2s'}}",
	 "machine: sched_rt_runtime_us: expected at most sched_rt_period_us, "
	 "1000000, got 2000000"},
	{"{'tunables': {'sched_rt_runtime_us': -2}}",
	 "machine.tunables.sched_rt_runtime_us: expected a whole number from "
	 "-1 to 4294967295 or a time, got -2"},
	{"{'tunables': {'latency_ns': -1}}",
	 "machine.tunables.latency_ns: expected a whole number from 0 to "
	 "4294967295 or a time, got -1"},
	{"{'tunables': {'latency': 1}}",
	 "machine.tunables: expected a feature, a tunable or a cost, got "
	 "\"latency\"; "
	 "the nearest is \"latency_ns\""},
	{"{'tunables': {'latency_ns': 1, 'latency_ns': 2}}",
	 "machine.tunables: expected the key \"latency_ns\" once, got it "
	 "again"},
	{"{'tunables': {'tick_ns': 1}}",
	 "machine.tunables.tick_ns: expected a tunable, not a cost, got 1"},
	{"{'tunable_scaling': 'log2'}", "machine.tunable_scaling: expected "
					"\"none\", \"log\" or \"linear\", got "
					"\"log2\""},
	{"{'costs': 'off'}", "machine.costs: expected \"none\" or an object of "
			     "costs, got \"off\""},
	{"{'costs': {'wakeup_ipi_ns': '1us', 'wakeup_ipi': 1}}",
	 "machine.costs: expected a known key, got \"wakeup_ipi\"; the nearest "
	 "is "
	 "\"wakeup_ipi_ns\""},
	{"{'costs': {'tick_ns': {'exp': '1us'}}}",
	 "machine.costs.tick_ns: expected a known key, got \"exp\"; the "
	 "nearest is \"param\""},
	{"{'costs': {'walk_task_ns': {'uniform': ['2us']}}}",
	 "machine.costs.walk_task_ns.uniform: expected an array of the least "
	 "and the greatest value, got an array"},
	{"{'costs': {'walk_task_ns': 1, 'walk_task_ns': 2}}",
	 "machine.costs: expected the key \"walk_task_ns\" once, got it again"},
	{"{'cpus': []}", "machine.cpus: expected an array of 1 to 512 CPUs"},
	{"{'cpus': [{'core': 512}]}",
	 "machine.cpus[0].core: expected a whole number from 0 to 511, got "
	 "512"},
	{"{'cpus': [{'core': 1}, {'core': 1, 'llc': 1}]}",
	 "machine: CPUs 0 and 1: expected one LLC for core 1, got 0 and 1"},
	{"{'cpus': [{'node': 1}]}", "machine: node 0: expected a CPU, got none"},
	{"{'topology': '2n1l1c1t', 'distances': [[10, 20]]}",
	 "machine.distances: expected an array of 2 rows, one a NUMA node"},
	{"{'topology': '2n1l1c1t', 'distances': [[10, 20], [20]]}",
	 "machine.distances[1]: expected an array of 2 distances"},
	{"{'topology': '2n1l1c1t', 'distances': [[10, 20], [30, 10]]}",
	 "machine: nodes 0 and 1: expected one distance both ways, got 20 and "
	 "30"},
	{"{'capacities': {'0-3': 0}}", "machine.capacities.0-3: expected a "
				       "whole number from 1 to 1024, got 0"},
	{"{'capacities': {'0-3': 462, '2': 800}}",
	 "machine.capacities.2: expected each CPU once, got CPU 2 again"},
	{"{'capacities': {'0-8': 1}}",
	 "machine.capacities: expected CPUs below 8, got \"0-8\""},
};

static void mistakes_are_named(void **state)
{
	for (gsize i = 0; i < G_N_ELEMENTS(mistakes); i++)
		assert_refused(mistakes[i][0], mistakes[i][1]);
}

static void what_would_choose_frequencies_is_refused_by_name(void **state)
{
	static const char *const cases[][2] = {
		{"{'energy_model': {}}",
		 "machine.energy_model: \"energy_model\" is not simulated yet"},
		{"{'governor': 'schedutil'}",
		 "machine.governor: \"governor\" is not simulated yet"},
		{"{'frequencies': [1]}",
		 "machine.frequencies: \"frequencies\" is not simulated yet"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *json = with_machine(cases[i][0]);

		assert_workload_error(json, INPUT_ERROR_UNSUPPORTED, cases[i][1]);
	}
}

static void clamps_of_the_system_are_within_1024_and_in_order(void **state)
{
	assert_refused("{'tunables': {'sched_util_clamp_min': 1025}}",
		       "machine.tunables: sched_util_clamp_min: expected a whole "
		       "number from 0 to 1024, got \"1025\"");
	/* Both are 1024 at boot. */
	assert_refused("{'tunables': {'sched_util_clamp_max': 512}}",
		       "machine: sched_util_clamp_min: expected at most "
		       "sched_util_clamp_max, 512, got 1024");
}

static void the_command_line_changes_the_shape_alone(void **state)
{
	g_autofree char *json = with_machine("{'topology': 'smp4', 'hz': 1000}");
	const struct workload_options options = {
		.machine = "llc16", .duration_ns = UINT64_MAX, .warmup_ns = UINT64_MAX};
	struct workload_input in = workload_with(json, &options);

	assert_int_equal(in.topology->nr_cpus, 16);
	assert_int_equal(in.spec.hz, 1000);
	workload_input_clear(&in);
}

static void a_machine_file_takes_the_place_of_all(void **state)
{
	g_autofree char *folder = g_dir_make_tmp(NULL, NULL);
	g_autofree char *path = g_build_filename(folder, "m.json", NULL);
	g_autofree char *json = with_machine("{'topology': 'smp4', 'hz': 1000}");
	const struct workload_options options = {
		.machine = path, .duration_ns = UINT64_MAX, .warmup_ns = UINT64_MAX};
	struct workload_input in;

	assert_true(g_file_set_contents(
		path, "{\"cpus\": [{}, {}], \"preempt\": \"none\",} // two\n", -1,
		NULL));
	in = workload_with(json, &options);
	assert_int_equal(in.topology->nr_cpus, 2);
	assert_int_equal(in.spec.preempt, PREEMPT_NONE);
	assert_int_equal(in.spec.hz, 250);
	workload_input_clear(&in);
	g_unlink(path);
	g_rmdir(folder);
}

static void a_machine_of_the_command_line_that_is_wrong_is_named(void **state)
{
	const char *json = "{\"tasks\": {\"t\": {\"run\": 1}}}";
	struct workload_options options = {.machine = "/nowhere/m.json",
					   .duration_ns = NSEC_PER_SEC,
					   .warmup_ns = UINT64_MAX};
	struct workload_input in;
	GError *error = NULL;

	assert_false(workload_read_text(json, strlen(json), "w.json", &options, &in,
					&error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_FILE,
		     "w.json: --machine /nowhere/m.json: No such file or directory");
	error = NULL;
	options.machine = "llc61";
	assert_false(workload_read_text(json, strlen(json), "w.json", &options, &in,
					&error));
	assert_true(g_str_has_prefix(error->message, "w.json: --machine: expected "));
	g_error_free(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_or_a_topology_is_enough),
		cmocka_unit_test(eight_cpus_are_the_default),
		cmocka_unit_test(settings_have_the_kernel_s_names),
		cmocka_unit_test(tunables_are_times_of_their_unit),
		cmocka_unit_test(real_time_may_be_without_limit),
		cmocka_unit_test(cpus_can_be_isolated),
		cmocka_unit_test(costs_can_all_be_none),
		cmocka_unit_test(costs_of_operations_may_be_drawn),
		cmocka_unit_test(cpus_are_described_one_by_one),
		cmocka_unit_test(a_cpu_that_says_no_core_has_its_own),
		cmocka_unit_test(capacities_change_a_shape),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(what_would_choose_frequencies_is_refused_by_name),
		cmocka_unit_test(clamps_of_the_system_are_within_1024_and_in_order),
		cmocka_unit_test(the_command_line_changes_the_shape_alone),
		cmocka_unit_test(a_machine_file_takes_the_place_of_all),
		cmocka_unit_test(a_machine_of_the_command_line_that_is_wrong_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
