/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The averages of groups: what a group's own queue knows becomes known to the
 * entity that stands for it above, and what that entity weighs.
 */
#include "sched/bandwidth.h"
#include "sched/fair.h"
#include "sched/load_weight.h"
#include "sched/pelt.h"

/* A signed change to an unsigned that must not pass zero.  source: add_positive() */
static void add_positive(uint64_t *value, int64_t by)
{
	uint64_t sum = *value + (uint64_t)by;

	*value = by < 0 && sum > *value ? 0 : sum;
}

static void add_positive_u32(uint32_t *value, int64_t by)
{
	uint32_t sum = (uint32_t)(*value + (uint64_t)by);

	*value = by < 0 && sum > *value ? 0 : sum;
}

void add_tg_cfs_propagate(struct cfs_rq *cfs_rq, int64_t runnable_sum)
{
	cfs_rq->propagate = true;
	cfs_rq->prop_runnable_sum += runnable_sum;
}

void update_tg_load_avg(struct cfs_rq *cfs_rq)
{
	int64_t delta = (int64_t)(cfs_rq->avg.load_avg - cfs_rq->tg_load_avg_contrib);
	uint64_t change = (uint64_t)(delta < 0 ? -delta : delta);

	if (!cfs_rq->tg->parent)
		return;
	/* Small changes are kept back: the sum is shared by all CPUs. */
	if (change > cfs_rq->tg_load_avg_contrib / 64) {
		cfs_rq->tg->load_avg += (uint64_t)delta;
		cfs_rq->tg_load_avg_contrib = cfs_rq->avg.load_avg;
	}
}

/* source: update_tg_cfs_util() */
static void propagate_util(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	const struct sched_avg *from = &se->my_q->avg;
	int64_t delta_avg = (int64_t)(from->util_avg - se->avg.util_avg);
	uint32_t new_sum;

	if (!delta_avg)
		return;
	new_sum = (uint32_t)(from->util_avg * pelt_divider(&cfs_rq->avg));
	add_positive(&cfs_rq->avg.util_avg, delta_avg);
	add_positive_u32(&cfs_rq->avg.util_sum,
			 (int64_t)new_sum - (int64_t)se->avg.util_sum);
	cfs_rq->avg.util_sum = sum_at_least(cfs_rq->avg.util_sum, cfs_rq->avg.util_avg);
	se->avg.util_avg = from->util_avg;
	se->avg.util_sum = new_sum;
}

/* source: update_tg_cfs_runnable() */
static void propagate_runnable(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	const struct sched_avg *from = &se->my_q->avg;
	int64_t delta_avg = (int64_t)(from->runnable_avg - se->avg.runnable_avg);
	uint64_t new_sum;

	if (!delta_avg)
		return;
	new_sum = from->runnable_avg * pelt_divider(&cfs_rq->avg);
	add_positive(&cfs_rq->avg.runnable_avg, delta_avg);
	add_positive(&cfs_rq->avg.runnable_sum,
		     (int64_t)(new_sum - se->avg.runnable_sum));
	cfs_rq->avg.runnable_sum =
		sum_at_least(cfs_rq->avg.runnable_sum, cfs_rq->avg.runnable_avg);
	se->avg.runnable_avg = from->runnable_avg;
	se->avg.runnable_sum = new_sum;
}

/*
 * The runnable sum of the group's entity after its queue changed by @change: more
 * tasks add up to at most all the time; when some left, what remains is estimated
 * from the queue's mean.
 */
static int64_t propagated_runnable_sum(const struct sched_entity *se, int64_t change,
				       uint32_t divider)
{
	const struct cfs_rq *gcfs_rq = se->my_q;
	uint64_t weight = scale_load_down(gcfs_rq->load.weight);
	uint64_t mean = weight ? gcfs_rq->avg.load_sum / weight : 0;
	int64_t sum;

	if (change >= 0) {
		sum = change + (int64_t)se->avg.load_sum;
		return sum < (int64_t)divider ? sum : (int64_t)divider;
	}
	return (int64_t)(se->avg.load_sum < mean ? se->avg.load_sum : mean);
}

