/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load balancing of fair tasks: the pieces, and when they run.
 */
#ifndef SCHED_BALANCE_H
#define SCHED_BALANCE_H

#include "schedsim/machine.h"
#include "schedsim/observer.h"

/* source: enum group_type */
enum group_type {
	GROUP_HAS_SPARE,
	GROUP_FULLY_BUSY,
	GROUP_MISFIT_TASK,
	GROUP_ASYM_PACKING,
	GROUP_IMBALANCED,
	GROUP_OVERLOADED,
};

/* What env->imbalance counts.  source: enum migration_type */
enum migration_type { MIGRATE_LOAD, MIGRATE_UTIL, MIGRATE_TASK, MIGRATE_MISFIT };

enum lb_flags {
	LBF_ALL_PINNED = 1,
	LBF_NEED_BREAK = 2,
	LBF_DST_PINNED = 4,
	LBF_SOME_PINNED = 8,
	LBF_ACTIVE_LB = 16
};

/* source: struct sg_lb_stats */
struct sg_lb_stats {
	uint64_t avg_load, group_load, group_capacity, group_util, group_runnable;
	unsigned sum_nr_running, sum_h_nr_running, idle_cpus, group_weight;
	enum group_type group_type;
	bool group_asym_packing;
	uint64_t group_misfit_task_load;
};

/* source: struct sd_lb_stats */
struct sd_lb_stats {
	struct sched_group *busiest, *local; /* NULL: none */
	uint64_t total_load, total_capacity, avg_load;
	bool prefer_sibling;
	struct sg_lb_stats busiest_stat, local_stat;
};

/* source: struct lb_env */
struct lb_env {
	struct machine *m;
	struct sched_domain *sd;
	struct rq *src_rq, *dst_rq;
	int src_cpu, dst_cpu, new_dst_cpu;
	struct cpumask dst_grpmask;
	enum cpu_idle_type idle;
	int64_t imbalance;
	struct cpumask cpus;
	unsigned flags;
	unsigned loop, loop_break, loop_max;
	enum migration_type migration_type;
	struct list tasks; /* detached, by se.group_node */
};

bool should_we_balance(const struct lb_env *env);
/* NULL: balanced.  Fills in env->imbalance and migration_type, and @sds for reports. */
struct sched_group *find_busiest_group(struct lb_env *env, struct sd_lb_stats *sds);
struct rq *find_busiest_queue(struct lb_env *env, struct sched_group *group);
unsigned detach_tasks(struct lb_env *env);
void attach_tasks(struct lb_env *env);
/* Tasks moved to @this_cpu. */
unsigned load_balance(struct rq *this_rq, struct sched_domain *sd,
		      enum cpu_idle_type idle, bool *continue_balancing);
/* Refreshes sgc of the local group of @sd.  source: update_group_capacity() */
void update_group_capacity(struct machine *m, struct sched_domain *sd, int cpu);
enum group_type group_classify(unsigned imbalance_pct, const struct sched_group *group,
			       const struct sg_lb_stats *sgs);
/* SIS_UTIL's bound for an LLC.  source: update_idle_cpu_scan() */
int nr_idle_scan(uint64_t sum_util, unsigned llc_weight, unsigned imbalance_pct);

/* jiffies.  source: get_sd_balance_interval() */
uint64_t sd_balance_interval(const struct machine *m, const struct sched_domain *sd,
			     bool cpu_busy);
/* True when the cost decayed.  @success_weight: 0, or the weight of a pull. */
bool update_newidle_cost(const struct machine *m, struct sched_domain *sd,
			 uint64_t cost_ns, unsigned success_weight);
/* source: rebalance_domains() */
void rebalance_domains(struct rq *rq, enum cpu_idle_type idle);
/* At the tick, after the class's: the balancing softirq if it is due.  source:
 * trigger_load_balance() */
void trigger_load_balance(struct rq *rq);
/* >0: fair tasks came; 0: none; <0: tasks of other classes.  source: newidle_balance()
 */
int newidle_balance(struct rq *this_rq);
/* The time that driver->spend() was told of has passed. */
void newidle_time_is_over(struct rq *rq);

/*
 * Every CPU went idle once, as on any machine that has booted: idle_stamp is now.
 * Without it find_idlest_cpu() would take none of them for idle, since a stamp of 0
 * says that the CPU never was.
 *
 * For the same reason each cache knows of idle cores, and balancing last found it
 * unused, for which SIS_UTIL searches all of it: what computes nr_idle_scan is
 * periodic balancing, for which a machine that stays nearly idle may wait long.
 *
 * source: __update_idle_core(), update_idle_cpu_scan()
 */
void sched_boot_idle(struct machine *m);

#endif
