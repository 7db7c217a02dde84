/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exact text of small JSON values.
 */
#include "test.h"

#include "report/json_writer.h"

static void strings_are_escaped(void **state)
{
	g_autoptr(json_writer) w = json_writer_new();

	json_writer_string(w, NULL, "a\"b\\c\n\t\x01/\xc3\xa4");
	assert_string_equal(json_writer_text(w),
			    "\"a\\\"b\\\\c\\u000a\\u0009\\u0001/\xc3\xa4\"");
}

static void keys_are_escaped_too(void **state)
{
	g_autoptr(json_writer) w = json_writer_new();

	json_writer_one_line(w, true);
	json_writer_begin(w, NULL, '{');
	json_writer_int(w, "a\"b", 1);
	json_writer_end(w, '}');
	assert_string_equal(json_writer_text(w), "{\"a\\\"b\": 1}");
}

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
	g_autoptr(json_writer) w = json_writer_new();

	json_writer_string(w, NULL, "x\xffy");
	assert_string_equal(json_writer_text(w), "\"x\xef\xbf\xbdy\"");
}

static void integers_keep_all_their_digits(void **state)
{
	g_autoptr(json_writer) w = json_writer_new();

	json_writer_one_line(w, true);
	json_writer_begin(w, NULL, '[');
	json_writer_int(w, NULL, INT64_MIN);
	json_writer_int(w, NULL, 9007199254740993);
	json_writer_bool(w, NULL, true);
	json_writer_null(w, NULL);
	json_writer_end(w, ']');
	assert_string_equal(json_writer_text(w),
			    "[-9223372036854775808, 9007199254740993, true, null]");
}

static void objects_have_a_line_a_member_unless_told(void **state)
{
	g_autoptr(json_writer) w = json_writer_new();

	json_writer_begin(w, NULL, '{');
	json_writer_begin(w, "empty", '[');
	json_writer_end(w, ']');
	json_writer_one_line(w, true);
	json_writer_begin(w, "flat", '{');
	json_writer_int(w, "a", 1);
	json_writer_int(w, "b", 2);
	json_writer_end(w, '}');
	json_writer_one_line(w, false);
	json_writer_end(w, '}');
	assert_string_equal(json_writer_text(w),
			    "{\n\t\"empty\": [],\n\t\"flat\": {\"a\": 1, \"b\": 2}\n}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_escaped),
		cmocka_unit_test(keys_are_escaped_too),
		cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
		cmocka_unit_test(integers_keep_all_their_digits),
		cmocka_unit_test(objects_have_a_line_a_member_unless_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
