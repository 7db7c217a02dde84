/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Abel Wu's change alone, without SIS_SHORT.
 */
#include "wakeup/short_rule.h"

#define IDLE_ARM false
#define SCAN_ARM false
#define SKIP_WEIGHT true

static const struct policy_param params[] = {
#include "wakeup/short_rule.def"
	{.name = NULL},
};

const struct wakeup_policy wakeup_skip_weight = {
	.name = "skip_weight",
	.summary = "no comparison of loads for a short wakee (Abel Wu, February 2023), "
		   "no SIS_SHORT",
	.params = params,
	SHORT_RULE_HOOKS,
};
