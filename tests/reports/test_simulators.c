/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people reported of other scheduling simulators.  The numbers are those of
 * README.md.
 */
#include "test.h"

#include "dl_scene.h"
#include "schedsim/error.h"
#include "schedsim/observer.h"
#include "workload_scene.h"
#include "workload_text.h"

#include <errno.h>
#include <string.h>

/* 56 */

static void nothing_ran(const simulation *s)
{
	assert_int_equal(simulation_machine(s)->now_ns, SIM_START_NS);
	assert_int_equal(simulation_task(s, 0)->task.state, TASK_DEAD);
	assert_int_equal(simulation_task(s, 0)->task.se.sum_exec_runtime, 0);
}

/* https://github.com/MaximeCheramy/simso/issues/11: work of 0 was divided by. */
static void report_56_work_of_nothing_takes_no_time(void **state)
{
	struct scene sc = {.no_scheduling = true, .inspect = nothing_ran};
	g_autoptr(GError) error = NULL;

	if (!scene_run_text(&sc,
			    "{'machine': '1n1l1c1t', 'tasks': {'t': {'loop': 3, "
			    "'run': 0, 'runtime': 0}}}",
			    &error))
		fail_msg("%s", error->message);
	g_string_free(sc.log, TRUE);
}

/* What would stay at one instant for ever is an error. */
static void report_56_no_loop_stays_at_one_instant(void **state)
{
	assert_workload_error("{'duration': '1s', 'tasks': {'t': {'run': 0, 'timer': "
			      "{'ref': 'a', 'period': 0}}}}",
			      INPUT_ERROR_VALUE,
			      "tasks.t: expected an endless loop that runs, sleeps or "
			      "waits, got one that never lets time pass");
	/* Reading cannot know that nobody is ever waited for. */
	scene_expect_text_error(
		"{'machine': '1n1l1c1t', 'tasks': {'t': {'loop': 2000000, 'run': 0}}}",
		INPUT_ERROR_VALUE,
		"tasks.t: expected steps that take time, got 1000000 at one "
		"instant: t-0 makes no progress in time");
}

static void report_56_a_reservation_of_nothing_is_refused(void **state)
{
	scene_expect_text_error("{'machine': '1n1l1c1t', 'tasks': {'t': {'policy': "
				"'SCHED_DEADLINE', 'dl-runtime': 0, 'dl-period': "
				"10000, 'loop': 1, 'run': 1}}}",
				EINVAL,
				"tasks.t.dl-runtime: sched_setattr() of t-0: EINVAL");
	scene_expect_text_error("{'machine': '1n1l1c1t', 'tasks': {'t': {'policy': "
				"'SCHED_DEADLINE', 'dl-runtime': 0, 'dl-period': 0, "
				"'loop': 1, 'run': 1}}}",
				EINVAL,
				"tasks.t.dl-runtime: sched_setattr() of t-0: EINVAL");
}

/* 57: https://github.com/DynamoRIO/dynamorio/issues/6977 */

struct switches {
	struct observer observer;
	unsigned nr, nr_sleeps;
};

static void on_switch(void *data, const struct machine *m, const struct rq *rq,
		      const struct task *prev, const struct task *next,
		      bool prev_sleeps)
{
	struct switches *w = data;

	w->nr++;
	w->nr_sleeps += prev_sleeps;
}

static void count_switches(run_scene *s, struct switches *w)
{
	*w = (struct switches){.observer = {.data = w, .sched_switch = on_switch}};
	s->m->observers = &w->observer;
}

/* @t, which runs on CPU 0, blocks in the instant of a tick: before or after it. */
static void block_at_a_tick(run_scene *s, struct task *t, bool tick_first)
{
	struct switches w;

	assert_true(runs_on(s, t, 0));
	count_switches(s, &w);
	if (tick_first)
		sched_tick(s->m, 0);
	sched_block(s->m, 0, TASK_INTERRUPTIBLE);
	if (!tick_first)
		sched_tick(s->m, 0);
	sched_resched_all(s->m);
	s->m->observers = NULL;
	assert_int_equal(w.nr, 1);
	assert_int_equal(w.nr_sleeps, 1);
	assert_int_equal(t->state, TASK_INTERRUPTIBLE);
	assert_int_equal(t->on_rq, 0);
}

/*
 * Two tasks share a latency of 6 ms, so a slice of 3 ms ends at the tick at 4 ms,
 * which is when the task blocks.
 */
static void report_57_slice_ends_as_task_blocks(void **state)
{
	for (int tick_first = 0; tick_first < 2; tick_first++) {
		g_autoptr(run_scene) s = run_scene_new("1n1l1c1t");
		struct task *a = run_fork(s, 0, 0), *b = run_fork(s, 0, 0);
		struct task *first = cpu_rq(s->m, 0)->curr;

		run_to_us(s, 4000);
		block_at_a_tick(s, first, tick_first);
		assert_true(runs_on(s, first == a ? b : a, 0));
	}
}

