/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rt-app's tasks compile to, and what is wrong with others.
 */
#include "workload/task_spec.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "test.h"
#include "workload_text.h"

static void assert_task_program(const char *members, const char *steps)
{
	struct workload_input in = workload_of_task(members);

	assert_program(&in, 0, steps);
	workload_input_clear(&in);
}

static void assert_task_error(const char *members, int code, const char *message)
{
	g_autofree char *json =
		g_strdup_printf("{'duration': '1s', 'tasks': {'t': {%s}}}", members);

	assert_workload_error(json, code, message);
}

static void a_task_without_loop_runs_for_ever(void **state)
{
	assert_task_program("'run': 20, 'sleep': 80",
			    "loop -1 to 3\nrun 20000\nsleep 80000\nloop_end 0\nexit");
}

static void a_loop_counts_the_single_phase(void **state)
{
	assert_task_program("'loop': 5, 'run': 20",
			    "loop 5 to 2\nrun 20000\nloop_end 0\nexit");
	assert_task_program("'loop': 1, 'run': 20", "run 20000\nexit");
	assert_task_program("'loop': -1, 'run': 20",
			    "loop -1 to 2\nrun 20000\nloop_end 0\nexit");
}

static void a_phase_runs_once_and_all_phases_for_ever(void **state)
{
	assert_task_program("'phases': {'a': {'run': 1}, 'b': {'loop': 3, 'sleep': 2}}",
			    "loop -1 to 5\nrun 1000\nloop 3 to 4\nsleep 2000\n"
			    "loop_end 2\nloop_end 0\nexit");
	assert_task_program("'loop': 1, 'phases': {'a': {'run': 1}}", "run 1000\nexit");
}

static void repeated_phases_and_events_run_in_the_order_written(void **state)
{
	assert_task_program("'loop': 1, 'phases': {'p': {'run': 1, 'sleep': 2, 'run': "
			    "3}, 'p': {'run': 4}}",
			    "run 1000\nsleep 2000\nrun 3000\nrun 4000\nexit");
}

static void a_step_knows_its_place(void **state)
{
	struct workload_input in = workload_of(
		"{'duration': '1s', 'tasks': {'a b': {'run': 1, 'run': 2}}}");
	const struct step *steps = in.workload->tasks[0].program.steps;

	assert_string_equal(steps[1].place, "tasks[\"a b\"].run");
	assert_string_equal(steps[2].place, "tasks[\"a b\"].run#2");
	workload_input_clear(&in);
}

static void suffixes_keep_keys_apart(void **state)
{
	assert_task_program("'loop': 1, 'run1': 1, 'run_b': 2, 'runtime0': 3, 'lock2': "
			    "'m', 'unlock-2': 'm'",
			    "run 1000\nrun 2000\nruntime 3000\nlock m\nunlock m\nexit");
}

static void timers_that_begin_with_unique_belong_to_a_task(void **state)
{
	struct workload_input in = workload_of(
		"{'duration': '1s', 'tasks': {"
		"'a': {'loop': 1, 'timer0': {'ref': 'unique', 'period': 10},"
		"      'timer1': {'ref': 'unique', 'period': 20},"
		"      'timer2': {'ref': 'tick', 'period': 30}},"
		"'b': {'loop': 1, 'timer0': {'ref': 'unique', 'period': 40},"
		"      'timer1': {'ref': 'tick', 'period': 50}}}}");

	assert_program(&in, 0, "timer 0 10000\ntimer 0 20000\ntimer 1 30000\nexit");
	assert_program(&in, 1, "timer 2 40000\ntimer 1 50000\nexit");
	assert_int_equal(in.workload->nr_timers, 3);
	assert_true(in.workload->timers[0].unique);
	assert_false(in.workload->timers[1].unique);
	assert_string_equal(in.workload->timers[1].name, "tick");
	assert_string_equal(in.workload->timers[2].name, "unique");
	workload_input_clear(&in);
}

