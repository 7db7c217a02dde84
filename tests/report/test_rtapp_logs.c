/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs in rt-app's format, character by character.  The head and the columns are what
 * rt-app 1.0 writes; the figures are worked out by hand for one CPU without costs.
 */
#include "test.h"

#include "report/rtapp_logs.h"
#include "schedsim/error.h"
#include "wakeup/registry.h"
#include "workload_text.h"

#include <glib/gstdio.h>
#include <string.h>

#define HEAD                                                                           \
	"#idx     perf      run   period           start             end          "    \
	"rel_st      slack c_duration   c_period     wu_lat\n"
#define OTHER "# Policy : SCHED_OTHER priority : 0\n"

struct fixture {
	char *folder; /* owned */
};

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->folder = g_dir_make_tmp(NULL, NULL);
	assert_non_null(f->folder);
	*state = f;
	return 0;
}

static void remove_all(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR))
			remove_all(path);
		g_remove(path);
	}
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	remove_all(f->folder);
	g_rmdir(f->folder);
	g_free(f->folder);
	g_free(f);
	return 0;
}

/* Runs @json with its logs in @folder. */
static bool run_in(const char *folder, const char *json, bool commit, GError **error)
{
	struct workload_input in = workload_of(json);
	struct wakeup_policy policy =
		wakeup_policy_complete(wakeup_policy_find("baseline"));
	rtapp_logs *logs = rtapp_logs_new(folder, in.workload, NULL);
	simulation *s;
	bool ok;

	in.spec.policy = &policy;
	in.spec.costs = (struct machine_costs){0};
	s = simulation_new(&in, 1, NULL, rtapp_logs_observer(logs));
	ok = rtapp_logs_open(logs, s, error) && simulation_run(s, error) &&
	     (!commit || rtapp_logs_commit(logs, error));
	simulation_free(s);
	rtapp_logs_free(logs);
	workload_input_clear(&in);
	return ok;
}

static void run(struct fixture *f, const char *json)
{
	g_autoptr(GError) error = NULL;

	if (!run_in(f->folder, json, true, &error))
		fail_msg("%s", error->message);
}

static void assert_log(struct fixture *f, const char *name, const char *expected)
{
	g_autofree char *path = g_build_filename(f->folder, name, NULL);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		fail_msg("expected the file %s", name);
	assert_string_equal(text, expected);
}

static int nr_files(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	int nr = 0;

	while (dir && g_dir_read_name(dir))
		nr++;
	return nr;
}

#define ONE_CPU "{'machine': '1n1l1c1t', "

/*
 * The first has the CPU until 1000 and from its timer at 10000 on; the second runs
 * from 1000 on and misses its timer's point at 5000.  A loop takes 10 ns.
 */
static void each_thread_has_a_log_of_its_turns(void **state)
{
	struct fixture *f = *state;

	run(f, ONE_CPU "'tasks': {"
		       "'a': {'policy': 'SCHED_FIFO', 'priority': 5, 'loop': 2, "
		       "'run': 1000, 'timer': {'ref': 'unique', 'period': 10000}}, "
		       "'b': {'loop': 1, 'phases': {"
		       "'p1': {'loop': 2, 'run': 2000, 'sleep': 1000}, "
		       "'p2': {'run': 500, 'timer': {'ref': 'x', 'period': 5000}}}}}, "
		       "'global': {'calibration': 10}}");
	assert_log(f, "rt-app-a-0.log",
		   "# Policy : SCHED_FIFO priority : 5\n" HEAD
		   "   0   100000     1000    10000               0           10000"
		   "               0       9000       1000      10000          0\n"
		   "   0   100000     1000    10000           10000           20000"
		   "           10000       9000       1000      10000          0\n");
	assert_log(f, "rt-app-b-1.log",
		   OTHER HEAD
		   "   1   200000     2000     3000            1000            4000"
		   "            1000          0       2000          0          0\n"
		   "   1   200000     2000     3000            4000            7000"
		   "            4000          0       2000          0          0\n"
		   "   1    50000      500      500            7000            7500"
		   "            7000      -2500        500       5000          0\n");
	assert_int_equal(nr_files(f->folder), 2);
}

