/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a domain is out of balance, by how much, and which CPU to relieve.
 */
#include "sched/lb.h"
#include "sched/select.h"

static void set_imbalance(struct lb_env *env, enum migration_type type, int64_t amount)
{
	env->migration_type = type;
	env->imbalance = amount;
}

/*
 * Cases in which averages say nothing: one task on a CPU that others slow down or that
 * is too small for it, or a balance below that affinity kept from finishing.  False:
 * none of them.
 */
static bool set_forced_imbalance(struct lb_env *env, const struct sg_lb_stats *busiest)
{
	switch (busiest->group_type) {
	case GROUP_MISFIT_TASK:
		if (env->sd->flags & SD_ASYM_CPUCAPACITY)
			set_imbalance(env, MIGRATE_MISFIT, 1);
		else
			set_imbalance(env, MIGRATE_LOAD,
				      (int64_t)busiest->group_misfit_task_load);
		return true;
	case GROUP_ASYM_PACKING:
		set_imbalance(env, MIGRATE_TASK, busiest->sum_h_nr_running);
		return true;
	case GROUP_IMBALANCED:
		set_imbalance(env, MIGRATE_TASK, 1);
		return true;
	default:
		return false;
	}
}

/*
 * An overloaded group in another cache: fill the local group with utilisation.
 * Where it seems full and yet this CPU is idle, one waiting task will do.
 */
static void set_spare_utilisation(struct lb_env *env, const struct sg_lb_stats *local)
{
	uint64_t spare = MAX(local->group_capacity, local->group_util);

	set_imbalance(env, MIGRATE_UTIL, (int64_t)(spare - local->group_util));
	if (env->idle != CPU_NOT_IDLE && !env->imbalance)
		set_imbalance(env, MIGRATE_TASK, 1);
}

/*
 * Evens out the number of tasks, or else of idle CPUs; half of the difference is
 * to move.  The difference of idle CPUs is one of 32-bit unsigned numbers in the
 * kernel, so a local group with fewer of them looks 2^32 short.
 */
static void set_task_difference(struct lb_env *env, const struct sd_lb_stats *sds)
{
	const struct sg_lb_stats *local = &sds->local_stat;
	const struct sg_lb_stats *busiest = &sds->busiest_stat;
	int64_t diff;

	if (busiest->group_weight != 1 && !sds->prefer_sibling)
		diff = local->idle_cpus - busiest->idle_cpus;
	else if (busiest->sum_nr_running > local->sum_nr_running)
		diff = busiest->sum_nr_running - local->sum_nr_running;
	else
		diff = 0;

	if (env->sd->flags & SD_NUMA)
		diff = adjust_numa_imbalance((int)diff, (int)local->sum_nr_running + 1,
					     (int)env->sd->imb_numa_nr);
	set_imbalance(env, MIGRATE_TASK, diff >> 1);
}

static uint64_t domain_avg_load(const struct sd_lb_stats *sds)
{
	return sds->total_load * CAPACITY_ONE / sds->total_capacity;
}

/*
 * Load that brings both groups towards the domain's average, past it for none.
 * A local group that only now becomes overloaded gets its average here.
 */
static void set_load_difference(struct lb_env *env, struct sd_lb_stats *sds)
{
	const struct kernel_profile *profile = env->m->profile;
	const struct sg_lb_stats *busiest = &sds->busiest_stat;
	struct sg_lb_stats *local = &sds->local_stat;
	uint64_t above, below;

	if (local->group_type < GROUP_OVERLOADED) {
		local->avg_load =
			local->group_load * CAPACITY_ONE / local->group_capacity;
		if (local->avg_load >= busiest->avg_load) {
			env->imbalance = 0;
			return;
		}
		sds->avg_load = domain_avg_load(sds);
		if (profile->local_above_average_guard &&
		    local->avg_load >= sds->avg_load) {
			env->imbalance = 0;
			return;
		}
	}

	above = (busiest->avg_load - sds->avg_load) * busiest->group_capacity;
	below = (sds->avg_load - local->avg_load) * local->group_capacity;
	set_imbalance(env, MIGRATE_LOAD, (int64_t)(MIN(above, below) / CAPACITY_ONE));
}

/* source: calculate_imbalance() */
static void calculate_imbalance(struct lb_env *env, struct sd_lb_stats *sds)
{
	const struct sg_lb_stats *local = &sds->local_stat;
	const struct sg_lb_stats *busiest = &sds->busiest_stat;

	if (set_forced_imbalance(env, busiest))
		return;
	if (local->group_type != GROUP_HAS_SPARE)
		set_load_difference(env, sds);
	else if (busiest->group_type > GROUP_FULLY_BUSY &&
		 !(env->sd->flags & SD_SHARE_PKG_RESOURCES))
		set_spare_utilisation(env, local);
	else
		set_task_difference(env, sds);
}

