/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Partitions of v2: what they take, why they cannot be had, and how they come back.
 * Worked out by hand from update_prstate() and update_parent_subparts_cpumask() of
 * 6.1 and from Documentation/admin-guide/cgroup-v2.rst.
 */
#include "test.h"

#include "cpuset_scene.h"

#include <errno.h>

#define NEW() cpuset_scene_new("1n1l8c1t", CPUSET_V2, "rebuild_v6_5", "")

/* What was asked for; never refused. */
static void make(cpuset_scene *s, const char *path, const char *state)
{
	assert_int_equal(cs_write(s, path, "cpuset.cpus.partition", state), 0);
}

static void assert_state(const cpuset_scene *s, const char *path, const char *state)
{
	assert_file(s, path, "cpuset.cpus.partition", state);
}

static void write_cpus(cpuset_scene *s, const char *path, const char *cpus)
{
	assert_int_equal(cs_write(s, path, "cpuset.cpus", cpus), 0);
}

static void assert_effective(const cpuset_scene *s, const char *path, const char *cpus)
{
	assert_file(s, path, "cpuset.cpus.effective", cpus);
}

/* Coming and going */

static void a_partition_takes_its_cpus_from_its_parent(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();
	struct cpuset_task *outside = cs_task(s, ""), *inside;

	cs_mkdir(s, "P", "0-1");
	inside = cs_task(s, "P");
	assert_cpus(&outside->task->cpus_mask, "0-7");
	make(s, "P", "root");
	assert_state(s, "P", "root");
	assert_true(cs_find(s, "P")->cpu_exclusive);
	assert_effective(s, "", "2-7");
	assert_effective(s, "P", "0-1");
	assert_cpus(&outside->task->cpus_mask, "2-7");
	assert_cpus(&inside->task->cpus_mask, "0-1");
	assert_int_equal(s->last.rebuilds_requested, 1);

	make(s, "P", "member");
	assert_state(s, "P", "member");
	assert_false(cs_find(s, "P")->cpu_exclusive);
	assert_effective(s, "", "0-7");
	assert_cpus(&outside->task->cpus_mask, "0-7");
	assert_domains(s, "0-7");
}

static void siblings_that_use_the_parents_cpus_follow(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();
	struct cpuset_task *ct;

	cs_mkdir(s, "P", "0-1");
	cs_mkdir(s, "Q", "");
	ct = cs_task(s, "Q");
	make(s, "P", "root");
	assert_effective(s, "Q", "2-7");
	assert_cpus(&ct->task->cpus_mask, "2-7");
	write_cpus(s, "P", "0-3");
	assert_effective(s, "Q", "4-7");
	assert_cpus(&ct->task->cpus_mask, "4-7");
}

static void root_and_isolated_differ_by_balancing_alone(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "0-1");
	make(s, "P", "root");
	assert_domains(s, "2-7 0-1");
	make(s, "P", "isolated");
	assert_state(s, "P", "isolated");
	assert_domains(s, "2-7");
	assert_alone(s, 0);
	assert_effective(s, "", "2-7");
	assert_int_equal(s->last.rebuilds_requested, 1);
	assert_int_equal(s->last.affinities_set, 0);
	make(s, "P", "root");
	assert_domains(s, "2-7 0-1");
	make(s, "P", "isolated");
	make(s, "P", "member");
	assert_true(cs_find(s, "P")->load_balance);
	assert_domains(s, "0-7");
}

static void children_of_an_isolated_partition_are_not_balanced(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "0-3");
	cs_mkdir(s, "P/old", "0-1");
	make(s, "P", "isolated");
	assert_false(cs_find(s, "P/old")->load_balance);
	cs_mkdir(s, "P/new", "");
	assert_false(cs_find(s, "P/new")->load_balance);
	make(s, "P", "root");
	assert_true(cs_find(s, "P/old")->load_balance);
}

