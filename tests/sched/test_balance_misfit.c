/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Balancing CPUs of unequal capacity: 0 to 3 have 446 of 1024 and share a cache, 4 to 7
 * have all of it and share another.  One task on a CPU too small for it is a misfit.
 */
#include "test.h"

#include "balance_scene.h"
#include "run_scene.h"
#include "sched/asym.h"
#include "sched/fair_load.h"
#include "sched/lb.h"

static int setup(void **state)
{
	*state = lb_scene_new("1n2l4c1t/4x446");
	return 0;
}

static int teardown(void **state)
{
	lb_scene_free(*state);
	return 0;
}

/* One task on @cpu, of @load, that is too big for it. */
static void misfit(lb_scene *s, int cpu, uint64_t load)
{
	lb_scene_set_figures(s, cpu, 1, load, 446);
	cpu_rq(s->m, cpu)->misfit_task_load = load;
}

static struct sched_group *busiest(struct lb_env *env)
{
	struct sd_lb_stats sds;

	return find_busiest_group(env, &sds);
}

static void the_domains_know_of_it(void **state)
{
	lb_scene *s = *state;
	const struct sched_domain *die = lb_scene_domain(s, 0, 1);

	assert_int_equal(s->m->asym_cpucap, 1);
	assert_int_equal(s->m->rd.max_cpu_capacity, 1024);
	assert_ptr_equal(cpu_rq(s->m, 0)->sd_asym_cpucapacity, die);
	assert_int_equal(lb_scene_domain(s, 0, 0)->flags & SD_ASYM_CPUCAPACITY, 0);
}

static void a_big_idle_cpu_pulls_the_biggest_misfit(void **state)
{
	lb_scene *s = *state;
	struct lb_env env = lb_scene_env(s, 4, 1, CPU_IDLE);
	struct sched_group *group;

	misfit(s, 1, 600);
	misfit(s, 2, 700);
	misfit(s, 3, 650);
	group = busiest(&env);
	assert_ptr_equal(group, lb_scene_domain(s, 0, 1)->groups);
	assert_int_equal(env.migration_type, MIGRATE_MISFIT);
	assert_int_equal(env.imbalance, 1);
	assert_ptr_equal(find_busiest_queue(&env, group), cpu_rq(s->m, 2));
}

/* As if others waited: idle CPUs are to look. */
static void a_misfit_overloads_the_root_domain(void **state)
{
	lb_scene *s = *state;
	struct lb_env env = lb_scene_env(s, 4, 1, CPU_IDLE);

	lb_scene_set_figures(s, 1, 1, 700, 446);
	busiest(&env);
	assert_false(s->m->rd.overload);
	misfit(s, 1, 700);
	busiest(&env);
	assert_true(s->m->rd.overload);
}

/* 446 is not 5 % more than 446. */
static void a_little_cpu_is_no_help(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("1n4l2c1t/6x446");
	struct lb_env env = lb_scene_env(s, 2, 1, CPU_IDLE);

	misfit(s, 0, 700);
	assert_null(busiest(&env));
	/* 470 * 1024 = 481280 > 446 * 1078 = 480788, and 469 * 1024 = 480256 */
	cpu_rq(s->m, 2)->cpu_capacity = 469;
	assert_null(busiest(&env));
	cpu_rq(s->m, 2)->cpu_capacity = 470;
	assert_non_null(busiest(&env));
}

/* CPUs 4 to 7 have as many tasks as they can do: a misfit would only crowd them. */
static void a_full_group_takes_no_misfit(void **state)
{
	lb_scene *s = *state;
	struct lb_env env = lb_scene_env(s, 4, 1, CPU_NOT_IDLE);

	misfit(s, 1, 700);
	for (int cpu = 4; cpu < 8; cpu++)
		lb_scene_set_figures(s, cpu, 1, 1000, 1000);
	assert_null(busiest(&env));
}

/* Each has its CPU, and a better one than the idle CPU 0 is. */
static void tasks_of_big_cpus_are_left_to_them(void **state)
{
	lb_scene *s = *state;
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);

	for (int cpu = 4; cpu < 8; cpu++)
		lb_scene_set_figures(s, cpu, 1, 1000, 1000);
	assert_null(busiest(&env));
}

static void on_like_cpus_they_would_be_pulled(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("1n2l4c1t");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);

	for (int cpu = 4; cpu < 8; cpu++)
		lb_scene_set_figures(s, cpu, 1, 1000, 1000);
	assert_non_null(busiest(&env));
}

/* Those that wait are another matter, but not where one task runs alone. */
static void only_what_waits_comes_down(void **state)
{
	lb_scene *s = *state;
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);
	struct sched_group *group;

	for (int cpu = 4; cpu < 8; cpu++)
		lb_scene_set_figures(s, cpu, 1, 1000, 1024);
	lb_scene_set_figures(s, 6, 2, 1900, 1024);
	group = busiest(&env);
	assert_non_null(group);
	assert_ptr_equal(find_busiest_queue(&env, group), cpu_rq(s->m, 6));
	env.migration_type = MIGRATE_TASK;
	lb_scene_set_figures(s, 6, 1, 1900, 1024);
	assert_null(find_busiest_queue(&env, group));
}

