/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a struct results, and the sums that follow from its parts.
 */
#include "report/results.h"

#include "schedsim/units.h"

#include <glib.h>
#include <string.h>

static void task_results_init(struct task_results *t)
{
	memset(t, 0, sizeof(*t));
#define TASK_LATENCY(name, label, why) histogram_init(&t->name);
#define TASK_FIGURE(name, unit, better, label, why)
#define COUNTER(name, unit, better, label, why)
#include "report/metrics.def"
#undef TASK_LATENCY
#undef TASK_FIGURE
#undef COUNTER
}

static void task_results_clear(struct task_results *t)
{
#define TASK_LATENCY(name, label, why) histogram_clear(&t->name);
#define TASK_FIGURE(name, unit, better, label, why)
#define COUNTER(name, unit, better, label, why)
#include "report/metrics.def"
#undef TASK_LATENCY
#undef TASK_FIGURE
#undef COUNTER
}

/* Sums; means and maxima follow in finish_stacking(). */
static void task_results_merge(struct task_results *into,
			       const struct task_results *from)
{
	uint64_t max = MAX(into->avoidable_wait_max, from->avoidable_wait_max);

#define TASK_LATENCY(name, label, why) histogram_merge(&into->name, &from->name);
#define TASK_FIGURE(name, unit, better, label, why) into->name += from->name;
#define COUNTER(name, unit, better, label, why)
#include "report/metrics.def"
#undef TASK_LATENCY
#undef TASK_FIGURE
#undef COUNTER
	into->queue_length_sum += from->queue_length_sum;
	into->avoidable_wait_sum += from->avoidable_wait_sum;
	into->avoidable_wait_max = max;
}

static void finish_stacking(struct task_results *t)
{
	if (!t->wakeups)
		return;
	t->queue_length_mean_milli = t->queue_length_sum * 1000 / t->wakeups;
	t->avoidable_wait_mean_milli = t->avoidable_wait_sum * 1000 / t->wakeups;
}

static void root_domain_results_clear(gpointer data)
{
	g_free(((struct root_domain_results *)data)->span);
}

static GArray *root_domain_results_array_new(void)
{
	GArray *array = g_array_new(FALSE, TRUE, sizeof(struct root_domain_results));

	g_array_set_clear_func(array, root_domain_results_clear);
	return array;
}

void results_init(struct results *r, int nr_groups, int nr_sources, int nr_llcs,
		  int nr_cpus)
{
	*r = (struct results){
		.nr_groups = nr_groups,
		.groups = g_new0(struct task_results, nr_groups),
		.group_names = g_new0(char *, nr_groups),
		.nr_sources = nr_sources,
		.sources = g_new0(struct source_results, nr_sources),
		.source_names = g_new0(char *, nr_sources),
		.nr_llcs = nr_llcs,
		.idle_while_runnable_ns = g_new0(uint64_t, nr_llcs),
		.nr_cpus = nr_cpus,
		.busy_ns = g_new0(uint64_t, nr_cpus),
	};
	r->cgroups = cgroup_results_array_new();
	r->root_domains = root_domain_results_array_new();
	task_results_init(&r->all);
	task_results_init(&r->no_task);
	for (int i = 0; i < nr_groups; i++)
		task_results_init(&r->groups[i]);
	for (int i = 0; i < nr_sources; i++)
		histogram_init(&r->sources[i].request_latency_ns);
}

static void operation_results_init(struct operation_results *o)
{
	*o = (struct operation_results){0};
	histogram_init(&o->latency_ns);
#define OPERATION_TIME(name, label, why) histogram_init(&o->name);
#define OPERATION_COUNT(name, better, label, why)
#define OPERATION_FAULT(name, fault, label, why)
#define OPERATION_ABOVE(name, unit, label, why)
#include "report/operation_metrics.def"
}

static void operation_results_clear(struct operation_results *o)
{
	histogram_clear(&o->latency_ns);
#define OPERATION_TIME(name, label, why) histogram_clear(&o->name);
#define OPERATION_COUNT(name, better, label, why)
#define OPERATION_FAULT(name, fault, label, why)
#define OPERATION_ABOVE(name, unit, label, why)
#include "report/operation_metrics.def"
}

