/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sources and operations share of saying when: a rate, or a recorded file.
 */
#ifndef WORKLOAD_ARRIVAL_SPEC_H
#define WORKLOAD_ARRIVAL_SPEC_H

#include "workload/arrivals.h"
#include "workload/node.h"

/* The mean time between arrivals, ns above 0, of so many a second. */
bool rate_read(const struct node *n, uint64_t *interval_ns, GError **error);

/*
 * The file that @n names, beside the one of @workload_path, into @path (transfer full).
 * All its lines are read, so that a mistake in the last one is known before anything
 * runs.
 */
bool record_read(const struct node *n, const char *workload_path,
		 enum arrival_values values, char **path, GError **error);

#endif