/* The other way it may. */
static void one_that_runs_alone_may_go_to_a_bigger_cpu(void **state)
{
	lb_scene *s = *state;
	struct lb_env env = lb_scene_env(s, 4, 1, CPU_IDLE);

	lb_scene_set_figures(s, 2, 1, 400, 400);
	env.migration_type = MIGRATE_TASK;
	assert_ptr_equal(find_busiest_queue(&env, lb_scene_domain(s, 0, 1)->groups),
			 cpu_rq(s->m, 2));
}

/* Of two that wait on CPU 0, the one that fits there stays. */
static void a_task_that_fits_is_not_taken_for_the_misfit(void **state)
{
	lb_scene *s = *state;
	struct lb_env env = lb_scene_env(s, 4, 1, CPU_IDLE);
	struct rq *src = cpu_rq(s->m, 0);
	struct task *big = NULL, *small = NULL;

	for (int i = 0; i < 3; i++) {
		lb_scene_task(s, 0);
		s->tasks[i].se.avg.util_avg = 300;
	}
	for (int i = 0; i < 3; i++) {
		if (&s->tasks[i] == src->curr)
			continue;
		small = big;
		big = &s->tasks[i];
	}
	big->se.avg.util_avg = 400;
	env.src_rq = src;
	env.src_cpu = 0;
	env.loop_max = 32;
	env.migration_type = MIGRATE_MISFIT;
	env.imbalance = 1;
	env.sd->nr_balance_failed = 9; /* cache hot ones may go too */
	list_init(&env.tasks);
	assert_int_equal(detach_tasks(&env), 1);
	assert_int_equal(env.imbalance, 0);
	assert_int_equal(big->cpu, 4);
	assert_int_equal(small->cpu, 0);
	attach_tasks(&env);
}

/* The status */

static void the_tick_tells_a_misfit_by_its_load(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l2c1t/1x446");
	struct cpumask both = cpumask_first_n(2);
	struct task *t = run_fork(s, 0, 0);
	struct rq *rq = cpu_rq(s->m, 0);

	t->se.avg.util_avg = 1000;
	run_tick(s, 0);
	/* It may run nowhere else. */
	assert_int_equal(rq->misfit_task_load, 0);
	set_cpus_allowed(s->m, t, &both, 0);
	run_tick(s, 0);
	assert_int_equal(rq->misfit_task_load, task_h_load(s->m, t));
	assert_true(check_misfit_status(rq, rq->sd));
	t->se.avg.util_avg = 356;
	t->se.avg.util_est = (struct util_est){0};
	run_tick(s, 0);
	assert_int_equal(rq->misfit_task_load, 0);
}

static void it_goes_when_the_cpu_goes_idle(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l2c1t/1x446");
	struct cpumask both = cpumask_first_n(2);
	struct task *t = run_fork(s, 0, 0);

	set_cpus_allowed(s->m, t, &both, 0);
	t->se.avg.util_avg = 1000;
	run_tick(s, 0);
	assert_int_not_equal(cpu_rq(s->m, 0)->misfit_task_load, 0);
	run_block(s, 0);
	assert_int_equal(cpu_rq(s->m, 0)->misfit_task_load, 0);
}

/* A big CPU's task that fits nowhere has nothing better. */
static void on_the_biggest_cpu_there_is_nothing_better(void **state)
{
	lb_scene *s = *state;
	struct rq *big = cpu_rq(s->m, 4);

	misfit(s, 4, 700);
	assert_false(check_misfit_status(big, big->sd));
	/* Unless others take of it: 875 * 117 = 102375 < 102400. */
	big->cpu_capacity = 875;
	assert_true(check_misfit_status(big, big->sd));
	big->cpu_capacity = 876;
	assert_false(check_misfit_status(big, big->sd));
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_domains_know_of_it),
		T(a_big_idle_cpu_pulls_the_biggest_misfit),
		T(a_misfit_overloads_the_root_domain),
		cmocka_unit_test(a_little_cpu_is_no_help),
		T(a_full_group_takes_no_misfit),
		T(tasks_of_big_cpus_are_left_to_them),
		cmocka_unit_test(on_like_cpus_they_would_be_pulled),
		T(only_what_waits_comes_down),
		T(one_that_runs_alone_may_go_to_a_bigger_cpu),
		T(a_task_that_fits_is_not_taken_for_the_misfit),
		cmocka_unit_test(the_tick_tells_a_misfit_by_its_load),
		cmocka_unit_test(it_goes_when_the_cpu_goes_idle),
		T(on_the_biggest_cpu_there_is_nothing_better),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
