/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queue of real-time tasks on one CPU, and what their time takes from others.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/balance.h"
#include "sched/fair_load.h"

static const struct cpumask *cpu_0(void)
{
	static const struct cpumask only = {{1}};

	return &only;
}

static int one_cpu(void **state)
{
	*state = run_scene_new("1n1l1c1t");
	return 0;
}

static int two_cpus(void **state)
{
	*state = run_scene_new("1n1l2c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static struct task *fifo(run_scene *s, unsigned priority)
{
	return run_fork_rt(s, 0, POLICY_FIFO, priority, cpu_0());
}

static void priorities_of_users_and_the_kernel_run_against_each_other(void **state)
{
	run_scene *s = *state;

	assert_int_equal(fifo(s, 1)->prio, 98);
	assert_int_equal(fifo(s, 50)->prio, 49);
	assert_int_equal(fifo(s, 99)->prio, 0);
	assert_int_equal(cpu_rq(s->m, 0)->rt.highest_prio, 0);
}

static void the_highest_priority_runs_then_the_next(void **state)
{
	static const unsigned priorities[] = {30, 1, 99, 36, 35, 98, 37, 64};
	static const unsigned falling[] = {99, 98, 64, 37, 36, 35, 30, 1};
	run_scene *s = *state;

	for (size_t i = 0; i < G_N_ELEMENTS(priorities); i++)
		fifo(s, priorities[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(falling); i++) {
		assert_int_equal(cpu_rq(s->m, 0)->curr->rt_priority, falling[i]);
		assert_int_equal(cpu_rq(s->m, 0)->rt.highest_prio, 99 - falling[i]);
		run_block(s, 0);
	}
	assert_true(cpu_is_idle(s->m, 0));
	assert_int_equal(cpu_rq(s->m, 0)->rt.highest_prio, 99);
}

static void a_real_time_task_preempts_every_fair_one(void **state)
{
	run_scene *s = *state;
	struct task *fair = run_fork(s, 0, -20);
	struct task *rt = fifo(s, 1);

	assert_true(runs_on(s, rt, 0));
	run_to_us(s, 50);
	run_block(s, 0);
	assert_true(runs_on(s, fair, 0));
	run_to_us(s, 80);
	run_wake(s, rt, 0);
	assert_true(runs_on(s, rt, 0));
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 2);
	assert_int_equal(cpu_rq(s->m, 0)->cfs.h_nr_running, 1);
	assert_int_equal(rt->se.sum_exec_runtime, 50000);
	assert_int_equal(fair->se.sum_exec_runtime, 30000);
}

static void only_round_robin_counts_ticks(void **state)
{
	run_scene *s = *state;
	struct task *a = fifo(s, 5);

	fifo(s, 5);
	run_ticking_to_us(s, 300000);
	assert_true(runs_on(s, a, 0));
	assert_int_equal(a->rt.time_slice, 25);
}

static void a_slice_without_equals_asks_for_nothing(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork_rt(s, 0, POLICY_RR, 5, cpu_0());

	fifo(s, 4);
	run_ticking_to_us(s, 96000);
	assert_int_equal(t->rt.time_slice, 1);
	run_to_us(s, 100000);
	sched_tick(s->m, 0);
	assert_int_equal(t->rt.time_slice, 25);
	assert_false(cpu_rq(s->m, 0)->need_resched);
}

/* 30 ms at 250 Hz are 8 ticks, rounded up; 0 asks for the default. */
static void the_slice_is_a_number_of_ticks(void **state)
{
	run_scene *s = *state;
	struct task *t;

	s->m->tunables.sched_rr_timeslice_ms = 30;
	t = run_fork_rt(s, 0, POLICY_RR, 5, cpu_0());
	assert_int_equal(t->rt.time_slice, 8);
	s->m->tunables.sched_rr_timeslice_ms = 0;
	t = run_fork_rt(s, 0, POLICY_RR, 5, cpu_0());
	assert_int_equal(t->rt.time_slice, 25);
}

/*
 * From 1 s on, in units of 1024 ns: the first update is at 976562 = 953 * 1024 + 690.
 * At the tick at 4 ms 3906 more make 4 full periods and 500 units:
 * y^4 = 0.917004, 334 * y^4 = 306, 47742 - 47742 * y^4 - 1024 = 2939, and 500, together
 * 3745; 3745 * 1024 / (47742 - 1024 + 500) = 81.
 */
static void assert_4_ms_of_average(const struct rq *rq)
{
	assert_int_equal(rq->avg_rt.util_sum, 3745 * 1024);
	assert_int_equal(rq->avg_rt.util_avg, 81);
}

static void a_tick_counts_time_for_the_average(void **state)
{
	run_scene *s = *state;

	fifo(s, 5);
	run_ticking_to_us(s, 4000);
	assert_4_ms_of_average(cpu_rq(s->m, 0));
}

static void a_switch_counts_time_for_the_average(void **state)
{
	run_scene *s = *state;

	fifo(s, 5);
	run_to_us(s, 4000);
	run_block(s, 0);
	assert_4_ms_of_average(cpu_rq(s->m, 0));
}

static void a_blocked_update_counts_time_for_the_average(void **state)
{
	run_scene *s = *state;

	fifo(s, 5);
	run_to_us(s, 4000);
	update_blocked_averages(cpu_rq(s->m, 0));
	assert_4_ms_of_average(cpu_rq(s->m, 0));
}

/*
 * From 4 to 8 ms: 980468 = 957 * 1024 + 500 at first, then 3907 more, 4 periods and
 * 311: 524 * y^4 = 480, 2939 and 311 are 3730; 3730 * 1024 / (46718 + 311) = 81.
 */
static void time_of_other_classes_is_not_counted(void **state)
{
	run_scene *s = *state;

	run_fork(s, 0, 0);
	run_to_us(s, 4000);
	fifo(s, 5);
	run_to_us(s, 8000);
	run_block(s, 0);
	assert_int_equal(cpu_rq(s->m, 0)->avg_rt.util_sum, 3730 * 1024);
	assert_int_equal(cpu_rq(s->m, 0)->avg_rt.util_avg, 81);
}

static void fair_tasks_lose_the_capacity(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);

	fifo(s, 5);
	run_ticking_to_us(s, 4000);
	assert_int_equal(capacity_of(s->m, 0), 1024);
	update_group_capacity(s->m, rq->sd, 0);
	assert_int_equal(capacity_of(s->m, 0), 1024 - 81);
	assert_int_equal(rq->cpu_capacity_orig, 1024);
}

static void waiting_is_run_delay(void **state)
{
	run_scene *s = *state;
	struct task *a = fifo(s, 5);
	struct task *b = fifo(s, 5);

	run_to_us(s, 700);
	run_block(s, 0);
	assert_true(runs_on(s, b, 0));
	assert_int_equal(b->run_delay_ns, 700000);
	assert_int_equal(a->run_delay_ns, 0);
}

static void nice_of_a_real_time_task_waits_for_better_times(void **state)
{
	run_scene *s = *state;
	struct task *t = fifo(s, 5);

	set_user_nice(s->m, t, 7);
	assert_int_equal(t->prio, 94);
	assert_int_equal(task_nice(t), 7);
	assert_int_equal(t->se.load.weight, NICE_0_LOAD);
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, one_cpu, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(priorities_of_users_and_the_kernel_run_against_each_other),
		CLAIM(the_highest_priority_runs_then_the_next),
		CLAIM(a_real_time_task_preempts_every_fair_one),
		CLAIM(only_round_robin_counts_ticks),
		CLAIM(a_slice_without_equals_asks_for_nothing),
		CLAIM(the_slice_is_a_number_of_ticks),
		CLAIM(a_tick_counts_time_for_the_average),
		CLAIM(a_switch_counts_time_for_the_average),
		CLAIM(a_blocked_update_counts_time_for_the_average),
		CLAIM(time_of_other_classes_is_not_counted),
		CLAIM(waiting_is_run_delay),
		CLAIM(nice_of_a_real_time_task_waits_for_better_times),
		cmocka_unit_test_setup_teardown(fair_tasks_lose_the_capacity, two_cpus,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
