/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as comma-separated values (RFC 4180, but lines end with \n).
 */
#include "report/writers.h"

#include <string.h>

static void append_field(GString *out, const char *text)
{
	if (out->len && out->str[out->len - 1] != '\n')
		g_string_append_c(out, ',');
	if (!strpbrk(text, ",\"\r\n")) {
		g_string_append(out, text);
		return;
	}
	g_string_append_c(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			g_string_append_c(out, '"');
		g_string_append_c(out, *text);
	}
	g_string_append_c(out, '"');
}

static void append_number(GString *out, int64_t value)
{
	g_autofree char *text = g_strdup_printf("%lld", (long long)value);

	append_field(out, text);
}

static void append_run(GString *out, const experiment *e, guint index, guint policy,
		       guint run)
{
	const struct experiment_case *c = experiment_case(e, index);
	const figures *f = e->cells[experiment_cell(e, index, policy, run)];
	g_autofree char *params = g_strjoinv(" ", c->params);

	for (guint i = 0; i < f->list->len; i++) {
		g_autofree char *name = figure_name(figure_at(f, i));

		append_field(out, experiment_file(e, c->workload)->path);
		append_field(out, params);
		append_field(out, experiment_policy(e, policy)->label);
		append_number(out, e->spec.seed + run);
		append_field(out, name);
		append_number(out, figure_at(f, i)->value);
		g_string_append_c(out, '\n');
	}
}

char *csv_report(const experiment *e)
{
	GString *out = g_string_new("workload,params,policy,seed,figure,value\n");

	for (guint c = 0; c < e->cases->len; c++)
		for (guint policy = 0; policy < e->policies->len; policy++)
			for (guint run = 0; run < e->spec.runs; run++)
				append_run(out, e, c, policy, run);
	return g_string_free(out, FALSE);
}
