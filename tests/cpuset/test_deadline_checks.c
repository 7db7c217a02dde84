/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations that deadline tasks may refuse, and what they leave behind: the worked
 * examples G29 to G37 of the model's notes.  G31 is the log of a real machine.
 */
#include "test.h"

#include "cpuset_scene.h"

#include <errno.h>

#define B10 104857ULL
#define SERVER 52428ULL

static cpuset_scene *v1(const char *topology, const char *policy)
{
	return cpuset_scene_new(topology, CPUSET_V1, policy, "");
}

static void set(cpuset_scene *s, const char *path, const char *file, const char *text)
{
	assert_int_equal(cs_write(s, path, file, text), 0);
}

static void admit(cpuset_scene *s, int nr, uint64_t runtime_us)
{
	int err;

	assert_int_equal(cs_dl_tasks(s, "", nr, runtime_us, 100000, &err), nr);
}

/* CPUs that go off */

static void g29_the_cpus_left_must_be_enough(void **state)
{
	g_autoptr(cpuset_scene) just = v1("1n1l4c1t", "rebuild_v6_5");
	g_autoptr(cpuset_scene) over = v1("1n1l4c1t", "rebuild_v6_5");

	admit(just, 3, 95000);
	assert_int_equal(total_bw(just, 0), 2988441);
	assert_int_equal(cs_cpu_down(just, 3), 0);

	admit(over, 3, 95000);
	admit(over, 1, 1000);
	assert_int_equal(total_bw(over, 0), 2998926);
	assert_int_equal(cs_cpu_down(over, 3), -EBUSY);
	assert_true(cpumask_test(&over->m->active, 3));
	/* In 6.1 nobody pushes there any more, until its domains change. */
	assert_false(cpumask_test(&over->m->rd.online, 3));
	assert_true(cpumask_test(&over->sys->online, 3));
	assert_domains(over, "0-3");
}

static void g29_tenths_of_a_cpu(void **state)
{
	g_autoptr(cpuset_scene) s = v1("1n1l4c1t", "rebuild_v6_5");

	cs_b10(s, "", 28);
	assert_int_equal(total_bw(s, 0), 2935996);
	assert_int_equal(cs_cpu_down(s, 3), 0);
	assert_int_equal(cs_cpu_up(s, 3), 0);
	cs_b10(s, "", 1);
	assert_int_equal(total_bw(s, 0), 3040853);
	assert_int_equal(cs_cpu_down(s, 3), -EBUSY);
}

static void g29_up_to_6_13_a_suspend_does_not_ask(void **state)
{
	g_autoptr(cpuset_scene) s = v1("1n1l4c1t", "rebuild_v6_5");

	cs_b10(s, "", 29);
	assert_int_equal(cpuset_suspend_cpu(s->sys, 3, NULL), 0);
	assert_int_equal(cpuset_resume_cpu(s->sys, 3, NULL), 0);
}

static void g30_the_last_cpu_of_a_root_domain_stays(void **state)
{
	static const char *const policies[] = {"rebuild_v6_5", "rebuild_v6_14"};

	for (size_t i = 0; i < G_N_ELEMENTS(policies); i++) {
		g_autoptr(cpuset_scene) s = v1("1n1l4c1t", policies[i]);

		cs_mkdir(s, "A", "3");
		cs_mkdir(s, "B", "0-2");
		set(s, "", "cpuset.sched_load_balance", "0");
		assert_domains(s, "3 0-2");
		cs_b10(s, "A", 1);
		assert_int_equal(cs_cpu_down(s, 3), -EBUSY);
		assert_int_equal(cs_cpu_down(s, 2), 0);
	}
}

/*
 * source: the log of a Tegra board, January 2025: each CPU that passes through the
 * default root domain leaves its server's bandwidth there.
 */
static void g31_servers_left_behind_fail_a_suspend(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l6c1t", CPUSET_V1, "rebuild_v6_14", "1-2");

	assert_int_equal(total_bw(s, 0), 209712);
	assert_int_equal(cpuset_suspend_cpu(s->sys, 5, NULL), 0);
	assert_int_equal(total_bw(s, 0), 157284);
	assert_int_equal(cpuset_suspend_cpu(s->sys, 4, NULL), 0);
	assert_int_equal(total_bw(s, 0), 104856);
	assert_int_equal(cpuset_suspend_cpu(s->sys, 3, NULL), 0);
	assert_int_equal(total_bw(s, 2), 576708);
	assert_int_equal(cpuset_suspend_cpu(s->sys, 2, NULL), 0);
	assert_int_equal(cpuset_suspend_cpu(s->sys, 1, NULL), -EBUSY);
}

