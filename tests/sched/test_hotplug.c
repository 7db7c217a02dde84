/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that stop being used, and run queues that change their root domain: by hand from
 * balance_push(), select_fallback_rq() and rq_attach_root() of 6.1.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/core_internal.h"
#include "sched/cpuset_hooks.h"
#include "sched/deadline.h"
#include "sched/hotplug.h"
#include "sched/root_domain.h"

static struct cpumask cpus_of(const char *list)
{
	struct cpumask mask;

	assert_true(cpumask_parse_list(list, CPUS_MAX, &mask, NULL));
	return mask;
}

static struct task *fork_on(run_scene *s, const char *cpus)
{
	struct cpumask mask = cpus_of(cpus);

	return run_fork_on(s, cpumask_first(&mask), 0, POLICY_NORMAL, &mask);
}

static void go_off(run_scene *s, int cpu)
{
	set_cpu_active(s->m, cpu, false);
	sched_resched_all(s->m);
}

static void assert_idle(const run_scene *s, int cpu)
{
	assert_ptr_equal(cpu_rq(s->m, cpu)->curr, cpu_rq(s->m, cpu)->idle);
	assert_int_equal(cpu_rq(s->m, cpu)->nr_running, 0);
}

static void every_task_leaves_a_cpu_that_goes_off(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct task *tasks[3];

	for (int i = 0; i < 3; i++) {
		tasks[i] = run_fork(s, 3, 0);
		do_set_cpus_allowed(s->m, tasks[i], &(struct cpumask){{0xc}});
		assert_int_equal(tasks[i]->cpu, 3);
	}
	go_off(s, 3);
	assert_idle(s, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(tasks[i]->cpu, 2);
	assert_int_equal(cpu_rq(s->m, 2)->nr_running, 3);
	assert_int_equal(cpu_rq(s->m, 2)->cfs.h_nr_running, 3);
}

static void deadline_and_real_time_tasks_leave_too(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l2c1t");
	struct task *dl = fork_on(s, "0-1"), *fifo = fork_on(s, "0-1");
	const struct sched_attr deadline = {
		.sched_policy = POLICY_DEADLINE,
		.sched_runtime = 1000000,
		.sched_deadline = 10000000,
		.sched_period = 10000000,
	};
	const struct sched_attr real_time = {.sched_policy = POLICY_FIFO,
					     .sched_priority = 10};

	assert_int_equal(sched_setattr(s->m, dl, &deadline, 0), 0);
	assert_int_equal(sched_setattr(s->m, fifo, &real_time, 0), 0);
	sched_resched_all(s->m);
	go_off(s, 0);
	assert_idle(s, 0);
	assert_int_equal(dl->cpu, 1);
	assert_int_equal(fifo->cpu, 1);
	assert_true(runs_on(s, dl, 1));
	go_off(s, 0);
	/* Nothing is pushed to a CPU that is off. */
	assert_false(cpumask_test(&s->m->rd.cpudl.free_cpus, 0));
	set_cpu_active(s->m, 0, true);
	assert_true(cpumask_test(&s->m->rd.cpudl.free_cpus, 0));
}

static void a_task_bound_to_what_is_off_may_go_anywhere(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct task *t = run_fork(s, 3, 0);
	struct cpumask all = cpumask_first_n(4);

	go_off(s, 3);
	assert_int_equal(t->cpu, 0);
	assert_true(runs_on(s, t, 0));
	assert_true(cpumask_equal(&t->cpus_mask, &all));
	assert_int_equal(t->nr_cpus_allowed, 4);
}

/* A cpuset of CPUs 1 and 3. */
static bool fallback(void *data, const struct task *t, struct cpumask *cpus)
{
	*cpus = cpus_of("1,3");
	return true;
}

static void its_cpuset_has_the_first_word(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	const struct cpuset_hooks hooks = {.cpus_allowed_fallback = fallback};
	struct cpumask expected = cpus_of("1,3"), all = cpumask_first_n(4);
	struct task *t = run_fork(s, 3, 0);

	s->m->cpusets = &hooks;
	go_off(s, 3);
	assert_int_equal(t->cpu, 1);
	assert_true(cpumask_equal(&t->cpus_mask, &expected));
	/* Unless that is off as well. */
	go_off(s, 1);
	assert_int_equal(t->cpu, 0);
	assert_true(cpumask_equal(&t->cpus_mask, &all));
	s->m->cpusets = NULL;
}

static void a_sleeper_wakes_elsewhere(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct task *t = fork_on(s, "2-3");

	run_block(s, t->cpu);
	go_off(s, 2);
	run_wake(s, t, 0);
	assert_int_equal(t->cpu, 3);
}

static void a_wakeup_on_its_way_is_not_lost(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct task *t = fork_on(s, "3");
	struct cpumask two = cpus_of("2-3");

	run_block(s, 3);
	do_set_cpus_allowed(s->m, t, &two);
	t->state = TASK_WAKING;
	list_add_tail(&cpu_rq(s->m, 3)->wakelist, &t->wake_entry);
	cpu_rq(s->m, 3)->ttwu_pending = true;
	go_off(s, 3);
	/* Its interrupt comes while the CPU is still there. */
	sched_ipi(cpu_rq(s->m, 3));
	sched_resched_all(s->m);
	assert_idle(s, 3);
	assert_false(cpu_rq(s->m, 3)->ttwu_pending);
	assert_true(runs_on(s, t, 2));
}

static void a_cpu_that_comes_back_is_used(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l2c1t");
	struct task *t;

	go_off(s, 1);
	t = fork_on(s, "1");
	assert_int_equal(t->cpu, 0);
	set_cpu_active(s->m, 1, true);
	t = fork_on(s, "1");
	assert_true(runs_on(s, t, 1));
}

static void affinity_may_change_twice_before_the_stopper_runs(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct task *t = run_fork(s, 0, 0);
	struct cpumask one = cpus_of("1"), two = cpus_of("2");

	assert_int_equal(set_cpus_allowed(s->m, t, &one, 3), 0);
	assert_int_equal(set_cpus_allowed(s->m, t, &two, 3), 0);
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 2));
	assert_idle(s, 0);
	assert_idle(s, 1);
}

