/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Partitions within partitions, and those that lose CPUs: by hand from
 * update_parent_subparts_cpumask(), update_cpumasks_hier() and
 * cpuset_hotplug_update_tasks() of 6.1.
 */
#include "test.h"

#include "cpuset_scene.h"

#include <errno.h>

#define NEW() cpuset_scene_new("1n1l8c1t", CPUSET_V2, "rebuild_v6_5", "")

static void partition(cpuset_scene *s, const char *path, const char *cpus)
{
	cs_mkdir(s, path, cpus);
	assert_int_equal(cs_write(s, path, "cpuset.cpus.partition", "root"), 0);
	assert_file(s, path, "cpuset.cpus.partition", "root");
}

static void assert_state(const cpuset_scene *s, const char *path, const char *state)
{
	assert_file(s, path, "cpuset.cpus.partition", state);
}

static void assert_effective(const cpuset_scene *s, const char *path, const char *cpus)
{
	assert_file(s, path, "cpuset.cpus.effective", cpus);
}

static void write_cpus(cpuset_scene *s, const char *path, const char *cpus)
{
	assert_int_equal(cs_write(s, path, "cpuset.cpus", cpus), 0);
}

static void tasks_of_other_partitions_do_not_need_the_parents_cpus(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	partition(s, "P", "0-3");
	partition(s, "P/Q", "0-1");
	cs_task(s, "P/Q");
	partition(s, "P/R", "2-3");
	assert_effective(s, "P", "");
	assert_domains(s, "4-7 0-1 2-3");
	/* Those of a member do. */
	assert_int_equal(cs_write(s, "P/R", "cpuset.cpus.partition", "member"), 0);
	cs_mkdir(s, "P/S", "");
	cs_task(s, "P/S");
	assert_int_equal(cs_write(s, "P/R", "cpuset.cpus.partition", "root"), 0);
	assert_state(s, "P/R",
		     "root invalid (Parent unable to distribute cpu downstream)");
}

static void a_partition_may_take_all_if_it_gives_some_back(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();
	struct cpuset_task *ct = cs_task(s, "");

	partition(s, "P", "0-3");
	write_cpus(s, "P", "4-7");
	assert_state(s, "P", "root");
	assert_effective(s, "", "0-3");
	assert_cpus(&ct->task->cpus_mask, "0-3");
	assert_domains(s, "0-3 4-7");
}

/* P keeps what it would give to Q, for its own tasks. */
static void a_parent_that_shrinks_to_its_childs_cpus_takes_them_back(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();
	struct cpuset_task *ct;

	partition(s, "P", "0-3");
	partition(s, "P/Q", "2-3");
	ct = cs_task(s, "P");
	write_cpus(s, "P", "2-3");
	assert_state(s, "P", "root");
	assert_effective(s, "P", "2-3");
	assert_cpus(&ct->task->cpus_mask, "2-3");
	assert_state(s, "P/Q",
		     "root invalid (Parent unable to distribute cpu downstream)");
	assert_effective(s, "P/Q", "2-3");
	assert_domains(s, "0-1,4-7 2-3");
}

static void without_tasks_it_stays_empty(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	partition(s, "P", "0-3");
	partition(s, "P/Q", "2-3");
	cs_task(s, "P/Q");
	write_cpus(s, "P", "2-3");
	assert_state(s, "P/Q", "root");
	assert_effective(s, "P", "");
	assert_effective(s, "P/Q", "2-3");
}

static void a_partition_ends_when_its_parent_has_nothing_for_it(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	partition(s, "P", "0-3");
	partition(s, "P/Q", "2-3");
	write_cpus(s, "P", "0-1");
	assert_effective(s, "P", "0-1");
	assert_state(s, "P/Q",
		     "root invalid (Parent unable to distribute cpu downstream)");
	assert_effective(s, "P/Q", "0-1");
	assert_domains(s, "2-7 0-1");
}

/* Whoever becomes invalid has its children's CPUs again. */
static void cpus_of_an_invalid_partitions_children_are_its_own(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	partition(s, "G", "0-3");
	partition(s, "G/P", "2-3");
	partition(s, "G/P/Q", "3");
	cs_task(s, "G");
	write_cpus(s, "G", "2-3");
	assert_state(s, "G/P",
		     "root invalid (Parent unable to distribute cpu downstream)");
	assert_effective(s, "G/P", "2-3");
	assert_true(cpumask_empty(&cs_find(s, "G/P")->subparts_cpus));
	assert_state(s, "G/P/Q", "root invalid (Parent is an invalid partition root)");
	assert_effective(s, "G/P/Q", "3");
}

