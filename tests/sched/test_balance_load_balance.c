/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole balance of one domain: what moves, and what is learned from it.
 */
#include "balance_scene.h"
#include "sched/profile.h"
#include "test.h"

static unsigned balance(lb_scene *s, int cpu, int level, enum cpu_idle_type idle)
{
	bool continue_balancing = true;

	return load_balance(cpu_rq(s->m, cpu), lb_scene_domain(s, cpu, level), idle,
			    &continue_balancing);
}

static void scene_tasks(lb_scene *s, int cpu, int nr)
{
	while (nr--)
		lb_scene_task(s, cpu);
}

/* Nothing that runs or waits on @cpu may leave it. */
static void pin_all(lb_scene *s, int cpu)
{
	for (int i = 0; i < s->nr_tasks; i++)
		if (s->tasks[i].cpu == cpu)
			s->tasks[i].cpus_mask = cpumask_of(cpu);
}

static void half_of_the_difference_is_pulled(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 1, 0);

	scene_tasks(s, 0, 4);
	sd->balance_interval = 8;
	sd->nr_balance_failed = 1;
	assert_int_equal(balance(s, 1, 0, CPU_IDLE), 2);
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 2);
	assert_int_equal(cpu_rq(s->m, 1)->nr_running, 2);
	assert_int_equal(sd->balance_interval, sd->min_interval);
	assert_int_equal(sd->nr_balance_failed, 0);
}

/* 66 tasks: 33 are due, at most 32 are looked at and the first of them runs. */
static void one_balance_looks_at_nr_migrate_tasks(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");

	scene_tasks(s, 0, 66);
	assert_int_equal(balance(s, 1, 0, CPU_IDLE), 31);
}

/* With a larger nr_migrate the pull goes on after the break at 32. */
static void a_break_does_not_end_the_balance(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");

	s->m->tunables.nr_migrate = 64;
	scene_tasks(s, 0, 66);
	assert_int_equal(balance(s, 1, 0, CPU_IDLE), 33);
}

/* Of 40 tasks, @nr_free, the last that are looked at, may move. */
static unsigned moved_among_pinned(const char *kernel, int nr_free)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");

	s->m->profile = kernel_profile_find(kernel);
	scene_tasks(s, 0, 40);
	for (int i = 0; i < 40 - nr_free; i++)
		s->tasks[i].cpus_mask = cpumask_of(0);
	return balance(s, 1, 0, CPU_IDLE);
}

static void kernel_6_1_0_looks_past_pinned_tasks_to_the_last(void **state)
{
	assert_int_equal(moved_among_pinned("6.1-lts", 1), 0);
	assert_int_equal(moved_among_pinned("6.1.0", 1), 1);
	assert_int_equal(moved_among_pinned("6.1.0", 0), 0);
}

static void balance_doubles_the_interval_up_to_its_maximum(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 1, 0);

	sd->nr_balance_failed = 3;
	assert_int_equal(sd->balance_interval, 4);
	balance(s, 1, 0, CPU_IDLE);
	assert_int_equal(sd->balance_interval, 8);
	assert_int_equal(sd->nr_balance_failed, 0);
	balance(s, 1, 0, CPU_IDLE);
	assert_int_equal(sd->balance_interval, 8);
}

static void newly_idle_balance_keeps_the_interval(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");

	balance(s, 1, 0, CPU_NEWLY_IDLE);
	assert_int_equal(lb_scene_domain(s, 1, 0)->balance_interval, 4);
}

static void failure_counts_except_when_newly_idle(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 1, 0);

	scene_tasks(s, 0, 3);
	for (int i = 0; i < 3; i++)
		lb_scene_ran(s, &s->tasks[i], 0);
	sd->balance_interval = 8;
	assert_int_equal(balance(s, 1, 0, CPU_NEWLY_IDLE), 0);
	assert_int_equal(sd->nr_balance_failed, 0);
	assert_int_equal(balance(s, 1, 0, CPU_IDLE), 0);
	assert_int_equal(sd->nr_balance_failed, 1);
	assert_int_equal(sd->balance_interval, sd->min_interval);
}

