/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "=load*120us" may be, computed by hand.
 */
#include "workload/expression.h"

#include "schedsim/error.h"
#include "test.h"

#include <string.h>

/* load is 0.9, gap 45us. */
static const struct quantity *lookup(void *data, const char *name, GError **error)
{
	static const struct quantity load = {{9, 10}, 0};
	static const struct quantity gap = {{45000, 1}, 1};

	if (!strcmp(name, "load"))
		return &load;
	if (!strcmp(name, "gap"))
		return &gap;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, "no %s", name);
	return NULL;
}

static void assert_value(const char *text, int64_t num, int64_t den, int time_power)
{
	struct quantity q;
	GError *error = NULL;

	if (!expression_eval(text, lookup, NULL, &q, &error))
		fail_msg("%s", error->message);
	assert_int_equal(q.value.num, num);
	assert_int_equal(q.value.den, den);
	assert_int_equal(q.time_power, time_power);
}

static void assert_refused(const char *text, const char *message)
{
	struct quantity q;
	GError *error = NULL;

	assert_false(expression_eval(text, lookup, NULL, &q, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
}

static void products_bind_closer_than_sums(void **state)
{
	assert_value("2 + 3*4", 14, 1, 0);
	assert_value("(2+3) * 4", 20, 1, 0);
	assert_value("8/2/2 - 1 - 1", 0, 1, 0);
	assert_value("-2*-3", 6, 1, 0);
	assert_value("- (1 - 3)", 2, 1, 0);
}

static void times_keep_their_unit(void **state)
{
	assert_value("1ns+1us+1ms+1s", 1001001001, 1, 1);
	assert_value("12.3us", 12300, 1, 1);
	assert_value("load*120us", 108000, 1, 1);
	assert_value("gap/(16*load)", 3125, 1, 1);
	assert_value("10us/3", 10000, 3, 1);
	assert_value("gap/5us", 9, 1, 0);
	assert_value("16*load/gap", 1, 3125, -1);
}

static void kinds_do_not_mix(void **state)
{
	assert_refused("1us+1", "expected the same kind on both sides of '+', got a "
				"time and a plain number in \"1us+1\"");
	assert_refused("1us*1us", "expected a number, a time or a rate, got a power of "
				  "time in \"1us*1us\"");
	assert_refused("1-1/1us", "expected the same kind on both sides of '-', got a "
				  "plain number and a rate in \"1-1/1us\"");
}

static void mistakes_are_named(void **state)
{
	static const char *const cases[][2] = {
		{"", "expected a number, a time or a parameter, got the end in \"\""},
		{"2*",
		 "expected a number, a time or a parameter, got the end in \"2*\""},
		{"2**3",
		 "expected a number, a time or a parameter, got '*' in \"2**3\""},
		{"2 3", "expected an operator or the end, got '3' in \"2 3\""},
		{"(2", "expected ')', got the end in \"(2\""},
		{"2)", "expected an operator or the end, got ')' in \"2)\""},
		{"1.2.3", "expected a number, got \"1.2.3\" in \"1.2.3\""},
		{"1.", "expected a number, got \"1.\" in \"1.\""},
		{"10min",
		 "expected ns, us, ms or s after 10, got \"min\" in \"10min\""},
		{"2e3", "expected ns, us, ms or s after 2, got \"e3\" in \"2e3\""},
		{"1/(load-0.9)", "division by 0 in \"1/(load-0.9)\""},
		{"9223372036854775807*2",
		 "a value beyond 64 bits in \"9223372036854775807*2\""},
		{"99999999999999999999", "99999999999999999999 has too many digits in "
					 "\"99999999999999999999\""},
		{"99999999999s", "99999999999s is too long in \"99999999999s\""},
		{"2*laod", "no laod"},
		{"1\xc3\xa4", "expected an operator or the end, got '\xc3\xa4' in "
			      "\"1\xc3\xa4\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_refused(cases[i][0], cases[i][1]);
}

/* A message holds the whole text. */
static void long_texts_are_refused(void **state)
{
	char text[1002];
	struct quantity q;

	memset(text, ' ', sizeof(text));
	text[0] = '1';
	text[1000] = '\0';
	assert_true(expression_eval(text, NULL, NULL, &q, NULL));
	text[1000] = ' ';
	text[1001] = '\0';
	assert_refused(text, "expected an expression of at most 1000 characters, got "
			     "1001");
}

static void deep_parentheses_are_refused(void **state)
{
	g_autofree char *text = g_strnfill(33, '(');
	g_autofree char *message =
		g_strdup_printf("expected at most 32 open parentheses in \"%s\"", text);

	assert_refused(text, message);
}

static void parentheses_side_by_side_are_not_deep(void **state)
{
	g_autoptr(GString) text = g_string_new("0");

	for (int i = 0; i < 40; i++)
		g_string_append(text, "+((1))");
	assert_value(text->str, 40, 1, 0);
}

static void many_signs_do_not_nest(void **state)
{
	assert_refused("--1", "expected a number, a time or a parameter, got '-' in "
			      "\"--1\"");
}

static void assert_text(const char *expression, const char *text)
{
	struct quantity q;
	g_autofree char *got = NULL;

	assert_true(expression_eval(expression, lookup, NULL, &q, NULL));
	got = quantity_format(&q);
	assert_string_equal(got, text);
}

static void text_has_the_largest_whole_unit(void **state)
{
	assert_text("1000us", "1ms");
	assert_text("12.3us", "12300ns");
	assert_text("2s", "2s");
	assert_text("0s", "0s");
	assert_text("10ns/4", "2.5ns");
	assert_text("1/(2ns)", "0.5/ns");
	assert_text("load", "0.9");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_bind_closer_than_sums),
		cmocka_unit_test(times_keep_their_unit),
		cmocka_unit_test(kinds_do_not_mix),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(long_texts_are_refused),
		cmocka_unit_test(deep_parentheses_are_refused),
		cmocka_unit_test(parentheses_side_by_side_are_not_deep),
		cmocka_unit_test(many_signs_do_not_nest),
		cmocka_unit_test(text_has_the_largest_whole_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
