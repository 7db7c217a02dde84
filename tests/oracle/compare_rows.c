/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the tables: lines of fields with tabs between, "#" begins a comment.
 */
#include "compare_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN_FIELDS 6
#define ROW_FIELDS 12
#define REASON_FIELDS 2

/* What a line's reader is given. */
struct line {
	const char *path;
	unsigned number;
	char **fields;
};

static G_NORETURN void fail(const struct line *l, const char *what)
{
	g_printerr("%s:%u: %s\n", l->path, l->number, what);
	exit(2);
}

/* "-": not known. */
static double number(const struct line *l, const char *text)
{
	char *end;
	double value = g_ascii_strtod(text, &end);

	if (g_str_equal(text, "-"))
		return NAN;
	if (end == text || *end)
		fail(l, "expected a number");
	return value;
}

static char *text_or_null(const char *text)
{
	return g_str_equal(text, "-") ? NULL : g_strdup(text);
}

static void read_run(const struct line *l, GArray *out)
{
	struct compare_run run = {
		.row = g_strdup(l->fields[0]),
		.workload = g_strdup(l->fields[1]),
		.settings = text_or_null(l->fields[3]),
		.seeds = (unsigned)number(l, l->fields[4]),
		.seconds = number(l, l->fields[5]),
	};

	run.params =
		g_strsplit(g_str_equal(l->fields[2], "-") ? "" : l->fields[2], " ", -1);
	g_array_append_val(out, run);
}

static struct compare_tolerance read_tolerance(const struct line *l, const char *text)
{
	struct compare_tolerance t = {.kind = TOLERANCE_RANGE};
	g_auto(GStrv) ends = g_strsplit(text, "..", 2);
	g_autofree char *share = NULL;

	if (g_str_equal(text, "-"))
		return (struct compare_tolerance){.kind = TOLERANCE_NONE};
	if (g_str_equal(text, "not"))
		return (struct compare_tolerance){.kind = TOLERANCE_UNASKED};
	if (ends[0] && ends[1]) {
		t.low = number(l, ends[0]);
		t.high = number(l, ends[1]);
		return t;
	}
	if (text[0] == 'x') {
		t.kind = TOLERANCE_FACTOR;
		t.high = number(l, text + 1);
		return t;
	}
	if (!g_str_has_suffix(text, "%"))
		fail(l, "expected a tolerance: -, not, 20%, x2 or 1..2");
	share = g_strndup(text, strlen(text) - 1);
	t.kind = TOLERANCE_SHARE;
	t.high = number(l, share) / 100;
	return t;
}

static void read_row(const struct line *l, GArray *out)
{
	char **f = l->fields;
	struct compare_row row = {
		.row = g_strdup(f[0]),
		.machine = g_strdup(f[1]),
		.features = g_strdup(f[2]),
		.metric = g_strdup(f[3]),
		.figure = g_strdup(f[4]),
		.unit = g_strdup(f[5]),
		.median = number(l, f[6]),
		.min = number(l, f[7]),
		.max = number(l, f[8]),
		.tolerance_text = g_strdup(f[9]),
		.tolerance = read_tolerance(l, f[9]),
		.expected = g_strdup(f[10]),
		.reason = text_or_null(f[11]),
	};

	g_array_append_val(out, row);
}

static void read_reason(const struct line *l, GArray *out)
{
	struct compare_reason reason = {g_strdup(l->fields[0]), g_strdup(l->fields[1])};

	g_array_append_val(out, reason);
}

static void read_table(const char *folder, const char *name, unsigned nr_fields,
		       void (*read)(const struct line *l, GArray *out), GArray *out)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	struct line l = {.path = path};

	if (!g_file_get_contents(path, &text, NULL, NULL))
		fail(&l, "expected a file that can be read");
	lines = g_strsplit(text, "\n", -1);
	for (; lines[l.number]; l.number++) {
		g_auto(GStrv) fields = g_strsplit(lines[l.number], "\t", -1);
		struct line one = {path, l.number + 1, fields};

		if (!lines[l.number][0] || lines[l.number][0] == '#')
			continue;
		if (g_strv_length(fields) != nr_fields)
			fail(&one, "expected another number of fields");
		read(&one, out);
	}
}

static void check(const struct compare_tables *t)
{
	for (guint i = 0; i < t->rows->len; i++) {
		const struct compare_row *row =
			&g_array_index(t->rows, struct compare_row, i);

		if (compare_run_find(t, row->row))
			continue;
		g_printerr("rows.tsv: expected a row of runs.tsv, got %s\n", row->row);
		exit(2);
	}
}

void compare_tables_read(const char *folder, struct compare_tables *out)
{
	out->runs = g_array_new(FALSE, FALSE, sizeof(struct compare_run));
	out->rows = g_array_new(FALSE, FALSE, sizeof(struct compare_row));
	out->reasons = g_array_new(FALSE, FALSE, sizeof(struct compare_reason));
	read_table(folder, "runs.tsv", RUN_FIELDS, read_run, out->runs);
	read_table(folder, "rows.tsv", ROW_FIELDS, read_row, out->rows);
	read_table(folder, "reasons.tsv", REASON_FIELDS, read_reason, out->reasons);
	check(out);
}

static void clear_row(struct compare_row *row)
{
	char *owned[] = {row->row,    row->machine, row->features,       row->metric,
			 row->figure, row->unit,    row->tolerance_text, row->expected,
			 row->reason};

	for (gsize i = 0; i < G_N_ELEMENTS(owned); i++)
		g_free(owned[i]);
}

void compare_tables_clear(struct compare_tables *t)
{
	for (guint i = 0; i < t->runs->len; i++) {
		struct compare_run *run =
			&g_array_index(t->runs, struct compare_run, i);

		g_free(run->row);
		g_free(run->workload);
		g_strfreev(run->params);
		g_free(run->settings);
	}
	for (guint i = 0; i < t->rows->len; i++)
		clear_row(&g_array_index(t->rows, struct compare_row, i));
	for (guint i = 0; i < t->reasons->len; i++) {
		struct compare_reason *reason =
			&g_array_index(t->reasons, struct compare_reason, i);

		g_free(reason->key);
		g_free(reason->text);
	}
	g_array_unref(t->runs);
	g_array_unref(t->rows);
	g_array_unref(t->reasons);
}

const struct compare_run *compare_run_find(const struct compare_tables *t,
					   const char *row)
{
	for (guint i = 0; i < t->runs->len; i++) {
		const struct compare_run *run =
			&g_array_index(t->runs, struct compare_run, i);

		if (g_str_equal(run->row, row))
			return run;
	}
	return NULL;
}
