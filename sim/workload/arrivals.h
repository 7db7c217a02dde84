/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recorded arrivals: JSON Lines, read one line at a time.
 *
 *	{"at_ns": 1500000}
 *	{"at_ns": 1500000, "count": 3}
 *	{"at_ns": 1500000, "value": "0-3"}
 *
 * at_ns is counted from the start of the run and never goes back; count is the
 * number of requests or operations that come together, 1 if it is left out; value, a
 * text or a whole number, is what operations write.  Empty lines and lines that begin
 * with # are passed over.
 */
#ifndef WORKLOAD_ARRIVALS_H
#define WORKLOAD_ARRIVALS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct arrivals arrivals;

struct arrival {
	uint64_t at_ns;
	uint64_t count;
	const char *value; /* until the next one is read; NULL: it has none */
};

/* Whether lines may have, or have to have, a value. */
enum arrival_values {
	ARRIVALS_WITHOUT_VALUES,
	ARRIVALS_OFFER_VALUES,
	ARRIVALS_NEED_VALUES,
};

/* NULL with INPUT_ERROR_FILE when @path cannot be read. */
arrivals *arrivals_open(const char *path, enum arrival_values values, GError **error);
void arrivals_close(arrivals *a);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(arrivals, arrivals_close)

/*
 * The next one into @out.  At the end @out->count is 0.  False with an error of
 * INPUT_ERROR that names file and line.
 */
bool arrivals_next(arrivals *a, struct arrival *out, GError **error);

#endif
