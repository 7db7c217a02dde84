/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pool of runtime of a limited group: how it is set, filled, taken from and given
 * back to.
 *
 * source: kernel/sched/fair.c and core.c, v6.1
 */
#include "sched/bandwidth.h"

#include "sched/core.h"
#include "sched/timer.h"

#include <errno.h>

/* source: max_cfs_quota_period, min_cfs_quota_period, max_cfs_runtime */
#define PERIOD_MAX_NS NSEC_PER_SEC
#define PERIOD_MIN_NS NSEC_PER_MSEC
#define RUNTIME_MAX_NS (((1ULL << (64 - BW_SHIFT)) - 1) * NSEC_PER_USEC)

/* What a queue without tasks keeps.  source: min_cfs_rq_runtime */
#define RUNTIME_KEPT_NS (1 * NSEC_PER_MSEC)
/* How long runtime given back is gathered before it is dealt out again, and the rest of
 * the period that makes it worth while. */
#define SLACK_PERIOD_NS (5 * NSEC_PER_MSEC)
#define SLACK_EXPIRES_NS (2 * NSEC_PER_MSEC)

static uint64_t slice_ns(const struct machine *m)
{
	return m->tunables.sched_cfs_bandwidth_slice_us * NSEC_PER_USEC;
}

/* source: __refill_cfs_bandwidth_runtime() */
static void refill(struct cfs_bandwidth *cfs_b)
{
	int64_t beyond;

	if (cfs_b->quota == RUNTIME_INF)
		return;
	cfs_b->runtime += cfs_b->quota;
	beyond = (int64_t)(cfs_b->runtime_snap - cfs_b->runtime);
	if (beyond > 0) {
		cfs_b->burst_time += (uint64_t)beyond;
		cfs_b->nr_burst++;
	}
	cfs_b->runtime = MIN(cfs_b->runtime, cfs_b->quota + cfs_b->burst);
	cfs_b->runtime_snap = cfs_b->runtime;
}

/*
 * Moves the end of the period behind now, along the grid of periods.  Returns the
 * number of periods it passed.  source: hrtimer_forward_now()
 */
static uint64_t forward(const struct machine *m, struct cfs_bandwidth *cfs_b)
{
	uint64_t *end_ns = &cfs_b->period_timer.at_ns;
	uint64_t periods;

	if (*end_ns > m->now_ns)
		return 0;
	periods = (m->now_ns - *end_ns) / cfs_b->period + 1;
	*end_ns += periods * cfs_b->period;
	return periods;
}

/*
 * Periods of a group that was idle begin on the grid of its last ones; those of a new
 * group at multiples of its period.  source: start_cfs_bandwidth()
 */
static void start_periods(struct machine *m, struct cfs_bandwidth *cfs_b)
{
	if (cfs_b->period_active)
		return;
	cfs_b->period_active = true;
	forward(m, cfs_b);
	cfs_b->period_timer.cpu = m->this_cpu;
	sched_timer_start(m, &cfs_b->period_timer, cfs_b->period_timer.at_ns);
}

bool assign_cfs_rq_runtime(struct cfs_rq *cfs_rq, uint64_t target_ns)
{
	struct cfs_bandwidth *cfs_b = cfs_rq->tg->cfs_bandwidth;
	uint64_t wanted_ns = target_ns - (uint64_t)cfs_rq->runtime_remaining;
	uint64_t amount_ns = 0;

	if (cfs_b->quota == RUNTIME_INF) {
		amount_ns = wanted_ns;
	} else {
		start_periods(cfs_rq->rq->m, cfs_b);
		if (cfs_b->runtime) {
			amount_ns = MIN(cfs_b->runtime, wanted_ns);
			cfs_b->runtime -= amount_ns;
			cfs_b->idle = false;
		}
	}
	cfs_rq->runtime_remaining += (int64_t)amount_ns;
	return cfs_rq->runtime_remaining > 0;
}

/* source: __account_cfs_rq_runtime() */
void charge_cfs_rq_runtime(struct cfs_rq *cfs_rq, uint64_t delta_ns)
{
	cfs_rq->runtime_remaining -= (int64_t)delta_ns;
	if (cfs_rq->runtime_remaining > 0 || cfs_rq->throttled)
		return;
	/* The switch to come throttles it. */
	if (!assign_cfs_rq_runtime(cfs_rq, slice_ns(cfs_rq->rq->m)) && cfs_rq->curr)
		resched_curr(cfs_rq->rq);
}

/* Deals the pool out, just enough for each to go on.  source: distribute_cfs_runtime()
 */
