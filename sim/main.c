/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the command line to an exit status.
 */
#include "commands.h"

#include "schedsim/error.h"

#include <stdlib.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_DIFFERS = 1, /* of check alone */
	EXIT_INPUT = 2,
	EXIT_FAILED = 3,
	EXIT_CANNOT_JUDGE = 125, /* of check alone: git bisect run skips the commit */
};

static bool run_command(struct options *o, bool *equal, GError **error)
{
	switch (o->command) {
	case COMMAND_RUN:
		return command_run(o, error);
	case COMMAND_COMPARE:
		return command_compare(o, error);
	case COMMAND_CHECK:
		return command_check(o, equal, error);
	case COMMAND_LIST:
		return command_list(o, error);
	case COMMAND_VALIDATE:
		return command_validate(o, error);
	case COMMAND_HELP:
		break;
	}
	return print_text(o->text, error);
}

static bool is_users(const GError *error)
{
	return error->domain == INPUT_ERROR || error->domain == KERNEL_ERROR ||
	       error->domain == G_OPTION_ERROR;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	struct options options = {0};
	bool equal = true;
	bool done = options_read(argv, &options, &error) &&
		    run_command(&options, &equal, &error);

	options_clear(&options);
	if (!done)
		print_failure(error->message);
	if (options_ask_for_check(argv))
		return !done ? EXIT_CANNOT_JUDGE : equal ? EXIT_DONE : EXIT_DIFFERS;
	if (done)
		return EXIT_DONE;
	return is_users(error) ? EXIT_INPUT : EXIT_FAILED;
}
