/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that come to the fair class from another one, leave it, or change their
 * group or their priority within it.
 */
#include "sched/fair.h"

#include "sched/core.h"

/*
 * Whether its place is an offset already, to hold on any queue: that of a task which
 * is taken out for a moment, never ran, or is on its way to another CPU.
 */
static bool vruntime_normalized(const struct task *t)
{
	if (t->on_rq != TASK_ON_RQ_NONE || !t->se.sum_exec_runtime)
		return true;
	return t->state == TASK_WAKING && (t->wake_flags & WF_MIGRATED);
}

void detach_task_cfs_rq(struct task *t)
{
	struct sched_entity *se = &t->se;
	const struct fair_ops *ops = fair_ops_of(se->cfs_rq);

	if (!vruntime_normalized(t)) {
		/* Or the time until it comes back would all count as sleep. */
		ops->place(se->cfs_rq, se, PLACE_WAKEUP);
		ops->migrate(se);
	}
	detach_entity_cfs_rq(se);
}

void attach_task_cfs_rq(struct task *t)
{
	struct sched_entity *se = &t->se;

	attach_entity_cfs_rq(se);
	if (!vruntime_normalized(t))
		fair_ops_of(se->cfs_rq)->arrive(se->cfs_rq, se, 0);
}

void switched_from_fair(struct rq *rq, struct task *t)
{
	detach_task_cfs_rq(t);
}

void switched_to_fair(struct rq *rq, struct task *t)
{
	attach_task_cfs_rq(t);
	if (t->on_rq != TASK_ON_RQ_QUEUED)
		return;
	/* It most likely came from above, and others may be worth more now. */
	if (rq->curr == t)
		resched_curr(rq);
	else
		check_preempt_curr(rq, t, 0);
}

void prio_changed_fair(struct rq *rq, struct task *t, int old_prio)
{
	if (t->on_rq != TASK_ON_RQ_QUEUED || rq->cfs.nr_running == 1)
		return;
	if (rq->curr != t)
		check_preempt_curr(rq, t, 0);
	else if (t->prio > old_prio)
		resched_curr(rq);
}

void task_change_group_fair(struct task *t)
{
	/* One that was not started yet finds its queue when it is. */
	if (t->state == TASK_NEW)
		return;
	detach_task_cfs_rq(t);
	/* To be attached where it arrives. */
	t->se.avg.last_update_time = 0;
	set_task_rq_fair(t, t->cpu);
	attach_task_cfs_rq(t);
}
