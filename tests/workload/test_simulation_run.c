/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work, slices and preemption on one CPU, to the ns.
 *
 * On one CPU latency_ns is 6 ms, min_granularity_ns 0.75 ms, wakeup_granularity_ns
 * 1 ms, and ticks come every 4 ms.  Of two tasks made at the start the second runs
 * first: START_DEBIT puts the first a slice of 6 ms behind min_vruntime M, and the
 * second, that shares the period with it, 3 ms.
 */
#include "schedsim/error.h"
#include "test.h"
#include "workload_scene.h"

static void slices_end_at_ticks(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "a", RUN(5 * MS));
	scene_task(&sc, "b", RUN(6 * MS));
	/* Each tick finds that the current one ran 4 ms, more than its 3. */
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "4000 cpu0 b-0>a-0\n"
			  "8000 cpu0 a-0>b-0\n"
			  "10000 cpu0 b-0>a-0\n"
			  "11000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_sleeper_preempts(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "a", RUN(20 * MS));
	scene_task(&sc, "b", SLEEP(2500 * US), RUN(1 * MS));
	/*
	 * At 2.5 ms a is at M + 8.5 and so is min_vruntime; b is placed half a latency
	 * before that, 3 ms and more than the granularity.  a has 17.5 ms left then.
	 */
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>a-0\n"
			  "2500 +b-0\n"
			  "2500 cpu0 a-0>b-0\n"
			  "3500 cpu0 b-0>a-0\n"
			  "21000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_short_sleeper_waits_for_the_tick(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "a", RUN(10 * MS));
	scene_task(&sc, "b", RUN(3500 * US), SLEEP(400 * US), RUN(1 * MS));
	/*
	 * At 3.9 ms b is where it was, M + 6.5, and a at M + 6.4.  The tick at 4 ms
	 * lets a have its least granularity, the one at 8 ms finds 4.5 of 3 ms used.
	 */
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "3500 cpu0 b-0>a-0\n"
			  "3900 +b-0\n"
			  "8000 cpu0 a-0>b-0\n"
			  "9000 cpu0 b-0>a-0\n"
			  "14500 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_sleep_of_nothing_is_a_sleep(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 10 * MS);
	scene_task(&sc, "a", RUN(1 * MS), SLEEP(0), RUN(1 * MS));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "1000 cpu0 a-0>idle\n"
			  "1000 +a-0\n"
			  "1000 cpu0 idle>a-0\n"
			  "2000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void work_takes_longer_on_a_slower_cpu(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 10 * MS);
	sc.in.topology->cpu[0].capacity = 341;
	scene_task(&sc, "a", RUN(1 * US), RUNTIME(1 * US), RUN(341 * US));
	/* 1024000 / 341 = 3002.9, rounded up; CPU time as it is; 341 us * 1024 / 341.
	 */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "1028.003 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void preemption_loses_no_work(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	sc.in.topology->cpu[0].capacity = 341;
	scene_task(&sc, "a", RUN(1 * MS));
	scene_task(&sc, "b", SLEEP(1000001), RUNTIME(10 * US), SLEEP(1000001),
		   RUNTIME(10 * US));
	/* 1024000000 / 341 = 3002932.6 ns of a in three pieces. */
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>a-0\n"
			  "1000.001 +b-0\n"
			  "1000.001 cpu0 a-0>b-0\n"
			  "1010.001 cpu0 b-0>a-0\n"
			  "2010.002 +b-0\n"
			  "2010.002 cpu0 a-0>b-0\n"
			  "2020.002 cpu0 b-0>a-0\n"
			  "3022.933 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_yield_lets_the_other_run(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", RUN(1 * MS));
	scene_task(&sc, "b", RUN(2500 * US), YIELD, RUN(1 * MS));
	/* b yields at M + 5.5 and a, within a granularity, is at M + 6. */
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "2500 cpu0 b-0>a-0\n"
			  "3500 cpu0 a-0>b-0\n"
			  "4500 cpu0 b-0>idle\n");
	scene_clear(&sc);
}