/*
 * A turn of 100 ms is 25 ticks.  Whoever blocks before the last of them has one left;
 * after it the next turn is a whole one.
 */
static void report_57_turn_ends_as_task_blocks(void **state)
{
	static const unsigned left[] = {1, 25};

	for (int tick_first = 0; tick_first < 2; tick_first++) {
		g_autoptr(run_scene) s = run_scene_new("1n1l1c1t");
		struct cpumask cpu_0 = cpumask_of(0);
		struct task *a = run_fork_rt(s, 0, POLICY_RR, 10, &cpu_0);
		struct task *b = run_fork_rt(s, 0, POLICY_RR, 10, &cpu_0);

		run_ticking_to_us(s, 99999);
		run_to_us(s, 100000);
		block_at_a_tick(s, a, tick_first);
		assert_true(runs_on(s, b, 0));
		assert_int_equal(a->rt.time_slice, left[tick_first]);
		assert_int_equal(b->rt.time_slice, tick_first ? 25 : 24);
	}
}

/* 4 of each 10 ms are used up to the ns; it is back with its next instance. */
static void report_57_runtime_ends_as_task_blocks(void **state)
{
	for (int tick_first = 0; tick_first < 2; tick_first++) {
		g_autoptr(run_scene) s = dl_scene_new("1n1l1c1t");
		struct task *t = dl_task_on(s, 0, implicit(4000, 10000));

		run_to_us(s, 4000);
		block_at_a_tick(s, t, tick_first);
		assert_true(cpu_is_idle(s->m, 0));
		assert_instance(t, 0, 10000);
		run_to_us(s, 10000);
		run_wake(s, t, 0);
		assert_true(runs_on(s, t, 0));
		assert_instance(t, 4000000, 20000);
	}
}

/* 59: the import of rt-app's files into scx's simulator */

#define WORK_AND(event)                                                                \
	"{'machine': '1n1l1c1t', 'tasks': {'t': {'loop': 3, 'run': 4000, " event "}}}"

static void report_59_a_timer_keeps_its_grid(void **state)
{
	scene_expect_text_steps(WORK_AND("'timer': {'ref': 'a', 'period': 10000}"),
				"4000 t-0 timer 6000\n"
				"10000 t-0 active\n"
				"14000 t-0 timer 6000\n"
				"20000 t-0 active\n"
				"24000 t-0 timer 6000\n"
				"30000 t-0 active\n");
}

static void report_59_a_sleep_begins_when_the_work_is_done(void **state)
{
	scene_expect_text(WORK_AND("'sleep': 10000"), "0 cpu0 idle>t-0\n"
						      "4000 cpu0 t-0>idle\n"
						      "14000 +t-0\n"
						      "14000 cpu0 idle>t-0\n"
						      "14000 t-0 active\n"
						      "18000 cpu0 t-0>idle\n"
						      "28000 +t-0\n"
						      "28000 cpu0 idle>t-0\n"
						      "28000 t-0 active\n"
						      "32000 cpu0 t-0>idle\n"
						      "42000 +t-0\n"
						      "42000 cpu0 idle>t-0\n"
						      "42000 t-0 active\n"
						      "42000 cpu0 t-0>idle\n");
}

/* What is said of a task with "@key": @value: its error, or its warnings. */
static char *answer_to(const char *key, const char *value)
{
	g_autofree char *json = g_strdup_printf(
		"{\"duration\": \"1s\", \"tasks\": {\"t\": {\"run\": 1, \"%s\": %s}}}",
		key, value);
	struct workload_input in;
	GError *error = NULL;
	char *answer;

	if (!workload_read_text(json, strlen(json), "w.json", NULL, &in, &error)) {
		answer = g_strdup(error->message);
		g_error_free(error);
		return answer;
	}
	g_ptr_array_add(in.workload->warnings, NULL);
	answer = g_strjoinv("\n", (char **)in.workload->warnings->pdata);
	workload_input_clear(&in);
	return answer;
}

static void report_59_no_key_is_dropped_in_silence(void **state)
{
	static const char *const keys[][2] = {
		{"dl-runtime", "1000"}, {"dl-period", "1000"}, {"dl-deadline", "1000"},
		{"uclamp_min", "100"},  {"uclamp.min", "100"}, {"exec", "1000"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_autofree char *answer = answer_to(keys[i][0], keys[i][1]);

		assert_non_null(strstr(answer, keys[i][0]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(report_56_work_of_nothing_takes_no_time),
		cmocka_unit_test(report_56_no_loop_stays_at_one_instant),
		cmocka_unit_test(report_56_a_reservation_of_nothing_is_refused),
		cmocka_unit_test(report_57_slice_ends_as_task_blocks),
		cmocka_unit_test(report_57_turn_ends_as_task_blocks),
		cmocka_unit_test(report_57_runtime_ends_as_task_blocks),
		cmocka_unit_test(report_59_a_timer_keeps_its_grid),
		cmocka_unit_test(report_59_a_sleep_begins_when_the_work_is_done),
		cmocka_unit_test(report_59_no_key_is_dropped_in_silence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
