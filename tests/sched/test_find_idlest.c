/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched/profile.h"
#include "sched/select.h"
#include "test.h"
#include "wake_scene.h"

/* Two caches, 0-3 | 4-7, all busy with tasks of no load. */
static int two_caches(void **state)
{
	*state = wake_scene_new("1n2l4c1t");
	scene_occupy(*state, "0-7");
	return 0;
}

/* Two nodes, 0-3 | 4-7; only CPU 0 is busy. */
static int two_nodes(void **state)
{
	*state = wake_scene_new("2n1l4c1t");
	scene_occupy(*state, "0");
	return 0;
}

static int teardown(void **state)
{
	wake_scene_free(*state);
	return 0;
}

/* A child of what CPU 0 runs. */
static struct task *child_of(wake_scene *s)
{
	struct task *child = scene_sleeper(s, 0, 0);

	child->se.avg.last_update_time = 0;
	return child;
}

static int forked(wake_scene *s)
{
	return scene_place(s, 0, child_of(s), WF_FORK).cpu;
}

static void idle_since(wake_scene *s, int cpu, uint64_t idle_stamp)
{
	scene_idle(s, cpu);
	cpu_rq(scene_machine(s), cpu)->idle_stamp = idle_stamp;
}

/* The lowest domain of @cpu takes no part, so what the one above chose stands. */
static void leave_out_lowest(wake_scene *s, int cpu)
{
	cpu_rq(scene_machine(s), cpu)->sd->flags &= ~(uint32_t)SD_BALANCE_FORK;
}

/* @cpu is overloaded: two tasks that keep it busy, of @load together. */
static void overload(wake_scene *s, int cpu, uint64_t load)
{
	scene_queue(s, cpu, 1, false);
	scene_load(s, cpu, load);
	cpu_rq(scene_machine(s), cpu)->cfs.avg.util_avg = CAPACITY_ONE;
}

static void the_group_with_more_idle_cpus_wins(void **state)
{
	wake_scene *s = *state;

	idle_since(s, 1, 1);
	idle_since(s, 5, 1);
	assert_int_equal(forked(s), 1);
	idle_since(s, 7, 2);
	assert_int_equal(forked(s), 7);
}

static void with_equally_many_the_less_used_group_wins(void **state)
{
	wake_scene *s = wake_scene_new("1n3l2c1t");

	scene_occupy(s, "0,1");
	idle_since(s, 2, 1);
	scene_occupy(s, "3,5");
	idle_since(s, 4, 1);
	cpu_rq(scene_machine(s), 3)->cfs.avg.util_avg = 100;
	cpu_rq(scene_machine(s), 5)->cfs.avg.util_avg = 99;
	assert_int_equal(forked(s), 4);
	cpu_rq(scene_machine(s), 5)->cfs.avg.util_avg = 100;
	assert_int_equal(forked(s), 2);
	wake_scene_free(s);
}

static void the_cpu_that_went_idle_last_wins(void **state)
{
	wake_scene *s = *state;

	idle_since(s, 4, 5);
	idle_since(s, 5, 9);
	idle_since(s, 6, 9);
	assert_int_equal(forked(s), 5);
}

static void a_cpu_without_idle_stamp_counts_as_neither_idle_nor_loaded(void **state)
{
	wake_scene *s = *state;

	idle_since(s, 4, 0);
	idle_since(s, 5, 0);
	scene_load(s, 6, 10);
	scene_load(s, 7, 5);
	leave_out_lowest(s, 7);
	assert_int_equal(forked(s), 7);
	idle_since(s, 5, 1);
	leave_out_lowest(s, 5);
	assert_int_equal(forked(s), 5);
}

static void a_cpu_with_only_idle_policy_tasks_ends_the_search(void **state)
{
	wake_scene *s = *state;

	idle_since(s, 4, 9);
	scene_idle(s, 5);
	scene_queue(s, 5, 1, true);
	idle_since(s, 6, 9);
	leave_out_lowest(s, 5);
	assert_int_equal(forked(s), 5);
}

