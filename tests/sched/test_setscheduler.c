/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes of policy: what is refused, who runs next, and what the classes hand over.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/fair_load.h"

#include <errno.h>

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

static struct task *fifo_on(run_scene *s, int cpu, unsigned priority)
{
	struct cpumask only = cpumask_of(cpu);

	return run_fork_rt(s, cpu, POLICY_FIFO, priority, &only);
}

static struct task *fifo_anywhere(run_scene *s, int cpu, unsigned priority)
{
	struct cpumask all = cpumask_first_n(s->m->nr_cpus);

	return run_fork_rt(s, cpu, POLICY_FIFO, priority, &all);
}

/* What sched_setattr() says; reschedules. */
static int set(run_scene *s, struct task *t, enum sched_policy policy, int nice,
	       unsigned priority)
{
	struct sched_attr attr = {
		.sched_policy = policy, .sched_nice = nice, .sched_priority = priority};
	int error = sched_setattr(s->m, t, &attr, 0);

	sched_resched_all(s->m);
	return error;
}

/* Fails unless @tasks, NULL at the end, run one after the other and then sleep. */
static void expect_order(run_scene *s, struct task *const *tasks)
{
	for (; *tasks; tasks++) {
		assert_true(runs_on(s, *tasks, 0));
		run_block(s, 0);
	}
}

/* What is refused */

static void priorities_must_go_with_the_policy(void **state)
{
	static const struct {
		int policy;
		unsigned priority;
		int error;
	} rows[] = {
		{POLICY_FIFO, 0, -EINVAL},
		{POLICY_FIFO, 1, 0},
		{POLICY_FIFO, 99, 0},
		{POLICY_FIFO, 100, -EINVAL},
		{POLICY_RR, 0, -EINVAL},
		{POLICY_RR, 1, 0},
		{POLICY_RR, 99, 0},
		{POLICY_RR, 100, -EINVAL},
		{POLICY_NORMAL, 1, -EINVAL},
		{POLICY_NORMAL, 0, 0},
		{POLICY_BATCH, 1, -EINVAL},
		{POLICY_BATCH, 0, 0},
		{POLICY_IDLE, 1, -EINVAL},
		{POLICY_IDLE, 0, 0},
		{4, 0, -EINVAL},
		{7, 0, -EINVAL},
		{-1, 0, -EINVAL},
	};
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		int before = t->prio;

		assert_int_equal(set(s, t, (enum sched_policy)rows[i].policy, 0,
				     rows[i].priority),
				 rows[i].error);
		if (rows[i].error)
			assert_int_equal(t->prio, before);
		else
			assert_int_equal(t->rt_priority, rows[i].priority);
	}
}

static void nice_is_clamped(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	assert_int_equal(set(s, t, POLICY_NORMAL, 100, 0), 0);
	assert_int_equal(task_nice(t), 19);
	assert_int_equal(set(s, t, POLICY_NORMAL, -100, 0), 0);
	assert_int_equal(task_nice(t), -20);
	assert_int_equal(t->prio, 100);
}

static void the_stopper_keeps_its_class(void **state)
{
	run_scene *s = *state;
	struct task *stop = cpu_rq(s->m, 0)->stop;

	assert_int_equal(set(s, stop, POLICY_NORMAL, 0, 0), -EINVAL);
}

/* Places in the list */

