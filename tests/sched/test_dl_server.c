/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The constant bandwidth server of one CPU, each schedule worked out by hand.  Ticks
 * come every 4 ms, and runtime is charged then and at switches.
 */
#include "test.h"

#include "dl_scene.h"

static int one_cpu(void **state)
{
	*state = dl_scene_new("1n1l1c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

/* 4 ms of each 12: [0,4), [12,16), [24,28). */
static void without_runtime_it_waits_for_its_next_period(void **state)
{
	run_scene *s = *state;
	struct task *fair = fair_task(s, 0);
	struct task *hog = dl_task_on(s, 0, implicit(4000, 12000));

	assert_instance(hog, 4000000, 12000);
	for (uint64_t period = 0; period < 3; period++) {
		assert_true(runs_on(s, hog, 0));
		run_ticking_to_us(s, period * 12000 + 3999);
		assert_true(runs_on(s, hog, 0));
		run_ticking_to_us(s, period * 12000 + 4000);
		assert_instance(hog, 0, (period + 1) * 12000);
		assert_true(hog->dl.dl_throttled);
		run_ticking_to_us(s, period * 12000 + 11999);
		assert_true(runs_on(s, fair, 0));
		run_ticking_to_us(s, period * 12000 + 12000);
		assert_instance(hog, 4000000, (period + 2) * 12000);
		assert_false(hog->dl.dl_throttled);
	}
	assert_int_equal(hog->se.sum_exec_runtime, 12000000);
}

/*
 * 3 ms of each 10.  The tick at 4 finds an overrun of 1 ms, so the next instance has 2
 * ms, which the tick at 12 finds used up; and so on: 4, 2, 4, 2 ms.
 */
static void an_overrun_is_paid_back_by_the_next_instance(void **state)
{
	run_scene *s = *state;
	struct task *hog = dl_task_on(s, 0, implicit(3000, 10000));

	run_ticking_to_us(s, 4000);
	assert_instance(hog, -1000000, 10000);
	run_ticking_to_us(s, 10000);
	assert_instance(hog, 2000000, 20000);
	run_ticking_to_us(s, 12000);
	assert_instance(hog, 0, 20000);
	run_ticking_to_us(s, 20000);
	assert_instance(hog, 3000000, 30000);
	run_ticking_to_us(s, 24000);
	assert_instance(hog, -1000000, 30000);
	run_ticking_to_us(s, 40000);
	assert_instance(hog, 3000000, 50000);
	assert_int_equal(hog->se.sum_exec_runtime, 12000000);
}

/*
 * 1 ms of each 5: the tick at 4 finds an overrun of 3 ms.  At 5 three periods make it
 * 0, which is none, and the fourth gives 1 ms: due at 25.
 */
static void a_long_overrun_takes_several_periods(void **state)
{
	run_scene *s = *state;
	struct task *hog = dl_task_on(s, 0, implicit(1000, 5000));

	run_ticking_to_us(s, 4000);
	assert_instance(hog, -3000000, 5000);
	assert_int_equal(hog->dl.dl_timer.at_ns, RUN_START_NS + 5000000);
	run_ticking_to_us(s, 5000);
	assert_instance(hog, 1000000, 25000);
	assert_true(runs_on(s, hog, 0));
}

/*
 * 4.5 of 5 ms.  The tick at 8 finds an overrun of 3.5 ms, 3 ms into the next period,
 * so its 4.5 ms are there at once: 1 ms is left, due at 10.
 */
static void a_period_that_has_begun_is_not_waited_for(void **state)
{
	run_scene *s = *state;
	struct task *hog = dl_task_on(s, 0, implicit(4500, 5000));

	run_ticking_to_us(s, 8000);
	assert_false(hog->dl.dl_throttled);
	assert_instance(hog, 1000000, 10000);
	assert_true(runs_on(s, hog, 0));
}

/* Less than a us late is in time: the timer is set, and fires at once. */
static void a_timer_may_be_late_by_less_than_a_us(void **state)
{
	run_scene *s = *state;
	struct task *hog = dl_task_on(s, 0, implicit(4500, 5000));

	run_to_ns(s, 5000999);
	run_tick(s, 0);
	assert_true(hog->dl.dl_throttled);
	assert_true(cpu_rq(s->m, 0)->curr == cpu_rq(s->m, 0)->idle);
	run_to_ns(s, 5000999);
	assert_true(runs_on(s, hog, 0));
	assert_instance(hog, 4500000 - 500999, 10000);
}

static void a_us_late_is_too_late(void **state)
{
	run_scene *s = *state;
	struct task *hog = dl_task_on(s, 0, implicit(4500, 5000));

	run_to_ns(s, 5001000);
	run_tick(s, 0);
	assert_false(hog->dl.dl_throttled);
	assert_instance(hog, 4500000 - 501000, 10000);
}

/* Nothing was charged since it came, and nothing is left of the instance all the same.
 */
static void yield_at_once_gives_up_the_whole_instance(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	do_sched_yield(s->m, 0);
	assert_true(t->dl.dl_throttled);
	assert_false(t->dl.on_rq);
	run_to_us(s, 8000);
	assert_instance(t, 4000000, 16000);
}

/* Only whole instances end: yield() gives up 3 of 4 ms until the next period, at 8. */
static void yield_gives_up_the_instance(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	do_sched_yield(s->m, 0);
	assert_true(cpu_rq(s->m, 0)->curr == cpu_rq(s->m, 0)->idle);
	assert_instance(t, 3000000, 8000);
	run_to_us(s, 7999);
	assert_false(t->dl.on_rq);
	run_to_us(s, 8000);
	assert_true(runs_on(s, t, 0));
	assert_instance(t, 4000000, 16000);
}

/*
 * 4 of 8 ms, 1 ms run.  At 2 ms, 3 ms until 8 are no more than half of the 6 left:
 * runtime and deadline stay.
 */
static void a_short_sleep_keeps_the_instance(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	run_block(s, 0);
	run_to_us(s, 2000);
	run_wake(s, t, 0);
	assert_instance(t, 3000000, 8000);
}

/* At 3 ms, 3 ms until 8 would be more than half: a new instance, due at 11. */
static void a_longer_sleep_begins_a_new_instance(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	run_block(s, 0);
	run_to_us(s, 3000);
	run_wake(s, t, 0);
	assert_instance(t, 4000000, 11000);
}

static void after_the_deadline_too(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	run_block(s, 0);
	run_to_us(s, 20000);
	run_wake(s, t, 0);
	assert_instance(t, 4000000, 28000);
}

/*
 * 4 ms within 8 of each 20, 1 ms run.  At 6 ms, 3 ms until 8 are more than half: a new
 * instance would be too much by period, so the deadline stays and 1 of the 2 ms left.
 */
static void revised_wakeup_cuts_a_constrained_task_to_its_density(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, constrained(4000, 8000, 20000));

	run_to_us(s, 1000);
	run_block(s, 0);
	run_to_us(s, 6000);
	run_wake(s, t, 0);
	assert_instance(t, 1000000, 8000);
	run_ticking_to_us(s, 8000);
	assert_instance(t, -1000000, 8000);
	/* The next period begins at 20 and has 3 ms, due at 28. */
	run_ticking_to_us(s, 19999);
	assert_false(t->dl.on_rq);
	run_ticking_to_us(s, 20000);
	assert_instance(t, 3000000, 28000);
}

/* 2 ms within 4 of each 20; it wakes at 6, when this period's share is gone. */
static void a_constrained_task_past_its_deadline_waits_for_its_period(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, constrained(2000, 4000, 20000));

	run_to_us(s, 1000);
	run_block(s, 0);
	run_to_us(s, 6000);
	run_wake(s, t, 0);
	assert_true(t->dl.dl_throttled);
	assert_instance(t, 0, 4000);
	assert_true(cpu_rq(s->m, 0)->curr == cpu_rq(s->m, 0)->idle);
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 0);
	run_to_us(s, 20000);
	assert_true(runs_on(s, t, 0));
	assert_instance(t, 2000000, 24000);
}

