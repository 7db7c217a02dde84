/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of an operation: locks in the release's order, waits, and units of work,
 * by hand from the releases' callers.
 */
#include "test.h"

#include "cpuset_scene.h"

#include <errno.h>

#define V1(policy) cpuset_scene_new("1n2l2c1t", CPUSET_V1, policy, "")

/* "+cpus_read_lock +cpuset_lock cpusets:1 -cpuset_lock -cpus_read_lock" */
static void assert_steps(const op_result *result, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < result->steps->len; i++) {
		const struct op_step *step =
			&g_array_index(result->steps, struct op_step, i);

		if (i)
			g_string_append_c(text, ' ');
		if (step->kind == OP_STEP_LOCK)
			g_string_append_printf(text, "+%s", op_lock_name(step->what));
		else if (step->kind == OP_STEP_UNLOCK)
			g_string_append_printf(text, "-%s", op_lock_name(step->what));
		else
			g_string_append_printf(text, "%s:%" G_GUINT64_FORMAT,
					       op_step_name(step->kind), step->count);
	}
	assert_string_equal(text->str, expected);
}

static cpuset_scene *with_tasks(const char *policy)
{
	cpuset_scene *s = V1(policy);

	cs_mkdir(s, "A", "0-3");
	cs_tasks(s, "A", 7);
	cs_tasks(s, "", 5);
	return s;
}

static void a_write_takes_its_locks_in_the_releases_order(void **state)
{
	g_autoptr(cpuset_scene) v5_4 = with_tasks("rebuild_v5_4");
	g_autoptr(cpuset_scene) v4_15 = with_tasks("rebuild_v4_15");

	assert_int_equal(cs_write(v5_4, "A", "cpuset.cpus", "0-2"), 0);
	assert_steps(&v5_4->last,
		     "+cpus_read_lock +cpuset_lock cpusets:1 affinity:7 generate:1 "
		     "+sched_domains_mutex walk cpusets:2 walk tasks:12 "
		     "-sched_domains_mutex -cpuset_lock -cpus_read_lock");
	assert_int_equal(v5_4->last.grace_periods[OP_GP_CPUSET], 1);
	assert_int_equal(v5_4->last.grace_periods[OP_GP_THREADGROUP], 0);

	assert_int_equal(cs_write(v4_15, "A", "cpuset.cpus", "0-2"), 0);
	assert_steps(&v4_15->last,
		     "+cpuset_lock cpusets:1 affinity:7 +cpus_read_lock generate:1 "
		     "+sched_domains_mutex -sched_domains_mutex -cpus_read_lock "
		     "-cpuset_lock");
	assert_int_equal(v4_15->last.grace_periods[OP_GP_CPUSET], 0);
}

static void a_mutex_waits_for_no_grace_period(void **state)
{
	g_autoptr(cpuset_scene) s = with_tasks("rebuild_v5_4:lock=mutex");

	assert_int_equal(cs_write(s, "A", "cpuset.cpus", "0-2"), 0);
	assert_int_equal(s->last.locks[OP_LOCK_CPUSET], 1);
	assert_int_equal(s->last.grace_periods[OP_GP_CPUSET], 0);
}

static void an_attach_takes_the_cpuset_lock_twice(void **state)
{
	g_autoptr(cpuset_scene) s = with_tasks("rebuild_v5_4");
	g_autoptr(cpuset_scene) dynmods = with_tasks("rebuild_v5_4:favordynmods=1");

	assert_int_equal(cs_attach(s, "A", cs_task(s, "")), 0);
	assert_steps(&s->last,
		     "+cgroup_mutex +cpus_read_lock +cgroup_threadgroup_rwsem "
		     "+cpuset_lock -cpuset_lock +cpuset_lock affinity:1 -cpuset_lock "
		     "-cgroup_threadgroup_rwsem -cpus_read_lock -cgroup_mutex");
	assert_int_equal(s->last.grace_periods[OP_GP_THREADGROUP], 1);
	assert_int_equal(s->last.grace_periods[OP_GP_CPUSET], 2);

	assert_int_equal(cs_attach(dynmods, "A", cs_task(dynmods, "")), 0);
	assert_int_equal(dynmods->last.grace_periods[OP_GP_THREADGROUP], 0);
	assert_int_equal(dynmods->last.grace_periods[OP_GP_CPUSET], 2);
}

static void a_refused_attach_stops_after_the_first(void **state)
{
	g_autoptr(cpuset_scene) s = with_tasks("rebuild_v6_5");
	struct cpuset_task *ct = cs_task(s, "");

	ct->no_setaffinity = true;
	assert_int_equal(cs_attach(s, "A", ct), -EINVAL);
	assert_int_equal(s->last.locks[OP_LOCK_CPUSET], 1);
	assert_int_equal(s->last.err, -EINVAL);
}

