/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of metrics, and which of its rows a figure's name means.
 */
#include "report/figures.h"

#include <string.h>

static const struct metric table[] = {
	{SCOPE_SOURCES, "throughput_per_s", false, UNIT_PER_S, BETTER_MORE,
	 "throughput", "requests answered a second of simulated time"},
	{SCOPE_SOURCES, "arrived", false, UNIT_COUNT, BETTER_NEITHER, "arrived",
	 "requests that arrived after the warm-up"},
	{SCOPE_SOURCES, "pending", false, UNIT_COUNT, BETTER_LESS, "pending at the end",
	 "requests not answered when the run ended; no latency counts them"},
	{SCOPE_SOURCES, "request_latency_ns", true, UNIT_NS, BETTER_LESS,
	 "request latency",
	 "from the scheduled arrival to the answer; requests answered after the "
	 "warm-up"},
	{SCOPE_OPERATIONS, "latency_ns", true, UNIT_NS, BETTER_LESS, "latency",
	 "from when it was due until it had taken effect or was refused"},
	{SCOPE_OPERATIONS, "done", false, UNIT_COUNT, BETTER_NEITHER, "done",
	 "operations that came to their end, refused or not"},
	{SCOPE_OPERATIONS, "refused", false, UNIT_COUNT, BETTER_LESS, "refused",
	 "those of them that ended with an errno"},
#define OPERATION_TIME(name, label, why)                                               \
	{SCOPE_OPERATIONS, #name, true, UNIT_NS, BETTER_LESS, label, why},
#define OPERATION_COUNT(name, better, label, why)                                      \
	{SCOPE_OPERATIONS, #name, false, UNIT_COUNT, BETTER_##better, label, why},
#define OPERATION_FAULT(name, fault, label, why)                                       \
	{SCOPE_OPERATIONS, #name, false, UNIT_COUNT, BETTER_LESS, label, why},
#define OPERATION_ABOVE(name, unit, label, why)                                        \
	{SCOPE_OPERATIONS, #name, false, UNIT_##unit, BETTER_LESS, label, why},
#include "report/operation_metrics.def"
	{SCOPE_OPERATIONS, "within_target", false, UNIT_PPM, BETTER_MORE,
	 "within target",
	 "share of the operations with a target whose call took no longer than that"},
	{SCOPE_OPERATIONS, "*", false, UNIT_COUNT, BETTER_LESS, "refused with",
	 "how many ended with this errno"},
#define TASK_LATENCY(name, label, why)                                                 \
	{SCOPE_TASKS, #name, true, UNIT_NS, BETTER_LESS, label, why},
#define TASK_FIGURE(name, unit, better, label, why)                                    \
	{SCOPE_TASKS, #name, false, UNIT_##unit, BETTER_##better, label, why},
#define COUNTER(name, unit, better, label, why)                                        \
	{SCOPE_MACHINE, #name, false, UNIT_##unit, BETTER_##better, label, why},
#include "report/metrics.def"
#undef TASK_LATENCY
#undef TASK_FIGURE
#undef COUNTER
	{SCOPE_ROOT_DOMAINS, "total_bw_before", false, UNIT_COUNT, BETTER_NEITHER,
	 "total_bw before",
	 "of a root domain, of 1048576: the deadline bandwidth admitted before the "
	 "first operation after the warm-up"},
	{SCOPE_ROOT_DOMAINS, "total_bw_after", false, UNIT_COUNT, BETTER_NEITHER,
	 "total_bw after", "likewise, after the last operation"},
	{SCOPE_ROOT_DOMAINS, "promised_bw_after", false, UNIT_COUNT, BETTER_NEITHER,
	 "promised after", "likewise: what its tasks and servers were promised"},
	{SCOPE_CGROUPS, "nr_periods", false, UNIT_COUNT, BETTER_NEITHER, "periods",
	 "of a group with a limit, as cpu.stat counts: periods that ended"},
	{SCOPE_CGROUPS, "nr_throttled", false, UNIT_COUNT, BETTER_LESS, "throttled",
	 "likewise: periods that ended with one of its queues throttled"},
	{SCOPE_CGROUPS, "throttled_time_ns", false, UNIT_NS, BETTER_LESS,
	 "throttled time",
	 "likewise: the sum over its queues, each counted when it goes on"},
	{SCOPE_CGROUPS, "nr_bursts", false, UNIT_COUNT, BETTER_NEITHER, "bursts",
	 "likewise: periods in which more than the quota was used"},
	{SCOPE_CGROUPS, "burst_time_ns", false, UNIT_NS, BETTER_NEITHER, "burst time",
	 "likewise: CPU time used beyond the quota"},
	{SCOPE_DECISIONS, "*", false, UNIT_COUNT, BETTER_NEITHER, "decisions",
	 "how often a stage of select_task_rq() had the last word, by its reason"},
	{SCOPE_LLCS, "idle_while_runnable_ns", false, UNIT_NS, BETTER_LESS,
	 "idle while runnable",
	 "of one LLC: time in which a CPU of it was idle while another had a task "
	 "waiting"},
	{SCOPE_CPUS, "utilisation_ppm", false, UNIT_PPM, BETTER_NEITHER, "utilisation",
	 "of one CPU: share of the time that was not idle"},
	{.name = NULL},
};

/* source of the order: distribution_values() in figures.c */
static const char *const stats[] = {"count", "mean", "min",   "p50", "p90",
				    "p95",   "p99",  "p99.9", "max", NULL};

const struct metric *metrics(void)
{
	return table;
}

const char *const *distribution_stats(void)
{
	return stats;
}

/* The scopes a first part may name, and which part then names the metric. */
static const struct {
	const char *first;
	enum figure_scope scope;
	int metric_part;
} scopes[] = {
	{"sources", SCOPE_SOURCES, 2},
	{"all", SCOPE_TASKS, 1},
	{"tasks", SCOPE_TASKS, 2},
	{"machine", SCOPE_MACHINE, 1},
	{"operations", SCOPE_OPERATIONS, 2},
	{"root_domains", SCOPE_ROOT_DOMAINS, 2},
	{"cgroups", SCOPE_CGROUPS, 2},
	{"decisions", SCOPE_DECISIONS, 2},
	{"llcs", SCOPE_LLCS, 2},
	{"cpus", SCOPE_CPUS, 2},
};

const struct metric *figure_metric(const struct figure *f)
{
	for (gsize i = 0; i < G_N_ELEMENTS(scopes); i++) {
		const char *name = f->part[scopes[i].metric_part];

		if (strcmp(f->part[0], scopes[i].first) || !name)
			continue;
		for (const struct metric *m = table; m->name; m++)
			if (m->scope == scopes[i].scope &&
			    (!strcmp(m->name, name) || !strcmp(m->name, "*")))
				return m;
	}
	return NULL;
}

enum figure_unit figure_unit(const struct figure *f)
{
	const struct metric *m = figure_metric(f);

	for (int i = 1; i < FIGURE_PARTS; i++)
		if (f->part[i] && !strcmp(f->part[i], "count"))
			return UNIT_COUNT;
	return m ? m->unit : UNIT_COUNT;
}
