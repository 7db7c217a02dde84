/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who balances a domain, what type a group is, which group is the busiest.
 */
#include "balance_scene.h"
#include "test.h"

/* The busiest group as find_busiest_group() sees it, by its first CPU; -1: none. */
static int busiest_cpu(struct lb_env *env, struct sd_lb_stats *sds)
{
	find_busiest_group(env, sds);
	return sds->busiest ? cpumask_first(&sds->busiest->cpus) : -1;
}

static bool balances(lb_scene *s, int cpu, int level, enum cpu_idle_type idle)
{
	struct lb_env env = lb_scene_env(s, cpu, level, idle);

	return should_we_balance(&env);
}

/* Turns */

static void first_idle_cpu_of_the_local_group_balances(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	lb_scene_set_figures(s, 0, 1, 0, 0);
	assert_false(balances(s, 0, 1, CPU_NOT_IDLE));
	assert_true(balances(s, 1, 1, CPU_IDLE));
	assert_false(balances(s, 2, 1, CPU_IDLE));
}

static void first_cpu_balances_when_none_is_idle(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	for (int cpu = 0; cpu < 8; cpu++)
		lb_scene_set_figures(s, cpu, 1, 0, 0);
	assert_true(balances(s, 4, 1, CPU_NOT_IDLE));
	assert_false(balances(s, 5, 1, CPU_NOT_IDLE));
}

static void cpu_with_a_wakeup_on_its_way_is_not_the_idle_one(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	cpu_rq(s->m, 0)->ttwu_pending = true;
	assert_true(balances(s, 1, 1, CPU_IDLE));
}

static void newly_idle_cpu_balances_unless_work_came(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	assert_true(balances(s, 2, 1, CPU_NEWLY_IDLE));
	cpu_rq(s->m, 2)->ttwu_pending = true;
	assert_false(balances(s, 2, 1, CPU_NEWLY_IDLE));
	cpu_rq(s->m, 3)->nr_running = 1;
	assert_false(balances(s, 3, 1, CPU_NEWLY_IDLE));
}

static void cpu_outside_the_set_does_not_balance(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 1, 0, CPU_NEWLY_IDLE);

	cpumask_clear(&env.cpus, 1);
	assert_false(should_we_balance(&env));
}

/* Types.  Two CPUs of full capacity: 2048 * 100 = 204800, 2048 * 117 = 239616. */

static struct sg_lb_stats pair(unsigned nr, uint64_t util, uint64_t runnable)
{
	return (struct sg_lb_stats){
		.group_capacity = 2048,
		.group_weight = 2,
		.sum_nr_running = nr,
		.group_util = util,
		.group_runnable = runnable,
	};
}

static enum group_type type_of(unsigned pct, bool imbalance, struct sg_lb_stats sgs)
{
	struct sched_group_capacity sgc = {.imbalance = imbalance};
	struct sched_group group = {.sgc = &sgc};

	return group_classify(pct, &group, &sgs);
}

static void more_tasks_than_capacity_overload(void **state)
{
	assert_int_equal(type_of(117, false, pair(3, 1751, 0)), GROUP_OVERLOADED);
	assert_int_equal(type_of(117, false, pair(3, 1750, 0)), GROUP_HAS_SPARE);
	assert_int_equal(type_of(117, false, pair(3, 0, 2397)), GROUP_OVERLOADED);
	assert_int_equal(type_of(117, false, pair(3, 0, 2396)), GROUP_HAS_SPARE);
}

static void a_task_per_cpu_never_overloads(void **state)
{
	assert_int_equal(type_of(117, false, pair(2, 4096, 4096)), GROUP_FULLY_BUSY);
	assert_int_equal(type_of(117, false, pair(2, 1751, 0)), GROUP_FULLY_BUSY);
	assert_int_equal(type_of(117, false, pair(2, 1750, 0)), GROUP_HAS_SPARE);
	assert_int_equal(type_of(117, false, pair(2, 0, 2397)), GROUP_FULLY_BUSY);
}

static void a_cpu_without_task_is_spare(void **state)
{
	assert_int_equal(type_of(117, false, pair(1, 4096, 4096)), GROUP_HAS_SPARE);
}

static void exactly_full_is_neither_overloaded_nor_spare(void **state)
{
	assert_int_equal(type_of(100, false, pair(3, 2048, 2048)), GROUP_FULLY_BUSY);
}

static void types_outrank_each_other_in_the_kernels_order(void **state)
{
	struct sg_lb_stats sgs = pair(3, 2048, 0);

	sgs.group_asym_packing = true;
	sgs.group_misfit_task_load = 1;
	assert_int_equal(type_of(117, true, sgs), GROUP_OVERLOADED);
	sgs.group_util = 0;
	assert_int_equal(type_of(117, true, sgs), GROUP_IMBALANCED);
	assert_int_equal(type_of(117, false, sgs), GROUP_ASYM_PACKING);
	sgs.group_asym_packing = false;
	assert_int_equal(type_of(117, false, sgs), GROUP_MISFIT_TASK);
}

/* The busiest of CPUs 1 to 3, as idle CPU 0 sees them; each is a group. */

