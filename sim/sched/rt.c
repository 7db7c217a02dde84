/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real-time class, SCHED_FIFO and SCHED_RR: the highest priority runs, and among
 * equals who came first.
 *
 * A running task stays in its list, at the head.  One that is preempted is therefore
 * still the first among its equals.
 */
#include "sched/rt.h"

#include "sched/clock.h"
#include "sched/core.h"
#include "sched/cpupri.h"
#include "sched/pelt.h"
#include "sched/root_domain.h"
#include "sched/stop.h"
#include "schedsim/observer.h"

/* Priority of an empty queue. */
#define NO_RT_PRIO (MAX_RT_PRIO - 1)

/* Priority arrays */

void rt_array_init(struct rt_prio_array *array)
{
	array->bitmap[0] = array->bitmap[1] = 0;
	for (int prio = 0; prio < MAX_RT_PRIO; prio++)
		list_init(&array->queue[prio]);
}

void rt_array_add(struct rt_prio_array *array, struct list *node, int prio, bool head)
{
	if (head)
		list_add_head(&array->queue[prio], node);
	else
		list_add_tail(&array->queue[prio], node);
	array->bitmap[prio / 64] |= 1ULL << prio % 64;
}

void rt_array_del(struct rt_prio_array *array, struct list *node, int prio)
{
	list_del(node);
	if (list_empty(&array->queue[prio]))
		array->bitmap[prio / 64] &= ~(1ULL << prio % 64);
}

/* Beginnings */

void init_rt_root_domain(struct root_domain *rd)
{
	cpupri_init(&rd->cpupri);
	list_init(&rd->rto_push_work);
	rd->rto_cpu = CPU_NONE;
}

void init_rt_rq(struct rq *rq)
{
	rt_array_init(&rq->rt.active);
	rt_array_init(&rq->rt.pushable_tasks);
	rq->rt.highest_prio = NO_RT_PRIO;
}

/* The CPU starts with a whole budget. */
void rq_online_rt(struct rq *rq)
{
	if (rq->rt.overloaded)
		set_rt_overload(rq, true);
	rq->rt.rt_time = 0;
	rq->rt.rt_throttled = false;
	cpupri_set(&rq->rd->cpupri, rq->cpu, rq->rt.highest_prio);
}

/* What was throttled may run, if only to be moved. */
static void rq_offline_rt(struct rq *rq)
{
	if (rq->rt.overloaded)
		set_rt_overload(rq, false);
	rq->rt.rt_throttled = false;
	if (rq->rt.rt_nr_running) {
		enqueue_top_rt_rq(rq);
		resched_curr(rq);
	}
	cpupri_set(&rq->rd->cpupri, rq->cpu, CPUPRI_INVALID);
}

/* Ticks. */
static unsigned sched_rr_timeslice(const struct machine *m)
{
	uint64_t ms = m->tunables.sched_rr_timeslice_ms;

	/* 0 asks for the default.  source: sched_rr_handler() */
	return (unsigned)msecs_to_jiffies(m, ms ? ms : 100);
}

void init_rt_task(const struct machine *m, struct task *t)
{
	list_init(&t->rt.run_list);
	list_init(&t->rt.pushable_tasks);
	t->rt.time_slice = sched_rr_timeslice(m);
}

/* The queue */

static void update_curr_rt(struct rq *rq)
{
	struct task *curr = rq->curr;
	uint64_t delta_ns = rq->clock_task - curr->se.exec_start;

	if (curr->sched_class != &rt_sched_class || (int64_t)delta_ns <= 0)
		return;
	OBSERVE(rq->m, sched_stat_runtime, rq->m, curr, delta_ns);
	curr->se.sum_exec_runtime += delta_ns;
	curr->se.exec_start = rq->clock_task;
	charge_rt_time(rq, delta_ns);
}

void enqueue_top_rt_rq(struct rq *rq)
{
	if (rq->rt.rt_queued || rq->rt.rt_throttled || !rq->rt.rt_nr_running)
		return;
	add_nr_running(rq, rq->rt.rt_nr_running);
	rq->rt.rt_queued = true;
}

