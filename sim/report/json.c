/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as JSON: {"schedsim": version, "inputs": ..., "results": [...]}.
 *
 * "results" depends on the inputs alone, byte for byte: whole numbers, keys in a
 * fixed order, nothing of the host.
 */
#include "report/json_writer.h"
#include "report/writers.h"

#include <string.h>

static void write_strings(json_writer *w, const char *key, char **strings)
{
	json_writer_one_line(w, true);
	json_writer_begin(w, key, '[');
	for (int i = 0; strings[i]; i++)
		json_writer_string(w, NULL, strings[i]);
	json_writer_end(w, ']');
	json_writer_one_line(w, false);
}

static void write_files(json_writer *w, const char *key, const experiment *e,
			guint from, guint to)
{
	json_writer_begin(w, key, '[');
	json_writer_one_line(w, true);
	for (guint i = from; i < to; i++) {
		json_writer_begin(w, NULL, '{');
		json_writer_string(w, "path", experiment_file(e, i)->path);
		json_writer_string(w, "sha256", experiment_file(e, i)->sha256);
		json_writer_end(w, '}');
	}
	json_writer_one_line(w, false);
	json_writer_end(w, ']');
}

static void write_policies(json_writer *w, const experiment *e)
{
	json_writer_begin(w, "policies", '[');
	for (guint i = 0; i < e->policies->len; i++) {
		const struct experiment_policy *p = experiment_policy(e, i);

		json_writer_begin(w, NULL, '{');
		json_writer_string(w, "policy", p->text);
		json_writer_string(w, "label", p->label);
		json_writer_string(w, "name", p->name);
		json_writer_string(w, "summary", p->summary);
		write_strings(w, "settings", p->settings);
		json_writer_end(w, '}');
	}
	json_writer_end(w, ']');
}

static void write_params(json_writer *w, const struct experiment_spec *spec)
{
	json_writer_begin(w, "params", '[');
	for (guint i = 0; i < spec->params->len; i++) {
		const struct param_axis *axis =
			&g_array_index(spec->params, struct param_axis, i);

		json_writer_begin(w, NULL, '{');
		json_writer_string(w, "name", axis->name);
		write_strings(w, "steps", axis->steps);
		json_writer_end(w, '}');
	}
	json_writer_end(w, ']');
}

/* null: the workload's own */
static void write_span(json_writer *w, const char *key, uint64_t span_ns)
{
	if (span_ns == UINT64_MAX)
		json_writer_null(w, key);
	else
		json_writer_int(w, key, (int64_t)span_ns);
}

static void write_cases(json_writer *w, const experiment *e)
{
	json_writer_begin(w, "cases", '[');
	for (guint i = 0; i < e->cases->len; i++) {
		const struct experiment_case *c = experiment_case(e, i);

		json_writer_begin(w, NULL, '{');
		json_writer_int(w, "workload", c->workload);
		write_strings(w, "params", c->params);
		json_writer_begin(w, "simulated", '{');
		for (int n = 0; c->notes[n]; n += 2)
			json_writer_string(w, c->notes[n], c->notes[n + 1]);
		json_writer_end(w, '}');
		write_strings(w, "warnings", c->warnings);
		json_writer_end(w, '}');
	}
	json_writer_end(w, ']');
}

static void write_inputs(json_writer *w, const experiment *e)
{
	const struct experiment_spec *spec = &e->spec;
	guint nr_workloads = g_strv_length(spec->workloads);

	json_writer_begin(w, "inputs", '{');
	write_files(w, "workloads", e, 0, nr_workloads);
	write_files(w, "files", e, nr_workloads, e->files->len);
	if (spec->machine)
		json_writer_string(w, "machine", spec->machine);
	else
		json_writer_null(w, "machine");
	write_policies(w, e);
	json_writer_int(w, "seed", (int64_t)spec->seed);
	json_writer_int(w, "runs", spec->runs);
	write_params(w, spec);
	write_span(w, "duration_ns", spec->duration_ns);
	write_span(w, "warmup_ns", spec->warmup_ns);
	write_cases(w, e);
	json_writer_end(w, '}');
}

/* Results */

static bool is_last(const struct figure *f, int part)
{
	return part + 1 == FIGURE_PARTS || !f->part[part + 1];
}

/* The parts of @a and @b that are the same objects. */
static int shared_parts(const struct figure *a, const struct figure *b)
{
	int n = 0;

	while (!is_last(a, n) && !is_last(b, n) && !strcmp(a->part[n], b->part[n]))
		n++;
	return n;
}

static void write_figures(json_writer *w, const figures *f)
{
	int open = 0;

	json_writer_begin(w, "figures", '{');
	for (guint i = 0; i < f->list->len; i++) {
		const struct figure *figure = figure_at(f, i);
		int keep = i ? shared_parts(figure_at(f, i - 1), figure) : 0;

		for (; open > keep; open--)
			json_writer_end(w, '}');
		for (; !is_last(figure, open); open++) {
			const struct metric *m = figure_metric(figure);
			bool innermost = is_last(figure, open + 1);

			json_writer_one_line(w, innermost && m && m->is_distribution);
			json_writer_begin(w, figure->part[open], '{');
		}
		json_writer_int(w, figure->part[open], figure->value);
	}
	for (; open > 0; open--)
		json_writer_end(w, '}');
	json_writer_one_line(w, false);
	json_writer_end(w, '}');
}

static void write_results(json_writer *w, const experiment *e)
{
	json_writer_begin(w, "results", '[');
	for (guint c = 0; c < e->cases->len; c++)
		for (guint policy = 0; policy < e->policies->len; policy++)
			for (guint run = 0; run < e->spec.runs; run++) {
				gsize cell = experiment_cell(e, c, policy, run);

				json_writer_begin(w, NULL, '{');
				json_writer_int(w, "case", c);
				json_writer_string(w, "policy",
						   experiment_policy(e, policy)->label);
				json_writer_int(w, "seed",
						(int64_t)(e->spec.seed + run));
				write_figures(w, e->cells[cell]);
				json_writer_end(w, '}');
			}
	json_writer_end(w, ']');
}

char *json_report(const experiment *e)
{
	g_autoptr(json_writer) w = json_writer_new();

	json_writer_begin(w, NULL, '{');
	json_writer_string(w, "schedsim", e->version);
	write_inputs(w, e);
	write_results(w, e);
	json_writer_end(w, '}');
	return g_strdup_printf("%s\n", json_writer_text(w));
}
