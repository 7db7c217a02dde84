/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CFS bandwidth, schedule by schedule: who takes how much of the pool when, who is
 * throttled and goes on at which nanosecond.
 *
 * Worked out by hand from spec section 9 and the rules' text in the kernel's
 * Documentation/scheduler/sched-bwc.rst: slices of 5 ms, charged at ticks of 4 ms;
 * periods begin at multiples of their length.  All times are in ns from the start.
 */
#include "test.h"

#include "bandwidth_scene.h"
#include "sched/hotplug.h"

#define MS(x) ((uint64_t)(x)*NSEC_PER_MSEC)

static int one_cpu(void **state)
{
	return bw_setup(state, "1n1l1c1t");
}

static int two_cpus(void **state)
{
	return bw_setup(state, "1n1l2c1t");
}

static int four_cpus(void **state)
{
	return bw_setup(state, "1n1l4c1t");
}

/* 1: takes 5 + 8 + 7 of 20 ms, and from the second period on the same less 1 ns. */
static void a_quota_of_whole_slices_is_used_to_the_nanosecond(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(20));

	run_fork_in(sc->s, 0, tg);
	bw_assert_runtime(tg, 0, MS(5), MS(15));
	run_ticking_to_us(sc->s, 8000);
	bw_assert_runtime(tg, 0, MS(5), MS(7));
	run_ticking_to_us(sc->s, 16000);
	bw_assert_runtime(tg, 0, MS(4), 0);
	run_ticking_to_us(sc->s, 99999);
	bw_assert_log(sc, "20000000 cpu0 throttled\n");
	run_ticking_to_us(sc->s, 100000);
	bw_assert_log(sc, "100000000 cpu0 goes on\n");
	bw_assert_runtime(tg, 0, 1, 19999999);
	run_ticking_to_us(sc->s, 104000);
	bw_assert_runtime(tg, 0, MS(5), MS(11));
	run_ticking_to_us(sc->s, 200000);
	bw_assert_log(sc, "120000000 cpu0 throttled\n200000000 cpu0 goes on\n");
	bw_assert_statistics(tg, 2, 2, MS(160));
}

/* 2: the charge comes with the tick, 2 ms too late, and the next period pays. */
static void an_overrun_is_a_debt_of_the_next_period(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(10));
	struct task *t = run_fork_in(sc->s, 0, tg);

	run_ticking_to_us(sc->s, 12000);
	bw_assert_log(sc, "12000000 cpu0 throttled\n");
	bw_assert_runtime(tg, 0, -(int64_t)MS(2), 0);
	run_ticking_to_us(sc->s, 100000);
	bw_assert_runtime(tg, 0, 1, 7999999);
	run_ticking_to_us(sc->s, 199999);
	bw_assert_log(sc, "100000000 cpu0 goes on\n108000000 cpu0 throttled\n");
	bw_assert_runtime(tg, 0, 0, 0);
	run_ticking_to_us(sc->s, 299999);
	bw_assert_log(sc, "200000000 cpu0 goes on\n212000000 cpu0 throttled\n");
	assert_int_equal(t->se.sum_exec_runtime, MS(12 + 8 + 12));
}

/* 3: each takes 5 of 10 ms, overruns by 3, and pays from the next pool in turn. */
static void queues_are_served_in_the_order_they_were_throttled(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(10));

	run_fork_in(sc->s, 0, tg);
	run_fork_in(sc->s, 1, tg);
	run_ticking_to_us(sc->s, 100000);
	bw_assert_log(sc, "8000000 cpu0 throttled\n8000000 cpu1 throttled\n"
			  "100000000 cpu0 goes on\n100000000 cpu1 goes on\n");
	bw_assert_runtime(tg, 0, 1, 3999998);
	bw_assert_runtime(tg, 1, 1, 3999998);
	/* cpu0 gets what is left, which is one nanosecond too little. */
	run_ticking_to_us(sc->s, 104000);
	bw_assert_log(sc, "104000000 cpu0 throttled\n104000000 cpu1 throttled\n");
	bw_assert_runtime(tg, 0, -1, 0);
	bw_assert_runtime(tg, 1, -3999999, 0);
	run_ticking_to_us(sc->s, 200000);
	bw_assert_runtime(tg, 0, 1, 5999998);
	bw_assert_runtime(tg, 1, 1, 5999998);
}