static void pinned_tasks_double_the_interval_to_512(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 1, 0);

	scene_tasks(s, 0, 3);
	pin_all(s, 0);
	for (uint64_t interval = 8; interval <= 512; interval *= 2) {
		balance(s, 1, 0, CPU_IDLE);
		assert_int_equal(sd->balance_interval, interval);
	}
	balance(s, 1, 0, CPU_IDLE);
	assert_int_equal(sd->balance_interval, 512);
}

/* On two CPUs nothing is left to redo the search with. */
static void pinned_tasks_of_the_only_other_cpu_are_balance(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("1n1l2c1t");
	struct sched_domain *sd = lb_scene_domain(s, 1, 0);

	scene_tasks(s, 0, 3);
	pin_all(s, 0);
	sd->nr_balance_failed = 1;
	assert_int_equal(balance(s, 1, 0, CPU_IDLE), 0);
	assert_int_equal(sd->nr_balance_failed, 0);
	assert_int_equal(sd->balance_interval, 4);
	balance(s, 1, 0, CPU_IDLE);
	assert_int_equal(sd->balance_interval, 8);
}

static void cpu_of_pinned_tasks_is_passed_over_for_the_next(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");

	scene_tasks(s, 0, 4);
	pin_all(s, 0);
	scene_tasks(s, 2, 3);
	assert_int_equal(balance(s, 1, 0, CPU_IDLE), 1);
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 4);
	assert_int_equal(cpu_rq(s->m, 2)->nr_running, 2);
}

static void tasks_pinned_off_this_cpu_go_to_another_of_its_group(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct task *second;

	scene_tasks(s, 4, 3);
	for (int i = 1; i < 3; i++) {
		s->tasks[i].cpus_mask = cpumask_of(4);
		cpumask_set(&s->tasks[i].cpus_mask, 1);
	}
	second = &s->tasks[1];
	assert_int_equal(balance(s, 0, 1, CPU_IDLE), 1);
	assert_int_equal(second->cpu, 1);
	assert_int_equal(cpu_rq(s->m, 1)->nr_running, 1);
}

static void affinity_limit_marks_the_group_for_the_level_above(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct sched_group_capacity *sgc = lb_scene_domain(s, 1, 1)->groups->sgc;

	scene_tasks(s, 0, 3);
	s->tasks[1].cpus_mask = cpumask_of(0);
	s->tasks[2].cpus_mask = cpumask_of(0);
	balance(s, 1, 0, CPU_IDLE);
	assert_true(sgc->imbalance);
}

static void affinity_that_did_not_matter_leaves_no_mark(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	scene_tasks(s, 0, 5);
	s->tasks[1].cpus_mask = cpumask_of(0);
	assert_int_equal(balance(s, 1, 0, CPU_IDLE), 2);
	assert_false(lb_scene_domain(s, 1, 1)->groups->sgc->imbalance);
}

static void heat_leaves_no_mark(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	scene_tasks(s, 0, 3);
	for (int i = 0; i < 3; i++)
		lb_scene_ran(s, &s->tasks[i], 0);
	assert_int_equal(balance(s, 1, 0, CPU_IDLE), 0);
	assert_false(lb_scene_domain(s, 1, 1)->groups->sgc->imbalance);
}

static void balance_clears_the_mark_unless_all_are_pinned(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct sched_group_capacity *sgc = lb_scene_domain(s, 1, 1)->groups->sgc;

	sgc->imbalance = true;
	balance(s, 1, 0, CPU_IDLE);
	assert_false(sgc->imbalance);
	scene_tasks(s, 0, 3);
	pin_all(s, 0);
	balance(s, 1, 0, CPU_IDLE);
	assert_true(sgc->imbalance);
}

