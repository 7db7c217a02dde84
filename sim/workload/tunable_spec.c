/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which policy will run is not known here: its setting may be that of any.
 */
#include "workload/tunable_spec.h"

#include "base/nearest.h"
#include "schedsim/error.h"
#include "schedsim/wakeup.h"
#include "workload/machine_read.h"
#include "workload/read.h"

#include <string.h>

static const char *const features[] = {
#define SCHED_FEATURE(name, on, why) #name,
#include "schedsim/features.def"
#undef SCHED_FEATURE
	NULL,
};

/*
 * Not among them: nr_latency, which the kernel has no file for, and the clamps, which
 * a write has the kernel go through all groups and real-time tasks for.
 */
#define UNSUPPORTED_PREFIX "sched_util_clamp_"
#define WITHOUT_FILE "nr_latency"

static const char *const tunables[] = {
#define SCHED_TUNABLE(name, base, scaled, why) #name,
#include "schedsim/tunables.def"
#undef SCHED_TUNABLE
	NULL,
};

static const struct policy_param *find_param(const char *name)
{
	for (int i = 0; wakeup_policies()[i]; i++) {
		const struct policy_param *param = wakeup_policies()[i]->params;

		for (; param && param->name; param++)
			if (!strcmp(param->name, name))
				return param;
	}
	return NULL;
}

/* All names there are; NULL at the end.  (transfer container) */
static const char **all_names(void)
{
	GPtrArray *names = g_ptr_array_new();

	for (int i = 0; features[i]; i++)
		g_ptr_array_add(names, (gpointer)features[i]);
	for (int i = 0; tunables[i]; i++)
		if (strcmp(tunables[i], WITHOUT_FILE))
			g_ptr_array_add(names, (gpointer)tunables[i]);
	for (int i = 0; wakeup_policies()[i]; i++) {
		const struct policy_param *param = wakeup_policies()[i]->params;

		for (; param && param->name; param++)
			g_ptr_array_add(names, (gpointer)param->name);
	}
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}

static bool refuse_name(const struct node *n, const char *name, GError **error)
{
	g_autofree const char **names = all_names();

	return node_fail(
		n, INPUT_ERROR_VALUE, error,
		"expected a feature, a tunable or a setting of a wakeup policy, "
		"got \"%s\"; the nearest is \"%s\"",
		name, nearest_name(name, names));
}

/* "WA_IDLE" or "NO_WA_IDLE", as one writes to debugfs sched/features. */
static bool take_feature(const char *name, struct operation_spec *op)
{
	bool off = g_str_has_prefix(name, "NO_");

	if (!g_strv_contains(features, off ? name + strlen("NO_") : name))
		return false;
	op->tunable = TUNABLE_FEATURE;
	op->value = !off;
	return true;
}

static bool read_kernel_value(const struct reading *r, const struct node *n,
			      const char *name, struct operation_spec *op,
			      GError **error)
{
	struct machine_spec scratch = *r->spec;
	int64_t number, min = -!strcmp(name, "sched_rt_runtime_us");
	g_autofree char *setting = NULL;

	if (!setting_number_read(n, name, min, UINT32_MAX, &number, error))
		return false;
	setting = g_strdup_printf("%s=%" G_GINT64_FORMAT, name, number);
	if (!machine_spec_set(&scratch, setting, error))
		return node_prefix(n, error);
	op->tunable = TUNABLE_OF_KERNEL;
	op->value = number < 0 ? RT_RUNTIME_UNLIMITED : (uint64_t)number;
	return true;
}

static bool read_policy_value(const struct node *n, const struct policy_param *param,
			      struct operation_spec *op, GError **error)
{
	int64_t max = param->type == POLICY_PARAM_BOOL ? 1 : SPAN_MAX_NS;
	int64_t number;

	if (!setting_number_read(n, param->name, 0, max, &number, error))
		return false;
	op->tunable = TUNABLE_OF_POLICY;
	op->value = (uint64_t)number;
	return true;
}

static bool read_value(const struct reading *r, const struct node *name_node,
		       const struct node *value, const char *name,
		       struct operation_spec *op, GError **error)
{
	const struct policy_param *param = find_param(name);
	bool is_kernels = g_strv_contains(tunables, name) && strcmp(name, WITHOUT_FILE);

	if (g_str_has_prefix(name, UNSUPPORTED_PREFIX) && is_kernels)
		return node_unsupported(name_node, "a clamp that changes in a run",
					error);
	if (!param && !is_kernels)
		return refuse_name(name_node, name, error);
	if (!value->json)
		return node_fail(name_node->up, INPUT_ERROR_VALUE, error,
				 "expected the key \"value\"");
	return param ? read_policy_value(value, param, op, error)
		     : read_kernel_value(r, value, name, op, error);
}

bool tunable_read(struct reading *r, const struct node *n, struct operation_spec *op,
		  GError **error)
{
	static const char *const keys[] = {"name", "value", NULL};
	struct node name_node = node_get(n, "name"), value = node_get(n, "value");
	const char *name;

	if (!node_has_only(n, keys, error))
		return false;
	if (!name_node.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"name\"");
	if (!read_name(&name_node, "a setting's name", &name, error))
		return false;
	op->file = g_strdup(name);
	if (!take_feature(name, op))
		return read_value(r, &name_node, &value, name, op, error);
	return !value.json ||
	       node_fail(&value, INPUT_ERROR_VALUE, error,
			 "expected no value of a feature, which its name turns on or "
			 "off (NO_)");
}
