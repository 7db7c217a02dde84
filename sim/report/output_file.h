/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that appears whole or not at all.
 *
 * It is written without a name where the file system can do that, else beside its
 * place, and moved there at the end.  What exists and is not a plain file (a
 * terminal, a pipe, /dev/null) is written to directly.
 */
#ifndef REPORT_OUTPUT_FILE_H
#define REPORT_OUTPUT_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct output_file output_file;

/*
 * Whether @a and @b are one plain file, or will be.  Devices and pipes can be written
 * to more than once, and are not.
 */
bool same_file(const char *a, const char *b);

/* INPUT_ERROR_FILE when @path cannot be written. */
output_file *output_file_open(const char *path, GError **error);
FILE *output_file_stream(const output_file *o);
/* Puts the file in its place.  INPUT_ERROR_FILE when something was not written. */
bool output_file_commit(output_file *o, GError **error);
/* Leaves nothing behind unless it was committed. */
void output_file_free(output_file *o);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(output_file, output_file_free)

#endif
