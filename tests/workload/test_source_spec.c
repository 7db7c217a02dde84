/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests from outside: what a source may say.
 */
#include "workload/source_spec.h"

#include "schedsim/error.h"
#include "test.h"
#include "workload_text.h"

static char *with_source(const char *source)
{
	return g_strdup_printf("{'duration': '1s', 'params': {'load': 0.5, 'gap': "
			       "'45us'}, 'channels': {'a': '=load*4'}, 'tasks': {'t': "
			       "{'recv': 'a', 'run': '=gap'}}, 'sources': {'s': {%s}}}",
			       source);
}

static struct workload_input read_source(const char *source)
{
	g_autofree char *json = with_source(source);

	return workload_of(json);
}

static void assert_refused(const char *source, const char *message)
{
	g_autofree char *json = with_source(source);

	assert_workload_error(json, INPUT_ERROR_VALUE, message);
}

static void an_open_source_has_an_interval(void **state)
{
	struct workload_input in = read_source(
		"'arrivals': 'poisson', 'interval': '=gap/load', 'to': 'a'");
	const struct source_spec *s = &in.workload->sources[0];

	assert_string_equal(s->name, "s");
	assert_int_equal(s->kind, ARRIVE_POISSON);
	assert_int_equal(s->interval_ns, 90000);
	assert_int_equal(s->batch.kind, DIST_FIXED);
	assert_int_equal(s->batch.a, 1);
	assert_int_equal(s->channel, 0);
	assert_int_equal(s->select, SELECT_ROUND_ROBIN);
	assert_true(cpumask_empty(&s->irq_cpus));
	assert_false(s->sync);
	workload_input_clear(&in);
}

static void assert_interval(const char *rate, uint64_t interval_ns)
{
	g_autofree char *source =
		g_strdup_printf("'arrivals': 'fixed', 'rate': %s, 'to': 'a'", rate);
	struct workload_input in = read_source(source);

	assert_int_equal(in.workload->sources[0].interval_ns, interval_ns);
	workload_input_clear(&in);
}

static void a_rate_is_arrivals_a_second(void **state)
{
	assert_interval("8000", 125000);
	assert_interval("3", 333333333);
	assert_interval("0.5", 2000000000);
	assert_interval("'=2*load/gap'", 45000);
	assert_interval("1000000000", 1);
}

static void bursts_are_batches(void **state)
{
	struct workload_input in =
		read_source("'arrivals': 'fixed', 'rate': 10, 'batch': {'uniform': [1, "
			    "'=1/load']}, 'to': 'a', 'select': 1, 'irq_cpus': '2-3', "
			    "'sync': true");
	const struct source_spec *s = &in.workload->sources[0];
	g_autofree char *cpus = cpumask_to_list(&s->irq_cpus);

	assert_int_equal(s->kind, ARRIVE_FIXED);
	assert_int_equal(s->batch.kind, DIST_UNIFORM);
	assert_int_equal(s->batch.b, 2);
	assert_int_equal(s->select, SELECT_FIXED);
	assert_int_equal(s->index, 1);
	assert_string_equal(cpus, "2-3");
	assert_true(s->sync);
	workload_input_clear(&in);
}

static void a_source_may_begin_later(void **state)
{
	struct workload_input in = read_source(
		"'arrivals': 'fixed', 'rate': 1, 'to': 'a', 'delay': '50ms'");

	assert_int_equal(in.workload->sources[0].delay_ns, 50000000);
	workload_input_clear(&in);
}

static void interrupts_may_come_where_the_receiver_is(void **state)
{
	struct workload_input in = read_source(
		"'arrivals': 'fixed', 'rate': 1, 'to': 'a', 'irq_cpus': 'receiver'");

	assert_true(in.workload->sources[0].irq_at_receiver);
	assert_true(cpumask_empty(&in.workload->sources[0].irq_cpus));
	workload_input_clear(&in);
	in = read_source("'arrivals': 'fixed', 'rate': 1, 'to': 'a', 'irq_cpus': '1'");
	assert_false(in.workload->sources[0].irq_at_receiver);
	workload_input_clear(&in);
}

static void a_closed_source_has_clients_that_think(void **state)
{
	struct workload_input in =
		read_source("'arrivals': 'closed', 'clients': 16, 'think': {'exp': "
			    "'1ms'}, 'to': 'a'");
	const struct source_spec *s = &in.workload->sources[0];

	assert_int_equal(s->kind, ARRIVE_CLOSED);
	assert_int_equal(s->clients, 16);
	assert_int_equal(s->think.kind, DIST_EXP);
	assert_int_equal(s->think.a, 1000000);
	workload_input_clear(&in);
}

#define WORKLOADS TEST_DATA "/../workloads"

