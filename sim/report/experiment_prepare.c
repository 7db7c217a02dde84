/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what the user asked for to inputs that are ready to run.
 */
#include "report/describe.h"
#include "report/experiment_run.h"
#include "report/input_file.h"
#include "schedsim/error.h"
#include "workload/control.h"

#include <string.h>

/* Takes @sha256 over. */
static void add_file(experiment *e, const char *path, char *sha256)
{
	struct input_file file = {.path = g_strdup(path), .sha256 = sha256};

	g_array_append_val(e->files, file);
}

static bool has_file(const experiment *e, const char *path)
{
	for (guint i = 0; i < e->files->len; i++)
		if (!strcmp(experiment_file(e, i)->path, path))
			return true;
	return false;
}

static bool add_side_file(experiment *e, const char *path, GError **error)
{
	char *sha256;

	if (has_file(e, path))
		return true;
	sha256 = input_file_sha256(path, error);
	if (sha256)
		add_file(e, path, sha256);
	return sha256;
}

/* Recorded arrivals of sources, and recorded operations. */
static bool add_records(experiment *e, const workload *w, GError **error)
{
	int nr_operations = w->control ? w->control->nr_operations : 0;

	for (int i = 0; i < w->nr_sources; i++)
		if (w->sources[i].file && !add_side_file(e, w->sources[i].file, error))
			return false;
	for (int i = 0; i < nr_operations; i++) {
		const char *record = w->control->operations[i].record;

		if (record && !add_side_file(e, record, error))
			return false;
	}
	return true;
}

/* Files beside the workloads: the machine's and records. */
static bool add_side_files(prepared *p, GError **error)
{
	const char *machine = p->e->spec.machine;

	if (machine && g_file_test(machine, G_FILE_TEST_IS_REGULAR) &&
	    !add_side_file(p->e, machine, error))
		return false;
	for (guint i = 0; i < p->inputs->len; i++) {
		const workload *w =
			g_array_index(p->inputs, struct workload_input, i).workload;

		if (!add_records(p->e, w, error))
			return false;
	}
	return true;
}

/* Policies */

static bool add_policy(prepared *p, const char *text, GError **error)
{
	policy_choice choice = {0};
	struct experiment_policy policy;

	if (!policy_choice_parse(text, &choice, error)) {
		g_prefix_error(error, "--policy %s: ", text);
		return false;
	}
	g_array_append_val(p->choices, choice);
	for (guint i = 0; i < p->e->policies->len; i++) {
		if (strcmp(experiment_policy(p->e, i)->label, choice.label))
			continue;
		g_set_error(
			error, INPUT_ERROR, INPUT_ERROR_VALUE,
			"--policy %s: expected a label of its own, got \"%s\" twice",
			text, choice.label);
		return false;
	}
	policy = (struct experiment_policy){
		.text = g_strdup(text),
		.label = g_strdup(choice.label),
		.name = describe_policy_name(&choice),
		.summary = describe_policy(&choice),
		.settings = describe_settings(&choice),
	};
	g_array_append_val(p->e->policies, policy);
	return true;
}

/* Cases */

static GHashTable *params_of(const struct experiment_spec *spec, gsize step)
{
	GHashTable *params = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = spec->params->len; i-- > 0;) {
		struct param_axis *axis =
			&g_array_index(spec->params, struct param_axis, i);
		guint nr = g_strv_length(axis->steps);

		g_hash_table_insert(params, axis->name, axis->steps[step % nr]);
		step /= nr;
	}
	return params;
}

/* In the order of the command line.  (transfer full) */
static char **param_texts(const struct experiment_spec *spec, GHashTable *params)
{
	char **texts = g_new0(char *, spec->params->len + 1);

	for (guint i = 0; i < spec->params->len; i++) {
		const char *name =
			g_array_index(spec->params, struct param_axis, i).name;

		texts[i] = g_strdup_printf("%s=%s", name,
					   (char *)g_hash_table_lookup(params, name));
	}
	return texts;
}

static char **copy_warnings(const workload *w)
{
	guint nr = w->warnings ? w->warnings->len : 0;
	char **copy = g_new0(char *, nr + 1);

	for (guint i = 0; i < nr; i++)
		copy[i] = g_strdup(g_ptr_array_index(w->warnings, i));
	return copy;
}

static bool add_case(prepared *p, guint workload_index, const char *text, gsize length,
		     gsize step, GError **error)
{
	const struct experiment_spec *spec = &p->e->spec;
	g_autoptr(GHashTable) params = params_of(spec, step);
	struct workload_options options = {spec->machine, spec->duration_ns,
					   spec->warmup_ns, params};
	struct workload_input in = {0};
	struct experiment_case new_case;

	if (!workload_read_text(text, length, spec->workloads[workload_index], &options,
				&in, error))
		return false;
	g_array_append_val(p->inputs, in);
	new_case = (struct experiment_case){
		.workload = workload_index,
		.params = param_texts(spec, params),
		.notes = describe_input(&in),
		.warnings = copy_warnings(in.workload),
	};
	g_array_append_val(p->e->cases, new_case);
	return true;
}

