/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The budget of real-time tasks: 950 ms of each second, on every CPU its own.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/rt.h"
#include "sched/rt_limit.h"
#include "sched/timer.h"

static int setup(void **state)
{
	*state = run_scene_new("1n1l2c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static struct task *fifo(run_scene *s, int cpu, unsigned priority)
{
	struct cpumask only = cpumask_of(cpu);

	return run_fork_rt(s, cpu, POLICY_FIFO, priority, &only);
}

/* When the period's timer fires next, ns after the start; -1: it does not. */
static int64_t timer_due(const run_scene *s)
{
	const struct rt_bandwidth *b = &s->m->rt_bandwidth;

	assert_int_equal(b->rt_period_active, b->rt_period_timer.pending);
	return b->rt_period_active ? (int64_t)(b->rt_period_timer.at_ns - RUN_START_NS)
				   : -1;
}

static void throttled_tasks_are_not_counted_as_running(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);
	struct task *rt = fifo(s, 0, 10);
	struct task *fair = run_fork(s, 0, 0);
	struct task *late;

	run_ticking_to_us(s, 948000);
	assert_int_equal(rq->nr_running, 2);
	run_ticking_to_us(s, 952000);
	assert_true(rq->rt.rt_throttled);
	assert_int_equal(rq->nr_running, 1);
	assert_int_equal(rq->rt.rt_nr_running, 1);
	assert_true(runs_on(s, fair, 0));

	/* Nor is one that comes meanwhile, and it does not run, however high. */
	late = fifo(s, 0, 99);
	assert_int_equal(rq->nr_running, 1);
	assert_true(runs_on(s, fair, 0));
	run_ticking_to_us(s, 1000000);
	assert_true(runs_on(s, fair, 0));
	run_to_ns(s, 1000000001);
	assert_true(runs_on(s, late, 0));
	assert_int_equal(rq->nr_running, 3);
	run_block(s, 0);
	assert_true(runs_on(s, rt, 0));
}

static void one_that_sleeps_throttled_does_not_come_back(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);
	struct task *rt = fifo(s, 0, 10);
	struct cpumask other = cpumask_of(1);

	run_ticking_to_us(s, 952000);
	assert_true(cpu_is_idle(s->m, 0));
	assert_int_equal(set_cpus_allowed(s->m, rt, &other, 0), 0);
	sched_resched_all(s->m);
	assert_int_equal(rq->nr_running, 0);
	assert_int_equal(rq->rt.rt_nr_running, 0);
	/* The other CPU's budget is untouched. */
	assert_true(runs_on(s, rt, 1));
	run_to_ns(s, 1000000001);
	assert_false(rq->rt.rt_throttled);
	assert_int_equal(rq->nr_running, 0);
}

/* At exactly the budget nothing happens yet. */
static void the_budget_itself_is_allowed(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);

	s->m->tunables.sched_rt_runtime_us = 952000;
	fifo(s, 0, 10);
	run_ticking_to_us(s, 952000);
	assert_int_equal(rq->rt.rt_time, 952000000);
	assert_false(rq->rt.rt_throttled);
	run_ticking_to_us(s, 956000);
	assert_true(rq->rt.rt_throttled);
}

static void a_budget_as_long_as_the_period_never_ends(void **state)
{
	run_scene *s = *state;
	struct task *rt = fifo(s, 0, 10);

	/* The tick at 4 ms finds 2 ms more than that used. */
	s->m->tunables.sched_rt_runtime_us = 2000;
	s->m->tunables.sched_rt_period_us = 2000;
	run_ticking_to_us(s, 100000);
	assert_true(runs_on(s, rt, 0));
}

/* Renewing nothing would stop it for good. */
static void a_budget_of_nothing_is_none(void **state)
{
	run_scene *s = *state;
	struct task *rt = fifo(s, 0, 10);

	s->m->tunables.sched_rt_runtime_us = 0;
	run_ticking_to_us(s, 100000);
	assert_true(runs_on(s, rt, 0));
	assert_int_equal(cpu_rq(s->m, 0)->rt.rt_time, 0);
}

/*
 * Ticks stop from 0 to 2.9 s, as behind a lock, and all of it is found at once.  Each
 * period takes 950 ms off: 2.9 s - 0.95 at 3 s, 1 at 4 s, 0.05 at 5 s.
 */
static void a_long_debt_takes_several_periods(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);

	fifo(s, 0, 10);
	run_to_us(s, 1);
	s->m->rt_bandwidth.rt_period_timer.at_ns = RUN_START_NS + 3000000001;
	run_to_us(s, 2900000);
	run_tick(s, 0);
	assert_true(rq->rt.rt_throttled);
	assert_int_equal(rq->rt.rt_time, 2900000000);
	run_to_us(s, 3900000);
	assert_int_equal(rq->rt.rt_time, 1950000000);
	assert_true(rq->rt.rt_throttled);
	run_to_us(s, 4900000);
	assert_int_equal(rq->rt.rt_time, 1000000000);
	assert_true(rq->rt.rt_throttled);
	run_to_us(s, 5000001);
	assert_int_equal(rq->rt.rt_time, 50000000);
	assert_false(rq->rt.rt_throttled);
}

/* Due at 1 ns and run at 2.5 s: three budgets at once, and the grid is kept. */
static void a_late_timer_makes_up_for_periods(void **state)
{
	run_scene *s = *state;
	struct sched_timer *timer = &s->m->rt_bandwidth.rt_period_timer;

	fifo(s, 0, 10);
	assert_true(sched_timer_cancel(s->m, timer));
	run_to_us(s, 2500000);
	cpu_rq(s->m, 0)->rt.rt_time = 3000000000;
	timer->fn(s->m, timer->subject);
	assert_int_equal(cpu_rq(s->m, 0)->rt.rt_time, 150000000);
	assert_int_equal(timer_due(s), 3000000001);
}

