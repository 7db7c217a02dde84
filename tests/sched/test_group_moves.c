/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that change their group: vruntime, averages and counts, for one that is queued,
 * asleep, running or on its way.  Worked out by hand from spec 3.16; latency is 6 ms on
 * one CPU, so half of it is the 3 ms of a sleeper's credit.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/task_group.h"

#define MS(x) ((uint64_t)(x)*NSEC_PER_MSEC)

static int setup(void **state)
{
	*state = run_scene_new("1n1l1c1t");
	return 0;
}

static int setup_two(void **state)
{
	*state = run_scene_new("1n2l1c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static const struct cfs_rq *queue(const struct task_group *tg)
{
	return tg->cfs_rq[0];
}

/* A queued task keeps its distance from its queue's time. */
static void a_queued_task_keeps_its_lag(void **state)
{
	run_scene *s = *state;
	struct task_group *from = task_group_new(s->m, NULL);
	struct task_group *to = task_group_new(s->m, NULL);
	struct task *runs = run_fork_in(s, 0, from);
	struct task *waits;
	uint64_t lag;

	run_fork_in(s, 0, to);
	run_fork_in(s, 0, from);
	run_to_us(s, 1000);
	waits = run_fork_in(s, 0, from);
	/* Where its parent is: 1 ms past the second, whose vruntime is the queue's
	 * time.
	 */
	lag = waits->se.vruntime - queue(from)->min_vruntime;
	assert_int_equal(lag, MS(1));
	run_to_us(s, 2000);
	assert_true(runs_on(s, runs, 0));
	sched_move_task(s->m, waits, to);
	assert_int_equal(waits->se.vruntime - queue(to)->min_vruntime, lag);
	assert_ptr_equal(waits->se.cfs_rq, queue(to));
	assert_ptr_equal(waits->se.parent, to->se[0]);
	assert_int_equal(waits->se.depth, 1);
	assert_int_equal(queue(from)->h_nr_running, 2);
	assert_int_equal(queue(to)->h_nr_running, 2);
	assert_int_equal(cpu_rq(s->m, 0)->cfs.h_nr_running, 4);
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 4);
	assert_false(cpu_rq(s->m, 0)->need_resched);
}

/* Likewise where it has run before; and the queue's time goes on without it. */
static void the_queue_it_leaves_goes_on_in_time(void **state)
{
	run_scene *s = *state;
	struct task_group *from = task_group_new(s->m, NULL);
	struct task_group *to = task_group_new(s->m, NULL);
	struct task *first = run_fork_in(s, 0, from);
	struct task *second = run_fork_in(s, 0, from);

	/* Slices of 3 ms, so that each tick finds one used up. */
	run_ticking_to_us(s, 11500);
	assert_true(runs_on(s, first, 0));
	assert_int_equal(second->se.sum_exec_runtime, MS(4));
	/* The first has run 7.5 ms, the second 4 after it was placed 3 ms later. */
	sched_move_task(s->m, second, to);
	assert_int_equal(second->se.vruntime, queue(to)->min_vruntime);
	assert_int_equal(first->se.sum_exec_runtime, 7500000);
	assert_int_equal(queue(from)->min_vruntime, first->se.vruntime);
}

/* A sleeper gets the credit it has earned where it slept, and not the rest. */
static void a_sleeping_task_is_placed_where_it_slept(void **state)
{
	run_scene *s = *state;
	struct task_group *from = task_group_new(s->m, NULL);
	struct task_group *to = task_group_new(s->m, NULL);
	struct task *t = run_fork_in(s, 0, from);

	run_to_us(s, 1000);
	run_block(s, 0);
	run_fork_in(s, 0, from);
	run_to_us(s, 21000);
	run_block(s, 0);
	sched_move_task(s->m, t, to);
	assert_int_equal(t->se.vruntime, queue(to)->min_vruntime - MS(3));
	assert_int_equal(t->on_rq, TASK_ON_RQ_NONE);
	assert_int_equal(queue(to)->h_nr_running, 0);
}

/* One that slept a moment has no credit but what it has. */
static void a_short_sleep_earns_no_credit(void **state)
{
	run_scene *s = *state;
	struct task_group *from = task_group_new(s->m, NULL);
	struct task_group *to = task_group_new(s->m, NULL);
	struct task *t = run_fork_in(s, 0, from);
	uint64_t lag;

	run_to_us(s, 1000);
	run_block(s, 0);
	lag = t->se.vruntime - queue(from)->min_vruntime;
	sched_move_task(s->m, t, to);
	assert_int_equal(t->se.vruntime - queue(to)->min_vruntime, lag);
}

/* The running task is charged first, runs on, and is looked at anew. */
static void a_running_task_goes_on_in_its_new_group(void **state)
{
	run_scene *s = *state;
	struct task_group *tg = task_group_new(s->m, NULL);
	struct rq *rq = cpu_rq(s->m, 0);
	struct task *t = run_fork(s, 0, 0);

	run_to_us(s, 2000);
	sched_move_task(s->m, t, tg);
	assert_int_equal(t->se.sum_exec_runtime, MS(2));
	assert_int_equal(t->se.prev_sum_exec_runtime, MS(2));
	assert_ptr_equal(rq->cfs.curr, tg->se[0]);
	assert_ptr_equal(queue(tg)->curr, &t->se);
	assert_int_equal(rq->cfs.nr_running, 1);
	assert_int_equal(rq->nr_running, 1);
	assert_true(rq->need_resched);
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 0));
	run_to_us(s, 5000);
	run_block(s, 0);
	assert_int_equal(t->se.sum_exec_runtime, MS(5));
	assert_int_equal(tg->se[0]->sum_exec_runtime, MS(3));
}

