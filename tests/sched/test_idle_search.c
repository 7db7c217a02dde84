/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched/profile.h"
#include "sched/select.h"
#include "test.h"
#include "wake_scene.h"
#include "wakeup/registry.h"

/* One cache of eight CPUs, all busy. */
static int eight(void **state)
{
	*state = wake_scene_new("1n1l8c1t");
	scene_occupy(*state, "0-7");
	return 0;
}

/* One cache of four cores, 0 4 | 1 5 | 2 6 | 3 7, all busy. */
static int four_cores(void **state)
{
	*state = wake_scene_new("1n1l4c2t");
	scene_occupy(*state, "0-7");
	return 0;
}

/* Two caches, 0-3 | 4-7, all busy. */
static int two_caches(void **state)
{
	*state = wake_scene_new("1n2l4c1t");
	scene_occupy(*state, "0-7");
	return 0;
}

static int teardown(void **state)
{
	wake_scene_free(*state);
	return 0;
}

/* Woken on prev, so that the target is prev. */
static struct wakeup wake_at(wake_scene *s, int cpu)
{
	return scene_wake(s, cpu, scene_sleeper(s, cpu, 0), 0);
}

#define assert_went(w, to, where, why)                                                 \
	do {                                                                           \
		struct wakeup w_ = (w);                                                \
		assert_int_equal(w_.cpu, to);                                          \
		assert_string_equal(w_.stage, where);                                  \
		assert_string_equal(w_.reason, why);                                   \
	} while (0)

/* The likely CPUs */

static void an_idle_target_is_taken(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 0);
	scene_idle(s, 1);
	assert_went(wake_at(s, 0), 0, "select_idle_sibling", "target is idle");
}

static void a_target_with_only_idle_policy_tasks_is_taken(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 1);
	scene_runner(s, 0, 0);
	scene_idle(s, 0);
	scene_queue(s, 0, 2, true);
	assert_went(wake_at(s, 0), 0, "select_idle_sibling",
		    "target runs only SCHED_IDLE tasks");
	scene_queue(s, 0, 1, false);
	assert_int_equal(wake_at(s, 0).cpu, 1);
}

static void a_pending_wakeup_makes_a_cpu_busy(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 0);
	cpu_rq(scene_machine(s), 0)->ttwu_pending = true;
	assert_int_equal(wake_at(s, 0).cpu, 0);
	scene_idle(s, 5);
	assert_int_equal(wake_at(s, 0).cpu, 5);
}

static void an_idle_prev_is_taken_if_it_shares_the_targets_cache(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 3);
	/* sync: the target is CPU 0 */
	assert_went(scene_wake(s, 0, scene_sleeper(s, 3, 0), WF_SYNC), 3,
		    "select_idle_sibling", "prev is idle and shares the cache");
	scene_idle(s, 5);
	scene_occupy(s, "3");
	assert_int_equal(scene_wake(s, 0, scene_sleeper(s, 5, 0), WF_SYNC).cpu, 0);
}

static void a_bound_kthread_keeps_its_wakee_on_its_cpu(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);
	struct task *kthread = scene_runner(s, 0, 0);
	struct task *t = scene_sleeper(s, 0, 0);

	scene_idle(s, 1);
	kthread->per_cpu_kthread = true;
	assert_went(scene_wake(s, 0, t, 0), 0, "select_idle_sibling",
		    "woken by a kthread bound to prev: prev");
	assert_int_equal(select_task_rq_fair(m, t, 0, 0, WF_TTWU, false), 1);
	assert_int_equal(scene_wake(s, 0, scene_sleeper(s, 2, 0), WF_SYNC).cpu, 1);
	scene_queue(s, 0, 1, false);
	assert_int_equal(scene_wake(s, 0, t, 0).cpu, 1);
}

/* Wakes at 0 a task that ran on @recent before. */
static struct wakeup wake_with_recent(wake_scene *s, int recent)
{
	struct task *t = scene_sleeper(s, 0, 0);

	t->recent_used_cpu = recent;
	return scene_wake(s, 0, t, 0);
}

