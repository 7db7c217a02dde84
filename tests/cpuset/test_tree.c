/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of cpusets, its control files and membership, by hand from cpuset.c and
 * cgroup.c of 6.1.
 */
#include "test.h"

#include "cpuset_scene.h"

#include <errno.h>

#define V1() cpuset_scene_new("1n1l8c1t", CPUSET_V1, "rebuild_v6_5", "")
#define V2() cpuset_scene_new("1n1l8c1t", CPUSET_V2, "rebuild_v6_5", "")

static int mkdir_in_root(cpuset_scene *s, const char *name)
{
	struct cpuset *cs;

	return cpuset_mkdir(s->sys->root, name, &cs, NULL);
}

static void names_are_those_of_directories(void **state)
{
	g_autoptr(cpuset_scene) s = V2();

	assert_int_equal(mkdir_in_root(s, "a"), 0);
	assert_int_equal(mkdir_in_root(s, "a"), -EEXIST);
	assert_int_equal(mkdir_in_root(s, ""), -EINVAL);
	assert_int_equal(mkdir_in_root(s, "a/b"), -EINVAL);
	assert_int_equal(mkdir_in_root(s, "a\nb"), -EINVAL);
	assert_int_equal(s->sys->nr_cpusets, 2);
}

static void cpusets_are_found_by_their_paths(void **state)
{
	g_autoptr(cpuset_scene) s = V2();
	struct cpuset *b;
	g_autofree char *path = NULL, *root = NULL;

	cs_mkdir(s, "a", "");
	b = cs_mkdir(s, "a/b", "");
	assert_ptr_equal(cpuset_find(s->sys, "/a/b"), b);
	assert_ptr_equal(cpuset_find(s->sys, ""), s->sys->root);
	assert_ptr_equal(cpuset_find(s->sys, "/"), s->sys->root);
	assert_null(cpuset_find(s->sys, "b"));
	assert_null(cpuset_find(s->sys, "a/b/c"));
	path = cpuset_path(b);
	root = cpuset_path(s->sys->root);
	assert_string_equal(path, "/a/b");
	assert_string_equal(root, "/");
}

static void a_cpuset_in_use_is_not_removed(void **state)
{
	g_autoptr(cpuset_scene) s = V1();
	struct cpuset_task *ct;

	cs_mkdir(s, "a", "0-1");
	cs_mkdir(s, "a/b", "0-1");
	ct = cs_task(s, "a/b");
	assert_int_equal(cs_rmdir(s, ""), -EBUSY);
	assert_int_equal(cs_rmdir(s, "a"), -EBUSY);
	assert_int_equal(cs_rmdir(s, "a/b"), -EBUSY);
	cpuset_task_exit(ct);
	assert_int_equal(cs_rmdir(s, "a/b"), 0);
	assert_int_equal(cs_rmdir(s, "a"), 0);
	assert_int_equal(s->sys->nr_cpusets, 1);
}

static void v1_cpusets_start_empty_and_v2_ones_with_their_parents_cpus(void **state)
{
	g_autoptr(cpuset_scene) v1 = V1(), v2 = V2();
	struct cpuset *cs;

	assert_int_equal(cpuset_mkdir(v1->sys->root, "a", &cs, NULL), 0);
	assert_cpus(&cs->effective_cpus, "");
	assert_true(cs->load_balance);
	assert_int_equal(cs->relax_domain_level, -1);
	assert_int_equal(cpuset_mkdir(v2->sys->root, "a", &cs, NULL), 0);
	assert_cpus(&cs->cpus_allowed, "");
	assert_cpus(&cs->effective_cpus, "0-7");
	assert_true(cs->use_parent_ecpus);
	assert_int_equal(v2->sys->root->child_ecpus_count, 1);
	assert_int_equal(cs_rmdir(v2, "a"), 0);
	assert_int_equal(v2->sys->root->child_ecpus_count, 0);
}

static void clone_children_copies_masks_unless_a_sibling_is_exclusive(void **state)
{
	g_autoptr(cpuset_scene) s = V1();
	struct cpuset *cs;

	cs_mkdir(s, "a", "0-3");
	assert_int_equal(cs_write(s, "a", "cgroup.clone_children", "1"), 0);
	assert_int_equal(cpuset_mkdir(cs_find(s, "a"), "b", &cs, &s->last), 0);
	assert_cpus(&cs->cpus_allowed, "0-3");
	assert_int_equal(cs->mems_allowed, 1);
	assert_true(cs->clone_children);
	assert_int_equal(s->last.rebuilds_requested, 0);

	assert_int_equal(cs_write(s, "a", "cpuset.cpu_exclusive", "1"), 0);
	assert_int_equal(cs_write(s, "a/b", "cpuset.cpu_exclusive", "1"), 0);
	assert_int_equal(cpuset_mkdir(cs_find(s, "a"), "c", &cs, NULL), 0);
	assert_cpus(&cs->cpus_allowed, "");
}

