/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue that ran out of runtime leaves the hierarchy and comes back.  Meanwhile time
 * stands for the averages of everything below it, and what is queued there is counted
 * nowhere above.
 *
 * source: kernel/sched/fair.c, v6.1
 */
#include "sched/bandwidth.h"

#include "sched/core.h"
#include "sched/fair.h"
#include "schedsim/observer.h"

/* What of a queue's tasks its ancestors count. */
struct counts {
	unsigned h_nr, idle_h_nr;
};

static struct sched_entity *group_entity(const struct cfs_rq *cfs_rq)
{
	return cfs_rq->tg->se[cfs_rq->rq->cpu];
}

/* source: tg_throttle_down() */
static void freeze(struct cfs_rq *cfs_rq)
{
	if (!cfs_rq->throttle_count++) {
		cfs_rq->throttled_clock_pelt = rq_clock_pelt(cfs_rq->rq);
		list_del_leaf_cfs_rq(cfs_rq);
	}
}

/* source: tg_unthrottle_up() */
static void thaw(struct cfs_rq *cfs_rq)
{
	if (--cfs_rq->throttle_count)
		return;
	cfs_rq->throttled_clock_pelt_time +=
		rq_clock_pelt(cfs_rq->rq) - cfs_rq->throttled_clock_pelt;
	if (!cfs_rq_is_decayed(cfs_rq))
		list_add_leaf_cfs_rq(cfs_rq);
}

static void freeze_from(struct task_group *tg, int cpu)
{
	freeze(tg->cfs_rq[cpu]);
	for (struct list *pos = tg->children.next; pos != &tg->children;
	     pos = pos->next)
		freeze_from(list_entry(pos, struct task_group, siblings), cpu);
}

static void thaw_from(struct task_group *tg, int cpu)
{
	for (struct list *pos = tg->children.next; pos != &tg->children;
	     pos = pos->next)
		thaw_from(list_entry(pos, struct task_group, siblings), cpu);
	thaw(tg->cfs_rq[cpu]);
}

/* All tasks of an idle group's queue count as idle above it. */
static void count_as_idle(struct counts *counts, const struct sched_entity *se)
{
	if (se->my_q->idle)
		counts->idle_h_nr = counts->h_nr;
}

/*
 * Takes @se, and each entity above whose queue is empty then, off its queue.  True when
 * the root was reached: an ancestor may be off its queue already.
 */
static bool dequeue_upwards(struct sched_entity *se, struct counts counts)
{
	bool emptied = true; /* the queue below */

	for (; se; se = se->parent) {
		struct cfs_rq *cfs_rq = se->cfs_rq;

		if (!se->on_rq)
			return false;
		if (emptied) {
			dequeue_entity(cfs_rq, se, DEQUEUE_SLEEP);
		} else {
			update_load_avg(cfs_rq, se, 0);
			se_update_runnable(se);
		}
		count_as_idle(&counts, se);
		cfs_rq->h_nr_running -= counts.h_nr;
		cfs_rq->idle_h_nr_running -= counts.idle_h_nr;
		if (cfs_rq->load.weight)
			emptied = false;
	}
	return true;
}

bool throttle_cfs_rq(struct cfs_rq *cfs_rq)
{
	struct rq *rq = cfs_rq->rq;
	struct counts counts = {cfs_rq->h_nr_running, cfs_rq->idle_h_nr_running};

	/* Runtime may have come since; a nanosecond of it settles that all agree. */
	if (assign_cfs_rq_runtime(cfs_rq, 1))
		return false;
	list_add_tail(&cfs_rq->tg->cfs_bandwidth->throttled_cfs_rq,
		      &cfs_rq->throttled_list);
	freeze_from(cfs_rq->tg, rq->cpu);
	if (dequeue_upwards(group_entity(cfs_rq), counts))
		sub_nr_running(rq, counts.h_nr);
	cfs_rq->throttled = true;
	cfs_rq->throttled_clock = rq->clock;
	OBSERVE(rq->m, cfs_throttle, rq->m, cfs_rq, true);
	return true;
}

/*
 * Puts @se, and each entity above that is off its queue, back.  True when the root was
 * reached: an ancestor may be throttled itself.
 */
static bool enqueue_upwards(struct sched_entity *se, struct counts counts)
{
	for (; se; se = se->parent) {
		struct cfs_rq *cfs_rq = se->cfs_rq;

		if (!se->on_rq) {
			enqueue_entity(cfs_rq, se, ENQUEUE_WAKEUP);
		} else {
			update_load_avg(cfs_rq, se, UPDATE_TG);
			se_update_runnable(se);
		}
		count_as_idle(&counts, se);
		cfs_rq->h_nr_running += counts.h_nr;
		cfs_rq->idle_h_nr_running += counts.idle_h_nr;
		if (cfs_rq_throttled(cfs_rq))
			return false;
	}
	return true;
}

/* Blocked updates reach a queue only where all above it are on the list as well. */
static void complete_leaf_branch(struct sched_entity *se)
{
	while (se && !list_add_leaf_cfs_rq(se->cfs_rq))
		se = se->parent;
}

void unthrottle_cfs_rq(struct cfs_rq *cfs_rq)
{
	struct rq *rq = cfs_rq->rq;
	struct sched_entity *se = group_entity(cfs_rq);
	struct counts counts = {cfs_rq->h_nr_running, cfs_rq->idle_h_nr_running};

	cfs_rq->throttled = false;
	update_rq_clock(rq);
	cfs_rq->tg->cfs_bandwidth->throttled_time +=
		rq->clock - cfs_rq->throttled_clock;
	list_del(&cfs_rq->throttled_list);
	thaw_from(cfs_rq->tg, rq->cpu);
	OBSERVE(rq->m, cfs_throttle, rq->m, cfs_rq, false);

	if (cfs_rq->load.weight) {
		if (enqueue_upwards(se, counts))
			add_nr_running(rq, counts.h_nr);
	} else if (cfs_rq->on_list) {
		complete_leaf_branch(se);
	} else {
		return;
	}
	if (rq->curr == rq->idle && rq->cfs.nr_running)
		resched_curr(rq);
}

void check_enqueue_throttle(struct cfs_rq *cfs_rq)
{
	/* One that runs is looked at when it is put. */
	if (!cfs_rq->runtime_enabled || cfs_rq->curr || cfs_rq_throttled(cfs_rq))
		return;
	account_cfs_rq_runtime(cfs_rq, 0);
	if (cfs_rq->runtime_remaining <= 0)
		throttle_cfs_rq(cfs_rq);
}

void sync_throttle(struct task_group *tg, int cpu)
{
	struct cfs_rq *cfs_rq = tg->cfs_rq[cpu];

	cfs_rq->throttle_count = tg->parent->cfs_rq[cpu]->throttle_count;
	cfs_rq->throttled_clock_pelt = rq_clock_pelt(cfs_rq->rq);
}
