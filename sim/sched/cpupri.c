/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sched/cpupri.h"

#include <string.h>

/* Priorities fall as their numbers grow; levels rise. */
static int level_of(int prio)
{
	if (prio == CPUPRI_INVALID || prio == CPUPRI_HIGHER)
		return prio;
	return MAX_RT_PRIO - 1 - prio;
}

void cpupri_init(struct cpupri *cp)
{
	memset(cp, 0, sizeof(*cp));
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		cp->level[cpu] = CPUPRI_INVALID;
}

void cpupri_set(struct cpupri *cp, int cpu, int prio)
{
	int old = cp->level[cpu];
	int level = level_of(prio);

	g_assert(level < CPUPRI_LEVELS);
	if (level == old)
		return;
	if (old != CPUPRI_INVALID) {
		cp->count[old]--;
		cpumask_clear(&cp->mask[old], cpu);
	}
	if (level != CPUPRI_INVALID) {
		cp->count[level]++;
		cpumask_set(&cp->mask[level], cpu);
	}
	cp->level[cpu] = level;
}

/* Takes CPUs that @t does not fit on out of @mask. */
static void keep_fitting(const struct machine *m, const struct task *t, fits_fn fits,
			 struct cpumask *mask)
{
	struct cpumask all = *mask;
	int cpu;

	for_each_cpu (cpu, &all)
		if (!fits(m, t, cpu))
			cpumask_clear(mask, cpu);
}

/* @fits: NULL for any. */
static bool find(const struct machine *m, const struct task *t, fits_fn fits,
		 struct cpumask *lowest)
{
	const struct cpupri *cp = &task_rq(m, t)->rd->cpupri;
	int own = level_of(t->prio);

	for (int level = 0; level < own; level++) {
		if (!cp->count[level] ||
		    !cpumask_intersects(&cp->mask[level], &t->cpus_mask))
			continue;
		if (!lowest)
			return true;
		*lowest = cpumask_and(&cp->mask[level], &t->cpus_mask);
		*lowest = cpumask_and(lowest, &m->active);
		if (fits)
			keep_fitting(m, t, fits, lowest);
		if (!cpumask_empty(lowest))
			return true;
	}
	return false;
}

bool cpupri_find(const struct machine *m, const struct task *t, struct cpumask *lowest)
{
	return find(m, t, NULL, lowest);
}

/* To run at all counts for more than to run where it fits. */
bool cpupri_find_fitness(const struct machine *m, const struct task *t, fits_fn fits,
			 struct cpumask *lowest)
{
	return find(m, t, fits, lowest) || find(m, t, NULL, lowest);
}
