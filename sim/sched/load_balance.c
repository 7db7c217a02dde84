/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One balance of one domain: find who is busy, pull, and learn from how it went.
 */
#include "sched/clock.h"
#include "sched/core.h"
#include "sched/lb.h"
#include "sched/stop.h"

/* Pinned tasks stretch the interval even beyond the domain's maximum, to here. */
#define MAX_PINNED_INTERVAL_MS 512

enum outcome {
	BALANCED,
	ALL_PINNED, /* affinity holds every task of every busy CPU */
	ONE_PINNED, /* nothing moved, and the running task may not come here */
	UNBALANCED, /* pulled, or tried to */
};

static void restart_loop(struct lb_env *env)
{
	env->loop = 0;
	env->loop_break = NR_MIGRATE_BREAK;
}

/* Sets the source.  False: nobody to pull from, or not this CPU's turn. */
static bool find_source(struct lb_env *env, bool *continue_balancing)
{
	struct sd_lb_stats sds;
	struct sched_group *group;

	env->src_rq = NULL;
	env->src_cpu = CPU_NONE;
	if (!should_we_balance(env)) {
		*continue_balancing = false;
		return false;
	}
	group = find_busiest_group(env, &sds);
	if (!group)
		return false;
	env->src_rq = find_busiest_queue(env, group);
	if (!env->src_rq)
		return false;
	g_assert(env->src_rq != env->dst_rq);
	env->src_cpu = env->src_rq->cpu;
	return true;
}

/* 6.1.0, which looks on past loop_max, stops at the source's last task. */
static bool wants_another_turn(struct lb_env *env)
{
	if (!(env->flags & LBF_NEED_BREAK))
		return false;
	env->flags &= ~LBF_NEED_BREAK;
	return env->m->profile->pinned_end_at_loop_max ||
	       env->loop < env->src_rq->nr_running;
}

/*
 * Pulls from the source in turns of NR_MIGRATE_BREAK.  If affinity keeps tasks
 * from this CPU that another of its group may run, pulls on behalf of that one.
 */
static unsigned move_tasks(struct lb_env *env)
{
	unsigned moved = 0;

	for (;;) {
		unsigned detached;

		update_rq_clock(env->src_rq);
		detached = detach_tasks(env);
		if (detached)
			attach_tasks(env);
		moved += detached;

		if (wants_another_turn(env))
			continue;
		if (!(env->flags & LBF_DST_PINNED) || env->imbalance <= 0)
			return moved;
		cpumask_clear(&env->cpus, env->dst_cpu);
		env->dst_cpu = env->new_dst_cpu;
		env->dst_rq = cpu_rq(env->m, env->dst_cpu);
		env->flags &= ~LBF_DST_PINNED;
		restart_loop(env);
	}
}

/* Lets the level above see this group as imbalanced. */
static void note_affinity_limit(const struct lb_env *env)
{
	if (env->sd->parent && env->flags & LBF_SOME_PINNED && env->imbalance > 0)
		env->sd->parent->groups->sgc->imbalance = true;
}

static enum outcome pull(struct lb_env *env, unsigned *moved, bool *continue_balancing)
{
	while (find_source(env, continue_balancing)) {
		*moved = 0;
		env->flags |= LBF_ALL_PINNED;
		if (env->src_rq->nr_running <= 1)
			return UNBALANCED;

		env->loop_max =
			MIN(env->m->tunables.nr_migrate, env->src_rq->nr_running);
		*moved = move_tasks(env);
		note_affinity_limit(env);
		if (!(env->flags & LBF_ALL_PINNED))
			return UNBALANCED;

		cpumask_clear(&env->cpus, env->src_cpu);
		if (cpumask_subset(&env->cpus, &env->dst_grpmask))
			return ALL_PINNED;
		restart_loop(env);
	}
	return BALANCED;
}

/*
 * Whether only moving the running task would help.
 *
 * source: need_active_balance()
 */
