/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "operations": what an administrator does, when and how often.
 */
#ifndef WORKLOAD_OPERATION_SPEC_H
#define WORKLOAD_OPERATION_SPEC_H

#include "workload/reading.h"

/* Reads array @n, after all tasks and before cgroups_finish(). */
bool operations_read(struct reading *r, const struct node *n, GError **error);

/* The place of an operation without end, or NULL. */
const char *endless_operation(const workload *w);

#endif
