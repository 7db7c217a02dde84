/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open loop (fixed, poisson, recorded) and closed loop.
 */
#include "workload/source_spec.h"

#include "schedsim/error.h"
#include "workload/arrival_spec.h"
#include "workload/read.h"

#define CLIENTS_MAX 1000000

static const char *const arrival_names[] = {"fixed", "poisson", "recorded", "closed",
					    NULL};

#define COMMON_KEYS "arrivals", "to", "select", "irq_cpus", "sync", "delay"

/* [enum arrival_kind] */
static const char *const *const keys_of[] = {
	(const char *const[]){COMMON_KEYS, "interval", "rate", "batch", NULL},
	(const char *const[]){COMMON_KEYS, "interval", "rate", "batch", NULL},
	(const char *const[]){COMMON_KEYS, "file", NULL},
	(const char *const[]){COMMON_KEYS, "clients", "think", NULL},
};

static bool read_interval(const struct node *n, struct source_spec *s, GError **error)
{
	struct node interval = node_get(n, "interval");
	struct node rate = node_get(n, "rate");

	if (!interval.json == !rate.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected either \"interval\" or \"rate\", got %s",
				 rate.json ? "both" : "neither");
	if (rate.json)
		return rate_read(&rate, &s->interval_ns, error);
	if (!read_time(&interval, BARE_NONE, &s->interval_ns, error))
		return false;
	return s->interval_ns || node_expected(&interval, "a time above 0", error);
}

static bool read_open(const struct reading *r, const struct node *n,
		      struct source_spec *s, GError **error)
{
	struct node batch = node_get(n, "batch");

	return read_interval(n, s, error) &&
	       (!batch.json || read_count_dist(&batch, &s->batch, error));
}

static bool read_recorded(const struct reading *r, const struct node *n,
			  struct source_spec *s, GError **error)
{
	struct node file = node_get(n, "file");

	if (!file.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"file\"");
	return record_read(&file, r->w->path, ARRIVALS_WITHOUT_VALUES, &s->file, error);
}

static bool read_closed(const struct reading *r, const struct node *n,
			struct source_spec *s, GError **error)
{
	struct node clients = node_get(n, "clients");
	struct node think = node_get(n, "think");
	int64_t count;

	if (!clients.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"clients\"");
	if (!read_int(&clients, 1, CLIENTS_MAX, &count, error))
		return false;
	s->clients = count;
	return !think.json || read_time_dist(&think, BARE_NONE, &s->think, error);
}

/* [enum arrival_kind] */
static bool (*const read_kind[])(const struct reading *r, const struct node *n,
				 struct source_spec *s, GError **error) = {
	read_open, read_open, read_recorded, read_closed};

/* CPUs, or "receiver". */
static bool read_irq_cpus(const struct node *n, int nr_cpus, struct source_spec *s,
			  GError **error)
{
	s->irq_at_receiver = cJSON_IsString(n->json) &&
			     g_str_equal(n->json->valuestring, "receiver");
	return s->irq_at_receiver || read_cpus(n, nr_cpus, &s->irq_cpus, error);
}

static bool read_target(const struct reading *r, const struct node *n,
			struct source_spec *s, GError **error)
{
	struct node to = node_get(n, "to");
	struct node select = node_get(n, "select");
	struct node irq_cpus = node_get(n, "irq_cpus");
	struct node sync = node_get(n, "sync");
	struct node delay = node_get(n, "delay");

	if (!to.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"to\"");
	return channel_sent_read(r, &to, &s->channel, error) &&
	       (!select.json || channel_select_read(r, &select, s->channel, &s->select,
						    &s->index, error)) &&
	       (!irq_cpus.json || read_irq_cpus(&irq_cpus, r->nr_cpus, s, error)) &&
	       (!sync.json || read_bool(&sync, &s->sync, error)) &&
	       (!delay.json || read_time(&delay, BARE_NONE, &s->delay_ns, error));
}

static bool is_key_of_any(const char *key)
{
	for (gsize i = 0; i < G_N_ELEMENTS(keys_of); i++)
		if (g_strv_contains(keys_of[i], key))
			return true;
	return false;
}

static bool check_keys(const struct node *n, enum arrival_kind kind, GError **error)
{
	struct node child;

	node_for_each(child, n) if (
		is_key_of_any(child.json->string) &&
		!g_strv_contains(
			keys_of[kind],
			child.json->string)) return node_fail(&child, INPUT_ERROR_VALUE,
							      error,
							      "expected a key of "
							      "\"%s\" arrivals, got "
							      "another kind's",
							      arrival_names[kind]);
	return node_has_only(n, keys_of[kind], error);
}

static bool source_read(const struct reading *r, const struct node *n,
			struct source_spec *s, GError **error)
{
	struct node kind_node;
	int kind;

	s->name = g_strdup(n->json->string);
	s->batch = dist_fixed(1);
	s->select = SELECT_ROUND_ROBIN;
	if (!node_is_first(n, error))
		return false;
	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object", error);
	kind_node = node_get(n, "arrivals");
	if (!kind_node.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"arrivals\"");
	if (!read_choice(&kind_node, arrival_names, &kind, error) ||
	    !check_keys(n, (enum arrival_kind)kind, error))
		return false;
	s->kind = (enum arrival_kind)kind;
	return read_kind[kind](r, n, s, error) && read_target(r, n, s, error);
}

bool sources_read(struct reading *r, const struct node *n, GError **error)
{
	struct node child;

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object of sources", error);
	r->w->sources = g_new0(struct source_spec, cJSON_GetArraySize(n->json));
	node_for_each(child,
		      n) if (!source_read(r, &child, &r->w->sources[r->w->nr_sources++],
					  error)) return false;
	return true;
}
