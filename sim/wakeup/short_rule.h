/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIS_SHORT v5 with every condition a switch, and Abel Wu's skip of the load
 * comparison.  The policies made of it differ in the switches' defaults only.
 */
#ifndef WAKEUP_SHORT_RULE_H
#define WAKEUP_SHORT_RULE_H

#include "schedsim/wakeup.h"

struct short_rule {
#define SHORT_RULE_NUMBER(field, number, reason) uint64_t field;
#define SHORT_RULE_SWITCH(field, on, reason) bool field;
#include "wakeup/short_rule.def"
#undef SHORT_RULE_NUMBER
#undef SHORT_RULE_SWITCH
};

/* From here on short_rule.def is the rows of a policy's params. */
#define SHORT_RULE_NUMBER(field, number, reason)                                       \
	{#field, offsetof(struct short_rule, field), POLICY_PARAM_U64, number, reason},
#define SHORT_RULE_SWITCH(field, on, reason)                                           \
	{#field, offsetof(struct short_rule, field), POLICY_PARAM_BOOL, on, reason},

/*
 * source: "sched/fair: Introduce SIS_SHORT to wake up short task on current CPU",
 * v5 (2023-02-03), as far as its reviews quote it, and else v6 (2023-02-22,
 * <cover.1677069490.git.yu.c.chen@intel.com>) without v6's test of wakee_flips.
 */
struct verdict short_rule_wake_affine_idle(const struct wakeup *w);
struct verdict short_rule_before_scan(const struct wakeup *w, bool has_idle_core,
				      int nr, const struct sched_domain *llc);
/*
 * source: Abel Wu's report of 2023-02-17,
 * <3a3220f7-e35b-ee77-649c-8c75dcb26b6c@bytedance.com>
 */
struct verdict short_rule_wake_affine_weight(const struct wakeup *w);

/* For the policy's struct, beside name, summary and params. */
#define SHORT_RULE_HOOKS                                                               \
	.params_size = sizeof(struct short_rule),                                      \
	.wake_affine_idle = short_rule_wake_affine_idle,                               \
	.wake_affine_weight = short_rule_wake_affine_weight,                           \
	.before_scan = short_rule_before_scan

#endif