static void distribute(struct cfs_bandwidth *cfs_b)
{
	struct list *pos, *next;

	for (pos = cfs_b->throttled_cfs_rq.next; pos != &cfs_b->throttled_cfs_rq;
	     pos = next) {
		struct cfs_rq *cfs_rq = list_entry(pos, struct cfs_rq, throttled_list);
		uint64_t owed_ns = (uint64_t)(1 - cfs_rq->runtime_remaining);
		uint64_t amount_ns = MIN(owed_ns, cfs_b->runtime);
		uint64_t left_ns = cfs_b->runtime - amount_ns;

		next = pos->next;
		cfs_b->runtime = left_ns;
		cfs_rq->runtime_remaining += (int64_t)amount_ns;
		if (cfs_rq->runtime_remaining > 0)
			unthrottle_cfs_rq(cfs_rq);
		if (!left_ns)
			break;
	}
}

/* True when there is no need to count further periods. */
static bool end_period(struct cfs_bandwidth *cfs_b, uint64_t periods)
{
	bool throttled = !list_empty(&cfs_b->throttled_cfs_rq);

	if (cfs_b->quota == RUNTIME_INF)
		return true;
	cfs_b->nr_periods += periods;
	refill(cfs_b);
	if (!throttled) {
		bool was_idle = cfs_b->idle;

		cfs_b->idle = true;
		return was_idle;
	}
	cfs_b->nr_throttled += periods;
	while (!list_empty(&cfs_b->throttled_cfs_rq) && cfs_b->runtime)
		distribute(cfs_b);
	/* A debt may be greater than the pool: go on while somebody is throttled. */
	cfs_b->idle = false;
	return false;
}

/* source: sched_cfs_period_timer(), do_sched_cfs_period_timer() */
static void on_period(struct machine *m, void *subject)
{
	struct cfs_bandwidth *cfs_b = subject;

	if (end_period(cfs_b, forward(m, cfs_b)))
		cfs_b->period_active = false;
	else
		sched_timer_start(m, &cfs_b->period_timer, cfs_b->period_timer.at_ns);
}

/* source: runtime_refresh_within() */
static bool refill_within(const struct machine *m, const struct cfs_bandwidth *cfs_b,
			  uint64_t ns)
{
	return (int64_t)(cfs_b->period_timer.at_ns - m->now_ns) < (int64_t)ns;
}

/* source: do_sched_cfs_slack_timer() */
static void on_slack(struct machine *m, void *subject)
{
	struct cfs_bandwidth *cfs_b = subject;

	cfs_b->slack_started = false;
	if (refill_within(m, cfs_b, SLACK_EXPIRES_NS))
		return;
	if (cfs_b->quota != RUNTIME_INF && cfs_b->runtime > slice_ns(m))
		distribute(cfs_b);
}

/* source: start_cfs_slack_bandwidth() */
static void start_slack(struct machine *m, struct cfs_bandwidth *cfs_b)
{
	if (refill_within(m, cfs_b, SLACK_PERIOD_NS + SLACK_EXPIRES_NS) ||
	    cfs_b->slack_started)
		return;
	cfs_b->slack_started = true;
	cfs_b->slack_timer.cpu = m->this_cpu;
	sched_timer_start(m, &cfs_b->slack_timer, m->now_ns + SLACK_PERIOD_NS);
}

/* source: __return_cfs_rq_runtime() */
void give_back_cfs_rq_runtime(struct cfs_rq *cfs_rq)
{
	struct cfs_bandwidth *cfs_b = cfs_rq->tg->cfs_bandwidth;
	struct machine *m = cfs_rq->rq->m;
	int64_t slack_ns = cfs_rq->runtime_remaining - (int64_t)RUNTIME_KEPT_NS;

	if (slack_ns <= 0)
		return;
	if (cfs_b->quota != RUNTIME_INF) {
		cfs_b->runtime += (uint64_t)slack_ns;
		if (cfs_b->runtime > slice_ns(m) &&
		    !list_empty(&cfs_b->throttled_cfs_rq))
			start_slack(m, cfs_b);
	}
	cfs_rq->runtime_remaining -= slack_ns;
}

struct cfs_limit tg_cfs_limit(const struct task_group *tg)
{
	const struct cfs_bandwidth *cfs_b = tg->cfs_bandwidth;

	if (!cfs_b)
		return (struct cfs_limit){CFS_PERIOD_DEFAULT_NS, RUNTIME_INF, 0};
	return (struct cfs_limit){cfs_b->period, cfs_b->quota, cfs_b->burst};
}

/* source: init_cfs_bandwidth() */
static struct cfs_bandwidth *bandwidth_new(void)
{
	struct cfs_bandwidth *cfs_b = g_new0(struct cfs_bandwidth, 1);

	cfs_b->quota = RUNTIME_INF;
	cfs_b->period = CFS_PERIOD_DEFAULT_NS;
	list_init(&cfs_b->throttled_cfs_rq);
	cfs_b->period_timer.fn = on_period;
	cfs_b->period_timer.subject = cfs_b;
	cfs_b->slack_timer.fn = on_slack;
	cfs_b->slack_timer.subject = cfs_b;
	return cfs_b;
}

