/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks leave the source, in what order, and what becomes of the others.
 *
 * Tasks A, B, C, ... start on the source in this order; A runs.  The source's list
 * is then, from its head, ..., C, B, A: A is looked at first and refused.
 */
#include "balance_scene.h"
#include "sched/clock.h"
#include "sched/profile.h"
#include "sched/task_group.h"
#include "schedsim/wakeup.h"
#include "test.h"

typedef struct pull pull;

struct pull {
	lb_scene *s; /* owned */
	struct task *t[8];
	struct lb_env env;
};

/* From CPU @src, which holds @nr tasks, to CPU @dst, over a domain of @level. */
static struct pull *pull_over(const char *topology, int level, int src, int dst, int nr)
{
	struct pull *p = g_new0(struct pull, 1);

	p->s = lb_scene_new(topology);
	for (int i = 0; i < nr; i++)
		p->t[i] = lb_scene_task(p->s, src);
	p->env = lb_scene_env(p->s, dst, level, CPU_IDLE);
	p->env.src_rq = cpu_rq(p->s->m, src);
	p->env.src_cpu = src;
	p->env.loop_max = (unsigned)nr;
	p->env.flags = LBF_ALL_PINNED;
	p->env.migration_type = MIGRATE_TASK;
	p->env.imbalance = 1;
	p->env.new_dst_cpu = -1;
	list_init(&p->env.tasks);
	return p;
}

static struct pull *pull_of(int nr)
{
	return pull_over("smp4", 0, 0, 1, nr);
}

