/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's entry points.  They act at m->now_ns and never wait: whoever
 * drives them (a simulation, or a recorded list of events) owns the clockwork.
 */
#ifndef SCHED_CORE_H
#define SCHED_CORE_H

#include "schedsim/machine.h"
#include "schedsim/wakeup.h"

/*
 * The kernel's initial state, for a machine whose CPUs and domains stand.
 * source: sched_init()
 */
void sched_init(struct machine *m);

/*
 * Makes @t a new task of the caller: fields as after __sched_fork() with this
 * policy, nice and affinity; @t itself zeroed by the caller, pid, comm, owner set, its
 * group if not the root, and rt_priority for a policy of the real-time class.  0, or
 * -EAGAIN: deadline tasks do not fork.
 */
int sched_fork(struct machine *m, struct task *t, enum sched_policy policy, int nice,
	       const struct cpumask *cpus, int this_cpu);
/* Starts @t from the current task of @this_cpu.  source: wake_up_new_task() */
void wake_up_new_task(struct machine *m, struct task *t, int this_cpu);

/*
 * Wakes @t from @this_cpu, in its current task's context or (@in_task false) in
 * an interrupt over it.  @wake_flags: WF_SYNC or 0.  False when @t was not asleep.
 * source: try_to_wake_up()
 */
bool try_to_wake_up(struct machine *m, struct task *t, int this_cpu,
		    unsigned wake_flags, bool in_task);
/* What the driver's delay_ttwu() was told of is over.  source: ttwu_queue() */
void sched_ttwu_queue(struct machine *m, struct task *t);
/*
 * The interprocessor interrupt of a remote wakeup arrives.
 * source: sched_ttwu_pending()
 */
void sched_ttwu_pending(struct rq *rq);
/* Likewise, with whatever else waits for @rq: a kick to balance for idle CPUs, or
 * a push of real-time tasks. */
void sched_ipi(struct rq *rq);

/* The current task of @cpu sleeps (@state), or dies.  Picks another. */
void sched_block(struct machine *m, int cpu, enum task_state state);
void sched_exit(struct machine *m, int cpu);
/* source: do_sched_yield() */
void do_sched_yield(struct machine *m, int cpu);

/*
 * @cpu has nothing to run and nothing came up since.  True when its tick is to stop
 * until it leaves its idle task.
 */
bool sched_idle_enter(struct machine *m, int cpu);

/* One tick of @cpu, up to the reschedule.  source: scheduler_tick() and the softirq */
void sched_tick(struct machine *m, int cpu);

/* schedule() on every CPU with need_resched, ascending, until none is left. */
void sched_resched_all(struct machine *m);

void set_user_nice(struct machine *m, struct task *t, int nice);
/*
 * Changes policy and priority at once; called from @this_cpu.  0, or an errno as the
 * kernel gives it, with nothing changed:
 *	-EINVAL: no such policy, or figures that do not go with it
 *	-EPERM: a deadline task that may not use its whole root domain
 *	-EBUSY: less bandwidth is left than it asks for, or it runs as a deadline task
 *		for one that waits for it
 * source: sched_setattr(), __sched_setscheduler()
 */
int sched_setattr(struct machine *m, struct task *t, const struct sched_attr *attr,
		  int this_cpu);
/*
 * @t runs with the priority of @pi_task, the first of those that wait for what it
 * holds (NULL: none waits), if that is higher than its own, and in its class.
 * @this_cpu: where the waiting or the unlocking happens.
 *
 * source: rt_mutex_setprio()
 */
void rt_mutex_setprio(struct machine *m, struct task *t, const struct task *pi_task,
		      int this_cpu);
/* Likewise, from the task itself and to a policy of the fair class. */
void set_scheduler(struct machine *m, struct task *t, enum sched_policy policy,
		   int nice);
/*
 * Lets @t run on @cpus only, moving it at once if it must; called from @this_cpu.
 * 0, or -EINVAL where no CPU is left.  source: __set_cpus_allowed_ptr()
 */
int set_cpus_allowed(struct machine *m, struct task *t, const struct cpumask *cpus,
		     int this_cpu);

/* For the classes and the balancer. */
void resched_curr(struct rq *rq);
void check_preempt_curr(struct rq *rq, struct task *t, unsigned wake_flags);
void activate_task(struct rq *rq, struct task *t, unsigned flags);
void deactivate_task(struct rq *rq, struct task *t, unsigned flags);
void set_task_cpu(struct machine *m, struct task *t, int cpu);
void add_nr_running(struct rq *rq, unsigned count);
void sub_nr_running(struct rq *rq, unsigned count);
/*
 * The next member of @mask after the one that callers on @rq got last, so that
 * tasks spread; CPUS_MAX when there is none.  source: cpumask_any_and_distribute()
 */
int any_and_distribute(struct rq *rq, const struct cpumask *mask);
/*
 * The CPU of @among, which is not empty, that is nearest to where @t ran last.
 * source: find_lowest_rq(), find_later_rq()
 */
int find_near_cpu(struct machine *m, const struct task *t, const struct cpumask *among);

#endif
