/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernels that can be simulated.
 */
#include "sched/profile.h"

#include "sched/cfs.h"

/* Debian's linux-source-6.1, 6.1.192-3: what the vectors were computed with. */
static const struct kernel_profile lts_6_1 = {
	.name = "6.1-lts",
	.summary = "Linux 6.1.192 (long-term support)",
	.rebuild = "rebuild_v6_5",
	.fair = &cfs_ops,
	.has_ni_random = true,
	.long_sleeper_guard = true,
	.recent_used_cpu_tested = true,
	.idle_smt_in_llc = true,
	.idle_core_in_llc = true,
	.wakeup_stats_of_allowed = true,
	.local_above_average_guard = true,
	.pinned_end_at_loop_max = true,
	.reweight_on_idle_policy = true,
	.max_keeps_burst = true,
	.util_fits_cpu = true,
	.misfit_to_idle_core = true,
};

/* Without what was backported since; assumed from the changelogs, not measured. */
static const struct kernel_profile plain_6_1_0 = {
	.name = "6.1.0",
	.summary = "Linux 6.1.0, without the backports of the 6.1.y series",
	.rebuild = "rebuild_v5_4:rq_lock_per_task=0",
	.fair = &cfs_ops,
};

const struct kernel_profile *const *kernel_profiles(void)
{
	static const struct kernel_profile *const profiles[] = {&lts_6_1, &plain_6_1_0,
								NULL};

	return profiles;
}

const struct kernel_profile *kernel_profile_find(const char *name)
{
	for (const struct kernel_profile *const *p = kernel_profiles(); *p; p++)
		if (!g_strcmp0((*p)->name, name))
			return *p;
	return NULL;
}
