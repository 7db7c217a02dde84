/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cpusets driven by the tree of control groups: one account for each operation, and
 * what a later controller's refusal takes back.
 */
#include "test.h"

#include "cpuset/cpuset_cgroup.h"
#include "cpuset_scene.h"

#include <errno.h>

#define B10 104857ULL

static int answer; /* of the controller after cpuset */

static void ignore(struct cgroup *cg)
{
}

static int may_attach(struct cgroup *to, struct task *const *tasks, size_t nr)
{
	return answer;
}

static void take(struct cgroup *to, struct task *const *tasks, size_t nr)
{
}

static const struct cgroup_file no_files[] = {{.name = NULL}};

static const struct cgroup_controller later = {
	.name = "cpu",
	.files = no_files,
	.online = ignore,
	.offline = ignore,
	.can_attach = may_attach,
	.attach = take,
};

typedef struct tree_scene tree_scene;

/* CPUs 0-3 in two root domains: the partition /P has 2-3. */
struct tree_scene {
	cpuset_scene *s;   /* owned */
	cgroup_tree *tree; /* owned */
	op_result journal; /* of everything since it was made */
};

static void must(int result)
{
	assert_int_equal(result, 0);
}

static tree_scene *scene_of(const char *policy)
{
	static const struct cgroup_controller *const controllers[NR_CGROUP_SUBSYS] = {
		[CGROUP_CPUSET] = &cpuset_cgroup, [CGROUP_CPU] = &later};
	tree_scene *t = g_new0(tree_scene, 1);

	answer = 0;
	t->s = cpuset_scene_new("1n1l4c1t", CPUSET_V2, policy, "");
	t->tree = cgroup_tree_new(t->s->m, CGROUP_V2, controllers);
	must(cgroup_mkdir(t->tree, "/P"));
	must(cgroup_write(t->tree, "/P", "cpuset.cpus", "2-3"));
	must(cgroup_write(t->tree, "/P", "cpuset.cpus.partition", "root"));
	op_result_init(&t->journal);
	cpusets_journal(t->s->sys, &t->journal);
	return t;
}

static void scene_free(tree_scene *t)
{
	op_result_clear(&t->journal);
	cgroup_tree_free(t->tree);
	cpuset_scene_free(t->s);
	g_free(t);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(tree_scene, scene_free)

/* A deadline task of 10/100 in the root. */
static struct task *b10_task(tree_scene *t)
{
	int err = 0;
	struct cpuset_task *ct = cs_dl_task(t->s, "", 10000, 100000, &err);

	must(err);
	cgroup_add_task(&t->tree->root, ct->task);
	return ct->task;
}

static int attach(tree_scene *t, const char *path, struct task *task)
{
	return cgroup_attach(cgroup_find(t->tree, path), &task, 1);
}

/* "+cgroup_mutex -cgroup_mutex": locks alone. */
static void assert_locks(const op_result *result, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < result->steps->len; i++) {
		const struct op_step *step =
			&g_array_index(result->steps, struct op_step, i);
		bool takes = step->kind == OP_STEP_LOCK;

		if (takes || step->kind == OP_STEP_UNLOCK)
			g_string_append_printf(text, "%s%c%s", text->len ? " " : "",
					       takes ? '+' : '-',
					       op_lock_name(step->what));
	}
	assert_string_equal(text->str, expected);
}

static void groups_and_cpusets_come_and_go_together(void **state)
{
	g_autoptr(tree_scene) t = scene_of("rebuild_v6_5");

	must(cgroup_mkdir(t->tree, "/a"));
	must(cgroup_mkdir(t->tree, "/a/b"));
	assert_ptr_equal(cgroup_cpuset(cgroup_find(t->tree, "/a/b")),
			 cpuset_find(t->s->sys, "a/b"));
	assert_ptr_equal(cgroup_cpuset(&t->tree->root), t->s->sys->root);
	assert_int_equal(cgroup_rmdir(t->tree, "/a"), -EBUSY);
	must(cgroup_rmdir(t->tree, "/a/b"));
	assert_null(cpuset_find(t->s->sys, "a/b"));
}

/* rmdir of a partition gives its CPUs back and has the domains rebuilt. */
static void a_partition_that_goes_gives_its_cpus_back(void **state)
{
	g_autoptr(tree_scene) t = scene_of("rebuild_v6_5");

	assert_domains(t->s, "0-1 2-3");
	must(cgroup_rmdir(t->tree, "/P"));
	assert_domains(t->s, "0-3");
	assert_int_equal(t->journal.rebuilds_requested, 1);
	assert_int_equal(t->journal.domains_built, 1);
}

