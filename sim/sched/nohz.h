/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle CPUs whose tick is stopped: who balances for them, and when.
 */
#ifndef SCHED_NOHZ_H
#define SCHED_NOHZ_H

#include "schedsim/observer.h"

/* source: NOHZ_*_KICK of kernel/sched/sched.h */
enum nohz_kick {
	NOHZ_BALANCE_KICK = 1, /* balance the idle CPUs */
	NOHZ_STATS_KICK = 2,   /* fade their blocked load */
	NOHZ_NEWILB_KICK = 4,  /* fade it before going idle oneself */
	NOHZ_NEXT_KICK = 8,    /* look at when they are due */
};

/* At the tick of @rq: perhaps wakes an idle CPU to balance for all. */
void nohz_balancer_kick(struct rq *rq);

/*
 * The softirq of a CPU that was kicked; false when it was not, and the ordinary
 * balancing is to follow.
 */
bool nohz_idle_balance(struct rq *rq, enum cpu_idle_type idle);

/* A newly idle pass of @rq pulled nothing. */
void nohz_newidle_balance(struct rq *rq);

/* The kick's interrupt arrives at @rq.  True when the softirq is to run. */
bool nohz_kick_arrives(struct rq *rq);

/* @rq is no longer an idle CPU without a tick. */
void nohz_balance_exit_idle(struct rq *rq);

/*
 * @rq's idle task took over and is about to wait.  True when its tick stops.
 * source: do_idle(), nohz_run_idle_balance(), nohz_balance_enter_idle()
 */
bool nohz_idle_enter(struct rq *rq);

#endif
