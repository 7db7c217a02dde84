/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mutexes, conditions, barriers, suspend and resume.
 *
 * On one CPU: of two tasks made at the start the first is at M + 6 ms of vruntime and
 * the second at M + 3; of three the third is at M + 2.  Who sleeps comes back at no
 * less than min_vruntime - 3 ms and preempts by a lead of more than 1 ms.
 */
#include "test.h"
#include "workload_scene.h"

static void a_resume_is_lost_when_nobody_is_suspended(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "a", SUSPEND(0), RUN(1 * MS));
	scene_task(&sc, "b", RESUME(0), SLEEP(1 * MS), RUN(1 * MS), RESUME(0),
		   RUN(1 * MS));
	/* At 2 ms a comes back at M + 6, b is at M + 4. */
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>a-0\n"
			  "0 cpu0 a-0>idle\n"
			  "1000 +b-0\n"
			  "1000 cpu0 idle>b-0\n"
			  "2000 +a-0\n"
			  "3000 cpu0 b-0>a-0\n"
			  "4000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_resume_wakes_all_in_the_order_they_came(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "a", SUSPEND(0), RUN(1 * MS))->instances = 2;
	scene_task(&sc, "b", SLEEP(1 * MS), RESUME(0));
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>a-1\n"
			  "0 cpu0 a-1>a-0\n"
			  "0 cpu0 a-0>idle\n"
			  "1000 +b-0\n"
			  "1000 cpu0 idle>b-0\n"
			  "1000 +a-1\n"
			  "1000 +a-0\n"
			  "1000 cpu0 b-0>a-1\n"
			  "2000 cpu0 a-1>a-0\n"
			  "3000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void suspend_and_resume_take_the_mutex_of_their_name(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l3c1t", 100 * MS);
	scene_task(&sc, "a", SUSPEND(0), RUN(1 * MS))->cpus = cpumask_of(0);
	scene_task(&sc, "b", SLEEP(1 * MS), LOCK(0), RUN(2 * MS), UNLOCK(0))->cpus =
		cpumask_of(1);
	scene_task(&sc, "c", SLEEP(2 * MS), RESUME(0))->cpus = cpumask_of(2);
	/* c waits from 2 ms on for b, and is told by an interrupt. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu2 idle>c-0\n"
			  "0 cpu0 a-0>idle\n"
			  "0 cpu1 b-0>idle\n"
			  "0 cpu2 c-0>idle\n"
			  "1000 +b-0\n"
			  "1000 cpu1 idle>b-0\n"
			  "2000 +c-0\n"
			  "2000 cpu2 idle>c-0\n"
			  "2000 cpu2 c-0>idle\n"
			  "3000 cpu1 b-0>idle\n"
			  "3001 +c-0\n"
			  "3001 cpu2 idle>c-0\n"
			  "3001 cpu2 c-0>idle\n"
			  "3002 +a-0\n"
			  "3002 cpu0 idle>a-0\n"
			  "4002 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void the_last_at_a_barrier_wakes_the_others(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l3c1t", 100 * MS);
	scene_task(&sc, "a", RUN(1 * MS), BARRIER(0, 1), RUN(1 * MS))->cpus =
		cpumask_of(0);
	scene_task(&sc, "b", RUN(2 * MS), BARRIER(0, 1), RUN(1 * MS))->cpus =
		cpumask_of(1);
	scene_task(&sc, "c", RUN(3 * MS), BARRIER(0, 1), RUN(1 * MS))->cpus =
		cpumask_of(2);
	sc.barriers[0].users = 3;
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu2 idle>c-0\n"
			  "1000 cpu0 a-0>idle\n"
			  "2000 cpu1 b-0>idle\n"
			  "3001 +a-0\n"
			  "3001 cpu0 idle>a-0\n"
			  "3001 +b-0\n"
			  "3001 cpu1 idle>b-0\n"
			  "4000 cpu2 c-0>idle\n"
			  "4001 cpu0 a-0>idle\n"
			  "4001 cpu1 b-0>idle\n");
	scene_clear(&sc);
}

/* As in rt-app, where only who waited counts himself out. */
static void a_barrier_is_open_until_those_who_waited_have_left(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 100 * MS);
	scene_task(&sc, "a", BARRIER(0, 0), RUN(1 * MS), BARRIER(0, 8), RUN(1 * MS))
		->cpus = cpumask_of(0);
	scene_task(&sc, "b", RUN(1 * MS), BARRIER(0, 1), BARRIER(0, 8), RUN(2 * MS))
		->cpus = cpumask_of(1);
	sc.barriers[0].users = 2;
	/* b is through twice before a wakes up, and a then waits for ever. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu0 a-0>idle\n"
			  "1001 +a-0\n"
			  "1001 cpu0 idle>a-0\n"
			  "2001 cpu0 a-0>idle\n"
			  "3000 cpu1 b-0>idle\n");
	scene_clear(&sc);
}

static void a_barrier_of_one_stops_nobody(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "a", RUN(1 * MS), BARRIER(0, 1), RUN(1 * MS));
	sc.barriers[0].users = 1;
	scene_expect(&sc, "0 cpu0 idle>a-0\n2000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void an_unlock_wakes_the_longest_waiter(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "w", LOCK(0), RUN(1 * MS), UNLOCK(0))->instances = 2;
	scene_task(&sc, "owner", LOCK(0), SLEEP(1 * MS), UNLOCK(0));
	scene_expect(&sc, "0 cpu0 idle>owner-0\n"
			  "0 cpu0 owner-0>w-1\n"
			  "0 cpu0 w-1>w-0\n"
			  "0 cpu0 w-0>idle\n"
			  "1000 +owner-0\n"
			  "1000 cpu0 idle>owner-0\n"
			  "1000 +w-1\n"
			  "1000 cpu0 owner-0>w-1\n"
			  "2000 +w-0\n"
			  "2000 cpu0 w-1>w-0\n"
			  "3000 cpu0 w-0>idle\n");
	scene_clear(&sc);
}

static void a_woken_waiter_that_comes_too_late_waits_again(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "late", LOCK(0), RUN(1 * MS), UNLOCK(0));
	scene_task(&sc, "owner", LOCK(0), RUN(1 * MS), SLEEP(2 * MS), UNLOCK(0),
		   LOCK(0), SLEEP(1 * MS), UNLOCK(0));
	scene_expect(&sc, "0 cpu0 idle>owner-0\n"
			  "1000 cpu0 owner-0>late-0\n"
			  "1000 cpu0 late-0>idle\n"
			  "3000 +owner-0\n"
			  "3000 cpu0 idle>owner-0\n"
			  "3000 +late-0\n"
			  "3000 cpu0 owner-0>late-0\n"
			  "3000 cpu0 late-0>idle\n"
			  "4000 +owner-0\n"
			  "4000 cpu0 idle>owner-0\n"
			  "4000 +late-0\n"
			  "4000 cpu0 owner-0>late-0\n"
			  "5000 cpu0 late-0>idle\n");
	scene_clear(&sc);
}

static void an_unlock_after_a_quick_lock_wakes_nobody(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "w", LOCK(0), UNLOCK(0))->instances = 2;
	scene_task(&sc, "owner", LOCK(0), SLEEP(1 * MS), UNLOCK(0), LOCK(0), UNLOCK(0));
	/* The second lock finds the mutex free and does not know of w-0. */
	scene_expect(&sc, "0 cpu0 idle>owner-0\n"
			  "0 cpu0 owner-0>w-1\n"
			  "0 cpu0 w-1>w-0\n"
			  "0 cpu0 w-0>idle\n"
			  "1000 +owner-0\n"
			  "1000 cpu0 idle>owner-0\n"
			  "1000 +w-1\n"
			  "1000 cpu0 owner-0>w-1\n"
			  "1000 +w-0\n"
			  "1000 cpu0 w-1>w-0\n"
			  "1000 cpu0 w-0>idle\n");
	scene_clear(&sc);
}

