/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"
#include "wake_scene.h"

/*
 * CPU 0 wakes a task of load 1000 that slept on CPU 1, whose load is 2000.  Both are
 * busy and share a cache, so wake_affine() decides alone.  The wakee's part of CPU 1
 * is 1000 * 2000 / 2001 = 999, which leaves 1001 there; imbalance_pct 117 makes
 * 1001 * 108 of it, against (load of CPU 0 + 999) * 100.
 */
struct pair {
	wake_scene *s;
	struct task *waker, *wakee;
};

static struct pair pair_new(const char *topology, int prev)
{
	struct pair p = {.s = wake_scene_new(topology)};

	p.waker = scene_runner(p.s, 0, 0);
	scene_runner(p.s, prev, 0);
	p.wakee = scene_sleeper(p.s, prev, 0);
	p.wakee->se.avg.load_avg = 1000;
	scene_load(p.s, prev, 2000);
	return p;
}

static int setup(void **state)
{
	static struct pair p;

	p = pair_new("1n1l2c1t", 1);
	*state = &p;
	return 0;
}

static int teardown(void **state)
{
	struct pair *p = *state;

	wake_scene_free(p->s);
	return 0;
}

static int affine(const struct pair *p, unsigned flags)
{
	return scene_wake(p->s, 0, p->wakee, flags).affine_cpu;
}

static int affine_at(const struct pair *p, uint64_t this_load, unsigned flags)
{
	scene_load(p->s, 0, this_load);
	return affine(p, flags);
}

static void both_idle_means_prev(void **state)
{
	struct pair *p = *state;

	scene_idle(p->s, 0);
	scene_idle(p->s, 1);
	assert_int_equal(affine(p, 0), 1);
}

static void an_interrupt_on_an_idle_cpu_keeps_the_wakee_there(void **state)
{
	struct pair *p = *state;

	scene_idle(p->s, 0);
	scene_load(p->s, 0, 5000);
	assert_int_equal(affine(p, 0), 0);
}

static void an_idle_cpu_of_another_cache_draws_nobody(void **state)
{
	struct pair apart = pair_new("1n2l1c1t", 1);

	scene_idle(apart.s, 0);
	scene_load(apart.s, 0, 5000);
	assert_int_equal(affine(&apart, 0), 1);
	wake_scene_free(apart.s);
}

static void a_sync_waker_alone_on_its_cpu_draws_the_wakee(void **state)
{
	struct pair *p = *state;

	scene_load(p->s, 0, 5000);
	assert_int_equal(affine(p, WF_SYNC), 0);
	assert_int_equal(affine(p, 0), 1);
	scene_queue(p->s, 0, 1, false);
	assert_int_equal(affine(p, WF_SYNC), 1);
}

static void a_sync_wakeup_by_an_exiting_task_is_not_sync(void **state)
{
	struct pair *p = *state;

	scene_load(p->s, 0, 5000);
	p->waker->exiting = true;
	assert_int_equal(affine(p, WF_SYNC), 1);
}

static void an_idle_prev_keeps_the_wakee(void **state)
{
	struct pair *p = *state;

	scene_idle(p->s, 1);
	assert_int_equal(affine_at(p, 0, 0), 1);
	scene_policy(p->s, "baseline:NO_WA_IDLE");
	assert_int_equal(affine_at(p, 0, 0), 0);
}

static void load_decides_with_a_bias_of_8_percent_for_prev(void **state)
{
	struct pair *p = *state;

	/* 1081 * 100 < 1001 * 108 = 108108 <= 1082 * 100 */
	assert_int_equal(affine_at(p, 82, 0), 0);
	assert_int_equal(affine_at(p, 83, 0), 1);
}

static void without_wa_bias_loads_count_as_they_are(void **state)
{
	struct pair *p = *state;

	scene_policy(p->s, "baseline:NO_WA_BIAS");
	assert_int_equal(affine_at(p, 1, 0), 0);
	assert_int_equal(affine_at(p, 2, 0), 1);
}

static void siblings_of_a_core_have_a_bias_of_5_percent(void **state)
{
	struct pair core = pair_new("1n1l1c2t", 1);

	/* 1051 * 100 < 1001 * 105 = 105105 <= 1052 * 100 */
	assert_int_equal(affine_at(&core, 52, 0), 0);
	assert_int_equal(affine_at(&core, 53, 0), 1);
	wake_scene_free(core.s);
}

static void each_load_counts_by_the_other_cpus_capacity(void **state)
{
	struct pair *p = *state;

	/* 1082 * 100 * 1000 = 108200000 < 1001 * 108 * 1024 = 110702592 */
	cpu_rq(scene_machine(p->s), 1)->cpu_capacity = 1000;
	assert_int_equal(affine_at(p, 83, 0), 0);
	/* 1081 * 100 * 1024 = 110694400 >= 1001 * 108 * 1000 */
	cpu_rq(scene_machine(p->s), 1)->cpu_capacity = 1024;
	cpu_rq(scene_machine(p->s), 0)->cpu_capacity = 1000;
	assert_int_equal(affine_at(p, 82, 0), 1);
}

static void a_sync_wakers_load_is_taken_off_its_cpu(void **state)
{
	struct pair *p = *state;

	scene_queue(p->s, 0, 1, false);
	/* The waker's part of 481 is 400 * 481 / 482 = 399, which leaves 82. */
	p->waker->se.avg.load_avg = 400;
	assert_int_equal(affine_at(p, 481, WF_SYNC), 0);
	assert_int_equal(affine_at(p, 482, WF_SYNC), 1);
	assert_int_equal(affine_at(p, 481, 0), 1);
}

