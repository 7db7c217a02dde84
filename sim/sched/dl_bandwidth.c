/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Active bandwidth: which of a CPU's deadline tasks count as using it.
 *
 * A task that blocks before it used up its share has a claim until its 0-lag time,
 * when the share it used and the time that passed are level again.  Until then it is
 * non-contending and counts in running_bw; afterwards it counts in this_bw alone, and
 * what it leaves can be reclaimed (GRUB).  One that dies or leaves the class gives its
 * bandwidth back to the root domain at that time too.
 */
#include "sched/dl_internal.h"

#include "sched/clock.h"
#include "sched/timer.h"

/* Fraction bits of dl_rq.bw_ratio. */
#define RATIO_SHIFT 8

void init_dl_rq_bw_ratio(struct dl_rq *dl_rq, const struct machine *m)
{
	uint64_t period_ns = global_rt_period(m), runtime_ns = global_rt_runtime(m);

	if (runtime_ns == RUNTIME_INF) {
		dl_rq->bw_ratio = 1 << RATIO_SHIFT;
		dl_rq->extra_bw = BW_ONE;
	} else {
		dl_rq->bw_ratio =
			to_ratio(runtime_ns, period_ns) >> (BW_SHIFT - RATIO_SHIFT);
		dl_rq->extra_bw = to_ratio(period_ns, runtime_ns);
	}
}

void add_rq_bw(struct dl_rq *dl_rq, uint64_t bw)
{
	dl_rq->this_bw += bw;
}

void sub_rq_bw(struct dl_rq *dl_rq, uint64_t bw)
{
	dl_rq->this_bw -= MIN(bw, dl_rq->this_bw);
}

void add_running_bw(struct dl_rq *dl_rq, uint64_t bw)
{
	dl_rq->running_bw += bw;
}

void sub_running_bw(struct dl_rq *dl_rq, uint64_t bw)
{
	dl_rq->running_bw -= MIN(bw, dl_rq->running_bw);
}

/* @t has no reservation any more.  source: __dl_clear_params() */
static void dl_clear_params(struct task *t)
{
	struct sched_dl_entity *dl_se = &t->dl;

	dl_se->dl_runtime = 0;
	dl_se->dl_deadline = 0;
	dl_se->dl_period = 0;
	dl_se->flags = 0;
	dl_se->dl_bw = 0;
	dl_se->dl_density = 0;
	dl_se->dl_throttled = false;
	dl_se->dl_yielded = false;
	dl_se->dl_non_contending = false;
}

/* @t is dead or of another class: its root domain gets its bandwidth back. */
static void release_bandwidth(struct rq *rq, struct task *t)
{
	dl_bw_sub(rq->m, rq->rd, t->dl.dl_bw);
	dl_clear_params(t);
}

/* Absolute, ns of rq.clock. */
static uint64_t zero_lag_time(const struct sched_dl_entity *dl_se)
{
	int64_t unused = (int64_t)((uint64_t)dl_se->runtime * dl_se->dl_period);

	return dl_se->deadline - (uint64_t)(unused / (int64_t)dl_se->dl_runtime);
}

/* The 0-lag time of @t is past. */
static void become_inactive(struct rq *rq, struct task *t)
{
	if (dl_task(t))
		sub_running_bw(&rq->dl, t->dl.dl_bw);
	if (t->state == TASK_DEAD)
		sub_rq_bw(&rq->dl, t->dl.dl_bw);
	if (!dl_task(t) || t->state == TASK_DEAD)
		release_bandwidth(rq, t);
}

void task_non_contending(struct rq *rq, struct task *t)
{
	struct sched_dl_entity *dl_se = &t->dl;
	int64_t left_ns;

	if (!dl_se->dl_runtime)
		return;
	left_ns = (int64_t)(zero_lag_time(dl_se) - rq->clock);
	if (left_ns < 0 || dl_se->inactive_timer.pending) {
		become_inactive(rq, t);
		return;
	}
	dl_se->dl_non_contending = true;
	dl_se->inactive_timer.cpu = rq->m->this_cpu;
	sched_timer_start(rq->m, &dl_se->inactive_timer,
			  rq->m->now_ns + (uint64_t)left_ns);
}

void task_contending(struct rq *rq, struct task *t, unsigned flags)
{
	struct sched_dl_entity *dl_se = &t->dl;

	if (!dl_se->dl_runtime)
		return;
	if (flags & ENQUEUE_MIGRATED)
		add_rq_bw(&rq->dl, dl_se->dl_bw);
	if (dl_se->dl_non_contending) {
		dl_se->dl_non_contending = false;
		sched_timer_cancel(rq->m, &dl_se->inactive_timer);
	} else {
		add_running_bw(&rq->dl, dl_se->dl_bw);
	}
}

/* A sleeping @t is not active on @rq any more, whenever its 0-lag time is. */
static void stop_contending(struct rq *rq, struct task *t)
{
	if (!t->dl.dl_non_contending)
		return;
	sub_running_bw(&rq->dl, t->dl.dl_bw);
	t->dl.dl_non_contending = false;
	sched_timer_cancel(rq->m, &t->dl.inactive_timer);
}

void dl_change_utilization(struct rq *rq, struct task *t, uint64_t new_bw)
{
	if (t->on_rq == TASK_ON_RQ_QUEUED)
		return;
	stop_contending(rq, t);
	sub_rq_bw(&rq->dl, t->dl.dl_bw);
	add_rq_bw(&rq->dl, new_bw);
}

void dl_bandwidth_migrate(struct rq *rq, struct task *t)
{
	if (t->dl.dl_non_contending)
		update_rq_clock(rq);
	stop_contending(rq, t);
	sub_rq_bw(&rq->dl, t->dl.dl_bw);
}

void inactive_task_timer(struct machine *m, void *subject)
{
	struct task *t = subject;
	struct rq *rq = task_rq(m, t);

	m->this_cpu = t->dl.inactive_timer.cpu;
	update_rq_clock(rq);
	if (!dl_task(t) || t->state == TASK_DEAD) {
		if (t->state == TASK_DEAD && t->dl.dl_non_contending) {
			sub_running_bw(&rq->dl, t->dl.dl_bw);
			sub_rq_bw(&rq->dl, t->dl.dl_bw);
		}
		release_bandwidth(rq, t);
	} else if (t->dl.dl_non_contending) {
		sub_running_bw(&rq->dl, t->dl.dl_bw);
		t->dl.dl_non_contending = false;
	}
}

/*
 * Charges max(u / limit, 1 - inactive - extra) of the time: what nobody claims is
 * free.  source: grub_reclaim(); Lipari and Baruah, Greedy Reclamation of Unused
 * Bandwidth in Constant-Bandwidth Servers, 2000
 */
uint64_t grub_reclaim(uint64_t delta_ns, const struct rq *rq,
		      const struct sched_dl_entity *dl_se)
{
	uint64_t inactive = rq->dl.this_bw - rq->dl.running_bw;
	uint64_t least = dl_se->dl_bw * rq->dl.bw_ratio >> RATIO_SHIFT;
	uint64_t charged;

	if (inactive + rq->dl.extra_bw > BW_ONE - least)
		charged = least;
	else
		charged = BW_ONE - inactive - rq->dl.extra_bw;
	return delta_ns * charged >> BW_SHIFT;
}
