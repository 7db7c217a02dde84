/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "balance_scene.h"

#include "model/machine_new.h"
#include "scene_topology.h"
#include "sched/class.h"
#include "sched/clock.h"
#include "sched/core.h"
#include "sched/profile.h"
#include "test.h"

#include <string.h>

lb_scene *lb_scene_new(const char *topology_name)
{
	g_autoptr(topology) topo = scene_topology(topology_name);
	lb_scene *s = g_new0(lb_scene, 1);
	struct machine_spec spec;

	machine_spec_init(&spec, kernel_profile_find("6.1-lts"));
	spec.hz = 1000;
	spec.feat.NI_RANDOM = false;
	memset(&spec.costs, 0, sizeof(spec.costs));
	s->m = machine_new(topo, &spec);
	s->running = g_new0(struct task, s->m->nr_cpus);
	sched_init(s->m);
	machine_set_time(s->m, NSEC_PER_SEC);
	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++)
		update_rq_clock(cpu_rq(s->m, cpu));
	return s;
}

void lb_scene_free(lb_scene *s)
{
	if (!s)
		return;
	machine_free(s->m);
	g_free(s->running);
	g_free(s);
}

struct sched_domain *lb_scene_domain(const lb_scene *s, int cpu, int level)
{
	struct sched_domain *sd = cpu_rq(s->m, cpu)->sd;

	while (level--)
		sd = sd->parent;
	return sd;
}

void lb_scene_set_figures(lb_scene *s, int cpu, unsigned nr, uint64_t load,
			  uint64_t util)
{
	struct rq *rq = cpu_rq(s->m, cpu);

	rq->nr_running = nr;
	rq->cfs.h_nr_running = nr;
	rq->cfs.avg.load_avg = load;
	rq->cfs.avg.util_avg = util;
	rq->cfs.avg.runnable_avg = util;
	s->running[cpu].cpus_mask = cpumask_first_n(s->m->nr_cpus);
	rq->curr = nr ? &s->running[cpu] : rq->idle;
}

struct task *lb_scene_task_nice(lb_scene *s, int cpu, int nice)
{
	struct cpumask only = cpumask_of(cpu);
	struct task *t = &s->tasks[s->nr_tasks++];

	g_assert(s->nr_tasks <= SCENE_TASKS);
	t->pid = s->nr_tasks;
	t->comm = "task";
	sched_fork(s->m, t, POLICY_NORMAL, nice, &only, cpu);
	wake_up_new_task(s->m, t, cpu);
	sched_resched_all(s->m);
	t->cpus_mask = cpumask_first_n(s->m->nr_cpus);
	t->nr_cpus_allowed = s->m->nr_cpus;
	return t;
}

struct task *lb_scene_task(lb_scene *s, int cpu)
{
	return lb_scene_task_nice(s, cpu, 0);
}

void lb_scene_ran(lb_scene *s, struct task *t, uint64_t ago_ns)
{
	t->se.exec_start = task_rq(s->m, t)->clock_task - ago_ns;
}

struct lb_env lb_scene_env(const lb_scene *s, int cpu, int level,
			   enum cpu_idle_type idle)
{
	struct sched_domain *sd = lb_scene_domain(s, cpu, level);

	return (struct lb_env){
		.m = s->m,
		.sd = sd,
		.dst_rq = cpu_rq(s->m, cpu),
		.dst_cpu = cpu,
		.dst_grpmask = sd->groups->sgc->balance_mask,
		.idle = idle,
		.cpus = sd->span,
		.loop_break = 32,
	};
}
