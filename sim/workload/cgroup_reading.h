/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of control groups while it is read: for cgroup_spec.c and cgroup_check.c.
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

#endif
