/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rows a table for people has, and what they are called there.
 */
#ifndef REPORT_TEXT_ROWS_H
#define REPORT_TEXT_ROWS_H

#include "report/comparison.h"

/*
 * Details are for the other formats: single CPUs and LLCs, the least and the mean,
 * the only group of tasks beside all tasks.  Zeros say nothing, nor do the stats
 * of a distribution without values.
 */
bool text_row_is_shown(const comparison *c, guint row);
/* Which stat of a distribution it is, or NULL. */
const char *text_row_stat(const struct comparison_row *row);
/* What it is under.  (transfer full) */
char *text_row_section(const struct comparison_row *row);
/* (transfer full) */
char *text_row_label(const struct comparison_row *row);

#endif
