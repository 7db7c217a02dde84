/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line split into words, which options.c reads.
 */
#ifndef OPTION_WORDS_H
#define OPTION_WORDS_H

#include "options.h"

/* What options were given; NULL: not at all.  Each is an array that ends with NULL. */
struct words {
	char **policies, **params, **limits, **rest; /* owned */
	/* owned, of one word */
	char **seed, **runs, **threads, **duration, **warmup, **machine, **output,
		**format, **decisions, **rtapp_logs, **against;
	char **html, **trace; /* owned; refused */
	gboolean version, invariants;
};

/* The command that the first word names; run where it is none. */
enum command command_of(char **args);
/* As it is written, and what follows it. */
const char *command_name(enum command command);
const char *command_args(enum command command);

/*
 * Splits @args into @w, which is to be cleared even on failure.  Where help or the
 * version is asked for, @command is COMMAND_HELP and @text what to print (transfer
 * full).  G_OPTION_ERROR or INPUT_ERROR.
 */
bool words_parse(char **args, enum command *command, char **text, struct words *w,
		 GError **error);
void words_clear(struct words *w);

#endif
