/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which group a task is in: "cgroup", which must be defined, or rt-app's "taskgroup",
 * which is made.
 */
#include "schedsim/error.h"
#include "workload/cgroup_reading.h"
#include "workload/read.h"

#include <string.h>

bool cgroup_path_read(const struct node *n, const char **path, GError **error)
{
	const char *text;

	if (!read_string(n, &text, error))
		return false;
	if (*text != '/')
		return node_expected(n, "a group's path, which begins with \"/\"",
				     error);
	*path = text;
	return true;
}

/* Without what does not count in @path.  (transfer full) */
static char *plain_path(const char *path)
{
	g_auto(GStrv) names = g_strsplit(path, "/", -1);
	GString *plain = g_string_new(NULL);

	for (char **name = names; *name; name++)
		if (**name)
			g_string_append_printf(plain, "/%s", *name);
	if (!plain->len)
		g_string_append_c(plain, '/');
	return g_string_free(plain, FALSE);
}

static bool read_cgroup(const struct reading *r, const struct node *n, int *cgroup,
			GError **error)
{
	g_autofree char *plain = NULL;
	const char *path = NULL;
	int index;

	if (!cgroup_path_read(n, &path, error))
		return false;
	plain = plain_path(path);
	index = r->cgroups ? name_table_find(&r->cgroups->paths, plain) : -1;
	if (index < 0)
		return node_expected(n, "a group that \"cgroups\" defines", error);
	*cgroup = index;
	return true;
}

/* Makes what is missing of @plain, as rt-app does. */
static int make_path(struct cgroup_reading *cr, const char *plain, int *index)
{
	const char *end = plain;
	int result = 0;

	while (*end && !result) {
		g_autofree char *prefix = NULL;

		end += 1 + strcspn(end + 1, "/");
		prefix = g_strndup(plain, (gsize)(end - plain));
		*index = name_table_find(&cr->paths, prefix);
		if (*index < 0)
			result = cgroup_reading_make_group(cr, prefix, index);
	}
	return result;
}

bool taskgroup_read(struct reading *r, const struct node *n, int *cgroup,
		    GError **error)
{
	g_autofree char *plain = NULL;
	struct cgroup_reading *cr;
	const char *path = NULL;
	int result;

	*cgroup = -1;
	if (cJSON_IsString(n->json) && !*n->json->valuestring)
		return true;
	if (!cgroup_path_read(n, &path, error))
		return false;
	cr = cgroup_reading_of(r, CGROUP_V1);
	plain = plain_path(path);
	*cgroup = 0;
	result = strcmp(plain, "/") ? make_path(cr, plain, cgroup) : 0;
	return !result || cgroup_refused(n, "a path", result, error);
}

bool task_cgroup_read(struct reading *r, const struct node *n, int *cgroup,
		      GError **error)
{
	struct node named = node_get(n, "cgroup"), taskgroup = node_get(n, "taskgroup");
	int index = 0;

	if (named.json && taskgroup.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected \"cgroup\" or \"taskgroup\", got both");
	if (named.json && !read_cgroup(r, &named, &index, error))
		return false;
	if (taskgroup.json && !taskgroup_read(r, &taskgroup, &index, error))
		return false;
	*cgroup = MAX(index, 0);
	return true;
}
