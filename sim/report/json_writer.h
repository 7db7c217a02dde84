/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON with whole numbers, keys in the order they are given.
 */
#ifndef REPORT_JSON_WRITER_H
#define REPORT_JSON_WRITER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct json_writer json_writer;

json_writer *json_writer_new(void);
void json_writer_free(json_writer *w);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(json_writer, json_writer_free)

/* What begins from now on stays on one line, or (the default) has a line a value. */
void json_writer_one_line(json_writer *w, bool on);

/* @key is NULL in an array and at the top.  @bracket: '{' or '['. */
void json_writer_begin(json_writer *w, const char *key, char bracket);
/* @bracket: '}' or ']' */
void json_writer_end(json_writer *w, char bracket);
/* Bytes that are not UTF-8 become U+FFFD. */
void json_writer_string(json_writer *w, const char *key, const char *value);
void json_writer_int(json_writer *w, const char *key, int64_t value);
void json_writer_bool(json_writer *w, const char *key, bool value);
void json_writer_null(json_writer *w, const char *key);

/* What was written so far; belongs to @w. */
const char *json_writer_text(const json_writer *w);
void json_writer_reset(json_writer *w);

#endif
