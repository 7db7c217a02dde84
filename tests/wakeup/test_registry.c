/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schedsim/error.h"
#include "test.h"
#include "wakeup/registry.h"
#include "wakeup/short_rule.h"

static void policies_are_found_by_name(void **state)
{
	const struct wakeup_policy *const *all = wakeup_policies();

	assert_string_equal(all[0]->name, "baseline");
	for (int i = 0; all[i]; i++)
		assert_ptr_equal(wakeup_policy_find(all[i]->name), all[i]);
	assert_null(wakeup_policy_find("Baseline"));
	assert_null(wakeup_policy_find(""));
}

static struct policy_instance read(const char *text)
{
	struct policy_instance instance;
	GError *error = NULL;

	if (!wakeup_policy_instance(text, &instance, &error))
		fail_msg("%s", error->message);
	return instance;
}

static void a_bare_name_is_its_own_label(void **state)
{
	g_auto(policy_instance) p = read("baseline");

	assert_string_equal(p.label, "baseline");
	assert_string_equal(p.policy.name, "baseline");
	assert_null(p.params);
	assert_int_equal(p.settings->len, 0);
}

static void without_a_label_the_settings_are_part_of_the_name(void **state)
{
	g_auto(policy_instance) p = read("baseline:NO_WA_WEIGHT");

	assert_string_equal(p.label, "baseline:NO_WA_WEIGHT");
}

static void a_label_replaces_the_name_in_reports(void **state)
{
	g_auto(policy_instance) p = read("noidle=sis_short:idle_arm=0");
	const struct short_rule *rule = p.params;

	assert_string_equal(p.label, "noidle");
	assert_string_equal(p.policy.name, "sis_short");
	assert_false(rule->idle_arm);
	assert_true(rule->scan_arm);
}

static void defaults_are_the_policys_own(void **state)
{
	g_auto(policy_instance) p = read("sis_short");
	const struct short_rule *rule = p.params;

	assert_true(rule->idle_arm);
	assert_true(rule->scan_arm_curr_short);
	assert_false(rule->skip_weight);
	assert_int_equal(rule->short_below_ns, 0);
}

static void the_kernels_settings_are_left_to_the_caller(void **state)
{
	g_auto(policy_instance) p =
		read("sis_short:NO_SIS_UTIL,short_below_ns=1ms,nr_idle_scan=4,WA_BIAS");
	const struct short_rule *rule = p.params;

	assert_int_equal(rule->short_below_ns, 1000000);
	assert_int_equal(p.settings->len, 3);
	assert_string_equal(p.settings->pdata[0], "NO_SIS_UTIL");
	assert_string_equal(p.settings->pdata[1], "nr_idle_scan=4");
	assert_string_equal(p.settings->pdata[2], "WA_BIAS");
}

static void missing_hooks_are_the_baselines(void **state)
{
	g_auto(policy_instance) p = read("sis_short");
	const struct wakeup_policy *baseline = wakeup_policy_find("baseline");

	assert_ptr_equal(p.policy.wake_early, baseline->wake_early);
	assert_ptr_equal(p.policy.tick, baseline->tick);
	assert_ptr_not_equal(p.policy.before_scan, baseline->before_scan);
	assert_null(p.policy.may_take_idle);
}

static void the_baseline_has_every_hook(void **state)
{
	const struct wakeup_policy *p = wakeup_policy_find("baseline");

	assert_non_null(p->wake_early);
	assert_non_null(p->wake_affine_idle);
	assert_non_null(p->wake_affine_weight);
	assert_non_null(p->before_scan);
	assert_non_null(p->wake_last);
	assert_non_null(p->task_sleeps);
	assert_non_null(p->task_woken);
	assert_non_null(p->tick);
	assert_non_null(p->cpu_goes_idle);
	assert_non_null(p->task_hot);
}

