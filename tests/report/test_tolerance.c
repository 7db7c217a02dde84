/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What counts as worse, and by how much.
 */
#include "test.h"

#include "report/check.h"
#include "schedsim/error.h"

static bool passes(const char *limit, enum figure_better better, int64_t was,
		   int64_t is)
{
	struct tolerance t;
	bool passed;

	assert_true(tolerance_read(limit, &t, NULL));
	passed = tolerance_is_passed(&t, better, was, is);
	tolerance_clear(&t);
	return passed;
}

static void a_share_is_of_what_it_was(void **state)
{
	assert_false(passes("x:+5%", BETTER_LESS, 1000, 1050));
	assert_true(passes("x:+5%", BETTER_LESS, 1000, 1051));
	assert_true(passes("x:0%", BETTER_LESS, 1000, 1001));
	assert_false(passes("x:+0.5%", BETTER_LESS, 1000, 1005));
	assert_true(passes("x:+0.5%", BETTER_LESS, 1000, 1006));
	assert_true(passes("x:+5%", BETTER_LESS, 0, 1));
}

static void an_amount_is_in_the_metrics_unit(void **state)
{
	assert_false(passes("x:50us", BETTER_LESS, 0, 50000));
	assert_true(passes("x:50us", BETTER_LESS, 0, 50001));
	assert_false(passes("x:+3", BETTER_LESS, 10, 13));
	assert_true(passes("x:3", BETTER_LESS, 10, 14));
}

static void both_bounds_must_be_passed(void **state)
{
	assert_false(passes("x:+5%,50us", BETTER_LESS, 100000, 149000));
	assert_false(passes("x:+5%,50us", BETTER_LESS, 10000000, 10400000));
	assert_true(passes("x:50us,+5%", BETTER_LESS, 100000, 151000));
}

static void worse_depends_on_the_metric(void **state)
{
	assert_false(passes("x:+5%", BETTER_LESS, 1000, 1));
	assert_true(passes("x:+5%", BETTER_MORE, 1000, 900));
	assert_false(passes("x:+5%", BETTER_MORE, 1000, 2000));
	assert_true(passes("x:+5%", BETTER_NEITHER, 1000, 2000));
	assert_true(passes("x:+5%", BETTER_NEITHER, 1000, 900));
	assert_false(passes("x:0%", BETTER_NEITHER, 1000, 1000));
}

static void a_metrics_name_may_hold_colons(void **state)
{
	struct tolerance t;

	assert_true(tolerance_read("decisions.a: b:+1%", &t, NULL));
	assert_string_equal(t.metric, "decisions.a: b");
	tolerance_clear(&t);
}

static void what_is_no_limit_is_refused(void **state)
{
	static const char *const texts[] = {"x",       "x:",     ":5%",       "x:5%,",
					    "x:5%,6%", "x:5,6",  "x:five",    "x:5%%",
					    "x:-5%",   "x:5 us", "x:5us,6us", "x:+%"};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		struct tolerance t;
		GError *error = NULL;
		g_autofree char *message = g_strdup_printf(
			"expected METRIC:+5%%,50us or one of the two bounds, got "
			"\"%s\"",
			texts[i]);

		assert_false(tolerance_read(texts[i], &t, &error));
		assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_is_of_what_it_was),
		cmocka_unit_test(an_amount_is_in_the_metrics_unit),
		cmocka_unit_test(both_bounds_must_be_passed),
		cmocka_unit_test(worse_depends_on_the_metric),
		cmocka_unit_test(a_metrics_name_may_hold_colons),
		cmocka_unit_test(what_is_no_limit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
