/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of wakeup policies, and how one is completed.
 */
#include "wakeup/registry.h"

#include <string.h>

#define WAKEUP_POLICY(name) extern const struct wakeup_policy wakeup_##name;
#include "wakeup/policies.def"
#undef WAKEUP_POLICY

static const struct wakeup_policy *const policies[] = {
#define WAKEUP_POLICY(name) &wakeup_##name,
#include "wakeup/policies.def"
#undef WAKEUP_POLICY
	NULL,
};

const struct wakeup_policy *const *wakeup_policies(void)
{
	return policies;
}

const struct wakeup_policy *wakeup_policy_find(const char *name)
{
	for (int i = 0; policies[i]; i++)
		if (!strcmp(policies[i]->name, name))
			return policies[i];
	return NULL;
}

struct wakeup_policy wakeup_policy_complete(const struct wakeup_policy *policy)
{
	const struct wakeup_policy *baseline = policies[0];
	struct wakeup_policy whole = *policy;

#define COMPLETE(hook) whole.hook = whole.hook ? whole.hook : baseline->hook
	COMPLETE(wake_early);
	COMPLETE(wake_affine_idle);
	COMPLETE(wake_affine_weight);
	COMPLETE(before_scan);
	COMPLETE(wake_last);
	COMPLETE(task_sleeps);
	COMPLETE(task_woken);
	COMPLETE(tick);
	COMPLETE(cpu_goes_idle);
	COMPLETE(task_hot);
#undef COMPLETE
	return whole;
}

void policy_param_set(const struct policy_param *param, void *params, uint64_t value)
{
	char *field = (char *)params + param->offset;

	switch (param->type) {
	case POLICY_PARAM_U64:
		*(uint64_t *)(void *)field = value;
		break;
	case POLICY_PARAM_BOOL:
		*(bool *)(void *)field = value;
		break;
	}
}

void wakeup_policy_defaults(const struct wakeup_policy *policy, void *params)
{
	const struct policy_param *param;

	for (param = policy->params; param && param->name; param++)
		policy_param_set(param, params, param->value);
}
