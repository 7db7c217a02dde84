/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIS_UTIL's bound against utilisation, as published with the patch.
 *
 * source: "sched/fair: Introduce SIS_UTIL to search idle CPU based on sum of util_avg",
 * Chen Yu, June 2022: the tables of its commit message, and the same formula at 112
 * CPUs
 */
#include "test.h"

#include "sched/balance.h"

static const unsigned busy_percent[] = {0, 5, 15, 25, 35, 45, 55, 65, 75, 85, 86};

static void assert_table(unsigned llc_weight, const int *scans)
{
	for (size_t i = 0; i < G_N_ELEMENTS(busy_percent); i++) {
		uint64_t sum_util = (uint64_t)llc_weight * 1024 * busy_percent[i] / 100;

		assert_int_equal(nr_idle_scan(sum_util, llc_weight, 117), scans[i]);
	}
}

static void an_llc_of_112_cpus_is_searched_as_published(void **state)
{
	static const int scans[] = {112, 111, 108, 102, 93, 81, 65, 47, 25, 1, 0};

	assert_table(112, scans);
}

static void an_llc_of_16_cpus_is_searched_as_published(void **state)
{
	static const int scans[] = {16, 15, 15, 14, 13, 11, 9, 6, 3, 0, 0};

	assert_table(16, scans);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_llc_of_112_cpus_is_searched_as_published),
		cmocka_unit_test(an_llc_of_16_cpus_is_searched_as_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
