/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of control groups of a run, and the threads in it.
 */
#include "sched/cpu_cgroup.h"
#include "sched/task_group.h"
#include "schedsim/error.h"
#include "workload/clockwork.h"
#include "workload/control.h"

void cgroups_init(simulation *s)
{
	if (s->w->control)
		s->cgroups = cgroup_tree_new(s->m, s->w->control->version,
					     cgroup_controllers);
}

void cgroups_clear(simulation *s)
{
	cgroup_tree_free(s->cgroups);
}

/* The reader has tried it all, so that nothing here is refused. */
void cgroups_start(simulation *s)
{
	const struct control *c = s->w->control;

	for (int i = 0; c && i < c->nr_steps; i++) {
		const struct cgroup_step *step = &c->steps[i];
		const char *path = c->paths[step->cgroup];
		int result = step->file ? cgroup_write(s->cgroups, path, step->file,
						       step->value)
					: cgroup_mkdir(s->cgroups, path);

		g_assert(!result);
	}
}

void thread_begin_in_group(struct thread *t)
{
	simulation *s = t->s;
	struct cgroup *cg;

	if (!s->cgroups)
		return;
	cg = cgroup_find(s->cgroups, s->w->control->paths[t->sim.spec->cgroup]);
	cgroup_add_task(cg, &t->sim.task);
	t->sim.task.sched_task_group = cgroup_tg(cg);
}

void thread_leave_groups(struct thread *t)
{
	if (!t->s->cgroups)
		return;
	cgroup_exit_task(&t->sim.task);
	sched_forget_group(t->s->m, &t->sim.task);
}

void step_set_group(struct thread *t, const struct step *st)
{
	simulation *s = t->s;
	const char *path = s->w->control->paths[st->object];
	struct cgroup *to = cgroup_find(s->cgroups, path);
	struct task *task = &t->sim.task;
	int error;

	step_done(t);
	error = to ? -cgroup_attach(to, &task, 1) : ENOENT;
	if (error)
		simulation_fail(s,
				g_error_new(KERNEL_ERROR, error, "%s: %s to \"%s\": %s",
					    st->place, t->comm, path,
					    kernel_errno_name(error)));
}