static void from_the_chosen_cpu_the_search_goes_on_below(void **state)
{
	wake_scene *s = *state;

	/* As above, but the lower domain sees that CPU 4 is idle and 5 is not. */
	idle_since(s, 4, 9);
	scene_idle(s, 5);
	scene_queue(s, 5, 1, true);
	assert_int_equal(forked(s), 4);
}

static void only_allowed_cpus_are_taken(void **state)
{
	wake_scene *s = *state;
	struct task *child = child_of(s);

	idle_since(s, 4, 9);
	idle_since(s, 6, 1);
	child->cpus_mask = cpumask_of(6);
	cpumask_set(&child->cpus_mask, 7);
	assert_int_equal(scene_place(s, 0, child, WF_FORK).cpu, 6);
}

static void cpus_not_allowed_count_for_nothing_since_a_backport(void **state)
{
	wake_scene *s = *state;
	struct task *child = child_of(s);

	/* One idle CPU it may use on either side, and one more there. */
	idle_since(s, 1, 1);
	idle_since(s, 5, 1);
	idle_since(s, 6, 1);
	child->cpus_mask = cpumask_of(1);
	cpumask_set(&child->cpus_mask, 6);
	assert_int_equal(scene_place(s, 0, child, WF_FORK).cpu, 1);
	scene_machine(s)->profile = kernel_profile_find("6.1.0");
	assert_int_equal(scene_place(s, 0, child, WF_FORK).cpu, 6);
}

static void a_task_not_allowed_here_goes_however_busy_it_is_there(void **state)
{
	wake_scene *s = *state;
	struct task *child = child_of(s);

	idle_since(s, 1, 1);
	scene_load(s, 6, 100);
	scene_load(s, 7, 99);
	child->cpus_mask = cpumask_of(6);
	cpumask_set(&child->cpus_mask, 7);
	assert_int_equal(scene_place(s, 0, child, WF_FORK).cpu, 7);
}

static void a_cpu_with_a_wakeup_on_its_way_is_not_idle(void **state)
{
	wake_scene *s = *state;

	idle_since(s, 1, 1);
	idle_since(s, 5, 1);
	idle_since(s, 6, 1);
	cpu_rq(scene_machine(s), 5)->ttwu_pending = true;
	assert_int_equal(forked(s), 1);
}

static void a_domain_without_an_allowed_cpu_leaves_the_task_at_prev(void **state)
{
	wake_scene *s = *state;
	struct task *child = scene_sleeper(s, 2, 0);
	struct wakeup w;

	idle_since(s, 6, 1);
	cpu_rq(scene_machine(s), 0)->sd->parent->flags &= ~(uint32_t)SD_BALANCE_FORK;
	child->cpus_mask = cpumask_of(6);
	w = scene_place(s, 0, child, WF_FORK);
	assert_int_equal(w.cpu, 2);
	assert_string_equal(w.reason, "no allowed CPU in the domain: prev");
}

static void full_groups_compare_load_with_a_margin_of_imbalance_pct(void **state)
{
	wake_scene *s = *state;

	/* 100 * 2048 against 117 * 1750 = 204750 and 117 * 1751 = 204867 */
	for (int cpu = 0; cpu < 8; cpu++)
		overload(s, cpu, cpu < 4 ? 2048 : 1750);
	assert_true(forked(s) >= 4);
	for (int cpu = 4; cpu < 8; cpu++)
		scene_load(s, cpu, 1751);
	assert_true(forked(s) < 4);
}

static void a_far_node_must_carry_less_load_by_a_sixth_of_a_task(void **state)
{
	wake_scene *s = *state;

	/* 1024 * 17 / 100 = 174 */
	for (int cpu = 0; cpu < 8; cpu++)
		overload(s, cpu, cpu < 4 ? 174 : 0);
	assert_true(forked(s) >= 4);
	cpu_rq(scene_machine(s), 0)->sd->parent->flags |= SD_NUMA;
	assert_true(forked(s) < 4);
	for (int cpu = 0; cpu < 4; cpu++)
		scene_load(s, cpu, 175);
	assert_true(forked(s) >= 4);
}