static void setscheduler_reads_under_the_rwsem(void **state)
{
	static const struct {
		const char *policy;
		unsigned of_normal, of_deadline;
		enum op_lock lock;
	} cases[] = {
		{"rebuild_v4_15", 0, 0, OP_LOCK_CPUSET},
		{"rebuild_v5_4", 1, 1, OP_LOCK_CPUSET_READ},
		{"rebuild_v6_5", 0, 1, OP_LOCK_CPUSET},
	};
	const struct sched_attr fifo = {.sched_policy = POLICY_FIFO,
					.sched_priority = 1};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(cpuset_scene) s = V1(cases[i].policy);
		struct cpuset_task *ct = cs_task(s, "");
		g_auto(op_result) result = {0};

		assert_int_equal(cpuset_setattr(ct, &fifo, &result), 0);
		assert_int_equal(result.locks[cases[i].lock], cases[i].of_normal);
		assert_int_equal(cs_setattr(s, ct, 1000, 10000), 0);
		assert_int_equal(s->last.locks[cases[i].lock], cases[i].of_deadline);
		assert_int_equal(s->last.grace_periods[OP_GP_CPUSET], 0);
		/* Leaving the class is about it as well. */
		op_result_clear(&result);
		assert_int_equal(cpuset_setattr(ct, &fifo, &result), 0);
		assert_int_equal(result.locks[cases[i].lock], cases[i].of_deadline);
	}
}

/* Two caches of two CPUs: each CPU has MC and DIE, so 4 x 2; then 2 x 1 each. */
static void domains_cost_by_cpus_and_levels(void **state)
{
	g_autoptr(cpuset_scene) s = V1("rebuild_v4_15");

	cs_mkdir(s, "A", "0-1");
	cs_mkdir(s, "B", "2-3");
	assert_int_equal(cs_write(s, "", "cpuset.sched_load_balance", "0"), 0);
	assert_domains(s, "0-1 2-3");
	assert_steps(&s->last,
		     "+cpuset_lock +cpus_read_lock generate:3 +sched_domains_mutex "
		     "detach:8 build:4 -sched_domains_mutex -cpus_read_lock "
		     "-cpuset_lock");
	assert_int_equal(s->last.domains_destroyed, 1);
	assert_int_equal(s->last.domains_built, 2);
}

static void a_governor_renews_performance_domains(void **state)
{
	g_autoptr(cpuset_scene) s = V1("rebuild_v3");

	cs_governor_change(s);
	assert_steps(&s->last,
		     "+cpus_read_lock +cpuset_lock generate:1 +sched_domains_mutex "
		     "performance domains:1 -sched_domains_mutex -cpuset_lock "
		     "-cpus_read_lock");
}

static void a_cpu_that_goes_off_waits_for_rcu_and_its_work_for_locks(void **state)
{
	g_autoptr(cpuset_scene) async = with_tasks("rebuild_v6_5");
	g_autoptr(cpuset_scene) sync = with_tasks("rebuild_v6_15");

	assert_int_equal(cs_cpu_down(async, 3), 0);
	assert_int_equal(async->last.grace_periods[OP_GP_HOTPLUG], 1);
	assert_steps(&async->last,
		     "+cpus_write_lock grace period:1 cpu off:1 -cpus_write_lock "
		     "+cpuset_lock -cpuset_lock +cpuset_lock cpusets:1 affinity:7 "
		     "-cpuset_lock +cpus_read_lock +cpuset_lock generate:1 "
		     "+sched_domains_mutex detach:8 build:5 walk cpusets:2 "
		     "-sched_domains_mutex -cpuset_lock -cpus_read_lock");
	/* From 6.10 on whoever takes the CPU off does it all. */
	assert_int_equal(cs_cpu_down(sync, 3), 0);
	assert_steps(&sync->last,
		     "+cpus_write_lock grace period:1 +cpuset_lock -cpuset_lock "
		     "+cpuset_lock cpusets:1 affinity:7 -cpuset_lock +cpuset_lock "
		     "generate:1 +sched_domains_mutex detach:8 build:5 walk cpusets:2 "
		     "-sched_domains_mutex -cpuset_lock cpu off:1 -cpus_write_lock");
}

/*
 * Up to 6.9 whoever does the work moves the tasks of v1's empty cpusets, and takes the
 * locks for it though there are none; from 6.10 on a worker does, if there are any,
 * once the CPU is off.
 */
