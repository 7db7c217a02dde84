/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What throttling does to the groups above and below, to averages, to idle counts and
 * to decisions that look at throttled queues.
 */
#include "test.h"

#include "bandwidth_scene.h"
#include "sched/fair_load.h"
#include "sched/pelt.h"
#include "sched/stop.h"

#define MS(x) ((uint64_t)(x)*NSEC_PER_MSEC)

static int one_cpu(void **state)
{
	return bw_setup(state, "1n1l1c1t");
}

static int two_cpus(void **state)
{
	return bw_setup(state, "1n1l2c1t");
}

/* A group of 5 ms with a task, throttled at 8 ms. */
static struct task_group *throttled_group(struct bw_scene *sc,
					  struct task_group *parent)
{
	struct task_group *tg = bw_group(sc, parent, MS(5));

	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 8000);
	bw_assert_log(sc, "8000000 cpu0 throttled\n");
	return tg;
}

/* The parent stays, for another child of it has something to run. */
static void a_parent_with_other_children_stays_queued(void **state)
{
	struct bw_scene *sc = *state;
	const struct cfs_rq *root = &cpu_rq(sc->s->m, 0)->cfs;
	struct task_group *parent = task_group_new(sc->s->m, NULL);
	struct task_group *other = task_group_new(sc->s->m, parent);
	struct task_group *tg = bw_group(sc, parent, MS(1));
	struct task *task;

	task = run_fork_in(sc->s, 0, other);
	run_ticking_to_us(sc->s, 94000);
	/* Placed 3 ms before the other, so that the tick still finds it first. */
	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 96000);
	bw_assert_log(sc, "96000000 cpu0 throttled\n");
	assert_true(parent->se[0]->on_rq);
	assert_false(tg->se[0]->on_rq);
	assert_int_equal(parent->cfs_rq[0]->h_nr_running, 1);
	assert_int_equal(parent->se[0]->runnable_weight, 1);
	assert_int_equal(root->h_nr_running, 1);
	assert_int_equal(root->nr_running, 1);
	assert_true(runs_on(sc->s, task, 0));
	/* The whole way was put and set anew, so that slices begin here. */
	assert_int_equal(parent->se[0]->prev_sum_exec_runtime,
			 parent->se[0]->sum_exec_runtime);
	assert_int_equal(parent->se[0]->sum_exec_runtime, MS(96));
	run_ticking_to_us(sc->s, 400000);
	assert_int_equal(root->h_nr_running, 1 + tg->se[0]->on_rq);
}

/* The child goes on while its parent cannot: nothing above hears of it. */
static void a_child_that_goes_on_below_a_throttled_parent_waits(void **state)
{
	struct bw_scene *sc = *state;
	struct rq *rq = cpu_rq(sc->s->m, 0);
	struct task_group *parent = bw_group(sc, NULL, MS(8));
	struct task_group *tg = bw_group(sc, parent, MS(5));

	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 8000);
	bw_assert_log(sc, "8000000 cpu0 throttled\n8000000 cpu0 throttled\n");
	/* Both took 5 ms and owed 3; the parent had 3 more. */
	bw_assert_runtime(tg, 0, -(int64_t)MS(3), 0);
	bw_assert_runtime(parent, 0, 0, 0);
	assert_int_equal(tg->cfs_rq[0]->throttle_count, 2);
	bw_limit(sc, tg, MS(50), 0);
	bw_assert_log(sc, "8000000 cpu0 goes on\n");
	assert_int_equal(tg->cfs_rq[0]->throttle_count, 1);
	assert_true(tg->se[0]->on_rq);
	assert_int_equal(parent->cfs_rq[0]->h_nr_running, 1);
	assert_int_equal(rq->cfs.h_nr_running, 0);
	assert_int_equal(rq->nr_running, 0);
	bw_limit(sc, parent, RUNTIME_INF, 0);
	assert_int_equal(tg->cfs_rq[0]->throttle_count, 0);
	assert_int_equal(rq->cfs.h_nr_running, 1);
	assert_int_equal(rq->nr_running, 1);
}