/* It wakes at 21: a new period has begun. */
static void a_constrained_task_past_its_period_begins_anew(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, constrained(2000, 4000, 20000));

	run_to_us(s, 1000);
	run_block(s, 0);
	run_to_us(s, 21000);
	run_wake(s, t, 0);
	assert_instance(t, 2000000, 25000);
	assert_true(runs_on(s, t, 0));
}

/* It sleeps at 4 with all of its runtime used; the timer at 12 does not wake it. */
static void the_timer_refills_a_sleeper(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 12000));

	run_to_us(s, 4000);
	run_block(s, 0);
	assert_true(t->dl.dl_throttled);
	run_to_us(s, 12000);
	assert_false(t->dl.dl_throttled);
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 0);
	assert_instance(t, 4000000, 24000);
	/* 4 ms until 24 are a third of the time, and no more, at 12 alone. */
	run_wake(s, t, 0);
	assert_instance(t, 4000000, 24000);
}

/* Awake again before its timer it still has to wait. */
static void to_sleep_is_no_way_around_the_server(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 12000));

	run_to_us(s, 4000);
	run_block(s, 0);
	run_to_us(s, 5000);
	run_wake(s, t, 0);
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 0);
	run_to_us(s, 12000);
	assert_true(runs_on(s, t, 0));
	assert_instance(t, 4000000, 24000);
}

