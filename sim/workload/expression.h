/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a string may compute: "=load*120us".
 *
 *	sum     = product { ("+" | "-") product }
 *	product = factor { ("*" | "/") factor }
 *	factor  = ["-"] (number | time | name | "(" sum ")")
 *
 * A time is a number with its unit at once behind it (ns, us, ms, s), a name is
 * a parameter's.  Blanks may stand between.  All of it is exact.
 */
#ifndef WORKLOAD_EXPRESSION_H
#define WORKLOAD_EXPRESSION_H

#include "workload/rational.h"

#include <glib.h>

/* A number, a time in ns (power 1), or a rate in 1/ns (power -1). */
struct quantity {
	struct rational value;
	int time_power;
};

/* NULL when there is no such name, with an error. */
typedef const struct quantity *(*quantity_lookup)(void *data, const char *name,
						  GError **error);

/* @lookup may be NULL: no names.  INPUT_ERROR_VALUE says what was expected. */
bool expression_eval(const char *text, quantity_lookup lookup, void *data,
		     struct quantity *out, GError **error);

/* "0.9", "17us", "1/3"; times in the largest unit that is whole.  (transfer full) */
char *quantity_format(const struct quantity *q);
/* "a time", "a plain number", ... for messages */
const char *quantity_kind(const struct quantity *q);

#endif