/* All tasks of an idle group count as idle above it, throttled or not. */
static void idle_counts_leave_and_return(void **state)
{
	struct bw_scene *sc = *state;
	const struct cfs_rq *root = &cpu_rq(sc->s->m, 0)->cfs;
	struct task_group *parent = task_group_new(sc->s->m, NULL);
	struct task_group *tg = bw_group(sc, parent, MS(1));

	assert_int_equal(sched_group_set_idle(sc->s->m, tg, 1), 0);
	run_fork_in(sc->s, 0, tg);
	run_fork_in(sc->s, 0, tg);
	run_fork_in(sc->s, 0, parent);
	assert_int_equal(root->idle_h_nr_running, 2);
	while (!tg->cfs_rq[0]->throttled)
		run_ticking_to_us(sc->s, 4000 + (sc->s->m->now_ns - BW_START_NS) /
							 NSEC_PER_USEC);
	assert_int_equal(root->h_nr_running, 1);
	assert_int_equal(root->idle_h_nr_running, 0);
	assert_int_equal(parent->cfs_rq[0]->idle_h_nr_running, 0);
	assert_int_equal(tg->cfs_rq[0]->idle_h_nr_running, 0);
	bw_limit(sc, tg, RUNTIME_INF, 0);
	assert_int_equal(root->h_nr_running, 3);
	assert_int_equal(root->idle_h_nr_running, 2);
	assert_int_equal(parent->cfs_rq[0]->idle_h_nr_running, 2);
}

/* Nothing fades in a queue that may not run. */
static void averages_stand_while_throttled(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = throttled_group(sc, NULL);
	const struct cfs_rq *cfs_rq = tg->cfs_rq[0];
	struct sched_avg before = cfs_rq->avg;
	struct task *late;

	assert_false(cfs_rq->on_list);
	run_ticking_to_us(sc->s, 50000);
	late = run_fork_in(sc->s, 0, tg);
	assert_false(cfs_rq->on_list);
	assert_int_equal(cfs_rq->avg.last_update_time, before.last_update_time);
	assert_int_equal(cfs_rq->avg.util_avg, before.util_avg + late->se.avg.util_avg);
	run_ticking_to_us(sc->s, 100000);
	assert_true(cfs_rq->on_list);
	/* As if 8 ms had passed, and not 100. */
	assert_int_equal(cfs_rq_clock_pelt(cfs_rq), BW_START_NS + MS(8));
	assert_int_equal(cfs_rq->avg.util_avg, before.util_avg + late->se.avg.util_avg);
}

/* What a task was is what it takes along, though the clocks of both queues differ. */
static void a_task_takes_its_averages_out_of_a_group_that_stood_still(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = throttled_group(sc, NULL);
	struct task *t = &sc->s->tasks[0];
	uint64_t util = t->se.avg.util_avg;

	run_ticking_to_us(sc->s, 50000);
	assert_ptr_equal(t->se.cfs_rq, tg->cfs_rq[0]);
	sched_move_task(sc->s->m, t, &sc->s->m->root_tg);
	assert_int_equal(t->se.avg.util_avg, util);
	assert_int_equal(tg->cfs_rq[0]->avg.util_avg, 0);
}

/* Load that joins below a throttled queue is not seen above it. */
static void load_stays_below_a_throttled_queue(void **state)
{
	struct bw_scene *sc = *state;
	struct rq *rq = cpu_rq(sc->s->m, 0);
	struct task *t = run_fork(sc->s, 0, 0);
	struct task_group *tg;
	uint64_t util;

	run_to_us(sc->s, 4);
	run_block(sc->s, 0);
	util = t->se.avg.util_avg;
	tg = throttled_group(sc, NULL);
	run_ticking_to_us(sc->s, 10000);
	sched_move_task(sc->s->m, t, tg);
	assert_true(t->se.avg.util_avg > util / 2);
	assert_true(tg->cfs_rq[0]->propagate);
	assert_true(tg->se[0]->avg.util_avg < tg->cfs_rq[0]->avg.util_avg);
	run_ticking_to_us(sc->s, 100000);
	assert_int_equal(tg->se[0]->avg.util_avg, tg->cfs_rq[0]->avg.util_avg);
	assert_true(rq->cfs.avg.util_avg >= tg->se[0]->avg.util_avg);
}

