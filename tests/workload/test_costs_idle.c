/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle states: how long an idle CPU takes to begin, by how long it has been idle.
 */
#include "test.h"
#include "workload_scene.h"

/* C1 from 2 us on, 1 us to leave; C1E from 20 us on, 10 us to leave. */
#define STATES                                                                         \
	((struct machine_costs){.idle_c1_exit_ns = 1 * US,                             \
				.idle_c1_residency_ns = 2 * US,                        \
				.idle_c1e_exit_ns = 10 * US,                           \
				.idle_c1e_residency_ns = 20 * US,                      \
				.idle_c6_residency_ns = 200 * US})

static void the_deeper_the_state_the_later_it_begins(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 3 * MS);
	sc.in.spec.costs = STATES;
	scene_task(&sc, "a", RUN(100 * US), SLEEP(1999), RUN(100 * US), SLEEP(2 * US),
		   RUN(100 * US), SLEEP(20 * US), RUN(100 * US));
	/* After 1.999 us, too short for C1; after 2 us, in C1; after 20 us, in C1E. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "100 cpu0 a-0>idle\n"
			  "101.999 +a-0\n"
			  "101.999 cpu0 idle>a-0\n"
			  "201.999 cpu0 a-0>idle\n"
			  "204.999 +a-0\n"
			  "204.999 cpu0 idle>a-0\n"
			  "304.999 cpu0 a-0>idle\n"
			  "334.999 +a-0\n"
			  "334.999 cpu0 idle>a-0\n"
			  "434.999 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_state_without_exit_latency_is_off(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 3 * MS);
	sc.in.spec.costs = STATES;
	scene_task(&sc, "a", SLEEP(300 * US), RUN(100 * US), SLEEP(300 * US));
	/* In C1E, not C6. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu0 a-0>idle\n"
			  "310 +a-0\n"
			  "310 cpu0 idle>a-0\n"
			  "410 cpu0 a-0>idle\n"
			  "720 +a-0\n"
			  "720 cpu0 idle>a-0\n"
			  "720 cpu0 a-0>idle\n");
	sc.in.spec.costs.idle_c6_exit_ns = 133 * US;
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu0 a-0>idle\n"
			  "433 +a-0\n"
			  "433 cpu0 idle>a-0\n"
			  "533 cpu0 a-0>idle\n"
			  "966 +a-0\n"
			  "966 cpu0 idle>a-0\n"
			  "966 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void add_pair(struct scene *sc)
{
	scene_task(sc, "a", RUN(1 * MS), SEND(0))->cpus = cpumask_of(0);
	scene_task(sc, "b", RECV(0, 0), RUN(100 * US))->cpus = cpumask_of(1);
}

/* The interrupt arrives after 1 us and is taken after 10 more. */
static void a_wakeup_interrupt_waits_for_the_exit(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 3 * MS);
	sc.in.spec.costs = STATES;
	sc.in.spec.costs.wakeup_ipi_ns = 1 * US;
	add_pair(&sc);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu1 b-0>idle\n"
			  "1000 cpu0 a-0>idle\n"
			  "1011 +b-0\n"
			  "1011 cpu1 idle>b-0\n"
			  "1011 b-0 got 0\n"
			  "1111 cpu1 b-0>idle\n");
	scene_clear(&sc);
}

/* Without wakelists the waker queues it there and kicks the CPU. */
static void a_kicked_cpu_reschedules_after_the_exit(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 3 * MS);
	sc.in.spec.costs = STATES;
	sc.in.spec.feat.TTWU_QUEUE = false;
	add_pair(&sc);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu1 b-0>idle\n"
			  "1000 +b-0\n"
			  "1000 cpu0 a-0>idle\n"
			  "1010 cpu1 idle>b-0\n"
			  "1010 b-0 got 0\n"
			  "1110 cpu1 b-0>idle\n");
	scene_clear(&sc);
}

/* b's message comes first, c's 5 us later while the CPU still leaves its state. */
static void who_comes_during_the_exit_shares_it(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 3 * MS);
	sc.in.spec.costs = STATES;
	scene_task(&sc, "a", RUN(1 * MS), SEND(0), RUN(5 * US), SEND(1))->cpus =
		cpumask_of(0);
	scene_task(&sc, "b", RECV(0, 0), RUN(100 * US))->cpus = cpumask_of(1);
	scene_task(&sc, "c", RECV(1, 0), RUN(100 * US))->cpus = cpumask_of(1);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu1 b-0>c-0\n"
			  "0 cpu1 c-0>idle\n"
			  "1005 cpu0 a-0>idle\n"
			  "1010 +b-0\n"
			  "1010 +c-0\n"
			  "1010 cpu1 idle>b-0\n"
			  "1010 b-0 got 0\n"
			  "1110 cpu1 b-0>c-0\n"
			  "1110 c-0 got 0\n"
			  "1210 cpu1 c-0>idle\n");
	scene_clear(&sc);
}

/*
 * A request that nobody waits for comes at 1 ms and again wakes the CPU, which then
 * starts from the shallowest state: 3 us after it was done, a's timer finds C1.
 */
static void an_interrupt_begins_idleness_anew(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 1500 * US);
	sc.in.spec.costs = STATES;
	scene_source(&sc, "s", ARRIVE_FIXED, 1 * MS);
	scene_task(&sc, "a", SLEEP(1013 * US), RUN(100 * US));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu0 a-0>idle\n"
			  "1014 +a-0\n"
			  "1014 cpu0 idle>a-0\n"
			  "1114 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_deeper_the_state_the_later_it_begins),
		cmocka_unit_test(a_state_without_exit_latency_is_off),
		cmocka_unit_test(a_wakeup_interrupt_waits_for_the_exit),
		cmocka_unit_test(a_kicked_cpu_reschedules_after_the_exit),
		cmocka_unit_test(who_comes_during_the_exit_shares_it),
		cmocka_unit_test(an_interrupt_begins_idleness_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
