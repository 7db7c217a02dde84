/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "cgroups", and the group of a task: what it becomes, and the message for what the
 * grammar or the kernel does not take.
 */
#include "test.h"

#include "schedsim/error.h"
#include "workload/control.h"
#include "workload_text.h"

#define TASK "'duration': '1s', 'tasks': {'t': {'run': 1}}"
#define RUN "'duration': '1s', "

/* The steps that set the tree up, a line each. */
static void assert_steps(const struct workload_input *in, const char *lines)
{
	const struct control *c = in->workload->control;
	g_autoptr(GString) out = g_string_new(NULL);

	for (int i = 0; i < c->nr_steps; i++) {
		const struct cgroup_step *s = &c->steps[i];

		g_string_append(out, c->paths[s->cgroup]);
		if (s->file)
			g_string_append_printf(out, " %s=%s", s->file, s->value);
		g_string_append_c(out, '\n');
	}
	assert_string_equal(out->str, lines);
}

static void the_tree_is_set_up_in_the_order_written(void **state)
{
	struct workload_input in = workload_of(
		"{'cgroups': {'web': {'cpu.weight': 200, 'a': {'cpu.max': '5000 "
		"20000'}, 'cpu.weight.nice': '-5'}, 'user.slice': {}}, " TASK "}");

	assert_int_equal(in.workload->control->version, CGROUP_V2);
	assert_steps(&in, "/web\n/web cpu.weight=200\n/web/a\n"
			  "/web/a cpu.max=5000 20000\n/web cpu.weight.nice=-5\n"
			  "/user.slice\n");
	assert_string_equal(in.workload->control->paths[0], "/");
	assert_int_equal(in.workload->control->nr_paths, 4);
	workload_input_clear(&in);
}

static void a_tree_of_version_1_has_its_own_files(void **state)
{
	struct workload_input in =
		workload_of("{'cgroups': {'version': 1, 'a': {'cpu.shares': 512, "
			    "'cpu.cfs_quota_us': 20000, 'cpu.cfs_period_us': '40000', "
			    "'cpu.idle': 0, 'cpu.cfs_burst_us': 1000}}, " TASK "}");

	assert_int_equal(in.workload->control->version, CGROUP_V1);
	assert_steps(&in, "/a\n/a cpu.shares=512\n/a cpu.cfs_quota_us=20000\n"
			  "/a cpu.cfs_period_us=40000\n/a cpu.idle=0\n"
			  "/a cpu.cfs_burst_us=1000\n");
	workload_input_clear(&in);
}

static void values_may_be_parameters(void **state)
{
	struct workload_input in =
		workload_of("{'params': {'w': 300}, 'cgroups': {'a': {'cpu.weight': "
			    "{'param': 'w'}}, 'b': {'cpu.weight': '=w/3'}}, " TASK "}");

	assert_steps(&in, "/a\n/a cpu.weight=300\n/b\n/b cpu.weight=100\n");
	workload_input_clear(&in);
}

static void without_groups_there_is_no_tree(void **state)
{
	struct workload_input in = workload_of("{" TASK "}");

	assert_null(in.workload->control);
	workload_input_clear(&in);
}

static void tasks_name_their_group(void **state)
{
	struct workload_input in =
		workload_of("{'cgroups': {'web': {'a': {}}}, " RUN
			    "'tasks': {'t': {'cgroup': '/web/a', 'run': 1}, "
			    "'u': {'cgroup': '//web/a/', 'run': 1}, 'r': {'run': 1}, "
			    "'s': {'cgroup': '/', 'run': 1}}}");
	const struct task_spec *tasks = in.workload->tasks;

	assert_string_equal(in.workload->control->paths[tasks[0].cgroup], "/web/a");
	assert_int_equal(tasks[1].cgroup, tasks[0].cgroup);
	assert_int_equal(tasks[2].cgroup, 0);
	assert_int_equal(tasks[3].cgroup, 0);
	workload_input_clear(&in);
}

/* rt-app makes what is missing of the path, in the hierarchy of version 1. */
static void a_taskgroup_is_made(void **state)
{
	struct workload_input in =
		workload_of("{" RUN "'tasks': {'t': {'taskgroup': '/a/b', 'run': 1}, "
			    "'u': {'taskgroup': '/a/c', 'run': 1}, "
			    "'v': {'taskgroup': '', 'run': 1}}}");
	const struct task_spec *tasks = in.workload->tasks;

	assert_int_equal(in.workload->control->version, CGROUP_V1);
	assert_steps(&in, "/a\n/a/b\n/a/c\n");
	assert_string_equal(in.workload->control->paths[tasks[0].cgroup], "/a/b");
	assert_string_equal(in.workload->control->paths[tasks[1].cgroup], "/a/c");
	assert_int_equal(tasks[2].cgroup, 0);
	workload_input_clear(&in);
}