/* A new weight is taken up when the group goes on. */
static void a_throttled_group_keeps_its_weight(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = throttled_group(sc, NULL);

	assert_int_equal(sched_group_set_shares(sc->s->m, tg, 2048 << LOAD_SHIFT), 0);
	assert_int_equal(tg->se[0]->load.weight, NICE_0_LOAD);
	run_ticking_to_us(sc->s, 100000);
	assert_int_equal(tg->se[0]->load.weight, 2 * NICE_0_LOAD);
}

/* Nobody is preempted for a wakee that may not run. */
static void a_wakee_of_a_throttled_group_preempts_nobody(void **state)
{
	struct bw_scene *sc = *state;
	struct rq *rq = cpu_rq(sc->s->m, 0);
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct task *sleeper = run_fork_in(sc->s, 0, tg);
	struct task *outside;

	run_block(sc->s, 0);
	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 8000);
	outside = run_fork(sc->s, 0, 0);
	run_ticking_to_us(sc->s, 90000);
	assert_true(runs_on(sc->s, outside, 0));
	try_to_wake_up(sc->s->m, sleeper, 0, 0, false);
	assert_false(rq->need_resched);
	assert_null(rq->cfs.next);
	assert_true(runs_on(sc->s, outside, 0));
}

/* A sleep in a group that may not run recommends nobody of it. */
static void a_sleep_in_a_throttled_hierarchy_leaves_no_favourite(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = throttled_group(sc, NULL);
	struct task_group *child = task_group_new(sc->s->m, tg);
	struct task *t;

	run_fork_in(sc->s, 0, child);
	t = run_fork(sc->s, 0, 0);
	sched_move_task(sc->s->m, t, child);
	/* Before it is told that it may not run. */
	sched_block(sc->s->m, 0, TASK_INTERRUPTIBLE);
	assert_int_equal(child->cfs_rq[0]->h_nr_running, 1);
	assert_true(child->se[0]->on_rq);
	assert_null(tg->cfs_rq[0]->next);
}

/* Current joins a throttled queue while something came back to the pool. */
static void a_throttled_queue_takes_nothing_for_who_joins_it(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = throttled_group(sc, NULL);
	struct task *t = run_fork(sc->s, 0, 0);

	tg->cfs_bandwidth->runtime = MS(2);
	sched_move_task(sc->s->m, t, tg);
	bw_assert_runtime(tg, 0, -(int64_t)MS(3), MS(2));
}

/* A CPU about to idle pulls a task whose group has nothing left for it. */
static void what_is_pulled_may_be_throttled_as_it_comes(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct cpumask both = cpumask_first_n(2);

	run_fork(sc->s, 1, 0);
	run_fork_in(sc->s, 0, tg);
	run_fork_in(sc->s, 0, tg);
	sc->s->tasks[2].cpus_mask = both;
	sc->s->tasks[2].nr_cpus_allowed = 2;
	run_to_us(sc->s, 2000);
	sc->s->m->feat.LB_NEWIDLE = true;
	sc->s->m->feat.NI_RANDOM = false;
	run_block(sc->s, 1);
	assert_int_equal(sc->s->tasks[2].cpu, 1);
	bw_assert_log(sc, "2000000 cpu1 throttled\n");
	assert_ptr_equal(cpu_rq(sc->s->m, 1)->curr, cpu_rq(sc->s->m, 1)->idle);
}

static void do_nothing(struct rq *rq, void *arg)
{
}

/* Whoever takes the CPU: what is put is looked at. */
static void a_stopper_s_switch_throttles_as_well(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct rq *rq = cpu_rq(sc->s->m, 0);
	struct cpu_stop_work work = {.fn = do_nothing};

	run_fork_in(sc->s, 0, tg);
	run_to_us(sc->s, 6000);
	sched_tick(sc->s->m, 0);
	assert_false(tg->cfs_rq[0]->throttled);
	stop_one_cpu_nowait(rq, &work);
	sched_resched_all(sc->s->m);
	bw_assert_log(sc, "6000000 cpu0 throttled\n");
	assert_ptr_equal(rq->curr, rq->idle);
}

