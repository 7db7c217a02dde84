/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of the rebuild policies.
 *
 * Sources are the releases' kernel/cgroup/cpuset.c, kernel/sched/topology.c and
 * deadline.c, and the threads of the patches on the linux-kernel list.
 */
#include "cpuset/rebuild_policy.h"

#include <string.h>

/*
 * Rows by who asks; a policy names each row once.  One that singles out a caller of
 * such a group names the rows of that group one by one.
 */

/* Who writes to a cpuset, and who removes one. */
#define WRITES(walk, totals)                                                           \
	[REBUILD_CPUS] = {walk, totals}, [REBUILD_FLAGS] = {walk, totals},             \
	[REBUILD_PARTITION] = {walk, totals}

/* The machine, when its CPUs are others than before. */
#define CPU_CHANGES(walk, totals)                                                      \
	[REBUILD_HOTPLUG] = {walk, totals}, [REBUILD_TOPOLOGY] = {walk, totals},       \
	[REBUILD_RESUME_UPDATED] = {walk, totals}

/* Whoever asks for a rebuild through rebuild_sched_domains(), but the quiet ones. */
#define REQUESTS(walk, totals) WRITES(walk, totals), CPU_CHANGES(walk, totals)

/* Those of them that the third version of the frozen series singles out. */
#define QUIET_REQUESTS(walk, totals)                                                   \
	[REBUILD_RELAX] = {walk, totals}, [REBUILD_GOVERNOR] = {walk, totals},         \
	[REBUILD_RESUME] = {walk, totals}

#define SUSPEND_STEPS(walk, totals)                                                    \
	[REBUILD_SUSPEND_CPU] = {walk, totals}, [REBUILD_RESUME_CPU] = {walk, totals}

static const struct rebuild_policy rebuild_v4_15 = {
	.name = "rebuild_v4_15",
	.summary = "bandwidth is never summed up anew, and a new root domain has none "
		   "(4.15)",
	.rows =
		{
			REQUESTS(WALK_NONE, TOTALS_KEPT),
			[REBUILD_RELAX] = {WALK_NONE, TOTALS_KEPT},
			[REBUILD_RESUME] = {WALK_NONE, TOTALS_KEPT},
			/* The energy model came with 5.0. */
			[REBUILD_GOVERNOR] = {WALK_ABSENT, TOTALS_KEPT},
			SUSPEND_STEPS(WALK_NONE, TOTALS_KEPT),
		},
	.lock = REBUILD_LOCK_MUTEX,
	.hotplug_lock_inside = true,
	.readers = READERS_NONE,
	.reserve = RESERVE_PER_TASK,
};

static const struct rebuild_policy rebuild_v5_4 = {
	.name = "rebuild_v5_4",
	.summary = "every request visits every task (5.4, f9a25f776d78)",
	.rows =
		{
			REQUESTS(WALK_ALL, TOTALS_CLEARED),
			QUIET_REQUESTS(WALK_ALL, TOTALS_CLEARED),
			SUSPEND_STEPS(WALK_NONE, TOTALS_CLEARED),
		},
	.lock = REBUILD_LOCK_PERCPU_RWSEM,
	.readers = READERS_ALL,
	.rq_lock_per_task = true,
	.walk_counts_sugov = true,
	.reserve = RESERVE_PER_TASK,
};

static const struct rebuild_policy rebuild_v1v2_frozen = {
	.name = "rebuild_v1v2_frozen",
	.summary = "as 5.4, but nothing while cpuhp_tasks_frozen is set, and nobody "
		   "clears it after a resume (Yousef, December 2022 and January 2023)",
	.rows =
		{
			REQUESTS(WALK_ALL, TOTALS_CLEARED),
			QUIET_REQUESTS(WALK_ALL, TOTALS_CLEARED),
			SUSPEND_STEPS(WALK_NONE, TOTALS_CLEARED),
		},
	.lock = REBUILD_LOCK_PERCPU_RWSEM,
	.readers = READERS_ALL,
	.walk_counts_sugov = true,
	.skip_while_frozen = true,
	.reserve = RESERVE_PER_TASK,
};

