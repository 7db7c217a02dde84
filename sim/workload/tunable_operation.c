/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An administrator writes to a file of debugfs sched/ or of /proc/sys/kernel/, or
 * changes a setting of the wakeup policy.  What the scheduler has decided stays.
 */
#include "model/machine_new.h"
#include "sched/rt_limit.h"
#include "wakeup/registry.h"
#include "workload/operations.h"

#include <errno.h>
#include <string.h>

/* source: sched_feat_write(), which knows only what the kernel was built with */
static int write_feature(struct machine *m, const char *name, bool on)
{
	if (!on)
		name += strlen("NO_");
	if (!strcmp(name, "NI_RANDOM") && !m->profile->has_ni_random)
		return EINVAL;
	machine_write_feature(m, name, on);
	return 0;
}

/* Values that have to fit others.  source: sched_dl_sysctls, sched_fair_sysctls */
static bool is_out_of_range(const struct machine *m, const char *name, uint64_t value)
{
	if (!strcmp(name, "sched_cfs_bandwidth_slice_us"))
		return !value;
	if (!strcmp(name, "sched_deadline_period_min_us"))
		return value > m->tunables.sched_deadline_period_max_us;
	if (!strcmp(name, "sched_deadline_period_max_us"))
		return value < m->tunables.sched_deadline_period_min_us;
	return false;
}

static int write_tunable(struct machine *m, const char *name, uint64_t value)
{
	if (!strcmp(name, "sched_rt_runtime_us"))
		return -set_rt_limit(m, m->tunables.sched_rt_period_us, value);
	if (!strcmp(name, "sched_rt_period_us"))
		return -set_rt_limit(m, value, m->tunables.sched_rt_runtime_us);
	if (is_out_of_range(m, name, value))
		return EINVAL;
	machine_write_tunable(m, name, value);
	return 0;
}

/* ENOENT: the policy of this run has no such setting. */
static int write_policy(struct machine *m, const char *name, uint64_t value)
{
	const struct policy_param *param = m->policy->params;

	for (; param && param->name; param++)
		if (!strcmp(param->name, name)) {
			policy_param_set(param, m->policy_params, value);
			return 0;
		}
	return ENOENT;
}

enum operation_needs operation_tunable(struct operation_run *run)
{
	const struct operation_spec *spec = run->spec;
	struct machine *m = run->s->m;

	switch (spec->tunable) {
	case TUNABLE_FEATURE:
		run->error = write_feature(m, spec->file, spec->value);
		break;
	case TUNABLE_OF_KERNEL:
		run->error = write_tunable(m, spec->file, spec->value);
		break;
	case TUNABLE_OF_POLICY:
		run->error = write_policy(m, spec->file, spec->value);
		break;
	}
	return OPERATION_IS_DONE;
}
