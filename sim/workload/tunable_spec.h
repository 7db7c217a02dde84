/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "tunable": a setting that is changed while the workload runs.
 */
#ifndef WORKLOAD_TUNABLE_SPEC_H
#define WORKLOAD_TUNABLE_SPEC_H

#include "workload/control.h"
#include "workload/reading.h"

/* Object @n into @op->file, tunable and value. */
bool tunable_read(struct reading *r, const struct node *n, struct operation_spec *op,
		  GError **error);

#endif
