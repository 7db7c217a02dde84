/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The three clocks of a run queue, and the machine's jiffies.
 */
#ifndef SCHED_CLOCK_H
#define SCHED_CLOCK_H

#include "schedsim/machine.h"

/* Brings the clocks of @rq up to rq->m->now_ns.  source: update_rq_clock() */
void update_rq_clock(struct rq *rq);

/* @delta_ns of clock_task passed.  source: update_rq_clock_pelt() */
void update_rq_clock_pelt(struct rq *rq, int64_t delta_ns);

/* @rq goes idle with this sum of util_sums.  source: update_idle_rq_clock_pelt() */
void update_idle_rq_clock_pelt(struct rq *rq);

/* The "now" of PELT, ns.  source: rq_clock_pelt() */
static inline uint64_t rq_clock_pelt(const struct rq *rq)
{
	return rq->clock_pelt - rq->lost_idle_time;
}

/* The next update is to be left out.  source: rq_clock_skip_update() */
static inline void rq_clock_skip_update(struct rq *rq)
{
	rq->clock_update_flags |= RQCF_REQ_SKIP;
}

/* Moves the machine's time forward to @now_ns, and jiffies with it. */
void machine_set_time(struct machine *m, uint64_t now_ns);

/* source: msecs_to_jiffies(), rounding up */
static inline uint64_t msecs_to_jiffies(const struct machine *m, uint64_t ms)
{
	return (ms * m->hz + 999) / 1000;
}

/* Whether jiffy @a is after or at @b, over wraps.  source: time_after_eq() */
static inline bool time_after_eq(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) >= 0;
}

static inline bool time_after(uint64_t a, uint64_t b)
{
	return (int64_t)(b - a) < 0;
}

#endif