static void
affinity_that_changes_as_a_task_goes_to_sleep_holds_when_it_wakes(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct task *t = run_fork(s, 0, 0);
	struct cpumask cpus = cpus_of("2-3");

	assert_int_equal(set_cpus_allowed(s->m, t, &cpus, 1), 0);
	/* The stopper comes after it, and tells it where to wake up. */
	run_block(s, 0);
	assert_int_equal(t->on_rq, TASK_ON_RQ_NONE);
	assert_int_equal(t->wake_cpu, 2);
	run_wake(s, t, 1);
	assert_true(runs_on(s, t, 2));
}

static void a_destination_that_goes_off_before_the_stopper_runs_is_no_more(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct task *t = run_fork(s, 0, 0);
	struct cpumask cpus = cpus_of("2-3");

	assert_int_equal(set_cpus_allowed(s->m, t, &cpus, 1), 0);
	set_cpu_active(s->m, 2, false);
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 3));
}

static void it_is_no_idle_cpu_to_balance_for(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct rq *rq = cpu_rq(s->m, 3);

	s->m->nohz.on = true;
	assert_true(sched_idle_enter(s->m, 3));
	assert_true(cpumask_test(&s->m->nohz.idle_cpus, 3));
	go_off(s, 3);
	assert_false(cpumask_test(&s->m->nohz.idle_cpus, 3));
	assert_false(rq->nohz_tick_stopped);
	/* Nor is it one as it idles for the last time. */
	assert_true(sched_idle_enter(s->m, 3));
	assert_false(cpumask_test(&s->m->nohz.idle_cpus, 3));
}

static void a_sibling_that_is_off_leaves_its_core(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l2c2t");

	assert_true(s->m->smt_active);
	go_off(s, 2);
	assert_int_equal(cpu_rq(s->m, 0)->smt_mask.bits[0], 0x1);
	assert_int_equal(cpu_rq(s->m, 2)->smt_mask.bits[0], 0x4);
	assert_int_equal(cpu_rq(s->m, 1)->smt_mask.bits[0], 0xa);
	assert_true(s->m->smt_active);
	go_off(s, 1);
	assert_false(s->m->smt_active);
	set_cpu_active(s->m, 2, true);
	assert_int_equal(cpu_rq(s->m, 0)->smt_mask.bits[0], 0x5);
	assert_int_equal(cpu_rq(s->m, 2)->smt_mask.bits[0], 0x5);
	assert_true(s->m->smt_active);
}

/* HZ / 10 for each CPU. */
static void the_longest_interval_follows_the_number_of_cpus(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");

	assert_int_equal(s->m->max_load_balance_interval, 100);
	go_off(s, 3);
	assert_int_equal(s->m->max_load_balance_interval, 75);
	set_cpu_active(s->m, 3, true);
	assert_int_equal(s->m->max_load_balance_interval, 100);
}

/* 1 + log2 of the CPUs there are: 3 for 4 of them, 2 for 3. */
static void tunables_follow_the_number_of_cpus(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");

	assert_int_equal(s->m->tunables.latency_ns, 18000000);
	go_off(s, 3);
	set_cpu_online(s->m, 3, false);
	/* Until the next run queue goes offline or online. */
	assert_int_equal(s->m->tunables.latency_ns, 18000000);
	go_off(s, 2);
	assert_int_equal(s->m->tunables.latency_ns, 12000000);
	assert_int_equal(s->m->tunables.min_granularity_ns, 1500000);
	assert_int_equal(s->m->tunables.wakeup_granularity_ns, 2000000);
	assert_int_equal(s->m->tunables.migration_cost_ns, 500000);
	set_cpu_online(s->m, 3, true);
	set_cpu_active(s->m, 3, true);
	assert_int_equal(s->m->tunables.latency_ns, 18000000);
}

/* Root domains */

static void attach(run_scene *s, const char *cpus, struct root_domain *rd)
{
	struct cpumask mask = cpus_of(cpus);
	int cpu;

	for_each_cpu (cpu, &mask)
		rq_attach_root(cpu_rq(s->m, cpu), rd);
}