/* rt-app's names: the thread's index, and after a fork the number of that fork. */
static void a_forked_thread_has_a_log_of_its_own(void **state)
{
	struct fixture *f = *state;

	run(f, ONE_CPU "'duration': '20ms', 'tasks': {"
		       "'a': {'loop': 1, 'run': 1000, 'fork': 'c', 'sleep1': 1000, "
		       "'fork1': 'c', 'sleep2': 50000}, "
		       "'c': {'instance': 0, 'loop': 1, 'phases': {'p': {'run': 100, "
		       "'sleep': 15000}, 'q': {'sleep': 9000}}}}}");
	assert_log(f, "rt-app-a-0.log", OTHER HEAD);
	assert_log(f, "rt-app-c-1-0000.log",
		   OTHER HEAD
		   "   1   100000      100    15100            1000           16100"
		   "            1000          0        100          0          0\n");
	assert_log(f, "rt-app-c-2-0001.log",
		   OTHER HEAD
		   "   2   100000      100    15100            2000           17100"
		   "            2000          0        100          0          0\n");
	assert_int_equal(nr_files(f->folder), 3);
}

/* It ended no turn. */
static void a_forked_thread_without_turns_has_a_log(void **state)
{
	struct fixture *f = *state;

	run(f, ONE_CPU "'duration': '5ms', 'tasks': {"
		       "'a': {'loop': 1, 'fork': 'c', 'sleep': 9000}, "
		       "'c': {'instance': 0, 'loop': 1, 'sleep': 9000}}}");
	assert_log(f, "rt-app-c-1-0000.log", OTHER HEAD);
}

/* Threads are numbered through, whatever their task; operations have no log. */
static void an_index_is_the_threads_own(void **state)
{
	struct fixture *f = *state;

	run(f, ONE_CPU "'duration': '5ms', "
		       "'cgroups': {'g': {}}, 'operations': [{'at': '1ms', 'write': "
		       "{'path': '/g', 'file': 'cpu.weight', 'value': 50}}], "
		       "'tasks': {'x': {'instance': 2, 'sleep': 10000}, "
		       "'y': {'policy': 'SCHED_OTHER', 'priority': -3, "
		       "'sleep': 10000}}, 'global': {'log_basename': 'my'}}");
	assert_log(f, "my-x-0.log", OTHER HEAD);
	assert_log(f, "my-x-1.log", OTHER HEAD);
	assert_log(f, "my-y-2.log", "# Policy : SCHED_OTHER priority : -3\n" HEAD);
	assert_int_equal(nr_files(f->folder), 3);
}

static void a_deadline_task_has_no_priority(void **state)
{
	struct fixture *f = *state;

	run(f, ONE_CPU "'tasks': {'d': {'policy': 'SCHED_DEADLINE', "
		       "'dl-runtime': 1000, 'dl-period': 10000, 'loop': 1, "
		       "'phases': {'p': {'sleep': 1000}}}}}");
	assert_log(f, "rt-app-d-0.log",
		   "# Policy : SCHED_DEADLINE\n" HEAD
		   "   0        0        0     1000               0            1000"
		   "               0          0          0          0          0\n");
}

#define TWO_TIMERS                                                                     \
	"'tasks': {'t': {'loop': 1, 'run': 1000, "                                     \
	"'timer0': {'ref': 'x', 'period': 2000}, "                                     \
	"'timer1': {'ref': 'y', 'period': 5000}}}"

/* 1000 before the first one's end and 3000 before the second one's. */
static void slack_adds_up_where_the_workload_says_so(void **state)
{
	struct fixture *f = *state;

	run(f, ONE_CPU TWO_TIMERS ", 'global': {'cumulative_slack': true, "
				  "'calibration': 'CPU0'}}");
	assert_log(f, "rt-app-t-0.log",
		   OTHER HEAD
		   "   0  1000000     1000     5000               0            5000"
		   "               0       4000       1000       7000          0\n");
	run(f, ONE_CPU TWO_TIMERS "}");
	assert_log(f, "rt-app-t-0.log",
		   OTHER HEAD
		   "   0  1000000     1000     5000               0            5000"
		   "               0       3000       1000       7000          0\n");
}

