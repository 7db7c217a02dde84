/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What deadline tasks ask for, by rt-app's keys and defaults.
 */
#include "schedsim/error.h"
#include "test.h"
#include "workload_text.h"

/* Of task `t` with these members, whose policy is SCHED_DEADLINE. */
static void assert_steps(const char *members, const char *steps)
{
	g_autofree char *all =
		g_strconcat("'policy': 'SCHED_DEADLINE', 'loop': 1, ", members, NULL);
	struct workload_input in = workload_of_task(all);

	assert_program(&in, 0, steps);
	/* It begins as whoever creates it. */
	assert_int_equal(in.workload->tasks[0].policy, POLICY_NORMAL);
	assert_true(cpumask_empty(&in.workload->tasks[0].cpus));
	workload_input_clear(&in);
}

static void the_figures_are_asked_for_first(void **state)
{
	assert_steps("'dl-runtime': 10, 'dl-period': 30, 'dl-deadline': 20, 'run': 1",
		     "sched 6 0 runtime 10 deadline 20 period 30\nrun 1000\nexit");
}

static void the_deadline_is_the_period(void **state)
{
	assert_steps("'dl-runtime': 10, 'dl-period': 30, 'run': 1",
		     "sched 6 0 runtime 10 deadline 30 period 30\nrun 1000\nexit");
}

static void the_period_is_the_runtime(void **state)
{
	assert_steps("'dl-runtime': 10, 'dl-deadline': 30, 'run': 1",
		     "sched 6 0 runtime 10 deadline 30 period 10\nrun 1000\nexit");
	assert_steps("'dl-runtime': 10, 'run': 1",
		     "sched 6 0 runtime 10 deadline 10 period 10\nrun 1000\nexit");
}

static void without_figures_all_are_0(void **state)
{
	assert_steps("'run': 1",
		     "sched 6 0 runtime 0 deadline 0 period 0\nrun 1000\nexit");
}

static void times_may_carry_their_unit(void **state)
{
	assert_steps("'dl-runtime': '10ms', 'dl-period': '0.1s', 'run': 1",
		     "sched 6 0 runtime 10000 deadline 100000 period 100000\nrun "
		     "1000\nexit");
}

/* Of a task, not of a phase; "runtime" beside events is an event too. */
static void older_names_stand_in_for_what_is_missing(void **state)
{
	assert_steps("'runtime': 10, 'period': 30, 'deadline': 20",
		     "sched 6 0 runtime 10 deadline 20 period 30\nruntime 10000\nexit");
	assert_steps("'dl-runtime': 10, 'dl-period': 30, 'runtime': 11, 'period': 31",
		     "sched 6 0 runtime 10 deadline 30 period 30\nruntime 11000\nexit");
	assert_steps("'runtime': 10, 'period': 30, 'phases': {'a': {'run': 1}}",
		     "sched 6 0 runtime 10 deadline 30 period 30\nrun 1000\nexit");
}

static void the_default_policy_counts(void **state)
{
	struct workload_input in =
		workload_of("{'duration': '1s', 'global': {'default_policy': "
			    "'SCHED_DEADLINE'}, 'tasks': {'t': {'dl-runtime': 10, "
			    "'dl-period': 20, 'loop': 1, 'run': 1}}}");

	assert_program(&in, 0,
		       "sched 6 0 runtime 10 deadline 20 period 20\nrun 1000\nexit");
	workload_input_clear(&in);
}

/* rt-app asks for the reservation before the CPUs. */
static void cpus_follow_the_reservation(void **state)
{
	assert_steps("'dl-runtime': 10, 'cpus': [1], 'run': 1",
		     "sched 6 0 runtime 10 deadline 10 period 10\ncpus 1\nrun "
		     "1000\nexit");
	assert_steps("'dl-runtime': 10, 'cpus': [1], 'phases': {'a': {'cpus': [2], "
		     "'run': 1}, 'b': {'run': 2}}",
		     "sched 6 0 runtime 10 deadline 10 period 10\ncpus 2\nrun "
		     "1000\ncpus 1\nrun 2000\nexit");
}