static void g31_the_whole_suspend_is_refused_and_undone(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l6c1t", CPUSET_V1, "rebuild_v6_14", "1-2");

	assert_int_equal(cpuset_suspend(s->sys, NULL), -EBUSY);
	assert_cpus(&s->m->active, "0-5");
	assert_domains(s, "0,3-5");
}

static void g31_with_right_totals_it_succeeds(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l6c1t", CPUSET_V1, "rebuild_v6_15", "1-2");

	for (int cpu = 5; cpu >= 3; cpu--)
		assert_int_equal(cpuset_suspend_cpu(s->sys, cpu, NULL), 0);
	assert_int_equal(total_bw(s, 2), 104856);
	assert_int_equal(cpuset_suspend_cpu(s->sys, 2, NULL), 0);
	assert_int_equal(total_bw(s, 1), 52428);
	assert_int_equal(cpuset_suspend_cpu(s->sys, 1, NULL), 0);
}

/* Cpusets that shrink */

static void g32_an_exclusive_cpuset_keeps_room_for_its_tasks(void **state)
{
	g_autoptr(cpuset_scene) s = v1("1n1l4c1t", "rebuild_v6_5");

	cs_mkdir(s, "A", "0-3");
	set(s, "A", "cpuset.cpu_exclusive", "1");
	cs_b10(s, "A", 10);
	assert_int_equal(cs_write(s, "A", "cpuset.cpus", "0"), -EBUSY);
	assert_file(s, "A", "cpuset.cpus", "0-3");
	assert_int_equal(cs_write(s, "A", "cpuset.cpus", "0-1"), 0);
}

static void g32_nine_tenths_fit_one_cpu(void **state)
{
	g_autoptr(cpuset_scene) s = v1("1n1l4c1t", "rebuild_v6_5");

	cs_mkdir(s, "A", "0-3");
	set(s, "A", "cpuset.cpu_exclusive", "1");
	cs_b10(s, "A", 9);
	assert_int_equal(cs_write(s, "A", "cpuset.cpus", "0"), 0);
}

static void g32_one_that_shares_is_not_asked(void **state)
{
	g_autoptr(cpuset_scene) s = v1("1n1l4c1t", "rebuild_v6_5");

	cs_mkdir(s, "A", "0-3");
	cs_b10(s, "A", 10);
	assert_int_equal(cs_write(s, "A", "cpuset.cpus", "0"), 0);
}

/* v2 may ask for CPUs that are off; they hold nothing. */
static void what_is_off_does_not_count(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l4c1t", CPUSET_V2, "rebuild_v6_5", "");

	cs_mkdir(s, "P", "0-1");
	set(s, "P", "cpuset.cpus.partition", "root");
	cs_b10(s, "P", 10);
	assert_int_equal(cs_cpu_down(s, 3), 0);
	assert_int_equal(cs_write(s, "P", "cpuset.cpus", "0,3"), -EBUSY);
	assert_int_equal(cs_write(s, "P", "cpuset.cpus", "0-1,3"), 0);
}

/* Tasks that move */

struct moves {
	cpuset_scene *s;
	struct cpuset_task *a[4];
};

/* Root domains A 0-1 with four and B 2-3 with eighteen tasks of 10/100. */
static struct moves two_root_domains(const char *policy)
{
	struct moves m = {.s = v1("1n1l4c1t", policy)};
	int err;

	cs_mkdir(m.s, "A", "0-1");
	cs_mkdir(m.s, "B", "2-3");
	set(m.s, "", "cpuset.sched_load_balance", "0");
	for (int i = 0; i < 4; i++)
		m.a[i] = cs_dl_task(m.s, "A", 10000, 100000, &err);
	cs_b10(m.s, "B", 18);
	assert_int_equal(total_bw(m.s, 0), 419428);
	assert_int_equal(total_bw(m.s, 2), 1887426);
	return m;
}

static void g33_bandwidth_moves_with_the_task(void **state)
{
	static const char *const policies[] = {"rebuild_v5_4", "rebuild_v6_5",
					       "rebuild_v6_5:reserve=root_domains"};

	for (size_t i = 0; i < G_N_ELEMENTS(policies); i++) {
		struct moves m = two_root_domains(policies[i]);

		assert_int_equal(cs_attach(m.s, "B", m.a[0]), 0);
		assert_int_equal(total_bw(m.s, 2), 1992283);
		assert_int_equal(total_bw(m.s, 0), 314571);
		assert_int_equal(cs_find(m.s, "A")->nr_deadline_tasks, 3);
		assert_int_equal(cs_find(m.s, "B")->nr_deadline_tasks, 19);
		cpuset_scene_free(m.s);
	}
}

