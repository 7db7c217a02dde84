/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that run as deadline tasks for one that waits for them: what 6.1 makes of it
 * where it falls short, and that the invariants know.
 */
#include "test.h"

#include "dl_scene.h"
#include "sched/deadline.h"
#include "sched/invariants.h"
#include "schedsim/error.h"

struct watched {
	run_scene *s;
	invariants *inv;
	struct task *waiter; /* of 2/10 ms, asleep on CPU 1, due at 10 ms */
};

static int setup(void **state)
{
	struct watched *w = g_new0(struct watched, 1);

	w->s = dl_scene_new("1n1l2c1t");
	w->inv = invariants_new(w->s->m);
	w->s->m->observers = invariants_observer(w->inv);
	w->waiter = dl_task_on(w->s, 1, implicit(2000, 10000));
	sleep_on(w->s, w->waiter, 1);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct watched *w = *state;

	invariants_free(w->inv);
	run_scene_free(w->s);
	g_free(w);
	return 0;
}

static void assert_sound(struct watched *w, const struct task *other)
{
	const struct task *tasks[] = {w->waiter, other};
	GError *error = NULL;

	if (!invariants_check(w->inv, w->s->m, tasks, 2, &error))
		fail_msg("%s", error->message);
}

/*
 * It has used up its 4 ms and is due at 12.  By the waiter's figures it has 2 ms more
 * and is due 10 ms later, but prio_changed_dl() of 6.1 looks at deadlines alone, and
 * none is earlier than its own.
 */
static void a_throttled_owner_is_queued_and_its_idle_cpu_not_told(void **state)
{
	struct watched *w = *state;
	struct task *owner = dl_task_on(w->s, 0, implicit(4000, 12000));
	const struct rq *rq = cpu_rq(w->s->m, 0);

	run_ticking_to_us(w->s, 4000);
	assert_true(owner->dl.dl_throttled && rq->curr == rq->idle);
	rt_mutex_setprio(w->s->m, owner, w->waiter, 1);
	assert_true(owner->dl.on_rq);
	assert_instance(owner, 2000000, 22000);
	assert_true(rq->curr == rq->idle && !rq->need_resched);
	assert_sound(w, owner);
	rt_mutex_setprio(w->s->m, owner, NULL, 1);
	assert_true(owner->dl.on_rq && !rq->need_resched);
	assert_sound(w, owner);
	run_fork(w->s, 0, 0);
	sched_resched_all(w->s->m);
	assert_true(runs_on(w->s, owner, 0));
}

/* It comes to no other class, so switched_to_dl() does not count it on its CPU. */
static void who_sleeps_and_comes_to_the_policy_lifted_is_not_counted(void **state)
{
	struct watched *w = *state;
	struct task *owner = fair_task(w->s, 0);

	sched_resched_all(w->s->m);
	sleep_on(w->s, owner, 0);
	rt_mutex_setprio(w->s->m, owner, w->waiter, 1);
	assert_true(dl_task(owner));
	assert_int_equal(try_deadline(w->s, owner, implicit(1000, 10000), 0), 0);
	assert_int_equal(owner->dl.dl_bw, 104857);
	assert_int_equal(cpu_rq(w->s->m, 0)->dl.this_bw, 0);
	assert_sound(w, owner);
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(a_throttled_owner_is_queued_and_its_idle_cpu_not_told),
		CLAIM(who_sleeps_and_comes_to_the_policy_lifted_is_not_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