static void a_yield_far_behind_goes_on(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", RUN(1 * MS));
	scene_task(&sc, "b", RUN(500 * US), YIELD, RUN(1 * MS));
	/* b yields at M + 3.5 and a, more than a granularity later, is at M + 6. */
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "1500 cpu0 b-0>a-0\n"
			  "2500 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_yield_alone_goes_on(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", RUN(1 * MS), YIELD, RUN(1 * MS));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "2000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void loops_run_their_count_and_zero_is_none(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", LOOP(2, 6), LOOP(2, 3), RUN(1 * US), LOOP_END(1),
		   LOOP(0, 5), LOOP_END(4), LOOP_END(0), LOOP(0, 9), RUN(1 * US),
		   LOOP_END(7));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "2 a-0 active\n"
			  "4 a-0 active\n"
			  "4 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void endless_loops_end_with_the_run(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 2500 * US);
	sc.w.warmup_ns = 1500 * US;
	scene_task(&sc, "a", LOOP(-1, 2), RUN(1 * MS), LOOP_END(0));
	/* The end is warm-up and duration; what happens at it is not seen. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "1000 a-0 active\n"
			  "1500 warm\n"
			  "2000 a-0 active\n"
			  "3000 a-0 active\n");
	scene_clear(&sc);
}

static void instances_are_threads_of_their_own(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", RUN(1 * MS))->instances = 2;
	scene_expect(&sc, "0 cpu0 idle>a-1\n"
			  "1000 cpu0 a-1>a-0\n"
			  "2000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void check_flips(const simulation *s)
{
	assert_int_equal(simulation_task(s, 0)->task.wakee_flips, 18);
	assert_int_equal(simulation_task(s, 1)->task.wakee_flips, 0);
}

static void threads_inherit_the_flips_they_are_given(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", RUN(1 * MS))->wakee_flips = 18;
	scene_task(&sc, "b", RUN(1 * MS));
	sc.inspect = check_flips;
	assert_true(scene_run(&sc, NULL));
	scene_clear(&sc);
}

static void check_names(const simulation *s)
{
	const struct sim_task *second = simulation_task(s, 1);
	const struct sim_task *third = simulation_task(s, 2);

	assert_int_equal(simulation_nr_tasks(s), 3);
	assert_int_equal(second->task.pid, 1001);
	assert_string_equal(second->task.comm, "a-1");
	assert_int_equal(second->instance, 1);
	assert_int_equal(third->task.pid, 1002);
	assert_string_equal(third->task.comm, "b-0");
	assert_int_equal(third->group, 1);
	assert_ptr_equal(sim_task_of(&third->task), third);
}

static void threads_have_names_and_pids_in_order(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", RUN(1 * MS))->instances = 2;
	scene_task(&sc, "b", RUN(1 * MS));
	sc.inspect = check_names;
	assert_true(scene_run(&sc, NULL));
	scene_clear(&sc);
}

static void check_end(const simulation *s)
{
	assert_int_equal(simulation_machine(s)->now_ns, SIM_START_NS + 1 * MS);
}

static void a_run_without_end_stops_with_its_last_thread(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", UINT64_MAX);
	scene_task(&sc, "a", RUN(1 * MS));
	sc.inspect = check_end;
	assert_true(scene_run(&sc, NULL));
	sc.in.spec.nohz = !sc.in.spec.nohz;
	assert_true(scene_run(&sc, NULL));
	scene_clear(&sc);
}

static void a_run_may_be_over_before_its_warmup(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", UINT64_MAX);
	sc.w.warmup_ns = 10 * MS;
	sc.in.spec.nohz = false;
	scene_task(&sc, "a", RUN(1 * MS));
	sc.inspect = check_end;
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "1000 cpu0 a-0>idle\n"
			  "1000 warm\n");
	scene_clear(&sc);
}

static void check_two_are_stuck(const simulation *s)
{
	const char *first = NULL;

	assert_int_equal(simulation_stuck_threads(s, &first), 2);
	assert_string_equal(first, "b-0");
}

static void check_nobody_is_stuck(const simulation *s)
{
	const char *first;

	assert_int_equal(simulation_stuck_threads(s, &first), 0);
}

static void threads_that_nobody_can_wake_are_stuck(void **state)
{
	struct scene sc;

	for (int i = 0; i < 2; i++) {
		scene_init(&sc, "1n1l1c1t", i ? 20 * MS : UINT64_MAX);
		scene_task(&sc, "a", RUN(1 * MS));
		scene_task(&sc, "b", LOCK(0), LOCK(0));
		scene_task(&sc, "c", SLEEP(5 * MS), LOCK(0));
		sc.inspect = check_two_are_stuck;
		assert_true(scene_run(&sc, NULL));
		scene_clear(&sc);
	}
	/* what sleeps will wake, even after the end */
	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", LOCK(0), SLEEP(30 * MS));
	scene_task(&sc, "b", SLEEP(5 * MS), LOCK(0));
	sc.inspect = check_nobody_is_stuck;
	assert_true(scene_run(&sc, NULL));
	scene_clear(&sc);
}

