/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The edit distance between a name and each known one, of letters removed and added.
 */
#include "base/nearest.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * @row is scratch for strlen(@b) + 1 numbers.  After @i letters of @a, row[j] is
 * the distance of those to the first j letters of @b.
 */
static size_t edit_distance(const char *a, const char *b, size_t *row)
{
	size_t len = strlen(b);

	for (size_t j = 0; j <= len; j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < len; j++) {
			bool same = g_ascii_tolower(a[i]) == g_ascii_tolower(b[j]);
			size_t kept = diagonal;

			diagonal = row[j + 1];
			row[j + 1] = same ? kept : 1 + MIN(row[j], row[j + 1]);
		}
	}
	return row[len];
}

static size_t longest(const char *const *known)
{
	size_t len = 0;

	for (; *known; known++)
		len = MAX(len, strlen(*known));
	return len;
}

const char *nearest_name(const char *name, const char *const *known)
{
	g_autofree size_t *row = g_new(size_t, longest(known) + 1);
	const char *nearest = NULL;
	size_t least = SIZE_MAX;

	for (; *known; known++) {
		size_t distance = edit_distance(name, *known, row);

		if (distance < least) {
			least = distance;
			nearest = *known;
		}
	}
	return nearest;
}