/* It holds on, as a policy does. */
static void a_phase_changes_the_group(void **state)
{
	struct workload_input in = workload_of(
		"{" RUN "'tasks': {'t': {'loop': 1, 'taskgroup': '/a', 'phases': "
		"{'p': {'run': 1}, 'q': {'taskgroup': '/b', 'run': 2}, "
		"'r': {'taskgroup': '', 'run': 3}, 's': {'taskgroup': '/', 'run': "
		"4}}}}}");

	assert_program(&in, 0,
		       "run 1000\ngroup /b\nrun 2000\nrun 3000\ngroup /\nrun 4000\n"
		       "exit");
	workload_input_clear(&in);
}

static void what_the_grammar_does_not_take_is_named(void **state)
{
	static const char *const cases[][2] = {
		{"{'cgroups': [], " TASK "}",
		 "cgroups: expected an object of groups, got an empty array"},
		{"{'cgroups': {'version': 3}, " TASK "}",
		 "cgroups.version: expected a whole number from 1 to 2, got 3"},
		{"{'cgroups': {'a': 5}, " TASK "}",
		 "cgroups.a: expected an object (a group) or a control file's key, "
		 "got 5"},
		{"{'cgroups': {'a/b': {}}, " TASK "}",
		 "cgroups[\"a/b\"]: expected the name of one group, got \"a/b\""},
		{"{'cgroups': {'': {}}, " TASK "}",
		 "cgroups[\"\"]: expected the name of one group, got \"\""},
		{"{'cgroups': {'a': {'cpu.wieght': 1}}, " TASK "}",
		 "cgroups.a[\"cpu.wieght\"]: expected a control file of cgroup version "
		 "2, "
		 "got \"cpu.wieght\"; the nearest is \"cpu.weight\""},
		{"{'cgroups': {'a': {'cpu.shares': 1}}, " TASK "}",
		 "cgroups.a[\"cpu.shares\"]: expected a control file of cgroup version "
		 "2, "
		 "got \"cpu.shares\" of version 1"},
		{"{'cgroups': {'a': {'cpu.weight': 1.5}}, " TASK "}",
		 "cgroups.a[\"cpu.weight\"]: expected a text or a whole number, got "
		 "1.5"},
		{"{'cgroups': {'a': {'cpu.weight': true}}, " TASK "}",
		 "cgroups.a[\"cpu.weight\"]: expected a text or a whole number, got "
		 "true"},
		{"{'params': {'x': '5ms'}, 'cgroups': {'a': {'cpu.weight': "
		 "'=x'}}, " TASK "}",
		 "cgroups.a[\"cpu.weight\"]: expected a text or a whole number, got "
		 "\"=x\""},
		{"{'cgroups': {'a': {'cpu.weight': 1, 'cpu.weight': 2}}, " TASK "}",
		 "cgroups.a: expected the key \"cpu.weight\" once, got it again"},
		{"{'cgroups': {'a': {}}, " RUN
		 "'tasks': {'t': {'cgroup': '/b', 'run': 1}}}",
		 "tasks.t.cgroup: expected a group that \"cgroups\" defines, got "
		 "\"/b\""},
		{"{" RUN "'tasks': {'t': {'cgroup': '/b', 'run': 1}}}",
		 "tasks.t.cgroup: expected a group that \"cgroups\" defines, got "
		 "\"/b\""},
		{"{'cgroups': {'a': {}}, " RUN
		 "'tasks': {'t': {'cgroup': 'a', 'run': 1}}}",
		 "tasks.t.cgroup: expected a group's path, which begins with \"/\", "
		 "got \"a\""},
		{"{'cgroups': {'a': {}}, " RUN
		 "'tasks': {'t': {'cgroup': '/a', 'taskgroup': '/a', 'run': 1}}}",
		 "tasks.t: expected \"cgroup\" or \"taskgroup\", got both"},
		{"{" RUN "'tasks': {'t': {'taskgroup': 'a', 'run': 1}}}",
		 "tasks.t.taskgroup: expected a group's path, which begins with "
		 "\"/\", got \"a\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_workload_error(cases[i][0], INPUT_ERROR_VALUE, cases[i][1]);
}

static void what_the_kernel_does_not_take_is_refused_with_its_errno(void **state)
{
	static const char *const cases[][2] = {
		{"{'cgroups': {'a': {'cpu.weight': 0}}, " TASK "}",
		 "cgroups.a[\"cpu.weight\"]: expected a value that the kernel takes, "
		 "got "
		 "0: ERANGE"},
		{"{'cgroups': {'a': {'cpu.max': '10 20'}}, " TASK "}",
		 "cgroups.a[\"cpu.max\"]: expected a value that the kernel takes, got "
		 "\"10 "
		 "20\": EINVAL"},
		{"{'cgroups': {'a': {'cpu.idle': 1, 'cpu.weight': 5}}, " TASK "}",
		 "cgroups.a[\"cpu.weight\"]: expected a value that the kernel takes, "
		 "got "
		 "5: EINVAL"},
		{"{'cgroups': {'version': 1, 'cpu.shares': 5}, " TASK "}",
		 "cgroups[\"cpu.shares\"]: expected a value that the kernel takes, got "
		 "5: "
		 "EINVAL"},
		{"{'cgroups': {'cpu.weight': 5}, " TASK "}",
		 "cgroups[\"cpu.weight\"]: expected a value that the kernel takes, got "
		 "5: "
		 "ENOENT"},
		/* The parent's share comes after the child's, which is more. */
		{"{'cgroups': {'version': 1, 'a': {'b': {'cpu.cfs_quota_us': 50000}, "
		 "'cpu.cfs_quota_us': 20000}}, " TASK "}",
		 "cgroups.a[\"cpu.cfs_quota_us\"]: expected a value that the kernel "
		 "takes, "
		 "got 20000: EINVAL"},
		{"{'cgroups': {'a': {'..': {}}}, " TASK "}",
		 "cgroups.a[\"..\"]: expected a name that the kernel takes, got "
		 "\"..\": "
		 "EEXIST"},
		{"{" RUN "'tasks': {'t': {'taskgroup': '/a/..', 'run': 1}}}",
		 "tasks.t.taskgroup: expected a path that the kernel takes, got "
		 "\"/a/..\": EEXIST"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_workload_error(cases[i][0], INPUT_ERROR_VALUE, cases[i][1]);
}

static void cpusets_are_tried_on_the_machine(void **state)
{
	static const char *const cases[][2] = {
		{"{'cgroups': {'a': {'cpuset.cpus': '0-4294967296'}}, " TASK "}",
		 "cgroups.a[\"cpuset.cpus\"]: expected a value that the kernel "
		 "takes, got \"0-4294967296\": EOVERFLOW"},
		{"{'cgroups': {'a': {'cpuset.cpus': '0-8'}}, " TASK "}",
		 "cgroups.a[\"cpuset.cpus\"]: expected a value that the kernel takes, "
		 "got \"0-8\": EINVAL"},
		{"{'cgroups': {'version': 1, 'a': {'cpuset.cpus': '0-1', 'b': "
		 "{'cpuset.cpus': '1-2'}}}, " TASK "}",
		 "cgroups.a.b[\"cpuset.cpus\"]: expected a value that the kernel "
		 "takes, "
		 "got \"1-2\": EACCES"},
		{"{'cgroups': {'a': {'cpuset.cpus.effective': '0'}}, " TASK "}",
		 "cgroups.a[\"cpuset.cpus.effective\"]: expected a value that the "
		 "kernel "
		 "takes, got \"0\": EINVAL"},
		{"{'cgroups': {'a': {'cpuset.cpu_exclusive': 1}}, " TASK "}",
		 "cgroups.a[\"cpuset.cpu_exclusive\"]: expected a control file of "
		 "cgroup "
		 "version 2, got \"cpuset.cpu_exclusive\" of version 1"},
		{"{'cgroups': {'a': {'cpuset.cpu': '0'}}, " TASK "}",
		 "cgroups.a[\"cpuset.cpu\"]: expected a control file of cgroup version "
		 "2, got \"cpuset.cpu\"; the nearest is \"cpuset.cpus\""},
		{"{'cgroups': {'cpuset_v2_mode': true}, " TASK "}",
		 "cgroups.cpuset_v2_mode: expected \"version\": 1 beside this mount "
		 "option"},
		{"{" RUN "'cgroups': {'version': 1, 'a': {'cpuset.cpus': '0'}}, "
		 "'tasks': {'t': {'cgroup': '/a', 'run': 1}}}",
		 "tasks.t: expected a group with CPUs and memory nodes, got \"/a\" "
		 "without cpuset.mems: ENOSPC"},
		{"{" RUN "'cgroups': {'version': 1, 'a': {'cpuset.mems': '0'}}, "
		 "'tasks': {'t': {'cgroup': '/a', 'run': 1}}}",
		 "tasks.t: expected a group with CPUs and memory nodes, got \"/a\" "
		 "without cpuset.cpus: ENOSPC"},
		{"{" RUN "'cgroups': {'a': {'cpuset.cpus': '2-3'}}, "
		 "'tasks': {'t': {'cgroup': '/a', 'cpus': '0-1', 'run': 1}}}",
		 "tasks.t: expected \"cpus\" with one that \"/a\" has (2-3): EINVAL"},
		{"{" RUN "'cgroups': {'version': 1, 'a': {}}, 'operations': [{'at': "
		 "'1ms', 'write': {'path': '/a', 'file': 'cpuset.cpus', 'value': 0}}], "
		 "'tasks': {'t': {'cgroup': '/a', 'run': 1}}}",
		 "tasks.t: expected a group with CPUs and memory nodes, got \"/a\" "
		 "without cpuset.cpus: ENOSPC"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_workload_error(cases[i][0], INPUT_ERROR_VALUE, cases[i][1]);
}

/* Without a file of theirs there are none, and version 1 asks for nothing. */
static void cpusets_are_there_where_a_file_of_theirs_is(void **state)
{
	struct workload_input with =
		workload_of("{'cgroups': {'a': {'cpuset.cpus': '1'}}, " TASK "}");
	struct workload_input without =
		workload_of("{" RUN "'cgroups': {'version': 1, 'a': {}}, 'tasks': "
			    "{'t': {'cgroup': '/a', 'run': 1}}}");

	assert_true(with.workload->control->has_cpuset_files);
	assert_int_equal(with.workload->control->cpuset_mode, CPUSET_V2);
	assert_false(without.workload->control->has_cpuset_files);
	assert_int_equal(without.workload->control->cpuset_mode, CPUSET_V1);
	workload_input_clear(&with);
	workload_input_clear(&without);
}

static void other_controllers_are_refused_by_name(void **state)
{
	static const char *const cases[][2] = {
		{"{'cgroups': {'a': {'memory.max': 5}}, " TASK "}",
		 "cgroups.a[\"memory.max\"]: \"memory.max\" is not simulated yet"},
		{"{'cgroups': {'a': {'cgroup.procs': 5}}, " TASK "}",
		 "cgroups.a[\"cgroup.procs\"]: \"cgroup.procs\" is not simulated yet"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_workload_error(cases[i][0], INPUT_ERROR_UNSUPPORTED,
				      cases[i][1]);
}

/* In version 2; in version 1, and where nobody is, anything goes. */
static void tasks_live_in_leaves(void **state)
{
	static const char tree[] = "'a': {'b': {'c': {}}}}, ";
	static const char tasks[] =
		RUN "'tasks': {'t': {'cgroup': '/a', 'instance': %d, 'run': 1}, "
		    "'u': {'cgroup': '/a/b/c', 'run': 1}, 'r': {'run': 1}}}";
	g_autofree char *two = g_strdup_printf(tasks, 2);
	g_autofree char *none = g_strdup_printf(tasks, 0);
	g_autofree char *v2 = g_strconcat("{'cgroups': {", tree, two, NULL);
	g_autofree char *v1 =
		g_strconcat("{'cgroups': {'version': 1, ", tree, two, NULL);
	g_autofree char *empty = g_strconcat("{'cgroups': {", tree, none, NULL);
	struct workload_input in;

	assert_workload_error(v2, INPUT_ERROR_VALUE,
			      "tasks: expected tasks in the leaves of a tree of "
			      "version 2 only, got some in \"/a\" and below it in "
			      "\"/a/b/c\"");
	in = workload_of(v1);
	workload_input_clear(&in);
	in = workload_of(empty);
	workload_input_clear(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tree_is_set_up_in_the_order_written),
		cmocka_unit_test(a_tree_of_version_1_has_its_own_files),
		cmocka_unit_test(values_may_be_parameters),
		cmocka_unit_test(without_groups_there_is_no_tree),
		cmocka_unit_test(tasks_name_their_group),
		cmocka_unit_test(a_taskgroup_is_made),
		cmocka_unit_test(a_phase_changes_the_group),
		cmocka_unit_test(what_the_grammar_does_not_take_is_named),
		cmocka_unit_test(
			what_the_kernel_does_not_take_is_refused_with_its_errno),
		cmocka_unit_test(cpusets_are_tried_on_the_machine),
		cmocka_unit_test(cpusets_are_there_where_a_file_of_theirs_is),
		cmocka_unit_test(other_controllers_are_refused_by_name),
		cmocka_unit_test(tasks_live_in_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
