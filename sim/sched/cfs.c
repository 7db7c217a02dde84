/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CFS: entities in order of vruntime, with sleeper credit, buddies and slices
 * that end at ticks.
 */
#include "sched/cfs.h"

#include "sched/bandwidth.h"
#include "sched/core.h"
#include "sched/load_weight.h"
#include "sched/rbtree.h"

/* Where every queue's time begins, soon to wrap.  source: init_cfs_rq() */
#define INITIAL_VRUNTIME (-(1ULL << 20))

static inline struct sched_entity *entity_of(struct rb_node *node)
{
	return node ? list_entry(node, struct sched_entity, run_node) : NULL;
}

/* Over wraps: the difference decides.  source: entity_before() */
static inline bool entity_before(const struct sched_entity *a,
				 const struct sched_entity *b)
{
	return (int64_t)(a->vruntime - b->vruntime) < 0;
}

static bool node_before(const struct rb_node *a, const struct rb_node *b)
{
	return entity_before(list_entry(a, const struct sched_entity, run_node),
			     list_entry(b, const struct sched_entity, run_node));
}

static inline struct sched_entity *first_entity(const struct cfs_rq *cfs_rq)
{
	return entity_of(rb_first(&cfs_rq->timeline));
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return (int64_t)(b - a) > 0 ? b : a;
}

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
	return (int64_t)(b - a) < 0 ? b : a;
}

static void cfs_init_cfs_rq(struct cfs_rq *cfs_rq)
{
	cfs_rq->min_vruntime = INITIAL_VRUNTIME;
	cfs_rq->checked_min_vruntime = INITIAL_VRUNTIME;
}

void cfs_update_min_vruntime(struct cfs_rq *cfs_rq)
{
	const struct sched_entity *curr = cfs_rq->curr;
	const struct sched_entity *left = first_entity(cfs_rq);
	uint64_t vruntime = cfs_rq->min_vruntime;

	if (curr && !curr->on_rq)
		curr = NULL;
	if (curr)
		vruntime = curr->vruntime;
	if (left)
		vruntime = curr ? earlier(vruntime, left->vruntime) : left->vruntime;
	cfs_rq->min_vruntime = later(cfs_rq->min_vruntime, vruntime);
}

static bool cfs_account(struct cfs_rq *cfs_rq, struct sched_entity *curr,
			uint64_t delta_ns)
{
	curr->vruntime += calc_delta_fair(delta_ns, curr);
	cfs_update_min_vruntime(cfs_rq);
	return false;
}

static void cfs_tree_insert(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	rb_insert(&cfs_rq->timeline, &se->run_node, node_before);
}

static void cfs_tree_remove(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	rb_remove(&cfs_rq->timeline, &se->run_node);
}

/* Time in which each of @nr tasks runs once, ns.  source: __sched_period() */
static uint64_t sched_period(const struct machine *m, uint64_t nr)
{
	if (nr > m->tunables.nr_latency)
		return nr * m->tunables.min_granularity_ns;
	return m->tunables.latency_ns;
}

/* The part of @slice that falls to @se among the entities of its queue. */
static uint64_t slice_on_level(uint64_t slice, struct sched_entity *se)
{
	struct load_weight with_se;

	if (se->on_rq)
		return calc_delta(slice, se->load.weight, &se->cfs_rq->load);
	with_se = se->cfs_rq->load;
	load_weight_add(&with_se, se->load.weight);
	return calc_delta(slice, se->load.weight, &with_se);
}

uint64_t sched_slice(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	const struct machine *m = cfs_rq->rq->m;
	unsigned nr =
		m->feat.ALT_PERIOD ? cfs_rq->rq->cfs.h_nr_running : cfs_rq->nr_running;
	uint64_t slice = sched_period(m, nr + !se->on_rq);
	uint64_t least = m->tunables.min_granularity_ns;

	if (m->feat.BASE_SLICE && se_is_idle(se) && !sched_idle_cfs_rq(cfs_rq))
		least = m->tunables.idle_min_granularity_ns;
	for (; se; se = se->parent)
		slice = slice_on_level(slice, se);
	return m->feat.BASE_SLICE ? MAX(slice, least) : slice;
}

uint64_t sched_vslice(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	return calc_delta_fair(sched_slice(cfs_rq, se), se);
}

static void cfs_arrive(struct cfs_rq *cfs_rq, struct sched_entity *se, unsigned flags)
{
	/* Between queues vruntime is an offset; one that only slept kept its own. */
	if (!(flags & ENQUEUE_WAKEUP) || (flags & ENQUEUE_MIGRATED))
		se->vruntime += cfs_rq->min_vruntime;
}

/*
 * Slept so long that its vruntime may seem to lie ahead: half the range of the
 * signed difference, for the lightest weight.  source: entity_is_long_sleeper()
 */
static bool is_long_sleeper(const struct cfs_rq *cfs_rq, const struct sched_entity *se)
{
	uint64_t slept;

	if (!cfs_rq->rq->m->profile->long_sleeper_guard || !se->exec_start)
		return false;
	if (cfs_rq->rq->clock_task <= se->exec_start)
		return false;
	slept = cfs_rq->rq->clock_task - se->exec_start;
	return slept > (1ULL << 63) / scale_load_down(NICE_0_LOAD);
}

