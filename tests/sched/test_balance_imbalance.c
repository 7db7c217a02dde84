/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is a domain out of balance, by how much of what, and which CPU is relieved.
 */
#include "balance_scene.h"
#include "sched/profile.h"
#include "test.h"

static bool out_of_balance(struct lb_env *env)
{
	struct sd_lb_stats sds;

	return find_busiest_group(env, &sds) != NULL;
}

static void assert_imbalance(struct lb_env *env, enum migration_type type,
			     int64_t amount)
{
	assert_true(out_of_balance(env));
	assert_int_equal(env->migration_type, type);
	assert_int_equal(env->imbalance, amount);
}

static void set_range(lb_scene *s, int first, int last, unsigned nr, uint64_t load,
		      uint64_t util)
{
	for (int cpu = first; cpu <= last; cpu++)
		lb_scene_set_figures(s, cpu, nr, load, util);
}

static void keep_siblings_apart_no_more(lb_scene *s, int cpu, int level)
{
	lb_scene_domain(s, cpu, level)->child->flags &= ~(uint32_t)SD_PREFER_SIBLING;
}

/* The local group has room: two LLCs of four CPUs, 0-3 and 4-7. */

static void siblings_get_half_the_difference_in_tasks(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);

	set_range(s, 4, 5, 2, 100, 100);
	set_range(s, 6, 7, 1, 100, 100);
	assert_imbalance(&env, MIGRATE_TASK, 3);
}

static void one_task_more_is_balance(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);

	lb_scene_set_figures(s, 4, 1, 100, 100);
	assert_false(out_of_balance(&env));
	assert_int_equal(env.imbalance, 0);
}

static void without_siblings_idle_cpus_are_evened_out(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);

	keep_siblings_apart_no_more(s, 0, 1);
	set_range(s, 4, 5, 2, 100, 100);
	set_range(s, 6, 7, 1, 100, 100);
	assert_imbalance(&env, MIGRATE_TASK, 2);
}

static void one_idle_cpu_more_is_balance(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);

	keep_siblings_apart_no_more(s, 0, 1);
	set_range(s, 1, 2, 1, 100, 100);
	set_range(s, 4, 6, 1, 100, 100);
	assert_false(out_of_balance(&env));
	lb_scene_set_figures(s, 2, 0, 0, 0);
	assert_imbalance(&env, MIGRATE_TASK, 1);
}

static void busy_cpu_leaves_spare_groups_to_idle_ones(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_NOT_IDLE);

	keep_siblings_apart_no_more(s, 0, 1);
	lb_scene_set_figures(s, 0, 1, 100, 100);
	set_range(s, 4, 7, 1, 100, 100);
	assert_false(out_of_balance(&env));
	env.idle = CPU_IDLE;
	assert_imbalance(&env, MIGRATE_TASK, 1);
}

/* Two tasks on one CPU and none on the other: one moves; a single one does not. */
static void lone_task_of_a_cpu_stays(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_IDLE);

	lb_scene_set_figures(s, 1, 1, 100, 1024);
	assert_false(out_of_balance(&env));
	lb_scene_set_figures(s, 1, 2, 100, 100);
	assert_imbalance(&env, MIGRATE_TASK, 1);
	cpu_rq(s->m, 1)->cfs.h_nr_running = 1; /* the other is of another class */
	assert_false(out_of_balance(&env));
}

/* (0 - 1) in 32 unsigned bits is 4294967295, and half of it 2147483647. */
static void fewer_idle_cpus_than_an_overloaded_group_wrap(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smt8");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_NOT_IDLE);

	keep_siblings_apart_no_more(s, 0, 1);
	lb_scene_set_figures(s, 0, 1, 100, 100);
	lb_scene_set_figures(s, 4, 1, 100, 100);
	lb_scene_set_figures(s, 1, 3, 3000, 1024);
	cpu_rq(s->m, 1)->cfs.avg.runnable_avg = 2397;
	assert_imbalance(&env, MIGRATE_TASK, 2147483647);
}

static void other_caches_overload_fills_the_spare_utilisation(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);

	set_range(s, 4, 7, 2, 2048, 1024);
	lb_scene_set_figures(s, 1, 1, 300, 300);
	assert_imbalance(&env, MIGRATE_UTIL, 4096 - 300);
}

static void idle_cpu_of_a_full_group_takes_one_task(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 3, 1, CPU_IDLE);

	set_range(s, 4, 7, 2, 2048, 1024);
	set_range(s, 0, 2, 1, 1024, 1024);
	lb_scene_set_figures(s, 3, 0, 0, 1024);
	assert_imbalance(&env, MIGRATE_TASK, 1);
	env.idle = CPU_NOT_IDLE;
	assert_false(out_of_balance(&env));
}

