/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every condition of the rule for short tasks: where all hold the arm acts, where one
 * fails it does not, and with that condition's switch off it does again.
 */
#include "test.h"
#include "wake_scene.h"
#include "wakeup/registry.h"
#include "wakeup/short_rule.h"

#define SHORT US(20)
#define LONG NSEC_PER_SEC

/*
 * The idle arm.  Two busy CPUs of one cache; a short task on CPU 0, alone, wakes one
 * that slept on CPU 1.  Load keeps the wakee at CPU 1, so only the arm moves it to 0.
 */
struct pair {
	wake_scene *s;
	struct task *waker, *wakee;
};

static int pair_setup(void **state)
{
	static struct pair p;

	p.s = wake_scene_new("1n1l2c1t");
	p.waker = scene_runner(p.s, 0, SHORT);
	scene_runner(p.s, 1, LONG);
	p.wakee = scene_sleeper(p.s, 1, LONG);
	scene_load(p.s, 0, 5000);
	*state = &p;
	return 0;
}

static int pair_teardown(void **state)
{
	struct pair *p = *state;

	wake_scene_free(p->s);
	return 0;
}

static int under(const struct pair *p, const char *policy)
{
	return scene_wake_under(p->s, policy, 0, p->wakee);
}

static void idle_arm_takes_the_wakers_cpu(void **state)
{
	struct pair *p = *state;
	struct wakeup w;

	assert_int_equal(under(p, "baseline"), 1);
	assert_int_equal(under(p, "sis_short:idle_arm=0"), 1);
	assert_int_equal(under(p, "sis_short"), 0);
	w = scene_wake(p->s, 0, p->wakee, 0);
	assert_int_equal(w.affine_cpu, 0);
	assert_string_equal(w.affine_reason,
			    "a short task is alone on the waker's CPU");
}

static void idle_arm_comes_after_the_kernels_own_reasons(void **state)
{
	struct pair *p = *state;

	scene_idle(p->s, 1);
	assert_int_equal(under(p, "sis_short"), 1);
	assert_int_equal(scene_wake(p->s, 0, p->wakee, 0).affine_cpu, 1);
}

static void idle_arm_is_part_of_wa_idle(void **state)
{
	struct pair *p = *state;

	assert_int_equal(under(p, "sis_short:NO_WA_IDLE"), 1);
}

static void idle_arm_needs_the_waker_alone(void **state)
{
	struct pair *p = *state;

	scene_queue(p->s, 0, 1, false);
	assert_int_equal(under(p, "sis_short"), 1);
	assert_int_equal(under(p, "sis_short:idle_arm_nr_running=0"), 0);
}

static void idle_arm_needs_a_short_current_task(void **state)
{
	struct pair *p = *state;

	p->waker->se.dur_avg = LONG;
	assert_int_equal(under(p, "sis_short"), 1);
	assert_int_equal(under(p, "sis_short:idle_arm_curr_short=0"), 0);
}

static void idle_arm_does_not_ask_about_the_wakee(void **state)
{
	struct pair *p = *state;

	p->wakee->se.dur_avg = 0;
	assert_int_equal(under(p, "sis_short"), 0);
}

/* What counts as short, by the idle arm's test of the waker. */

static void short_is_less_than_an_eighth_of_min_granularity(void **state)
{
	struct pair *p = *state;

	/* Two CPUs: 750 us * 2 / 8 */
	p->waker->se.dur_avg = 187499;
	assert_int_equal(under(p, "sis_short"), 0);
	p->waker->se.dur_avg = 187500;
	assert_int_equal(under(p, "sis_short"), 1);
	assert_int_equal(under(p, "sis_short:min_granularity_ns=1500001"), 0);
}

static void a_task_that_never_slept_is_not_short(void **state)
{
	struct pair *p = *state;

	p->waker->se.dur_avg = 0;
	assert_int_equal(under(p, "sis_short"), 1);
	assert_int_equal(under(p, "sis_short:dur_avg_nonzero=0"), 0);
}

