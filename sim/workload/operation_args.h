/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOAD_OPERATION_ARGS_H
#define WORKLOAD_OPERATION_ARGS_H

#include "workload/control.h"
#include "workload/reading.h"

/* What the operation of @op->kind is about: object @n. */
bool operation_args_read(struct reading *r, const struct node *n,
			 struct operation_spec *op, GError **error);

#endif
