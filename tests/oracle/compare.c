/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real against simulated: every row of the recording, simulated, with the deviation
 * and whether it keeps the tolerance.
 *
 *	oracle_compare [--check] [ROW...]
 *
 * ROW: those whose name begins with it.  With --check the exit status is 1 when a
 * figure that rows.tsv says is met no longer is.
 */
#include "compare_rows.h"
#include "report/experiment.h"
#include "schedsim/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the recording's sets of features are called here. */
static const struct {
	const char *recorded, *policy;
} policies[] = {
	{"base", "baseline"},
	{"v5", "sis_short:scan_arm_this_is_target=0"},
	{"v5w", "sis_short_skip_weight:scan_arm_this_is_target=0"},
	{"w", "skip_weight"},
};

/* A simulated figure over all runs; seen from the recording, its repetitions. */
struct spread {
	double median, min, max;
};

/* One set of runs, kept for the figures that follow. */
struct cell {
	char *key;     /* owned */
	experiment *e; /* owned */
};

struct comparer {
	struct compare_tables tables;
	char **wanted; /* not owned; beginnings of rows' names; empty: all */
	GArray *cells; /* of struct cell; owned */
	unsigned nr_met, nr_missed, nr_lost, nr_won;
};

static const char *policy_of(const char *features)
{
	for (gsize i = 0; i < G_N_ELEMENTS(policies); i++)
		if (g_str_equal(policies[i].recorded, features))
			return policies[i].policy;
	g_printerr("%s: expected base, v5, v5w or w\n", features);
	exit(2);
}

/* Runs */

static char *policy_text(const struct compare_run *run, const char *features)
{
	const char *policy = policy_of(features);

	if (!run->settings)
		return g_strdup(policy);
	return g_strdup_printf("%s%c%s", policy, strchr(policy, ':') ? ',' : ':',
			       run->settings);
}

static void add_param(struct experiment_spec *spec, const char *text)
{
	g_autoptr(GError) error = NULL;

	if (experiment_spec_add_param(spec, text, &error))
		return;
	g_printerr("%s\n", error->message);
	exit(2);
}

static experiment *run_cell(const struct compare_run *run, const char *machine,
			    const char *features)
{
	g_autofree char *path =
		g_strdup_printf(ORACLE_FOLDER "/workloads/%s.json", run->workload);
	g_autofree char *policy = policy_text(run, features);
	struct experiment_options options = {.threads = g_get_num_processors()};
	g_autoptr(GError) error = NULL;
	struct experiment_spec spec;
	experiment *e;

	experiment_spec_init(&spec);
	g_strfreev(spec.workloads);
	g_strfreev(spec.policies);
	spec.workloads = g_strdupv((char *[]){path, NULL});
	spec.policies = g_strdupv((char *[]){policy, NULL});
	g_free(spec.machine);
	spec.machine = g_strdup_printf(ORACLE_FOLDER "/machines/%s.json", machine);
	for (char **param = run->params; *param; param++)
		add_param(&spec, *param);
	spec.runs = run->seeds;
	if (run->seconds > 0)
		spec.duration_ns = (uint64_t)llround(run->seconds * NSEC_PER_SEC);
	e = experiment_run(&spec, &options, &error);
	if (e)
		return e;
	g_printerr("%s: %s\n", run->row, error->message);
	exit(2);
}

static const experiment *cell_of(struct comparer *c, const struct compare_run *run,
				 const char *machine, const char *features)
{
	struct cell cell = {g_strdup_printf("%s %s %s", run->row, machine, features),
			    NULL};

	for (guint i = 0; i < c->cells->len; i++) {
		const struct cell *old = &g_array_index(c->cells, struct cell, i);

		if (!g_str_equal(old->key, cell.key))
			continue;
		g_free(cell.key);
		return old->e;
	}
	cell.e = run_cell(run, machine, features);
	g_array_append_val(c->cells, cell);
	return cell.e;
}

/* Figures */

