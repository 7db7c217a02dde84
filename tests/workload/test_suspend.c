/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine that suspends and resumes: in which order, how long it takes, and what its
 * threads notice of it.  Nothing takes time but what a test says; times are in us.
 */
#include "test.h"

#include "operation_log.h"

#define AT(at, operation) "{'at': '" #at "us', 'cpus': [0], " operation "}"
#define AT_CPU2(at, operation) "{'at': '" #at "us', 'cpus': [2], " operation "}"
#define SUSPEND(at) AT(at, "'suspend': {}")
#define RESUME(at) AT(at, "'resume': {}")
#define OFFLINE(at, n) AT(at, "'offline': {'cpu': " #n "}")
#define ONLINE(at, n) AT(at, "'online': {'cpu': " #n "}")
#define MACHINE(cpus, duration)                                                        \
	"{'machine': '1n1l" #cpus "c1t', 'duration': '" #duration "us', "
#define SLEEPER "'t': {'delay': 5000000, 'loop': 1, 'run': 1}"
/* Works 1 ms in each period of 4 ms. */
#define PERIODIC(cpu)                                                                  \
	"'t': {'cpus': [" #cpu "], 'run': 1000, 'timer': {'ref': 'unique', 'period': " \
	"4000}}"

/*
 * At 6 ms the thread sleeps until 8.  CPU 1 takes 3 ms to go and from 20 ms on 1 to
 * come back; then eight sleepers, the thread and that of the resume are visited, 100 us
 * each, before it is woken.  Its next period is over by then.
 */
static void threads_stand_still_until_the_rebuild_of_a_resume_is_over(void **state)
{
	static const char json[] =
		MACHINE(2, 23500) "'cgroups': {'version': 1, 'a': {'cpuset.cpus': "
				  "'0-1', "
				  "'cpuset.mems': 0, 'sleepers': 8}}, 'tasks': "
				  "{" PERIODIC(1) "}, 'operations': [" SUSPEND(
					  6000) ", " RESUME(20000) "]}";
	static const char costs[] =
		"cpu_off_ns=3000000 cpu_on_ns=1000000 walk_task_ns=100000";
	g_autoptr(operation_log) blind = operation_log_new(json, "rebuild_v5_4", costs);
	g_autoptr(operation_log) none = operation_log_new(json, "rebuild_v3", costs);

	operation_log_turns(blind);
	operation_log_expect(blind,
			     "4000 t-0 turned, late by 0\n"
			     "9000 suspend since 6000: lock 0 rcu 0 work 3000\n"
			     "22000 resume since 20000: lock 0 rcu 0 work 2000, walk "
			     "1000\n"
			     "22000 t-0 turned, late by 14000\n"
			     "23000 t-0 turned, late by 0\n");
	operation_log_turns(none);
	operation_log_expect(none, "4000 t-0 turned, late by 0\n"
				   "9000 suspend since 6000: lock 0 rcu 0 work 3000\n"
				   "21000 resume since 20000: lock 0 rcu 0 work 1000\n"
				   "21000 t-0 turned, late by 13000\n"
				   "22000 t-0 turned, late by 0\n");
}

/* It looks again after 1 ms, though the thread stopped at once. */
static void who_runs_is_waited_for_by_looking_again(void **state)
{
	g_autoptr(operation_log) log = operation_log_new(
		MACHINE(2, 20000) "'tasks': {'hog': {'cpus': [1], 'run': 100000}}, "
				  "'operations': [" SUSPEND(6000) "]}",
		"rebuild_v6_5", "cpu_off_ns=3000000");

	operation_log_expect(log, "10000 suspend since 6000: lock 0 rcu 0 work 3000\n");
}

/*
 * The write side of the hotplug lock waits for RCU where nobody had it for a grace
 * period, that is for the first CPU; each CPU waits for one before it goes.
 */