static void not_our_turn_ends_the_walk(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct sched_domain *sd = lb_scene_domain(s, 1, 1);
	bool continue_balancing = true;

	load_balance(cpu_rq(s->m, 0), lb_scene_domain(s, 0, 1), CPU_IDLE,
		     &continue_balancing);
	assert_true(continue_balancing);
	load_balance(cpu_rq(s->m, 1), sd, CPU_IDLE, &continue_balancing);
	assert_false(continue_balancing);
	assert_int_equal(sd->balance_interval, 16);
}

/*
 * Four CPUs run one task each and four are idle.  Only moving a running task would
 * help, which is wanted after cache_nice_tries + 2 = 3 failures.
 */
static void only_running_tasks(lb_scene *s)
{
	for (int cpu = 4; cpu < 8; cpu++)
		lb_scene_set_figures(s, cpu, 1, 1024, 100);
	lb_scene_domain(s, 0, 1)->nr_balance_failed = 3;
	lb_scene_domain(s, 0, 1)->balance_interval = 16;
}

static void wanted_running_task_resets_the_interval(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct sched_domain *sd = lb_scene_domain(s, 0, 1);

	only_running_tasks(s);
	assert_int_equal(balance(s, 0, 1, CPU_IDLE), 0);
	assert_int_equal(sd->nr_balance_failed, 4);
	assert_int_equal(sd->balance_interval, sd->min_interval);
	assert_true(cpu_rq(s->m, 4)->active_balance);
	assert_int_equal(cpu_rq(s->m, 4)->push_cpu, 0);
	assert_true(cpu_rq(s->m, 4)->need_resched);
}

static void pushing_can_be_turned_off(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	s->m->feat.LB_ACTIVE = false;
	only_running_tasks(s);
	assert_int_equal(balance(s, 0, 1, CPU_IDLE), 0);
	assert_false(cpu_rq(s->m, 4)->active_balance);
	assert_false(cpu_rq(s->m, 4)->need_resched);
}

static void
pinned_running_task_doubles_the_interval_and_keeps_the_failures(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct sched_domain *sd = lb_scene_domain(s, 0, 1);

	only_running_tasks(s);
	s->running[4].cpus_mask = cpumask_of(4);
	assert_int_equal(balance(s, 0, 1, CPU_IDLE), 0);
	assert_int_equal(sd->nr_balance_failed, 4);
	assert_int_equal(sd->balance_interval, 32);
}

static void three_failures_do_not_yet_want_the_running_task(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct sched_domain *sd = lb_scene_domain(s, 0, 1);

	only_running_tasks(s);
	sd->nr_balance_failed = 2;
	s->running[4].cpus_mask = cpumask_of(4);
	balance(s, 0, 1, CPU_IDLE);
	assert_int_equal(sd->nr_balance_failed, 3);
	assert_int_equal(sd->balance_interval, sd->min_interval);
}

/* 800 * 117 = 93600 < 1024 * 100: the idle CPU has clearly more to offer. */
static uint64_t interval_after_slowed_source(uint64_t dst_rt_util, unsigned failed)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 1, 0);

	lb_scene_set_figures(s, 0, 1, 500, 100);
	s->running[0].cpus_mask = cpumask_of(0);
	cpu_rq(s->m, 0)->cpu_capacity = 800;
	cpu_rq(s->m, 1)->avg_rt.util_avg = dst_rt_util;
	sd->nr_balance_failed = failed;
	balance(s, 1, 0, CPU_IDLE);
	return sd->balance_interval;
}

/* Pinned, so that being wanted shows as a doubled interval; 936 * 100 = 800 * 117. */
static void running_task_of_a_slowed_cpu_is_wanted_by_a_faster_one(void **state)
{
	assert_int_equal(interval_after_slowed_source(0, 0), 8);
	assert_int_equal(interval_after_slowed_source(1024 - 937, 0), 8);
	assert_int_equal(interval_after_slowed_source(1024 - 936, 0), 4);
}

