/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cpusets as a controller of the tree of control groups.
 */
#ifndef CPUSET_CPUSET_CGROUP_H
#define CPUSET_CPUSET_CGROUP_H

#include "cpuset/cpuset_tree.h"
#include "model/cgroup.h"

/*
 * The tree's machine has had cpusets_new() with the tree's version, and keeps them as
 * long as the tree is used; every task of a group is in its cpuset.
 */
extern const struct cgroup_controller cpuset_cgroup;

/* The cpuset of @cg. */
static inline struct cpuset *cgroup_cpuset(const struct cgroup *cg)
{
	return cg->css[CGROUP_CPUSET];
}

#endif
