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
	DIST_QUANTILES, /* values[i] at permille[i], straight lines between */
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
 * The next value, ns.  @turn counts the samples of a LIST and is the caller's;
 * other kinds leave it alone.
 */
uint64_t dist_sample(const struct dist *d, struct random_stream *s, uint64_t *turn);
/* The expected value, ns, for reports and rates. */
uint64_t dist_mean_ns(const struct dist *d);
void dist_clear(struct dist *d);

#endif
