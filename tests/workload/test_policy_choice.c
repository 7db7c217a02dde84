/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wakeup and a rebuild policy as --policy joins them.
 */
#include "test.h"

#include "schedsim/error.h"
#include "workload/policy_choice.h"

static struct policy_choice read(const char *text)
{
	struct policy_choice choice = {0};
	GError *error = NULL;

	if (!policy_choice_parse(text, &choice, &error))
		fail_msg("%s: %s", text, error->message);
	return choice;
}

static void one_of_each_kind_can_be_joined(void **state)
{
	g_auto(policy_choice) c = read("sis_short+rebuild_v3");
	g_auto(policy_choice) turned = read("rebuild_v3+sis_short");

	assert_string_equal(c.label, "sis_short+rebuild_v3");
	assert_string_equal(c.wakeup.policy.name, "sis_short");
	assert_true(c.has_rebuild);
	assert_string_equal(c.rebuild.name, "rebuild_v3");
	assert_string_equal(turned.wakeup.policy.name, "sis_short");
	assert_string_equal(turned.rebuild.name, "rebuild_v3");
}

static void a_rebuild_policy_alone_leaves_wakeups_to_the_kernel(void **state)
{
	g_auto(policy_choice) c = read("rebuild_v5_4");

	assert_string_equal(c.wakeup.policy.name, "baseline");
	assert_string_equal(c.rebuild.name, "rebuild_v5_4");
	assert_string_equal(c.label, "rebuild_v5_4");
}

static void a_wakeup_policy_alone_leaves_rebuilds_to_the_kernel(void **state)
{
	g_auto(policy_choice) c = read("sis_short");

	assert_false(c.has_rebuild);
}

static void the_label_is_that_of_both(void **state)
{
	g_auto(policy_choice) c =
		read("x=sis_short:idle_arm=0+rebuild_v5_4:resume=none");

	assert_string_equal(c.label, "x");
	assert_string_equal(c.wakeup.policy.name, "sis_short");
	assert_int_equal(c.rebuild.rows[REBUILD_RESUME].walk, WALK_NONE);
	assert_int_equal(c.rebuild.rows[REBUILD_CPUS].walk, WALK_ALL);
}

/* The = is that of a setting. */
static void a_setting_makes_no_label(void **state)
{
	g_auto(policy_choice) c = read("rebuild_v5_4:lock=mutex");

	assert_string_equal(c.label, "rebuild_v5_4:lock=mutex");
	assert_int_equal(c.rebuild.lock, REBUILD_LOCK_MUTEX);
}

static void settings_of_the_kernel_may_stand_with_either(void **state)
{
	g_auto(policy_choice) c =
		read("sis_short:NO_WA_IDLE+rebuild_v5_4:costs=none,lock=mutex");
	g_auto(policy_choice) alone = read("rebuild_v5_4:NO_WA_WEIGHT");

	assert_int_equal(c.wakeup.settings->len, 2);
	assert_string_equal(c.wakeup.settings->pdata[0], "NO_WA_IDLE");
	assert_string_equal(c.wakeup.settings->pdata[1], "costs=none");
	assert_int_equal(c.rebuild.lock, REBUILD_LOCK_MUTEX);
	assert_string_equal(alone.wakeup.settings->pdata[0], "NO_WA_WEIGHT");
}

static void what_cannot_be_joined_is_refused(void **state)
{
	static const char *const cases[][2] = {
		{"", "expected a policy's name, got \"\"; the nearest is \"baseline\""},
		{"sis_short+", "expected a policy's name, got \"\"; the nearest is "
			       "\"baseline\""},
		{"rebuild_v51_4",
		 "expected a policy's name, got \"rebuild_v51_4\"; the nearest "
		 "is \"rebuild_v5_4\""},
		{"sis_shrt+rebuild_v3",
		 "expected a policy's name, got \"sis_shrt\"; the "
		 "nearest is \"sis_short\""},
		{"sis_short+baseline",
		 "expected one wakeup policy at most, got \"baseline\""},
		{"rebuild_v3+sis_short+rebuild_v5_4:resume=none",
		 "expected one rebuild policy at most, got "
		 "\"rebuild_v5_4:resume=none\""},
		{"=rebuild_v3", "expected a label before the =, got \"\""},
		{"sis_short+x=rebuild_v3", "expected a policy's name, got "
					   "\"x=rebuild_v3\"; the nearest is "
					   "\"rebuild_v3\""},
		{"rebuild_v3:",
		 "rebuild_v3: expected a setting after the colon, got \"\""},
		{"rebuild_v3:idle_arm=0", "rebuild_v3: expected a setting of a rebuild "
					  "policy, got \"idle_arm\"; "
					  "the nearest is \"flags\""},
		{"baseline:WA_IDLE+rebuild_v3:NO_WA_IDLE",
		 "expected each setting once, got \"NO_WA_IDLE\""},
		{"a\nb=rebuild_v3", "expected no control characters, got "
				    "\"a\nb=rebuild_v3\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct policy_choice untouched = {.label = (char *)"untouched"};
		GError *error = NULL;

		assert_false(policy_choice_parse(cases[i][0], &untouched, &error));
		assert_string_equal(untouched.label, "untouched");
		assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, cases[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_each_kind_can_be_joined),
		cmocka_unit_test(a_rebuild_policy_alone_leaves_wakeups_to_the_kernel),
		cmocka_unit_test(a_wakeup_policy_alone_leaves_rebuilds_to_the_kernel),
		cmocka_unit_test(the_label_is_that_of_both),
		cmocka_unit_test(a_setting_makes_no_label),
		cmocka_unit_test(settings_of_the_kernel_may_stand_with_either),
		cmocka_unit_test(what_cannot_be_joined_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
