/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt-app's dialect: what becomes blank, what is refused, and where.
 */
#include "workload/dialect.h"

#include "schedsim/error.h"
#include "test.h"

#include <string.h>

static void assert_becomes(const char *text, const char *strict)
{
	GError *error = NULL;
	g_autofree char *got = dialect_to_json(text, strlen(text), &error);

	assert_null(error);
	assert_string_equal(got, strict);
}

static void assert_fails(const char *text, gsize length, int code, const char *message)
{
	GError *error = NULL;

	assert_null(dialect_to_json(text, length, &error));
	assert_error(error, INPUT_ERROR, code, message);
}

static void assert_syntax(const char *text, const char *message)
{
	assert_fails(text, strlen(text), INPUT_ERROR_SYNTAX, message);
}

static void assert_number(const char *text, const char *message)
{
	assert_fails(text, strlen(text), INPUT_ERROR_VALUE, message);
}

static void strict_json_stays_as_it_is(void **state)
{
	const char *text = "{\"a\": [1, -2.5e+3, true, false, null, {}, []],\n"
			   "\t\"\\u00e4\\ud83d\\ude00\\n\": \"x/*y*/ //z\"}\r\n";

	assert_becomes(text, text);
}

static void comments_become_blanks_of_the_same_size(void **state)
{
	assert_becomes("{/* one\ntwo */ \"a\": 1 // three\n}",
		       "{      \n       \"a\": 1         \n}");
	assert_becomes("{} // no end of line", "{}                  ");
}

static void trailing_commas_become_blanks(void **state)
{
	assert_becomes("{\"a\": [1, 2, ], }", "{\"a\": [1, 2  ]  }");
	assert_becomes("{\"a\": 1, /* , */ }", "{\"a\": 1          }");
}

static void words_are_taken_in_any_case(void **state)
{
	assert_becomes("{\"a\": False, \"b\": TRUE}", "{\"a\": false, \"b\": true}");
}

static void a_byte_order_mark_is_passed_over(void **state)
{
	assert_becomes("\xef\xbb\xbf{}", "{}");
	assert_syntax("\xef\xbb\xbf[]", "line 1, column 1: expected '{', got '['");
}

