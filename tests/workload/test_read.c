/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One value each: what is taken, and the exact message for what is not.
 */
#include "schedsim/error.h"
#include "test.h"
#include "workload/read.h"
#include "workload_text.h"

/* A workload whose task t has run: @value, and two parameters. */
static char *with_run(const char *value)
{
	return g_strdup_printf("{'duration': '1s', 'params': {'load': 0.9, 'gap': "
			       "'45us', 'n': 3}, 'tasks': {'t': {'run': %s, 'sleep': "
			       "'=gap*load*n'}}}",
			       value);
}

static void assert_run(const char *value, uint64_t ns)
{
	g_autofree char *json = with_run(value);
	struct workload_input in = workload_of(json);

	assert_int_equal(in.workload->tasks[0].program.steps[1].amount.a, ns);
	workload_input_clear(&in);
}

static void assert_run_error(const char *value, const char *message)
{
	g_autofree char *json = with_run(value);
	g_autofree char *whole = g_strconcat("tasks.t.run: ", message, NULL);

	assert_workload_error(json, INPUT_ERROR_VALUE, whole);
}

static void times_become_nanoseconds(void **state)
{
	assert_run("1000", 1000000);
	assert_run("0", 0);
	assert_run("'250us'", 250000);
	assert_run("'12.3us'", 12300);
	assert_run("'2s'", 2000000000);
	assert_run("'9007199254740991ns'", 9007199254740991);
}

static void expressions_are_computed_and_then_rounded(void **state)
{
	assert_run("'=load*120us'", 108000);
	assert_run("'=10us/3'", 3333);
	assert_run("'=11us/3'", 3667);
	assert_run("{'param': 'gap'}", 45000);
	/* a plain number is microseconds here as well */
	assert_run("{'param': 'load'}", 900);
	assert_run("'=n'", 3000);
}

