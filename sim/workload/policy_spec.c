/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling policies and what they need.
 */
#include "workload/policy_spec.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "workload/read.h"

#include <string.h>

/* source: DEFAULT_THREAD_PRIORITY, rt-app 1.0 */
#define DEFAULT_RT_PRIORITY 10

bool policy_read(const struct node *n, enum sched_policy *out, GError **error)
{
	static const char *const names[] = {
		"SCHED_OTHER", "SCHED_BATCH",    "SCHED_IDLE", "SCHED_FIFO",
		"SCHED_RR",    "SCHED_DEADLINE", NULL};
	static const enum sched_policy policies[] = {POLICY_NORMAL, POLICY_BATCH,
						     POLICY_IDLE,   POLICY_FIFO,
						     POLICY_RR,     POLICY_DEADLINE};
	int choice;

	if (!read_choice(n, names, &choice, error))
		return false;
	*out = policies[choice];
	return true;
}

struct sched_setting sched_setting_default(enum sched_policy policy)
{
	return (struct sched_setting){
		.policy = policy,
		.rt_priority = rt_policy(policy) ? DEFAULT_RT_PRIORITY : 0,
	};
}

bool priority_read(const struct node *n, struct sched_setting *s, GError **error)
{
	int64_t priority;

	if (s->policy == POLICY_DEADLINE) {
		node_warn(n, "ignored, for SCHED_DEADLINE has none");
		return read_int(n, G_MININT32, G_MAXINT32, &priority, error);
	}
	if (rt_policy(s->policy)) {
		if (!read_int(n, 1, MAX_RT_PRIO - 1, &priority, error))
			return false;
		s->rt_priority = (unsigned)priority;
		return true;
	}
	if (!read_int(n, MIN_NICE, MAX_NICE, &priority, error))
		return false;
	s->nice = (int)priority;
	return true;
}

static bool read_clamp(const struct node *clamp, bool *set, int *out, GError **error)
{
	int64_t value = 0;

	*set = clamp->json != NULL;
	if (*set && !read_int(clamp, -1, CAPACITY_ONE, &value, error))
		return false;
	*out = (int)value;
	return true;
}

static bool read_both_clamps(const struct node *n, struct clamp_setting *out,
			     GError **error)
{
	struct node min = node_get(n, "util_min"), max = node_get(n, "util_max");

	if (!read_clamp(&min, &out->set_min, &out->util_min, error) ||
	    !read_clamp(&max, &out->set_max, &out->util_max, error))
		return false;
	if (!out->set_min || !out->set_max || out->util_max == -1 ||
	    out->util_min <= out->util_max)
		return true;
	return node_fail(&min, INPUT_ERROR_VALUE, error,
			 "expected at most util_max, %d, got %d", out->util_max,
			 out->util_min);
}

/* rt-app sets none for a deadline task. */
bool clamps_read(const struct node *n, enum sched_policy policy,
		 struct clamp_setting *out, GError **error)
{
	struct node min = node_get(n, "util_min"), max = node_get(n, "util_max");

	if (!read_both_clamps(n, out, error))
		return false;
	if (policy != POLICY_DEADLINE)
		return true;
	if (min.json)
		node_warn(&min, "ignored, as rt-app does for SCHED_DEADLINE");
	if (max.json)
		node_warn(&max, "ignored, as rt-app does for SCHED_DEADLINE");
	*out = (struct clamp_setting){0};
	return true;
}

struct sched_attr clamps_attr(const struct clamp_setting *clamps)
{
	return (struct sched_attr){
		.sched_flags = SCHED_FLAG_KEEP_ALL |
			       (clamps->set_min ? SCHED_FLAG_UTIL_CLAMP_MIN : 0) |
			       (clamps->set_max ? SCHED_FLAG_UTIL_CLAMP_MAX : 0),
		.sched_util_min = clamps->util_min,
		.sched_util_max = clamps->util_max,
	};
}

static const char *const dl_keys[] = {"dl-runtime", "dl-period", "dl-deadline",
				      "dl-reclaim", NULL};

bool dl_keys_any(const struct node *n)
{
	for (gsize i = 0; dl_keys[i]; i++)
		if (node_get(n, dl_keys[i]).json)
			return true;
	return false;
}

void dl_keys_warn(const struct node *n)
{
	for (gsize i = 0; dl_keys[i]; i++) {
		struct node key = node_get(n, dl_keys[i]);

		if (key.json)
			node_warn(&key,
				  "ignored, for the policy is not SCHED_DEADLINE");
	}
}

/* The time under @key, or @fallback. */
static bool read_dl_time(const struct node *n, const char *key, uint64_t fallback,
			 uint64_t *out_ns, GError **error)
{
	struct node value = node_get(n, key);

	*out_ns = fallback;
	return !value.json || read_time(&value, BARE_US, out_ns, error);
}

/* source: parse_sched_data(), rt-app 1.0: a figure that is there and 0 is missing */
static bool read_legacy(const struct node *n, struct dl_setting *dl, GError **error)
{
	return (dl->runtime_ns ||
		read_dl_time(n, "runtime", 0, &dl->runtime_ns, error)) &&
	       (dl->period_ns ||
		read_dl_time(n, "period", dl->runtime_ns, &dl->period_ns, error)) &&
	       (dl->deadline_ns ||
		read_dl_time(n, "deadline", dl->period_ns, &dl->deadline_ns, error));
}

bool dl_setting_read(const struct node *n, bool legacy, struct dl_setting *out,
		     GError **error)
{
	struct node reclaim = node_get(n, "dl-reclaim");
	struct dl_setting dl = {0};

	if (!read_dl_time(n, "dl-runtime", 0, &dl.runtime_ns, error) ||
	    !read_dl_time(n, "dl-period", dl.runtime_ns, &dl.period_ns, error) ||
	    !read_dl_time(n, "dl-deadline", dl.period_ns, &dl.deadline_ns, error))
		return false;
	if (legacy && !read_legacy(n, &dl, error))
		return false;
	if (reclaim.json) {
		node_warn(&reclaim, "taken as SCHED_FLAG_RECLAIM, which today's rt-app "
				    "does not set");
		if (!read_bool(&reclaim, &dl.reclaim, error))
			return false;
	}
	*out = dl;
	return true;
}
