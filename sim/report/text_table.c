/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A comparison as tables: figures in rows, columns side by side.
 *
 * Two columns fit on a line with their change between them.  More are two tables,
 * medians and changes, each in as many blocks as the width asks for.
 */
#include "report/text_rows.h"
#include "report/writers.h"

#include <string.h>

#define WIDTH_MAX 160
#define LABEL_WIDTH 28
#define STAT_WIDTH 7
#define GAP 2
#define INDENT 2

/* What the cells say. */
enum content { MEDIANS, CHANGES, BOTH };

/* Texts of a table that is being laid out. */
struct layout {
	const comparison *c;
	enum content content;
	char **cells; /* [rows][columns] owned; NULL: a row that is not shown */
	int *widths;  /* [columns] owned */
};

/* Cells */

static char *change_text(const struct comparison_row *row, unsigned column)
{
	const struct comparison_cell *cell = &row->cells[column];
	int64_t base = cell->relative ? CHANGE_ONE : 0;
	g_autofree char *change = NULL, *interval = NULL;

	switch (cell->kind) {
	case CHANGE_NONE:
		return g_strdup("");
	case CHANGE_EQUAL:
		return g_strdup("equal");
	case CHANGE_NOT_SHOWN:
		return g_strdup("no difference shown");
	case CHANGE_SHOWN:
		break;
	}
	change = text_change(row->unit, cell->change.median, base);
	interval = text_interval(row->unit, cell->change.low, cell->change.high, base);
	return g_strdup_printf("%s %s", change, interval);
}

/* A column in which no run has the figure shows a dash. */
static char *cell_text(const struct layout *l, const struct comparison_row *row,
		       unsigned column)
{
	g_autofree char *value = NULL, *change = NULL;

	if (!row->cells[column].present)
		return g_strdup("-");
	if (l->content == CHANGES)
		return change_text(row, column);
	value = text_value(row->unit, row->cells[column].median);
	if (l->content == MEDIANS || row->cells[column].kind == CHANGE_NONE)
		return g_steal_pointer(&value);
	change = change_text(row, column);
	return g_strdup_printf("%s  %s", value, change);
}

/* A value ends at the same place in each row, what follows it begins there. */
static int value_width(const char *text)
{
	const char *gap = strstr(text, "  ");

	return gap ? (int)(gap - text) : (int)strlen(text);
}

static char **cell_at(const struct layout *l, guint row, unsigned column)
{
	return &l->cells[(gsize)row * l->c->nr_columns + column];
}

static int widest_value(const struct layout *l, unsigned column)
{
	int widest = (int)g_utf8_strlen(l->c->labels[column], -1);

	for (guint i = 0; i < l->c->rows->len; i++)
		if (*cell_at(l, i, column))
			widest = MAX(widest, value_width(*cell_at(l, i, column)));
	return widest;
}

static void align_column(struct layout *l, unsigned column)
{
	int widest = widest_value(l, column);

	l->widths[column] = widest;
	for (guint i = 0; i < l->c->rows->len; i++) {
		char **cell = cell_at(l, i, column);
		char *aligned;

		if (!*cell)
			continue;
		aligned = g_strdup_printf("%*s%s", widest - value_width(*cell), "",
					  *cell);
		g_free(*cell);
		*cell = aligned;
		l->widths[column] = MAX(l->widths[column], (int)strlen(aligned));
	}
}

static void lay_out(struct layout *l, const comparison *c, enum content content)
{
	*l = (struct layout){
		.c = c,
		.content = content,
		.cells = g_new0(char *, (gsize)c->rows->len * c->nr_columns),
		.widths = g_new0(int, c->nr_columns),
	};
	for (guint i = 0; i < c->rows->len; i++) {
		if (!text_row_is_shown(c, i))
			continue;
		for (unsigned col = 0; col < c->nr_columns; col++)
			*cell_at(l, i, col) = cell_text(l, comparison_row(c, i), col);
	}
	for (unsigned col = 0; col < c->nr_columns; col++)
		align_column(l, col);
}

static void layout_clear(struct layout *l)
{
	for (gsize i = 0; i < (gsize)l->c->rows->len * l->c->nr_columns; i++)
		g_free(l->cells[i]);
	g_free(l->cells);
	g_free(l->widths);
}

/* Lines */

