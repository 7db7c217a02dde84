/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench.h"

#include <stdarg.h>
#include <time.h>

double bench_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

void bench_print(const char *name, double figure, const char *unit, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, unit);
	text = g_strdup_vprintf(unit, args);
	va_end(args);
	g_print("%-16s %12.1f %s\n", name, figure, text);
}
