/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stopper: a task on every CPU that preempts all others to move tasks.
 */
#include "sched/stop.h"

#include "sched/class.h"
#include "sched/clock.h"
#include "sched/core_internal.h"

void stop_one_cpu_nowait(struct rq *rq, struct cpu_stop_work *work)
{
	if (!has_stop_works(rq)) {
		rq->stop->on_rq = TASK_ON_RQ_QUEUED;
		/* It counts among the running, as every queued task does. */
		add_nr_running(rq, 1);
		update_rq_clock(rq);
		account_idle_end(rq);
	}
	list_add_tail(&rq->stop_works, &work->node);
	resched_curr(rq);
}

void run_stop_works(struct rq *rq)
{
	while (has_stop_works(rq)) {
		struct cpu_stop_work *work =
			list_entry(rq->stop_works.next, struct cpu_stop_work, node);

		list_del(&work->node);
		work->fn(rq, work->arg);
	}
	rq->stop->on_rq = TASK_ON_RQ_NONE;
	sub_nr_running(rq, 1);
}

static bool balance_stop(struct rq *rq, struct task *prev)
{
	return has_stop_works(rq);
}

static struct task *pick_next_task_stop(struct rq *rq)
{
	return has_stop_works(rq) ? rq->stop : NULL;
}

static void put_prev_task_stop(struct rq *rq, struct task *t)
{
}

static void task_tick_stop(struct rq *rq, struct task *curr)
{
}

static void update_curr_stop(struct rq *rq)
{
}

const struct sched_class stop_sched_class = {
	.name = "stop",
	.rank = 4,
	.balance = balance_stop,
	.pick_next_task = pick_next_task_stop,
	.update_curr = update_curr_stop,
	.put_prev_task = put_prev_task_stop,
	.task_tick = task_tick_stop,
};
