/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of tasks and phases.
 */
#ifndef WORKLOAD_TASK_KEYS_H
#define WORKLOAD_TASK_KEYS_H

#include "workload/reading.h"

/* Whether each key of task @n, which begins with @policy, is known and there once. */
bool task_keys_check(const struct node *n, enum sched_policy policy, GError **error);
/* Likewise of phase @n, which need not be an object. */
bool phase_keys_check(const struct node *n, GError **error);
/* Fails where task @n, which has "phases", has events beside them. */
bool phases_hold_all_events(const struct node *n, enum sched_policy policy,
			    GError **error);
/* "nodes_membind" of a task or phase. */
bool nodes_check(const struct reading *r, const struct node *n, GError **error);

#endif
