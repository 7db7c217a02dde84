/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What benchmarks share: a clock and one form of result line.
 */
#ifndef BENCH_H
#define BENCH_H

#include <glib.h>

/* The process's own time, which other processes do not lengthen. */
double bench_now_ns(void);

/* "name  figure unit" */
void bench_print(const char *name, double figure, const char *unit, ...)
	G_GNUC_PRINTF(3, 4);

#endif