static void the_cpu_used_before_prev_is_taken_before_a_search(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 1);
	scene_idle(s, 2);
	assert_went(wake_with_recent(s, 2), 2, "select_idle_sibling",
		    "the CPU used before prev is idle");
	assert_went(wake_with_recent(s, 3), 1, "select_idle_cpu",
		    "first idle CPU of the search");
}

static void the_cpu_used_before_prev_must_share_the_targets_cache(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 1);
	scene_idle(s, 5);
	assert_int_equal(wake_with_recent(s, 5).cpu, 1);
}

static void the_cpu_used_before_prev_must_be_allowed(void **state)
{
	wake_scene *s = *state;
	struct task *t = scene_sleeper(s, 0, 0);

	scene_idle(s, 1);
	scene_idle(s, 2);
	t->recent_used_cpu = 2;
	cpumask_clear(&t->cpus_mask, 2);
	assert_int_equal(scene_wake(s, 0, t, 0).cpu, 1);
}

static void kernel_6_1_0_asks_whether_prev_is_allowed_instead(void **state)
{
	wake_scene *s = *state;
	struct task *t = scene_sleeper(s, 0, 0);

	scene_machine(s)->profile = kernel_profile_find("6.1.0");
	scene_idle(s, 1);
	scene_idle(s, 2);
	t->recent_used_cpu = 2;
	cpumask_clear(&t->cpus_mask, 2);
	assert_int_equal(scene_wake(s, 0, t, 0).cpu, 2);
	t->recent_used_cpu = 2;
	t->cpus_mask = cpumask_of(1);
	assert_int_equal(scene_wake(s, 0, t, 0).cpu, 1);
}

static void prev_is_remembered_once_the_likely_cpus_were_busy(void **state)
{
	wake_scene *s = *state;
	struct task *t = scene_sleeper(s, 0, 0);

	t->recent_used_cpu = 5;
	scene_wake(s, 0, t, 0);
	assert_int_equal(t->recent_used_cpu, 0);
	t->recent_used_cpu = 5;
	scene_idle(s, 0);
	scene_wake(s, 0, t, 0);
	assert_int_equal(t->recent_used_cpu, 5);
}

static void a_cpu_without_a_shared_cache_is_not_searched_around(void **state)
{
	wake_scene *alone = wake_scene_new("1n2l1c1t");

	scene_runner(alone, 0, 0);
	assert_went(wake_at(alone, 0), 0, "select_idle_sibling",
		    "the target shares no cache: target");
	wake_scene_free(alone);
}

/* The search */

static void the_search_begins_beside_the_target_and_wraps(void **state)
{
	wake_scene *s = *state;
	struct wakeup w;

	scene_idle(s, 2);
	scene_idle(s, 6);
	w = wake_at(s, 4);
	assert_int_equal(w.cpu, 6);
	assert_int_equal(w.probes, 2);
	w = wake_at(s, 7);
	assert_int_equal(w.cpu, 2);
	assert_int_equal(w.probes, 3);
	assert_true(w.searched);
	assert_true(w.search_hit);
}

static void the_search_looks_at_allowed_cpus_only(void **state)
{
	wake_scene *s = *state;
	struct task *t = scene_sleeper(s, 0, 0);
	struct wakeup w;

	scene_idle(s, 1);
	scene_idle(s, 5);
	cpumask_clear(&t->cpus_mask, 1);
	cpumask_clear(&t->cpus_mask, 2);
	w = scene_wake(s, 0, t, 0);
	assert_int_equal(w.cpu, 5);
	assert_int_equal(w.probes, 3);
}

static void the_search_keeps_to_the_targets_cache(void **state)
{
	wake_scene *s = *state;
	struct wakeup w;

	scene_idle(s, 1);
	w = wake_at(s, 5);
	assert_went(w, 5, "select_idle_cpu", "no idle CPU found: target");
	assert_int_equal(w.probes, 4);
	assert_false(w.search_hit);
}

static void sis_util_bounds_the_search_at_nr_idle_scan(void **state)
{
	wake_scene *s = *state;
	struct wakeup w;

	scene_idle(s, 3);
	scene_nr_idle_scan(s, 3);
	assert_int_equal(wake_at(s, 0).cpu, 3);
	scene_nr_idle_scan(s, 2);
	w = wake_at(s, 0);
	assert_went(w, 0, "select_idle_cpu",
		    "no idle CPU found within the bound: target");
	assert_int_equal(w.probes, 2);
	scene_policy(s, "baseline:NO_SIS_UTIL");
	assert_int_equal(wake_at(s, 0).cpu, 3);
}

