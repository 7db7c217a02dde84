/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the load balancer share among themselves.
 *
 * Asymmetric packing is not modelled: no machine here asks for it.
 */
#ifndef SCHED_LB_H
#define SCHED_LB_H

#include "sched/asym.h"
#include "sched/balance.h"

/* Tasks looked at before the source's lock would be dropped.  source:
 * SCHED_NR_MIGRATE_BREAK */
#define NR_MIGRATE_BREAK 32

/*
 * Figures of every group of env->sd, and which is the busiest but for the local.
 * Refreshes the local group's capacity, rd->overload (at the top) and the LLC's
 * nr_idle_scan on the way.  source: update_sd_lb_stats()
 */
void update_sd_lb_stats(struct lb_env *env, struct sd_lb_stats *sds);

/*
 * The stopper of @busiest moves one task to its push_cpu, even one that is cache
 * hot: the one that ran is now waiting.  source: active_load_balance_cpu_stop()
 */
void active_load_balance_cpu_stop(struct rq *busiest, void *arg);

/* source: detach_one_task() */
bool detach_one_task(struct lb_env *env);

/* The balancing softirq's work on @rq.  source: run_rebalance_domains() */
void run_rebalance_domains(struct rq *rq);

/* Pulls *@next_balance_jiffies forward to when an idle CPU balances @sd.  source:
 * update_next_balance() */
void update_next_balance(const struct machine *m, const struct sched_domain *sd,
			 uint64_t *next_balance_jiffies);

/* A newly idle pass over @sd was made, or refused by the dice.  source:
 * update_newidle_stats() */
void update_newidle_stats(struct sched_domain *sd, unsigned success_weight);

#endif
