/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt-app's "global".
 */
#ifndef WORKLOAD_GLOBAL_SPEC_H
#define WORKLOAD_GLOBAL_SPEC_H

#include "workload/reading.h"

/* Reads object @n: the workload's duration and the default policy. */
bool global_read(struct reading *r, const struct node *n, GError **error);

#endif