static const struct rebuild_policy rebuild_v3 = {
	.name = "rebuild_v3",
	.summary = "as 5.4, but no walk for the relax level, the governor and a resume "
		   "(Yousef v3, February 2023)",
	.rows =
		{
			REQUESTS(WALK_ALL, TOTALS_CLEARED),
			QUIET_REQUESTS(WALK_NONE, TOTALS_CLEARED),
			SUSPEND_STEPS(WALK_NONE, TOTALS_CLEARED),
		},
	.lock = REBUILD_LOCK_PERCPU_RWSEM,
	.readers = READERS_ALL,
	.walk_counts_sugov = true,
	.reserve = RESERVE_PER_TASK,
};

static const struct rebuild_policy rebuild_v3_guard = {
	.name = "rebuild_v3_guard",
	.summary = "as v3, but who does not walk does not clear either",
	.rows =
		{
			REQUESTS(WALK_ALL, TOTALS_CLEARED),
			QUIET_REQUESTS(WALK_NONE, TOTALS_KEPT),
			SUSPEND_STEPS(WALK_NONE, TOTALS_KEPT),
		},
	.lock = REBUILD_LOCK_PERCPU_RWSEM,
	.readers = READERS_ALL,
	.walk_counts_sugov = true,
	.reserve = RESERVE_PER_TASK,
};

static const struct rebuild_policy rebuild_v6_5 = {
	.name = "rebuild_v6_5",
	.summary = "visits the tasks of cpusets that count deadline tasks (6.5, "
		   "nr_deadline_tasks)",
	.rows =
		{
			REQUESTS(WALK_DL_CPUSETS, TOTALS_CLEARED),
			QUIET_REQUESTS(WALK_DL_CPUSETS, TOTALS_CLEARED),
			SUSPEND_STEPS(WALK_NONE, TOTALS_CLEARED),
		},
	.lock = REBUILD_LOCK_MUTEX,
	.readers = READERS_DEADLINE,
	.walk_counts_sugov = true,
	.reserve = RESERVE_CPUSETS,
};

static const struct rebuild_policy rebuild_v6_14 = {
	.name = "rebuild_v6_14",
	.summary = "as 6.5, with fair servers restored where a total is cleared and an "
		   "earlier look at a CPU that goes off, to suspend as well (6.14)",
	.rows =
		{
			REQUESTS(WALK_DL_CPUSETS, TOTALS_CLEARED),
			QUIET_REQUESTS(WALK_DL_CPUSETS, TOTALS_CLEARED),
			SUSPEND_STEPS(WALK_NONE, TOTALS_CLEARED),
		},
	.lock = REBUILD_LOCK_MUTEX,
	.suspend_descends = true,
	.hotplug_work_is_sync = true,
	.readers = READERS_DEADLINE,
	.walk_counts_sugov = true,
	.reserve = RESERVE_CPUSETS,
	.servers = SERVERS_RESTORED,
	.cpu_check = CPU_CHECK_BEFORE,
};

static const struct rebuild_policy rebuild_v6_15 = {
	.name = "rebuild_v6_15",
	.summary =
		"every change of the domains clears every root domain and sums it up "
		"anew, each step of a suspend too (6.15, 2ff899e35164)",
	.rows =
		{
			REQUESTS(WALK_DL_CPUSETS, TOTALS_ALL_CLEARED),
			QUIET_REQUESTS(WALK_DL_CPUSETS, TOTALS_ALL_CLEARED),
			SUSPEND_STEPS(WALK_DL_CPUSETS, TOTALS_ALL_CLEARED),
		},
	.lock = REBUILD_LOCK_MUTEX,
	.suspend_takes_lock = true,
	.suspend_descends = true,
	.hotplug_work_is_sync = true,
	.readers = READERS_DEADLINE,
	.reserve = RESERVE_CPUSETS,
	.servers = SERVERS_ADDED,
	.cpu_check = CPU_CHECK_BEFORE,
};

