/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched/clock.h"
#include "sched/core.h"
#include "test.h"
#include "wake_scene.h"

/*
 * One cache of eight CPUs.  CPU 0 is busy, and so is each but 2, which a sleeper left,
 * and 5.  Searches begin at CPU 1.
 */
struct cache {
	wake_scene *s;
	struct machine *m;
	struct task *sleeper, *other;
};

static int setup(void **state)
{
	static struct cache c;

	c.s = wake_scene_new("1n1l8c1t");
	c.m = scene_machine(c.s);
	scene_policy(c.s, "sis_cache");
	scene_occupy(c.s, "0,1,3,4,6,7");
	c.sleeper = scene_sleeper(c.s, 2, 0);
	c.other = scene_sleeper(c.s, 0, 0);
	*state = &c;
	return 0;
}

static int teardown(void **state)
{
	struct cache *c = *state;

	wake_scene_free(c->s);
	return 0;
}

static void pass(struct cache *c, uint64_t ns)
{
	machine_set_time(c->m, c->m->now_ns + ns);
}

static void sleeps(struct cache *c, struct task *t)
{
	c->m->policy->task_sleeps(cpu_rq(c->m, t->cpu), t);
}

/* @t sleeps on its CPU and wakes there @ns later. */
static void naps(struct cache *c, struct task *t, uint64_t ns)
{
	sleeps(c, t);
	pass(c, ns);
	c->m->policy->task_woken(cpu_rq(c->m, t->cpu), t);
}

static int search(struct cache *c)
{
	return scene_wake(c->s, 0, c->other, 0).cpu;
}

/* CPU 2 is kept for exactly @ns from now on. */
static void assert_kept_for(struct cache *c, uint64_t ns)
{
	assert_int_equal(search(c), 5);
	pass(c, ns - 1);
	assert_int_equal(search(c), 5);
	pass(c, 1);
	assert_int_equal(search(c), 2);
}

static void a_cpu_is_kept_for_an_eighth_of_the_first_short_sleep(void **state)
{
	struct cache *c = *state;

	naps(c, c->sleeper, US(80));
	sleeps(c, c->sleeper);
	assert_kept_for(c, US(10));
}

static void the_reservation_is_a_mean_of_short_sleeps(void **state)
{
	struct cache *c = *state;

	naps(c, c->sleeper, US(80));
	pass(c, US(100));
	naps(c, c->sleeper, US(90));
	pass(c, US(100));
	/* 10 + (90 - 10) / 8 */
	sleeps(c, c->sleeper);
	assert_kept_for(c, US(20));
}

static void a_task_that_never_slept_reserves_nothing(void **state)
{
	struct cache *c = *state;

	sleeps(c, c->sleeper);
	assert_int_equal(search(c), 2);
}

static void nor_does_it_end_anothers_reservation(void **state)
{
	struct cache *c = *state;

	scene_policy(c->s, "sis_cache:never_earlier=0");
	naps(c, c->sleeper, US(80));
	sleeps(c, c->sleeper);
	sleeps(c, scene_sleeper(c->s, 2, 0));
	assert_kept_for(c, US(10));
}

static void a_sleep_of_no_time_counts_for_nothing(void **state)
{
	struct cache *c = *state;

	naps(c, c->sleeper, US(80));
	naps(c, c->sleeper, 0);
	pass(c, US(100));
	sleeps(c, c->sleeper);
	assert_kept_for(c, US(10));
}

static void a_long_sleep_halves_the_reservation(void **state)
{
	struct cache *c = *state;

	naps(c, c->sleeper, US(80));
	naps(c, c->sleeper, US(500));
	sleeps(c, c->sleeper);
	assert_kept_for(c, US(5));
}

static void with_its_switch_off_a_long_sleep_changes_nothing(void **state)
{
	struct cache *c = *state;

	scene_policy(c->s, "sis_cache:halve_after_long=0");
	naps(c, c->sleeper, US(80));
	naps(c, c->sleeper, US(500));
	sleeps(c, c->sleeper);
	assert_kept_for(c, US(10));
}