/* source: update_tg_cfs_load() */
static void propagate_load(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	int64_t change = se->my_q->prop_runnable_sum;
	uint32_t divider = pelt_divider(&cfs_rq->avg);
	int64_t runnable_sum, running_sum;
	uint64_t load_sum, load_avg;

	if (!change)
		return;
	se->my_q->prop_runnable_sum = 0;
	runnable_sum = propagated_runnable_sum(se, change, divider);
	running_sum = se->avg.util_sum >> CAPACITY_SHIFT;
	if (runnable_sum < running_sum)
		runnable_sum = running_sum;

	load_sum = se_weight(se) * (uint64_t)runnable_sum;
	load_avg = load_sum / divider;
	if (load_avg == se->avg.load_avg)
		return;
	add_positive(&cfs_rq->avg.load_avg, (int64_t)(load_avg - se->avg.load_avg));
	add_positive(&cfs_rq->avg.load_sum,
		     (int64_t)(load_sum - se_weight(se) * se->avg.load_sum));
	cfs_rq->avg.load_sum = sum_at_least(cfs_rq->avg.load_sum, cfs_rq->avg.load_avg);
	se->avg.load_sum = (uint64_t)runnable_sum;
	se->avg.load_avg = load_avg;
}

bool propagate_entity_load_avg(struct sched_entity *se)
{
	struct cfs_rq *cfs_rq = se->cfs_rq;

	if (entity_is_task(se) || !se->my_q->propagate)
		return false;
	se->my_q->propagate = false;
	add_tg_cfs_propagate(cfs_rq, se->my_q->prop_runnable_sum);
	propagate_util(cfs_rq, se);
	propagate_runnable(cfs_rq, se);
	propagate_load(cfs_rq, se);
	return true;
}

/*
 * Passes a change of @se up to the root, or to the first throttled queue: what is above
 * hears of it when that goes on.  source: propagate_entity_cfs_rq()
 */
static void propagate_entity_cfs_rq(struct sched_entity *se)
{
	struct cfs_rq *cfs_rq = se->cfs_rq;

	while (!cfs_rq_throttled(cfs_rq)) {
		if (!throttled_hierarchy(cfs_rq))
			list_add_leaf_cfs_rq(cfs_rq);
		se = se->parent;
		if (!se)
			return;
		cfs_rq = se->cfs_rq;
		update_load_avg(cfs_rq, se, UPDATE_TG);
	}
}

void attach_entity_cfs_rq(struct sched_entity *se)
{
	struct cfs_rq *cfs_rq = se->cfs_rq;

	update_load_avg(cfs_rq, se,
			cfs_rq->rq->m->feat.ATTACH_AGE_LOAD ? 0 : SKIP_AGE_LOAD);
	attach_entity_load_avg(cfs_rq, se);
	update_tg_load_avg(cfs_rq);
	propagate_entity_cfs_rq(se);
}

void detach_entity_cfs_rq(struct sched_entity *se)
{
	struct cfs_rq *cfs_rq = se->cfs_rq;

	/* One that never was attached has nothing to take away. */
	if (!se->avg.last_update_time)
		return;
	update_load_avg(cfs_rq, se, 0);
	detach_entity_load_avg(cfs_rq, se);
	update_tg_load_avg(cfs_rq);
	propagate_entity_cfs_rq(se);
}

uint64_t calc_group_shares(const struct cfs_rq *gcfs_rq)
{
	int64_t tg_shares = (int64_t)gcfs_rq->tg->shares;
	uint64_t weight = scale_load_down(gcfs_rq->load.weight);
	int64_t load =
		(int64_t)(weight > gcfs_rq->avg.load_avg ? weight
							 : gcfs_rq->avg.load_avg);
	int64_t tg_weight = (int64_t)gcfs_rq->tg->load_avg -
			    (int64_t)gcfs_rq->tg_load_avg_contrib + load;
	int64_t shares = tg_shares * load;

	if (tg_weight)
		shares /= tg_weight;
	return (uint64_t)CLAMP(shares, MIN_SHARES, tg_shares);
}

