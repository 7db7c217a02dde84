/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling policies and priorities by rt-app's names.
 */
#ifndef WORKLOAD_POLICY_SPEC_H
#define WORKLOAD_POLICY_SPEC_H

#include "workload/node.h"
#include "workload/program.h"

/* "SCHED_OTHER" and so on, simulated or not. */
bool policy_read(const struct node *n, enum sched_policy *out, GError **error);
/* INPUT_ERROR_UNSUPPORTED at @n when tasks of @policy are not simulated. */
bool policy_check(const struct node *n, enum sched_policy policy, GError **error);
/* Whether object @n has a key that is about SCHED_DEADLINE alone. */
bool dl_keys_any(const struct node *n);
/*
 * What the "dl-" keys of object @n ask for, by rt-app's rules: the period is the
 * runtime unless given, the deadline is the period, and the runtime nothing.
 * @legacy: older names, "runtime" and so on, stand in for what is missing or 0.
 * Whether the kernel will accept it is not looked at.
 */
bool dl_setting_read(const struct node *n, bool legacy, struct dl_setting *out,
		     GError **error);
/* Warns of each of them, for a task that is not of SCHED_DEADLINE. */
void dl_keys_warn(const struct node *n);
/* rt-app's "priority" of a fair task: its nice value. */
bool nice_read(const struct node *n, int *out, GError **error);

#endif
