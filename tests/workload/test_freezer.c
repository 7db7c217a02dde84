/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that stand still for a suspend, and go on after it.  Times are in us.
 */
#include "test.h"

#include "workload/cpu_power.h"
#include "workload_scene.h"

static void freeze(simulation *s)
{
	assert_false(threads_are_frozen(s));
	threads_freeze(s);
}

static void all_stand_still(simulation *s)
{
	assert_true(threads_are_frozen(s));
}

static void thaw(simulation *s)
{
	threads_thaw(s, 0);
}

/*
 * On CPU 0 a runs and b, which the fork debited with 6 ms more, waits; on CPU 1 c
 * sleeps until 1500 and w until a request comes at 1600.  From 1000 on they stand
 * still: a at once, b as it gets the CPU.
 *
 * They are woken at 2000 in the order in which they were made, those of CPU 1 with its
 * interrupt.
 */
static void all_stop_at_once_and_wakeups_wait_for_the_thaw(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 5500 * US);
	sc.invariants = true;
	scene_task(&sc, "b", RUN(1 * MS))->cpus = cpumask_of(0);
	scene_task(&sc, "a", RUN(3 * MS))->cpus = cpumask_of(0);
	scene_task(&sc, "c", SLEEP(1500 * US), RUN(100 * US))->cpus = cpumask_of(1);
	scene_task(&sc, "w", RECV(0, 0), RUN(100 * US))->cpus = cpumask_of(1);
	scene_source(&sc, "s", ARRIVE_FIXED, 1600 * US)->irq_cpus = cpumask_of(1);
	scene_act_at(&sc, 1 * MS, freeze);
	scene_act_at(&sc, 1500001, all_stand_still);
	scene_act_at(&sc, 2 * MS, thaw);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>c-0\n"
			  "0 cpu1 c-0>w-0\n"
			  "0 cpu1 w-0>idle\n"
			  "1000 cpu0 a-0>b-0\n"
			  "1000 cpu0 b-0>idle\n"
			  "2000 +b-0\n"
			  "2000 +a-0\n"
			  "2000 cpu0 idle>a-0\n"
			  "2001 +c-0\n"
			  "2001 +w-0\n"
			  "2001 cpu1 idle>c-0\n"
			  "2101 cpu1 c-0>w-0\n"
			  "2101 w-0 got 1\n"
			  "2201 cpu1 w-0>idle\n"
			  "4000 cpu0 a-0>b-0\n"
			  "5000 cpu0 b-0>idle\n");
	scene_clear(&sc);
}

static void who_sleeps_through_it_is_not_woken(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 5500 * US);
	sc.invariants = true;
	scene_task(&sc, "a", RUN(2 * MS))->cpus = cpumask_of(0);
	scene_task(&sc, "c", SLEEP(4 * MS), RUN(100 * US))->cpus = cpumask_of(1);
	scene_act_at(&sc, 1 * MS, freeze);
	scene_act_at(&sc, 2 * MS, thaw);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>c-0\n"
			  "0 cpu1 c-0>idle\n"
			  "1000 cpu0 a-0>idle\n"
			  "2000 +a-0\n"
			  "2000 cpu0 idle>a-0\n"
			  "3000 cpu0 a-0>idle\n"
			  "4000 +c-0\n"
			  "4000 cpu1 idle>c-0\n"
			  "4100 cpu1 c-0>idle\n");
	scene_clear(&sc);
}

/* The message's interrupt was on its way when it became frozen. */
static void who_was_being_woken_stands_still_as_it_gets_the_cpu(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 5 * MS);
	sc.invariants = true;
	scene_task(&sc, "a", RUN(999500), SEND(0))->cpus = cpumask_of(0);
	scene_task(&sc, "w", RECV(0, 0), RUN(100 * US))->cpus = cpumask_of(1);
	scene_act_at(&sc, 1 * MS, freeze);
	scene_act_at(&sc, 2 * MS, thaw);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>w-0\n"
			  "0 cpu1 w-0>idle\n"
			  "999.500 cpu0 a-0>idle\n"
			  "1000.500 +w-0\n"
			  "1000.500 cpu1 idle>w-0\n"
			  "1000.500 cpu1 w-0>idle\n"
			  "2001 +w-0\n"
			  "2001 cpu1 idle>w-0\n"
			  "2001 w-0 got 0\n"
			  "2101 cpu1 w-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_stop_at_once_and_wakeups_wait_for_the_thaw),
		cmocka_unit_test(who_sleeps_through_it_is_not_woken),
		cmocka_unit_test(who_was_being_woken_stands_still_as_it_gets_the_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