static void exclusive_flags_hang_together(void **state)
{
	g_autoptr(cpuset_scene) s = V1();

	cs_mkdir(s, "a", "0-3");
	cs_mkdir(s, "a/b", "0-1");
	assert_int_equal(cs_write(s, "a/b", "cpuset.cpu_exclusive", "1"), -EACCES);
	assert_int_equal(cs_write(s, "a", "cpuset.cpu_exclusive", "1"), 0);
	assert_int_equal(cs_write(s, "a/b", "cpuset.cpu_exclusive", "1"), 0);
	assert_int_equal(cs_write(s, "a", "cpuset.cpu_exclusive", "0"), -EBUSY);
	assert_file(s, "a", "cpuset.cpu_exclusive", "1");
	assert_int_equal(cs_write(s, "a/b", "cpuset.cpu_exclusive", "0"), 0);
	assert_int_equal(cs_write(s, "a", "cpuset.cpu_exclusive", "0"), 0);
}

static void memory_nodes_have_the_same_rules(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("2n1l2c1t", CPUSET_V1, "rebuild_v6_5", "");

	cs_mkdir(s, "a", "0-1");
	assert_file(s, "", "cpuset.mems", "0-1");
	assert_int_equal(cs_write(s, "", "cpuset.mems", "0"), -EACCES);
	assert_int_equal(cs_write(s, "a", "cpuset.mems", "2"), -EINVAL);
	cs_mkdir(s, "b", "2-3");
	assert_int_equal(cs_write(s, "a", "cpuset.mem_exclusive", "1"), -EINVAL);
	assert_int_equal(cs_write(s, "b", "cpuset.mems", "1"), 0);
	assert_int_equal(cs_write(s, "a", "cpuset.mem_exclusive", "1"), 0);
	assert_int_equal(cs_write(s, "a", "cpuset.mems", "0-1"), -EINVAL);
	assert_file(s, "b", "cpuset.effective_mems", "1");
	/* Within the parent's, and not more exclusive. */
	cs_mkdir(s, "a/c", "0");
	assert_int_equal(cs_write(s, "a/c", "cpuset.mems", "1"), -EACCES);
	assert_int_equal(cs_write(s, "a", "cpuset.mems", ""), -EBUSY);
	assert_int_equal(cs_write(s, "a/c", "cpuset.mem_exclusive", "1"), 0);
	assert_int_equal(cs_write(s, "a", "cpuset.mem_exclusive", "0"), -EBUSY);
}

static void v2_has_the_parents_memory_where_none_is_asked_for(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("2n1l2c1t", CPUSET_V2, "rebuild_v6_5", "");

	cs_mkdir(s, "a", "0-1");
	assert_file(s, "a", "cpuset.mems.effective", "0-1");
	assert_int_equal(cs_write(s, "a", "cpuset.mems", "1"), 0);
	assert_file(s, "a", "cpuset.mems.effective", "1");
	assert_int_equal(cs_write(s, "a", "cpuset.mems", ""), 0);
	assert_file(s, "a", "cpuset.mems.effective", "0-1");
}

/* Files */

static void each_mode_has_its_own_files(void **state)
{
	g_autoptr(cpuset_scene) v1 = V1(), v2 = V2();

	cs_mkdir(v1, "a", "0");
	cs_mkdir(v2, "a", "0");
	assert_int_equal(cs_write(v1, "a", "cpuset.cpus.partition", "root"), -ENOENT);
	assert_int_equal(cs_write(v2, "a", "cpuset.sched_load_balance", "0"), -ENOENT);
	assert_int_equal(cs_write(v2, "", "cpuset.cpus.partition", "root"), -ENOENT);
	assert_int_equal(cs_write(v2, "a", "cpu.weight", "100"), -ENOENT);
	assert_int_equal(v2->last.err, -ENOENT);
	assert_null(cpuset_read(cs_find(v2, ""), "cpuset.cpus"));
	assert_file(v2, "", "cpuset.cpus.effective", "0-7");
	assert_file(v1, "", "cpuset.cpus", "0-7");
}

/* source: cgroup_file_write(), the last branch */
static void what_is_in_effect_is_not_to_be_written(void **state)
{
	g_autoptr(cpuset_scene) v1 = V1(), v2 = V2();

	assert_int_equal(cs_write(v1, "", "cpuset.effective_cpus", "0"), -EINVAL);
	assert_int_equal(cs_write(v2, "", "cpuset.cpus.effective", "0"), -EINVAL);
}