static void end_line(GString *out)
{
	while (out->len && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

static void append_cell(GString *out, const struct layout *l, const char *text,
			unsigned column)
{
	int pad = l->widths[column] - (int)g_utf8_strlen(text, -1);

	g_string_append_printf(out, "%*s%s%*s", GAP, "", text, MAX(pad, 0), "");
}

/* A label that is too long has a line of its own. */
static void append_labels(GString *out, const struct comparison_row *row, bool again)
{
	const char *stat = text_row_stat(row);
	g_autofree char *label = again ? g_strdup("") : text_row_label(row);
	int width = LABEL_WIDTH + (stat ? 0 : STAT_WIDTH) - INDENT;

	g_string_append_printf(out, "%*s%-*s", INDENT, "", width, label);
	if ((int)strlen(label) > width)
		g_string_append_printf(out, "\n%*s", INDENT + width, "");
	if (stat)
		g_string_append_printf(out, "%*s", STAT_WIDTH, stat);
}

/* Columns of one block. */
struct block {
	bool has_first;
	unsigned from, to; /* the others */
};

static void append_cells(GString *out, const struct layout *l, const struct block *b,
			 const char *const *texts)
{
	if (b->has_first)
		append_cell(out, l, texts[0], 0);
	for (unsigned col = b->from; col < b->to; col++)
		append_cell(out, l, texts[col], col);
	end_line(out);
}

static void append_block(GString *out, const struct layout *l, const struct block *b)
{
	const struct metric *last = NULL;
	g_autofree char *section = NULL;

	g_string_append_printf(out, "%*s", LABEL_WIDTH + STAT_WIDTH, "");
	append_cells(out, l, b, l->c->labels);
	for (guint i = 0; i < l->c->rows->len; i++) {
		const struct comparison_row *row = comparison_row(l->c, i);
		g_autofree char *own = NULL;

		if (!*cell_at(l, i, 0))
			continue;
		own = text_row_section(row);
		if (g_strcmp0(own, section)) {
			g_string_append_printf(out, "%s\n", own);
			g_free(section);
			section = g_steal_pointer(&own);
			last = NULL;
		}
		append_labels(out, row,
			      row->metric == last && row->metric->is_distribution);
		append_cells(out, l, b, (const char *const *)cell_at(l, i, 0));
		last = row->metric;
	}
}

/* The columns from @b->from on that fit; at least one. */
static void fit_columns(const struct layout *l, struct block *b)
{
	int width = LABEL_WIDTH + STAT_WIDTH + (b->has_first ? GAP + l->widths[0] : 0);

	for (b->to = b->from; b->to < l->c->nr_columns; b->to++) {
		width += GAP + l->widths[b->to];
		if (b->to > b->from && width > WIDTH_MAX)
			break;
	}
}

static void append_table(GString *out, const comparison *c, enum content content)
{
	struct block b = {.has_first = content != CHANGES, .from = 1};
	struct layout l;

	lay_out(&l, c, content);
	do {
		fit_columns(&l, &b);
		append_block(out, &l, &b);
		if (b.to < c->nr_columns)
			g_string_append_c(out, '\n');
		b.from = b.to;
	} while (b.from < c->nr_columns);
	layout_clear(&l);
}

/* What the cells are. */
static void append_legend(GString *out, const comparison *c, enum content content,
			  const char *base)
{
	if (content != CHANGES && c->nr_runs > 1)
		g_string_append_printf(out, "Medians of %u runs.\n", c->nr_runs);
	if (content != MEDIANS)
		g_string_append_printf(out,
				       "Changes are against %s: the median of the "
				       "paired runs' and its 95 %% interval.\n",
				       base);
	else if (c->nr_columns > 1 && c->nr_runs < INTERVAL_SAMPLES_MIN)
		g_string_append_printf(out,
				       "Whether a difference is more than chance takes "
				       "--runs %d or more.\n",
				       INTERVAL_SAMPLES_MIN);
	g_string_append_c(out, '\n');
}

void text_table(GString *out, const comparison *c, const char *base)
{
	bool has_changes = c->nr_columns > 1 && c->nr_runs >= INTERVAL_SAMPLES_MIN;
	enum content content = has_changes && c->nr_columns == 2 ? BOTH : MEDIANS;

	append_legend(out, c, content, base);
	append_table(out, c, content);
	if (!has_changes || content == BOTH)
		return;
	g_string_append_c(out, '\n');
	append_legend(out, c, CHANGES, base);
	append_table(out, c, CHANGES);
}
