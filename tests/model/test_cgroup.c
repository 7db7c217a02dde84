/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories, files and tasks of a tree of control groups, with the kernel's errnos.
 */
#include "test.h"

#include "model/cgroup.h"

#include <errno.h>
#include <string.h>

/* What the controllers of these tests were told, a line each. */
static GString *told;
static int answer; /* of can_attach */

static void note(const char *what, const struct cgroup *cg)
{
	g_autofree char *path = cgroup_path(cg);

	g_string_append_printf(told, "%s %s\n", what, path);
}

static void set_online(struct cgroup *cg)
{
	note("set online", cg);
}

static void set_offline(struct cgroup *cg)
{
	note("set offline", cg);
}

static int set_can_attach(struct cgroup *to, struct task *const *tasks, size_t nr)
{
	g_string_append_printf(told, "set asks for %zu\n", nr);
	return answer;
}

static void set_attach(struct cgroup *to, struct task *const *tasks, size_t nr)
{
	g_string_append_printf(told, "set gets %zu\n", nr);
}

static void cpu_online(struct cgroup *cg)
{
	note("cpu online", cg);
}

static void cpu_offline(struct cgroup *cg)
{
	note("cpu offline", cg);
}

static void cpu_attach(struct cgroup *to, struct task *const *tasks, size_t nr)
{
	g_string_append_printf(told, "cpu gets %zu, first %d\n", nr, tasks[0]->pid);
}

static int write_text(struct cgroup *cg, const char *text)
{
	g_string_append_printf(told, "text %s\n", text);
	return -EBUSY;
}

static int write_u64(struct cgroup *cg, uint64_t value)
{
	g_string_append_printf(told, "u64 %" G_GUINT64_FORMAT "\n", (guint64)value);
	return 0;
}

static int write_s64(struct cgroup *cg, int64_t value)
{
	g_string_append_printf(told, "s64 %" G_GINT64_FORMAT "\n", (gint64)value);
	return 0;
}

static const struct cgroup_file files[] = {
	{"cpu.text", CGROUP_V2, true, .write = write_text},
	{"cpu.u64", CGROUP_V2, false, .write_u64 = write_u64},
	{"cpu.s64", CGROUP_V1, true, .write_s64 = write_s64},
	{.name = NULL},
};

static const struct cgroup_file no_files[] = {{.name = NULL}};

static const struct cgroup_controller cpuset = {
	.name = "cpuset",
	.files = no_files,
	.online = set_online,
	.offline = set_offline,
	.can_attach = set_can_attach,
	.attach = set_attach,
};

static const struct cgroup_controller cpu = {
	.name = "cpu",
	.files = files,
	.online = cpu_online,
	.offline = cpu_offline,
	.attach = cpu_attach,
};

static cgroup_tree *tree_of(enum cgroup_version version)
{
	const struct cgroup_controller *controllers[NR_CGROUP_SUBSYS] = {
		[CGROUP_CPUSET] = &cpuset, [CGROUP_CPU] = &cpu};
	cgroup_tree *tree = cgroup_tree_new(NULL, version, controllers);

	g_string_truncate(told, 0);
	return tree;
}

static int setup(void **state)
{
	told = g_string_new(NULL);
	answer = 0;
	*state = tree_of(CGROUP_V2);
	return 0;
}

static int setup_v1(void **state)
{
	told = g_string_new(NULL);
	answer = 0;
	*state = tree_of(CGROUP_V1);
	return 0;
}

static int teardown(void **state)
{
	cgroup_tree_free(*state);
	g_string_free(told, TRUE);
	return 0;
}

static void assert_told(const char *lines)
{
	assert_string_equal(told->str, lines);
	g_string_truncate(told, 0);
}

static void make(cgroup_tree *tree, const char *path)
{
	assert_int_equal(cgroup_mkdir(tree, path), 0);
	g_string_truncate(told, 0);
}

