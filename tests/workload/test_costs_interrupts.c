/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time that ticks and messages from outside take from the thread they interrupt.
 */
#include "test.h"
#include "workload_scene.h"

static void a_tick_takes_time_from_the_thread(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	sc.in.spec.costs = (struct machine_costs){.tick_ns = 2 * US};
	scene_task(&sc, "a", RUN(10 * MS));
	/* Ticks at 4 and 8 ms. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "10004 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* What a thread asks for is time that it has for itself. */
static void a_tick_counts_neither_as_work_nor_as_runtime(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	sc.in.spec.costs = (struct machine_costs){.tick_ns = 2 * US};
	scene_task(&sc, "a", RUNTIME(5 * MS));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "5002 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* b runs first, forked later, with a slice of 3 ms. */
static void the_reschedule_comes_after_the_tick(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	sc.in.spec.costs = (struct machine_costs){.tick_ns = 2 * US};
	scene_task(&sc, "a", RUN(3 * MS));
	scene_task(&sc, "b", RUN(5 * MS));
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "4002 cpu0 b-0>a-0\n"
			  "7002 cpu0 a-0>b-0\n"
			  "8004 cpu0 b-0>idle\n");
	scene_clear(&sc);
}

/* Nothing is left for the thread, and no tick comes in the past. */
static void ticks_that_the_cpu_has_no_time_for_are_left_out(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	sc.in.spec.costs = (struct machine_costs){.tick_ns = 5 * MS};
	scene_task(&sc, "a", RUN(5 * MS));
	scene_expect(&sc, "0 cpu0 idle>a-0\n");
	scene_clear(&sc);
}

/* h works on CPU 0, which takes a request each ms; b waits for it on CPU 1. */
static void add_request(struct scene *sc, struct cpumask b)
{
	sc->in.spec.costs = (struct machine_costs){.irq_message_ns = 3 * US,
						   .irq_wakeup_ns = 4 * US};
	scene_source(sc, "s", ARRIVE_FIXED, 1 * MS);
	scene_task(sc, "h", RUN(1500 * US))->cpus = cpumask_of(0);
	scene_task(sc, "b", RECV(0, 0), RUN(100 * US), REPLY)->cpus = b;
}

static void a_message_is_received_and_then_wakes(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 1800 * US);
	add_request(&sc, cpumask_of(1));
	scene_expect(&sc, "0 cpu0 idle>h-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu1 b-0>idle\n"
			  "1007 +b-0\n"
			  "1007 cpu1 idle>b-0\n"
			  "1007 b-0 got 1\n"
			  "1107 done 1 since 1000\n"
			  "1107 cpu1 b-0>idle\n"
			  "1507 cpu0 h-0>idle\n");
	scene_clear(&sc);
}

/* A batch of three: only the first finds b waiting. */
static void a_message_that_wakes_nobody_is_cheaper(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 1800 * US);
	add_request(&sc, cpumask_of(1));
	sc.sources[0].batch = dist_fixed(3);
	scene_expect(&sc, "0 cpu0 idle>h-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu1 b-0>idle\n"
			  "1007 +b-0\n"
			  "1007 cpu1 idle>b-0\n"
			  "1007 b-0 got 1\n"
			  "1107 done 1 since 1000\n"
			  "1107 cpu1 b-0>idle\n"
			  "1513 cpu0 h-0>idle\n");
	scene_clear(&sc);
}

