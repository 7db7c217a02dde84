/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether tasks may be in the groups that they are to begin in.
 */
#include "cpuset/cpuset_cgroup.h"
#include "schedsim/error.h"
#include "workload/cgroup_reading.h"

static struct cgroup *group_at(const struct reading *r, int path)
{
	return cgroup_find(r->cgroups->tree, r->cgroups->paths.names->pdata[path]);
}

static struct cgroup *group_of_task(const struct reading *r, int task)
{
	return group_at(r, r->w->tasks[task].cgroup);
}

static const struct group_sleepers *sleepers_at(const struct reading *r, guint i)
{
	return &g_array_index(r->cgroups->sleepers, struct group_sleepers, i);
}

/* Of version 2 */

/* The nearest group with tasks above @cg, but for the root; NULL: none. */
static const struct cgroup *populated_above(const struct cgroup *cg)
{
	for (cg = cg->parent; cg && cg->parent; cg = cg->parent)
		if (cg->nr_tasks)
			return cg;
	return NULL;
}

static void count_tasks(const struct reading *r)
{
	for (int i = 0; i < r->w->nr_tasks; i++)
		group_of_task(r, i)->nr_tasks += (unsigned)r->w->tasks[i].instances;
	for (guint i = 0; i < r->cgroups->sleepers->len; i++)
		group_at(r, sleepers_at(r, i)->cgroup)->nr_tasks +=
			sleepers_at(r, i)->nr;
}

/* Whether nobody is above those in @cg; @place is where it is asked for. */
static bool is_leaf(const struct cgroup *cg, const char *place, GError **error)
{
	const struct cgroup *above = cg->nr_tasks ? populated_above(cg) : NULL;
	g_autofree char *path = cgroup_path(cg);
	g_autofree char *path_above = above ? cgroup_path(above) : NULL;

	if (above)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "%s: expected tasks in the leaves of a tree of version 2 "
			    "only, got some in \"%s\" and below it in \"%s\"",
			    place, path_above, path);
	return !above;
}

static bool check_leaves(const struct reading *r, const char *place, GError **error)
{
	bool right = true;

	count_tasks(r);
	for (int i = 0; right && i < r->w->nr_tasks; i++)
		right = is_leaf(group_of_task(r, i), place, error);
	for (guint i = 0; right && i < r->cgroups->sleepers->len; i++)
		right = is_leaf(group_at(r, sleepers_at(r, i)->cgroup),
				sleepers_at(r, i)->place, error);
	return right;
}

/* Of cpusets */

static bool has_room(const struct cpuset *cs, const char *place, GError **error)
{
	g_autofree char *path = cpuset_path(cs);

	if (cpuset_can_have_tasks(cs))
		return true;
	g_set_error(
		error, INPUT_ERROR, INPUT_ERROR_VALUE,
		"%s: expected a group with CPUs and memory nodes, got \"%s\" without "
		"cpuset.%s: ENOSPC",
		place, path, cpumask_empty(&cs->effective_cpus) ? "cpus" : "mems");
	return false;
}

/* Task @i is to be in @cs; its place is @place. */
static bool check_task(const struct reading *r, const char *place, int i,
		       const struct cpuset *cs, GError **error)
{
	const struct cpumask *own = &r->w->tasks[i].cpus;
	struct cpumask cpus = cpuset_cpus_allowed(cs);
	g_autofree char *path = cpuset_path(cs);
	g_autofree char *list = cpumask_to_list(&cpus);

	if (!has_room(cs, place, error))
		return false;
	if (!cs->parent || cpumask_empty(own) || cpumask_intersects(own, &cpus))
		return true;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "%s: expected \"cpus\" with one that \"%s\" has (%s): EINVAL",
		    place, path, list);
	return false;
}

static bool check_cpusets(const struct reading *r, const struct node *n, GError **error)
{
	bool right = true;

	for (int i = 0; right && i < r->w->nr_tasks; i++) {
		struct node task = node_get(n, r->w->tasks[i].name);
		g_autofree char *place = node_path(task.json ? &task : n);

		right = check_task(r, place, i, cgroup_cpuset(group_of_task(r, i)),
				   error);
	}
	for (guint i = 0; right && i < r->cgroups->sleepers->len; i++) {
		const struct group_sleepers *sleepers = sleepers_at(r, i);

		right = !sleepers->nr ||
			has_room(cgroup_cpuset(group_at(r, sleepers->cgroup)),
				 sleepers->place, error);
	}
	return right;
}

bool cgroups_check_tasks(const struct reading *r, const struct node *n, GError **error)
{
	g_autofree char *place = node_path(n);

	if (!r->cgroups)
		return true;
	if (r->cgroups->has_cpuset_files && !check_cpusets(r, n, error))
		return false;
	return r->cgroups->tree->version == CGROUP_V1 || check_leaves(r, place, error);
}
