/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of clamps that tasks, groups and the administrator ask for.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/task_group.h"
#include "sched/uclamp.h"

#include <errno.h>

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

static void assert_clamps(const run_scene *s, const struct task *t, unsigned min,
			  unsigned max)
{
	assert_int_equal(uclamp_eff_value(s->m, t, UCLAMP_MIN), min);
	assert_int_equal(uclamp_eff_value(s->m, t, UCLAMP_MAX), max);
}

#define MIN_FLAG SCHED_FLAG_UTIL_CLAMP_MIN
#define MAX_FLAG SCHED_FLAG_UTIL_CLAMP_MAX

/* All else as it is. */
static int ask(run_scene *s, struct task *t, unsigned flags, int min, int max)
{
	struct sched_attr attr = {.sched_flags = SCHED_FLAG_KEEP_ALL | flags,
				  .sched_util_min = min,
				  .sched_util_max = max};

	return sched_setattr(s->m, t, &attr, 0);
}

static int change_policy(run_scene *s, struct task *t, enum sched_policy policy,
			 unsigned priority)
{
	struct sched_attr attr = {.sched_policy = policy, .sched_priority = priority};

	return sched_setattr(s->m, t, &attr, 0);
}

static void a_fair_task_is_not_clamped(void **state)
{
	run_scene *s = *state;

	assert_clamps(s, run_fork(s, 0, 0), 0, 1024);
	assert_false(s->m->uclamp_used);
}

/* source: sched_util_clamp_min_rt_default, 1024 */
static void a_real_time_task_wants_all(void **state)
{
	run_scene *s = *state;
	struct cpumask all = cpumask_first_n(2);

	assert_clamps(s, run_fork_rt(s, 0, POLICY_FIFO, 10, &all), 1024, 1024);
	assert_false(s->m->uclamp_used);
	s->m->tunables.sched_util_clamp_min_rt_default = 300;
	assert_clamps(s, run_fork_rt(s, 0, POLICY_FIFO, 10, &all), 300, 1024);
}

static void clamps_are_set_and_all_else_kept(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 5);

	assert_int_equal(ask(s, t, MIN_FLAG, 600, 0), 0);
	assert_clamps(s, t, 600, 1024);
	assert_true(s->m->uclamp_used);
	assert_int_equal(ask(s, t, MAX_FLAG, 0, 700), 0);
	assert_clamps(s, t, 600, 700);
	assert_int_equal(ask(s, t, MIN_FLAG | MAX_FLAG, 100, 200), 0);
	assert_clamps(s, t, 100, 200);
	assert_int_equal(t->policy, POLICY_NORMAL);
	assert_int_equal(t->static_prio, 125);
	assert_true(runs_on(s, t, 0));
}

static void a_queued_task_keeps_its_place(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);
	uint64_t vruntime;

	run_fork(s, 0, 0);
	vruntime = t->se.vruntime;
	assert_int_equal(ask(s, t, MIN_FLAG, 600, 0), 0);
	assert_int_equal(t->se.vruntime, vruntime);
	assert_int_equal(cpu_rq(s->m, 0)->cfs.nr_running, 2);
}

static void the_kernel_refuses_what_cannot_be(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	assert_int_equal(ask(s, t, MIN_FLAG, 1025, 0), -EINVAL);
	assert_int_equal(ask(s, t, MAX_FLAG, 0, 1025), -EINVAL);
	assert_int_equal(ask(s, t, MIN_FLAG | MAX_FLAG, 201, 200), -EINVAL);
	assert_false(s->m->uclamp_used);
	assert_int_equal(ask(s, t, MAX_FLAG, 0, 200), 0);
	assert_int_equal(ask(s, t, MIN_FLAG, 201, 0), -EINVAL);
	assert_clamps(s, t, 0, 200);
	assert_int_equal(ask(s, t, MIN_FLAG, 200, 0), 0);
	assert_clamps(s, t, 200, 200);
}

