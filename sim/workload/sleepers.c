/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that sleep from before the start until after the end: all that there is of
 * them is that an operation may have to visit them.
 */
#include "cpuset/cpuset_cgroup.h"
#include "sched/cpu_cgroup.h"
#include "workload/clockwork.h"
#include "workload/control.h"

struct sleeper {
	struct task task;
	struct cpuset_task place; /* where there are cpusets */
};

/* What one costs; thousands of groups may hold a million. */
G_STATIC_ASSERT(sizeof(struct sleeper) < 1024);

/* It last ran on @cpu. */
static void fall_asleep(simulation *s, struct sleeper *sl, const struct cpumask *cpus,
			int cpu)
{
	sl->task.comm = "sleeper";
	sched_fork(s->m, &sl->task, POLICY_NORMAL, 0, cpus, cpu);
	sl->task.state = TASK_INTERRUPTIBLE;
	sl->task.wake_cpu = sl->task.recent_used_cpu = cpu;
}

/* The @nr from @sl on are in @cg, one after the other on each of its CPUs. */
static void begin_in_group(simulation *s, struct sleeper *sl, unsigned nr,
			   struct cgroup *cg)
{
	struct cpumask cpus = cpumask_first_n(s->m->nr_cpus);
	struct cpuset *cs = NULL;
	int cpu = -1;

	if (s->cpusets) {
		cs = cgroup_cpuset(cg) ? cgroup_cpuset(cg) : s->cpusets->root;
		cpus = cpuset_cpus_allowed(cs);
	}
	for (unsigned i = 0; i < nr; i++, sl++) {
		cpu = cpumask_next(&cpus, cpu);
		if (cpu >= CPUS_MAX)
			cpu = cpumask_first(&cpus);
		cgroup_add_task(cg, &sl->task);
		sl->task.sched_task_group = cgroup_tg(cg);
		if (cs)
			cpuset_task_init(&sl->place, &sl->task, cs);
		fall_asleep(s, sl, &cpus, cpu);
	}
}

void sleepers_start(simulation *s)
{
	const struct control *c = s->w->control;
	struct sleeper *sl;
	size_t nr = 0;

	for (int i = 0; c && i < c->nr_sleepers; i++)
		nr += c->sleepers[i].nr;
	if (!nr)
		return;
	s->sleepers = sl = g_new0(struct sleeper, nr);
	for (int i = 0; i < c->nr_sleepers; i++) {
		const struct group_sleepers *group = &c->sleepers[i];

		begin_in_group(s, sl, group->nr,
			       cgroup_find(s->cgroups, c->paths[group->cgroup]));
		sl += group->nr;
	}
}

void sleepers_clear(simulation *s)
{
	g_free(s->sleepers);
}
