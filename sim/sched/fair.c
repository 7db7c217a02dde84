/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fair class: entities onto their queues and off them, up the hierarchy of
 * groups, and the class's table.  What order they run in is the profile's (struct
 * fair_ops).
 */
#include "sched/fair.h"

#include "model/machine_new.h"
#include "sched/asym.h"
#include "sched/bandwidth.h"
#include "sched/clock.h"
#include "sched/core.h"
#include "sched/load_weight.h"
#include "sched/pelt.h"
#include "sched/select.h"
#include "schedsim/observer.h"

void init_cfs_rq(struct rq *rq, struct cfs_rq *cfs_rq, struct task_group *tg)
{
	*cfs_rq = (struct cfs_rq){.rq = rq, .tg = tg};
	cfs_rq->last_h_load_update = UINT64_MAX;
	list_init(&cfs_rq->leaf_cfs_rq_list);
	list_init(&cfs_rq->throttled_list);
	rq->m->profile->fair->init_cfs_rq(cfs_rq);
}

bool se_is_idle(const struct sched_entity *se)
{
	if (entity_is_task(se))
		return task_is_idle_policy(task_of_const(se));
	return se->my_q->idle;
}

bool sched_idle_cfs_rq(const struct cfs_rq *cfs_rq)
{
	return cfs_rq->nr_running && cfs_rq->nr_running == cfs_rq->idle_nr_running;
}

void find_matching_se(struct sched_entity **a, struct sched_entity **b)
{
	while ((*a)->depth > (*b)->depth)
		*a = (*a)->parent;
	while ((*b)->depth > (*a)->depth)
		*b = (*b)->parent;
	while ((*a)->cfs_rq != (*b)->cfs_rq) {
		*a = (*a)->parent;
		*b = (*b)->parent;
	}
}

void update_curr(struct cfs_rq *cfs_rq)
{
	struct sched_entity *curr = cfs_rq->curr;
	struct rq *rq = cfs_rq->rq;
	uint64_t delta_ns;

	if (!curr)
		return;
	delta_ns = rq->clock_task - curr->exec_start;
	if ((int64_t)delta_ns <= 0)
		return;
	curr->exec_start = rq->clock_task;
	curr->sum_exec_runtime += delta_ns;
	if (fair_ops_of(cfs_rq)->account(cfs_rq, curr, delta_ns))
		resched_curr(rq);
	if (entity_is_task(curr))
		OBSERVE(rq->m, sched_stat_runtime, rq->m, task_of(curr), delta_ns);
	account_cfs_rq_runtime(cfs_rq, delta_ns);
}

static void account_entity_enqueue(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	load_weight_add(&cfs_rq->load, se->load.weight);
	if (entity_is_task(se))
		list_add_head(&cfs_rq->rq->cfs_tasks, &se->group_node);
	cfs_rq->nr_running++;
	if (se_is_idle(se))
		cfs_rq->idle_nr_running++;
}

static void account_entity_dequeue(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	load_weight_sub(&cfs_rq->load, se->load.weight);
	if (entity_is_task(se))
		list_del(&se->group_node);
	cfs_rq->nr_running--;
	if (se_is_idle(se))
		cfs_rq->idle_nr_running--;
}

/*
 * vruntime becomes absolute before current is charged when @se is current, since
 * the charge must not count against an offset; for others after it, since the
 * charge moves the queue's time on.
 */
void enqueue_entity(struct cfs_rq *cfs_rq, struct sched_entity *se, unsigned flags)
{
	const struct fair_ops *ops = fair_ops_of(cfs_rq);
	bool is_curr = cfs_rq->curr == se;

	if (is_curr)
		ops->arrive(cfs_rq, se, flags);
	update_curr(cfs_rq);
	if (!is_curr)
		ops->arrive(cfs_rq, se, flags);

	update_load_avg(cfs_rq, se, UPDATE_TG | DO_ATTACH);
	se_update_runnable(se);
	update_cfs_group(se);
	account_entity_enqueue(cfs_rq, se);
	if (flags & ENQUEUE_WAKEUP)
		ops->place(cfs_rq, se, PLACE_WAKEUP);
	/* Its new CPU's clock has nothing to do with when it ran last. */
	if (flags & ENQUEUE_MIGRATED)
		se->exec_start = 0;
	if (!is_curr)
		ops->tree_insert(cfs_rq, se);
	se->on_rq = true;
	if (cfs_rq->nr_running == 1) {
		check_enqueue_throttle(cfs_rq);
		if (!throttled_hierarchy(cfs_rq))
			list_add_leaf_cfs_rq(cfs_rq);
	}
}