static void a_sync_waker_with_more_load_than_its_cpu_draws_the_wakee(void **state)
{
	struct pair *p = *state;

	scene_queue(p->s, 0, 1, false);
	/* On CPU 1 the wakee leaves 1000 - 999 = 1; its 999 are more than that. */
	scene_load(p->s, 1, 1000);
	/* 3003 * 3000 / 3001 = 3001 > 3000, and 3002 * 3000 / 3001 = 3000 */
	p->waker->se.avg.load_avg = 3003;
	assert_int_equal(affine_at(p, 3000, WF_SYNC), 0);
	assert_int_equal(affine_at(p, 3000, 0), 1);
	p->waker->se.avg.load_avg = 3002;
	assert_int_equal(affine_at(p, 3000, WF_SYNC), 1);
}

/* An interrupt on idle @this_cpu wakes a task of load 1000 from @prev's, which is 1000;
 * the blocked load of @this_cpu is 100. */
static int drawn_to_idle(int this_cpu, int prev, unsigned flags)
{
	wake_scene *s = wake_scene_new("1n2l1c1t");
	struct task *t;
	int cpu;

	scene_runner(s, prev, 0);
	t = scene_sleeper(s, prev, 0);
	t->se.avg.load_avg = 1000;
	scene_load(s, prev, 1000);
	scene_load(s, this_cpu, 100);
	cpu = scene_wake(s, this_cpu, t, flags).affine_cpu;
	wake_scene_free(s);
	return cpu;
}

static void an_idle_task_keeps_a_new_tasks_load_but_for_the_boot_cpus(void **state)
{
	/* 1024 * 100 / 101 = 1013 > 100 */
	assert_int_equal(drawn_to_idle(1, 0, WF_SYNC), 1);
	/* (100 + 999) * 100 > (1000 - 999) * 108 */
	assert_int_equal(drawn_to_idle(1, 0, 0), 0);
	assert_int_equal(drawn_to_idle(0, 1, WF_SYNC), 1);
}

static void a_tie_goes_to_a_sync_waker(void **state)
{
	struct pair *p = *state;

	scene_policy(p->s, "baseline:NO_WA_BIAS");
	scene_queue(p->s, 0, 1, false);
	/* 101 + 999 on CPU 0, 2099 - 999 on CPU 1 */
	scene_load(p->s, 1, 2099);
	assert_int_equal(affine_at(p, 101, 0), 1);
	assert_int_equal(affine_at(p, 101, WF_SYNC), 0);
}

static void prev_may_owe_more_load_than_it_has(void **state)
{
	struct pair *p = *state;

	/* The wakee's part of 2 is 1000 * 2 / 3 = 666: -664 is left there. */
	scene_load(p->s, 1, 2);
	assert_int_equal(affine_at(p, 0, 0), 1);
}

static void without_both_features_prev_it_is(void **state)
{
	struct pair *p = *state;
	struct wakeup w;

	scene_policy(p->s, "baseline:NO_WA_IDLE,NO_WA_WEIGHT");
	w = scene_wake(p->s, 0, p->wakee, WF_SYNC);
	assert_int_equal(w.affine_cpu, 1);
	assert_string_equal(w.affine_reason, "nothing speaks for the waker's CPU");
}

static void without_wa_weight_load_decides_nothing(void **state)
{
	struct pair *p = *state;

	scene_policy(p->s, "baseline:NO_WA_WEIGHT");
	assert_int_equal(affine_at(p, 0, 0), 1);
}

static void the_reason_names_the_branch(void **state)
{
	struct pair *p = *state;

	assert_string_equal(scene_wake(p->s, 0, p->wakee, 0).affine_reason,
			    "the waker's CPU carries less load");
	assert_string_equal(scene_wake(p->s, 0, p->wakee, WF_SYNC).affine_reason,
			    "sync wakeup by the only task of its CPU");
	scene_idle(p->s, 1);
	assert_string_equal(scene_wake(p->s, 0, p->wakee, 0).affine_reason,
			    "prev is idle");
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(both_idle_means_prev),
		T(an_interrupt_on_an_idle_cpu_keeps_the_wakee_there),
		T(an_idle_cpu_of_another_cache_draws_nobody),
		T(a_sync_waker_alone_on_its_cpu_draws_the_wakee),
		T(a_sync_wakeup_by_an_exiting_task_is_not_sync),
		T(an_idle_prev_keeps_the_wakee),
		T(load_decides_with_a_bias_of_8_percent_for_prev),
		T(without_wa_bias_loads_count_as_they_are),
		T(siblings_of_a_core_have_a_bias_of_5_percent),
		T(each_load_counts_by_the_other_cpus_capacity),
		T(a_sync_wakers_load_is_taken_off_its_cpu),
		T(a_sync_waker_with_more_load_than_its_cpu_draws_the_wakee),
		cmocka_unit_test(
			an_idle_task_keeps_a_new_tasks_load_but_for_the_boot_cpus),
		T(a_tie_goes_to_a_sync_waker),
		T(prev_may_owe_more_load_than_it_has),
		T(without_both_features_prev_it_is),
		T(without_wa_weight_load_decides_nothing),
		T(the_reason_names_the_branch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