static void an_empty_cpuset_is_left_with_all_locks_of_an_attach(void **state)
{
	g_autoptr(cpuset_scene) async = V1("rebuild_v6_5");
	g_autoptr(cpuset_scene) sync = V1("rebuild_v6_15");
	struct cpuset_task *ct;

	cs_mkdir(async, "A", "3");
	assert_int_equal(cs_cpu_down(async, 3), 0);
	assert_int_equal(async->last.locks[OP_LOCK_CGROUP_MUTEX], 1);
	assert_int_equal(async->last.locks[OP_LOCK_THREADGROUP], 1);
	assert_int_equal(async->last.grace_periods[OP_GP_THREADGROUP], 1);

	cs_mkdir(sync, "A", "3");
	ct = cs_task(sync, "A");
	assert_int_equal(cs_cpu_down(sync, 3), 0);
	assert_ptr_equal(ct->cs, sync->sys->root);
	assert_int_equal(sync->last.locks[OP_LOCK_CGROUP_MUTEX], 0);
	assert_int_equal(sync->last.locks[OP_LOCK_CPUS_READ], 0);
	assert_int_equal(sync->last.grace_periods[OP_GP_THREADGROUP], 0);
}

static void the_cpuset_lock_is_part_of_a_suspend_since_6_15(void **state)
{
	g_autoptr(cpuset_scene) v6_5 = V1("rebuild_v6_5"), v6_15 = V1("rebuild_v6_15");
	g_auto(op_result) before = {0}, after = {0};

	assert_int_equal(cpuset_suspend_cpu(v6_5->sys, 3, &before), 0);
	assert_int_equal(before.locks[OP_LOCK_CPUSET], 0);
	assert_int_equal(before.locks[OP_LOCK_SCHED_DOMAINS], 1);
	assert_int_equal(cpuset_suspend_cpu(v6_15->sys, 3, &after), 0);
	assert_int_equal(after.locks[OP_LOCK_CPUSET], 1);
}

static uint64_t count_of(const op_result *result, enum op_step_kind kind)
{
	uint64_t count = 0;

	for (guint i = 0; i < result->steps->len; i++) {
		const struct op_step *step =
			&g_array_index(result->steps, struct op_step, i);

		if (step->kind == kind)
			count += step->count;
	}
	return count;
}

/*
 * Three caches of two CPUs.  Ascending leaves {0,2-5}, {0,3-5}, {0,4-5}, {0,5} and {0},
 * with 9, 6, 5, 2 and 0 levels; descending {0-4}, {0-3}, {0-2}, {0-1} and {0}, with 9,
 * 8, 5, 2 and 0.
 */
static void cpus_freeze_in_the_releases_order(void **state)
{
	static const struct {
		const char *policy;
		uint64_t levels;
	} cases[] = {{"rebuild_v6_5", 22}, {"rebuild_v6_15", 24}};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(cpuset_scene) s =
			cpuset_scene_new("1n3l2c1t", CPUSET_V1, cases[i].policy, "");
		g_auto(op_result) result = {0};

		assert_int_equal(cpuset_suspend(s->sys, &result), 0);
		assert_cpus(&s->m->active, "0");
		assert_cpus(&s->sys->frozen_cpus, "1-5");
		assert_int_equal(count_of(&result, OP_STEP_BUILD), cases[i].levels);
		assert_int_equal(result.domains_built, 5);
	}
}

static void results_hold_root_domains_before_and_after(void **state)
{
	g_autoptr(cpuset_scene) s = V1("rebuild_v6_5");
	const struct op_root_domain *rd;

	cs_b10(s, "", 3);
	cs_mkdir(s, "A", "0-1");
	assert_int_equal(cs_write(s, "", "cpuset.sched_load_balance", "0"), 0);
	assert_int_equal(s->last.before->len, 1);
	assert_int_equal(s->last.after->len, 2);
	rd = op_root_domain_of(s->last.before, 2);
	assert_cpus(&rd->span, "0-3");
	assert_false(rd->is_default);
	assert_int_equal(rd->total_bw, 3 * 104857);
	rd = op_root_domain_of(s->last.after, 2);
	assert_cpus(&rd->span, "2-3");
	assert_true(rd->is_default);
	assert_null(op_root_domain_of(s->last.after, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_write_takes_its_locks_in_the_releases_order),
		cmocka_unit_test(a_mutex_waits_for_no_grace_period),
		cmocka_unit_test(an_attach_takes_the_cpuset_lock_twice),
		cmocka_unit_test(a_refused_attach_stops_after_the_first),
		cmocka_unit_test(setscheduler_reads_under_the_rwsem),
		cmocka_unit_test(domains_cost_by_cpus_and_levels),
		cmocka_unit_test(a_governor_renews_performance_domains),
		cmocka_unit_test(
			a_cpu_that_goes_off_waits_for_rcu_and_its_work_for_locks),
		cmocka_unit_test(an_empty_cpuset_is_left_with_all_locks_of_an_attach),
		cmocka_unit_test(the_cpuset_lock_is_part_of_a_suspend_since_6_15),
		cmocka_unit_test(cpus_freeze_in_the_releases_order),
		cmocka_unit_test(results_hold_root_domains_before_and_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
