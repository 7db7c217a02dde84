/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers in control files.
 *
 * source: lib/kstrtox.c, 6.1
 */
#include "model/cgroup.h"

#include <errno.h>
#include <string.h>

/* Skips the prefix of the base: 0x, 0 or none. */
static unsigned base_of(const char **text)
{
	const char *s = *text;

	if (s[0] != '0')
		return 10;
	if ((s[1] != 'x' && s[1] != 'X') || !g_ascii_isxdigit(s[2]))
		return 8;
	*text = s + 2;
	return 16;
}

/* Without a sign. */
static int parse_digits(const char *text, uint64_t *value)
{
	unsigned base = base_of(&text);
	const char *first = text;
	bool overflows = false;
	uint64_t sum = 0;

	for (; g_ascii_isxdigit(*text) && g_ascii_xdigit_value(*text) < (int)base;
	     text++) {
		uint64_t digit = (uint64_t)g_ascii_xdigit_value(*text);

		overflows |= sum > (UINT64_MAX - digit) / base;
		sum = sum * base + digit;
	}
	if (overflows)
		return -ERANGE;
	if (text == first)
		return -EINVAL;
	if (*text == '\n')
		text++;
	if (*text)
		return -EINVAL;
	*value = sum;
	return 0;
}

int cgroup_parse_u64(const char *text, uint64_t *value)
{
	return parse_digits(*text == '+' ? text + 1 : text, value);
}

int cgroup_parse_s64(const char *text, int64_t *value)
{
	bool negative = *text == '-';
	uint64_t size;
	int result = negative ? parse_digits(text + 1, &size)
			      : cgroup_parse_u64(text, &size);

	if (result)
		return result;
	if (size > (uint64_t)INT64_MAX + negative)
		return -ERANGE;
	*value = (int64_t)(negative ? -size : size);
	return 0;
}
