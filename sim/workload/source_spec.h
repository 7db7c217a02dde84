/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "sources": requests from outside the machine.
 */
#ifndef WORKLOAD_SOURCE_SPEC_H
#define WORKLOAD_SOURCE_SPEC_H

#include "workload/reading.h"

/* Reads object @n into r->w->sources; after "channels". */
bool sources_read(struct reading *r, const struct node *n, GError **error);

#endif
