/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that can be used, from the tables that define them.
 */
#include "commands.h"

#include "base/nearest.h"
#include "cpuset/rebuild_policy.h"
#include "model/machine_new.h"
#include "report/figures.h"
#include "report/limits.h"
#include "sched/profile.h"
#include "schedsim/error.h"
#include "schedsim/wakeup.h"

#include <string.h>

/* A name and its text, until align() knows how wide names are. */
static void append_row(GString *out, const char *name, const char *text)
{
	g_string_append_printf(out, "%s\t%s\n", name, text);
}

/* The texts of all rows below each other.  (transfer full) */
static char *align(const char *rows)
{
	g_auto(GStrv) lines = g_strsplit(rows, "\n", -1);
	GString *out = g_string_new(NULL);
	gsize width = 0;

	for (int i = 0; lines[i]; i++)
		if (strchr(lines[i], '\t'))
			width = MAX(width, strcspn(lines[i], "\t"));
	for (int i = 0; lines[i] && lines[i + 1]; i++) {
		int name = (int)strcspn(lines[i], "\t");

		if (!lines[i][name])
			g_string_append_printf(out, "%s\n", lines[i]);
		else
			g_string_append_printf(out, "%-*.*s  %s\n", (int)width, name,
					       lines[i], lines[i] + name + 1);
	}
	return g_string_free(out, FALSE);
}

static void append_param(GString *out, const struct policy_param *param)
{
	g_autofree char *name = g_strdup_printf("    %s=%llu", param->name,
						(unsigned long long)param->value);

	append_row(out, name, param->why);
}

/* What @s is for, and what it takes.  (transfer full) */
static char *with_choices(const struct rebuild_setting *s)
{
	g_autofree char *words = g_strjoinv(", ", (char **)s->choices);

	return g_strdup_printf("%s; one of %s", s->why, words);
}

static void append_rebuild(GString *out, const struct rebuild_policy *policy,
			   const struct rebuild_policy *base)
{
	g_autoptr(GPtrArray) settings = rebuild_policy_settings(policy, base);

	append_row(out, policy->name, policy->summary);
	for (guint i = 0; i < settings->len; i++) {
		const struct rebuild_setting *s = settings->pdata[i];
		g_autofree char *setting =
			g_strdup_printf("    %s=%s", s->name, s->value);
		g_autofree char *text = NULL;

		text = base || !s->choices ? g_strdup(s->why) : with_choices(s);
		append_row(out, setting, text);
	}
}

/*
 * The first with all its settings and what they can be, the others with what they have
 * otherwise.
 */
static void list_rebuild_policies(GString *out)
{
	const struct rebuild_policy *const *all = rebuild_policies();

	for (int i = 0; all[i]; i++)
		append_rebuild(out, all[i], i ? all[0] : NULL);
}

static void list_policies(GString *out)
{
	for (int i = 0; wakeup_policies()[i]; i++) {
		const struct wakeup_policy *policy = wakeup_policies()[i];
		const struct policy_param *param = policy->params;

		append_row(out, policy->name, policy->summary);
		for (; param && param->name; param++)
			append_param(out, param);
	}
	list_rebuild_policies(out);
}

static void list_features(GString *out)
{
#define SCHED_FEATURE(name, on, why) append_row(out, (on) ? #name : "NO_" #name, why);
#include "schedsim/features.def"
#undef SCHED_FEATURE
}

static void append_tunable(GString *out, const char *name, uint64_t base, bool scaled,
			   const char *why)
{
	g_autofree char *setting =
		g_strdup_printf("%s=%llu", name, (unsigned long long)base);
	g_autofree char *text = g_strdup_printf(
		"%s%s", why, scaled ? "; times 1 + log2(CPUs, at most 8)" : "");

	append_row(out, setting, text);
}

