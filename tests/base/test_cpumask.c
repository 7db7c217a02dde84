/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU lists as text and back, and the walks over a mask.
 */
#include "test.h"

#include <schedsim/cpumask.h>
#include <schedsim/error.h>

static struct cpumask parsed(const char *text, int nr_cpus)
{
	struct cpumask mask;
	GError *error = NULL;

	assert_true(cpumask_parse_list(text, nr_cpus, &mask, &error));
	assert_null(error);
	return mask;
}

static void a_list_sets_the_cpus_it_names(void **state)
{
	struct cpumask mask = parsed("0-3,8", 16);

	assert_true(mask.bits[0] == 0x10f);
	assert_int_equal(cpumask_weight(&mask), 5);
}

static void a_range_may_cross_words(void **state)
{
	struct cpumask mask = parsed("62-65,511", 512);

	assert_true(mask.bits[0] == 0xc000000000000000);
	assert_true(mask.bits[1] == 0x3);
	assert_true(mask.bits[7] == 0x8000000000000000);
	assert_int_equal(cpumask_weight(&mask), 5);
}

static void the_empty_list_is_no_cpu(void **state)
{
	struct cpumask mask = parsed("", 4);

	assert_true(cpumask_empty(&mask));
}

static void order_and_overlap_do_not_matter(void **state)
{
	struct cpumask mask = parsed("5,1-3,2-4,5", 8);

	assert_true(mask.bits[0] == 0x3e);
}

static void bad_lists_are_refused_by_message(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"x", "expected a list of CPUs such as \"0-3,8\", got \"x\""},
		{"-1", "expected a list of CPUs such as \"0-3,8\", got \"-1\""},
		{"1-", "expected a list of CPUs such as \"0-3,8\", got \"1-\""},
		{"1,", "expected a list of CPUs such as \"0-3,8\", got \"1,\""},
		{",1", "expected a list of CPUs such as \"0-3,8\", got \",1\""},
		{"1,,2", "expected a list of CPUs such as \"0-3,8\", got \"1,,2\""},
		{"1 2", "expected a list of CPUs such as \"0-3,8\", got \"1 2\""},
		{" 1", "expected a list of CPUs such as \"0-3,8\", got \" 1\""},
		{"+1", "expected a list of CPUs such as \"0-3,8\", got \"+1\""},
		{"0-3-5", "expected a list of CPUs such as \"0-3,8\", got \"0-3-5\""},
		{"3-1", "expected ranges of CPUs from low to high, got \"3-1\""},
		{"8", "expected CPUs below 8, got \"8\""},
		{"0-8", "expected CPUs below 8, got \"0-8\""},
		{"4294967296", "expected CPUs below 8, got \"4294967296\""},
		{"18446744073709551617",
		 "expected CPUs below 8, got \"18446744073709551617\""},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct cpumask mask = cpumask_of(7);
		GError *error = NULL;

		assert_false(cpumask_parse_list(rows[i].text, 8, &mask, &error));
		assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, rows[i].message);
		assert_true(mask.bits[0] == 0x80);
	}
}

static void masks_are_written_as_the_shortest_list(void **state)
{
	static const struct {
		const char *text, *list;
	} rows[] = {
		{"", ""},           {"0", "0"},         {"0,1", "0-1"},
		{"8,0-3", "0-3,8"}, {"1,3,5", "1,3,5"}, {"63,64", "63-64"},
		{"511", "511"},     {"0-511", "0-511"},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct cpumask mask = parsed(rows[i].text, CPUS_MAX);
		g_autofree char *list = cpumask_to_list(&mask);

		assert_string_equal(list, rows[i].list);
	}
}

static void the_next_cpu_is_found_across_empty_words(void **state)
{
	struct cpumask mask = parsed("3,200", CPUS_MAX);

	assert_int_equal(cpumask_first(&mask), 3);
	assert_int_equal(cpumask_next(&mask, 3), 200);
	assert_int_equal(cpumask_next(&mask, 200), CPUS_MAX);
	assert_int_equal(cpumask_next_wrap(&mask, 200), 3);
}

static void a_wrapped_walk_meets_every_cpu_once_from_its_start(void **state)
{
	static const int expected[] = {5, 130, 0, 2};
	struct cpumask mask = parsed("0,2,5,130", CPUS_MAX);
	int cpu, left, nr = 0;

	for_each_cpu_wrap (cpu, &mask, 3, left)
		assert_int_equal(cpu, expected[nr++]);
	assert_int_equal(nr, 4);
}

static void a_wrapped_walk_may_start_at_a_member(void **state)
{
	static const int expected[] = {5, 0, 2};
	struct cpumask mask = parsed("0,2,5", 8);
	int cpu, left, nr = 0;

	for_each_cpu_wrap (cpu, &mask, 5, left)
		assert_int_equal(cpu, expected[nr++]);
	assert_int_equal(nr, 3);
}

static void masks_compare_as_sets(void **state)
{
	struct cpumask low = parsed("0-3", CPUS_MAX);
	struct cpumask high = parsed("3,300", CPUS_MAX);
	struct cpumask both = cpumask_or(&low, &high);
	struct cpumask common = cpumask_and(&low, &high);
	struct cpumask rest = cpumask_andnot(&both, &low);
	struct cpumask three = cpumask_of(3), three_hundred = cpumask_of(300);

	assert_true(cpumask_equal(&common, &three));
	assert_true(cpumask_equal(&rest, &three_hundred));
	assert_true(cpumask_subset(&high, &both));
	assert_false(cpumask_subset(&high, &low));
	assert_true(cpumask_intersects(&low, &high));
	assert_false(cpumask_intersects(&low, &three_hundred));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_sets_the_cpus_it_names),
		cmocka_unit_test(a_range_may_cross_words),
		cmocka_unit_test(the_empty_list_is_no_cpu),
		cmocka_unit_test(order_and_overlap_do_not_matter),
		cmocka_unit_test(bad_lists_are_refused_by_message),
		cmocka_unit_test(masks_are_written_as_the_shortest_list),
		cmocka_unit_test(the_next_cpu_is_found_across_empty_words),
		cmocka_unit_test(a_wrapped_walk_meets_every_cpu_once_from_its_start),
		cmocka_unit_test(a_wrapped_walk_may_start_at_a_member),
		cmocka_unit_test(masks_compare_as_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
