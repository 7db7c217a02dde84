/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the program's words go.
 */
#include "commands.h"

#include "schedsim/error.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

bool print_text(const char *text, GError **error)
{
	if (fputs(text, stdout) != EOF && !fflush(stdout))
		return true;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_FILE,
		    "standard output: expected to write it: %s", g_strerror(errno));
	return false;
}

void print_failure(const char *message)
{
	g_autofree char *line = g_strdup(message);

	for (char *c = line; *c; c++)
		if (g_ascii_iscntrl(*c))
			*c = '?';
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	fprintf(stderr, "schedsim: %s\n", line);
}

void show_progress(guint done, guint total)
{
	if (!isatty(STDERR_FILENO) || total < 2)
		return;
	fprintf(stderr, "\r%u of %u runs", done, total);
	if (done == total)
		fputs("\r\033[K", stderr);
}
