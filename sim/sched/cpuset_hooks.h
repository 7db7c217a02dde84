/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the scheduler asks of cpusets and tells them; they lie in a layer above it.
 */
#ifndef SCHED_CPUSET_HOOKS_H
#define SCHED_CPUSET_HOOKS_H

#include "schedsim/machine.h"

struct cpuset_hooks {
	/*
	 * None of @t's CPUs is left.  True: it may use @cpus instead.  False: any.
	 * source: cpuset_cpus_allowed_fallback()
	 */
	bool (*cpus_allowed_fallback)(void *data, const struct task *t,
				      struct cpumask *cpus);
	/* What of its cpuset is online, never empty.  source: cpuset_cpus_allowed() */
	struct cpumask (*cpus_allowed)(void *data, const struct task *t);
	/* @t became a deadline task (+1), or left that class (-1).  source:
	 * inc_dl_tasks_cs(), dec_dl_tasks_cs() */
	void (*dl_tasks_change)(void *data, struct task *t, int change);
	void *data; /* not owned */
};

static inline void cpuset_dl_tasks_change(const struct machine *m, struct task *t,
					  int change)
{
	if (m->cpusets)
		m->cpusets->dl_tasks_change(m->cpusets->data, t, change);
}

#endif
