/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fair class: what every kernel profile shares, and the operations in
 * which profiles differ (CFS here; EEVDF would be another table).
 */
#ifndef SCHED_FAIR_H
#define SCHED_FAIR_H

#include "sched/class.h"
#include "sched/fair_load.h"

/* Why an entity is placed on a queue's time line. */
enum place_reason { PLACE_FORK, PLACE_WAKEUP };

/*
 * The operations of one fair-class algorithm over {entity, cfs_rq, rq}.
 * Walks up the hierarchy, load tracking, wakeup and balancing are shared.
 */
struct fair_ops {
	const char *name;
	void (*init_cfs_rq)(struct cfs_rq *cfs_rq);
	/* Current ran @delta_ns; true asks for a reschedule. */
	bool (*account)(struct cfs_rq *cfs_rq, struct sched_entity *curr,
			uint64_t delta_ns);
	void (*tree_insert)(struct cfs_rq *cfs_rq, struct sched_entity *se);
	void (*tree_remove)(struct cfs_rq *cfs_rq, struct sched_entity *se);
	/* Before the enqueue is accounted: absolute time again.  @is_curr: before
	 * update_curr. */
	void (*arrive)(struct cfs_rq *cfs_rq, struct sched_entity *se, unsigned flags);
	/* Gives @se its place; called for wakeups and forks. */
	void (*place)(struct cfs_rq *cfs_rq, struct sched_entity *se,
		      enum place_reason why);
	/* After the dequeue is accounted. */
	void (*leave)(struct cfs_rq *cfs_rq, struct sched_entity *se, unsigned flags);
	/* The queue's reference may move on, after leave() and the group update. */
	void (*left)(struct cfs_rq *cfs_rq, unsigned flags);
	/* The pick of one level; @curr is NULL when it is not runnable. */
	struct sched_entity *(*pick)(struct cfs_rq *cfs_rq, struct sched_entity *curr);
	void (*on_set)(struct cfs_rq *cfs_rq, struct sched_entity *se);
	/* @se no longer is anybody's favourite. */
	void (*forget)(struct cfs_rq *cfs_rq, struct sched_entity *se);
	/* A sleep left @group_se with other members: prefer them. */
	void (*stay_in_group)(struct sched_entity *group_se);
	void (*tick_check)(struct cfs_rq *cfs_rq, struct sched_entity *curr);
	void (*wakeup_check)(struct rq *rq, struct task *t, unsigned wake_flags);
	void (*yield)(struct rq *rq);
	/* In the parent's context, on the parent's queue. */
	void (*fork)(struct rq *rq, struct task *child);
	/* A sleeping task leaves its CPU's time line. */
	void (*migrate)(struct sched_entity *se);
	bool (*hot_buddy)(const struct task *t);
	/* The slice @se has now, ns, for reports. */
	uint64_t (*slice_of)(struct cfs_rq *cfs_rq, struct sched_entity *se);
};

extern const struct fair_ops cfs_ops;

static inline const struct fair_ops *fair_ops_of(const struct cfs_rq *cfs_rq)
{
	return cfs_rq->rq->m->profile->fair;
}

/* One level of a task's enqueue and dequeue.  source: functions of these names */
void enqueue_entity(struct cfs_rq *cfs_rq, struct sched_entity *se, unsigned flags);
void dequeue_entity(struct cfs_rq *cfs_rq, struct sched_entity *se, unsigned flags);
void init_cfs_rq(struct rq *rq, struct cfs_rq *cfs_rq, struct task_group *tg);
void update_curr(struct cfs_rq *cfs_rq);

/* fair_pick.c: the class's part in a switch of tasks */
bool balance_fair(struct rq *rq, struct task *prev);
struct task *pick_next_task_fair(struct rq *rq);
void put_prev_task_fair(struct rq *rq, struct task *t);
void set_next_task_fair(struct rq *rq, struct task *t);
/*
 * The pick where only fair tasks are queued and @prev, fair or idle, is still current:
 * what both have in common stays as it is.  NULL: none, even after looking elsewhere.
 * source: pick_next_task_fair()
 */
struct task *pick_next_task_after_fair(struct rq *rq, struct task *prev);

/* From @se up to the root. */
#define for_each_sched_entity(se) for (; (se); (se) = (se)->parent)
/* Up to siblings on one queue.  source: find_matching_se() */
void find_matching_se(struct sched_entity **a, struct sched_entity **b);
/* source: se_is_idle(), cfs_rq_is_idle(), sched_idle_cfs_rq() */
bool se_is_idle(const struct sched_entity *se);
bool sched_idle_cfs_rq(const struct cfs_rq *cfs_rq);
/* Nice or policy changed.  source: reweight_task() */
void reweight_task(struct task *t);
/* source: set_task_rq(), set_task_rq_fair() */
void set_task_rq_fair(struct task *t, int cpu);

/* fair_switched.c: @t leaves, or came to, the queue t->se.cfs_rq for good. */
void detach_task_cfs_rq(struct task *t);
void attach_task_cfs_rq(struct task *t);
void switched_from_fair(struct rq *rq, struct task *t);
void switched_to_fair(struct rq *rq, struct task *t);
void prio_changed_fair(struct rq *rq, struct task *t, int old_prio);
/* t->sched_task_group is another one. */
void task_change_group_fair(struct task *t);

#endif
