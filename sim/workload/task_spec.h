/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "tasks": each with its phases, compiled to a program.
 */
#ifndef WORKLOAD_TASK_SPEC_H
#define WORKLOAD_TASK_SPEC_H

#include "workload/reading.h"

/* Threads of all tasks and operations together. */
#define THREADS_MAX 100000

/* Reads object @n into r->w->tasks. */
bool tasks_read(struct reading *r, const struct node *n, GError **error);

/* Member "instance" of @n; 1 without it. */
bool instances_read(struct reading *r, const struct node *n, int *instances,
		    GError **error);

#endif
