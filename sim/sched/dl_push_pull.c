/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where deadline tasks run: the choice at wakeup, and moves that keep the earliest
 * deadlines of a root domain running.
 */
#include "sched/core.h"
#include "sched/dl_internal.h"
#include "schedsim/wakeup.h"

/* Pushable tasks */

static struct task *pushable_task_of(const struct rb_node *node)
{
	return list_entry(node, struct task, pushable_dl_tasks);
}

static bool pushable_before(const struct rb_node *a, const struct rb_node *b)
{
	return dl_entity_preempt(&pushable_task_of(a)->dl, &pushable_task_of(b)->dl);
}

void enqueue_pushable_dl_task(struct rq *rq, struct task *t)
{
	struct rb_root *root = &rq->dl.pushable_dl_tasks_root;

	g_assert(!t->pushable_dl);
	rb_insert(root, &t->pushable_dl_tasks, pushable_before);
	t->pushable_dl = true;
	if (rb_first(root) == &t->pushable_dl_tasks)
		rq->dl.earliest_dl.next = t->dl.deadline;
}

void dequeue_pushable_dl_task(struct rq *rq, struct task *t)
{
	struct rb_root *root = &rq->dl.pushable_dl_tasks_root;
	bool was_first = rb_first(root) == &t->pushable_dl_tasks;

	if (!t->pushable_dl)
		return;
	rb_remove(root, &t->pushable_dl_tasks);
	t->pushable_dl = false;
	/* The last one's deadline is kept, as in the kernel. */
	if (was_first && rb_first(root))
		rq->dl.earliest_dl.next = pushable_task_of(rb_first(root))->dl.deadline;
}

static struct task *pick_next_pushable_dl_task(const struct rq *rq)
{
	const struct rb_node *first = rb_first(&rq->dl.pushable_dl_tasks_root);

	return first ? pushable_task_of(first) : NULL;
}

/* NULL: none that may use @cpu. */
static struct task *pick_earliest_pushable_dl_task(const struct rq *rq, int cpu)
{
	const struct rb_node *node = rb_first(&rq->dl.pushable_dl_tasks_root);

	while (node && !task_may_use(pushable_task_of(node), cpu))
		node = rb_next(node);
	return node ? pushable_task_of(node) : NULL;
}

/* Overload */

/* source: update_dl_migration() */
static void update_dl_migration(struct rq *rq)
{
	rq->dl.overloaded = rq->dl.dl_nr_migratory && rq->dl.dl_nr_running > 1;
	if (rq->dl.overloaded && rq_is_online(rq))
		cpumask_set(&rq->rd->dlo_mask, rq->cpu);
	else
		cpumask_clear(&rq->rd->dlo_mask, rq->cpu);
}

void inc_dl_migration(struct rq *rq, const struct task *t)
{
	rq->dl.dl_nr_migratory += t->nr_cpus_allowed > 1;
	update_dl_migration(rq);
}

void dec_dl_migration(struct rq *rq, const struct task *t)
{
	rq->dl.dl_nr_migratory -= t->nr_cpus_allowed > 1;
	update_dl_migration(rq);
}

/* Where to */

/* Whether @t would be the first to run on @rq. */
static bool dl_task_is_earliest_deadline(const struct task *t, const struct rq *rq)
{
	return !rq->dl.dl_nr_running ||
	       dl_time_before(t->dl.deadline, rq->dl.earliest_dl.curr);
}

/* A CPU where @t could run now; CPU_NONE.  source: find_later_rq() */
static int find_later_rq(struct machine *m, const struct task *t)
{
	struct cpumask later;

	if (t->nr_cpus_allowed == 1 || !cpudl_find(m, t, &later))
		return CPU_NONE;
	return find_near_cpu(m, t, &later);
}

/*
 * A task with a later deadline than current's goes elsewhere if it can; one with an
 * earlier deadline stays, for it may matter, unless current is bound to this CPU.
 * source: select_task_rq_dl()
 */
int select_task_rq_dl(struct machine *m, struct task *t, int prev_cpu, int this_cpu,
		      unsigned wake_flags, bool in_task)
{
	const struct task *curr = cpu_rq(m, prev_cpu)->curr;
	bool moves;
	int target;

	if (!(wake_flags & WF_TTWU))
		return prev_cpu;
	moves = dl_task(curr) && t->nr_cpus_allowed > 1 &&
		(curr->nr_cpus_allowed < 2 || !dl_entity_preempt(&t->dl, &curr->dl));
	if (!moves && dl_fits_capacity(m, t, prev_cpu))
		return prev_cpu;
	target = find_later_rq(m, t);
	if (target != CPU_NONE && dl_task_is_earliest_deadline(t, cpu_rq(m, target)))
		return target;
	return prev_cpu;
}