static void every_file_is_named_in_the_tree(void **state)
{
	static const char *const names[] = {"cpuset.cpus", "cpuset.mems",
					    "cpuset.cpus.effective",
					    "cpuset.cpus.partition"};
	g_autoptr(tree_scene) t = scene_of("rebuild_v6_5");

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		assert_non_null(cgroup_file_find(&cpuset_cgroup, names[i], CGROUP_V2));
	assert_null(
		cgroup_file_find(&cpuset_cgroup, "cpuset.cpu_exclusive", CGROUP_V2));
	assert_non_null(
		cgroup_file_find(&cpuset_cgroup, "cpuset.cpu_exclusive", CGROUP_V1));
	assert_int_equal(cgroup_write(t->tree, "/", "cpuset.cpus", "0"), -ENOENT);
	assert_int_equal(cgroup_write(t->tree, "/P", "cpuset.cpus.effective", "0"),
			 -EINVAL);
	assert_int_equal(cgroup_write(t->tree, "/P", "cpuset.cpus", "3-2"), -EINVAL);
}

static void an_attach_takes_the_kernels_locks(void **state)
{
	g_autoptr(tree_scene) t = scene_of("rebuild_v6_5");
	struct task *task = cs_task(t->s, "")->task;

	cgroup_add_task(&t->tree->root, task);
	must(attach(t, "/P", task));
	/* can_attach and attach each take the cpuset lock. */
	assert_locks(&t->journal,
		     "+cgroup_mutex +cpus_read_lock +cgroup_threadgroup_rwsem "
		     "+cpuset_lock -cpuset_lock +cpuset_lock -cpuset_lock "
		     "-cgroup_threadgroup_rwsem -cpus_read_lock -cgroup_mutex");
	assert_int_equal(t->journal.affinities_set, 1);
	assert_int_equal(t->journal.err, 0);
}

static void accounts_add_up_until_the_journal_is_closed(void **state)
{
	g_autoptr(tree_scene) t = scene_of("rebuild_v6_5");

	must(cgroup_mkdir(t->tree, "/a"));
	assert_locks(&t->journal, "+cgroup_mutex +cpus_read_lock +cpuset_lock "
				  "-cpuset_lock -cpus_read_lock -cgroup_mutex");
	must(cgroup_write(t->tree, "/P", "cpuset.cpus.partition", "member"));
	/* Two root domains before all, one after the last. */
	assert_int_equal(t->journal.before->len, 2);
	assert_int_equal(t->journal.after->len, 1);
	assert_int_equal(t->journal.locks[OP_LOCK_CPUSET], 2);
	cpusets_journal(t->s->sys, NULL);
	must(cgroup_rmdir(t->tree, "/a"));
	assert_int_equal(t->journal.locks[OP_LOCK_CPUSET], 2);
}

/* The task needs 104857 in the partition's root domain; the refusal frees it. */
static void a_later_refusal_takes_the_reservation_back(void **state)
{
	g_autoptr(tree_scene) t = scene_of("rebuild_v6_5");
	struct task *task = b10_task(t);
	struct cpuset *to = cpuset_find(t->s->sys, "P");

	answer = -EINVAL;
	assert_int_equal(attach(t, "/P", task), -EINVAL);
	assert_int_equal(to->attach_in_progress, 0);
	assert_int_equal(to->nr_migrate_dl_tasks, 0);
	assert_int_equal(total_bw(t->s, 2), 0);
	assert_int_equal(total_bw(t->s, 0), B10);
	assert_ptr_equal(task->cpuset->cs, t->s->sys->root);
	assert_int_equal(t->journal.err, -EINVAL);
	answer = 0;
	must(attach(t, "/P", task));
	assert_int_equal(total_bw(t->s, 2), B10);
	assert_int_equal(total_bw(t->s, 0), 0);
	assert_int_equal(to->nr_deadline_tasks, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_and_cpusets_come_and_go_together),
		cmocka_unit_test(a_partition_that_goes_gives_its_cpus_back),
		cmocka_unit_test(every_file_is_named_in_the_tree),
		cmocka_unit_test(an_attach_takes_the_kernels_locks),
		cmocka_unit_test(accounts_add_up_until_the_journal_is_closed),
		cmocka_unit_test(a_later_refusal_takes_the_reservation_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