static void a_run_queue_takes_its_state_to_its_root_domain(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct task *dl = fork_on(s, "0-3");
	const struct sched_attr deadline = {
		.sched_policy = POLICY_DEADLINE,
		.sched_runtime = 1000000,
		.sched_deadline = 10000000,
		.sched_period = 10000000,
	};
	struct root_domain *rd;
	int cpu = dl->cpu;

	assert_int_equal(sched_setattr(s->m, dl, &deadline, 0), 0);
	sched_resched_all(s->m);
	init_def_root_domain(s->m);
	rd = root_domain_new(s->m);
	rq_attach_root(cpu_rq(s->m, cpu), rd);
	assert_int_equal(rd->cpudl.size, 1);
	assert_int_equal(rd->cpudl.elements[0].cpu, cpu);
	assert_int_equal(s->m->rd.cpudl.size, 0);
	assert_int_equal(s->m->rd.cpupri.level[cpu], CPUPRI_INVALID);
	assert_false(cpumask_test(&s->m->rd.span, cpu));
	assert_int_equal(s->m->rd.refcount, 3);
	/* The total is for whoever rebuilds to move. */
	assert_int_equal(rd->dl_bw.total_bw, 0);
	assert_int_equal(rd->dl_bw.bw, 996147);
}

static void a_root_domain_goes_with_its_last_run_queue(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct root_domain *a, *b;

	init_def_root_domain(s->m);
	a = root_domain_new(s->m);
	attach(s, "0-1", a);
	assert_int_equal(a->refcount, 2);
	b = root_domain_new(s->m);
	attach(s, "0-1", b);
	assert_ptr_equal(s->m->root_domains.next, &b->node);
	assert_ptr_equal(b->node.next, &s->m->root_domains);
	/* Those that are part of the machine stay. */
	attach(s, "2-3", &s->m->def_root_domain);
	assert_true(cpumask_empty(&s->m->rd.span));
	attach(s, "0-3", &s->m->rd);
	assert_true(list_empty(&s->m->root_domains));
	assert_int_equal(s->m->rd.refcount, 4);
	assert_int_equal(s->m->def_root_domain.refcount, 0);
}

static void one_that_is_off_stays_so_in_another_root_domain(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");
	struct root_domain *rd;

	init_def_root_domain(s->m);
	rd = root_domain_new(s->m);
	go_off(s, 3);
	attach(s, "2-3", rd);
	assert_false(cpumask_test(&rd->online, 3));
	assert_false(cpumask_test(&rd->cpudl.free_cpus, 3));
	assert_int_equal(rd->cpupri.level[3], CPUPRI_INVALID);
	assert_true(cpumask_test(&rd->cpudl.free_cpus, 2));
}

static void real_time_tasks_get_a_whole_budget_with_it(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l2c1t");
	struct rq *rq = cpu_rq(s->m, 0);
	struct task *t = run_fork(s, 0, 0);
	const struct sched_attr fifo = {.sched_policy = POLICY_FIFO,
					.sched_priority = 10};

	assert_int_equal(sched_setattr(s->m, t, &fifo, 0), 0);
	run_ticking_to_us(s, 960000);
	assert_true(rq->rt.rt_throttled);
	assert_int_equal(rq->nr_running, 0);
	init_def_root_domain(s->m);
	rq_attach_root(rq, &s->m->def_root_domain);
	assert_false(rq->rt.rt_throttled);
	assert_int_equal(rq->rt.rt_time, 0);
	assert_int_equal(rq->nr_running, 1);
	assert_int_equal(s->m->def_root_domain.cpupri.level[0], 10);
	/* It idles, and is told. */
	assert_true(rq->need_resched);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_task_leaves_a_cpu_that_goes_off),
		cmocka_unit_test(deadline_and_real_time_tasks_leave_too),
		cmocka_unit_test(a_task_bound_to_what_is_off_may_go_anywhere),
		cmocka_unit_test(its_cpuset_has_the_first_word),
		cmocka_unit_test(a_sleeper_wakes_elsewhere),
		cmocka_unit_test(a_wakeup_on_its_way_is_not_lost),
		cmocka_unit_test(a_cpu_that_comes_back_is_used),
		cmocka_unit_test(affinity_may_change_twice_before_the_stopper_runs),
		cmocka_unit_test(
			affinity_that_changes_as_a_task_goes_to_sleep_holds_when_it_wakes),
		cmocka_unit_test(
			a_destination_that_goes_off_before_the_stopper_runs_is_no_more),
		cmocka_unit_test(it_is_no_idle_cpu_to_balance_for),
		cmocka_unit_test(a_sibling_that_is_off_leaves_its_core),
		cmocka_unit_test(the_longest_interval_follows_the_number_of_cpus),
		cmocka_unit_test(tunables_follow_the_number_of_cpus),
		cmocka_unit_test(one_that_is_off_stays_so_in_another_root_domain),
		cmocka_unit_test(a_run_queue_takes_its_state_to_its_root_domain),
		cmocka_unit_test(a_root_domain_goes_with_its_last_run_queue),
		cmocka_unit_test(real_time_tasks_get_a_whole_budget_with_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
