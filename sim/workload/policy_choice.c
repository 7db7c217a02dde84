/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wakeup and rebuild policies lie beside each other and do not know each other; here
 * one of each is chosen.
 */
#include "workload/policy_choice.h"

#include "base/nearest.h"
#include "model/machine_new.h"
#include "schedsim/error.h"
#include "schedsim/wakeup.h"

#include <string.h>

static bool fail(GError **error, const char *expected, const char *got)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, "expected %s, got \"%s\"",
		    expected, got);
	return false;
}

static bool refuse_name(const char *name, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (int i = 0; wakeup_policies()[i]; i++)
		g_ptr_array_add(names, (gpointer)wakeup_policies()[i]->name);
	for (int i = 0; rebuild_policies()[i]; i++)
		g_ptr_array_add(names, (gpointer)rebuild_policies()[i]->name);
	g_ptr_array_add(names, NULL);
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "expected a policy's name, got \"%s\"; the nearest is \"%s\"", name,
		    nearest_name(name, (const char *const *)names->pdata));
	return false;
}

/* The name that @setting sets, "WA_IDLE" of "NO_WA_IDLE".  (transfer full) */
static char *key_of(const char *setting)
{
	gsize length = strcspn(setting, "=");

	if (!setting[length] && g_str_has_prefix(setting, "NO_"))
		return g_strdup(setting + 3);
	return g_strndup(setting, length);
}

/* Whether @setting is one of the kernel, which @choice then gets. */
static bool take_kernel_setting(struct policy_choice *choice, const char *setting)
{
	g_autofree char *key = key_of(setting);

	if (!g_strv_contains(machine_setting_names(), key))
		return false;
	g_ptr_array_add(choice->wakeup.settings, g_strdup(setting));
	return true;
}

/* @part is NAME[:SETTING,...]; its settings of the kernel come after the others. */
static bool read_rebuild(const char *part, struct policy_choice *choice, GError **error)
{
	g_auto(GStrv) halves = g_strsplit(part, ":", 2);
	g_auto(GStrv) settings = g_strsplit(halves[1] ? halves[1] : "", ",", -1);
	g_autoptr(GString) text = g_string_new(halves[0]);
	bool took = false, any = false;

	for (int i = 0; settings[i]; i++) {
		if (take_kernel_setting(choice, settings[i])) {
			took = true;
			continue;
		}
		g_string_append_printf(text, "%c%s", any ? ',' : ':', settings[i]);
		any = true;
	}
	if (halves[1] && !any && !took)
		g_string_append_c(text, ':');
	choice->has_rebuild = true;
	return rebuild_policy_parse(text->str, &choice->rebuild, error);
}

/* The kernel takes each setting from one place. */
static bool check_kernel_settings(const struct policy_choice *choice, GError **error)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	const GPtrArray *settings = choice->wakeup.settings;

	for (guint i = 0; i < settings->len; i++)
		if (!g_hash_table_add(seen, key_of(settings->pdata[i])))
			return fail(error, "each setting once", settings->pdata[i]);
	return true;
}

struct parts {
	const char *wakeup, *rebuild; /* NULL: none; not owned */
};

/* Sorts @part, whose name must be known, into @parts. */
static bool sort_part(const char *part, struct parts *parts, GError **error)
{
	g_autofree char *name = g_strndup(part, strcspn(part, ":"));
	bool is_wakeup = wakeup_policy_find(name);
	const char **place = is_wakeup ? &parts->wakeup : &parts->rebuild;

	if (!is_wakeup && !rebuild_policy_find(name))
		return refuse_name(name, error);
	if (*place)
		return fail(error,
			    is_wakeup ? "one wakeup policy at most"
				      : "one rebuild policy at most",
			    part);
	*place = part;
	return true;
}

static bool read_parts(char *const *list, struct policy_choice *choice, GError **error)
{
	struct parts parts = {0};

	for (int i = 0; list[i]; i++)
		if (!sort_part(list[i], &parts, error))
			return false;
	if (!list[0])
		return refuse_name("", error);
	if (!parts.wakeup)
		parts.wakeup = wakeup_policies()[0]->name;
	return wakeup_policy_instance(parts.wakeup, &choice->wakeup, error) &&
	       (!parts.rebuild || read_rebuild(parts.rebuild, choice, error)) &&
	       check_kernel_settings(choice, error);
}

/* Where the names begin: after LABEL=, if that is there.  NULL: it is empty. */
static const char *after_label(const char *text, GError **error)
{
	gsize length = strcspn(text, "=:+");

	if (text[length] != '=')
		return text;
	if (!length) {
		fail(error, "a label before the =", "");
		return NULL;
	}
	return text + length + 1;
}

bool policy_choice_parse(const char *text, struct policy_choice *out, GError **error)
{
	g_auto(policy_choice) choice = {0};
	const char *names = after_label(text, error);
	g_auto(GStrv) list = names ? g_strsplit(names, "+", -1) : NULL;

	if (!names)
		return false;
	for (const char *c = text; *c; c++)
		if (g_ascii_iscntrl(*c))
			return fail(error, "no control characters", text);
	if (!read_parts(list, &choice, error))
		return false;
	choice.label = names == text ? g_strdup(text)
				     : g_strndup(text, (gsize)(names - text) - 1);
	*out = choice;
	choice = (struct policy_choice){0};
	return true;
}

void policy_choice_clear(struct policy_choice *choice)
{
	g_clear_pointer(&choice->label, g_free);
	policy_instance_clear(&choice->wakeup);
}
