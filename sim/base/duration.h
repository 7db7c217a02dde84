/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times as users write them: "250us", "10ms", "1.5s".
 */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The longest time a user may name, ns: 2^53, or 104 days. */
#define SPAN_MAX_NS (UINT64_C(1) << 53)

/* A unit (ns, us, ms, s) is required.  INPUT_ERROR_VALUE says what came instead. */
bool duration_parse(const char *text, uint64_t *out_ns, GError **error);

/* Three significant digits with a unit: "93.8us".  (transfer full) */
char *duration_format(uint64_t ns);

#endif