/* The low one's timer ends at 4000, and it runs at 5500.5: rounded away from 0. */
static void latencies_are_rounded_to_the_nearest_us(void **state)
{
	struct fixture *f = *state;

	run(f, ONE_CPU "'tasks': {"
		       "'low': {'policy': 'SCHED_FIFO', 'priority': 10, 'loop': 1, "
		       "'phases': {'p': {'run': 1000, "
		       "'timer': {'ref': 'unique', 'period': 4000}}, "
		       "'q': {'run': '499ns', 'timer': {'ref': 'unique', "
		       "'period': 1000}}}}, "
		       "'high': {'policy': 'SCHED_FIFO', 'priority': 20, "
		       "'delay': 3000, 'loop': 1, 'run': '2500500ns'}}}");
	assert_log(f, "rt-app-low-0.log",
		   "# Policy : SCHED_FIFO priority : 10\n" HEAD
		   "   0  1000000     1000     5501               0            5501"
		   "               0       3000       1000       4000       1501\n"
		   "   0      499        0        0            5501            5501"
		   "            5501       -501          0       1000          0\n");
}

/* The turn that ends with the warm-up counts, the one before does not. */
static void turns_of_the_warmup_are_left_out(void **state)
{
	struct fixture *f = *state;

	run(f, ONE_CPU "'warmup': '5ms', 'duration': '2ms', 'tasks': {'t': "
		       "{'run': 1000, 'sleep': 1500}}}");
	assert_log(f, "rt-app-t-0.log",
		   OTHER HEAD
		   "   0  1000000     1000     2500            2500            5000"
		   "            2500          0       1000          0          0\n");
}

static void logs_appear_when_the_run_is_over(void **state)
{
	struct fixture *f = *state;
	g_autofree char *deep = g_build_filename(f->folder, "a", "b", NULL);
	g_autoptr(GError) error = NULL;

	assert_true(run_in(deep, ONE_CPU TWO_TIMERS "}", false, &error));
	assert_int_equal(nr_files(deep), 0);
	assert_true(run_in(deep, ONE_CPU TWO_TIMERS "}", true, &error));
	assert_int_equal(nr_files(deep), 1);
}

static void names_that_no_file_can_have_are_refused(void **state)
{
	struct fixture *f = *state;
	GError *error = NULL;

	assert_false(run_in(f->folder,
			    ONE_CPU "'tasks': {'a/b': {'loop': 1, 'run': 1}}}", true,
			    &error));
	assert_error(
		error, INPUT_ERROR, INPUT_ERROR_VALUE,
		"--rtapp-logs: expected a task's name that a file's name can hold, "
		"got \"a/b\"");
	error = NULL;
	assert_false(run_in(f->folder,
			    ONE_CPU "'tasks': {'a': {'loop': 1, 'run': 1}}, "
				    "'global': {'log_basename': '../x'}}",
			    true, &error));
	assert_error(
		error, INPUT_ERROR, INPUT_ERROR_VALUE,
		"--rtapp-logs: expected a log_basename that a file's name can hold, "
		"got \"../x\"");
	assert_int_equal(nr_files(f->folder), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_thread_has_a_log_of_its_turns),
		TEST(a_forked_thread_has_a_log_of_its_own),
		TEST(a_forked_thread_without_turns_has_a_log),
		TEST(an_index_is_the_threads_own),
		TEST(a_deadline_task_has_no_priority),
		TEST(slack_adds_up_where_the_workload_says_so),
		TEST(latencies_are_rounded_to_the_nearest_us),
		TEST(turns_of_the_warmup_are_left_out),
		TEST(logs_appear_when_the_run_is_over),
		TEST(names_that_no_file_can_have_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
