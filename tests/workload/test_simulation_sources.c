/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests from outside: when they come, on which CPU, and what a record may say.
 */
#include "schedsim/error.h"
#include "test.h"
#include "workload_scene.h"

#include <glib/gstdio.h>

/* A server that takes 100 us for a request, on CPU 0. */
static void add_server(struct scene *sc)
{
	scene_task(sc, "r", RECV(0, 0), RUN(100 * US), REPLY, JUMP(0))->cpus =
		cpumask_of(0);
}

static void a_batch_comes_at_once_and_counts_from_then(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 1900 * US);
	scene_source(&sc, "s", ARRIVE_FIXED, 1 * MS)->batch = dist_fixed(3);
	add_server(&sc);
	scene_expect(&sc, "0 cpu0 idle>r-0\n"
			  "0 cpu0 r-0>idle\n"
			  "1000 +r-0\n"
			  "1000 cpu0 idle>r-0\n"
			  "1000 r-0 got 1\n"
			  "1100 done 1 since 1000\n"
			  "1100 r-0 got 2\n"
			  "1200 done 2 since 1000\n"
			  "1200 r-0 got 3\n"
			  "1300 done 3 since 1000\n"
			  "1300 cpu0 r-0>idle\n");
	scene_clear(&sc);
}

static void a_request_to_a_busy_server_counts_from_its_arrival(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 350 * US);
	sc.no_scheduling = true;
	scene_source(&sc, "s", ARRIVE_FIXED, 80 * US);
	add_server(&sc);
	scene_expect(&sc, "80 r-0 got 1\n"
			  "180 done 1 since 80\n"
			  "180 r-0 got 2\n"
			  "280 done 2 since 160\n"
			  "280 r-0 got 3\n");
	scene_clear(&sc);
}

static void cpus_take_the_interrupts_in_turn(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l3c1t", 4500 * US);
	sc.no_scheduling = sc.wakers = true;
	scene_source(&sc, "s", ARRIVE_FIXED, 1 * MS)->irq_cpus =
		cpumask_andnot(&(struct cpumask){{7}}, &(struct cpumask){{2}});
	add_server(&sc);
	scene_expect(&sc, "1000 cpu0 wakes r-0\n"
			  "1000 r-0 got 1\n"
			  "1100 done 1 since 1000\n"
			  "2000 cpu2 wakes r-0\n"
			  "2001 r-0 got 2\n"
			  "2101 done 2 since 2000\n"
			  "3000 cpu0 wakes r-0\n"
			  "3000 r-0 got 3\n"
			  "3100 done 3 since 3000\n"
			  "4000 cpu2 wakes r-0\n"
			  "4001 r-0 got 4\n"
			  "4101 done 4 since 4000\n");
	scene_clear(&sc);
}

/* Servers on CPUs 2 and 0 take turns, as each queues anew behind the other. */
static void an_interrupt_may_come_where_the_receiver_is(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l3c1t", 3500 * US);
	sc.no_scheduling = sc.wakers = true;
	scene_source(&sc, "s", ARRIVE_FIXED, 1 * MS)->irq_at_receiver = true;
	scene_task(&sc, "q", RECV(0, 0), RUN(100 * US), REPLY, JUMP(0))->cpus =
		cpumask_of(2);
	add_server(&sc);
	scene_expect(&sc, "1000 cpu0 wakes r-0\n"
			  "1000 r-0 got 1\n"
			  "1100 done 1 since 1000\n"
			  "2000 cpu2 wakes q-0\n"
			  "2000 q-0 got 2\n"
			  "2100 done 2 since 2000\n"
			  "3000 cpu0 wakes r-0\n"
			  "3000 r-0 got 3\n"
			  "3100 done 3 since 3000\n");
	scene_clear(&sc);
}

static void an_arrival_is_an_interrupt(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 2500 * US);
	scene_source(&sc, "s", ARRIVE_FIXED, 1 * MS)->sync = true;
	scene_task(&sc, "r", RECV(0, 0), JUMP(0));
	assert_true(scene_run(&sc, NULL));
	assert_int_equal(sc.nr_sync, 2);
	assert_int_equal(sc.nr_from_task, 0);
	scene_clear(&sc);
}

