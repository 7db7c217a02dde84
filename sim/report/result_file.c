/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader of results asks for every key that the writer writes, and for no other,
 * so that a file from another version fails here and not in a figure.
 */
#include "report/result_file.h"

#include "report/input_file.h"
#include "schedsim/error.h"
#include "workload/read.h"

#include <string.h>

/* cJSON keeps numbers as doubles. */
#define EXACT_MAX (INT64_C(1) << 53)

static bool read_member(const struct node *n, const char *key, struct node *out,
			GError **error)
{
	*out = node_get(n, key);
	if (out->json)
		return true;
	return node_fail(n, INPUT_ERROR_VALUE, error, "expected a key \"%s\", got none",
			 key);
}

/* Whether @n has no members but @keys, which end with NULL. */
#define HAS_ONLY(n, error, ...)                                                        \
	node_has_only(n, (const char *const[]){__VA_ARGS__, NULL}, error)

/* The object or array under @key. */
static bool read_part(const struct node *n, const char *key, bool array,
		      struct node *out, GError **error)
{
	if (!read_member(n, key, out, error))
		return false;
	if (array ? cJSON_IsArray(out->json) : cJSON_IsObject(out->json))
		return true;
	return node_expected(out, array ? "an array" : "an object", error);
}

static bool read_text(const struct node *n, const char *key, char **out, GError **error)
{
	struct node member;
	const char *text;

	if (!read_member(n, key, &member, error) || !read_string(&member, &text, error))
		return false;
	*out = g_strdup(text);
	return true;
}

static bool read_number(const struct node *n, const char *key, int64_t min, int64_t max,
			int64_t *out, GError **error)
{
	struct node member;

	return read_member(n, key, &member, error) &&
	       read_int(&member, min, max, out, error);
}

/* null: the workload's own */
static bool read_span(const struct node *n, const char *key, uint64_t *out,
		      GError **error)
{
	struct node member;
	int64_t ns;

	if (!read_member(n, key, &member, error))
		return false;
	*out = UINT64_MAX;
	if (cJSON_IsNull(member.json))
		return true;
	if (!read_int(&member, 0, EXACT_MAX, &ns, error))
		return false;
	*out = ns;
	return true;
}

static bool read_texts(const struct node *n, const char *key, char ***out,
		       GError **error)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	struct node array, child;
	const char *text;

	if (!read_part(n, key, true, &array, error))
		return false;
	node_for_each(child, &array)
	{
		if (!read_string(&child, &text, error))
			return false;
		g_ptr_array_add(texts, g_strdup(text));
	}
	g_ptr_array_add(texts, NULL);
	*out = (char **)g_ptr_array_steal(texts, NULL);
	return true;
}

/* Inputs */

static bool read_files(const struct node *inputs, const char *key, experiment *e,
		       GError **error)
{
	struct node array, child;

	if (!read_part(inputs, key, true, &array, error))
		return false;
	node_for_each(child, &array)
	{
		struct input_file file = {0};
		bool ok = read_text(&child, "path", &file.path, error) &&
			  read_text(&child, "sha256", &file.sha256, error) &&
			  HAS_ONLY(&child, error, "path", "sha256");

		g_array_append_val(e->files, file);
		if (!ok)
			return false;
	}
	return true;
}

static void list_workloads(experiment *e)
{
	e->spec.workloads = g_new0(char *, e->files->len + 1);
	for (guint i = 0; i < e->files->len; i++)
		e->spec.workloads[i] = g_strdup(experiment_file(e, i)->path);
}

static bool read_policies(const struct node *inputs, experiment *e, GError **error)
{
	struct node array, child;

	if (!read_part(inputs, "policies", true, &array, error))
		return false;
	node_for_each(child, &array)
	{
		struct experiment_policy p = {0};
		bool ok = read_text(&child, "policy", &p.text, error) &&
			  read_text(&child, "label", &p.label, error) &&
			  read_text(&child, "name", &p.name, error) &&
			  read_text(&child, "summary", &p.summary, error) &&
			  read_texts(&child, "settings", &p.settings, error) &&
			  HAS_ONLY(&child, error, "policy", "label", "name", "summary",
				   "settings");

		g_array_append_val(e->policies, p);
		if (!ok)
			return false;
	}
	e->spec.policies = g_new0(char *, e->policies->len + 1);
	for (guint i = 0; i < e->policies->len; i++)
		e->spec.policies[i] = g_strdup(experiment_policy(e, i)->text);
	return true;
}

