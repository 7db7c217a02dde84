/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a policy as the command line names it to one that a machine can run.
 */
#ifndef WAKEUP_REGISTRY_H
#define WAKEUP_REGISTRY_H

#include "schedsim/wakeup.h"

typedef struct policy_instance policy_instance;

struct policy_instance {
	char *label;                 /* owned; what reports call it */
	struct wakeup_policy policy; /* every hook set but may_take_idle */
	void *params;        /* owned; [policy.params_size]; NULL if there are none */
	GPtrArray *settings; /* owned, of owned char *: for machine_spec_set() */
};

/*
 * Reads POLICY: [LABEL=]NAME[:SETTING,...].  Settings that are not the policy's own
 * are the kernel's features and tunables, and left to the caller.  Without LABEL= the
 * label is @text.  A parameter named ..._ns takes a number of ns or a time with its
 * unit, a switch 0 or 1.
 *
 * False with @out untouched and INPUT_ERROR_VALUE: an unknown name, a setting that is
 * malformed or comes twice, policies joined by +.
 */
bool wakeup_policy_instance(const char *text, struct policy_instance *out,
			    GError **error);
void policy_instance_clear(struct policy_instance *instance);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(policy_instance, policy_instance_clear)

/* @policy with the baseline's hooks where it has none; may_take_idle may stay NULL. */
struct wakeup_policy wakeup_policy_complete(const struct wakeup_policy *policy);
/* Writes @value to the field of @params that @param describes. */
void policy_param_set(const struct policy_param *param, void *params, uint64_t value);
/* Writes the defaults of @policy's settings to @params, [policy->params_size]. */
void wakeup_policy_defaults(const struct wakeup_policy *policy, void *params);

#endif