static const struct rebuild_policy rebuild_v6_17 = {
	.name = "rebuild_v6_17",
	.summary = "as 6.15, and extra_bw starts anew with each total (6.17, "
		   "fcc9276c4d33)",
	.rows =
		{
			REQUESTS(WALK_DL_CPUSETS, TOTALS_ALL_CLEARED),
			QUIET_REQUESTS(WALK_DL_CPUSETS, TOTALS_ALL_CLEARED),
			SUSPEND_STEPS(WALK_DL_CPUSETS, TOTALS_ALL_CLEARED),
		},
	.lock = REBUILD_LOCK_MUTEX,
	.suspend_takes_lock = true,
	.suspend_descends = true,
	.hotplug_work_is_sync = true,
	.readers = READERS_DEADLINE,
	.reserve = RESERVE_CPUSETS,
	.servers = SERVERS_RESET,
	.cpu_check = CPU_CHECK_BEFORE,
};

static const struct rebuild_policy rebuild_v6_19 = {
	.name = "rebuild_v6_19",
	.summary = "as 6.17, and a task counts where its cpuset lets it run, not where "
		   "it last ran (6.19, 318e18ed22e8)",
	.rows =
		{
			REQUESTS(WALK_DL_CPUSETS, TOTALS_ALL_CLEARED),
			QUIET_REQUESTS(WALK_DL_CPUSETS, TOTALS_ALL_CLEARED),
			SUSPEND_STEPS(WALK_DL_CPUSETS, TOTALS_ALL_CLEARED),
		},
	.lock = REBUILD_LOCK_MUTEX,
	.suspend_takes_lock = true,
	.suspend_descends = true,
	.hotplug_work_is_sync = true,
	.readers = READERS_DEADLINE,
	.walk_by_cpuset = true,
	.reserve = RESERVE_CPUSETS,
	.servers = SERVERS_RESET,
	.cpu_check = CPU_CHECK_BEFORE,
};

static const struct rebuild_policy rebuild_carry = {
	.name = "rebuild_carry",
	.summary = "as 6.5, but a total stays with its CPUs when their domains are "
		   "rebuilt, and who changes no set of CPUs does not walk",
	.rows =
		{
			REQUESTS(WALK_DL_CPUSETS, TOTALS_CARRIED),
			QUIET_REQUESTS(WALK_DL_CPUSETS, TOTALS_CARRIED),
			SUSPEND_STEPS(WALK_NONE, TOTALS_CARRIED),
		},
	.lock = REBUILD_LOCK_MUTEX,
	.readers = READERS_DEADLINE,
	.walk_counts_sugov = true,
	.reserve = RESERVE_CPUSETS,
};

static const struct rebuild_policy rebuild_dl_list = {
	.name = "rebuild_dl_list",
	.summary = "as 6.5, but each cpuset keeps a list of its deadline tasks and the "
		   "walk visits those alone",
	.rows =
		{
			REQUESTS(WALK_DL_TASKS, TOTALS_CLEARED),
			QUIET_REQUESTS(WALK_DL_TASKS, TOTALS_CLEARED),
			SUSPEND_STEPS(WALK_NONE, TOTALS_CLEARED),
		},
	.lock = REBUILD_LOCK_MUTEX,
	.readers = READERS_DEADLINE,
	.walk_counts_sugov = true,
	.reserve = RESERVE_CPUSETS,
};

static const struct rebuild_policy *const policies[] = {
#define REBUILD_POLICY(name) &rebuild_##name,
#include "cpuset/rebuild_policies.def"
#undef REBUILD_POLICY
	NULL,
};

const struct rebuild_policy *const *rebuild_policies(void)
{
	return policies;
}

const struct rebuild_policy *rebuild_policy_find(const char *name)
{
	for (int i = 0; policies[i]; i++)
		if (!strcmp(policies[i]->name, name))
			return policies[i];
	return NULL;
}