static bool read_params(const struct node *inputs, experiment *e, GError **error)
{
	struct node array, child;

	if (!read_part(inputs, "params", true, &array, error))
		return false;
	node_for_each(child, &array)
	{
		struct param_axis axis = {0};
		bool ok = read_text(&child, "name", &axis.name, error) &&
			  read_texts(&child, "steps", &axis.steps, error) &&
			  HAS_ONLY(&child, error, "name", "steps");

		g_array_append_val(e->spec.params, axis);
		if (!ok)
			return false;
		if (!axis.steps[0])
			return node_fail(&child, INPUT_ERROR_VALUE, error,
					 "expected at least one step, got none");
	}
	return true;
}

static bool read_notes(const struct node *n, char ***out, GError **error)
{
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	struct node object, child;
	const char *text;

	if (!read_part(n, "simulated", false, &object, error))
		return false;
	node_for_each(child, &object)
	{
		if (!node_is_first(&child, error) || !read_string(&child, &text, error))
			return false;
		g_ptr_array_add(notes, g_strdup(child.json->string));
		g_ptr_array_add(notes, g_strdup(text));
	}
	g_ptr_array_add(notes, NULL);
	*out = (char **)g_ptr_array_steal(notes, NULL);
	return true;
}

static bool read_cases(const struct node *inputs, experiment *e, GError **error)
{
	gint64 last_workload = (gint64)g_strv_length(e->spec.workloads) - 1;
	struct node array, child;

	if (!read_part(inputs, "cases", true, &array, error))
		return false;
	node_for_each(child, &array)
	{
		struct experiment_case c = {0};
		int64_t index = 0;
		bool ok = read_number(&child, "workload", 0, last_workload, &index,
				      error) &&
			  read_texts(&child, "params", &c.params, error) &&
			  read_notes(&child, &c.notes, error) &&
			  read_texts(&child, "warnings", &c.warnings, error) &&
			  HAS_ONLY(&child, error, "workload", "params", "simulated",
				   "warnings");

		c.workload = index;
		g_array_append_val(e->cases, c);
		if (!ok)
			return false;
	}
	return true;
}

static bool read_machine(const struct node *inputs, experiment *e, GError **error)
{
	struct node member;

	if (!read_member(inputs, "machine", &member, error))
		return false;
	if (cJSON_IsNull(member.json))
		return true;
	return read_text(inputs, "machine", &e->spec.machine, error);
}

static bool read_inputs(const struct node *root, experiment *e, GError **error)
{
	struct node inputs;
	int64_t seed, runs;

	if (!read_part(root, "inputs", false, &inputs, error) ||
	    !read_files(&inputs, "workloads", e, error))
		return false;
	if (!e->files->len)
		return node_fail(&inputs, INPUT_ERROR_VALUE, error,
				 "expected a workload at least, got none");
	list_workloads(e);
	if (!read_files(&inputs, "files", e, error) ||
	    !read_machine(&inputs, e, error) || !read_policies(&inputs, e, error) ||
	    !read_number(&inputs, "seed", 0, SEED_MAX - RUNS_MAX, &seed, error) ||
	    !read_number(&inputs, "runs", 1, RUNS_MAX, &runs, error) ||
	    !read_params(&inputs, e, error) ||
	    !read_span(&inputs, "duration_ns", &e->spec.duration_ns, error) ||
	    !read_span(&inputs, "warmup_ns", &e->spec.warmup_ns, error) ||
	    !read_cases(&inputs, e, error) ||
	    !HAS_ONLY(&inputs, error, "workloads", "files", "machine", "policies",
		      "seed", "runs", "params", "duration_ns", "warmup_ns", "cases"))
		return false;
	e->spec.seed = seed;
	e->spec.runs = runs;
	if (!e->policies->len || !e->cases->len)
		return node_fail(&inputs, INPUT_ERROR_VALUE, error,
				 "expected a policy and a case at least, got %u and %u",
				 e->policies->len, e->cases->len);
	if ((uint64_t)e->policies->len * e->cases->len * e->spec.runs <= CELLS_MAX)
		return true;
	return node_fail(&inputs, INPUT_ERROR_VALUE, error,
			 "expected at most %d runs in all, got more", CELLS_MAX);
}

/* Results */

/* Names of the objects that lead to @n, from the top. */
struct path {
	const char *part[FIGURE_PARTS];
};

