/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a struct results to the list of its figures.
 */
#include "report/figures.h"

#include "schedsim/error.h"
#include "schedsim/units.h"

#include <string.h>

figures *figures_new(void)
{
	figures *f = g_new0(figures, 1);

	f->list = g_array_new(FALSE, FALSE, sizeof(struct figure));
	f->strings = g_string_chunk_new(1024);
	return f;
}

void figures_free(figures *f)
{
	if (!f)
		return;
	g_array_unref(f->list);
	g_string_chunk_free(f->strings);
	g_free(f);
}

void figures_add(figures *f, const char *const *part, int64_t value)
{
	struct figure figure = {.value = value};

	for (int i = 0; i < FIGURE_PARTS && part[i]; i++)
		figure.part[i] = g_string_chunk_insert_const(f->strings, part[i]);
	g_array_append_val(f->list, figure);
}

/* One number under @scope, @subject (NULL: none) and @metric. */
static void add(figures *f, const char *scope, const char *subject, const char *metric,
		int64_t value)
{
	const char *with[] = {scope, subject, metric, NULL};
	const char *without[] = {scope, metric, NULL, NULL};

	figures_add(f, subject ? with : without, value);
}

static void add_stat(figures *f, const char *scope, const char *subject,
		     const char *metric, const char *stat, int64_t value)
{
	const char *with[] = {scope, subject, metric, stat};
	const char *without[] = {scope, metric, stat, NULL};

	figures_add(f, subject ? with : without, value);
}

/* @p98: which reports of cpusets state, too. */
static void add_stats(figures *f, const char *scope, const char *subject,
		      const char *metric, const struct histogram *h, bool p98)
{
	const int64_t values[] = {
		h->count,
		h->count ? h->sum / h->count : 0,
		h->count ? h->min : 0,
		histogram_percentile(h, 50000),
		histogram_percentile(h, 90000),
		histogram_percentile(h, 95000),
		histogram_percentile(h, 99000),
		histogram_percentile(h, 99900),
		h->max,
	};
	const char *const *stats = distribution_stats();

	for (int i = 0; stats[i]; i++) {
		add_stat(f, scope, subject, metric, stats[i], values[i]);
		if (p98 && !strcmp(stats[i], "p95"))
			add_stat(f, scope, subject, metric, "p98",
				 histogram_percentile(h, 98000));
	}
}

static void add_distribution(figures *f, const char *scope, const char *subject,
			     const char *metric, const struct histogram *h)
{
	add_stats(f, scope, subject, metric, h, false);
}

