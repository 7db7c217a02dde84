/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-entity load tracking: the arithmetic alone.
 */
#ifndef SCHED_PELT_H
#define SCHED_PELT_H

#include "schedsim/rq.h"

#define LOAD_AVG_MAX 47742U
#define PELT_MIN_DIVIDER (LOAD_AVG_MAX - 1024)

/* What the averages of @avg are divided by.  source: get_pelt_divider() */
static inline uint32_t pelt_divider(const struct sched_avg *avg)
{
	return PELT_MIN_DIVIDER + avg->period_contrib;
}

/* @sum, or the least that agrees with @avg: compared in 32 bits, as in the kernel. */
static inline uint32_t sum_at_least(uint64_t sum, uint64_t avg)
{
	uint32_t least = (uint32_t)(avg * PELT_MIN_DIVIDER);

	return (uint32_t)sum > least ? (uint32_t)sum : least;
}

/* @val after @n periods of 1024 * 1024 ns.  source: decay_load() */
uint64_t decay_load(uint64_t val, uint64_t n);

/*
 * Brings the sums up to @now_ns, having had these inputs since the last update.
 * True when a period boundary was crossed, so that averages must follow.
 * source: ___update_load_sum()
 */
bool pelt_update_sum(uint64_t now_ns, struct sched_avg *avg, uint64_t load,
		     uint64_t runnable, bool running);

/* Averages from sums; @load is the factor of load_avg.  source: ___update_load_avg() */
void pelt_update_avg(struct sched_avg *avg, uint64_t load);

/* source: __update_load_avg_blocked_se(), __update_load_avg_se(),
 * __update_load_avg_cfs_rq() */
bool pelt_update_blocked_se(uint64_t now_ns, struct sched_entity *se);
bool pelt_update_se(uint64_t now_ns, struct cfs_rq *cfs_rq, struct sched_entity *se);
bool pelt_update_cfs_rq(uint64_t now_ns, struct cfs_rq *cfs_rq);

/* source: update_rt_rq_load_avg(), update_dl_rq_load_avg(); @now_ns of rq_clock_pelt()
 */
bool pelt_update_class(uint64_t now_ns, struct sched_avg *avg, bool running);

/*
 * @running_ns of interrupt time ended at rq->clock.  Returns how many of its two
 * updates crossed a period boundary.  source: update_irq_load_avg()
 */
unsigned pelt_update_irq(struct rq *rq, uint64_t running_ns);

/* The weight PELT uses: scale_load_down(load.weight).  source: se_weight() */
uint64_t se_weight(const struct sched_entity *se);
uint64_t se_runnable(const struct sched_entity *se);

#endif