void dequeue_top_rt_rq(struct rq *rq, unsigned count)
{
	if (!rq->rt.rt_queued)
		return;
	sub_nr_running(rq, count);
	rq->rt.rt_queued = false;
}

/* What an offline CPU runs is no offer to others. */
static void publish_prio(struct rq *rq)
{
	if (rq_is_online(rq))
		cpupri_set(&rq->rd->cpupri, rq->cpu, rq->rt.highest_prio);
}

static void inc_rt_tasks(struct rq *rq, const struct task *t)
{
	rq->rt.rt_nr_running++;
	if (t->prio < rq->rt.highest_prio) {
		rq->rt.highest_prio = t->prio;
		publish_prio(rq);
	}
	inc_rt_migration(rq, t);
	start_rt_bandwidth(rq->m);
}

static void dec_rt_tasks(struct rq *rq, const struct task *t)
{
	int before = rq->rt.highest_prio;

	rq->rt.rt_nr_running--;
	rq->rt.highest_prio =
		rq->rt.rt_nr_running ? rt_array_first(&rq->rt.active) : NO_RT_PRIO;
	if (rq->rt.highest_prio != before)
		publish_prio(rq);
	dec_rt_migration(rq, t);
}

/* One that is put aside to be changed, but for its priority, keeps its place. */
static bool leaves_list(unsigned flags)
{
	return (flags & (QUEUE_SAVE | QUEUE_MOVE)) != QUEUE_SAVE;
}

static void enqueue_task_rt(struct rq *rq, struct task *t, unsigned flags)
{
	dequeue_top_rt_rq(rq, rq->rt.rt_nr_running);
	if (leaves_list(flags))
		rt_array_add(&rq->rt.active, &t->rt.run_list, t->prio,
			     flags & ENQUEUE_HEAD);
	t->rt.on_rq = true;
	inc_rt_tasks(rq, t);
	enqueue_top_rt_rq(rq);
	if (rq->curr != t && t->nr_cpus_allowed > 1)
		enqueue_pushable_task(rq, t);
}

static void dequeue_task_rt(struct rq *rq, struct task *t, unsigned flags)
{
	unsigned count;

	update_curr_rt(rq);
	count = rq->rt.rt_nr_running;
	if (leaves_list(flags))
		rt_array_del(&rq->rt.active, &t->rt.run_list, t->prio);
	t->rt.on_rq = false;
	dec_rt_tasks(rq, t);
	dequeue_top_rt_rq(rq, count);
	enqueue_top_rt_rq(rq);
	dequeue_pushable_task(rq, t);
}

static void requeue_task_rt(struct rq *rq, struct task *t, bool head)
{
	if (!t->rt.on_rq)
		return;
	rt_array_del(&rq->rt.active, &t->rt.run_list, t->prio);
	rt_array_add(&rq->rt.active, &t->rt.run_list, t->prio, head);
}

static void yield_task_rt(struct rq *rq)
{
	requeue_task_rt(rq, rq->curr, false);
}

/* Preemption */

/*
 * @t, bound to this CPU, is worth as much as current.  Where current could run
 * elsewhere, @t runs here and current is pushed away.
 */
static void check_preempt_equal_prio(struct rq *rq, struct task *t)
{
	const struct task *curr = rq->curr;

	if (curr->nr_cpus_allowed == 1 || !cpupri_find(rq->m, curr, NULL))
		return;
	if (t->nr_cpus_allowed != 1 && cpupri_find(rq->m, t, NULL))
		return;
	requeue_task_rt(rq, t, true);
	resched_curr(rq);
}

static void check_preempt_curr_rt(struct rq *rq, struct task *t, unsigned wake_flags)
{
	if (t->prio < rq->curr->prio)
		resched_curr(rq);
	else if (t->prio == rq->curr->prio && !rq->need_resched)
		check_preempt_equal_prio(rq, t);
}

/* The pick */

static bool balance_rt(struct rq *rq, struct task *prev)
{
	/* The CPU is about to run less than it did. */
	if (!prev->rt.on_rq && rq_is_online(rq) && rq->rt.highest_prio > prev->prio)
		pull_rt_task(rq);
	return has_stop_works(rq) || rq->dl.dl_nr_running || rq->rt.rt_queued;
}

