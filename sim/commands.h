/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands, one file each.  All return whether they did what was asked;
 * INPUT_ERROR is the user's to mend, any other domain a failure of ours.
 */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "options.h"

/* Each may take parts of @o over. */
bool command_run(struct options *o, GError **error);
bool command_compare(struct options *o, GError **error);
/* @out_equal: whether nothing got worse, or, without limits, nothing differs. */
bool command_check(struct options *o, bool *out_equal, GError **error);
bool command_list(struct options *o, GError **error);
bool command_validate(struct options *o, GError **error);

/* Writes @text to stdout.  INPUT_ERROR_FILE when it does not take it. */
bool print_text(const char *text, GError **error);
/*
 * Writes @message to stderr, as one line whatever names it quotes.  (CMocka has a
 * print_error() of its own, which this would replace in tests.)
 */
void print_failure(const char *message);
/* Says on a terminal how far the runs are; for experiment_options. */
void show_progress(guint done, guint total);

#endif
