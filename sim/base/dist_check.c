/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which parameters a distribution can be drawn from.
 */
#include "base/dist.h"

#include <schedsim/error.h>

#define PPM_ONE 1000000

/* @a and @b hold, or else they are not what @expected says. */
static bool check_pair(bool holds, const struct dist *d, const char *expected,
		       GError **error)
{
	if (!holds)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected %s, got %" G_GUINT64_FORMAT
			    " and %" G_GUINT64_FORMAT,
			    expected, d->a, d->b);
	return holds;
}

static bool check_list(const struct dist *d, GError **error)
{
	if (!d->nr)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected a list of at least one value, got none");
	return d->nr;
}

static bool check_ends(const struct dist *d, GError **error)
{
	if (d->nr && d->ppm[0] == 0 && d->ppm[d->nr - 1] == PPM_ONE)
		return true;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "expected quantiles from 0 to 1, got %u from %u to %u ppm", d->nr,
		    d->nr ? d->ppm[0] : 0, d->nr ? d->ppm[d->nr - 1] : 0);
	return false;
}

static bool check_quantiles(const struct dist *d, GError **error)
{
	if (!check_ends(d, error))
		return false;
	for (unsigned i = 1; i < d->nr; i++) {
		if (d->ppm[i] >= d->ppm[i - 1] && d->values[i] >= d->values[i - 1])
			continue;
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected ascending quantiles, got %" G_GUINT64_FORMAT
			    " at %u ppm after %" G_GUINT64_FORMAT " at %u ppm",
			    d->values[i], d->ppm[i], d->values[i - 1], d->ppm[i - 1]);
		return false;
	}
	return true;
}

bool dist_check(const struct dist *d, GError **error)
{
	switch (d->kind) {
	case DIST_FIXED:
	case DIST_EXP:
		return true;
	case DIST_UNIFORM:
		return check_pair(d->a <= d->b, d, "a least value up to the greatest",
				  error);
	case DIST_LOGNORMAL:
		return check_pair(d->a > 0 && d->a <= d->b, d,
				  "a median above 0 and a 99th percentile not below it",
				  error);
	case DIST_PARETO:
		return check_pair(d->a > 0 && d->a < d->b, d,
				  "a least value above 0 and a mean above it", error);
	case DIST_LIST:
		return check_list(d, error);
	case DIST_QUANTILES:
		return check_quantiles(d, error);
	}
	g_assert_not_reached();
}