/* What moves there is load, and only failures to move tasks count. */
static void failures_to_move_load_do_not_want_the_running_task(void **state)
{
	assert_int_equal(interval_after_slowed_source(1024 - 936, 9), 4);
}

static void small_cpu_is_not_a_slowed_one(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct sched_domain *sd = lb_scene_domain(s, 0, 1);

	only_running_tasks(s);
	sd->nr_balance_failed = 0;
	s->running[4].cpus_mask = cpumask_of(4);
	cpu_rq(s->m, 4)->cpu_capacity = 512;
	cpu_rq(s->m, 4)->cpu_capacity_orig = 512;
	balance(s, 0, 1, CPU_IDLE);
	assert_int_equal(sd->balance_interval, sd->min_interval);
}

struct seen {
	int nr;
	struct balance_event last;
};

static void on_load_balance(void *data, const struct machine *m,
			    const struct balance_event *ev)
{
	struct seen *seen = data;

	seen->nr++;
	seen->last = *ev;
}

static void every_balance_is_announced(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct seen seen = {0};
	struct observer observer = {.data = &seen, .load_balance = on_load_balance};

	s->m->observers = &observer;
	balance(s, 1, 0, CPU_IDLE);
	assert_int_equal(seen.nr, 1);
	assert_int_equal(seen.last.busiest_cpu, CPU_NONE);
	assert_int_equal(seen.last.nr_moved, 0);
	scene_tasks(s, 0, 4);
	balance(s, 1, 0, CPU_NEWLY_IDLE);
	assert_int_equal(seen.nr, 2);
	assert_int_equal(seen.last.cpu, 1);
	assert_int_equal(seen.last.idle, CPU_NEWLY_IDLE);
	assert_ptr_equal(seen.last.sd, lb_scene_domain(s, 1, 0));
	assert_int_equal(seen.last.busiest_cpu, 0);
	assert_int_equal(seen.last.nr_moved, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_of_the_difference_is_pulled),
		cmocka_unit_test(one_balance_looks_at_nr_migrate_tasks),
		cmocka_unit_test(a_break_does_not_end_the_balance),
		cmocka_unit_test(kernel_6_1_0_looks_past_pinned_tasks_to_the_last),
		cmocka_unit_test(balance_doubles_the_interval_up_to_its_maximum),
		cmocka_unit_test(newly_idle_balance_keeps_the_interval),
		cmocka_unit_test(failure_counts_except_when_newly_idle),
		cmocka_unit_test(pinned_tasks_double_the_interval_to_512),
		cmocka_unit_test(pinned_tasks_of_the_only_other_cpu_are_balance),
		cmocka_unit_test(cpu_of_pinned_tasks_is_passed_over_for_the_next),
		cmocka_unit_test(tasks_pinned_off_this_cpu_go_to_another_of_its_group),
		cmocka_unit_test(affinity_limit_marks_the_group_for_the_level_above),
		cmocka_unit_test(affinity_that_did_not_matter_leaves_no_mark),
		cmocka_unit_test(heat_leaves_no_mark),
		cmocka_unit_test(balance_clears_the_mark_unless_all_are_pinned),
		cmocka_unit_test(not_our_turn_ends_the_walk),
		cmocka_unit_test(wanted_running_task_resets_the_interval),
		cmocka_unit_test(pushing_can_be_turned_off),
		cmocka_unit_test(
			pinned_running_task_doubles_the_interval_and_keeps_the_failures),
		cmocka_unit_test(three_failures_do_not_yet_want_the_running_task),
		cmocka_unit_test(
			running_task_of_a_slowed_cpu_is_wanted_by_a_faster_one),
		cmocka_unit_test(failures_to_move_load_do_not_want_the_running_task),
		cmocka_unit_test(small_cpu_is_not_a_slowed_one),
		cmocka_unit_test(every_balance_is_announced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