static void each_cpu_waits_for_a_grace_period_that_hurries(void **state)
{
	g_autoptr(operation_log) log =
		operation_log_new(MACHINE(3, 20000) "'tasks': {" PERIODIC(
					  1) "}, 'operations': [" SUSPEND(6000) "]}",
				  "rebuild_v6_5",
				  "cpu_off_ns=1000000 expedited_grace_period_ns=100000 "
				  "grace_period_ns=30000000");

	operation_log_expect(log,
			     "8300 suspend since 6000: lock 0 rcu 300 work 2000\n");
}

/* CPU 1 goes from 5 to 8 ms; the suspend begins then, and has CPU 2 left to take off.
 */
static void a_suspend_lets_a_cpu_go_first_that_is_on_its_way(void **state)
{
	g_autoptr(operation_log) log = operation_log_new(
		MACHINE(3, 20000) "'tasks': {" SLEEPER "}, 'operations': [" AT_CPU2(
			5000, "'offline': {'cpu': 1}") ", " SUSPEND(6000) "]}",
		"rebuild_v6_5", "cpu_off_ns=3000000");

	operation_log_expect(log,
			     "8000 offline since 5000: lock 0 rcu 0 work 3000\n"
			     "11000 suspend since 6000: lock 2000 rcu 0 work 3000\n");
}

/* That the suspend took CPU 2 off does not show in its file. */
static void no_cpu_goes_or_comes_until_threads_go_on(void **state)
{
	g_autoptr(operation_log) log = operation_log_new(
		MACHINE(3,
			20000) "'tasks': {" SLEEPER
			       "}, 'operations': [" OFFLINE(5000, 1) ", " SUSPEND(6000) ", " OFFLINE(7000, 2) ", " OFFLINE(
				       8000,
				       1) ", " ONLINE(9000,
						      1) ", " ONLINE(10000,
								     2) ", " RESUME(11000) ", " ONLINE(12000,
												       1) "]}",
		"rebuild_v6_5", "");

	operation_log_expect(log,
			     "5000 offline since 5000: lock 0 rcu 0 work 0\n"
			     "6000 suspend since 6000: lock 0 rcu 0 work 0\n"
			     "7000 offline since 7000: lock 0 rcu 0 work 0, EBUSY\n"
			     "8000 offline since 8000: lock 0 rcu 0 work 0\n"
			     "9000 online since 9000: lock 0 rcu 0 work 0, EBUSY\n"
			     "10000 online since 10000: lock 0 rcu 0 work 0\n"
			     "11000 resume since 11000: lock 0 rcu 0 work 0\n"
			     "12000 online since 12000: lock 0 rcu 0 work 0\n");
}

/*
 * Deadline tasks of 1.2 CPUs in all: CPU 2 goes, CPU 1 may not from 6.15 on, where the
 * total is right by then, and CPU 2 comes back, 4 ms in all.  The thread was due at 7
 * ms.
 */
static void threads_go_on_once_a_refused_suspend_is_undone(void **state)
{
	g_autoptr(operation_log) log = operation_log_new(
		MACHINE(3,
			10500) "'tasks': {'dl': {'instance': 2, 'loop': 1, 'policy': "
			       "'SCHED_DEADLINE', 'dl-runtime': 6000, 'dl-period': "
			       "10000, 'run': 1000, 'sleep': 100000}, 't': {'delay': "
			       "3000, 'cpus': [1], 'run': 1000, 'timer': {'ref': "
			       "'unique', 'period': 4000}}}, 'operations': [" SUSPEND(
				       6000) "]}",
		"rebuild_v6_15", "cpu_off_ns=3000000 cpu_on_ns=1000000");

	operation_log_turns(log);
	operation_log_expect(log,
			     "10000 suspend since 6000: lock 0 rcu 0 work 4000, EBUSY\n"
			     "10000 t-0 turned, late by 3000\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			threads_stand_still_until_the_rebuild_of_a_resume_is_over),
		cmocka_unit_test(who_runs_is_waited_for_by_looking_again),
		cmocka_unit_test(each_cpu_waits_for_a_grace_period_that_hurries),
		cmocka_unit_test(a_suspend_lets_a_cpu_go_first_that_is_on_its_way),
		cmocka_unit_test(no_cpu_goes_or_comes_until_threads_go_on),
		cmocka_unit_test(threads_go_on_once_a_refused_suspend_is_undone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
