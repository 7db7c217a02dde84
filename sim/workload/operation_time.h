/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How an operation on cpusets takes its time: the locks it has to have before it
 * changes anything, and then what it did, step by step.
 *
 * The change itself happens in one instant, once the locks are there; the journal it
 * left is then spent in its order: kernel time on the operation's CPU, locks within,
 * grace periods, and each lock given back where the kernel does.
 */
#ifndef WORKLOAD_OPERATION_TIME_H
#define WORKLOAD_OPERATION_TIME_H

#include "workload/operations.h"

/* operation_locks.c */

/*
 * Into run->locks go those that the next part of @run has to have before it changes
 * anything.  Where there are cpusets.
 */
void operation_names_locks(struct operation_run *run);
/* What it costs beside the steps of its journal; NR_CONTROL_COSTS: nothing. */
enum control_cost_id operation_base_cost(const struct operation_spec *spec);

/* operation_time.c */

/* A new operation of @run's entry begins. */
void operation_time_begin(struct operation_run *run);

/*
 * Each carries on with its part, in the context of the current thread @t, until it is
 * done: true.  False: @t has work, sleeps, or its CPU is held, and is to call again.
 */

/* @run->locks are taken. */
bool operation_takes_locks(struct thread *t, struct operation_run *run);
/* What the journal has gained is spent. */
bool operation_spends_journal(struct thread *t, struct operation_run *run);
/* What is held still is given back, but for what its next part is to keep. */
bool operation_releases_locks(struct thread *t, struct operation_run *run);

#endif