static void groups_are_found_by_their_path(void **state)
{
	cgroup_tree *tree = *state;
	struct cgroup *a;
	g_autofree char *path = NULL, *root = cgroup_path(&tree->root);

	make(tree, "/web");
	make(tree, "/web/a");
	make(tree, "/web/ab");
	a = cgroup_find(tree, "/web/a");
	path = cgroup_path(a);
	assert_string_equal(path, "/web/a");
	assert_string_equal(root, "/");
	assert_string_equal(cgroup_find(tree, "//web/ab/")->name, "ab");
	assert_ptr_equal(cgroup_find(tree, "/"), &tree->root);
	assert_ptr_equal(cgroup_find(tree, ""), &tree->root);
	assert_null(cgroup_find(tree, "/web/abc"));
	assert_null(cgroup_find(tree, "/a/web"));
	assert_null(cgroup_find(tree, "/we"));
	/* In the order they were made. */
	assert_ptr_equal(cgroup_find(tree, "/web")->children.next, &a->siblings);
}

static void controllers_hear_of_groups_in_the_kernel_s_order(void **state)
{
	cgroup_tree *tree = *state;

	assert_int_equal(cgroup_mkdir(tree, "/web"), 0);
	assert_told("set online /web\ncpu online /web\n");
	assert_int_equal(cgroup_rmdir(tree, "/web"), 0);
	assert_told("set offline /web\ncpu offline /web\n");
	assert_null(cgroup_find(tree, "/web"));
}

static void mkdir_refuses_as_the_kernel_does(void **state)
{
	cgroup_tree *tree = *state;
	g_autofree char *longest = g_strnfill(255, 'n');
	g_autofree char *too_long = g_strnfill(256, 'n');

	make(tree, "/web");
	assert_int_equal(cgroup_mkdir(tree, "/web"), -EEXIST);
	assert_int_equal(cgroup_mkdir(tree, "/web/"), -EEXIST);
	assert_int_equal(cgroup_mkdir(tree, "/"), -EEXIST);
	assert_int_equal(cgroup_mkdir(tree, "/web/.."), -EEXIST);
	assert_int_equal(cgroup_mkdir(tree, "/db/a"), -ENOENT);
	assert_int_equal(cgroup_mkdir(tree, "/web/cpu.u64"), -EEXIST);
	assert_int_equal(cgroup_mkdir(tree, "/web/cgroup.freeze"), -EEXIST);
	assert_int_equal(cgroup_mkdir(tree, "/cgroup.procs"), -EEXIST);
	/* Not in the root, which has no such files; not in version 2. */
	assert_int_equal(cgroup_mkdir(tree, "/cpu.u64"), 0);
	assert_int_equal(cgroup_mkdir(tree, "/cgroup.freeze"), 0);
	assert_int_equal(cgroup_mkdir(tree, "/tasks"), 0);
	assert_int_equal(cgroup_mkdir(tree, "/a\nb"), -EINVAL);
	assert_int_equal(cgroup_mkdir(tree, longest), 0);
	assert_int_equal(cgroup_mkdir(tree, too_long), -ENAMETOOLONG);
}

static void rmdir_refuses_what_is_in_use(void **state)
{
	cgroup_tree *tree = *state;
	struct task t = {.pid = 1};

	assert_int_equal(cgroup_rmdir(tree, "/"), -EBUSY);
	make(tree, "/web");
	make(tree, "/web/a");
	cgroup_add_task(cgroup_find(tree, "/web/a"), &t);
	assert_int_equal(cgroup_rmdir(tree, "/"), -EBUSY);
	assert_int_equal(cgroup_rmdir(tree, "/web"), -EBUSY);
	assert_int_equal(cgroup_rmdir(tree, "/web/a"), -EBUSY);
	assert_int_equal(cgroup_rmdir(tree, "/web/b"), -ENOENT);
	cgroup_exit_task(&t);
	assert_int_equal(cgroup_rmdir(tree, "/web/a"), 0);
	assert_int_equal(cgroup_rmdir(tree, "/web"), 0);
}