static void add_task_results(figures *f, const char *scope, const char *subject,
			     const struct task_results *t)
{
#define TASK_LATENCY(name, label, why)                                                 \
	add_distribution(f, scope, subject, #name, &t->name);
#define TASK_FIGURE(name, unit, better, label, why)                                    \
	add(f, scope, subject, #name, t->name);
#define COUNTER(name, unit, better, label, why)
#include "report/metrics.def"
#undef TASK_LATENCY
#undef TASK_FIGURE
#undef COUNTER
}

static void add_counters(figures *f, const struct counters *c)
{
#define TASK_LATENCY(name, label, why)
#define TASK_FIGURE(name, unit, better, label, why)
#define COUNTER(name, unit, better, label, why) add(f, "machine", NULL, #name, c->name);
#include "report/metrics.def"
#undef TASK_LATENCY
#undef TASK_FIGURE
#undef COUNTER
}

/* @amount * @scale / @span_ns, to the nearest whole number */
static int64_t rate(uint64_t amount, uint64_t scale, uint64_t span_ns)
{
	unsigned __int128 scaled = (unsigned __int128)amount * scale;

	return span_ns ? (int64_t)((scaled + span_ns / 2) / span_ns) : 0;
}

static void add_sources(figures *f, const struct results *r)
{
	uint64_t span_ns = r->to_ns - r->from_ns;

	for (int i = 0; i < r->nr_sources; i++) {
		const struct source_results *source = &r->sources[i];
		const struct histogram *h = &source->request_latency_ns;
		const char *name = r->source_names[i];

		add(f, "sources", name, "throughput_per_s",
		    rate(h->count, NSEC_PER_SEC, span_ns));
		add(f, "sources", name, "arrived", source->arrived);
		add(f, "sources", name, "pending", source->pending);
		add_distribution(f, "sources", name, "request_latency_ns", h);
	}
}

static void add_decisions(figures *f, const struct results *r)
{
	for (int i = 0; i < r->nr_decisions; i++) {
		const struct decision_count *d = &r->decisions[i];

		add(f, "decisions", d->stage, d->reason, d->count);
	}
}

static void add_hardware(figures *f, const struct results *r)
{
	uint64_t span_ns = r->to_ns - r->from_ns;
	char index[16];

	for (int llc = 0; llc < r->nr_llcs; llc++) {
		g_snprintf(index, sizeof(index), "%d", llc);
		add(f, "llcs", index, "idle_while_runnable_ns",
		    r->idle_while_runnable_ns[llc]);
	}
	for (int cpu = 0; cpu < r->nr_cpus; cpu++) {
		g_snprintf(index, sizeof(index), "%d", cpu);
		add(f, "cpus", index, "utilisation_ppm",
		    rate(r->busy_ns[cpu], 1000000, span_ns));
	}
}

/* Where there are cpusets. */
static void add_accounts(figures *f, const char *row, const struct operation_results *o)
{
#define OPERATION_TIME(name, label, why)                                               \
	add_stats(f, "operations", row, #name, &o->name, true);
#define OPERATION_COUNT(name, better, label, why)                                      \
	add(f, "operations", row, #name, (int64_t)o->name);
#define OPERATION_FAULT(name, fault, label, why)                                       \
	add(f, "operations", row, #name, (int64_t)o->name);
#define OPERATION_ABOVE(name, unit, label, why)
#include "report/operation_metrics.def"
}

/* Where some have one. */
static void add_target(figures *f, const char *row, const struct operation_results *o)
{
	add(f, "operations", row, "within_target",
	    rate(o->with_target - o->above_target, 1000000, o->with_target));
#define OPERATION_TIME(name, label, why)
#define OPERATION_COUNT(name, better, label, why)
#define OPERATION_FAULT(name, fault, label, why)
#define OPERATION_ABOVE(name, unit, label, why)                                        \
	add(f, "operations", row, #name, (int64_t)o->name);
#include "report/operation_metrics.def"
}

static void add_root_domains(figures *f, const struct results *r)
{
	for (guint i = 0; i < r->root_domains->len; i++) {
		const struct root_domain_results *rd =
			&g_array_index(r->root_domains, struct root_domain_results, i);

		if (rd->was)
			add(f, "root_domains", rd->span, "total_bw_before",
			    (int64_t)rd->before);
		if (!rd->is)
			continue;
		add(f, "root_domains", rd->span, "total_bw_after", (int64_t)rd->after);
		add(f, "root_domains", rd->span, "promised_bw_after",
		    (int64_t)rd->expected);
	}
}

static void add_operations(figures *f, const struct results *r)
{
	for (int i = 0; i < r->nr_operations; i++) {
		const struct operation_results *o = &r->operations[i];
		const char *name = r->operation_names[i];

		add_stats(f, "operations", name, "latency_ns", &o->latency_ns,
			  o->accounts);
		if (o->accounts)
			add_accounts(f, name, o);
		if (o->with_target)
			add_target(f, name, o);
		add(f, "operations", name, "done", o->done);
		add(f, "operations", name, "refused", o->refused);
		for (int k = 0; k < o->nr_errors; k++)
			add(f, "operations", name,
			    kernel_errno_name(o->errors[k].error), o->errors[k].count);
	}
}

static void add_cgroups(figures *f, const struct results *r)
{
	for (guint i = 0; i < r->cgroups->len; i++) {
		const struct cgroup_results *group =
			&g_array_index(r->cgroups, struct cgroup_results, i);

		add(f, "cgroups", group->path, "nr_periods", group->nr_periods);
		add(f, "cgroups", group->path, "nr_throttled", group->nr_throttled);
		add(f, "cgroups", group->path, "throttled_time_ns",
		    group->throttled_time_ns);
		add(f, "cgroups", group->path, "nr_bursts", group->nr_bursts);
		add(f, "cgroups", group->path, "burst_time_ns", group->burst_time_ns);
	}
}

figures *figures_from_results(const struct results *r)
{
	figures *f = figures_new();

	add_sources(f, r);
	add_operations(f, r);
	add_root_domains(f, r);
	add_task_results(f, "all", NULL, &r->all);
	for (int i = 0; i < r->nr_groups; i++)
		add_task_results(f, "tasks", r->group_names[i], &r->groups[i]);
	add_cgroups(f, r);
	add_counters(f, &r->counters);
	add_decisions(f, r);
	add_hardware(f, r);
	return f;
}

bool figure_same_name(const struct figure *a, const struct figure *b)
{
	for (int i = 0; i < FIGURE_PARTS; i++)
		if (g_strcmp0(a->part[i], b->part[i]))
			return false;
	return true;
}

const struct figure *figures_find(const figures *f, const struct figure *name,
				  guint hint)
{
	for (guint n = 0; n < f->list->len; n++) {
		guint i = (hint + n) % f->list->len;

		if (figure_same_name(figure_at(f, i), name))
			return figure_at(f, i);
	}
	return NULL;
}

char *figure_name(const struct figure *f)
{
	GString *name;

	g_assert(f);
	name = g_string_new(f->part[0]);

	for (int i = 1; i < FIGURE_PARTS && f->part[i]; i++)
		g_string_append_printf(name, ".%s", f->part[i]);
	return g_string_free(name, FALSE);
}

bool figure_matches(const struct figure *f, const char *name)
{
	g_autofree char *full = figure_name(f);
	gsize length = strlen(full), wanted = strlen(name);
	const char *end;

	if (wanted > length)
		return false;
	end = full + length - wanted;
	return !strcmp(end, name) && (end == full || end[-1] == '.');
}
