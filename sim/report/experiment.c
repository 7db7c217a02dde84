/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of an experiment and of what describes it.
 */
#include "report/experiment.h"

#include <string.h>

static void param_axis_clear(gpointer p)
{
	struct param_axis *axis = p;

	g_free(axis->name);
	g_strfreev(axis->steps);
}

static void input_file_clear(gpointer p)
{
	struct input_file *file = p;

	g_free(file->path);
	g_free(file->sha256);
}

static void policy_clear(gpointer p)
{
	struct experiment_policy *policy = p;

	g_free(policy->text);
	g_free(policy->label);
	g_free(policy->name);
	g_free(policy->summary);
	g_strfreev(policy->settings);
}

static void case_clear(gpointer p)
{
	struct experiment_case *c = p;

	g_strfreev(c->params);
	g_strfreev(c->notes);
	g_strfreev(c->warnings);
}

static GArray *array_of(gsize size, GDestroyNotify clear)
{
	GArray *array = g_array_new(FALSE, TRUE, size);

	g_array_set_clear_func(array, clear);
	return array;
}

void experiment_spec_init(struct experiment_spec *spec)
{
	*spec = (struct experiment_spec){
		.params = array_of(sizeof(struct param_axis), param_axis_clear),
		.seed = 1,
		.runs = 1,
		.duration_ns = UINT64_MAX,
		.warmup_ns = UINT64_MAX,
	};
}

void experiment_spec_clear(struct experiment_spec *spec)
{
	g_strfreev(spec->workloads);
	g_strfreev(spec->policies);
	if (spec->params)
		g_array_unref(spec->params);
	g_free(spec->machine);
	memset(spec, 0, sizeof(*spec));
}

experiment *experiment_new(void)
{
	experiment *e = g_new0(experiment, 1);

	e->files = array_of(sizeof(struct input_file), input_file_clear);
	e->policies = array_of(sizeof(struct experiment_policy), policy_clear);
	e->cases = array_of(sizeof(struct experiment_case), case_clear);
	return e;
}

guint experiment_nr_cells(const experiment *e)
{
	return e->cases->len * e->policies->len * e->spec.runs;
}

void experiment_free(experiment *e)
{
	if (!e)
		return;
	for (guint i = 0; e->cells && i < experiment_nr_cells(e); i++)
		figures_free(e->cells[i]);
	g_free(e->cells);
	g_array_unref(e->files);
	g_array_unref(e->policies);
	g_array_unref(e->cases);
	experiment_spec_clear(&e->spec);
	g_free(e->version);
	g_free(e);
}
