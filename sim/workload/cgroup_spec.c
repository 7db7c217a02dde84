/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects are groups, keys that begin with a controller's name are its files; both take
 * effect in the order written.
 */
#include "workload/cgroup_spec.h"

#include "base/nearest.h"
#include "cpuset/cpuset_cgroup.h"
#include "model/machine_new.h"
#include "schedsim/error.h"
#include "workload/cgroup_reading.h"
#include "workload/params.h"
#include "workload/read.h"

#include <string.h>

#define GROUPS_MAX 10000 /* in all, without the root */
#define SLEEPERS_MAX 10000000

/* What a key of a control file begins with: the kernel's controllers. */
static const char *const prefixes[] = {
	"cgroup.",  "cpu.",     "cpuset.",   "cpuacct.",    "memory.", "io.",
	"blkio.",   "pids.",    "rdma.",     "hugetlb.",    "misc.",   "devices.",
	"freezer.", "net_cls.", "net_prio.", "perf_event.", NULL};

static bool is_control_file(const char *key)
{
	for (const char *const *prefix = prefixes; *prefix; prefix++)
		if (g_str_has_prefix(key, *prefix))
			return true;
	return false;
}

/* Here no time passes, so no timer ever fires. */
static void ignore_timer(void *data, struct sched_timer *timer)
{
}

static void add_step(struct cgroup_reading *cr, int cgroup, const char *file,
		     const char *value)
{
	struct cgroup_step step = {
		.cgroup = cgroup, .file = g_strdup(file), .value = g_strdup(value)};

	g_array_append_val(cr->steps, step);
	/* cppcheck-suppress memleak; the array took it */
}

static void step_clear(gpointer data)
{
	struct cgroup_step *step = data;

	g_free(step->file);
	g_free(step->value);
}

static void clear_sleepers(gpointer data)
{
	struct group_sleepers *sleepers = data;

	g_free(sleepers->place);
}

static struct cgroup_reading *cgroup_reading_new(const struct reading *r,
						 enum cgroup_version version,
						 enum cpuset_mode mode)
{
	struct cgroup_reading *cr = g_new0(struct cgroup_reading, 1);
	struct cpusets_spec spec = {.mode = mode, .isolated = r->spec->isolated};

	cr->m = machine_new(r->topo, r->spec);
	sched_init(cr->m);
	cr->driver.timer_start = ignore_timer;
	cr->driver.timer_cancel = ignore_timer;
	cr->m->driver = &cr->driver;
	cr->sys = cpusets_new(cr->m, &spec);
	cr->tree = cgroup_tree_new(cr->m, version, cgroup_controllers);
	name_table_init(&cr->paths);
	name_table_index(&cr->paths, "/");
	cr->steps = g_array_new(FALSE, TRUE, sizeof(struct cgroup_step));
	g_array_set_clear_func(cr->steps, step_clear);
	cr->sleepers = g_array_new(FALSE, TRUE, sizeof(struct group_sleepers));
	g_array_set_clear_func(cr->sleepers, clear_sleepers);
	return cr;
}

void cgroup_reading_free(struct cgroup_reading *cr)
{
	if (!cr)
		return;
	g_array_unref(cr->steps);
	g_array_unref(cr->sleepers);
	name_table_clear(&cr->paths);
	cgroup_tree_free(cr->tree);
	cpusets_free(cr->sys);
	machine_free(cr->m);
	g_free(cr);
}

struct cgroup_reading *cgroup_reading_of(struct reading *r, enum cgroup_version version)
{
	if (!r->cgroups)
		r->cgroups = cgroup_reading_new(
			r, version, version == CGROUP_V1 ? CPUSET_V1 : CPUSET_V2);
	return r->cgroups;
}

void cgroup_file_used(struct cgroup_reading *cr, const char *name)
{
	cr->has_cpuset_files |=
		cgroup_file_find(&cpuset_cgroup, name, cr->tree->version) != NULL;
}

enum cgroup_version cgroup_reading_version(const struct cgroup_reading *cr)
{
	return cr->tree->version;
}

bool cgroup_is_known(const struct cgroup_reading *cr, const char *path)
{
	return cgroup_find(cr->tree, path) != NULL;
}

/* @what the kernel refused as @n has it; always false. */
static bool refused(const struct node *n, const char *what, int result, GError **error)
{
	g_autofree char *text = node_text(n);

	return node_fail(n, INPUT_ERROR_VALUE, error,
			 "expected %s that the kernel takes, got %s: %s", what, text,
			 kernel_errno_name(-result));
}

/* Index of the group at @path, which is made if it is new. */
static int make_group(struct cgroup_reading *cr, const char *path, int *index)
{
	int result = cgroup_mkdir(cr->tree, path);

	if (result)
		return result;
	*index = name_table_index(&cr->paths, path);
	add_step(cr, *index, NULL, NULL);
	return 0;
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
	if (is_control_file(name) && !g_str_has_prefix(name, "cpu.") &&
	    !g_str_has_prefix(name, "cpuset."))
		return node_unsupported(place, quoted, error);
	return node_fail(place, INPUT_ERROR_VALUE, error,
			 "expected a control file of cgroup version %d, got %s; the "
			 "nearest is \"%s\"",
			 version, quoted, nearest_name(name, files));
}

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
		return refused(n, "a value", result, error);
	cgroup_file_used(cr, file);
	add_step(cr, cgroup, file, value);
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
	result = make_group(cr, path, &index);
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
	return is_control_file(key) ? read_control(cr, n, cgroup, error)
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
			result = make_group(cr, prefix, index);
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
	return !result || refused(n, "a path", result, error);
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

void cgroups_finish(struct reading *r)
{
	struct cgroup_reading *cr = r->cgroups;
	struct control *c;

	if (!cr)
		return;
	if (!r->w->control)
		r->w->control = g_new0(struct control, 1);
	c = r->w->control;
	c->version = cr->tree->version;
	c->cpuset_mode = cr->sys->mode;
	c->has_cpuset_files = cr->has_cpuset_files;
	c->nr_steps = (int)cr->steps->len;
	c->steps = (struct cgroup_step *)g_array_steal(cr->steps, NULL);
	c->nr_sleepers = (int)cr->sleepers->len;
	c->sleepers = (struct group_sleepers *)g_array_steal(cr->sleepers, NULL);
	c->paths = name_table_take(&cr->paths, &c->nr_paths);
}
