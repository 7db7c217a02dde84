/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same case under the same policy, in several result files side by side.
 */
#include "commands.h"

#include "report/result_file.h"
#include "report/writers.h"
#include "schedsim/error.h"

#include <string.h>

/* The results of the command line; seeds that all of them ran. */
struct results_set {
	experiment **of_file; /* [nr] owned */
	char **paths;         /* [nr] not owned */
	guint nr;
	uint64_t first_seed;
	guint nr_runs;
};

static void set_clear(struct results_set *set)
{
	for (guint i = 0; set->of_file && i < set->nr; i++)
		experiment_free(set->of_file[i]);
	g_free(set->of_file);
}

static bool read_all(struct results_set *set, GError **error)
{
	set->of_file = g_new0(experiment *, set->nr);
	for (guint i = 0; i < set->nr; i++) {
		set->of_file[i] = result_read(set->paths[i], error);
		if (!set->of_file[i])
			return false;
	}
	return true;
}

static bool find_seeds(struct results_set *set, GError **error)
{
	uint64_t first = 0, end = UINT64_MAX;

	for (guint i = 0; i < set->nr; i++) {
		const struct experiment_spec *spec = &set->of_file[i]->spec;

		first = MAX(first, spec->seed);
		end = MIN(end, spec->seed + spec->runs);
	}
	if (first >= end) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected results with a seed in common, got none");
		return false;
	}
	set->first_seed = first;
	set->nr_runs = end - first;
	return true;
}

/* The case of @e with the same workload and parameters as @like; -1: none. */
static int find_case(const experiment *e, const struct experiment_case *like)
{
	for (guint i = 0; i < e->cases->len; i++) {
		const struct experiment_case *c = experiment_case(e, i);

		if (c->workload == like->workload &&
		    g_strv_equal((const char *const *)c->params,
				 (const char *const *)like->params))
			return (int)i;
	}
	return -1;
}

/* The only policy of @e, or the one with @label; -1: none. */
static int find_policy(const experiment *e, const char *label, bool single)
{
	if (single)
		return 0;
	for (guint i = 0; i < e->policies->len; i++)
		if (!strcmp(experiment_policy(e, i)->label, label))
			return (int)i;
	return -1;
}

static bool all_have_one_policy(const struct results_set *set)
{
	for (guint i = 0; i < set->nr; i++)
		if (set->of_file[i]->policies->len != 1)
			return false;
	return true;
}

/* False when a file lacks the case or the policy. */
static bool fill_columns(const struct results_set *set, guint of_case, guint policy,
			 struct comparison_column *columns)
{
	const experiment *first = set->of_file[0];
	bool single = all_have_one_policy(set);

	for (guint i = 0; i < set->nr; i++) {
		const experiment *e = set->of_file[i];
		int c = find_case(e, experiment_case(first, of_case));
		int p = find_policy(e, experiment_policy(first, policy)->label, single);
		guint run = set->first_seed - e->spec.seed;

		if (c < 0 || p < 0)
			return false;
		columns[i] = (struct comparison_column){
			set->paths[i], (const figures *const *)&e
					       ->cells[experiment_cell(e, c, p, run)]};
	}
	return true;
}

/* What makes columns that stand side by side less comparable than they look */

static void append_file_warnings(GString *out, const struct results_set *set, guint i)
{
	const experiment *first = set->of_file[0];
	const experiment *e = set->of_file[i];

	for (guint f = 0; f < MIN(first->files->len, e->files->len); f++)
		if (strcmp(experiment_file(first, f)->sha256,
			   experiment_file(e, f)->sha256))
			g_string_append_printf(
				out,
				"warning    %s: %s is another file than "
				"%s in %s\n",
				set->paths[i], experiment_file(e, f)->path,
				experiment_file(first, f)->path, set->paths[0]);
}

static void append_seed_warning(GString *out, const struct results_set *set, guint i)
{
	const struct experiment_spec *spec = &set->of_file[i]->spec;

	if (spec->runs > set->nr_runs)
		g_string_append_printf(out,
				       "warning    %s: %u of %u runs are compared, "
				       "those whose seeds all files have\n",
				       set->paths[i], set->nr_runs, spec->runs);
}

