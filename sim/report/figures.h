/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results as a flat, ordered list of named whole numbers: what the writers print,
 * and what comparisons and limits speak of.
 */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "report/results.h"

#include <glib.h>
#include <stdbool.h>

enum figure_unit { UNIT_COUNT, UNIT_NS, UNIT_MILLI, UNIT_PPM, UNIT_PER_S };
enum figure_better { BETTER_NEITHER, BETTER_LESS, BETTER_MORE };

/* Where a metric is found: the first part of its figures' names. */
enum figure_scope {
	SCOPE_TASKS,
	SCOPE_SOURCES,
	SCOPE_MACHINE,
	SCOPE_DECISIONS,
	SCOPE_OPERATIONS,
	SCOPE_ROOT_DOMAINS,
	SCOPE_CGROUPS,
	SCOPE_LLCS,
	SCOPE_CPUS
};

struct metric {
	enum figure_scope scope;
	const char *name;     /* with its unit */
	bool is_distribution; /* then a figure for each of its stats */
	enum figure_unit unit;
	enum figure_better better;
	const char *label, *why;
};

#define FIGURE_PARTS 4

/*
 * "tasks", "proxy", "wakeup_latency_ns", "p99"; unused parts at the end are NULL.
 * The first is the scope's: sources, operations, root_domains, all, tasks, cgroups,
 * machine, decisions, llcs, cpus.
 */
struct figure {
	const char *part[FIGURE_PARTS]; /* not owned */
	int64_t value;
};

/* Sealed once made; the names live in @strings. */
typedef struct figures figures;

struct figures {
	GArray *list;          /* of struct figure, in the order of reports; owned */
	GStringChunk *strings; /* owned */
};

figures *figures_new(void);
void figures_free(figures *f);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(figures, figures_free)

/* Copies the names; @part has FIGURE_PARTS entries. */
void figures_add(figures *f, const char *const *part, int64_t value);
figures *figures_from_results(const struct results *r);

static inline const struct figure *figure_at(const figures *f, guint i)
{
	return &g_array_index(f->list, struct figure, i);
}

/* The figure of the same name, or NULL.  The search begins at
 * @hint and goes round. */
const struct figure *figures_find(const figures *f, const struct figure *name,
				  guint hint);

bool figure_same_name(const struct figure *a, const struct figure *b);
/* "tasks.proxy.wakeup_latency_ns.p99"  (transfer full) */
char *figure_name(const struct figure *f);
/*
 * Whether @name, a figure's full name or the end of one after a dot, means @f:
 * "request_latency_ns.p99" means that of every source.
 */
bool figure_matches(const struct figure *f, const char *name);

/* What @f measures; NULL for a name that no metric has. */
const struct metric *figure_metric(const struct figure *f);
enum figure_unit figure_unit(const struct figure *f);

/* Every metric, in the order of reports; ends with a NULL name. */
const struct metric *metrics(void);
/* The figures of a distribution; ends with NULL. */
const char *const *distribution_stats(void);

#endif
