/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bucket of a value is its power of two and the HISTOGRAM_BITS bits below its
 * highest one.
 */
#include "base/histogram.h"

#include <glib.h>

#define PER_OCTAVE (1U << HISTOGRAM_BITS)
#define PERCENTILE_ONE 100000

static unsigned bucket_of(uint64_t value)
{
	unsigned top;

	if (value < PER_OCTAVE)
		return value;
	top = 63 - __builtin_clzll(value);
	return (top - HISTOGRAM_BITS) * PER_OCTAVE + (value >> (top - HISTOGRAM_BITS));
}

/* The largest value of @bucket. */
static uint64_t bucket_end(unsigned bucket)
{
	unsigned shift;

	if (bucket < PER_OCTAVE)
		return bucket;
	shift = bucket / PER_OCTAVE - 1;
	/* of the very last bucket 2^64 - 1: the shifted end has wrapped to 0 */
	return ((uint64_t)(bucket % PER_OCTAVE + PER_OCTAVE + 1) << shift) - 1;
}

void histogram_init(struct histogram *h)
{
	*h = (struct histogram){.min = UINT64_MAX};
}

void histogram_clear(struct histogram *h)
{
	for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++)
		g_free(h->octaves[i]);
	*h = (struct histogram){.min = UINT64_MAX};
}

static uint64_t *octave(struct histogram *h, unsigned index)
{
	if (!h->octaves[index])
		h->octaves[index] = g_new0(uint64_t, PER_OCTAVE);
	return h->octaves[index];
}

void histogram_add(struct histogram *h, uint64_t value)
{
	unsigned bucket = bucket_of(value);

	h->count++;
	h->sum += value;
	h->min = MIN(h->min, value);
	h->max = MAX(h->max, value);
	octave(h, bucket / PER_OCTAVE)[bucket % PER_OCTAVE]++;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	into->count += from->count;
	into->sum += from->sum;
	into->min = MIN(into->min, from->min);
	into->max = MAX(into->max, from->max);
	for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++)
		for (unsigned b = 0; from->octaves[i] && b < PER_OCTAVE; b++)
			octave(into, i)[b] += from->octaves[i][b];
}

/* The nearest rank: the least whole number, from 1, not below that share of @count. */
static uint64_t nearest_rank(uint64_t count, unsigned per_100k)
{
	unsigned __int128 share = (unsigned __int128)count * per_100k;
	uint64_t rank = (share + PERCENTILE_ONE - 1) / PERCENTILE_ONE;

	return MAX(rank, 1);
}

static uint64_t count_in(const struct histogram *h, unsigned bucket)
{
	const uint64_t *octave = h->octaves[bucket / PER_OCTAVE];

	return octave ? octave[bucket % PER_OCTAVE] : 0;
}

uint64_t histogram_percentile(const struct histogram *h, unsigned per_100k)
{
	uint64_t rank, seen = 0;
	unsigned bucket = 0;

	g_assert(per_100k <= PERCENTILE_ONE);

	if (!h->count)
		return 0;
	rank = nearest_rank(h->count, per_100k);
	while ((seen += count_in(h, bucket)) < rank)
		bucket++;
	return MIN(bucket_end(bucket), h->max);
}