static void a_sleep_is_short_below_migration_cost(void **state)
{
	struct cache *c = *state;

	naps(c, c->sleeper, US(500) - 8);
	sleeps(c, c->sleeper);
	assert_kept_for(c, 62499);
	scene_policy(c->s, "sis_cache:sleep_below_ns=600us");
	naps(c, c->sleeper, US(560));
	sleeps(c, c->sleeper);
	assert_kept_for(c, US(70));
}

static void a_cpu_with_others_left_is_not_kept(void **state)
{
	struct cache *c = *state;

	naps(c, c->sleeper, US(80));
	scene_queue(c->s, 2, 1, false);
	sleeps(c, c->sleeper);
	scene_idle(c->s, 2);
	assert_int_equal(search(c), 2);
	scene_policy(c->s, "sis_cache:rq_left_empty=0");
	naps(c, c->sleeper, US(80));
	scene_queue(c->s, 2, 1, false);
	sleeps(c, c->sleeper);
	scene_idle(c->s, 2);
	assert_int_equal(search(c), 5);
}

/* Two sleepers leave CPU 2, the second with the shorter reservation. */
static void reserve_twice(struct cache *c)
{
	struct task *brief = scene_sleeper(c->s, 2, 0);

	naps(c, c->sleeper, US(80));
	naps(c, brief, US(8));
	pass(c, US(100));
	sleeps(c, c->sleeper);
	pass(c, US(2));
	sleeps(c, brief);
}

static void a_reservation_never_ends_an_older_one_earlier(void **state)
{
	struct cache *c = *state;

	reserve_twice(c);
	assert_kept_for(c, US(8));
}

static void with_its_switch_off_the_last_reservation_counts(void **state)
{
	struct cache *c = *state;

	scene_policy(c->s, "sis_cache:never_earlier=0");
	reserve_twice(c);
	assert_kept_for(c, US(1));
}

static void the_task_itself_comes_back_to_its_cpu(void **state)
{
	struct cache *c = *state;

	naps(c, c->sleeper, US(80));
	sleeps(c, c->sleeper);
	assert_int_equal(scene_wake(c->s, 0, c->sleeper, WF_SYNC).cpu, 2);
}

static void when_every_idle_cpu_is_kept_the_first_is_taken(void **state)
{
	struct cache *c = *state;
	struct task *at_5 = scene_sleeper(c->s, 5, 0);

	naps(c, c->sleeper, US(80));
	naps(c, at_5, US(80));
	sleeps(c, c->sleeper);
	sleeps(c, at_5);
	assert_int_equal(search(c), 2);
}

/* Both hooks are reached by the scheduler's own sleep and wakeup. */
static void sleep_and_wakeup_reach_the_policy(void **state)
{
	struct cache *c = *state;
	struct task t = {.pid = 99, .comm = "real"};
	const struct cpumask only_2 = cpumask_of(2);

	t.policy_state = g_malloc0(c->m->policy->task_size);
	sched_fork(c->m, &t, POLICY_NORMAL, 0, &only_2, 2);
	wake_up_new_task(c->m, &t, 2);
	sched_resched_all(c->m);
	sched_block(c->m, 2, TASK_INTERRUPTIBLE);
	pass(c, US(80));
	assert_true(try_to_wake_up(c->m, &t, 2, 0, false));
	sched_resched_all(c->m);
	assert_ptr_equal(cpu_rq(c->m, 2)->curr, &t);
	sched_block(c->m, 2, TASK_INTERRUPTIBLE);
	assert_kept_for(c, US(10));
	g_free(t.policy_state);
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_cpu_is_kept_for_an_eighth_of_the_first_short_sleep),
		T(the_reservation_is_a_mean_of_short_sleeps),
		T(a_task_that_never_slept_reserves_nothing),
		T(nor_does_it_end_anothers_reservation),
		T(a_sleep_of_no_time_counts_for_nothing),
		T(a_long_sleep_halves_the_reservation),
		T(with_its_switch_off_a_long_sleep_changes_nothing),
		T(a_sleep_is_short_below_migration_cost),
		T(a_cpu_with_others_left_is_not_kept),
		T(a_reservation_never_ends_an_older_one_earlier),
		T(with_its_switch_off_the_last_reservation_counts),
		T(the_task_itself_comes_back_to_its_cpu),
		T(when_every_idle_cpu_is_kept_the_first_is_taken),
		T(sleep_and_wakeup_reach_the_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
