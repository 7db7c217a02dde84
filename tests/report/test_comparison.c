/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns of hand-made runs, and the tables made of them.
 */
#include "test.h"

#include "report/comparison.h"
#include "report/writers.h"

#include <string.h>

#define NR_RUNS 8

/* Two columns of NR_RUNS runs with one figure each. */
struct pair {
	figures *runs[2][NR_RUNS];
	struct comparison_column columns[2];
};

static const char *const switches[] = {"machine", "switches", NULL, NULL};

static void pair_init(struct pair *p, const int64_t *first, const int64_t *second)
{
	for (int i = 0; i < NR_RUNS; i++) {
		p->runs[0][i] = figures_new();
		figures_add(p->runs[0][i], switches, first[i]);
		p->runs[1][i] = figures_new();
		figures_add(p->runs[1][i], switches, second[i]);
	}
	for (int c = 0; c < 2; c++)
		p->columns[c] = (struct comparison_column){
			c ? "second" : "first", (const figures *const *)p->runs[c]};
}

static void pair_clear(struct pair *p)
{
	for (int i = 0; i < NR_RUNS; i++) {
		figures_free(p->runs[0][i]);
		figures_free(p->runs[1][i]);
	}
}

static enum change_kind kind_of(const int64_t *first, const int64_t *second,
				unsigned nr_runs)
{
	struct pair p;
	enum change_kind kind;
	comparison *c;

	pair_init(&p, first, second);
	c = comparison_new(p.columns, 2, nr_runs);
	kind = comparison_row(c, 0)->cells[1].kind;
	comparison_free(c);
	pair_clear(&p);
	return kind;
}

/* With 8 runs the interval reaches from the least to the greatest change. */
static void a_change_is_shown_when_all_runs_agree(void **state)
{
	const int64_t first[] = {10, 20, 30, 40, 50, 60, 70, 80};
	const int64_t up[] = {11, 22, 31, 41, 51, 61, 71, 81};
	const int64_t mixed[] = {11, 22, 31, 41, 51, 61, 71, 79};
	const int64_t some[] = {11, 22, 31, 41, 51, 61, 71, 80};

	assert_int_equal(kind_of(first, up, NR_RUNS), CHANGE_SHOWN);
	assert_int_equal(kind_of(first, mixed, NR_RUNS), CHANGE_NOT_SHOWN);
	assert_int_equal(kind_of(first, some, NR_RUNS), CHANGE_NOT_SHOWN);
	assert_int_equal(kind_of(first, first, NR_RUNS), CHANGE_EQUAL);
	assert_int_equal(kind_of(first, up, 5), CHANGE_NONE);
}

/* The change is of paired runs, not of the medians. */
static void runs_are_paired(void **state)
{
	const int64_t first[] = {0, 100, 200, 300, 400, 500, 600, 700};
	const int64_t second[] = {1, 101, 201, 301, 401, 501, 601, 799};
	struct pair p;
	comparison *c;

	pair_init(&p, first, second);
	c = comparison_new(p.columns, 2, NR_RUNS);
	assert_int_equal(comparison_row(c, 0)->cells[0].median, 350);
	assert_int_equal(comparison_row(c, 0)->cells[1].median, 351);
	assert_int_equal(comparison_row(c, 0)->cells[1].change.median, 1);
	assert_int_equal(comparison_row(c, 0)->cells[1].change.low, 1);
	assert_int_equal(comparison_row(c, 0)->cells[1].change.high, 99);
	comparison_free(c);
	pair_clear(&p);
}

/* A tenth more in the small run weighs as much as in the large. */
static void a_change_is_of_each_runs_own_base(void **state)
{
	const int64_t first[] = {10, 1000, 10, 1000, 10, 1000, 10, 1000};
	const int64_t second[] = {11, 1100, 11, 1100, 11, 1100, 1, 1100};
	struct pair p;
	comparison *c;

	pair_init(&p, first, second);
	c = comparison_new(p.columns, 2, NR_RUNS);
	assert_true(comparison_row(c, 0)->cells[1].relative);
	assert_int_equal(comparison_row(c, 0)->cells[1].change.median, 100000);
	assert_int_equal(comparison_row(c, 0)->cells[1].change.low, -900000);
	comparison_free(c);
	pair_clear(&p);
}

static void a_figure_of_one_column_only_is_a_row(void **state)
{
	const char *const only[] = {"machine", "only", NULL, NULL};
	const char *const last[] = {"llcs", "0", "idle_while_runnable_ns", NULL};
	g_autoptr(figures) a = figures_new();
	g_autoptr(figures) b = figures_new();
	const figures *a_run = a, *b_run = b;
	struct comparison_column columns[] = {{"a", &a_run}, {"b", &b_run}};
	g_autoptr(comparison) c = NULL;

	figures_add(a, switches, 1);
	figures_add(a, last, 5);
	figures_add(b, switches, 2);
	figures_add(b, only, 3);
	figures_add(b, last, 6);
	c = comparison_new(columns, 2, 1);
	assert_int_equal(c->rows->len, 3);
	/* it joins its section */
	assert_string_equal(comparison_row(c, 1)->name.part[1], "only");
	assert_false(comparison_row(c, 1)->cells[0].present);
	assert_true(comparison_row(c, 1)->cells[1].present);
	assert_int_equal(comparison_row(c, 2)->cells[1].median, 6);
}

