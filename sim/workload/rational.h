/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact fractions, so that what a file says about load and rates is computed
 * without rounding until it becomes nanoseconds.
 */
#ifndef WORKLOAD_RATIONAL_H
#define WORKLOAD_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

/* In lowest terms; den > 0. */
struct rational {
	int64_t num, den;
};

static inline struct rational rational_of(int64_t n)
{
	return (struct rational){n, 1};
}

/* False when the exact result does not fit (or a divisor is 0); @out is then
 * unchanged. */
bool rational_add(struct rational a, struct rational b, struct rational *out);
bool rational_sub(struct rational a, struct rational b, struct rational *out);
bool rational_mul(struct rational a, struct rational b, struct rational *out);
bool rational_div(struct rational a, struct rational b, struct rational *out);

/* A decimal number without sign, "0.9" or "1e-3".  False when it does not fit. */
bool rational_parse(const char *text, struct rational *out);

/* To the nearest whole number, halves upwards; for values of 0 or more. */
int64_t rational_round(struct rational a);

/* "3", "0.9" where that is exact, else "1/3".  (transfer full) */
char *rational_format(struct rational a);

#endif
