/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions: {"exp": "80us"}, {"uniform": [1, 8]}, ...
 */
#include "workload/read.h"

#include "schedsim/error.h"

#include <string.h>

#define QUANTILES_MAX 1000
#define PPM_ONE 1000000
#define PPM_PER_PERCENT 10000

/* Reads one value of the distribution: a time, or a count of at least 1. */
typedef bool (*value_reader)(const struct node *n, uint64_t *out, GError **error);

static bool read_value_us(const struct node *n, uint64_t *out, GError **error)
{
	return read_time(n, BARE_US, out, error);
}

static bool read_value_time(const struct node *n, uint64_t *out, GError **error)
{
	return read_time(n, BARE_NONE, out, error);
}

#define COUNT_MAX 1000000

static bool read_value_count(const struct node *n, uint64_t *out, GError **error)
{
	int64_t value;

	if (!read_int(n, 1, COUNT_MAX, &value, error))
		return false;
	*out = value;
	return true;
}

static bool read_fixed(const struct node *n, value_reader read, struct dist *d,
		       GError **error)
{
	d->kind = DIST_FIXED;
	return read(n, &d->a, error);
}

static bool read_exp(const struct node *n, value_reader read, struct dist *d,
		     GError **error)
{
	d->kind = DIST_EXP;
	return read(n, &d->a, error);
}

static bool read_pair(const struct node *n, const char *a, const char *b,
		      value_reader read, struct dist *d, GError **error)
{
	const char *const keys[] = {a, b, NULL};
	struct node first, second;

	if (!node_has_only(n, keys, error))
		return false;
	first = node_get(n, a);
	second = node_get(n, b);
	if (!first.json || !second.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the keys \"%s\" and \"%s\"", a, b);
	return read(&first, &d->a, error) && read(&second, &d->b, error);
}

static bool read_lognormal(const struct node *n, value_reader read, struct dist *d,
			   GError **error)
{
	d->kind = DIST_LOGNORMAL;
	return read_pair(n, "median", "p99", read, d, error);
}

static bool read_pareto(const struct node *n, value_reader read, struct dist *d,
			GError **error)
{
	d->kind = DIST_PARETO;
	return read_pair(n, "min", "mean", read, d, error);
}

static bool read_uniform(const struct node *n, value_reader read, struct dist *d,
			 GError **error)
{
	struct node least, most;

	if (!cJSON_IsArray(n->json) || !n->json->child || !n->json->child->next ||
	    n->json->child->next->next)
		return node_expected(n, "an array of the least and the greatest value",
				     error);
	least = node_first(n);
	most = node_next(&least);
	d->kind = DIST_UNIFORM;
	return read(&least, &d->a, error) && read(&most, &d->b, error);
}

static bool read_values(const struct node *n, value_reader read, struct dist *d,
			GError **error)
{
	struct node child;

	d->values = g_new0(uint64_t, cJSON_GetArraySize(n->json));
	node_for_each(child,
		      n) if (!read(&child, &d->values[d->nr++], error)) return false;
	return true;
}

static bool read_list(const struct node *n, value_reader read, struct dist *d,
		      GError **error)
{
	if (!cJSON_IsArray(n->json) || !n->json->child)
		return node_expected(n, "an array of at least one value", error);
	d->kind = DIST_LIST;
	return read_values(n, read, d, error);
}

/* "p99.9" is 999000 of a million. */
static bool read_quantile_key(const struct node *n, uint32_t *ppm, GError **error)
{
	const char *key = n->json->string;
	uint32_t value = 0, unit = PPM_PER_PERCENT;
	const char *c = key + 1;

	for (; *key == 'p' && g_ascii_isdigit(*c) && value <= PPM_ONE; c++)
		value = value * 10 + g_ascii_digit_value(*c) * unit;
	if (*key == 'p' && c > key + 1 && *c == '.')
		for (c++; g_ascii_isdigit(*c) && unit > 1; c++)
			value += g_ascii_digit_value(*c) * (unit /= 10);
	if (*key != 'p' || c == key + 1 || *c || c[-1] == '.' || value > PPM_ONE)
		return node_fail(n->up, INPUT_ERROR_VALUE, error,
				 "expected keys from \"p0\" to \"p100\", got \"%s\"",
				 key);
	*ppm = value;
	return true;
}

static bool read_quantiles(const struct node *n, value_reader read, struct dist *d,
			   GError **error)
{
	struct node child;
	unsigned i = 0;

	if (!cJSON_IsObject(n->json) || cJSON_GetArraySize(n->json) > QUANTILES_MAX)
		return node_expected(n, "an object such as {\"p0\": 1, \"p100\": 9}",
				     error);
	d->kind = DIST_QUANTILES;
	d->ppm = g_new0(uint32_t, cJSON_GetArraySize(n->json));
	node_for_each(child, n) if (!read_quantile_key(&child, &d->ppm[i++],
						       error)) return false;
	return read_values(n, read, d, error);
}

static const struct {
	const char *key;
	bool (*read)(const struct node *n, value_reader read, struct dist *d,
		     GError **error);
} kinds[] = {
	{"exp", read_exp},         {"lognormal", read_lognormal},
	{"uniform", read_uniform}, {"pareto", read_pareto},
	{"list", read_list},       {"quantiles", read_quantiles},
};

bool is_distribution(const struct node *n)
{
	return cJSON_IsObject(n->json) && !node_get(n, "param").json;
}

static bool read_kind(const struct node *n, value_reader read, struct dist *d,
		      GError **error)
{
	const char *keys[G_N_ELEMENTS(kinds) + 1] = {NULL};
	struct node child = node_first(n);

	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
		keys[i] = kinds[i].key;
	if (!node_has_only(n, keys, error))
		return false;
	if (!child.json || child.json->next)
		return node_fail(
			n, INPUT_ERROR_VALUE, error,
			"expected one distribution such as {\"exp\": \"80us\"}, "
			"got %d",
			cJSON_GetArraySize(n->json));
	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (!strcmp(child.json->string, kinds[i].key))
			return kinds[i].read(&child, read, d, error) &&
			       (dist_check(d, error) || node_prefix(&child, error));
	g_assert_not_reached();
}

static bool read_dist(const struct node *n, value_reader read, struct dist *out,
		      GError **error)
{
	struct dist d = {.kind = DIST_FIXED};
	bool done = is_distribution(n) ? read_kind(n, read, &d, error)
				       : read_fixed(n, read, &d, error);

	if (done)
		*out = d;
	else
		dist_clear(&d);
	return done;
}

bool read_time_dist(const struct node *n, enum bare_unit bare, struct dist *out,
		    GError **error)
{
	return read_dist(n, bare == BARE_US ? read_value_us : read_value_time, out,
			 error);
}

bool read_count_dist(const struct node *n, struct dist *out, GError **error)
{
	return read_dist(n, read_value_count, out, error);
}
