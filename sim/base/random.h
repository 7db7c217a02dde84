/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers by seed and name, so that a new user of them does not shift
 * the numbers of the others.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

struct random_stream {
	uint64_t state[4]; /* xoshiro256**, Blackman and Vigna 2018 */
};

void random_stream_init(struct random_stream *s, uint64_t seed, const char *name);
uint64_t random_next(struct random_stream *s);
/* 0..@n - 1 without bias; @n > 0 */
uint64_t random_below(struct random_stream *s, uint64_t n);

#endif
