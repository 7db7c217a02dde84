/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pushing the task that runs: what balancing does when pulling failed too often.
 */
#include "sched/clock.h"
#include "sched/core.h"
#include "sched/lb.h"

/* The lowest domain of @target that spans @cpu, or NULL. */
static struct sched_domain *domain_with(const struct rq *target, int cpu)
{
	struct sched_domain *sd = target->sd;

	while (sd && !cpumask_test(&sd->span, cpu))
		sd = sd->parent;
	return sd;
}

static void push_one_task(struct rq *busiest, struct rq *target,
			  struct sched_domain *sd)
{
	struct lb_env env = {
		.m = busiest->m,
		.sd = sd,
		.src_rq = busiest,
		.src_cpu = busiest->cpu,
		.dst_rq = target,
		.dst_cpu = target->cpu,
		.idle = CPU_IDLE,
		.flags = LBF_ACTIVE_LB,
	};

	list_init(&env.tasks);
	update_rq_clock(busiest);
	if (!detach_one_task(&env))
		return;
	sd->nr_balance_failed = 0;
	attach_tasks(&env);
	OBSERVE(env.m, load_balance, env.m,
		&(struct balance_event){
			.cpu = target->cpu,
			.idle = CPU_IDLE,
			.sd = sd,
			.busiest_cpu = busiest->cpu,
			.nr_moved = 1,
			.active = true,
		});
}

void active_load_balance_cpu_stop(struct rq *busiest, void *arg)
{
	struct rq *target = cpu_rq(busiest->m, busiest->push_cpu);
	struct sched_domain *sd = domain_with(target, busiest->cpu);

	/* The stopper is one of those that run, so another is there to be moved. */
	if (busiest->nr_running > 1 && sd &&
	    cpumask_test(&busiest->m->active, busiest->cpu) &&
	    cpumask_test(&busiest->m->active, target->cpu))
		push_one_task(busiest, target, sd);
	busiest->active_balance = false;
}