void dequeue_entity(struct cfs_rq *cfs_rq, struct sched_entity *se, unsigned flags)
{
	const struct fair_ops *ops = fair_ops_of(cfs_rq);
	unsigned action = UPDATE_TG;

	if (entity_is_task(se) && task_is_migrating(task_of(se)))
		action |= DO_DETACH;
	update_curr(cfs_rq);
	update_load_avg(cfs_rq, se, action);
	se_update_runnable(se);
	ops->forget(cfs_rq, se);
	if (se != cfs_rq->curr)
		ops->tree_remove(cfs_rq, se);
	se->on_rq = false;
	account_entity_dequeue(cfs_rq, se);
	ops->leave(cfs_rq, se, flags);
	return_cfs_rq_runtime(cfs_rq);
	update_cfs_group(se);
	ops->left(cfs_rq, flags);
	if (!cfs_rq->nr_running)
		update_idle_cfs_rq_clock_pelt(cfs_rq);
}

/* An ancestor whose queue only changed its counts. */
static void update_ancestor(struct sched_entity *se)
{
	update_load_avg(se->cfs_rq, se, UPDATE_TG);
	se_update_runnable(se);
	update_cfs_group(se);
}

/* True when the root was reached: nothing above a throttled queue counts @se. */
static bool enqueue_upwards(struct sched_entity *se, unsigned flags, unsigned idle_h_nr)
{
	for_each_sched_entity (se) {
		struct cfs_rq *cfs_rq = se->cfs_rq;

		if (!se->on_rq) {
			enqueue_entity(cfs_rq, se, flags);
			flags = ENQUEUE_WAKEUP;
		} else {
			update_ancestor(se);
		}
		cfs_rq->h_nr_running++;
		cfs_rq->idle_h_nr_running += idle_h_nr;
		/* All below an idle group counts as idle. */
		if (cfs_rq->idle)
			idle_h_nr = 1;
		if (cfs_rq_throttled(cfs_rq))
			return false;
	}
	return true;
}

static void enqueue_task_fair(struct rq *rq, struct task *t, unsigned flags)
{
	util_est_enqueue(&rq->cfs, t);
	if (enqueue_upwards(&t->se, flags, task_is_idle_policy(t)))
		add_nr_running(rq, 1);
}

/* @t went to sleep: its run of CPU time since the last sleep is over. */
static void update_dur_avg(struct sched_entity *se)
{
	update_avg(&se->dur_avg, se->sum_exec_runtime - se->prev_sleep_sum_runtime);
	se->prev_sleep_sum_runtime = se->sum_exec_runtime;
}

/* True when the root was reached. */
static bool dequeue_upwards(struct sched_entity *se, unsigned flags, unsigned idle_h_nr)
{
	bool task_sleep = flags & DEQUEUE_SLEEP;
	bool emptied = true; /* the queue below, so its entity goes too */

	for_each_sched_entity (se) {
		struct cfs_rq *cfs_rq = se->cfs_rq;

		if (emptied)
			dequeue_entity(cfs_rq, se, flags);
		else
			update_ancestor(se);
		cfs_rq->h_nr_running--;
		cfs_rq->idle_h_nr_running -= idle_h_nr;
		if (cfs_rq->idle)
			idle_h_nr = 1;
		if (cfs_rq_throttled(cfs_rq))
			return false;
		if (emptied && cfs_rq->load.weight) {
			emptied = false;
			if (task_sleep && se->parent && !throttled_hierarchy(cfs_rq))
				fair_ops_of(cfs_rq)->stay_in_group(se->parent);
		}
		flags |= DEQUEUE_SLEEP;
	}
	return true;
}

static void dequeue_task_fair(struct rq *rq, struct task *t, unsigned flags)
{
	bool task_sleep = flags & DEQUEUE_SLEEP;
	bool was_sched_idle = cpu_is_sched_idle(rq->m, rq->cpu);

	util_est_dequeue(&rq->cfs, t);
	if (dequeue_upwards(&t->se, flags, task_is_idle_policy(t))) {
		sub_nr_running(rq, 1);
		/* Only idle-policy tasks are left: look for better ones soon. */
		if (!was_sched_idle && cpu_is_sched_idle(rq->m, rq->cpu))
			rq->next_balance = rq->m->jiffies;
	}
	util_est_update(rq, t, task_sleep);
	if (task_sleep)
		update_dur_avg(&t->se);
}

