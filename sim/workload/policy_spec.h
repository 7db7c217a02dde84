/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling policies and priorities by rt-app's names.
 */
#ifndef WORKLOAD_POLICY_SPEC_H
#define WORKLOAD_POLICY_SPEC_H

#include "schedsim/task.h"
#include "workload/node.h"

/* "SCHED_OTHER" and so on, simulated or not. */
bool policy_read(const struct node *n, enum sched_policy *out, GError **error);
/* INPUT_ERROR_UNSUPPORTED at @n when tasks of @policy are not simulated. */
bool policy_check(const struct node *n, enum sched_policy policy, GError **error);
/* rt-app's "priority" of a fair task: its nice value. */
bool nice_read(const struct node *n, int *out, GError **error);

#endif
