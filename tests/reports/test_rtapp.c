/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people reported of rt-app and of tools that write its files.  The numbers are
 * those of README.md, which has the other reports too.
 */
#include "test.h"

#include "sched/cpu_cgroup.h"
#include "schedsim/error.h"
#include "workload_scene.h"
#include "workload_text.h"

/*
 * https://github.com/scheduler-tools/rt-app/issues/37: "delay" written inside a phase
 * was ignored, and rt-app crashed on the phase that had no event.
 */
static void report_1_delay_in_a_phase_is_an_error(void **state)
{
	assert_workload_error(
		"{'global': {'duration': -1}, 'tasks': {'p20_400': {'cpus': [2], "
		"'loop': 1, 'phases': {'p000000': {'delay': 350000}, 'p000001': "
		"{'loop': 12, 'run': 80000, 'timer': {'period': 400000, 'ref': "
		"'p20_400'}}}, 'policy': 'SCHED_OTHER'}}}",
		INPUT_ERROR_VALUE,
		"tasks.p20_400.phases.p000000.delay: expected \"sleep\" in a phase, "
		"for "
		"\"delay\" is a task's key");
}

#define TWO_WITH_A_TIMER(ref)                                                          \
	"{'machine': '1n1l2c1t', 'tasks': {"                                           \
	"'a': {'cpus': [0], 'loop': 2, 'run': 1000, 'timer': {'ref': '" ref            \
	"', 'period': 10000}}, "                                                       \
	"'b': {'cpus': [1], 'delay': 3000, 'loop': 2, 'run': 1000, 'timer': {'ref': "  \
	"'" ref "', 'period': 10000}}}}"

/*
 * https://github.com/scheduler-tools/rt-app/pull/76: timers whose name begins with
 * "unique" were shared by the threads that use them.
 */
static void report_4_unique_timers_have_grids_of_their_own(void **state)
{
	scene_expect_text_steps(TWO_WITH_A_TIMER("unique"), "1000 a-0 timer 9000\n"
							    "4000 b-0 timer 9000\n"
							    "10000 a-0 active\n"
							    "11000 a-0 timer 9000\n"
							    "13000 b-0 active\n"
							    "14000 b-0 timer 9000\n"
							    "20000 a-0 active\n"
							    "23000 b-0 active\n");
}

/* Of one task too: with one timer the second would sleep until 20 ms. */
static void report_4_instances_have_grids_of_their_own(void **state)
{
	scene_expect_text_steps(
		"{'machine': '1n1l2c1t', 'tasks': {'t': {'instance': 2, 'loop': 1, "
		"'timer': {'ref': 'unique', 'period': 10000}}}}",
		"0 t-0 timer 10000\n"
		"0 t-1 timer 10000\n");
}

/* Each use of the one timer takes its next period: 10, 20, 30 and 40 ms in turn. */
static void report_4_a_timer_of_another_name_is_shared(void **state)
{
	scene_expect_text_steps(TWO_WITH_A_TIMER("tick"), "1000 a-0 timer 9000\n"
							  "4000 b-0 timer 16000\n"
							  "10000 a-0 active\n"
							  "11000 a-0 timer 19000\n"
							  "20000 b-0 active\n"
							  "21000 b-0 timer 19000\n"
							  "30000 a-0 active\n"
							  "40000 b-0 active\n");
}

#define ONE_ON_CAPACITY(capacity, event)                                               \
	"{'machine': {'topology': '1n1l1c1t', 'capacities': {'0': " capacity "}}, "    \
	"'tasks': {'t': {'loop': 1, '" event "': 8000}}}"

/*
 * https://github.com/scheduler-tools/rt-app/issues/89: 8 ms of "run" took longer, for
 * it is work; "runtime" is CPU time.
 */
static void report_7_run_is_work_and_runtime_is_time(void **state)
{
	scene_expect_text(ONE_ON_CAPACITY("512", "run"), "0 cpu0 idle>t-0\n"
							 "16000 cpu0 t-0>idle\n");
	scene_expect_text(ONE_ON_CAPACITY("1024", "run"), "0 cpu0 idle>t-0\n"
							  "8000 cpu0 t-0>idle\n");
	scene_expect_text(ONE_ON_CAPACITY("512", "runtime"), "0 cpu0 idle>t-0\n"
							     "8000 cpu0 t-0>idle\n");
}

/*
 * https://github.com/ARM-software/lisa/pull/450: of concatenated profiles the first
 * delay alone was honoured.  What comes later is a sleep.
 */
