/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a thread: creation, sleep, wakeup, end.
 *
 * All threads but forked ones are created at the start, in the order of the workload,
 * by whoever runs on CPU 0 (assumed: a program that starts its threads from its main
 * one). A delay is then the first thing a thread does, as in rt-app; that there the
 * threads first meet at a barrier is left out.
 */
#include "sched/uclamp.h"
#include "workload/clockwork.h"
#include "workload/control.h"
#include "workload/policy_spec.h"

#include <errno.h>

#define FIRST_PID 1000
#define CREATING_CPU 0

static void on_sleep_ends(void *subject, uint64_t now_ns)
{
	struct thread *t = subject;

	if (interrupt_waits(&t->s->cpus[t->sleep_cpu], &t->sleep_ends))
		return;
	thread_wake_up(t, waker_interrupt(t->sleep_cpu), 0);
}

static void init_stream(struct thread *t)
{
	g_autofree char *name =
		g_strdup_printf("task %s/%d", t->sim.spec->name, t->sim.instance);

	random_stream_init(&t->random, t->s->seed, name);
}

const struct task_spec *thread_spec(const simulation *s, int program)
{
	const workload *w = s->w;

	return program < w->nr_tasks
		       ? &w->tasks[program]
		       : &w->control->operations[program - w->nr_tasks].thread;
}

static void init_thread(simulation *s, struct thread *t, int program, int instance)
{
	const struct task_spec *spec = thread_spec(s, program);

	t->s = s;
	t->sim.spec = spec;
	t->sim.group = program < s->w->nr_tasks ? program : NO_TASK_GROUP;
	t->sim.instance = instance;
	t->comm = g_strdup_printf("%s-%d", spec->name, instance);
	t->program = &s->programs[program];
	t->steps = g_new0(struct step_state, (size_t)t->program->nr_steps);
	t->timers = g_new0(struct timer, (size_t)s->w->nr_timers);
	t->sent_to = g_new0(unsigned, (size_t)s->w->nr_channels);
	t->ran_on = CPU_NONE;
	t->run_ends.phase = EVENT_RUN_ENDS;
	t->sleep_ends = (struct event){
		.fn = on_sleep_ends, .subject = t, .phase = EVENT_SLEEP_ENDS};
	list_init(&t->wait_node);
	list_init(&t->holds);
	init_stream(t);
}

/* After those of the tasks, numbered throughout, as their names are of kinds. */
static void init_operation_threads(simulation *s, struct thread *t, int nr)
{
	int number = 0;

	for (int entry = 0; entry < nr; entry++) {
		int program = s->w->nr_tasks + entry;

		for (int i = 0; i < thread_spec(s, program)->instances; i++, t++) {
			init_thread(s, t, program, number++);
			t->operation = operation_run_new(s, entry, i);
		}
	}
}

/* Threads do not move: there is room for all from the start. */
static void make_room(simulation *s)
{
	size_t nr = (size_t)s->nr_threads;

	for (int group = 0; group < s->w->nr_tasks; group++)
		nr += s->w->tasks[group].is_forked ? FORKS_MAX : 0;
	s->threads = g_new0(struct thread, nr);
	s->tasks = g_new0(const struct task *, nr);
	s->nr_forks = g_new0(int, (size_t)s->w->nr_tasks);
	for (size_t i = 0; i < nr; i++)
		s->tasks[i] = &s->threads[i].sim.task;
}

void threads_init(simulation *s)
{
	int nr_operations = s->w->control ? s->w->control->nr_operations : 0;
	struct thread *t;

	for (int i = 0; i < s->w->nr_tasks + nr_operations; i++)
		s->nr_threads += thread_spec(s, i)->instances;
	make_room(s);
	t = s->threads;
	for (int group = 0; group < s->w->nr_tasks; group++)
		for (int i = 0; i < s->w->tasks[group].instances; i++)
			init_thread(s, t++, group, i);
	init_operation_threads(s, t, nr_operations);
}

void threads_clear(simulation *s)
{
	for (int i = 0; i < s->nr_threads; i++) {
		struct thread *t = &s->threads[i];

		g_free(t->sim.task.policy_state);
		g_free(t->comm);
		g_free(t->steps);
		g_free(t->timers);
		g_free(t->sent_to);
		operation_run_free(t->operation);
	}
	g_free(s->threads);
	g_free(s->tasks);
	g_free(s->nr_forks);
}

