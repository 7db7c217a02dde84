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
	/* A boost goes on. */
	if (!rt_task(t))
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

static bool is_queued(const struct cpu_stop_work *work)
{
	return work->node.next && !list_empty(&work->node);
}

bool task_is_leaving(const struct task *t)
{
	return is_queued(&t->migration_work);
}

/*
 * Where it is to go by its new affinity; that CPU may have gone off since, and then the
 * kernel leaves it where it is, to be pushed off from there.  source: __migrate_task()
 */
static int migration_target(struct machine *m, struct task *t)
{
	if (task_may_use(t, t->migration_cpu) &&
	    cpumask_test(&m->active, t->migration_cpu))
		return t->migration_cpu;
	return select_fallback_rq(m, t, t->cpu);
}

/* The stopper took over where @arg was, which may not stay. */
static void migration_cpu_stop(struct rq *rq, void *arg)
{
	struct task *t = arg;

	/* It may be among those on their way here. */
	sched_ttwu_pending(rq);
	if (t->on_rq == TASK_ON_RQ_QUEUED)
		leave_cpu(rq->m, t);
	else if (!task_may_use(t, t->cpu))
		t->wake_cpu = t->migration_cpu;
}

static void ask_stopper(struct rq *rq, struct task *t)
{
	/* Its affinity may change again before the stopper gets to it. */
	if (is_queued(&t->migration_work))
		return;
	t->migration_work.fn = migration_cpu_stop;
	t->migration_work.arg = t;
	stop_one_cpu_nowait(rq, &t->migration_work);
}

void leave_cpu(struct machine *m, struct task *t)
{
	if (task_may_use(t, t->cpu))
		return;
	if (task_rq(m, t)->curr == t)
		ask_stopper(task_rq(m, t), t);
	else
		move_queued_task(m, t, migration_target(m, t));
}

static bool is_on_wakelist(const struct rq *rq, const struct task *t)
{
	const struct list *pos;

	for (pos = rq->wakelist.next; pos != &rq->wakelist; pos = pos->next)
		if (pos == &t->wake_entry)
			return true;
	return false;
}

/*
 * Of a task that is woken the stopper sees to it that it arrives and leaves; before it
 * is on the wakelist, its waker holds the lock that a change of affinity needs, so that
 * sched_ttwu_queue() comes first and then moves it.
 * source: affine_move_task()
 */
static void affine_move_task(struct machine *m, struct task *t)
{
	if (t->on_rq == TASK_ON_RQ_QUEUED)
		leave_cpu(m, t);
	else if (t->state == TASK_WAKING && is_on_wakelist(task_rq(m, t), t))
		ask_stopper(task_rq(m, t), t);
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

	m->this_cpu = this_cpu;
	if (cpumask_equal(&t->cpus_mask, cpus))
		return 0;
	if (cpumask_empty(&valid))
		return -EINVAL;
	do_set_cpus_allowed(m, t, cpus);
	t->migration_cpu = any_and_distribute(cpu_rq(m, this_cpu), &valid);
	if (!task_may_use(t, t->cpu))
		affine_move_task(m, t);
	return 0;
}