static void a_wait_gives_the_mutex_up_and_takes_it_back(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "w", LOCK(0), WAIT(0, 0), RUN(1 * MS), UNLOCK(0));
	scene_task(&sc, "s", SLEEP(1 * MS), LOCK(0), SIGNAL(0), SLEEP(1 * MS),
		   UNLOCK(0));
	/* The signal comes at 1 ms, the mutex is free at 2. */
	scene_expect(&sc, "0 cpu0 idle>s-0\n"
			  "0 cpu0 s-0>w-0\n"
			  "0 cpu0 w-0>idle\n"
			  "1000 +s-0\n"
			  "1000 cpu0 idle>s-0\n"
			  "1000 +w-0\n"
			  "1000 cpu0 s-0>w-0\n"
			  "1000 cpu0 w-0>idle\n"
			  "2000 +s-0\n"
			  "2000 cpu0 idle>s-0\n"
			  "2000 +w-0\n"
			  "2000 cpu0 s-0>w-0\n"
			  "3000 cpu0 w-0>idle\n");
	scene_clear(&sc);
}

static void a_signal_before_the_sleep_is_not_lost(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "w", LOCK(0), RUN(5 * MS), WAIT(0, 0), RUN(1 * MS), UNLOCK(0));
	scene_task(&sc, "s", SLEEP(1 * MS), LOCK(0), SIGNAL(0), UNLOCK(0));
	/* At 5 ms w's wait unlocks; s comes 3 ms before w and preempts it there. */
	scene_expect(&sc, "0 cpu0 idle>s-0\n"
			  "0 cpu0 s-0>w-0\n"
			  "1000 +s-0\n"
			  "1000 cpu0 w-0>s-0\n"
			  "1000 cpu0 s-0>w-0\n"
			  "5000 +s-0\n"
			  "5000 cpu0 w-0>s-0\n"
			  "5000 cpu0 s-0>w-0\n"
			  "6000 cpu0 w-0>idle\n");
	scene_clear(&sc);
}

