/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which parameters are refused, and how.
 */
#include "test.h"

#include "base/dist.h"

#include <schedsim/error.h>

static void assert_refused(struct dist d, const char *message)
{
	GError *error = NULL;

	assert_false(dist_check(&d, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
}

static void assert_accepted(struct dist d)
{
	GError *error = NULL;

	assert_true(dist_check(&d, &error));
	assert_null(error);
}

static void any_fixed_value_and_any_mean_is_accepted(void **state)
{
	assert_accepted(dist_fixed(0));
	assert_accepted((struct dist){.kind = DIST_EXP, .a = 0});
	assert_accepted((struct dist){.kind = DIST_EXP, .a = UINT64_MAX});
}

static void the_two_parameters_must_be_in_order(void **state)
{
	assert_accepted((struct dist){.kind = DIST_UNIFORM, .a = 5, .b = 5});
	assert_accepted((struct dist){.kind = DIST_LOGNORMAL, .a = 5, .b = 5});
	assert_accepted((struct dist){.kind = DIST_PARETO, .a = 5, .b = 6});
	assert_refused((struct dist){.kind = DIST_UNIFORM, .a = 6, .b = 5},
		       "expected a least value up to the greatest, got 6 and 5");
	assert_refused((struct dist){.kind = DIST_LOGNORMAL, .a = 6, .b = 5},
		       "expected a median above 0 and a 99th percentile not below it, "
		       "got 6 and 5");
	assert_refused((struct dist){.kind = DIST_LOGNORMAL, .a = 0, .b = 5},
		       "expected a median above 0 and a 99th percentile not below it, "
		       "got 0 and 5");
	assert_refused((struct dist){.kind = DIST_PARETO, .a = 5, .b = 5},
		       "expected a least value above 0 and a mean above it, "
		       "got 5 and 5");
	assert_refused((struct dist){.kind = DIST_PARETO, .a = 0, .b = 5},
		       "expected a least value above 0 and a mean above it, "
		       "got 0 and 5");
}

static void a_list_needs_a_value(void **state)
{
	uint64_t value = 3;

	assert_accepted((struct dist){.kind = DIST_LIST, .nr = 1, .values = &value});
	assert_refused((struct dist){.kind = DIST_LIST},
		       "expected a list of at least one value, got none");
}

static void quantiles_must_go_from_0_to_1(void **state)
{
	uint64_t values[] = {1, 2};
	uint32_t late[] = {1, 1000000}, early[] = {0, 999999}, whole[] = {0, 1000000};
	struct dist d = {.kind = DIST_QUANTILES, .nr = 2, .values = values};

	d.ppm = whole;
	assert_accepted(d);
	d.ppm = late;
	assert_refused(d,
		       "expected quantiles from 0 to 1, got 2 from 1 to 1000000 ppm");
	d.ppm = early;
	assert_refused(d, "expected quantiles from 0 to 1, got 2 from 0 to 999999 ppm");
	d.ppm = whole;
	d.nr = 1;
	assert_refused(d, "expected quantiles from 0 to 1, got 1 from 0 to 0 ppm");
	d.nr = 0;
	assert_refused(d, "expected quantiles from 0 to 1, got 0 from 0 to 0 ppm");
}

static void quantiles_must_ascend(void **state)
{
	uint64_t rising[] = {1, 2, 3}, falling[] = {1, 3, 2};
	uint32_t forth[] = {0, 600000, 1000000};
	uint32_t and_back[] = {0, 600000, 500000, 1000000};
	uint64_t four[] = {1, 2, 3, 4};

	assert_accepted((struct dist){
		.kind = DIST_QUANTILES, .nr = 3, .values = rising, .ppm = forth});
	assert_refused((struct dist){.kind = DIST_QUANTILES,
				     .nr = 3,
				     .values = falling,
				     .ppm = forth},
		       "expected ascending quantiles, got 2 at 1000000 ppm after 3 at "
		       "600000 ppm");
	assert_refused((struct dist){.kind = DIST_QUANTILES,
				     .nr = 4,
				     .values = four,
				     .ppm = and_back},
		       "expected ascending quantiles, got 3 at 500000 ppm after 2 at "
		       "600000 ppm");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_fixed_value_and_any_mean_is_accepted),
		cmocka_unit_test(the_two_parameters_must_be_in_order),
		cmocka_unit_test(a_list_needs_a_value),
		cmocka_unit_test(quantiles_must_go_from_0_to_1),
		cmocka_unit_test(quantiles_must_ascend),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
