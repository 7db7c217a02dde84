/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Busy siblings slow each other down, and only while they are busy.
 *
 * 614 makes 1024 * 1024 / (1024 + 614) = 640 of 1024: 5/8 of the rate alone.
 */
#include "test.h"
#include "workload_scene.h"

static void scene_of_siblings(struct scene *sc, const char *machine)
{
	scene_init(sc, machine, 20 * MS);
	sc->in.spec.costs = (struct machine_costs){.smt_slowdown = 614};
}

static void both_are_slow_until_one_is_done(void **state)
{
	struct scene sc;

	scene_of_siblings(&sc, "1n1l1c2t");
	scene_task(&sc, "a", RUN(1000 * US))->cpus = cpumask_of(0);
	scene_task(&sc, "b", RUN(500 * US))->cpus = cpumask_of(1);
	/* By 800 us each has done 500; a does the other 500 alone. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "800 cpu1 b-0>idle\n"
			  "1300 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void work_under_way_slows_down_when_a_sibling_begins(void **state)
{
	struct scene sc;

	scene_of_siblings(&sc, "1n1l1c2t");
	scene_task(&sc, "a", RUN(1000 * US))->cpus = cpumask_of(0);
	scene_task(&sc, "b", SLEEP(300 * US), RUN(100 * US))->cpus = cpumask_of(1);
	/* 300 alone, 100 in 160 beside b, 600 alone again. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu1 b-0>idle\n"
			  "300 +b-0\n"
			  "300 cpu1 idle>b-0\n"
			  "460 cpu1 b-0>idle\n"
			  "1060 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void one_thread_after_another_is_one_busy_sibling(void **state)
{
	struct scene sc;

	scene_of_siblings(&sc, "1n1l1c2t");
	scene_task(&sc, "a", RUN(500 * US))->cpus = cpumask_of(0);
	scene_task(&sc, "b", RUN(100 * US))->cpus = cpumask_of(1);
	scene_task(&sc, "c", RUN(100 * US))->cpus = cpumask_of(1);
	/* By 320 us a has done 200. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "160 cpu1 b-0>c-0\n"
			  "320 cpu1 c-0>idle\n"
			  "620 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* CPUs 0 and 2 are one core. */
static void another_core_is_no_sibling(void **state)
{
	struct scene sc;

	scene_of_siblings(&sc, "1n1l2c2t");
	scene_task(&sc, "a", RUN(1000 * US))->cpus = cpumask_of(0);
	scene_task(&sc, "b", RUN(500 * US))->cpus = cpumask_of(1);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "500 cpu1 b-0>idle\n"
			  "1000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void cpu_time_is_what_it_is(void **state)
{
	struct scene sc;

	scene_of_siblings(&sc, "1n1l1c2t");
	scene_task(&sc, "a", RUNTIME(1000 * US))->cpus = cpumask_of(0);
	scene_task(&sc, "b", RUNTIME(500 * US))->cpus = cpumask_of(1);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "500 cpu1 b-0>idle\n"
			  "1000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* The switch's 2 us are the same for both, and end after b's work began. */
static void kernel_time_is_not_slowed_down(void **state)
{
	struct scene sc;

	scene_of_siblings(&sc, "1n1l1c2t");
	sc.in.spec.costs.context_switch_ns = 2 * US;
	scene_task(&sc, "a", RUN(1000 * US))->cpus = cpumask_of(0);
	scene_task(&sc, "b", RUN(500 * US))->cpus = cpumask_of(1);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "802 cpu1 b-0>idle\n"
			  "1302 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/*
 * b begins at 6 us, in the middle of a's switch (5 to 7 us).  By 808 us, when b is
 * done, a has worked for 801 us at 5/8: 500.625 us.
 */
static void kernel_time_goes_on_when_a_sibling_begins(void **state)
{
	struct scene sc;

	scene_of_siblings(&sc, "1n1l1c2t");
	sc.in.spec.costs.context_switch_ns = 2 * US;
	scene_task(&sc, "a", SLEEP(3 * US), RUN(1000 * US))->cpus = cpumask_of(0);
	scene_task(&sc, "b", SLEEP(4 * US), RUN(500 * US))->cpus = cpumask_of(1);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "2 cpu0 a-0>idle\n"
			  "2 cpu1 b-0>idle\n"
			  "5 +a-0\n"
			  "5 cpu0 idle>a-0\n"
			  "6 +b-0\n"
			  "6 cpu1 idle>b-0\n"
			  "808 cpu1 b-0>idle\n"
			  "1307.375 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* Three others: 1024 * 1024 / (1024 + 3 * 614) = 365 of 1024. */
static void each_further_sibling_adds_as_much(void **state)
{
	struct scene sc;
	static const char *const names[] = {"a", "b", "c", "d"};

	scene_of_siblings(&sc, "1n1l1c4t");
	for (int i = 0; i < 4; i++)
		scene_task(&sc, names[i], RUN(365 * US))->cpus = cpumask_of(i);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu2 idle>c-0\n"
			  "0 cpu3 idle>d-0\n"
			  "1024 cpu0 a-0>idle\n"
			  "1024 cpu1 b-0>idle\n"
			  "1024 cpu2 c-0>idle\n"
			  "1024 cpu3 d-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_are_slow_until_one_is_done),
		cmocka_unit_test(work_under_way_slows_down_when_a_sibling_begins),
		cmocka_unit_test(one_thread_after_another_is_one_busy_sibling),
		cmocka_unit_test(another_core_is_no_sibling),
		cmocka_unit_test(cpu_time_is_what_it_is),
		cmocka_unit_test(kernel_time_is_not_slowed_down),
		cmocka_unit_test(kernel_time_goes_on_when_a_sibling_begins),
		cmocka_unit_test(each_further_sibling_adds_as_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
