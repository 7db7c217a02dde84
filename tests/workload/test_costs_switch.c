/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a switch costs, and what a thread finds cold on another CPU.
 */
#include "test.h"
#include "workload_scene.h"

static void a_switch_comes_before_the_work(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	sc.in.spec.costs = (struct machine_costs){.context_switch_ns = 1500};
	scene_task(&sc, "a", RUN(100 * US), SLEEP(50 * US), RUN(100 * US));
	/* The timer's interrupt needs no switch; what it wakes does. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "101.500 cpu0 a-0>idle\n"
			  "151.500 +a-0\n"
			  "151.500 cpu0 idle>a-0\n"
			  "253 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_switch_comes_before_a_step_without_work(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	sc.in.spec.costs = (struct machine_costs){.context_switch_ns = 1500};
	scene_task(&sc, "a", SLEEP(100 * US), SEND(0))->cpus = cpumask_of(0);
	scene_task(&sc, "b", RECV(0, 0))->cpus = cpumask_of(1);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "1.500 cpu0 a-0>idle\n"
			  "1.500 cpu1 b-0>idle\n"
			  "101.500 +a-0\n"
			  "101.500 cpu0 idle>a-0\n"
			  "103 cpu0 a-0>idle\n"
			  "103 +b-0\n"
			  "103 cpu1 idle>b-0\n"
			  "104.500 b-0 got 0\n"
			  "104.500 cpu1 b-0>idle\n");
	scene_clear(&sc);
}

/* Work on half a CPU takes twice as long; the kernel's time does not. */
static void kernel_time_is_the_same_on_a_slow_cpu(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	sc.in.topology->cpu[0].capacity = 512;
	sc.in.spec.costs = (struct machine_costs){.context_switch_ns = 1500};
	scene_task(&sc, "a", RUN(100 * US));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "201.500 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/*
 * b runs first, forked later; at 4 and 8 ms each has had its slice of 3 ms.  Each has
 * worked 3999 us by then.
 */
static void a_thread_pays_each_time_it_is_switched_in(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	sc.in.spec.costs = (struct machine_costs){.context_switch_ns = 1000};
	scene_task(&sc, "a", RUN(5 * MS));
	scene_task(&sc, "b", RUN(5 * MS));
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "4000 cpu0 b-0>a-0\n"
			  "8000 cpu0 a-0>b-0\n"
			  "9002 cpu0 b-0>a-0\n"
			  "10004 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

#define REFILLS                                                                        \
	((struct machine_costs){.migration_llc_ns = 5 * US,                            \
				.migration_cross_llc_ns = 20 * US,                     \
				.migration_cross_node_ns = 50 * US})

/* Runs 100 us on CPU 0 and then 100 us on CPU 1 of @machine. */
static void expect_move(const char *machine, const char *log)
{
	struct scene sc;

	scene_init(&sc, machine, 20 * MS);
	sc.in.spec.costs = REFILLS;
	scene_task(&sc, "a", RUN(100 * US), SET_CPUS(cpumask_of(1)), RUN(100 * US))
		->cpus = cpumask_of(0);
	scene_expect(&sc, log);
	scene_clear(&sc);
}

#define MOVED                                                                          \
	"0 cpu0 idle>a-0\n"                                                            \
	"100 cpu0 a-0>stop\n"                                                          \
	"100 cpu0 stop>idle\n"

static void another_core_of_the_cache_is_cold(void **state)
{
	expect_move("1n1l2c1t", MOVED "100 a-0 refills 5\n"
				      "100 cpu1 idle>a-0\n"
				      "205 cpu1 a-0>idle\n");
}

static void another_cache_is_colder(void **state)
{
	expect_move("1n2l1c1t", MOVED "100 a-0 refills 20\n"
				      "100 cpu1 idle>a-0\n"
				      "220 cpu1 a-0>idle\n");
}

static void another_node_is_coldest(void **state)
{
	expect_move("2n1l1c1t", MOVED "100 a-0 refills 50\n"
				      "100 cpu1 idle>a-0\n"
				      "250 cpu1 a-0>idle\n");
}

static void a_sibling_shares_the_caches(void **state)
{
	expect_move("1n1l1c2t", MOVED "100 cpu1 idle>a-0\n"
				      "200 cpu1 a-0>idle\n");
}

/* The way back is cold again; to run where it ran last is not. */
static void what_counts_is_where_it_ran_last(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	sc.in.spec.costs = REFILLS;
	scene_task(&sc, "a", RUN(100 * US), SET_CPUS(cpumask_of(1)), RUN(100 * US),
		   SLEEP(100 * US), RUN(100 * US), SET_CPUS(cpumask_of(0)),
		   RUN(100 * US))
		->cpus = cpumask_of(0);
	scene_expect(&sc, MOVED "100 a-0 refills 5\n"
				"100 cpu1 idle>a-0\n"
				"205 cpu1 a-0>idle\n"
				"305 +a-0\n"
				"305 cpu1 idle>a-0\n"
				"405 cpu1 a-0>stop\n"
				"405 cpu1 stop>idle\n"
				"405 a-0 refills 5\n"
				"405 cpu0 idle>a-0\n"
				"510 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_switch_comes_before_the_work),
		cmocka_unit_test(a_switch_comes_before_a_step_without_work),
		cmocka_unit_test(kernel_time_is_the_same_on_a_slow_cpu),
		cmocka_unit_test(a_thread_pays_each_time_it_is_switched_in),
		cmocka_unit_test(another_core_of_the_cache_is_cold),
		cmocka_unit_test(another_cache_is_colder),
		cmocka_unit_test(another_node_is_coldest),
		cmocka_unit_test(a_sibling_shares_the_caches),
		cmocka_unit_test(what_counts_is_where_it_ran_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
