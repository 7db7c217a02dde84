/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a CPU and a group of CPUs can give to fair tasks.
 *
 * Only a CPU that balances refreshes its own figure, so the others' may be many
 * ticks old.  The kernel decides by the stale ones, and so does this.
 */
#include "sched/clock.h"
#include "sched/lb.h"

/*
 * The part of @rq that interrupts, real-time and deadline tasks leave, at least 1.
 *
 * Interrupts steal from everybody alike, hence the product.
 *
 * source: scale_rt_capacity(), scale_irq_capacity()
 */
static uint64_t scale_rt_capacity(const struct rq *rq)
{
	uint64_t max = rq->cpu_scale;
	uint64_t irq = rq->avg_irq.util_avg;
	uint64_t used = rq->avg_rt.util_avg + rq->avg_dl.util_avg;
	uint64_t capacity;

	if (irq >= max || used >= max)
		return 1;
	capacity = (max - used) * (max - irq) / max;
	return MAX(capacity, 1);
}

/* source: update_cpu_capacity() */
static void update_cpu_capacity(struct rq *rq, struct sched_group_capacity *sgc)
{
	uint64_t capacity = scale_rt_capacity(rq);

	rq->cpu_capacity_orig = rq->cpu_scale;
	rq->cpu_capacity = capacity;
	sgc->capacity = capacity;
	sgc->min_capacity = capacity;
	sgc->max_capacity = capacity;
}

static void add_capacity(struct sched_group_capacity *sgc, uint64_t capacity,
			 uint64_t min_capacity, uint64_t max_capacity)
{
	sgc->capacity += capacity;
	sgc->min_capacity = MIN(sgc->min_capacity, min_capacity);
	sgc->max_capacity = MAX(sgc->max_capacity, max_capacity);
}

/* The groups of an overlapping child need not make up the parent's group. */
static void sum_over_cpus(const struct machine *m, const struct cpumask *cpus,
			  struct sched_group_capacity *sgc)
{
	int cpu;

	for_each_cpu (cpu, cpus) {
		uint64_t capacity = capacity_of(m, cpu);

		add_capacity(sgc, capacity, capacity, capacity);
	}
}

static void sum_over_groups(const struct sched_domain *child,
			    struct sched_group_capacity *sgc)
{
	const struct sched_group *group = child->groups;

	do {
		add_capacity(sgc, group->sgc->capacity, group->sgc->min_capacity,
			     group->sgc->max_capacity);
		group = group->next;
	} while (group != child->groups);
}

void update_group_capacity(struct machine *m, struct sched_domain *sd, int cpu)
{
	struct sched_group_capacity *sgc = sd->groups->sgc;
	uint64_t interval = msecs_to_jiffies(m, sd->balance_interval);

	sgc->next_update =
		m->jiffies + CLAMP(interval, 1, m->max_load_balance_interval);
	if (!sd->child) {
		update_cpu_capacity(cpu_rq(m, cpu), sgc);
		return;
	}

	sgc->capacity = 0;
	sgc->min_capacity = UINT64_MAX;
	sgc->max_capacity = 0;
	if (sd->child->flags & SD_OVERLAP)
		sum_over_cpus(m, &sd->groups->cpus, sgc);
	else
		sum_over_groups(sd->child, sgc);
}
