/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What groups weigh, and groups whose tasks count as idle ones.
 * Worked out by hand from spec 2.7 and 2.8.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/task_group.h"

#include <errno.h>

#define MS(x) ((uint64_t)(x)*NSEC_PER_MSEC)

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

/* On one CPU all of a group's load is there, so its entity has all of its shares. */
static void a_group_on_one_cpu_weighs_its_shares(void **state)
{
	run_scene *s = *state;
	struct task_group *tg = task_group_new(s->m, NULL);

	assert_int_equal(tg->se[0]->load.weight, NICE_0_LOAD);
	assert_int_equal(sched_group_set_shares(s->m, tg, 2048 << 10), 0);
	run_fork_in(s, 0, tg);
	run_fork_in(s, 0, tg);
	assert_int_equal(tg->se[0]->load.weight, 2048 << 10);
	assert_int_equal(cpu_rq(s->m, 0)->cfs.load.weight, 2048 << 10);
	run_to_us(s, 10000);
	assert_int_equal(sched_group_set_shares(s->m, tg, 512 << 10), 0);
	assert_int_equal(tg->se[0]->load.weight, 512 << 10);
	assert_int_equal(cpu_rq(s->m, 0)->cfs.load.weight, 512 << 10);
}

static void shares_are_clamped(void **state)
{
	run_scene *s = *state;
	struct task_group *tg = task_group_new(s->m, NULL);

	assert_int_equal(sched_group_set_shares(s->m, tg, 0), 0);
	assert_int_equal(tg->shares, 2 << 10);
	assert_int_equal(sched_group_set_shares(s->m, tg, UINT64_MAX), 0);
	assert_int_equal(tg->shares, 1ULL << 28);
}

static void the_root_has_no_weight_to_set(void **state)
{
	run_scene *s = *state;

	assert_int_equal(sched_group_set_shares(s->m, &s->m->root_tg, 2048), -EINVAL);
	assert_int_equal(sched_group_set_idle(s->m, &s->m->root_tg, 1), -EINVAL);
}

static void an_idle_group_weighs_three_and_keeps_to_it(void **state)
{
	run_scene *s = *state;
	struct task_group *tg = task_group_new(s->m, NULL);

	run_fork_in(s, 0, tg);
	assert_int_equal(sched_group_set_shares(s->m, tg, 2048 << 10), 0);
	assert_int_equal(sched_group_set_idle(s->m, tg, 2), -EINVAL);
	assert_int_equal(sched_group_set_idle(s->m, tg, -1), -EINVAL);
	assert_int_equal(sched_group_set_idle(s->m, tg, 1), 0);
	assert_int_equal(tg->shares, 3 << 10);
	assert_int_equal(tg->se[0]->load.weight, 3 << 10);
	assert_int_equal(sched_group_set_shares(s->m, tg, 2048 << 10), -EINVAL);
	/* Not what it was, but nice 0. */
	assert_int_equal(sched_group_set_idle(s->m, tg, 0), 0);
	assert_int_equal(tg->shares, NICE_0_LOAD);
}

/* Two tasks, one of them SCHED_IDLE itself, in a group inside another. */
static void idle_is_counted_above_the_idle_group(void **state)
{
	run_scene *s = *state;
	struct task_group *outer = task_group_new(s->m, NULL);
	struct task_group *inner = task_group_new(s->m, outer);
	const struct cfs_rq *root = &cpu_rq(s->m, 0)->cfs;
	const struct cfs_rq *in_outer = outer->cfs_rq[0], *in_inner = inner->cfs_rq[0];

	run_fork_in(s, 0, inner);
	set_scheduler(s->m, run_fork_in(s, 0, inner), POLICY_IDLE, 0);
	run_fork_in(s, 0, outer);
	/* A change of policy alone does not count anew in the kernel; an enqueue does.
	 */
	run_to_us(s, 1000);
	assert_int_equal(root->h_nr_running, 3);
	assert_int_equal(in_inner->idle_nr_running, 1);
	assert_int_equal(in_inner->idle_h_nr_running, 1);
	assert_int_equal(in_outer->idle_nr_running, 0);
	assert_int_equal(in_outer->idle_h_nr_running, 1);
	assert_int_equal(root->idle_h_nr_running, 1);

	assert_int_equal(sched_group_set_idle(s->m, inner, 1), 0);
	assert_int_equal(in_inner->idle_h_nr_running, 1);
	assert_int_equal(in_outer->idle_nr_running, 1);
	assert_int_equal(in_outer->idle_h_nr_running, 2);
	assert_int_equal(root->idle_nr_running, 0);
	assert_int_equal(root->idle_h_nr_running, 2);

	/* The outer one: the third task counts as well, the others already did. */
	assert_int_equal(sched_group_set_idle(s->m, outer, 1), 0);
	assert_int_equal(in_outer->idle_h_nr_running, 2);
	assert_int_equal(root->idle_nr_running, 1);
	assert_int_equal(root->idle_h_nr_running, 3);
	assert_true(cpu_is_sched_idle(s->m, 0));

	/* Inside the outer one nothing shows at the root. */
	assert_int_equal(sched_group_set_idle(s->m, inner, 0), 0);
	assert_int_equal(in_outer->idle_nr_running, 0);
	assert_int_equal(in_outer->idle_h_nr_running, 1);
	assert_int_equal(root->idle_h_nr_running, 3);

	assert_int_equal(sched_group_set_idle(s->m, outer, 0), 0);
	assert_int_equal(root->idle_nr_running, 0);
	assert_int_equal(root->idle_h_nr_running, 1);
}

/* A wakee outside preempts an idle group at once, whatever its vruntime. */
static void a_normal_task_preempts_an_idle_group(void **state)
{
	run_scene *s = *state;
	struct task_group *tg = task_group_new(s->m, NULL);
	struct task *outside = run_fork(s, 0, 0);
	struct task *inside;

	run_to_us(s, 100);
	run_block(s, 0);
	inside = run_fork_in(s, 0, tg);
	assert_int_equal(sched_group_set_idle(s->m, tg, 1), 0);
	run_to_us(s, 200);
	assert_true(runs_on(s, inside, 0));
	run_wake(s, outside, 0);
	assert_true(runs_on(s, outside, 0));
}

/* Blocked load of the youngest child is looked at first, as in the kernel's tree. */
static void children_are_the_newest_first(void **state)
{
	run_scene *s = *state;
	struct task_group *older = task_group_new(s->m, NULL);
	struct task_group *newer = task_group_new(s->m, NULL);

	assert_ptr_equal(s->m->root_tg.children.next, &newer->siblings);
	assert_ptr_equal(s->m->root_tg.children.prev, &older->siblings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
		TEST(a_group_on_one_cpu_weighs_its_shares),
		TEST(shares_are_clamped),
		TEST(the_root_has_no_weight_to_set),
		TEST(an_idle_group_weighs_three_and_keeps_to_it),
		TEST(idle_is_counted_above_the_idle_group),
		TEST(a_normal_task_preempts_an_idle_group),
		TEST(children_are_the_newest_first),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