static void a_v1_mount_in_v2_mode_has_v1_files_and_v2_masks(void **state)
{
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new("1n1l8c1t", CPUSET_V1_V2_MODE, "rebuild_v6_5", "");

	cs_mkdir(s, "a", "6-7");
	assert_int_equal(cs_cpu_down(s, 7), 0);
	assert_file(s, "a", "cpuset.cpus", "6-7");
	assert_file(s, "a", "cpuset.effective_cpus", "6");
	assert_int_equal(cs_write(s, "a", "cpuset.sched_load_balance", "0"), 0);
}

static void lists_are_read_as_the_kernel_reads_them(void **state)
{
	static const struct {
		const char *text;
		int err;
		const char *cpus;
	} cases[] = {
		{"0-3,5", 0, "0-3,5"},
		{" 1 \n", 0, "1"},
		{"1 3,5", 0, "1,3,5"},
		{",1,,2,", 0, "1-2"},
		{"0-7:1/2", 0, "0,2,4,6"},
		{"0-7:2/4", 0, "0-1,4-5"},
		{"", 0, ""},
		{"3-1", -EINVAL, ""},
		{"0-7:3/2", -EINVAL, ""},
		{"0-7:1/0", -EINVAL, ""},
		{"0-7:1", -EINVAL, ""},
		{"1-", -EINVAL, ""},
		{"-1", -EINVAL, ""},
		{"1x", -EINVAL, ""},
		{"all of them", -EINVAL, ""},
		{"8", -EINVAL, ""},
		{"511", -EINVAL, ""},
		{"512", -ERANGE, ""},
		{"0-99999", -ERANGE, ""},
		{"99999999999", -EOVERFLOW, ""},
	};
	g_autoptr(cpuset_scene) s = V2();

	cs_mkdir(s, "a", "");
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		assert_int_equal(cs_write(s, "a", "cpuset.cpus", ""), 0);
		assert_int_equal(cs_write(s, "a", "cpuset.cpus", cases[i].text),
				 cases[i].err);
		assert_file(s, "a", "cpuset.cpus", cases[i].cpus);
	}
}

static void numbers_that_are_none_are_refused(void **state)
{
	g_autoptr(cpuset_scene) s = V1();

	cs_mkdir(s, "a", "0");
	assert_int_equal(cs_write(s, "a", "cpuset.sched_load_balance", "no"), -EINVAL);
	assert_int_equal(cs_write(s, "a", "cpuset.sched_load_balance", ""), -EINVAL);
	assert_int_equal(cs_write(s, "a", "cpuset.sched_load_balance", "-1"), -EINVAL);
	assert_int_equal(cs_write(s, "a", "cpuset.sched_load_balance", "2\n"), 0);
	assert_file(s, "a", "cpuset.sched_load_balance", "1");
	assert_int_equal(cs_write(s, "a", "cpuset.sched_relax_domain_level", "one"),
			 -EINVAL);
	assert_file(s, "a", "cpuset.sched_relax_domain_level", "-1");
}

static void a_partition_has_three_names(void **state)
{
	g_autoptr(cpuset_scene) s = V2();

	cs_mkdir(s, "a", "0");
	assert_int_equal(cs_write(s, "a", "cpuset.cpus.partition", "Root"), -EINVAL);
	assert_int_equal(cs_write(s, "a", "cpuset.cpus.partition", "1"), -EINVAL);
	assert_file(s, "a", "cpuset.cpus.partition", "member");
}

/* Tasks */

static void tasks_are_counted_up_to_the_root(void **state)
{
	g_autoptr(cpuset_scene) s = V2();
	struct cpuset_task *ct;

	cs_mkdir(s, "a", "0-1");
	cs_mkdir(s, "a/b", "0");
	cs_tasks(s, "a", 2);
	ct = cs_task(s, "a/b");
	assert_int_equal(cs_find(s, "a")->nr_tasks, 2);
	assert_int_equal(cs_find(s, "a")->nr_subtree_tasks, 3);
	assert_int_equal(s->sys->root->nr_subtree_tasks, 3);
	assert_int_equal(cs_attach(s, "", ct), 0);
	assert_int_equal(cs_find(s, "a")->nr_subtree_tasks, 2);
	assert_int_equal(s->sys->root->nr_tasks, 1);
	cpuset_task_exit(ct);
	assert_int_equal(s->sys->root->nr_subtree_tasks, 2);
	assert_null(ct->task->cpuset);
}

static void moving_to_where_it_is_does_nothing(void **state)
{
	g_autoptr(cpuset_scene) s = V1();
	struct cpuset_task *ct;

	cs_mkdir(s, "a", "0-1");
	ct = cs_task(s, "a");
	ct->no_setaffinity = true;
	assert_int_equal(cs_attach(s, "a", ct), 0);
	assert_int_equal(s->last.affinities_set, 0);
}

