/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fair class is what is simulated so far.
 */
#include "workload/policy_spec.h"

#include "schedsim/units.h"
#include "workload/read.h"

#include <string.h>

static const struct {
	const char *name;
	enum sched_policy policy;
	bool simulated;
} policies[] = {
	{"SCHED_OTHER", POLICY_NORMAL, true},
	{"SCHED_BATCH", POLICY_BATCH, true},
	{"SCHED_IDLE", POLICY_IDLE, true},
	{"SCHED_FIFO", POLICY_FIFO, false},
	{"SCHED_RR", POLICY_RR, false},
	{"SCHED_DEADLINE", POLICY_DEADLINE, false},
};

bool policy_read(const struct node *n, enum sched_policy *out, GError **error)
{
	const char *const names[] = {"SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE",
				     "SCHED_FIFO",  "SCHED_RR",    "SCHED_DEADLINE",
				     NULL};
	int choice;

	if (!read_choice(n, names, &choice, error))
		return false;
	*out = policies[choice].policy;
	return true;
}

bool policy_check(const struct node *n, enum sched_policy policy, GError **error)
{
	for (gsize i = 0; i < G_N_ELEMENTS(policies); i++)
		if (policies[i].policy == policy && !policies[i].simulated)
			return node_unsupported(n, policies[i].name, error);
	return true;
}

bool nice_read(const struct node *n, int *out, GError **error)
{
	int64_t nice;

	if (!read_int(n, MIN_NICE, MAX_NICE, &nice, error))
		return false;
	*out = nice;
	return true;
}