/* NUMA nodes 0-3 8-11 and 4-7 12-15; one task may be on the wrong side. */
static void nodes_tolerate_a_small_imbalance(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("numa16");
	struct lb_env env = lb_scene_env(s, 0, 2, CPU_IDLE);

	assert_int_equal(env.sd->imb_numa_nr, 1);
	set_range(s, 4, 5, 1, 100, 100);
	assert_false(out_of_balance(&env));
	lb_scene_set_figures(s, 6, 1, 100, 100);
	assert_imbalance(&env, MIGRATE_TASK, 1);
}

static void node_with_tasks_of_its_own_tolerates_none(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("numa16");
	struct lb_env env = lb_scene_env(s, 0, 2, CPU_IDLE);

	lb_scene_set_figures(s, 1, 1, 100, 100);
	set_range(s, 4, 6, 1, 100, 100);
	assert_imbalance(&env, MIGRATE_TASK, 1);
}

/* Cases in which averages do not count */

static void imbalanced_group_gives_one_task(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_NOT_IDLE);

	set_range(s, 0, 3, 2, 2048, 1024);
	lb_scene_set_figures(s, 4, 1, 100, 100);
	env.sd->groups->next->sgc->imbalance = true;
	assert_imbalance(&env, MIGRATE_TASK, 1);
}

static void misfit_is_moved_by_its_load(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_IDLE);

	lb_scene_set_figures(s, 2, 1, 700, 700);
	cpu_rq(s->m, 2)->cpu_capacity = 800;
	assert_imbalance(&env, MIGRATE_LOAD, 700);
}

/* Load */

static void busier_type_here_is_balance(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_NOT_IDLE);

	lb_scene_set_figures(s, 0, 2, 100, 1024);
	lb_scene_set_figures(s, 1, 1, 9000, 1024);
	assert_false(out_of_balance(&env));
}

/*
 * Local: 4 * 500 * 1024 / 4096 = 500.  Busiest, with half of the capacity: 4 * 2048 *
 * 1024 / 2048 = 4096.  Domain: 10192 * 1024 / 6144 = 1698.
 * (4096 - 1698) * 2048 / 1024 = 4796 and (1698 - 500) * 4096 / 1024 = 4792.
 */
static void load_moves_until_the_first_reaches_the_average(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_NOT_IDLE);

	set_range(s, 0, 3, 1, 500, 1024);
	set_range(s, 4, 7, 2, 2048, 1024);
	env.sd->groups->next->sgc->capacity = 2048;
	assert_imbalance(&env, MIGRATE_LOAD, 4792);
}

static void more_load_here_than_at_the_busiest_is_balance(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_NOT_IDLE);

	set_range(s, 0, 3, 1, 3000, 1024);
	set_range(s, 4, 7, 2, 2048, 1024);
	assert_false(out_of_balance(&env));
	s->m->profile = kernel_profile_find("6.1.0");
	assert_false(out_of_balance(&env));
}

/* Three idle CPUs here, but as many tasks as CPUs and no capacity left for them. */
static void fully_busy_groups_leave_each_other_alone(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);
	struct sd_lb_stats sds;

	lb_scene_set_figures(s, 3, 4, 400, 1024);
	cpu_rq(s->m, 3)->cfs.avg.runnable_avg = 4793;
	set_range(s, 4, 7, 1, 2000, 1024);
	assert_null(find_busiest_group(&env, &sds));
	assert_int_equal(sds.local_stat.group_type, GROUP_FULLY_BUSY);
	assert_int_equal(sds.busiest_stat.group_type, GROUP_FULLY_BUSY);
}

/*
 * CPU 0 has 1000, CPU 1 has 2000, the domain's average is 3000 / 4 = 750.
 * 6.1.0 takes min(2000 - 750, 750 - 1000 in 64 unsigned bits) = 1250.
 */
static void load_above_the_average_pulls_none_since_6_1_lts(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_NOT_IDLE);

	lb_scene_set_figures(s, 0, 1, 1000, 1024);
	lb_scene_set_figures(s, 1, 2, 2000, 1024);
	assert_false(out_of_balance(&env));
	s->m->profile = kernel_profile_find("6.1.0");
	assert_imbalance(&env, MIGRATE_LOAD, 1250);
}

/* Average 4171 / 4 = 1042; 100 * 1170 <= 117 * 1000 < 100 * 1171. */
static void overloaded_groups_may_differ_by_imbalance_pct(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_NOT_IDLE);

	set_range(s, 0, 3, 2, 1000, 1024);
	lb_scene_set_figures(s, 1, 2, 1170, 1024);
	assert_false(out_of_balance(&env));
	lb_scene_set_figures(s, 1, 2, 1171, 1024);
	assert_imbalance(&env, MIGRATE_LOAD, 42);
}

