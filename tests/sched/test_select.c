/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched/select.h"

#include "schedsim/observer.h"
#include "test.h"
#include "wake_scene.h"
#include "wakeup/registry.h"

/* Two caches of two CPUs, 0 1 | 2 3, nobody idle. */
static int setup(void **state)
{
	wake_scene *s = wake_scene_new("1n2l2c1t");

	scene_occupy(s, "0-3");
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	wake_scene_free(*state);
	return 0;
}

static void waking_another_task_counts_a_flip(void **state)
{
	wake_scene *s = *state;
	struct task *waker = scene_runner(s, 0, 0);
	struct task *a = scene_sleeper(s, 1, 0), *b = scene_sleeper(s, 1, 0);

	scene_wake(s, 0, a, 0);
	assert_int_equal(waker->wakee_flips, 1);
	scene_wake(s, 0, a, 0);
	assert_int_equal(waker->wakee_flips, 1);
	scene_wake(s, 0, b, 0);
	assert_int_equal(waker->wakee_flips, 2);
	assert_ptr_equal(waker->last_wakee, b);
	assert_int_equal(a->wakee_flips, 0);
}

static void flips_halve_once_when_more_than_a_second_went_by(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);
	struct task *waker = scene_runner(s, 0, 0), *wakee = scene_sleeper(s, 1, 0);

	waker->wakee_flips = 9;
	waker->last_wakee = wakee;
	m->jiffies = waker->wakee_flip_decay_ts + m->hz;
	record_wakee(m, waker, wakee);
	assert_int_equal(waker->wakee_flips, 9);
	m->jiffies += 5 * m->hz;
	record_wakee(m, waker, wakee);
	assert_int_equal(waker->wakee_flips, 4);
	assert_int_equal(waker->wakee_flip_decay_ts, m->jiffies);
}

static void many_partners_on_both_sides_are_wide(void **state)
{
	assert_false(wake_wide(8, 2, 4));
	assert_true(wake_wide(16, 4, 4));
	assert_true(wake_wide(4, 16, 4));
	assert_false(wake_wide(15, 4, 4));
	assert_false(wake_wide(100, 3, 4));
	assert_true(wake_wide(1, 1, 1));
	/* 65536 * 65536 wraps to 0 */
	assert_true(wake_wide(65536, 65536, 65536));
}

static void a_wide_wakeup_stays_at_prev(void **state)
{
	wake_scene *s = *state;
	struct task *waker = scene_runner(s, 0, 0), *wakee = scene_sleeper(s, 3, 0);
	struct wakeup w;

	waker->wakee_flips = 10;
	wakee->wakee_flips = 2;
	w = scene_wake(s, 0, wakee, WF_SYNC);
	assert_int_equal(w.wide, 1);
	assert_int_equal(w.affine_cpu, CPU_NONE);
	assert_int_equal(w.cpu, 3);
	wakee->wakee_flips = 1;
	w = scene_wake(s, 0, wakee, WF_SYNC);
	assert_int_equal(w.wide, 0);
	assert_int_equal(w.cpu, 0);
}

static void a_wakee_that_may_not_run_here_stays_at_prev(void **state)
{
	wake_scene *s = *state;
	struct task *wakee = scene_sleeper(s, 3, 0);
	struct wakeup w;

	cpumask_clear(&wakee->cpus_mask, 0);
	w = scene_wake(s, 0, wakee, WF_SYNC);
	assert_int_equal(w.affine_cpu, CPU_NONE);
	assert_int_equal(w.target, 3);
	assert_int_equal(w.cpu, 3);
}

static void prev_on_the_wakers_own_cpu_needs_no_wake_affine(void **state)
{
	wake_scene *s = *state;
	struct wakeup w = scene_wake(s, 2, scene_sleeper(s, 2, 0), 0);

	assert_int_equal(w.affine_cpu, CPU_NONE);
	assert_non_null(w.affine_sd);
	assert_int_equal(w.cpu, 2);
}

static void wake_affine_is_asked_by_the_lowest_domain_that_spans_both(void **state)
{
	wake_scene *s = *state;
	struct wakeup near = scene_wake(s, 0, scene_sleeper(s, 1, 0), 0);
	struct wakeup far = scene_wake(s, 0, scene_sleeper(s, 2, 0), 0);
	struct sched_domain *lowest = cpu_rq(scene_machine(s), 0)->sd;

	assert_ptr_equal(near.affine_sd, lowest);
	assert_ptr_equal(far.affine_sd, lowest->parent);
}

static void without_a_common_affine_domain_prev_is_the_target(void **state)
{
	wake_scene *s = *state;
	struct task *wakee = scene_sleeper(s, 3, 0);
	struct wakeup w;

	cpu_rq(scene_machine(s), 0)->sd->parent->flags &= ~(uint32_t)SD_WAKE_AFFINE;
	w = scene_wake(s, 0, wakee, WF_SYNC);
	assert_int_equal(w.affine_cpu, CPU_NONE);
	assert_null(w.affine_sd);
	assert_int_equal(w.cpu, 3);
	assert_false(w.slow_path);
}