static void move_task(struct machine *m, struct task *t, struct rq *to)
{
	deactivate_task(task_rq(m, t), t, 0);
	set_task_cpu(m, t, to->cpu);
	activate_task(to, t, 0);
}

/* source: find_lock_later_rq() */
static struct rq *find_target(struct rq *rq, const struct task *t)
{
	int cpu = find_later_rq(rq->m, t);

	if (cpu == CPU_NONE || cpu == rq->cpu ||
	    !dl_task_is_earliest_deadline(t, cpu_rq(rq->m, cpu)))
		return NULL;
	return cpu_rq(rq->m, cpu);
}

bool push_dl_task(struct rq *rq)
{
	struct task *next = pick_next_pushable_dl_task(rq);
	struct rq *later_rq;

	if (!rq->dl.overloaded || !next)
		return false;
	/* It comes first here: let current move instead. */
	if (dl_task(rq->curr) && dl_entity_preempt(&next->dl, &rq->curr->dl) &&
	    rq->curr->nr_cpus_allowed > 1) {
		resched_curr(rq);
		return false;
	}
	later_rq = find_target(rq, next);
	if (!later_rq)
		return false;
	move_task(rq->m, next, later_rq);
	resched_curr(later_rq);
	return true;
}

/* Where @t may run at all, if it cannot run at once anywhere. */
static struct rq *find_any_target(struct machine *m, const struct task *t)
{
	struct cpumask cpus = cpumask_and(&m->active, &t->cpus_mask);

	return cpu_rq(m, cpumask_first(cpumask_empty(&cpus) ? &m->active : &cpus));
}

struct rq *dl_task_offline_migration(struct rq *rq, struct task *t)
{
	struct rq *later_rq = find_target(rq, t);

	if (!later_rq)
		later_rq = find_any_target(rq->m, t);
	/* Throttled, it is active all the same. */
	sub_running_bw(&rq->dl, t->dl.dl_bw);
	sub_rq_bw(&rq->dl, t->dl.dl_bw);
	add_rq_bw(&later_rq->dl, t->dl.dl_bw);
	add_running_bw(&later_rq->dl, t->dl.dl_bw);
	dl_bw_sub_span(rq->m, rq->rd, t->dl.dl_bw);
	dl_bw_add_span(rq->m, later_rq->rd, t->dl.dl_bw);
	set_task_cpu(rq->m, t, later_rq->cpu);
	return later_rq;
}

void push_dl_tasks(struct rq *rq)
{
	while (push_dl_task(rq))
		;
}

/*
 * The task of @src that is to come to @this_rq; NULL: none.
 * @before: the deadline of the last one that came
 */
static struct task *find_to_pull(const struct rq *this_rq, const struct rq *src,
				 uint64_t before)
{
	struct task *t;

	/* Not worth a look: what it could give would not run here. */
	if (this_rq->dl.dl_nr_running &&
	    dl_time_before(this_rq->dl.earliest_dl.curr, src->dl.earliest_dl.next))
		return NULL;
	if (src->dl.dl_nr_running <= 1)
		return NULL;
	t = pick_earliest_pushable_dl_task(src, this_rq->cpu);
	if (!t || !dl_time_before(t->dl.deadline, before) ||
	    !dl_task_is_earliest_deadline(t, this_rq))
		return NULL;
	/* It is about to run where it is. */
	if (dl_time_before(t->dl.deadline, src->curr->dl.deadline))
		return NULL;
	return t;
}

void pull_dl_task(struct rq *this_rq)
{
	struct machine *m = this_rq->m;
	uint64_t before = INT64_MAX;
	bool pulled = false;
	int cpu;

	for_each_cpu (cpu, &this_rq->rd->dlo_mask) {
		struct task *t = NULL;

		if (cpu != this_rq->cpu)
			t = find_to_pull(this_rq, cpu_rq(m, cpu), before);
		if (!t)
			continue;
		move_task(m, t, this_rq);
		before = t->dl.deadline;
		pulled = true;
	}
	if (pulled)
		resched_curr(this_rq);
}
