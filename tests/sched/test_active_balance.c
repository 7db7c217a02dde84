/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stopper: it preempts, moves what it is asked to move, and gives way.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/lb.h"
#include "sched/stop.h"

/* Two caches of one core of two threads each: 0 2 | 1 3. */
static int setup(void **state)
{
	*state = run_scene_new("1n2l1c2t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static void start(run_scene *s, int from, int to)
{
	struct rq *rq = cpu_rq(s->m, from);

	rq->active_balance = true;
	rq->push_cpu = to;
	rq->active_balance_work.fn = active_load_balance_cpu_stop;
	stop_one_cpu_nowait(rq, &rq->active_balance_work);
}

static struct task *fork_anywhere(run_scene *s, int cpu)
{
	struct task *t = run_fork(s, cpu, 0);
	struct cpumask all = cpumask_first_n(4);

	set_cpus_allowed(s->m, t, &all, cpu);
	return t;
}

static void the_running_task_is_pushed(void **state)
{
	run_scene *s = *state;
	struct task *t = fork_anywhere(s, 0);

	run_to_us(s, 50);
	start(s, 0, 1);
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 2);
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 1));
	assert_true(runs_on(s, cpu_rq(s->m, 0)->idle, 0));
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 0);
	assert_false(cpu_rq(s->m, 0)->active_balance);
	assert_int_equal(t->se.sum_exec_runtime, 50000);
}

static void a_pinned_task_stays(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	start(s, 0, 1);
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 0));
	assert_false(cpu_rq(s->m, 0)->active_balance);
}

static void success_forgets_the_failures(void **state)
{
	run_scene *s = *state;
	/* The lowest domain of CPU 1 that spans CPU 0 is above its core. */
	struct sched_domain *sd = cpu_rq(s->m, 1)->sd->parent;

	fork_anywhere(s, 0);
	sd->nr_balance_failed = 7;
	start(s, 0, 1);
	sched_resched_all(s->m);
	assert_int_equal(sd->nr_balance_failed, 0);
}

static void a_cpu_that_went_idle_has_nothing_to_push(void **state)
{
	run_scene *s = *state;
	struct task *t = fork_anywhere(s, 0);

	start(s, 0, 1);
	/* It sleeps before the stopper comes. */
	run_block(s, 0);
	assert_int_equal(t->cpu, 0);
	assert_true(runs_on(s, cpu_rq(s->m, 0)->idle, 0));
	assert_false(cpu_rq(s->m, 0)->active_balance);
}

static void the_stopper_counts_as_running_while_it_is_queued(void **state)
{
	run_scene *s = *state;

	start(s, 3, 1);
	assert_int_equal(cpu_rq(s->m, 3)->nr_running, 1);
	assert_false(cpu_is_idle(s->m, 3));
	sched_resched_all(s->m);
	assert_true(cpu_is_idle(s->m, 3));
}

/* The stopper is woken, and a wakeup ends the idle time; 10^6 - (10^6 - 8000) / 8. */
static void the_stoppers_wakeup_ends_the_idle_time(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);

	fork_anywhere(s, 0);
	rq->idle_stamp = rq->clock - 8000;
	assert_int_equal(rq->avg_idle, 1000000);
	start(s, 0, 1);
	assert_int_equal(rq->avg_idle, 876000);
	assert_int_equal(rq->idle_stamp, 0);
	sched_resched_all(s->m);
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(the_running_task_is_pushed),
		CLAIM(a_pinned_task_stays),
		CLAIM(success_forgets_the_failures),
		CLAIM(a_cpu_that_went_idle_has_nothing_to_push),
		CLAIM(the_stopper_counts_as_running_while_it_is_queued),
		CLAIM(the_stoppers_wakeup_ends_the_idle_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
