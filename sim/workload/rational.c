/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every operation reduces before it multiplies, so that it overflows only when
 * its result does (or comes close).
 */
#include "workload/rational.h"

#include <glib.h>

static int64_t common_divisor(int64_t a, int64_t b)
{
	a = ABS(a);
	b = ABS(b);
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a ? a : 1;
}

static struct rational lowest_terms(struct rational a)
{
	int64_t divisor = common_divisor(a.num, a.den);

	return (struct rational){a.num / divisor, a.den / divisor};
}

/* INT64_MIN has no negation, so it counts as an overflow. */
static bool fits(struct rational a)
{
	return a.num != INT64_MIN && a.den != INT64_MIN;
}

bool rational_add(struct rational a, struct rational b, struct rational *out)
{
	int64_t divisor = common_divisor(a.den, b.den);
	int64_t left, right;
	struct rational sum;

	if (__builtin_mul_overflow(a.num, b.den / divisor, &left) ||
	    __builtin_mul_overflow(b.num, a.den / divisor, &right) ||
	    __builtin_add_overflow(left, right, &sum.num) ||
	    __builtin_mul_overflow(a.den, b.den / divisor, &sum.den) || !fits(sum))
		return false;
	*out = lowest_terms(sum);
	return true;
}

bool rational_sub(struct rational a, struct rational b, struct rational *out)
{
	return rational_add(a, (struct rational){-b.num, b.den}, out);
}

bool rational_mul(struct rational a, struct rational b, struct rational *out)
{
	struct rational x = lowest_terms((struct rational){a.num, b.den});
	struct rational y = lowest_terms((struct rational){b.num, a.den});
	struct rational product;

	if (__builtin_mul_overflow(x.num, y.num, &product.num) ||
	    __builtin_mul_overflow(x.den, y.den, &product.den) || !fits(product))
		return false;
	*out = product;
	return true;
}

bool rational_div(struct rational a, struct rational b, struct rational *out)
{
	struct rational inverse = {b.den, b.num};

	if (!b.num)
		return false;
	if (b.num < 0)
		inverse = (struct rational){-b.den, -b.num};
	return rational_mul(a, inverse, out);
}

static bool scale_by_tens(struct rational *a, int exponent)
{
	const struct rational ten = rational_of(10);

	if (!a->num)
		return true;
	for (; exponent > 0; exponent--)
		if (!rational_mul(*a, ten, a))
			return false;
	for (; exponent < 0; exponent++)
		if (!rational_div(*a, ten, a))
			return false;
	return true;
}

bool rational_parse(const char *text, struct rational *out)
{
	struct rational value = {0, 1};
	int exponent = 0;
	bool point = false;

	for (; g_ascii_isdigit(*text) || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		exponent -= point;
		if (!rational_mul(value, rational_of(10), &value) ||
		    !rational_add(value, rational_of(g_ascii_digit_value(*text)),
				  &value))
			return false;
	}
	if (*text == 'e' || *text == 'E') {
		gint64 given = g_ascii_strtoll(text + 1, NULL, 10);

		/* far outside what 64 bits hold, and safe to add */
		exponent += CLAMP(given, -100, 100);
	}
	if (!scale_by_tens(&value, exponent))
		return false;
	*out = value;
	return true;
}

int64_t rational_round(struct rational a)
{
	return a.num / a.den + (a.num % a.den >= a.den - a.num % a.den);
}

/* The places after the point that write @den exactly, or -1. */
static int decimal_places(int64_t den)
{
	int twos = 0, fives = 0;

	for (; den % 2 == 0; den /= 2)
		twos++;
	for (; den % 5 == 0; den /= 5)
		fives++;
	return den == 1 ? MAX(twos, fives) : -1;
}

char *rational_format(struct rational a)
{
	int places = decimal_places(a.den);
	struct rational scaled = a;
	int64_t one = 1;

	if (a.den == 1)
		return g_strdup_printf("%" G_GINT64_FORMAT, a.num);
	if (places < 0 || places > 18 || !scale_by_tens(&scaled, places))
		return g_strdup_printf("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, a.num,
				       a.den);
	for (int i = 0; i < places; i++)
		one *= 10;
	return g_strdup_printf("%s%" G_GINT64_FORMAT ".%0*" G_GINT64_FORMAT,
			       a.num < 0 ? "-" : "", ABS(scaled.num) / one, places,
			       ABS(scaled.num) % one);
}