static void the_bound_may_be_set_for_the_run(void **state)
{
	struct pair *p = *state;

	assert_int_equal(under(p, "sis_short:short_below_ns=20000"), 1);
	assert_int_equal(under(p, "sis_short:short_below_ns=20001"), 0);
	p->waker->se.dur_avg = US(499);
	assert_int_equal(under(p, "sis_short:short_below_ns=499us"), 1);
	assert_int_equal(under(p, "sis_short:short_below_ns=500us"), 0);
}

static void a_tasks_own_bound_comes_before_the_runs(void **state)
{
	struct pair *p = *state;

	p->waker->short_below_ns = US(20);
	assert_int_equal(under(p, "sis_short"), 1);
	assert_int_equal(under(p, "sis_short:short_below_ns=1ms"), 1);
	p->waker->short_below_ns = US(20) + 1;
	assert_int_equal(under(p, "sis_short:short_below_ns=1us"), 0);
}

/* Skipping the load comparison: here load draws a short wakee to CPU 0. */

static int drawn_setup(void **state)
{
	struct pair *p;

	pair_setup(state);
	p = *state;
	p->waker->se.dur_avg = LONG;
	p->wakee->se.dur_avg = SHORT;
	scene_load(p->s, 0, 0);
	scene_load(p->s, 1, 1000);
	return 0;
}

static void skip_weight_leaves_a_short_wakee_at_prev(void **state)
{
	struct pair *p = *state;
	struct wakeup w;

	assert_int_equal(under(p, "baseline"), 0);
	assert_int_equal(under(p, "sis_short"), 0);
	assert_int_equal(under(p, "skip_weight:skip_weight=0"), 0);
	assert_int_equal(under(p, "sis_short:skip_weight=1"), 1);
	assert_int_equal(under(p, "skip_weight"), 1);
	w = scene_wake(p->s, 0, p->wakee, 0);
	assert_int_equal(w.affine_cpu, 1);
	assert_string_equal(w.affine_reason,
			    "the wakee is short: loads are not compared");
}

static void skip_weight_needs_a_short_wakee(void **state)
{
	struct pair *p = *state;

	p->wakee->se.dur_avg = LONG;
	assert_int_equal(under(p, "skip_weight"), 0);
	p->wakee->short_below_ns = LONG + 1;
	assert_int_equal(under(p, "skip_weight"), 1);
}

static void skip_weight_leaves_wake_affine_idle_alone(void **state)
{
	struct pair *p = *state;

	scene_policy(p->s, "skip_weight");
	assert_int_equal(scene_wake(p->s, 0, p->wakee, WF_SYNC).cpu, 0);
}

/*
 * The scan arm.  Eight CPUs of one cache; a short task on CPU 0, alone, wakes a short
 * one that slept there.  CPU 2 is idle, so that is where a search ends.  SIS_UTIL
 * allows three probes: 5 * 4 < 3 * 8.
 */
static int eight_setup(void **state)
{
	static struct pair p;

	p.s = wake_scene_new("1n1l8c1t");
	scene_occupy(p.s, "1-7");
	scene_idle(p.s, 2);
	p.waker = scene_runner(p.s, 0, SHORT);
	p.wakee = scene_sleeper(p.s, 0, SHORT);
	scene_nr_idle_scan(p.s, 3);
	*state = &p;
	return 0;
}

static void scan_arm_takes_the_target_instead_of_a_search(void **state)
{
	struct pair *p = *state;
	struct wakeup w;

	assert_int_equal(under(p, "baseline"), 2);
	assert_int_equal(under(p, "sis_short:scan_arm=0"), 2);
	assert_int_equal(under(p, "sis_short"), 0);
	w = scene_wake(p->s, 0, p->wakee, 0);
	assert_string_equal(w.stage, "before_scan");
	assert_string_equal(w.reason, "the wakee and the target's task are short");
	assert_int_equal(w.probes, 0);
	assert_false(w.search_hit);
}

