/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws by inversion: a random number of 64 bits is the probability, the value is
 * what the distribution exceeds with it.
 *
 * A number is split into its power of two and the rest, so the tables cover one
 * octave and the tail is as finely resolved as the middle.  "q32" is fixed point
 * with 32 bits after the point.
 */
#include "base/dist.h"

#include "base/dist_tables.h"

#include <schedsim/error.h>

#define Q32_ONE (1ULL << 32)
#define LN2_Q32 2977044472ULL
#define LOG2_E_Q32 6196328019ULL
#define NORMAL_P99_Q32 9991588038ULL /* 2.3263478740 standard deviations */
#define PPM_ONE 1000000

typedef unsigned __int128 u128;
typedef __int128 s128;

static uint64_t saturate(u128 value)
{
	return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

/* The table's value @fraction_q32 of the way from @entry to the next one. */
static uint64_t between(const uint64_t *entry, uint32_t fraction_q32)
{
	int64_t step = entry[1] - entry[0];

	return entry[0] + (int64_t)((s128)step * fraction_q32 >> 32);
}

/* @x > 0 */
static uint64_t ln_q32(uint64_t x)
{
	int zeros = __builtin_clzll(x);
	uint64_t rest = x << zeros << 1; /* below the highest bit, a fraction of 2^64 */
	unsigned step = rest >> (64 - DIST_TABLE_BITS);
	uint32_t fraction = rest << DIST_TABLE_BITS >> 32;

	return (63 - zeros) * LN2_Q32 + between(&dist_ln_table[step], fraction);
}

/* @a * e^x to the nearest */
static uint64_t scale_exp(uint64_t a, int64_t x_q32)
{
	int64_t log2_q32 = (s128)x_q32 * LOG2_E_Q32 >> 32;
	int64_t octaves = log2_q32 >> 32;
	uint32_t rest = log2_q32;
	unsigned step = rest >> (32 - DIST_TABLE_BITS);
	uint64_t mantissa_q32 =
		between(&dist_exp2_table[step], rest << DIST_TABLE_BITS);
	u128 product_q32 = (u128)a * mantissa_q32; /* below 2^97 */

	if (!a || octaves < -66) /* a * e^x is below 1/2 */
		return 0;
	if (octaves >= 64)
		return UINT64_MAX;
	if (octaves >= 32)
		return saturate(product_q32 << (octaves - 32));
	return saturate((product_q32 + ((u128)1 << (31 - octaves))) >> (32 - octaves));
}

/* -ln of a random number from 0 to 1, neither included */
static uint64_t sample_exp_q32(struct random_stream *s)
{
	uint64_t tail = random_next(s); /* probability of a larger value, of 2^64 */

	return 64 * LN2_Q32 - ln_q32(MAX(tail, 1));
}

/* A standard normal variable: its sign, then how unlikely a larger one is. */
static int64_t sample_normal_q32(struct random_stream *s)
{
	uint64_t r = random_next(s);
	uint64_t tail = r << 1 | 1; /* of 2^65 */
	int zeros = __builtin_clzll(tail);
	uint64_t rest = tail << zeros << 1;
	unsigned step = rest >> (64 - DIST_NORMAL_BITS);
	uint32_t fraction = rest << DIST_NORMAL_BITS >> 32;
	int octave = DIST_NORMAL_OCTAVES - 1 - zeros;
	uint64_t z = dist_normal_table[0];

	if (octave >= 0)
		z = between(&dist_normal_table[(octave << DIST_NORMAL_BITS) + step],
			    fraction);
	return r >> 63 ? (int64_t)z : -(int64_t)z;
}

static uint64_t sample_uniform(const struct dist *d, struct random_stream *s)
{
	uint64_t span = d->b - d->a;

	return d->a + (span == UINT64_MAX ? random_next(s) : random_below(s, span + 1));
}

static uint64_t sample_exp(const struct dist *d, struct random_stream *s)
{
	u128 product = (u128)d->a * sample_exp_q32(s);

	return saturate((product + Q32_ONE / 2) >> 32);
}

static uint64_t sigma_q32(const struct dist *d)
{
	uint64_t spread = ln_q32(d->b) - ln_q32(d->a);

	return ((u128)spread << 32) / NORMAL_P99_Q32;
}

static uint64_t sample_lognormal(const struct dist *d, struct random_stream *s)
{
	int64_t z_q32 = sample_normal_q32(s);

	return scale_exp(d->a, (s128)sigma_q32(d) * z_q32 >> 32);
}

/*
 * The least value times e^(E / alpha), E exponential; the mean is the least value
 * times alpha / (alpha - 1), hence alpha = b / (b - a).
 */
static uint64_t sample_pareto(const struct dist *d, struct random_stream *s)
{
	return scale_exp(d->a, (u128)sample_exp_q32(s) * (d->b - d->a) / d->b);
}

/* Where @part of @whole lies on the way from @from to @to. */
static uint64_t on_line(uint64_t from, uint64_t to, u128 part, u128 whole)
{
	return from + (uint64_t)(((u128)(to - from) * part + whole / 2) / whole);
}

static uint64_t sample_quantiles(const struct dist *d, struct random_stream *s)
{
	/* ppm with 32 bits after the point, less than the last entry's */
	uint64_t at = (u128)random_next(s) * PPM_ONE >> 32;
	unsigned low = 0, high = d->nr - 1;
	uint64_t from;

	while (high - low > 1) {
		unsigned middle = low + (high - low) / 2;

		if ((uint64_t)d->ppm[middle] << 32 <= at)
			low = middle;
		else
			high = middle;
	}
	from = (uint64_t)d->ppm[low] << 32;
	return on_line(d->values[low], d->values[high], at - from,
		       ((uint64_t)d->ppm[high] << 32) - from);
}

uint64_t dist_sample(const struct dist *d, struct random_stream *s, uint64_t *turn)
{
	switch (d->kind) {
	case DIST_FIXED:
		return d->a;
	case DIST_UNIFORM:
		return sample_uniform(d, s);
	case DIST_EXP:
		return sample_exp(d, s);
	case DIST_LOGNORMAL:
		return sample_lognormal(d, s);
	case DIST_PARETO:
		return sample_pareto(d, s);
	case DIST_LIST:
		return d->values[(*turn)++ % d->nr];
	case DIST_QUANTILES:
		return sample_quantiles(d, s);
	}
	g_assert_not_reached();
}

/* e^(sigma^2 / 2) medians */
static uint64_t mean_lognormal(const struct dist *d)
{
	uint64_t sigma = sigma_q32(d);

	return scale_exp(d->a, (u128)sigma * sigma >> 33);
}

static uint64_t mean_list(const struct dist *d)
{
	u128 sum = 0;

	for (unsigned i = 0; i < d->nr; i++)
		sum += d->values[i];
	return (sum + d->nr / 2) / d->nr;
}

/* Each straight piece counts with its middle and its share. */
static uint64_t mean_quantiles(const struct dist *d)
{
	u128 twice = 0;

	for (unsigned i = 0; i + 1 < d->nr; i++)
		twice += ((u128)d->values[i] + d->values[i + 1]) *
			 (d->ppm[i + 1] - d->ppm[i]);
	return (twice + PPM_ONE) / (2 * PPM_ONE);
}

uint64_t dist_mean_ns(const struct dist *d)
{
	switch (d->kind) {
	case DIST_FIXED:
	case DIST_EXP:
		return d->a;
	case DIST_UNIFORM:
		return d->a + (d->b - d->a) / 2;
	case DIST_LOGNORMAL:
		return mean_lognormal(d);
	case DIST_PARETO:
		return d->b;
	case DIST_LIST:
		return mean_list(d);
	case DIST_QUANTILES:
		return mean_quantiles(d);
	}
	g_assert_not_reached();
}

void dist_clear(struct dist *d)
{
	g_free(d->values);
	g_free(d->ppm);
	*d = (struct dist){.kind = DIST_FIXED};
}
