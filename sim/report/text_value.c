/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single figures for people.
 */
#include "base/duration.h"
#include "report/writers.h"

static char *duration_text(int64_t ns)
{
	g_autofree char *size = duration_format(ns < 0 ? -(uint64_t)ns : (uint64_t)ns);

	return g_strdup_printf("%s%s", ns < 0 ? "-" : "", size);
}

char *text_value(enum figure_unit unit, int64_t value)
{
	switch (unit) {
	case UNIT_NS:
		return duration_text(value);
	case UNIT_MILLI:
		return g_strdup_printf("%.3f", (double)value / 1000);
	case UNIT_PPM:
		return g_strdup_printf("%.2f %%", (double)value / 10000);
	case UNIT_PER_S:
		return g_strdup_printf("%lld /s", (long long)value);
	case UNIT_COUNT:
		break;
	}
	return g_strdup_printf("%lld", (long long)value);
}

static double percent(int64_t change, int64_t base)
{
	return 100.0 * (double)change / (double)ABS(base);
}

static char *signed_value(enum figure_unit unit, int64_t value)
{
	g_autofree char *text = text_value(unit, value);

	return g_strdup_printf("%s%s", value > 0 ? "+" : "", text);
}

char *text_change(enum figure_unit unit, int64_t change, int64_t base)
{
	if (base)
		return g_strdup_printf("%+.1f %%", percent(change, base));
	return signed_value(unit, change);
}

char *text_interval(enum figure_unit unit, int64_t low, int64_t high, int64_t base)
{
	g_autofree char *low_text = NULL, *high_text = NULL;

	if (base)
		return g_strdup_printf("[%+.1f, %+.1f]", percent(low, base),
				       percent(high, base));
	low_text = signed_value(unit, low);
	high_text = signed_value(unit, high);
	return g_strdup_printf("[%s, %s]", low_text, high_text);
}
