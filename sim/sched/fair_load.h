/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the averages of fair entities reach their queues, groups and CPUs.
 */
#ifndef SCHED_FAIR_LOAD_H
#define SCHED_FAIR_LOAD_H

#include "schedsim/machine.h"

/* source: kernel/sched/fair.c */
enum load_avg_flags { UPDATE_TG = 1, SKIP_AGE_LOAD = 2, DO_ATTACH = 4, DO_DETACH = 8 };

void update_load_avg(struct cfs_rq *cfs_rq, struct sched_entity *se, unsigned flags);
/* True when the averages decayed or removed load was taken off. */
bool update_cfs_rq_load_avg(uint64_t now_ns, struct cfs_rq *cfs_rq);
void attach_entity_load_avg(struct cfs_rq *cfs_rq, struct sched_entity *se);
void detach_entity_load_avg(struct cfs_rq *cfs_rq, struct sched_entity *se);
void attach_entity_cfs_rq(struct sched_entity *se);
void detach_entity_cfs_rq(struct sched_entity *se);
void sync_entity_load_avg(struct sched_entity *se);
void remove_entity_load_avg(struct sched_entity *se);
void migrate_se_pelt_lag(struct sched_entity *se);
void update_tg_load_avg(struct cfs_rq *cfs_rq);
/* True when something was propagated from the group's own queue. */
bool propagate_entity_load_avg(struct sched_entity *se);

/* The load of @cfs_rq as seen from above changed by @runnable_sum. */
void add_tg_cfs_propagate(struct cfs_rq *cfs_rq, int64_t runnable_sum);

/* An unsigned that would go below zero becomes zero.  source: sub_positive() */
static inline void sub_positive(uint64_t *value, uint64_t by)
{
	*value = *value > by ? *value - by : 0;
}

/* Weight of an entity that is not being reweighted by nice.  source: reweight_entity()
 */
void reweight_entity(struct cfs_rq *cfs_rq, struct sched_entity *se, uint64_t weight);
uint64_t calc_group_shares(const struct cfs_rq *gcfs_rq);
void update_cfs_group(struct sched_entity *se);
void se_update_runnable(struct sched_entity *se);

/*
 * @cfs_rq has load: blocked updates are to visit it.  False when its parents are to
 * follow.  source: list_add_leaf_cfs_rq()
 */
bool list_add_leaf_cfs_rq(struct cfs_rq *cfs_rq);
void list_del_leaf_cfs_rq(struct cfs_rq *cfs_rq);
/* source: cfs_rq_is_decayed() */
bool cfs_rq_is_decayed(const struct cfs_rq *cfs_rq);

void init_entity_runnable_average(struct sched_entity *se);
/* source: post_init_entity_util_avg(); the entity's cfs_rq is the destination's */
void post_init_entity_util_avg(struct task *t);
/* source: the arithmetic of it; @weight is scaled */
uint64_t initial_util_avg(uint64_t cpu_scale, uint64_t cfs_util, uint64_t cfs_load,
			  uint64_t weight);

/* Load of @t as seen at the root, cached per jiffy.  source: task_h_load() */
uint64_t task_h_load(const struct machine *m, const struct task *t);

/* source: update_blocked_averages() */
void update_blocked_averages(struct rq *rq);

/* source: util_est_enqueue(), util_est_dequeue(), util_est_update() */
void util_est_enqueue(struct cfs_rq *root, const struct task *t);
void util_est_dequeue(struct cfs_rq *root, const struct task *t);
void util_est_update(struct rq *rq, struct task *t, bool task_sleep);
/* The arithmetic of it on one estimate. */
void util_est_step(struct util_est *ue, uint64_t util_avg, uint64_t capacity_orig,
		   bool fastup);
uint64_t task_util_est_raw(const struct task *t); /* source: _task_util_est() */
uint64_t task_util_est(const struct task *t);

/* What @cpu's figures would be without @t.  source: cpu_util_without() and its kin */
uint64_t cpu_util_without(const struct machine *m, int cpu, const struct task *t);
uint32_t cpu_load_without(const struct machine *m, int cpu, const struct task *t);
uint32_t cpu_runnable_without(const struct machine *m, int cpu, const struct task *t);

#endif