static void one_absolute_event_makes_its_timer_absolute(void **state)
{
	assert_task_program(
		"'loop': 1, 'timer0': {'ref': 'unique', 'period': 10},"
		"'timer1': {'ref': 'unique', 'period': 10, 'mode': 'absolute'},"
		"'timer2': {'ref': 'other', 'period': 10, 'mode': 'relative'}",
		"timer 0 10000 absolute\ntimer 0 10000 absolute\ntimer 1 10000\nexit");
}

static void what_synchronises_is_found_by_name(void **state)
{
	assert_task_program(
		"'loop': 1, 'lock': 'm', 'wait': {'ref': 'q', 'mutex': 'm'}, 'sync': "
		"{'ref': 'q', 'mutex': 'n'}, 'unlock': 'm', 'signal': 'q', 'broad': "
		"'q', 'suspend': 'x', 'resume': 'x', 'yield': ''",
		"lock m\nwait q m\nsync q n\nunlock m\nsignal q\nbroadcast q\n"
		"lock x\nwait x x\nunlock x\nlock x\nbroadcast x\nunlock "
		"x\nyield\nexit");
}

static void a_barrier_is_a_counter_a_mutex_and_a_condition(void **state)
{
	/* 0 lock, 1 barrier, 2 broadcast, 3 jump, 4 wait, 5 leave, 6 unlock */
	assert_task_program("'loop': 1, 'barrier1': 'b'",
			    "lock barrier\001b\nbarrier b to 4\nbroadcast "
			    "barrier\001b\njump 6\nwait barrier\001b "
			    "barrier\001b\nleave b\nunlock barrier\001b\nexit");
}

static void each_instance_of_each_event_is_a_user_of_its_barrier(void **state)
{
	struct workload_input in = workload_of(
		"{'duration': '1s', 'tasks': {'a': {'instance': 3, 'barrier': 'x', "
		"'run': 1, 'barrier2': 'x'}, 'b': {'barrier': 'y', 'barrier2': 'x'}}}");

	assert_int_equal(in.workload->nr_barriers, 2);
	assert_string_equal(in.workload->barriers[0].name, "x");
	assert_int_equal(in.workload->barriers[0].users, 7);
	assert_int_equal(in.workload->barriers[1].users, 1);
	workload_input_clear(&in);
}

static void a_fork_may_name_a_task_that_follows(void **state)
{
	struct workload_input in = workload_of(
		"{'duration': '1s', 'tasks': {'a': {'loop': 1, 'fork': 'b'}, 'b': "
		"{'instance': 0, 'run': 1}}}");

	assert_program(&in, 0, "fork b\nexit");
	assert_true(in.workload->tasks[1].is_forked);
	workload_input_clear(&in);
	assert_task_error("'fork': 'x', 'run': 1", INPUT_ERROR_VALUE,
			  "tasks.t.fork: expected a task of the file, got \"x\"");
}

static void mem_and_iorun_take_bytes(void **state)
{
	assert_task_program("'loop': 1, 'mem': 4096, 'iorun_b': 0",
			    "mem 4096\niorun 0\nexit");
	assert_task_program("'mem': 1", "loop -1 to 2\nmem 1\nloop_end 0\nexit");
}

static void names_that_are_missing_are_rt_app_s(void **state)
{
	assert_task_program("'loop': 1, 'wait': {}, 'timer': {'period': 1}",
			    "wait unknown unknown\ntimer 0 1000\nexit");
	assert_workload_warnings(
		"{'tasks': {'t': {'loop': 1, 'wait': {'mutex': 'm'}}}}",
		"tasks.t.wait: \"ref\" is missing: taken for \"unknown\", as rt-app "
		"does");
}

static void nodes_must_be_there(void **state)
{
	assert_task_program("'loop': 1, 'nodes_membind': [0], 'run': 1",
			    "run 1000\nexit");
	assert_workload_warnings(
		"{'machine': '2n1l1c1t', 'tasks': {'t': {'loop': 1, 'phases': {'a': "
		"{'nodes_membind': [0, 1], 'run': 1}}}}}",
		"tasks.t.phases.a.nodes_membind: without meaning here, as memory has "
		"no "
		"place");
	assert_task_error("'run': 1, 'nodes_membind': [1]", INPUT_ERROR_VALUE,
			  "tasks.t.nodes_membind[0]: expected a whole number from 0 to "
			  "0, got 1");
	assert_task_error("'run': 1, 'nodes_membind': 0", INPUT_ERROR_VALUE,
			  "tasks.t.nodes_membind: expected an array of nodes, got 0");
}

