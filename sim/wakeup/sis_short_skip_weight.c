/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIS_SHORT v5 with Abel Wu's change on top.
 */
#include "wakeup/short_rule.h"

#define IDLE_ARM true
#define SCAN_ARM true
#define SKIP_WEIGHT true

static const struct policy_param params[] = {
#include "wakeup/short_rule.def"
	{.name = NULL},
};

const struct wakeup_policy wakeup_sis_short_skip_weight = {
	.name = "sis_short_skip_weight",
	.summary = "SIS_SHORT v5, and no comparison of loads for a short wakee (Abel "
		   "Wu's change)",
	.params = params,
	SHORT_RULE_HOOKS,
};
