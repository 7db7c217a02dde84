/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a user may say of a machine: defaults, and settings by the kernel's names.
 */
#include "model/machine_new.h"

#include "base/nearest.h"
#include "schedsim/error.h"
#include "schedsim/units.h"

#include <string.h>

/* Debian's kernels and most others for servers. */
#define DEFAULT_HZ 250

/* Not a file of the kernel's: SIS_UTIL's bound as a fixed number. */
#define NR_IDLE_SCAN "nr_idle_scan"

/* Every cost at once: none, or a share of what it is. */
#define COSTS "costs"
#define COSTS_PERCENT_MAX 10000

/* Files of debugfs sched/ hold 32 bits. */
#define TUNABLE_MAX UINT32_MAX
#define COST_MAX UINT32_MAX

struct feature_row {
	const char *name;
	size_t offset;
	bool on;
};

struct tunable_row {
	const char *name;
	size_t offset;
	uint64_t base;
	bool scaled;
};

static const struct feature_row features[] = {
#define SCHED_FEATURE(name, on, why) {#name, offsetof(struct sched_features, name), on},
#include "schedsim/features.def"
#undef SCHED_FEATURE
};

static const struct tunable_row tunables[] = {
#define SCHED_TUNABLE(name, base, scaled, why)                                         \
	{#name, offsetof(struct sched_tunables, name), base, scaled},
#include "schedsim/tunables.def"
#undef SCHED_TUNABLE
};

struct cost_row {
	const char *name;
	size_t offset;
	bool scales;
};

static const struct cost_row costs[] = {
#define MACHINE_COST(name, ns, why) {#name, offsetof(struct machine_costs, name), true},
#define MACHINE_THRESHOLD(name, ns, why)                                               \
	{#name, offsetof(struct machine_costs, name), false},
#include "schedsim/costs.def"
#undef MACHINE_COST
};

static uint64_t *cost_of(struct machine_costs *values, const struct cost_row *row)
{
	return (uint64_t *)(void *)((char *)values + row->offset);
}

static bool *feature_of(struct sched_features *feat, const struct feature_row *row)
{
	return (bool *)(void *)((char *)feat + row->offset);
}

static uint64_t *tunable_of(struct sched_tunables *values,
			    const struct tunable_row *row)
{
	return (uint64_t *)(void *)((char *)values + row->offset);
}

/* Scaling */

static uint64_t log2_floor(uint64_t n)
{
	return 63 - (uint64_t)__builtin_clzll(n);
}

uint64_t tunable_scaling_factor(enum tunable_scaling scaling, int nr_cpus)
{
	uint64_t cpus = (uint64_t)MIN(nr_cpus, 8);

	g_assert(nr_cpus >= 1);

	switch (scaling) {
	case SCALING_NONE:
		return 1;
	case SCALING_LINEAR:
		return cpus;
	case SCALING_LOG:
		break;
	}
	return 1 + log2_floor(cpus);
}

struct sched_tunables tunables_for(enum tunable_scaling scaling, int nr_cpus)
{
	uint64_t factor = tunable_scaling_factor(scaling, nr_cpus);
	struct sched_tunables values;

	for (size_t i = 0; i < G_N_ELEMENTS(tunables); i++)
		*tunable_of(&values, &tunables[i]) =
			tunables[i].base * (tunables[i].scaled ? factor : 1);
	return values;
}

void machine_normalize_tunables(struct machine *m)
{
	uint64_t factor =
		tunable_scaling_factor(m->scaling, cpumask_weight(&m->online));

	m->normalized = m->tunables;
	for (size_t i = 0; i < G_N_ELEMENTS(tunables); i++)
		if (tunables[i].scaled)
			*tunable_of(&m->normalized, &tunables[i]) /= factor;
}

void machine_scale_tunables(struct machine *m)
{
	uint64_t factor =
		tunable_scaling_factor(m->scaling, cpumask_weight(&m->online));

	for (size_t i = 0; i < G_N_ELEMENTS(tunables); i++)
		if (tunables[i].scaled)
			*tunable_of(&m->tunables, &tunables[i]) =
				*tunable_of(&m->normalized, &tunables[i]) * factor;
}

/* Defaults */

void machine_spec_init(struct machine_spec *spec, const struct kernel_profile *profile)
{
	*spec = (struct machine_spec){
		.profile = profile,
		.preempt = PREEMPT_VOLUNTARY,
		.hz = DEFAULT_HZ,
		.scaling = SCALING_LOG,
		.costs =
			{
#define MACHINE_COST(name, ns, why) .name = ns,
#include "schedsim/costs.def"
#undef MACHINE_COST
			},
		.nr_idle_scan_fixed = -1,
		.nohz = true,
	};
	for (size_t i = 0; i < G_N_ELEMENTS(features); i++)
		*feature_of(&spec->feat, &features[i]) = features[i].on;
	for (size_t i = 0; i < G_N_ELEMENTS(tunables); i++)
		*tunable_of(&spec->tunables, &tunables[i]) = UINT64_MAX;
	control_costs_init(&spec->control_costs);
	if (profile && !profile->has_ni_random)
		spec->feat.NI_RANDOM = false;
}

/* Settings */

static const struct feature_row *find_feature(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(features); i++)
		if (!strcmp(features[i].name, name))
			return &features[i];
	return NULL;
}

static const struct tunable_row *find_tunable(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(tunables); i++)
		if (!strcmp(tunables[i].name, name))
			return &tunables[i];
	return NULL;
}

