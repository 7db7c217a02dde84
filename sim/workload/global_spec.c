/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt-app's global settings.  Some are for logs of rt-app's, and of others only the
 * value is looked at, so that what runs here runs there.
 *
 * source: rt-app, doc/tutorial.txt; parse_global() of rt-app 1.0 and later
 */
#include "workload/global_spec.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "workload/params.h"
#include "workload/policy_spec.h"
#include "workload/read.h"

#include <string.h>

#define EXPECTED_DURATION                                                              \
	"-1, a whole number of seconds from 1 or a time such as \"250ms\""

#define BUFFER_BYTES_MAX G_MAXINT32

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

/* Of MiB for each thread, or a way to log. */
static bool check_log_size(const struct node *n, GError **error)
{
	static const char *const ways[] = {"disable", "file", "auto", NULL};
	int64_t number;
	int choice;

	if (cJSON_IsString(n->json) && n->json->valuestring[0] != '=')
		return read_choice(n, ways, &choice, error);
	return read_int(n, 0, G_MAXINT32 >> 20, &number, error);
}

/* All or nothing or, of later versions, a list of what to trace. */
static bool check_ftrace(const struct node *n, GError **error)
{
	static const char *const all[] = {"",      "none",  "main",  "task", "loop",
					  "event", "stats", "attrs", NULL};
	g_auto(GStrv) given = NULL;
	const char *list;
	bool on;

	if (!cJSON_IsString(n->json))
		return read_bool(n, &on, error);
	if (!read_string(n, &list, error))
		return false;
	given = g_strsplit(list, ",", -1);
	for (char **one = given; *one; one++)
		if (!g_strv_contains(all, g_strstrip(*one)))
			return node_expected(n,
					     "true, false or some of none, main, task, "
					     "loop, event, stats and attrs",
					     error);
	return true;
}

static bool check_flag(const struct node *n, GError **error)
{
	bool flag;

	return read_bool(n, &flag, error);
}

/* rt-app takes null for no name. */
static bool check_name(const struct node *n, GError **error)
{
	const char *name;

	return cJSON_IsNull(n->json) || read_string(n, &name, error);
}

/* Whether the values that mean nothing here are ones that rt-app takes. */
static bool check_values(const struct node *n, GError **error)
{
	static const struct {
		const char *key;
		bool (*check)(const struct node *n, GError **error);
	} checks[] = {
		{"log_size", check_log_size}, {"ftrace", check_ftrace},
		{"gnuplot", check_flag},      {"lock_pages", check_flag},
		{"logdir", check_name},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(checks); i++) {
		struct node value = node_get(n, checks[i].key);

		if (value.json && !checks[i].check(&value, error))
			return false;
	}
	return true;
}

static bool read_io_device(const struct node *n, GError **error)
{
	const char *device;

	if (!read_name(n, "a device's name", &device, error))
		return false;
	if (strcmp(device, "/dev/null"))
		node_warn(n, "taken for \"/dev/null\", for devices are not simulated");
	return true;
}

static bool read_meaning(struct reading *r, const struct node *n, GError **error)
{
	struct node duration = node_get(n, "duration");
	struct node policy = node_get(n, "default_policy");
	struct node device = node_get(n, "io_device");
	struct node buffer = node_get(n, "mem_buffer_size");
	struct node pi = node_get(n, "pi_enabled");
	int64_t bytes = r->w->mem_buffer_bytes;

	if ((duration.json && !read_duration(&duration, &r->w->duration_ns, error)) ||
	    (policy.json && !policy_read(&policy, &r->default_policy, error)) ||
	    (device.json && !read_io_device(&device, error)) ||
	    (buffer.json && !read_int(&buffer, 1, BUFFER_BYTES_MAX, &bytes, error)) ||
	    (pi.json && !read_bool(&pi, &r->w->pi_enabled, error)))
		return false;
	r->w->mem_buffer_bytes = (int)bytes;
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
	const char *what = "ns per loop or the name of a CPU";
	int64_t ns = 0;

	if (cJSON_IsString(n->json))
		return (g_str_has_prefix(n->json->valuestring, "CPU") &&
			g_ascii_isdigit(n->json->valuestring[3])) ||
		       node_expected(n, what, error);
	if (!cJSON_IsNumber(n->json))
		return node_expected(n, what, error);
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
	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object", error);
	return check_keys(n, error) && check_values(n, error) &&
	       read_meaning(r, n, error) && read_log(n, &r->w->rtapp_log, error);
}
