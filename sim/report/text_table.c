/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison as a table: figures in rows, columns side by side, in as many
 * blocks as the width asks for, each beginning with the first column.
 */
#include "report/writers.h"

#include <string.h>

#define WIDTH_MAX 132
#define LABEL_WIDTH_MIN 24
#define STAT_WIDTH 7
#define GAP 2
#define INDENT 2

/* Texts of a table that is being laid out. */
struct layout {
	const comparison *c;
	char **cells; /* [rows][columns] owned; NULL: a row that is not shown */
	int *widths;  /* [columns] owned */
	int label_width;
};

static bool is_zero(const struct comparison_row *row, unsigned nr_columns)
{
	for (unsigned i = 0; i < nr_columns; i++)
		if (row->cells[i].median)
			return false;
	return true;
}

/* Which stat of a distribution @name is, or NULL. */
static const char *stat_of(const struct comparison_row *row)
{
	int last = FIGURE_PARTS - 1;

	if (!row->metric || !row->metric->is_distribution)
		return NULL;
	while (!row->name.part[last])
		last--;
	return row->name.part[last];
}

/* The second way to measure a wakeup is for all tasks together only. */
static bool is_detail(const struct comparison_row *row)
{
	return row->metric->scope == SCOPE_CPUS || row->metric->scope == SCOPE_LLCS ||
	       (!strcmp(row->name.part[0], "tasks") &&
		!strcmp(row->metric->name, "wakeup_to_run_ns"));
}

/* Whether @row is of the only group of tasks, which all tasks are. */
static bool is_repetition(const comparison *c, const struct comparison_row *row)
{
	const char *other;

	if (strcmp(row->name.part[0], "tasks"))
		return false;
	for (guint i = 0; i < c->rows->len; i++) {
		other = comparison_row(c, i)->name.part[1];
		if (!strcmp(comparison_row(c, i)->name.part[0], "tasks") &&
		    strcmp(other, row->name.part[1]))
			return false;
	}
	return true;
}

/*
 * Whether row @i is for people: details are for the other formats, zeros say
 * nothing, nor do the stats of a distribution without values.
 */
static bool is_shown(const comparison *c, guint i)
{
	const struct comparison_row *row = comparison_row(c, i);
	const char *stat = stat_of(row);

	if (!row->metric || is_detail(row) || is_repetition(c, row))
		return false;
	if (!stat)
		return !is_zero(row, c->nr_columns);
	while (strcmp(stat_of(comparison_row(c, i)), distribution_stats()[0]))
		i--;
	return !is_zero(comparison_row(c, i), c->nr_columns) && strcmp(stat, "min") &&
	       strcmp(stat, "mean");
}

/* A column in which no run has the figure shows a dash. */
static char *cell_text(const struct comparison_row *row, unsigned column)
{
	const struct comparison_cell *cell = &row->cells[column];
	int64_t base = row->cells[0].median;
	g_autofree char *value = text_value(row->unit, cell->median);
	g_autofree char *change = NULL, *low = NULL, *high = NULL;

	if (!cell->present)
		return g_strdup("-");
	switch (cell->kind) {
	case CHANGE_NONE:
		break;
	case CHANGE_EQUAL:
		return g_strdup_printf("%s  equal", value);
	case CHANGE_NOT_SHOWN:
		return g_strdup_printf("%s  no difference shown", value);
	case CHANGE_SHOWN:
		change = text_change(row->unit, cell->change.median, base);
		low = text_change(row->unit, cell->change.low, base);
		high = text_change(row->unit, cell->change.high, base);
		return g_strdup_printf("%s  %s [%s, %s]", value, change, low, high);
	}
	return g_strdup(value);
}

/* The value ends at the same place in each row, what follows it begins there. */
static int value_width(const char *text)
{
	const char *gap = strstr(text, "  ");

	return gap ? (int)(gap - text) : (int)strlen(text);
}

static void align_column(struct layout *l, unsigned column)
{
	unsigned nr = l->c->nr_columns;
	int widest = (int)g_utf8_strlen(l->c->labels[column], -1);

	for (guint i = 0; i < l->c->rows->len; i++)
		if (l->cells[i * nr + column])
			widest = MAX(widest, value_width(l->cells[i * nr + column]));
	for (guint i = 0; i < l->c->rows->len; i++) {
		char **cell = &l->cells[i * nr + column];
		char *aligned;

		if (!*cell)
			continue;
		aligned = g_strdup_printf("%*s%s", widest - value_width(*cell), "",
					  *cell);
		g_free(*cell);
		*cell = aligned;
		l->widths[column] = MAX(l->widths[column], (int)strlen(aligned));
	}
	l->widths[column] = MAX(l->widths[column], widest);
}

static char *label_of(const struct comparison_row *row)
{
	if (row->metric->scope == SCOPE_DECISIONS)
		return g_strdup_printf("%s: %s", row->name.part[1], row->name.part[2]);
	return g_strdup(row->metric->label);
}

/* Room for every label of a shown row. */
static int find_label_width(const struct layout *l)
{
	int width = LABEL_WIDTH_MIN;

	for (guint i = 0; i < l->c->rows->len; i++) {
		const struct comparison_row *row = comparison_row(l->c, i);
		g_autofree char *label = NULL;

		if (!l->cells[i * l->c->nr_columns])
			continue;
		label = label_of(row);
		width = MAX(width, INDENT + (int)strlen(label) -
					   (stat_of(row) ? 0 : STAT_WIDTH));
	}
	return width;
}

