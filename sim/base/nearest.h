/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which known name a mistyped one was meant to be.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

/*
 * The name of @known (ends with NULL) with the fewest letters inserted, removed
 * or replaced; upper and lower case count as equal, and of equally near ones the
 * first wins.  NULL only if @known is empty.
 */
const char *nearest_name(const char *name, const char *const *known);

#endif