void place_entity(struct cfs_rq *cfs_rq, struct sched_entity *se, bool initial)
{
	const struct machine *m = cfs_rq->rq->m;
	uint64_t vruntime = cfs_rq->min_vruntime;

	if (initial) {
		if (m->feat.START_DEBIT)
			vruntime += sched_vslice(cfs_rq, se);
	} else {
		uint64_t credit = se_is_idle(se) ? m->tunables.min_granularity_ns
						 : m->tunables.latency_ns;

		vruntime -= m->feat.GENTLE_FAIR_SLEEPERS ? credit >> 1 : credit;
	}
	if (is_long_sleeper(cfs_rq, se))
		se->vruntime = vruntime;
	else
		se->vruntime = later(se->vruntime, vruntime);
}

static void cfs_place(struct cfs_rq *cfs_rq, struct sched_entity *se,
		      enum place_reason why)
{
	place_entity(cfs_rq, se, why == PLACE_FORK);
}

static void cfs_leave(struct cfs_rq *cfs_rq, struct sched_entity *se, unsigned flags)
{
	if (!(flags & DEQUEUE_SLEEP))
		se->vruntime -= cfs_rq->min_vruntime;
}

static void cfs_left(struct cfs_rq *cfs_rq, unsigned flags)
{
	/* Put aside for a moment only: what comes back must not find time moved on. */
	if ((flags & (QUEUE_SAVE | QUEUE_MOVE)) != QUEUE_SAVE)
		cfs_update_min_vruntime(cfs_rq);
}

uint64_t wakeup_gran(const struct machine *m, struct sched_entity *se)
{
	return calc_delta_fair(m->tunables.wakeup_granularity_ns, se);
}

int wakeup_preempt_entity(const struct machine *m, const struct sched_entity *curr,
			  struct sched_entity *se)
{
	int64_t lead = (int64_t)(curr->vruntime - se->vruntime);

	if (lead <= 0)
		return -1;
	return lead > (int64_t)wakeup_gran(m, se);
}

/* Another entity than the skipped @se, if it may run in its place, or @se. */
static struct sched_entity *pass_over(struct cfs_rq *cfs_rq, struct sched_entity *se,
				      struct sched_entity *curr,
				      struct sched_entity *left)
{
	struct sched_entity *second;

	if (se == curr) {
		second = first_entity(cfs_rq);
	} else {
		second = entity_of(rb_next(&se->run_node));
		if (!second || (curr && entity_before(curr, second)))
			second = curr;
	}
	if (second && wakeup_preempt_entity(cfs_rq->rq->m, second, left) < 1)
		return second;
	return se;
}

/* source: pick_next_entity() */
static struct sched_entity *cfs_pick(struct cfs_rq *cfs_rq, struct sched_entity *curr)
{
	const struct machine *m = cfs_rq->rq->m;
	struct sched_entity *left = first_entity(cfs_rq);
	struct sched_entity *se;

	if (!left || (curr && entity_before(curr, left)))
		left = curr;
	se = left;
	if (cfs_rq->skip && cfs_rq->skip == se)
		se = pass_over(cfs_rq, se, curr, left);

	/* A favourite runs unless the leftmost is so far behind that it would preempt
	 * it. */
	if (cfs_rq->next && wakeup_preempt_entity(m, cfs_rq->next, left) < 1)
		return cfs_rq->next;
	if (cfs_rq->last && wakeup_preempt_entity(m, cfs_rq->last, left) < 1)
		return cfs_rq->last;
	return se;
}

static void cfs_on_set(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	se->prev_sum_exec_runtime = se->sum_exec_runtime;
}

/* source: clear_buddies() */
static void cfs_forget(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	struct sched_entity *up;

	for (up = se; up && up->cfs_rq->last == up; up = up->parent)
		up->cfs_rq->last = NULL;
	for (up = se; up && up->cfs_rq->next == up; up = up->parent)
		up->cfs_rq->next = NULL;
	for (up = se; up && up->cfs_rq->skip == up; up = up->parent)
		up->cfs_rq->skip = NULL;
}

static void set_next_buddy(struct sched_entity *se)
{
	for (; se && se->on_rq && !se_is_idle(se); se = se->parent)
		se->cfs_rq->next = se;
}

static void set_last_buddy(struct sched_entity *se)
{
	for (; se && se->on_rq && !se_is_idle(se); se = se->parent)
		se->cfs_rq->last = se;
}

/* Whether @curr used up its slice.  source: check_preempt_tick() */
static void cfs_tick_check(struct cfs_rq *cfs_rq, struct sched_entity *curr)
{
	struct rq *rq = cfs_rq->rq;
	uint64_t slice = sched_slice(cfs_rq, curr);
	uint64_t ran = curr->sum_exec_runtime - curr->prev_sum_exec_runtime;
	int64_t lead;

	if (ran > slice) {
		resched_curr(rq);
		/* Or the pick would hand it the CPU again as somebody's favourite. */
		cfs_forget(cfs_rq, curr);
		return;
	}
	if (ran < rq->m->tunables.min_granularity_ns)
		return;
	/* vruntime against real time, as in the kernel: lighter tasks yield sooner. */
	lead = (int64_t)(curr->vruntime - first_entity(cfs_rq)->vruntime);
	if (lead > 0 && (uint64_t)lead > slice)
		resched_curr(rq);
}

