/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The deadline class: earliest deadline first among tasks whose server still has
 * runtime.
 *
 * Runtime is charged at ticks and switches alone, so a task may overrun by up to a
 * tick; its later instances pay for that.
 */
#include "sched/dl_internal.h"

#include "sched/clock.h"
#include "sched/core.h"
#include "sched/cpupri.h"
#include "sched/cpuset_hooks.h"
#include "sched/pelt.h"
#include "sched/rt.h"
#include "sched/stop.h"
#include "sched/timer.h"
#include "schedsim/observer.h"

void init_dl_rq(struct rq *rq)
{
	rq->dl = (struct dl_rq){0};
	init_dl_rq_bw_ratio(&rq->dl, rq->m);
}

static struct sched_dl_entity *dl_entity_of(const struct rb_node *node)
{
	return list_entry(node, struct sched_dl_entity, rb_node);
}

static bool deadline_before(const struct rb_node *a, const struct rb_node *b)
{
	return dl_entity_preempt(dl_entity_of(a), dl_entity_of(b));
}

static bool is_leftmost(const struct rq *rq, const struct task *t)
{
	return rb_first(&rq->dl.root) == &t->dl.rb_node;
}

/* The queue */

/* source: inc_dl_deadline() */
static void inc_dl_deadline(struct rq *rq, uint64_t deadline)
{
	struct dl_rq *dl_rq = &rq->dl;

	if (dl_rq->earliest_dl.curr &&
	    !dl_time_before(deadline, dl_rq->earliest_dl.curr))
		return;
	if (!dl_rq->earliest_dl.curr)
		cpupri_set(&rq->rd->cpupri, rq->cpu, CPUPRI_HIGHER);
	dl_rq->earliest_dl.curr = deadline;
	cpudl_set(&rq->rd->cpudl, rq->cpu, deadline);
}

/* source: dec_dl_deadline() */
static void dec_dl_deadline(struct rq *rq)
{
	struct dl_rq *dl_rq = &rq->dl;

	if (!dl_rq->dl_nr_running) {
		dl_rq->earliest_dl.curr = 0;
		dl_rq->earliest_dl.next = 0;
		cpudl_clear(&rq->rd->cpudl, rq->cpu, rq_is_online(rq));
		cpupri_set(&rq->rd->cpupri, rq->cpu, rq->rt.highest_prio);
	} else {
		dl_rq->earliest_dl.curr =
			dl_entity_of(rb_first(&dl_rq->root))->deadline;
		cpudl_set(&rq->rd->cpudl, rq->cpu, dl_rq->earliest_dl.curr);
	}
}

/* source: __enqueue_dl_entity() */
static void queue_entity(struct rq *rq, struct sched_dl_entity *dl_se)
{
	g_assert(!dl_se->on_rq);
	rb_insert(&rq->dl.root, &dl_se->rb_node, deadline_before);
	dl_se->on_rq = true;
	rq->dl.dl_nr_running++;
	add_nr_running(rq, 1);
	inc_dl_deadline(rq, dl_se->deadline);
	inc_dl_migration(rq, dl_task_of(dl_se));
}

/* source: __dequeue_dl_entity() */
static void unqueue_entity(struct rq *rq, struct sched_dl_entity *dl_se)
{
	if (!dl_se->on_rq)
		return;
	rb_remove(&rq->dl.root, &dl_se->rb_node);
	dl_se->on_rq = false;
	rq->dl.dl_nr_running--;
	sub_nr_running(rq, 1);
	dec_dl_deadline(rq);
	dec_dl_migration(rq, dl_task_of(dl_se));
}

/* Off the queue, for sleep or for want of runtime.  source: __dequeue_task_dl() */
static void unqueue_task(struct rq *rq, struct task *t)
{
	unqueue_entity(rq, &t->dl);
	dequeue_pushable_dl_task(rq, t);
}

/* The server */

/*
 * Sets the timer for the next period of @t.  False when that has begun, by whole
 * microseconds.  source: start_dl_timer()
 */
static bool start_dl_timer(struct rq *rq, struct task *t)
{
	struct sched_dl_entity *dl_se = &t->dl;
	uint64_t now_ns = rq->m->now_ns;
	uint64_t at_ns = dl_next_period(dl_se) + (now_ns - rq->clock);

	if ((int64_t)(at_ns - now_ns) <= -(int64_t)NSEC_PER_USEC)
		return false;
	if (!dl_se->dl_timer.pending) {
		dl_se->dl_timer.cpu = rq->m->this_cpu;
		sched_timer_start(rq->m, &dl_se->dl_timer,
				  dl_time_before(at_ns, now_ns) ? now_ns : at_ns);
	}
	return true;
}