static void g33_two_at_once_do_not_fit(void **state)
{
	static const struct {
		const char *policy;
		uint64_t b_after;
	} cases[] = {
		{"rebuild_v6_5", 1887426},
		{"rebuild_v6_5:reserve=root_domains", 1887426},
		/* What was reserved for the first is not given back. */
		{"rebuild_v5_4", 1992283},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct moves m = two_root_domains(cases[i].policy);

		assert_int_equal(cpuset_attach(cs_find(m.s, "B"), m.a, 2, NULL),
				 -EBUSY);
		assert_int_equal(total_bw(m.s, 2), cases[i].b_after);
		assert_int_equal(total_bw(m.s, 0), 419428);
		assert_ptr_equal(m.a[0]->cs, cs_find(m.s, "A"));
		assert_int_equal(cs_find(m.s, "B")->attach_in_progress, 0);
		assert_int_equal(cs_find(m.s, "B")->nr_migrate_dl_tasks, 0);
		cpuset_scene_free(m.s);
	}
}

static void g34_within_a_root_domain_bandwidth_is_counted_twice(void **state)
{
	static const struct {
		const char *policy;
		uint64_t total;
	} cases[] = {
		{"rebuild_v5_4", B10},
		{"rebuild_v6_5", 2 * B10},
		{"rebuild_v6_5:reserve=root_domains", B10},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(cpuset_scene) s = v1("1n1l4c1t", cases[i].policy);
		struct cpuset_task *ct;
		int err;

		ct = cs_dl_task(s, "", 10000, 100000, &err);
		cs_mkdir(s, "A", "0-1");
		cs_mkdir(s, "B", "2-3");
		assert_int_equal(cs_attach(s, "A", ct), 0);
		assert_int_equal(total_bw(s, 0), B10);
		assert_int_equal(cs_attach(s, "B", ct), 0);
		assert_int_equal(total_bw(s, 0), cases[i].total);
		/* A later walk finds the truth. */
		set(s, "A", "cpuset.cpus", "0");
		assert_int_equal(total_bw(s, 0), B10);
	}
}

/* A process with a thread in A and one in B moves to C; another of A stays. */
static void g35_all_are_counted_as_having_come_from_one_place(void **state)
{
	g_autoptr(cpuset_scene) s = v1("1n1l4c1t", "rebuild_v6_5");
	struct cpuset_task *process[2];
	int err;

	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "B", "0-3");
	cs_mkdir(s, "C", "0-3");
	process[0] = cs_dl_task(s, "A", 10000, 100000, &err);
	process[1] = cs_dl_task(s, "B", 10000, 100000, &err);
	cs_b10(s, "A", 1);
	assert_int_equal(cpuset_attach(cs_find(s, "C"), process, 2, NULL), 0);
	assert_int_equal(cs_find(s, "A")->nr_deadline_tasks, 0);
	assert_int_equal(cs_find(s, "B")->nr_deadline_tasks, 1);
	assert_int_equal(cs_find(s, "C")->nr_deadline_tasks, 2);
	assert_int_equal(total_bw(s, 0), 3 * B10);

	/* A counts none, so the walk misses the one that is there. */
	set(s, "B", "cpuset.cpus", "0-2");
	assert_int_equal(total_bw(s, 0), 2 * B10);
	assert_int_equal(op_bw_fault(op_root_domain_of(s->last.after, 0)), BW_LOST);
}

/* HK is 0 and 10; a task of 10/100 last ran on 10 and sleeps. */
static cpuset_scene *twelve_cpus(const char *policy)
{
	cpuset_scene *s = cpuset_scene_new("1n1l12c1t", CPUSET_V2, policy, "1-9,11");
	struct cpuset_task *ct;
	int err;

	assert_domains(s, "0,10");
	ct = cs_dl_task(s, "", 10000, 100000, &err);
	assert_non_null(ct);
	set_task_cpu(s->m, ct->task, 10);
	for (int cpu = 1; cpu <= 10; cpu++)
		assert_int_equal(cs_cpu_down(s, cpu), 0);
	return s;
}

static void g36_a_task_that_sleeps_on_a_dead_cpu_counts_elsewhere(void **state)
{
	g_autoptr(cpuset_scene) s = twelve_cpus("rebuild_v6_17");

	assert_int_equal(total_bw(s, 0), SERVER);
	assert_int_equal(total_bw(s, 11), B10 + SERVER);
	assert_int_equal(op_bw_fault(op_root_domain_of(s->last.after, 0)), BW_LOST);
	assert_int_equal(op_bw_fault(op_root_domain_of(s->last.after, 11)), BW_EXCESS);
	assert_int_equal(cs_cpu_down(s, 11), -EBUSY);
}

