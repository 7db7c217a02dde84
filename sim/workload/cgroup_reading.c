/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of control groups while it is read: a machine on which nothing runs, and
 * what the workload will have of it.
 */
#include "workload/cgroup_reading.h"

#include "cpuset/cpuset_cgroup.h"
#include "schedsim/error.h"

/* Here no time passes, so no timer ever fires. */
static void ignore_timer(void *data, struct sched_timer *timer)
{
}

void cgroup_reading_add_step(struct cgroup_reading *cr, int cgroup, const char *file,
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

struct cgroup_reading *cgroup_reading_new(const struct reading *r,
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

bool cgroup_refused(const struct node *n, const char *what, int result, GError **error)
{
	g_autofree char *text = node_text(n);

	return node_fail(n, INPUT_ERROR_VALUE, error,
			 "expected %s that the kernel takes, got %s: %s", what, text,
			 kernel_errno_name(-result));
}

int cgroup_reading_make_group(struct cgroup_reading *cr, const char *path, int *index)
{
	int result = cgroup_mkdir(cr->tree, path);

	if (result)
		return result;
	*index = name_table_index(&cr->paths, path);
	cgroup_reading_add_step(cr, *index, NULL, NULL);
	return 0;
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
