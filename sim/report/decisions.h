/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decision trace: one JSON object a line, for every wakeup and what became
 * of it.
 *
 *   {"type":"run",...}        which workload, policy and seed the lines below are of
 *   {"type":"wakeup",...}     a decision of select_task_rq(), with its inputs
 *   {"type":"switch_in",...}  a thread runs, after the wakeup of that number
 *   {"type":"preempted",...}  a thread has to wait again
 *   {"type":"arrived",...}    a request came
 *   {"type":"received",...}   a thread took a message of that request
 *   {"type":"request",...}    a request was answered
 *   {"type":"warmup_over"}    figures count from here
 *
 * The inputs are sampled before the decision changed any state.
 */
#ifndef REPORT_DECISIONS_H
#define REPORT_DECISIONS_H

#include "schedsim/observer.h"
#include "workload/simulation.h"

#include <stdio.h>

typedef struct decisions decisions;

/*
 * Writes to @out, which must outlive it.  Its observers come before @next and
 * @sim_next, which must outlive it.
 */
decisions *decisions_new(FILE *out, const struct workload_input *in,
			 struct observer *next, const struct sim_observer *sim_next);
void decisions_free(decisions *d);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(decisions, decisions_free)

struct observer *decisions_observer(decisions *d);
const struct sim_observer *decisions_sim_observer(const decisions *d);

#endif