/* t's requests come 2 us after s's and are received when those are through. */
static void interrupts_queue_and_latency_counts_from_their_time(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 1800 * US);
	add_request(&sc, cpumask_of(1));
	scene_source(&sc, "t", ARRIVE_FIXED, 1002 * US)->channel = 1;
	scene_task(&sc, "c", RECV(1, 0), RUN(100 * US), REPLY)->cpus = cpumask_of(1);
	sc.in.spec.feat.WAKEUP_PREEMPTION = false;
	scene_expect(&sc, "0 cpu0 idle>h-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu1 b-0>c-0\n"
			  "0 cpu1 c-0>idle\n"
			  "1007 +b-0\n"
			  "1007 cpu1 idle>b-0\n"
			  "1007 b-0 got 1\n"
			  "1014 +c-0\n"
			  "1107 done 1 since 1000\n"
			  "1107 cpu1 b-0>c-0\n"
			  "1107 c-0 got 2\n"
			  "1207 done 2 since 1002\n"
			  "1207 cpu1 c-0>idle\n"
			  "1514 cpu0 h-0>idle\n");
	scene_clear(&sc);
}

/* b sleeps where the interrupt comes, and takes over when all three are through. */
static void the_interrupted_cpu_is_rescheduled_at_the_end(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 1200 * US);
	add_request(&sc, cpumask_of(0));
	sc.in.spec.tunables.wakeup_granularity_ns = 0;
	sc.sources[0].batch = dist_fixed(3);
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>h-0\n"
			  "1007 +b-0\n"
			  "1013 cpu0 h-0>b-0\n"
			  "1013 b-0 got 1\n"
			  "1113 done 1 since 1000\n"
			  "1113 cpu0 b-0>h-0\n");
	scene_clear(&sc);
}

/* The tick, due at 4 ms, is taken before the first message goes to its receiver. */
static void a_tick_comes_between_messages(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 4500 * US);
	sc.in.spec.costs =
		(struct machine_costs){.irq_message_ns = 3 * US, .tick_ns = 2 * US};
	scene_source(&sc, "s", ARRIVE_FIXED, 3998 * US)->batch = dist_fixed(2);
	scene_task(&sc, "h", RUN(4100 * US))->cpus = cpumask_of(0);
	scene_task(&sc, "b", RECV(0, 0), REPLY, RECV(0, 0), REPLY)->cpus =
		cpumask_of(1);
	sc.no_scheduling = true;
	/* 3998 to 4001, the tick to 4003, the second message to 4006. */
	scene_expect(&sc, "4003 b-0 got 1\n"
			  "4003 done 1 since 3998\n"
			  "4006 b-0 got 2\n"
			  "4006 done 2 since 3998\n");
	scene_clear(&sc);
}

/* An idle CPU leaves its state first; what comes later finds it awake. */
static void an_idle_cpu_receives_after_it_woke_up(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 1200 * US);
	sc.in.spec.costs = (struct machine_costs){.irq_message_ns = 3 * US,
						  .irq_wakeup_ns = 4 * US,
						  .idle_c1_exit_ns = 2 * US,
						  .idle_c1_residency_ns = 2 * US};
	scene_source(&sc, "s", ARRIVE_FIXED, 1 * MS)->batch = dist_fixed(2);
	scene_task(&sc, "b", RECV(0, 0), RUN(10 * US), REPLY, RECV(0, 0), RUN(10 * US),
		   REPLY);
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>idle\n"
			  "1009 +b-0\n"
			  "1012 cpu0 idle>b-0\n"
			  "1012 b-0 got 1\n"
			  "1022 done 1 since 1000\n"
			  "1022 b-0 got 2\n"
			  "1032 done 2 since 1000\n"
			  "1032 cpu0 b-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tick_takes_time_from_the_thread),
		cmocka_unit_test(a_tick_counts_neither_as_work_nor_as_runtime),
		cmocka_unit_test(the_reschedule_comes_after_the_tick),
		cmocka_unit_test(ticks_that_the_cpu_has_no_time_for_are_left_out),
		cmocka_unit_test(a_message_is_received_and_then_wakes),
		cmocka_unit_test(a_message_that_wakes_nobody_is_cheaper),
		cmocka_unit_test(interrupts_queue_and_latency_counts_from_their_time),
		cmocka_unit_test(the_interrupted_cpu_is_rescheduled_at_the_end),
		cmocka_unit_test(a_tick_comes_between_messages),
		cmocka_unit_test(an_idle_cpu_receives_after_it_woke_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
