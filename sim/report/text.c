/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for people: what was simulated, then a table.
 */
#include "report/writers.h"

#include <string.h>

#define NAME_WIDTH 11
#define TEXT_WIDTH 110

/* @text from column NAME_WIDTH on, broken between words. */
static void append_note(GString *out, const char *name, const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \n\r\t", -1);
	gsize column = NAME_WIDTH;

	g_string_append_printf(out, "%-*s", NAME_WIDTH, name);
	for (int i = 0; words[i]; i++) {
		gsize length = strlen(words[i]);

		if (column > NAME_WIDTH && column + 1 + length > TEXT_WIDTH) {
			g_string_append_printf(out, "\n%*s", NAME_WIDTH, "");
			column = NAME_WIDTH;
		} else if (i) {
			g_string_append_c(out, ' ');
			column++;
		}
		g_string_append(out, words[i]);
		column += length;
	}
	g_string_append_c(out, '\n');
}

/* What it does, and what the user set; the JSON report has every setting. */
static void append_policies(GString *out, const experiment *e)
{
	for (guint i = 0; i < e->policies->len; i++) {
		const struct experiment_policy *p = experiment_policy(e, i);
		g_autofree char *text = NULL;

		if (!strcmp(p->label, p->text))
			text = g_strdup_printf("%s: %s", p->text, p->summary);
		else
			text = g_strdup_printf("%s = %s: %s", p->label,
					       p->text + strlen(p->label) + 1,
					       p->summary);
		append_note(out, i ? "" : "policy", text);
	}
}

static void append_seeds(GString *out, const experiment *e)
{
	g_autofree char *text = NULL;
	unsigned long long first = e->spec.seed;

	if (e->spec.runs == 1)
		text = g_strdup_printf("%llu", first);
	else
		text = g_strdup_printf("%llu to %llu, the same for each policy", first,
				       first + e->spec.runs - 1);
	append_note(out, "seed", text);
}

static void append_head(GString *out, const experiment *e,
			const struct experiment_case *c)
{
	append_note(out, "workload", experiment_file(e, c->workload)->path);
	for (int i = 0; c->notes[i]; i += 2)
		append_note(out, c->notes[i], c->notes[i + 1]);
	append_policies(out, e);
	append_seeds(out, e);
	for (int i = 0; c->warnings[i]; i++)
		append_note(out, "warning", c->warnings[i]);
	g_string_append_c(out, '\n');
}

static void append_case(GString *out, const experiment *e, guint index)
{
	guint nr = e->policies->len;
	g_autofree struct comparison_column *columns =
		g_new0(struct comparison_column, nr);
	g_autoptr(comparison) c = NULL;

	for (guint p = 0; p < nr; p++)
		columns[p] = (struct comparison_column){
			experiment_policy(e, p)->label,
			(const figures *const *)&e
				->cells[experiment_cell(e, index, p, 0)],
		};
	c = comparison_new(columns, nr, e->spec.runs);
	append_head(out, e, experiment_case(e, index));
	text_table(out, c, columns[0].label);
}

char *text_report(const experiment *e)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < e->cases->len; i++) {
		if (i)
			g_string_append_c(out, '\n');
		append_case(out, e, i);
	}
	return g_string_free(out, FALSE);
}
