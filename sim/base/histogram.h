/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies in logarithmic buckets: mergeable, of bounded size, with a known error.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdint.h>

/*
 * Values below 2^HISTOGRAM_BITS have a bucket each; above, every power of two is
 * cut into 2^HISTOGRAM_BITS equal buckets and a value is reported as its
 * bucket's upper bound, never above the maximum: at most 1/128 too high.
 */
#define HISTOGRAM_BITS 7
#define HISTOGRAM_OCTAVES (64 - HISTOGRAM_BITS + 1)

struct histogram {
	uint64_t count;
	uint64_t min, max; /* exact; min is UINT64_MAX when empty */
	uint64_t sum;      /* exact modulo 2^64 */
	/* each [2^HISTOGRAM_BITS] owned; NULL: no value so far */
	uint64_t *octaves[HISTOGRAM_OCTAVES];
};

void histogram_init(struct histogram *h);
void histogram_clear(struct histogram *h);
void histogram_add(struct histogram *h, uint64_t value);
void histogram_merge(struct histogram *into, const struct histogram *from);
/* Nearest rank; @per_100k is 99900 for p99.9.  0 when empty. */
uint64_t histogram_percentile(const struct histogram *h, unsigned per_100k);

#endif