static void every_setting_says_what_it_is_for(void **state)
{
	for (int i = 0; wakeup_policies()[i]; i++) {
		const struct wakeup_policy *policy = wakeup_policies()[i];
		const struct policy_param *param;

		assert_non_null(policy->summary);
		for (param = policy->params; param && param->name; param++) {
			assert_true(param->why && *param->why);
			assert_true(param->offset < policy->params_size);
		}
	}
}

struct refusal {
	const char *text;
	int code;
	const char *message;
};

static void what_cannot_be_read_is_refused(void **state)
{
	static const struct refusal refusals[] = {
		{"sis_shrt", INPUT_ERROR_VALUE,
		 "expected a policy's name, got \"sis_shrt\"; the nearest is "
		 "\"sis_short\""},
		{"", INPUT_ERROR_VALUE,
		 "expected a policy's name, got \"\"; the nearest is \"baseline\""},
		{"=baseline", INPUT_ERROR_VALUE,
		 "expected a label before the =, got \"\""},
		{"baseline:", INPUT_ERROR_VALUE,
		 "baseline: expected a setting after the colon, got \"\""},
		{"sis_short:idle_arn=0", INPUT_ERROR_VALUE,
		 "sis_short: expected a setting of the policy or of the kernel, got "
		 "\"idle_arn\"; the nearest is \"idle_arm\""},
		{"baseline:NO_WA_IDEL", INPUT_ERROR_VALUE,
		 "baseline: expected a setting of the policy or of the kernel, got "
		 "\"WA_IDEL\"; the nearest is \"WA_IDLE\""},
		{"baseline:WA_IDLE,", INPUT_ERROR_VALUE,
		 "baseline: expected a setting between commas, got \"\""},
		{"baseline:=1", INPUT_ERROR_VALUE,
		 "baseline: expected a setting between commas, got \"=1\""},
		{"sis_short:idle_arm=2", INPUT_ERROR_VALUE,
		 "sis_short: idle_arm: expected 0 or 1, got \"2\""},
		{"sis_short:idle_arm", INPUT_ERROR_VALUE,
		 "sis_short: idle_arm: expected 0 or 1, got \"\""},
		{"sis_short:short_below_ns=-1", INPUT_ERROR_VALUE, NULL},
		{"sis_short:short_below_ns=18446744073709551616", INPUT_ERROR_VALUE,
		 NULL},
		{"sis_short:idle_arm=0,idle_arm=1", INPUT_ERROR_VALUE,
		 "sis_short: expected each setting once, got \"idle_arm=1\""},
		{"baseline:WA_IDLE,NO_WA_IDLE", INPUT_ERROR_VALUE,
		 "baseline: expected each setting once, got \"NO_WA_IDLE\""},
		{"sis_short+rebuild_v5_4", INPUT_ERROR_VALUE,
		 "expected one wakeup policy alone, got \"rebuild_v5_4\" joined to it"},
		{"a=sis_short:idle_arm=0+rebuild_v3:x=1", INPUT_ERROR_VALUE,
		 "expected one wakeup policy alone, got \"rebuild_v3:x=1\" joined to "
		 "it"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++) {
		struct policy_instance untouched = {.label = (char *)"untouched"};
		GError *error = NULL;

		assert_false(
			wakeup_policy_instance(refusals[i].text, &untouched, &error));
		assert_string_equal(untouched.label, "untouched");
		assert_non_null(error);
		if (refusals[i].message)
			assert_error(error, INPUT_ERROR, refusals[i].code,
				     refusals[i].message);
		else
			g_error_free(error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policies_are_found_by_name),
		cmocka_unit_test(a_bare_name_is_its_own_label),
		cmocka_unit_test(without_a_label_the_settings_are_part_of_the_name),
		cmocka_unit_test(a_label_replaces_the_name_in_reports),
		cmocka_unit_test(defaults_are_the_policys_own),
		cmocka_unit_test(the_kernels_settings_are_left_to_the_caller),
		cmocka_unit_test(missing_hooks_are_the_baselines),
		cmocka_unit_test(the_baseline_has_every_hook),
		cmocka_unit_test(every_setting_says_what_it_is_for),
		cmocka_unit_test(what_cannot_be_read_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