/* Both are overloaded: is the other's load enough above the local one's? */
static bool overload_differs(const struct lb_env *env, struct sd_lb_stats *sds)
{
	const struct sg_lb_stats *local = &sds->local_stat;
	const struct sg_lb_stats *busiest = &sds->busiest_stat;

	if (local->avg_load >= busiest->avg_load)
		return false;
	sds->avg_load = domain_avg_load(sds);
	if (local->avg_load >= sds->avg_load)
		return false;
	return 100 * busiest->avg_load > env->sd->imbalance_pct * local->avg_load;
}

/* Nobody is overloaded: would an idle CPU here be used better? */
static bool idle_cpus_differ(const struct lb_env *env, const struct sd_lb_stats *sds)
{
	const struct sg_lb_stats *local = &sds->local_stat;
	const struct sg_lb_stats *busiest = &sds->busiest_stat;

	if (env->idle == CPU_NOT_IDLE)
		return false;
	if (busiest->group_weight > 1 && local->idle_cpus <= busiest->idle_cpus + 1)
		return false;
	return busiest->sum_h_nr_running != 1;
}

/* The kernel's decision matrix of local and busiest type.  source:
 * find_busiest_group() */
static bool is_out_of_balance(const struct lb_env *env, struct sd_lb_stats *sds)
{
	const struct sg_lb_stats *local = &sds->local_stat;
	const struct sg_lb_stats *busiest = &sds->busiest_stat;

	if (busiest->group_type >= GROUP_MISFIT_TASK &&
	    busiest->group_type <= GROUP_IMBALANCED)
		return true;
	if (local->group_type > busiest->group_type)
		return false;
	if (local->group_type == GROUP_OVERLOADED)
		return overload_differs(env, sds);
	if (sds->prefer_sibling && local->group_type == GROUP_HAS_SPARE &&
	    busiest->sum_nr_running > local->sum_nr_running + 1)
		return true;
	return busiest->group_type == GROUP_OVERLOADED || idle_cpus_differ(env, sds);
}

struct sched_group *find_busiest_group(struct lb_env *env, struct sd_lb_stats *sds)
{
	update_sd_lb_stats(env, sds);
	if (!sds->busiest || !is_out_of_balance(env, sds)) {
		env->imbalance = 0;
		return NULL;
	}
	calculate_imbalance(env, sds);
	return env->imbalance ? sds->busiest : NULL;
}

/* The busiest CPU so far, by the measure of the migration type. */
struct candidate {
	struct rq *rq;
	uint64_t load, capacity; /* of MIGRATE_LOAD; load of MIGRATE_MISFIT */
	uint64_t util;
	unsigned nr_running;
};

/*
 * By load per capacity, compared crosswise.  A CPU with one task is left alone
 * if the task is more than is to move, unless the CPU cannot serve it.
 */
static void offer_load(const struct lb_env *env, struct rq *rq, struct candidate *best)
{
	uint64_t load = cpu_load(rq);

	if (rq->cfs.h_nr_running == 1 && load > (uint64_t)env->imbalance &&
	    !capacity_is_reduced(rq, env->sd))
		return;
	if (load * best->capacity <= best->load * rq->cpu_capacity)
		return;
	best->rq = rq;
	best->load = load;
	best->capacity = rq->cpu_capacity;
}

/* A single task runs, so its utilisation could not be moved. */
static void offer_util(const struct lb_env *env, struct rq *rq, struct candidate *best)
{
	uint64_t util = cpu_util_cfs(env->m, rq);

	if (rq->cfs.h_nr_running <= 1 || util <= best->util)
		return;
	best->rq = rq;
	best->util = util;
}

static void offer_tasks(struct rq *rq, struct candidate *best)
{
	if (rq->cfs.h_nr_running <= best->nr_running)
		return;
	best->rq = rq;
	best->nr_running = rq->cfs.h_nr_running;
}

static void offer_misfit(struct rq *rq, struct candidate *best)
{
	if (rq->misfit_task_load <= best->load)
		return;
	best->rq = rq;
	best->load = rq->misfit_task_load;
}

/* Its only task runs, and has no slower a CPU than this one.  source:
 * find_busiest_queue() */
static bool runs_no_slower(const struct lb_env *env, const struct rq *rq)
{
	return env->sd->flags & SD_ASYM_CPUCAPACITY && rq->cfs.h_nr_running == 1 &&
	       !capacity_greater(capacity_of(env->m, env->dst_cpu), rq->cpu_capacity);
}

struct rq *find_busiest_queue(struct lb_env *env, struct sched_group *group)
{
	struct cpumask cpus = cpumask_and(&group->cpus, &env->cpus);
	struct candidate best = {.capacity = 1};
	int cpu;

	for_each_cpu (cpu, &cpus) {
		struct rq *rq = cpu_rq(env->m, cpu);

		if (!rq->cfs.h_nr_running || runs_no_slower(env, rq))
			continue;
		switch (env->migration_type) {
		case MIGRATE_LOAD:
			offer_load(env, rq, &best);
			break;
		case MIGRATE_UTIL:
			offer_util(env, rq, &best);
			break;
		case MIGRATE_TASK:
			offer_tasks(rq, &best);
			break;
		case MIGRATE_MISFIT:
			offer_misfit(rq, &best);
			break;
		}
	}
	return best.rq;
}