static void g36_since_6_19_it_counts_where_it_may_run(void **state)
{
	g_autoptr(cpuset_scene) s = twelve_cpus("rebuild_v6_19");

	assert_int_equal(total_bw(s, 0), B10 + SERVER);
	assert_int_equal(total_bw(s, 11), SERVER);
	assert_int_equal(cs_cpu_down(s, 11), 0);
}

/* The first accounting is that of boot. */
static void g37_each_rebuild_takes_the_servers_share_again(void **state)
{
	g_autoptr(cpuset_scene) s = v1("1n1l2c1t", "rebuild_v6_15");
	g_autoptr(cpuset_scene) fixed = v1("1n1l2c1t", "rebuild_v6_17");
	static const uint64_t drift[] = {943719, 891291, 838863};

	for (int i = 0; i < 3; i++) {
		if (i) {
			cs_governor_change(s);
			cs_governor_change(fixed);
		}
		for (int cpu = 0; cpu < 2; cpu++) {
			assert_int_equal(cpu_rq(s->m, cpu)->dl.extra_bw, drift[i]);
			assert_int_equal(cpu_rq(fixed->m, cpu)->dl.extra_bw, 943719);
		}
		assert_int_equal(total_bw(s, 0), 2 * SERVER);
	}
}

/*
 * A task of 10/100 last ran on CPU 2, isolated as CPU 3 is, which is off: each walk
 * takes the half of 104857 from what CPU 2 lets others reclaim.
 */
static void a_walk_divides_by_cpus_that_are_off_too(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l4c1t", CPUSET_V1, "rebuild_v6_5", "2-3");
	struct cpuset_task *ct;
	uint64_t before;
	int err;

	ct = cs_dl_task(s, "", 10000, 100000, &err);
	assert_non_null(ct);
	set_task_cpu(s->m, ct->task, 2);
	assert_int_equal(cs_cpu_down(s, 3), 0);
	before = cpu_rq(s->m, 2)->dl.extra_bw;
	cs_governor_change(s);
	assert_int_equal(cpu_rq(s->m, 2)->dl.extra_bw, before - 52428);
}

/* Of CPUs 0 and 1, which have domains, one stays, though 2 and 3, isolated, are on. */
static void the_last_cpu_that_has_a_domain_stays(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l4c1t", CPUSET_V1, "rebuild_v6_5", "2-3");

	assert_int_equal(cs_cpu_down(s, 0), 0);
	assert_int_equal(cs_cpu_down(s, 1), -EBUSY);
	assert_true(cpumask_test(&s->sys->online, 1));
	assert_int_equal(cs_cpu_down(s, 2), 0);
	assert_int_equal(cs_cpu_up(s, 0), 0);
	assert_int_equal(cs_cpu_down(s, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(g29_the_cpus_left_must_be_enough),
		cmocka_unit_test(g29_tenths_of_a_cpu),
		cmocka_unit_test(g29_up_to_6_13_a_suspend_does_not_ask),
		cmocka_unit_test(g30_the_last_cpu_of_a_root_domain_stays),
		cmocka_unit_test(g31_servers_left_behind_fail_a_suspend),
		cmocka_unit_test(g31_the_whole_suspend_is_refused_and_undone),
		cmocka_unit_test(g31_with_right_totals_it_succeeds),
		cmocka_unit_test(g32_an_exclusive_cpuset_keeps_room_for_its_tasks),
		cmocka_unit_test(g32_nine_tenths_fit_one_cpu),
		cmocka_unit_test(g32_one_that_shares_is_not_asked),
		cmocka_unit_test(what_is_off_does_not_count),
		cmocka_unit_test(g33_bandwidth_moves_with_the_task),
		cmocka_unit_test(g33_two_at_once_do_not_fit),
		cmocka_unit_test(g34_within_a_root_domain_bandwidth_is_counted_twice),
		cmocka_unit_test(g35_all_are_counted_as_having_come_from_one_place),
		cmocka_unit_test(g36_a_task_that_sleeps_on_a_dead_cpu_counts_elsewhere),
		cmocka_unit_test(g36_since_6_19_it_counts_where_it_may_run),
		cmocka_unit_test(g37_each_rebuild_takes_the_servers_share_again),
		cmocka_unit_test(the_last_cpu_that_has_a_domain_stays),
		cmocka_unit_test(a_walk_divides_by_cpus_that_are_off_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
