/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that stop being used: whatever such a CPU is about to run, its stopper moves
 * elsewhere, until only what is bound to it is left.
 *
 * source: balance_push(), kernel/sched/core.c, 6.1
 */
#include "sched/hotplug.h"

#include "sched/clock.h"
#include "sched/core_internal.h"
#include "sched/nohz.h"
#include "sched/root_domain.h"
#include "sched/stop.h"

/* source: __balance_push_cpu_stop() */
static void balance_push_cpu_stop(struct rq *rq, void *arg)
{
	struct task *t = arg;

	update_rq_clock(rq);
	if (t->cpu == rq->cpu && t->on_rq == TASK_ON_RQ_QUEUED)
		move_queued_task(rq->m, t, select_fallback_rq(rq->m, t, rq->cpu));
}

bool balance_push(struct rq *rq)
{
	struct task *t = rq->curr;

	if (cpumask_test(&rq->m->active, rq->cpu) || t == rq->idle ||
	    t->per_cpu_kthread)
		return false;
	rq->push_work.fn = balance_push_cpu_stop;
	rq->push_work.arg = t;
	stop_one_cpu_nowait(rq, &rq->push_work);
	return true;
}

static void stop_using(struct machine *m, struct rq *rq)
{
	nohz_balance_exit_idle(rq);
	cpumask_clear(&m->active, rq->cpu);
	set_rq_offline(rq);
	/* Wakeups that were on their way here go on from here. */
	sched_ttwu_pending(rq);
	resched_curr(rq);
}

void set_cpu_active(struct machine *m, int cpu, bool active)
{
	struct rq *rq = cpu_rq(m, cpu);

	if (!active) {
		stop_using(m, rq);
		return;
	}
	cpumask_set(&m->active, cpu);
	set_rq_online(rq);
}
