/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns of runs side by side: the median of each figure, and how each column
 * differs from the first, run by run.
 */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include "report/figures.h"
#include "report/interval.h"

#define CHANGE_ONE 1000000

/* Run i of every column has the same seed. */
struct comparison_column {
	const char *label;          /* not owned */
	const figures *const *runs; /* [nr_runs] not owned */
};

enum change_kind {
	CHANGE_NONE,      /* the first column, or too few runs to say more */
	CHANGE_EQUAL,     /* the same in every run */
	CHANGE_NOT_SHOWN, /* the interval holds 0 */
	CHANGE_SHOWN,
};

struct comparison_cell {
	bool present; /* some run has the figure; a run without it counts 0 */
	int64_t median;
	/*
	 * Of run i against run i of the first column: in parts of CHANGE_ONE of that if
	 * it is above 0 in every run (relative), otherwise the difference.
	 */
	struct interval change;
	bool relative;
	enum change_kind kind;
};

struct comparison_row {
	struct figure name; /* names not owned; value unused */
	const struct metric *metric;
	enum figure_unit unit;
	struct comparison_cell *cells; /* [nr_columns] owned */
};

typedef struct comparison comparison;

struct comparison {
	unsigned nr_columns, nr_runs;
	const char **labels; /* [nr_columns] owned, the labels not */
	GArray *rows;        /* of struct comparison_row; owned */
};

/* The columns' figures must outlive what is returned. */
comparison *comparison_new(const struct comparison_column *columns, unsigned nr_columns,
			   unsigned nr_runs);
void comparison_free(comparison *c);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(comparison, comparison_free)

static inline const struct comparison_row *comparison_row(const comparison *c, guint i)
{
	return &g_array_index(c->rows, struct comparison_row, i);
}

#endif