static void other_times_are_refused(void **state)
{
#define TIME "a whole number of microseconds or a time such as \"250us\""
	static const char *const cases[][2] = {
		{"1.5", "expected " TIME ", got 1.5"},
		{"-1", "expected a time of 0 or more, got -1"},
		{"true", "expected " TIME ", got true"},
		{"null", "expected " TIME ", got null"},
		{"[1]", "expected " TIME ", got an array"},
		{"'10'", "expected " TIME ", got \"10\""},
		{"'10 ms'", "expected " TIME ", got \"10 ms\""},
		{"'10min'", "expected " TIME ", got \"10min\""},
		{"'-1us'", "expected " TIME ", got \"-1us\""},
		{"'load'", "expected " TIME ", got \"load\""},
		{"''", "expected " TIME ", got \"\""},
		{"9007199254741",
		 "expected a time of less than 2^53 ns, got 9007199254741"},
		{"'9007199254740992ns'",
		 "expected a time of less than 2^53 ns, got \"9007199254740992ns\""},
		{"'=load-1'", "expected a time of 0 or more, got \"=load-1\", which is "
			      "-100ns"},
		{"'=1/gap'", "expected " TIME ", got \"=1/gap\", which is 1/45000/ns"},
		{"'=gap*'", "expected a number, a time or a parameter, got the end in "
			    "\"gap*\""},
		{"'=laod*1us'",
		 "expected a parameter, got \"laod\"; the nearest is \"load\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_run_error(cases[i][0], cases[i][1]);
}

static void long_strings_are_cut_in_messages(void **state)
{
	g_autofree char *x = g_strnfill(100, 'x');
	g_autofree char *value = g_strdup_printf("'%s'", x);
	g_autofree char *message =
		g_strdup_printf("expected " TIME ", got \"%.60s...\"", x);

	assert_run_error(value, message);
	assert_run_error("'a\\n'", "expected " TIME ", got \"a\\n\"");
}

static struct dist run_dist(struct workload_input *in, const char *value)
{
	g_autofree char *json = with_run(value);

	*in = workload_of(json);
	return in->workload->tasks[0].program.steps[1].amount;
}

static void distributions_keep_their_parameters(void **state)
{
	static const struct {
		const char *value;
		enum dist_kind kind;
		uint64_t a, b;
	} cases[] = {
		{"{'exp': '80us'}", DIST_EXP, 80000, 0},
		{"{'lognormal': {'median': 10, 'p99': '=gap'}}", DIST_LOGNORMAL, 10000,
		 45000},
		{"{'uniform': [1, {'param': 'n'}]}", DIST_UNIFORM, 1000, 3000},
		{"{'pareto': {'mean': 20, 'min': 10}}", DIST_PARETO, 10000, 20000},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct workload_input in;
		struct dist d = run_dist(&in, cases[i].value);

		assert_int_equal(d.kind, cases[i].kind);
		assert_int_equal(d.a, cases[i].a);
		assert_int_equal(d.b, cases[i].b);
		workload_input_clear(&in);
	}
}

static void lists_and_quantiles_keep_their_values(void **state)
{
	struct workload_input in;
	struct dist d = run_dist(&in, "{'list': [1, '2us', 3]}");

	assert_int_equal(d.kind, DIST_LIST);
	assert_int_equal(d.nr, 3);
	assert_int_equal(d.values[1], 2000);
	assert_int_equal(d.values[2], 3000);
	workload_input_clear(&in);

	d = run_dist(&in,
		     "{'quantiles': {'p0': 1, 'p50': 2, 'p99.95': 9, 'p100': 10}}");
	assert_int_equal(d.kind, DIST_QUANTILES);
	assert_int_equal(d.nr, 4);
	assert_int_equal(d.ppm[1], 500000);
	assert_int_equal(d.ppm[2], 999500);
	assert_int_equal(d.ppm[3], 1000000);
	assert_int_equal(d.values[2], 9000);
	workload_input_clear(&in);
}

static void other_distributions_are_refused(void **state)
{
	static const char *const cases[][2] = {
		{"{}", "expected one distribution such as {\"exp\": \"80us\"}, got 0"},
		{"{'exp': 1, 'list': [1]}",
		 "expected one distribution such as {\"exp\": \"80us\"}, got 2"},
		{"{'expo': 1}",
		 "expected a known key, got \"expo\"; the nearest is \"exp\""},
		{"{'param': 'load', 'exp': 1}",
		 "expected a known key, got \"exp\"; the nearest is \"param\""},
	};
	static const char *const below[][2] = {
		{"{'exp': {'exp': 1}}", ".exp: expected a known key, got \"exp\"; the "
					"nearest is \"param\""},
		{"{'uniform': [3, 1]}", ".uniform: expected a least value up to the "
					"greatest, got 3000 and 1000"},
		{"{'uniform': [3]}", ".uniform: expected an array of the least and the "
				     "greatest value, got an array"},
		{"{'uniform': [1, 'x']}", ".uniform[1]: expected " TIME ", got \"x\""},
		{"{'list': []}",
		 ".list: expected an array of at least one value, got an empty array"},
		{"{'lognormal': {'median': 1}}",
		 ".lognormal: expected the keys \"median\" and \"p99\""},
		{"{'pareto': {'min': 2, 'mean': 1}}",
		 ".pareto: expected a least value above 0 and a mean above it, got "
		 "2000 and 1000"},
		{"{'quantiles': {'p0': 1}}", ".quantiles: expected quantiles from 0 to "
					     "1, got 1 from 0 to 0 ppm"},
		{"{'quantiles': {'p0': 1, '50': 2, 'p100': 3}}",
		 ".quantiles: expected keys from \"p0\" to \"p100\", got \"50\""},
		{"{'quantiles': {'p0': 1, 'p101': 2}}",
		 ".quantiles: expected keys from \"p0\" to \"p100\", got \"p101\""},
		{"{'quantiles': {'p0': 1, 'p99.': 2}}",
		 ".quantiles: expected keys from \"p0\" to \"p100\", got \"p99.\""},
		{"{'quantiles': {'p0': 1, 'p99.99999': 2}}",
		 ".quantiles: expected keys from \"p0\" to \"p100\", got "
		 "\"p99.99999\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_run_error(cases[i][0], cases[i][1]);
	for (gsize i = 0; i < G_N_ELEMENTS(below); i++) {
		g_autofree char *json = with_run(below[i][0]);
		g_autofree char *message =
			g_strconcat("tasks.t.run", below[i][1], NULL);

		assert_workload_error(json, INPUT_ERROR_VALUE, message);
	}
}

static void assert_task_error(const char *members, const char *message)
{
	g_autofree char *json = g_strdup_printf(
		"{'duration': '1s', 'tasks': {'t': {%s, 'run': 1}}}", members);

	assert_workload_error(json, INPUT_ERROR_VALUE, message);
}

static void whole_numbers_stay_in_their_range(void **state)
{
	assert_task_error("'instance': 1.5",
			  "tasks.t.instance: expected a whole number "
			  "from 0 to 100000, got 1.5");
	assert_task_error("'instance': -1", "tasks.t.instance: expected a whole number "
					    "from 0 to 100000, got -1");
	assert_task_error("'instance': '=1us'",
			  "tasks.t.instance: expected a whole number from 0 to 100000, "
			  "got \"=1us\", which is 1us");
	assert_task_error("'instance': '4'",
			  "tasks.t.instance: expected a whole number "
			  "from 0 to 100000, got \"4\"");
	assert_task_error("'priority': 20", "tasks.t.priority: expected a whole number "
					    "from -20 to 19, got 20");
}

static void cpus_are_lists_or_arrays_of_the_machine(void **state)
{
	struct workload_input in = workload_of_task("'cpus': '0-2,7', 'run': 1");
	g_autofree char *list = cpumask_to_list(&in.workload->tasks[0].cpus);

	assert_string_equal(list, "0-2,7");
	workload_input_clear(&in);
	in = workload_of_task("'cpus': [3, 3, 1], 'run': 1");
	g_free(list);
	list = cpumask_to_list(&in.workload->tasks[0].cpus);
	assert_string_equal(list, "1,3");
	workload_input_clear(&in);

	assert_task_error("'cpus': 1", "tasks.t.cpus: expected CPUs such as [0, 2] or "
				       "\"0-3,8\", got 1");
	assert_task_error("'cpus': []",
			  "tasks.t.cpus: expected at least one CPU, got none");
	assert_task_error("'cpus': ''",
			  "tasks.t.cpus: expected at least one CPU, got \"\"");
	assert_task_error("'cpus': [8]",
			  "tasks.t.cpus[0]: expected a whole number from "
			  "0 to 7, got 8");
	assert_task_error("'cpus': '6-8'",
			  "tasks.t.cpus: expected CPUs below 8, got \"6-8\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_become_nanoseconds),
		cmocka_unit_test(expressions_are_computed_and_then_rounded),
		cmocka_unit_test(other_times_are_refused),
		cmocka_unit_test(long_strings_are_cut_in_messages),
		cmocka_unit_test(distributions_keep_their_parameters),
		cmocka_unit_test(lists_and_quantiles_keep_their_values),
		cmocka_unit_test(other_distributions_are_refused),
		cmocka_unit_test(whole_numbers_stay_in_their_range),
		cmocka_unit_test(cpus_are_lists_or_arrays_of_the_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
