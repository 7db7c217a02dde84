/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of a report's head.
 */
#include "report/describe.h"

#include "base/duration.h"
#include "schedsim/units.h"
#include "workload/control.h"

static int count_llcs(const topology *topo)
{
	int nr = 0;

	for (int cpu = 0; cpu < topo->nr_cpus; cpu++)
		nr = MAX(nr, topo->cpu[cpu].llc + 1);
	return nr;
}

static char *describe_machine(const topology *topo)
{
	int llcs = count_llcs(topo);

	return g_strdup_printf("%s: %d CPU%s, %d LLC%s, %d node%s", topo->name,
			       topo->nr_cpus, topo->nr_cpus == 1 ? "" : "s", llcs,
			       llcs == 1 ? "" : "s", topo->nr_nodes,
			       topo->nr_nodes == 1 ? "" : "s");
}

static char *describe_kernel(const struct machine_spec *spec)
{
	static const char *const preempt[] = {
		[PREEMPT_NONE] = "none",
		[PREEMPT_VOLUNTARY] = "voluntary",
		[PREEMPT_FULL] = "full",
	};

	return g_strdup_printf("%s, HZ %u, preempt %s", spec->profile->name, spec->hz,
			       preempt[spec->preempt]);
}

static char *describe_span(const workload *w)
{
	g_autofree char *span = w->duration_ns == UINT64_MAX
					? g_strdup("until every thread has ended")
					: duration_format(w->duration_ns);
	g_autofree char *warmup = duration_format(w->warmup_ns);

	if (!w->warmup_ns)
		return g_strdup(span);
	return g_strdup_printf("%s, after %s of warm-up", span, warmup);
}

static char *describe_tasks(const workload *w)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < w->nr_tasks; i++) {
		const struct task_spec *t = &w->tasks[i];

		g_string_append_printf(text, "%s%s", i ? ", " : "", t->name);
		if (t->instances != 1)
			g_string_append_printf(text, " x%d", t->instances);
		if (t->nice)
			g_string_append_printf(text, " (nice %d)", t->nice);
	}
	return g_string_free(text, FALSE);
}

static void append_source(GString *text, const struct source_spec *s)
{
	static const char *const kinds[] = {
		[ARRIVE_FIXED] = "fixed",
		[ARRIVE_POISSON] = "Poisson",
		[ARRIVE_RECORDED] = "recorded",
		[ARRIVE_CLOSED] = "closed loop",
	};
	g_autofree char *interval = duration_format(s->interval_ns);

	g_string_append_printf(text, "%s (%s", s->name, kinds[s->kind]);
	switch (s->kind) {
	case ARRIVE_FIXED:
	case ARRIVE_POISSON:
		g_string_append_printf(text, ", one arrival each %s", interval);
		break;
	case ARRIVE_RECORDED:
		g_string_append_printf(text, " in %s", s->file);
		break;
	case ARRIVE_CLOSED:
		g_string_append_printf(text, ", %d clients", s->clients);
		break;
	}
	g_string_append_c(text, ')');
}

static char *describe_sources(const workload *w)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < w->nr_sources; i++) {
		if (i)
			g_string_append(text, ", ");
		append_source(text, &w->sources[i]);
	}
	return g_string_free(text, FALSE);
}

static char *describe_params(const workload *w)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; w->params && i < w->params->len; i++) {
		const struct workload_param *param = g_ptr_array_index(w->params, i);

		g_string_append_printf(text, "%s%s=%s", i ? " " : "", param->name,
				       param->value);
	}
	return g_string_free(text, FALSE);
}

static char *describe_cgroups(const struct control *c)
{
	int nr = c ? c->nr_paths - 1 : 0;

	if (!nr)
		return g_strdup("");
	return g_strdup_printf("version %d, %d group%s", c->version, nr,
			       nr == 1 ? "" : "s");
}

/* How many threads carry out each kind. */
static char *describe_operations(const struct control *c)
{
	GString *text = g_string_new(NULL);

	for (int row = 0; c && row < c->nr_rows; row++) {
		int nr = 0;

		for (int i = 0; i < c->nr_operations; i++)
			if (c->operations[i].row == row)
				nr += c->operations[i].thread.instances;
		g_string_append_printf(text, "%s%s", row ? ", " : "", c->rows[row]);
		if (nr != 1)
			g_string_append_printf(text, " x%d", nr);
	}
	return g_string_free(text, FALSE);
}

/* Takes @text over; an empty one is left out. */
static void add_note(GPtrArray *notes, const char *name, char *text)
{
	if (!*text) {
		g_free(text);
		return;
	}
	g_ptr_array_add(notes, g_strdup(name));
	g_ptr_array_add(notes, text);
}

char **describe_input(const struct workload_input *in)
{
	const workload *w = in->workload;
	GPtrArray *notes = g_ptr_array_new();

	add_note(notes, "about", g_strdup(w->about ? w->about : ""));
	add_note(notes, "params", describe_params(w));
	add_note(notes, "machine", describe_machine(in->topology));
	add_note(notes, "kernel", describe_kernel(&in->spec));
	add_note(notes, "isolcpus", cpumask_to_list(&in->spec.isolated));
	add_note(notes, "simulated", describe_span(w));
	add_note(notes, "cgroups", describe_cgroups(w->control));
	add_note(notes, "tasks", describe_tasks(w));
	add_note(notes, "sources", describe_sources(w));
	add_note(notes, "operations", describe_operations(w->control));
	g_ptr_array_add(notes, NULL);
	return (char **)g_ptr_array_free(notes, FALSE);
}

static char *describe_param(const struct policy_param *param, const void *params)
{
	const char *field = (const char *)params + param->offset;
	uint64_t value = param->type == POLICY_PARAM_BOOL
				 ? *(const bool *)(const void *)field
				 : *(const uint64_t *)(const void *)field;

	return g_strdup_printf("%s=%llu", param->name, (unsigned long long)value);
}

static void list_rebuild_settings(GPtrArray *settings,
				  const struct rebuild_policy *policy)
{
	g_autoptr(GPtrArray) changed =
		rebuild_policy_settings(policy, rebuild_policy_find(policy->name));

	for (guint i = 0; i < changed->len; i++) {
		const struct rebuild_setting *setting = changed->pdata[i];

		g_ptr_array_add(settings, g_strdup_printf("%s=%s", setting->name,
							  setting->value));
	}
}

char **describe_settings(const struct policy_choice *choice)
{
	GPtrArray *settings = g_ptr_array_new();
	const struct policy_instance *wakeup = &choice->wakeup;
	const struct policy_param *param = wakeup->policy.params;

	for (; param && param->name; param++)
		g_ptr_array_add(settings, describe_param(param, wakeup->params));
	if (choice->has_rebuild)
		list_rebuild_settings(settings, &choice->rebuild);
	for (guint i = 0; i < wakeup->settings->len; i++)
		g_ptr_array_add(settings,
				g_strdup(g_ptr_array_index(wakeup->settings, i)));
	g_ptr_array_add(settings, NULL);
	return (char **)g_ptr_array_free(settings, FALSE);
}

char *describe_policy_name(const struct policy_choice *choice)
{
	const char *wakeup = choice->wakeup.policy.name;

	if (!choice->has_rebuild)
		return g_strdup(wakeup);
	return g_strdup_printf("%s+%s", wakeup, choice->rebuild.name);
}

char *describe_policy(const struct policy_choice *choice)
{
	const char *wakeup = choice->wakeup.policy.summary;

	if (!choice->has_rebuild)
		return g_strdup(wakeup);
	return g_strdup_printf("%s; %s", wakeup, choice->rebuild.summary);
}