static void scan_arm_comes_after_the_likely_idle_cpus(void **state)
{
	struct pair *p = *state;

	p->wakee->recent_used_cpu = 2;
	assert_int_equal(under(p, "sis_short"), 2);
}

static void scan_arm_comes_after_the_exit_for_a_busy_llc(void **state)
{
	struct pair *p = *state;
	struct wakeup w;

	scene_policy(p->s, "sis_short");
	scene_nr_idle_scan(p->s, 0);
	w = scene_wake(p->s, 0, p->wakee, 0);
	assert_int_equal(w.cpu, 0);
	assert_string_equal(w.reason, "the LLC is too busy to search: target");
}

static void scan_arm_needs_the_target_to_be_the_wakers_cpu(void **state)
{
	struct pair *p = *state;
	struct task *elsewhere = scene_sleeper(p->s, 1, SHORT);

	/* Woken by CPU 0, drawn to its own CPU 1, whose current task is short. */
	scene_runner(p->s, 1, SHORT);
	scene_load(p->s, 0, 5000);
	assert_int_equal(scene_wake_under(p->s, "sis_short_no_idle_arm", 0, elsewhere),
			 2);
	assert_int_equal(
		scene_wake_under(p->s,
				 "sis_short_no_idle_arm:scan_arm_this_is_target=0", 0,
				 elsewhere),
		1);
}

static void scan_arm_needs_a_busy_llc(void **state)
{
	struct pair *p = *state;

	/* 5 * 5 >= 3 * 8 */
	scene_nr_idle_scan(p->s, 4);
	assert_int_equal(under(p, "sis_short"), 2);
	assert_int_equal(under(p, "sis_short:scan_arm_utilisation=0"), 0);
}

static void three_fifths_of_the_llc_are_not_busy(void **state)
{
	wake_scene *s = wake_scene_new("1n1l5c1t");
	struct task *wakee = scene_sleeper(s, 0, SHORT);

	scene_runner(s, 0, SHORT);
	/* 5 * 3 = 3 * 5 */
	scene_nr_idle_scan(s, 2);
	assert_int_equal(scene_wake_under(s, "sis_short", 0, wakee), 1);
	scene_nr_idle_scan(s, 1);
	assert_int_equal(scene_wake_under(s, "sis_short", 0, wakee), 0);
	wake_scene_free(s);
}

static void scan_arm_is_part_of_sis_util(void **state)
{
	struct pair *p = *state;

	assert_int_equal(under(p, "sis_short:NO_SIS_UTIL"), 2);
	assert_int_equal(under(p, "sis_short:NO_SIS_UTIL,scan_arm_utilisation=0"), 0);
}

static void scan_arm_needs_at_most_one_task_on_the_target(void **state)
{
	struct pair *p = *state;

	scene_queue(p->s, 0, 1, false);
	assert_int_equal(under(p, "sis_short"), 2);
	assert_int_equal(under(p, "sis_short:scan_arm_nr_running=0"), 0);
}

static void scan_arm_needs_a_short_wakee(void **state)
{
	struct pair *p = *state;

	p->wakee->se.dur_avg = LONG;
	assert_int_equal(under(p, "sis_short"), 2);
	assert_int_equal(under(p, "sis_short:scan_arm_wakee_short=0"), 0);
}

static void scan_arm_needs_a_short_current_task(void **state)
{
	struct pair *p = *state;

	p->waker->se.dur_avg = LONG;
	assert_int_equal(under(p, "sis_short"), 2);
	assert_int_equal(under(p, "sis_short:scan_arm_curr_short=0"), 0);
}

