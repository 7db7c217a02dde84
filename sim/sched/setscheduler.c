/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task changes its policy, and with it perhaps its class.
 */
#include "sched/core_internal.h"

#include "sched/class.h"
#include "sched/clock.h"
#include "sched/deadline.h"
#include "sched/dl_internal.h"
#include "sched/fair.h"
#include "sched/load_weight.h"
#include "sched/uclamp.h"

#include <errno.h>

#define KNOWN_FLAGS                                                                    \
	((unsigned)SCHED_FLAG_RECLAIM | SCHED_FLAG_KEEP_ALL | SCHED_FLAG_UTIL_CLAMP)

int normal_prio(enum sched_policy policy, unsigned rt_priority, int nice)
{
	if (policy == POLICY_DEADLINE)
		return DL_PRIO;
	if (rt_policy(policy))
		return MAX_RT_PRIO - 1 - (int)rt_priority;
	return DEFAULT_PRIO + nice;
}

void set_load_weight(const struct machine *m, struct task *t)
{
	bool in_place =
		t->sched_class == &fair_sched_class &&
		(!task_is_idle_policy(t) || m->profile->reweight_on_idle_policy);
	uint64_t old = t->se.load.weight;

	if (in_place) {
		reweight_task(t);
		return;
	}
	t->se.load = task_load_weight(t->policy, task_nice(t));
	t->load_stale |= t->se.load.weight < old;
}

/* Fills in what @attr says is to stay.  source: get_params(), __getparam_dl() */
static void keep_attr(const struct task *t, struct sched_attr *attr)
{
	if (attr->sched_flags & SCHED_FLAG_KEEP_POLICY)
		attr->sched_policy = t->policy;
	if (!(attr->sched_flags & SCHED_FLAG_KEEP_PARAMS))
		return;
	attr->sched_nice = task_nice(t);
	attr->sched_priority = t->rt_priority;
	attr->sched_runtime = t->dl.dl_runtime;
	attr->sched_deadline = t->dl.dl_deadline;
	attr->sched_period = t->dl.dl_period;
	attr->sched_flags |= t->dl.flags;
}

/* What can be told without looking at the task. */
static int check_attr(const struct machine *m, const struct sched_attr *attr)
{
	if (!sched_class_of(attr->sched_policy))
		return -EINVAL;
	if (attr->sched_priority >= MAX_RT_PRIO)
		return -EINVAL;
	if (rt_policy(attr->sched_policy) != (attr->sched_priority != 0))
		return -EINVAL;
	if (attr->sched_flags & ~KNOWN_FLAGS)
		return -EINVAL;
	if (attr->sched_policy == POLICY_DEADLINE && !dl_check_attr(m, attr))
		return -EINVAL;
	return 0;
}

static bool attr_differs(const struct task *t, const struct sched_attr *attr)
{
	if (attr->sched_policy != t->policy ||
	    attr->sched_flags & SCHED_FLAG_UTIL_CLAMP)
		return true;
	if (fair_policy(t->policy))
		return attr->sched_nice != task_nice(t);
	if (t->policy == POLICY_DEADLINE)
		return dl_attr_changed(t, attr);
	return attr->sched_priority != t->rt_priority;
}

/* source: __setscheduler_params() */
static void set_params(const struct machine *m, struct task *t,
		       const struct sched_attr *attr)
{
	t->policy = attr->sched_policy;
	if (t->policy == POLICY_DEADLINE)
		dl_apply_attr(t, attr);
	else if (fair_policy(t->policy))
		t->static_prio = DEFAULT_PRIO + attr->sched_nice;
	t->rt_priority = attr->sched_priority;
	/* The class is still the old one: only a fair task has a weight to take back.
	 */
	set_load_weight(m, t);
}

/* The kernel's priority decides, for a boost may have raised it. */
static void set_prio(struct task *t, int prio)
{
	t->prio = prio;
	t->sched_class = sched_class_of(prio < 0             ? POLICY_DEADLINE
					: prio < MAX_RT_PRIO ? POLICY_FIFO
							     : POLICY_NORMAL);
}

/* source: rt_effective_prio() */
static int effective_prio(const struct task *pi_task, int prio)
{
	return pi_task ? MIN(prio, pi_task->prio) : prio;
}

static void check_class_changed(struct rq *rq, struct task *t,
				const struct sched_class *old_class, int old_prio)
{
	if (t->sched_class != old_class) {
		if (old_class->switched_from)
			old_class->switched_from(rq, t);
		t->sched_class->switched_to(rq, t);
	} else if (t->prio != old_prio || dl_task(t)) {
		t->sched_class->prio_changed(rq, t, old_prio);
	}
}

/* @t runs by the figures of @pi_task, or of whose @pi_task runs by itself. */
static void lend_deadline(struct task *t, const struct task *pi_task,
			  struct set_aside *aside)
{
	t->dl.pi_se = pi_of(&pi_task->dl);
	aside->flags |= ENQUEUE_REPLENISH;
}

/*
 * A deadline waiter's figures hold for whoever is of no such class, or has the later
 * deadline; the others keep their own.
 */
