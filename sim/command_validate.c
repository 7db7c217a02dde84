/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads workloads as a run would, and stops there.
 */
#include "commands.h"

#include "report/experiment.h"
#include "schedsim/error.h"

/* What a workload is made of, as the head of a report says it. */
static void append_case(GString *out, const experiment *e, guint index)
{
	const struct experiment_case *c = experiment_case(e, index);
	const char *path = experiment_file(e, c->workload)->path;
	g_autofree char *params = g_strjoinv(" ", c->params);

	g_string_append_printf(out, "%s: valid%s%s%s\n", path, *params ? " (" : "",
			       params, *params ? ")" : "");
	for (int i = 0; c->warnings[i]; i++)
		g_string_append_printf(out, "%s: warning: %s\n", path, c->warnings[i]);
}

bool command_validate(struct options *o, GError **error)
{
	g_autoptr(experiment) e = experiment_read(&o->spec, error);
	g_autoptr(GString) out = g_string_new(NULL);

	if (!e)
		return false;
	for (guint i = 0; i < e->cases->len; i++)
		append_case(out, e, i);
	return print_text(out->str, error);
}
