/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Earliest deadline first: schedules of one and two CPUs from the literature, worked
 * out by hand to the ms.
 */
#include "test.h"

#include "dl_scene.h"

static struct periodic periodic_on(run_scene *s, int cpu, char letter, unsigned run_ms,
				   unsigned period_ms)
{
	return (struct periodic){
		.t = dl_task_on(s, cpu, implicit(run_ms * 1000, period_ms * 1000)),
		.letter = letter,
		.run_ms = run_ms,
		.period_ms = period_ms,
	};
}

/*
 * 2 of 5 and 4 of 7 (0.97 of a CPU): more than rate monotonic priorities can do.
 * source: Buttazzo, Hard Real-Time Computing Systems, chapter 4, EDF against RM
 *
 * The first runs when its deadline (5, 10, ...) is before the second's (7, 14, ...);
 * of two due at 35 the one that runs goes on.
 */
static void buttazzo_two_tasks_meet_every_deadline(void **state)
{
	static const char *const schedule[] = {"11222211222211211222112222112222"
					       "11."};
	g_autoptr(run_scene) s = dl_scene_new("1n1l1c1t");
	struct periodic tasks[] = {
		periodic_on(s, 0, '1', 2, 5),
		periodic_on(s, 0, '2', 4, 7),
	};

	assert_schedule(s, tasks, 2, schedule);
	assert_int_equal(tasks[0].t->se.sum_exec_runtime, 14000000);
	assert_int_equal(tasks[1].t->se.sum_exec_runtime, 20000000);
}

/*
 * Two light tasks, 2 of 10, and a heavy one, 10 of 11: the light ones are due first and
 * take both CPUs, so the heavy one starts at 2 and misses 11 though both CPUs are idle
 * for most of the time.
 * source: Dhall and Liu, On a Real-Time Scheduling Problem, 1978
 */
static void dhall_and_liu_light_tasks_make_a_heavy_one_late(void **state)
{
	static const char *const schedule[] = {
		"11HHHHHHHHHH",
		"22........11",
	};
	g_autoptr(run_scene) s = dl_scene_new("1n1l2c1t");
	struct periodic tasks[] = {
		periodic_on(s, 0, '1', 2, 10),
		periodic_on(s, 1, '2', 2, 10),
		periodic_on(s, 0, 'H', 10, 11),
	};

	assert_schedule(s, tasks, 3, schedule);
	assert_true(tasks[2].t->dl.deadline < s->m->now_ns + NSEC_PER_MSEC);
}

/*
 * Three tasks, 2 of 3 each, fill two CPUs and could share them fairly; by deadlines
 * the third starts at 2 and misses 3.
 * source: the usual example for proportionate fairness (Pfair)
 *
 * At 3 the first wakes on the idle CPU and the second behind it; at 4 the third is done
 * and its CPU pulls the second.
 */
static void three_tasks_of_two_thirds_miss_on_two_cpus(void **state)
{
	static const char *const schedule[] = {
		"AACCB",
		"BB.AA",
	};
	g_autoptr(run_scene) s = dl_scene_new("1n1l2c1t");
	struct periodic tasks[] = {
		periodic_on(s, 0, 'A', 2, 3),
		periodic_on(s, 1, 'B', 2, 3),
		periodic_on(s, 0, 'C', 2, 3),
	};

	assert_schedule(s, tasks, 3, schedule);
}

/*
 * A task that never ends has 4 of 12 ms, another needs 6 of 12: the first is cut off
 * at 4 each time, and the second is done 2 ms before its deadline.
 * source: Abeni and Buttazzo, 1998: servers are isolated from each other
 */