static void inherit_deadline(struct task *t, const struct task *pi_task,
			     struct set_aside *aside)
{
	t->dl.pi_se = NULL;
	if (t->policy != POLICY_DEADLINE ||
	    (pi_task && dl_task(pi_task) && dl_entity_preempt(&pi_task->dl, &t->dl)))
		lend_deadline(t, pi_task, aside);
}

static void change_attr(struct rq *rq, struct task *t, const struct sched_attr *attr)
{
	const struct sched_class *old_class = t->sched_class;
	int old_prio = t->prio;
	int prio = effective_prio(t->pi_top_task,
				  normal_prio(attr->sched_policy, attr->sched_priority,
					      attr->sched_nice));
	struct set_aside aside;

	task_set_aside(rq, t, prio == old_prio ? 0 : QUEUE_MOVE, &aside);
	if (!(attr->sched_flags & SCHED_FLAG_KEEP_PARAMS)) {
		set_params(rq->m, t, attr);
		set_prio(t, prio);
		/* It left the class, and who waits for it lifts it back. */
		if (prio < 0 && t->policy != POLICY_DEADLINE)
			lend_deadline(t, t->pi_top_task, &aside);
	}
	uclamp_setscheduler(rq->m, t, attr);
	/* Who lowers himself has not used up his turn among his new equals. */
	if (old_prio < prio)
		aside.flags |= ENQUEUE_HEAD;
	task_put_back(rq, t, &aside);
	check_class_changed(rq, t, old_class, old_prio);
}

static void change_prio(struct rq *rq, struct task *t, const struct task *pi_task,
			int prio)
{
	const struct sched_class *old_class = t->sched_class;
	int old_prio = t->prio;
	struct set_aside aside;

	task_set_aside(rq, t, prio == old_prio ? 0 : QUEUE_MOVE, &aside);
	if (prio < 0)
		inherit_deadline(t, pi_task, &aside);
	else if (old_prio < 0)
		t->dl.pi_se = NULL;
	/* Who is no longer boosted has not used up his turn. */
	if (prio >= 0 && prio < MAX_RT_PRIO && old_prio < prio)
		aside.flags |= ENQUEUE_HEAD;
	set_prio(t, prio);
	task_put_back(rq, t, &aside);
	check_class_changed(rq, t, old_class, old_prio);
}

void rt_mutex_setprio(struct machine *m, struct task *t, const struct task *pi_task,
		      int this_cpu)
{
	struct rq *rq = task_rq(m, t);
	int prio = effective_prio(pi_task,
				  normal_prio(t->policy, t->rt_priority, task_nice(t)));

	if (t->pi_top_task == pi_task && prio == t->prio && prio >= 0)
		return;
	m->this_cpu = this_cpu;
	update_rq_clock(rq);
	t->pi_top_task = pi_task;
	if (prio != t->prio || prio < 0)
		change_prio(rq, t, pi_task, prio);
	run_balance_callbacks(rq);
}

/*
 * What deadline tasks need beyond figures: their CPUs, and room for them.  Who only
 * runs as one, for a waiter, has no room to give back, and the kernel says EBUSY.
 * source: sched_dl_overflow()
 */
static int reserve(struct machine *m, struct task *t, const struct sched_attr *attr)
{
	if (attr->sched_policy != POLICY_DEADLINE && t->policy != POLICY_DEADLINE)
		return dl_task(t) ? -EBUSY : 0;
	if (attr->sched_policy == POLICY_DEADLINE && !dl_may_enter(m, t))
		return -EPERM;
	return dl_admit(m, t, attr);
}

/*
 * Whether @t, asleep, gets bandwidth and stays in its class, for a waiter has lifted it
 * there: nothing adds the bandwidth to that of its CPU.  source: check_class_changed()
 */
static bool comes_uncounted(const struct task *t, const struct sched_attr *attr)
{
	return attr->sched_policy == POLICY_DEADLINE && t->policy != POLICY_DEADLINE &&
	       dl_task(t) && t->on_rq != TASK_ON_RQ_QUEUED;
}

int sched_setattr(struct machine *m, struct task *t, const struct sched_attr *attr,
		  int this_cpu)
{
	struct sched_attr valid = *attr;
	struct rq *rq = task_rq(m, t);
	int error;

	keep_attr(t, &valid);
	error = check_attr(m, &valid);
	if (!error)
		error = uclamp_validate(m, t, &valid);
	if (error)
		return error;
	m->this_cpu = this_cpu;
	valid.sched_nice = CLAMP(valid.sched_nice, MIN_NICE, MAX_NICE);
	update_rq_clock(rq);
	if (t == rq->stop)
		return -EINVAL;
	if (!attr_differs(t, &valid))
		return 0;
	error = reserve(m, t, &valid);
	if (error)
		return error;
	if (comes_uncounted(t, &valid))
		m->dl_bw_lost = true;
	change_attr(rq, t, &valid);
	run_balance_callbacks(rq);
	return 0;
}

void set_scheduler(struct machine *m, struct task *t, enum sched_policy policy,
		   int nice)
{
	struct sched_attr attr = {.sched_policy = policy, .sched_nice = nice};

	g_assert(fair_policy(policy) && nice >= MIN_NICE && nice <= MAX_NICE);
	sched_setattr(m, t, &attr, t->cpu);
}
