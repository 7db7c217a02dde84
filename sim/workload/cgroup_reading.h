/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of control groups while it is read, for those who fill and check it.
 */
#ifndef WORKLOAD_CGROUP_READING_H
#define WORKLOAD_CGROUP_READING_H

#include "cpuset/cpuset_tree.h"
#include "sched/core.h"
#include "workload/cgroup_spec.h"

struct cgroup_reading {
	struct machine *m; /* owned */
	struct sched_driver driver;
	cpusets *sys;            /* owned */
	cgroup_tree *tree;       /* owned */
	bool has_cpuset_files;   /* some have been written to */
	struct name_table paths; /* as in control.paths */
	GArray *steps;           /* of struct cgroup_step, owned */
	GArray *sleepers;        /* of struct group_sleepers, owned */
	int64_t nr_sleepers;     /* in all of them */
};

/* An empty tree.  (transfer full) */
struct cgroup_reading *cgroup_reading_new(const struct reading *r,
					  enum cgroup_version version,
					  enum cpuset_mode mode);
/* Makes the group at @path, which @index then is among the paths; 0 or -errno. */
int cgroup_reading_make_group(struct cgroup_reading *cr, const char *path, int *index);
/* @value is written to @file; both NULL: the group is made. */
void cgroup_reading_add_step(struct cgroup_reading *cr, int cgroup, const char *file,
			     const char *value);
/* Says that the kernel refused @what, which is what @n says, with @result; false. */
bool cgroup_refused(const struct node *n, const char *what, int result, GError **error);

#endif