static void the_words_of_old_files_are_named(void **state)
{
	assert_task_error("'exec': 1000, 'period': 5000, 'deadline': 5000",
			  INPUT_ERROR_VALUE,
			  "tasks.t: expected at least one event, got none: \"exec\", "
			  "\"period\" and \"lock_order\" are of rt-app of before 2015; "
			  "today's has \"run\", \"timer\" and \"lock\"");
	assert_task_error("'exec': 1000, 'lock_order': [0, 1]", INPUT_ERROR_VALUE,
			  "tasks.t.lock_order: expected a mutex's name, as today's "
			  "rt-app does, not the list of rt-app of before 2015, got an "
			  "array");
}

static void suspend_without_a_name_is_the_task_s_own(void **state)
{
	assert_task_program("'loop': 1, 'suspend': ''",
			    "lock t\nwait t t\nunlock t\nexit");
}

static void settings_of_a_task_are_kept(void **state)
{
	struct workload_input in = workload_of(
		"{'duration': '1s', 'global': {'default_policy': 'SCHED_BATCH'},"
		"'tasks': {'a': {'instance': 3, 'priority': -20, 'delay': 5, "
		"'short_below': '2ms', 'wakee_flips': 18, 'run': 1}, 'b': {'policy': "
		"'SCHED_IDLE', 'run': "
		"1}}}");
	const struct task_spec *a = &in.workload->tasks[0];

	assert_string_equal(a->name, "a");
	assert_int_equal(a->instances, 3);
	assert_int_equal(a->policy, POLICY_BATCH);
	assert_int_equal(a->nice, -20);
	assert_int_equal(a->delay_ns, 5 * NSEC_PER_USEC);
	assert_int_equal(a->short_below_ns, 2 * NSEC_PER_MSEC);
	assert_int_equal(a->wakee_flips, 18);
	assert_true(cpumask_empty(&a->cpus));
	assert_int_equal(in.workload->tasks[1].wakee_flips, 0);
	assert_int_equal(in.workload->tasks[1].instances, 1);
	assert_int_equal(in.workload->tasks[1].policy, POLICY_IDLE);
	workload_input_clear(&in);
}

static void cpus_of_a_phase_hold_for_it_alone(void **state)
{
	assert_task_program("'loop': 1, 'cpus': [4], 'phases': {'a': {'cpus': [0, 1], "
			    "'loop': 2, 'run': 1}, 'b': {'run': 2}}",
			    "cpus 0-1\nloop 2 to 3\nrun 1000\nloop_end 1\ncpus 4\nrun "
			    "2000\nexit");
	assert_task_program("'loop': 1, 'phases': {'a': {'cpus': [0], 'run': 1}, 'b': "
			    "{'run': 2}}",
			    "cpus 0\nrun 1000\ncpus 0-7\nrun 2000\nexit");
	assert_task_program("'loop': 1, 'cpus': [4], 'phases': {'a': {'run': 1}}",
			    "run 1000\nexit");
}

/* SCHED_OTHER 0, SCHED_BATCH 3, SCHED_IDLE 5 */
static void policy_of_a_phase_holds_until_it_changes(void **state)
{
	assert_task_program(
		"'loop': 1, 'priority': 3, 'phases': {'a': {'priority': 5, 'run': 1}, "
		"'b': {'run': 1}, 'c': {'policy': 'SCHED_BATCH', 'run': 1}, 'd': "
		"{'priority': -1, 'run': 1}}",
		"sched 0 5\nrun 1000\nrun 1000\nsched 3 0\nrun 1000\nsched 3 -1\nrun "
		"1000\nexit");
}

