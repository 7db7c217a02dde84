/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a workload and of its programs.
 */
#include "workload/control.h"

void program_clear(struct program *p)
{
	for (int i = 0; i < p->nr_steps; i++) {
		dist_clear(&p->steps[i].amount);
		g_free(p->steps[i].place);
	}
	g_clear_pointer(&p->steps, g_free);
	p->nr_steps = 0;
}

static void task_spec_clear(struct task_spec *t)
{
	g_free(t->name);
	program_clear(&t->program);
}

static void source_spec_clear(struct source_spec *s)
{
	g_free(s->name);
	g_free(s->file);
	dist_clear(&s->batch);
	dist_clear(&s->think);
}

static void free_names(char **names, int count)
{
	for (int i = 0; i < count; i++)
		g_free(names[i]);
	g_free(names);
}

static void free_parts(workload *w)
{
	for (int i = 0; i < w->nr_tasks; i++)
		task_spec_clear(&w->tasks[i]);
	for (int i = 0; i < w->nr_sources; i++)
		source_spec_clear(&w->sources[i]);
	for (int i = 0; i < w->nr_channels; i++)
		g_free(w->channels[i].name);
	for (int i = 0; i < w->nr_timers; i++)
		g_free(w->timers[i].name);
	for (int i = 0; i < w->nr_barriers; i++)
		g_free(w->barriers[i].name);
	g_free(w->tasks);
	g_free(w->sources);
	g_free(w->channels);
	g_free(w->timers);
	g_free(w->barriers);
}

void workload_free(workload *w)
{
	if (!w)
		return;
	free_parts(w);
	free_names(w->mutexes, w->nr_mutexes);
	free_names(w->conditions, w->nr_conditions);
	control_free(w->control);
	g_clear_pointer(&w->warnings, g_ptr_array_unref);
	g_clear_pointer(&w->params, g_ptr_array_unref);
	g_free(w->path);
	g_free(w->about);
	g_free(w->rtapp_log.basename);
	g_free(w);
}
