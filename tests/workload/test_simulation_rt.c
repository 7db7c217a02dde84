/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedules of SCHED_FIFO and SCHED_RR tasks, worked out by hand to the ns.
 *
 * Ticks come every 4 ms from the start on, and a slice of SCHED_RR is 25 of them.
 * The period of the budget begins 1 ns after the start, when its timer first fires.
 */
#include "test.h"
#include "workload_scene.h"

static struct task_spec *rt(struct task_spec *spec, enum sched_policy policy,
			    unsigned priority)
{
	spec->policy = policy;
	spec->rt_priority = priority;
	return spec;
}

static struct task_spec *fifo(struct task_spec *spec, unsigned priority)
{
	return rt(spec, POLICY_FIFO, priority);
}

static struct task_spec *rr(struct task_spec *spec, unsigned priority)
{
	return rt(spec, POLICY_RR, priority);
}

static struct task_spec *on_cpu(struct task_spec *spec, int cpu)
{
	spec->cpus = cpumask_of(cpu);
	return spec;
}

/* sched(7), "SCHED_FIFO": no slices; and no fair task runs meanwhile. */
static void fifo_runs_until_it_is_done(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "fair", RUN(2 * MS));
	fifo(scene_task(&sc, "a", RUN(30 * MS)), 10);
	fifo(scene_task(&sc, "b", RUN(3 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "30000 cpu0 a-0>b-0\n"
			  "33000 cpu0 b-0>fair-0\n"
			  "35000 cpu0 fair-0>idle\n");
	scene_clear(&sc);
}

/* sched(7): one that was preempted stays at the head of its list. */
static void a_preempted_task_stays_the_first_of_its_equals(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	fifo(scene_task(&sc, "a", RUN(10 * MS)), 10);
	fifo(scene_task(&sc, "b", RUN(2 * MS)), 10);
	fifo(scene_task(&sc, "high", SLEEP(5 * MS), RUN(1 * MS)), 11);
	scene_expect(&sc, "0 cpu0 idle>high-0\n"
			  "0 cpu0 high-0>a-0\n"
			  "5000 +high-0\n"
			  "5000 cpu0 a-0>high-0\n"
			  "6000 cpu0 high-0>a-0\n"
			  "11000 cpu0 a-0>b-0\n"
			  "13000 cpu0 b-0>idle\n");
	scene_clear(&sc);
}

/* sched(7): one that wakes up goes to the tail, and equals do not preempt. */
static void a_wakee_waits_behind_its_equals(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	fifo(scene_task(&sc, "a", RUN(1 * MS), SLEEP(1 * MS), RUN(1 * MS)), 10);
	fifo(scene_task(&sc, "b", RUN(5 * MS)), 10);
	fifo(scene_task(&sc, "c", RUN(2 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "1000 cpu0 a-0>b-0\n"
			  "2000 +a-0\n"
			  "6000 cpu0 b-0>c-0\n"
			  "8000 cpu0 c-0>a-0\n"
			  "9000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* sched(7): sched_yield() puts the caller at the tail of its own list, no lower. */
static void yield_lets_equals_run_and_nobody_else(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	fifo(scene_task(&sc, "a", RUN(1 * MS), YIELD, RUN(1 * MS)), 10);
	fifo(scene_task(&sc, "b", RUN(2 * MS), YIELD, RUN(1 * MS)), 10);
	fifo(scene_task(&sc, "low", RUN(1 * MS)), 9);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "1000 cpu0 a-0>b-0\n"
			  "3000 cpu0 b-0>a-0\n"
			  "4000 cpu0 a-0>b-0\n"
			  "5000 cpu0 b-0>low-0\n"
			  "6000 cpu0 low-0>idle\n");
	scene_clear(&sc);
}

/* 25 ticks of 4 ms each; the 25th is at 100 ms. */
static void round_robin_takes_turns_of_100_ms(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 600 * MS);
	rr(scene_task(&sc, "a", RUN(250 * MS)), 10);
	rr(scene_task(&sc, "b", RUN(250 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "100000 cpu0 a-0>b-0\n"
			  "200000 cpu0 b-0>a-0\n"
			  "300000 cpu0 a-0>b-0\n"
			  "400000 cpu0 b-0>a-0\n"
			  "450000 cpu0 a-0>b-0\n"
			  "500000 cpu0 b-0>idle\n");
	scene_clear(&sc);
}

/*
 * a saw 12 ticks, the last at 48 ms, and has 13 left when it runs again: from 152 to
 * 200 ms.  b's slice began at 50 ms and its 25 ticks are those from 52 to 148.
 */
static void a_slice_outlasts_a_sleep(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 600 * MS);
	rr(scene_task(&sc, "a", RUN(50 * MS), SLEEP(10 * MS), RUN(200 * MS)), 10);
	rr(scene_task(&sc, "b", RUN(100 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "50000 cpu0 a-0>b-0\n"
			  "60000 +a-0\n"
			  "148000 cpu0 b-0>a-0\n"
			  "200000 cpu0 a-0>b-0\n"
			  "202000 cpu0 b-0>a-0\n"
			  "350000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* a's first slice ends while b sleeps, and the next begins at once: until 200 ms. */
static void a_slice_begins_anew_for_one_without_equals(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 600 * MS);
	rr(scene_task(&sc, "b", SLEEP(110 * MS), RUN(20 * MS)), 10);
	rr(scene_task(&sc, "a", RUN(250 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>a-0\n"
			  "110000 +b-0\n"
			  "200000 cpu0 a-0>b-0\n"
			  "220000 cpu0 b-0>a-0\n"
			  "270000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/*
 * Sha, Klein and Goodenough, "Rate monotonic analysis for real-time systems",
 * CMU/SEI-91-TR-6, 1991, with C1 raised to 40: (40, 100), (40, 150), (100, 350).
 * From the critical instant on, the third task is done at 300, no earlier.
 */
static void rate_monotonic_tasks_meet_their_analysis(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 301 * MS);
	fifo(scene_task(&sc, "t1", RUN(40 * MS), TIMER(0, 100 * MS), RUN(40 * MS),
			TIMER(0, 100 * MS), RUN(40 * MS), TIMER(0, 100 * MS),
			RUN(40 * MS)),
	     30);
	fifo(scene_task(&sc, "t2", RUN(40 * MS), TIMER(1, 150 * MS), RUN(40 * MS),
			TIMER(1, 150 * MS), RUN(40 * MS)),
	     20);
	fifo(scene_task(&sc, "t3", RUN(100 * MS), TIMER(2, 350 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>t1-0\n"
			  "40000 t1-0 timer 60000\n"
			  "40000 cpu0 t1-0>t2-0\n"
			  "80000 t2-0 timer 70000\n"
			  "80000 cpu0 t2-0>t3-0\n"
			  "100000 +t1-0\n"
			  "100000 cpu0 t3-0>t1-0\n"
			  "140000 t1-0 timer 60000\n"
			  "140000 cpu0 t1-0>t3-0\n"
			  "150000 +t2-0\n"
			  "150000 cpu0 t3-0>t2-0\n"
			  "190000 t2-0 timer 110000\n"
			  "190000 cpu0 t2-0>t3-0\n"
			  "200000 +t1-0\n"
			  "200000 cpu0 t3-0>t1-0\n"
			  "240000 t1-0 timer 60000\n"
			  "240000 cpu0 t1-0>t3-0\n"
			  "300000 t3-0 timer 50000\n"
			  "300000 cpu0 t3-0>idle\n"
			  "300000 +t2-0\n"
			  "300000 cpu0 idle>t2-0\n"
			  "300000 +t1-0\n"
			  "300000 cpu0 t2-0>t1-0\n");
	scene_clear(&sc);
}

/*
 * The inversion of Mars Pathfinder (Reeves, 1997): high waits for low's lock, and so
 * for middle, which has nothing to do with either.
 */
static void priorities_are_inverted_by_a_lock(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	fifo(scene_task(&sc, "low", LOCK(0), RUN(4 * MS), UNLOCK(0), RUN(1 * MS)), 1);
	fifo(scene_task(&sc, "middle", SLEEP(2 * MS), RUN(10 * MS)), 2);
	fifo(scene_task(&sc, "high", SLEEP(1 * MS), LOCK(0), RUN(1 * MS), UNLOCK(0)),
	     3);
	scene_expect(&sc, "0 cpu0 idle>high-0\n"
			  "0 cpu0 high-0>middle-0\n"
			  "0 cpu0 middle-0>low-0\n"
			  "1000 +high-0\n"
			  "1000 cpu0 low-0>high-0\n"
			  "1000 cpu0 high-0>low-0\n"
			  "2000 +middle-0\n"
			  "2000 cpu0 low-0>middle-0\n"
			  "12000 cpu0 middle-0>low-0\n"
			  "14000 +high-0\n"
			  "14000 cpu0 low-0>high-0\n"
			  "15000 cpu0 high-0>low-0\n"
			  "16000 cpu0 low-0>idle\n");
	scene_clear(&sc);
}

/* w waits behind hi on CPU 0, which hears 1 us later that CPU 1 has become free. */
static void who_waits_is_pushed_by_an_interrupt(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 100 * MS);
	fifo(scene_task(&sc, "hi", RUN(3 * MS)), 50);
	fifo(scene_task(&sc, "x", RUN(1 * MS)), 40);
	fifo(scene_task(&sc, "w", RUN(1 * MS)), 20);
	sc.tasks[0].cpus = cpumask_of(0);
	sc.tasks[1].cpus = cpumask_of(1);
	scene_expect(&sc, "0 cpu0 idle>hi-0\n"
			  "0 cpu1 idle>x-0\n"
			  "1000 cpu1 x-0>idle\n"
			  "1001 cpu1 idle>w-0\n"
			  "2001 cpu1 w-0>idle\n"
			  "3000 cpu0 hi-0>idle\n");
	scene_clear(&sc);
}

/* sched(7), sched_setscheduler(): lowered goes to the head, raised to the tail. */
static void a_phase_changes_the_priority(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	fifo(scene_task(&sc, "a", RUN(1 * MS), SET_RT(POLICY_FIFO, 10), RUN(2 * MS),
			SET_RT(POLICY_FIFO, 5), RUN(1 * MS),
			SET_SCHED(POLICY_NORMAL, 0), RUN(1 * MS)),
	     20);
	fifo(scene_task(&sc, "b", RUN(3 * MS)), 10);
	fifo(scene_task(&sc, "c", RUN(1 * MS)), 5);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "3000 cpu0 a-0>b-0\n"
			  "6000 cpu0 b-0>a-0\n"
			  "7000 cpu0 a-0>c-0\n"
			  "8000 cpu0 c-0>a-0\n"
			  "9000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/*
 * An interrupt as a pinned task: 200 us of every 2 ms of CPU 0.  After it the fair task
 * that is behind goes on: a starts at 6 ms of vruntime, b at 3, and 1.8 ms come to the
 * one that ran: b is at 4.8, at 6.6, then a at 7.8, b at 8.4.
 */
static void a_pinned_fifo_task_stands_for_an_interrupt(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 9 * MS);
	scene_task(&sc, "a", RUN(20 * MS));
	scene_task(&sc, "b", RUN(20 * MS));
	on_cpu(fifo(scene_task(&sc, "irq", RUN(200 * US), TIMER(0, 2 * MS),
			       RUN(200 * US), TIMER(0, 2 * MS), RUN(200 * US),
			       TIMER(0, 2 * MS), RUN(200 * US), TIMER(0, 2 * MS),
			       RUN(200 * US)),
		    50),
	       0);
	scene_expect(&sc, "0 cpu0 idle>irq-0\n"
			  "200 irq-0 timer 1800\n"
			  "200 cpu0 irq-0>b-0\n"
			  "2000 +irq-0\n"
			  "2000 cpu0 b-0>irq-0\n"
			  "2200 irq-0 timer 1800\n"
			  "2200 cpu0 irq-0>b-0\n"
			  "4000 +irq-0\n"
			  "4000 cpu0 b-0>irq-0\n"
			  "4200 irq-0 timer 1800\n"
			  "4200 cpu0 irq-0>a-0\n"
			  "6000 +irq-0\n"
			  "6000 cpu0 a-0>irq-0\n"
			  "6200 irq-0 timer 1800\n"
			  "6200 cpu0 irq-0>b-0\n"
			  "8000 +irq-0\n"
			  "8000 cpu0 b-0>irq-0\n"
			  "8200 cpu0 irq-0>a-0\n");
	scene_clear(&sc);
}

/*
 * 950 ms of each second, noticed at ticks: 952 ms is the first beyond it.  At 1 s and
 * 1 ns, 2 ms of debt remain, so the next period holds 948 more, and 1952 is the first
 * tick beyond 1948.000001.  After that the debt is 3.999999 ms: 2948.
 */
static void the_budget_ends_at_a_tick_and_debts_are_paid(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 3000 * MS);
	fifo(scene_task(&sc, "rt", RUN(5000 * MS)), 10);
	scene_task(&sc, "fair", RUN(5000 * MS));
	scene_expect(&sc, "0 cpu0 idle>rt-0\n"
			  "952000 cpu0 rt-0>fair-0\n"
			  "1000000.001 cpu0 fair-0>rt-0\n"
			  "1952000 cpu0 rt-0>fair-0\n"
			  "2000000.001 cpu0 fair-0>rt-0\n"
			  "2948000 cpu0 rt-0>fair-0\n");
	scene_clear(&sc);
}

/* Nor does an idle CPU's budget help: each has its own. */
static void a_throttled_cpu_idles_beside_a_free_one(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 1500 * MS);
	on_cpu(fifo(scene_task(&sc, "rt", RUN(5000 * MS)), 10), 0);
	scene_expect(&sc, "0 cpu0 idle>rt-0\n"
			  "952000 cpu0 rt-0>idle\n"
			  "1000000.001 cpu0 idle>rt-0\n");
	scene_clear(&sc);
}

static void without_a_limit_nobody_is_throttled(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 3000 * MS);
	sc.in.spec.tunables.sched_rt_runtime_us = RT_RUNTIME_UNLIMITED;
	fifo(scene_task(&sc, "rt", RUN(2500 * MS)), 10);
	scene_task(&sc, "fair", RUN(1 * MS));
	scene_expect(&sc, "0 cpu0 idle>rt-0\n"
			  "2500000 cpu0 rt-0>fair-0\n"
			  "2501000 cpu0 fair-0>idle\n");
	scene_clear(&sc);
}

/*
 * 30 of each 50 ms: over at the tick at 32.  At 50.000001 2 ms of debt remain, and 80
 * is the first tick beyond 78.000001; then 1.999999 ms, and 132 is the first beyond
 * 128.000002.
 */
static void period_and_budget_can_be_set(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 140 * MS);
	sc.in.spec.tunables.sched_rt_period_us = 50000;
	sc.in.spec.tunables.sched_rt_runtime_us = 30000;
	fifo(scene_task(&sc, "rt", RUN(5000 * MS)), 10);
	scene_task(&sc, "fair", RUN(5000 * MS));
	scene_expect(&sc, "0 cpu0 idle>rt-0\n"
			  "32000 cpu0 rt-0>fair-0\n"
			  "50000.001 cpu0 fair-0>rt-0\n"
			  "80000 cpu0 rt-0>fair-0\n"
			  "100000.001 cpu0 fair-0>rt-0\n"
			  "132000 cpu0 rt-0>fair-0\n");
	scene_clear(&sc);
}

/*
 * middle keeps CPU 1 from low at first.  At 1 ms CPU 1 is free, and when high takes
 * CPU 0 low is pushed there with 4 ms of its 5 left.
 */
static void what_is_preempted_is_pushed_to_a_lower_cpu(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 100 * MS);
	fifo(scene_task(&sc, "low", RUN(5 * MS)), 10);
	on_cpu(fifo(scene_task(&sc, "high", SLEEP(1 * MS), RUN(2 * MS)), 20), 0);
	on_cpu(fifo(scene_task(&sc, "middle", RUN(500 * US)), 15), 1);
	scene_expect(&sc, "0 cpu0 idle>high-0\n"
			  "0 cpu1 idle>middle-0\n"
			  "0 cpu0 high-0>low-0\n"
			  "500 cpu1 middle-0>idle\n"
			  "1000 +high-0\n"
			  "1000 cpu0 low-0>high-0\n"
			  "1000 cpu1 idle>low-0\n"
			  "3000 cpu0 high-0>idle\n"
			  "5000 cpu1 low-0>idle\n");
	scene_clear(&sc);
}

/* low can go nowhere until middle sleeps; then its CPU pulls it, without an interrupt.
 */
static void a_cpu_whose_priority_falls_pulls(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 100 * MS);
	sc.in.spec.feat.RT_PUSH_IPI = false;
	fifo(scene_task(&sc, "low", RUN(4 * MS)), 10);
	on_cpu(fifo(scene_task(&sc, "high", RUN(3 * MS)), 20), 0);
	on_cpu(fifo(scene_task(&sc, "middle", RUN(2 * MS)), 15), 1);
	scene_expect(&sc, "0 cpu0 idle>high-0\n"
			  "0 cpu1 idle>middle-0\n"
			  "2000 cpu1 middle-0>low-0\n"
			  "3000 cpu0 high-0>idle\n"
			  "6000 cpu1 low-0>idle\n");
	scene_clear(&sc);
}

/* Both are of one priority, but pinned has no other CPU and moving has. */
static void one_that_can_move_makes_room_for_a_pinned_equal(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 100 * MS);
	on_cpu(fifo(scene_task(&sc, "pinned", SLEEP(1 * MS), RUN(1 * MS)), 10), 0);
	fifo(scene_task(&sc, "moving", RUN(3 * MS)), 10);
	on_cpu(fifo(scene_task(&sc, "other", RUN(500 * US)), 15), 1);
	scene_expect(&sc, "0 cpu0 idle>pinned-0\n"
			  "0 cpu1 idle>other-0\n"
			  "0 cpu0 pinned-0>moving-0\n"
			  "500 cpu1 other-0>idle\n"
			  "1000 +pinned-0\n"
			  "1000 cpu0 moving-0>pinned-0\n"
			  "1000 cpu1 idle>moving-0\n"
			  "2000 cpu0 pinned-0>idle\n"
			  "3000 cpu1 moving-0>idle\n");
	scene_clear(&sc);
}

/* Four tasks on two CPUs: always the two highest, whoever made them wait. */
static void the_highest_of_all_run_on_all_cpus(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 100 * MS);
	fifo(scene_task(&sc, "p1", RUN(3 * MS)), 1);
	fifo(scene_task(&sc, "p2", RUN(3 * MS)), 2);
	fifo(scene_task(&sc, "p3", RUN(2 * MS)), 3);
	fifo(scene_task(&sc, "p4", RUN(5 * MS)), 4);
	/* p3 is pushed to CPU 1, and p2 by the interrupt when p3 is done. */
	scene_expect(&sc, "0 cpu0 idle>p4-0\n"
			  "0 cpu1 idle>p3-0\n"
			  "2000 cpu1 p3-0>idle\n"
			  "2001 cpu1 idle>p2-0\n"
			  "5000 cpu0 p4-0>p1-0\n"
			  "5001 cpu1 p2-0>idle\n"
			  "8000 cpu0 p1-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fifo_runs_until_it_is_done),
		cmocka_unit_test(a_preempted_task_stays_the_first_of_its_equals),
		cmocka_unit_test(a_wakee_waits_behind_its_equals),
		cmocka_unit_test(yield_lets_equals_run_and_nobody_else),
		cmocka_unit_test(round_robin_takes_turns_of_100_ms),
		cmocka_unit_test(a_slice_outlasts_a_sleep),
		cmocka_unit_test(a_slice_begins_anew_for_one_without_equals),
		cmocka_unit_test(rate_monotonic_tasks_meet_their_analysis),
		cmocka_unit_test(priorities_are_inverted_by_a_lock),
		cmocka_unit_test(who_waits_is_pushed_by_an_interrupt),
		cmocka_unit_test(a_phase_changes_the_priority),
		cmocka_unit_test(a_pinned_fifo_task_stands_for_an_interrupt),
		cmocka_unit_test(the_budget_ends_at_a_tick_and_debts_are_paid),
		cmocka_unit_test(a_throttled_cpu_idles_beside_a_free_one),
		cmocka_unit_test(without_a_limit_nobody_is_throttled),
		cmocka_unit_test(period_and_budget_can_be_set),
		cmocka_unit_test(what_is_preempted_is_pushed_to_a_lower_cpu),
		cmocka_unit_test(a_cpu_whose_priority_falls_pulls),
		cmocka_unit_test(one_that_can_move_makes_room_for_a_pinned_equal),
		cmocka_unit_test(the_highest_of_all_run_on_all_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