/*
 * The timer of an idle machine fires once more and stops.  A task that comes before
 * its grid's next point, 2 s and 1 ns, finds it there; one that comes later begins a
 * new grid.
 */
static void the_timer_stops_when_there_is_nothing_to_renew(void **state)
{
	run_scene *s = *state;
	struct task *rt = fifo(s, 0, 10);

	assert_int_equal(timer_due(s), 1);
	run_to_us(s, 10000);
	run_block(s, 0);
	assert_int_equal(timer_due(s), 1000000001);
	run_to_us(s, 1500000);
	assert_int_equal(timer_due(s), -1);
	assert_int_equal(cpu_rq(s->m, 0)->rt.rt_time, 0);
	run_wake(s, rt, 0);
	assert_int_equal(timer_due(s), 2000000001);
	run_to_us(s, 1501000);
	run_block(s, 0);
	run_to_us(s, 2700000);
	assert_int_equal(timer_due(s), -1);
	run_to_us(s, 3200000);
	run_wake(s, rt, 1);
	assert_int_equal(timer_due(s), 3200000001);
	assert_int_equal(s->m->rt_bandwidth.rt_period_timer.cpu, 1);
}

static void without_a_limit_there_is_no_timer(void **state)
{
	run_scene *s = *state;

	s->m->tunables.sched_rt_runtime_us = RT_RUNTIME_UNLIMITED;
	fifo(s, 0, 10);
	assert_int_equal(timer_due(s), -1);
	run_ticking_to_us(s, 100000);
	assert_int_equal(timer_due(s), -1);
	assert_int_equal(cpu_rq(s->m, 0)->rt.rt_time, 0);
}

/* Whoever runs out first starts it; it ends when the limit is lifted again. */
static void a_limit_may_come_and_go(void **state)
{
	run_scene *s = *state;
	struct task *rt;

	assert_int_equal(set_rt_limit(s->m, 1000000, RT_RUNTIME_UNLIMITED), 0);
	rt = fifo(s, 0, 10);
	run_ticking_to_us(s, 100000);
	assert_int_equal(set_rt_limit(s->m, 1000000, 100000), 0);
	run_ticking_to_us(s, 200000);
	assert_int_equal(timer_due(s), -1);
	run_ticking_to_us(s, 204000);
	assert_int_equal(timer_due(s), 204000001);
	assert_true(cpu_is_idle(s->m, 0));
	run_ticking_to_us(s, 208000);
	assert_true(runs_on(s, rt, 0));
	assert_int_equal(set_rt_limit(s->m, 1000000, RT_RUNTIME_UNLIMITED), 0);
	run_ticking_to_us(s, 1300000);
	assert_int_equal(timer_due(s), -1);
}

/* Current is charged up to the period's beginning when nothing was charged before. */
static void a_period_begins_with_a_reschedule(void **state)
{
	run_scene *s = *state;
	struct task *rt = fifo(s, 0, 10);

	run_to_ns(s, 1);
	sched_resched_all(s->m);
	assert_int_equal(rt->se.sum_exec_runtime, 1);
}

/* As after a move: CPU 1 has a debt of 1 s and no task.  Two periods clear it. */
static void a_debt_keeps_the_timer_going(void **state)
{
	run_scene *s = *state;

	fifo(s, 0, 10);
	run_block(s, 0);
	cpu_rq(s->m, 1)->rt.rt_time = 1000000000;
	run_to_us(s, 500000);
	assert_int_equal(cpu_rq(s->m, 1)->rt.rt_time, 50000000);
	assert_int_equal(timer_due(s), 1000000001);
	run_to_us(s, 1500000);
	assert_int_equal(timer_due(s), -1);
}

/* Where nobody renews it, what they use is counted up to the budget and no further. */
static void deadline_tasks_use_up_the_budget(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);

	charge_dl_time(rq, 949000000);
	charge_dl_time(rq, 2000000);
	assert_int_equal(rq->rt.rt_time, 951000000);
	charge_dl_time(rq, 2000000);
	assert_int_equal(rq->rt.rt_time, 951000000);
	assert_false(rq->rt.rt_throttled);
	fifo(s, 0, 10);
	charge_dl_time(rq, 2000000);
	assert_int_equal(rq->rt.rt_time, 953000000);
	/* The timer forgets it at once, before it is held against the task. */
	run_to_ns(s, 1);
	assert_int_equal(rq->rt.rt_time, 3000000);
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(throttled_tasks_are_not_counted_as_running),
		CLAIM(one_that_sleeps_throttled_does_not_come_back),
		CLAIM(the_budget_itself_is_allowed),
		CLAIM(a_budget_as_long_as_the_period_never_ends),
		CLAIM(a_budget_of_nothing_is_none),
		CLAIM(a_long_debt_takes_several_periods),
		CLAIM(a_late_timer_makes_up_for_periods),
		CLAIM(the_timer_stops_when_there_is_nothing_to_renew),
		CLAIM(without_a_limit_there_is_no_timer),
		CLAIM(a_limit_may_come_and_go),
		CLAIM(a_period_begins_with_a_reschedule),
		CLAIM(a_debt_keeps_the_timer_going),
		CLAIM(deadline_tasks_use_up_the_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
