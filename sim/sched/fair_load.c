/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the averages of fair entities reach the queue they are on: attached when a
 * task comes, detached when it goes, taken off later when it left in its sleep.
 *
 * A queue's sums may round to less than its averages stand for; each removal
 * therefore lifts the sum to what the average needs.  The kernel does that in 32
 * bits, and so does this.
 */
#include "sched/fair_load.h"

#include "sched/bandwidth.h"
#include "sched/deadline.h"
#include "sched/fair.h"
#include "sched/load_weight.h"
#include "sched/pelt.h"

static void sub_positive_u32(uint32_t *value, uint32_t by)
{
	*value = *value > by ? *value - by : 0;
}

static void sub_load(struct sched_avg *avg, uint64_t load_avg, uint64_t load_sum)
{
	sub_positive(&avg->load_avg, load_avg);
	sub_positive(&avg->load_sum, load_sum);
	avg->load_sum = sum_at_least(avg->load_sum, avg->load_avg);
}

static void sub_util(struct sched_avg *avg, uint64_t util_avg, uint32_t util_sum)
{
	sub_positive(&avg->util_avg, util_avg);
	sub_positive_u32(&avg->util_sum, util_sum);
	avg->util_sum = sum_at_least(avg->util_sum, avg->util_avg);
}

static void sub_runnable(struct sched_avg *avg, uint64_t runnable_avg,
			 uint64_t runnable_sum)
{
	sub_positive(&avg->runnable_avg, runnable_avg);
	sub_positive(&avg->runnable_sum, runnable_sum);
	avg->runnable_sum = sum_at_least(avg->runnable_sum, avg->runnable_avg);
}

static void enqueue_load_avg(struct cfs_rq *cfs_rq, const struct sched_entity *se)
{
	cfs_rq->avg.load_avg += se->avg.load_avg;
	cfs_rq->avg.load_sum += se_weight(se) * se->avg.load_sum;
}

static void dequeue_load_avg(struct cfs_rq *cfs_rq, const struct sched_entity *se)
{
	sub_load(&cfs_rq->avg, se->avg.load_avg, se_weight(se) * se->avg.load_sum);
}

void reweight_entity(struct cfs_rq *cfs_rq, struct sched_entity *se, uint64_t weight)
{
	if (se->on_rq) {
		if (cfs_rq->curr == se)
			update_curr(cfs_rq);
		load_weight_sub(&cfs_rq->load, se->load.weight);
	}
	dequeue_load_avg(cfs_rq, se);
	load_weight_set(&se->load, weight);
	se->avg.load_avg = se_weight(se) * se->avg.load_sum / pelt_divider(&se->avg);
	enqueue_load_avg(cfs_rq, se);
	if (se->on_rq)
		load_weight_add(&cfs_rq->load, se->load.weight);
}

void attach_entity_load_avg(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	/* Sums of one queue must share its divider, so they are made anew. */
	uint32_t divider = pelt_divider(&cfs_rq->avg);
	struct sched_avg *avg = &se->avg;

	avg->last_update_time = cfs_rq->avg.last_update_time;
	avg->period_contrib = cfs_rq->avg.period_contrib;
	avg->util_sum = (uint32_t)(avg->util_avg * divider);
	avg->runnable_sum = avg->runnable_avg * divider;
	avg->load_sum = avg->load_avg * divider;
	if (se_weight(se) < avg->load_sum)
		avg->load_sum /= se_weight(se);
	else
		avg->load_sum = 1;

	enqueue_load_avg(cfs_rq, se);
	cfs_rq->avg.util_avg += avg->util_avg;
	cfs_rq->avg.util_sum += avg->util_sum;
	cfs_rq->avg.runnable_avg += avg->runnable_avg;
	cfs_rq->avg.runnable_sum += avg->runnable_sum;
	add_tg_cfs_propagate(cfs_rq, (int64_t)avg->load_sum);
}

void detach_entity_load_avg(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	dequeue_load_avg(cfs_rq, se);
	sub_util(&cfs_rq->avg, se->avg.util_avg, se->avg.util_sum);
	sub_runnable(&cfs_rq->avg, se->avg.runnable_avg, se->avg.runnable_sum);
	add_tg_cfs_propagate(cfs_rq, -(int64_t)se->avg.load_sum);
}