/* Averages leave with the task, all the way up, and come back as they were. */
static void averages_go_along(void **state)
{
	run_scene *s = *state;
	struct task_group *tg = task_group_new(s->m, NULL);
	struct task_group *inner = task_group_new(s->m, tg);
	struct rq *rq = cpu_rq(s->m, 0);
	struct task *t = run_fork_in(s, 0, inner);
	uint64_t util;

	run_to_us(s, 40000);
	run_block(s, 0);
	util = t->se.avg.util_avg;
	assert_true(util > 500);
	sched_move_task(s->m, t, &s->m->root_tg);
	assert_int_equal(queue(inner)->avg.util_avg, 0);
	assert_int_equal(queue(inner)->avg.load_avg, 0);
	assert_int_equal(queue(inner)->tg_load_avg_contrib, 0);
	assert_int_equal(inner->load_avg, 0);
	assert_int_equal(inner->se[0]->avg.util_avg, 0);
	assert_int_equal(tg->se[0]->avg.util_avg, 0);
	assert_int_equal(t->se.avg.util_avg, util);
	assert_int_equal(rq->cfs.avg.util_avg, util);
	assert_int_equal(t->se.avg.last_update_time, rq->cfs.avg.last_update_time);
	sched_move_task(s->m, t, inner);
	assert_int_equal(queue(inner)->avg.util_avg, util);
	assert_int_equal(tg->se[0]->avg.util_avg, util);
	assert_int_equal(rq->cfs.avg.util_avg, util);
}

static void keep_ipi(void *data, struct rq *target)
{
}

/* A wakee in a wakelist was made an offset already, and is attached as it arrives. */
static void a_wakee_on_its_way_is_an_offset_already(void **state)
{
	run_scene *s = *state;
	struct task_group *from = task_group_new(s->m, NULL);
	struct task_group *to = task_group_new(s->m, NULL);
	struct cpumask both = cpumask_first_n(2);
	struct task *t = run_fork_in(s, 0, from);
	struct sched_driver driver = {.send_ipi = keep_ipi};
	uint64_t offset;

	/* The time of the new group's queue there has moved on. */
	run_fork_in(s, 1, to);
	run_to_us(s, 1000);
	run_block(s, 1);
	run_block(s, 0);
	s->m->feat.TTWU_QUEUE = true;
	s->m->driver = &driver;
	/* To the other CPU, the only one it may use now. */
	t->cpus_mask = both;
	cpumask_clear(&t->cpus_mask, 0);
	run_wake(s, t, 0);
	assert_int_equal(t->state, TASK_WAKING);
	assert_int_equal(t->cpu, 1);
	offset = t->se.vruntime;
	sched_move_task(s->m, t, to);
	assert_int_equal(t->se.vruntime, offset);
	assert_ptr_equal(t->se.cfs_rq, to->cfs_rq[1]);
	sched_ttwu_pending(cpu_rq(s->m, 1));
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 1));
	assert_int_equal(to->cfs_rq[1]->h_nr_running, 1);
	assert_int_equal(from->cfs_rq[1]->h_nr_running, 0);
}

/* An emptied group can go, and takes its load with it. */
static void an_emptied_group_can_be_removed(void **state)
{
	run_scene *s = *state;
	struct task_group *tg = task_group_new(s->m, NULL);
	struct task_group *inner = task_group_new(s->m, tg);
	struct rq *rq = cpu_rq(s->m, 0);
	struct task *t = run_fork_in(s, 0, inner);

	run_to_us(s, 40000);
	sched_move_task(s->m, t, &s->m->root_tg);
	task_group_free(s->m, inner);
	task_group_free(s->m, tg);
	assert_true(list_empty(&s->m->root_tg.children));
	assert_ptr_equal(rq->leaf_cfs_rq_list.next, &rq->cfs.leaf_cfs_rq_list);
	assert_ptr_equal(rq->leaf_cfs_rq_list.prev, &rq->cfs.leaf_cfs_rq_list);
	run_ticking_to_us(s, 80000);
	assert_true(runs_on(s, t, 0));
	assert_int_equal(rq->cfs.load.weight, NICE_0_LOAD);
	assert_int_equal(rq->cfs.avg.util_avg, t->se.avg.util_avg);
}

/* What its last task left behind goes with it. */
static void a_removed_group_takes_its_blocked_load_off(void **state)
{
	run_scene *s = *state;
	struct task_group *tg = task_group_new(s->m, NULL);
	struct cfs_rq *root = &cpu_rq(s->m, 0)->cfs;
	uint64_t util;

	run_fork_in(s, 0, tg);
	run_to_us(s, 40000);
	sched_exit(s->m, 0);
	util = tg->se[0]->avg.util_avg;
	assert_true(util > 0);
	task_group_free(s->m, tg);
	assert_int_equal(root->removed.nr, 1);
	assert_int_equal(root->removed.util_avg, util);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
		TEST(a_queued_task_keeps_its_lag),
		TEST(the_queue_it_leaves_goes_on_in_time),
		TEST(a_sleeping_task_is_placed_where_it_slept),
		TEST(a_short_sleep_earns_no_credit),
		TEST(a_running_task_goes_on_in_its_new_group),
		TEST(averages_go_along),
		cmocka_unit_test_setup_teardown(a_wakee_on_its_way_is_an_offset_already,
						setup_two, teardown),
		TEST(an_emptied_group_can_be_removed),
		TEST(a_removed_group_takes_its_blocked_load_off),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