void update_cfs_group(struct sched_entity *se)
{
	if (!entity_is_task(se) && !throttled_hierarchy(se->my_q))
		reweight_entity(se->cfs_rq, se, calc_group_shares(se->my_q));
}

void se_update_runnable(struct sched_entity *se)
{
	if (!entity_is_task(se))
		se->runnable_weight = se->my_q->h_nr_running;
}

bool list_add_leaf_cfs_rq(struct cfs_rq *cfs_rq)
{
	struct rq *rq = cfs_rq->rq;
	struct task_group *parent = cfs_rq->tg->parent;
	struct list *node = &cfs_rq->leaf_cfs_rq_list;

	if (cfs_rq->on_list)
		return rq->tmp_alone_branch == &rq->leaf_cfs_rq_list;
	cfs_rq->on_list = true;
	if (!parent) {
		list_add_tail(&rq->leaf_cfs_rq_list, node);
		rq->tmp_alone_branch = &rq->leaf_cfs_rq_list;
	} else if (parent->cfs_rq[rq->cpu]->on_list) {
		list_add_tail(&parent->cfs_rq[rq->cpu]->leaf_cfs_rq_list, node);
		rq->tmp_alone_branch = &rq->leaf_cfs_rq_list;
	} else {
		/* The parent will come, and then stand behind this one. */
		list_add_head(rq->tmp_alone_branch, node);
		rq->tmp_alone_branch = node;
		return false;
	}
	return true;
}

void list_del_leaf_cfs_rq(struct cfs_rq *cfs_rq)
{
	struct rq *rq = cfs_rq->rq;

	if (!cfs_rq->on_list)
		return;
	if (rq->tmp_alone_branch == &cfs_rq->leaf_cfs_rq_list)
		rq->tmp_alone_branch = cfs_rq->leaf_cfs_rq_list.prev;
	list_del(&cfs_rq->leaf_cfs_rq_list);
	cfs_rq->on_list = false;
}

/*
 * Brings h_load of @cfs_rq up to this jiffy: the way up notes who is to be asked,
 * the way down hands each its part.  source: update_cfs_rq_h_load()
 */
static void update_cfs_rq_h_load(struct cfs_rq *cfs_rq, uint64_t jiffies)
{
	struct sched_entity *se;

	if (cfs_rq->last_h_load_update == jiffies)
		return;
	cfs_rq->h_load_next = NULL;
	se = cfs_rq->tg->se ? cfs_rq->tg->se[cfs_rq->rq->cpu] : NULL;
	for (; se; se = se->parent) {
		cfs_rq = se->cfs_rq;
		cfs_rq->h_load_next = se;
		if (cfs_rq->last_h_load_update == jiffies)
			break;
	}
	if (!se) {
		cfs_rq->h_load = cfs_rq->avg.load_avg;
		cfs_rq->last_h_load_update = jiffies;
	}
	while ((se = cfs_rq->h_load_next)) {
		uint64_t load =
			cfs_rq->h_load * se->avg.load_avg / (cfs_rq->avg.load_avg + 1);

		cfs_rq = se->my_q;
		cfs_rq->h_load = load;
		cfs_rq->last_h_load_update = jiffies;
	}
}

uint64_t task_h_load(const struct machine *m, const struct task *t)
{
	struct cfs_rq *cfs_rq = t->se.cfs_rq;

	update_cfs_rq_h_load(cfs_rq, m->jiffies);
	return t->se.avg.load_avg * cfs_rq->h_load / (cfs_rq->avg.load_avg + 1);
}
