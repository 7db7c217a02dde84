/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The idle class: what a CPU runs when there is nothing to run.
 */
#include "sched/class.h"
#include "sched/clock.h"
#include "sched/core.h"
#include "sched/select.h"

static void check_preempt_curr_idle(struct rq *rq, struct task *t, unsigned wake_flags)
{
	resched_curr(rq);
}

static void set_next_task_idle(struct rq *rq, struct task *t)
{
	update_idle_core(rq);
	update_idle_rq_clock_pelt(rq);
	rq->m->policy->cpu_goes_idle(rq);
}

static bool balance_idle(struct rq *rq, struct task *prev)
{
	return true;
}

static struct task *pick_next_task_idle(struct rq *rq)
{
	set_next_task_idle(rq, rq->idle);
	return rq->idle;
}

static void put_prev_task_idle(struct rq *rq, struct task *t)
{
}

static void task_tick_idle(struct rq *rq, struct task *curr)
{
}

static void update_curr_idle(struct rq *rq)
{
}

const struct sched_class idle_sched_class = {
	.name = "idle",
	.rank = 0,
	.check_preempt_curr = check_preempt_curr_idle,
	.balance = balance_idle,
	.pick_next_task = pick_next_task_idle,
	.update_curr = update_curr_idle,
	.put_prev_task = put_prev_task_idle,
	.set_next_task = set_next_task_idle,
	.task_tick = task_tick_idle,
};
