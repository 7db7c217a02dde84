/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fractions stay exact or say that they cannot.
 */
#include "workload/rational.h"

#include "test.h"

static void assert_rational(struct rational got, int64_t num, int64_t den)
{
	assert_int_equal(got.num, num);
	assert_int_equal(got.den, den);
}

static void operations_are_exact_and_in_lowest_terms(void **state)
{
	struct rational r;

	assert_true(rational_add((struct rational){1, 6}, (struct rational){1, 3}, &r));
	assert_rational(r, 1, 2);
	assert_true(rational_sub((struct rational){1, 6}, (struct rational){2, 3}, &r));
	assert_rational(r, -1, 2);
	assert_true(
		rational_mul((struct rational){-2, 3}, (struct rational){9, 4}, &r));
	assert_rational(r, -3, 2);
	assert_true(
		rational_div((struct rational){1, 2}, (struct rational){-3, 4}, &r));
	assert_rational(r, -2, 3);
	assert_true(rational_sub((struct rational){1, 2}, (struct rational){1, 2}, &r));
	assert_rational(r, 0, 1);
}

static void a_product_fits_when_its_result_does(void **state)
{
	struct rational r;

	assert_true(rational_mul((struct rational){INT64_MAX, 3},
				 (struct rational){3, INT64_MAX}, &r));
	assert_rational(r, 1, 1);
}

static void overflow_leaves_the_output_alone(void **state)
{
	struct rational r = {7, 8};

	assert_false(rational_add(rational_of(INT64_MAX), rational_of(1), &r));
	assert_false(rational_mul(rational_of(INT64_MAX), rational_of(2), &r));
	assert_false(rational_mul((struct rational){1, INT64_MAX},
				  (struct rational){1, 2}, &r));
	assert_false(rational_sub(rational_of(-INT64_MAX), rational_of(1), &r));
	assert_false(rational_div(rational_of(1), rational_of(0), &r));
	assert_rational(r, 7, 8);
}

static void decimals_are_read_exactly(void **state)
{
	struct rational r;

	assert_true(rational_parse("12.3", &r));
	assert_rational(r, 123, 10);
	assert_true(rational_parse("1e-3", &r));
	assert_rational(r, 1, 1000);
	assert_true(rational_parse("2.50E+2", &r));
	assert_rational(r, 250, 1);
	assert_true(rational_parse("0e999", &r));
	assert_rational(r, 0, 1);
	assert_true(rational_parse("9007199254740992", &r));
	assert_rational(r, 9007199254740992, 1);
	assert_false(rational_parse("1e999", &r));
	assert_false(rational_parse("99999999999999999999", &r));
	assert_rational(r, 9007199254740992, 1);
}

static void halves_round_upwards(void **state)
{
	assert_int_equal(rational_round((struct rational){7, 2}), 4);
	assert_int_equal(rational_round((struct rational){10, 3}), 3);
	assert_int_equal(rational_round((struct rational){11, 3}), 4);
	assert_int_equal(rational_round((struct rational){INT64_MAX, 2}),
			 INT64_MAX / 2 + 1);
}

static void assert_text(struct rational r, const char *text)
{
	g_autofree char *got = rational_format(r);

	assert_string_equal(got, text);
}

static void text_is_decimal_where_that_is_exact(void **state)
{
	assert_text((struct rational){9, 10}, "0.9");
	assert_text((struct rational){-1, 8}, "-0.125");
	assert_text((struct rational){5, 1}, "5");
	assert_text((struct rational){1, 3}, "1/3");
	assert_text((struct rational){INT64_MAX, 2}, "9223372036854775807/2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_are_exact_and_in_lowest_terms),
		cmocka_unit_test(a_product_fits_when_its_result_does),
		cmocka_unit_test(overflow_leaves_the_output_alone),
		cmocka_unit_test(decimals_are_read_exactly),
		cmocka_unit_test(halves_round_upwards),
		cmocka_unit_test(text_is_decimal_where_that_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
