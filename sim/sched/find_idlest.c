/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slow path: where a new or exec'ing task goes.  From the highest domain down,
 * the idlest group, then the idlest CPU in it.
 */
#include "sched/asym.h"
#include "sched/balance.h"
#include "sched/fair_load.h"
#include "sched/select.h"

#include <limits.h>

/* An imbalance this small may stay.  source: NUMA_IMBALANCE_MIN */
#define NUMA_IMBALANCE_MIN 2

/* Tasks that talk to each other may stay together while the node is nearly idle. */
long adjust_numa_imbalance(int imbalance, int dst_running, int imb_numa_nr)
{
	if (dst_running <= imb_numa_nr && imbalance <= NUMA_IMBALANCE_MIN)
		return 0;
	return imbalance;
}

/* A group and what it would look like without the task. */
struct candidate {
	struct sched_group *group; /* NULL: none yet */
	struct sg_lb_stats stats;
};

/* source: task_running_on_cpu() */
static bool counts_on(const struct task *t, int cpu)
{
	return cpu == t->cpu && t->se.avg.last_update_time &&
	       t->on_rq == TASK_ON_RQ_QUEUED;
}

/* @nr_running is the CPU's without @t.  source: idle_cpu_without() */
static bool would_be_idle(const struct rq *rq, const struct task *t,
			  unsigned nr_running)
{
	return !nr_running && (rq->curr == rq->idle || rq->curr == t) &&
	       !rq->ttwu_pending;
}

static void add_cpu(struct sg_lb_stats *stats, const struct machine *m, int cpu,
		    const struct task *t)
{
	const struct rq *rq = cpu_rq(m, cpu);
	unsigned own = counts_on(t, cpu);
	unsigned nr_running = rq->nr_running - own;

	stats->group_load += cpu_load_without(m, cpu, t);
	stats->group_util += cpu_util_without(m, cpu, t);
	stats->group_runnable += cpu_runnable_without(m, cpu, t);
	stats->sum_h_nr_running += rq->cfs.h_nr_running - own;
	stats->sum_nr_running += nr_running;
	if (would_be_idle(rq, t, nr_running))
		stats->idle_cpus++;
}

/* source: update_sg_wakeup_stats(), kernel/sched/fair.c, v6.1 */
static void collect(struct sg_lb_stats *stats, const struct machine *m,
		    const struct sched_domain *sd, const struct sched_group *group,
		    const struct task *t)
{
	struct cpumask cpus = group->cpus;
	int cpu;

	if (m->profile->wakeup_stats_of_allowed)
		cpus = cpumask_and(&cpus, &t->cpus_mask);
	/* A misfit, until a CPU turns up on which it fits. */
	*stats = (struct sg_lb_stats){
		.group_misfit_task_load = (sd->flags & SD_ASYM_CPUCAPACITY) != 0,
	};
	for_each_cpu (cpu, &cpus) {
		add_cpu(stats, m, cpu, t);
		if (stats->group_misfit_task_load && task_fits_cpu(m, t, cpu))
			stats->group_misfit_task_load = 0;
	}
	stats->group_capacity = group->sgc->capacity;
	stats->group_weight = group->group_weight;
	stats->group_type = group_classify(sd->imbalance_pct, group, stats);
	/* Of use only where the groups are full. */
	if (stats->group_type == GROUP_FULLY_BUSY ||
	    stats->group_type == GROUP_OVERLOADED)
		stats->avg_load =
			stats->group_load * CAPACITY_ONE / stats->group_capacity;
}

/* Whether @a is idler than @b.  source: update_pick_idlest() */
static bool is_idler(const struct candidate *a, const struct candidate *b)
{
	if (a->stats.group_type != b->stats.group_type)
		return a->stats.group_type < b->stats.group_type;
	switch (a->stats.group_type) {
	case GROUP_OVERLOADED:
	case GROUP_FULLY_BUSY:
		return a->stats.avg_load < b->stats.avg_load;
	case GROUP_MISFIT_TASK:
		return a->group->sgc->max_capacity > b->group->sgc->max_capacity;
	case GROUP_HAS_SPARE:
		if (a->stats.idle_cpus != b->stats.idle_cpus)
			return a->stats.idle_cpus > b->stats.idle_cpus;
		return a->stats.group_util < b->stats.group_util;
	case GROUP_ASYM_PACKING:
	case GROUP_IMBALANCED:
		break;
	}
	return false;
}

/* Both groups are full: is the other one's load low enough to go there? */
static bool load_favours(const struct sched_domain *sd, const struct candidate *idlest,
			 const struct candidate *local)
{
	uint64_t there = idlest->stats.avg_load;
	uint64_t here = local->stats.avg_load;
	uint64_t imbalance =
		(NICE_0_LOAD >> LOAD_SHIFT) * (sd->imbalance_pct - 100) / 100;

	/* A nearly idle node should not look worse than a far one. */
	if ((sd->flags & SD_NUMA) && there + imbalance >= here)
		return false;
	if (there >= here + imbalance)
		return false;
	return 100 * here > sd->imbalance_pct * there;
}

