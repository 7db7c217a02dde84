/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader of the table can do without.
 */
#include "report/text_rows.h"

#include <string.h>

static bool is_zero(const comparison *c, const struct comparison_row *row)
{
	for (unsigned i = 0; i < c->nr_columns; i++)
		if (row->cells[i].median)
			return false;
	return true;
}

const char *text_row_stat(const struct comparison_row *row)
{
	int last = FIGURE_PARTS - 1;

	if (!row->metric || !row->metric->is_distribution)
		return NULL;
	while (!row->name.part[last])
		last--;
	return row->name.part[last];
}

static bool is_of_group(const struct comparison_row *row)
{
	return !strcmp(row->name.part[0], "tasks");
}

/* The second way to measure a wakeup is for all tasks together only. */
static bool is_detail(const struct comparison_row *row)
{
	const char *stat = text_row_stat(row);

	if (row->metric->scope == SCOPE_CPUS || row->metric->scope == SCOPE_LLCS)
		return true;
	if (is_of_group(row) && !strcmp(row->metric->name, "wakeup_to_run_ns"))
		return true;
	return stat && (!strcmp(stat, "min") || !strcmp(stat, "mean"));
}

/* Whether @row is of the only group of tasks, which all tasks are. */
static bool is_repetition(const comparison *c, const struct comparison_row *row)
{
	if (!is_of_group(row))
		return false;
	for (guint i = 0; i < c->rows->len; i++) {
		const struct comparison_row *other = comparison_row(c, i);

		if (is_of_group(other) &&
		    g_strcmp0(other->name.part[1], row->name.part[1]))
			return false;
	}
	return true;
}

bool text_row_is_shown(const comparison *c, guint row_index)
{
	const struct comparison_row *row = comparison_row(c, row_index);
	guint count = row_index;

	if (!row->metric || is_detail(row) || is_repetition(c, row))
		return false;
	if (!row->metric->is_distribution)
		return !is_zero(c, row);
	/* its stats begin with the count */
	while (count && g_strcmp0(text_row_stat(comparison_row(c, count)), "count"))
		count--;
	return !is_zero(c, comparison_row(c, count));
}

char *text_row_section(const struct comparison_row *row)
{
	const char *const *part = row->name.part;

	switch (row->metric->scope) {
	case SCOPE_SOURCES:
		return g_strdup_printf("requests of %s", part[1]);
	case SCOPE_TASKS:
		return is_of_group(row) ? g_strdup_printf("tasks %s", part[1])
					: g_strdup("all tasks");
	case SCOPE_OPERATIONS:
		return g_strdup_printf("operations: %s", part[1]);
	case SCOPE_ROOT_DOMAINS:
		return g_strdup_printf("root domain %s", part[1]);
	case SCOPE_CGROUPS:
		return g_strdup_printf("group %s", part[1]);
	case SCOPE_DECISIONS:
		return g_strdup("decisions");
	case SCOPE_MACHINE:
	case SCOPE_LLCS:
	case SCOPE_CPUS:
		break;
	}
	return g_strdup("machine");
}

char *text_row_label(const struct comparison_row *row)
{
	if (row->metric->scope == SCOPE_DECISIONS)
		return g_strdup_printf("%s: %s", row->name.part[1], row->name.part[2]);
	if (!strcmp(row->metric->name, "*"))
		return g_strdup_printf("%s %s", row->metric->label, row->name.part[2]);
	return g_strdup(row->metric->label);
}
