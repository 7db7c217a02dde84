/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The three clocks of a run queue, and the machine's jiffies.
 */
#include "sched/clock.h"

#include "sched/pelt.h"

void machine_set_time(struct machine *m, uint64_t now_ns)
{
	g_assert(now_ns >= m->now_ns);

	m->now_ns = now_ns;
	if (now_ns < m->next_jiffy_ns)
		return;
	m->jiffies = (uint64_t)((unsigned __int128)now_ns * m->hz / NSEC_PER_SEC);
	m->next_jiffy_ns =
		(uint64_t)(((unsigned __int128)(m->jiffies + 1) * NSEC_PER_SEC + m->hz -
			    1) /
			   m->hz);
}

/* What of @x is left at @capacity of CAPACITY_ONE.  source: cap_scale() */
static int64_t scaled_by(int64_t x, unsigned capacity)
{
	return x * capacity >> CAPACITY_SHIFT;
}

/* An idle CPU's pelt clock does not lag.  source: _update_idle_rq_clock_pelt() */
static void sync_idle_clock_pelt(struct rq *rq)
{
	rq->clock_pelt = rq->clock_task;
	rq->clock_idle = rq->clock;
	rq->clock_pelt_idle = rq_clock_pelt(rq);
}

void update_rq_clock_pelt(struct rq *rq, int64_t delta_ns)
{
	if (rq->curr == rq->idle) {
		sync_idle_clock_pelt(rq);
		return;
	}
	/* Slow CPUs take longer for the same work, so their time runs slower. */
	delta_ns = scaled_by(delta_ns, rq->cpu_scale);
	delta_ns = scaled_by(delta_ns, rq->freq_scale);
	rq->clock_pelt += (uint64_t)delta_ns;
}

void update_idle_rq_clock_pelt(struct rq *rq)
{
	uint32_t util_sum =
		rq->cfs.avg.util_sum + rq->avg_rt.util_sum + rq->avg_dl.util_sum;
	uint32_t always_running =
		((LOAD_AVG_MAX - 1024) << CAPACITY_SHIFT) - LOAD_AVG_MAX;

	/* A CPU that was never idle lost time for good: it had no spare to catch up. */
	if (util_sum >= always_running)
		rq->lost_idle_time += rq->clock_task - rq->clock_pelt;
	sync_idle_clock_pelt(rq);
}

/* source: update_rq_clock_task() */
static void update_rq_clock_task(struct rq *rq, int64_t delta_ns)
{
	int64_t irq_ns = (int64_t)(rq->irq_time - rq->prev_irq_time);

	/* Interrupt time beyond this update waits for the next. */
	if (irq_ns > delta_ns)
		irq_ns = delta_ns;
	rq->prev_irq_time += (uint64_t)irq_ns;
	delta_ns -= irq_ns;
	rq->clock_task += (uint64_t)delta_ns;
	if (irq_ns && rq->m->feat.NONTASK_CAPACITY)
		pelt_update_irq(rq, (uint64_t)irq_ns);
	update_rq_clock_pelt(rq, delta_ns);
}

void update_rq_clock(struct rq *rq)
{
	int64_t delta_ns;

	if (rq->clock_update_flags & RQCF_ACT_SKIP)
		return;
	delta_ns = (int64_t)(rq->m->now_ns - rq->clock);
	if (delta_ns < 0)
		return;
	rq->clock += (uint64_t)delta_ns;
	update_rq_clock_task(rq, delta_ns);
}