static void lay_out(struct layout *l, const comparison *c)
{
	unsigned nr = c->nr_columns;

	l->c = c;
	l->cells = g_new0(char *, (gsize)c->rows->len *nr);
	l->widths = g_new0(int, nr);
	for (guint i = 0; i < c->rows->len; i++) {
		const struct comparison_row *row = comparison_row(c, i);

		for (unsigned col = 0; is_shown(c, i) && col < nr; col++)
			l->cells[i * nr + col] = cell_text(row, col);
	}
	for (unsigned col = 0; col < nr; col++)
		align_column(l, col);
	l->label_width = find_label_width(l);
}

static void layout_clear(struct layout *l)
{
	for (gsize i = 0; i < (gsize)l->c->rows->len * l->c->nr_columns; i++)
		g_free(l->cells[i]);
	g_free(l->cells);
	g_free(l->widths);
}

/* Columns @from, @from + 1, ... that fit beside the first. */
static unsigned columns_that_fit(const struct layout *l, unsigned from)
{
	int width = l->label_width + STAT_WIDTH + GAP + l->widths[0];
	unsigned nr = 0;

	while (from + nr < l->c->nr_columns) {
		width += GAP + l->widths[from + nr];
		if (nr && width > WIDTH_MAX)
			break;
		nr++;
	}
	return nr;
}

static void trim_line(GString *out)
{
	while (out->len && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

/* Right-aligned over its values, where its change does not widen the column. */
static void append_cell(GString *out, const struct layout *l, const char *text,
			unsigned column)
{
	int pad = l->widths[column] - (int)g_utf8_strlen(text, -1);

	g_string_append_printf(out, "%*s%s%*s", GAP, "", text, MAX(pad, 0), "");
}

static void append_header(GString *out, const struct layout *l, unsigned from,
			  unsigned nr)
{
	g_string_append_printf(out, "%*s", l->label_width + STAT_WIDTH, "");
	append_cell(out, l, l->c->labels[0], 0);
	for (unsigned i = 0; i < nr; i++)
		append_cell(out, l, l->c->labels[from + i], from + i);
	trim_line(out);
}

/* What a row is under; changes begin a section. */
static char *section_of(const struct comparison_row *row)
{
	const char *const *part = row->name.part;

	switch (row->metric->scope) {
	case SCOPE_SOURCES:
		return g_strdup_printf("requests of %s", part[1]);
	case SCOPE_TASKS:
		return strcmp(part[0], "all") ? g_strdup_printf("tasks %s", part[1])
					      : g_strdup("all tasks");
	case SCOPE_DECISIONS:
		return g_strdup("decisions");
	default:
		return g_strdup("machine");
	}
}

static void append_labels(GString *out, const struct layout *l,
			  const struct comparison_row *row, bool again)
{
	const char *stat = stat_of(row);
	g_autofree char *label = again ? g_strdup("") : label_of(row);
	int width = l->label_width + (stat ? 0 : STAT_WIDTH) - INDENT;

	g_string_append_printf(out, "%*s%-*s", INDENT, "", width, label);
	if (stat)
		g_string_append_printf(out, "%*s", STAT_WIDTH, stat);
}

static void append_block(GString *out, const struct layout *l, unsigned from,
			 unsigned nr)
{
	unsigned columns = l->c->nr_columns;
	const struct metric *last = NULL;
	g_autofree char *section = NULL;

	append_header(out, l, from, nr);
	for (guint i = 0; i < l->c->rows->len; i++) {
		const struct comparison_row *row = comparison_row(l->c, i);
		g_autofree char *own = NULL;

		if (!l->cells[i * columns])
			continue;
		own = section_of(row);
		if (g_strcmp0(own, section)) {
			g_string_append_printf(out, "%s\n", own);
			g_free(section);
			section = g_steal_pointer(&own);
			last = NULL;
		}
		append_labels(out, l, row,
			      row->metric == last && row->metric->is_distribution);
		last = row->metric;
		append_cell(out, l, l->cells[i * columns], 0);
		for (unsigned col = from; col < from + nr; col++)
			append_cell(out, l, l->cells[i * columns + col], col);
		trim_line(out);
	}
}

static void append_legend(GString *out, const comparison *c, const char *base)
{
	if (c->nr_runs > 1)
		g_string_append_printf(out, "Medians of %u runs.", c->nr_runs);
	if (c->nr_columns == 1) {
		g_string_append(out, c->nr_runs > 1 ? "\n\n" : "");
		return;
	}
	if (c->nr_runs >= INTERVAL_SAMPLES_MIN)
		g_string_append_printf(out,
				       "  Beside them, against %s, the median change "
				       "of the paired runs "
				       "and its 95 %% interval.\n\n",
				       base);
	else
		g_string_append_printf(
			out,
			"%sWhether a difference is more than chance takes --runs %d or "
			"more.\n\n",
			c->nr_runs > 1 ? "  " : "", INTERVAL_SAMPLES_MIN);
}

void text_table(GString *out, const comparison *c, const char *base)
{
	struct layout l = {0};
	unsigned from = 1, nr;

	append_legend(out, c, base);
	lay_out(&l, c);
	do {
		nr = columns_that_fit(&l, from);
		append_block(out, &l, from, nr);
		from += nr;
		if (from < c->nr_columns)
			g_string_append_c(out, '\n');
	} while (from < c->nr_columns);
	layout_clear(&l);
}