/* Every domain up to it must: the walk ends at the first that does not. */
static void a_domain_that_balances_at_wakeup_takes_the_slow_path(void **state)
{
	wake_scene *s = *state;
	struct task *waker = scene_runner(s, 0, 0), *wakee = scene_sleeper(s, 1, 0);

	waker->wakee_flips = 10;
	wakee->wakee_flips = 2;
	cpu_rq(scene_machine(s), 0)->sd->parent->flags |= SD_BALANCE_WAKE;
	assert_false(scene_wake(s, 0, wakee, 0).slow_path);
	cpu_rq(scene_machine(s), 0)->sd->flags |= SD_BALANCE_WAKE;
	assert_true(scene_wake(s, 0, wakee, 0).slow_path);
}

static void a_new_task_takes_the_slow_path_and_is_nobodys_wakee(void **state)
{
	wake_scene *s = *state;
	struct task *parent = scene_runner(s, 0, 0), *child = scene_sleeper(s, 0, 0);
	struct wakeup w;

	scene_idle(s, 3);
	cpu_rq(scene_machine(s), 3)->idle_stamp = 1;
	child->se.avg.last_update_time = 0;
	w = scene_place(s, 0, child, WF_FORK);
	assert_true(w.slow_path);
	assert_int_equal(w.wide, -1);
	assert_int_equal(w.cpu, 3);
	assert_string_equal(w.stage, "find_idlest_cpu");
	assert_string_equal(w.reason, "the idlest CPU of the idlest group");
	assert_int_equal(parent->wakee_flips, 0);
}

static void a_machine_without_domains_leaves_every_task_at_prev(void **state)
{
	wake_scene *one = wake_scene_new("1n1l1c1t");
	struct wakeup w;

	scene_runner(one, 0, 0);
	w = scene_place(one, 0, scene_sleeper(one, 0, 0), WF_FORK);
	assert_int_equal(w.cpu, 0);
	assert_string_equal(w.reason, "no domain to search: prev");
	wake_scene_free(one);
}

/* Policies of the test's own: what their hooks are asked and may answer. */

static struct verdict go_to_2(struct wakeup *w)
{
	return (struct verdict){2, "early"};
}

static struct verdict then_to_3(const struct wakeup *w)
{
	return (struct verdict){w->cpu == 1 ? 3 : w->cpu, "late"};
}

static void use(wake_scene *s, struct wakeup_policy *policy)
{
	*policy = wakeup_policy_complete(policy);
	scene_machine(s)->policy = policy;
}

static void an_early_opinion_ends_the_decision(void **state)
{
	wake_scene *s = *state;
	struct wakeup_policy policy = {.wake_early = go_to_2, .wake_last = then_to_3};
	struct task *waker = scene_runner(s, 0, 0);
	struct wakeup w;

	use(s, &policy);
	w = scene_wake(s, 0, scene_sleeper(s, 1, 0), 0);
	assert_int_equal(w.cpu, 2);
	assert_string_equal(w.stage, "wake_early");
	assert_string_equal(w.reason, "early");
	assert_int_equal(w.wide, -1);
	assert_int_equal(waker->wakee_flips, 1);
}

static void the_last_word_may_replace_the_choice(void **state)
{
	wake_scene *s = *state;
	struct wakeup_policy policy = {.wake_last = then_to_3};
	struct wakeup w;

	use(s, &policy);
	w = scene_wake(s, 0, scene_sleeper(s, 1, 0), 0);
	assert_int_equal(w.cpu, 3);
	assert_string_equal(w.stage, "wake_last");
	assert_string_equal(w.reason, "late");
}

static void a_fork_asks_no_policy(void **state)
{
	wake_scene *s = *state;
	struct wakeup_policy policy = {.wake_early = go_to_2, .wake_last = then_to_3};
	struct wakeup w;

	use(s, &policy);
	w = scene_place(s, 0, scene_sleeper(s, 0, 0), WF_FORK);
	assert_string_equal(w.stage, "find_idlest_cpu");
}

static void note_flips(void *data, const struct wakeup *w)
{
	*(unsigned *)data = w->curr->wakee_flips;
}

static void observers_see_the_state_before_the_decision(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);
	struct task *waker = scene_runner(s, 0, 0);
	unsigned flips = 77;
	struct observer first = {
		.data = &flips, .select_enter = note_flips, .next = m->observers};

	m->observers = &first;
	scene_wake(s, 0, scene_sleeper(s, 1, 0), 0);
	m->observers = first.next;
	assert_int_equal(flips, 0);
	assert_int_equal(waker->wakee_flips, 1);
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(waking_another_task_counts_a_flip),
		T(flips_halve_once_when_more_than_a_second_went_by),
		T(many_partners_on_both_sides_are_wide),
		T(a_wide_wakeup_stays_at_prev),
		T(a_wakee_that_may_not_run_here_stays_at_prev),
		T(prev_on_the_wakers_own_cpu_needs_no_wake_affine),
		T(wake_affine_is_asked_by_the_lowest_domain_that_spans_both),
		T(without_a_common_affine_domain_prev_is_the_target),
		T(a_domain_that_balances_at_wakeup_takes_the_slow_path),
		T(a_new_task_takes_the_slow_path_and_is_nobodys_wakee),
		T(a_machine_without_domains_leaves_every_task_at_prev),
		T(an_early_opinion_ends_the_decision),
		T(the_last_word_may_replace_the_choice),
		T(a_fork_asks_no_policy),
		T(observers_see_the_state_before_the_decision),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
