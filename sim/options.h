/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line, read and checked.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "report/experiment.h"

enum command {
	COMMAND_RUN,
	COMMAND_COMPARE,
	COMMAND_CHECK,
	COMMAND_LIST,
	COMMAND_VALIDATE,
	COMMAND_HELP, /* text is ready to be printed */
};

enum report_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

struct options {
	enum command command;
	char *text;                  /* owned; of COMMAND_HELP */
	char **args;                 /* owned; files, or what to list */
	struct experiment_spec spec; /* of run; validate has its machine and params */
	unsigned threads;
	bool invariants; /* checked after each event */
	enum report_format format;
	char *output;     /* owned; NULL: none */
	char *decisions;  /* owned; NULL: none */
	char *rtapp_logs; /* owned; a folder; NULL: none */
	char *against;    /* owned; of check */
	char **limits;    /* owned; of check */
};

/*
 * @args: the words of the command line, the program's name first.  G_OPTION_ERROR
 * or INPUT_ERROR with a message that names the option.
 */
bool options_read(char **args, struct options *out, GError **error);
void options_clear(struct options *o);

/* Whether the words ask for check, whose exit status means something of its own. */
bool options_ask_for_check(char **args);

#endif