static void update_curr_fair(struct rq *rq)
{
	update_curr(rq->curr->se.cfs_rq);
}

static void task_tick_fair(struct rq *rq, struct task *curr)
{
	struct sched_entity *se = &curr->se;

	for_each_sched_entity (se) {
		struct cfs_rq *cfs_rq = se->cfs_rq;

		update_curr(cfs_rq);
		update_load_avg(cfs_rq, se, UPDATE_TG);
		update_cfs_group(se);
		if (cfs_rq->nr_running > 1)
			fair_ops_of(cfs_rq)->tick_check(cfs_rq, se);
	}
	update_misfit_status(rq, curr);
}

static void check_preempt_fair(struct rq *rq, struct task *t, unsigned wake_flags)
{
	rq->m->profile->fair->wakeup_check(rq, t, wake_flags);
}

static void yield_task_fair(struct rq *rq)
{
	rq->m->profile->fair->yield(rq);
}

static void migrate_task_rq_fair(struct machine *m, struct task *t, int new_cpu)
{
	struct sched_entity *se = &t->se;

	if (t->state == TASK_WAKING)
		m->profile->fair->migrate(se);
	if (!task_is_migrating(t)) {
		remove_entity_load_avg(se);
		migrate_se_pelt_lag(se);
	}
	/* To be attached where it arrives. */
	se->avg.last_update_time = 0;
	if (!m->profile->long_sleeper_guard)
		se->exec_start = 0;
}

static void task_fork_fair(struct machine *m, struct task *child, int this_cpu)
{
	struct rq *rq = cpu_rq(m, this_cpu);

	update_rq_clock(rq);
	m->profile->fair->fork(rq, child);
}

static void task_dead_fair(struct task *t)
{
	remove_entity_load_avg(&t->se);
}

void reweight_task(struct task *t)
{
	struct load_weight load = task_load_weight(t->policy, task_nice(t));

	reweight_entity(t->se.cfs_rq, &t->se, load.weight);
	t->se.load.inv_weight = load.inv_weight;
}

/*
 * What a task of another class weighed here last goes by each queue's own time, and
 * that stands elsewhere on @next.  One of the fair class has its time taken away
 * before it moves.
 */
static void carry_load_over(struct sched_entity *se, const struct cfs_rq *next)
{
	if (!se->avg.last_update_time || !se->cfs_rq ||
	    !next->rq->m->feat.ATTACH_AGE_LOAD)
		return;
	pelt_update_blocked_se(se->cfs_rq->avg.last_update_time, se);
	se->avg.last_update_time = next->avg.last_update_time;
}

void set_task_rq_fair(struct task *t, int cpu)
{
	struct task_group *tg = t->sched_task_group;

	carry_load_over(&t->se, tg->cfs_rq[cpu]);
	t->se.cfs_rq = tg->cfs_rq[cpu];
	t->se.parent = tg->se ? tg->se[cpu] : NULL;
	t->se.depth = t->se.parent ? t->se.parent->depth + 1 : 0;
}

static void rq_online_fair(struct rq *rq)
{
	machine_scale_tunables(rq->m);
	cfs_bandwidth_rq_online(rq);
}

static void rq_offline_fair(struct rq *rq)
{
	machine_scale_tunables(rq->m);
	cfs_bandwidth_rq_offline(rq);
}

const struct sched_class fair_sched_class = {
	.name = "fair",
	.rank = 1,
	.enqueue_task = enqueue_task_fair,
	.dequeue_task = dequeue_task_fair,
	.yield_task = yield_task_fair,
	.check_preempt_curr = check_preempt_fair,
	.balance = balance_fair,
	.pick_next_task = pick_next_task_fair,
	.update_curr = update_curr_fair,
	.put_prev_task = put_prev_task_fair,
	.set_next_task = set_next_task_fair,
	.select_task_rq = select_task_rq_fair,
	.migrate_task_rq = migrate_task_rq_fair,
	.task_tick = task_tick_fair,
	.task_fork = task_fork_fair,
	.task_dead = task_dead_fair,
	.switched_from = switched_from_fair,
	.switched_to = switched_to_fair,
	.prio_changed = prio_changed_fair,
	.rq_online = rq_online_fair,
	.rq_offline = rq_offline_fair,
	.task_change_group = task_change_group_fair,
};
