/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deadline admission as tasks in cpusets meet it: the worked examples G1 to G8 of the
 * model's notes.
 */
#include "test.h"

#include "cpuset_scene.h"
#include "sched/deadline.h"

#include <errno.h>

#define B10 104857ULL
#define SERVER 52428ULL

static cpuset_scene *machine_of(int nr_cpus, const char *policy)
{
	g_autofree char *topology = g_strdup_printf("1n1l%dc1t", nr_cpus);

	return cpuset_scene_new(topology, CPUSET_V1, policy, "");
}

/* Tasks of @runtime_us every @period_us that @s admits; the next is refused. */
static int nr_admitted(cpuset_scene *s, uint64_t runtime_us, uint64_t period_us)
{
	int err;
	int nr = cs_dl_tasks(s, "", 1000, runtime_us, period_us, &err);

	assert_int_equal(err, -EBUSY);
	return nr;
}

static int setattr_of(cpuset_scene *s, const struct sched_attr *attr)
{
	struct cpuset_task *ct = cs_task(s, "");
	int err = cpuset_setattr(ct, attr, NULL);

	cpuset_task_exit(ct);
	return err;
}

static void g1_ratios(void **state)
{
	static const struct {
		uint64_t period, runtime, ratio;
	} cases[] = {
		{1000000, 950000, 996147},
		{100, 10, B10},
		{10, 1, B10},
		{3, 1, 349525},
		{100, 50, 524288},
		{100, 1, 10485},
		{16666666, 5000000, 314572},
		{1000000000, 50000000, SERVER},
		{777, 777, BW_ONE},
		{0, 12345, 0},
		{1000000, RUNTIME_INF, BW_ONE},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_int_equal(to_ratio(cases[i].period, cases[i].runtime),
				 cases[i].ratio);
}

static void g2_limits_by_the_number_of_cpus(void **state)
{
	static const struct {
		int nr_cpus;
		uint64_t limit;
		int tenth, half, most, third;
	} cases[] = {
		{1, 996147, 9, 1, 1, 2},
		{2, 1992294, 19, 3, 2, 5},
		{4, 3984588, 38, 7, 4, 11},
		{8, 7969176, 76, 15, 8, 22},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		static const uint64_t tasks[][2] = {{10000, 100000},
						    {50000, 100000},
						    {95000, 100000},
						    {1000, 3000}};
		const int expected[] = {cases[i].tenth, cases[i].half, cases[i].most,
					cases[i].third};

		for (int k = 0; k < 4; k++) {
			g_autoptr(cpuset_scene) s =
				machine_of(cases[i].nr_cpus, "rebuild_v6_5");
			const struct root_domain *rd = cpu_rq(s->m, 0)->rd;

			assert_int_equal(rd->dl_bw.bw * dl_bw_capacity(s->m, rd) >>
						 CAPACITY_SHIFT,
					 cases[i].limit);
			assert_int_equal(nr_admitted(s, tasks[k][0], tasks[k][1]),
					 expected[k]);
		}
	}
}

static void g3_equality_is_admitted(void **state)
{
	g_autoptr(cpuset_scene) tenths = machine_of(4, "rebuild_v6_5");
	g_autoptr(cpuset_scene) full = machine_of(4, "rebuild_v6_5");

	assert_int_equal(nr_admitted(tenths, 10000, 100000), 38);
	assert_int_equal(total_bw(tenths, 0), 3984566);
	assert_int_equal(nr_admitted(full, 95000, 100000), 4);
	assert_int_equal(total_bw(full, 0), 3984588);
}

static void g4_slow_cpus_count_by_their_capacity(void **state)
{
	static const unsigned capacities[] = {446,  446,  446,  446,
					      1024, 1024, 1024, 1024};
	g_autoptr(cpuset_scene) s = cpuset_scene_asymmetric("1n2l4c1t", capacities,
							    CPUSET_V1, "rebuild_v6_5");

	assert_int_equal(dl_bw_capacity(s->m, cpu_rq(s->m, 0)->rd), 5880);
	assert_int_equal(cpu_rq(s->m, 0)->rd->dl_bw.bw * 5880 >> CAPACITY_SHIFT,
			 5720062);
	assert_int_equal(nr_admitted(s, 10000, 100000), 54);
}

static void g5_a_task_needs_every_cpu_of_its_root_domain(void **state)
{
	g_autoptr(cpuset_scene) s = machine_of(4, "rebuild_v6_5");
	struct cpuset_task *ct = cs_task(s, "");
	struct cpumask two = cpus_of("0-1");

	assert_int_equal(cpuset_setaffinity(ct, &two, NULL), 0);
	assert_int_equal(cs_setattr(s, ct, 10000, 100000), -EPERM);
	/* With the other CPUs off it has them all, and keeps what it got. */
	assert_int_equal(cs_cpu_down(s, 2), 0);
	assert_int_equal(cs_cpu_down(s, 3), 0);
	assert_cpus(&cpu_rq(s->m, 0)->rd->span, "0-1");
	assert_int_equal(cs_setattr(s, ct, 10000, 100000), 0);
	assert_int_equal(cs_cpu_up(s, 2), 0);
	assert_int_equal(cs_cpu_up(s, 3), 0);
	assert_int_equal(ct->task->policy, POLICY_DEADLINE);
	assert_cpus(&ct->task->cpus_mask, "0-1");
	assert_cpus(&cpu_rq(s->m, 0)->rd->span, "0-3");
	assert_int_equal(total_bw(s, 0), B10);
}

static void g5_a_cpuset_smaller_than_the_root_domain_admits_none(void **state)
{
	g_autoptr(cpuset_scene) s = machine_of(4, "rebuild_v6_5");
	int err;

	cs_mkdir(s, "A", "0-1");
	assert_int_equal(cs_dl_tasks(s, "A", 10, 1000, 10000, &err), 0);
	assert_int_equal(err, -EPERM);
}

static void g6_figures_that_make_no_reservation(void **state)
{
	g_autoptr(cpuset_scene) s = machine_of(4, "rebuild_v6_5");
	const struct sched_attr good = {
		.sched_policy = POLICY_DEADLINE,
		.sched_runtime = 1024,
		.sched_deadline = 100000,
		.sched_period = 100000,
	};
	struct sched_attr attr = good;

	assert_int_equal(setattr_of(s, &attr), 0);
	attr.sched_runtime = 1023;
	assert_int_equal(setattr_of(s, &attr), -EINVAL);
	attr = good;
	attr.sched_deadline = attr.sched_period = 99 * NSEC_PER_USEC;
	assert_int_equal(setattr_of(s, &attr), -EINVAL);
	attr = good;
	attr.sched_period = 4194304 * NSEC_PER_USEC;
	assert_int_equal(setattr_of(s, &attr), 0);
	attr.sched_period = 4194305 * NSEC_PER_USEC;
	assert_int_equal(setattr_of(s, &attr), -EINVAL);
	attr = good;
	attr.sched_deadline = attr.sched_period + 1;
	assert_int_equal(setattr_of(s, &attr), -EINVAL);
}

static void g7_the_limit_falls_no_further_than_what_is_promised(void **state)
{
	g_autoptr(cpuset_scene) s = machine_of(4, "rebuild_v6_5");
	int err;

	cs_b10(s, "", 16);
	assert_int_equal(total_bw(s, 0), 1677712);
	assert_int_equal(cpuset_set_rt_limit(s->sys, 1000000, 500000, NULL), 0);
	assert_int_equal(cpu_rq(s->m, 0)->rd->dl_bw.bw, 524288);
	assert_int_equal(cpuset_set_rt_limit(s->sys, 1000000, 300000, NULL), -EBUSY);
	assert_int_equal(cpu_rq(s->m, 0)->rd->dl_bw.bw, 524288);
	assert_int_equal(
		cpuset_set_rt_limit(s->sys, 1000000, RT_RUNTIME_UNLIMITED, NULL), 0);
	assert_int_equal(cs_dl_tasks(s, "", 200, 50000, 100000, &err), 200);
}

/* Also one made after the limit was. */
static void g7_the_limit_holds_in_every_root_domain(void **state)
{
	g_autoptr(cpuset_scene) s = machine_of(4, "rebuild_v6_5");
	int err;

	assert_int_equal(cpuset_set_rt_limit(s->sys, 1000000, 500000, NULL), 0);
	cs_mkdir(s, "A", "0-1");
	assert_int_equal(cs_write(s, "", "cpuset.sched_load_balance", "0"), 0);
	assert_int_equal(cs_dl_tasks(s, "A", 100, 10000, 100000, &err), 10);
	assert_int_equal(err, -EBUSY);
	assert_int_equal(cpuset_set_rt_limit(s->sys, 1000000, 450000, NULL), -EBUSY);
	assert_int_equal(cpuset_set_rt_limit(s->sys, 1000000, 550000, NULL), 0);
	assert_int_equal(cs_dl_tasks(s, "A", 100, 10000, 100000, &err), 1);
}

static void g8_fair_servers_have_their_part(void **state)
{
	g_autoptr(cpuset_scene) s = machine_of(4, "rebuild_v6_14");

	assert_int_equal(total_bw(s, 0), 209712);
	assert_int_equal(nr_admitted(s, 10000, 100000), 36);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(g1_ratios),
		cmocka_unit_test(g2_limits_by_the_number_of_cpus),
		cmocka_unit_test(g3_equality_is_admitted),
		cmocka_unit_test(g4_slow_cpus_count_by_their_capacity),
		cmocka_unit_test(g5_a_task_needs_every_cpu_of_its_root_domain),
		cmocka_unit_test(g5_a_cpuset_smaller_than_the_root_domain_admits_none),
		cmocka_unit_test(g6_figures_that_make_no_reservation),
		cmocka_unit_test(g7_the_limit_falls_no_further_than_what_is_promised),
		cmocka_unit_test(g7_the_limit_holds_in_every_root_domain),
		cmocka_unit_test(g8_fair_servers_have_their_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
