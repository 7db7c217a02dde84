/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs are balanced together: the worked examples G9 to G15 of the model's notes,
 * computed there with a small model of generate_sched_domains(), and a few of their
 * neighbours worked out by hand from the kernel's source.
 */
#include "test.h"

#include "cpuset_scene.h"
#include "model/machine_new.h"

#define V1_12 cpuset_scene_new("2n1l6c1t", CPUSET_V1, "rebuild_v6_5", "")

static void balance_root(cpuset_scene *s, const char *on)
{
	assert_int_equal(cs_write(s, "", "cpuset.sched_load_balance", on), 0);
}

static void set(cpuset_scene *s, const char *path, const char *file, const char *text)
{
	assert_int_equal(cs_write(s, path, file, text), 0);
}

static int relax_level(const cpuset_scene *s, guint i)
{
	return g_array_index(s->sys->doms_cur, struct sched_dom, i).relax_domain_level;
}

static void g9_with_the_root_balanced_children_do_not_matter(void **state)
{
	g_autoptr(cpuset_scene) s = V1_12;

	assert_domains(s, "0-11");
	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "A/A1", "0-1");
	cs_mkdir(s, "B", "2-7");
	set(s, "B", "cpuset.sched_load_balance", "0");
	assert_domains(s, "0-11");
}

static void g10_cpusets_that_meet_are_one_domain(void **state)
{
	g_autoptr(cpuset_scene) s = V1_12;

	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "B", "2-5");
	cs_mkdir(s, "C", "6-7");
	cs_mkdir(s, "D", "8-9");
	set(s, "D", "cpuset.sched_load_balance", "0");
	balance_root(s, "0");
	assert_domains(s, "0-5 6-7");
	for (int cpu = 8; cpu < 12; cpu++)
		assert_alone(s, cpu);
	assert_cpus(&s->m->def_root_domain.span, "8-11");
}

static void g11_meeting_through_a_third_is_enough(void **state)
{
	g_autoptr(cpuset_scene) s = V1_12;

	balance_root(s, "0");
	cs_mkdir(s, "A", "0-1");
	cs_mkdir(s, "B", "2-3");
	assert_domains(s, "0-1 2-3");
	cs_mkdir(s, "X", "1-2");
	assert_domains(s, "0-3");
	/* And apart again. */
	assert_int_equal(cs_rmdir(s, "X"), 0);
	assert_domains(s, "0-1 2-3");
}

static void g12_children_count_where_their_parent_is_not_balanced(void **state)
{
	g_autoptr(cpuset_scene) s = V1_12;

	balance_root(s, "0");
	cs_mkdir(s, "A", "0-7");
	cs_mkdir(s, "A/A1", "0-3");
	cs_mkdir(s, "A/A2", "4-7");
	assert_domains(s, "0-7");
	set(s, "A", "cpuset.sched_load_balance", "0");
	assert_domains(s, "0-3 4-7");
}

static void g13_a_domain_has_the_highest_relax_level_of_its_cpusets(void **state)
{
	g_autoptr(cpuset_scene) s = V1_12;

	assert_int_equal(domains_level_max(s->m), 4);
	balance_root(s, "0");
	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "A/A1", "0-1");
	cs_mkdir(s, "A/A2", "2-3");
	set(s, "A", "cpuset.sched_relax_domain_level", "1");
	set(s, "A/A1", "cpuset.sched_relax_domain_level", "3");
	set(s, "A/A2", "cpuset.sched_load_balance", "0");
	set(s, "A/A2", "cpuset.sched_relax_domain_level", "5");
	assert_domains(s, "0-3");
	assert_int_equal(relax_level(s, 0), 3);

	/* The CPUs are the same, and yet it is another domain. */
	set(s, "A/A1", "cpuset.sched_relax_domain_level", "1");
	assert_domains(s, "0-3");
	assert_int_equal(relax_level(s, 0), 1);
	assert_int_equal(s->last.domains_destroyed, 1);
	assert_int_equal(s->last.domains_built, 1);
	assert_int_equal(cpu_rq(s->m, 0)->sd->level, 1);
	assert_false(cpu_rq(s->m, 0)->sd->flags & SD_BALANCE_NEWIDLE);
}

