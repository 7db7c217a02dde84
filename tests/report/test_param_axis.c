/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps of parameters, exact to the last digit.
 */
#include "test.h"

#include "report/experiment.h"
#include "schedsim/error.h"

/* The steps of @text, joined by blanks.  (transfer full) */
static char *steps_of(const char *text)
{
	struct experiment_spec spec;
	char *joined;

	experiment_spec_init(&spec);
	assert_true(experiment_spec_add_param(&spec, text, NULL));
	joined =
		g_strjoinv(" ", g_array_index(spec.params, struct param_axis, 0).steps);
	experiment_spec_clear(&spec);
	return joined;
}

static void assert_steps(const char *text, const char *expected)
{
	g_autofree char *steps = steps_of(text);

	assert_string_equal(steps, expected);
}

static void assert_refused(const char *text, const char *message)
{
	struct experiment_spec spec;
	GError *error = NULL;

	experiment_spec_init(&spec);
	assert_false(experiment_spec_add_param(&spec, text, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
	experiment_spec_clear(&spec);
}

static void a_value_is_one_step(void **state)
{
	assert_steps("load=0.9", "0.9");
	assert_steps("think=80us", "80us");
	assert_steps("name=a=b", "a=b");
}

static void ladders_hold_both_ends(void **state)
{
	assert_steps("load=0.1..0.9:5", "0.1 0.3 0.5 0.7 0.9");
	assert_steps("load=0..1:2", "0 1");
	assert_steps("load=10..-5:4", "10 5 0 -5");
	assert_steps("load=0..1:4", "0 0.333333333 0.666666666 1");
	assert_steps("load=1000000..0:3", "1000000 500000 0");
}

#define LADDER                                                                         \
	"expected FROM..TO:STEPS with two numbers up to 1000000 and 2..1000 steps, "   \
	"got "

static void ladders_that_are_none_are_refused(void **state)
{
	assert_refused("load=0..1", "load: " LADDER "\"0..1\"");
	assert_refused("load=0..1:1", "load: " LADDER "\"0..1:1\"");
	assert_refused("load=0..1:x", "load: " LADDER "\"0..1:x\"");
	assert_refused("load=..1:3", "load: " LADDER "\"..1:3\"");
	assert_refused("load=0..:3", "load: " LADDER "\"0..:3\"");
	assert_refused("load=0..1000001:3", "load: " LADDER "\"0..1000001:3\"");
	assert_refused("load=0..1.:3", "load: " LADDER "\"0..1.:3\"");
	assert_refused("load=0..1.2.3:3", "load: " LADDER "\"0..1.2.3:3\"");
	assert_refused("load=0..0.1234567890:3",
		       "load: " LADDER "\"0..0.1234567890:3\"");
	assert_refused("load=0..99999999999999999999:3",
		       "load: " LADDER "\"0..99999999999999999999:3\"");
}

#define FORM "expected NAME=VALUE or NAME=FROM..TO:STEPS, got "

static void what_is_no_setting_is_refused(void **state)
{
	assert_refused("load", FORM "\"load\"");
	assert_refused("=1", FORM "\"=1\"");
	assert_refused("load=", FORM "\"load=\"");
}

static void a_parameter_is_set_once(void **state)
{
	struct experiment_spec spec;
	GError *error = NULL;

	experiment_spec_init(&spec);
	assert_true(experiment_spec_add_param(&spec, "load=1", NULL));
	assert_false(experiment_spec_add_param(&spec, "load=2", &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		     "expected each parameter once, got \"load\" again");
	experiment_spec_clear(&spec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_one_step),
		cmocka_unit_test(ladders_hold_both_ends),
		cmocka_unit_test(ladders_that_are_none_are_refused),
		cmocka_unit_test(what_is_no_setting_is_refused),
		cmocka_unit_test(a_parameter_is_set_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