/* As one that has set them before it begins; the reader saw that it may. */
static void set_clamps(struct machine *m, struct task *t,
		       const struct clamp_setting *clamps)
{
	struct sched_attr attr = clamps_attr(clamps);

	if (uclamp_validate(m, t, &attr))
		g_assert_not_reached();
	uclamp_setscheduler(m, t, &attr);
}

static void init_task(struct thread *t)
{
	const simulation *s = t->s;
	const struct task_spec *spec = t->sim.spec;
	struct task *task = &t->sim.task;

	task->pid = FIRST_PID + (int)(t - s->threads);
	task->comm = t->comm;
	task->owner = t;
	if (s->m->policy->task_size)
		task->policy_state = g_malloc0(s->m->policy->task_size);
	task->short_below_ns = spec->short_below_ns;
	task->wakee_flips = spec->wakee_flips;
	task->wakee_flip_decay_ts = s->m->jiffies;
	/* The program's start, for forked threads too, as in rt-app. */
	t->first_ns = later_ns(SIM_START_NS, spec->delay_ns);
	if (t->operation)
		t->first_ns = operation_first_ns(t, t->first_ns);
}

static void start_thread(simulation *s, struct thread *t)
{
	const struct task_spec *spec = t->sim.spec;
	struct task *task = &t->sim.task;
	struct cpumask cpus;

	init_task(t);
	task->rt_priority = spec->rt_priority;
	cpus = thread_begin_in_group(t);
	sched_fork(s->m, task, spec->policy, spec->nice, &cpus, CREATING_CPU);
	set_clamps(s->m, task, &spec->clamps);
	wake_up_new_task(s->m, task, CREATING_CPU);
}

void threads_start(simulation *s)
{
	for (int i = 0; i < s->nr_threads; i++)
		start_thread(s, &s->threads[i]);
}

int thread_fork(struct thread *t, int group)
{
	simulation *s = t->s;
	struct thread *child = &s->threads[s->nr_threads];
	struct task *task = &child->sim.task, *parent = &t->sim.task;
	struct cpumask cpus;

	if (parent->policy == POLICY_DEADLINE)
		return -EAGAIN;
	init_thread(s, child, group,
		    s->w->tasks[group].instances + s->nr_forks[group]++);
	s->nr_threads++;
	child->forked = true;
	init_task(child);
	task->rt_priority = parent->rt_priority;
	cpus = thread_begin_beside(child, t);
	sched_fork(s->m, task, parent->policy, task_nice(parent), &cpus, parent->cpu);
	uclamp_fork(s->m, task, parent);
	wake_up_new_task(s->m, task, parent->cpu);
	return 0;
}

static void become_dormant(struct thread *t)
{
	t->dormant = true;
	t->s->nr_dormant++;
}

void thread_wait(struct thread *t)
{
	cpu_may_preempt(&t->s->cpus[t->sim.task.cpu]);
	become_dormant(t);
	sched_block(t->s->m, t->sim.task.cpu, TASK_INTERRUPTIBLE);
}

void thread_wait_in_kernel(struct thread *t)
{
	cpu_may_preempt(&t->s->cpus[t->sim.task.cpu]);
	become_dormant(t);
	sched_block(t->s->m, t->sim.task.cpu, TASK_UNINTERRUPTIBLE);
}

void thread_sleep_in_kernel(struct thread *t, uint64_t at_ns)
{
	cpu_may_preempt(&t->s->cpus[t->sim.task.cpu]);
	t->sleep_cpu = t->sim.task.cpu;
	event_queue_add(t->s->q, &t->sleep_ends, at_ns);
	sched_block(t->s->m, t->sim.task.cpu, TASK_UNINTERRUPTIBLE);
}

void thread_sleep_until(struct thread *t, uint64_t at_ns)
{
	cpu_may_preempt(&t->s->cpus[t->sim.task.cpu]);
	t->sleep_cpu = t->sim.task.cpu;
	event_queue_add(t->s->q, &t->sleep_ends, at_ns);
	sched_block(t->s->m, t->sim.task.cpu, TASK_INTERRUPTIBLE);
}

void thread_exit(struct thread *t)
{
	become_dormant(t);
	sched_exit(t->s->m, t->sim.task.cpu);
	thread_leave_groups(t);
}

void thread_wake(struct thread *t, struct waker by, unsigned wake_flags)
{
	/* One that was told before it slept has nobody to wake. */
	if (!t->dormant)
		return;
	t->dormant = false;
	t->s->nr_dormant--;
	thread_wake_up(t, by, wake_flags);
}
