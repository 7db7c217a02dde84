/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that stand still while the machine is suspended.
 *
 * source: freeze_processes(), thaw_processes(), kernel/power/process.c;
 * __refrigerator(), kernel/freezer.c, as of 6.6, which lets those that sleep go on
 * sleeping
 */
#include "workload/cpu_power.h"

void thread_freeze(struct thread *t)
{
	t->frozen = true;
	sched_block(t->s->m, t->sim.task.cpu, TASK_UNINTERRUPTIBLE);
}

void thread_wake_up(struct thread *t, struct waker by, unsigned wake_flags)
{
	if (thread_freezes(t))
		t->wakes_at_thaw = true;
	else
		try_to_wake_up(t->s->m, &t->sim.task, by.cpu, wake_flags, by.in_task);
}

void threads_freeze(simulation *s)
{
	s->freezing = true;
	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++)
		if (current_thread(s, cpu))
			cpumask_set(&s->todo, cpu);
}

static bool stands_still(const struct thread *t)
{
	enum task_state state = t->sim.task.state;

	return t->operation || t->frozen ||
	       (state != TASK_RUNNING && state != TASK_WAKING);
}

bool threads_are_frozen(const simulation *s)
{
	for (int i = 0; i < s->nr_threads; i++)
		if (!stands_still(&s->threads[i]))
			return false;
	return true;
}

void threads_thaw(simulation *s, int this_cpu)
{
	struct waker by = {this_cpu, true};

	s->freezing = false;
	for (int i = 0; i < s->nr_threads; i++) {
		struct thread *t = &s->threads[i];

		if (!t->frozen && !t->wakes_at_thaw)
			continue;
		t->frozen = t->wakes_at_thaw = false;
		thread_wake_up(t, by, 0);
	}
}
