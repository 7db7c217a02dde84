/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each operation is about: the object under its name.
 */
#include "workload/operation_args.h"

#include "schedsim/error.h"
#include "workload/cgroup_spec.h"
#include "workload/control_file_spec.h"
#include "workload/policy_spec.h"
#include "workload/read.h"
#include "workload/tunable_spec.h"

#include <string.h>

/* Member @key, which must be there. */
static bool need(const struct node *n, const char *key, struct node *out,
		 GError **error)
{
	*out = node_get(n, key);
	return out->json ||
	       node_fail(n, INPUT_ERROR_VALUE, error, "expected the key \"%s\"", key);
}

/* Control groups */

static bool has_dots(const char *path)
{
	g_auto(GStrv) names = g_strsplit(path, "/", -1);
	const char *const *all = (const char *const *)names;

	return g_strv_contains(all, ".") || g_strv_contains(all, "..");
}

static bool read_path_of(const struct node *n, struct operation_spec *op,
			 GError **error)
{
	struct node path;
	const char *text;

	if (!need(n, "path", &path, error) || !cgroup_path_read(&path, &text, error))
		return false;
	if (has_dots(text))
		return node_expected(&path, "a path without \".\" and \"..\"", error);
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

static bool read_write(struct reading *r, const struct node *n,
		       struct operation_spec *op, GError **error)
{
	static const char *const keys[] = {"path", "file", "value", NULL};
	struct node file, value;
	const char *name;

	if (!node_has_only(n, keys, error) || !read_path_of(n, op, error))
		return false;
	file = node_get(n, "file");
	value = node_get(n, "value");
	/* Values may be in a record instead, which is read later. */
	if (!file.json || (!value.json && !node_get(n->up, "file").json))
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the keys \"file\" and \"value\"");
	if (!read_name(&file, "a control file's name", &name, error) ||
	    !control_file_check(&file, name, cgroup_reading_version(r->cgroups),
				error) ||
	    (value.json && !read_values(&value, &op->values, error)))
		return false;
	op->file = g_strdup(name);
	cgroup_file_used(r->cgroups, name);
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

static bool read_task(const struct reading *r, const struct node *n,
		      struct operation_spec *op, GError **error)
{
	struct node task;
	const char *name;

	if (!need(n, "task", &task, error) ||
	    !read_name(&task, "a task's name", &name, error))
		return false;
	return find_tasks(r->w, name, op) ||
	       node_expected(&task, "a task, or one of its instances (\"name-0\")",
			     error);
}

static bool read_attach(struct reading *r, const struct node *n,
			struct operation_spec *op, GError **error)
{
	static const char *const keys[] = {"path", "task", NULL};

	return node_has_only(n, keys, error) && read_path_of(n, op, error) &&
	       read_task(r, n, op, error);
}

static bool read_directory(struct reading *r, const struct node *n,
			   struct operation_spec *op, GError **error)
{
	static const char *const keys[] = {"path", NULL};

	return node_has_only(n, keys, error) && read_path_of(n, op, error);
}

/* CPUs */

static bool read_cpu(struct reading *r, const struct node *n, struct operation_spec *op,
		     GError **error)
{
	static const char *const keys[] = {"cpu", NULL};
	struct node cpu;
	int64_t number;

	if (!node_has_only(n, keys, error) || !need(n, "cpu", &cpu, error) ||
	    !read_int(&cpu, 0, r->nr_cpus - 1, &number, error))
		return false;
	op->cpu = (int)number;
	return true;
}

static bool read_nothing(struct reading *r, const struct node *n,
			 struct operation_spec *op, GError **error)
{
	return !n->json->child || node_expected(n, "an empty object", error);
}

/* Tasks */

/* By rt-app's "priority", or the nice value by its own name. */
static bool read_priority(const struct node *n, struct sched_setting *setting,
			  GError **error)
{
	struct node priority = node_get(n, "priority"), nice = node_get(n, "nice");
	bool is_fair =
		setting->policy != POLICY_DEADLINE && !rt_policy(setting->policy);
	int64_t number;

	if (priority.json && nice.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected either \"nice\" or \"priority\", got both");
	if (nice.json && !is_fair)
		return node_fail(&nice, INPUT_ERROR_VALUE, error,
				 "expected a policy of fair tasks beside \"nice\"");
	if (!nice.json)
		return !priority.json || priority_read(&priority, setting, error);
	if (!read_int(&nice, MIN_NICE, MAX_NICE, &number, error))
		return false;
	setting->nice = (int)number;
	return true;
}

static bool read_scheduler(struct reading *r, const struct node *n,
			   struct operation_spec *op, GError **error)
{
	static const char *const keys[] = {"task",        "policy",     "priority",
					   "nice",        "dl-runtime", "dl-period",
					   "dl-deadline", "dl-reclaim", NULL};
	struct node policy;
	struct sched_setting setting;
	struct dl_setting dl = {0};

	if (!node_has_only(n, keys, error) || !read_task(r, n, op, error) ||
	    !need(n, "policy", &policy, error) ||
	    !policy_read(&policy, &setting.policy, error))
		return false;
	setting = sched_setting_default(setting.policy);
	if (!read_priority(n, &setting, error))
		return false;
	if (setting.policy != POLICY_DEADLINE)
		dl_keys_warn(n);
	else if (!dl_setting_read(n, false, &dl, error))
		return false;
	op->attr = (struct sched_attr){
		.sched_policy = setting.policy,
		.sched_nice = setting.nice,
		.sched_priority = setting.rt_priority,
		.sched_runtime = dl.runtime_ns,
		.sched_deadline = dl.deadline_ns,
		.sched_period = dl.period_ns,
		.sched_flags = dl.reclaim ? SCHED_FLAG_RECLAIM : 0,
	};
	return true;
}

static bool read_affinity(struct reading *r, const struct node *n,
			  struct operation_spec *op, GError **error)
{
	static const char *const keys[] = {"task", "cpus", NULL};
	struct node cpus;

	return node_has_only(n, keys, error) && read_task(r, n, op, error) &&
	       need(n, "cpus", &cpus, error) &&
	       read_cpus(&cpus, r->nr_cpus, &op->cpus, error);
}

static bool read_renice(struct reading *r, const struct node *n,
			struct operation_spec *op, GError **error)
{
	static const char *const keys[] = {"task", "nice", NULL};
	struct node nice;
	int64_t number;

	if (!node_has_only(n, keys, error) || !read_task(r, n, op, error) ||
	    !need(n, "nice", &nice, error) ||
	    !read_int(&nice, MIN_NICE, MAX_NICE, &number, error))
		return false;
	op->nice = (int)number;
	return true;
}

static bool (*const readers[])(struct reading *r, const struct node *n,
			       struct operation_spec *op, GError **error) = {
	[OPERATION_WRITE] = read_write,
	[OPERATION_ATTACH] = read_attach,
	[OPERATION_MKDIR] = read_directory,
	[OPERATION_RMDIR] = read_directory,
	[OPERATION_OFFLINE] = read_cpu,
	[OPERATION_ONLINE] = read_cpu,
	[OPERATION_SUSPEND] = read_nothing,
	[OPERATION_RESUME] = read_nothing,
	[OPERATION_GOVERNOR] = read_nothing,
	[OPERATION_TOPOLOGY] = read_nothing,
	[OPERATION_SETSCHEDULER] = read_scheduler,
	[OPERATION_AFFINITY] = read_affinity,
	[OPERATION_RENICE] = read_renice,
	[OPERATION_TUNABLE] = tunable_read,
};
G_STATIC_ASSERT(G_N_ELEMENTS(readers) == NR_OPERATION_KINDS);

bool operation_args_read(struct reading *r, const struct node *n,
			 struct operation_spec *op, GError **error)
{
	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object", error);
	return readers[op->kind](r, n, op, error);
}
