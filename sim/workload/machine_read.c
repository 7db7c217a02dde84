/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings by the kernel's names; the shape is topology_read()'s.
 */
#include "workload/machine_read.h"

#include "base/nearest.h"
#include "sched/profile.h"
#include "schedsim/error.h"
#include "schedsim/units.h"
#include "workload/params.h"
#include "workload/read.h"
#include "workload/topology_read.h"

#include <string.h>

static bool read_kernel(const struct node *n, const struct kernel_profile **out,
			GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	int choice;

	for (const struct kernel_profile *const *p = kernel_profiles(); *p; p++)
		g_ptr_array_add(names, (gpointer)(*p)->name);
	g_ptr_array_add(names, NULL);
	if (!read_choice(n, (const char *const *)names->pdata, &choice, error))
		return false;
	*out = kernel_profiles()[choice];
	return true;
}

static bool read_preempt(const struct node *n, struct machine_spec *spec,
			 GError **error)
{
	static const char *const names[] = {"none", "voluntary", "full", NULL};
	int choice;

	if (!read_choice(n, names, &choice, error))
		return false;
	spec->preempt = (enum preempt_model)choice;
	return true;
}

/* source: kernel/Kconfig.hz */
static bool read_hz(const struct node *n, struct machine_spec *spec, GError **error)
{
	int64_t hz;

	if (!read_int(n, 100, 1000, &hz, error))
		return false;
	if (hz != 100 && hz != 250 && hz != 300 && hz != 1000)
		return node_expected(n, "100, 250, 300 or 1000", error);
	spec->hz = hz;
	return true;
}

static bool read_scaling(const struct node *n, struct machine_spec *spec,
			 GError **error)
{
	static const char *const names[] = {"none", "log", "linear", NULL};
	int choice;

	if (!read_choice(n, names, &choice, error))
		return false;
	spec->scaling = (enum tunable_scaling)choice;
	return true;
}

static bool read_features(const struct node *n, struct machine_spec *spec,
			  GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	struct node child;
	const char *setting, *name;

	if (!cJSON_IsArray(n->json))
		return node_expected(n, "an array such as [\"NO_WA_WEIGHT\"]", error);
	node_for_each(child, n)
	{
		if (!read_string(&child, &setting, error))
			return false;
		if (strchr(setting, '='))
			return node_expected(&child, "a feature", error);
		if (!machine_spec_set(spec, setting, error))
			return node_prefix(&child, error);
		name = g_str_has_prefix(setting, "NO_") ? setting + 3 : setting;
		if (!g_hash_table_add(seen, (gpointer)name))
			return node_expected(&child, "each feature once", error);
	}
	return true;
}

/* The unit that @name ends in, ns; 0: it is of no time. */
static int64_t unit_of(const char *name)
{
	if (g_str_has_suffix(name, "_ns"))
		return 1;
	if (g_str_has_suffix(name, "_us"))
		return NSEC_PER_USEC;
	return g_str_has_suffix(name, "_ms") ? NSEC_PER_MSEC : 0;
}

bool setting_number_read(const struct node *n, const char *name, int64_t min,
			 int64_t max, int64_t *out, GError **error)
{
	int64_t unit = unit_of(name);
	g_autofree char *what = g_strdup_printf("a whole number from %" G_GINT64_FORMAT
						" to %" G_GINT64_FORMAT "%s",
						min, max, unit ? " or a time" : "");
	struct quantity q;

	if (!quantity_read(n, what, &q, error))
		return false;
	if (q.time_power > 0 && unit && q.value.num % unit == 0) {
		q.value.num /= unit;
		q.time_power = 0;
	}
	if (q.time_power || q.value.den != 1 || q.value.num < min || q.value.num > max)
		return node_expected(n, what, error);
	*out = q.value.num;
	return true;
}

/* Of the setting that @n's key names. */
static bool read_number(const struct node *n, int64_t min, int64_t max, int64_t *out,
			GError **error)
{
	return setting_number_read(n, n->json->string, min, max, out, error);
}

static const char *const cost_names[] = {
#define MACHINE_COST(name, ns, why) #name,
#include "schedsim/costs.def"
#undef MACHINE_COST
#define CONTROL_COST(name, kind, a, b, why) #name,
#include "schedsim/control_costs.def"
#undef CONTROL_COST
	NULL,
};

static bool read_tunables(const struct node *n, struct machine_spec *spec,
			  GError **error)
{
	struct node child;
	int64_t value, min;

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object of tunables", error);
	node_for_each(child, n)
	{
		g_autofree char *setting = NULL;

		if (g_strv_contains(cost_names, child.json->string))
			return node_expected(&child, "a tunable, not a cost", error);
		/* without a limit */
		min = -!strcmp(child.json->string, "sched_rt_runtime_us");
		if (!node_is_first(&child, error) ||
		    !read_number(&child, min, UINT32_MAX, &value, error))
			return false;
		setting = g_strdup_printf("%s=%" G_GINT64_FORMAT, child.json->string,
					  value);
		if (!machine_spec_set(spec, setting, error))
			return node_prefix(n, error);
	}
	return true;
}

