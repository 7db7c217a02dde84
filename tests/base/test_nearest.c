/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include "base/nearest.h"

static const char *const words[] = {"sleep", "run", "runtime", "timer", NULL};

static void one_letter_away_is_found(void **state)
{
	assert_string_equal(nearest_name("slep", words), "sleep");
	assert_string_equal(nearest_name("rune", words), "run");
	assert_string_equal(nearest_name("xtimer", words), "timer");
}

static void swapped_letters_are_found(void **state)
{
	assert_string_equal(nearest_name("runtiem", words), "runtime");
}

static void case_does_not_count(void **state)
{
	assert_string_equal(nearest_name("TIMER", words), "timer");
}

static void a_beginning_is_nearer_to_its_whole(void **state)
{
	static const char *const machines[] = {"smp4", "zen3-nps1", NULL};

	/* Five letters added, against three removed and three added. */
	assert_string_equal(nearest_name("zen3", machines), "zen3-nps1");
}

static void first_of_equally_near_wins(void **state)
{
	static const char *const twins[] = {"abcd", "abce", NULL};

	assert_string_equal(nearest_name("abc", twins), "abcd");
}

static void nothing_is_nearest_to_a_name_among_none(void **state)
{
	static const char *const none[] = {NULL};

	assert_null(nearest_name("run", none));
}

static void an_empty_name_is_nearest_to_the_shortest(void **state)
{
	assert_string_equal(nearest_name("", words), "run");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_letter_away_is_found),
		cmocka_unit_test(swapped_letters_are_found),
		cmocka_unit_test(case_does_not_count),
		cmocka_unit_test(a_beginning_is_nearer_to_its_whole),
		cmocka_unit_test(first_of_equally_near_wins),
		cmocka_unit_test(nothing_is_nearest_to_a_name_among_none),
		cmocka_unit_test(an_empty_name_is_nearest_to_the_shortest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
