/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIS_SHORT v5 as far as its search goes: wake_affine_idle() is the kernel's.
 */
#include "wakeup/short_rule.h"

#define IDLE_ARM false
#define SCAN_ARM true
#define SKIP_WEIGHT false

static const struct policy_param params[] = {
#include "wakeup/short_rule.def"
	{.name = NULL},
};

const struct wakeup_policy wakeup_sis_short_no_idle_arm = {
	.name = "sis_short_no_idle_arm",
	.summary = "SIS_SHORT v5 without its arm in wake_affine_idle(), which cost "
		   "Abel Wu's proxy",
	.params = params,
	SHORT_RULE_HOOKS,
};