static void a_partition_grows_and_shrinks(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "0-1");
	make(s, "P", "root");
	write_cpus(s, "P", "1-3");
	assert_state(s, "P", "root");
	assert_effective(s, "P", "1-3");
	assert_effective(s, "", "0,4-7");
	assert_domains(s, "0,4-7 1-3");
	write_cpus(s, "P", "1");
	assert_effective(s, "", "0,2-7");
	assert_domains(s, "0,2-7 1");
}

static void removing_a_partition_gives_its_cpus_back(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "0-1");
	make(s, "P", "root");
	assert_int_equal(cs_rmdir(s, "P"), 0);
	assert_effective(s, "", "0-7");
	assert_true(cpumask_empty(&s->sys->root->subparts_cpus));
	assert_domains(s, "0-7");
	assert_int_equal(s->last.rebuilds_requested, 1);
}

static void removing_a_member_asks_for_nothing(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "A", "0-1");
	assert_int_equal(cs_rmdir(s, "A"), 0);
	assert_int_equal(s->last.rebuilds_requested, 0);
}

/* Reasons */

static void without_cpus_there_is_no_partition(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "");
	make(s, "P", "root");
	assert_state(s, "P", "root invalid (cpuset.cpus is empty)");
	assert_effective(s, "", "0-7");
}

static void the_parent_must_be_a_partition(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "A/B", "0-1");
	make(s, "A/B", "isolated");
	assert_state(s, "A/B", "isolated invalid (Parent is not a partition root)");
	assert_false(cs_find(s, "A/B")->cpu_exclusive);

	cs_mkdir(s, "E", "");
	cs_mkdir(s, "E/F", "4");
	make(s, "E", "root");
	make(s, "E/F", "root");
	assert_state(s, "E/F", "root invalid (Parent is an invalid partition root)");
}

static void siblings_must_not_overlap(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "A", "1-2");
	cs_mkdir(s, "P", "0-1");
	make(s, "P", "root");
	assert_state(s, "P", "root invalid (Cpu list in cpuset.cpus not exclusive)");
	assert_effective(s, "", "0-7");
}

static void some_cpu_must_be_the_parents(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "0-3");
	make(s, "P", "root");
	cs_mkdir(s, "P/Q", "4-5");
	make(s, "P/Q", "root");
	assert_state(s, "P/Q", "root invalid (Invalid cpu list in cpuset.cpus)");
}

static void tasks_of_the_parent_keep_a_cpu(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_task(s, "");
	cs_mkdir(s, "P", "0-7");
	make(s, "P", "root");
	assert_state(s, "P",
		     "root invalid (Parent unable to distribute cpu downstream)");
	assert_effective(s, "", "0-7");
	write_cpus(s, "P", "0-6");
	assert_state(s, "P", "root");
	write_cpus(s, "P", "0-7");
	assert_state(s, "P",
		     "root invalid (Parent unable to distribute cpu downstream)");
	assert_effective(s, "", "0-7");
	/* 6.1 rebuilds for valid partitions only. */
	assert_int_equal(s->last.rebuilds_requested, 0);
}

static void a_parent_without_tasks_may_give_all_away(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "0-3");
	make(s, "P", "root");
	cs_mkdir(s, "P/Q", "0-3");
	cs_task(s, "P/Q");
	make(s, "P/Q", "root");
	assert_state(s, "P/Q", "root");
	assert_effective(s, "P", "");
	assert_domains(s, "4-7 0-3");
	/* And then takes none. */
	assert_int_equal(cs_attach(s, "P", cs_task(s, "")), -ENOSPC);
}

/* Becoming valid again */

static void what_is_invalid_stays_so_when_asked_again(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "");
	make(s, "P", "root");
	make(s, "P", "root");
	assert_state(s, "P", "root invalid (cpuset.cpus is empty)");
	make(s, "P", "isolated");
	assert_state(s, "P", "isolated invalid (cpuset.cpus is empty)");
	make(s, "P", "member");
	assert_state(s, "P", "member");
}