/* Takes off what left since the last update. */
static void apply_removed(struct cfs_rq *cfs_rq)
{
	struct cfs_removed removed = cfs_rq->removed;
	uint32_t divider = pelt_divider(&cfs_rq->avg);

	cfs_rq->removed = (struct cfs_removed){0};
	sub_load(&cfs_rq->avg, removed.load_avg, removed.load_avg * divider);
	sub_util(&cfs_rq->avg, removed.util_avg,
		 (uint32_t)(removed.util_avg * divider));
	sub_runnable(&cfs_rq->avg, removed.runnable_avg,
		     removed.runnable_avg * divider);
	add_tg_cfs_propagate(cfs_rq, -(int64_t)(removed.runnable_avg * divider) >>
					     CAPACITY_SHIFT);
}

bool update_cfs_rq_load_avg(uint64_t now_ns, struct cfs_rq *cfs_rq)
{
	bool removed = cfs_rq->removed.nr;

	if (removed)
		apply_removed(cfs_rq);
	return pelt_update_cfs_rq(now_ns, cfs_rq) || removed;
}

void update_load_avg(struct cfs_rq *cfs_rq, struct sched_entity *se, unsigned flags)
{
	uint64_t now_ns = cfs_rq_clock_pelt(cfs_rq);
	bool decayed;

	if (se->avg.last_update_time && !(flags & SKIP_AGE_LOAD))
		pelt_update_se(now_ns, cfs_rq, se);
	decayed = update_cfs_rq_load_avg(now_ns, cfs_rq);
	decayed |= propagate_entity_load_avg(se);

	if (!se->avg.last_update_time && (flags & DO_ATTACH)) {
		attach_entity_load_avg(cfs_rq, se);
		update_tg_load_avg(cfs_rq);
	} else if (flags & DO_DETACH) {
		detach_entity_load_avg(cfs_rq, se);
		update_tg_load_avg(cfs_rq);
	} else if (decayed && (flags & UPDATE_TG)) {
		update_tg_load_avg(cfs_rq);
	}
}

void sync_entity_load_avg(struct sched_entity *se)
{
	pelt_update_blocked_se(se->cfs_rq->avg.last_update_time, se);
}

void remove_entity_load_avg(struct sched_entity *se)
{
	struct cfs_removed *removed = &se->cfs_rq->removed;

	sync_entity_load_avg(se);
	removed->nr++;
	removed->load_avg += se->avg.load_avg;
	removed->util_avg += se->avg.util_avg;
	removed->runnable_avg += se->avg.runnable_avg;
}

static bool load_avg_is_decayed(const struct sched_avg *avg)
{
	return !avg->load_sum && !avg->util_sum && !avg->runnable_sum;
}

void migrate_se_pelt_lag(struct sched_entity *se)
{
	const struct cfs_rq *cfs_rq = se->cfs_rq;
	const struct rq *rq = cfs_rq->rq;
	uint64_t now_ns = rq->clock_pelt_idle - cfs_rq->throttled_pelt_idle;

	if (load_avg_is_decayed(&se->avg) || rq->curr != rq->idle)
		return;
	/* It was throttled when it ran empty, and its clock stood. */
	if (cfs_rq->throttled_pelt_idle == UINT64_MAX)
		return;
	/*
	 * An idle CPU's clocks stand still.  Its pelt clock at idle entry plus the time
	 * since is the estimate, unless the queue was updated later.
	 */
	if (now_ns < cfs_rq->avg.last_update_time)
		now_ns = cfs_rq->avg.last_update_time;
	else
		now_ns += rq->m->now_ns - rq->clock_idle;
	pelt_update_blocked_se(now_ns, se);
}

void init_entity_runnable_average(struct sched_entity *se)
{
	se->avg = (struct sched_avg){0};
	/* A new task weighs fully at once, so that balancing sees it. */
	if (entity_is_task(se))
		se->avg.load_avg = scale_load_down(se->load.weight);
}

