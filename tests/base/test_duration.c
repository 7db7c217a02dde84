/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times as text: exact on the way in, three digits on the way out.
 */
#include "test.h"

#include "base/duration.h"

#include <schedsim/error.h>

static void times_are_read_to_the_nanosecond(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = {
		{"0ns", 0},
		{"1ns", 1},
		{"250us", 250000},
		{"10ms", 10000000},
		{"2s", 2000000000},
		{"1.5s", 1500000000},
		{"0.1s", 100000000},
		{"0.000000001s", 1},
		{"0.3ms", 300000},
		{"1.0ns", 1},
		{"1.500000000000us", 1500},
		{"007us", 7000},
		{"18446744073709551615ns", UINT64_MAX},
		{"18446744073.709551615s", UINT64_MAX},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		GError *error = NULL;
		uint64_t ns = 99;

		assert_true(duration_parse(rows[i].text, &ns, &error));
		assert_null(error);
		assert_true(ns == rows[i].ns);
	}
}

static void assert_refused(const char *text, const char *expected)
{
	g_autofree char *message =
		g_strdup_printf("expected %s, got \"%s\"", expected, text);
	GError *error = NULL;
	uint64_t ns = 99;

	assert_false(duration_parse(text, &ns, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
	assert_true(ns == 99);
}

static void what_is_not_a_time_is_refused(void **state)
{
	static const char *const texts[] = {
		"",     "10",   "us",    "-5us",  "+5us", " 5us", "5 us",    "5us ",
		"5usx", "5min", "5US",   "1e3us", "1.us", ".5us", "1.2.3us", "0x10us",
		"1,5s", "1.5",  "5 u s", "infs",  "nans", "5m",   "5h",      "1.s",
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++)
		assert_refused(texts[i], "a time with its unit such as \"250us\"");
}

static void times_beyond_64_bits_are_refused(void **state)
{
	static const char *const texts[] = {
		"18446744073709551616ns",   "18446744074s", "20000000000000000000ns",
		"18446744073.709551616s", /* the decimals alone pass the limit */
		"99999999999999999999999s",
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++)
		assert_refused(texts[i], "a time with its unit such as \"250us\"");
}

static void parts_of_a_nanosecond_are_refused(void **state)
{
	assert_refused("0.5ns", "a whole number of nanoseconds");
	assert_refused("1.0005us", "a whole number of nanoseconds");
	assert_refused("0.0000000001s", "a whole number of nanoseconds");
}

static void times_are_written_with_three_digits(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {
		{0, "0ns"},
		{7, "7ns"},
		{999, "999ns"},
		{1000, "1.00us"},
		{1004, "1.00us"},
		{1005, "1.01us"}, /* halves go up */
		{9994, "9.99us"},
		{9995, "10.0us"}, /* a digit more before the point, one less after */
		{93750, "93.8us"},
		{99949, "99.9us"},
		{99950, "100us"},
		{999499, "999us"},
		{999500, "1.00ms"}, /* the next unit */
		{12345678, "12.3ms"},
		{999500000, "1.00s"},
		{60000000000, "60.0s"},
		{999500000000, "1000s"},
		{1234567000000, "1235s"},
		{UINT64_MAX, "18446744074s"},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = duration_format(rows[i].ns);

		assert_string_equal(text, rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_read_to_the_nanosecond),
		cmocka_unit_test(what_is_not_a_time_is_refused),
		cmocka_unit_test(times_beyond_64_bits_are_refused),
		cmocka_unit_test(parts_of_a_nanosecond_are_refused),
		cmocka_unit_test(times_are_written_with_three_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
