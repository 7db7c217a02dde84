/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text grows in one string; what is open is kept by depth.
 */
#include "report/json_writer.h"

#define DEPTH_MAX 32

struct json_writer {
	GString *text;
	bool one_line;
	int depth;
	bool has_member[DEPTH_MAX]; /* of what is open at that depth */
	bool is_one_line[DEPTH_MAX];
};

json_writer *json_writer_new(void)
{
	json_writer *w = g_new0(json_writer, 1);

	w->text = g_string_new(NULL);
	return w;
}

void json_writer_free(json_writer *w)
{
	if (!w)
		return;
	g_string_free(w->text, TRUE);
	g_free(w);
}

void json_writer_one_line(json_writer *w, bool on)
{
	w->one_line = on;
}

static void new_line(json_writer *w)
{
	g_string_append_c(w->text, '\n');
	for (int i = 0; i < w->depth; i++)
		g_string_append_c(w->text, '\t');
}

static void append_escaped(GString *text, const char *value)
{
	g_autofree char *valid = g_utf8_make_valid(value, -1);

	g_string_append_c(text, '"');
	for (const char *p = valid; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_printf(text, "\\%c", *p);
		else if ((guchar)*p < 0x20)
			g_string_append_printf(text, "\\u%04x", (guchar)*p);
		else
			g_string_append_c(text, *p);
	}
	g_string_append_c(text, '"');
}

/* What comes before a value: the comma, the place, the key. */
static void begin_value(json_writer *w, const char *key)
{
	if (w->depth) {
		if (w->has_member[w->depth])
			g_string_append_c(w->text, ',');
		if (!w->is_one_line[w->depth])
			new_line(w);
		else if (w->has_member[w->depth])
			g_string_append_c(w->text, ' ');
		w->has_member[w->depth] = true;
	}
	if (key) {
		append_escaped(w->text, key);
		g_string_append(w->text, ": ");
	}
}

void json_writer_begin(json_writer *w, const char *key, char bracket)
{
	g_assert(w->depth + 1 < DEPTH_MAX);

	begin_value(w, key);
	g_string_append_c(w->text, bracket);
	w->depth++;
	w->has_member[w->depth] = false;
	w->is_one_line[w->depth] = w->one_line;
}

void json_writer_end(json_writer *w, char bracket)
{
	bool broken;

	g_assert(w->depth);

	broken = w->has_member[w->depth] && !w->is_one_line[w->depth];
	w->depth--;
	if (broken)
		new_line(w);
	g_string_append_c(w->text, bracket);
}

void json_writer_string(json_writer *w, const char *key, const char *value)
{
	begin_value(w, key);
	append_escaped(w->text, value);
}

void json_writer_int(json_writer *w, const char *key, int64_t value)
{
	begin_value(w, key);
	g_string_append_printf(w->text, "%lld", (long long)value);
}

void json_writer_bool(json_writer *w, const char *key, bool value)
{
	begin_value(w, key);
	g_string_append(w->text, value ? "true" : "false");
}

void json_writer_null(json_writer *w, const char *key)
{
	begin_value(w, key);
	g_string_append(w->text, "null");
}

const char *json_writer_text(const json_writer *w)
{
	return w->text->str;
}

void json_writer_reset(json_writer *w)
{
	g_string_truncate(w->text, 0);
	w->depth = 0;
}