static void a_phase_may_change_the_figures(void **state)
{
	assert_steps(
		"'dl-runtime': 10, 'phases': {'a': {'run': 1}, 'b': {'dl-runtime': "
		"20, 'dl-period': 30, 'run': 2}}",
		"sched 6 0 runtime 10 deadline 10 period 10\nrun 1000\nsched 6 0 "
		"runtime 20 deadline 30 period 30\nrun 2000\nexit");
}

static void a_phase_may_come_to_the_class_and_leave_it(void **state)
{
	struct workload_input in = workload_of_task(
		"'loop': 1, 'phases': {'a': {'policy': 'SCHED_DEADLINE', 'dl-runtime': "
		"10, 'run': 1}, 'b': {'policy': 'SCHED_OTHER', 'run': 2}}");

	assert_program(&in, 0,
		       "sched 6 0 runtime 10 deadline 10 period 10\nrun 1000\nsched 0 "
		       "0\nrun 2000\nexit");
	workload_input_clear(&in);
}

static void reclaiming_is_taken_and_warned_of(void **state)
{
	assert_steps("'dl-runtime': 10, 'dl-reclaim': true, 'run': 1",
		     "sched 6 0 runtime 10 deadline 10 period 10 reclaim\nrun "
		     "1000\nexit");
	assert_workload_warnings(
		"{'duration': '1s', 'tasks': {'t': {'policy': 'SCHED_DEADLINE', "
		"'dl-reclaim': false, 'run': 1}}}",
		"tasks.t.dl-reclaim: taken as SCHED_FLAG_RECLAIM, which today's rt-app "
		"does not set");
}

static void what_has_no_meaning_is_warned_of(void **state)
{
	assert_workload_warnings(
		"{'duration': '1s', 'tasks': {'t': {'dl-runtime': 1, 'dl-period': 2, "
		"'run': 1}}}",
		"tasks.t.dl-runtime: ignored, for the policy is not SCHED_DEADLINE\n"
		"tasks.t.dl-period: ignored, for the policy is not SCHED_DEADLINE");
	assert_workload_warnings(
		"{'duration': '1s', 'tasks': {'t': {'phases': {'a': {'dl-deadline': 1, "
		"'run': 1}}}}}",
		"tasks.t.phases.a.dl-deadline: ignored, for the policy is not "
		"SCHED_DEADLINE");
	assert_workload_warnings(
		"{'duration': '1s', 'tasks': {'t': {'policy': 'SCHED_DEADLINE', "
		"'priority': 50, 'dl-runtime': 10, 'run': 1}}}",
		"tasks.t.priority: ignored, for SCHED_DEADLINE has none");
}

static void figures_are_times(void **state)
{
	assert_workload_error(
		"{'duration': '1s', 'tasks': {'t': {'policy': 'SCHED_DEADLINE', "
		"'dl-runtime': -1, 'run': 1}}}",
		INPUT_ERROR_VALUE,
		"tasks.t.dl-runtime: expected a time of 0 or more, got -1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_figures_are_asked_for_first),
		cmocka_unit_test(the_deadline_is_the_period),
		cmocka_unit_test(the_period_is_the_runtime),
		cmocka_unit_test(without_figures_all_are_0),
		cmocka_unit_test(times_may_carry_their_unit),
		cmocka_unit_test(older_names_stand_in_for_what_is_missing),
		cmocka_unit_test(the_default_policy_counts),
		cmocka_unit_test(cpus_follow_the_reservation),
		cmocka_unit_test(a_phase_may_change_the_figures),
		cmocka_unit_test(a_phase_may_come_to_the_class_and_leave_it),
		cmocka_unit_test(reclaiming_is_taken_and_warned_of),
		cmocka_unit_test(what_has_no_meaning_is_warned_of),
		cmocka_unit_test(figures_are_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
