/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which known name a mistyped one was meant to be.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

/*
 * The name of @known (ends with NULL) that takes the fewest letters removed and
 * added; upper and lower case count as equal, and of equally near ones the first
 * wins.  A letter replaced is one removed and one added, so that a beginning
 * ("zen3") is nearer to its whole ("zen3-nps1") than to another short name.
 * NULL only if @known is empty.
 */
const char *nearest_name(const char *name, const char *const *known);

#endif
