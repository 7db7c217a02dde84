/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One writer for each format of a report.  None of them computes.
 */
#ifndef REPORT_WRITERS_H
#define REPORT_WRITERS_H

#include "report/comparison.h"
#include "report/experiment.h"

/* All return (transfer full) text that ends with a newline. */

/* Tables for people: the policies side by side, a table for each case. */
char *text_report(const experiment *e);
/* The whole experiment, inputs and results, to be read by result_read(). */
char *json_report(const experiment *e);
/* A line for each figure of each run. */
char *csv_report(const experiment *e);

/* The rows of @c that say something; @base names the first column in words. */
void text_table(GString *out, const comparison *c, const char *base);
/* "1.25ms", "12.5 %", "1234": (transfer full) */
char *text_value(enum figure_unit unit, int64_t value);
/* "-12.3 %" of @base; the difference itself when @base is 0.  (transfer full) */
char *text_change(enum figure_unit unit, int64_t change, int64_t base);
/* "[-15.2, -8.1]" in the same unit.  (transfer full) */
char *text_interval(enum figure_unit unit, int64_t low, int64_t high, int64_t base);

#endif
