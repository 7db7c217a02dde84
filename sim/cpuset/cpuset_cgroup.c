/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of control groups has its cpusets follow, and each operation on it leaves
 * one account.
 *
 * source: cpuset_cgrp_subsys; cgroup_mkdir(), cgroup_rmdir() and
 * cgroup_attach_lock(), kernel/cgroup/cgroup.c, 6.1
 */
#include "cpuset/cpuset_cgroup.h"

#include "cpuset/internal.h"

static cpusets *cpusets_of(const cgroup_tree *tree)
{
	return tree->m->cpusets->data;
}

static void online(struct cgroup *cg)
{
	cpusets *sys = cpusets_of(cg->tree);
	struct cpuset *cs = sys->root;

	if (cg->parent) {
		cs = cpuset_new(sys, cgroup_cpuset(cg->parent), cg->name);
		cpuset_lock_write(sys);
		cpuset_bring_online(cs);
		cpuset_unlock_write(sys);
	}
	cg->css[CGROUP_CPUSET] = cs;
}

static void offline(struct cgroup *cg)
{
	struct cpuset *cs = cgroup_cpuset(cg);

	cpuset_lock_write(cs->sys);
	cpuset_take_offline(cs);
	cpuset_unlock_write(cs->sys);
	cpuset_free(cs);
}

/* The places of @tasks, [nr].  (transfer full) */
static struct cpuset_task **places_of(struct task *const *tasks, size_t nr)
{
	struct cpuset_task **places = g_new(struct cpuset_task *, nr);

	for (size_t i = 0; i < nr; i++)
		places[i] = tasks[i]->cpuset;
	return places;
}

static int can_attach(struct cgroup *to, struct task *const *tasks, size_t nr)
{
	g_autofree struct cpuset_task **places = places_of(tasks, nr);

	return cpuset_can_attach(cgroup_cpuset(to), places, nr);
}

static void cancel_attach(struct cgroup *to, struct task *const *tasks, size_t nr)
{
	cpuset_cancel_attach(cgroup_cpuset(to));
}

static void attach(struct cgroup *to, struct task *const *tasks, size_t nr)
{
	g_autofree struct cpuset_task **places = places_of(tasks, nr);

	cpuset_attach_tasks(cgroup_cpuset(to), places, nr);
}

/* What the tree itself takes around an operation, before controllers hear of it. */
static void lock_tree(cpusets *sys, enum cgroup_operation operation)
{
	switch (operation) {
	case CGROUP_MKDIR:
	case CGROUP_RMDIR:
		op_lock(sys->op, OP_LOCK_CGROUP_MUTEX);
		break;
	case CGROUP_ATTACH:
		cpuset_lock_for_attach(sys);
		break;
	case CGROUP_WRITE:
		break;
	}
}

static void unlock_tree(cpusets *sys, enum cgroup_operation operation)
{
	switch (operation) {
	case CGROUP_MKDIR:
	case CGROUP_RMDIR:
		op_unlock(sys->op, OP_LOCK_CGROUP_MUTEX);
		break;
	case CGROUP_ATTACH:
		cpuset_unlock_after_attach(sys);
		break;
	case CGROUP_WRITE:
		break;
	}
}

static enum rebuild_caller caller_of(const cpusets *sys,
				     enum cgroup_operation operation)
{
	return operation == CGROUP_RMDIR ? cpuset_caller_of_rmdir(sys) : REBUILD_CPUS;
}

static void operation_begins(cgroup_tree *tree, enum cgroup_operation operation)
{
	cpusets *sys = cpusets_of(tree);

	g_assert(!sys->whole);
	sys->whole = g_new0(struct op_scope, 1);
	cpuset_op_begin(sys, sys->whole, caller_of(sys, operation), NULL);
	lock_tree(sys, operation);
}

static void operation_ends(cgroup_tree *tree, enum cgroup_operation operation,
			   int result)
{
	cpusets *sys = cpusets_of(tree);

	unlock_tree(sys, operation);
	cpuset_op_end(sys, sys->whole, result);
	g_clear_pointer(&sys->whole, g_free);
}

static int write_named(struct cgroup *cg, const char *file, const char *text)
{
	return cpuset_write(cgroup_cpuset(cg), file, text, NULL);
}

static const struct cgroup_file files[] = {
#define CPUSET_FILE(version, name, on_root, write, read)                               \
	{name, version, on_root, .write_named = write_named},
#include "cpuset/cpuset_files.def"
#undef CPUSET_FILE
	{.name = NULL},
};

const struct cgroup_controller cpuset_cgroup = {
	.name = "cpuset",
	.files = files,
	.online = online,
	.offline = offline,
	.can_attach = can_attach,
	.cancel_attach = cancel_attach,
	.attach = attach,
	.operation_begins = operation_begins,
	.operation_ends = operation_ends,
};
