/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who balances a domain, and the figures by which its groups are compared.
 */
#include <limits.h>

#include "sched/clock.h"
#include "sched/lb.h"

/*
 * A newly idle CPU balances unless work has come meanwhile.  Otherwise one CPU
 * of the local group does it for all: the first idle one, else the first one.
 */
bool should_we_balance(const struct lb_env *env)
{
	const struct sched_group *group = env->sd->groups;
	struct cpumask candidates;
	int cpu;

	if (!cpumask_test(&env->cpus, env->dst_cpu))
		return false;
	if (env->idle == CPU_NEWLY_IDLE)
		return !env->dst_rq->nr_running && !env->dst_rq->ttwu_pending;

	candidates = cpumask_and(&group->sgc->balance_mask, &env->cpus);
	for_each_cpu (cpu, &candidates)
		if (cpu_is_idle(env->m, cpu))
			return cpu == env->dst_cpu;
	return cpumask_first(&group->sgc->balance_mask) == env->dst_cpu;
}

/* More tasks than CPUs, and not enough capacity for them.  source:
 * group_is_overloaded() */
static bool group_is_overloaded(unsigned imbalance_pct, const struct sg_lb_stats *sgs)
{
	if (sgs->sum_nr_running <= sgs->group_weight)
		return false;
	return sgs->group_capacity * 100 < sgs->group_util * imbalance_pct ||
	       sgs->group_capacity * imbalance_pct < sgs->group_runnable * 100;
}

/* Not the opposite of overloaded: a group may be neither.  source:
 * group_has_capacity() */
static bool group_has_capacity(unsigned imbalance_pct, const struct sg_lb_stats *sgs)
{
	if (sgs->sum_nr_running < sgs->group_weight)
		return true;
	if (sgs->group_capacity * imbalance_pct < sgs->group_runnable * 100)
		return false;
	return sgs->group_capacity * 100 > sgs->group_util * imbalance_pct;
}

enum group_type group_classify(unsigned imbalance_pct, const struct sched_group *group,
			       const struct sg_lb_stats *sgs)
{
	if (group_is_overloaded(imbalance_pct, sgs))
		return GROUP_OVERLOADED;
	if (group->sgc->imbalance)
		return GROUP_IMBALANCED;
	if (sgs->group_asym_packing)
		return GROUP_ASYM_PACKING;
	if (sgs->group_misfit_task_load)
		return GROUP_MISFIT_TASK;
	if (!group_has_capacity(imbalance_pct, sgs))
		return GROUP_FULLY_BUSY;
	return GROUP_HAS_SPARE;
}

static void add_cpu(struct sg_lb_stats *sgs, const struct rq *rq)
{
	sgs->group_load += cpu_load(rq);
	sgs->group_util += cpu_util_cfs(rq->m, rq);
	sgs->group_runnable += cpu_runnable(rq);
	sgs->sum_h_nr_running += rq->cfs.h_nr_running;
	sgs->sum_nr_running += rq->nr_running;
}

/*
 * A CPU whose only fair task suffers from interrupts or higher classes makes its
 * group a misfit, for a CPU that has time to take the task.
 *
 * source: update_sg_lb_stats(), sched_reduced_capacity()
 */
static void note_reduced_capacity(const struct lb_env *env, struct sg_lb_stats *sgs,
				  const struct rq *rq)
{
	if (env->idle == CPU_NOT_IDLE || rq->cfs.h_nr_running != 1 ||
	    !capacity_is_reduced(rq, env->sd))
		return;
	sgs->group_misfit_task_load = MAX(sgs->group_misfit_task_load, cpu_load(rq));
}

/* True when @rq makes its group a misfit, or a bigger one.  source:
 * update_sg_lb_stats() */
static bool note_misfit_task(struct sg_lb_stats *sgs, const struct rq *rq)
{
	if (sgs->group_misfit_task_load >= rq->misfit_task_load)
		return false;
	sgs->group_misfit_task_load = rq->misfit_task_load;
	return true;
}

/* True when a CPU of the group has tasks waiting, or one that is too big for it.
 * source: update_sg_lb_stats() */
static bool update_sg_lb_stats(const struct lb_env *env,
			       const struct sched_group *group, bool is_local,
			       struct sg_lb_stats *sgs)
{
	struct cpumask cpus = cpumask_and(&group->cpus, &env->cpus);
	bool overload = false;
	int cpu;

	*sgs = (struct sg_lb_stats){
		.group_capacity = group->sgc->capacity,
		.group_weight = group->group_weight,
	};
	for_each_cpu (cpu, &cpus) {
		const struct rq *rq = cpu_rq(env->m, cpu);

		add_cpu(sgs, rq);
		overload |= rq->nr_running > 1;
		if (cpu_is_idle(env->m, cpu))
			sgs->idle_cpus++;
		else if (!is_local && env->sd->flags & SD_ASYM_CPUCAPACITY)
			overload |= note_misfit_task(sgs, rq);
		else if (!is_local)
			note_reduced_capacity(env, sgs, rq);
	}

	sgs->group_type = group_classify(env->sd->imbalance_pct, group, sgs);
	if (sgs->group_type == GROUP_OVERLOADED)
		sgs->avg_load = sgs->group_load * CAPACITY_ONE / sgs->group_capacity;
	return overload;
}

/* The others of @cpu's core are idle.  source: is_core_idle() */
static bool core_is_idle(const struct machine *m, int cpu)
{
	int sibling;

	if (!m->smt_active || !m->profile->misfit_to_idle_core)
		return true;
	for_each_cpu (sibling, &cpu_rq(m, cpu)->smt_mask)
		if (sibling != cpu && !cpu_is_idle(m, sibling))
			return false;
	return true;
}