static void an_llc_never_balanced_is_not_searched(void **state)
{
	wake_scene *s = *state;
	struct wakeup w;

	scene_idle(s, 1);
	scene_nr_idle_scan(s, 0);
	w = wake_at(s, 0);
	assert_went(w, 0, "select_idle_cpu", "the LLC is too busy to search: target");
	assert_true(w.searched);
	assert_int_equal(w.probes, 0);
}

static void a_fixed_bound_goes_for_every_llc(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 3);
	scene_nr_idle_scan(s, 0);
	scene_machine(s)->nr_idle_scan_fixed = 3;
	assert_int_equal(wake_at(s, 0).cpu, 3);
	scene_machine(s)->nr_idle_scan_fixed = 2;
	assert_int_equal(wake_at(s, 0).cpu, 0);
}

static void the_search_takes_a_cpu_with_only_idle_policy_tasks(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 2);
	scene_queue(s, 2, 1, true);
	scene_idle(s, 3);
	assert_int_equal(wake_at(s, 0).cpu, 2);
}

/* SIS_PROP */

static void sis_prop_looks_at_as_many_cpus_as_fit_into_the_idle_time(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);
	struct rq *rq = cpu_rq(m, 0);

	scene_policy(s, "baseline:SIS_PROP,NO_SIS_UTIL");
	rq->wake_stamp = m->jiffies;
	rq->sd_llc->avg_scan_cost = 99;
	scene_idle(s, 6);
	/* 8 CPUs * 87 ns / 100 = 6 (6.96), and one less is tested */
	rq->wake_avg_idle = 87;
	assert_int_equal(wake_at(s, 0).probes, 5);
	/* 8 * 88 / 100 = 7 (7.04) */
	rq->wake_avg_idle = 88;
	assert_int_equal(wake_at(s, 0).cpu, 6);
}

static void sis_prop_tests_at_least_three_cpus(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);
	struct rq *rq = cpu_rq(m, 0);

	scene_policy(s, "baseline:SIS_PROP,NO_SIS_UTIL");
	rq->wake_stamp = m->jiffies;
	rq->sd_llc->avg_scan_cost = 99;
	rq->wake_avg_idle = 0;
	assert_int_equal(wake_at(s, 0).probes, 3);
}

static void sis_prop_forgets_half_of_the_idle_time_each_jiffy(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);
	struct rq *rq = cpu_rq(m, 0);

	scene_policy(s, "baseline:SIS_PROP,NO_SIS_UTIL");
	rq->wake_stamp = m->jiffies - 3;
	rq->wake_avg_idle = 8001;
	wake_at(s, 0);
	assert_int_equal(rq->wake_avg_idle, 1000);
	assert_int_equal(rq->wake_stamp, m->jiffies);
}

static void sis_prop_learns_what_a_finished_search_cost(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);
	struct rq *rq = cpu_rq(m, 0);

	scene_policy(s, "baseline:SIS_PROP,NO_SIS_UTIL");
	rq->wake_stamp = m->jiffies;
	rq->wake_avg_idle = 1000000;
	m->costs.idle_probe_ns = 50;
	scene_idle(s, 4);
	/* 4 CPUs looked at: 200 ns, of which an eighth goes into the average. */
	wake_at(s, 0);
	assert_int_equal(rq->sd_llc->avg_scan_cost, 25);
	assert_int_equal(rq->wake_avg_idle, 999800);
	/* Cut short after 3: nothing is learnt. */
	rq->wake_avg_idle = 0;
	wake_at(s, 0);
	assert_int_equal(rq->sd_llc->avg_scan_cost, 25);
}

static void sis_prop_has_no_part_in_the_search_for_a_core(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);
	struct rq *rq = cpu_rq(m, 0);

	scene_policy(s, "baseline:SIS_PROP,NO_SIS_UTIL");
	scene_idle_cores(s, 0, true);
	rq->wake_stamp = m->jiffies - 3;
	rq->wake_avg_idle = 8000;
	wake_at(s, 0);
	assert_int_equal(rq->wake_avg_idle, 8000);
}