static void a_run_without_end_stops_when_all_wait_for_each_other(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", UINT64_MAX);
	scene_task(&sc, "a", RUN(1 * MS));
	scene_task(&sc, "b", LOCK(0), LOCK(0));
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>a-0\n"
			  "1000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_loop_in_no_time_is_an_error(void **state)
{
	struct scene sc;
	GError *error = NULL;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", RUN(1 * MS), LOOP(-1, 2), LOOP_END(1));
	assert_false(scene_run(&sc, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		     "a: expected steps that take time, got 1000000 at one instant: "
		     "a-0 makes no progress in time");
	scene_clear(&sc);
}

static void many_steps_in_some_time_are_none(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", LOOP(1, 6), LOOP(400000, 4), RUN(1), RUN(0), LOOP_END(1),
		   RUN(0), LOOP_END(0));
	/* 1.2 million steps in all. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "400 a-0 active\n"
			  "400 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_thread_that_becomes_idle_policy_gives_way(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 20 * MS);
	scene_task(&sc, "a", SET_SCHED(POLICY_IDLE, 0), RUN(10 * MS));
	scene_task(&sc, "b", RUN(3500 * US), SLEEP(400 * US), RUN(1 * MS));
	/* As above, but a normal wakee always preempts a SCHED_IDLE thread. */
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "3500 cpu0 b-0>a-0\n"
			  "3900 +b-0\n"
			  "3900 cpu0 a-0>b-0\n"
			  "4900 cpu0 b-0>a-0\n"
			  "14500 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_new_affinity_moves_the_running_thread(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	sc.no_scheduling = sc.wakers = true;
	scene_task(&sc, "a", LOOP(1, 5), RUN(1 * MS), SET_CPUS(cpumask_of(1)),
		   RUN(1 * MS), SLEEP(1 * MS), LOOP_END(0))
		->cpus = cpumask_of(0);
	/* It goes on at once, and sleeps on the new CPU. */
	scene_expect(&sc, "3000 cpu1 wakes a-0\n"
			  "3000 a-0 active\n");
	scene_clear(&sc);
}

static void no_cpu_left_is_an_error(void **state)
{
	struct scene sc;
	GError *error = NULL;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	scene_task(&sc, "a", SET_CPUS(cpumask_of(7)));
	assert_false(scene_run(&sc, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		     "a: expected a CPU that a-0 may use, got \"7\"");
	scene_clear(&sc);
}

/* Two caches of two CPUs: each new task goes where nothing runs yet. */
static void new_tasks_spread_over_a_machine_that_idled(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n2l2c1t", 100 * MS);
	for (int i = 0; i < 4; i++)
		scene_task(&sc, "a", RUN(1 * MS));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>a-0\n"
			  "0 cpu2 idle>a-0\n"
			  "0 cpu3 idle>a-0\n"
			  "1000 cpu0 a-0>idle\n"
			  "1000 cpu1 a-0>idle\n"
			  "1000 cpu2 a-0>idle\n"
			  "1000 cpu3 a-0>idle\n");
	scene_clear(&sc);
}

static void check_idle_caches(const simulation *s)
{
	const struct machine *m = simulation_machine(s);

	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		const struct sched_domain_shared *shared = m->rqs[cpu].sd_llc_shared;

		assert_int_equal(shared->nr_idle_scan, 4);
		assert_true(shared->has_idle_cores);
	}
}

