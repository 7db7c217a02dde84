/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes to a task while it lives: nice and affinity.  Its policy: setscheduler.c.
 */
#include "sched/core_internal.h"

#include "sched/class.h"
#include "sched/clock.h"
#include "sched/fair.h"
#include "sched/load_weight.h"
#include "sched/stop.h"

#include <errno.h>

void set_user_nice(struct machine *m, struct task *t, int nice)
{
	struct rq *rq = task_rq(m, t);
	struct set_aside aside;
	int old_prio = t->prio;

	g_assert(nice >= MIN_NICE && nice <= MAX_NICE);
	if (task_nice(t) == nice)
		return;
	update_rq_clock(rq);
	if (!fair_policy(t->policy)) {
		/* Kept for when it comes back to the fair class. */
		t->static_prio = DEFAULT_PRIO + nice;
		return;
	}
	task_set_aside(rq, t, 0, &aside);
	t->static_prio = DEFAULT_PRIO + nice;
	t->prio = t->static_prio;
	set_load_weight(m, t);
	task_put_back(rq, t, &aside);
	if (t->sched_class->prio_changed)
		t->sched_class->prio_changed(rq, t, old_prio);
}

void move_queued_task(struct machine *m, struct task *t, int cpu)
{
	struct rq *rq = task_rq(m, t);

	deactivate_task(rq, t, QUEUE_NOCLOCK);
	set_task_cpu(m, t, cpu);
	rq = cpu_rq(m, cpu);
	update_rq_clock(rq);
	activate_task(rq, t, 0);
	check_preempt_curr(rq, t, 0);
}

/* The stopper took over from @arg, which may not stay.  source: migration_cpu_stop() */
static void migration_cpu_stop(struct rq *rq, void *arg)
{
	struct task *t = arg;

	if (t->on_rq == TASK_ON_RQ_QUEUED && t->cpu == rq->cpu &&
	    !task_may_use(t, rq->cpu))
		move_queued_task(rq->m, t, t->migration_cpu);
}

static bool is_queued(const struct cpu_stop_work *work)
{
	return work->node.next && !list_empty(&work->node);
}

static void move_running_task(struct rq *rq, struct task *t, int cpu)
{
	t->migration_cpu = cpu;
	/* Its affinity may change again before the stopper gets to it. */
	if (is_queued(&t->migration_work))
		return;
	t->migration_work.fn = migration_cpu_stop;
	t->migration_work.arg = t;
	stop_one_cpu_nowait(rq, &t->migration_work);
}

void do_set_cpus_allowed(struct machine *m, struct task *t, const struct cpumask *cpus)
{
	struct rq *rq = task_rq(m, t);
	struct set_aside aside;

	update_rq_clock(rq);
	task_set_aside(rq, t, 0, &aside);
	if (t->sched_class->set_cpus_allowed)
		t->sched_class->set_cpus_allowed(rq, t, cpus);
	t->cpus_mask = *cpus;
	t->nr_cpus_allowed = cpumask_weight(cpus);
	task_put_back(rq, t, &aside);
}

int set_cpus_allowed(struct machine *m, struct task *t, const struct cpumask *cpus,
		     int this_cpu)
{
	struct cpumask valid = cpumask_and(cpus, &m->active);
	struct rq *rq = task_rq(m, t);
	int cpu;

	m->this_cpu = this_cpu;
	if (cpumask_empty(&valid))
		return -EINVAL;
	if (cpumask_equal(&t->cpus_mask, cpus))
		return 0;
	do_set_cpus_allowed(m, t, cpus);

	cpu = any_and_distribute(cpu_rq(m, this_cpu), &valid);
	if (task_may_use(t, t->cpu) || t->on_rq != TASK_ON_RQ_QUEUED)
		return 0;
	if (rq->curr == t)
		move_running_task(rq, t, cpu);
	else
		move_queued_task(m, t, cpu);
	return 0;
}
