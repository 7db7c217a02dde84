/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people reported of deadline tasks in cpusets.  The numbers are those of
 * README.md; tests/cpuset has more of the kind.
 */
#include "test.h"

#include "cpuset_scene.h"

#include <errno.h>

#define B10 104857ULL   /* 10 of 100 ms */
#define SERVER 52428ULL /* of a CPU's fair tasks: 50 ms of 1 s */

/*
 * https://lore.kernel.org/r/20220803015451.2219567-1-longman@redhat.com: a deadline
 * task that is moved to a cpuset without CPUs of its own made the kernel look for room
 * on none.  It has the parent's CPUs, and is counted there; v1 refuses it.
 */
static void report_84_a_cpuset_without_cpus_has_its_parents(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l4c1t", CPUSET_V2, "rebuild_v3", "");
	int err;

	cs_mkdir(s, "A", "");
	assert_int_equal(cs_attach(s, "A", cs_dl_task(s, "", 10000, 100000, &err)), 0);
	assert_int_equal(err, 0);
	assert_cpus(&cs_find(s, "A")->effective_cpus, "0-3");
	assert_int_equal(total_bw(s, 0), B10);
	/* 3.8 CPUs are the limit: 37 more of a tenth. */
	assert_int_equal(cs_dl_tasks(s, "A", 50, 10000, 100000, &err), 37);
	assert_int_equal(err, -EBUSY);
}

static void report_84_in_v1_it_takes_no_task(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l4c1t", CPUSET_V1, "rebuild_v3", "");
	int err;

	cs_mkdir(s, "A", "");
	assert_int_equal(cs_attach(s, "A", cs_dl_task(s, "", 10000, 100000, &err)),
			 -ENOSPC);
	assert_int_equal(total_bw(s, 0), B10);
}

static void balance(cpuset_scene *s, bool together)
{
	assert_int_equal(
		cs_write(s, "", "cpuset.sched_load_balance", together ? "1" : "0"), 0);
	assert_domains(s, together ? "0-3" : "0-1 2-3");
}

/* Four CPUs in two cpusets, of which A has two deadline tasks and B has one. */
static cpuset_scene *split_machine(const char *policy)
{
	cpuset_scene *s = cpuset_scene_new("1n1l4c1t", CPUSET_V1, policy, "");

	cs_mkdir(s, "A", "0-1");
	cs_mkdir(s, "B", "2-3");
	balance(s, false);
	cs_b10(s, "A", 2);
	cs_b10(s, "B", 1);
	return s;
}

/*
 * Kernels 2ff899e35164, of v6.14, and fcc9276c4d33, of v6.17: totals, and what may be
 * reclaimed, were not what they had been after the domains were built anew.
 */
static void report_89_nothing_drifts_when_domains_come_and_go(void **state)
{
	g_autoptr(cpuset_scene) s = split_machine("rebuild_v6_17");
	uint64_t extra[4];

	for (int cpu = 0; cpu < 4; cpu++)
		extra[cpu] = cpu_rq(s->m, cpu)->dl.extra_bw;
	for (int i = 0; i < 100; i++) {
		balance(s, true);
		assert_int_equal(total_bw(s, 0), 3 * B10 + 4 * SERVER);
		balance(s, false);
		assert_int_equal(total_bw(s, 0), 2 * B10 + 2 * SERVER);
		assert_int_equal(total_bw(s, 2), B10 + 2 * SERVER);
	}
	for (int cpu = 0; cpu < 4; cpu++)
		assert_int_equal(cpu_rq(s->m, cpu)->dl.extra_bw, extra[cpu]);
}

/* Before that only totals were built anew: each round takes off more. */
static void report_89_before_what_may_be_reclaimed_fell(void **state)
{
	g_autoptr(cpuset_scene) s = split_machine("rebuild_v6_5");
	uint64_t extra = cpu_rq(s->m, 0)->dl.extra_bw;

	/* Once for all four CPUs, a quarter of each task, and once for two, a half. */
	balance(s, true);
	assert_int_equal(total_bw(s, 0), 3 * B10);
	extra -= 3 * (B10 / 4);
	assert_int_equal(cpu_rq(s->m, 0)->dl.extra_bw, extra);
	balance(s, false);
	assert_int_equal(total_bw(s, 0), 2 * B10);
	assert_int_equal(total_bw(s, 2), B10);
	extra -= 2 * (B10 / 2);
	assert_int_equal(cpu_rq(s->m, 0)->dl.extra_bw, extra);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(report_84_a_cpuset_without_cpus_has_its_parents),
		cmocka_unit_test(report_84_in_v1_it_takes_no_task),
		cmocka_unit_test(report_89_nothing_drifts_when_domains_come_and_go),
		cmocka_unit_test(report_89_before_what_may_be_reclaimed_fell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
