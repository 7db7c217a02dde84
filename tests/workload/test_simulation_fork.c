/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that others create while the run goes on, as rt-app's fork does.  Their
 * creation is no wakeup of the log.
 */
#include "schedsim/error.h"
#include "test.h"
#include "workload_scene.h"

#include <errno.h>

/* c begins on the CPU of a, behind it, and goes to its own when it runs. */
static void a_forked_thread_begins_with_the_cpus_of_its_creator(void **state)
{
	scene_expect_text(
		"{'machine': '1n1l2c1t', 'tasks': {'a': {'cpus': [0], 'loop': 1, "
		"'run': "
		"1000, 'fork': 'c', 'run2': 1000}, 'c': {'instance': 0, 'cpus': [1], "
		"'loop': 1, 'run': 2000}}}",
		"0 cpu0 idle>a-0\n"
		"2000 cpu0 a-0>c-0\n"
		"2000 cpu0 c-0>stop\n"
		"2000 cpu0 stop>idle\n"
		"2000 cpu1 idle>c-0\n"
		"4000 cpu1 c-0>idle\n");
}

static void without_cpus_of_its_own_it_keeps_them(void **state)
{
	scene_expect_text(
		"{'machine': '1n1l2c1t', 'tasks': {'a': {'cpus': [0], 'loop': 1, "
		"'run': "
		"1000, 'fork': 'c', 'run2': 1000}, 'c': {'instance': 0, 'loop': 1, "
		"'run': 2000}}}",
		"0 cpu0 idle>a-0\n"
		"2000 cpu0 a-0>c-0\n"
		"4000 cpu0 c-0>idle\n");
}

/* As long as it has priority 10 c goes ahead of b; then it is of SCHED_OTHER. */
static void it_begins_with_the_policy_of_its_creator(void **state)
{
	scene_expect_text(
		"{'machine': '1n1l1c1t', 'duration': '3ms', 'tasks': {'a': {'policy': "
		"'SCHED_FIFO', 'loop': 1, 'run': 1000, 'fork': 'c', 'run2': 1000}, "
		"'b': "
		"{'policy': 'SCHED_FIFO', 'priority': 5, 'run': 10000}, 'c': "
		"{'instance': 0, 'run': 1000}}}",
		"0 cpu0 idle>a-0\n"
		"2000 cpu0 a-0>c-0\n"
		"2000 cpu0 c-0>b-0\n");
}

/* CPU 0 has 400 of 1024.  c wishes nothing; the 600 that a wishes keep it off CPU 0. */
static void it_keeps_the_clamps_of_its_creator(void **state)
{
	scene_expect_text(
		"{'machine': {'topology': '1n1l2c1t', 'capacities': {'0': 400}}, "
		"'tasks': {'a': {'cpus': [1], 'loop': 1, "
		"'util_min': 600, 'run': 1000, 'fork': 'c'}, 'c': {'instance': 0, "
		"'loop': 1, 'phases': {'bound': {'cpus': [0], 'runtime': 1000, "
		"'sleep': 1000}, 'free': {'cpus': [0, 1], 'runtime': 1000, 'sleep': "
		"1000, 'runtime2': 1000}}}}}",
		"0 cpu1 idle>a-0\n"
		"1000 cpu1 a-0>c-0\n"
		"1000 cpu1 c-0>stop\n"
		"1000 cpu1 stop>idle\n"
		"1000 cpu0 idle>c-0\n"
		"2000 cpu0 c-0>idle\n"
		"3000 +c-0\n"
		"3000 cpu0 idle>c-0\n"
		"4000 cpu0 c-0>idle\n"
		"5000 +c-0\n"
		"5000 cpu1 idle>c-0\n"
		"6000 cpu1 c-0>idle\n");
}