static const struct cost_row *find_cost(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(costs); i++)
		if (!strcmp(costs[i].name, name))
			return &costs[i];
	return NULL;
}

bool machine_write_feature(struct machine *m, const char *name, bool on)
{
	const struct feature_row *row = find_feature(name);

	if (row)
		*feature_of(&m->feat, row) = on;
	return row;
}

bool machine_write_tunable(struct machine *m, const char *name, uint64_t value)
{
	const struct tunable_row *row = find_tunable(name);

	if (row)
		*tunable_of(&m->tunables, row) = value;
	return row;
}

const char *const *machine_setting_names(void)
{
	static const char *const names[] = {
#define SCHED_FEATURE(name, on, why) #name,
#include "schedsim/features.def"
#undef SCHED_FEATURE
#define SCHED_TUNABLE(name, base, scaled, why) #name,
#include "schedsim/tunables.def"
#undef SCHED_TUNABLE
		NR_IDLE_SCAN,
#define MACHINE_COST(name, ns, why) #name,
#include "schedsim/costs.def"
#undef MACHINE_COST
#define CONTROL_COST(name, kind, a, b, why) #name,
#include "schedsim/control_costs.def"
#undef CONTROL_COST
		COSTS,
		NULL,
	};

	return names;
}

/* @prefix is the "NO_" that was cut off @name, or "". */
static bool set_unknown(const char *prefix, const char *name, GError **error)
{
	const char *nearest = nearest_name(name, machine_setting_names());

	g_set_error(
		error, INPUT_ERROR, INPUT_ERROR_VALUE,
		"expected a feature, a tunable or a cost, got \"%s%s\"; the nearest "
		"is \"%s%s\"",
		prefix, name, find_feature(nearest) ? prefix : "", nearest);
	return false;
}

static bool costs_expected(const char *got, GError **error)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    COSTS
		    ": expected \"none\" or a percentage from 0%% to %d%%, got \"%s\"",
		    COSTS_PERCENT_MAX, got);
	return false;
}

/* @text: "none" or "50%" */
static bool set_costs(struct machine_spec *spec, const char *text, GError **error)
{
	struct machine_costs *values = &spec->costs;
	g_autofree char *number = NULL;
	guint64 percent;

	if (!strcmp(text, "none")) {
		memset(values, 0, sizeof(*values));
		control_costs_none(&spec->control_costs);
		return true;
	}
	if (!g_str_has_suffix(text, "%"))
		return costs_expected(text, error);
	number = g_strndup(text, strlen(text) - 1);
	if (!g_ascii_string_to_unsigned(number, 10, 0, COSTS_PERCENT_MAX, &percent,
					NULL))
		return costs_expected(text, error);
	for (size_t i = 0; i < G_N_ELEMENTS(costs); i++) {
		uint64_t *value = cost_of(values, &costs[i]);

		if (costs[i].scales)
			*value = MIN((unsigned __int128)*value * percent / 100,
				     INT64_MAX);
	}
	control_costs_scale(&spec->control_costs, percent);
	return true;
}

static bool set_feature(struct machine_spec *spec, const char *setting, GError **error)
{
	bool on = !g_str_has_prefix(setting, "NO_");
	const char *name = on ? setting : setting + strlen("NO_");
	const struct feature_row *row = find_feature(name);

	if (!row && on && !strcmp(name, COSTS))
		return costs_expected("", error);
	if (!row && on &&
	    (find_tunable(name) || find_cost(name) ||
	     control_cost_find(&spec->control_costs, name) ||
	     !strcmp(name, NR_IDLE_SCAN))) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected \"%s=NUMBER\", got \"%s\"", name, setting);
		return false;
	}
	if (!row)
		return set_unknown(on ? "" : "NO_", name, error);
	if (on && !strcmp(name, "NI_RANDOM") && !spec->profile->has_ni_random) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected a feature of kernel %s, got \"%s\"",
			    spec->profile->name, setting);
		return false;
	}
	*feature_of(&spec->feat, row) = on;
	return true;
}

