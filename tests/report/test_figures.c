/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of figures and what they mean.
 */
#include "test.h"

#include "report/figures.h"

#include <string.h>

static void a_name_joins_the_parts(void **state)
{
	struct figure f = {{"tasks", "web.front", "wakeup_latency_ns", "p99.9"}, 0};
	g_autofree char *name = figure_name(&f);

	assert_string_equal(name, "tasks.web.front.wakeup_latency_ns.p99.9");
}

static void the_end_of_a_name_means_it(void **state)
{
	struct figure f = {{"sources", "clients", "request_latency_ns", "p99"}, 0};

	assert_true(figure_matches(&f, "sources.clients.request_latency_ns.p99"));
	assert_true(figure_matches(&f, "request_latency_ns.p99"));
	assert_true(figure_matches(&f, "p99"));
	assert_false(figure_matches(&f, "latency_ns.p99"));
	assert_false(figure_matches(&f, "request_latency_ns"));
	assert_false(figure_matches(&f, "x.sources.clients.request_latency_ns.p99"));
}

static void counts_of_distributions_are_no_times(void **state)
{
	struct figure count = {{"all", "run_delay_ns", "count", NULL}, 0};
	struct figure max = {{"all", "run_delay_ns", "max", NULL}, 0};
	struct figure share = {{"cpus", "3", "utilisation_ppm", NULL}, 0};

	assert_int_equal(figure_unit(&count), UNIT_COUNT);
	assert_int_equal(figure_unit(&max), UNIT_NS);
	assert_int_equal(figure_unit(&share), UNIT_PPM);
}

static void unknown_names_have_no_metric(void **state)
{
	struct figure unknown = {{"all", "no_such", NULL, NULL}, 0};
	struct figure short_name = {{"tasks", "web", NULL, NULL}, 0};
	struct figure scope = {{"nowhere", "switches", NULL, NULL}, 0};

	assert_null(figure_metric(&unknown));
	assert_null(figure_metric(&short_name));
	assert_null(figure_metric(&scope));
}

static void every_figure_of_a_run_has_a_metric(void **state)
{
	struct results r;
	g_autoptr(figures) f = NULL;

	results_init(&r, 1, 1, 1, 2);
	r.group_names[0] = g_strdup("web");
	r.source_names[0] = g_strdup("clients");
	r.decisions[r.nr_decisions++] = (struct decision_count){"stage", "reason", 1};
	results_sum_up(&r);
	f = figures_from_results(&r);
	for (guint i = 0; i < f->list->len; i++)
		assert_non_null(figure_metric(figure_at(f, i)));
	results_clear(&r);
}

static void a_search_goes_round(void **state)
{
	g_autoptr(figures) f = figures_new();
	struct figure wanted = {{"machine", "b", NULL, NULL}, 0};

	assert_null(figures_find(f, &wanted, 0));
	figures_add(f, (const char *const[]){"machine", "a", NULL, NULL}, 1);
	figures_add(f, wanted.part, 2);
	figures_add(f, (const char *const[]){"machine", "c", NULL, NULL}, 3);
	assert_int_equal(figures_find(f, &wanted, 0)->value, 2);
	assert_int_equal(figures_find(f, &wanted, 2)->value, 2);
	assert_int_equal(figures_find(f, &wanted, 99)->value, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_joins_the_parts),
		cmocka_unit_test(the_end_of_a_name_means_it),
		cmocka_unit_test(counts_of_distributions_are_no_times),
		cmocka_unit_test(unknown_names_have_no_metric),
		cmocka_unit_test(every_figure_of_a_run_has_a_metric),
		cmocka_unit_test(a_search_goes_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
