/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks a balance takes from a CPU, and how they change queues.
 */
#include "sched/bandwidth.h"
#include "sched/core.h"
#include "sched/fair.h"
#include "sched/lb.h"
#include "schedsim/wakeup.h"

/* migration_cost_ns of -1 in the kernel's unsigned int: every task is hot. */
#define MIGRATION_COST_INFINITE UINT32_MAX

/* By how long ago @t ran; a policy may know better.  source: the end of task_hot() */
static bool ran_recently(const struct rq *src, const struct task *t)
{
	uint64_t cost_ns = src->m->tunables.migration_cost_ns;
	const struct wakeup_policy *policy = src->m->policy;
	int opinion = -1;

	if (cost_ns == MIGRATION_COST_INFINITE)
		return true;
	if (!cost_ns)
		return false;
	if (policy && policy->task_hot)
		opinion = policy->task_hot(src, t);
	if (opinion >= 0)
		return opinion;
	return (int64_t)(src->clock_task - t->se.exec_start) < (int64_t)cost_ns;
}

/* Is @t likely to find its data in the source's cache?  source: task_hot() */
static bool task_hot(const struct lb_env *env, const struct task *t)
{
	const struct machine *m = env->m;

	if (t->sched_class != &fair_sched_class || task_is_idle_policy(t))
		return false;
	if (env->sd->flags & SD_SHARE_CPUCAPACITY)
		return false;
	if (m->feat.CACHE_HOT_BUDDY && env->dst_rq->nr_running &&
	    m->profile->fair->hot_buddy(t))
		return true;
	return ran_recently(env->src_rq, t);
}

/*
 * @t may not run on the destination.  Perhaps another CPU of its group could take
 * @t, should the balance fail for want of tasks.
 */
static void note_pinned(struct lb_env *env, const struct task *t)
{
	struct cpumask others;
	int cpu;

	env->flags |= LBF_SOME_PINNED;
	if (env->idle == CPU_NEWLY_IDLE ||
	    env->flags & (LBF_DST_PINNED | LBF_ACTIVE_LB))
		return;

	others = cpumask_and(&env->dst_grpmask, &env->cpus);
	others = cpumask_and(&others, &t->cpus_mask);
	cpu = cpumask_first(&others);
	if (cpu < CPUS_MAX) {
		env->flags |= LBF_DST_PINNED;
		env->new_dst_cpu = cpu;
	}
}

/* source: can_migrate_task() */
static bool can_migrate_task(struct lb_env *env, const struct task *t)
{
	if (t->per_cpu_kthread ||
	    throttled_lb_pair(t->sched_task_group, env->src_rq, env->dst_rq))
		return false;
	if (!task_may_use(t, env->dst_cpu)) {
		note_pinned(env, t);
		return false;
	}
	env->flags &= ~LBF_ALL_PINNED;
	if (t->on_cpu)
		return false;
	if (env->flags & LBF_ACTIVE_LB)
		return true;
	return !task_hot(env, t) ||
	       env->sd->nr_balance_failed > env->sd->cache_nice_tries;
}

/*
 * Takes @amount of load or utilisation off the imbalance, if it is not too much.
 * Each failed balance doubles what is accepted.
 */
static bool take_amount(struct lb_env *env, uint64_t amount)
{
	unsigned shift = MIN(env->sd->nr_balance_failed, 63);

	if (amount >> shift > (uint64_t)env->imbalance)
		return false;
	env->imbalance -= (int64_t)amount;
	return true;
}

/* Whether moving @t helps; then the imbalance is less by it. */
static bool take_off_imbalance(struct lb_env *env, const struct task *t)
{
	uint64_t load;

	switch (env->migration_type) {
	case MIGRATE_LOAD:
		load = MAX(task_h_load(env->m, t), 1);
		if (env->m->feat.LB_MIN && load < 16 && !env->sd->nr_balance_failed)
			return false;
		return take_amount(env, load);
	case MIGRATE_UTIL:
		return take_amount(env, task_util_est(t));
	case MIGRATE_MISFIT:
		if (task_fits_cpu(env->m, t, env->src_cpu))
			return false;
		env->imbalance = 0;
		return true;
	case MIGRATE_TASK:
		break;
	}
	env->imbalance--;
	return true;
}

/* source: detach_task() */
static void detach_task(struct lb_env *env, struct task *t)
{
	deactivate_task(env->src_rq, t, QUEUE_NOCLOCK);
	set_task_cpu(env->m, t, env->dst_cpu);
	list_add_head(&env->tasks, &t->se.group_node);
}

/*
 * Whether to look at another task.  A CPU with time to spare leaves the source
 * one task, lest the source pull it back.
 */
static bool look_further(struct lb_env *env)
{
	if (env->idle != CPU_NOT_IDLE && env->src_rq->nr_running <= 1)
		return false;
	if (++env->loop > env->loop_max &&
	    (env->m->profile->pinned_end_at_loop_max || !(env->flags & LBF_ALL_PINNED)))
		return false;
	if (env->loop > env->loop_break) {
		env->loop_break += NR_MIGRATE_BREAK;
		env->flags |= LBF_NEED_BREAK;
		return false;
	}
	return true;
}

/*
 * Takes tasks from the tail of the source's list, the longest not run, until the
 * imbalance is gone; those refused go to the head, out of the way.  The source's
 * clock is up to date.
 */
unsigned detach_tasks(struct lb_env *env)
{
	struct list *tasks = &env->src_rq->cfs_tasks;
	bool only_one = env->idle == CPU_NEWLY_IDLE && env->m->preempt == PREEMPT_FULL;
	unsigned detached = 0;

	if (env->src_rq->nr_running <= 1) {
		env->flags &= ~LBF_ALL_PINNED;
		return 0;
	}
	if (env->imbalance <= 0)
		return 0;

	while (!list_empty(tasks) && look_further(env)) {
		struct task *t = list_entry(tasks->prev, struct task, se.group_node);

		if (!can_migrate_task(env, t) || !take_off_imbalance(env, t)) {
			list_del(&t->se.group_node);
			list_add_head(tasks, &t->se.group_node);
			continue;
		}
		detach_task(env, t);
		detached++;
		if (only_one || env->imbalance <= 0)
			break;
	}
	return detached;
}

bool detach_one_task(struct lb_env *env)
{
	struct list *head = &env->src_rq->cfs_tasks;

	for (struct list *pos = head->prev; pos != head; pos = pos->prev) {
		struct task *t = list_entry(pos, struct task, se.group_node);

		if (!can_migrate_task(env, t))
			continue;
		detach_task(env, t);
		return true;
	}
	return false;
}

void attach_tasks(struct lb_env *env)
{
	update_rq_clock(env->dst_rq);
	while (!list_empty(&env->tasks)) {
		struct task *t =
			list_entry(env->tasks.next, struct task, se.group_node);

		list_del(&t->se.group_node);
		activate_task(env->dst_rq, t, QUEUE_NOCLOCK);
		check_preempt_curr(env->dst_rq, t, 0);
	}
}