/* cpu1's queue goes on with 2 ms, and its task sleeps at once, giving 1 ms back. */
static void give_back_a_ms(struct bw_scene *sc, struct task_group *tg)
{
	tg->cfs_rq[1]->runtime_remaining = MS(2);
	unthrottle_cfs_rq(tg->cfs_rq[1]);
	sched_resched_all(sc->s->m);
	run_block(sc->s, 1);
}

/* The timer starts above a slice, and finds that another took what had come back. */
static void runtime_taken_again_lets_nobody_go_on(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(20));
	struct cfs_bandwidth *cfs_b = tg->cfs_bandwidth;

	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 8000);
	run_fork_in(sc->s, 1, tg);
	run_ticking_to_us(sc->s, 16000);
	bw_assert_log(sc, "16000000 cpu0 throttled\n16000000 cpu1 throttled\n");
	cfs_b->runtime = MS(4);
	give_back_a_ms(sc, tg);
	assert_int_equal(cfs_b->runtime, MS(5));
	assert_false(cfs_b->slack_started);

	cfs_b->runtime = 0;
	run_wake(sc->s, &sc->s->tasks[1], 1);
	run_ticking_to_us(sc->s, 20000);
	bw_assert_log(sc, "16000000 cpu1 goes on\n20000000 cpu1 throttled\n");
	cfs_b->runtime = MS(4) + 1;
	give_back_a_ms(sc, tg);
	assert_true(cfs_b->slack_started);
	cfs_b->runtime = MS(5);
	run_ticking_to_us(sc->s, 30000);
	assert_false(cfs_b->slack_started);
	bw_assert_log(sc, "20000000 cpu1 goes on\n");
	assert_int_equal(cfs_b->runtime, MS(5));
}

/* A period in which the pool was used does not count as idle. */
static void periods_go_on_while_runtime_is_taken(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(200));

	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 199999);
	run_to_us(sc->s, 200000);
	assert_true(tg->cfs_bandwidth->period_active);
	bw_assert_statistics(tg, 2, 0, 0);
}

/* Without a quota the timer ends with its period, uncounted. */
static void the_last_period_of_a_limit_is_not_counted(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(200));

	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 50000);
	bw_limit(sc, tg, RUNTIME_INF, 0);
	assert_true(tg->cfs_bandwidth->period_active);
	run_ticking_to_us(sc->s, 100000);
	assert_false(tg->cfs_bandwidth->period_active);
	bw_assert_statistics(tg, 0, 0, 0);
}

/*
 * The group stood still for 92 ms; its task sleeps later, and is woken elsewhere 30 ms
 * after.  What it lost meanwhile is 30 ms' worth.
 */
static void a_sleeper_s_lag_leaves_out_the_time_it_stood_still(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = throttled_group(sc, NULL);
	struct task *t = &sc->s->tasks[0];
	struct sched_entity expected;

	t->cpus_mask = cpumask_first_n(2);
	t->nr_cpus_allowed = 2;
	run_ticking_to_us(sc->s, 101000);
	assert_int_equal(tg->cfs_rq[0]->throttled_clock_pelt_time, MS(92));
	run_block(sc->s, 0);
	assert_int_equal(tg->cfs_rq[0]->throttled_pelt_idle, MS(92));
	expected = t->se;
	pelt_update_blocked_se(BW_START_NS + MS(9) + MS(30), &expected);
	run_to_us(sc->s, 131000);
	t->cpus_mask = cpumask_of(1);
	t->nr_cpus_allowed = 1;
	run_wake(sc->s, t, 1);
	assert_int_equal(t->cpu, 1);
	assert_int_equal(t->se.avg.util_avg, expected.avg.util_avg);
}

