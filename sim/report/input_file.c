/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files are read in chunks, so that a device without end is found out early.
 */
#include "report/input_file.h"

#include "schedsim/error.h"

#include <errno.h>
#include <stdio.h>

#define CHUNK_BYTES 65536

typedef bool (*chunk_fn)(void *data, const guchar *chunk, gsize length);

static void set_file_error(GError **error, const char *path, const char *reason)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_FILE, "%s: expected to read it: %s",
		    path, reason);
}

/* Hands the file to @take in chunks, until it has had enough (false). */
static bool for_each_chunk(const char *path, chunk_fn take, void *data, GError **error)
{
	FILE *file = fopen(path, "rbe");
	guchar chunk[CHUNK_BYTES];
	bool more = true;
	size_t length;
	int code;

	if (!file) {
		set_file_error(error, path, g_strerror(errno));
		return false;
	}
	while (more && (length = fread(chunk, 1, sizeof(chunk), file)))
		more = take(data, chunk, length);
	code = ferror(file) ? errno : 0;
	fclose(file);
	if (code)
		set_file_error(error, path, g_strerror(code));
	else if (!more)
		set_file_error(error, path, "it has more than 256 MiB");
	return !code && more;
}

static bool append_chunk(void *data, const guchar *chunk, gsize length)
{
	GString *text = data;

	if (text->len + length > INPUT_BYTES_MAX)
		return false;
	g_string_append_len(text, (const char *)chunk, (gssize)length);
	return true;
}

static bool hash_chunk(void *data, const guchar *chunk, gsize length)
{
	g_checksum_update(data, chunk, (gssize)length);
	return true;
}

char *input_file_read(const char *path, gsize *length, GError **error)
{
	GString *text = g_string_new(NULL);
	bool ok = for_each_chunk(path, append_chunk, text, error);

	*length = text->len;
	return g_string_free(text, !ok);
}

char *input_file_sha256(const char *path, GError **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	if (!for_each_chunk(path, hash_chunk, sum, error))
		return NULL;
	return g_strdup(g_checksum_get_string(sum));
}

char *input_text_sha256(const char *text, gsize length)
{
	return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text,
					   length);
}
