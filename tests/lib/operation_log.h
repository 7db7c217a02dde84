/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs in which nothing takes time but what a test says, and what operations say of
 * themselves as they end.
 */
#ifndef OPERATION_LOG_H
#define OPERATION_LOG_H

#include "workload/simulation.h"

typedef struct operation_log operation_log;

/*
 * @json: as of workload_of().  @rebuild: a rebuild policy with its settings.  @costs:
 * settings of the machine, separated by blanks.
 */
operation_log *operation_log_new(const char *json, const char *rebuild,
				 const char *costs);
void operation_log_free(operation_log *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(operation_log, operation_log_free)

struct workload_input *operation_log_input(operation_log *log);
/* Turns of tasks are to be told as well: their end, and how long they waited to go on
 * after a timer. */
void operation_log_turns(operation_log *log);

/*
 * Runs it with every invariant checked and expects these lines, in us:
 *
 *	45000 write cpuset.cpus since 5000: lock 0 rcu 30000 work 10000
 *	45400 resume since 45000: lock 0 rcu 0 work 400, walk 300, EBUSY
 *	46000 web-0 turned, late by 0
 *
 * of an operation its end, when it was due and, if not then, begun, how long it waited
 *for locks and for RCU, worked and, if it did, walked within that, and its errno, if
 *any.
 */
void operation_log_expect(operation_log *log, const char *lines);

#endif
