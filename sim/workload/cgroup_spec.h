/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "cgroups": the tree of control groups, and which of them a task is in.
 *
 * The tree is set up once while it is read, on a machine of its own, so that what the
 * kernel would refuse is refused with its place in the file.
 */
#ifndef WORKLOAD_CGROUP_SPEC_H
#define WORKLOAD_CGROUP_SPEC_H

#include "workload/control.h"
#include "workload/reading.h"

/* The tree while it is read. */
struct cgroup_reading;

/* Reads object @n, before any task. */
bool cgroups_read(struct reading *r, const struct node *n, GError **error);
/* The tree; made empty, of @version, where there was none. */
struct cgroup_reading *cgroup_reading_of(struct reading *r,
					 enum cgroup_version version);
void cgroup_reading_free(struct cgroup_reading *cr);

/* "cgroup" or "taskgroup" of task @n, as an index into control.paths.  A group that
 * only "taskgroup" names is made. */
bool task_cgroup_read(struct reading *r, const struct node *n, int *cgroup,
		      GError **error);
/* "taskgroup" of a phase: -1 where it names none. */
bool taskgroup_read(struct reading *r, const struct node *n, int *cgroup,
		    GError **error);

/* Whether every task may be where it is to begin; after all operations.  @n is
 * "tasks". */
bool cgroups_check_tasks(const struct reading *r, const struct node *n, GError **error);

/* A path that begins with a slash.  It stays the file's. */
bool cgroup_path_read(const struct node *n, const char **path, GError **error);
/* Whether @path is a group at the start. */
bool cgroup_is_known(const struct cgroup_reading *cr, const char *path);
enum cgroup_version cgroup_reading_version(const struct cgroup_reading *cr);

/* Control file @name, which is simulated, is written to, now or later. */
void cgroup_file_used(struct cgroup_reading *cr, const char *name);

/* Hands the tree over to the workload. */
void cgroups_finish(struct reading *r);

#endif