void results_add_operations(struct results *r, char *const *names, int nr)
{
	r->nr_operations = nr;
	r->operations = g_new0(struct operation_results, nr);
	r->operation_names = g_new0(char *, nr);
	for (int i = 0; i < nr; i++) {
		operation_results_init(&r->operations[i]);
		r->operation_names[i] = g_strdup(names[i]);
	}
}

static void cgroup_results_clear(gpointer data)
{
	g_free(((struct cgroup_results *)data)->path);
}

GArray *cgroup_results_array_new(void)
{
	GArray *array = g_array_new(FALSE, FALSE, sizeof(struct cgroup_results));

	g_array_set_clear_func(array, cgroup_results_clear);
	return array;
}

static void clear_measured(struct results *r)
{
	task_results_clear(&r->all);
	task_results_clear(&r->no_task);
	for (int i = 0; i < r->nr_groups; i++)
		task_results_clear(&r->groups[i]);
	for (int i = 0; i < r->nr_sources; i++)
		histogram_clear(&r->sources[i].request_latency_ns);
	for (int i = 0; i < r->nr_operations; i++)
		operation_results_clear(&r->operations[i]);
}

static void reset_operations(struct results *r)
{
	for (int i = 0; i < r->nr_operations; i++)
		operation_results_init(&r->operations[i]);
	g_array_set_size(r->root_domains, 0);
}

void results_reset(struct results *r)
{
	clear_measured(r);
	reset_operations(r);
	task_results_init(&r->all);
	task_results_init(&r->no_task);
	for (int i = 0; i < r->nr_groups; i++)
		task_results_init(&r->groups[i]);
	for (int i = 0; i < r->nr_sources; i++) {
		histogram_init(&r->sources[i].request_latency_ns);
		r->sources[i].arrived = 0;
	}
	memset(&r->counters, 0, sizeof(r->counters));
	r->nr_decisions = 0;
	memset(r->idle_while_runnable_ns, 0, r->nr_llcs * sizeof(uint64_t));
	memset(r->busy_ns, 0, r->nr_cpus * sizeof(uint64_t));
}

static int by_name(const void *a, const void *b)
{
	const struct decision_count *x = a, *y = b;
	int order = strcmp(x->stage, y->stage);

	return order ? order : strcmp(x->reason, y->reason);
}

static uint64_t utilisation_ppm(const struct results *r)
{
	unsigned __int128 busy = 0;
	unsigned __int128 total =
		(unsigned __int128)(r->to_ns - r->from_ns) * r->nr_cpus;

	for (int i = 0; i < r->nr_cpus; i++)
		busy += r->busy_ns[i];
	return total ? (uint64_t)(busy * 1000000 / total) : 0;
}

void results_sum_up(struct results *r)
{
	for (int i = 0; i < r->nr_groups; i++) {
		task_results_merge(&r->all, &r->groups[i]);
		finish_stacking(&r->groups[i]);
	}
	finish_stacking(&r->all);
	r->counters.idle_while_runnable_ns = 0;
	for (int i = 0; i < r->nr_llcs; i++)
		r->counters.idle_while_runnable_ns += r->idle_while_runnable_ns[i];
	r->counters.utilisation_ppm = utilisation_ppm(r);
	qsort(r->decisions, r->nr_decisions, sizeof(r->decisions[0]), by_name);
}

void results_clear(struct results *r)
{
	clear_measured(r);
	for (int i = 0; i < r->nr_groups; i++)
		g_free(r->group_names[i]);
	for (int i = 0; i < r->nr_sources; i++)
		g_free(r->source_names[i]);
	for (int i = 0; i < r->nr_operations; i++)
		g_free(r->operation_names[i]);
	g_free(r->operations);
	g_free(r->operation_names);
	g_array_unref(r->cgroups);
	g_array_unref(r->root_domains);
	g_free(r->groups);
	g_free(r->group_names);
	g_free(r->sources);
	g_free(r->source_names);
	g_free(r->idle_while_runnable_ns);
	g_free(r->busy_ns);
	memset(r, 0, sizeof(*r));
}
