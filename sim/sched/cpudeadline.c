/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs of a root domain by their earliest deadline: an array heap whose root is
 * the CPU with the latest.
 */
#include "sched/dl_internal.h"

void cpudl_init(struct cpudl *cp, const struct cpumask *cpus)
{
	cp->size = 0;
	cp->free_cpus = *cpus;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		cp->place[cpu] = CPUDL_NONE;
}

static bool is_later(const struct cpudl *cp, int a, int b)
{
	return dl_time_before(cp->elements[b].dl, cp->elements[a].dl);
}

static void put(struct cpudl *cp, int i, int cpu, uint64_t dl)
{
	cp->elements[i].cpu = cpu;
	cp->elements[i].dl = dl;
	cp->place[cpu] = i;
}

static int parent_of(int i)
{
	return (i - 1) / 2;
}

/* Among equals the one that rises goes above, as in the kernel. */
static void rise(struct cpudl *cp, int i)
{
	int cpu = cp->elements[i].cpu;
	uint64_t dl = cp->elements[i].dl;

	while (i && !dl_time_before(dl, cp->elements[parent_of(i)].dl)) {
		int up = parent_of(i);

		put(cp, i, cp->elements[up].cpu, cp->elements[up].dl);
		i = up;
	}
	put(cp, i, cpu, dl);
}

static int latest_child(const struct cpudl *cp, int i)
{
	int left = 2 * i + 1, right = left + 1;

	return right < cp->size && is_later(cp, right, left) ? right : left;
}

static void sink(struct cpudl *cp, int i)
{
	int cpu = cp->elements[i].cpu;
	uint64_t dl = cp->elements[i].dl;

	while (2 * i + 1 < cp->size) {
		int child = latest_child(cp, i);

		if (!dl_time_before(dl, cp->elements[child].dl))
			break;
		put(cp, i, cp->elements[child].cpu, cp->elements[child].dl);
		i = child;
	}
	put(cp, i, cpu, dl);
}

/* source: cpudl_heapify() */
static void settle(struct cpudl *cp, int i)
{
	if (i && is_later(cp, i, parent_of(i)))
		rise(cp, i);
	else
		sink(cp, i);
}

void cpudl_set(struct cpudl *cp, int cpu, uint64_t dl)
{
	int i = cp->place[cpu];

	if (i != CPUDL_NONE) {
		cp->elements[i].dl = dl;
		settle(cp, i);
		return;
	}
	i = cp->size++;
	put(cp, i, cpu, dl);
	rise(cp, i);
	cpumask_clear(&cp->free_cpus, cpu);
}

void cpudl_clear(struct cpudl *cp, int cpu, bool online)
{
	int i = cp->place[cpu];

	if (i != CPUDL_NONE) {
		int last = --cp->size;

		put(cp, i, cp->elements[last].cpu, cp->elements[last].dl);
		cp->place[cpu] = CPUDL_NONE;
		if (i < cp->size)
			settle(cp, i);
	}
	if (online)
		cpumask_set(&cp->free_cpus, cpu);
	else
		cpumask_clear(&cp->free_cpus, cpu);
}

bool dl_fits_capacity(const struct machine *m, const struct task *t, int cpu)
{
	return !m->asym_cpucap || cpu_rq(m, cpu)->cpu_scale >= t->dl.dl_density >>
					  (BW_SHIFT - CAPACITY_SHIFT);
}

/*
 * Leaves the CPUs that are fast enough for @t's density, or when there is none the
 * fastest; among those the one it is on, or else the first.
 */
static void keep_fitting(const struct machine *m, const struct task *t,
			 struct cpumask *mask)
{
	struct cpumask fitting = *mask;
	unsigned max_capacity = 0;
	int fastest = CPU_NONE;
	int cpu;

	for_each_cpu (cpu, mask) {
		unsigned capacity = cpu_rq(m, cpu)->cpu_scale;

		if (dl_fits_capacity(m, t, cpu))
			continue;
		cpumask_clear(&fitting, cpu);
		if (capacity > max_capacity ||
		    (cpu == t->cpu && capacity == max_capacity)) {
			max_capacity = capacity;
			fastest = cpu;
		}
	}
	if (cpumask_empty(&fitting))
		cpumask_set(&fitting, fastest);
	*mask = fitting;
}

bool cpudl_find(const struct machine *m, const struct task *t,
		struct cpumask *later_mask)
{
	const struct cpudl *cp = &task_rq(m, t)->rd->cpudl;
	int latest = cp->elements[0].cpu;

	if (later_mask) {
		*later_mask = cpumask_and(&cp->free_cpus, &t->cpus_mask);
		if (!cpumask_empty(later_mask)) {
			keep_fitting(m, t, later_mask);
			return true;
		}
	}
	if (!cp->size || !task_may_use(t, latest) ||
	    !dl_time_before(t->dl.deadline, cp->elements[0].dl))
		return false;
	if (later_mask)
		cpumask_set(later_mask, latest);
	return true;
}