/*
 * Interrupts take 1 of the first 4 ms: that much is not charged, but the deadline does
 * not wait.
 */
static void interrupt_time_is_not_charged(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 12000));

	cpu_rq(s->m, 0)->irq_time += 1000000;
	run_ticking_to_us(s, 4000);
	assert_instance(t, 1000000, 12000);
	assert_true(runs_on(s, t, 0));
}

/* At half the capacity 4 ms of time are 2 ms of runtime. */
static void a_slow_cpu_is_charged_by_its_capacity(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 12000));

	cpu_rq(s->m, 0)->cpu_scale = 512;
	run_ticking_to_us(s, 4000);
	assert_instance(t, 2000000, 12000);
	cpu_rq(s->m, 0)->freq_scale = 256;
	run_ticking_to_us(s, 8000);
	assert_instance(t, 1500000, 12000);
}

/*
 * It leaves the class throttled and comes back before its timer: not queued but
 * current it goes on, and nobody charges it; the next switch takes it off.  This is
 * the kernel's, with nothing in it to stop that.
 */
static void who_comes_back_throttled_goes_on_uncharged(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 12000));

	run_ticking_to_us(s, 4000);
	assert_true(t->dl.dl_throttled);
	try_normal(s, t);
	run_to_us(s, 5000);
	assert_int_equal(try_deadline(s, t, implicit(4000, 12000), 0), 0);
	run_ticking_to_us(s, 9000);
	assert_true(runs_on(s, t, 0));
	assert_instance(t, 0, 12000);
	fair_task(s, 0);
	run_tick(s, 0);
	assert_true(runs_on(s, t, 0));
	run_to_us(s, 12000);
	assert_instance(t, 4000000, 24000);
}

/* A machine that has just started has no deadline that is past. */
static void a_first_instance_begins_when_it_is_asked_for(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, constrained(1000, 2000, 4000000));

	assert_instance(t, 1000000, 2000);
	assert_true(runs_on(s, t, 0));
}

int main(void)
{
#define DL_TEST(f) cmocka_unit_test_setup_teardown(f, one_cpu, teardown)
	const struct CMUnitTest tests[] = {
		DL_TEST(without_runtime_it_waits_for_its_next_period),
		DL_TEST(an_overrun_is_paid_back_by_the_next_instance),
		DL_TEST(a_long_overrun_takes_several_periods),
		DL_TEST(a_period_that_has_begun_is_not_waited_for),
		DL_TEST(a_timer_may_be_late_by_less_than_a_us),
		DL_TEST(a_us_late_is_too_late),
		DL_TEST(yield_at_once_gives_up_the_whole_instance),
		DL_TEST(yield_gives_up_the_instance),
		DL_TEST(a_short_sleep_keeps_the_instance),
		DL_TEST(a_longer_sleep_begins_a_new_instance),
		DL_TEST(after_the_deadline_too),
		DL_TEST(revised_wakeup_cuts_a_constrained_task_to_its_density),
		DL_TEST(a_constrained_task_past_its_deadline_waits_for_its_period),
		DL_TEST(a_constrained_task_past_its_period_begins_anew),
		DL_TEST(the_timer_refills_a_sleeper),
		DL_TEST(to_sleep_is_no_way_around_the_server),
		DL_TEST(interrupt_time_is_not_charged),
		DL_TEST(a_slow_cpu_is_charged_by_its_capacity),
		DL_TEST(who_comes_back_throttled_goes_on_uncharged),
		DL_TEST(a_first_instance_begins_when_it_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
