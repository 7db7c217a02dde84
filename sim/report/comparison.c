/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows are found by name, so that runs need not have the same figures: policies differ
 * in the reasons they decide by.
 */
#include "report/comparison.h"

#include <string.h>

static void clear_row(gpointer row)
{
	g_free(((struct comparison_row *)row)->cells);
}

/* Whether @c has a row of that name already. */
static bool has_row(const comparison *c, const struct figure *name)
{
	for (guint i = 0; i < c->rows->len; i++)
		if (figure_same_name(&comparison_row(c, i)->name, name))
			return true;
	return false;
}

static struct comparison_row new_row(const struct figure *name, unsigned nr_columns)
{
	return (struct comparison_row){
		.name = *name,
		.metric = figure_metric(name),
		.unit = figure_unit(name),
		.cells = g_new0(struct comparison_cell, nr_columns),
	};
}

/* After the last row that shares @name's first part, so that sections stay whole. */
static guint place_of(const comparison *c, const struct figure *name)
{
	for (guint i = c->rows->len; i > 0; i--)
		if (!strcmp(comparison_row(c, i - 1)->name.part[0], name->part[0]))
			return i;
	return c->rows->len;
}

/* Rows are those of the first run, and what later runs have beyond them. */
static void add_rows(comparison *c, const figures *run)
{
	bool first = !c->rows->len;

	for (guint i = 0; i < run->list->len; i++) {
		const struct figure *name = figure_at(run, i);
		struct comparison_row row;

		if (!first && i < c->rows->len &&
		    figure_same_name(&comparison_row(c, i)->name, name))
			continue;
		if (!first && has_row(c, name))
			continue;
		row = new_row(name, c->nr_columns);
		g_array_insert_val(c->rows, first ? c->rows->len : place_of(c, name),
				   row);
	}
}

/* The row's value in @run, looked for from *@hint on. */
static bool value_in(const figures *run, const struct figure *name, guint *hint,
		     int64_t *value)
{
	const struct figure *f = figures_find(run, name, *hint);

	*value = f ? f->value : 0;
	if (f)
		*hint = f - figure_at(run, 0) + 1;
	return f;
}

/* [nr_columns][nr_runs], column after column */
struct values {
	int64_t *of_runs; /* owned */
	guint *hints;     /* owned */
};

static int64_t *values_of(struct values *v, unsigned nr_runs, unsigned column)
{
	return &v->of_runs[(gsize)column * nr_runs];
}

/* @value against @base, in parts of CHANGE_ONE of it. */
static int64_t relative_change(int64_t value, int64_t base)
{
	__extension__ __int128 parts =
		(__extension__(__int128) value - base) * CHANGE_ONE;

	return (int64_t)CLAMP(parts / base, INT64_MIN, INT64_MAX);
}

static bool all_positive(const int64_t *values, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		if (values[i] <= 0)
			return false;
	return true;
}

static void fill_change(const comparison *c, struct comparison_cell *cell,
			const int64_t *base, const int64_t *values)
{
	g_autofree int64_t *change = g_new(int64_t, c->nr_runs);
	bool equal = true, known;

	cell->relative = all_positive(base, c->nr_runs);
	for (unsigned i = 0; i < c->nr_runs; i++) {
		change[i] = cell->relative ? relative_change(values[i], base[i])
					   : values[i] - base[i];
		equal = equal && values[i] == base[i];
	}
	known = interval_of(change, c->nr_runs, &cell->change);
	if (!known)
		cell->kind = CHANGE_NONE;
	else if (equal)
		cell->kind = CHANGE_EQUAL;
	else if (cell->change.low <= 0 && cell->change.high >= 0)
		cell->kind = CHANGE_NOT_SHOWN;
	else
		cell->kind = CHANGE_SHOWN;
}

static void fill_row(comparison *c, struct comparison_row *row,
		     const struct comparison_column *columns, struct values *v)
{
	for (unsigned col = 0; col < c->nr_columns; col++) {
		struct comparison_cell *cell = &row->cells[col];
		int64_t *values = values_of(v, c->nr_runs, col);

		for (unsigned i = 0; i < c->nr_runs; i++)
			cell->present |=
				value_in(columns[col].runs[i], &row->name,
					 &v->hints[col * c->nr_runs + i], &values[i]);
		cell->median = median_of(values, c->nr_runs);
		if (col)
			fill_change(c, cell, values_of(v, c->nr_runs, 0), values);
	}
}

comparison *comparison_new(const struct comparison_column *columns, unsigned nr_columns,
			   unsigned nr_runs)
{
	comparison *c = g_new0(comparison, 1);
	struct values v = {
		g_new0(int64_t, (gsize)nr_columns * nr_runs),
		g_new0(guint, (gsize)nr_columns * nr_runs),
	};

	g_assert(nr_columns && nr_runs);

	c->nr_columns = nr_columns;
	c->nr_runs = nr_runs;
	c->labels = g_new0(const char *, nr_columns);
	c->rows = g_array_new(FALSE, FALSE, sizeof(struct comparison_row));
	g_array_set_clear_func(c->rows, clear_row);
	for (unsigned col = 0; col < nr_columns; col++) {
		c->labels[col] = columns[col].label;
		for (unsigned i = 0; i < nr_runs; i++)
			add_rows(c, columns[col].runs[i]);
	}
	for (guint i = 0; i < c->rows->len; i++)
		fill_row(c, &g_array_index(c->rows, struct comparison_row, i), columns,
			 &v);
	g_free(v.of_runs);
	g_free(v.hints);
	return c;
}

void comparison_free(comparison *c)
{
	if (!c)
		return;
	g_array_unref(c->rows);
	g_free(c->labels);
	g_free(c);
}
