/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedules of SCHED_RR on one CPU, worked out by hand to the ns.
 *
 * source: sched(7), "SCHED_RR"; RR_TIMESLICE, 100 ms, 6.1.  Ticks come every 4 ms from
 * the start on; a slice is 25 of those that find its task running.
 */
#include "test.h"
#include "workload_scene.h"

static void rt(struct task_spec *spec, enum sched_policy policy, unsigned priority)
{
	spec->policy = policy;
	spec->rt_priority = priority;
}

static void rr(struct task_spec *spec, unsigned priority)
{
	rt(spec, POLICY_RR, priority);
}

static void fifo(struct task_spec *spec, unsigned priority)
{
	rt(spec, POLICY_FIFO, priority);
}

static void begin(struct scene *sc)
{
	scene_init(sc, "1n1l1c1t", 600 * MS);
}

static void three_equals_take_turns(void **state)
{
	struct scene sc;

	begin(&sc);
	rr(scene_task(&sc, "a", RUN(150 * MS)), 10);
	rr(scene_task(&sc, "b", RUN(150 * MS)), 10);
	rr(scene_task(&sc, "c", RUN(150 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "100000 cpu0 a-0>b-0\n"
			  "200000 cpu0 b-0>c-0\n"
			  "300000 cpu0 c-0>a-0\n"
			  "350000 cpu0 a-0>b-0\n"
			  "400000 cpu0 b-0>c-0\n"
			  "450000 cpu0 c-0>idle\n");
	scene_clear(&sc);
}

/* b's 25 ticks are those from 32 to 128 ms, c's from 132 to 228. */
static void who_is_done_early_passes_the_turn_on(void **state)
{
	struct scene sc;

	begin(&sc);
	rr(scene_task(&sc, "a", RUN(30 * MS)), 10);
	rr(scene_task(&sc, "b", RUN(150 * MS)), 10);
	rr(scene_task(&sc, "c", RUN(150 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "30000 cpu0 a-0>b-0\n"
			  "128000 cpu0 b-0>c-0\n"
			  "228000 cpu0 c-0>b-0\n"
			  "280000 cpu0 b-0>c-0\n"
			  "330000 cpu0 c-0>idle\n");
	scene_clear(&sc);
}

/* a saw 12 ticks before 50 ms; the other 13 are those from 72 to 120. */
static void a_preempted_task_keeps_its_place_and_its_slice(void **state)
{
	struct scene sc;

	begin(&sc);
	rr(scene_task(&sc, "a", RUN(150 * MS)), 10);
	rr(scene_task(&sc, "b", RUN(20 * MS)), 10);
	fifo(scene_task(&sc, "high", SLEEP(50 * MS), RUN(20 * MS)), 11);
	scene_expect(&sc, "0 cpu0 idle>high-0\n"
			  "0 cpu0 high-0>a-0\n"
			  "50000 +high-0\n"
			  "50000 cpu0 a-0>high-0\n"
			  "70000 cpu0 high-0>a-0\n"
			  "120000 cpu0 a-0>b-0\n"
			  "140000 cpu0 b-0>a-0\n"
			  "190000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_fifo_equal_does_not_give_its_turn_back(void **state)
{
	struct scene sc;

	begin(&sc);
	rr(scene_task(&sc, "a", RUN(150 * MS)), 10);
	fifo(scene_task(&sc, "f", RUN(150 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "100000 cpu0 a-0>f-0\n"
			  "250000 cpu0 f-0>a-0\n"
			  "300000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* b's 25 ticks are those from 52 to 148 ms, a's other 13 those from 152 to 200. */
static void yield_ends_a_turn_and_not_the_slice(void **state)
{
	struct scene sc;

	begin(&sc);
	rr(scene_task(&sc, "a", RUN(50 * MS), YIELD, RUN(150 * MS)), 10);
	rr(scene_task(&sc, "b", RUN(100 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "50000 cpu0 a-0>b-0\n"
			  "148000 cpu0 b-0>a-0\n"
			  "200000 cpu0 a-0>b-0\n"
			  "202000 cpu0 b-0>a-0\n"
			  "300000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void a_lower_priority_gets_no_turn(void **state)
{
	struct scene sc;

	begin(&sc);
	rr(scene_task(&sc, "a", RUN(250 * MS)), 10);
	rr(scene_task(&sc, "low", RUN(10 * MS)), 9);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "250000 cpu0 a-0>low-0\n"
			  "260000 cpu0 low-0>idle\n");
	scene_clear(&sc);
}

/* Of equal priority, it keeps its place as well.  source: __sched_setscheduler() */
static void who_becomes_fifo_has_no_slice_any_more(void **state)
{
	struct scene sc;

	begin(&sc);
	rr(scene_task(&sc, "a", RUN(60 * MS), SET_RT(POLICY_FIFO, 10), RUN(100 * MS)),
	   10);
	rr(scene_task(&sc, "b", RUN(10 * MS)), 10);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "160000 cpu0 a-0>b-0\n"
			  "170000 cpu0 b-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_equals_take_turns),
		cmocka_unit_test(who_is_done_early_passes_the_turn_on),
		cmocka_unit_test(a_preempted_task_keeps_its_place_and_its_slice),
		cmocka_unit_test(a_fifo_equal_does_not_give_its_turn_back),
		cmocka_unit_test(yield_ends_a_turn_and_not_the_slice),
		cmocka_unit_test(a_lower_priority_gets_no_turn),
		cmocka_unit_test(who_becomes_fifo_has_no_slice_any_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