/* Both groups have room: are there more idle CPUs, and is a far node worth it? */
static bool idle_cpus_favour(const struct sched_domain *sd,
			     const struct candidate *idlest,
			     const struct candidate *local, const struct task *t)
{
	int here = (int)local->stats.idle_cpus, there = (int)idlest->stats.idle_cpus;

	if (sd->flags & SD_NUMA) {
		struct cpumask cpus = cpumask_and(&local->group->cpus, &t->cpus_mask);
		/* No distribution's NR_CPUS equals a task's nr_cpus_allowed. */
		int imb_numa_nr = MIN(cpumask_weight(&cpus), (int)sd->imb_numa_nr);

		if (!adjust_numa_imbalance(ABS(here - there),
					   (int)local->stats.sum_nr_running + 1,
					   imb_numa_nr))
			return false;
	}
	return there > here;
}

/* Whether to leave the local group for @idlest.  NUMA balancing is not simulated. */
static bool is_worth_leaving(const struct sched_domain *sd,
			     const struct candidate *idlest,
			     const struct candidate *local, const struct task *t)
{
	if (local->stats.group_type != idlest->stats.group_type)
		return local->stats.group_type > idlest->stats.group_type;
	switch (local->stats.group_type) {
	case GROUP_OVERLOADED:
	case GROUP_FULLY_BUSY:
		return load_favours(sd, idlest, local);
	case GROUP_MISFIT_TASK:
		return local->group->sgc->max_capacity <
		       idlest->group->sgc->max_capacity;
	case GROUP_HAS_SPARE:
		return idle_cpus_favour(sd, idlest, local, t);
	case GROUP_ASYM_PACKING:
	case GROUP_IMBALANCED:
		break;
	}
	return false;
}

/* NULL: the local group, that of @this_cpu, is as good.  source: find_idlest_group() */
static struct sched_group *find_idlest_group(const struct machine *m,
					     const struct sched_domain *sd,
					     const struct task *t, int this_cpu)
{
	struct candidate idlest = {
		.stats = {.avg_load = UINT_MAX, .group_type = GROUP_OVERLOADED}};
	struct candidate local = {0};
	struct sched_group *group = sd->groups;

	do {
		struct candidate other = {.group = group};

		if (!cpumask_intersects(&group->cpus, &t->cpus_mask))
			continue;
		collect(&other.stats, m, sd, group, t);
		if (cpumask_test(&group->cpus, this_cpu))
			local = other;
		else if (is_idler(&other, &idlest))
			idlest = other;
	} while (group = group->next, group != sd->groups);

	if (!idlest.group || !local.group)
		return idlest.group;
	return is_worth_leaving(sd, &idlest, &local, t) ? idlest.group : NULL;
}

/*
 * The idlest allowed CPU of @group: one with only SCHED_IDLE tasks, else the one that
 * went idle last, else the least loaded.  Depths of idle are not simulated, and a CPU
 * whose idle_stamp is 0 does not count as idle here.
 *
 * source: find_idlest_group_cpu(), kernel/sched/fair.c, v6.1
 */
static int find_idlest_group_cpu(const struct machine *m,
				 const struct sched_group *group, const struct task *t,
				 int this_cpu)
{
	struct cpumask cpus = cpumask_and(&group->cpus, &t->cpus_mask);
	uint64_t min_load = UINT64_MAX, latest_idle_stamp = 0;
	int least_loaded = this_cpu, last_idle = CPU_NONE, cpu;

	if (group->group_weight == 1)
		return cpumask_first(&group->cpus);
	for_each_cpu (cpu, &cpus) {
		const struct rq *rq = cpu_rq(m, cpu);

		if (cpu_is_sched_idle(m, cpu))
			return cpu;
		if (cpu_is_idle(m, cpu)) {
			if (rq->idle_stamp > latest_idle_stamp) {
				latest_idle_stamp = rq->idle_stamp;
				last_idle = cpu;
			}
		} else if (last_idle == CPU_NONE && cpu_load(rq) < min_load) {
			min_load = cpu_load(rq);
			least_loaded = cpu;
		}
	}
	return last_idle != CPU_NONE ? last_idle : least_loaded;
}

/* The highest domain of @cpu with @sd_flag that is smaller than @weight, or NULL. */
static struct sched_domain *domain_below(const struct machine *m, int cpu,
					 unsigned weight, unsigned sd_flag)
{
	struct sched_domain *sd, *below = NULL;

	for (sd = cpu_rq(m, cpu)->sd; sd && sd->span_weight < weight; sd = sd->parent)
		if (sd->flags & sd_flag)
			below = sd;
	return below;
}

int find_idlest_cpu(struct machine *m, struct sched_domain *sd, struct task *t, int cpu,
		    int prev_cpu, unsigned sd_flag)
{
	int new_cpu = cpu;

	if (!cpumask_intersects(&sd->span, &t->cpus_mask))
		return prev_cpu;
	/* What it would leave behind is asked for below. */
	if (!(sd_flag & SD_BALANCE_FORK))
		sync_entity_load_avg(&t->se);

	while (sd) {
		struct sched_group *group = NULL;

		if (sd->flags & sd_flag)
			group = find_idlest_group(m, sd, t, cpu);
		if (group)
			new_cpu = find_idlest_group_cpu(m, group, t, cpu);
		if (!group || new_cpu == cpu) {
			sd = sd->child;
			continue;
		}
		cpu = new_cpu;
		sd = domain_below(m, cpu, sd->span_weight, sd_flag);
	}
	return new_cpu;
}