static void files_are_of_a_version_and_maybe_of_the_root(void **state)
{
	cgroup_tree *tree = *state;

	make(tree, "/web");
	assert_int_equal(cgroup_write(tree, "/web", "cpu.u64", "7"), 0);
	assert_told("u64 7\n");
	assert_int_equal(cgroup_write(tree, "/", "cpu.u64", "7"), -ENOENT);
	assert_int_equal(cgroup_write(tree, "/", "cpu.text", " a b"), -EBUSY);
	assert_told("text  a b\n");
	assert_int_equal(cgroup_write(tree, "/web", "cpu.s64", "7"), -ENOENT);
	assert_int_equal(cgroup_write(tree, "/web", "cpu.none", "7"), -ENOENT);
	assert_int_equal(cgroup_write(tree, "/db", "cpu.u64", "7"), -ENOENT);
	/* An empty write is none. */
	assert_int_equal(cgroup_write(tree, "/web", "cpu.u64", ""), 0);
	assert_told("");
}

static void numbers_are_read_as_the_kernel_reads_them(void **state)
{
	static const struct {
		const char *text;
		int result;
		uint64_t value;
	} cases[] = {
		{"0", 0, 0},
		{"100", 0, 100},
		{"+100", 0, 100},
		{"100\n", 0, 100},
		{"0x1F", 0, 31},
		{"010", 0, 8},
		{"18446744073709551615", 0, UINT64_MAX},
		{"18446744073709551616", -ERANGE, 0},
		{"99999999999999999999x", -ERANGE, 0},
		{"-1", -EINVAL, 0},
		{"", -EINVAL, 0},
		{" 1", -EINVAL, 0},
		{"1 ", -EINVAL, 0},
		{"1\n\n", -EINVAL, 0},
		{"0x", -EINVAL, 0},
		{"08", -EINVAL, 0},
		{"ten", -EINVAL, 0},
		{"max", -EINVAL, 0},
		{"1.5", -EINVAL, 0},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		uint64_t value = 0;

		assert_int_equal(cgroup_parse_u64(cases[i].text, &value),
				 cases[i].result);
		assert_int_equal(value, cases[i].value);
	}
}

static void signed_numbers_have_their_range(void **state)
{
	static const struct {
		const char *text;
		int result;
		int64_t value;
	} cases[] = {
		{"-1", 0, -1},
		{"+1", 0, 1},
		{"-0x10", 0, -16},
		{"9223372036854775807", 0, INT64_MAX},
		{"9223372036854775808", -ERANGE, 0},
		{"-9223372036854775808", 0, INT64_MIN},
		{"-9223372036854775809", -ERANGE, 0},
		{"--1", -EINVAL, 0},
		{"-+1", -EINVAL, 0},
		{"-", -EINVAL, 0},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		int64_t value = 0;

		assert_int_equal(cgroup_parse_s64(cases[i].text, &value),
				 cases[i].result);
		assert_int_equal(value, cases[i].value);
	}
}

static void signed_files_take_signed_numbers(void **state)
{
	cgroup_tree *tree = *state;

	assert_int_equal(cgroup_write(tree, "/", "cpu.s64", "-5"), 0);
	assert_told("s64 -5\n");
	assert_int_equal(cgroup_write(tree, "/", "cpu.s64", "five"), -EINVAL);
	assert_told("");
}

/* As one process: all go, or none does. */
static void tasks_move_together(void **state)
{
	cgroup_tree *tree = *state;
	struct task a = {.pid = 1}, b = {.pid = 2}, c = {.pid = 3};
	struct task *all[] = {&a, &b, &c};
	struct cgroup *web, *db;

	make(tree, "/web");
	make(tree, "/db");
	web = cgroup_find(tree, "/web");
	db = cgroup_find(tree, "/db");
	cgroup_add_task(web, &a);
	cgroup_add_task(db, &b);
	cgroup_add_task(web, &c);
	answer = -ENOSPC;
	assert_int_equal(cgroup_attach(db, all, 3), -ENOSPC);
	assert_told("set asks for 2\n");
	assert_ptr_equal(a.cgroup, web);
	answer = 0;
	assert_int_equal(cgroup_attach(db, all, 3), 0);
	/* b is there already. */
	assert_told("set asks for 2\nset gets 2\ncpu gets 2, first 1\n");
	assert_int_equal(web->nr_tasks, 0);
	assert_int_equal(db->nr_tasks, 3);
	assert_int_equal(tree->root.nr_tasks_below, 3);
	assert_ptr_equal(db->tasks.next, &b.cgroup_node);
	assert_ptr_equal(db->tasks.prev, &c.cgroup_node);
	assert_int_equal(cgroup_attach(db, all, 3), 0);
	assert_told("");
}

