/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs of unequal capacity: which tasks fit on which, and those that run on one too
 * small for them.
 */
#ifndef SCHED_ASYM_H
#define SCHED_ASYM_H

#include "schedsim/wakeup.h"

/* What a task wants of a CPU, all of CAPACITY_ONE. */
struct cpu_demand {
	uint64_t util;
	unsigned uclamp_min, uclamp_max;
};

/* 20 % are kept free.  source: fits_capacity() */
static inline bool fits_capacity(uint64_t util, uint64_t capacity)
{
	return util * 1280 < capacity * 1024;
}

/* By more than about 5 %.  source: capacity_greater() */
static inline bool capacity_greater(uint64_t a, uint64_t b)
{
	return a * 1024 > b * 1078;
}

/* Whether interrupts and higher classes leave @rq noticeably less than its
 * capacity, by the measure of @sd.  source: check_cpu_capacity() */
static inline bool capacity_is_reduced(const struct rq *rq,
				       const struct sched_domain *sd)
{
	return rq->cpu_capacity * sd->imbalance_pct < rq->cpu_capacity_orig * 100;
}

struct cpu_demand task_demand(const struct machine *m, const struct task *t);

/* 1: @cpu is enough for @d; 0: it is not; -1: but for the least it is to count as.
 * source: util_fits_cpu() */
int util_fits_cpu(const struct machine *m, const struct cpu_demand *d, int cpu);

/* source: task_fits_cpu() */
bool task_fits_cpu(const struct machine *m, const struct task *t, int cpu);

/* Likewise, and any CPU is where all are alike.  source: asym_fits_cpu() */
static inline bool asym_fits_cpu(const struct machine *m, const struct cpu_demand *d,
				 int cpu)
{
	return !m->asym_cpucap || util_fits_cpu(m, d, cpu) > 0;
}

/*
 * The first idle CPU of @sd from @target on that is enough for @d, or else the best of
 * the idle ones, or CPU_NONE.  Notes stage and reason.  source: select_idle_capacity()
 */
int select_idle_capacity(struct wakeup *w, const struct sched_domain *sd,
			 const struct cpu_demand *d, int target);

/* @t, or nothing (NULL), runs on @rq.  source: update_misfit_status() */
void note_misfit(struct rq *rq, const struct task *t);

static inline void update_misfit_status(struct rq *rq, const struct task *t)
{
	if (rq->m->asym_cpucap)
		note_misfit(rq, t);
}

/* Whether what runs on @rq is too big for it and might find better.  source:
 * check_misfit_status() */
static inline bool check_misfit_status(const struct rq *rq,
				       const struct sched_domain *sd)
{
	return rq->misfit_task_load &&
	       (rq->cpu_capacity_orig < rq->rd->max_cpu_capacity ||
		capacity_is_reduced(rq, sd));
}

#endif
