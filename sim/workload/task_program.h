/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task's phases and their events, compiled to a program.
 */
#ifndef WORKLOAD_TASK_PROGRAM_H
#define WORKLOAD_TASK_PROGRAM_H

#include "workload/event_spec.h"

/*
 * Reads the phases of task @n into @spec->program, after the rest of @spec; takes
 * t->steps, even on failure.  A deadline task is left with what it begins as.
 */
bool task_program_read(struct task_reading *t, const struct node *n,
		       struct task_spec *spec, GError **error);

#endif