static void the_dead_stay_out(void **state)
{
	cgroup_tree *tree = *state;
	struct task a = {.pid = 1}, b = {.pid = 2};
	struct task *all[] = {&a, &b};

	make(tree, "/web");
	cgroup_add_task(&tree->root, &a);
	cgroup_add_task(&tree->root, &b);
	cgroup_exit_task(&a);
	assert_null(a.cgroup);
	assert_int_equal(cgroup_attach(cgroup_find(tree, "/web"), all, 2), 0);
	assert_told("set asks for 1\nset gets 1\ncpu gets 1, first 2\n");
	cgroup_exit_task(&b);
	assert_int_equal(cgroup_attach(&tree->root, all, 2), -ESRCH);
	assert_int_equal(cgroup_attach(&tree->root, NULL, 0), -ESRCH);
	/* A second death is none. */
	cgroup_exit_task(&b);
}

/* A leaf takes tasks; what is above or below a group with tasks does not. */
static void in_v2_tasks_live_in_leaves(void **state)
{
	cgroup_tree *tree = *state;
	struct task a = {.pid = 1}, b = {.pid = 2};
	struct task *one[] = {&a}, *other[] = {&b};

	make(tree, "/web");
	make(tree, "/web/a");
	make(tree, "/web/a/deep");
	cgroup_add_task(&tree->root, &a);
	cgroup_add_task(&tree->root, &b);
	assert_int_equal(cgroup_attach(cgroup_find(tree, "/web/a/deep"), one, 1), 0);
	assert_int_equal(cgroup_attach(cgroup_find(tree, "/web"), other, 1), -EBUSY);
	assert_int_equal(cgroup_attach(cgroup_find(tree, "/web/a"), other, 1), -EBUSY);
	/* The root may have both. */
	assert_int_equal(cgroup_attach(&tree->root, one, 1), 0);
	assert_int_equal(cgroup_attach(cgroup_find(tree, "/web"), one, 1), 0);
	assert_int_equal(cgroup_attach(cgroup_find(tree, "/web/a/deep"), other, 1),
			 -EOPNOTSUPP);
	assert_int_equal(cgroup_attach(cgroup_find(tree, "/web/a/deep"), one, 1),
			 -EOPNOTSUPP);
}

static void in_v1_tasks_live_anywhere(void **state)
{
	cgroup_tree *tree = *state;
	struct task a = {.pid = 1}, b = {.pid = 2};
	struct task *one[] = {&a}, *other[] = {&b};

	make(tree, "/web");
	make(tree, "/web/a");
	cgroup_add_task(&tree->root, &a);
	cgroup_add_task(&tree->root, &b);
	assert_int_equal(cgroup_attach(cgroup_find(tree, "/web/a"), one, 1), 0);
	assert_int_equal(cgroup_attach(cgroup_find(tree, "/web"), other, 1), 0);
	assert_int_equal(tree->root.nr_tasks_below, 2);
	assert_int_equal(cgroup_find(tree, "/web")->nr_tasks_below, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
#define TEST_V1(test) cmocka_unit_test_setup_teardown(test, setup_v1, teardown)
		TEST(groups_are_found_by_their_path),
		TEST(controllers_hear_of_groups_in_the_kernel_s_order),
		TEST(mkdir_refuses_as_the_kernel_does),
		TEST(rmdir_refuses_what_is_in_use),
		TEST(files_are_of_a_version_and_maybe_of_the_root),
		TEST(numbers_are_read_as_the_kernel_reads_them),
		TEST(signed_numbers_have_their_range),
		TEST_V1(signed_files_take_signed_numbers),
		TEST(tasks_move_together),
		TEST(the_dead_stay_out),
		TEST(in_v2_tasks_live_in_leaves),
		TEST_V1(in_v1_tasks_live_anywhere),
#undef TEST
#undef TEST_V1
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
