/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks: what holds of one from its begin, and the forks between them.
 */
#include "workload/task_spec.h"

#include "schedsim/error.h"
#include "workload/cgroup_spec.h"
#include "workload/policy_spec.h"
#include "workload/read.h"
#include "workload/task_keys.h"
#include "workload/task_program.h"

#include <string.h>

#define FLIPS_MAX 1000000

static bool read_sched(const struct reading *r, const struct node *n,
		       struct task_spec *spec, GError **error)
{
	struct node policy = node_get(n, "policy");
	struct node priority = node_get(n, "priority");
	struct sched_setting s;

	spec->policy = r->default_policy;
	if (policy.json && !policy_read(&policy, &spec->policy, error))
		return false;
	s = sched_setting_default(spec->policy);
	if (priority.json && !priority_read(&priority, &s, error))
		return false;
	spec->nice = s.nice;
	spec->rt_priority = s.rt_priority;
	return true;
}

bool instances_read(struct reading *r, const struct node *n, int *instances,
		    GError **error)
{
	struct node instance = node_get(n, "instance");
	int64_t count = 1;

	if (instance.json && !read_int(&instance, 0, THREADS_MAX, &count, error))
		return false;
	*instances = (int)count;
	r->nr_threads += (int)count;
	if (r->nr_threads <= THREADS_MAX)
		return true;
	return node_fail(n, INPUT_ERROR_VALUE, error,
			 "expected at most %d threads in all, got %d", THREADS_MAX,
			 r->nr_threads);
}

static bool read_flips(const struct node *n, struct task_spec *spec, GError **error)
{
	struct node flips = node_get(n, "wakee_flips");
	int64_t count = 0;

	if (flips.json && !read_int(&flips, 0, FLIPS_MAX, &count, error))
		return false;
	spec->wakee_flips = (unsigned)count;
	return true;
}

static bool read_settings(struct reading *r, const struct node *n,
			  struct task_spec *spec, GError **error)
{
	struct node delay = node_get(n, "delay");
	struct node cpus = node_get(n, "cpus");
	struct node short_below = node_get(n, "short_below");

	return instances_read(r, n, &spec->instances, error) &&
	       nodes_check(r, n, error) &&
	       (!cpus.json || read_cpus(&cpus, r->nr_cpus, &spec->cpus, error)) &&
	       (!delay.json || read_time(&delay, BARE_US, &spec->delay_ns, error)) &&
	       (!short_below.json ||
		read_time(&short_below, BARE_NONE, &spec->short_below_ns, error)) &&
	       read_flips(n, spec, error) &&
	       clamps_read(n, spec->policy, &spec->clamps, error) &&
	       task_cgroup_read(r, n, &spec->cgroup, error);
}

static bool task_read(struct reading *r, const struct node *n, struct task_spec *spec,
		      GError **error)
{
	struct task_reading t = {.r = r, .name = n->json->string};

	spec->name = g_strdup(n->json->string);
	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object", error);
	if (!*n->json->string)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected a task's name, got \"\"");
	if (!node_is_first(n, error) || !read_sched(r, n, spec, error) ||
	    !task_keys_check(n, spec->policy, error) ||
	    !read_settings(r, n, spec, error))
		return false;
	t.instances = spec->instances;
	t.steps = g_array_new(FALSE, TRUE, sizeof(struct step));
	return task_program_read(&t, n, spec, error);
}

static int find_task(const workload *w, const char *name)
{
	for (int i = 0; i < w->nr_tasks; i++)
		if (!strcmp(w->tasks[i].name, name))
			return i;
	return -1;
}

/* Forks name tasks, which are all known now. */
static bool settle_fork(struct reading *r, struct step *step, GError **error)
{
	const char *name = g_ptr_array_index(r->forks.names, step->object);

	step->object = find_task(r->w, name);
	if (step->object < 0) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "%s: expected a task of the file, got \"%s\"", step->place,
			    name);
		return false;
	}
	r->w->tasks[step->object].is_forked = true;
	return true;
}

static bool settle_forks(struct reading *r, GError **error)
{
	for (int i = 0; i < r->w->nr_tasks; i++) {
		const struct program *p = &r->w->tasks[i].program;

		for (int k = 0; k < p->nr_steps; k++)
			if (p->steps[k].op == STEP_FORK &&
			    !settle_fork(r, &p->steps[k], error))
				return false;
	}
	return true;
}

bool tasks_read(struct reading *r, const struct node *n, GError **error)
{
	struct node child;

	if (!cJSON_IsObject(n->json) || !n->json->child)
		return node_expected(n, "an object of at least one task", error);
	r->w->tasks = g_new0(struct task_spec, cJSON_GetArraySize(n->json));
	node_for_each(child,
		      n) if (!task_read(r, &child, &r->w->tasks[r->w->nr_tasks++],
					error)) return false;
	return settle_forks(r, error);
}