/*
 * 4: of 3 ms cpu0 takes all, so cpu1 is throttled as it comes.  At 200 ms the pool
 * serves cpu0 and not all that cpu1 owes; at 300 ms all of it still is too little.
 */
static void a_debt_above_the_quota_waits_for_several_periods(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(3));

	run_fork_in(sc->s, 0, tg);
	run_fork_in(sc->s, 1, tg);
	bw_assert_log(sc, "0 cpu1 throttled\n");
	run_ticking_to_us(sc->s, 100000);
	bw_assert_log(sc, "4000000 cpu0 throttled\n"
			  "100000000 cpu1 goes on\n100000000 cpu0 goes on\n");
	run_ticking_to_us(sc->s, 104000);
	bw_assert_log(sc, "104000000 cpu0 throttled\n104000000 cpu1 throttled\n");
	bw_assert_runtime(tg, 0, -2000001, 0);
	bw_assert_runtime(tg, 1, -3999999, 0);
	run_ticking_to_us(sc->s, 200000);
	bw_assert_log(sc, "200000000 cpu0 goes on\n");
	bw_assert_runtime(tg, 1, -3000001, 0);
	run_ticking_to_us(sc->s, 300000);
	bw_assert_log(sc, "204000000 cpu0 throttled\n");
	bw_assert_runtime(tg, 1, -1, 0);
	bw_assert_runtime(tg, 0, -3999999, 0);
	run_ticking_to_us(sc->s, 400000);
	bw_assert_log(sc, "400000000 cpu1 goes on\n");
	bw_assert_runtime(tg, 0, -1000001, 0);
	bw_assert_statistics(tg, 4, 4, MS(100 + 96 + 96 + 296));
}

/* Three tasks of @tg come, each to a CPU of its own, at @at_us. */
static void fork_helpers(struct bw_scene *sc, struct task_group *tg, uint64_t at_us)
{
	run_ticking_to_us(sc->s, at_us);
	for (int cpu = 1; cpu <= 3; cpu++)
		run_fork_in(sc->s, cpu, tg);
}

static void helpers_sleep(struct bw_scene *sc, uint64_t at_us)
{
	run_ticking_to_us(sc->s, at_us);
	for (int cpu = 1; cpu <= 3; cpu++)
		run_block(sc->s, cpu);
}

/*
 * 5: three queues that ran for 1.5 ms give back all but 1 ms of their 3.5.  With the
 * third the pool is above a slice, and 5 ms later cpu0 goes on with it.
 */
static void runtime_given_back_lets_others_go_on_in_the_period(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(20));

	run_fork_in(sc->s, 0, tg);
	fork_helpers(sc, tg, 7000);
	bw_assert_runtime(tg, 3, MS(5), 0);
	helpers_sleep(sc, 8500);
	bw_assert_log(sc, "8000000 cpu0 throttled\n");
	bw_assert_runtime(tg, 3, MS(1), 7500000);
	bw_assert_runtime(tg, 0, -(int64_t)MS(3), 7500000);
	run_ticking_to_us(sc->s, 13500);
	bw_assert_log(sc, "13500000 cpu0 goes on\n");
	bw_assert_runtime(tg, 0, 1, 4499999);
	run_ticking_to_us(sc->s, 16000);
	bw_assert_runtime(tg, 0, MS(2), 0);
	run_ticking_to_us(sc->s, 99999);
	bw_assert_log(sc, "20000000 cpu0 throttled\n");
	bw_assert_statistics(tg, 0, 0, 5500000);
}