static void endless_loops_without_time_are_refused(void **state)
{
#define NO_TIME                                                                        \
	"expected an endless loop that runs, sleeps or waits, got one that never "     \
	"lets "                                                                        \
	"time pass"
	assert_task_error("'yield': '', 'run': 0, 'lock': 'm', 'unlock': 'm'",
			  INPUT_ERROR_VALUE, "tasks.t: " NO_TIME);
	assert_task_error("'resume': 'x', 'sleep': {'list': [0, 0]}", INPUT_ERROR_VALUE,
			  "tasks.t: " NO_TIME);
	assert_task_error("'timer': {'ref': 'x', 'period': 0}", INPUT_ERROR_VALUE,
			  "tasks.t: " NO_TIME);
	assert_task_error("'phases': {'a': {'loop': 3, 'signal': 'x'}, 'b': {'run': "
			  "{'uniform': [0, 0]}}}",
			  INPUT_ERROR_VALUE, "tasks.t: " NO_TIME);
	assert_task_error("'loop': 1, 'phases': {'a': {'loop': -1, 'yield': ''}, 'b': "
			  "{'run': 1}}",
			  INPUT_ERROR_VALUE, "tasks.t.phases.a: " NO_TIME);
	assert_workload_warnings("{'duration': '1s', 'tasks': {'t': {'run': "
				 "{'uniform': [0, 1]}}}}",
				 "");
	assert_task_program(
		"'suspend': ''",
		"loop -1 to 4\nlock t\nwait t t\nunlock t\nloop_end 0\nexit");
	assert_task_program("'loop': 9, 'yield': ''",
			    "loop 9 to 2\nyield\nloop_end 0\nexit");
}