static void minus_one_takes_a_wish_back(void **state)
{
	run_scene *s = *state;
	struct cpumask all = cpumask_first_n(2);
	struct task *t = run_fork(s, 0, 0);
	struct task *rt = run_fork_rt(s, 1, POLICY_FIFO, 10, &all);

	assert_int_equal(ask(s, t, MIN_FLAG | MAX_FLAG, 100, 200), 0);
	assert_int_equal(ask(s, t, MAX_FLAG, 0, -1), 0);
	assert_clamps(s, t, 100, 1024);
	assert_int_equal(ask(s, t, MIN_FLAG, -1, 0), 0);
	assert_clamps(s, t, 0, 1024);
	assert_int_equal(ask(s, rt, MIN_FLAG, 100, 0), 0);
	assert_clamps(s, rt, 100, 1024);
	assert_int_equal(ask(s, rt, MIN_FLAG, -1, 0), 0);
	assert_clamps(s, rt, 1024, 1024);
}

/* But a wish stays a wish. */
static void a_new_policy_brings_its_default(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	assert_int_equal(change_policy(s, t, POLICY_FIFO, 10), 0);
	assert_clamps(s, t, 1024, 1024);
	assert_int_equal(change_policy(s, t, POLICY_NORMAL, 0), 0);
	assert_clamps(s, t, 0, 1024);
	assert_int_equal(ask(s, t, MIN_FLAG, 100, 0), 0);
	assert_int_equal(change_policy(s, t, POLICY_FIFO, 10), 0);
	assert_clamps(s, t, 100, 1024);
}

static void the_system_limits_both(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	s->m->tunables.sched_util_clamp_min = 300;
	s->m->tunables.sched_util_clamp_max = 800;
	assert_clamps(s, t, 0, 800);
	assert_int_equal(ask(s, t, MIN_FLAG, 600, 0), 0);
	assert_clamps(s, t, 300, 800);
}

/* Protection raises, limits lower, and the parent's bounds hold for both. */
static void a_group_bounds_its_tasks(void **state)
{
	run_scene *s = *state;
	struct task_group *above = task_group_new(s->m, NULL);
	struct task_group *tg = task_group_new(s->m, above);
	struct task *t = run_fork_in(s, 0, tg);

	assert_clamps(s, t, 0, 1024);
	uclamp_tg_set(s->m, tg, UCLAMP_MIN, 512);
	/* None above it is protected. */
	assert_clamps(s, t, 0, 1024);
	uclamp_tg_set(s->m, above, UCLAMP_MIN, 300);
	assert_clamps(s, t, 300, 1024);
	uclamp_tg_set(s->m, above, UCLAMP_MIN, 1024);
	assert_clamps(s, t, 512, 1024);
	uclamp_tg_set(s->m, above, UCLAMP_MAX, 400);
	/* A limit comes before protection. */
	assert_clamps(s, t, 400, 400);
	assert_true(s->m->uclamp_used);
	run_block(s, 0);
}

/* New groups have their parent's limit at once. */
static void a_new_group_is_limited_as_its_parent(void **state)
{
	run_scene *s = *state;
	struct task_group *above = task_group_new(s->m, NULL);
	struct task *t;

	uclamp_tg_set(s->m, above, UCLAMP_MIN, 100);
	uclamp_tg_set(s->m, above, UCLAMP_MAX, 200);
	t = run_fork_in(s, 0, task_group_new(s->m, above));
	assert_clamps(s, t, 0, 200);
	run_block(s, 0);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_fair_task_is_not_clamped),
		T(a_real_time_task_wants_all),
		T(clamps_are_set_and_all_else_kept),
		T(a_queued_task_keeps_its_place),
		T(the_kernel_refuses_what_cannot_be),
		T(minus_one_takes_a_wish_back),
		T(a_new_policy_brings_its_default),
		T(the_system_limits_both),
		T(a_group_bounds_its_tasks),
		T(a_new_group_is_limited_as_its_parent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