/* Share of a CPU, of BW_ONE; -1: no limit.  source: normalize_cfs_quota() */
static int64_t share_of(const struct cfs_limit *limit)
{
	if (limit->quota_ns == RUNTIME_INF)
		return -1;
	return (int64_t)((limit->quota_ns / NSEC_PER_USEC << BW_SHIFT) /
			 (limit->period_ns / NSEC_PER_USEC));
}

/*
 * Whether no group from @tg down has more than the one above it, with @limit for
 * @changed.  @above: the share of the next limited group above; -1: none is.
 * source: tg_cfs_schedulable_down(), for cgroup v1
 */
static bool shares_fit(const struct task_group *tg, const struct task_group *changed,
		       const struct cfs_limit *limit, int64_t above)
{
	struct cfs_limit own = tg == changed ? *limit : tg_cfs_limit(tg);
	int64_t share = share_of(&own);

	if (share < 0)
		share = above;
	else if (above >= 0 && share > above)
		return false;
	for (const struct list *pos = tg->children.next; pos != &tg->children;
	     pos = pos->next)
		if (!shares_fit(list_entry(pos, const struct task_group, siblings),
				changed, limit, share))
			return false;
	return true;
}

static bool limit_is_valid(const struct cfs_limit *limit)
{
	if (limit->quota_ns < PERIOD_MIN_NS || limit->period_ns < PERIOD_MIN_NS ||
	    limit->period_ns > PERIOD_MAX_NS)
		return false;
	if (limit->quota_ns == RUNTIME_INF)
		return true;
	return limit->quota_ns <= RUNTIME_MAX_NS &&
	       limit->burst_ns <= limit->quota_ns &&
	       limit->burst_ns + limit->quota_ns <= RUNTIME_MAX_NS;
}

static void set_limit(struct machine *m, struct cfs_bandwidth *cfs_b,
		      const struct cfs_limit *limit)
{
	cfs_b->period = limit->period_ns;
	cfs_b->quota = limit->quota_ns;
	cfs_b->burst = limit->burst_ns;
	refill(cfs_b);
	/* One that counts periods already ends the current one when it was to. */
	if (limit->quota_ns != RUNTIME_INF)
		start_periods(m, cfs_b);
}

static bool is_limited(const struct task_group *tg)
{
	return tg->cfs_bandwidth && tg->cfs_bandwidth->quota != RUNTIME_INF;
}

int tg_set_cfs_bandwidth(struct machine *m, struct task_group *tg,
			 const struct cfs_limit *limit, bool unified)
{
	int cpu;

	if (tg == &m->root_tg || !limit_is_valid(limit))
		return -EINVAL;
	if (!unified && !shares_fit(&m->root_tg, tg, limit, -1))
		return -EINVAL;
	if (!tg->cfs_bandwidth)
		tg->cfs_bandwidth = bandwidth_new();
	m->nr_cfs_limits -= is_limited(tg);
	set_limit(m, tg->cfs_bandwidth, limit);
	m->nr_cfs_limits += is_limited(tg);
	for_each_cpu (cpu, &m->active) {
		struct cfs_rq *cfs_rq = tg->cfs_rq[cpu];

		cfs_rq->runtime_enabled = is_limited(tg);
		cfs_rq->runtime_remaining = 0;
		if (cfs_rq->throttled)
			unthrottle_cfs_rq(cfs_rq);
	}
	return 0;
}

/* Calls @fn for the queue on @rq of each group below @tg. */
static void for_each_child(struct task_group *tg, struct rq *rq,
			   void (*fn)(struct cfs_rq *cfs_rq))
{
	struct list *pos;

	for (pos = tg->children.next; pos != &tg->children; pos = pos->next) {
		struct task_group *child = list_entry(pos, struct task_group, siblings);

		fn(child->cfs_rq[rq->cpu]);
		for_each_child(child, rq, fn);
	}
}

static void enable(struct cfs_rq *cfs_rq)
{
	cfs_rq->runtime_enabled = is_limited(cfs_rq->tg);
}

void cfs_bandwidth_rq_online(struct rq *rq)
{
	for_each_child(&rq->m->root_tg, rq, enable);
}

/* What is left on the CPU must be able to leave it. */
static void disable(struct cfs_rq *cfs_rq)
{
	if (!cfs_rq->runtime_enabled)
		return;
	cfs_rq->runtime_remaining = 1;
	cfs_rq->runtime_enabled = false;
	if (cfs_rq_throttled(cfs_rq))
		unthrottle_cfs_rq(cfs_rq);
}

void cfs_bandwidth_rq_offline(struct rq *rq)
{
	for_each_child(&rq->m->root_tg, rq, disable);
}

void cfs_bandwidth_destroy(struct machine *m, struct task_group *tg)
{
	if (!tg->cfs_bandwidth)
		return;
	m->nr_cfs_limits -= is_limited(tg);
	sched_timer_cancel(m, &tg->cfs_bandwidth->period_timer);
	sched_timer_cancel(m, &tg->cfs_bandwidth->slack_timer);
	g_clear_pointer(&tg->cfs_bandwidth, g_free);
}
