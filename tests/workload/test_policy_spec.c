/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies and what tasks of each ask for, by rt-app's keys and defaults.
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

/* SCHED_FIFO 1, SCHED_RR 2 */
static void a_real_time_task_has_a_priority(void **state)
{
	static const struct {
		const char *members;
		enum sched_policy policy;
		unsigned priority;
	} cases[] = {
		{"'policy': 'SCHED_FIFO', 'priority': 99, 'run': 1", POLICY_FIFO, 99},
		{"'policy': 'SCHED_RR', 'priority': 1, 'run': 1", POLICY_RR, 1},
		{"'policy': 'SCHED_RR', 'run': 1", POLICY_RR, 10},
		{"'policy': 'SCHED_OTHER', 'priority': 5, 'run': 1", POLICY_NORMAL, 0},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct workload_input in = workload_of_task(cases[i].members);
		const struct task_spec *t = &in.workload->tasks[0];

		assert_int_equal(t->policy, cases[i].policy);
		assert_int_equal(t->rt_priority, cases[i].priority);
		assert_int_equal(t->nice, cases[i].priority ? 0 : 5);
		workload_input_clear(&in);
	}
}

/* A policy brings rt-app's default priority, a priority keeps the policy. */
static void a_phase_may_change_the_priority(void **state)
{
	struct workload_input in = workload_of_task(
		"'loop': 1, 'policy': 'SCHED_RR', 'priority': 30, 'phases': {"
		"'a': {'run': 1}, 'b': {'priority': 20, 'run': 2}, "
		"'c': {'policy': 'SCHED_FIFO', 'run': 3}, "
		"'d': {'policy': 'SCHED_OTHER', 'priority': -3, 'run': 4}, "
		"'e': {'policy': 'SCHED_FIFO', 'priority': 50, 'run': 5}}");

	assert_program(&in, 0,
		       "run 1000\nsched 2 0 priority 20\nrun 2000\nsched 1 0 "
		       "priority 10\nrun 3000\nsched 0 -3\nrun 4000\nsched 1 0 "
		       "priority 50\nrun 5000\nexit");
	workload_input_clear(&in);
}

static void priorities_go_from_1_to_99(void **state)
{
	static const char *const cases[][2] = {
		{"'policy': 'SCHED_FIFO', 'priority': 0, 'run': 1",
		 "tasks.t.priority: expected a whole number from 1 to 99, got 0"},
		{"'policy': 'SCHED_RR', 'priority': 100, 'run': 1",
		 "tasks.t.priority: expected a whole number from 1 to 99, got 100"},
		{"'policy': 'SCHED_FIFO', 'phases': {'a': {'priority': -1, 'run': 1}}",
		 "tasks.t.phases.a.priority: expected a whole number from 1 to 99, got "
		 "-1"},
		{"'policy': 'SCHED_BATCH', 'priority': 20, 'run': 1",
		 "tasks.t.priority: expected a whole number from -20 to 19, got 20"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *json = g_strdup_printf(
			"{'duration': '1s', 'tasks': {'t': {%s}}}", cases[i][0]);

		assert_workload_error(json, INPUT_ERROR_VALUE, cases[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_real_time_task_has_a_priority),
		cmocka_unit_test(a_phase_may_change_the_priority),
		cmocka_unit_test(priorities_go_from_1_to_99),
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
