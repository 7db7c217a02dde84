/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters on the command line: NAME=VALUE, or NAME=FROM..TO:STEPS for a run at
 * each of STEPS evenly spaced values, both ends included.
 *
 * Steps are worked out in billionths, so that every machine writes the same.
 */
#include "report/experiment.h"
#include "schedsim/error.h"

#include <string.h>

#define DIGITS_AFTER_POINT 9
#define BILLION 1000000000LL
/* keeps a value times STEPS_MAX within 64 bits */
#define VALUE_MAX (1000000 * BILLION)
#define STEPS_MAX 1000

/* Reads a decimal of at most 9 digits after the point, up to 10^6 in size. */
static bool parse_billionths(const char *text, int64_t *out)
{
	const char *p = text + (*text == '-');
	int64_t value = 0;
	int after_point = -1;

	if (!g_ascii_isdigit(*p))
		return false;
	for (; *p; p++) {
		if (*p == '.' && after_point < 0 && g_ascii_isdigit(p[1])) {
			after_point = 0;
			continue;
		}
		if (!g_ascii_isdigit(*p) || after_point == DIGITS_AFTER_POINT)
			return false;
		value = value * 10 + (*p - '0');
		after_point += after_point >= 0;
		if (value > VALUE_MAX)
			return false;
	}
	for (after_point = MAX(after_point, 0); after_point < DIGITS_AFTER_POINT;
	     after_point++) {
		value *= 10;
		if (value > VALUE_MAX)
			return false;
	}
	*out = *text == '-' ? -value : value;
	return true;
}

/* "0.9": no more digits than needed */
static char *format_billionths(int64_t value)
{
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char *text = g_strdup_printf("%s%llu.%09llu", value < 0 ? "-" : "",
				     (unsigned long long)(size / BILLION),
				     (unsigned long long)(size % BILLION));
	char *end = text + strlen(text) - 1;

	while (*end == '0')
		*end-- = '\0';
	if (*end == '.')
		*end = '\0';
	return text;
}

static char **ladder(int64_t from, int64_t to, unsigned nr)
{
	char **steps = g_new0(char *, nr + 1);

	for (unsigned i = 0; i < nr; i++)
		steps[i] = format_billionths(from + (to - from) * (int64_t)i /
							    (int64_t)(nr - 1));
	return steps;
}

static char **read_ladder(const char *text, const char *dots, GError **error)
{
	const char *colon = strchr(dots, ':');
	g_autofree char *from_text = g_strndup(text, dots - text);
	g_autofree char *to_text = colon ? g_strndup(dots + 2, colon - dots - 2) : NULL;
	int64_t from, to;
	guint64 nr;

	if (!colon || !parse_billionths(from_text, &from) ||
	    !parse_billionths(to_text, &to) ||
	    !g_ascii_string_to_unsigned(colon + 1, 10, 2, STEPS_MAX, &nr, NULL)) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected FROM..TO:STEPS with two numbers up to 1000000 "
			    "and 2..%d steps, got \"%s\"",
			    STEPS_MAX, text);
		return NULL;
	}
	return ladder(from, to, nr);
}

static char **read_steps(const char *text, GError **error)
{
	const char *dots = strstr(text, "..");
	char **steps;

	if (dots)
		return read_ladder(text, dots, error);
	steps = g_new0(char *, 2);
	steps[0] = g_strdup(text);
	return steps;
}

static bool names_axis(const struct experiment_spec *spec, const char *name)
{
	for (guint i = 0; i < spec->params->len; i++)
		if (!strcmp(g_array_index(spec->params, struct param_axis, i).name,
			    name))
			return true;
	return false;
}

bool experiment_spec_add_param(struct experiment_spec *spec, const char *text,
			       GError **error)
{
	const char *equals = strchr(text, '=');
	struct param_axis axis;

	if (!equals || equals == text || !equals[1]) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected NAME=VALUE or NAME=FROM..TO:STEPS, got \"%s\"",
			    text);
		return false;
	}
	axis.name = g_strndup(text, equals - text);
	if (names_axis(spec, axis.name)) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected each parameter once, got \"%s\" again",
			    axis.name);
		g_free(axis.name);
		return false;
	}
	axis.steps = read_steps(equals + 1, error);
	if (!axis.steps) {
		g_prefix_error(error, "%s: ", axis.name);
		g_free(axis.name);
		return false;
	}
	g_array_append_val(spec->params, axis);
	return true;
}