static void its_timers_count_from_the_start_of_the_program(void **state)
{
	scene_expect_text(
		"{'machine': '1n1l1c1t', 'tasks': {'a': {'loop': 1, 'run': 2000, "
		"'fork': "
		"'c'}, 'c': {'instance': 0, 'loop': 1, 'timer': {'ref': 'unique', "
		"'period': 3000}, 'run': 1000}}}",
		"0 cpu0 idle>a-0\n"
		"2000 cpu0 a-0>c-0\n"
		"2000 c-0 timer 1000\n"
		"2000 cpu0 c-0>idle\n"
		"3000 +c-0\n"
		"3000 cpu0 idle>c-0\n"
		"4000 cpu0 c-0>idle\n");
}

/* A new thread lies its share of 6 ms of vruntime behind: 3 ms of two, 2 ms of three.
 */
static void so_does_its_delay(void **state)
{
	scene_expect_text(
		"{'machine': '1n1l1c1t', 'tasks': {'a': {'loop': 1, 'run': 2000, "
		"'fork': "
		"'late', 'fork2': 'over'}, 'late': {'instance': 0, 'delay': 5000, "
		"'loop': 1, 'run': 1000}, 'over': {'instance': 0, 'delay': 1000, "
		"'loop': "
		"1, 'run': 1000}}}",
		"0 cpu0 idle>a-0\n"
		"2000 cpu0 a-0>over-0\n"
		"3000 cpu0 over-0>late-0\n"
		"3000 cpu0 late-0>idle\n"
		"5000 +late-0\n"
		"5000 cpu0 idle>late-0\n"
		"6000 cpu0 late-0>idle\n");
}

/*
 * c-1 and c-2 come from SCHED_FIFO without vruntime of their own: one after the other,
 * and both before c-0, which was put 6 ms behind.
 */
static void each_has_a_number_of_its_own(void **state)
{
	scene_expect_text(
		"{'machine': '1n1l1c1t', 'tasks': {'c': {'loop': 1, 'run': 1000}, 'a': "
		"{'policy': 'SCHED_FIFO', 'loop': 2, 'fork': 'c', 'run': 1000}}}",
		"0 cpu0 idle>a-0\n"
		"1000 a-0 active\n"
		"2000 a-0 active\n"
		"2000 cpu0 a-0>c-1\n"
		"2000 cpu0 c-1>c-2\n"
		"2000 cpu0 c-2>c-1\n"
		"3000 cpu0 c-1>c-2\n"
		"4000 cpu0 c-2>c-0\n"
		"5000 cpu0 c-0>idle\n");
}

static void too_many_are_a_loop(void **state)
{
	scene_expect_text_error(
		"{'duration': '1s', 'tasks': {'a': {'fork': 'c', 'run': 1}, 'c': "
		"{'instance': 0, 'loop': 1, 'run': 0}}}",
		INPUT_ERROR_VALUE,
		"tasks.a.fork: expected at most 1024 forks of a task, as in rt-app, "
		"got one more");
}

static void a_deadline_task_creates_none(void **state)
{
	scene_expect_text_error(
		"{'machine': '1n1l1c1t', 'tasks': {'a': {'policy': 'SCHED_DEADLINE', "
		"'dl-runtime': 4000, 'dl-period': 10000, 'loop': 1, 'fork': 'c'}, 'c': "
		"{'instance': 0, 'loop': 1, 'run': 1}}}",
		EAGAIN, "tasks.a.fork: pthread_create() of a-0: EAGAIN");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_forked_thread_begins_with_the_cpus_of_its_creator),
		cmocka_unit_test(without_cpus_of_its_own_it_keeps_them),
		cmocka_unit_test(it_begins_with_the_policy_of_its_creator),
		cmocka_unit_test(it_keeps_the_clamps_of_its_creator),
		cmocka_unit_test(its_timers_count_from_the_start_of_the_program),
		cmocka_unit_test(so_does_its_delay),
		cmocka_unit_test(each_has_a_number_of_its_own),
		cmocka_unit_test(too_many_are_a_loop),
		cmocka_unit_test(a_deadline_task_creates_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