/* 6: 11.4 ms come back with 3.9 ms to go, which is not worth a timer. */
static void runtime_given_back_late_waits_for_the_period(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(20));

	run_ticking_to_us(sc->s, 88000);
	run_fork_in(sc->s, 0, tg);
	fork_helpers(sc, tg, 95900);
	helpers_sleep(sc, 96100);
	bw_assert_log(sc, "96000000 cpu0 throttled\n");
	bw_assert_runtime(tg, 0, -(int64_t)MS(3), 11400000);
	assert_false(tg->cfs_bandwidth->slack_started);
	run_ticking_to_us(sc->s, 100000);
	bw_assert_log(sc, "100000000 cpu0 goes on\n");
	/* The pool holds the quota at most, and cpu0's debt is paid from it. */
	bw_assert_runtime(tg, 0, 1, MS(20) - 3000001);
}

/* 7: a period without use leaves a burst, which a later one may use on top. */
static void unused_quota_is_kept_up_to_the_burst(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = task_group_new(sc->s->m, NULL);

	bw_limit(sc, tg, MS(10), MS(10));
	assert_int_equal(tg->cfs_bandwidth->runtime, MS(10));
	run_ticking_to_us(sc->s, 150000);
	assert_int_equal(tg->cfs_bandwidth->runtime, MS(20));
	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 199999);
	bw_assert_log(sc, "172000000 cpu0 throttled\n");
	assert_int_equal(tg->cfs_bandwidth->nr_burst, 0);
	run_ticking_to_us(sc->s, 200000);
	assert_int_equal(tg->cfs_bandwidth->nr_burst, 1);
	assert_int_equal(tg->cfs_bandwidth->burst_time, MS(10));
	bw_assert_runtime(tg, 0, 1, MS(10) - 2000001);
}

/* 8: the timer stops after a second idle period, and later keeps to its grid. */
static void periods_are_not_counted_while_nothing_runs(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(20));

	run_ticking_to_us(sc->s, 30000);
	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 31000);
	run_block(sc->s, 0);
	run_ticking_to_us(sc->s, 345000);
	assert_false(tg->cfs_bandwidth->period_active);
	bw_assert_statistics(tg, 2, 0, 0);
	run_wake(sc->s, &sc->s->tasks[0], 0);
	/* 5 - 1 ms were left, and all but 1 of them went back. */
	bw_assert_runtime(tg, 0, MS(1), MS(20));
	run_ticking_to_us(sc->s, 399999);
	/* 348: -2, takes 7; 356: -3, takes 8; 364: -3 takes 5; 368 the end. */
	bw_assert_log(sc, "368000000 cpu0 throttled\n");
	bw_assert_runtime(tg, 0, -(int64_t)MS(2), 0);
	run_ticking_to_us(sc->s, 400000);
	bw_assert_log(sc, "400000000 cpu0 goes on\n");
	bw_assert_statistics(tg, 3, 1, MS(32));
}

/*
 * 9: the parent has 10 ms, the child 50.  Both take slices; the parent runs out, and
 * with it the child's time stands.
 */
static void a_child_stands_still_with_its_parent(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *parent = bw_group(sc, NULL, MS(10));
	struct task_group *child = task_group_new(sc->s->m, parent);
	const struct cfs_rq *cfs_rq = child->cfs_rq[0];
	uint64_t stood_ns;

	bw_limit(sc, child, MS(50), 0);
	run_fork_in(sc->s, 0, child);
	run_ticking_to_us(sc->s, 50000);
	bw_assert_log(sc, "12000000 cpu0 throttled\n");
	assert_true(parent->cfs_rq[0]->throttled);
	assert_false(cfs_rq->throttled);
	assert_int_equal(cfs_rq->throttle_count, 1);
	/* 0: 5; 8: -3, takes 8; 12: 1 */
	bw_assert_runtime(child, 0, MS(1), MS(37));
	assert_int_equal(cpu_rq(sc->s->m, 0)->nr_running, 0);
	stood_ns = cfs_rq_clock_pelt(cfs_rq);
	assert_int_equal(stood_ns, BW_START_NS + MS(12));
	run_ticking_to_us(sc->s, 104000);
	assert_int_equal(cfs_rq->throttle_count, 0);
	assert_int_equal(cfs_rq->throttled_clock_pelt_time, MS(88));
	/* The CPU was idle meanwhile, so its own clock did not lag. */
	assert_int_equal(cfs_rq_clock_pelt(cfs_rq), stood_ns + MS(4));
	assert_int_equal(cpu_rq(sc->s->m, 0)->nr_running, 1);
}

