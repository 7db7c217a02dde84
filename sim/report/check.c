/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes through two experiments figure by figure.
 */
#include "report/check.h"

#include "report/comparison.h"
#include "report/writers.h"
#include "schedsim/error.h"

#include <string.h>

/* Differences that are spelled out. */
#define LINES_MAX 40

/* Comparable */

static bool check_count(const char *what, guint expected, guint got, GError **error)
{
	if (expected == got)
		return true;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "expected %u %s as in the reference, got %u", expected, what, got);
	return false;
}

bool check_comparable(const experiment *reference, const experiment *now,
		      GError **error)
{
	if (!check_count("workloads", g_strv_length(reference->spec.workloads),
			 g_strv_length(now->spec.workloads), error) ||
	    !check_count("input files", reference->files->len, now->files->len,
			 error) ||
	    !check_count("cases", reference->cases->len, now->cases->len, error) ||
	    !check_count("policies", reference->policies->len, now->policies->len,
			 error))
		return false;
	for (guint i = 0; i < now->files->len; i++) {
		const struct input_file *expected = experiment_file(reference, i);
		const struct input_file *got = experiment_file(now, i);

		if (!strcmp(expected->sha256, got->sha256))
			continue;
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "%s: expected the file of the reference, %s with sha256 "
			    "%s, got %s",
			    got->path, expected->path, expected->sha256, got->sha256);
		return false;
	}
	return true;
}

/* Equal */

struct differences {
	GString *out; /* not owned */
	guint nr;
};

static void append_run(GString *out, const experiment *e, guint cell)
{
	guint policy = cell / e->spec.runs % e->policies->len;
	const struct experiment_case *c =
		experiment_case(e, cell / e->spec.runs / e->policies->len);
	g_autofree char *params = g_strjoinv(" ", c->params);

	g_string_append_printf(
		out, "%s%s%s, policy %s, seed %llu: ", e->spec.workloads[c->workload],
		*params ? " with " : "", params, experiment_policy(e, policy)->label,
		(unsigned long long)(e->spec.seed + cell % e->spec.runs));
}

/* NULL: the figure is missing there */
static void append_difference(struct differences *d, const experiment *e, guint cell,
			      const struct figure *was, const struct figure *is)
{
	const struct figure *name = was ? was : is;
	g_autofree char *full = figure_name(name);
	g_autofree char *change = NULL;

	if (d->nr++ >= LINES_MAX)
		return;
	append_run(d->out, e, cell);
	if (!was || !is) {
		g_string_append_printf(d->out, "%s: %s\n", full,
				       was ? "is missing" : "is new");
		return;
	}
	change = text_change(figure_unit(name), is->value - was->value, was->value);
	g_string_append_printf(d->out, "%s: was %lld, is %lld (%s)\n", full,
			       (long long)was->value, (long long)is->value, change);
}

static void compare_runs(struct differences *d, const experiment *e, guint cell,
			 const figures *was, const figures *is)
{
	guint hint = 0;

	for (guint i = 0; i < was->list->len; i++) {
		const struct figure *old = figure_at(was, i);
		const struct figure *new = figures_find(is, old, hint);

		if (!new || new->value != old->value)
			append_difference(d, e, cell, old, new);
		hint = new ? (guint)(new - figure_at(is, 0)) + 1 : hint;
	}
	for (guint i = 0, at = 0; i < is->list->len; i++, at++)
		if (!figures_find(was, figure_at(is, i), at))
			append_difference(d, e, cell, NULL, figure_at(is, i));
}

bool check_equal(const experiment *reference, const experiment *now, GString *out)
{
	struct differences d = {out, 0};

	for (guint i = 0; i < experiment_nr_cells(now); i++)
		compare_runs(&d, now, i, reference->cells[i], now->cells[i]);
	if (d.nr > LINES_MAX)
		g_string_append_printf(out, "and %u more\n", d.nr - LINES_MAX);
	return !d.nr;
}

/* Tolerances */

static void append_breach(GString *out, const experiment *e, guint of_case,
			  guint policy, const struct comparison_row *row)
{
	const struct experiment_case *c = experiment_case(e, of_case);
	int64_t was = row->cells[0].median, is = row->cells[1].median;
	g_autofree char *params = g_strjoinv(" ", c->params);
	g_autofree char *name = figure_name(&row->name);
	g_autofree char *old = text_value(row->unit, was);
	g_autofree char *new = text_value(row->unit, is);
	g_autofree char *change = text_change(row->unit, is - was, was);

	g_string_append_printf(out, "%s%s%s, policy %s: %s: was %s, is %s (%s)\n",
			       e->spec.workloads[c->workload], *params ? " with " : "",
			       params, experiment_policy(e, policy)->label, name, old,
			       new, change);
}

static bool suits(const struct tolerance *t, const struct comparison_row *row,
		  GError **error)
{
	g_autofree char *name = figure_name(&row->name);

	if (!t->is_time || row->unit == UNIT_NS)
		return true;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "--limit: expected a bound in the unit of %s, got a time", name);
	return false;
}

/*
 * How the rows of one policy keep @tolerances; @used: which of them meant a row.
 * An error may be set.
 */
static bool keep(const comparison *c, const GArray *tolerances, bool *used,
		 const experiment *e, guint of_case, guint policy, GString *out,
		 GError **error)
{
	bool kept = true;

	for (guint i = 0; i < c->rows->len; i++) {
		const struct comparison_row *row = comparison_row(c, i);

		for (guint t = 0; t < tolerances->len; t++) {
			const struct tolerance *tolerance =
				&g_array_index(tolerances, struct tolerance, t);

			if (!row->metric ||
			    !figure_matches(&row->name, tolerance->metric))
				continue;
			if (!suits(tolerance, row, error))
				return false;
			used[t] = true;
			if (!tolerance_is_passed(tolerance, row->metric->better,
						 row->cells[0].median,
						 row->cells[1].median))
				continue;
			append_breach(out, e, of_case, policy, row);
			kept = false;
		}
	}
	return kept;
}

static const figures *const *runs_of(const experiment *e, guint of_case, guint policy)
{
	return (const figures *const *)&e
		->cells[experiment_cell(e, of_case, policy, 0)];
}

bool check_tolerances(const experiment *reference, const experiment *now,
		      const GArray *tolerances, GString *out, bool *kept,
		      GError **error)
{
	g_autofree bool *used = g_new0(bool, tolerances->len);

	*kept = true;
	for (guint c = 0; c < now->cases->len; c++)
		for (guint p = 0; p < now->policies->len; p++) {
			struct comparison_column columns[] = {
				{"was", runs_of(reference, c, p)},
				{"is", runs_of(now, c, p)},
			};
			g_autoptr(comparison) pair =
				comparison_new(columns, 2, now->spec.runs);
			GError *unsuited = NULL;

			*kept &=
				keep(pair, tolerances, used, now, c, p, out, &unsuited);
			if (!unsuited)
				continue;
			g_propagate_error(error, unsuited);
			return false;
		}
	for (guint t = 0; t < tolerances->len; t++)
		if (!used[t]) {
			g_set_error(
				error, INPUT_ERROR, INPUT_ERROR_VALUE,
				"--limit: expected a figure's name, or the end of "
				"one, got \"%s\"; see schedsim list metrics",
				g_array_index(tolerances, struct tolerance, t).metric);
			return false;
		}
	return true;
}
