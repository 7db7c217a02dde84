/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIS_SHORT v5: both arms, the load comparison as the kernel has it.
 */
#include "wakeup/short_rule.h"

#define IDLE_ARM true
#define SCAN_ARM true
#define SKIP_WEIGHT false

static const struct policy_param params[] = {
#include "wakeup/short_rule.def"
	{.name = NULL},
};

const struct wakeup_policy wakeup_sis_short = {
	.name = "sis_short",
	.summary = "a wakee may join a short task on the waker's CPU (SIS_SHORT v5, "
		   "Feb 2023)",
	.params = params,
	SHORT_RULE_HOOKS,
};
