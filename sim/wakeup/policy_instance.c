/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a policy as the command line names it.
 */
#include "base/duration.h"
#include "base/nearest.h"
#include "model/machine_new.h"
#include "schedsim/error.h"
#include "wakeup/registry.h"

#include <string.h>

static bool refuse(GError **error, const char *expected, const char *got)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, "expected %s, got \"%s\"",
		    expected, got);
	return false;
}

/* Says which of @known (ends with NULL) @got may have been meant for. */
static bool refuse_name(GError **error, const char *expected, const char *got,
			const char *const *known)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "expected %s, got \"%s\"; the nearest is \"%s\"", expected, got,
		    nearest_name(got, known));
	return false;
}

static bool refuse_policy(GError **error, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (int i = 0; wakeup_policies()[i]; i++)
		g_ptr_array_add(names, (char *)wakeup_policies()[i]->name);
	g_ptr_array_add(names, NULL);
	return refuse_name(error, "a policy's name", name,
			   (const char *const *)names->pdata);
}

static bool refuse_setting(GError **error, const struct wakeup_policy *policy,
			   const char *key)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const struct policy_param *param;

	for (param = policy->params; param && param->name; param++)
		g_ptr_array_add(names, (char *)param->name);
	for (int i = 0; machine_setting_names()[i]; i++)
		g_ptr_array_add(names, (char *)machine_setting_names()[i]);
	g_ptr_array_add(names, NULL);
	return refuse_name(error, "a setting of the policy or of the kernel", key,
			   (const char *const *)names->pdata);
}

static const struct policy_param *find_param(const struct wakeup_policy *policy,
					     const char *key)
{
	const struct policy_param *param;

	for (param = policy->params; param && param->name; param++)
		if (!strcmp(param->name, key))
			return param;
	return NULL;
}

static bool read_number(const char *name, const char *text, uint64_t *out,
			GError **error)
{
	if (g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, out, NULL))
		return true;
	if (g_str_has_suffix(name, "_ns"))
		return duration_parse(text, out, error);
	return refuse(error, "a whole number", text);
}

static bool read_switch(const char *text, uint64_t *out, GError **error)
{
	*out = text[0] == '1';
	if (strcmp(text, "0") && strcmp(text, "1"))
		return refuse(error, "0 or 1", text);
	return true;
}

static bool set_param(struct policy_instance *instance,
		      const struct policy_param *param, const char *text,
		      GError **error)
{
	uint64_t value;
	bool ok = param->type == POLICY_PARAM_BOOL
			  ? read_switch(text, &value, error)
			  : read_number(param->name, text, &value, error);

	if (!ok) {
		g_prefix_error(error, "%s: ", param->name);
		return false;
	}
	policy_param_set(param, instance->params, value);
	return true;
}

/* The name that @setting sets: before its '=', or without its NO_.  (transfer full) */
static char *setting_key(const char *setting)
{
	const char *equals = strchr(setting, '=');

	if (equals)
		return g_strndup(setting, (gsize)(equals - setting));
	return g_strdup(g_str_has_prefix(setting, "NO_") ? setting + 3 : setting);
}

/* @seen: names set so far, as a set. */
static bool read_setting(struct policy_instance *instance, const char *setting,
			 GHashTable *seen, GError **error)
{
	char *key = setting_key(setting);
	bool is_new = g_hash_table_add(seen, key);
	const struct policy_param *param = find_param(&instance->policy, key);
	const char *equals = strchr(setting, '=');

	if (!*key)
		return refuse(error, "a setting between commas", setting);
	if (!is_new)
		return refuse(error, "each setting once", setting);
	if (param)
		return set_param(instance, param, equals ? equals + 1 : "", error);
	if (!g_strv_contains(machine_setting_names(), key))
		return refuse_setting(error, &instance->policy, key);
	g_ptr_array_add(instance->settings, g_strdup(setting));
	return true;
}

static bool read_settings(struct policy_instance *instance, const char *text,
			  GError **error)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_auto(GStrv) settings = g_strsplit(text, ",", -1);

	if (!settings[0])
		return refuse(error, "a setting after the colon", text);
	for (int i = 0; settings[i]; i++)
		if (!read_setting(instance, settings[i], seen, error))
			return false;
	return true;
}

static struct policy_instance instance_of(const struct wakeup_policy *policy,
					  const char *label)
{
	struct policy_instance instance = {
		.label = g_strdup(label),
		.policy = wakeup_policy_complete(policy),
		.params = policy->params_size ? g_malloc0(policy->params_size) : NULL,
		.settings = g_ptr_array_new_with_free_func(g_free),
	};

	wakeup_policy_defaults(policy, instance.params);
	return instance;
}

/*
 * Cuts @text, which is written to, into its parts: "LABEL=NAME:SETTINGS".  *@label
 * and *@settings are NULL where there is none.
 */
static bool split(char *text, const char **label, const char **name,
		  const char **settings, GError **error)
{
	char *colon = strchr(text, ':');
	char *equals, *plus;

	if (colon)
		*colon = '\0';
	*settings = colon ? colon + 1 : NULL;
	equals = strchr(text, '=');
	if (equals)
		*equals = '\0';
	*label = equals ? text : NULL;
	*name = equals ? equals + 1 : text;
	if (equals == text)
		return refuse(error, "a label before the =", "");
	plus = strchr(*name, '+');
	if (!plus && colon)
		plus = strchr(*settings, '+');
	if (plus) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected one wakeup policy alone, got \"%s\" joined to it",
			    plus + 1);
		return false;
	}
	return true;
}

bool wakeup_policy_instance(const char *text, struct policy_instance *out,
			    GError **error)
{
	g_auto(policy_instance) instance = {0};
	g_autofree char *parts = g_strdup(text);
	const char *label, *name, *settings;
	const struct wakeup_policy *policy;

	if (!split(parts, &label, &name, &settings, error))
		return false;
	for (const char *c = text; *c; c++)
		if (g_ascii_iscntrl(*c))
			return refuse(error, "no control characters", text);
	policy = wakeup_policy_find(name);
	if (!policy)
		return refuse_policy(error, name);
	instance = instance_of(policy, label ? label : text);
	if (settings && !read_settings(&instance, settings, error)) {
		g_prefix_error(error, "%s: ", name);
		return false;
	}
	*out = instance;
	instance = (struct policy_instance){0};
	return true;
}

void policy_instance_clear(struct policy_instance *instance)
{
	g_clear_pointer(&instance->label, g_free);
	g_clear_pointer(&instance->params, g_free);
	g_clear_pointer(&instance->settings, g_ptr_array_unref);
}