static bool read_figures(const struct node *n, struct path path, int depth, figures *f,
			 GError **error)
{
	struct node child;
	int64_t value;

	node_for_each(child, n)
	{
		if (depth == FIGURE_PARTS)
			return node_fail(&child, INPUT_ERROR_VALUE, error,
					 "expected objects at most %d deep, got more",
					 FIGURE_PARTS);
		if (!node_is_first(&child, error))
			return false;
		path.part[depth] = child.json->string;
		if (cJSON_IsObject(child.json)) {
			if (!read_figures(&child, path, depth + 1, f, error))
				return false;
			continue;
		}
		if (!read_int(&child, -EXACT_MAX, EXACT_MAX, &value, error))
			return false;
		figures_add(f, path.part, value);
	}
	return true;
}

/* Whether @n is of the run whose place it has. */
static bool check_place(const struct node *n, const experiment *e, guint index,
			GError **error)
{
	guint run = index % e->spec.runs;
	guint policy = index / e->spec.runs % e->policies->len;
	guint of_case = index / e->spec.runs / e->policies->len;
	const char *label = experiment_policy(e, policy)->label;
	g_autofree char *text = NULL;
	int64_t case_index, seed;

	if (!read_number(n, "case", 0, e->cases->len - 1, &case_index, error) ||
	    !read_text(n, "policy", &text, error) ||
	    !read_number(n, "seed", 0, SEED_MAX, &seed, error))
		return false;
	if (case_index == of_case && !strcmp(text, label) &&
	    (uint64_t)seed == e->spec.seed + run)
		return true;
	return node_fail(n, INPUT_ERROR_VALUE, error,
			 "expected case %u, policy \"%s\" and seed %llu, got %lld, "
			 "\"%s\" and %lld",
			 of_case, label, (unsigned long long)(e->spec.seed + run),
			 (long long)case_index, text, (long long)seed);
}

static bool read_result(const struct node *n, experiment *e, guint index,
			GError **error)
{
	struct path path = {{NULL}};
	struct node object;

	if (!check_place(n, e, index, error) ||
	    !read_part(n, "figures", false, &object, error) ||
	    !HAS_ONLY(n, error, "case", "policy", "seed", "figures"))
		return false;
	e->cells[index] = figures_new();
	return read_figures(&object, path, 0, e->cells[index], error);
}

static bool read_results(const struct node *root, experiment *e, GError **error)
{
	guint nr = experiment_nr_cells(e), index = 0;
	struct node array, child;

	if (!read_part(root, "results", true, &array, error))
		return false;
	if (cJSON_GetArraySize(array.json) != (int)nr)
		return node_fail(&array, INPUT_ERROR_VALUE, error,
				 "expected a result for each of %u runs, got %d", nr,
				 cJSON_GetArraySize(array.json));
	e->cells = g_new0(figures *, nr);
	node_for_each(child, &array)
	{
		if (!read_result(&child, e, index++, error))
			return false;
	}
	return true;
}

static bool read_root(const cJSON *json, experiment *e, GError **error)
{
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	struct document doc;
	struct node root;
	bool ok;

	document_init(&doc, json, NULL, warnings);
	root = document_root(&doc);
	ok = (cJSON_IsObject(json) || node_expected(&root, "an object", error)) &&
	     node_is_harmless(&root, error);
	ok = ok && read_text(&root, "schedsim", &e->version, error) &&
	     read_inputs(&root, e, error) && read_results(&root, e, error) &&
	     HAS_ONLY(&root, error, "schedsim", "inputs", "results");
	document_clear(&doc);
	return ok;
}

static bool fail_at(const char *text, const char *at, const char *what, GError **error)
{
	gsize line = 1;

	for (const char *c = text; c < at; c++)
		line += *c == '\n';
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_SYNTAX,
		    "line %zu: expected %s, got something else", line, what);
	return false;
}

/* @text ends with a zero byte after its @length.  NULL: with an error. */
static cJSON *parse(const char *text, gsize length, GError **error)
{
	const char *end = text;
	cJSON *json;

	if (!g_utf8_validate_len(text, length, &end)) {
		fail_at(text, end, "UTF-8", error);
		return NULL;
	}
	json = cJSON_ParseWithLengthOpts(text, length + 1, &end, 1);
	if (!json)
		fail_at(text, end, "a result in JSON", error);
	return json;
}

experiment *result_read(const char *path, GError **error)
{
	g_autoptr(experiment) e = experiment_new();
	gsize length;
	g_autofree char *text = input_file_read(path, &length, error);
	cJSON *json;
	bool ok;

	if (!text)
		return NULL;
	experiment_spec_init(&e->spec);
	json = parse(text, length, error);
	ok = json && read_root(json, e, error);
	cJSON_Delete(json);
	if (ok)
		return g_steal_pointer(&e);
	g_prefix_error(error, "%s: ", path);
	return NULL;
}
