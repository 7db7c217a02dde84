/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuild policies by name, and what a user may flip.
 */
#include "test.h"

#include "cpuset_scene.h"
#include "schedsim/error.h"

#include <string.h>

static struct rebuild_policy parse(const char *text)
{
	struct rebuild_policy policy;

	assert_true(rebuild_policy_parse(text, &policy, NULL));
	return policy;
}

static void every_policy_is_whole(void **state)
{
	for (int i = 0; rebuild_policies()[i]; i++) {
		const struct rebuild_policy *policy = rebuild_policies()[i];

		assert_true(g_str_has_prefix(policy->name, "rebuild_"));
		assert_true(strlen(policy->summary) > 20);
		assert_ptr_equal(rebuild_policy_find(policy->name), policy);
		for (int row = 0; row < NR_REBUILD_CALLERS; row++)
			assert_true(policy->rows[row].walk != WALK_ABSENT ||
				    row == REBUILD_GOVERNOR);
	}
	assert_null(rebuild_policy_find("rebuild_v9"));
}

/* Each of them through every operation, with tasks of all kinds. */
static void every_policy_survives_every_operation(void **state)
{
	for (int i = 0; rebuild_policies()[i]; i++) {
		const char *name = rebuild_policies()[i]->name;
		g_autoptr(cpuset_scene) s =
			cpuset_scene_new("1n2l2c2t", CPUSET_V1, name, "7");

		cs_mkdir(s, "A", "0-3");
		cs_mkdir(s, "B", "4-6");
		cs_tasks(s, "A", 3);
		cs_b10(s, "", 4);
		cs_sugov(s);
		assert_int_equal(cs_write(s, "", "cpuset.sched_load_balance", "0"), 0);
		assert_int_equal(
			cs_write(s, "A", "cpuset.sched_relax_domain_level", "1"), 0);
		assert_int_equal(cs_cpu_down(s, 5), 0);
		assert_int_equal(cs_cpu_up(s, 5), 0);
		cs_suspend_and_resume(s);
		cs_governor_change(s);
		cs_topology_update(s);
		assert_int_equal(cs_write(s, "", "cpuset.sched_load_balance", "1"), 0);
		assert_domains(s, "0-6");
		assert_alone(s, 7);
	}
}

static void a_caller_can_be_flipped(void **state)
{
	struct rebuild_policy origin = parse("rebuild_v5_4");
	struct rebuild_policy flipped = parse("rebuild_v5_4:resume=none");

	assert_int_equal(origin.rows[REBUILD_RESUME].walk, WALK_ALL);
	assert_int_equal(flipped.rows[REBUILD_RESUME].walk, WALK_NONE);
	assert_int_equal(flipped.rows[REBUILD_RESUME].totals, TOTALS_CLEARED);
	flipped.rows[REBUILD_RESUME].walk = WALK_ALL;
	assert_memory_equal(&flipped, &origin, sizeof(origin));
}

static void totals_and_the_lock_can_be_flipped(void **state)
{
	struct rebuild_policy policy =
		parse("rebuild_v3:resume.totals=kept,suspend_cpu.totals=carried,"
		      "lock=mutex,favordynmods=1,reserve=root_domains");

	assert_int_equal(policy.rows[REBUILD_RESUME].totals, TOTALS_KEPT);
	assert_int_equal(policy.rows[REBUILD_SUSPEND_CPU].totals, TOTALS_CARRIED);
	assert_int_equal(policy.rows[REBUILD_RESUME].walk, WALK_NONE);
	assert_int_equal(policy.lock, REBUILD_LOCK_MUTEX);
	assert_true(policy.favordynmods);
	assert_int_equal(policy.reserve, RESERVE_ROOT_DOMAINS);
}

/* Each choice of each setting is taken, and makes the policy that it says. */
static void whatever_is_listed_can_be_set(void **state)
{
	static const char *const switched[] = {"0", "1", NULL};
	g_autoptr(GPtrArray) list =
		rebuild_policy_settings(rebuild_policy_find("rebuild_v6_5"), NULL);

	for (guint i = 0; i < list->len; i++) {
		const struct rebuild_setting *s = list->pdata[i];
		const char *const *choice = s->choices ? s->choices : switched;

		assert_string_equal(s->name, rebuild_setting_names()[i]);
		assert_true(g_strv_contains(choice, s->value));
		for (; *choice; choice++) {
			g_autofree char *text =
				g_strdup_printf("rebuild_v6_5:%s=%s", s->name, *choice);
			struct rebuild_policy policy = parse(text);
			g_autoptr(GPtrArray) set =
				rebuild_policy_settings(&policy, NULL);

			assert_string_equal(
				((const struct rebuild_setting *)set->pdata[i])->value,
				*choice);
		}
	}
	assert_null(rebuild_setting_names()[list->len]);
}

