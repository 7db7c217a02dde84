/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of tasks that share a weight: a queue and an entity on every CPU.
 */
#include "sched/task_group.h"

#include "sched/clock.h"
#include "sched/fair.h"
#include "sched/load_weight.h"

/* Bounds of a group's weight.  source: MIN_SHARES, MAX_SHARES */
#define MIN_GROUP_SHARES (2ULL << LOAD_SHIFT)
#define MAX_GROUP_SHARES (1ULL << 18 << LOAD_SHIFT)

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
	tg->cfs_rq = g_new0(struct cfs_rq *, m->nr_cpus);
	tg->se = g_new0(struct sched_entity *, m->nr_cpus);
	for (int cpu = 0; cpu < m->nr_cpus; cpu++)
		init_on_cpu(m, tg, cpu);
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		update_rq_clock(cpu_rq(m, cpu));
		attach_entity_cfs_rq(tg->se[cpu]);
	}
	return tg;
}

void task_group_free(struct machine *m, struct task_group *tg)
{
	if (!tg)
		return;
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

void sched_group_set_shares(struct machine *m, struct task_group *tg, uint64_t shares)
{
	g_assert(tg->se);

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
