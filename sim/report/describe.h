/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In words, what a run simulates.
 */
#ifndef REPORT_DESCRIBE_H
#define REPORT_DESCRIBE_H

#include "wakeup/registry.h"
#include "workload/read_workload.h"

/* Name and text in turn, for a report's head.  (transfer full) */
char **describe_input(const struct workload_input *in);
/* "short_below_ns=375000", every setting of the policy, then the kernel's that were
 * given.  (transfer full) */
char **describe_settings(const struct policy_instance *instance);

#endif