static void a_hog_makes_nobody_else_late(void **state)
{
	g_autoptr(run_scene) s = dl_scene_new("1n1l1c1t");
	struct task *hog = dl_task_on(s, 0, implicit(4000, 12000));
	struct task *t = dl_task_on(s, 0, implicit(6000, 12000));

	for (uint64_t start_us = 0; start_us < 48000; start_us += 12000) {
		assert_true(runs_on(s, hog, 0));
		run_ticking_to_us(s, start_us + 4000);
		assert_true(runs_on(s, t, 0));
		run_ticking_to_us(s, start_us + 10000);
		run_block(s, 0);
		run_ticking_to_us(s, start_us + 12000);
		run_wake(s, t, 0);
	}
}

/* Among equals the first to come runs first. */
static void equal_deadlines_run_in_the_order_they_came(void **state)
{
	g_autoptr(run_scene) s = dl_scene_new("1n1l1c1t");
	struct task *a = dl_task_on(s, 0, implicit(2000, 10000));
	struct task *b = dl_task_on(s, 0, implicit(2000, 10000));
	struct task *c = dl_task_on(s, 0, implicit(2000, 10000));

	assert_true(runs_on(s, a, 0));
	run_block(s, 0);
	assert_true(runs_on(s, b, 0));
	run_block(s, 0);
	assert_true(runs_on(s, c, 0));
}

static void an_earlier_deadline_preempts_at_once(void **state)
{
	g_autoptr(run_scene) s = dl_scene_new("1n1l1c1t");
	struct task *later = dl_task_on(s, 0, implicit(5000, 20000));
	struct task *earlier = dl_task_on(s, 0, implicit(1000, 10000));

	assert_true(runs_on(s, earlier, 0));
	run_block(s, 0);
	assert_true(runs_on(s, later, 0));
	run_to_us(s, 12000);
	run_wake(s, earlier, 0);
	assert_instance(earlier, 1000000, 22000);
	assert_true(runs_on(s, later, 0));
}

/*
 * Another keeps the first, due at 10, from running until 8, so at 12 it has 6 of 10 ms
 * left and is late.  With other figures it begins anew, due at 32, and the third is due
 * at 15.
 */
static void a_change_of_figures_lets_an_earlier_deadline_run(void **state)
{
	g_autoptr(run_scene) s = dl_scene_new("1n1l1c1t");
	struct task *late, *third;

	dl_task_on(s, 0, implicit(5000, 5000));
	late = dl_task_on(s, 0, implicit(10000, 10000));
	third = dl_task_on(s, 0, implicit(5000, 15000));
	run_to_us(s, 8000);
	run_block(s, 0);
	run_to_us(s, 12000);
	run_tick(s, 0);
	assert_true(runs_on(s, late, 0));
	assert_instance(late, 6000000, 10000);
	assert_int_equal(try_deadline(s, late, implicit(20000, 20000), 0), 0);
	assert_instance(late, 20000000, 32000);
	assert_true(runs_on(s, third, 0));
}

static void every_deadline_task_comes_before_a_fair_one(void **state)
{
	g_autoptr(run_scene) s = dl_scene_new("1n1l1c1t");
	struct task *fair = fair_task(s, 0);
	struct task *t = dl_task_on(s, 0, implicit(5000, 1000000));

	assert_true(runs_on(s, t, 0));
	run_to_us(s, 3000);
	run_block(s, 0);
	assert_true(runs_on(s, fair, 0));
	run_to_us(s, 4000);
	run_wake(s, t, 0);
	assert_true(runs_on(s, t, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buttazzo_two_tasks_meet_every_deadline),
		cmocka_unit_test(dhall_and_liu_light_tasks_make_a_heavy_one_late),
		cmocka_unit_test(three_tasks_of_two_thirds_miss_on_two_cpus),
		cmocka_unit_test(a_hog_makes_nobody_else_late),
		cmocka_unit_test(equal_deadlines_run_in_the_order_they_came),
		cmocka_unit_test(an_earlier_deadline_preempts_at_once),
		cmocka_unit_test(a_change_of_figures_lets_an_earlier_deadline_run),
		cmocka_unit_test(every_deadline_task_comes_before_a_fair_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
