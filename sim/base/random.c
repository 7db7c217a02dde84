/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xoshiro256**, whose state is filled by splitmix64 from the seed and the name.
 *
 * source: D. Blackman, S. Vigna: Scrambled linear pseudorandom number generators
 * (2018); FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo
 */
#include "base/random.h"

#include <glib.h>

#define FNV_OFFSET_BASIS 0xcbf29ce484222325ULL
#define FNV_PRIME 0x100000001b3ULL
#define SPLITMIX_STEP 0x9e3779b97f4a7c15ULL

static uint64_t fnv_1a(const char *text)
{
	uint64_t hash = FNV_OFFSET_BASIS;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * FNV_PRIME;
	return hash;
}

static uint64_t splitmix_next(uint64_t *state)
{
	uint64_t z = *state += SPLITMIX_STEP;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static uint64_t rotate_left(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

/*
 * The seed is stirred before the name joins it: of two neighbouring seeds and
 * two names that differ in a bit, no pair may then share a stream.  Splitmix64
 * never gives zero four times running, the one state xoshiro cannot leave.
 */
void random_stream_init(struct random_stream *s, uint64_t seed, const char *name)
{
	uint64_t mix;

	g_assert(name);

	mix = splitmix_next(&seed) ^ fnv_1a(name);
	for (int i = 0; i < 4; i++)
		s->state[i] = splitmix_next(&mix);
}

uint64_t random_next(struct random_stream *s)
{
	uint64_t *x = s->state;
	uint64_t result = rotate_left(x[1] * 5, 7) * 9;
	uint64_t shifted = x[1] << 17;

	x[2] ^= x[0];
	x[3] ^= x[1];
	x[1] ^= x[2];
	x[0] ^= x[3];
	x[2] ^= shifted;
	x[3] = rotate_left(x[3], 45);
	return result;
}

/*
 * The high half of a product spreads 2^64 numbers over @n; those low halves that
 * would give some results one number more than others are drawn again.
 *
 * source: D. Lemire: Fast random integer generation in an interval (2019)
 */
uint64_t random_below(struct random_stream *s, uint64_t n)
{
	unsigned __int128 product;

	g_assert(n > 0);

	product = (unsigned __int128)random_next(s) * n;
	if ((uint64_t)product < n) {
		uint64_t surplus = -n % n; /* 2^64 modulo n */

		while ((uint64_t)product < surplus)
			product = (unsigned __int128)random_next(s) * n;
	}
	return product >> 64;
}
