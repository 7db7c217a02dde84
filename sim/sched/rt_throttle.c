/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The budget of real-time tasks: on each CPU sched_rt_runtime_us of every
 * sched_rt_period_us, so that one that never sleeps leaves something to others.
 *
 * No CPU borrows from another (RT_RUNTIME_SHARE is off since 5.10), and there are no
 * groups with budgets of their own.
 */
#include "sched/rt.h"

#include "sched/clock.h"
#include "sched/core.h"
#include "sched/deadline.h"
#include "sched/timer.h"

static bool is_limited(const struct machine *m)
{
	return global_rt_runtime(m) != RUNTIME_INF;
}

/*
 * The timer keeps its grid while it is active and from then on until the grid's next
 * point.  Later than that it fires anew at once, for what deadline tasks have used
 * meanwhile is to be forgotten.
 */
static void start_period_timer(struct machine *m)
{
	struct sched_timer *timer = &m->rt_bandwidth.rt_period_timer;

	if (m->rt_bandwidth.rt_period_active)
		return;
	m->rt_bandwidth.rt_period_active = true;
	timer->cpu = m->this_cpu;
	sched_timer_forward(timer, m->now_ns, 0);
	sched_timer_start(m, timer, timer->at_ns);
}

void start_rt_bandwidth(struct machine *m)
{
	if (is_limited(m))
		start_period_timer(m);
}

/* source: sched_rt_runtime_exceeded() */
static bool runtime_exceeded(struct rq *rq)
{
	uint64_t runtime_ns = global_rt_runtime(rq->m);
	struct rt_rq *rt = &rq->rt;

	if (rt->rt_throttled)
		return true;
	if (runtime_ns >= global_rt_period(rq->m) || rt->rt_time <= runtime_ns)
		return false;
	if (!runtime_ns) {
		/* A renewal of nothing would never let it run again. */
		rt->rt_time = 0;
		return false;
	}
	rt->rt_throttled = true;
	dequeue_top_rt_rq(rq, rt->rt_nr_running);
	return true;
}

/* On a CPU that goes off nobody would renew a budget.  source: __disable_runtime() */
static bool has_limit(const struct rq *rq)
{
	return is_limited(rq->m) && cpumask_test(&rq->rd->online, rq->cpu);
}

void charge_rt_time(struct rq *rq, uint64_t delta_ns)
{
	if (!has_limit(rq))
		return;
	rq->rt.rt_time += delta_ns;
	if (!runtime_exceeded(rq))
		return;
	resched_curr(rq);
	start_period_timer(rq->m);
}

void charge_dl_time(struct rq *rq, uint64_t delta_ns)
{
	if (!is_limited(rq->m))
		return;
	/* Not without end where nobody renews it. */
	if (rq->m->rt_bandwidth.rt_period_active ||
	    rq->rt.rt_time < global_rt_runtime(rq->m))
		rq->rt.rt_time += delta_ns;
}

/* True when the tasks of @rq may run again. */
static bool renew_budget(struct rq *rq, uint64_t periods)
{
	uint64_t runtime_ns = global_rt_runtime(rq->m);
	struct rt_rq *rt = &rq->rt;

	rt->rt_time -= MIN(rt->rt_time, periods * runtime_ns);
	if (!rt->rt_throttled || rt->rt_time >= runtime_ns)
		return false;
	rt->rt_throttled = false;
	/* Or the time since a wakeup into the throttled queue would be charged. */
	if (rt->rt_nr_running && rq->curr == rq->idle)
		rq->clock_update_flags &= ~(unsigned)RQCF_REQ_SKIP;
	return true;
}

/* One CPU of the period's end.  True when it still has something to renew. */
static bool end_period(struct rq *rq, uint64_t periods)
{
	struct rt_rq *rt = &rq->rt;
	bool may_run;

	if (!rt->rt_time && !rt->rt_nr_running)
		return false;
	update_rq_clock(rq);
	if (rt->rt_time)
		may_run = renew_budget(rq, periods);
	else
		may_run = !rt->rt_throttled;
	if (may_run && rt->rt_nr_running) {
		enqueue_top_rt_rq(rq);
		resched_curr(rq);
	}
	return rt->rt_time || rt->rt_nr_running;
}

/* source: sched_rt_period_timer(), do_sched_rt_period_timer() */
static void period_timer(struct machine *m, void *subject)
{
	struct sched_timer *timer = &m->rt_bandwidth.rt_period_timer;
	uint64_t periods = sched_timer_forward(timer, m->now_ns, global_rt_period(m));
	bool throttled = false, busy = false;
	int cpu;

	m->this_cpu = timer->cpu;
	for_each_cpu (cpu, &m->active) {
		busy |= end_period(cpu_rq(m, cpu), periods);
		throttled |= cpu_rq(m, cpu)->rt.rt_throttled;
	}
	if (!throttled && !is_limited(m))
		busy = false;
	m->rt_bandwidth.rt_period_active = busy;
	if (busy)
		sched_timer_start(m, timer, timer->at_ns);
}

void init_rt_bandwidth(struct machine *m)
{
	m->rt_bandwidth.rt_period_timer.fn = period_timer;
}