/*
 * 10: the group's entity comes back as a wakee does, half a latency (3 ms) behind the
 * time of the queue, which the task outside moved on meanwhile.
 */
static void a_group_that_goes_on_is_placed_as_a_wakee(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct rq *rq = cpu_rq(sc->s->m, 0);
	struct task *inside = run_fork_in(sc->s, 0, tg);
	struct task *outside;

	run_ticking_to_us(sc->s, 8000);
	bw_assert_log(sc, "8000000 cpu0 throttled\n");
	outside = run_fork(sc->s, 0, 0);
	assert_int_equal(rq->nr_running, 1);
	assert_int_equal(rq->cfs.h_nr_running, 1);
	assert_int_equal(tg->cfs_rq[0]->h_nr_running, 1);
	run_to_us(sc->s, 99999);
	assert_true(runs_on(sc->s, outside, 0));
	run_to_us(sc->s, 100000);
	bw_assert_log(sc, "100000000 cpu0 goes on\n");
	assert_int_equal(rq->nr_running, 2);
	assert_int_equal(tg->se[0]->vruntime, rq->cfs.min_vruntime - MS(3));
	/* Nobody is told to look: the CPU was not idle.  The tick finds it. */
	assert_true(runs_on(sc->s, outside, 0));
	run_tick(sc->s, 0);
	assert_true(runs_on(sc->s, inside, 0));
}

/* 11: a wakee of a throttled group waits with it. */
static void who_wakes_in_a_throttled_group_waits(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct rq *rq = cpu_rq(sc->s->m, 0);
	struct task *sleeper = run_fork_in(sc->s, 0, tg);

	run_block(sc->s, 0);
	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 8000);
	bw_assert_log(sc, "8000000 cpu0 throttled\n");
	run_wake(sc->s, sleeper, 0);
	assert_int_equal(rq->nr_running, 0);
	assert_int_equal(rq->cfs.h_nr_running, 0);
	assert_int_equal(tg->cfs_rq[0]->h_nr_running, 2);
	assert_ptr_equal(rq->curr, rq->idle);
	run_ticking_to_us(sc->s, 100000);
	assert_int_equal(rq->nr_running, 2);
	assert_int_equal(rq->cfs.h_nr_running, 2);
	assert_ptr_not_equal(rq->curr, rq->idle);
}

/* 12: a new quota frees who is throttled at once, with nothing in hand. */
static void a_new_quota_lets_throttled_queues_go_on(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(10));

	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 30000);
	bw_assert_log(sc, "12000000 cpu0 throttled\n");
	bw_limit(sc, tg, MS(50), 0);
	bw_assert_log(sc, "30000000 cpu0 goes on\n");
	/* The debt is forgotten. */
	bw_assert_runtime(tg, 0, 0, MS(50));
	run_ticking_to_us(sc->s, 32000);
	bw_assert_runtime(tg, 0, MS(5), MS(43));
	bw_limit(sc, tg, RUNTIME_INF, 0);
	assert_int_equal(sc->s->m->nr_cfs_limits, 0);
	run_ticking_to_us(sc->s, 300000);
	bw_assert_log(sc, "");
	assert_false(tg->cfs_bandwidth->period_active);
}

