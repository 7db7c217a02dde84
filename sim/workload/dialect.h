/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt-app's dialect of JSON: json-c's comments and trailing commas on top of the
 * standard.
 */
#ifndef WORKLOAD_DIALECT_H
#define WORKLOAD_DIALECT_H

#include <glib.h>

/*
 * Checks the syntax of @text and returns it as strict JSON: comments and trailing
 * commas become blanks, so that every value stays on its line and column.  Key
 * order and repeated keys survive.  (transfer full)
 *
 * INPUT_ERROR_SYNTAX or, for numbers that a double cannot hold exactly,
 * INPUT_ERROR_VALUE, with line and column (in characters, from 1).
 */
char *dialect_to_json(const char *text, gsize length, GError **error);

#endif