static void an_attach_never_asks_for_a_rebuild(void **state)
{
	g_autoptr(cpuset_scene) s = V1();
	struct cpuset_task *ct = cs_task(s, "");

	cs_mkdir(s, "a", "2-3");
	assert_int_equal(cs_attach(s, "a", ct), 0);
	assert_cpus(&ct->task->cpus_mask, "2-3");
	assert_int_equal(s->last.rebuilds_requested, 0);
	assert_int_equal(s->last.affinities_set, 1);
	assert_int_equal(cs_attach(s, "", ct), 0);
	assert_cpus(&ct->task->cpus_mask, "0-7");
}

/* Also those that partitions took. */
static void the_root_takes_a_task_to_every_possible_cpu(void **state)
{
	g_autoptr(cpuset_scene) s = V2();
	struct cpuset_task *ct;

	cs_mkdir(s, "P", "0-1");
	assert_int_equal(cs_write(s, "P", "cpuset.cpus.partition", "root"), 0);
	ct = cs_task(s, "P");
	assert_int_equal(cs_attach(s, "", ct), 0);
	assert_cpus(&ct->task->cpus_mask, "0-7");
}

static void where_no_cpu_is_online_the_parents_are_used(void **state)
{
	g_autoptr(cpuset_scene) s = V2();
	struct cpuset_task *ct = cs_task(s, "");

	cs_mkdir(s, "a", "7");
	assert_int_equal(cpuset_cpu_down_begin(s->sys, 7, NULL), 0);
	assert_int_equal(cs_attach(s, "a", ct), 0);
	assert_cpus(&ct->task->cpus_mask, "0-6");
}

static void a_deadline_task_keeps_the_cpus_of_its_root_domain(void **state)
{
	g_autoptr(cpuset_scene) s = V1();
	struct cpumask some = cpus_of("0-3");
	struct cpuset_task *ct;
	int err;

	ct = cs_dl_task(s, "", 1000, 10000, &err);
	assert_int_equal(cpuset_setaffinity(ct, &some, NULL), -EBUSY);
	assert_cpus(&ct->task->cpus_mask, "0-7");
}

static void a_deadline_task_is_counted_where_it_is(void **state)
{
	g_autoptr(cpuset_scene) s = V1();
	struct cpuset_task *ct;
	const struct sched_attr normal = {.sched_policy = POLICY_NORMAL};
	int err;

	cs_mkdir(s, "a", "0-7");
	ct = cs_dl_task(s, "a", 1000, 10000, &err);
	assert_int_equal(cs_find(s, "a")->nr_deadline_tasks, 1);
	assert_int_equal(cs_attach(s, "", ct), 0);
	assert_int_equal(cs_find(s, "a")->nr_deadline_tasks, 0);
	assert_int_equal(s->sys->root->nr_deadline_tasks, 1);
	assert_int_equal(cpuset_setattr(ct, &normal, NULL), 0);
	assert_int_equal(s->sys->root->nr_deadline_tasks, 0);
	assert_int_equal(cs_setattr(s, ct, 1000, 10000), 0);
	cpuset_task_exit(ct);
	assert_int_equal(s->sys->root->nr_deadline_tasks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_those_of_directories),
		cmocka_unit_test(cpusets_are_found_by_their_paths),
		cmocka_unit_test(a_cpuset_in_use_is_not_removed),
		cmocka_unit_test(
			v1_cpusets_start_empty_and_v2_ones_with_their_parents_cpus),
		cmocka_unit_test(
			clone_children_copies_masks_unless_a_sibling_is_exclusive),
		cmocka_unit_test(exclusive_flags_hang_together),
		cmocka_unit_test(memory_nodes_have_the_same_rules),
		cmocka_unit_test(v2_has_the_parents_memory_where_none_is_asked_for),
		cmocka_unit_test(each_mode_has_its_own_files),
		cmocka_unit_test(what_is_in_effect_is_not_to_be_written),
		cmocka_unit_test(a_v1_mount_in_v2_mode_has_v1_files_and_v2_masks),
		cmocka_unit_test(lists_are_read_as_the_kernel_reads_them),
		cmocka_unit_test(numbers_that_are_none_are_refused),
		cmocka_unit_test(a_partition_has_three_names),
		cmocka_unit_test(tasks_are_counted_up_to_the_root),
		cmocka_unit_test(moving_to_where_it_is_does_nothing),
		cmocka_unit_test(an_attach_never_asks_for_a_rebuild),
		cmocka_unit_test(the_root_takes_a_task_to_every_possible_cpu),
		cmocka_unit_test(where_no_cpu_is_online_the_parents_are_used),
		cmocka_unit_test(a_deadline_task_keeps_the_cpus_of_its_root_domain),
		cmocka_unit_test(a_deadline_task_is_counted_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