static void a_client_thinks_after_its_answer(void **state)
{
	struct scene sc;
	struct source_spec *s;

	scene_init(&sc, "1n1l1c1t", 2500 * US);
	sc.no_scheduling = true;
	s = scene_source(&sc, "s", ARRIVE_CLOSED, 0);
	s->clients = 2;
	s->think = dist_fixed(1 * MS);
	add_server(&sc);
	scene_expect(&sc, "1000 r-0 got 1\n"
			  "1100 done 1 since 1000\n"
			  "1100 r-0 got 2\n"
			  "1200 done 2 since 1000\n"
			  "2100 r-0 got 3\n"
			  "2200 done 3 since 2100\n"
			  "2200 r-0 got 4\n"
			  "2300 done 4 since 2200\n");
	scene_clear(&sc);
}

static void poisson_arrivals_are_as_many_as_asked(void **state)
{
	struct scene sc;
	unsigned lines = 0;

	scene_init(&sc, "1n1l1c1t", NSEC_PER_SEC);
	sc.no_scheduling = true;
	scene_source(&sc, "s", ARRIVE_POISSON, 1 * MS);
	scene_task(&sc, "r", RECV(0, 0), JUMP(0));
	assert_true(scene_run(&sc, NULL));
	for (const char *p = sc.log->str; *p; p++)
		lines += *p == '\n';
	/* Four standard deviations of a count of 1000. */
	assert_in_range(lines, 1000 - 126, 1000 + 126);
	scene_clear(&sc);
}

static void arrivals_in_no_time_are_an_error(void **state)
{
	struct scene sc;
	GError *error = NULL;

	scene_init(&sc, "1n1l1c1t", 1 * MS);
	scene_source(&sc, "s", ARRIVE_FIXED, 0)->batch = dist_fixed(0);
	assert_false(scene_run(&sc, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		     "sources.s: expected at most 1000000 arrivals and requests at one "
		     "instant, got more");
	scene_clear(&sc);
}

static void many_arrivals_in_some_time_are_none(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 1100 * US);
	scene_source(&sc, "s", ARRIVE_FIXED, 1)->batch = dist_fixed(0);
	scene_expect(&sc, "");
	scene_clear(&sc);
}

/* A scene whose source reads @text. */
static void init_recorded(struct scene *sc, const char *text)
{
	struct source_spec *s;
	int fd;

	scene_init(sc, "1n1l1c1t", 1 * MS);
	sc->no_scheduling = true;
	s = scene_source(sc, "s", ARRIVE_RECORDED, 0);
	fd = g_file_open_tmp(NULL, &s->file, NULL);
	assert_true(fd >= 0);
	g_close(fd, NULL);
	assert_true(g_file_set_contents(s->file, text, -1, NULL));
	add_server(sc);
}

static void clear_recorded(struct scene *sc)
{
	g_unlink(sc->sources[0].file);
	g_free(sc->sources[0].file);
	scene_clear(sc);
}

static void recorded_arrivals_come_when_they_came(void **state)
{
	struct scene sc;

	init_recorded(&sc, "# two, and a third that finds the server busy\n"
			   "{\"at_ns\": 500000, \"count\": 2}\n"
			   "\n"
			   "{\"at_ns\": 690000}");
	scene_expect(&sc, "500 r-0 got 1\n"
			  "600 done 1 since 500\n"
			  "600 r-0 got 2\n"
			  "700 done 2 since 500\n"
			  "700 r-0 got 3\n"
			  "800 done 3 since 690\n");
	clear_recorded(&sc);
}

static void a_delay_shifts_what_a_source_sends(void **state)
{
	struct scene sc;
	struct source_spec *s;

	scene_init(&sc, "1n1l1c1t", 3050 * US);
	sc.no_scheduling = true;
	scene_source(&sc, "s", ARRIVE_FIXED, 1 * MS)->delay_ns = 600 * US;
	s = scene_source(&sc, "t", ARRIVE_CLOSED, 0);
	s->clients = 1;
	s->think = dist_fixed(1 * MS);
	s->delay_ns = 800 * US;
	add_server(&sc);
	scene_expect(&sc, "1600 r-0 got 1\n"
			  "1700 done 1 since 1600\n"
			  "1800 r-0 got 2\n"
			  "1900 done 2 since 1800\n"
			  "2600 r-0 got 3\n"
			  "2700 done 3 since 2600\n"
			  "2900 r-0 got 4\n"
			  "3000 done 4 since 2900\n");
	scene_clear(&sc);
}