static double figure_value(const figures *f, const char *name)
{
	for (guint i = 0; i < f->list->len; i++)
		if (figure_matches(figure_at(f, i), name))
			return (double)figure_at(f, i)->value;
	return 0;
}

/* A or A-B. */
static double difference_value(const char *text, const figures *f)
{
	g_auto(GStrv) part = g_strsplit(text, "-", 2);
	double value = figure_value(f, part[0]);

	return part[1] ? value - figure_value(f, part[1]) : value;
}

/* X, X/Y or X/s, where X and Y are A or A-B, and *FACTOR. */
static double expression_value(const struct compare_row *row, double seconds,
			       const figures *f)
{
	g_auto(GStrv) factor = g_strsplit(row->figure, "*", 2);
	g_auto(GStrv) part = g_strsplit(factor[0], "/", 2);
	double value = difference_value(part[0], f);

	if (part[1])
		value /= g_str_equal(part[1], "s") ? seconds
						   : difference_value(part[1], f);
	return factor[1] ? value * g_ascii_strtod(factor[1], NULL) : value;
}

static int compare_doubles(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct spread spread_of(const GArray *values)
{
	g_autoptr(GArray) sorted = g_array_copy((GArray *)values);
	guint n = sorted->len;

	g_array_sort(sorted, compare_doubles);
#define AT(i) g_array_index(sorted, double, i)
	return (struct spread){(AT((n - 1) / 2) + AT(n / 2)) / 2, AT(0), AT(n - 1)};
#undef AT
}

/* The figure in every run.  (transfer full) */
static GArray *simulate(struct comparer *c, const struct compare_row *row,
			const char *features)
{
	const struct compare_run *run = compare_run_find(&c->tables, row->row);
	const experiment *e = cell_of(c, run, row->machine, features);
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < experiment_nr_cells(e); i++) {
		double value = expression_value(row, run->seconds, e->cells[i]);

		g_array_append_val(values, value);
	}
	return values;
}

/* Of one set of features; or of two the ratio of their medians, and the least and the
 * most ratio of runs with the same seed. */
static struct spread ours_of(struct comparer *c, const struct compare_row *row)
{
	g_auto(GStrv) features = g_strsplit(row->features, "/", 2);
	g_autoptr(GArray) first = simulate(c, row, features[0]), second = NULL;
	struct spread ratio;
	double median;

	if (!features[1])
		return spread_of(first);
	second = simulate(c, row, features[1]);
	median = spread_of(first).median / spread_of(second).median;
	for (guint i = 0; i < first->len; i++)
		g_array_index(first, double, i) /= g_array_index(second, double, i);
	ratio = spread_of(first);
	ratio.median = median;
	return ratio;
}

/* Verdicts */

static bool keeps(const struct compare_row *row, double ours)
{
	const struct compare_tolerance *t = &row->tolerance;

	switch (t->kind) {
	case TOLERANCE_SHARE:
		return fabs(ours - row->median) <= t->high * row->median;
	case TOLERANCE_FACTOR:
		return ours <= t->high * row->median && ours >= row->median / t->high;
	case TOLERANCE_RANGE:
		return ours >= t->low && ours <= t->high;
	case TOLERANCE_NONE:
	case TOLERANCE_UNASKED:
		break;
	}
	return true;
}

static const char *verdict(struct comparer *c, const struct compare_row *row,
			   double ours)
{
	bool met = keeps(row, ours), expected = g_str_equal(row->expected, "met");

	if (row->tolerance.kind == TOLERANCE_NONE)
		return "none given";
	if (row->tolerance.kind == TOLERANCE_UNASKED)
		return "not compared";
	*(met ? &c->nr_met : &c->nr_missed) += 1;
	c->nr_lost += expected && !met;
	c->nr_won += met && !expected;
	if (expected == met)
		return met ? "met" : "missed";
	return met ? "met, was missed" : "MISSED, WAS MET";
}

/* Output */