/* Cores */

static void an_idle_sibling_of_prev_is_taken_when_no_core_is_idle(void **state)
{
	wake_scene *s = *state;
	struct wakeup w;

	scene_idle(s, 2);
	scene_idle(s, 5);
	w = wake_at(s, 1);
	assert_went(w, 5, "select_idle_smt", "prev's sibling is idle");
	assert_false(w.searched);
}

static void the_sibling_is_prevs_and_not_the_targets(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 5);
	scene_idle(s, 7);
	/* sync: the target is CPU 3 */
	assert_int_equal(scene_wake(s, 3, scene_sleeper(s, 1, 0), WF_SYNC).cpu, 5);
}

static void a_sibling_with_only_idle_policy_tasks_is_taken(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 2);
	scene_idle(s, 5);
	scene_queue(s, 5, 1, true);
	assert_int_equal(wake_at(s, 1).cpu, 5);
}

static void prev_of_another_cache_has_its_sibling_left_alone(void **state)
{
	/* 0 4 and 1 5 share a cache, 2 6 and 3 7 another. */
	wake_scene *s = wake_scene_new("1n2l2c2t");

	scene_occupy(s, "0-5,7");
	scene_machine(s)->profile = kernel_profile_find("6.1.0");
	assert_false(share_cache(scene_machine(s), 0, 6));
	assert_int_equal(scene_wake(s, 0, scene_sleeper(s, 2, 0), WF_SYNC).cpu, 0);
	wake_scene_free(s);
}

static void the_sibling_must_be_allowed(void **state)
{
	wake_scene *s = *state;
	struct task *t = scene_sleeper(s, 1, 0);

	scene_idle(s, 2);
	scene_idle(s, 5);
	cpumask_clear(&t->cpus_mask, 5);
	assert_went(scene_wake(s, 1, t, 0), 2, "select_idle_cpu",
		    "first idle CPU of the search");
}

static void the_sibling_must_be_in_the_llc_since_a_backport(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);

	scene_idle(s, 2);
	scene_idle(s, 5);
	cpumask_clear(&cpu_rq(m, 1)->sd_llc->span, 5);
	assert_int_equal(wake_at(s, 1).cpu, 2);
	m->profile = kernel_profile_find("6.1.0");
	assert_int_equal(wake_at(s, 1).cpu, 5);
}

static void an_idle_core_is_preferred_to_an_idle_cpu(void **state)
{
	wake_scene *s = *state;
	struct wakeup w;

	/* 4 and 1 are idle and their siblings are not; 3 and 7 are a core. */
	scene_idle(s, 4);
	scene_idle(s, 1);
	scene_idle(s, 3);
	scene_idle(s, 7);
	scene_idle_cores(s, 0, true);
	w = wake_at(s, 0);
	assert_went(w, 3, "select_idle_core", "a whole core is idle");
	assert_true(w.search_hit);
}

static void of_an_idle_core_the_cpu_met_first_is_taken(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 2);
	scene_idle(s, 6);
	scene_idle_cores(s, 0, true);
	assert_int_equal(wake_at(s, 4).cpu, 6);
}

static void the_bound_does_not_hold_for_cores(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 3);
	scene_idle(s, 7);
	scene_idle_cores(s, 0, true);
	scene_nr_idle_scan(s, 1);
	assert_int_equal(wake_at(s, 0).cpu, 3);
	scene_nr_idle_scan(s, 0);
	assert_int_equal(wake_at(s, 0).cpu, 0);
}

static void without_an_idle_core_the_first_idle_cpu_will_do(void **state)
{
	wake_scene *s = *state;
	const struct sched_domain_shared *llc =
		cpu_rq(scene_machine(s), 0)->sd_llc_shared;
	struct wakeup w;

	scene_idle(s, 2);
	scene_idle(s, 7);
	scene_idle_cores(s, 0, true);
	w = wake_at(s, 4);
	/* 5 and 1 are busy; of 2 6 the first is idle; 3 7 is no idle core either. */
	assert_went(w, 2, "select_idle_core",
		    "no idle core to take: the first idle CPU seen");
	assert_true(w.search_hit);
	assert_false(llc->has_idle_cores);
}