/*
 * What the policies alone say of @t preempting @curr: 1 yes, 0 no, -1: vruntime is
 * to decide.
 */
static int preempts_by_policy(const struct machine *m, const struct task *curr,
			      const struct task *t)
{
	if (task_is_idle_policy(curr) && !task_is_idle_policy(t))
		return 1;
	if (t->policy != POLICY_NORMAL || !m->feat.WAKEUP_PREEMPTION)
		return 0;
	return -1;
}

/* Whether siblings @se and @pse (the wakee's) make a preemption; marks the wakee's. */
static bool preempts_by_vruntime(struct rq *rq, struct sched_entity *se,
				 struct sched_entity *pse, bool next_marked)
{
	bool curr_is_idle = se_is_idle(se);
	bool wakee_is_idle = se_is_idle(pse);

	if (curr_is_idle != wakee_is_idle)
		return curr_is_idle;
	update_curr(se->cfs_rq);
	if (wakeup_preempt_entity(rq->m, se, pse) != 1)
		return false;
	if (!next_marked)
		set_next_buddy(pse);
	return true;
}

/* source: check_preempt_wakeup() */
static void cfs_wakeup_check(struct rq *rq, struct task *t, unsigned wake_flags)
{
	struct task *curr = rq->curr;
	struct sched_entity *se = &curr->se, *pse = &t->se;
	bool crowded = curr->se.cfs_rq->nr_running >= rq->m->tunables.nr_latency;
	bool next_marked = false;
	int verdict;

	if (se == pse || throttled_hierarchy(pse->cfs_rq))
		return;
	if (rq->m->feat.NEXT_BUDDY && crowded && !(wake_flags & WF_FORK)) {
		set_next_buddy(pse);
		next_marked = true;
	}
	if (rq->need_resched)
		return;
	verdict = preempts_by_policy(rq->m, curr, t);
	if (verdict < 0) {
		find_matching_se(&se, &pse);
		verdict = preempts_by_vruntime(rq, se, pse, next_marked);
	}
	if (!verdict)
		return;
	resched_curr(rq);
	if (!se->on_rq || curr == rq->idle)
		return;
	if (rq->m->feat.LAST_BUDDY && crowded && entity_is_task(se))
		set_last_buddy(se);
}

/* source: yield_task_fair() */
static void cfs_yield(struct rq *rq)
{
	struct task *curr = rq->curr;
	struct sched_entity *se = &curr->se;

	if (rq->nr_running == 1)
		return;
	cfs_forget(se->cfs_rq, se);
	if (curr->policy != POLICY_BATCH) {
		update_rq_clock(rq);
		update_curr(se->cfs_rq);
		/* schedule() follows at once and would read the same clock. */
		rq_clock_skip_update(rq);
	}
	for (; se; se = se->parent)
		se->cfs_rq->skip = se;
}

/* source: task_fork_fair() */
static void cfs_fork(struct rq *rq, struct task *child)
{
	struct cfs_rq *cfs_rq = rq->curr->se.cfs_rq;
	struct sched_entity *curr = cfs_rq->curr;
	struct sched_entity *se = &child->se;

	if (curr) {
		update_curr(cfs_rq);
		se->vruntime = curr->vruntime;
	}
	place_entity(cfs_rq, se, true);
	if (rq->m->tunables.child_runs_first && curr && entity_before(curr, se)) {
		uint64_t vruntime = curr->vruntime;

		curr->vruntime = se->vruntime;
		se->vruntime = vruntime;
		resched_curr(rq);
	}
	se->vruntime -= cfs_rq->min_vruntime;
}

static void cfs_migrate(struct sched_entity *se)
{
	/* Not brought up to date: the kernel does not hold that queue's lock here. */
	se->vruntime -= se->cfs_rq->min_vruntime;
}

static bool cfs_hot_buddy(const struct task *t)
{
	return t->se.cfs_rq->next == &t->se || t->se.cfs_rq->last == &t->se;
}

const struct fair_ops cfs_ops = {
	.name = "cfs",
	.init_cfs_rq = cfs_init_cfs_rq,
	.account = cfs_account,
	.tree_insert = cfs_tree_insert,
	.tree_remove = cfs_tree_remove,
	.arrive = cfs_arrive,
	.place = cfs_place,
	.leave = cfs_leave,
	.left = cfs_left,
	.pick = cfs_pick,
	.on_set = cfs_on_set,
	.forget = cfs_forget,
	.stay_in_group = set_next_buddy,
	.tick_check = cfs_tick_check,
	.wakeup_check = cfs_wakeup_check,
	.yield = cfs_yield,
	.fork = cfs_fork,
	.migrate = cfs_migrate,
	.hot_buddy = cfs_hot_buddy,
	.slice_of = sched_slice,
};
