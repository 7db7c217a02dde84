/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where real-time tasks run: the choice at wakeup, and moves that keep the highest
 * priorities of a root domain running.
 */
#include "sched/rt.h"

#include "sched/core.h"
#include "sched/cpupri.h"
#include "sched/root_domain.h"
#include "sched/uclamp.h"
#include "schedsim/wakeup.h"

/* Pushable tasks */

static struct task *pushable_task_of(const struct list *node)
{
	return list_entry(node, struct task, rt.pushable_tasks);
}

void enqueue_pushable_task(struct rq *rq, struct task *t)
{
	struct rt_prio_array *array = &rq->rt.pushable_tasks;

	rt_array_del(array, &t->rt.pushable_tasks, t->prio);
	rt_array_add(array, &t->rt.pushable_tasks, t->prio, false);
}

void dequeue_pushable_task(struct rq *rq, struct task *t)
{
	rt_array_del(&rq->rt.pushable_tasks, &t->rt.pushable_tasks, t->prio);
}

static struct task *pick_next_pushable_task(const struct rq *rq)
{
	const struct rt_prio_array *array = &rq->rt.pushable_tasks;

	if (rt_array_empty(array))
		return NULL;
	return pushable_task_of(array->queue[rt_array_first(array)].next);
}

/* The highest that may use @cpu; NULL. */
static struct task *pick_highest_pushable_task(const struct rq *rq, int cpu)
{
	const struct rt_prio_array *array = &rq->rt.pushable_tasks;
	int prio = rt_array_first(array);

	for (; prio < MAX_RT_PRIO; prio = rt_array_next(array, prio)) {
		const struct list *queue = &array->queue[prio];

		for (const struct list *pos = queue->next; pos != queue;
		     pos = pos->next)
			if (task_may_use(pushable_task_of(pos), cpu))
				return pushable_task_of(pos);
	}
	return NULL;
}

/* Overload */

void set_rt_overload(struct rq *rq, bool overloaded)
{
	if (!rq_is_online(rq))
		return;
	if (overloaded)
		cpumask_set(&rq->rd->rto_mask, rq->cpu);
	else
		cpumask_clear(&rq->rd->rto_mask, rq->cpu);
	rq->rd->rto_count += overloaded ? 1 : -1;
}

static void update_rt_migration(struct rq *rq)
{
	bool overloaded = rq->rt.rt_nr_migratory && rq->rt.rt_nr_running > 1;

	if (overloaded == rq->rt.overloaded)
		return;
	rq->rt.overloaded = overloaded;
	set_rt_overload(rq, overloaded);
}

void inc_rt_migration(struct rq *rq, const struct task *t)
{
	rq->rt.rt_nr_migratory += t->nr_cpus_allowed > 1;
	update_rt_migration(rq);
}

void dec_rt_migration(struct rq *rq, const struct task *t)
{
	rq->rt.rt_nr_migratory -= t->nr_cpus_allowed > 1;
	update_rt_migration(rq);
}

/* Where to */

/*
 * Whether @cpu has what @t is to count as at least; true where all CPUs are alike.
 * source: rt_task_fits_capacity()
 */
static bool rt_fits_capacity(const struct machine *m, const struct task *t, int cpu)
{
	unsigned min, max;

	if (!m->asym_cpucap)
		return true;
	min = uclamp_eff_value(m, t, UCLAMP_MIN);
	max = uclamp_eff_value(m, t, UCLAMP_MAX);
	return cpu_rq(m, cpu)->cpu_capacity_orig >= MIN(min, max);
}

static bool find_lowest(const struct machine *m, const struct task *t,
			struct cpumask *lowest)
{
	if (m->asym_cpucap)
		return cpupri_find_fitness(m, t, rt_fits_capacity, lowest);
	return cpupri_find(m, t, lowest);
}

/* Among the CPUs that run at the lowest priority below @t's, the nearest; CPU_NONE. */
static int find_lowest_rq(struct machine *m, const struct task *t)
{
	struct cpumask lowest;

	if (t->nr_cpus_allowed == 1 || !find_lowest(m, t, &lowest))
		return CPU_NONE;
	return find_near_cpu(m, t, &lowest);
}

/* Whether @t would run on @rq before all that is queued there. */
static bool comes_first(const struct task *t, const struct rq *rq)
{
	return t->prio < rq->rt.highest_prio;
}