/*
 * A task with a deadline before its period's end that wakes between the two waits for
 * the next period, for this one's share has been had.
 * source: dl_check_constrained_dl()
 */
static void check_constrained(struct rq *rq, struct task *t)
{
	struct sched_dl_entity *dl_se = &t->dl;

	if (dl_se->dl_throttled || dl_is_implicit(dl_se))
		return;
	if (!dl_time_before(dl_se->deadline, rq->clock) ||
	    !dl_time_before(rq->clock, dl_next_period(dl_se)))
		return;
	if (is_dl_boosted(dl_se) || !start_dl_timer(rq, t))
		return;
	dl_se->dl_throttled = true;
	if (dl_se->runtime > 0)
		dl_se->runtime = 0;
}

/* source: enqueue_dl_entity() */
static void enqueue_entity(struct rq *rq, struct task *t, unsigned flags)
{
	struct sched_dl_entity *dl_se = &t->dl;

	if (flags & ENQUEUE_WAKEUP) {
		task_contending(rq, t, flags);
		update_dl_entity(dl_se, rq->clock);
	} else if (flags & ENQUEUE_REPLENISH) {
		replenish_dl_entity(dl_se, rq->clock);
	} else if (flags & QUEUE_SAVE && !is_dl_boosted(dl_se) &&
		   dl_time_before(dl_se->deadline, rq->clock)) {
		/* It came to the class, or was away for long. */
		replenish_dl_new_period(dl_se, rq->clock);
	}
	queue_entity(rq, dl_se);
}

/*
 * A throttled task stays off the queue until its timer fires; that it is active has
 * to do with sleep, not with runtime.
 */
static void enqueue_task_dl(struct rq *rq, struct task *t, unsigned flags)
{
	if (is_dl_boosted(&t->dl)) {
		/* What others wait for goes on without a runtime of its own. */
		if (t->dl.dl_throttled)
			sched_timer_cancel(rq->m, &t->dl.dl_timer);
		t->dl.dl_throttled = false;
	} else if (t->policy != POLICY_DEADLINE) {
		/* It is about to leave the class again. */
		t->dl.dl_throttled = false;
		return;
	}
	check_constrained(rq, t);
	if (task_is_migrating(t) || flags & QUEUE_SAVE) {
		add_rq_bw(&rq->dl, t->dl.dl_bw);
		add_running_bw(&rq->dl, t->dl.dl_bw);
	}
	if (t->dl.dl_throttled && !(flags & ENQUEUE_REPLENISH)) {
		if (flags & ENQUEUE_WAKEUP)
			task_contending(rq, t, flags);
		return;
	}
	enqueue_entity(rq, t, flags);
	if (rq->curr != t && t->nr_cpus_allowed > 1)
		enqueue_pushable_dl_task(rq, t);
}

/* What @delta_ns of CPU time costs of the runtime. */
static uint64_t charge_for(const struct rq *rq, const struct sched_dl_entity *dl_se,
			   uint64_t delta_ns)
{
	if (dl_se->flags & SCHED_FLAG_RECLAIM)
		return grub_reclaim(delta_ns, rq, dl_se);
	delta_ns = delta_ns * rq->freq_scale >> CAPACITY_SHIFT;
	return delta_ns * rq->cpu_scale >> CAPACITY_SHIFT;
}

/* Current has no runtime, or wants no more of it, before its next period. */
static void throttle_current(struct rq *rq)
{
	struct task *curr = rq->curr;

	curr->dl.dl_throttled = true;
	unqueue_task(rq, curr);
	if (is_dl_boosted(&curr->dl) || !start_dl_timer(rq, curr))
		enqueue_task_dl(rq, curr, ENQUEUE_REPLENISH);
	if (!is_leftmost(rq, curr))
		resched_curr(rq);
}

/* Deadlines are of rq.clock, but interrupt time is not charged. */
static void update_curr_dl(struct rq *rq)
{
	struct task *curr = rq->curr;
	struct sched_dl_entity *dl_se = &curr->dl;
	uint64_t delta_ns = rq->clock_task - curr->se.exec_start;

	if (!dl_task(curr) || !dl_se->on_rq)
		return;
	if ((int64_t)delta_ns > 0) {
		OBSERVE(rq->m, sched_stat_runtime, rq->m, curr, delta_ns);
		curr->se.sum_exec_runtime += delta_ns;
		curr->se.exec_start = rq->clock_task;
		dl_se->runtime -= (int64_t)charge_for(rq, dl_se, delta_ns);
	} else if (!dl_se->dl_yielded) {
		return;
	}
	if (dl_se->runtime <= 0 || dl_se->dl_yielded)
		throttle_current(rq);
	charge_dl_time(rq, delta_ns);
}