static bool read_number(const char *name, const char *text, uint64_t min, uint64_t max,
			uint64_t *out, GError **error)
{
	guint64 value;

	if (!g_ascii_string_to_unsigned(text, 10, min, max, &value, NULL)) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "%s: expected a whole number from %" G_GUINT64_FORMAT
			    " to %" G_GUINT64_FORMAT ", got \"%s\"",
			    name, min, max, text);
		return false;
	}
	*out = value;
	return true;
}

/* Of CAPACITY_ONE.  source: sysctl_sched_uclamp_handler() */
static bool is_clamp(const char *name)
{
	return g_str_has_prefix(name, "sched_util_clamp_");
}

/* source: sched_rt_handler(), which takes -1 for no limit and no period of 0 */
static bool set_tunable(struct machine_spec *spec, const struct tunable_row *row,
			const char *text, GError **error)
{
	uint64_t *value = tunable_of(&spec->tunables, row);
	uint64_t min = !strcmp(row->name, "sched_rt_period_us");

	if (!strcmp(row->name, "sched_rt_runtime_us") && !strcmp(text, "-1")) {
		*value = RT_RUNTIME_UNLIMITED;
		return true;
	}
	return read_number(row->name, text, min,
			   is_clamp(row->name) ? CAPACITY_ONE : TUNABLE_MAX, value,
			   error);
}

static bool set_control_cost(struct control_cost *cost, const char *name,
			     const char *text, GError **error)
{
	uint64_t ns;

	if (!read_number(name, text, 0, COST_MAX, &ns, error))
		return false;
	control_cost_set(cost, ns);
	return true;
}

static bool set_number(struct machine_spec *spec, const char *name, const char *text,
		       GError **error)
{
	const struct tunable_row *row = find_tunable(name);
	const struct cost_row *cost = find_cost(name);
	struct control_cost *control = control_cost_find(&spec->control_costs, name);
	uint64_t value;

	if (!strcmp(name, NR_IDLE_SCAN)) {
		if (!read_number(name, text, 0, CPUS_MAX, &value, error))
			return false;
		spec->nr_idle_scan_fixed = (int)value;
		return true;
	}
	if (row)
		return set_tunable(spec, row, text, error);
	if (!strcmp(name, COSTS))
		return set_costs(spec, text, error);
	if (cost)
		return read_number(name, text, 0, COST_MAX, cost_of(&spec->costs, cost),
				   error);
	if (control)
		return set_control_cost(control, name, text, error);
	if (find_feature(name)) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected \"%s\" or \"NO_%s\", got \"%s=%s\"", name, name,
			    name, text);
		return false;
	}
	return set_unknown("", name, error);
}

bool machine_spec_set(struct machine_spec *spec, const char *setting, GError **error)
{
	const char *equals = strchr(setting, '=');
	g_autofree char *name = NULL;

	if (!equals)
		return set_feature(spec, setting, error);
	name = g_strndup(setting, (gsize)(equals - setting));
	return set_number(spec, name, equals + 1, error);
}

/* What a tunable that scales with nothing will be. */
static uint64_t value_of(const struct machine_spec *spec, const char *name)
{
	const struct tunable_row *row = find_tunable(name);
	struct sched_tunables set = spec->tunables;
	uint64_t value = *tunable_of(&set, row);

	return value == UINT64_MAX ? row->base : value;
}

static bool check_at_most(const struct machine_spec *spec, const char *name,
			  const char *limit, GError **error)
{
	uint64_t value = value_of(spec, name), max = value_of(spec, limit);

	if (value <= max)
		return true;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "%s: expected at most %s, %" G_GUINT64_FORMAT
		    ", got %" G_GUINT64_FORMAT,
		    name, limit, max, value);
	return false;
}

bool machine_spec_check(const struct machine_spec *spec, GError **error)
{
	bool unlimited = spec->tunables.sched_rt_runtime_us == RT_RUNTIME_UNLIMITED;

	return (unlimited || check_at_most(spec, "sched_rt_runtime_us",
					   "sched_rt_period_us", error)) &&
	       check_at_most(spec, "sched_deadline_period_min_us",
			     "sched_deadline_period_max_us", error) &&
	       check_at_most(spec, "sched_util_clamp_min", "sched_util_clamp_max",
			     error);
}
