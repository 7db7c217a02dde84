/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of which there are several, and tasks in groups that sleep all the time.
 */
#include "test.h"

#include "cpuset/cpuset_cgroup.h"
#include "schedsim/error.h"
#include "wakeup/registry.h"
#include "workload/control.h"
#include "workload/simulation.h"
#include "workload_text.h"

#define TASK "'duration': '1ms', 'tasks': {'t': {'loop': 1, 'run': 1}}"

static void a_group_may_come_in_several_instances(void **state)
{
	struct workload_input in = workload_of(
		"{'cgroups': {'app': {'instance': 2, 'cpu.weight': 50, 'in': {}}, "
		"'instance': {}}, " TASK "}");
	const struct control *c = in.workload->control;

	assert_int_equal(c->nr_paths, 6);
	assert_string_equal(c->paths[1], "/app-0");
	assert_string_equal(c->paths[2], "/app-0/in");
	assert_string_equal(c->paths[3], "/app-1");
	assert_string_equal(c->paths[4], "/app-1/in");
	assert_string_equal(c->paths[5], "/instance");
	workload_input_clear(&in);
}

static void what_sleepers_cannot_be_is_named(void **state)
{
	static const char *const cases[][2] = {
		{"'a': {'sleepers': -1}",
		 "cgroups.a.sleepers: expected a whole number from 0 to 10000000, "
		 "got -1"},
		{"'a': {'instance': 2, 'sleepers': 5000001}",
		 "cgroups.a.sleepers: expected at most 10000000 sleepers in all "
		 "groups, got more"},
		{"'a': {'instance': 2, 'b': {'instance': 5000}}",
		 "cgroups.a.b: expected at most 10000 groups, got more"},
		{"'a': {'instance': 0}",
		 "cgroups.a.instance: expected a whole number from 1 to 10000, got 0"},
		{"'a': {'sleepers': 1, 'b': {'sleepers': 1}}",
		 "cgroups.a.b.sleepers: expected tasks in the leaves of a tree of "
		 "version 2 only, got some in \"/a\" and below it in \"/a/b\""},
		{"'version': 1, 'a': {'cpuset.cpus': '0', 'sleepers': 1}",
		 "cgroups.a.sleepers: expected a group with CPUs and memory nodes, got "
		 "\"/a\" without cpuset.mems: ENOSPC"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *json =
			g_strdup_printf("{'cgroups': {%s}, %s}", cases[i][0], TASK);

		assert_workload_error(json, INPUT_ERROR_VALUE, cases[i][1]);
	}
}

/* "CPU,CPU,...;" of the tasks of each child of the root, in order. */
static char *last_cpus(const struct machine *m)
{
	const struct cgroup *root = m->root_tg.cgroup;
	GString *out = g_string_new(NULL);

	for (struct list *c = root->children.next; c != &root->children; c = c->next) {
		const struct cgroup *cg = list_entry(c, struct cgroup, siblings);

		for (struct list *t = cg->tasks.next; t != &cg->tasks; t = t->next)
			g_string_append_printf(
				out, "%d,",
				list_entry(t, struct task, cgroup_node)->cpu);
		g_string_append_printf(out, "%d;", (int)cgroup_cpuset(cg)->nr_tasks);
	}
	return g_string_free(out, FALSE);
}

static void they_sleep_on_the_cpus_of_their_group_in_turn(void **state)
{
	struct workload_input in = workload_of(
		"{'machine': '1n1l4c1t', 'cgroups': {'a': {'cpuset.cpus': '1-2', "
		"'sleepers': 3}, 'b': {'instance': 2, 'sleepers': 1}}, " TASK "}");
	struct wakeup_policy policy =
		wakeup_policy_complete(wakeup_policy_find("baseline"));
	simulation *s;

	in.spec.policy = &policy;
	s = simulation_new(&in, 1, NULL, NULL);
	assert_true(simulation_run(s, NULL));
	{
		g_autofree char *cpus = last_cpus(simulation_machine(s));

		assert_string_equal(cpus, "1,2,1,3;0,1;0,1;");
	}
	assert_int_equal(simulation_nr_tasks(s), 1);
	simulation_free(s);
	workload_input_clear(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_may_come_in_several_instances),
		cmocka_unit_test(what_sleepers_cannot_be_is_named),
		cmocka_unit_test(they_sleep_on_the_cpus_of_their_group_in_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