static bool need_active_balance(const struct lb_env *env)
{
	const struct sched_domain *sd = env->sd;

	if (env->migration_type == MIGRATE_TASK &&
	    sd->nr_balance_failed > sd->cache_nice_tries + 2)
		return true;
	if (env->migration_type == MIGRATE_MISFIT)
		return true;
	return env->idle != CPU_NOT_IDLE && env->src_rq->cfs.h_nr_running == 1 &&
	       capacity_is_reduced(env->src_rq, sd) &&
	       env->src_rq->cpu_capacity * sd->imbalance_pct <
		       capacity_of(env->m, env->dst_cpu) * 100;
}

/* Has the source's stopper push a task here, unless it is to push one already. */
static void start_active_balance(const struct lb_env *env, int this_cpu)
{
	struct rq *busiest = env->src_rq;

	if (!env->m->feat.LB_ACTIVE || busiest->active_balance)
		return;
	busiest->active_balance = true;
	busiest->push_cpu = this_cpu;
	busiest->active_balance_work.fn = active_load_balance_cpu_stop;
	stop_one_cpu_nowait(busiest, &busiest->active_balance_work);
}

/* Nothing was moved: perhaps the running task is to be pushed. */
static enum outcome after_failure(struct lb_env *env, int this_cpu)
{
	if (env->idle != CPU_NEWLY_IDLE)
		env->sd->nr_balance_failed++;
	if (!need_active_balance(env))
		return UNBALANCED;
	if (!task_may_use(env->src_rq->curr, this_cpu))
		return ONE_PINNED;
	env->flags &= ~LBF_ALL_PINNED;
	start_active_balance(env, this_cpu);
	return UNBALANCED;
}

/* Nothing to do here, so look less often; newly idle passes keep no interval. */
static void lengthen_interval(const struct lb_env *env)
{
	struct sched_domain *sd = env->sd;

	if (env->idle == CPU_NEWLY_IDLE)
		return;
	if ((env->flags & LBF_ALL_PINNED &&
	     sd->balance_interval < MAX_PINNED_INTERVAL_MS) ||
	    sd->balance_interval < sd->max_interval)
		sd->balance_interval *= 2;
}

static void learn(const struct lb_env *env, enum outcome outcome)
{
	struct sched_domain *sd = env->sd;

	switch (outcome) {
	case BALANCED:
		if (sd->parent && !(env->flags & LBF_ALL_PINNED))
			sd->parent->groups->sgc->imbalance = false;
		/* fall through */
	case ALL_PINNED:
		sd->nr_balance_failed = 0;
		/* fall through */
	case ONE_PINNED:
		lengthen_interval(env);
		break;
	case UNBALANCED:
		sd->balance_interval = sd->min_interval;
		break;
	}
}

unsigned load_balance(struct rq *this_rq, struct sched_domain *sd,
		      enum cpu_idle_type idle, bool *continue_balancing)
{
	struct lb_env env = {
		.m = this_rq->m,
		.sd = sd,
		.dst_rq = this_rq,
		.dst_cpu = this_rq->cpu,
		.dst_grpmask = sd->groups->sgc->balance_mask,
		.idle = idle,
		.cpus = cpumask_and(&sd->span, &this_rq->m->active),
		.loop_break = NR_MIGRATE_BREAK,
	};
	unsigned moved = 0;
	enum outcome outcome;

	list_init(&env.tasks);
	outcome = pull(&env, &moved, continue_balancing);
	if (outcome == UNBALANCED && moved)
		sd->nr_balance_failed = 0;
	else if (outcome == UNBALANCED)
		outcome = after_failure(&env, this_rq->cpu);
	learn(&env, outcome);

	OBSERVE(env.m, load_balance, env.m,
		&(struct balance_event){
			.cpu = this_rq->cpu,
			.idle = idle,
			.sd = sd,
			.busiest_cpu = env.src_cpu,
			.nr_moved = moved,
		});
	return moved;
}
