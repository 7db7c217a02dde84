/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An entry has one key that says what is done, and keys that say when.
 */
#include "workload/operation_spec.h"

#include "schedsim/error.h"
#include "workload/cgroup_spec.h"
#include "workload/program_check.h"
#include "workload/read.h"

#include <string.h>

#define COUNT_MAX 1000000000
#define FOR_EVER (-1)

static const char *const entry_keys[] = {"at",     "every", "count", "cpus", "write",
					 "attach", "mkdir", "rmdir", NULL};

/* The operations under construction, and the names of their rows in reports. */
struct operations_reading {
	struct reading *r;
	struct control *c;
	struct name_table rows;
};

static bool read_path_of(const struct node *n, struct operation_spec *op,
			 GError **error)
{
	struct node path = node_get(n, "path");
	const char *text;

	if (!path.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"path\"");
	if (!cgroup_path_read(&path, &text, error))
		return false;
	op->path = g_strdup(text);
	return true;
}

/* One value, or several to be written in turn. */
static bool read_values(const struct node *n, char ***values, GError **error)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
	bool several = cJSON_IsArray(n->json);
	struct node child;
	char *value;

	if (several && !n->json->child)
		return node_expected(n, "at least one value", error);
	for (child = several ? node_first(n) : *n; child.json;
	     child = node_next(&child)) {
		if (!control_value_read(&child, &value, error))
			return false;
		g_ptr_array_add(list, value);
		if (!several)
			break;
	}
	g_ptr_array_add(list, NULL);
	*values = (char **)g_ptr_array_steal(list, NULL);
	return true;
}

static bool read_write(struct operations_reading *o, const struct node *n,
		       struct operation_spec *op, GError **error)
{
	static const char *const keys[] = {"path", "file", "value", NULL};
	struct node file, value;
	const char *name;

	if (!node_has_only(n, keys, error) || !read_path_of(n, op, error))
		return false;
	file = node_get(n, "file");
	value = node_get(n, "value");
	if (!file.json || !value.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the keys \"file\" and \"value\"");
	if (!read_name(&file, "a control file's name", &name, error) ||
	    !control_file_check(&file, name, cgroup_reading_version(o->r->cgroups),
				error) ||
	    !read_values(&value, &op->values, error))
		return false;
	op->file = g_strdup(name);
	cgroup_file_used(o->r->cgroups, name);
	return true;
}

static int find_task(const workload *w, const char *name, gsize length)
{
	for (int i = 0; i < w->nr_tasks; i++)
		if (!strncmp(w->tasks[i].name, name, length) &&
		    !w->tasks[i].name[length])
			return i;
	return -1;
}

/* "server" is all instances of a task, "server-2" one of them. */
static bool find_tasks(const workload *w, const char *name, struct operation_spec *op)
{
	const char *dash = strrchr(name, '-');
	guint64 number;

	op->task = find_task(w, name, strlen(name));
	op->instance = -1;
	if (op->task >= 0)
		return true;
	if (!dash ||
	    !g_ascii_string_to_unsigned(dash + 1, 10, 0, G_MAXINT32, &number, NULL))
		return false;
	op->task = find_task(w, name, (gsize)(dash - name));
	op->instance = (int)number;
	return op->task >= 0 && op->instance < w->tasks[op->task].instances;
}

static bool read_attach(struct operations_reading *o, const struct node *n,
			struct operation_spec *op, GError **error)
{
	static const char *const keys[] = {"path", "task", NULL};
	struct node task;
	const char *name;

	if (!node_has_only(n, keys, error) || !read_path_of(n, op, error))
		return false;
	task = node_get(n, "task");
	if (!task.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"task\"");
	if (!read_name(&task, "a task's name", &name, error))
		return false;
	return find_tasks(o->r->w, name, op) ||
	       node_expected(&task, "a task, or one of its instances (\"name-0\")",
			     error);
}

static bool read_directory(struct operations_reading *o, const struct node *n,
			   struct operation_spec *op, GError **error)
{
	static const char *const keys[] = {"path", NULL};

	return node_has_only(n, keys, error) && read_path_of(n, op, error);
}

static bool (*const readers[])(struct operations_reading *o, const struct node *n,
			       struct operation_spec *op, GError **error) = {
	[OPERATION_WRITE] = read_write,
	[OPERATION_ATTACH] = read_attach,
	[OPERATION_MKDIR] = read_directory,
	[OPERATION_RMDIR] = read_directory,
};

/* Which operation @n is; its json is NULL unless there is just one. */
static struct node find_operation(const struct node *n, enum operation_kind *kind)
{
	struct node found = {0};
	int nr = 0;