static void a_record_lies_beside_the_workload(void **state)
{
	g_autofree char *json = with_source(
		"'arrivals': 'recorded', 'file': 'recorded.jsonl', 'to': 'a'");
	struct workload_input in;
	GError *error = NULL;

	g_strdelimit(json, "'", '"');
	assert_true(workload_read_text(json, strlen(json), WORKLOADS "/w.json", NULL,
				       &in, &error));
	assert_int_equal(in.workload->sources[0].kind, ARRIVE_RECORDED);
	assert_string_equal(in.workload->sources[0].file, WORKLOADS "/recorded.jsonl");
	workload_input_clear(&in);
}

/* Before anything runs. */
static void a_record_is_read_to_its_end(void **state)
{
	g_autofree char *json =
		with_source("'arrivals': 'recorded', 'file': '" TEST_DATA
			    "/workload/test_source_spec.c', 'to': 'a'");

	assert_workload_error(json, INPUT_ERROR_VALUE,
			      "sources.s.file: " TEST_DATA
			      "/workload/test_source_spec.c:1: expected an object with "
			      "\"at_ns\", got: /* SPDX-License-Identifier: "
			      "GPL-2.0-or-later */");
}

static void a_record_that_is_missing_is_named(void **state)
{
	g_autofree char *json = with_source(
		"'arrivals': 'recorded', 'file': '/nowhere/x.jsonl', 'to': 'a'");

	assert_workload_error(json, INPUT_ERROR_FILE,
			      "sources.s.file: expected a file, got "
			      "\"/nowhere/x.jsonl\", which is none");
}

static void mistakes_are_named(void **state)
{
#define RATE "arrivals a second, a number above 0"
	static const char *const cases[][2] = {
		{"'to': 'a'", "sources.s: expected the key \"arrivals\""},
		{"'arrivals': 'open'", "sources.s.arrivals: expected \"fixed\", "
				       "\"poisson\", \"recorded\" or \"closed\", got "
				       "\"open\""},
		{"'arrivals': 'fixed', 'to': 'a'",
		 "sources.s: expected either \"interval\" or \"rate\", got neither"},
		{"'arrivals': 'fixed', 'rate': 1, 'interval': '1s', 'to': 'a'",
		 "sources.s: expected either \"interval\" or \"rate\", got both"},
		{"'arrivals': 'fixed', 'rate': 0, 'to': 'a'",
		 "sources.s.rate: expected " RATE ", got 0"},
		{"'arrivals': 'fixed', 'rate': '1us', 'to': 'a'",
		 "sources.s.rate: expected " RATE ", got \"1us\""},
		{"'arrivals': 'fixed', 'rate': 1e10, 'to': 'a'",
		 "sources.s.rate: expected a rate from 10^-6 to 10^9 a second, got "
		 "10000000000"},
		{"'arrivals': 'fixed', 'interval': 5, 'to': 'a'",
		 "sources.s.interval: expected a time such as \"250us\", got 5"},
		{"'arrivals': 'fixed', 'interval': '0s', 'to': 'a'",
		 "sources.s.interval: expected a time above 0, got \"0s\""},
		{"'arrivals': 'fixed', 'rate': 1, 'batch': 0, 'to': 'a'",
		 "sources.s.batch: expected a whole number from 1 to 1000000, got 0"},
		{"'arrivals': 'fixed', 'rate': 1, 'clients': 1, 'to': 'a'",
		 "sources.s.clients: expected a key of \"fixed\" arrivals, got another "
		 "kind's"},
		{"'arrivals': 'fixed', 'rat': 1, 'to': 'a'",
		 "sources.s: expected a known key, got \"rat\"; the nearest is "
		 "\"rate\""},
		{"'arrivals': 'closed', 'to': 'a'",
		 "sources.s: expected the key \"clients\""},
		{"'arrivals': 'recorded', 'to': 'a'",
		 "sources.s: expected the key \"file\""},
		{"'arrivals': 'fixed', 'rate': 1",
		 "sources.s: expected the key \"to\""},
		{"'arrivals': 'fixed', 'rate': 1, 'to': 'x'",
		 "sources.s.to: expected a channel that \"channels\" defines, got "
		 "\"x\""},
		{"'arrivals': 'fixed', 'rate': 1, 'to': 'a', 'delay': 5",
		 "sources.s.delay: expected a time such as \"250us\", got 5"},
		{"'arrivals': 'fixed', 'rate': 1, 'to': 'a', 'irq_cpus': [8]",
		 "sources.s.irq_cpus[0]: expected a whole number from 0 to 7, got 8"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_refused(cases[i][0], cases[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_open_source_has_an_interval),
		cmocka_unit_test(a_rate_is_arrivals_a_second),
		cmocka_unit_test(bursts_are_batches),
		cmocka_unit_test(a_source_may_begin_later),
		cmocka_unit_test(interrupts_may_come_where_the_receiver_is),
		cmocka_unit_test(a_closed_source_has_clients_that_think),
		cmocka_unit_test(a_record_lies_beside_the_workload),
		cmocka_unit_test(a_record_is_read_to_its_end),
		cmocka_unit_test(a_record_that_is_missing_is_named),
		cmocka_unit_test(mistakes_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