/* What @of ran and @in did not. */
static void append_missing(GString *out, const struct results_set *set, guint of,
			   guint in)
{
	const experiment *e = set->of_file[of];
	const experiment *other = set->of_file[in];

	for (guint c = 0; c < e->cases->len; c++) {
		const struct experiment_case *of_case = experiment_case(e, c);
		g_autofree char *params = g_strjoinv(" ", of_case->params);

		if (find_case(other, of_case) >= 0)
			continue;
		g_string_append_printf(out, "warning    %s: %s%s%s is not in %s\n",
				       set->paths[of],
				       e->spec.workloads[of_case->workload],
				       *params ? " with " : "", params, set->paths[in]);
	}
	for (guint p = 0; p < e->policies->len; p++) {
		const char *label = experiment_policy(e, p)->label;

		if (find_policy(other, label, all_have_one_policy(set)) < 0)
			g_string_append_printf(
				out, "warning    %s: policy %s is not in %s\n",
				set->paths[of], label, set->paths[in]);
	}
}

static void append_warnings(GString *out, const struct results_set *set)
{
	append_seed_warning(out, set, 0);
	for (guint i = 1; i < set->nr; i++) {
		append_file_warnings(out, set, i);
		append_seed_warning(out, set, i);
		append_missing(out, set, 0, i);
		append_missing(out, set, i, 0);
	}
}

static const char *find_note(const struct experiment_case *c, const char *name)
{
	for (gsize i = 0; c->notes[i]; i += 2)
		if (!strcmp(c->notes[i], name))
			return c->notes[i + 1];
	return "";
}

/* Where file @i simulated something else than the first one: its machine, its span. */
static void append_note_warnings(GString *out, const struct results_set *set, guint i,
				 const struct experiment_case *first)
{
	const experiment *e = set->of_file[i];
	const struct experiment_case *c = experiment_case(e, find_case(e, first));

	for (gsize n = 0; first->notes[n]; n += 2) {
		const char *name = first->notes[n];
		const char *text = find_note(c, name);

		if (!strcmp(name, "about") || !strcmp(text, first->notes[n + 1]))
			continue;
		g_string_append_printf(out, "warning    %s: %s: %s\n", set->paths[i],
				       name, *text ? text : "none");
	}
}

/* The policy of the first file, and of others what they say otherwise. */
static void append_policy(GString *out, const struct results_set *set, guint policy)
{
	const struct experiment_policy *first =
		experiment_policy(set->of_file[0], policy);
	bool single = all_have_one_policy(set);

	g_string_append_printf(out, "policy     %s", first->text);
	for (guint i = 1; i < set->nr; i++) {
		const experiment *e = set->of_file[i];
		int p = find_policy(e, first->label, single);

		if (strcmp(experiment_policy(e, p)->text, first->text))
			g_string_append_printf(out, ", in %s %s", set->paths[i],
					       experiment_policy(e, p)->text);
	}
	g_string_append_c(out, '\n');
}

static void append_head(GString *out, const struct results_set *set, guint of_case,
			guint policy)
{
	const experiment *e = set->of_file[0];
	const struct experiment_case *c = experiment_case(e, of_case);
	g_autofree char *params = g_strjoinv(" ", c->params);

	g_string_append_printf(out, "workload   %s%s%s\n",
			       e->spec.workloads[c->workload], *params ? " with " : "",
			       params);
	append_policy(out, set, policy);
	for (guint i = 1; i < set->nr; i++)
		append_note_warnings(out, set, i, c);
}

static guint append_tables(GString *out, const struct results_set *set)
{
	const experiment *first = set->of_file[0];
	g_autofree struct comparison_column *columns =
		g_new0(struct comparison_column, set->nr);
	guint nr = 0;

	for (guint c = 0; c < first->cases->len; c++)
		for (guint p = 0; p < first->policies->len; p++) {
			g_autoptr(comparison) table = NULL;

			if (!fill_columns(set, c, p, columns))
				continue;
			table = comparison_new(columns, set->nr, set->nr_runs);
			g_string_append(out, nr++ ? "\n" : "");
			append_head(out, set, c, p);
			g_string_append_c(out, '\n');
			text_table(out, table, set->paths[0]);
		}
	return nr;
}

static bool compare(struct results_set *set, GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);

	if (!read_all(set, error) || !find_seeds(set, error))
		return false;
	append_warnings(out, set);
	if (append_tables(out, set))
		return print_text(out->str, error);
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "expected results with a case and a policy in common, got none");
	return false;
}

bool command_compare(struct options *o, GError **error)
{
	struct results_set set = {.paths = o->args, .nr = g_strv_length(o->args)};
	bool ok = compare(&set, error);

	set_clear(&set);
	return ok;
}
