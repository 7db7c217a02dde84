/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cpu controller: control groups as groups of tasks with a weight, a limit and
 * utilisation clamps.
 *
 * Both versions: cpu.idle, cpu.uclamp.min, cpu.uclamp.max.  Version 2: cpu.weight,
 * cpu.weight.nice, cpu.max, cpu.max.burst.  Version 1: cpu.shares, cpu.cfs_quota_us,
 * cpu.cfs_period_us, cpu.cfs_burst_us.
 */
#ifndef SCHED_CPU_CGROUP_H
#define SCHED_CPU_CGROUP_H

#include "model/cgroup.h"

extern const struct cgroup_controller cpu_cgroup;

/* What the scheduler knows @cg as. */
static inline struct task_group *cgroup_tg(const struct cgroup *cg)
{
	return cg->css[CGROUP_CPU];
}

#endif
