/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The binomial tail is worked out in integers: probabilities in units of 2^-62,
 * exact up to 62 samples and short by less than n * 2^-62 beyond.
 */
#include "report/interval.h"

#include <glib.h>
#include <string.h>

#define PROBABILITY_ONE (1ULL << 62)
/* 5 %, half on either side */
#define ONE_TAIL (PROBABILITY_ONE / 40)

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t *sorted(const int64_t *values, unsigned n)
{
	int64_t *copy = g_memdup2(values, n * sizeof(*values));

	qsort(copy, n, sizeof(*copy), ascending);
	return copy;
}

static int64_t middle(const int64_t *values, unsigned n)
{
	__int128 sum = (__int128)values[(n - 1) / 2] + values[n / 2];

	return (int64_t)(sum >> 1);
}

int64_t median_of(const int64_t *values, unsigned n)
{
	g_autofree int64_t *copy = sorted(values, n);

	g_assert(n);
	return middle(copy, n);
}

/* p[i], [n + 1]: the probability of i heads in n throws */
static uint64_t *binomial(unsigned n)
{
	uint64_t *p = g_new0(uint64_t, n + 1);

	p[0] = PROBABILITY_ONE;
	for (unsigned throws = 1; throws <= n; throws++)
		for (unsigned i = throws + 1; i-- > 0;)
			p[i] = (p[i] + (i ? p[i - 1] : 0)) / 2;
	return p;
}

bool interval_ranks(unsigned n, unsigned *low, unsigned *high)
{
	g_autofree uint64_t *p = NULL;
	uint64_t tail = 0;
	unsigned k = 0;

	g_assert(n <= INTERVAL_SAMPLES_MAX);

	if (n < INTERVAL_SAMPLES_MIN)
		return false;
	p = binomial(n);
	while (tail + p[k] <= ONE_TAIL)
		tail += p[k++];
	*low = k - 1;
	*high = n - k;
	return true;
}

bool interval_of(const int64_t *values, unsigned n, struct interval *out)
{
	g_autofree int64_t *copy = sorted(values, n);
	unsigned low, high;

	g_assert(n);
	out->median = middle(copy, n);
	if (!interval_ranks(n, &low, &high))
		return false;
	out->low = copy[low];
	out->high = copy[high];
	return true;
}