static void check_preempt_curr_dl(struct rq *rq, struct task *t, unsigned wake_flags);

/*
 * A throttled task's next period begins.  If it sleeps, its next wakeup finds the new
 * runtime.
 */
static void dl_task_timer(struct machine *m, void *subject)
{
	struct task *t = subject;
	struct rq *rq = task_rq(m, t);

	m->this_cpu = t->dl.dl_timer.cpu;
	if (!dl_task(t) || is_dl_boosted(&t->dl) || !t->dl.dl_throttled)
		return;
	update_rq_clock(rq);
	if (t->on_rq != TASK_ON_RQ_QUEUED) {
		replenish_dl_entity(&t->dl, rq->clock);
		return;
	}
	if (!rq_is_online(rq)) {
		rq = dl_task_offline_migration(rq, t);
		update_rq_clock(rq);
	}
	enqueue_task_dl(rq, t, ENQUEUE_REPLENISH);
	if (dl_task(rq->curr))
		check_preempt_curr_dl(rq, t, 0);
	else
		resched_curr(rq);
	if (has_pushable_dl_tasks(rq))
		push_dl_task(rq);
}

void init_dl_task(const struct machine *m, struct task *t)
{
	t->dl.deadline = dl_deadline_long_ago(m->now_ns);
	t->dl.dl_timer.fn = dl_task_timer;
	t->dl.dl_timer.subject = t;
	t->dl.inactive_timer.fn = inactive_task_timer;
	t->dl.inactive_timer.subject = t;
}

/* The class */

static void dequeue_task_dl(struct rq *rq, struct task *t, unsigned flags)
{
	update_curr_dl(rq);
	unqueue_task(rq, t);
	if (task_is_migrating(t) || flags & QUEUE_SAVE) {
		sub_running_bw(&rq->dl, t->dl.dl_bw);
		sub_rq_bw(&rq->dl, t->dl.dl_bw);
	}
	if (flags & DEQUEUE_SLEEP)
		task_non_contending(rq, t);
}

/* Current is done with this instance. */
static void yield_task_dl(struct rq *rq)
{
	rq->curr->dl.dl_yielded = true;
	update_rq_clock(rq);
	update_curr_dl(rq);
	rq_clock_skip_update(rq);
}

/* @t has current's deadline: it runs here if only current could run elsewhere. */
static void check_preempt_equal_dl(struct rq *rq, const struct task *t)
{
	const struct task *curr = rq->curr;

	if (curr->nr_cpus_allowed == 1 || !cpudl_find(rq->m, curr, NULL))
		return;
	if (t->nr_cpus_allowed != 1 && cpudl_find(rq->m, t, NULL))
		return;
	resched_curr(rq);
}

static void check_preempt_curr_dl(struct rq *rq, struct task *t, unsigned wake_flags)
{
	if (dl_entity_preempt(&t->dl, &rq->curr->dl))
		resched_curr(rq);
	else if (t->dl.deadline == rq->curr->dl.deadline && !rq->need_resched)
		check_preempt_equal_dl(rq, t);
}

static bool balance_dl(struct rq *rq, struct task *prev)
{
	if (dl_task(prev) && !prev->dl.on_rq && rq_is_online(rq))
		pull_dl_task(rq);
	return has_stop_works(rq) || rq->dl.dl_nr_running;
}

static void set_next_task_dl(struct rq *rq, struct task *t)
{
	t->se.exec_start = rq->clock_task;
	dequeue_pushable_dl_task(rq, t);
}

static void queue_push_tasks(struct rq *rq)
{
	if (has_pushable_dl_tasks(rq))
		queue_balance_callback(rq, push_dl_tasks);
}

static struct task *pick_next_task_dl(struct rq *rq)
{
	struct task *t;

	if (!rq->dl.dl_nr_running)
		return NULL;
	t = dl_task_of(dl_entity_of(rb_first(&rq->dl.root)));
	set_next_task_dl(rq, t);
	if (rq->curr->sched_class != &dl_sched_class)
		pelt_update_class(rq_clock_pelt(rq), &rq->avg_dl, false);
	queue_push_tasks(rq);
	return t;
}

static void put_prev_task_dl(struct rq *rq, struct task *t)
{
	update_curr_dl(rq);
	pelt_update_class(rq_clock_pelt(rq), &rq->avg_dl, true);
	if (t->dl.on_rq && t->nr_cpus_allowed > 1)
		enqueue_pushable_dl_task(rq, t);
}

