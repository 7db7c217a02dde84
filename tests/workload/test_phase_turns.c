/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rt-app's logs say of each turn of a phase, worked out by hand to the us.
 *
 * On one CPU, without costs; where two threads meet, SCHED_FIFO says who runs.
 */
#include "test.h"

#include "wakeup/registry.h"
#include "workload_text.h"

#include "workload/simulation.h"

static void append_us(GString *log, const char *what, uint64_t ns)
{
	g_string_append_printf(log, "%s %" G_GUINT64_FORMAT, what, ns / 1000);
	if (ns % 1000)
		g_string_append_printf(log, ".%03u", (unsigned)(ns % 1000));
}

static void append_slack(GString *log, const struct phase_turn *turn)
{
	append_us(log, " timer", turn->asked_period_ns);
	g_string_append_printf(log, " slack %" G_GINT64_FORMAT, turn->slack_ns / 1000);
	if (turn->slack_sum_ns != turn->slack_ns)
		g_string_append_printf(log, " of %" G_GINT64_FORMAT,
				       turn->slack_sum_ns / 1000);
	if (turn->timer_waited)
		append_us(log, " wait", turn->timer_wait_ns);
}

/* In us: the thread, the turn's ends, its runs, their work and what they asked for. */
static void on_turn(void *data, const struct sim_task *t, const struct phase_turn *turn)
{
	GString *log = data;

	g_string_append(log, t->task.comm);
	append_us(log, "", turn->start_ns - SIM_START_NS);
	append_us(log, " to", turn->end_ns - SIM_START_NS);
	append_us(log, " run", turn->run_ns);
	if (turn->work_ns != turn->run_ns)
		append_us(log, " work", turn->work_ns);
	if (turn->asked_run_ns != turn->run_ns)
		append_us(log, " asked", turn->asked_run_ns);
	if (turn->has_timer)
		append_slack(log, turn);
	g_string_append_c(log, '\n');
}

static void expect_turns(const char *json, const char *expected)
{
	struct workload_input in = workload_of(json);
	struct wakeup_policy policy =
		wakeup_policy_complete(wakeup_policy_find("baseline"));
	g_autoptr(GString) log = g_string_new(NULL);
	struct sim_observer listener = {.data = log, .phase_turn = on_turn};
	g_autoptr(simulation) s = NULL;
	g_autoptr(GError) error = NULL;

	in.spec.policy = &policy;
	in.spec.costs = (struct machine_costs){0};
	s = simulation_new(&in, 1, NULL, &listener);
	if (!simulation_run(s, &error))
		fail_msg("%s", error->message);
	assert_string_equal(log->str, expected);
	g_clear_pointer(&s, simulation_free);
	workload_input_clear(&in);
}

#define ONE_CPU "{'machine': '1n1l1c1t', "

static void a_task_without_phases_turns_with_its_loop(void **state)
{
	expect_turns(ONE_CPU "'tasks': {'t': {'loop': 2, 'run': 1000, "
			     "'timer': {'ref': 'unique', 'period': 10000}}}}",
		     "t-0 0 to 10000 run 1000 timer 10000 slack 9000 wait 0\n"
		     "t-0 10000 to 20000 run 1000 timer 10000 slack 9000 wait 0\n");
}

/* The timer's point at 5000 is past, as is 11500, 5000 after the grid's new start. */
static void each_loop_of_a_phase_is_a_turn(void **state)
{
	expect_turns(ONE_CPU
		     "'tasks': {'t': {'loop': 2, 'phases': {"
		     "'p1': {'loop': 2, 'runtime': 2000, 'sleep': 1000}, "
		     "'p2': {'run': 500, 'timer': {'ref': 'x', 'period': 5000}}}}}}",
		     "t-0 0 to 3000 run 2000\n"
		     "t-0 3000 to 6000 run 2000\n"
		     "t-0 6000 to 6500 run 500 timer 5000 slack -1500\n"
		     "t-0 6500 to 9500 run 2000\n"
		     "t-0 9500 to 12500 run 2000\n"
		     "t-0 12500 to 13000 run 500 timer 5000 slack -1500\n");
}

static void a_turn_cut_short_by_the_end_is_not_told(void **state)
{
	expect_turns(ONE_CPU "'duration': '7ms', 'tasks': {'t': "
			     "{'run': 2000, 'sleep': 1000}}}",
		     "t-0 0 to 3000 run 2000\n"
		     "t-0 3000 to 6000 run 2000\n");
}

static void a_delay_comes_before_the_first_turn(void **state)
{
	expect_turns(ONE_CPU "'tasks': {'t': {'delay': 4000, 'loop': 1, 'run': 100, "
			     "'timer': {'ref': 'unique', 'period': 1000}}}}",
		     "t-0 4000 to 5000 run 100 timer 1000 slack 900 wait 0\n");
}

