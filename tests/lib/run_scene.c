/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run_scene.h"

#include "model/machine_new.h"
#include "scene_topology.h"
#include "sched/clock.h"
#include "sched/profile.h"
#include "wakeup/registry.h"

static void timer_start(void *data, struct sched_timer *timer)
{
	run_scene *s = data;

	g_assert(s->nr_timers < (int)G_N_ELEMENTS(s->timers));
	s->timers[s->nr_timers++] = timer;
}

static void timer_cancel(void *data, struct sched_timer *timer)
{
	run_scene *s = data;

	for (int i = 0; i < s->nr_timers; i++)
		if (s->timers[i] == timer)
			s->timers[i--] = s->timers[--s->nr_timers];
}

static void send_ipi(void *data, struct rq *target)
{
	sched_ipi(target);
}

/* The earliest pending timer due by @until_ns, or NULL. */
static struct sched_timer *next_timer(const run_scene *s, uint64_t until_ns)
{
	struct sched_timer *next = NULL;

	for (int i = 0; i < s->nr_timers; i++)
		if (s->timers[i]->at_ns <= until_ns &&
		    (!next || s->timers[i]->at_ns < next->at_ns))
			next = s->timers[i];
	return next;
}

run_scene *run_scene_new(const char *topology_text)
{
	run_scene *s = g_new0(run_scene, 1);
	g_autoptr(topology) topo = scene_topology(topology_text);
	struct machine_spec spec;

	machine_spec_init(&spec, kernel_profiles()[0]);
	spec.hz = 250;
	spec.feat.TTWU_QUEUE = false;
	spec.feat.RT_PUSH_IPI = false;
	spec.feat.LB_PERIODIC = false;
	spec.feat.LB_NEWIDLE = false;
	s->policy = wakeup_policy_complete(wakeup_policy_find("baseline"));
	spec.policy = &s->policy;
	s->m = machine_new(topo, &spec);
	machine_set_time(s->m, RUN_START_NS);
	sched_init(s->m);
	s->driver = (struct sched_driver){
		.send_ipi = send_ipi,
		.timer_start = timer_start,
		.timer_cancel = timer_cancel,
		.data = s,
	};
	s->m->driver = &s->driver;
	return s;
}

void run_scene_free(run_scene *s)
{
	machine_free(s->m);
	g_free(s);
}

void run_to_ns(run_scene *s, uint64_t ns)
{
	uint64_t until_ns = RUN_START_NS + ns;
	struct sched_timer *timer;

	sched_resched_all(s->m);
	while ((timer = next_timer(s, until_ns))) {
		machine_set_time(s->m, timer->at_ns);
		timer_cancel(s, timer);
		timer->pending = false;
		timer->fn(s->m, timer->subject);
		sched_resched_all(s->m);
	}
	machine_set_time(s->m, until_ns);
}

void run_to_us(run_scene *s, uint64_t us)
{
	run_to_ns(s, us * NSEC_PER_USEC);
}

void run_ticking_to_us(run_scene *s, uint64_t us)
{
	uint64_t tick_us = 4000;
	uint64_t now_us = (s->m->now_ns - RUN_START_NS) / NSEC_PER_USEC;

	for (uint64_t at = now_us - now_us % tick_us + tick_us; at <= us;
	     at += tick_us) {
		run_to_us(s, at);
		for (int cpu = 0; cpu < s->m->nr_cpus; cpu++)
			if (cpu_rq(s->m, cpu)->curr != cpu_rq(s->m, cpu)->idle)
				sched_tick(s->m, cpu);
		sched_resched_all(s->m);
	}
	run_to_us(s, us);
}

static struct task *fork_task(run_scene *s, int cpu, const struct sched_attr *attr,
			      const struct cpumask *cpus, struct task_group *tg)
{
	struct task *t = &s->tasks[s->nr_tasks++];

	g_assert(s->nr_tasks <= RUN_TASKS);
	t->pid = 100 + s->nr_tasks;
	t->comm = "task";
	t->sched_task_group = tg;
	t->rt_priority = attr->sched_priority;
	sched_fork(s->m, t, attr->sched_policy, attr->sched_nice, cpus, cpu);
	wake_up_new_task(s->m, t, cpu);
	sched_resched_all(s->m);
	return t;
}

struct task *run_fork_on(run_scene *s, int cpu, int nice, enum sched_policy policy,
			 const struct cpumask *cpus)
{
	struct sched_attr attr = {.sched_policy = policy, .sched_nice = nice};

	return fork_task(s, cpu, &attr, cpus, NULL);
}

struct task *run_fork_rt(run_scene *s, int cpu, enum sched_policy policy,
			 unsigned rt_priority, const struct cpumask *cpus)
{
	struct sched_attr attr = {.sched_policy = policy,
				  .sched_priority = rt_priority};

	return fork_task(s, cpu, &attr, cpus, NULL);
}

struct task *run_fork(run_scene *s, int cpu, int nice)
{
	struct cpumask cpus = cpumask_of(cpu);

	return run_fork_on(s, cpu, nice, POLICY_NORMAL, &cpus);
}

struct task *run_fork_in(run_scene *s, int cpu, struct task_group *tg)
{
	struct cpumask cpus = cpumask_of(cpu);

	struct sched_attr attr = {.sched_policy = POLICY_NORMAL};

	return fork_task(s, cpu, &attr, &cpus, tg);
}

void run_wake(run_scene *s, struct task *t, int cpu)
{
	try_to_wake_up(s->m, t, cpu, 0, false);
	sched_resched_all(s->m);
}

void run_block(run_scene *s, int cpu)
{
	sched_block(s->m, cpu, TASK_INTERRUPTIBLE);
	sched_resched_all(s->m);
}

void run_tick(run_scene *s, int cpu)
{
	sched_tick(s->m, cpu);
	sched_resched_all(s->m);
}

bool runs_on(const run_scene *s, const struct task *t, int cpu)
{
	return cpu_rq(s->m, cpu)->curr == t;
}