static void spare_group_with_most_tasks_is_busiest(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_IDLE);
	struct sd_lb_stats sds;

	lb_scene_set_figures(s, 1, 1, 900, 100);
	lb_scene_set_figures(s, 2, 2, 100, 100);
	lb_scene_set_figures(s, 3, 2, 900, 200);
	assert_int_equal(busiest_cpu(&env, &sds), 2);
	assert_int_equal(sds.busiest_stat.group_type, GROUP_HAS_SPARE);
	assert_int_equal(sds.local_stat.idle_cpus, 1);
}

static void spare_group_with_fewest_idle_cpus_is_busiest(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smt8");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);
	struct sd_lb_stats sds;

	/* Cores are 0 4 | 1 5 | 2 6 | 3 7. */
	lb_scene_set_figures(s, 1, 3, 0, 100);
	lb_scene_set_figures(s, 2, 1, 0, 100);
	lb_scene_set_figures(s, 6, 1, 0, 100);
	assert_int_equal(busiest_cpu(&env, &sds), 2);
}

static void first_fully_busy_group_stays(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_IDLE);
	struct sd_lb_stats sds;

	lb_scene_set_figures(s, 1, 1, 100, 1024);
	lb_scene_set_figures(s, 2, 1, 900, 1024);
	assert_int_equal(busiest_cpu(&env, &sds), 1);
	assert_int_equal(sds.busiest_stat.group_type, GROUP_FULLY_BUSY);
}

static void overloaded_group_of_greatest_average_is_busiest(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_IDLE);
	struct sd_lb_stats sds;

	lb_scene_set_figures(s, 1, 3, 1500, 1000);
	lb_scene_set_figures(s, 2, 2, 1600, 1000);
	lb_scene_set_figures(s, 3, 2, 1600, 1000);
	assert_int_equal(busiest_cpu(&env, &sds), 2);
	assert_int_equal(sds.busiest_stat.avg_load, 1600);
	assert_int_equal(sds.total_load, 4700);
	assert_int_equal(sds.total_capacity, 4096);
}

static void first_imbalanced_group_stays(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_IDLE);
	struct sd_lb_stats sds;

	lb_scene_set_figures(s, 1, 1, 100, 100);
	lb_scene_set_figures(s, 2, 2, 900, 100);
	env.sd->groups->next->sgc->imbalance = true;
	env.sd->groups->next->next->sgc->imbalance = true;
	assert_int_equal(busiest_cpu(&env, &sds), 1);
}

static void group_without_fair_task_is_never_busiest(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_IDLE);
	struct sd_lb_stats sds;

	lb_scene_set_figures(s, 1, 2, 900, 1024);
	cpu_rq(s->m, 1)->cfs.h_nr_running = 0;
	assert_int_equal(busiest_cpu(&env, &sds), -1);
}

/* 800 * 117 < 1024 * 100, so a capacity of 800 counts as reduced. */
static void slow_down(lb_scene *s, int cpu, unsigned nr, uint64_t load)
{
	lb_scene_set_figures(s, cpu, nr, load, 100);
	cpu_rq(s->m, cpu)->cpu_capacity = 800;
}

static void lone_task_on_a_slowed_cpu_is_a_misfit(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_IDLE);
	struct sd_lb_stats sds;

	slow_down(s, 1, 1, 500);
	slow_down(s, 2, 1, 500);
	slow_down(s, 3, 2, 900);
	assert_int_equal(busiest_cpu(&env, &sds), 2);
	assert_int_equal(sds.busiest_stat.group_type, GROUP_MISFIT_TASK);
	assert_int_equal(sds.busiest_stat.group_misfit_task_load, 500);
}

static void busy_cpu_sees_no_misfit(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct lb_env env = lb_scene_env(s, 0, 0, CPU_NOT_IDLE);
	struct sd_lb_stats sds;

	lb_scene_set_figures(s, 0, 1, 100, 100);
	slow_down(s, 1, 1, 500);
	busiest_cpu(&env, &sds);
	assert_int_equal(sds.busiest_stat.group_type, GROUP_HAS_SPARE);
}

static void own_groups_slow_cpu_is_no_misfit(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env env = lb_scene_env(s, 0, 1, CPU_IDLE);
	struct sd_lb_stats sds;

	slow_down(s, 1, 1, 500);
	busiest_cpu(&env, &sds);
	assert_int_equal(sds.local_stat.group_type, GROUP_HAS_SPARE);
}

/* What the walk leaves behind */

static void waiting_task_overloads_the_root_domain_at_the_top(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct lb_env lower = lb_scene_env(s, 0, 0, CPU_IDLE);
	struct lb_env top = lb_scene_env(s, 0, 1, CPU_IDLE);
	struct sd_lb_stats sds;

	lb_scene_set_figures(s, 1, 2, 0, 0);
	find_busiest_group(&lower, &sds);
	assert_false(s->m->rd.overload);
	find_busiest_group(&top, &sds);
	assert_true(s->m->rd.overload);
	lb_scene_set_figures(s, 1, 1, 0, 0);
	find_busiest_group(&top, &sds);
	assert_false(s->m->rd.overload);
}