/* The clock is read before the run and after it. */
static void a_run_includes_the_wait_for_a_cpu(void **state)
{
	expect_turns(ONE_CPU "'tasks': {"
			     "'low': {'policy': 'SCHED_FIFO', 'priority': 10, "
			     "'loop': 1, 'run': 5000}, "
			     "'high': {'policy': 'SCHED_FIFO', 'priority': 20, "
			     "'delay': 2000, 'loop': 1, 'run': 3000}}}",
		     "high-0 2000 to 5000 run 3000\n"
		     "low-0 0 to 8000 run 8000 work 5000 asked 5000\n");
}

/* The timer of the low one ends at 4000, when the high one has the CPU till 5500. */
static void the_wait_after_a_timer_is_the_wakeup_latency(void **state)
{
	expect_turns(ONE_CPU "'tasks': {"
			     "'low': {'policy': 'SCHED_FIFO', 'priority': 10, "
			     "'loop': 1, 'run': 1000, "
			     "'timer': {'ref': 'unique', 'period': 4000}}, "
			     "'high': {'policy': 'SCHED_FIFO', 'priority': 20, "
			     "'delay': 3000, 'loop': 1, 'run': 2500}}}",
		     "high-0 3000 to 5500 run 2500\n"
		     "low-0 0 to 5500 run 1000 timer 4000 slack 3000 wait 1500\n");
}

/* At 1000 the first timer has 1000 left, at 2000 the second one 3000. */
static void slack_is_the_last_timers_and_the_sum_is_kept(void **state)
{
	expect_turns(ONE_CPU "'tasks': {'t': {'loop': 1, 'run': 1000, "
			     "'timer0': {'ref': 'x', 'period': 2000}, "
			     "'timer1': {'ref': 'y', 'period': 5000}}}}",
		     "t-0 0 to 5000 run 1000 timer 7000 slack 3000 of 4000 wait 0\n");
}

/* A CPU that does half of what the largest does. */
static void work_is_what_the_cpu_did(void **state)
{
	expect_turns("{'machine': {'cpus': [{'core': 0, 'capacity': 512}]}, "
		     "'tasks': {'t': {'loop': 1, 'phases': {"
		     "'a': {'run': 8000}, 'b': {'runtime': 8000}}}}}",
		     "t-0 0 to 16000 run 16000 work 8000 asked 8000\n"
		     "t-0 16000 to 24000 run 8000 work 4000\n");
}

/* rt-app's pull request 28: they were reported as 0. */
static void runs_of_whole_seconds_count_as_what_they_are(void **state)
{
	expect_turns(ONE_CPU "'tasks': {'t': {'loop': 1, 'phases': {"
			     "'a': {'run': 1000000}, 'b': {'run': 2000000}}}}}",
		     "t-0 0 to 1000000 run 1000000\n"
		     "t-0 1000000 to 3000000 run 2000000\n");
}

/* 2^32 ns are 4.294967296 s (cactus-rt's issue 148). */
static void times_beyond_32_bits_of_ns_are_exact(void **state)
{
	expect_turns(ONE_CPU "'tasks': {"
			     "'a': {'delay': '4.3s', 'loop': 1, 'run': 1}, "
			     "'b': {'delay': '10s', 'loop': 1, 'run': '5s', 'timer': "
			     "{'ref': 'unique', 'period': '100000000000ns'}}}}",
		     "a-0 4300000 to 4300001 run 1\n"
		     "b-0 10000000 to 110000000 run 5000000 timer 100000000 slack "
		     "95000000 wait 0\n");
}

/* The second phase answers the reply and waits on, for what is none, in one turn. */
static void a_reply_does_not_begin_another_turn(void **state)
{
	expect_turns(ONE_CPU
		     "'channels': {'there': 1, 'back': 1}, 'tasks': {"
		     "'client': {'policy': 'SCHED_FIFO', 'priority': 20, "
		     "'loop': 1, 'phases': {"
		     "'ask': {'run': 10, 'send': {'to': 'there', 'reply_to': 'back'}}, "
		     "'wait': {'recv': {'ref': 'back', 'replies': {'run': 100}}, "
		     "'run': 50}}}, "
		     "'server': {'policy': 'SCHED_FIFO', 'priority': 10, 'loop': 1, "
		     "'recv': 'there', 'run': 30, 'reply': {}, 'send': 'back'}}}",
		     "client-0 0 to 10 run 10\n"
		     "client-0 10 to 190 run 150\n"
		     "server-0 10 to 190 run 30\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_without_phases_turns_with_its_loop),
		cmocka_unit_test(each_loop_of_a_phase_is_a_turn),
		cmocka_unit_test(a_turn_cut_short_by_the_end_is_not_told),
		cmocka_unit_test(a_delay_comes_before_the_first_turn),
		cmocka_unit_test(a_run_includes_the_wait_for_a_cpu),
		cmocka_unit_test(the_wait_after_a_timer_is_the_wakeup_latency),
		cmocka_unit_test(slack_is_the_last_timers_and_the_sum_is_kept),
		cmocka_unit_test(work_is_what_the_cpu_did),
		cmocka_unit_test(runs_of_whole_seconds_count_as_what_they_are),
		cmocka_unit_test(times_beyond_32_bits_of_ns_are_exact),
		cmocka_unit_test(a_reply_does_not_begin_another_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