/*
 * Whether the tasks of a group are better off where they are, since CPUs differ: one
 * too big for its CPU would not fit here either, or none of them waits and their CPUs
 * are faster.
 *
 * source: update_sd_pick_busiest()
 */
static bool is_better_off(const struct lb_env *env, const struct sd_lb_stats *sds,
			  const struct sched_group *group,
			  const struct sg_lb_stats *sgs)
{
	uint64_t capacity = capacity_of(env->m, env->dst_cpu);

	if (!(env->sd->flags & SD_ASYM_CPUCAPACITY))
		return false;
	if (sgs->group_type == GROUP_MISFIT_TASK)
		return !core_is_idle(env->m, env->dst_cpu) ||
		       !capacity_greater(capacity, group->sgc->max_capacity) ||
		       sds->local_stat.group_type != GROUP_HAS_SPARE;
	return sgs->group_type <= GROUP_FULLY_BUSY &&
	       capacity_greater(group->sgc->min_capacity, capacity);
}

/*
 * Whether @sgs is a busier group than the busiest so far.
 *
 * Fully busy groups carry no avg_load, so the first of them stays.
 *
 * source: update_sd_pick_busiest()
 */
static bool is_busier(const struct lb_env *env, const struct sd_lb_stats *sds,
		      const struct sched_group *group, const struct sg_lb_stats *sgs)
{
	const struct sg_lb_stats *busiest = &sds->busiest_stat;

	if (!sgs->sum_h_nr_running || is_better_off(env, sds, group, sgs))
		return false;
	if (sgs->group_type != busiest->group_type)
		return sgs->group_type > busiest->group_type;

	switch (sgs->group_type) {
	case GROUP_OVERLOADED:
	case GROUP_FULLY_BUSY:
		return sgs->avg_load > busiest->avg_load;
	case GROUP_MISFIT_TASK:
		return sgs->group_misfit_task_load >= busiest->group_misfit_task_load;
	case GROUP_HAS_SPARE:
		if (sgs->idle_cpus != busiest->idle_cpus)
			return sgs->idle_cpus < busiest->idle_cpus;
		return sgs->sum_nr_running > busiest->sum_nr_running;
	case GROUP_IMBALANCED:
	case GROUP_ASYM_PACKING:
		break;
	}
	return false;
}

/*
 * The share of an LLC's CPUs worth testing falls with the square of its
 * utilisation u and reaches 0 where the LLC counts as overloaded, at
 * u = 100 / @imbalance_pct:  nr = weight * (1 - (u * pct / 100)^2).
 */
int nr_idle_scan(uint64_t sum_util, unsigned llc_weight, unsigned imbalance_pct)
{
	uint64_t util = sum_util / llc_weight;
	uint64_t used = util * util * imbalance_pct * imbalance_pct;

	used = MIN(used / (10000 * CAPACITY_ONE), CAPACITY_ONE);
	return (int)((CAPACITY_ONE - used) * llc_weight / CAPACITY_ONE);
}

/* source: update_idle_cpu_scan() */
static void update_idle_cpu_scan(const struct lb_env *env, uint64_t sum_util)
{
	const struct machine *m = env->m;
	const struct rq *rq = cpu_rq(m, env->dst_cpu);

	if (!m->feat.SIS_UTIL || env->idle == CPU_NEWLY_IDLE ||
	    m->nr_idle_scan_fixed >= 0)
		return;
	if (env->sd->span_weight != (unsigned)rq->sd_llc_size || !rq->sd_llc_shared)
		return;
	rq->sd_llc_shared->nr_idle_scan = nr_idle_scan(
		sum_util, (unsigned)rq->sd_llc_size, env->sd->imbalance_pct);
}

static void refresh_local_capacity(const struct lb_env *env)
{
	if (env->idle != CPU_NEWLY_IDLE ||
	    time_after_eq(env->m->jiffies, env->sd->groups->sgc->next_update))
		update_group_capacity(env->m, env->sd, env->dst_cpu);
}

void update_sd_lb_stats(struct lb_env *env, struct sd_lb_stats *sds)
{
	const struct sched_domain *child = env->sd->child;
	struct sched_group *group = env->sd->groups;
	uint64_t sum_util = 0;
	bool overload = false;

	*sds = (struct sd_lb_stats){
		.prefer_sibling = child && child->flags & SD_PREFER_SIBLING,
		.busiest_stat = {.group_type = GROUP_HAS_SPARE, .idle_cpus = UINT_MAX},
	};
	do {
		bool is_local = cpumask_test(&group->cpus, env->dst_cpu);
		struct sg_lb_stats other;
		/* cppcheck-suppress uninitvar; it is to be filled in */
		struct sg_lb_stats *sgs = is_local ? &sds->local_stat : &other;

		if (is_local) {
			sds->local = group;
			refresh_local_capacity(env);
		}
		overload |= update_sg_lb_stats(env, group, is_local, sgs);
		if (!is_local && is_busier(env, sds, group, sgs)) {
			sds->busiest = group;
			sds->busiest_stat = *sgs;
		}
		sds->total_load += sgs->group_load;
		sds->total_capacity += sgs->group_capacity;
		sum_util += sgs->group_util;
		group = group->next;
	} while (group != env->sd->groups);

	if (!env->sd->parent)
		env->dst_rq->rd->overload = overload;
	update_idle_cpu_scan(env, sum_util);
}