/* It left a queue that stood still, where no time passed for it. */
static void a_sleeper_of_a_throttled_queue_has_no_lag(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct task *t = run_fork_in(sc->s, 0, tg);
	uint64_t util;

	run_ticking_to_us(sc->s, 3000);
	run_block(sc->s, 0);
	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 20000);
	bw_assert_log(sc, "8000000 cpu0 throttled\n");
	/* The last one leaves, so the queue ran empty while it was throttled. */
	sched_move_task(sc->s->m, &sc->s->tasks[1], &sc->s->m->root_tg);
	assert_int_equal(tg->cfs_rq[0]->throttled_pelt_idle, UINT64_MAX);
	resched_curr(cpu_rq(sc->s->m, 0));
	sched_resched_all(sc->s->m);
	run_block(sc->s, 0);
	update_load_avg(tg->cfs_rq[0], &t->se, 0);
	util = t->se.avg.util_avg;
	run_to_us(sc->s, 60000);
	t->cpus_mask = cpumask_of(1);
	run_wake(sc->s, t, 1);
	assert_int_equal(t->cpu, 1);
	assert_int_equal(t->se.avg.util_avg, util);
}

/*
 * The parent's load has faded while the child stood still with its own.  When the child
 * goes on, both are to be visited again, the child first.
 */
static void the_way_to_the_root_is_completed(void **state)
{
	struct bw_scene *sc = *state;
	struct machine *m = sc->s->m;
	struct rq *rq = cpu_rq(m, 0);
	struct task_group *parent = task_group_new(m, NULL);
	struct task_group *tg = task_group_new(m, parent);
	struct cfs_limit limit = {NSEC_PER_SEC, MS(5), 0};

	assert_int_equal(tg_set_cfs_bandwidth(m, tg, &limit, true), 0);
	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 4000);
	run_block(sc->s, 0);
	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 12000);
	bw_assert_log(sc, "8000000 cpu0 throttled\n");
	sched_move_task(m, &sc->s->tasks[1], &m->root_tg);
	resched_curr(rq);
	sched_resched_all(m);
	run_block(sc->s, 0);
	for (uint64_t us = 100000; us < 1000000; us += 100000) {
		run_to_us(sc->s, us);
		update_blocked_averages(rq);
	}
	assert_false(parent->cfs_rq[0]->on_list);
	assert_false(tg->cfs_rq[0]->on_list);
	assert_true(tg->cfs_rq[0]->avg.util_avg > 0);
	run_to_us(sc->s, 1000000);
	bw_assert_log(sc, "1000000000 cpu0 goes on\n");
	assert_true(parent->cfs_rq[0]->on_list);
	assert_ptr_equal(rq->leaf_cfs_rq_list.next, &tg->cfs_rq[0]->leaf_cfs_rq_list);
	assert_ptr_equal(rq->tmp_alone_branch, &rq->leaf_cfs_rq_list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON(cpus, test) cmocka_unit_test_setup_teardown(test, cpus, bw_teardown)
		ON(one_cpu, a_parent_with_other_children_stays_queued),
		ON(one_cpu, a_child_that_goes_on_below_a_throttled_parent_waits),
		ON(one_cpu, idle_counts_leave_and_return),
		ON(one_cpu, averages_stand_while_throttled),
		ON(one_cpu, a_task_takes_its_averages_out_of_a_group_that_stood_still),
		ON(one_cpu, load_stays_below_a_throttled_queue),
		ON(one_cpu, a_throttled_group_keeps_its_weight),
		ON(one_cpu, a_wakee_of_a_throttled_group_preempts_nobody),
		ON(one_cpu, a_sleep_in_a_throttled_hierarchy_leaves_no_favourite),
		ON(one_cpu, a_throttled_queue_takes_nothing_for_who_joins_it),
		ON(two_cpus, what_is_pulled_may_be_throttled_as_it_comes),
		ON(one_cpu, a_stopper_s_switch_throttles_as_well),
		ON(two_cpus, runtime_taken_again_lets_nobody_go_on),
		ON(one_cpu, periods_go_on_while_runtime_is_taken),
		ON(one_cpu, the_last_period_of_a_limit_is_not_counted),
		ON(two_cpus, a_sleeper_s_lag_leaves_out_the_time_it_stood_still),
		ON(two_cpus, a_sleeper_of_a_throttled_queue_has_no_lag),
		ON(one_cpu, the_way_to_the_root_is_completed),
#undef ON
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
