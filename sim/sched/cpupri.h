/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs of a root domain by the priority of what is queued on them, so that the
 * lowest can be found for a task.
 */
#ifndef SCHED_CPUPRI_H
#define SCHED_CPUPRI_H

#include "schedsim/machine.h"

/* No CPU has a place yet. */
void cpupri_init(struct cpupri *cp);

/*
 * @cpu's place from now on.
 *
 * @prio  0..MAX_RT_PRIO - 2 of the highest real-time task queued, MAX_RT_PRIO - 1 for
 *        none, or one of CPUPRI_INVALID and CPUPRI_HIGHER
 */
void cpupri_set(struct cpupri *cp, int cpu, int prio);

/*
 * Whether some CPU of its root domain runs at less than the real-time task @t.
 * @lowest, unless NULL, gets the CPUs of the lowest level that has active ones for @t;
 * without it, inactive ones count.
 */
bool cpupri_find(const struct machine *m, const struct task *t, struct cpumask *lowest);

typedef bool (*fits_fn)(const struct machine *m, const struct task *t, int cpu);

/*
 * Likewise, but the lowest level that has CPUs on which @t fits, and of those these
 * alone; if no level has, as cpupri_find().  @lowest is not NULL.
 */
bool cpupri_find_fitness(const struct machine *m, const struct task *t, fits_fn fits,
			 struct cpumask *lowest);

#endif
