/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a task's utilisation will be once it runs again, and what CPUs' figures
 * would be without a task.
 */
#include "sched/fair_load.h"

/* About 1 % of a CPU.  source: UTIL_EST_MARGIN */
#define UTIL_EST_MARGIN (CAPACITY_ONE / 100)

/* The average moves a quarter of the way.  source: UTIL_EST_WEIGHT_SHIFT */
#define UTIL_EST_WEIGHT_SHIFT 2

uint64_t task_util_est_raw(const struct task *t)
{
	uint32_t enqueued = t->se.avg.util_est.enqueued & ~UTIL_AVG_UNCHANGED;
	uint32_t ewma = t->se.avg.util_est.ewma;

	return ewma > enqueued ? ewma : enqueued;
}

uint64_t task_util_est(const struct task *t)
{
	uint64_t est = task_util_est_raw(t);

	return t->se.avg.util_avg > est ? t->se.avg.util_avg : est;
}

void util_est_enqueue(struct cfs_rq *root, const struct task *t)
{
	if (root->rq->m->feat.UTIL_EST)
		root->avg.util_est.enqueued += (uint32_t)task_util_est_raw(t);
}

void util_est_dequeue(struct cfs_rq *root, const struct task *t)
{
	uint32_t est = (uint32_t)task_util_est_raw(t);
	uint32_t *enqueued = &root->avg.util_est.enqueued;

	if (root->rq->m->feat.UTIL_EST)
		*enqueued -= MIN(*enqueued, est);
}

static bool within_margin(int64_t diff)
{
	return diff > -(int64_t)UTIL_EST_MARGIN && diff < (int64_t)UTIL_EST_MARGIN;
}

/* source: util_est_update(), what it does to one estimate at a sleep */
void util_est_step(struct util_est *ue, uint64_t util_avg, uint64_t capacity_orig,
		   bool fastup)
{
	struct util_est next = *ue;
	int64_t ewma_diff, enqueued_diff;

	if (next.enqueued & UTIL_AVG_UNCHANGED)
		return;
	enqueued_diff = (int64_t)next.enqueued - (int64_t)(uint32_t)util_avg;
	next.enqueued = (uint32_t)util_avg;
	ewma_diff = (int64_t)next.enqueued - (int64_t)next.ewma;

	if (fastup && ewma_diff > 0) {
		next.ewma = next.enqueued;
	} else if (within_margin(ewma_diff)) {
		if (within_margin(enqueued_diff))
			return;
	} else {
		/* A task that could not have what it wanted teaches nothing. */
		if (util_avg > capacity_orig)
			return;
		next.ewma = (next.ewma << UTIL_EST_WEIGHT_SHIFT) + (uint32_t)ewma_diff;
		next.ewma >>= UTIL_EST_WEIGHT_SHIFT;
	}
	next.enqueued |= UTIL_AVG_UNCHANGED;
	*ue = next;
}

void util_est_update(struct rq *rq, struct task *t, bool task_sleep)
{
	if (task_sleep && rq->m->feat.UTIL_EST)
		util_est_step(&t->se.avg.util_est, t->se.avg.util_avg,
			      rq->cpu_capacity_orig, rq->m->feat.UTIL_EST_FASTUP);
}

uint64_t cpu_util_without(const struct machine *m, int cpu, const struct task *t)
{
	const struct rq *rq = cpu_rq(m, cpu);
	uint64_t util = rq->cfs.avg.util_avg;
	uint64_t est = rq->cfs.avg.util_est.enqueued;

	if (cpu != t->cpu || !t->se.avg.last_update_time)
		return cpu_util_cfs(m, rq);

	sub_positive(&util, t->se.avg.util_avg);
	if (m->feat.UTIL_EST) {
		/* Its estimate is in the sum only while it is queued. */
		if (t->on_rq == TASK_ON_RQ_QUEUED || t->on_cpu)
			sub_positive(&est, task_util_est_raw(t));
		util = MAX(util, est);
	}
	return MIN(util, rq->cpu_capacity_orig);
}

/* Subtraction in the kernel's unsigned int, not below zero. */
static uint32_t without(uint64_t sum, uint64_t part)
{
	uint32_t value = (uint32_t)sum;

	return value - (uint32_t)MIN((uint64_t)value, part);
}

uint32_t cpu_load_without(const struct machine *m, int cpu, const struct task *t)
{
	const struct rq *rq = cpu_rq(m, cpu);

	if (cpu != t->cpu || !t->se.avg.last_update_time)
		return (uint32_t)cpu_load(rq);
	return without(cpu_load(rq), task_h_load(m, t));
}

uint32_t cpu_runnable_without(const struct machine *m, int cpu, const struct task *t)
{
	const struct rq *rq = cpu_rq(m, cpu);

	if (cpu != t->cpu || !t->se.avg.last_update_time)
		return (uint32_t)cpu_runnable(rq);
	return without(cpu_runnable(rq), t->se.avg.runnable_avg);
}
