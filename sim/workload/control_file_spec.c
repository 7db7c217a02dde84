/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control files: their names, by the version of the hierarchy, and what is written.
 */
#include "workload/control_file_spec.h"

#include "base/nearest.h"
#include "cpuset/cpuset_cgroup.h"
#include "schedsim/error.h"
#include "workload/control.h"
#include "workload/params.h"

/* What a key of a control file begins with: the kernel's controllers. */
static const char *const prefixes[] = {
	"cgroup.",  "cpu.",     "cpuset.",   "cpuacct.",    "memory.", "io.",
	"blkio.",   "pids.",    "rdma.",     "hugetlb.",    "misc.",   "devices.",
	"freezer.", "net_cls.", "net_prio.", "perf_event.", NULL};

bool is_control_key(const char *key)
{
	for (const char *const *prefix = prefixes; *prefix; prefix++)
		if (g_str_has_prefix(key, *prefix))
			return true;
	return false;
}

bool control_value_read(const struct node *n, char **value, GError **error)
{
	static const char what[] = "a text or a whole number";
	const char *text = cJSON_IsString(n->json) ? n->json->valuestring : NULL;
	struct quantity q;

	if (text && *text != '=') {
		*value = g_strdup(text);
		return true;
	}
	if (!quantity_read(n, what, &q, error))
		return false;
	if (q.time_power || q.value.den != 1)
		return node_expected(n, what, error);
	*value = g_strdup_printf("%" G_GINT64_FORMAT, (gint64)q.value.num);
	return true;
}

/* The files of @version, NULL at the end.  (transfer container) */
static const char **files_of(enum cgroup_version version)
{
	GPtrArray *names = g_ptr_array_new();

	for (int i = 0; i < NR_CGROUP_SUBSYS; i++) {
		const struct cgroup_controller *c = cgroup_controllers[i];

		for (const struct cgroup_file *f = c ? c->files : NULL; f && f->name;
		     f++)
			if (f->version == version)
				g_ptr_array_add(names, (gpointer)f->name);
	}
	g_ptr_array_add(names, NULL);
	return (const char **)g_ptr_array_free(names, FALSE);
}

bool control_file_check(const struct node *place, const char *name,
			enum cgroup_version version, GError **error)
{
	enum cgroup_version other = version == CGROUP_V1 ? CGROUP_V2 : CGROUP_V1;
	g_autofree const char **files = files_of(version);
	g_autofree const char **others = files_of(other);
	g_autofree char *quoted = g_strdup_printf("\"%s\"", name);

	if (g_strv_contains(files, name))
		return true;
	if (g_strv_contains(others, name))
		return node_fail(place, INPUT_ERROR_VALUE, error,
				 "expected a control file of cgroup version %d, got %s "
				 "of version %d",
				 version, quoted, other);
	if (is_control_key(name) && !g_str_has_prefix(name, "cpu.") &&
	    !g_str_has_prefix(name, "cpuset."))
		return node_unsupported(place, quoted, error);
	return node_fail(place, INPUT_ERROR_VALUE, error,
			 "expected a control file of cgroup version %d, got %s; the "
			 "nearest is \"%s\"",
			 version, quoted, nearest_name(name, files));
}