static void pull_free(struct pull *p)
{
	/* What was detached needs a queue, so that the machine ends whole. */
	attach_tasks(&p->env);
	lb_scene_free(p->s);
	g_free(p);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(pull, pull_free)

/* The list's tasks from its head, as letters. */
static void assert_list(struct pull *p, const struct list *head, const char *letters)
{
	g_autoptr(GString) got = g_string_new(NULL);

	for (struct list *at = head->next; at != head; at = at->next)
		for (int i = 0; i < 8 && p->t[i]; i++)
			if (&p->t[i]->se.group_node == at)
				g_string_append_c(got, (char)('A' + i));
	assert_string_equal(got->str, letters);
}

static void assert_left(struct pull *p, const char *letters)
{
	assert_list(p, &p->env.src_rq->cfs_tasks, letters);
}

static void longest_not_run_leaves_first(void **state)
{
	g_autoptr(pull) p = pull_of(4);

	assert_left(p, "DCBA");
	p->env.imbalance = 2;
	assert_int_equal(detach_tasks(&p->env), 2);
	assert_list(p, &p->env.tasks, "CB");
	assert_left(p, "AD");
	assert_int_equal(p->env.imbalance, 0);
	assert_int_equal(p->env.flags, 0);
	assert_int_equal(p->t[1]->cpu, 1);
	assert_int_equal(p->t[1]->on_rq, TASK_ON_RQ_MIGRATING);
	assert_int_equal(p->env.src_rq->nr_running, 2);
}

static void last_detached_is_attached_first(void **state)
{
	g_autoptr(pull) p = pull_of(4);
	struct rq *dst = p->env.dst_rq;

	p->env.imbalance = 2;
	detach_tasks(&p->env);
	machine_set_time(p->s->m, p->s->m->now_ns + 100);
	attach_tasks(&p->env);
	assert_true(list_empty(&p->env.tasks));
	assert_list(p, &dst->cfs_tasks, "BC");
	assert_int_equal(dst->clock, p->s->m->now_ns);
	assert_int_equal(dst->nr_running, 2);
	assert_int_equal(p->t[1]->on_rq, TASK_ON_RQ_QUEUED);
	assert_true(dst->need_resched);
}

static void detached_load_leaves_the_source(void **state)
{
	g_autoptr(pull) p = pull_of(3);

	assert_int_equal(p->env.src_rq->cfs.avg.load_avg, 3 * 1024);
	detach_tasks(&p->env);
	assert_int_equal(p->env.src_rq->cfs.avg.load_avg, 2 * 1024);
	attach_tasks(&p->env);
	assert_int_equal(p->env.dst_rq->cfs.avg.load_avg, 1024);
}

/* B's group ran out of time on one of the two CPUs, so that C goes in its place. */
static void assert_throttled_pair_is_refused(int throttled_cpu)
{
	g_autoptr(pull) p = pull_of(3);
	struct task_group *tg = task_group_new(p->s->m, NULL);

	p->t[1]->sched_task_group = tg;
	tg->cfs_rq[throttled_cpu]->throttle_count = 1;
	p->s->m->nr_cfs_limits = 1;
	assert_int_equal(detach_tasks(&p->env), 1);
	assert_list(p, &p->env.tasks, "C");
	p->t[1]->sched_task_group = &p->s->m->root_tg;
}

static void throttled_groups_tasks_stay(void **state)
{
	assert_throttled_pair_is_refused(0);
	assert_throttled_pair_is_refused(1);
}

static void idle_cpu_leaves_the_source_a_task(void **state)
{
	g_autoptr(pull) idle = pull_of(2);
	g_autoptr(pull) busy = pull_of(2);

	idle->env.imbalance = busy->env.imbalance = 5;
	busy->env.idle = CPU_NOT_IDLE;
	assert_int_equal(detach_tasks(&idle->env), 1);
	assert_int_equal(idle->env.loop, 2);
	assert_int_equal(detach_tasks(&busy->env), 1);
	assert_int_equal(busy->env.loop, 3);
}

static void lone_task_is_not_even_looked_at(void **state)
{
	g_autoptr(pull) p = pull_of(1);

	assert_int_equal(detach_tasks(&p->env), 0);
	assert_int_equal(p->env.flags, 0);
	assert_int_equal(p->env.loop, 0);
}

static void nothing_leaves_without_imbalance(void **state)
{
	g_autoptr(pull) p = pull_of(3);

	p->env.imbalance = 0;
	assert_int_equal(detach_tasks(&p->env), 0);
	assert_left(p, "CBA");
}

static void no_more_tasks_than_loop_max_are_looked_at(void **state)
{
	g_autoptr(pull) p = pull_of(4);

	p->env.imbalance = 5;
	p->env.loop_max = 2;
	assert_int_equal(detach_tasks(&p->env), 1);
	assert_list(p, &p->env.tasks, "B");
	assert_int_equal(p->env.flags, 0);
}

/* Of four tasks, the last that is looked at may move; two may be looked at. */
static unsigned detached_behind_pinned(const char *kernel)
{
	g_autoptr(pull) p = pull_of(4);

	p->s->m->profile = kernel_profile_find(kernel);
	for (int i = 0; i < 3; i++)
		p->t[i]->cpus_mask = cpumask_of(0);
	p->env.loop_max = 2;
	return detach_tasks(&p->env);
}

static void pinned_tasks_end_the_search_at_loop_max_since_a_backport(void **state)
{
	assert_int_equal(detached_behind_pinned("6.1-lts"), 0);
	assert_int_equal(detached_behind_pinned("6.1.0"), 1);
}

static void a_break_is_asked_for_and_work_goes_on_after_it(void **state)
{
	g_autoptr(pull) p = pull_of(4);

	p->env.imbalance = 5;
	p->env.loop_max = 10;
	p->env.loop_break = 2;
	assert_int_equal(detach_tasks(&p->env), 1);
	assert_int_equal(p->env.flags, LBF_NEED_BREAK);
	assert_int_equal(p->env.loop_break, 34);
	assert_int_equal(detach_tasks(&p->env), 2);
	assert_int_equal(p->env.loop, 5);
}

static unsigned detached_by(enum preempt_model preempt, enum cpu_idle_type idle)
{
	g_autoptr(pull) p = pull_of(4);

	p->s->m->preempt = preempt;
	p->env.idle = idle;
	p->env.imbalance = 2;
	return detach_tasks(&p->env);
}

static void newly_idle_cpu_of_a_preemptible_kernel_takes_one(void **state)
{
	assert_int_equal(detached_by(PREEMPT_FULL, CPU_NEWLY_IDLE), 1);
	assert_int_equal(detached_by(PREEMPT_FULL, CPU_IDLE), 2);
	assert_int_equal(detached_by(PREEMPT_VOLUNTARY, CPU_NEWLY_IDLE), 2);
}

/* How much.  Three new tasks: task_h_load() is 1024 * 3072 / 3073 = 1023. */

static void load_beyond_the_imbalance_stays(void **state)
{
	g_autoptr(pull) p = pull_of(3);

	p->env.migration_type = MIGRATE_LOAD;
	p->env.imbalance = 1022;
	assert_int_equal(detach_tasks(&p->env), 0);
	assert_int_equal(p->env.imbalance, 1022);
	p->env.loop = 0;
	p->env.imbalance = 1023;
	assert_int_equal(detach_tasks(&p->env), 1);
	assert_int_equal(p->env.imbalance, 0);
}

static void each_failure_doubles_what_is_accepted(void **state)
{
	g_autoptr(pull) p = pull_of(3);

	p->env.migration_type = MIGRATE_LOAD;
	p->env.imbalance = 510;
	p->env.sd->nr_balance_failed = 1;
	assert_int_equal(detach_tasks(&p->env), 0);
	p->env.loop = 0;
	p->env.imbalance = 511;
	assert_int_equal(detach_tasks(&p->env), 1);
	assert_int_equal(p->env.imbalance, 511 - 1023);
}

static void failures_shift_by_63_at_most(void **state)
{
	g_autoptr(pull) p = pull_of(3);

	p->env.migration_type = MIGRATE_LOAD;
	p->env.sd->nr_balance_failed = 64;
	assert_int_equal(detach_tasks(&p->env), 1);
}

static void task_without_load_counts_as_one(void **state)
{
	g_autoptr(pull) p = pull_of(3);

	p->env.migration_type = MIGRATE_LOAD;
	p->env.imbalance = 2;
	p->t[1]->se.avg.load_avg = 0;
	p->t[2]->se.avg.load_avg = 0;
	assert_int_equal(detach_tasks(&p->env), 2);
	assert_int_equal(p->env.imbalance, 0);
}

/* 16 * 3072 / 3073 = 15; 17 * 3072 / 3073 = 16 */
static unsigned detached_with_lb_min(uint64_t load_avg, unsigned failed)
{
	g_autoptr(pull) p = pull_of(3);

	p->s->m->feat.LB_MIN = true;
	p->env.migration_type = MIGRATE_LOAD;
	p->env.imbalance = 100;
	p->env.sd->nr_balance_failed = failed;
	p->t[1]->se.avg.load_avg = load_avg;
	return detach_tasks(&p->env);
}

static void lb_min_leaves_tasks_of_little_load(void **state)
{
	assert_int_equal(detached_with_lb_min(16, 0), 0);
	assert_int_equal(detached_with_lb_min(17, 0), 1);
	assert_int_equal(detached_with_lb_min(16, 1), 1);
}

static void utilisation_is_the_estimated_one(void **state)
{
	g_autoptr(pull) p = pull_of(2);

	p->t[1]->se.avg.util_avg = 100;
	p->t[1]->se.avg.util_est.enqueued = 150 | UTIL_AVG_UNCHANGED;
	p->t[1]->se.avg.util_est.ewma = 120;
	p->env.migration_type = MIGRATE_UTIL;
	p->env.imbalance = 149;
	assert_int_equal(detach_tasks(&p->env), 0);
	p->env.loop = 0;
	p->env.imbalance = 155;
	assert_int_equal(detach_tasks(&p->env), 1);
	assert_int_equal(p->env.imbalance, 5);
}

/* Affinity */

static void kernel_thread_of_the_cpu_stays(void **state)
{
	g_autoptr(pull) p = pull_of(3);

	p->t[1]->per_cpu_kthread = true;
	detach_tasks(&p->env);
	assert_list(p, &p->env.tasks, "C");
}

static void pinned_tasks_are_remembered(void **state)
{
	g_autoptr(pull) p = pull_of(2);

	p->t[0]->cpus_mask = cpumask_of(0);
	p->t[1]->cpus_mask = cpumask_of(0);
	assert_int_equal(detach_tasks(&p->env), 0);
	assert_int_equal(p->env.flags, LBF_ALL_PINNED | LBF_SOME_PINNED);
	assert_left(p, "BA");
}

static void running_task_that_might_come_is_not_pinned(void **state)
{
	g_autoptr(pull) p = pull_of(2);

	p->t[1]->cpus_mask = cpumask_of(0);
	assert_int_equal(detach_tasks(&p->env), 0);
	assert_int_equal(p->env.flags, LBF_SOME_PINNED);
}

static struct cpumask two_cpus(int a, int b)
{
	struct cpumask mask = cpumask_of(a);

	cpumask_set(&mask, b);
	return mask;
}

static void first_pinned_task_names_another_destination(void **state)
{
	g_autoptr(pull) p = pull_over("llc2x4", 1, 4, 0, 3);

	p->t[1]->cpus_mask = two_cpus(4, 2);
	p->t[2]->cpus_mask = two_cpus(4, 1);
	assert_int_equal(detach_tasks(&p->env), 0);
	assert_int_equal(p->env.flags, LBF_SOME_PINNED | LBF_DST_PINNED);
	assert_int_equal(p->env.new_dst_cpu, 2);
}

static void other_destination_lies_in_the_group_and_the_set(void **state)
{
	g_autoptr(pull) p = pull_over("llc2x4", 1, 4, 0, 2);

	p->t[1]->cpus_mask = two_cpus(1, 3);
	cpumask_set(&p->t[1]->cpus_mask, 5);
	cpumask_clear(&p->env.cpus, 1);
	detach_tasks(&p->env);
	assert_int_equal(p->env.new_dst_cpu, 3);
}

static void newly_idle_cpu_looks_for_no_other_destination(void **state)
{
	g_autoptr(pull) p = pull_over("llc2x4", 1, 4, 0, 2);

	p->t[1]->cpus_mask = two_cpus(4, 2);
	p->env.idle = CPU_NEWLY_IDLE;
	detach_tasks(&p->env);
	assert_int_equal(p->env.flags, LBF_SOME_PINNED);
}

/* Cache heat: MC domains accept one failure (cache_nice_tries) before they ignore it.
 */

static unsigned detached_if_ran(uint64_t ago_ns, unsigned failed)
{
	g_autoptr(pull) p = pull_of(2);

	lb_scene_ran(p->s, p->t[1], ago_ns);
	p->env.sd->nr_balance_failed = failed;
	return detach_tasks(&p->env);
}

static void recently_run_task_stays_until_balancing_failed(void **state)
{
	assert_int_equal(detached_if_ran(499999, 0), 0);
	assert_int_equal(detached_if_ran(500000, 0), 1);
	assert_int_equal(detached_if_ran(499999, 1), 0);
	assert_int_equal(detached_if_ran(499999, 2), 1);
}

static void idle_policy_task_is_never_hot(void **state)
{
	g_autoptr(pull) p = pull_of(2);

	lb_scene_ran(p->s, p->t[1], 0);
	p->t[1]->policy = POLICY_IDLE;
	assert_int_equal(detach_tasks(&p->env), 1);
}

static void smt_siblings_share_the_cache(void **state)
{
	g_autoptr(pull) p = pull_over("smt8", 0, 0, 4, 2);

	lb_scene_ran(p->s, p->t[1], 0);
	assert_int_equal(detach_tasks(&p->env), 1);
}

static unsigned detached_as_buddy(bool next, unsigned dst_running, bool feature)
{
	g_autoptr(pull) p = pull_of(2);
	struct cfs_rq *cfs_rq = &p->env.src_rq->cfs;
	unsigned detached;

	*(next ? &cfs_rq->next : &cfs_rq->last) = &p->t[1]->se;
	p->s->m->feat.CACHE_HOT_BUDDY = feature;
	p->env.dst_rq->nr_running += dst_running;
	detached = detach_tasks(&p->env);
	p->env.dst_rq->nr_running -= dst_running;
	return detached;
}

static void buddies_are_hot_for_a_cpu_with_tasks(void **state)
{
	assert_int_equal(detached_as_buddy(true, 1, true), 0);
	assert_int_equal(detached_as_buddy(false, 1, true), 0);
	assert_int_equal(detached_as_buddy(true, 0, true), 1);
	assert_int_equal(detached_as_buddy(true, 1, false), 1);
}

static unsigned detached_at_cost(uint64_t migration_cost_ns, uint64_t ago_ns)
{
	g_autoptr(pull) p = pull_of(2);

	lb_scene_ran(p->s, p->t[1], ago_ns);
	p->s->m->tunables.migration_cost_ns = migration_cost_ns;
	return detach_tasks(&p->env);
}

static void migration_cost_bounds_heat(void **state)
{
	assert_int_equal(detached_at_cost(1000, 999), 0);
	assert_int_equal(detached_at_cost(1000, 1000), 1);
	assert_int_equal(detached_at_cost(0, (uint64_t)-1), 1);
	assert_int_equal(detached_at_cost(UINT32_MAX, 5000000000), 0);
}

static int always(const struct rq *src, const struct task *t)
{
	return 1;
}

static int never(const struct rq *src, const struct task *t)
{
	return 0;
}

static int no_opinion(const struct rq *src, const struct task *t)
{
	return -1;
}

static unsigned detached_under(int (*task_hot)(const struct rq *, const struct task *),
			       uint64_t ago_ns)
{
	const struct wakeup_policy policy = {.task_hot = task_hot};
	g_autoptr(pull) p = pull_of(2);
	const struct wakeup_policy *before = p->s->m->policy;
	unsigned detached;

	lb_scene_ran(p->s, p->t[1], ago_ns);
	p->s->m->policy = &policy;
	detached = detach_tasks(&p->env);
	p->s->m->policy = before;
	return detached;
}

static void policy_may_know_better_what_is_hot(void **state)
{
	assert_int_equal(detached_under(always, 900000), 0);
	assert_int_equal(detached_under(never, 0), 1);
	assert_int_equal(detached_under(no_opinion, 0), 0);
	assert_int_equal(detached_under(no_opinion, 900000), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(longest_not_run_leaves_first),
		cmocka_unit_test(last_detached_is_attached_first),
		cmocka_unit_test(detached_load_leaves_the_source),
		cmocka_unit_test(throttled_groups_tasks_stay),
		cmocka_unit_test(idle_cpu_leaves_the_source_a_task),
		cmocka_unit_test(lone_task_is_not_even_looked_at),
		cmocka_unit_test(nothing_leaves_without_imbalance),
		cmocka_unit_test(no_more_tasks_than_loop_max_are_looked_at),
		cmocka_unit_test(
			pinned_tasks_end_the_search_at_loop_max_since_a_backport),
		cmocka_unit_test(a_break_is_asked_for_and_work_goes_on_after_it),
		cmocka_unit_test(newly_idle_cpu_of_a_preemptible_kernel_takes_one),
		cmocka_unit_test(load_beyond_the_imbalance_stays),
		cmocka_unit_test(each_failure_doubles_what_is_accepted),
		cmocka_unit_test(failures_shift_by_63_at_most),
		cmocka_unit_test(task_without_load_counts_as_one),
		cmocka_unit_test(lb_min_leaves_tasks_of_little_load),
		cmocka_unit_test(utilisation_is_the_estimated_one),
		cmocka_unit_test(kernel_thread_of_the_cpu_stays),
		cmocka_unit_test(pinned_tasks_are_remembered),
		cmocka_unit_test(running_task_that_might_come_is_not_pinned),
		cmocka_unit_test(first_pinned_task_names_another_destination),
		cmocka_unit_test(other_destination_lies_in_the_group_and_the_set),
		cmocka_unit_test(newly_idle_cpu_looks_for_no_other_destination),
		cmocka_unit_test(recently_run_task_stays_until_balancing_failed),
		cmocka_unit_test(idle_policy_task_is_never_hot),
		cmocka_unit_test(smt_siblings_share_the_cache),
		cmocka_unit_test(buddies_are_hot_for_a_cpu_with_tasks),
		cmocka_unit_test(migration_cost_bounds_heat),
		cmocka_unit_test(policy_may_know_better_what_is_hot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