static void syntax_errors_say_line_and_column(void **state)
{
	static const char *const cases[][2] = {
		{"", "line 1, column 1: expected '{', got the end of the file"},
		{"...\n\"tasks\"", "line 1, column 1: expected '{', got '.'"},
		{"{\n\t\"suspend\",\n}",
		 "line 2, column 11: expected ':' and a value after the key "
		 "\"suspend\", got ','"},
		{"{\n\t\"a\": {\n\t}\n",
		 "line 4, column 1: expected ',' or '}', got the end of the file"},
		{"{\"a\": 1 \"b\": 2}",
		 "line 1, column 9: expected ',' or '}', got '\"'"},
		{"{\"a\": [1 2]}", "line 1, column 10: expected ',' or ']', got '2'"},
		{"{\"a\": [1}", "line 1, column 9: expected ',' or ']', got '}'"},
		{"{,}",
		 "line 1, column 2: expected a key in double quotes or '}', got ','"},
		{"{\"a\": 1,, \"b\": 2}",
		 "line 1, column 9: expected a key in double quotes or '}', got ','"},
		{"{a: 1}",
		 "line 1, column 2: expected a key in double quotes or '}', got 'a'"},
		{"{\"a\": }", "line 1, column 7: expected a value, got '}'"},
		{"{\"a\": nil}", "line 1, column 7: expected a value, got 'n'"},
		{"{\"a\": +1}", "line 1, column 7: expected a value, got '+'"},
		{"{\"a\": NaN}", "line 1, column 7: expected a value, got 'N'"},
		{"{} {}", "line 1, column 4: expected the end of the file, got '{'"},
		{"{\"\xc3\xa4\": x}", "line 1, column 7: expected a value, got 'x'"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_syntax(cases[i][0], cases[i][1]);
}

static void unfinished_tokens_are_refused(void **state)
{
	static const char *const cases[][2] = {
		{"{ /* x",
		 "line 1, column 3: expected \"*/\" to end this comment, got the end "
		 "of the file"},
		{"{\"a", "line 1, column 2: expected '\"' to end this string, got the "
			 "end of the file"},
		{"{\"a\n",
		 "line 1, column 4: expected '\"' to end this string, got the "
		 "end of the line"},
		{"{\"a\": \"\\x\"}",
		 "line 1, column 9: expected an escape of JSON after '\\', got 'x'"},
		{"{\"a\": \"\\u12g4\"}",
		 "line 1, column 8: expected \\u and four hexadecimal digits other "
		 "than 0000"},
		{"{\"a\": \"\\u0000\"}",
		 "line 1, column 8: expected \\u and four hexadecimal digits other "
		 "than 0000"},
		{"{\"a\": \"\\ud800x\"}",
		 "line 1, column 8: expected a pair of surrogates, got half of one"},
		{"{\"a\": \"\\udc00\"}",
		 "line 1, column 8: expected a pair of surrogates, got half of one"},
		{"{\"a\": \"\\udc00\\udc00\"}",
		 "line 1, column 8: expected a pair of surrogates, got half of one"},
		{"{\"a\": -}", "line 1, column 8: expected a digit, got '}'"},
		{"{\"a\": 1.}",
		 "line 1, column 9: expected a digit after the point, got '}'"},
		{"{\"a\": 1e}",
		 "line 1, column 9: expected a digit of the exponent, got '}'"},
		{"{\"a\": 012}",
		 "line 1, column 7: expected a number without leading zeros, got 012"},
		{"{\"a\": tru", "line 1, column 7: expected a value, got 't'"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_syntax(cases[i][0], cases[i][1]);
}

static void numbers_that_a_double_cannot_hold_are_refused(void **state)
{
	assert_becomes("{\"a\": 9007199254740992}", "{\"a\": 9007199254740992}");
	assert_becomes("{\"a\": 0.123456789012345}", "{\"a\": 0.123456789012345}");
	assert_becomes("{\"a\": 0.0}", "{\"a\": 0.0}");
	assert_number("{\"a\":\n9007199254740993}",
		      "line 2, column 1: expected a number of at most 2^53, got "
		      "9007199254740993");
	assert_number("{\"a\": -9007199254740993}",
		      "line 1, column 7: expected a number of at most 2^53, got "
		      "-9007199254740993");
	assert_number(
		"{\"a\": 0.1234567890123456}",
		"line 1, column 7: expected a number of at most 15 digits between "
		"10^-18 and 2^53, got 0.1234567890123456");
	assert_number(
		"{\"a\": 1e400}",
		"line 1, column 7: expected a number of at most 15 digits between "
		"10^-18 and 2^53, got 1e400");
	assert_number(
		"{\"a\": 1e-400}",
		"line 1, column 7: expected a number of at most 15 digits between "
		"10^-18 and 2^53, got 1e-400");
	assert_number("{\"a\": 0.000000000000000000000000000000000000000}",
		      "line 1, column 7: expected a number of at most 40 characters, "
		      "got 41");
}

static void deep_nesting_is_refused(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (int i = 0; i < 65; i++)
		g_string_append(text, "{\"a\":");
	assert_syntax(text->str, "line 1, column 321: expected at most 64 levels of "
				 "braces, got one more");
}

static void bytes_that_are_no_text_are_refused(void **state)
{
	assert_fails("{\n\xff}", 4, INPUT_ERROR_SYNTAX,
		     "line 2, column 1: expected UTF-8, got byte 0xff");
	assert_fails("{\0}", 3, INPUT_ERROR_SYNTAX,
		     "line 1, column 2: expected UTF-8, got byte 0x00");
	assert_fails(NULL, 0, INPUT_ERROR_SYNTAX,
		     "line 1, column 1: expected '{', got the end of the file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strict_json_stays_as_it_is),
		cmocka_unit_test(comments_become_blanks_of_the_same_size),
		cmocka_unit_test(trailing_commas_become_blanks),
		cmocka_unit_test(words_are_taken_in_any_case),
		cmocka_unit_test(a_byte_order_mark_is_passed_over),
		cmocka_unit_test(syntax_errors_say_line_and_column),
		cmocka_unit_test(unfinished_tokens_are_refused),
		cmocka_unit_test(numbers_that_a_double_cannot_hold_are_refused),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(bytes_that_are_no_text_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
