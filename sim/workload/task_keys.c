/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which keys tasks and phases have, and what is said of others.
 */
#include "workload/task_keys.h"

#include "schedsim/error.h"
#include "workload/event_spec.h"
#include "workload/read.h"

#include <string.h>

static const char *const task_keys[] = {
	"instance",    "policy",      "priority",    "cpus",      "delay",
	"loop",        "dl-runtime",  "dl-deadline", "dl-period", "dl-reclaim",
	"short_below", "wakee_flips", "cgroup",      "taskgroup", "nodes_membind",
	"util_min",    "util_max",    NULL};
static const char *const phase_keys[] = {
	"loop",        "policy",    "priority",   "cpus",      "dl-runtime",
	"dl-deadline", "dl-period", "dl-reclaim", "taskgroup", "nodes_membind",
	"util_min",    "util_max",  NULL};
/* Of older versions of rt-app; today's does not look at them in a fair task. */
static const char *const ignored_keys[] = {"exec", "period", "deadline", "resources",
					   NULL};

/* Names @known and every event, for the nearest one. */
static bool unknown_key(const struct node *member, const char *const *known,
			GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (; *known; known++)
		g_ptr_array_add(all, (gpointer)*known);
	for (known = event_names(); *known; known++)
		g_ptr_array_add(all, (gpointer)*known);
	g_ptr_array_add(all, NULL);
	return node_unknown_key(member, (const char *const *)all->pdata, error);
}

/* Whether @member may stand in a task or phase whose keys are @known. */
static bool check_key(const struct node *member, const char *const *known,
		      GError **error)
{
	const char *key = member->json->string;

	if (g_strv_contains(known, key))
		return node_is_first(member, error);
	if (key_is_event(key))
		return true;
	if (!g_strv_contains(ignored_keys, key))
		return unknown_key(member, known, error);
	node_warn(member, "ignored, as rt-app does");
	return true;
}

/*
 * Older names of a deadline task's figures.  In other tasks they mean nothing, but for
 * "runtime", which is an event.
 */
static bool is_legacy_deadline_key(const char *key, enum sched_policy policy)
{
	return policy == POLICY_DEADLINE &&
	       (!strcmp(key, "runtime") || !strcmp(key, "period") ||
		!strcmp(key, "deadline"));
}

static bool check_task_key(const struct node *member, enum sched_policy policy,
			   GError **error)
{
	const char *key = member->json->string;

	if (!strcmp(key, "phases") ||
	    (is_legacy_deadline_key(key, policy) && !key_is_event(key)))
		return node_is_first(member, error);
	return check_key(member, task_keys, error);
}

bool task_keys_check(const struct node *n, enum sched_policy policy, GError **error)
{
	struct node child;

	node_for_each(child,
		      n) if (!check_task_key(&child, policy, error)) return false;
	return true;
}

bool phase_keys_check(const struct node *n, GError **error)
{
	struct node child;

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object of events", error);
	node_for_each(child, n)
	{
		if (!strcmp(child.json->string, "delay"))
			return node_fail(&child, INPUT_ERROR_VALUE, error,
					 "expected \"sleep\" in a phase, for \"delay\" "
					 "is a task's key");
		if (g_strv_contains(task_keys, child.json->string) &&
		    !g_strv_contains(phase_keys, child.json->string))
			return node_fail(&child, INPUT_ERROR_VALUE, error,
					 "expected a phase's key, got a task's");
		if (!check_key(&child, phase_keys, error))
			return false;
	}
	return true;
}

bool phases_hold_all_events(const struct node *n, enum sched_policy policy,
			    GError **error)
{
	struct node child;

	node_for_each(child, n)
	{
		const char *key = child.json->string;

		if (key_is_event(key) && !is_legacy_deadline_key(key, policy))
			return node_fail(&child, INPUT_ERROR_VALUE, error,
					 "expected events inside \"phases\" only, got "
					 "one beside it");
	}
	return true;
}

/* Memory has no place: the nodes need only be there. */
bool nodes_check(const struct reading *r, const struct node *n, GError **error)
{
	struct node nodes = node_get(n, "nodes_membind"), child;
	int64_t node;

	if (!nodes.json)
		return true;
	if (!cJSON_IsArray(nodes.json))
		return node_expected(&nodes, "an array of nodes", error);
	node_for_each(child, &nodes)
	{
		if (!read_int(&child, 0, r->topo->nr_nodes - 1, &node, error))
			return false;
	}
	node_warn(&nodes, "without meaning here, as memory has no place");
	return true;
}