static void a_failed_search_for_cores_is_not_repeated(void **state)
{
	wake_scene *s = *state;
	struct wakeup w;

	scene_idle_cores(s, 0, true);
	w = wake_at(s, 0);
	assert_went(w, 0, "select_idle_core", "no idle CPU found: target");
	/* Both CPUs of each of the four cores. */
	assert_int_equal(w.probes, 8);
	assert_false(cpu_rq(scene_machine(s), 0)->sd_llc_shared->has_idle_cores);
}

static void a_core_search_may_end_at_a_cpu_with_only_idle_policy_tasks(void **state)
{
	wake_scene *s = *state;

	scene_idle(s, 5);
	scene_queue(s, 5, 1, true);
	scene_idle(s, 3);
	scene_idle_cores(s, 0, true);
	assert_int_equal(wake_at(s, 0).cpu, 5);
}

static void a_core_search_takes_only_an_allowed_idle_cpu(void **state)
{
	wake_scene *s = *state;
	struct task *t = scene_sleeper(s, 0, 0);

	/* Core 2 6 comes first, but its idle CPU is not allowed. */
	scene_idle(s, 6);
	scene_idle(s, 7);
	cpumask_clear(&t->cpus_mask, 1);
	cpumask_clear(&t->cpus_mask, 6);
	scene_idle_cores(s, 0, true);
	assert_int_equal(scene_wake(s, 0, t, 0).cpu, 7);
}

static void the_idle_cpu_of_a_core_must_be_in_the_llc_since_a_backport(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);

	scene_idle(s, 5);
	cpumask_clear(&cpu_rq(m, 0)->sd_llc->span, 5);
	scene_idle_cores(s, 0, true);
	assert_int_equal(wake_at(s, 0).cpu, 0);
	m->profile = kernel_profile_find("6.1.0");
	scene_idle_cores(s, 0, true);
	assert_int_equal(wake_at(s, 0).cpu, 5);
}

static void a_cpu_going_idle_tells_when_its_core_is_idle(void **state)
{
	wake_scene *s = *state;
	struct rq *rq = cpu_rq(scene_machine(s), 1);

	update_idle_core(rq);
	assert_false(rq->sd_llc_shared->has_idle_cores);
	scene_idle(s, 5);
	update_idle_core(rq);
	assert_true(rq->sd_llc_shared->has_idle_cores);
}

static void without_smt_there_are_no_idle_cores(void **state)
{
	wake_scene *s = *state;
	struct rq *rq = cpu_rq(scene_machine(s), 1);

	scene_idle(s, 1);
	update_idle_core(rq);
	assert_false(rq->sd_llc_shared->has_idle_cores);
	scene_idle_cores(s, 0, true);
	assert_string_equal(wake_at(s, 0).stage, "select_idle_cpu");
	assert_true(rq->sd_llc_shared->has_idle_cores);
}

/* A policy that refuses idle CPUs. */

static bool refuses_odd(const struct wakeup *w, int cpu)
{
	return cpu % 2 == 0;
}

static struct wakeup_policy even_policy(void)
{
	struct wakeup_policy policy = {.may_take_idle = refuses_odd};

	return wakeup_policy_complete(&policy);
}

static void a_refused_idle_cpu_is_passed_over(void **state)
{
	wake_scene *s = *state;
	struct wakeup_policy policy = even_policy();

	scene_machine(s)->policy = &policy;
	scene_idle(s, 3);
	scene_idle(s, 4);
	assert_int_equal(wake_at(s, 0).cpu, 4);
}

static void the_first_refused_cpu_is_taken_when_there_is_no_other(void **state)
{
	wake_scene *s = *state;
	struct wakeup_policy policy = even_policy();

	scene_machine(s)->policy = &policy;
	scene_idle(s, 3);
	scene_idle(s, 5);
	assert_went(wake_at(s, 0), 3, "select_idle_cpu",
		    "the policy wants none of the idle CPUs: the first");
}

static void past_the_bound_no_refused_cpu_is_taken(void **state)
{
	wake_scene *s = *state;
	struct wakeup_policy policy = even_policy();

	scene_machine(s)->policy = &policy;
	scene_idle(s, 3);
	scene_nr_idle_scan(s, 4);
	assert_int_equal(wake_at(s, 0).cpu, 0);
}