static void report_11_each_part_has_its_pause(void **state)
{
	scene_expect_text(
		"{'machine': '1n1l1c1t', 'tasks': {'t': {'delay': 3000000, 'loop': 1, "
		"'phases': {'a': {'run': 1000000}, 'pause': {'sleep': 2000000}, 'b': "
		"{'run': 1000000}}}}}",
		"0 cpu0 idle>t-0\n"
		"0 cpu0 t-0>idle\n"
		"3000000 +t-0\n"
		"3000000 cpu0 idle>t-0\n"
		"4000000 cpu0 t-0>idle\n"
		"6000000 +t-0\n"
		"6000000 cpu0 idle>t-0\n"
		"7000000 cpu0 t-0>idle\n");
}

/*
 * https://github.com/ARM-software/workload-automation/pull/735: of a file cut short
 * the message was "No JSON object could be decoded".
 */
static void report_12_a_missing_brace_is_told_by_its_place(void **state)
{
	assert_workload_error("{\n"
			      "    'tasks': {'pelt1': {'loop': 1, 'run': 8000}},\n"
			      "    'global': {\n"
			      "        'duration': -1\n"
			      "    }\n",
			      INPUT_ERROR_SYNTAX,
			      "line 6, column 1: expected ',' or '}', got the end of "
			      "the file");
}

/*
 * rt-app's own examples of 2014, which workload-automation still ships: "suspend"
 * without a value, which json-c refuses.
 */
static void report_14_a_key_without_value_is_told_by_its_place(void **state)
{
	assert_workload_error("{\n"
			      "'tasks': {'t': {\n"
			      "\t'loop': -1,\n"
			      "\t'suspend',\n"
			      "\t'run': 1500\n"
			      "}}}",
			      INPUT_ERROR_SYNTAX,
			      "line 4, column 11: expected ':' and a value after the "
			      "key \"suspend\", got ','");
}

/* Of the first @nr threads; those of operations come after. */
static void assert_groups(const simulation *s, const char *const *paths, int nr)
{
	assert_true(simulation_nr_tasks(s) >= nr);
	for (int i = 0; i < nr; i++) {
		const struct task *t = &simulation_task(s, i)->task;
		g_autofree char *path =
			t->sched_task_group->cgroup
				? cgroup_path(t->sched_task_group->cgroup)
				: g_strdup("/");

		assert_string_equal(path, paths[i]);
	}
}

static void second_of_three(const simulation *s)
{
	static const char *const paths[] = {"/", "/g", "/"};

	assert_groups(s, paths, 3);
}

static void all_three(const simulation *s)
{
	static const char *const paths[] = {"/g", "/g", "/g"};

	assert_groups(s, paths, 3);
}

static void run_and_inspect(const char *json, void (*inspect)(const simulation *s))
{
	struct scene sc = {.no_scheduling = true, .inspect = inspect};
	g_autoptr(GError) error = NULL;

	if (!scene_run_text(&sc, json, &error))
		fail_msg("%s", error->message);
	g_string_free(sc.log, TRUE);
}

/*
 * https://github.com/scheduler-tools/rt-app/pull/133: in cgroup v2 a thread's number
 * written to cgroup.procs moves its whole process.
 */
static void report_17_a_taskgroup_is_of_one_thread(void **state)
{
	run_and_inspect("{'duration': '10ms', 'machine': '1n1l1c1t', 'tasks': {"
			"'a': {'sleep': 100000}, "
			"'b': {'phases': {'p': {'taskgroup': '/g', 'sleep': 100000}}}, "
			"'c': {'sleep': 100000}}}",
			second_of_three);
}

#define ATTACH(what)                                                                   \
	"{'duration': '10ms', 'machine': '1n1l1c1t', 'cgroups': {'g': {}}, 'tasks': "  \
	"{'t': {'instance': 3, 'sleep': 100000}}, 'operations': [{'at': '5ms', "       \
	"'attach': {'path': '/g', 'task': '" what "'}}]}"

static void report_17_an_attach_is_of_a_thread_or_of_all(void **state)
{
	run_and_inspect(ATTACH("t-1"), second_of_three);
	run_and_inspect(ATTACH("t"), all_three);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(report_1_delay_in_a_phase_is_an_error),
		cmocka_unit_test(report_4_unique_timers_have_grids_of_their_own),
		cmocka_unit_test(report_4_instances_have_grids_of_their_own),
		cmocka_unit_test(report_4_a_timer_of_another_name_is_shared),
		cmocka_unit_test(report_7_run_is_work_and_runtime_is_time),
		cmocka_unit_test(report_11_each_part_has_its_pause),
		cmocka_unit_test(report_12_a_missing_brace_is_told_by_its_place),
		cmocka_unit_test(report_14_a_key_without_value_is_told_by_its_place),
		cmocka_unit_test(report_17_a_taskgroup_is_of_one_thread),
		cmocka_unit_test(report_17_an_attach_is_of_a_thread_or_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