static int digits(const struct compare_row *row)
{
	if (g_str_equal(row->unit, "ratio"))
		return 4;
	return fabs(row->median) < 10 ? 1 : 0;
}

/* A median that was not recorded shows a dash. */
static char *spread_text(const struct compare_row *row, const struct spread *s)
{
	g_autofree char *median =
		isnan(s->median) ? g_strdup("-")
				 : g_strdup_printf("%.*f", digits(row), s->median);
	int d = digits(row);

	return g_strdup_printf("%s [%.*f..%.*f]", median, d, s->min, d, s->max);
}

static char *deviation_text(const struct compare_row *row, double ours)
{
	double by = ours - row->median;

	if (isnan(by))
		return g_strdup("-");
	if (g_str_equal(row->unit, "ratio"))
		return g_strdup_printf("%+.4f", by);
	if (g_str_equal(row->unit, "%"))
		return g_strdup_printf("%+.0f pt", by);
	if (row->median == 0)
		return g_strdup_printf("%+.0f", by);
	return g_strdup_printf("%+.1f%%", 100 * by / row->median);
}

static void print_row(struct comparer *c, const struct compare_row *row)
{
	struct spread real = {row->median, row->min, row->max};
	struct spread ours = ours_of(c, row);
	g_autofree char *real_text = spread_text(row, &real);
	g_autofree char *our_text = spread_text(row, &ours);
	g_autofree char *deviation = deviation_text(row, ours.median);
	g_autofree char *metric = g_strdup_printf("%s, %s", row->metric, row->unit);

	printf("%-24s %-6s %-6s %-22s %24s %26s %9s %14s  %s%s%s%s\n", row->row,
	       row->machine, row->features, metric, real_text, our_text, deviation,
	       row->tolerance_text, verdict(c, row, ours.median),
	       row->reason ? " [" : "", row->reason ? row->reason : "",
	       row->reason ? "]" : "");
}

static bool is_wanted(const struct comparer *c, const struct compare_row *row)
{
	for (char **wanted = c->wanted; *wanted; wanted++)
		if (g_str_has_prefix(row->row, *wanted))
			return true;
	return !c->wanted[0];
}

static void print_reasons(const struct comparer *c)
{
	for (guint i = 0; i < c->tables.reasons->len; i++) {
		const struct compare_reason *reason =
			&g_array_index(c->tables.reasons, struct compare_reason, i);

		printf("[%s] %s\n", reason->key, reason->text);
	}
}

static void compare(struct comparer *c)
{
	printf("%-24s %-6s %-6s %-22s %24s %26s %9s %14s  verdict\n", "row", "machine",
	       "feat.", "figure", "real [range]", "simulated [range]", "deviation",
	       "tolerance");
	for (guint i = 0; i < c->tables.rows->len; i++) {
		const struct compare_row *row =
			&g_array_index(c->tables.rows, struct compare_row, i);

		if (is_wanted(c, row))
			print_row(c, row);
	}
	printf("\n");
	print_reasons(c);
	printf("\n%u met, %u missed", c->nr_met, c->nr_missed);
	if (c->nr_lost || c->nr_won)
		printf("; %u met before and missed now, %u missed before and met now",
		       c->nr_lost, c->nr_won);
	printf("\n");
}

static void comparer_clear(struct comparer *c)
{
	for (guint i = 0; i < c->cells->len; i++) {
		struct cell *cell = &g_array_index(c->cells, struct cell, i);

		g_free(cell->key);
		experiment_free(cell->e);
	}
	g_array_unref(c->cells);
	compare_tables_clear(&c->tables);
}

int main(int argc, char **argv)
{
	bool check = argc > 1 && g_str_equal(argv[1], "--check");
	struct comparer c = {.wanted = argv + 1 + check};

	c.cells = g_array_new(FALSE, FALSE, sizeof(struct cell));
	compare_tables_read(ORACLE_FOLDER, &c.tables);
	compare(&c);
	comparer_clear(&c);
	return check && c.nr_lost;
}
