/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls of an administrator about the threads of a task, one after the other
 * until one is refused; those that are dead already are left out.
 */
#include "workload/operations.h"
#include "workload/sync_objects.h"

#include <errno.h>

GPtrArray *operation_tasks(const struct operation_run *run)
{
	const struct operation_spec *spec = run->spec;
	GPtrArray *tasks = g_ptr_array_new();

	for (int i = 0; i < run->s->nr_threads; i++) {
		struct sim_task *sim = &run->s->threads[i].sim;

		if (sim->group == spec->task &&
		    (spec->instance < 0 || spec->instance == sim->instance))
			g_ptr_array_add(tasks, &sim->task);
	}
	return tasks;
}

/* Calls @change for each; its errno, or ESRCH where nobody is alive. */
static enum operation_needs
for_each_living(struct operation_run *run,
		int (*change)(const struct operation_run *run, struct task *t))
{
	g_autoptr(GPtrArray) tasks = operation_tasks(run);

	run->error = ESRCH;
	for (guint i = 0; i < tasks->len; i++) {
		struct task *t = tasks->pdata[i];

		if (t->state == TASK_DEAD)
			continue;
		run->error = -change(run, t);
		if (run->error)
			break;
	}
	return OPERATION_IS_DONE;
}

static int set_scheduler_of(const struct operation_run *run, struct task *t)
{
	int error = cpuset_setattr(t->cpuset, &run->spec->attr, NULL);

	if (!error)
		pi_mutex_adjust((struct thread *)t->owner, waker_thread(run->thread));
	return error;
}

/* source: sched_setattr(2) */
enum operation_needs operation_setscheduler(struct operation_run *run)
{
	return for_each_living(run, set_scheduler_of);
}

static int set_affinity_of(const struct operation_run *run, struct task *t)
{
	return cpuset_setaffinity(t->cpuset, &run->spec->cpus, NULL);
}

/* source: sched_setaffinity(2) */
enum operation_needs operation_affinity(struct operation_run *run)
{
	return for_each_living(run, set_affinity_of);
}

static int set_nice_of(const struct operation_run *run, struct task *t)
{
	set_user_nice(run->s->m, t, run->spec->nice);
	return 0;
}

/* source: setpriority(2) */
enum operation_needs operation_renice(struct operation_run *run)
{
	return for_each_living(run, set_nice_of);
}
