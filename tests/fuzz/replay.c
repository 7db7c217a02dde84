/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives every file of the folders named to the fuzz target, and each of its
 * beginnings, for compilers without libFuzzer.
 */
#include <glib.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Beyond it only some beginnings are tried. */
#define EVERY_BEGINNING_BYTES 1024

static void replay(const char *path)
{
	g_autofree char *text = NULL;
	gsize length, step;

	if (!g_file_get_contents(path, &text, &length, NULL))
		g_error("%s cannot be read", path);
	step = 1 + length / EVERY_BEGINNING_BYTES;
	for (gsize size = 0; size < length; size += step) {
		/* of its own size, so that reading past the end is seen */
		g_autofree uint8_t *copy = g_memdup2(text, size);

		LLVMFuzzerTestOneInput(copy, size);
	}
	LLVMFuzzerTestOneInput((const uint8_t *)text, length);
}

int main(int argc, char **argv)
{
	guint count = 0;

	for (int i = 1; i < argc; i++) {
		g_autoptr(GDir) folder = g_dir_open(argv[i], 0, NULL);
		const char *name;

		if (!folder)
			g_error("%s is no folder", argv[i]);
		while ((name = g_dir_read_name(folder))) {
			g_autofree char *path = g_build_filename(argv[i], name, NULL);

			replay(path);
			count++;
		}
	}
	printf("%u files\n", count);
	return count ? 0 : 1;
}