uint64_t initial_util_avg(uint64_t cpu_scale, uint64_t cfs_util, uint64_t cfs_load,
			  uint64_t weight)
{
	int64_t cap = (int64_t)(cpu_scale - cfs_util) / 2;
	uint64_t util;

	if (cap <= 0)
		return 0;
	if (!cfs_util)
		return (uint64_t)cap;
	util = cfs_util * weight / (cfs_load + 1);
	return util < (uint64_t)cap ? util : (uint64_t)cap;
}

void post_init_entity_util_avg(struct task *t)
{
	const struct cfs_rq *cfs_rq = t->se.cfs_rq;
	struct sched_avg *avg = &t->se.avg;

	if (t->sched_class != &fair_sched_class) {
		avg->last_update_time = cfs_rq_clock_pelt(cfs_rq);
		return;
	}
	if ((int64_t)(cfs_rq->rq->cpu_scale - cfs_rq->avg.util_avg) / 2 > 0)
		avg->util_avg =
			initial_util_avg(cfs_rq->rq->cpu_scale, cfs_rq->avg.util_avg,
					 cfs_rq->avg.load_avg, t->se.load.weight);
	avg->runnable_avg = avg->util_avg;
}

bool cfs_rq_is_decayed(const struct cfs_rq *cfs_rq)
{
	const struct list *before = cfs_rq->on_list ? cfs_rq->leaf_cfs_rq_list.prev
						    : cfs_rq->rq->tmp_alone_branch;

	if (cfs_rq->load.weight || !load_avg_is_decayed(&cfs_rq->avg))
		return false;
	if (before == &cfs_rq->rq->leaf_cfs_rq_list)
		return true;
	/* Children come before; the last of them keeps this one on the list. */
	return list_entry(before, const struct cfs_rq, leaf_cfs_rq_list)->tg->parent !=
	       cfs_rq->tg;
}

/* Real-time, deadline and interrupt averages.  True when some are not yet zero. */
static bool update_blocked_others(struct rq *rq)
{
	const struct sched_class *current = rq->curr->sched_class;
	uint64_t now_ns = rq_clock_pelt(rq);

	pelt_update_class(now_ns, &rq->avg_rt, current == &rt_sched_class);
	pelt_update_class(now_ns, &rq->avg_dl, current == &dl_sched_class);
	if (rq->m->feat.NONTASK_CAPACITY)
		pelt_update_irq(rq, 0);
	return rq->avg_rt.util_avg || rq->avg_dl.util_avg || rq->avg_irq.util_avg;
}

/* A sleeping group with nothing to fade and nothing to pass on. */
static bool skip_blocked_update(const struct sched_entity *group_se)
{
	return !group_se->avg.load_avg && !group_se->avg.util_avg &&
	       !group_se->my_q->propagate;
}

/* One queue of update_blocked_averages().  True when it still has blocked load. */
static bool update_blocked_cfs_rq(struct cfs_rq *cfs_rq)
{
	struct sched_entity *se =
		cfs_rq->tg->se ? cfs_rq->tg->se[cfs_rq->rq->cpu] : NULL;

	if (update_cfs_rq_load_avg(cfs_rq_clock_pelt(cfs_rq), cfs_rq)) {
		update_tg_load_avg(cfs_rq);
		if (!cfs_rq->nr_running)
			update_idle_cfs_rq_clock_pelt(cfs_rq);
	}
	if (se && !skip_blocked_update(se))
		update_load_avg(se->cfs_rq, se, UPDATE_TG);
	if (cfs_rq_is_decayed(cfs_rq))
		list_del_leaf_cfs_rq(cfs_rq);
	return cfs_rq->avg.load_avg || cfs_rq->avg.util_avg;
}

void update_blocked_averages(struct rq *rq)
{
	struct list *pos, *next;
	bool blocked;

	rq->last_blocked_load_update_tick = rq->m->jiffies;
	update_rq_clock(rq);
	blocked = update_blocked_others(rq);
	for (pos = rq->leaf_cfs_rq_list.next; pos != &rq->leaf_cfs_rq_list;
	     pos = next) {
		next = pos->next;
		blocked |= update_blocked_cfs_rq(
			list_entry(pos, struct cfs_rq, leaf_cfs_rq_list));
	}
	if (!blocked)
		rq->has_blocked_load = false;
}