/* 13: the period under way ends when it was to; the next ones are the new. */
static void a_new_period_begins_with_the_next(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(10));
	struct cfs_limit shorter = {MS(20), MS(4), 0};

	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 30000);
	assert_int_equal(tg_set_cfs_bandwidth(sc->s->m, tg, &shorter, true), 0);
	run_ticking_to_us(sc->s, 40000);
	/* 32: -2, takes 4 of the 4; 36: -2 and nothing left */
	bw_assert_log(sc, "12000000 cpu0 throttled\n30000000 cpu0 goes on\n"
			  "36000000 cpu0 throttled\n");
	run_ticking_to_us(sc->s, 120000);
	/* 104: 1 - 4 ms, takes 1 ms less 1 ns of what paying 2 ms left; 120: owes 2 */
	bw_assert_log(sc, "100000000 cpu0 goes on\n104000000 cpu0 throttled\n"
			  "120000000 cpu0 goes on\n");
}

/* 14: where the pool has something again at the switch, nobody is throttled. */
static void runtime_that_came_meanwhile_is_taken_at_the_switch(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct rq *rq = cpu_rq(sc->s->m, 0);

	run_fork_in(sc->s, 0, tg);
	run_to_us(sc->s, 6000);
	sched_tick(sc->s->m, 0);
	assert_true(rq->need_resched);
	bw_assert_runtime(tg, 0, -(int64_t)MS(1), 0);
	tg->cfs_bandwidth->runtime = MS(2);
	sched_resched_all(sc->s->m);
	bw_assert_runtime(tg, 0, 1, MS(1) - 1);
	bw_assert_log(sc, "");
}

/* A running task moved into a throttled group is throttled with it. */
static void a_task_that_joins_a_throttled_group_stops(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct rq *rq = cpu_rq(sc->s->m, 0);
	struct task *t;

	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 8000);
	t = run_fork(sc->s, 0, 0);
	run_ticking_to_us(sc->s, 10000);
	assert_true(runs_on(sc->s, t, 0));
	sched_move_task(sc->s->m, t, tg);
	assert_true(rq->need_resched);
	sched_resched_all(sc->s->m);
	assert_ptr_equal(rq->curr, rq->idle);
	assert_int_equal(rq->nr_running, 0);
	assert_int_equal(t->se.sum_exec_runtime, MS(2));
	run_ticking_to_us(sc->s, 100000);
	assert_int_equal(rq->nr_running, 2);
}

/*
 * A task that leaves a throttled group may run; an idle CPU is told of it only by what
 * comes next, as in the kernel, whose sched_move_task() kicks nobody.
 */
static void a_task_that_leaves_a_throttled_group_may_run(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct task *t = run_fork_in(sc->s, 0, tg);

	run_ticking_to_us(sc->s, 50000);
	sched_move_task(sc->s->m, t, &sc->s->m->root_tg);
	sched_resched_all(sc->s->m);
	assert_int_equal(cpu_rq(sc->s->m, 0)->nr_running, 1);
	assert_int_equal(tg->cfs_rq[0]->h_nr_running, 0);
	assert_false(runs_on(sc->s, t, 0));
	/* Nothing to run, but the period frees it, and its time goes on. */
	run_ticking_to_us(sc->s, 100000);
	bw_assert_log(sc, "8000000 cpu0 throttled\n100000000 cpu0 goes on\n");
	assert_int_equal(tg->cfs_rq[0]->throttle_count, 0);
	assert_true(runs_on(sc->s, t, 0));
}

