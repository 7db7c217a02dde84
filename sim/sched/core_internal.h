/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the core share with each other and nobody else.
 */
#ifndef SCHED_CORE_INTERNAL_H
#define SCHED_CORE_INTERNAL_H

#include "sched/core.h"

/* A task taken out of its class for a moment, to be changed. */
struct set_aside {
	bool queued, running;
	unsigned flags;
};

void task_set_aside(struct rq *rq, struct task *t, unsigned flags,
		    struct set_aside *aside);
void task_put_back(struct rq *rq, struct task *t, const struct set_aside *aside);

/* An allowed and active CPU for @t.  source: select_task_rq() */
int select_allowed_cpu(struct machine *m, struct task *t, int prev_cpu, int this_cpu,
		       unsigned wake_flags, bool in_task);

/* The kernel's priority without any inheritance.  source: __normal_prio() */
int normal_prio(enum sched_policy policy, unsigned rt_priority, int nice);
/* The weight of t->policy and nice.  source: set_load_weight() */
void set_load_weight(const struct machine *m, struct task *t);

void run_balance_callbacks(struct rq *rq);

/* A wakeup ends the idle time of @rq, as of its clock.  source: ttwu_do_wakeup() */
void account_idle_end(struct rq *rq);

/*
 * An active CPU for @t, which may not stay on @cpu; its affinity is widened if it has
 * none.  source: select_fallback_rq()
 */
int select_fallback_rq(struct machine *m, struct task *t, int cpu);

/* A queued task that does not run goes to @cpu.  source: move_queued_task() */
void move_queued_task(struct machine *m, struct task *t, int cpu);
/*
 * The queued @t goes to t->migration_cpu, by the stopper if it runs, unless it may stay
 * where it is.
 */
void leave_cpu(struct machine *m, struct task *t);
/* Its affinity alone, wherever it is.  source: do_set_cpus_allowed() */
void do_set_cpus_allowed(struct machine *m, struct task *t, const struct cpumask *cpus);

/*
 * Has the stopper move what @rq runs elsewhere, if @rq goes off and it is not bound to
 * it.  True when so.  source: balance_push()
 */
bool balance_push(struct rq *rq);

#endif