static void task_tick_dl(struct rq *rq, struct task *curr)
{
	update_curr_dl(rq);
	pelt_update_class(rq_clock_pelt(rq), &rq->avg_dl, true);
}

static void migrate_task_rq_dl(struct machine *m, struct task *t, int new_cpu)
{
	if (t->state == TASK_WAKING)
		dl_bandwidth_migrate(task_rq(m, t), t);
}

/* It will not run here soon, so try elsewhere. */
static void task_woken_dl(struct rq *rq, struct task *t)
{
	const struct task *curr = rq->curr;

	if (curr == t || rq->need_resched || t->nr_cpus_allowed < 2 || !dl_task(curr))
		return;
	if (curr->nr_cpus_allowed < 2 || !dl_entity_preempt(&t->dl, &curr->dl))
		push_dl_tasks(rq);
}

/* Where it is going, its bandwidth was reserved before. */
static void set_cpus_allowed_dl(struct rq *rq, struct task *t,
				const struct cpumask *cpus)
{
	if (!cpumask_intersects(&rq->rd->span, cpus))
		dl_bw_sub(rq->m, rq->rd, t->dl.dl_bw);
}

static void switched_from_dl(struct rq *rq, struct task *t)
{
	bool queued = t->on_rq == TASK_ON_RQ_QUEUED;

	if (queued && t->dl.dl_runtime)
		task_non_contending(rq, t);
	if (!queued) {
		if (t->dl.dl_non_contending)
			sub_running_bw(&rq->dl, t->dl.dl_bw);
		sub_rq_bw(&rq->dl, t->dl.dl_bw);
	}
	/* It may be elsewhere at its 0-lag time, so that is not for running_bw. */
	t->dl.dl_non_contending = false;
	cpuset_dl_tasks_change(rq->m, t, -1);
	if (queued && !rq->dl.dl_nr_running)
		queue_balance_callback(rq, pull_dl_task);
}

static void switched_to_dl(struct rq *rq, struct task *t)
{
	sched_timer_cancel(rq->m, &t->dl.inactive_timer);
	cpuset_dl_tasks_change(rq->m, t, 1);
	if (t->on_rq != TASK_ON_RQ_QUEUED) {
		add_rq_bw(&rq->dl, t->dl.dl_bw);
		return;
	}
	if (rq->curr == t) {
		pelt_update_class(rq_clock_pelt(rq), &rq->avg_dl, false);
		return;
	}
	if (t->nr_cpus_allowed > 1 && rq->dl.overloaded)
		queue_push_tasks(rq);
	if (dl_task(rq->curr))
		check_preempt_curr_dl(rq, t, 0);
	else
		resched_curr(rq);
}

/* Nobody knows how the deadline changed, so look both ways. */
static void prio_changed_dl(struct rq *rq, struct task *t, int old_prio)
{
	if (t->on_rq != TASK_ON_RQ_QUEUED && rq->curr != t)
		return;
	if (!rq->dl.overloaded)
		queue_balance_callback(rq, pull_dl_task);
	if (dl_time_before(rq->dl.earliest_dl.curr, t->dl.deadline))
		resched_curr(rq);
}

static void rq_online_dl(struct rq *rq)
{
	if (rq->dl.overloaded)
		cpumask_set(&rq->rd->dlo_mask, rq->cpu);
	if (rq->dl.dl_nr_running)
		cpudl_set(&rq->rd->cpudl, rq->cpu, rq->dl.earliest_dl.curr);
	else
		cpudl_clear(&rq->rd->cpudl, rq->cpu, true);
}

static void rq_offline_dl(struct rq *rq)
{
	cpumask_clear(&rq->rd->dlo_mask, rq->cpu);
	cpudl_clear(&rq->rd->cpudl, rq->cpu, false);
}

const struct sched_class dl_sched_class = {
	.name = "deadline",
	.rank = 3,
	.enqueue_task = enqueue_task_dl,
	.dequeue_task = dequeue_task_dl,
	.yield_task = yield_task_dl,
	.check_preempt_curr = check_preempt_curr_dl,
	.balance = balance_dl,
	.pick_next_task = pick_next_task_dl,
	.update_curr = update_curr_dl,
	.put_prev_task = put_prev_task_dl,
	.set_next_task = set_next_task_dl,
	.select_task_rq = select_task_rq_dl,
	.migrate_task_rq = migrate_task_rq_dl,
	.task_woken = task_woken_dl,
	.task_tick = task_tick_dl,
	.set_cpus_allowed = set_cpus_allowed_dl,
	.switched_from = switched_from_dl,
	.switched_to = switched_to_dl,
	.prio_changed = prio_changed_dl,
	.rq_online = rq_online_dl,
	.rq_offline = rq_offline_dl,
};