static gsize nr_steps(const struct experiment_spec *spec)
{
	gsize nr = 1;

	for (guint i = 0; i < spec->params->len && nr <= CASES_MAX; i++)
		nr *= g_strv_length(
			g_array_index(spec->params, struct param_axis, i).steps);
	return nr;
}

/* Which step of a ladder it was that a workload does not bear. */
static bool prefix_step(const prepared *p, gsize step, GError **error)
{
	g_autoptr(GHashTable) params = params_of(&p->e->spec, step);
	g_auto(GStrv) texts = param_texts(&p->e->spec, params);
	g_autofree char *text = g_strjoinv(" ", texts);

	if (nr_steps(&p->e->spec) > 1)
		g_prefix_error(error, "--param %s: ", text);
	return false;
}

static bool add_workload(prepared *p, guint index, GError **error)
{
	const char *path = p->e->spec.workloads[index];
	gsize length;
	g_autofree char *text = input_file_read(path, &length, error);

	if (!text)
		return false;
	add_file(p->e, path, input_text_sha256(text, length));
	for (gsize step = 0; step < nr_steps(&p->e->spec); step++)
		if (!add_case(p, index, text, length, step, error))
			return prefix_step(p, step, error);
	return true;
}

static bool check_size(const struct experiment_spec *spec, GError **error)
{
	gsize nr_cases = nr_steps(spec) * g_strv_length(spec->workloads);
	gsize nr_policies = g_strv_length(spec->policies);

	if (nr_cases > CASES_MAX)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "--param: expected at most %d steps in all, got more",
			    CASES_MAX);
	else if (nr_cases * nr_policies * spec->runs > CELLS_MAX)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "--runs: expected at most %d runs in all, got more",
			    CELLS_MAX);
	else
		return true;
	return false;
}

/* Every policy's settings must suit every case. */
static bool check_settings(const prepared *p, GError **error)
{
	struct workload_input in;

	for (guint c = 0; c < p->e->cases->len; c++)
		for (guint i = 0; i < p->e->policies->len; i++)
			if (!prepared_input(p, c, i, 0, &in, error))
				return false;
	return true;
}

static void clear_choice(gpointer choice)
{
	policy_choice_clear(choice);
}

static void clear_input(gpointer in)
{
	workload_input_clear(in);
}

prepared *experiment_prepare(struct experiment_spec *spec, GError **error)
{
	g_autoptr(prepared) p = g_new0(prepared, 1);

	p->e = experiment_new();
	p->e->version = g_strdup(SCHEDSIM_VERSION);
	p->e->spec = *spec;
	memset(spec, 0, sizeof(*spec));
	p->choices = g_array_new(FALSE, TRUE, sizeof(policy_choice));
	g_array_set_clear_func(p->choices, clear_choice);
	p->inputs = g_array_new(FALSE, TRUE, sizeof(struct workload_input));
	g_array_set_clear_func(p->inputs, clear_input);
	if (!check_size(&p->e->spec, error))
		return NULL;
	for (guint i = 0; p->e->spec.policies[i]; i++)
		if (!add_policy(p, p->e->spec.policies[i], error))
			return NULL;
	for (guint i = 0; p->e->spec.workloads[i]; i++)
		if (!add_workload(p, i, error))
			return NULL;
	if (!add_side_files(p, error) || !check_settings(p, error))
		return NULL;
	return g_steal_pointer(&p);
}

/* @settings: of char *, and together they have to suit the machine */
static bool apply_settings(const GPtrArray *settings, struct machine_spec *spec,
			   GError **error)
{
	for (guint i = 0; i < settings->len; i++)
		if (!machine_spec_set(spec, g_ptr_array_index(settings, i), error))
			return false;
	return machine_spec_check(spec, error);
}

bool prepared_input(const prepared *p, guint of_case, guint policy, uint64_t seed,
		    struct workload_input *out, GError **error)
{
	policy_choice *choice = &g_array_index(p->choices, policy_choice, policy);

	*out = g_array_index(p->inputs, struct workload_input, of_case);
	if (!apply_settings(choice->wakeup.settings, &out->spec, error)) {
		g_prefix_error(error,
			       "--policy %s: ", experiment_policy(p->e, policy)->text);
		return false;
	}
	out->spec.policy = &choice->wakeup.policy;
	out->spec.policy_params = choice->wakeup.params;
	out->rebuild = choice->has_rebuild ? &choice->rebuild : NULL;
	out->spec.seed = seed;
	return true;
}

experiment *prepared_steal(prepared *p)
{
	return g_steal_pointer(&p->e);
}

void prepared_free(prepared *p)
{
	if (!p)
		return;
	experiment_free(p->e);
	g_array_unref(p->choices);
	g_array_unref(p->inputs);
	g_free(p);
}
