/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds on the command line, and changes held against them, in whole numbers.
 */
#include "base/duration.h"
#include "report/check.h"
#include "schedsim/error.h"

#include <string.h>

#define PPM 1000000
/* bounds in per cent: up to 10^6 %, four digits after the point */
#define DIGITS_AFTER_POINT 4
#define SHARE_MAX (10000ULL * PPM)

/* "+5%", "+0.5%" */
static bool read_share(const char *text, uint64_t *ppm)
{
	const char *p = text + (*text == '+');
	uint64_t value = 0;
	int after_point = -1;

	if (!g_ascii_isdigit(*p))
		return false;
	for (; *p != '%'; p++) {
		if (*p == '.' && after_point < 0) {
			after_point = 0;
			continue;
		}
		if (!g_ascii_isdigit(*p) || after_point == DIGITS_AFTER_POINT)
			return false;
		value = value * 10 + (uint64_t)(*p - '0');
		after_point += after_point >= 0;
		if (value > SHARE_MAX)
			return false;
	}
	for (after_point = MAX(after_point, 0); after_point < DIGITS_AFTER_POINT;
	     after_point++)
		value *= 10;
	*ppm = value;
	return !p[1] && value <= SHARE_MAX;
}

static bool read_amount(struct tolerance *t, const char *text)
{
	text += *text == '+';
	if (g_ascii_string_to_unsigned(text, 10, 0, INT64_MAX, &t->amount, NULL))
		return true;
	t->is_time = duration_parse(text, &t->amount, NULL);
	return t->is_time;
}

static bool read_bound(struct tolerance *t, const char *text)
{
	if (!t->has_share && g_str_has_suffix(text, "%"))
		return t->has_share = read_share(text, &t->share_ppm);
	return !t->has_amount && (t->has_amount = read_amount(t, text));
}

bool tolerance_read(const char *text, struct tolerance *out, GError **error)
{
	const char *colon = strrchr(text, ':');
	g_auto(GStrv) bounds = g_strsplit(colon ? colon + 1 : "", ",", -1);
	struct tolerance t = {0};
	bool ok = colon && colon != text && bounds[0];

	for (int i = 0; ok && bounds[i]; i++)
		ok = read_bound(&t, bounds[i]);
	if (!ok) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected METRIC:+5%%,50us or one of the two bounds, got "
			    "\"%s\"",
			    text);
		return false;
	}
	t.metric = g_strndup(text, colon - text);
	*out = t;
	return true;
}

void tolerance_clear(struct tolerance *t)
{
	g_free(t->metric);
	memset(t, 0, sizeof(*t));
}

/* By how much @is is worse than @was; not above 0: it is not. */
static int64_t worsening(enum figure_better better, int64_t was, int64_t is)
{
	switch (better) {
	case BETTER_LESS:
		return is - was;
	case BETTER_MORE:
		return was - is;
	case BETTER_NEITHER:
		break;
	}
	return ABS(is - was);
}

bool tolerance_is_passed(const struct tolerance *t, enum figure_better better,
			 int64_t was, int64_t is)
{
	int64_t worse = worsening(better, was, is);

	if (worse <= 0)
		return false;
	if (t->has_amount && (uint64_t)worse <= t->amount)
		return false;
	return !t->has_share ||
	       (__int128)worse * PPM > (__int128)ABS(was) * t->share_ppm;
}