static void overloaded_group_above_the_average_pulls_none(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_NOT_IDLE);

	lb_scene_set_figures(s, 0, 2, 1000, 1024);
	lb_scene_set_figures(s, 1, 2, 2000, 1024);
	assert_false(out_of_balance(&env));
}

/* Which CPU */

static int queue_of(lb_scene *s, enum migration_type type, int64_t imbalance)
{
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);
	struct rq *rq;

	env.migration_type = type;
	env.imbalance = imbalance;
	cpumask_clear(&env.cpus, 7);
	rq = find_busiest_queue(&env, env.sd->groups->next);
	return rq ? rq->cpu : -1;
}

/* 900 / 512 > 1000 / 1024 */
static void load_is_compared_per_capacity(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	lb_scene_set_figures(s, 4, 2, 1000, 100);
	lb_scene_set_figures(s, 5, 2, 900, 100);
	lb_scene_set_figures(s, 6, 2, 900, 100);
	cpu_rq(s->m, 5)->cpu_capacity = 512;
	cpu_rq(s->m, 6)->cpu_capacity = 512;
	assert_int_equal(queue_of(s, MIGRATE_LOAD, 10), 5);
}

static void lone_task_heavier_than_the_imbalance_is_left(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	lb_scene_set_figures(s, 4, 1, 1000, 100);
	assert_int_equal(queue_of(s, MIGRATE_LOAD, 999), -1);
	assert_int_equal(queue_of(s, MIGRATE_LOAD, 1000), 4);
	cpu_rq(s->m, 4)->cpu_capacity = 800;
	assert_int_equal(queue_of(s, MIGRATE_LOAD, 999), 4);
	lb_scene_set_figures(s, 5, 2, 2000, 100);
	assert_int_equal(queue_of(s, MIGRATE_LOAD, 999), 5);
}

static void utilisation_comes_from_cpus_with_waiting_tasks(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	lb_scene_set_figures(s, 4, 1, 100, 900);
	lb_scene_set_figures(s, 5, 2, 100, 500);
	lb_scene_set_figures(s, 6, 2, 100, 500);
	assert_int_equal(queue_of(s, MIGRATE_UTIL, 10), 5);
}

static void tasks_come_from_the_first_longest_queue(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	lb_scene_set_figures(s, 4, 2, 900, 900);
	lb_scene_set_figures(s, 5, 3, 100, 100);
	lb_scene_set_figures(s, 6, 3, 100, 500);
	assert_int_equal(queue_of(s, MIGRATE_TASK, 1), 5);
}

static void cpus_without_fair_tasks_or_outside_the_set_are_passed_over(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	lb_scene_set_figures(s, 7, 3, 900, 900);
	cpu_rq(s->m, 4)->nr_running = 1;
	assert_int_equal(queue_of(s, MIGRATE_TASK, 1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(siblings_get_half_the_difference_in_tasks),
		cmocka_unit_test(one_task_more_is_balance),
		cmocka_unit_test(without_siblings_idle_cpus_are_evened_out),
		cmocka_unit_test(one_idle_cpu_more_is_balance),
		cmocka_unit_test(busy_cpu_leaves_spare_groups_to_idle_ones),
		cmocka_unit_test(lone_task_of_a_cpu_stays),
		cmocka_unit_test(fewer_idle_cpus_than_an_overloaded_group_wrap),
		cmocka_unit_test(other_caches_overload_fills_the_spare_utilisation),
		cmocka_unit_test(idle_cpu_of_a_full_group_takes_one_task),
		cmocka_unit_test(nodes_tolerate_a_small_imbalance),
		cmocka_unit_test(node_with_tasks_of_its_own_tolerates_none),
		cmocka_unit_test(imbalanced_group_gives_one_task),
		cmocka_unit_test(misfit_is_moved_by_its_load),
		cmocka_unit_test(busier_type_here_is_balance),
		cmocka_unit_test(load_moves_until_the_first_reaches_the_average),
		cmocka_unit_test(more_load_here_than_at_the_busiest_is_balance),
		cmocka_unit_test(fully_busy_groups_leave_each_other_alone),
		cmocka_unit_test(load_above_the_average_pulls_none_since_6_1_lts),
		cmocka_unit_test(overloaded_groups_may_differ_by_imbalance_pct),
		cmocka_unit_test(overloaded_group_above_the_average_pulls_none),
		cmocka_unit_test(load_is_compared_per_capacity),
		cmocka_unit_test(lone_task_heavier_than_the_imbalance_is_left),
		cmocka_unit_test(utilisation_comes_from_cpus_with_waiting_tasks),
		cmocka_unit_test(tasks_come_from_the_first_longest_queue),
		cmocka_unit_test(
			cpus_without_fair_tasks_or_outside_the_set_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