static void a_refused_core_is_passed_over_but_its_sibling_is_not(void **state)
{
	wake_scene *s = *state;
	struct wakeup_policy policy = even_policy();

	scene_machine(s)->policy = &policy;
	scene_idle(s, 1);
	scene_idle(s, 5);
	scene_idle(s, 2);
	scene_idle(s, 6);
	scene_idle_cores(s, 0, true);
	assert_int_equal(wake_at(s, 0).cpu, 2);
	scene_occupy(s, "2,6");
	assert_int_equal(wake_at(s, 0).cpu, 1);
	assert_false(cpu_rq(scene_machine(s), 0)->sd_llc_shared->has_idle_cores);
}

#define T(test, setup) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(an_idle_target_is_taken, eight),
		T(a_target_with_only_idle_policy_tasks_is_taken, eight),
		T(a_pending_wakeup_makes_a_cpu_busy, eight),
		T(an_idle_prev_is_taken_if_it_shares_the_targets_cache, two_caches),
		T(a_bound_kthread_keeps_its_wakee_on_its_cpu, eight),
		T(the_cpu_used_before_prev_is_taken_before_a_search, eight),
		T(the_cpu_used_before_prev_must_share_the_targets_cache, two_caches),
		T(the_cpu_used_before_prev_must_be_allowed, eight),
		T(kernel_6_1_0_asks_whether_prev_is_allowed_instead, eight),
		T(prev_is_remembered_once_the_likely_cpus_were_busy, eight),
		T(a_cpu_without_a_shared_cache_is_not_searched_around, eight),
		T(the_search_begins_beside_the_target_and_wraps, eight),
		T(the_search_looks_at_allowed_cpus_only, eight),
		T(the_search_keeps_to_the_targets_cache, two_caches),
		T(sis_util_bounds_the_search_at_nr_idle_scan, eight),
		T(an_llc_never_balanced_is_not_searched, eight),
		T(a_fixed_bound_goes_for_every_llc, eight),
		T(the_search_takes_a_cpu_with_only_idle_policy_tasks, eight),
		T(sis_prop_looks_at_as_many_cpus_as_fit_into_the_idle_time, eight),
		T(sis_prop_tests_at_least_three_cpus, eight),
		T(sis_prop_forgets_half_of_the_idle_time_each_jiffy, eight),
		T(sis_prop_learns_what_a_finished_search_cost, eight),
		T(sis_prop_has_no_part_in_the_search_for_a_core, four_cores),
		T(an_idle_sibling_of_prev_is_taken_when_no_core_is_idle, four_cores),
		T(the_sibling_is_prevs_and_not_the_targets, four_cores),
		T(a_sibling_with_only_idle_policy_tasks_is_taken, four_cores),
		cmocka_unit_test(prev_of_another_cache_has_its_sibling_left_alone),
		T(the_sibling_must_be_allowed, four_cores),
		T(the_sibling_must_be_in_the_llc_since_a_backport, four_cores),
		T(an_idle_core_is_preferred_to_an_idle_cpu, four_cores),
		T(of_an_idle_core_the_cpu_met_first_is_taken, four_cores),
		T(the_bound_does_not_hold_for_cores, four_cores),
		T(without_an_idle_core_the_first_idle_cpu_will_do, four_cores),
		T(a_failed_search_for_cores_is_not_repeated, four_cores),
		T(a_core_search_may_end_at_a_cpu_with_only_idle_policy_tasks,
		  four_cores),
		T(a_core_search_takes_only_an_allowed_idle_cpu, four_cores),
		T(the_idle_cpu_of_a_core_must_be_in_the_llc_since_a_backport,
		  four_cores),
		T(a_cpu_going_idle_tells_when_its_core_is_idle, four_cores),
		T(without_smt_there_are_no_idle_cores, eight),
		T(a_refused_idle_cpu_is_passed_over, eight),
		T(the_first_refused_cpu_is_taken_when_there_is_no_other, eight),
		T(past_the_bound_no_refused_cpu_is_taken, eight),
		T(a_refused_core_is_passed_over_but_its_sibling_is_not, four_cores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
