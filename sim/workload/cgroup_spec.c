/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects are groups, keys that begin with a controller's name are its files; both take
 * effect in the order written.
 */
#include "workload/cgroup_spec.h"

#include "schedsim/error.h"
#include "workload/cgroup_reading.h"
#include "workload/control_file_spec.h"
#include "workload/read.h"

#include <string.h>

#define GROUPS_MAX 10000 /* in all, without the root */
#define SLEEPERS_MAX 10000000

static bool read_control(struct cgroup_reading *cr, const struct node *n, int cgroup,
			 GError **error)
{
	const char *path = cr->paths.names->pdata[cgroup];
	const char *file = n->json->string;
	g_autofree char *value = NULL;
	int result;

	if (!control_file_check(n, file, cr->tree->version, error) ||
	    !control_value_read(n, &value, error))
		return false;
	result = cgroup_write(cr->tree, path, file, value);
	if (result)
		return cgroup_refused(n, "a value", result, error);
	cgroup_file_used(cr, file);
	cgroup_reading_add_step(cr, cgroup, file, value);
	return true;
}

/* A key of a group that is neither a file nor a group: those have other values. */
static bool is_number_of(const struct node *n, const char *key)
{
	return !strcmp(n->json->string, key) && !cJSON_IsObject(n->json);
}

static bool read_sleepers(struct cgroup_reading *cr, const struct node *n, int cgroup,
			  GError **error)
{
	struct group_sleepers sleepers = {.cgroup = cgroup};
	int64_t number;

	if (!read_int(n, 0, SLEEPERS_MAX, &number, error))
		return false;
	cr->nr_sleepers += number;
	if (cr->nr_sleepers > SLEEPERS_MAX)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected at most %d sleepers in all groups, got more",
				 SLEEPERS_MAX);
	sleepers.nr = (unsigned)number;
	sleepers.place = node_path(n);
	g_array_append_val(cr->sleepers, sleepers);
	return true;
}

static bool read_members(struct cgroup_reading *cr, const struct node *n, int cgroup,
			 GError **error);

/* Group @name, as object @n has it, below that of index @parent. */
static bool read_one_group(struct cgroup_reading *cr, const struct node *n, int parent,
			   const char *name, GError **error)
{
	const char *above = cr->paths.names->pdata[parent];
	g_autofree char *path = g_strconcat(parent ? above : "", "/", name, NULL);
	int index, result;

	if (cr->paths.names->len > GROUPS_MAX)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected at most %d groups, got more", GROUPS_MAX);
	result = cgroup_reading_make_group(cr, path, &index);
	if (result)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected a name that the kernel takes, got \"%s\": "
				 "%s",
				 name, kernel_errno_name(-result));
	return read_members(cr, n, index, error);
}

/* One of that name, or "NAME-0" and so on of several. */
static bool read_group(struct cgroup_reading *cr, const struct node *n, int parent,
		       GError **error)
{
	const char *name = n->json->string;
	struct node number;
	int64_t count = 1;

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object (a group) or a control file's key",
				     error);
	if (!*name || strchr(name, '/'))
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the name of one group, got \"%s\"", name);
	number = node_get(n, "instance");
	if (!number.json || cJSON_IsObject(number.json))
		return read_one_group(cr, n, parent, name, error);
	if (!read_int(&number, 1, GROUPS_MAX, &count, error))
		return false;
	for (int64_t i = 0; i < count; i++) {
		g_autofree char *one =
			g_strdup_printf("%s-%" G_GINT64_FORMAT, name, (gint64)i);

		if (!read_one_group(cr, n, parent, one, error))
			return false;
	}
	return true;
}

static bool read_member(struct cgroup_reading *cr, const struct node *n, int cgroup,
			GError **error)
{
	const char *key = n->json->string;

	if (!cgroup && (!strcmp(key, "version") || !strcmp(key, "cpuset_v2_mode")))
		return true;
	if (cgroup && is_number_of(n, "instance"))
		return true;
	if (is_number_of(n, "sleepers"))
		return read_sleepers(cr, n, cgroup, error);
	return is_control_key(key) ? read_control(cr, n, cgroup, error)
				   : read_group(cr, n, cgroup, error);
}

static bool read_members(struct cgroup_reading *cr, const struct node *n, int cgroup,
			 GError **error)
{
	struct node child;

	node_for_each(child, n)
	{
		if (!node_is_first(&child, error) ||
		    !read_member(cr, &child, cgroup, error))
			return false;
	}
	return true;
}

/* The keys of object @n that are no groups. */
static bool read_version(const struct node *n, enum cgroup_version *version,
			 enum cpuset_mode *mode, GError **error)
{
	struct node number = node_get(n, "version");
	struct node option = node_get(n, "cpuset_v2_mode");
	int64_t value = CGROUP_V2;
	bool v2_mode = false;

	if ((number.json && !read_int(&number, CGROUP_V1, CGROUP_V2, &value, error)) ||
	    (option.json && !read_bool(&option, &v2_mode, error)))
		return false;
	if (option.json && value != CGROUP_V1)
		return node_fail(&option, INPUT_ERROR_VALUE, error,
				 "expected \"version\": 1 beside this mount option");
	*version = (enum cgroup_version)value;
	*mode = value == CGROUP_V2 ? CPUSET_V2 : CPUSET_V1;
	if (v2_mode)
		*mode = CPUSET_V1_V2_MODE;
	return true;
}

bool cgroups_read(struct reading *r, const struct node *n, GError **error)
{
	enum cgroup_version version = CGROUP_V2;
	enum cpuset_mode mode = CPUSET_V2;

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object of groups", error);
	if (!read_version(n, &version, &mode, error))
		return false;
	r->cgroups = cgroup_reading_new(r, version, mode);
	return read_members(r->cgroups, n, 0, error);
}
