/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Medians, and how sure a median is: the interval between two order statistics
 * that holds it with 95 % confidence, whatever the distribution.
 */
#ifndef REPORT_INTERVAL_H
#define REPORT_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

/* Fewer samples cannot give 95 %: 2 * 2^-5 > 0.05. */
#define INTERVAL_SAMPLES_MIN 6
/* The work grows with the square. */
#define INTERVAL_SAMPLES_MAX 1000

struct interval {
	int64_t median, low, high;
};

/* Of @values, [n], n > 0; the mean of the two in the middle, rounded down, if n is
 * even. */
int64_t median_of(const int64_t *values, unsigned n);

/*
 * The ranks, from 0, of the samples that bound the interval: the narrowest pair
 * (k, n - 1 - k) that leaves out the median with a probability of at most 5 %.
 * False for n < INTERVAL_SAMPLES_MIN.
 *
 * source: sign test; the number of samples below the median is Bin(n, 1/2)
 */
bool interval_ranks(unsigned n, unsigned *low, unsigned *high);

/* False, with @out->median alone filled in, for too few samples. */
bool interval_of(const int64_t *values, unsigned n, struct interval *out);

#endif