/* A group made below a throttled one is throttled with it, and freed with it. */
static void a_new_child_of_a_throttled_group_stands_still(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct task_group *child;

	run_fork_in(sc->s, 0, tg);
	run_ticking_to_us(sc->s, 50000);
	child = task_group_new(sc->s->m, tg);
	assert_int_equal(child->cfs_rq[0]->throttle_count, 1);
	run_fork_in(sc->s, 0, child);
	assert_false(child->cfs_rq[0]->on_list);
	assert_int_equal(cpu_rq(sc->s->m, 0)->nr_running, 0);
	run_ticking_to_us(sc->s, 100000);
	assert_int_equal(child->cfs_rq[0]->throttle_count, 0);
	assert_int_equal(child->cfs_rq[0]->throttled_clock_pelt_time, MS(50));
	assert_int_equal(cpu_rq(sc->s->m, 0)->nr_running, 2);
}

/* The timers of a group that goes away go with it. */
static void a_removed_group_leaves_no_timer(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct task *t = run_fork_in(sc->s, 0, tg);

	run_ticking_to_us(sc->s, 4000);
	sched_move_task(sc->s->m, t, &sc->s->m->root_tg);
	sched_resched_all(sc->s->m);
	task_group_free(sc->s->m, tg);
	assert_int_equal(sc->s->nr_timers, 0);
	assert_int_equal(sc->s->m->nr_cfs_limits, 0);
	run_ticking_to_us(sc->s, 200000);
	assert_true(runs_on(sc->s, t, 0));
}

/* What waits in a throttled queue leaves with all else when the CPU goes off. */
static void a_cpu_that_goes_off_throttles_nobody(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(5));
	struct task *t = run_fork_in(sc->s, 1, tg);

	run_ticking_to_us(sc->s, 8000);
	bw_assert_log(sc, "8000000 cpu1 throttled\n");
	t->cpus_mask = cpumask_first_n(2);
	t->nr_cpus_allowed = 2;
	set_cpu_active(sc->s->m, 1, false);
	bw_assert_log(sc, "8000000 cpu1 goes on\n");
	assert_false(tg->cfs_rq[1]->runtime_enabled);
	sched_resched_all(sc->s->m);
	/* Elsewhere the pool is as empty as it was. */
	assert_int_equal(t->cpu, 0);
	bw_assert_log(sc, "8000000 cpu0 throttled\n");
	bw_limit(sc, tg, MS(10), 0);
	assert_false(tg->cfs_rq[1]->runtime_enabled);
	set_cpu_active(sc->s->m, 1, true);
	assert_true(tg->cfs_rq[1]->runtime_enabled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define ON(cpus, test) cmocka_unit_test_setup_teardown(test, cpus, bw_teardown)
		ON(one_cpu, a_quota_of_whole_slices_is_used_to_the_nanosecond),
		ON(one_cpu, an_overrun_is_a_debt_of_the_next_period),
		ON(two_cpus, queues_are_served_in_the_order_they_were_throttled),
		ON(two_cpus, a_debt_above_the_quota_waits_for_several_periods),
		ON(four_cpus, runtime_given_back_lets_others_go_on_in_the_period),
		ON(four_cpus, runtime_given_back_late_waits_for_the_period),
		ON(one_cpu, unused_quota_is_kept_up_to_the_burst),
		ON(one_cpu, periods_are_not_counted_while_nothing_runs),
		ON(one_cpu, a_child_stands_still_with_its_parent),
		ON(one_cpu, a_group_that_goes_on_is_placed_as_a_wakee),
		ON(one_cpu, who_wakes_in_a_throttled_group_waits),
		ON(one_cpu, a_new_quota_lets_throttled_queues_go_on),
		ON(one_cpu, a_new_period_begins_with_the_next),
		ON(one_cpu, runtime_that_came_meanwhile_is_taken_at_the_switch),
		ON(one_cpu, a_task_that_joins_a_throttled_group_stops),
		ON(one_cpu, a_task_that_leaves_a_throttled_group_may_run),
		ON(one_cpu, a_new_child_of_a_throttled_group_stands_still),
		ON(one_cpu, a_removed_group_leaves_no_timer),
		ON(two_cpus, a_cpu_that_goes_off_throttles_nobody),
#undef ON
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