	for (int i = 0; i < NR_OPERATION_KINDS; i++) {
		struct node member = node_get(n, operation_names[i]);

		if (!member.json)
			continue;
		found = member;
		*kind = (enum operation_kind)i;
		nr++;
	}
	if (nr != 1)
		found.json = NULL;
	return found;
}

static bool read_repeat(const struct node *n, struct operation_spec *op, GError **error)
{
	struct node every = node_get(n, "every"), count = node_get(n, "count");
	int64_t times = every.json ? FOR_EVER : 1;

	if (count.json && !every.json)
		return node_fail(&count, INPUT_ERROR_VALUE, error,
				 "expected \"every\" beside \"count\"");
	if (every.json && !read_time_dist(&every, BARE_NONE, &op->every, error))
		return false;
	if (every.json && dist_is_zero(&op->every))
		return node_expected(&every, "a time above 0", error);
	if (count.json && !read_int(&count, 1, COUNT_MAX, &times, error))
		return false;
	op->count = (int)times;
	return true;
}

static bool read_when(struct operations_reading *o, const struct node *n,
		      struct operation_spec *op, GError **error)
{
	struct node at = node_get(n, "at"), cpus = node_get(n, "cpus");

	if (!at.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"at\"");
	return read_time(&at, BARE_NONE, &op->thread.delay_ns, error) &&
	       (!cpus.json ||
		read_cpus(&cpus, o->r->nr_cpus, &op->thread.cpus, error)) &&
	       read_repeat(n, op, error);
}

/* What reports call it: writes by their file, others by their kind. */
static void name_row(struct operations_reading *o, struct operation_spec *op)
{
	g_autofree char *row = g_strconcat(operation_names[op->kind],
					   op->file ? " " : NULL, op->file, NULL);

	op->row = name_table_index(&o->rows, row);
	op->thread.name = g_strdup(row);
	op->thread.instances = 1;
}

/* A thread that does the operation, each time it is due, and ends. */
static void make_program(const struct node *n, struct operation_spec *op, int index)
{
	struct step *steps = g_new0(struct step, 2);

	steps[0].op = STEP_OPERATION;
	steps[0].object = index;
	steps[0].place = node_path(n);
	steps[1].op = STEP_EXIT;
	steps[1].place = node_path(n);
	op->thread.program = (struct program){.steps = steps, .nr_steps = 2};
	op->place = node_path(n);
}

static bool read_entry(struct operations_reading *o, const struct node *n,
		       struct operation_spec *op, GError **error)
{
	struct node what;

	if (!node_has_only(n, entry_keys, error))
		return false;
	what = find_operation(n, &op->kind);
	if (!what.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected one of \"write\", \"attach\", \"mkdir\" and "
				 "\"rmdir\"");
	if (!readers[op->kind](o, &what, op, error) || !read_when(o, n, op, error))
		return false;
	name_row(o, op);
	make_program(n, op, (int)(op - o->c->operations));
	return true;
}

static bool some_mkdir_makes(const struct control *c, const char *path)
{
	for (int i = 0; i < c->nr_operations; i++)
		if (c->operations[i].kind == OPERATION_MKDIR &&
		    !strcmp(c->operations[i].path, path))
			return true;
	return false;
}

static void warn_of_unknown_paths(const struct operations_reading *o,
				  const struct node *n)
{
	for (int i = 0; i < o->c->nr_operations; i++) {
		const struct operation_spec *op = &o->c->operations[i];

		if (op->kind != OPERATION_MKDIR &&
		    !cgroup_is_known(o->r->cgroups, op->path) &&
		    !some_mkdir_makes(o->c, op->path))
			node_warn(n, "%s: nothing makes the group \"%s\"", op->place,
				  op->path);
	}
}

bool operations_read(struct reading *r, const struct node *n, GError **error)
{
	struct operations_reading o = {.r = r};
	struct node child;
	bool done = true;

	if (!cJSON_IsArray(n->json))
		return node_expected(n, "an array of operations", error);
	cgroup_reading_of(r, CGROUP_V2);
	o.c = r->w->control = g_new0(struct control, 1);
	o.c->operations =
		g_new0(struct operation_spec, cJSON_GetArraySize(n->json) + 1);
	name_table_init(&o.rows);
	for (child = node_first(n); done && child.json; child = node_next(&child))
		done = read_entry(&o, &child, &o.c->operations[o.c->nr_operations++],
				  error);
	if (done) {
		warn_of_unknown_paths(&o, n);
		o.c->rows = name_table_take(&o.rows, &o.c->nr_rows);
	}
	name_table_clear(&o.rows);
	return done;
}

const char *endless_operation(const workload *w)
{
	for (int i = 0; w->control && i < w->control->nr_operations; i++)
		if (w->control->operations[i].count < 0)
			return w->control->operations[i].place;
	return NULL;
}