/* Whether @t has to wait for current, or current cannot make room for it. */
static bool has_to_wait(const struct task *curr, const struct task *t)
{
	return rt_task(curr) && (curr->nr_cpus_allowed < 2 || curr->prio <= t->prio);
}

/*
 * The last CPU, unless something there goes before or it is too small.  What @t would
 * preempt is left to be pushed away: the lower of the two is to lose its cache.
 */
int select_task_rq_rt(struct machine *m, struct task *t, int prev_cpu, int this_cpu,
		      unsigned wake_flags, bool in_task)
{
	bool waits, fits;
	int target;

	if (!(wake_flags & (WF_TTWU | WF_FORK)))
		return prev_cpu;
	waits = has_to_wait(cpu_rq(m, prev_cpu)->curr, t);
	fits = rt_fits_capacity(m, t, prev_cpu);
	if (!waits && fits)
		return prev_cpu;
	target = find_lowest_rq(m, t);
	/* It would go for a better fit alone, and there is none. */
	if (!waits && target != CPU_NONE && !rt_fits_capacity(m, t, target))
		return prev_cpu;
	if (target != CPU_NONE && comes_first(t, cpu_rq(m, target)))
		return target;
	return prev_cpu;
}

static void move_task(struct task *t, struct rq *from, struct rq *to)
{
	deactivate_task(from, t, 0);
	set_task_cpu(from->m, t, to->cpu);
	activate_task(to, t, 0);
}

/* source: find_lock_lowest_rq() */
static struct rq *find_target(struct rq *rq, const struct task *t)
{
	int cpu = find_lowest_rq(rq->m, t);

	if (cpu == CPU_NONE || cpu == rq->cpu || !comes_first(t, cpu_rq(rq->m, cpu)))
		return NULL;
	return cpu_rq(rq->m, cpu);
}

/* True when a task went. */
static bool push_rt_task(struct rq *rq)
{
	struct task *next = pick_next_pushable_task(rq);
	struct rq *target;

	if (!rq->rt.overloaded || !next)
		return false;
	if (next->prio < rq->curr->prio) {
		/* It came in after the pick and runs here. */
		resched_curr(rq);
		return false;
	}
	target = find_target(rq, next);
	if (!target)
		return false;
	move_task(next, rq, target);
	resched_curr(target);
	return true;
}

void push_rt_tasks(struct rq *rq)
{
	while (push_rt_task(rq))
		;
}

void rt_queue_push_tasks(struct rq *rq)
{
	if (!rt_array_empty(&rq->rt.pushable_tasks))
		queue_balance_callback(rq, push_rt_tasks);
}

void task_woken_rt(struct rq *rq, struct task *t)
{
	if (!rq->need_resched && t->nr_cpus_allowed > 1 && has_to_wait(rq->curr, t))
		push_rt_tasks(rq);
}

/* The task of @src that is to come to @this_rq; NULL: none. */
static struct task *find_to_pull(const struct rq *this_rq, const struct rq *src)
{
	struct task *t = pick_highest_pushable_task(src, this_rq->cpu);

	if (!t || !comes_first(t, this_rq))
		return NULL;
	/* It just woke up and is about to run where it is. */
	return t->prio < src->curr->prio ? NULL : t;
}

/* Without an interrupt, by this CPU itself. */
static void pull_at_once(struct rq *this_rq)
{
	const struct root_domain *rd = this_rq->rd;
	bool pulled = false;
	int cpu;

	/* All of them, for one of those to come may be higher still. */
	for_each_cpu (cpu, &rd->rto_mask) {
		struct rq *src = cpu_rq(this_rq->m, cpu);
		struct task *t = src == this_rq ? NULL : find_to_pull(this_rq, src);

		if (!t)
			continue;
		move_task(t, src, this_rq);
		pulled = true;
	}
	if (pulled)
		resched_curr(this_rq);
}

/* Whether others than @rq have tasks to give. */
static bool others_are_overloaded(const struct rq *rq)
{
	const struct root_domain *rd = rq->rd;

	return rd->rto_count > (cpumask_test(&rd->rto_mask, rq->cpu) ? 1 : 0);
}

void pull_rt_task(struct rq *this_rq)
{
	if (!others_are_overloaded(this_rq))
		return;
	if (this_rq->m->feat.RT_PUSH_IPI)
		tell_cpu_to_push(this_rq);
	else
		pull_at_once(this_rq);
}