/*
 * u = 512: 512^2 * 117^2 / 10240000 = 350, (1024 - 350) * 8 / 1024 = 5.
 * u = 256: 65536 * 13689 / 10240000 = 87, (1024 - 87) * 4 / 1024 = 3.
 * u = 876: 767376 * 13689 / 10240000 = 1025, at most 1024.
 */
static void idle_scan_falls_with_the_square_of_utilisation(void **state)
{
	assert_int_equal(nr_idle_scan(0, 8, 117), 8);
	assert_int_equal(nr_idle_scan(8 * 512 + 7, 8, 117), 5);
	assert_int_equal(nr_idle_scan(4 * 256, 4, 117), 3);
	assert_int_equal(nr_idle_scan(8 * 876, 8, 117), 0);
	assert_int_equal(nr_idle_scan(8 * 1024, 8, 117), 0);
}

static int scan_after(lb_scene *s, int level, enum cpu_idle_type idle)
{
	struct lb_env env = lb_scene_env(s, 0, level, idle);
	struct sd_lb_stats sds;

	cpu_rq(s->m, 0)->sd_llc_shared->nr_idle_scan = 77;
	find_busiest_group(&env, &sds);
	return cpu_rq(s->m, 0)->sd_llc_shared->nr_idle_scan;
}

static void periodic_balance_of_the_llc_sets_the_idle_scan(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");

	lb_scene_set_figures(s, 1, 1, 0, 512);
	lb_scene_set_figures(s, 2, 1, 0, 512);
	assert_int_equal(scan_after(s, 0, CPU_IDLE), 3);
	assert_int_equal(scan_after(s, 0, CPU_NEWLY_IDLE), 77);
	assert_int_equal(scan_after(s, 1, CPU_IDLE), 77);
	s->m->feat.SIS_UTIL = false;
	assert_int_equal(scan_after(s, 0, CPU_IDLE), 77);
}

static void fixed_idle_scan_is_left_alone(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");

	s->m->nr_idle_scan_fixed = 2;
	assert_int_equal(scan_after(s, 0, CPU_IDLE), 77);
}

static uint64_t capacity_after(lb_scene *s, enum cpu_idle_type idle)
{
	struct lb_env env = lb_scene_env(s, 0, 0, idle);
	struct sd_lb_stats sds;

	find_busiest_group(&env, &sds);
	return cpu_rq(s->m, 0)->cpu_capacity;
}

static void newly_idle_balance_refreshes_capacity_only_when_due(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 0, 0);

	cpu_rq(s->m, 0)->avg_rt.util_avg = 24;
	sd->groups->sgc->next_update = s->m->jiffies + 1;
	assert_int_equal(capacity_after(s, CPU_NEWLY_IDLE), 1024);
	sd->groups->sgc->next_update = s->m->jiffies;
	assert_int_equal(capacity_after(s, CPU_NEWLY_IDLE), 1000);
	cpu_rq(s->m, 0)->avg_rt.util_avg = 124;
	assert_int_equal(capacity_after(s, CPU_NEWLY_IDLE), 1000);
	assert_int_equal(capacity_after(s, CPU_IDLE), 900);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_idle_cpu_of_the_local_group_balances),
		cmocka_unit_test(first_cpu_balances_when_none_is_idle),
		cmocka_unit_test(cpu_with_a_wakeup_on_its_way_is_not_the_idle_one),
		cmocka_unit_test(newly_idle_cpu_balances_unless_work_came),
		cmocka_unit_test(cpu_outside_the_set_does_not_balance),
		cmocka_unit_test(more_tasks_than_capacity_overload),
		cmocka_unit_test(a_task_per_cpu_never_overloads),
		cmocka_unit_test(a_cpu_without_task_is_spare),
		cmocka_unit_test(exactly_full_is_neither_overloaded_nor_spare),
		cmocka_unit_test(types_outrank_each_other_in_the_kernels_order),
		cmocka_unit_test(spare_group_with_most_tasks_is_busiest),
		cmocka_unit_test(spare_group_with_fewest_idle_cpus_is_busiest),
		cmocka_unit_test(first_fully_busy_group_stays),
		cmocka_unit_test(overloaded_group_of_greatest_average_is_busiest),
		cmocka_unit_test(first_imbalanced_group_stays),
		cmocka_unit_test(group_without_fair_task_is_never_busiest),
		cmocka_unit_test(lone_task_on_a_slowed_cpu_is_a_misfit),
		cmocka_unit_test(busy_cpu_sees_no_misfit),
		cmocka_unit_test(own_groups_slow_cpu_is_no_misfit),
		cmocka_unit_test(waiting_task_overloads_the_root_domain_at_the_top),
		cmocka_unit_test(idle_scan_falls_with_the_square_of_utilisation),
		cmocka_unit_test(periodic_balance_of_the_llc_sets_the_idle_scan),
		cmocka_unit_test(fixed_idle_scan_is_left_alone),
		cmocka_unit_test(newly_idle_balance_refreshes_capacity_only_when_due),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
