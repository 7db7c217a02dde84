/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads times exactly, in integers: "0.1s" is 100000000 ns, not nearly so.
 */
#include "base/duration.h"

#include <schedsim/error.h>

#include <string.h>

static const struct unit {
	const char *name;
	uint64_t ns;
} units[] = {
	{"ns", 1},
	{"us", 1000},
	{"ms", 1000 * 1000},
	{"s", 1000 * 1000 * 1000},
};

static const struct unit *find_unit(const char *name)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(units); i++)
		if (!strcmp(name, units[i].name))
			return &units[i];
	return NULL;
}

/* Whole @digits of @unit_ns each, added to @ns.  False if 64 bits cannot hold it. */
static bool add_whole(const char *digits, size_t nr, uint64_t unit_ns, uint64_t *ns)
{
	uint64_t whole = 0;

	for (size_t i = 0; i < nr; i++)
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, digits[i] - '0', &whole))
			return false;
	return !__builtin_mul_overflow(whole, unit_ns, &whole) &&
	       !__builtin_add_overflow(*ns, whole, ns);
}

/* The decimals of @unit_ns, added to @ns.  False if they go below 1 ns. */
static bool add_decimals(const char *digits, size_t nr, uint64_t unit_ns, uint64_t *ns)
{
	for (size_t i = 0; i < nr; i++) {
		if (unit_ns == 1 && digits[i] != '0')
			return false;
		if (unit_ns == 1)
			continue;
		unit_ns /= 10;
		*ns += (digits[i] - '0') * unit_ns;
	}
	return true;
}

static bool refuse(GError **error, const char *expected, const char *text)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, "expected %s, got \"%s\"",
		    expected, text);
	return false;
}

bool duration_parse(const char *text, uint64_t *out_ns, GError **error)
{
	static const char form[] = "a time with its unit such as \"250us\"";
	size_t whole_len = strspn(text, "0123456789");
	const char *rest = text + whole_len;
	const char *decimals = rest;
	size_t decimals_len = 0;
	const struct unit *unit;
	uint64_t ns = 0;

	if (*rest == '.') {
		decimals = rest + 1;
		decimals_len = strspn(decimals, "0123456789");
		rest = decimals + decimals_len;
		if (!decimals_len)
			return refuse(error, form, text);
	}
	unit = find_unit(rest);
	if (!whole_len || !unit)
		return refuse(error, form, text);
	if (!add_decimals(decimals, decimals_len, unit->ns, &ns))
		return refuse(error, "a whole number of nanoseconds", text);
	if (!add_whole(text, whole_len, unit->ns, &ns))
		return refuse(error, form, text);
	*out_ns = ns;
	return true;
}

/* The unit that leaves one to three digits before the point. */
static const struct unit *fitting_unit(uint64_t ns)
{
	const struct unit *unit = &units[G_N_ELEMENTS(units) - 1];

	while (unit > units && ns < unit->ns)
		unit--;
	return unit;
}

/* Divides, halves upwards. */
static uint64_t divide_rounded(uint64_t a, uint64_t by)
{
	return a / by + (a % by >= by - by / 2);
}

char *duration_format(uint64_t ns)
{
	const struct unit *unit = fitting_unit(ns);
	uint64_t whole = ns / unit->ns;
	unsigned decimals = whole < 10 ? 2 : whole < 100 ? 1 : 0;
	uint64_t scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
	uint64_t shown;

	if (unit == units)
		return g_strdup_printf("%" G_GUINT64_FORMAT "ns", ns);
	shown = divide_rounded(ns, unit->ns / scale);
	/* rounded up into four digits: the next decimal point or unit has three */
	if (shown == 1000 && (scale > 1 || unit < &units[G_N_ELEMENTS(units) - 1]))
		return duration_format(shown * (unit->ns / scale));
	if (scale == 1)
		return g_strdup_printf("%" G_GUINT64_FORMAT "%s", shown, unit->name);
	return g_strdup_printf("%u.%0*u%s", (unsigned)(shown / scale), (int)decimals,
			       (unsigned)(shown % scale), unit->name);
}