static void the_table_says_what_is_shown_and_what_is_not(void **state)
{
	const int64_t first[] = {100, 100, 100, 100, 100, 100, 100, 100};
	const int64_t less[] = {90, 90, 90, 90, 90, 90, 80, 95};
	const int64_t mixed[] = {90, 90, 90, 90, 90, 90, 90, 110};
	g_autoptr(GString) out = g_string_new(NULL);
	struct pair p;
	comparison *c;

	pair_init(&p, first, less);
	c = comparison_new(p.columns, 2, NR_RUNS);
	text_table(out, c, "first");
	assert_non_null(strstr(out->str, "90  -10.0 % [-20.0, -5.0]\n"));
	comparison_free(c);
	pair_clear(&p);
	pair_init(&p, first, mixed);
	c = comparison_new(p.columns, 2, NR_RUNS);
	text_table(out, c, "first");
	assert_non_null(strstr(out->str, "90  no difference shown\n"));
	comparison_free(c);
	pair_clear(&p);
}

/* As a result file from elsewhere may have it. */
static void a_distribution_without_stats_is_no_trouble(void **state)
{
	g_autoptr(figures) f = figures_new();
	const figures *run = f;
	struct comparison_column column = {"a", &run};
	g_autoptr(comparison) c = NULL;
	g_autoptr(GString) out = g_string_new(NULL);

	figures_add(f, switches, 1);
	figures_add(f, (const char *const[]){"all", "run_delay_ns", NULL, NULL}, 5);
	c = comparison_new(&column, 1, 1);
	text_table(out, c, "a");
	assert_non_null(strstr(out->str, "run delay"));
}

static void assert_value(enum figure_unit unit, int64_t value, const char *expected)
{
	g_autofree char *text = text_value(unit, value);

	assert_string_equal(text, expected);
}

static void assert_change(int64_t change, int64_t base, const char *expected)
{
	g_autofree char *text = text_change(UNIT_NS, change, base);

	assert_string_equal(text, expected);
}

static void figures_have_units(void **state)
{
	assert_value(UNIT_NS, 1250000, "1.25ms");
	assert_value(UNIT_NS, -1250000, "-1.25ms");
	assert_value(UNIT_COUNT, 1250000, "1250000");
	assert_value(UNIT_MILLI, 1250, "1.250");
	assert_value(UNIT_PPM, 123456, "12.35 %");
	assert_value(UNIT_PER_S, 77, "77 /s");
	assert_change(-123, 1000, "-12.3 %");
	assert_change(123, -1000, "+12.3 %");
	assert_change(1000, 0, "+1.00us");
	assert_change(-1000, 0, "-1.00us");
}

/* Three columns: medians with each other, then what changed. */
static void more_columns_have_a_table_of_changes(void **state)
{
	const int64_t first[] = {100, 100, 100, 100, 100, 100, 100, 100};
	const int64_t less[] = {90, 90, 90, 90, 90, 90, 80, 95};
	struct comparison_column columns[3];
	g_autoptr(GString) out = g_string_new(NULL);
	struct pair p;
	comparison *c;

	pair_init(&p, first, less);
	columns[0] = p.columns[0];
	columns[1] = columns[2] = p.columns[1];
	columns[2].label = "third";
	c = comparison_new(columns, 3, NR_RUNS);
	text_table(out, c, "first");
	assert_string_equal(
		out->str,
		"Medians of 8 runs.\n"
		"\n"
		"                                     first  second  third\n"
		"machine\n"
		"  switches                             100      90     90\n"
		"\n"
		"Changes are against first: the median of the paired runs' and its 95 "
		"% "
		"interval.\n"
		"\n"
		"                                     second                 third\n"
		"machine\n"
		"  switches                           -10.0 % [-20.0, -5.0]  "
		"-10.0 % [-20.0, -5.0]\n");
	comparison_free(c);
	pair_clear(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_is_shown_when_all_runs_agree),
		cmocka_unit_test(runs_are_paired),
		cmocka_unit_test(a_change_is_of_each_runs_own_base),
		cmocka_unit_test(a_figure_of_one_column_only_is_a_row),
		cmocka_unit_test(the_table_says_what_is_shown_and_what_is_not),
		cmocka_unit_test(more_columns_have_a_table_of_changes),
		cmocka_unit_test(a_distribution_without_stats_is_no_trouble),
		cmocka_unit_test(figures_have_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
