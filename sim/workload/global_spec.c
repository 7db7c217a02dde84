/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of rt-app's global settings a simulation needs two, and logs of rt-app's three; the
 * others say where rt-app logs and how it measures the real CPU.
 *
 * source: rt-app, doc/tutorial.txt
 */
#include "workload/global_spec.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "workload/params.h"
#include "workload/policy_spec.h"
#include "workload/read.h"

#define EXPECTED_DURATION                                                              \
	"-1, a whole number of seconds from 1 or a time such as \"250ms\""

/* Most are without meaning here: where logs go, page locking, and priority inheritance,
 * which never boosts a fair task. */
static const char *const known_keys[] = {
	"duration",  "default_policy",  "calibration",      "pi_enabled", "lock_pages",
	"logdir",    "log_basename",    "log_size",         "ftrace",     "gnuplot",
	"io_device", "mem_buffer_size", "cumulative_slack", NULL};
/* Of older versions; today's rt-app does not look at them. */
static const char *const ignored_keys[] = {"frag",    "fragment", "logsize",
					   "baselog", "spacing",  NULL};

static bool read_duration(const struct node *n, uint64_t *out_ns, GError **error)
{
	struct quantity q;

	if (!quantity_read(n, EXPECTED_DURATION, &q, error))
		return false;
	if (q.time_power == 1 && q.value.num > 0)
		return read_time(n, BARE_NONE, out_ns, error);
	if (q.time_power || q.value.den != 1 || q.value.num < -1 || !q.value.num ||
	    q.value.num > (int64_t)(SPAN_MAX_NS / NSEC_PER_SEC))
		return node_expected(n, EXPECTED_DURATION, error);
	if (q.value.num > 0)
		*out_ns = q.value.num * NSEC_PER_SEC;
	return true;
}

static bool check_keys(const struct node *n, GError **error)
{
	struct node child;

	node_for_each(child, n)
	{
		if (g_strv_contains(ignored_keys, child.json->string))
			node_warn(&child, "ignored, as rt-app does");
		else if (!g_strv_contains(known_keys, child.json->string))
			return node_unknown_key(&child, known_keys, error);
		if (!node_is_first(&child, error))
			return false;
	}
	return true;
}

/* A CPU's name asks rt-app to measure, which a simulation cannot. */
static bool read_calibration(const struct node *n, unsigned *out, GError **error)
{
	int64_t ns = 0;

	if (cJSON_IsString(n->json))
		return true;
	if (!cJSON_IsNumber(n->json))
		return node_expected(n, "ns per loop or the name of a CPU", error);
	if (!read_int(n, 0, G_MAXINT32, &ns, error))
		return false;
	*out = (unsigned)ns;
	return true;
}

static bool read_log(const struct node *n, struct rtapp_log_spec *out, GError **error)
{
	struct node calibration = node_get(n, "calibration");
	struct node basename = node_get(n, "log_basename");
	struct node slack = node_get(n, "cumulative_slack");
	const char *name = NULL;

	if ((calibration.json &&
	     !read_calibration(&calibration, &out->ns_per_loop, error)) ||
	    (basename.json && !read_string(&basename, &name, error)) ||
	    (slack.json && !read_bool(&slack, &out->cumulative_slack, error)))
		return false;
	out->basename = g_strdup(name);
	return true;
}

bool global_read(struct reading *r, const struct node *n, GError **error)
{
	struct node duration, policy;

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object", error);
	duration = node_get(n, "duration");
	policy = node_get(n, "default_policy");
	return check_keys(n, error) &&
	       (!duration.json ||
		read_duration(&duration, &r->w->duration_ns, error)) &&
	       (!policy.json || policy_read(&policy, &r->default_policy, error)) &&
	       read_log(n, &r->w->rtapp_log, error);
}
