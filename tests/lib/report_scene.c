/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the run queues as far as observers look at them.
 */
#include "report_scene.h"

static const char *const comms[] = {"web-0", "web-1", "db-0", "db-1"};

static void init_topology(report_scene *s)
{
	s->topo.name = (char *)"scene";
	s->topo.nr_cpus = NR_SCENE_CPUS;
	s->topo.nr_nodes = 1;
	for (int cpu = 0; cpu < NR_SCENE_CPUS; cpu++) {
		s->topo.cpu[cpu].core = cpu;
		s->topo.cpu[cpu].llc = cpu / 2;
		s->topo.cpu[cpu].capacity = CAPACITY_ONE;
	}
}

static void init_workload(report_scene *s)
{
	s->groups[0] = (struct task_spec){.name = (char *)"web", .instances = 2};
	s->groups[1] = (struct task_spec){.name = (char *)"db", .instances = 2};
	s->source.name = (char *)"clients";
	s->channel.name = (char *)"inbox";
	s->w.tasks = s->groups;
	s->w.nr_tasks = 2;
	s->w.sources = &s->source;
	s->w.nr_sources = 1;
	s->w.channels = &s->channel;
	s->w.nr_channels = 1;
	s->in.workload = &s->w;
	s->in.topology = &s->topo;
}

static void init_cpu(report_scene *s, int cpu)
{
	struct rq *rq = &s->rqs[cpu];
	struct sched_domain *llc = &s->llcs[cpu / 2];

	cpumask_set(&llc->span, cpu);
	rq->m = &s->m;
	rq->cpu = cpu;
	rq->cfs.rq = rq;
	rq->idle = rq->curr = &s->idle[cpu];
	rq->sd_llc = llc;
	rq->sd_llc_id = cpu / 2 * 2;
	s->idle[cpu].cpu = cpu;
	s->idle[cpu].comm = "swapper";
}

static void init_thread(report_scene *s, int i)
{
	struct sim_task *t = &s->threads[i];

	t->group = i / 2;
	t->instance = i % 2;
	t->spec = &s->groups[t->group];
	t->task.pid = 100 + i;
	t->task.comm = comms[i];
	t->task.owner = t;
	t->task.cpus_mask = cpumask_first_n(NR_SCENE_CPUS);
	t->task.nr_cpus_allowed = NR_SCENE_CPUS;
	t->task.state = TASK_INTERRUPTIBLE;
	t->task.se.cfs_rq = &s->rqs[0].cfs;
}

report_scene *report_scene_new(void)
{
	report_scene *s = g_new0(report_scene, 1);

	s->m.nr_cpus = NR_SCENE_CPUS;
	s->m.rqs = s->rqs;
	s->m.nr_idle_scan_fixed = -1;
	init_topology(s);
	init_workload(s);
	for (int cpu = 0; cpu < NR_SCENE_CPUS; cpu++)
		init_cpu(s, cpu);
	for (int i = 0; i < NR_SCENE_THREADS; i++)
		init_thread(s, i);
	return s;
}

void report_scene_free(report_scene *s)
{
	g_free(s);
}

struct task *scene_task(report_scene *s, int thread)
{
	return &s->threads[thread].task;
}

void scene_at(report_scene *s, uint64_t now_ns)
{
	s->m.now_ns = now_ns;
}

void scene_waking(report_scene *s, int thread, int waker_cpu)
{
	OBSERVE(&s->m, sched_waking, &s->m, scene_task(s, thread), waker_cpu);
	scene_task(s, thread)->state = TASK_WAKING;
}

void scene_placed(report_scene *s, int thread, int cpu, int waker_cpu, bool remote)
{
	struct task *t = scene_task(s, thread);

	if (t->cpu != cpu)
		OBSERVE(&s->m, sched_migrate_task, &s->m, t, cpu);
	t->cpu = cpu;
	OBSERVE(&s->m, ttwu, &s->m, t, waker_cpu, remote);
}

void scene_enqueued(report_scene *s, int thread)
{
	struct task *t = scene_task(s, thread);

	t->state = TASK_RUNNING;
	t->on_rq = TASK_ON_RQ_QUEUED;
	s->rqs[t->cpu].nr_running++;
	OBSERVE(&s->m, sched_wakeup, &s->m, t, false);
}

void scene_wakeup(report_scene *s, int thread, int cpu, int waker_cpu)
{
	scene_waking(s, thread, waker_cpu);
	scene_placed(s, thread, cpu, waker_cpu, false);
	scene_enqueued(s, thread);
}

void scene_switch(report_scene *s, int cpu, int thread, bool sleeps)
{
	struct rq *rq = &s->rqs[cpu];
	struct task *prev = rq->curr;
	struct task *next = thread == IDLE ? rq->idle : scene_task(s, thread);

	if (sleeps) {
		prev->state = TASK_INTERRUPTIBLE;
		prev->on_rq = TASK_ON_RQ_NONE;
		rq->nr_running--;
	}
	rq->curr = next;
	OBSERVE(&s->m, sched_switch, &s->m, rq, prev, next, sleeps);
}

void scene_pull(report_scene *s, int thread, int cpu)
{
	struct task *t = scene_task(s, thread);

	s->rqs[t->cpu].nr_running--;
	t->on_rq = TASK_ON_RQ_MIGRATING;
	OBSERVE(&s->m, sched_migrate_task, &s->m, t, cpu);
	t->cpu = cpu;
	t->on_rq = TASK_ON_RQ_QUEUED;
	s->rqs[cpu].nr_running++;
}
