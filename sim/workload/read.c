/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values become integers here, once; nothing behind it sees a double.
 */
#include "workload/read.h"

#include "schedsim/error.h"
#include "workload/params.h"

#define EXPECTED_US "a whole number of microseconds or a time such as \"250us\""
#define EXPECTED_TIME "a time such as \"250us\""

/* What came is a number that @n may have computed. */
static bool fail_quantity(const struct node *n, const char *what,
			  const struct quantity *q, GError **error)
{
	g_autofree char *value = quantity_format(q);
	g_autofree char *text = NULL;

	if (cJSON_IsNumber(n->json) ||
	    (cJSON_IsString(n->json) && *n->json->valuestring != '='))
		return node_expected(n, what, error);
	if (cJSON_IsObject(n->json))
		return node_fail(n, INPUT_ERROR_VALUE, error, "expected %s, got %s",
				 what, value);
	text = node_text(n);
	return node_fail(n, INPUT_ERROR_VALUE, error,
			 "expected %s, got %s, which is %s", what, text, value);
}

/* Numbers that a parameter or an expression brought may be fractions of 1 us. */
static bool bare_to_time(const struct node *n, struct quantity *q, GError **error)
{
	if (cJSON_IsNumber(n->json) && q->value.den != 1)
		return fail_quantity(n, EXPECTED_US, q, error);
	q->time_power = 1;
	if (!rational_mul(q->value, rational_of(1000), &q->value))
		return fail_quantity(n, "at most 2^53 ns", q, error);
	return true;
}

bool read_time(const struct node *n, enum bare_unit bare, uint64_t *out_ns,
	       GError **error)
{
	const char *what = bare == BARE_US ? EXPECTED_US : EXPECTED_TIME;
	struct quantity q;

	if (!quantity_read(n, what, &q, error))
		return false;
	if (q.time_power == 0 && bare == BARE_US && !bare_to_time(n, &q, error))
		return false;
	if (q.time_power != 1)
		return fail_quantity(n, what, &q, error);
	if (q.value.num < 0)
		return fail_quantity(n, "a time of 0 or more", &q, error);
	if (q.value.num / q.value.den >= (int64_t)SPAN_MAX_NS)
		return fail_quantity(n, "a time of less than 2^53 ns", &q, error);
	*out_ns = rational_round(q.value);
	return true;
}

bool read_int(const struct node *n, int64_t min, int64_t max, int64_t *out,
	      GError **error)
{
	g_autofree char *what = g_strdup_printf("a whole number from %" G_GINT64_FORMAT
						" to %" G_GINT64_FORMAT,
						min, max);
	struct quantity q;

	if (!quantity_read(n, what, &q, error))
		return false;
	if (q.time_power || q.value.den != 1 || q.value.num < min || q.value.num > max)
		return fail_quantity(n, what, &q, error);
	*out = q.value.num;
	return true;
}

bool read_bool(const struct node *n, bool *out, GError **error)
{
	if (!cJSON_IsBool(n->json))
		return node_expected(n, "true or false", error);
	*out = cJSON_IsTrue(n->json);
	return true;
}

bool read_string(const struct node *n, const char **out, GError **error)
{
	if (!cJSON_IsString(n->json))
		return node_expected(n, "a string", error);
	*out = n->json->valuestring;
	return true;
}

bool read_name(const struct node *n, const char *what, const char **out, GError **error)
{
	if (!cJSON_IsString(n->json) || !*n->json->valuestring)
		return node_expected(n, what, error);
	*out = n->json->valuestring;
	return true;
}

bool read_choice(const struct node *n, const char *const *names, int *out,
		 GError **error)
{
	g_autoptr(GString) what = g_string_new(NULL);

	for (int i = 0; names[i]; i++) {
		if (cJSON_IsString(n->json) &&
		    g_str_equal(n->json->valuestring, names[i])) {
			*out = i;
			return true;
		}
		g_string_append_printf(what, "%s\"%s\"",
				       !i             ? ""
				       : names[i + 1] ? ", "
						      : " or ",
				       names[i]);
	}
	return node_expected(n, what->str, error);
}

static bool read_cpu_array(const struct node *n, int nr_cpus, struct cpumask *out,
			   GError **error)
{
	struct cpumask mask = cpumask_none();
	struct node child;
	int64_t cpu = 0;

	node_for_each(child, n)
	{
		if (!read_int(&child, 0, nr_cpus - 1, &cpu, error))
			return false;
		cpumask_set(&mask, cpu);
	}
	if (cpumask_empty(&mask))
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected at least one CPU, got none");
	*out = mask;
	return true;
}

bool read_cpus(const struct node *n, int nr_cpus, struct cpumask *out, GError **error)
{
	struct cpumask mask;

	if (cJSON_IsArray(n->json))
		return read_cpu_array(n, nr_cpus, out, error);
	if (!cJSON_IsString(n->json))
		return node_expected(n, "CPUs such as [0, 2] or \"0-3,8\"", error);
	if (!cpumask_parse_list(n->json->valuestring, nr_cpus, &mask, error))
		return node_prefix(n, error);
	if (cpumask_empty(&mask))
		return node_expected(n, "at least one CPU", error);
	*out = mask;
	return true;
}
