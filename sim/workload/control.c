/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/control.h"

#include "cpuset/cpuset_cgroup.h"
#include "sched/cpu_cgroup.h"

const char *const operation_names[NR_OPERATION_KINDS + 1] = {
	[OPERATION_WRITE] = "write",
	[OPERATION_ATTACH] = "attach",
	[OPERATION_MKDIR] = "mkdir",
	[OPERATION_RMDIR] = "rmdir",
	[OPERATION_OFFLINE] = "offline",
	[OPERATION_ONLINE] = "online",
	[OPERATION_SUSPEND] = "suspend",
	[OPERATION_RESUME] = "resume",
	[OPERATION_GOVERNOR] = "governor",
	[OPERATION_TOPOLOGY] = "topology",
	[OPERATION_SETSCHEDULER] = "setscheduler",
	[OPERATION_AFFINITY] = "affinity",
	[OPERATION_RENICE] = "renice",
	[OPERATION_TUNABLE] = "tunable",
};

const struct cgroup_controller *const cgroup_controllers[NR_CGROUP_SUBSYS] = {
	[CGROUP_CPUSET] = &cpuset_cgroup,
	[CGROUP_CPU] = &cpu_cgroup,
};

static void operation_clear(struct operation_spec *op)
{
	g_free(op->path);
	g_free(op->file);
	g_strfreev(op->values);
	dist_clear(&op->every);
	dist_clear(&op->burst);
	g_free(op->record);
	g_free(op->place);
	g_free(op->thread.name);
	program_clear(&op->thread.program);
}

static void free_strings(char **strings, int nr)
{
	for (int i = 0; i < nr; i++)
		g_free(strings[i]);
	g_free(strings);
}

void control_free(struct control *c)
{
	if (!c)
		return;
	for (int i = 0; i < c->nr_steps; i++) {
		g_free(c->steps[i].file);
		g_free(c->steps[i].value);
	}
	for (int i = 0; i < c->nr_sleepers; i++)
		g_free(c->sleepers[i].place);
	for (int i = 0; i < c->nr_operations; i++)
		operation_clear(&c->operations[i]);
	free_strings(c->paths, c->nr_paths);
	free_strings(c->rows, c->nr_rows);
	g_free(c->steps);
	g_free(c->sleepers);
	g_free(c->operations);
	g_free(c);
}
