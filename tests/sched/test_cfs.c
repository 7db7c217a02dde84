/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CFS on one CPU, where latency is 6 ms, min_granularity 0.75 ms and
 * wakeup_granularity 1 ms; a sleeper gets 3 ms of credit.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/cfs.h"
#include "sched/load_weight.h"

/* vruntime of @t past where every queue begins, 2^64 - 2^20. */
static int64_t vruntime_of(const struct task *t)
{
	return (int64_t)(t->se.vruntime + (1 << 20));
}

static int setup(void **state)
{
	*state = run_scene_new("1n1l1c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static void a_new_task_starts_one_slice_later(void **state)
{
	run_scene *s = *state;
	struct task *a = run_fork(s, 0, 0);

	/*
	 * Alone, the slice is the whole latency; the queue's weight goes in by the
	 * inverse floor((2^32 - 1) / 1024) = 4194303, which loses 1.4 ns of 6 ms.
	 */
	assert_int_equal(vruntime_of(a), 5999998);
	assert_true(runs_on(s, a, 0));
}

static void a_slice_ends_at_the_tick_after_it(void **state)
{
	run_scene *s = *state;
	struct task *a = run_fork(s, 0, 0);
	struct task *b = run_fork(s, 0, 0);

	/* Two of them: 3 ms each.  b is placed 3 ms behind a. */
	assert_true(runs_on(s, a, 0));
	run_to_us(s, 2000);
	run_tick(s, 0);
	assert_true(runs_on(s, a, 0));
	run_to_us(s, 4000);
	run_tick(s, 0);
	assert_true(runs_on(s, b, 0));
}

static void a_sleeper_gets_half_the_latency_and_preempts(void **state)
{
	run_scene *s = *state;
	struct task *sleeper = run_fork(s, 0, 0);
	struct task *hog;

	run_to_us(s, 100);
	run_block(s, 0);
	hog = run_fork(s, 0, 0);
	run_to_us(s, 20000);
	run_tick(s, 0);
	run_wake(s, sleeper, 0);
	assert_int_equal(sleeper->se.vruntime,
			 cpu_rq(s->m, 0)->cfs.min_vruntime - 3000000);
	assert_true(runs_on(s, sleeper, 0));
	assert_true(hog->on_rq == TASK_ON_RQ_QUEUED);
}

static void a_wakee_within_the_granularity_waits(void **state)
{
	run_scene *s = *state;
	struct task *sleeper = run_fork(s, 0, 0);
	struct task *hog;

	run_to_us(s, 100);
	run_block(s, 0);
	hog = run_fork(s, 0, 0);
	/* One slice past the queue's time, which the sleeper left 0.1 ms on. */
	assert_int_equal(vruntime_of(hog), 5999998 + 100000 + 5999998);
	hog->se.vruntime = sleeper->se.vruntime + 999999;
	run_wake(s, sleeper, 0);
	assert_true(runs_on(s, hog, 0));
}

static void a_lighter_wakee_needs_a_longer_lead(void **state)
{
	run_scene *s = *state;
	struct task *nice5 = run_fork(s, 0, 5);

	/* 1 ms * 1024 / 335, by the tabled inverse: 1000000 * 1024 * 12820798 >> 32. */
	assert_int_equal(wakeup_gran(s->m, &nice5->se), 3056716);
}

static void batch_and_idle_policy_wakees_never_preempt(void **state)
{
	static const enum sched_policy policies[] = {POLICY_BATCH, POLICY_IDLE};

	for (size_t i = 0; i < G_N_ELEMENTS(policies); i++) {
		g_autoptr(run_scene) s = run_scene_new("1n1l1c1t");
		struct cpumask cpu0 = cpumask_of(0);
		struct task *t = run_fork_on(s, 0, 0, policies[i], &cpu0);
		struct task *hog;

		run_to_us(s, 10);
		run_block(s, 0);
		hog = run_fork(s, 0, 0);
		run_to_us(s, 40000);
		run_tick(s, 0);
		run_wake(s, t, 0);
		assert_true(runs_on(s, hog, 0));
	}
}

static void an_idle_policy_current_is_preempted_at_once(void **state)
{
	run_scene *s = *state;
	struct cpumask cpu0 = cpumask_of(0);
	struct task *t = run_fork(s, 0, 0);

	run_to_us(s, 10);
	run_block(s, 0);
	run_fork_on(s, 0, 0, POLICY_IDLE, &cpu0);
	run_to_us(s, 20);
	run_wake(s, t, 0);
	assert_true(runs_on(s, t, 0));
}

static void a_yield_lets_the_second_run(void **state)
{
	run_scene *s = *state;
	struct task *a = run_fork(s, 0, 0);
	struct task *b = run_fork(s, 0, 0);

	/* The second may run if it is no more than 1 ms ahead. */
	b->se.vruntime = a->se.vruntime + 1000000;
	do_sched_yield(s->m, 0);
	assert_true(runs_on(s, b, 0));
}

static void a_yield_keeps_the_cpu_from_one_too_far_ahead(void **state)
{
	run_scene *s = *state;
	struct task *a = run_fork(s, 0, 0);
	struct task *b = run_fork(s, 0, 0);

	b->se.vruntime = a->se.vruntime + 1000001;
	do_sched_yield(s->m, 0);
	assert_true(runs_on(s, a, 0));
}

static void order_survives_wraparound(void **state)
{
	run_scene *s = *state;
	struct task *a = run_fork(s, 0, 0);
	struct task *b = run_fork(s, 0, 0);

	/* Time began just below the wrap, so a is past it and b made to be before. */
	assert_true(a->se.vruntime < (1 << 30));
	b->se.vruntime = (uint64_t)-1000;
	run_to_us(s, 4000);
	run_tick(s, 0);
	assert_true(runs_on(s, b, 0));
}

static void dur_avg_moves_an_eighth_at_each_sleep(void **state)
{
	run_scene *s = *state;
	struct task *a = run_fork(s, 0, 0);

	run_to_us(s, 80);
	run_block(s, 0);
	assert_int_equal(a->se.dur_avg, 10000);
	run_to_us(s, 200);
	run_wake(s, a, 0);
	run_to_us(s, 218);
	run_block(s, 0);
	/* 10000 + (18000 - 10000) / 8 */
	assert_int_equal(a->se.dur_avg, 11000);
}

static void preemption_does_not_end_a_burst(void **state)
{
	run_scene *s = *state;
	struct task *a = run_fork(s, 0, 0);
	struct task *b = run_fork(s, 0, 0);

	run_to_us(s, 4000);
	run_tick(s, 0);
	assert_true(runs_on(s, b, 0));
	run_to_us(s, 8000);
	run_tick(s, 0);
	assert_true(runs_on(s, a, 0));
	run_to_us(s, 8080);
	run_block(s, 0);
	assert_int_equal(a->se.dur_avg, 4080000 / 8);
}

static void renice_keeps_the_tabled_inverse(void **state)
{
	run_scene *s = *state;
	struct task *a = run_fork(s, 0, 0);

	set_user_nice(s->m, a, 5);
	assert_int_equal(a->se.load.weight, 335 << 10);
	assert_int_equal(a->se.load.inv_weight, 12820798);
	assert_int_equal(a->prio, 125);
	assert_int_equal(cpu_rq(s->m, 0)->cfs.load.weight, 335 << 10);
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(a_new_task_starts_one_slice_later),
		CLAIM(a_slice_ends_at_the_tick_after_it),
		CLAIM(a_sleeper_gets_half_the_latency_and_preempts),
		CLAIM(a_wakee_within_the_granularity_waits),
		CLAIM(a_lighter_wakee_needs_a_longer_lead),
		CLAIM(batch_and_idle_policy_wakees_never_preempt),
		CLAIM(an_idle_policy_current_is_preempted_at_once),
		CLAIM(a_yield_lets_the_second_run),
		CLAIM(a_yield_keeps_the_cpu_from_one_too_far_ahead),
		CLAIM(order_survives_wraparound),
		CLAIM(dur_avg_moves_an_eighth_at_each_sleep),
		CLAIM(preemption_does_not_end_a_burst),
		CLAIM(renice_keeps_the_tabled_inverse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