static void a_signal_wakes_one_and_a_broadcast_the_rest(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "w", LOCK(0), WAIT(0, 0), UNLOCK(0))->instances = 3;
	scene_task(&sc, "s", SLEEP(1 * MS), SIGNAL(0), SLEEP(1 * MS), BROADCAST(0));
	/*
	 * The four start at M + 6, 3, 2 and 1.5 ms, so they wait in the order w-2, w-1,
	 * w-0 and min_vruntime is M + 6 then; s comes back at M + 3, w-2 and w-1 too.
	 */
	scene_expect(&sc, "0 cpu0 idle>s-0\n"
			  "0 cpu0 s-0>w-2\n"
			  "0 cpu0 w-2>w-1\n"
			  "0 cpu0 w-1>w-0\n"
			  "0 cpu0 w-0>idle\n"
			  "1000 +s-0\n"
			  "1000 cpu0 idle>s-0\n"
			  "1000 +w-2\n"
			  "1000 cpu0 s-0>w-2\n"
			  "1000 cpu0 w-2>idle\n"
			  "2000 +s-0\n"
			  "2000 cpu0 idle>s-0\n"
			  "2000 +w-1\n"
			  "2000 +w-0\n"
			  "2000 cpu0 s-0>w-1\n"
			  "2000 cpu0 w-1>w-0\n"
			  "2000 cpu0 w-0>idle\n");
	scene_clear(&sc);
}

static void a_sync_signals_and_then_waits(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "a", LOCK(0), WAIT(0, 0), RUN(1 * MS), SIGNAL(0), UNLOCK(0));
	scene_task(&sc, "b", SLEEP(1 * MS), LOCK(0), SYNC(0, 0), RUN(1 * MS),
		   UNLOCK(0));
	/* At 2 ms b comes 3 ms before a, but a still has the mutex. */
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>a-0\n"
			  "0 cpu0 a-0>idle\n"
			  "1000 +b-0\n"
			  "1000 cpu0 idle>b-0\n"
			  "1000 +a-0\n"
			  "1000 cpu0 b-0>a-0\n"
			  "2000 +b-0\n"
			  "2000 cpu0 a-0>b-0\n"
			  "2000 cpu0 b-0>a-0\n"
			  "2000 +b-0\n"
			  "2000 cpu0 a-0>b-0\n"
			  "3000 cpu0 b-0>a-0\n"
			  "3000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_resume_is_lost_when_nobody_is_suspended),
		cmocka_unit_test(a_resume_wakes_all_in_the_order_they_came),
		cmocka_unit_test(suspend_and_resume_take_the_mutex_of_their_name),
		cmocka_unit_test(the_last_at_a_barrier_wakes_the_others),
		cmocka_unit_test(a_barrier_is_open_until_those_who_waited_have_left),
		cmocka_unit_test(a_barrier_of_one_stops_nobody),
		cmocka_unit_test(an_unlock_wakes_the_longest_waiter),
		cmocka_unit_test(a_woken_waiter_that_comes_too_late_waits_again),
		cmocka_unit_test(an_unlock_after_a_quick_lock_wakes_nobody),
		cmocka_unit_test(a_wait_gives_the_mutex_up_and_takes_it_back),
		cmocka_unit_test(a_signal_before_the_sleep_is_not_lost),
		cmocka_unit_test(a_signal_wakes_one_and_a_broadcast_the_rest),
		cmocka_unit_test(a_sync_signals_and_then_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
