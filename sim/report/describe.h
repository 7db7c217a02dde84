/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In words, what a run simulates.
 */
#ifndef REPORT_DESCRIBE_H
#define REPORT_DESCRIBE_H

#include "workload/policy_choice.h"
#include "workload/read_workload.h"

/* Name and text in turn, for a report's head.  (transfer full) */
char **describe_input(const struct workload_input *in);
/* "short_below_ns=375000", every setting of the wakeup policy, then what is not as the
 * rebuild policy has it, then the kernel's that were given.  (transfer full) */
char **describe_settings(const struct policy_choice *choice);
/* "sis_short+rebuild_v3": what is named of both.  (transfer full) */
char *describe_policy_name(const struct policy_choice *choice);
/* In words.  (transfer full) */
char *describe_policy(const struct policy_choice *choice);

#endif