/*
 * The old CPUs are still in place when it is to become exclusive again, so that it
 * takes a second write where those overlapped.
 */
static void other_cpus_make_it_valid_if_the_old_ones_did_not_overlap(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "A", "1-2");
	cs_mkdir(s, "P", "0-1");
	make(s, "P", "isolated");
	write_cpus(s, "P", "0");
	assert_state(s, "P",
		     "isolated invalid (Cpu list in cpuset.cpus not exclusive)");
	write_cpus(s, "P", "0,3");
	assert_state(s, "P", "isolated");
	assert_effective(s, "", "1-2,4-7");
	assert_effective(s, "P", "0,3");
	assert_false(cs_find(s, "P")->load_balance);
	assert_domains(s, "1-2,4-7");
	assert_alone(s, 0);
}

static void a_write_that_overlaps_costs_both_partitions(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "0-1");
	cs_mkdir(s, "Q", "2-3");
	make(s, "P", "root");
	make(s, "Q", "root");
	write_cpus(s, "Q", "1-3");
	assert_state(s, "P", "root invalid (Cpu list in cpuset.cpus not exclusive)");
	assert_state(s, "Q", "root invalid (Cpu list in cpuset.cpus not exclusive)");
	assert_effective(s, "", "0-7");
}

static void children_of_a_partition_that_ends_become_invalid(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "0-3");
	make(s, "P", "root");
	cs_mkdir(s, "P/Q", "2-3");
	make(s, "P/Q", "root");
	assert_effective(s, "P", "0-1");
	make(s, "P", "member");
	assert_state(s, "P/Q", "root invalid (Parent is not a partition root)");
	assert_effective(s, "P", "0-3");
	assert_effective(s, "P/Q", "2-3");
	assert_domains(s, "0-7");
	/* With a partition above it again it comes back. */
	make(s, "P", "root");
	assert_state(s, "P/Q", "root");
	assert_effective(s, "P", "0-1");
}

/* Full of deadline tasks */

static void a_full_partition_does_not_shrink_but_may_end(void **state)
{
	g_autoptr(cpuset_scene) s = NEW();

	cs_mkdir(s, "P", "0-1");
	make(s, "P", "root");
	cs_b10(s, "P", 19);
	assert_int_equal(cs_write(s, "P", "cpuset.cpus", "0"), -EBUSY);
	assert_effective(s, "P", "0-1");
	make(s, "P", "member");
	assert_state(s, "P", "member");
	assert_int_equal(total_bw(s, 0), 19 * 104857);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_partition_takes_its_cpus_from_its_parent),
		cmocka_unit_test(siblings_that_use_the_parents_cpus_follow),
		cmocka_unit_test(root_and_isolated_differ_by_balancing_alone),
		cmocka_unit_test(children_of_an_isolated_partition_are_not_balanced),
		cmocka_unit_test(a_partition_grows_and_shrinks),
		cmocka_unit_test(removing_a_partition_gives_its_cpus_back),
		cmocka_unit_test(removing_a_member_asks_for_nothing),
		cmocka_unit_test(without_cpus_there_is_no_partition),
		cmocka_unit_test(the_parent_must_be_a_partition),
		cmocka_unit_test(siblings_must_not_overlap),
		cmocka_unit_test(some_cpu_must_be_the_parents),
		cmocka_unit_test(tasks_of_the_parent_keep_a_cpu),
		cmocka_unit_test(a_parent_without_tasks_may_give_all_away),
		cmocka_unit_test(what_is_invalid_stays_so_when_asked_again),
		cmocka_unit_test(
			other_cpus_make_it_valid_if_the_old_ones_did_not_overlap),
		cmocka_unit_test(a_write_that_overlaps_costs_both_partitions),
		cmocka_unit_test(children_of_a_partition_that_ends_become_invalid),
		cmocka_unit_test(a_full_partition_does_not_shrink_but_may_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
