/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling policies and priorities by rt-app's names.
 */
#ifndef WORKLOAD_POLICY_SPEC_H
#define WORKLOAD_POLICY_SPEC_H

#include "workload/node.h"
#include "workload/program.h"

/* What a task's or a phase's policy and priority set. */
struct sched_setting {
	enum sched_policy policy;
	int nice;             /* 0 for others than fair policies */
	unsigned rt_priority; /* 1..99 for SCHED_FIFO and SCHED_RR, else 0 */
};

/* "SCHED_OTHER" and so on. */
bool policy_read(const struct node *n, enum sched_policy *out, GError **error);
/* @policy with rt-app's priority for it: nice 0, or real-time priority 10. */
struct sched_setting sched_setting_default(enum sched_policy policy);
/*
 * rt-app's "priority": the nice value of a fair task, the priority of a real-time one;
 * of a deadline task it means nothing and is warned of.
 */
bool priority_read(const struct node *n, struct sched_setting *s, GError **error);
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
/* The "util_min" and "util_max" of object @n; a deadline task's are warned of. */
bool clamps_read(const struct node *n, enum sched_policy policy,
		 struct clamp_setting *out, GError **error);
/* For sched_setattr(), which leaves all else as it is. */
struct sched_attr clamps_attr(const struct clamp_setting *clamps);
/* Warns of each "dl-" key, for a task that is not of SCHED_DEADLINE. */
void dl_keys_warn(const struct node *n);

#endif
