/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/log_folders.h"

#include "schedsim/error.h"

#include <string.h>

/* @text as the name of a folder within another.  (transfer full) */
static char *folder_name(const char *text)
{
	char *name = g_strdelimit(g_strdup(text), "/", '_');

	if (*name == '.')
		*name = '_';
	return name;
}

/* (transfer full) */
static char *case_name(const experiment *e, guint of_case)
{
	const struct experiment_case *c = experiment_case(e, of_case);
	g_autofree char *base = g_path_get_basename(e->spec.workloads[c->workload]);
	g_autoptr(GString) name = g_string_new(base);

	if (g_str_has_suffix(base, ".json"))
		g_string_truncate(name, strlen(base) - strlen(".json"));
	for (guint i = 0; c->params[i]; i++)
		g_string_append_printf(name, ",%s", c->params[i]);
	return folder_name(name->str);
}

static void append(GString *path, const char *part)
{
	g_string_append_printf(path, "/%s", part);
}

/* (transfer full) */
static char *run_folder(const experiment *e, const char *folder, guint of_case,
			guint policy, guint run)
{
	g_autofree char *of_workload = case_name(e, of_case);
	g_autofree char *label = folder_name(experiment_policy(e, policy)->label);
	g_autofree char *seed =
		g_strdup_printf("seed-%llu", (unsigned long long)(e->spec.seed + run));
	GString *path = g_string_new(folder);

	if (e->cases->len > 1)
		append(path, of_workload);
	if (e->policies->len > 1)
		append(path, label);
	if (e->spec.runs > 1)
		append(path, seed);
	return g_string_free(path, FALSE);
}

static bool check_different(char **folders, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; folders[i]; i++) {
		if (g_hash_table_add(seen, folders[i]))
			continue;
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "--rtapp-logs: expected workloads and policies of "
			    "different names, got two runs for %s",
			    folders[i]);
		return false;
	}
	return true;
}

char **log_folders_new(const experiment *e, const char *folder, GError **error)
{
	g_auto(GStrv) folders = g_new0(char *, experiment_nr_cells(e) + 1);

	for (guint c = 0; c < e->cases->len; c++)
		for (guint policy = 0; policy < e->policies->len; policy++)
			for (guint run = 0; run < e->spec.runs; run++)
				folders[experiment_cell(e, c, policy, run)] =
					run_folder(e, folder, c, policy, run);
	if (!check_different(folders, error))
		return NULL;
	return g_steal_pointer(&folders);
}
