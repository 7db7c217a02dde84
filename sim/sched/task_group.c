/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of tasks that share a weight: a queue and an entity on every CPU.
 */
#include "sched/task_group.h"

#include "sched/bandwidth.h"
#include "sched/class.h"
#include "sched/core_internal.h"
#include "sched/fair.h"
#include "sched/load_weight.h"
#include "sched/uclamp.h"

#include <errno.h>

/* Bounds of a group's weight.  source: MIN_SHARES, MAX_SHARES */
#define MIN_GROUP_SHARES (2ULL << LOAD_SHIFT)
#define MAX_GROUP_SHARES (1ULL << 18 << LOAD_SHIFT)

/* source: WEIGHT_IDLEPRIO */
#define IDLE_GROUP_SHARES (3ULL << LOAD_SHIFT)

/* source: init_tg_cfs_entry() */
static void init_on_cpu(struct machine *m, struct task_group *tg, int cpu)
{
	struct cfs_rq *cfs_rq = g_new0(struct cfs_rq, 1);
	struct sched_entity *se = g_new0(struct sched_entity, 1);
	struct sched_entity *above = tg->parent->se ? tg->parent->se[cpu] : NULL;

	init_cfs_rq(cpu_rq(m, cpu), cfs_rq, tg);
	list_init(&se->group_node);
	se->cfs_rq = tg->parent->cfs_rq[cpu];
	se->my_q = cfs_rq;
	se->parent = above;
	se->depth = above ? above->depth + 1 : 0;
	load_weight_set(&se->load, NICE_0_LOAD);
	init_entity_runnable_average(se);
	tg->cfs_rq[cpu] = cfs_rq;
	tg->se[cpu] = se;
}

struct task_group *task_group_new(struct machine *m, struct task_group *parent)
{
	struct task_group *tg = g_new0(struct task_group, 1);

	tg->parent = parent ? parent : &m->root_tg;
	tg->shares = NICE_0_LOAD;
	uclamp_tg_init(tg);
	list_init(&tg->children);
	list_add_head(&tg->parent->children, &tg->siblings);
	tg->cfs_rq = g_new0(struct cfs_rq *, m->nr_cpus);
	tg->se = g_new0(struct sched_entity *, m->nr_cpus);
	for (int cpu = 0; cpu < m->nr_cpus; cpu++)
		init_on_cpu(m, tg, cpu);
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		update_rq_clock(cpu_rq(m, cpu));
		attach_entity_cfs_rq(tg->se[cpu]);
		sync_throttle(tg, cpu);
	}
	return tg;
}

void task_group_free(struct machine *m, struct task_group *tg)
{
	if (!tg)
		return;
	g_assert(list_empty(&tg->children));

	list_del(&tg->siblings);
	cfs_bandwidth_destroy(m, tg);
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		g_assert(!tg->cfs_rq[cpu]->nr_running);
		if (tg->se[cpu]->avg.last_update_time)
			remove_entity_load_avg(tg->se[cpu]);
		list_del_leaf_cfs_rq(tg->cfs_rq[cpu]);
		g_free(tg->cfs_rq[cpu]);
		g_free(tg->se[cpu]);
	}
	g_free(tg->cfs_rq);
	g_free(tg->se);
	g_free(tg);
}

/* source: __sched_group_set_shares() */
static void set_shares(struct machine *m, struct task_group *tg, uint64_t shares)
{
	shares = CLAMP(shares, MIN_GROUP_SHARES, MAX_GROUP_SHARES);
	if (tg->shares == shares)
		return;
	tg->shares = shares;
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		update_rq_clock(cpu_rq(m, cpu));
		for (struct sched_entity *se = tg->se[cpu]; se; se = se->parent) {
			update_load_avg(se->cfs_rq, se, UPDATE_TG);
			update_cfs_group(se);
		}
	}
}

int sched_group_set_shares(struct machine *m, struct task_group *tg, uint64_t shares)
{
	if (!tg->se || tg->idle)
		return -EINVAL;
	set_shares(m, tg, shares);
	return 0;
}

/* The tasks of @tg on one CPU that are not idle of themselves count otherwise now. */
static void set_idle_on_cpu(struct task_group *tg, int cpu, bool idle)
{
	struct cfs_rq *own = tg->cfs_rq[cpu];
	struct sched_entity *se = tg->se[cpu];
	unsigned change = own->h_nr_running - own->idle_h_nr_running;

	own->idle = idle;
	if (se->on_rq)
		se->cfs_rq->idle_nr_running += idle ? 1 : -1U;
	for (; se && se->on_rq; se = se->parent) {
		se->cfs_rq->idle_h_nr_running += idle ? change : -change;
		/* To those above they counted as idle already. */
		if (se->cfs_rq->idle)
			return;
	}
}

int sched_group_set_idle(struct machine *m, struct task_group *tg, int64_t idle)
{
	if (!tg->se || idle < 0 || idle > 1)
		return -EINVAL;
	if (tg->idle == idle)
		return 0;
	tg->idle = idle;
	for (int cpu = 0; cpu < m->nr_cpus; cpu++)
		set_idle_on_cpu(tg, cpu, idle);
	set_shares(m, tg, idle ? IDLE_GROUP_SHARES : NICE_0_LOAD);
	return 0;
}

/* source: sched_change_group() */
static void change_group(struct task *t, struct task_group *tg)
{
	t->sched_task_group = tg;
	if (t->sched_class->task_change_group)
		t->sched_class->task_change_group(t);
	else
		set_task_rq_fair(t, t->cpu);
}

void sched_move_task(struct machine *m, struct task *t, struct task_group *tg)
{
	struct rq *rq = task_rq(m, t);
	struct set_aside aside;

	update_rq_clock(rq);
	task_set_aside(rq, t, QUEUE_MOVE, &aside);
	change_group(t, tg);
	task_put_back(rq, t, &aside);
	/* The new group may be throttled, and then it must not go on. */
	if (aside.running)
		resched_curr(rq);
}

void sched_forget_group(struct machine *m, struct task *t)
{
	g_assert(t->state == TASK_DEAD);

	t->sched_task_group = &m->root_tg;
	set_task_rq_fair(t, t->cpu);
}
