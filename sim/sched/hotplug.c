/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that stop being used: whatever such a CPU is about to run, its stopper moves
 * elsewhere, until only what is bound to it is left.
 *
 * source: balance_push(), kernel/sched/core.c, 6.1
 */
#include "sched/hotplug.h"

#include "model/machine_new.h"
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

/* A thread that is off is nobody's sibling.  source: remove_siblinginfo() */
static void update_siblings(struct machine *m, int changed)
{
	struct cpumask core = core_cpus(m, changed);
	int cpu;

	for_each_cpu (cpu, &core) {
		struct rq *rq = cpu_rq(m, cpu);

		rq->smt_mask = cpumask_of(cpu);
		if (cpumask_test(&m->active, cpu))
			rq->smt_mask = cpumask_and(&core, &m->active);
	}
	m->smt_active = false;
	for_each_cpu (cpu, &m->active)
		m->smt_active |= cpumask_weight(&cpu_rq(m, cpu)->smt_mask) > 1;
}

/* What depends on the number of CPUs.  source: update_max_interval() */
static void update_max_interval(struct machine *m)
{
	m->max_load_balance_interval =
		(uint64_t)m->hz * (uint64_t)cpumask_weight(&m->active) / 10;
}

static void stop_using(struct machine *m, struct rq *rq)
{
	nohz_balance_exit_idle(rq);
	cpumask_clear(&m->active, rq->cpu);
	set_rq_offline(rq);
	/* Wakeups on their way here arrive, and then leave as the others do. */
	resched_curr(rq);
}

static void count_active(struct machine *m, int changed)
{
	update_siblings(m, changed);
	update_max_interval(m);
}

void set_cpu_active(struct machine *m, int cpu, bool active)
{
	struct rq *rq = cpu_rq(m, cpu);

	if (active) {
		cpumask_set(&m->active, cpu);
		set_rq_online(rq);
	} else {
		stop_using(m, rq);
	}
	count_active(m, cpu);
}

void cancel_cpu_inactive(struct machine *m, int cpu)
{
	cpumask_set(&m->active, cpu);
	count_active(m, cpu);
}

void set_cpu_online(struct machine *m, int cpu, bool online)
{
	if (online)
		cpumask_set(&m->online, cpu);
	else
		cpumask_clear(&m->online, cpu);
}