static void forms_of_tasks_and_phases_are_checked(void **state)
{
	static const char *const cases[][2] = {
		{"'loop': 1", "tasks.t: expected at least one event, got none"},
		{"'loop': 0, 'run': 1",
		 "tasks.t.loop: expected -1 (for ever) or at least 1, got 0"},
		{"'loop': -2, 'run': 1",
		 "tasks.t.loop: expected a whole number from -1 "
		 "to 2147483647, got -2"},
		{"'runn': 1, 'prority': 1",
		 "tasks.t: expected a known key, got \"prority\"; the nearest is "
		 "\"priority\""},
		{"'loop': 1, 'run': 1, 'loop': 2",
		 "tasks.t: expected the key \"loop\" once, got it again"},
		{"'phases': []",
		 "tasks.t.phases: expected an object of at least one phase, got an "
		 "empty array"},
		{"'phases': {}",
		 "tasks.t.phases: expected an object of at least one phase, got an "
		 "empty object"},
		{"'phases': {'a': 1}",
		 "tasks.t.phases.a: expected an object of events, got 1"},
		{"'phases': {'a': {'run': 1}}, 'run': 1",
		 "tasks.t.run: expected events inside \"phases\" only, got one beside "
		 "it"},
		{"'phases': {'a': {'run': 1}, 'a': {'loop': 2}}",
		 "tasks.t.phases.a#2: expected at least one event, got none"},
		{"'phases': {'a': {'delay': 1, 'run': 1}}",
		 "tasks.t.phases.a.delay: expected \"sleep\" in a phase, for \"delay\" "
		 "is a task's key"},
		{"'phases': {'a': {'instance': 1, 'run': 1}}",
		 "tasks.t.phases.a.instance: expected a phase's key, got a task's"},
		{"'phases': {'a': {'lop': 1, 'run': 1}}",
		 "tasks.t.phases.a: expected a known key, got \"lop\"; the nearest is "
		 "\"loop\""},
		{"'policy': 'FIFO', 'run': 1",
		 "tasks.t.policy: expected \"SCHED_OTHER\", \"SCHED_BATCH\", "
		 "\"SCHED_IDLE\", \"SCHED_FIFO\", \"SCHED_RR\" or \"SCHED_DEADLINE\", "
		 "got \"FIFO\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_task_error(cases[i][0], INPUT_ERROR_VALUE, cases[i][1]);
}

static void forms_of_events_are_checked(void **state)
{
	static const char *const cases[][2] = {
		{"'lock': [0]", "tasks.t.lock: expected a mutex's name, got an array"},
		{"'unlock': ''", "tasks.t.unlock: expected a mutex's name, got \"\""},
		{"'signal': 1", "tasks.t.signal: expected a condition's name, got 1"},
		{"'resume': ''", "tasks.t.resume: expected a task's name, got \"\""},
		{"'suspend': null", "tasks.t.suspend: expected a string, got null"},
		{"'yield': {}", "tasks.t.yield: expected \"\", got an empty object"},
		{"'wait': 'q'", "tasks.t.wait: expected an object, got \"q\""},
		{"'sync': {'ref': 'q', 'mutex': 1}",
		 "tasks.t.sync.mutex: expected a mutex's name, got 1"},
		{"'sync': {'ref': '', 'mutex': 'm'}",
		 "tasks.t.sync.ref: expected a condition's name, got \"\""},
		{"'timer': {'ref': 'x'}", "tasks.t.timer: expected the key \"period\""},
		{"'timer': {'ref': 'x', 'period': 1, 'mode': 'abs'}",
		 "tasks.t.timer.mode: expected \"relative\" or \"absolute\", got "
		 "\"abs\""},
		{"'timer': {'ref': 'x', 'perod': 1}",
		 "tasks.t.timer: expected a known key, got \"perod\"; the nearest is "
		 "\"period\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_task_error(cases[i][0], INPUT_ERROR_VALUE, cases[i][1]);
}

static void clamps_are_a_tasks_or_a_phases(void **state)
{
	struct workload_input in = workload_of_task(
		"'loop': 1, 'util_min': 300, 'util_max': 800, 'phases': {'a': {'run': "
		"1}, 'b': {'util_min': -1, 'run': 1}, 'c': {'util_max': 200, "
		"'util_min':"
		" 100, 'run': 1}}");
	const struct clamp_setting *clamps = &in.workload->tasks[0].clamps;

	assert_true(clamps->set_min && clamps->set_max);
	assert_int_equal(clamps->util_min, 300);
	assert_int_equal(clamps->util_max, 800);
	assert_program(&in, 0,
		       "run 1000\nclamps min -1\nrun 1000\nclamps min 100 max 200\n"
		       "run 1000\nexit");
	workload_input_clear(&in);
}

static void without_keys_no_clamps_are_set(void **state)
{
	struct workload_input in = workload_of_task("'run': 1");

	assert_false(in.workload->tasks[0].clamps.set_min);
	assert_false(in.workload->tasks[0].clamps.set_max);
	workload_input_clear(&in);
}

static void clamps_out_of_range_are_refused(void **state)
{
	static const char *const cases[][2] = {
		{"'util_min': 1025, 'run': 1",
		 "tasks.t.util_min: expected a whole number from -1 to 1024, got 1025"},
		{"'util_max': -2, 'run': 1",
		 "tasks.t.util_max: expected a whole number from -1 to 1024, got -2"},
		{"'util_min': 600, 'util_max': 200, 'run': 1",
		 "tasks.t.util_min: expected at most util_max, 200, got 600"},
		{"'phases': {'a': {'util_min': 600, 'util_max': 200, 'run': 1}}",
		 "tasks.t.phases.a.util_min: expected at most util_max, 200, got 600"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_task_error(cases[i][0], INPUT_ERROR_VALUE, cases[i][1]);
}

static void a_deadline_task_has_no_clamps(void **state)
{
	struct workload_input in = workload_of_task(
		"'policy': 'SCHED_DEADLINE', 'dl-runtime': 1000, 'dl-period': 10000, "
		"'util_min': 600, 'run': 1");

	assert_false(in.workload->tasks[0].clamps.set_min);
	assert_string_equal(in.workload->warnings->pdata[0],
			    "tasks.t.util_min: ignored, as rt-app does for "
			    "SCHED_DEADLINE");
	workload_input_clear(&in);
}

static void a_default_policy_is_for_tasks_without_one(void **state)
{
	struct workload_input in = workload_of(
		"{'duration': '1s', 'global': {'default_policy': 'SCHED_FIFO'}, "
		"'tasks': {'a': {'policy': 'SCHED_OTHER', 'run': 1}, 'b': {'run': "
		"1}}}");

	assert_int_equal(in.workload->tasks[0].policy, POLICY_NORMAL);
	assert_int_equal(in.workload->tasks[0].rt_priority, 0);
	assert_int_equal(in.workload->tasks[1].policy, POLICY_FIFO);
	assert_int_equal(in.workload->tasks[1].rt_priority, 10);
	workload_input_clear(&in);
}

static void tasks_have_distinct_names_and_a_bounded_number(void **state)
{
	assert_workload_error("{'duration': '1s', 'tasks': {'a': {'run': 1}, 'a': "
			      "{'run': 1}}}",
			      INPUT_ERROR_VALUE,
			      "tasks: expected the key \"a\" once, got it again");
	assert_workload_error("{'duration': '1s', 'tasks': {'a': {'instance': 60000, "
			      "'run': 1}, 'b': {'instance': 60000, 'run': 1}}}",
			      INPUT_ERROR_VALUE,
			      "tasks.b: expected at most 100000 threads in all, got "
			      "120000");
	assert_workload_error("{'duration': '1s', 'tasks': {'': {'run': 1}}}",
			      INPUT_ERROR_VALUE,
			      "tasks[\"\"]: expected a task's name, got \"\"");
	assert_workload_error("{'duration': '1s', 'tasks': {}}", INPUT_ERROR_VALUE,
			      "tasks: expected an object of at least one task, got an "
			      "empty object");
}

static void doubtful_keys_are_warned_of(void **state)
{
	assert_workload_warnings(
		"{'duration': '1s', 'tasks': {'t': {'exec': 1, 'period': 2, 'runtme': "
		"3, 'sleep': 4, 'sleep': 5}}}",
		"1 repeated key: all run in the order written, where json-c would keep "
		"the last of a name only\n"
		"tasks.t.exec: ignored, as rt-app does\n"
		"tasks.t.period: ignored, as rt-app does\n"
		"tasks.t.runtme: taken for \"run\", as rt-app does with any key that "
		"starts so");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_without_loop_runs_for_ever),
		cmocka_unit_test(a_loop_counts_the_single_phase),
		cmocka_unit_test(a_phase_runs_once_and_all_phases_for_ever),
		cmocka_unit_test(repeated_phases_and_events_run_in_the_order_written),
		cmocka_unit_test(a_step_knows_its_place),
		cmocka_unit_test(suffixes_keep_keys_apart),
		cmocka_unit_test(timers_that_begin_with_unique_belong_to_a_task),
		cmocka_unit_test(one_absolute_event_makes_its_timer_absolute),
		cmocka_unit_test(what_synchronises_is_found_by_name),
		cmocka_unit_test(a_barrier_is_a_counter_a_mutex_and_a_condition),
		cmocka_unit_test(each_instance_of_each_event_is_a_user_of_its_barrier),
		cmocka_unit_test(a_fork_may_name_a_task_that_follows),
		cmocka_unit_test(mem_and_iorun_take_bytes),
		cmocka_unit_test(names_that_are_missing_are_rt_app_s),
		cmocka_unit_test(nodes_must_be_there),
		cmocka_unit_test(the_words_of_old_files_are_named),
		cmocka_unit_test(suspend_without_a_name_is_the_task_s_own),
		cmocka_unit_test(settings_of_a_task_are_kept),
		cmocka_unit_test(cpus_of_a_phase_hold_for_it_alone),
		cmocka_unit_test(policy_of_a_phase_holds_until_it_changes),
		cmocka_unit_test(endless_loops_without_time_are_refused),
		cmocka_unit_test(forms_of_tasks_and_phases_are_checked),
		cmocka_unit_test(forms_of_events_are_checked),
		cmocka_unit_test(clamps_are_a_tasks_or_a_phases),
		cmocka_unit_test(without_keys_no_clamps_are_set),
		cmocka_unit_test(clamps_out_of_range_are_refused),
		cmocka_unit_test(a_deadline_task_has_no_clamps),
		cmocka_unit_test(a_default_policy_is_for_tasks_without_one),
		cmocka_unit_test(tasks_have_distinct_names_and_a_bounded_number),
		cmocka_unit_test(doubtful_keys_are_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
