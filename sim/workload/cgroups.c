/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of control groups of a run, its cpusets, and the threads in them.
 */
#include "cpuset/cpuset_cgroup.h"
#include "sched/cpu_cgroup.h"
#include "sched/task_group.h"
#include "schedsim/error.h"
#include "workload/clockwork.h"
#include "workload/control.h"
#include "workload/control_plane.h"

#include <string.h>

static bool needs_cpusets(const simulation *s)
{
	const struct control *c = s->w->control;

	return (c && (c->has_cpuset_files || c->needs_cpusets)) || s->in->rebuild ||
	       !cpumask_empty(&s->in->spec.isolated);
}

static cpusets *make_cpusets(simulation *s)
{
	const struct workload_input *in = s->in;
	struct rebuild_policy policy;
	struct cpusets_spec spec = {
		.mode = s->w->control ? s->w->control->cpuset_mode : CPUSET_V2,
		.policy = in->rebuild,
		.isolated = in->spec.isolated,
	};

	if (!in->rebuild) {
		bool is_policy =
			rebuild_policy_parse(in->spec.profile->rebuild, &policy, NULL);

		g_assert(is_policy);
		spec.policy = &policy;
	}
	return cpusets_new(s->m, &spec);
}

void cgroups_init(simulation *s)
{
	const struct cgroup_controller *controllers[NR_CGROUP_SUBSYS];
	const struct control *c = s->w->control;

	if (needs_cpusets(s))
		s->cpusets = make_cpusets(s);
	if (s->cpusets)
		s->control_plane = control_plane_new(s);
	if (!c)
		return;
	memcpy(controllers, cgroup_controllers, sizeof(controllers));
	if (!c->has_cpuset_files)
		controllers[CGROUP_CPUSET] = NULL;
	s->cgroups = cgroup_tree_new(s->m, c->version, controllers);
}

void cgroups_clear(simulation *s)
{
	cgroup_tree_free(s->cgroups);
	cpusets_free(s->cpusets);
	g_free(s->control_plane);
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

/* By its own affinity, without cpusets.  source: sched_init_smp() */
static struct cpumask own_cpus(const struct thread *t)
{
	struct cpumask all = cpumask_first_n(t->s->m->nr_cpus);

	if (!cpumask_empty(&t->sim.spec->cpus))
		return t->sim.spec->cpus;
	return cpumask_andnot(&all, &t->s->in->spec.isolated);
}

/*
 * As if it were moved there and then set its affinity, if it has any of its own.  The
 * reader made sure that this leaves it some CPU.
 */
static struct cpumask confined_cpus(const struct thread *t, const struct cpuset *cs)
{
	struct cpumask own = own_cpus(t), cpus = cpuset_cpus_allowed(cs);

	if (!cs->parent)
		return own;
	if (cpumask_empty(&t->sim.spec->cpus))
		return cpus;
	return cpumask_and(&own, &cpus);
}

struct cpumask thread_begin_in_group(struct thread *t)
{
	simulation *s = t->s;
	struct cgroup *cg = NULL;
	struct cpuset *cs;

	if (s->cgroups) {
		cg = cgroup_find(s->cgroups, s->w->control->paths[t->sim.spec->cgroup]);
		cgroup_add_task(cg, &t->sim.task);
		t->sim.task.sched_task_group = cgroup_tg(cg);
	}
	if (!s->cpusets)
		return own_cpus(t);
	cs = cg && cgroup_cpuset(cg) ? cgroup_cpuset(cg) : s->cpusets->root;
	cpuset_task_init(&t->place, &t->sim.task, cs);
	return confined_cpus(t, cs);
}

struct cpumask thread_begin_beside(struct thread *t, const struct thread *parent)
{
	simulation *s = t->s;
	struct cgroup *cg = parent->sim.task.cgroup;
	struct cpuset *cs;

	if (cg) {
		cgroup_add_task(cg, &t->sim.task);
		t->sim.task.sched_task_group = cgroup_tg(cg);
	}
	if (s->cpusets) {
		cs = cg && cgroup_cpuset(cg) ? cgroup_cpuset(cg) : s->cpusets->root;
		cpuset_task_init(&t->place, &t->sim.task, cs);
	}
	return parent->sim.task.cpus_mask;
}

void thread_leave_groups(struct thread *t)
{
	if (t->s->cpusets)
		cpuset_task_exit(&t->place);
	if (!t->s->cgroups)
		return;
	cgroup_exit_task(&t->sim.task);
	sched_forget_group(t->s->m, &t->sim.task);
}

void thread_join_group(struct thread *t, int group, const char *place)
{
	simulation *s = t->s;
	const char *path = s->w->control->paths[group];
	struct cgroup *to = cgroup_find(s->cgroups, path);
	struct task *task = &t->sim.task;
	int error;

	s->m->this_cpu = task->cpu;
	error = to ? -cgroup_attach(to, &task, 1) : ENOENT;
	if (error)
		simulation_fail(s, g_error_new(KERNEL_ERROR, error,
					       "%s: %s to \"%s\": %s", place, t->comm,
					       path, kernel_errno_name(error)));
}

void step_set_group(struct thread *t, const struct step *st)
{
	step_done(t);
	thread_join_group(t, st->object, st->place);
}