/* NAME=VALUE, joined by blanks.  (transfer full) */
static char *differences(const char *text)
{
	struct rebuild_policy policy = parse(text);
	g_autoptr(GPtrArray) list =
		rebuild_policy_settings(&policy, rebuild_policy_find("rebuild_v6_5"));
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < list->len; i++) {
		const struct rebuild_setting *s = list->pdata[i];

		g_string_append_printf(out, "%s%s=%s", i ? " " : "", s->name, s->value);
		assert_true(*s->why);
	}
	return g_string_free(out, FALSE);
}

static void what_differs_is_listed_as_it_was_set(void **state)
{
	g_autofree char *none = differences("rebuild_v6_5");
	g_autofree char *some =
		differences("rebuild_v6_5:servers=reset,resume.totals=kept,"
			    "favordynmods=1,resume=none,cpus=all");

	assert_string_equal(none, "");
	assert_string_equal(some, "cpus=all resume=none resume.totals=kept "
				  "favordynmods=1 servers=reset");
}

/* Whoever reads the whole list back has the same policy. */
static void all_settings_make_any_policy_that_one(void **state)
{
	for (int i = 0; rebuild_policies()[i]; i++) {
		const struct rebuild_policy *policy = rebuild_policies()[i];
		g_autoptr(GPtrArray) list = rebuild_policy_settings(policy, NULL);
		g_autoptr(GString) text = g_string_new("rebuild_v4_15:");
		struct rebuild_policy made;
		g_autoptr(GPtrArray) left = NULL;

		for (guint s = 0; s < list->len; s++) {
			const struct rebuild_setting *setting = list->pdata[s];

			g_string_append_printf(text, "%s%s=%s", s ? "," : "",
					       setting->name, setting->value);
		}
		made = parse(text->str);
		made.name = policy->name;
		made.summary = policy->summary;
		assert_memory_equal(&made, policy, sizeof(made));
		left = rebuild_policy_settings(&made, policy);
		assert_int_equal(left->len, 0);
		assert_int_equal(list->len,
				 g_strv_length((char **)rebuild_setting_names()));
	}
}

static void names_are_those_of_the_table(void **state)
{
	assert_string_equal(rebuild_caller_name(REBUILD_RESUME_CPU), "resume_cpu");
	assert_string_equal(rebuild_caller_name(REBUILD_RESUME_UPDATED),
			    "resume_updated");
	assert_string_equal(rebuild_walk_name(WALK_DL_CPUSETS), "dl_cpusets");
	assert_string_equal(rebuild_totals_name(TOTALS_ALL_CLEARED), "all_cleared");
}

static void what_is_wrong_is_said(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"rebuild_v5_5", "expected a rebuild policy's name, got "
				 "\"rebuild_v5_5\"; the nearest is \"rebuild_v6_5\""},
		{"rebuild_v5_4:", "rebuild_v5_4: expected a setting after the colon, "
				  "got \"\""},
		{"rebuild_v5_4:resume",
		 "rebuild_v5_4: expected NAME=VALUE, got \"resume\""},
		{"rebuild_v5_4:resum=none",
		 "rebuild_v5_4: expected a setting of a rebuild policy, got \"resum\"; "
		 "the nearest is \"resume\""},
		{"rebuild_v5_4:resume=no",
		 "rebuild_v5_4: resume: expected one of absent, none, all, dl_cpusets, "
		 "dl_tasks, got \"no\""},
		{"rebuild_v5_4:resume.totals=lost",
		 "rebuild_v5_4: resume.totals: expected one of kept, cleared, "
		 "all_cleared, carried, got \"lost\""},
		{"rebuild_v5_4:lock=spinlock",
		 "rebuild_v5_4: lock: expected one of mutex, percpu_rwsem, got "
		 "\"spinlock\""},
		{"rebuild_v5_4:favordynmods=yes",
		 "rebuild_v5_4: favordynmods: expected 0 or 1, got \"yes\""},
		{"rebuild_v5_4:cpus=none,cpus=all",
		 "rebuild_v5_4: expected each setting once, got \"cpus=all\""},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct rebuild_policy policy = {.name = "untouched"};
		GError *error = NULL;

		assert_false(rebuild_policy_parse(cases[i].text, &policy, &error));
		assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, cases[i].message);
		assert_string_equal(policy.name, "untouched");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_policy_is_whole),
		cmocka_unit_test(every_policy_survives_every_operation),
		cmocka_unit_test(a_caller_can_be_flipped),
		cmocka_unit_test(totals_and_the_lock_can_be_flipped),
		cmocka_unit_test(whatever_is_listed_can_be_set),
		cmocka_unit_test(what_differs_is_listed_as_it_was_set),
		cmocka_unit_test(all_settings_make_any_policy_that_one),
		cmocka_unit_test(names_are_those_of_the_table),
		cmocka_unit_test(what_is_wrong_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
