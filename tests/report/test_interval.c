/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ranks are those of the sign test's table (two-sided, 5 %).
 */
#include "test.h"

#include "report/interval.h"

static void five_samples_are_too_few(void **state)
{
	unsigned low, high;

	for (unsigned n = 1; n < 6; n++)
		assert_false(interval_ranks(n, &low, &high));
}

/* From cumulative binomial tables: the largest k with P(X < k) <= 0.025. */
static void ranks_are_those_of_the_binomial_table(void **state)
{
	static const struct {
		unsigned n, low, high;
	} table[] = {
		{6, 0, 5},   {8, 0, 7},   {9, 1, 7},    {10, 1, 8},
		{12, 2, 9},  {15, 3, 11}, {17, 4, 12},  {20, 5, 14},
		{25, 7, 17}, {30, 9, 20}, {50, 17, 32}, {100, 39, 60},
	};
	unsigned low, high;

	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		assert_true(interval_ranks(table[i].n, &low, &high));
		assert_int_equal(low, table[i].low);
		assert_int_equal(high, table[i].high);
	}
}

static void many_samples_have_an_interval(void **state)
{
	unsigned low, high;

	/* 500 -+ 1.96 * sqrt(1000) / 2 = 469.0 .. 531.0 */
	assert_true(interval_ranks(1000, &low, &high));
	assert_in_range(low, 467, 469);
	assert_int_equal(low + high, 999);
}

static void median_of_an_even_number_is_the_mean_in_the_middle(void **state)
{
	const int64_t odd[] = {9, -4, 2}, even[] = {10, 1, 4, 3};

	assert_int_equal(median_of(odd, 3), 2);
	/* 3.5 */
	assert_int_equal(median_of(even, 4), 3);
	assert_int_equal(median_of((const int64_t[]){-3, -4}, 2), -4);
	assert_int_equal(median_of((const int64_t[]){INT64_MAX, INT64_MAX}, 2),
			 INT64_MAX);
}

static void interval_is_between_order_statistics(void **state)
{
	const int64_t values[] = {7, -1, 30, 5, 2, 4, 3, 9, 6, 8};
	struct interval i;

	assert_true(interval_of(values, 10, &i));
	/* sorted: -1 2 3 4 5 6 7 8 9 30 */
	assert_int_equal(i.median, 5);
	assert_int_equal(i.low, 2);
	assert_int_equal(i.high, 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_samples_are_too_few),
		cmocka_unit_test(ranks_are_those_of_the_binomial_table),
		cmocka_unit_test(many_samples_have_an_interval),
		cmocka_unit_test(median_of_an_even_number_is_the_mean_in_the_middle),
		cmocka_unit_test(interval_is_between_order_statistics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