static void g14_isolated_cpus_are_never_balanced(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l6c1t", CPUSET_V1, "rebuild_v6_5", "1-2");

	assert_domains(s, "0,3-5");
	assert_alone(s, 1);
	assert_alone(s, 2);
	balance_root(s, "0");
	assert_domains(s, "");
	cs_mkdir(s, "A", "1-2");
	cs_mkdir(s, "B", "0,3");
	assert_domains(s, "0,3");

	assert_int_equal(cs_rmdir(s, "A"), 0);
	set(s, "B", "cpuset.cpus", "1-2");
	cs_mkdir(s, "A", "0-3");
	assert_domains(s, "0,3");
}

static void g15_partitions_have_domains_unless_isolated(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l8c1t", CPUSET_V2, "rebuild_v6_5", "");

	cs_mkdir(s, "P1", "0-1");
	cs_mkdir(s, "P2", "2-3");
	set(s, "P1", "cpuset.cpus.partition", "root");
	set(s, "P2", "cpuset.cpus.partition", "isolated");
	assert_cpus(&s->sys->root->effective_cpus, "4-7");
	assert_cpus(&s->sys->root->subparts_cpus, "0-3");
	assert_domains(s, "4-7 0-1");
	assert_alone(s, 2);
	assert_alone(s, 3);

	set(s, "P1", "cpuset.cpus.partition", "member");
	assert_cpus(&s->sys->root->effective_cpus, "0-1,4-7");
	assert_domains(s, "0-1,4-7");
}

static void a_cpuset_without_cpus_does_not_hide_those_below(void **state)
{
	g_autoptr(cpuset_scene) s = V1_12;

	balance_root(s, "0");
	cs_mkdir(s, "A", "");
	cs_mkdir(s, "B", "4-5");
	assert_domains(s, "4-5");
}

static void domains_come_in_the_order_of_their_first_cpusets(void **state)
{
	g_autoptr(cpuset_scene) s = V1_12;

	balance_root(s, "0");
	cs_mkdir(s, "A", "8-9");
	cs_mkdir(s, "B", "0-1");
	cs_mkdir(s, "C", "4-5");
	cs_mkdir(s, "D", "1-2,8");
	assert_domains(s, "0-2,8-9 4-5");
}

static void a_partition_within_a_partition_has_its_own_domain(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l8c1t", CPUSET_V2, "rebuild_v6_5", "");

	cs_mkdir(s, "P", "0-3");
	set(s, "P", "cpuset.cpus.partition", "root");
	cs_mkdir(s, "P/Q", "2-3");
	set(s, "P/Q", "cpuset.cpus.partition", "root");
	assert_domains(s, "4-7 0-1 2-3");
	set(s, "P/Q", "cpuset.cpus.partition", "isolated");
	assert_domains(s, "4-7 0-1");
	assert_alone(s, 2);
	/* Nobody can be a partition below a member. */
	set(s, "P", "cpuset.cpus.partition", "member");
	assert_domains(s, "0-7");
	assert_file(s, "P/Q", "cpuset.cpus.partition",
		    "isolated invalid (Parent is not a partition root)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(g9_with_the_root_balanced_children_do_not_matter),
		cmocka_unit_test(g10_cpusets_that_meet_are_one_domain),
		cmocka_unit_test(g11_meeting_through_a_third_is_enough),
		cmocka_unit_test(g12_children_count_where_their_parent_is_not_balanced),
		cmocka_unit_test(
			g13_a_domain_has_the_highest_relax_level_of_its_cpusets),
		cmocka_unit_test(g14_isolated_cpus_are_never_balanced),
		cmocka_unit_test(g15_partitions_have_domains_unless_isolated),
		cmocka_unit_test(a_cpuset_without_cpus_does_not_hide_those_below),
		cmocka_unit_test(domains_come_in_the_order_of_their_first_cpusets),
		cmocka_unit_test(a_partition_within_a_partition_has_its_own_domain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
