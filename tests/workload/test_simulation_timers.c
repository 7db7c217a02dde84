/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleeps and timers on a grid.  Expected times are those of rt-app's tutorial.
 */
#include "test.h"
#include "workload_scene.h"

static uint64_t third_too_long[] = {10 * MS, 10 * MS, 25 * MS, 10 * MS};

static const struct dist runs = {.kind = DIST_LIST,
				 .nr = G_N_ELEMENTS(third_too_long),
				 .values = third_too_long};

static void a_missed_relative_timer_starts_a_new_grid(void **state)
{
	struct scene sc;
	struct task_spec *a;

	scene_init(&sc, "1n1l1c1t", 200 * MS);
	sc.no_scheduling = true;
	a = scene_task(&sc, "a", LOOP(4, 3), RUN(0), TIMER(0, 20 * MS), LOOP_END(0));
	a->program.steps[1].amount = runs;
	scene_expect(&sc, "10000 a-0 timer 10000\n"
			  "20000 a-0 active\n"
			  "30000 a-0 timer 10000\n"
			  "40000 a-0 active\n"
			  "65000 a-0 timer -5000\n"
			  "65000 a-0 active\n"
			  "75000 a-0 timer 10000\n"
			  "85000 a-0 active\n");
	scene_clear(&sc);
}

static void a_missed_absolute_timer_keeps_its_grid(void **state)
{
	struct scene sc;
	struct task_spec *a;

	scene_init(&sc, "1n1l1c1t", 200 * MS);
	sc.no_scheduling = true;
	a = scene_task(&sc, "a", LOOP(4, 3), RUN(0), TIMER_ABSOLUTE(0, 20 * MS),
		       LOOP_END(0));
	a->program.steps[1].amount = runs;
	scene_expect(&sc, "10000 a-0 timer 10000\n"
			  "20000 a-0 active\n"
			  "30000 a-0 timer 10000\n"
			  "40000 a-0 active\n"
			  "65000 a-0 timer -5000\n"
			  "65000 a-0 active\n"
			  "75000 a-0 timer 5000\n"
			  "80000 a-0 active\n");
	scene_clear(&sc);
}

static void a_timer_due_now_is_missed(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 200 * MS);
	scene_task(&sc, "a", RUN(2 * MS), TIMER(0, 2 * MS), RUN(1 * MS));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "2000 a-0 timer 0\n"
			  "3000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_grid_starts_with_the_thread_not_with_its_first_run(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 200 * MS);
	scene_task(&sc, "a", RUN(1 * MS), TIMER(0, 10 * MS));
	scene_task(&sc, "b", RUN(3 * MS));
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "3000 cpu0 b-0>a-0\n"
			  "4000 a-0 timer 6000\n"
			  "4000 cpu0 a-0>idle\n"
			  "10000 +a-0\n"
			  "10000 cpu0 idle>a-0\n"
			  "10000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_delay_is_a_sleep_before_the_grid(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 200 * MS);
	scene_task(&sc, "a", RUN(1 * MS), TIMER(0, 10 * MS))->delay_ns = 5 * MS;
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu0 a-0>idle\n"
			  "5000 +a-0\n"
			  "5000 cpu0 idle>a-0\n"
			  "6000 a-0 timer 9000\n"
			  "6000 cpu0 a-0>idle\n"
			  "15000 +a-0\n"
			  "15000 cpu0 idle>a-0\n"
			  "15000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void two_threads_share_a_timer(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 200 * MS);
	sc.no_scheduling = true;
	scene_task(&sc, "a", TIMER(0, 10 * MS))->cpus = cpumask_of(0);
	scene_task(&sc, "b", TIMER(0, 10 * MS))->cpus = cpumask_of(1);
	scene_expect(&sc, "0 a-0 timer 10000\n"
			  "0 b-0 timer 20000\n");
	scene_clear(&sc);
}

static void a_unique_timer_is_each_threads_own(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 200 * MS);
	sc.no_scheduling = true;
	sc.timers[0].unique = true;
	scene_task(&sc, "a", TIMER(0, 10 * MS))->cpus = cpumask_of(0);
	scene_task(&sc, "b", TIMER(0, 10 * MS))->cpus = cpumask_of(1);
	scene_expect(&sc, "0 a-0 timer 10000\n"
			  "0 b-0 timer 10000\n");
	scene_clear(&sc);
}

static void a_sleep_ends_on_the_cpu_where_it_began(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	sc.no_scheduling = sc.wakers = true;
	scene_task(&sc, "a", SLEEP(1 * MS))->cpus = cpumask_of(1);
	scene_expect(&sc, "1000 cpu1 wakes a-0\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missed_relative_timer_starts_a_new_grid),
		cmocka_unit_test(a_missed_absolute_timer_keeps_its_grid),
		cmocka_unit_test(a_timer_due_now_is_missed),
		cmocka_unit_test(a_grid_starts_with_the_thread_not_with_its_first_run),
		cmocka_unit_test(a_delay_is_a_sleep_before_the_grid),
		cmocka_unit_test(two_threads_share_a_timer),
		cmocka_unit_test(a_unique_timer_is_each_threads_own),
		cmocka_unit_test(a_sleep_ends_on_the_cpu_where_it_began),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
