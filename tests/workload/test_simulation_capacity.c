/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole runs on CPUs of unequal capacity, to the ns.
 */
#include "test.h"

#include "workload_scene.h"

/*
 * rt-app issue 89: "run" is work, "runtime" is time.  A CPU of half the capacity takes
 * twice the time for work, and as long as any for time.
 */
static void work_takes_longer_on_a_slower_cpu_and_time_does_not(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t/1x512", 100 * MS);
	scene_task(&sc, "a", RUN(8000 * US), SLEEP(1 * MS), RUNTIME(8000 * US));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "16000 cpu0 a-0>idle\n"
			  "17000 +a-0\n"
			  "17000 cpu0 idle>a-0\n"
			  "25000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/*
 * CPU 0, where it begins, has 400 of 1024: a task of 320 is too big (320 * 1280 = 400 *
 * 1024).  A new one counts as 200 there, half the capacity, and its utilisation goes
 * towards 1024 with a half-life of 32 ms of a full CPU's time, of which it gets 400 /
 * 1024: 1024 - 824 * 2^(-t / 81.92 ms) is 304 after 16 ms and 328 after 20.  The tick
 * there kicks an idle CPU, which balances for the first big one, 4, and CPU 0's
 * stopper pushes.  20 ms at 400 were 7.8125 ms of work.
 */
static void a_growing_task_is_pushed_to_a_big_cpu_at_a_tick(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n2l4c1t/4x400", 100 * MS);
	sc.in.spec.costs.wakeup_ipi_ns = 0;
	scene_task(&sc, "a", RUN(10 * MS));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "20000 cpu0 a-0>stop\n"
			  "20000 cpu0 stop>idle\n"
			  "20000 cpu4 idle>a-0\n"
			  "22187.500 cpu4 a-0>idle\n");
	scene_clear(&sc);
}

/* Capped at 200 it fits where it is: 10 ms of work take 25.6. */
static void a_capped_task_stays(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n2l4c1t/4x400", 100 * MS);
	scene_task(&sc, "a", RUN(10 * MS))->clamps =
		(struct clamp_setting){.set_max = true, .util_max = 200};
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "25600 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* From its creation on. */
static void a_boosted_task_begins_on_a_big_cpu(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n2l4c1t/4x400", 100 * MS);
	scene_task(&sc, "a", RUN(1 * MS))->clamps =
		(struct clamp_setting){.set_min = true, .util_min = 600};
	scene_expect(&sc, "0 cpu4 idle>a-0\n"
			  "1000 cpu4 a-0>idle\n");
	scene_clear(&sc);
}

static void a_phase_may_change_the_clamps(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l8c1t/4x400", 100 * MS);
	sc.in.spec.costs.wakeup_ipi_ns = 0;
	scene_task(&sc, "a", RUNTIME(1 * MS),
		   STEP(STEP_SET_CLAMPS, .clamps = {.set_min = true, .util_min = 600}),
		   SLEEP(1 * MS), RUNTIME(1 * MS),
		   STEP(STEP_SET_CLAMPS, .clamps = {.set_min = true, .util_min = -1}),
		   SLEEP(1 * MS), RUNTIME(1 * MS));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "1000 cpu0 a-0>idle\n"
			  "2000 +a-0\n"
			  "2000 cpu4 idle>a-0\n"
			  "3000 cpu4 a-0>idle\n"
			  "4000 +a-0\n"
			  "4000 cpu4 idle>a-0\n"
			  "5000 cpu4 a-0>idle\n");
	scene_clear(&sc);
}

/* More than the cap it has: EINVAL, with the place. */
static void clamps_the_kernel_refuses_end_the_run(void **state)
{
	g_autoptr(GError) error = NULL;
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "a", RUN(1 * MS),
		   STEP(STEP_SET_CLAMPS, .clamps = {.set_min = true, .util_min = 600}))
		->clamps = (struct clamp_setting){.set_max = true, .util_max = 200};
	assert_false(scene_run(&sc, &error));
	assert_string_equal(error->message, "a: sched_setattr() of a-0: EINVAL");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_takes_longer_on_a_slower_cpu_and_time_does_not),
		cmocka_unit_test(a_growing_task_is_pushed_to_a_big_cpu_at_a_tick),
		cmocka_unit_test(a_capped_task_stays),
		cmocka_unit_test(a_boosted_task_begins_on_a_big_cpu),
		cmocka_unit_test(a_phase_may_change_the_clamps),
		cmocka_unit_test(clamps_the_kernel_refuses_end_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
