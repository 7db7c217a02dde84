/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fair class: which entity is current on each level of the hierarchy, and how the
 * CPU goes from one task to the next.
 */
#include "sched/fair.h"

#include "sched/asym.h"
#include "sched/balance.h"
#include "sched/bandwidth.h"
#include "sched/core.h"
#include "sched/pelt.h"

static void set_next_entity(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	const struct fair_ops *ops = fair_ops_of(cfs_rq);

	ops->forget(cfs_rq, se);
	if (se->on_rq) {
		ops->tree_remove(cfs_rq, se);
		update_load_avg(cfs_rq, se, UPDATE_TG);
	}
	se->exec_start = cfs_rq->rq->clock_task;
	cfs_rq->curr = se;
	ops->on_set(cfs_rq, se);
}

static void put_prev_entity(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	if (se->on_rq)
		update_curr(cfs_rq);
	check_cfs_rq_runtime(cfs_rq);
	if (se->on_rq) {
		fair_ops_of(cfs_rq)->tree_insert(cfs_rq, se);
		update_load_avg(cfs_rq, se, 0);
	}
	cfs_rq->curr = NULL;
}

void put_prev_task_fair(struct rq *rq, struct task *t)
{
	struct sched_entity *se = &t->se;

	for_each_sched_entity (se)
		put_prev_entity(se->cfs_rq, se);
}

/* The balancer takes from the tail, so what runs now is the last to be moved. */
static void most_recently_run(struct rq *rq, struct task *t)
{
	list_del(&t->se.group_node);
	list_add_head(&rq->cfs_tasks, &t->se.group_node);
}

void set_next_task_fair(struct rq *rq, struct task *t)
{
	struct sched_entity *se = &t->se;

	if (t->on_rq == TASK_ON_RQ_QUEUED)
		most_recently_run(rq, t);
	for_each_sched_entity (se) {
		set_next_entity(se->cfs_rq, se);
		/* Its queue may be a new one, without runtime so far. */
		account_cfs_rq_runtime(se->cfs_rq, 0);
	}
}

/*
 * Puts @prev and sets @next up to the queue both share.  Above it nothing changes:
 * the group's slice goes on whoever of its members runs.
 */
static void switch_entities(struct task *prev, struct task *next)
{
	struct sched_entity *se = &next->se, *pse = &prev->se;

	while (se->cfs_rq != pse->cfs_rq) {
		unsigned depth = se->depth, prev_depth = pse->depth;

		if (depth <= prev_depth) {
			put_prev_entity(pse->cfs_rq, pse);
			pse = pse->parent;
		}
		if (depth >= prev_depth) {
			set_next_entity(se->cfs_rq, se);
			se = se->parent;
		}
	}
	put_prev_entity(pse->cfs_rq, pse);
	set_next_entity(se->cfs_rq, se);
}

/*
 * The next task while @prev, of this class, may still be current on each level.  NULL:
 * a queue was throttled on the way down, so the way is another now.
 */
static struct task *pick_after_fair(struct rq *rq, struct task *prev)
{
	struct cfs_rq *cfs_rq = &rq->cfs;
	struct sched_entity *se;
	struct task *next;

	do {
		struct sched_entity *curr = cfs_rq->curr;

		if (curr && curr->on_rq)
			update_curr(cfs_rq);
		if (curr && check_cfs_rq_runtime(cfs_rq))
			return NULL;
		if (curr && !curr->on_rq)
			curr = NULL;
		se = fair_ops_of(cfs_rq)->pick(cfs_rq, curr);
		cfs_rq = se->my_q;
	} while (cfs_rq);

	next = task_of(se);
	if (next != prev)
		switch_entities(prev, next);
	return next;
}

/* The next task where no entity is current on any level. */
static struct task *pick_from_root(struct rq *rq)
{
	struct cfs_rq *cfs_rq = &rq->cfs;
	struct sched_entity *se;

	do {
		se = fair_ops_of(cfs_rq)->pick(cfs_rq, NULL);
		set_next_entity(cfs_rq, se);
		cfs_rq = se->my_q;
	} while (cfs_rq);
	return task_of(se);
}

static struct task *pick_after_other(struct rq *rq, struct task *prev)
{
	prev->sched_class->put_prev_task(rq, prev);
	return pick_from_root(rq);
}

struct task *pick_next_task_after_fair(struct rq *rq, struct task *prev)
{
	struct task *next = NULL;
	bool from_prev = prev->sched_class == &fair_sched_class;

	while (!next) {
		if (!rq->cfs.nr_running) {
			/* What is pulled may be throttled as it comes. */
			if (newidle_balance(rq) <= 0)
				return NULL;
		} else if (from_prev) {
			next = pick_after_fair(rq, prev);
			from_prev = !rq->cfs.nr_running;
		} else {
			next = pick_after_other(rq, prev);
		}
	}
	most_recently_run(rq, next);
	update_misfit_status(rq, next);
	return next;
}

struct task *pick_next_task_fair(struct rq *rq)
{
	struct task *next;

	if (!rq->cfs.nr_running)
		return NULL;
	next = pick_from_root(rq);
	most_recently_run(rq, next);
	update_misfit_status(rq, next);
	return next;
}

bool balance_fair(struct rq *rq, struct task *prev)
{
	return rq->nr_running || newidle_balance(rq) != 0;
}
