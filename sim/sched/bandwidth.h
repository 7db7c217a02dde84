/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CFS bandwidth: a group may use so much CPU time each period, on all CPUs together.
 *
 * Each queue of such a group takes slices from the group's pool and charges what runs
 * to them.  One that finds the pool empty is throttled: its entity leaves the queue
 * above until the pool is filled again.  Queues of groups without a limit pay one test
 * of their own flag.
 */
#ifndef SCHED_BANDWIDTH_H
#define SCHED_BANDWIDTH_H

#include "sched/clock.h"
#include "schedsim/bandwidth.h"
#include "schedsim/deadline.h"
#include "schedsim/machine.h"

#define CFS_PERIOD_DEFAULT_NS (100 * NSEC_PER_MSEC)

/* What an administrator sets, ns. */
struct cfs_limit {
	uint64_t period_ns;
	uint64_t quota_ns; /* RUNTIME_INF: none */
	uint64_t burst_ns;
};

struct cfs_limit tg_cfs_limit(const struct task_group *tg);
/*
 * Limits @tg from now on, and lets its throttled queues go on.  @unified: in a cgroup
 * v2 tree, where a child may have a greater share than its parent.  0, or -EINVAL for
 *  - the root group;
 *  - a quota or period below 1 ms, or a period above 1 s;
 *  - a burst above the quota;
 *  - v1: more than the parent's share of a CPU, or less than a child's.
 * source: tg_set_cfs_bandwidth()
 */
int tg_set_cfs_bandwidth(struct machine *m, struct task_group *tg,
			 const struct cfs_limit *limit, bool unified);
/*
 * Nothing is throttled on a CPU that goes off.
 * source: update_runtime_enabled(), unthrottle_offline_cfs_rqs()
 */
void cfs_bandwidth_rq_online(struct rq *rq);
void cfs_bandwidth_rq_offline(struct rq *rq);
/* @tg goes away: its timers must not fire.  source: destroy_cfs_bandwidth() */
void cfs_bandwidth_destroy(struct machine *m, struct task_group *tg);

/* This queue itself is throttled. */
static inline bool cfs_rq_throttled(const struct cfs_rq *cfs_rq)
{
	return cfs_rq->throttled;
}

/* It or a queue above it is. */
static inline bool throttled_hierarchy(const struct cfs_rq *cfs_rq)
{
	return cfs_rq->throttle_count;
}

/* No task of @tg may change between the two CPUs.  source: throttled_lb_pair() */
static inline bool throttled_lb_pair(const struct task_group *tg, const struct rq *src,
				     const struct rq *dst)
{
	return src->m->nr_cfs_limits && (throttled_hierarchy(tg->cfs_rq[src->cpu]) ||
					 throttled_hierarchy(tg->cfs_rq[dst->cpu]));
}

/* The "now" of PELT for @cfs_rq, ns, which stands while it is throttled. */
static inline uint64_t cfs_rq_clock_pelt(const struct cfs_rq *cfs_rq)
{
	uint64_t clock = cfs_rq->throttle_count ? cfs_rq->throttled_clock_pelt
						: rq_clock_pelt(cfs_rq->rq);

	return clock - cfs_rq->throttled_clock_pelt_time;
}

/* @cfs_rq ran empty.  source: update_idle_cfs_rq_clock_pelt() */
static inline void update_idle_cfs_rq_clock_pelt(struct cfs_rq *cfs_rq)
{
	cfs_rq->throttled_pelt_idle =
		cfs_rq->throttle_count ? UINT64_MAX : cfs_rq->throttled_clock_pelt_time;
}

/* Takes runtime for what @cfs_rq owes; asks for a reschedule where there is none. */
void charge_cfs_rq_runtime(struct cfs_rq *cfs_rq, uint64_t delta_ns);
/*
 * Takes @target_ns of runtime beyond what @cfs_rq owes, or what there is.  True when it
 * has some then.  source: __assign_cfs_rq_runtime()
 */
bool assign_cfs_rq_runtime(struct cfs_rq *cfs_rq, uint64_t target_ns);
/* @cfs_rq has no tasks: all but a little of its runtime goes back. */
void give_back_cfs_rq_runtime(struct cfs_rq *cfs_rq);

/* @cfs_rq ran for @delta_ns.  source: account_cfs_rq_runtime() */
static inline void account_cfs_rq_runtime(struct cfs_rq *cfs_rq, uint64_t delta_ns)
{
	if (cfs_rq->runtime_enabled)
		charge_cfs_rq_runtime(cfs_rq, delta_ns);
}

/* An entity left @cfs_rq.  source: return_cfs_rq_runtime() */
static inline void return_cfs_rq_runtime(struct cfs_rq *cfs_rq)
{
	if (cfs_rq->runtime_enabled && !cfs_rq->nr_running)
		give_back_cfs_rq_runtime(cfs_rq);
}

/* throttle.c */

/*
 * Takes @cfs_rq off the queue above, unless it gets a nanosecond of runtime after all.
 * True when it is throttled.
 */
bool throttle_cfs_rq(struct cfs_rq *cfs_rq);
void unthrottle_cfs_rq(struct cfs_rq *cfs_rq);
/* The first entity came to @cfs_rq, which does not run. */
void check_enqueue_throttle(struct cfs_rq *cfs_rq);
/* A new group below a throttled one is so too.  source: sync_throttle() */
void sync_throttle(struct task_group *tg, int cpu);

/* Its entities are about to be put: throttles what ran out of runtime. */
static inline bool check_cfs_rq_runtime(struct cfs_rq *cfs_rq)
{
	if (!cfs_rq->runtime_enabled || cfs_rq->runtime_remaining > 0)
		return false;
	/* One that is throttled already may be current for a moment. */
	return cfs_rq_throttled(cfs_rq) || throttle_cfs_rq(cfs_rq);
}

#endif