static void a_group_with_room_beats_a_full_one(void **state)
{
	wake_scene *s = *state;

	for (int cpu = 0; cpu < 4; cpu++)
		overload(s, cpu, 1);
	for (int cpu = 4; cpu < 8; cpu++)
		scene_load(s, cpu, 9999);
	assert_true(forked(s) >= 4);
}

static void a_node_nearly_idle_keeps_its_tasks(void **state)
{
	wake_scene *s = *state;
	struct sched_domain *numa = cpu_rq(scene_machine(s), 0)->sd->parent;

	/* One runs here and one more is 2; the far node has one idle CPU more. */
	for (int cpu = 1; cpu < 8; cpu++)
		idle_since(s, cpu, (uint64_t)cpu);
	numa->imb_numa_nr = 2;
	assert_int_equal(forked(s), 1);
	numa->imb_numa_nr = 1;
	assert_int_equal(forked(s), 7);
}

static void affinity_limits_how_many_tasks_a_node_keeps(void **state)
{
	wake_scene *s = *state;
	struct sched_domain *numa = cpu_rq(scene_machine(s), 0)->sd->parent;
	struct task *child = child_of(s);

	for (int cpu = 1; cpu < 8; cpu++)
		idle_since(s, cpu, (uint64_t)cpu);
	numa->imb_numa_nr = 2;
	/* One CPU here, so the bound is 1 and not 2; no idle CPU here, two there. */
	child->cpus_mask = cpumask_of(0);
	cpumask_set(&child->cpus_mask, 5);
	cpumask_set(&child->cpus_mask, 6);
	assert_int_equal(scene_place(s, 0, child, WF_FORK).cpu, 6);
	/* Two CPUs here: the bound is 2, and one idle CPU here against two. */
	cpumask_set(&child->cpus_mask, 1);
	assert_int_equal(scene_place(s, 0, child, WF_FORK).cpu, 1);
}

static void an_execing_task_does_not_count_itself(void **state)
{
	wake_scene *s = *state;
	struct task *t = cpu_rq(scene_machine(s), 0)->curr;

	for (int cpu = 1; cpu < 8; cpu++)
		idle_since(s, cpu, 1);
	assert_int_equal(scene_place(s, 0, t, WF_EXEC).cpu, 0);
	assert_true(forked(s) != 0);
}

static void a_small_numa_imbalance_stays_while_few_tasks_run(void **state)
{
	assert_int_equal(adjust_numa_imbalance(2, 4, 4), 0);
	assert_int_equal(adjust_numa_imbalance(3, 4, 4), 3);
	assert_int_equal(adjust_numa_imbalance(2, 5, 4), 2);
	assert_int_equal(adjust_numa_imbalance(-1, 0, 4), 0);
}

#define T(test, setup) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_group_with_more_idle_cpus_wins, two_caches),
		cmocka_unit_test(with_equally_many_the_less_used_group_wins),
		T(the_cpu_that_went_idle_last_wins, two_caches),
		T(a_cpu_without_idle_stamp_counts_as_neither_idle_nor_loaded,
		  two_caches),
		T(a_cpu_with_only_idle_policy_tasks_ends_the_search, two_caches),
		T(from_the_chosen_cpu_the_search_goes_on_below, two_caches),
		T(only_allowed_cpus_are_taken, two_caches),
		T(cpus_not_allowed_count_for_nothing_since_a_backport, two_caches),
		T(a_task_not_allowed_here_goes_however_busy_it_is_there, two_caches),
		T(a_cpu_with_a_wakeup_on_its_way_is_not_idle, two_caches),
		T(a_domain_without_an_allowed_cpu_leaves_the_task_at_prev, two_caches),
		T(full_groups_compare_load_with_a_margin_of_imbalance_pct, two_caches),
		T(a_far_node_must_carry_less_load_by_a_sixth_of_a_task, two_caches),
		T(a_group_with_room_beats_a_full_one, two_caches),
		T(a_node_nearly_idle_keeps_its_tasks, two_nodes),
		T(affinity_limits_how_many_tasks_a_node_keeps, two_nodes),
		T(an_execing_task_does_not_count_itself, two_nodes),
		cmocka_unit_test(a_small_numa_imbalance_stays_while_few_tasks_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