static void list_tunables(GString *out)
{
#define SCHED_TUNABLE(name, base, scaled, why)                                         \
	append_tunable(out, #name, base, scaled, why);
#include "schedsim/tunables.def"
#undef SCHED_TUNABLE
}

static void list_machines(GString *out)
{
	for (const struct named_machine *m = named_machines(); m->name; m++) {
		g_autofree char *text =
			g_strdup_printf("%s: %s", m->topology, m->summary);

		append_row(out, m->name, text);
	}
	append_row(out, "1n2l4c2t",
		   "any topology: NUMA nodes, LLCs, cores, threads, each of one of the "
		   "level above");
}

static const char *scope_name(enum figure_scope scope)
{
	static const char *const names[] = {
		[SCOPE_TASKS] = "all.%s%s, tasks.GROUP.%s%s",
		[SCOPE_SOURCES] = "sources.SOURCE.%s%s",
		[SCOPE_MACHINE] = "machine.%s%s",
		[SCOPE_OPERATIONS] = "operations.OPERATION.%s%s",
		[SCOPE_ROOT_DOMAINS] = "root_domains.CPUS.%s%s",
		[SCOPE_CGROUPS] = "cgroups.PATH.%s%s",
		[SCOPE_DECISIONS] = "decisions.STAGE.REASON",
		[SCOPE_LLCS] = "llcs.LLC.%s%s",
		[SCOPE_CPUS] = "cpus.CPU.%s%s",
	};

	return names[scope];
}

/* The scope's pattern with the metric's name in place of each %s%s. */
static char *full_name(const struct metric *m)
{
	g_auto(GStrv) parts = g_strsplit(scope_name(m->scope), "%s%s", -1);
	g_autofree char *name =
		g_strdup_printf("%s%s", m->name, m->is_distribution ? ".STAT" : "");

	return g_strjoinv(name, parts);
}

static void list_metrics(GString *out)
{
	g_autofree char *stats = g_strjoinv(" ", (char **)distribution_stats());

	for (const struct metric *m = metrics(); m->name; m++) {
		g_autofree char *name = full_name(m);

		g_string_append_printf(out, "%s\n    %s\n", name, m->why);
	}
	g_string_append_printf(
		out,
		"STAT is one of %s, and p98 of operations where there are cpusets.\n"
		"OPERATION is what tables call it: mkdir, write cpuset.cpus.\n",
		stats);
}

static void list_limits(GString *out)
{
	for (const struct limit *l = limits(); l->what; l++)
		append_row(out, l->what, l->consequence);
}

static void list_kernels(GString *out)
{
	for (int i = 0; kernel_profiles()[i]; i++)
		append_row(out, kernel_profiles()[i]->name,
			   kernel_profiles()[i]->summary);
}

static void append_cost(GString *out, const char *name, uint64_t ns, const char *why)
{
	g_autofree char *setting =
		g_strdup_printf("%s=%llu", name, (unsigned long long)ns);

	append_row(out, setting, why);
}

static void append_control_cost(GString *out, const char *name, enum control_cost_id id,
				const char *why)
{
	g_autofree char *value = control_cost_default_text(id);
	g_autofree char *setting = g_strdup_printf("%s=%s", name, value);

	append_row(out, setting, why);
}

static void list_costs(GString *out)
{
#define MACHINE_COST(name, ns, why) append_cost(out, #name, ns, why);
#include "schedsim/costs.def"
#undef MACHINE_COST
#define CONTROL_COST(name, kind, a, b, why)                                            \
	append_control_cost(out, #name, CONTROL_COST_##name, why);
#include "schedsim/control_costs.def"
#undef CONTROL_COST
}

static const struct {
	const char *name;
	void (*append)(GString *out);
} lists[] = {
	{"policies", list_policies}, {"features", list_features},
	{"tunables", list_tunables}, {"machines", list_machines},
	{"metrics", list_metrics},   {"limits", list_limits},
	{"kernels", list_kernels},   {"costs", list_costs},
};

static bool append_list(GString *out, const char *what, GError **error)
{
	const char *names[G_N_ELEMENTS(lists) + 1] = {NULL};

	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++) {
		names[i] = lists[i].name;
		if (!strcmp(what, lists[i].name)) {
			lists[i].append(out);
			return true;
		}
	}
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "list: expected what to list, got \"%s\"; the nearest is \"%s\"",
		    what, nearest_name(what, names));
	return false;
}

bool command_list(struct options *o, GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);

	for (int i = 0; o->args[i]; i++) {
		g_autoptr(GString) rows = g_string_new(i ? "\n" : "");
		g_autofree char *text = NULL;

		if (!append_list(rows, o->args[i], error))
			return false;
		text = align(rows->str);
		g_string_append(out, text);
	}
	return print_text(out->str, error);
}