static void lowered_goes_to_the_head_and_raised_to_the_tail(void **state)
{
	run_scene *s = *state;
	struct task *first = fifo_on(s, 0, 50);
	struct task *a = fifo_on(s, 0, 10);
	struct task *high = fifo_on(s, 0, 20);
	struct task *low = fifo_on(s, 0, 5);

	assert_int_equal(set(s, high, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(set(s, low, POLICY_FIFO, 0, 10), 0);
	expect_order(s, (struct task *const[]){first, high, a, low, NULL});
}

static void the_same_priority_keeps_its_place(void **state)
{
	run_scene *s = *state;
	struct task *first = fifo_on(s, 0, 50);
	struct task *a = fifo_on(s, 0, 10);
	struct task *b = fifo_on(s, 0, 10);
	struct task *c = fifo_on(s, 0, 10);

	assert_int_equal(set(s, a, POLICY_RR, 0, 10), 0);
	assert_int_equal(set(s, b, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(a->policy, POLICY_RR);
	expect_order(s, (struct task *const[]){first, a, b, c, NULL});
}

static void a_running_task_below_a_waiting_one_gives_way(void **state)
{
	run_scene *s = *state;
	struct task *runs = fifo_on(s, 0, 20);
	struct task *waits = fifo_on(s, 0, 10);

	assert_int_equal(set(s, runs, POLICY_FIFO, 0, 10), 0);
	assert_true(runs_on(s, runs, 0));
	assert_int_equal(set(s, runs, POLICY_FIFO, 0, 9), 0);
	assert_true(runs_on(s, waits, 0));
}

static void a_waiting_task_above_the_running_one_takes_over(void **state)
{
	run_scene *s = *state;
	struct task *runs = fifo_on(s, 0, 20);
	struct task *waits = fifo_on(s, 0, 10);

	assert_int_equal(set(s, waits, POLICY_FIFO, 0, 20), 0);
	assert_true(runs_on(s, runs, 0));
	assert_int_equal(set(s, waits, POLICY_FIFO, 0, 21), 0);
	assert_true(runs_on(s, waits, 0));
}

/* Not even a slice begins anew. */
static void nothing_new_changes_nothing(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 3);

	run_to_us(s, 2000);
	assert_int_equal(set(s, t, POLICY_NORMAL, 3, 0), 0);
	assert_int_equal(t->se.prev_sum_exec_runtime, 0);
	assert_int_equal(set(s, t, POLICY_NORMAL, 4, 0), 0);
	assert_int_equal(t->se.prev_sum_exec_runtime, 2000000);
}

/* Between the classes */

static void a_fair_task_that_waits_becomes_real_time_and_runs(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);
	struct task *runs = run_fork(s, 0, 0);
	struct task *waits = run_fork(s, 0, 0);

	assert_true(runs_on(s, runs, 0));
	assert_int_equal(set(s, waits, POLICY_RR, 0, 1), 0);
	assert_true(runs_on(s, waits, 0));
	assert_int_equal(rq->nr_running, 2);
	assert_int_equal(rq->cfs.h_nr_running, 1);
	assert_int_equal(rq->rt.rt_nr_running, 1);
}

static void a_real_time_task_that_becomes_fair_waits_its_turn(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);
	struct task *fair = run_fork(s, 0, 0);
	struct task *rt = fifo_on(s, 0, 10);

	/* Neither has run; the new one's offset of 0 puts it at min_vruntime. */
	assert_true(runs_on(s, rt, 0));
	assert_int_equal(set(s, rt, POLICY_NORMAL, 3, 0), 0);
	assert_int_equal(rt->prio, 123);
	assert_int_equal(rt->rt_priority, 0);
	assert_int_equal(rq->rt.rt_nr_running, 0);
	assert_int_equal(rq->cfs.h_nr_running, 2);
	assert_int_equal(rt->se.vruntime, rq->cfs.min_vruntime);
	assert_true(runs_on(s, rt, 0));
	run_to_us(s, 2000);
	assert_int_equal(set(s, rt, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(set(s, rt, POLICY_NORMAL, 19, 0), 0);
	run_to_us(s, 6000);
	run_tick(s, 0);
	assert_true(runs_on(s, fair, 0));
}

static void time_before_and_after_a_change_is_charged_once(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	run_to_us(s, 1000);
	assert_int_equal(set(s, t, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(t->se.sum_exec_runtime, 1000000);
	assert_int_equal(cpu_rq(s->m, 0)->rt.rt_time, 0);
	run_to_us(s, 3000);
	assert_int_equal(set(s, t, POLICY_NORMAL, 0, 0), 0);
	assert_int_equal(t->se.sum_exec_runtime, 3000000);
	assert_int_equal(cpu_rq(s->m, 0)->rt.rt_time, 2000000);
}

/* 4 ms as a fair task, then 4 ms from 980468 = 957 * 1024 + 500 on, as in test_rt.c. */
static void only_its_time_as_a_real_time_task_is_averaged(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	run_to_us(s, 4000);
	assert_int_equal(set(s, t, POLICY_FIFO, 0, 10), 0);
	run_to_us(s, 8000);
	run_tick(s, 0);
	assert_int_equal(cpu_rq(s->m, 0)->avg_rt.util_sum, 3730 * 1024);
}

/*
 * 32 periods of 1024 * 1024 ns as a real-time task halve the sum it had, which was the
 * divider 46718 + 690, and take 1 off for rounding: 23703 of 47408 make 511 of 1024.
 * Its queue has no load meanwhile.
 */
static void load_leaves_with_the_task_and_fades_until_it_is_back(void **state)
{
	run_scene *s = *state;
	const struct sched_avg *queue = &cpu_rq(s->m, 0)->cfs.avg;
	struct task *t = run_fork(s, 0, 0);

	assert_int_equal(queue->load_avg, 1024);
	assert_int_equal(set(s, t, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(queue->load_avg, 0);
	assert_int_equal(queue->util_avg, 0);
	run_to_ns(s, 32 * 1024 * 1024);
	assert_int_equal(queue->load_avg, 0);
	assert_int_equal(set(s, t, POLICY_NORMAL, 0, 0), 0);
	assert_int_equal(t->se.avg.load_avg, 511);
	assert_int_equal(queue->load_avg, 511);
}

/*
 * It fades by the time of the queue it leaves, which is up to date, and goes on from
 * that of the one it comes to, which stood since the start.  So the same 32 periods
 * count twice, as in the kernel: 23703 becomes 11850, and the load 255.
 */
static void load_moves_by_the_time_of_both_queues(void **state)
{
	run_scene *s = *state;
	const struct sched_avg *queue = &cpu_rq(s->m, 1)->cfs.avg;
	struct cpumask other = cpumask_of(1);
	struct task *t = run_fork(s, 0, 0);

	assert_int_equal(set(s, t, POLICY_FIFO, 0, 10), 0);
	run_to_ns(s, 32 * 1024 * 1024);
	update_blocked_averages(cpu_rq(s->m, 0));
	assert_int_equal(set_cpus_allowed(s->m, t, &other, 0), 0);
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 1));
	assert_int_equal(t->se.avg.load_avg, 511);
	assert_int_equal(set(s, t, POLICY_NORMAL, 0, 0), 0);
	assert_int_equal(t->se.avg.load_avg, 255);
	assert_int_equal(queue->load_avg, 255);
}

/* A weight set meanwhile is that of its nice value, in the queue as well. */
static void weights_follow_nice_over_the_classes(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);
	struct task *t = run_fork(s, 0, 0);

	assert_int_equal(set(s, t, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(rq->cfs.load.weight, 0);
	assert_int_equal(set(s, t, POLICY_NORMAL, 5, 0), 0);
	assert_int_equal(t->se.load.weight, 335 << 10);
	assert_int_equal(rq->cfs.load.weight, 335 << 10);
	assert_int_equal(set(s, t, POLICY_IDLE, 5, 0), 0);
	assert_int_equal(rq->cfs.load.weight, 3 << 10);
	assert_int_equal(rq->cfs.idle_h_nr_running, 1);
	assert_int_equal(set(s, t, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(rq->cfs.idle_h_nr_running, 0);
}

/*
 * a ran 1 ms and slept while b ran 100: it is far behind and gets half the latency, 3
 * ms, of credit at most.  The credit is kept, whatever the queue does meanwhile.
 */
static void a_sleeper_that_leaves_keeps_a_bounded_credit(void **state)
{
	run_scene *s = *state;
	const struct cfs_rq *cfs_rq = &cpu_rq(s->m, 0)->cfs;
	struct task *a = run_fork(s, 0, 0);

	run_to_us(s, 1000);
	run_block(s, 0);
	run_fork(s, 0, 0);
	run_ticking_to_us(s, 100000);
	assert_int_equal(set(s, a, POLICY_FIFO, 0, 10), 0);
	assert_int_equal((int64_t)a->se.vruntime, -3000000);
	run_ticking_to_us(s, 200000);
	assert_int_equal(set(s, a, POLICY_NORMAL, 0, 0), 0);
	assert_int_equal((int64_t)(a->se.vruntime - cfs_rq->min_vruntime), -3000000);
}

/* Alone it is at min_vruntime, and that is its offset: none. */
static void one_that_runs_takes_its_place_along(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	run_to_us(s, 1000);
	assert_int_equal(set(s, t, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(t->se.vruntime, 0);
	assert_int_equal(set(s, t, POLICY_NORMAL, 0, 0), 0);
	assert_int_equal(t->se.vruntime, cpu_rq(s->m, 0)->cfs.min_vruntime);
}

/*
 * 952 ms after it woke up the budget is over and b runs again.  As a fair task it is 3
 * ms before b, more than the granularity, and preempts it at once.
 */
static void a_throttled_task_that_becomes_fair_may_preempt(void **state)
{
	run_scene *s = *state;
	struct task *a = run_fork(s, 0, 0);
	struct task *b;

	run_to_us(s, 1000);
	run_block(s, 0);
	b = run_fork(s, 0, 0);
	run_ticking_to_us(s, 100000);
	assert_int_equal(set(s, a, POLICY_FIFO, 0, 10), 0);
	run_wake(s, a, 0);
	run_ticking_to_us(s, 1048000);
	assert_true(runs_on(s, a, 0));
	run_ticking_to_us(s, 1052000);
	assert_true(runs_on(s, b, 0));
	assert_int_equal(set(s, a, POLICY_NORMAL, 0, 0), 0);
	assert_true(runs_on(s, a, 0));
}

/* What it has is taken for the offset of a new task.  source: vruntime_normalized() */
static void a_sleeper_that_never_ran_is_left_alone(void **state)
{
	run_scene *s = *state;
	struct task *a = run_fork(s, 0, 0);
	uint64_t vruntime = a->se.vruntime;

	run_block(s, 0);
	assert_int_equal(a->se.sum_exec_runtime, 0);
	assert_int_equal(set(s, a, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(a->se.vruntime, vruntime);
	assert_int_equal(set(s, a, POLICY_NORMAL, 0, 0), 0);
	assert_int_equal(a->se.vruntime, vruntime);
}

static void keep_waiting(void *data, struct rq *target)
{
}

/* Its place on the old CPU was taken off when it left there. */
static void one_on_its_way_to_another_cpu_is_left_alone(void **state)
{
	run_scene *s = *state;
	struct cpumask other = cpumask_of(1);
	struct task *t = run_fork(s, 0, 0);
	uint64_t vruntime;

	run_to_us(s, 1000);
	run_block(s, 0);
	set_cpus_allowed(s->m, t, &other, 0);
	s->driver.send_ipi = keep_waiting;
	s->m->feat.TTWU_QUEUE = true;
	run_wake(s, t, 0);
	assert_int_equal(t->state, TASK_WAKING);
	vruntime = t->se.vruntime;
	assert_int_equal(set(s, t, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(t->se.vruntime, vruntime);
	sched_ttwu_pending(cpu_rq(s->m, 1));
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 1));
	assert_int_equal(cpu_rq(s->m, 1)->rt.rt_nr_running, 1);
}

/* Balancing afterwards, on two CPUs */

/* CPU 1 runs 80 and holds @low, which cannot go anywhere while CPU 0 runs more. */
static struct task *waiting_on_cpu_1(run_scene *s, unsigned low)
{
	struct task *waits;

	fifo_on(s, 1, 80);
	waits = fifo_anywhere(s, 1, low);
	assert_int_equal(waits->cpu, 1);
	return waits;
}

static void a_cpu_whose_task_is_lowered_pulls(void **state)
{
	run_scene *s = *state;
	struct task *t = fifo_on(s, 0, 20);
	struct task *waits = waiting_on_cpu_1(s, 10);

	assert_int_equal(set(s, t, POLICY_FIFO, 0, 10), 0);
	assert_int_equal(waits->cpu, 1);
	assert_int_equal(set(s, t, POLICY_FIFO, 0, 5), 0);
	assert_true(runs_on(s, waits, 0));
}

static void a_cpu_whose_last_task_leaves_the_class_pulls(void **state)
{
	run_scene *s = *state;
	struct task *t = fifo_on(s, 0, 20);
	struct task *waits = waiting_on_cpu_1(s, 10);

	assert_int_equal(set(s, t, POLICY_NORMAL, 0, 0), 0);
	assert_true(runs_on(s, waits, 0));
}

/*
 * The class has another task here, whose switch is to look after balancing; but the
 * one that leaves is fair by then, and nobody does.
 */
static void a_cpu_that_has_another_task_of_the_class_does_not(void **state)
{
	run_scene *s = *state;
	struct task *t = fifo_on(s, 0, 20);
	struct task *next = fifo_on(s, 0, 10);
	struct task *waits = waiting_on_cpu_1(s, 15);

	assert_int_equal(set(s, t, POLICY_NORMAL, 0, 0), 0);
	assert_true(runs_on(s, next, 0));
	assert_int_equal(waits->cpu, 1);
}

/* It may as well run on the other CPU, so it does not wait for this one. */
static void one_that_comes_to_the_class_and_has_to_wait_is_pushed(void **state)
{
	run_scene *s = *state;
	struct cpumask all = cpumask_first_n(2);
	struct task *t = run_fork(s, 0, 0);

	set_cpus_allowed(s->m, t, &all, 0);
	fifo_on(s, 0, 20);
	assert_int_equal(t->cpu, 0);
	assert_int_equal(set(s, t, POLICY_FIFO, 0, 10), 0);
	assert_true(runs_on(s, t, 1));
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, one_cpu, teardown)
#define CLAIM_ON_TWO(name) cmocka_unit_test_setup_teardown(name, two_cpus, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(priorities_must_go_with_the_policy),
		CLAIM(nice_is_clamped),
		CLAIM(the_stopper_keeps_its_class),
		CLAIM(lowered_goes_to_the_head_and_raised_to_the_tail),
		CLAIM(the_same_priority_keeps_its_place),
		CLAIM(a_running_task_below_a_waiting_one_gives_way),
		CLAIM(a_waiting_task_above_the_running_one_takes_over),
		CLAIM(nothing_new_changes_nothing),
		CLAIM(a_fair_task_that_waits_becomes_real_time_and_runs),
		CLAIM(a_real_time_task_that_becomes_fair_waits_its_turn),
		CLAIM(time_before_and_after_a_change_is_charged_once),
		CLAIM(only_its_time_as_a_real_time_task_is_averaged),
		CLAIM(load_leaves_with_the_task_and_fades_until_it_is_back),
		CLAIM_ON_TWO(load_moves_by_the_time_of_both_queues),
		CLAIM(weights_follow_nice_over_the_classes),
		CLAIM(a_sleeper_that_leaves_keeps_a_bounded_credit),
		CLAIM(one_that_runs_takes_its_place_along),
		CLAIM(a_throttled_task_that_becomes_fair_may_preempt),
		CLAIM(a_sleeper_that_never_ran_is_left_alone),
		CLAIM_ON_TWO(one_on_its_way_to_another_cpu_is_left_alone),
		CLAIM_ON_TWO(a_cpu_whose_task_is_lowered_pulls),
		CLAIM_ON_TWO(a_cpu_whose_last_task_leaves_the_class_pulls),
		CLAIM_ON_TWO(a_cpu_that_has_another_task_of_the_class_does_not),
		CLAIM_ON_TWO(one_that_comes_to_the_class_and_has_to_wait_is_pushed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
