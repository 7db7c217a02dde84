/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading files whole, and telling them apart.
 */
#ifndef REPORT_INPUT_FILE_H
#define REPORT_INPUT_FILE_H

#include <glib.h>
#include <stdbool.h>

/* Workloads and results are read whole; what is larger is neither. */
#define INPUT_BYTES_MAX (256 << 20)

/*
 * The bytes of @path and a zero byte behind them.  INPUT_ERROR_FILE as `PATH: ...`.
 * (transfer full)
 */
char *input_file_read(const char *path, gsize *length, GError **error);
/* In hexadecimal, of a file of any size; errors as input_file_read(). (transfer full)
 */
char *input_file_sha256(const char *path, GError **error);
char *input_text_sha256(const char *text, gsize length);

#endif
