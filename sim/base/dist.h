/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions of durations, sampled in integers alone so that every compiler
 * and machine draws the same numbers.
 */
#ifndef BASE_DIST_H
#define BASE_DIST_H

#include "base/random.h"

#include <glib.h>
#include <stdbool.h>

enum dist_kind {
	DIST_FIXED,     /* a */
	DIST_UNIFORM,   /* a..b inclusive */
	DIST_EXP,       /* mean a */
	DIST_LOGNORMAL, /* median a, 99th percentile b */
	DIST_PARETO,    /* least a, mean b */
	DIST_LIST,      /* values in turn */
	DIST_QUANTILES, /* values[i] at ppm[i], straight lines between */
};

struct dist {
	enum dist_kind kind;
	uint64_t a, b; /* ns */
	unsigned nr;
	uint64_t *values; /* [nr] ns, owned; NULL unless LIST or QUANTILES */
	uint32_t *ppm;    /* [nr] ascending from 0 to 1000000, owned; QUANTILES */
};

static inline struct dist dist_fixed(uint64_t ns)
{
	return (struct dist){.kind = DIST_FIXED, .a = ns};
}

/*
 * Whether @d can be drawn from: uniform a <= b, lognormal 0 < a <= b, pareto
 * 0 < a < b, values and ppm as said above.  INPUT_ERROR_VALUE says what was
 * expected and what came.
 */
bool dist_check(const struct dist *d, GError **error);

/*
 * The next value, ns, to the nearest; UINT64_MAX when that is too small to hold it.
 * @d must pass dist_check().  @turn counts the samples of a LIST and is the
 * caller's; other kinds leave it alone.
 *
 * Before that rounding a sample of exp is within 2e-6 of the mean of the exact
 * inverse, one of pareto within 3e-6 of its own size, one of lognormal within
 * 5e-5 * sigma + 1e-5 of its own size, where sigma = ln(b / a) / 2.326.  The tail
 * of exp and pareto reaches to probability 2^-64, those of lognormal to 2^-33.
 */
uint64_t dist_sample(const struct dist *d, struct random_stream *s, uint64_t *turn);
/* The expected value, ns, for reports and rates; UINT64_MAX as above. */
uint64_t dist_mean_ns(const struct dist *d);
void dist_clear(struct dist *d);

#endif