/* NULL: a cost that may be drawn. */
static uint64_t *cost_of(struct machine_costs *costs, const char *cost)
{
#define MACHINE_COST(name, ns, why)                                                    \
	if (!strcmp(cost, #name))                                                      \
		return &costs->name;
#include "schedsim/costs.def"
#undef MACHINE_COST
	return NULL;
}

/* A number or a time, or a distribution of times. */
static bool read_control_cost(const struct node *n, struct control_costs *costs,
			      GError **error)
{
	struct control_cost *cost = control_cost_find(costs, n->json->string);
	struct dist each;
	int64_t value;

	if (is_distribution(n)) {
		if (!read_time_dist(n, BARE_NONE, &each, error))
			return false;
	} else {
		if (!read_number(n, 0, SPAN_MAX_NS, &value, error))
			return false;
		each = dist_fixed((uint64_t)value);
	}
	cost->each = each;
	return true;
}

static bool read_cost(const struct node *n, struct machine_spec *spec, GError **error)
{
	uint64_t *cost = cost_of(&spec->costs, n->json->string);
	int64_t value;

	if (!node_is_first(n, error))
		return false;
	if (!cost)
		return read_control_cost(n, &spec->control_costs, error);
	if (!read_number(n, 0, SPAN_MAX_NS, &value, error))
		return false;
	*cost = (uint64_t)value;
	return true;
}

static bool read_costs(const struct node *n, struct machine_spec *spec, GError **error)
{
	struct node child;

	if (cJSON_IsString(n->json) && !strcmp(n->json->valuestring, "none")) {
		memset(&spec->costs, 0, sizeof(spec->costs));
		control_costs_none(&spec->control_costs);
		return true;
	}
	if (!cJSON_IsObject(n->json))
		return node_expected(n, "\"none\" or an object of costs", error);
	if (!node_has_only(n, cost_names, error))
		return false;
	node_for_each(child, n)
	{
		if (!read_cost(&child, spec, error))
			return false;
	}
	return true;
}

/* Settings in the order in which they build on each other: the kernel decides what
 * features there are. */
static const struct {
	const char *key;
	bool (*read)(const struct node *n, struct machine_spec *spec, GError **error);
} settings[] = {
	{"preempt", read_preempt},   {"hz", read_hz},
	{"features", read_features}, {"tunable_scaling", read_scaling},
	{"tunables", read_tunables}, {"costs", read_costs},
};

static bool read_settings(const struct node *n, struct machine_spec *spec,
			  GError **error)
{
	struct node kernel = node_get(n, "kernel");
	const struct kernel_profile *profile = kernel_profiles()[0];
	struct node setting;

	if (kernel.json && !read_kernel(&kernel, &profile, error))
		return false;
	machine_spec_init(spec, profile);
	for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
		setting = node_get(n, settings[i].key);
		if (setting.json && !settings[i].read(&setting, spec, error))
			return false;
	}
	return machine_spec_check(spec, error) || node_prefix(n, error);
}

/* What would choose frequencies, or CPUs by the energy they take. */
static bool check_no_energy(const struct node *n, GError **error)
{
	static const char *const unsupported_keys[] = {"energy_model", "governor",
						       "frequencies"};

	for (gsize i = 0; i < G_N_ELEMENTS(unsupported_keys); i++) {
		const char *name = unsupported_keys[i];
		struct node key = node_get(n, name);
		g_autofree char *quoted = g_strdup_printf("\"%s\"", name);

		if (key.json)
			return node_unsupported(&key, quoted, error);
	}
	return true;
}

static bool check_keys(const struct node *n, GError **error)
{
	static const char *const keys[] = {"topology",   "cpus",
					   "distances",  "node_reclaim_distance",
					   "capacities", "kernel",
					   "preempt",    "hz",
					   "features",   "tunable_scaling",
					   "tunables",   "costs",
					   "isolcpus",   NULL};

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "a machine's name, a topology or an object",
				     error);
	return check_no_energy(n, error) && node_has_only(n, keys, error);
}

static topology *find_shape(const char *shape, GError **error)
{
	topology *t = topology_find(shape, error);

	if (!t)
		g_prefix_error(error, "--machine: ");
	return t;
}

/* Of @nr_cpus, which were not known with the other settings. */
static bool read_isolated(const struct node *n, int nr_cpus, struct cpumask *out,
			  GError **error)
{
	struct node isolated;

	if (!cJSON_IsObject(n->json))
		return true;
	isolated = node_get(n, "isolcpus");
	if (!isolated.json)
		return true;
	if (!read_cpus(&isolated, nr_cpus, out, error))
		return false;
	return cpumask_weight(out) < nr_cpus ||
	       node_expected(&isolated, "CPUs that leave at least one to the others",
			     error);
}

bool machine_read(const struct node *n, const char *shape, topology **topo,
		  struct machine_spec *spec, GError **error)
{
	machine_spec_init(spec, kernel_profiles()[0]);
	if (n->json && !cJSON_IsString(n->json) &&
	    (!check_keys(n, error) || !read_settings(n, spec, error)))
		return false;
	if (shape)
		*topo = find_shape(shape, error);
	else if (n->json)
		*topo = topology_read(n, error);
	else
		*topo = topology_find(DEFAULT_MACHINE, error);
	if (*topo && !read_isolated(n, (*topo)->nr_cpus, &spec->isolated, error))
		g_clear_pointer(topo, topology_free);
	return *topo;
}