static void set_next_task_rt(struct rq *rq, struct task *t)
{
	t->se.exec_start = rq->clock_task;
	dequeue_pushable_task(rq, t);
}

static struct task *pick_next_task_rt(struct rq *rq)
{
	const struct rt_prio_array *array = &rq->rt.active;
	struct task *t;

	if (!rq->rt.rt_queued)
		return NULL;
	t = list_entry(array->queue[rt_array_first(array)].next, struct task,
		       rt.run_list);
	set_next_task_rt(rq, t);
	/* After another real-time task, this was done when that was put. */
	if (rq->curr->sched_class != &rt_sched_class)
		pelt_update_class(rq_clock_pelt(rq), &rq->avg_rt, false);
	rt_queue_push_tasks(rq);
	return t;
}

static void put_prev_task_rt(struct rq *rq, struct task *t)
{
	update_curr_rt(rq);
	pelt_update_class(rq_clock_pelt(rq), &rq->avg_rt, true);
	if (t->rt.on_rq && t->nr_cpus_allowed > 1)
		enqueue_pushable_task(rq, t);
}

static bool has_equals(const struct rt_rq *rt, const struct task *t)
{
	const struct list *queue = &rt->active.queue[t->prio];

	return queue->next != queue->prev;
}

static void task_tick_rt(struct rq *rq, struct task *curr)
{
	update_curr_rt(rq);
	pelt_update_class(rq_clock_pelt(rq), &rq->avg_rt, true);
	/* SCHED_FIFO runs until it is done. */
	if (curr->policy != POLICY_RR || --curr->rt.time_slice)
		return;
	curr->rt.time_slice = sched_rr_timeslice(rq->m);
	if (!has_equals(&rq->rt, curr))
		return;
	requeue_task_rt(rq, curr, false);
	resched_curr(rq);
}

/* Changes of class and priority */

static void switched_from_rt(struct rq *rq, struct task *t)
{
	/* Others of the class, if any, look after that when they run. */
	if (t->on_rq == TASK_ON_RQ_QUEUED && !rq->rt.rt_nr_running)
		queue_balance_callback(rq, pull_rt_task);
}

static void switched_to_rt(struct rq *rq, struct task *t)
{
	if (rq->curr == t) {
		/* What it runs from now on belongs to this class. */
		pelt_update_class(rq_clock_pelt(rq), &rq->avg_rt, false);
		return;
	}
	if (t->on_rq != TASK_ON_RQ_QUEUED)
		return;
	if (t->nr_cpus_allowed > 1 && rq->rt.overloaded)
		rt_queue_push_tasks(rq);
	if (t->prio < rq->curr->prio)
		resched_curr(rq);
}

static void prio_changed_rt(struct rq *rq, struct task *t, int old_prio)
{
	if (t->on_rq != TASK_ON_RQ_QUEUED)
		return;
	if (rq->curr != t) {
		if (t->prio < rq->curr->prio)
			resched_curr(rq);
		return;
	}
	if (t->prio > old_prio)
		queue_balance_callback(rq, pull_rt_task);
	if (t->prio > rq->rt.highest_prio)
		resched_curr(rq);
}

const struct sched_class rt_sched_class = {
	.name = "real-time",
	.rank = 2,
	.enqueue_task = enqueue_task_rt,
	.dequeue_task = dequeue_task_rt,
	.yield_task = yield_task_rt,
	.check_preempt_curr = check_preempt_curr_rt,
	.balance = balance_rt,
	.pick_next_task = pick_next_task_rt,
	.update_curr = update_curr_rt,
	.put_prev_task = put_prev_task_rt,
	.set_next_task = set_next_task_rt,
	.select_task_rq = select_task_rq_rt,
	.task_tick = task_tick_rt,
	.task_woken = task_woken_rt,
	.switched_from = switched_from_rt,
	.switched_to = switched_to_rt,
	.prio_changed = prio_changed_rt,
	.rq_online = rq_online_rt,
	.rq_offline = rq_offline_rt,
};