static void a_run_begins_on_a_machine_that_was_idle(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n2l2c2t", 1);
	sc.inspect = check_idle_caches;
	assert_true(scene_run(&sc, NULL));
	scene_clear(&sc);
}

static void check_fixed_scan(const simulation *s)
{
	assert_int_equal(simulation_machine(s)->rqs[0].sd_llc_shared->nr_idle_scan, 1);
	assert_false(simulation_machine(s)->rqs[0].sd_llc_shared->has_idle_cores);
}

static void a_fixed_search_stays_fixed(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l4c1t", 1);
	sc.in.spec.nr_idle_scan_fixed = 1;
	sc.inspect = check_fixed_scan;
	assert_true(scene_run(&sc, NULL));
	scene_clear(&sc);
}

static void mem_takes_its_time_by_the_kib(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 10 * MS);
	sc.in.spec.costs.mem_kib_ns = 10;
	/* 8192 KiB; half a KiB */
	scene_task(&sc, "a", MEM(8 << 20), MEM(512));
	scene_expect(&sc, "0 cpu0 idle>a-0\n81.925 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void iorun_takes_its_time_by_the_call(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 10 * MS);
	sc.in.spec.costs.io_write_ns = 200;
	/* of a buffer of 4 MiB: 2, 3 and no calls */
	scene_task(&sc, "a", IORUN(8 << 20), IORUN((8 << 20) + 1), IORUN(0));
	scene_expect(&sc, "0 cpu0 idle>a-0\n1 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mem_takes_its_time_by_the_kib),
		cmocka_unit_test(iorun_takes_its_time_by_the_call),
		cmocka_unit_test(slices_end_at_ticks),
		cmocka_unit_test(new_tasks_spread_over_a_machine_that_idled),
		cmocka_unit_test(a_sleeper_preempts),
		cmocka_unit_test(a_short_sleeper_waits_for_the_tick),
		cmocka_unit_test(a_sleep_of_nothing_is_a_sleep),
		cmocka_unit_test(work_takes_longer_on_a_slower_cpu),
		cmocka_unit_test(preemption_loses_no_work),
		cmocka_unit_test(a_yield_lets_the_other_run),
		cmocka_unit_test(a_yield_far_behind_goes_on),
		cmocka_unit_test(a_yield_alone_goes_on),
		cmocka_unit_test(loops_run_their_count_and_zero_is_none),
		cmocka_unit_test(endless_loops_end_with_the_run),
		cmocka_unit_test(instances_are_threads_of_their_own),
		cmocka_unit_test(threads_have_names_and_pids_in_order),
		cmocka_unit_test(threads_inherit_the_flips_they_are_given),
		cmocka_unit_test(a_run_without_end_stops_with_its_last_thread),
		cmocka_unit_test(a_run_may_be_over_before_its_warmup),
		cmocka_unit_test(threads_that_nobody_can_wake_are_stuck),
		cmocka_unit_test(a_run_without_end_stops_when_all_wait_for_each_other),
		cmocka_unit_test(a_loop_in_no_time_is_an_error),
		cmocka_unit_test(many_steps_in_some_time_are_none),
		cmocka_unit_test(a_thread_that_becomes_idle_policy_gives_way),
		cmocka_unit_test(a_new_affinity_moves_the_running_thread),
		cmocka_unit_test(no_cpu_left_is_an_error),
		cmocka_unit_test(a_run_begins_on_a_machine_that_was_idle),
		cmocka_unit_test(a_fixed_search_stays_fixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