/* P asked for 2-5 when G had 2-3 and 6 of it; then G gets 4-5, and has a task. */
static void what_a_partition_cannot_have_whole_it_loses_whole(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();
	struct cpuset_task *ct;

	partition(s, "G", "2-3,6");
	ct = cs_task(s, "G");
	partition(s, "G/P", "2-5");
	write_cpus(s, "G", "2-3,7");
	assert_state(s, "G/P", "root");
	assert_effective(s, "G", "7");
	write_cpus(s, "G", "2-5");
	assert_state(s, "G/P",
		     "root invalid (Parent unable to distribute cpu downstream)");
	assert_effective(s, "G", "2-5");
	assert_cpus(&ct->task->cpus_mask, "2-5");
}

/* P gave both its CPUs to Q, and both are off, when G grows. */
static void one_that_gave_all_away_stays_empty(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	partition(s, "G", "0-3");
	partition(s, "G/P", "2-3");
	partition(s, "G/P/Q", "2-3");
	assert_int_equal(cs_cpu_down(s, 2), 0);
	assert_int_equal(cs_cpu_down(s, 3), 0);
	assert_state(s, "G/P", "root");
	assert_effective(s, "G/P", "");
	write_cpus(s, "G", "0-4");
	assert_state(s, "G/P", "root");
	assert_effective(s, "G/P", "");
	assert_false(cs_find(s, "G/P")->use_parent_ecpus);
}

/* CPUs that go off */

static void the_root_takes_partitions_cpus_rather_than_have_none(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l4c1t", CPUSET_V2, "rebuild_v6_5", "");

	partition(s, "P", "0-2");
	assert_int_equal(cs_cpu_down(s, 3), 0);
	assert_effective(s, "", "0-2");
	assert_state(s, "P", "root invalid (No cpu available due to hotplug)");
	assert_effective(s, "P", "0-2");
	assert_domains(s, "0-2");
	/* And gives them out again. */
	assert_int_equal(cs_cpu_up(s, 3), 0);
	assert_state(s, "P", "root");
	assert_effective(s, "", "3");
	assert_domains(s, "3 0-2");
}

static void so_does_a_partition_with_tasks(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();
	struct cpuset_task *ct;

	partition(s, "P", "0-3");
	ct = cs_task(s, "P");
	partition(s, "P/Q", "1-3");
	assert_cpus(&ct->task->cpus_mask, "0");
	assert_int_equal(cs_cpu_down(s, 0), 0);
	assert_state(s, "P", "root");
	assert_effective(s, "P", "1-3");
	assert_cpus(&ct->task->cpus_mask, "1-3");
	assert_state(s, "P/Q", "root invalid (No cpu available due to hotplug)");
	assert_domains(s, "4-7 1-3");
}

/* Bandwidth */

static void the_walk_does_not_see_past_a_partition_without_cpus(void **state)
{
	static const char *const policies[] = {"rebuild_v5_4", "rebuild_v6_5",
					       "rebuild_v6_15"};

	for (size_t i = 0; i < G_N_ELEMENTS(policies); i++) {
		g_autoptr(cpuset_scene) s =
			cpuset_scene_new("1n1l8c1t", CPUSET_V2, policies[i], "");
		const struct op_root_domain *rd;

		partition(s, "P", "0-3");
		partition(s, "P/Q", "0-3");
		cs_b10(s, "P/Q", 3);
		cs_governor_change(s);
		rd = op_root_domain_of(s->last.after, 0);
		assert_int_equal(op_bw_fault(rd), BW_LOST);
		assert_int_equal(rd->expected_bw - rd->total_bw, 3 * 104857);
		assert_int_equal(s->last.tasks_walked, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			tasks_of_other_partitions_do_not_need_the_parents_cpus),
		cmocka_unit_test(a_partition_may_take_all_if_it_gives_some_back),
		cmocka_unit_test(
			a_parent_that_shrinks_to_its_childs_cpus_takes_them_back),
		cmocka_unit_test(without_tasks_it_stays_empty),
		cmocka_unit_test(a_partition_ends_when_its_parent_has_nothing_for_it),
		cmocka_unit_test(cpus_of_an_invalid_partitions_children_are_its_own),
		cmocka_unit_test(what_a_partition_cannot_have_whole_it_loses_whole),
		cmocka_unit_test(one_that_gave_all_away_stays_empty),
		cmocka_unit_test(the_root_takes_partitions_cpus_rather_than_have_none),
		cmocka_unit_test(so_does_a_partition_with_tasks),
		cmocka_unit_test(the_walk_does_not_see_past_a_partition_without_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