static void a_delay_shifts_a_record(void **state)
{
	struct scene sc;

	init_recorded(&sc, "{\"at_ns\": 100000}");
	sc.sources[0].delay_ns = 250 * US;
	scene_expect(&sc, "350 r-0 got 1\n"
			  "450 done 1 since 350\n");
	clear_recorded(&sc);
}

static void bad_records_are_told_by_line(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"{\"at_ns\": 5}\n{\"at_ns\": 4}\n",
		 ":2: at_ns: expected at least 5 of the line before, got 4"},
		{"\n[5]\n", ":2: expected an object with \"at_ns\", got: [5]"},
		{"{\"at_ns\": 5",
		 ":1: expected an object with \"at_ns\", got: {\"at_ns\": 5"},
		{"{\"count\": 5}\n", ":1: expected \"at_ns\", got none"},
		{"{\"at_ns\": 5, \"count\": 0}\n",
		 ":1: count: expected at least 1, got 0"},
		{"{\"at_ns\": -5}\n",
		 ":1: at_ns: expected a whole number up to 2^53, got -5"},
		{"{\"at_ns\": 1.5}\n",
		 ":1: at_ns: expected a whole number up to 2^53, got 1.5"},
		{"{\"at_ns\": \"5\"}\n",
		 ":1: at_ns: expected a whole number up to 2^53, got \"5\""},
		{"{\"at_ns\": 5, \"at_ns\": 6}\n",
		 ":1: expected \"at_ns\" once, got it again"},
		{"{\"at\": 5}\n", ":1: expected \"at_ns\" or \"count\", got \"at\""},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *message = NULL;
		GError *error = NULL;
		struct scene sc;

		init_recorded(&sc, cases[i].text);
		message = g_strconcat("sources.s: ", sc.sources[0].file,
				      cases[i].message, NULL);
		assert_false(scene_run(&sc, &error));
		assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
		clear_recorded(&sc);
	}
}

static void too_many_requests_at_once_are_an_error(void **state)
{
	struct scene sc;
	GError *error = NULL;

	init_recorded(&sc, "{\"at_ns\": 1, \"count\": 9007199254740992}\n");
	assert_false(scene_run(&sc, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		     "sources.s: expected at most 1000000 arrivals and requests at one "
		     "instant, got more");
	clear_recorded(&sc);
}

static void a_missing_record_is_an_error(void **state)
{
	struct scene sc;
	GError *error = NULL;

	scene_init(&sc, "1n1l1c1t", 1 * MS);
	scene_source(&sc, "s", ARRIVE_RECORDED, 0)->file = (char *)"/none/such";
	assert_false(scene_run(&sc, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_FILE,
		     "sources.s: /none/such: expected a file of arrivals, got: No such "
		     "file or "
		     "directory");
	scene_clear(&sc);
}

static void a_run_without_end_stops_with_the_record(void **state)
{
	struct scene sc;

	init_recorded(&sc, "{\"at_ns\": 500000}\n");
	sc.w.duration_ns = UINT64_MAX;
	scene_expect(&sc, "500 r-0 got 1\n"
			  "600 done 1 since 500\n");
	clear_recorded(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_batch_comes_at_once_and_counts_from_then),
		cmocka_unit_test(a_request_to_a_busy_server_counts_from_its_arrival),
		cmocka_unit_test(cpus_take_the_interrupts_in_turn),
		cmocka_unit_test(an_interrupt_may_come_where_the_receiver_is),
		cmocka_unit_test(an_arrival_is_an_interrupt),
		cmocka_unit_test(a_client_thinks_after_its_answer),
		cmocka_unit_test(poisson_arrivals_are_as_many_as_asked),
		cmocka_unit_test(arrivals_in_no_time_are_an_error),
		cmocka_unit_test(many_arrivals_in_some_time_are_none),
		cmocka_unit_test(recorded_arrivals_come_when_they_came),
		cmocka_unit_test(a_delay_shifts_what_a_source_sends),
		cmocka_unit_test(a_delay_shifts_a_record),
		cmocka_unit_test(bad_records_are_told_by_line),
		cmocka_unit_test(too_many_requests_at_once_are_an_error),
		cmocka_unit_test(a_missing_record_is_an_error),
		cmocka_unit_test(a_run_without_end_stops_with_the_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
