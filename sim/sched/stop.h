/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stopper: a task on every CPU that preempts all others to move tasks.
 */
#ifndef SCHED_STOP_H
#define SCHED_STOP_H

#include "schedsim/machine.h"

extern const struct sched_class stop_sched_class;

/*
 * Has @rq's stopper do @work at its next reschedule, which this asks for.  @work must
 * not be queued.  source: stop_one_cpu_nowait()
 */
void stop_one_cpu_nowait(struct rq *rq, struct cpu_stop_work *work);

/* The stopper runs: does what is queued and sleeps again.  Takes no time. */
void run_stop_works(struct rq *rq);

/* Whether the stopper has yet to move @t off a CPU that it may not use. */
bool task_is_leaving(const struct task *t);

static inline bool has_stop_works(const struct rq *rq)
{
	return !list_empty(&rq->stop_works);
}

#endif