static void scan_arm_leaves_idle_cores_to_be_found(void **state)
{
	wake_scene *s = wake_scene_new("1n1l4c2t");
	struct task *wakee = scene_sleeper(s, 0, SHORT);

	/* Cores 0 4 | 1 5 | 2 6 | 3 7; the third is idle. */
	scene_occupy(s, "1,3-5,7");
	scene_runner(s, 0, SHORT);
	scene_nr_idle_scan(s, 3);
	scene_idle_cores(s, 0, true);
	assert_int_equal(scene_wake_under(s, "sis_short", 0, wakee), 2);
	assert_int_equal(
		scene_wake_under(s, "sis_short:scan_arm_no_idle_core=0", 0, wakee), 0);
	scene_idle_cores(s, 0, false);
	assert_int_equal(scene_wake_under(s, "sis_short", 0, wakee), 0);
	wake_scene_free(s);
}

/* The policies */

static void assert_same(const char *preset, const char *by_settings)
{
	g_auto(policy_instance) a = {0}, b = {0};
	g_autoptr(GError) error = NULL;

	assert_true(wakeup_policy_instance(preset, &a, &error));
	assert_true(wakeup_policy_instance(by_settings, &b, &error));
	assert_ptr_equal(a.policy.wake_affine_idle, b.policy.wake_affine_idle);
	assert_ptr_equal(a.policy.wake_affine_weight, b.policy.wake_affine_weight);
	assert_ptr_equal(a.policy.before_scan, b.policy.before_scan);
	assert_int_equal(a.policy.params_size, sizeof(struct short_rule));
	assert_memory_equal(a.params, b.params, sizeof(struct short_rule));
}

static void each_preset_is_the_rule_with_other_defaults(void **state)
{
	assert_same("sis_short_skip_weight", "sis_short:skip_weight=1");
	assert_same("sis_short_no_idle_arm", "sis_short:idle_arm=0");
	assert_same("skip_weight", "sis_short:idle_arm=0,scan_arm=0,skip_weight=1");
}

#define PAIR(test) cmocka_unit_test_setup_teardown(test, pair_setup, pair_teardown)
#define DRAWN(test) cmocka_unit_test_setup_teardown(test, drawn_setup, pair_teardown)
#define EIGHT(test) cmocka_unit_test_setup_teardown(test, eight_setup, pair_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PAIR(idle_arm_takes_the_wakers_cpu),
		PAIR(idle_arm_comes_after_the_kernels_own_reasons),
		PAIR(idle_arm_is_part_of_wa_idle),
		PAIR(idle_arm_needs_the_waker_alone),
		PAIR(idle_arm_needs_a_short_current_task),
		PAIR(idle_arm_does_not_ask_about_the_wakee),
		PAIR(short_is_less_than_an_eighth_of_min_granularity),
		PAIR(a_task_that_never_slept_is_not_short),
		PAIR(the_bound_may_be_set_for_the_run),
		PAIR(a_tasks_own_bound_comes_before_the_runs),
		DRAWN(skip_weight_leaves_a_short_wakee_at_prev),
		DRAWN(skip_weight_needs_a_short_wakee),
		DRAWN(skip_weight_leaves_wake_affine_idle_alone),
		EIGHT(scan_arm_takes_the_target_instead_of_a_search),
		EIGHT(scan_arm_comes_after_the_likely_idle_cpus),
		EIGHT(scan_arm_comes_after_the_exit_for_a_busy_llc),
		EIGHT(scan_arm_needs_the_target_to_be_the_wakers_cpu),
		EIGHT(scan_arm_needs_a_busy_llc),
		cmocka_unit_test(three_fifths_of_the_llc_are_not_busy),
		EIGHT(scan_arm_is_part_of_sis_util),
		EIGHT(scan_arm_needs_at_most_one_task_on_the_target),
		EIGHT(scan_arm_needs_a_short_wakee),
		EIGHT(scan_arm_needs_a_short_current_task),
		cmocka_unit_test(scan_arm_leaves_idle_cores_to_be_found),
		cmocka_unit_test(each_preset_is_the_rule_with_other_defaults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
