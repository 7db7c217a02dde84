/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuild policies: how a kernel keeps the root domains' deadline bandwidth right
 * when domains are rebuilt, as a table of who asks for it and what is then done.
 *
 * A policy is one line REBUILD_POLICY(NAME) of rebuild_policies.def and one constant
 * of rebuild_policies.c, NAME being the release or the patch it comes from: the
 * constant, its member name and what users write are all rebuild_NAME.  It has a row
 * for each caller; one left out is WALK_ABSENT.  Of the other members each one left
 * out is the first of its enum, or false.
 */
#ifndef CPUSET_REBUILD_POLICY_H
#define CPUSET_REBUILD_POLICY_H

#include "schedsim/cpumask.h"

/* Who has domains rebuilt. */
enum rebuild_caller {
	REBUILD_CPUS,           /* cpuset.cpus */
	REBUILD_FLAGS,          /* cpuset.sched_load_balance; rmdir in v1 */
	REBUILD_PARTITION,      /* cpuset.cpus.partition; rmdir in v2 */
	REBUILD_RELAX,          /* cpuset.sched_relax_domain_level */
	REBUILD_GOVERNOR,       /* to or from schedutil, sched_energy_aware */
	REBUILD_TOPOLOGY,       /* the architecture changed it */
	REBUILD_HOTPLUG,        /* a CPU went off or came on */
	REBUILD_SUSPEND_CPU,    /* a CPU goes off to suspend */
	REBUILD_RESUME_CPU,     /* a CPU comes back from it */
	REBUILD_RESUME,         /* the last one did; the cpusets' CPUs are as before */
	REBUILD_RESUME_UPDATED, /* likewise, but they seem to have changed */
	NR_REBUILD_CALLERS,
};

/* Whose bandwidth is added up anew after the rebuild. */
enum rebuild_walk {
	WALK_ABSENT,     /* this caller asks for no rebuild */
	WALK_NONE,       /* nobody's */
	WALK_ALL,        /* every task is visited to find those with deadlines */
	WALK_DL_CPUSETS, /* every task of the cpusets that count deadline tasks */
	WALK_DL_TASKS,   /* deadline tasks, of which each cpuset keeps a list */
};

/*
 * The totals of root domains before that walk, which adds to them: kept ones would
 * count their tasks twice.
 */
enum rebuild_totals {
	TOTALS_KEPT,        /* of domains that stay; new ones start at 0 */
	TOTALS_CLEARED,     /* of those too */
	TOTALS_ALL_CLEARED, /* and of every root domain, before the walk */
	TOTALS_CARRIED, /* with the CPUs, where a new domain has those of an old one;
			   no walk where all have */
};

enum rebuild_lock { REBUILD_LOCK_MUTEX, REBUILD_LOCK_PERCPU_RWSEM };

/* Whom sched_setscheduler() lets wait for a cpuset operation. */
enum rebuild_readers { READERS_NONE, READERS_ALL, READERS_DEADLINE };

/* How moving tasks between root domains reserves bandwidth. */
enum rebuild_reserve {
	RESERVE_PER_TASK,     /* one by one, where the root domain changes; what was
				 reserved stays so if a later task is refused */
	RESERVE_CPUSETS,      /* at once, where the cpusets' CPUs do not meet */
	RESERVE_ROOT_DOMAINS, /* at once, for tasks whose root domain changes */
};

/* How fair servers' bandwidth (6.12 and later) comes back into a total. */
enum rebuild_servers {
	SERVERS_NONE,
	SERVERS_RESTORED, /* as a CPU joins, and where a total is cleared */
	SERVERS_ADDED,    /* likewise, and each time at the expense of extra_bw */
	SERVERS_RESET,    /* likewise, from an extra_bw set back before */
};

/* When a CPU that goes off is asked whether deadline tasks can spare it. */
enum rebuild_cpu_check {
	CPU_CHECK_AFTER,  /* once it is inactive; not to suspend */
	CPU_CHECK_BEFORE, /* before that, without its server; to suspend as well */
};

struct rebuild_row {
	enum rebuild_walk walk;
	enum rebuild_totals totals;
};

typedef struct rebuild_policy rebuild_policy;

struct rebuild_policy {
	const char *name;
	const char *summary; /* one sentence, with the patch or release */
	struct rebuild_row rows[NR_REBUILD_CALLERS];

	enum rebuild_lock lock;
	bool favordynmods;         /* cgroup_threadgroup_rwsem never waits for RCU */
	bool hotplug_lock_inside;  /* taken after the cpuset lock */
	bool suspend_takes_lock;   /* the cpuset lock, at each CPU */
	bool suspend_descends;     /* the highest CPU goes off first (6.8) */
	bool hotplug_work_is_sync; /* done by whoever takes the CPU off or on (6.10) */
	enum rebuild_readers readers;

	bool rq_lock_per_task;  /* the walk takes each task's run queue lock */
	bool walk_counts_sugov; /* schedutil's threads, which were never admitted */
	bool walk_by_cpuset;    /* finds the root domain by the task's allowed CPUs */
	bool skip_while_frozen; /* neither clears nor walks after a suspend, until the
				   next CPU goes off or comes on otherwise */

	enum rebuild_reserve reserve;
	enum rebuild_servers servers;
	enum rebuild_cpu_check cpu_check;
};

/* The fair server of a CPU, 50 ms every second, of BW_ONE.  source: 6.12 */
#define FAIR_SERVER_BW 52428

/* NULL if there is none of that name. */
const struct rebuild_policy *rebuild_policy_find(const char *name);
/* In the order of rebuild_policies.def, NULL at the end. */
const struct rebuild_policy *const *rebuild_policies(void);

/*
 * Reads NAME[:SETTING,...]; a SETTING is CALLER=WALK, which flips one row, or a
 * setting of the whole policy (lock=mutex).  INPUT_ERROR_VALUE names what was
 * expected; @out is left alone then.
 */
bool rebuild_policy_parse(const char *text, struct rebuild_policy *out, GError **error);

/* The names that rebuild_policy_parse() takes before the '='.  Ends with NULL. */
const char *const *rebuild_setting_names(void);

struct rebuild_setting {
	const char *name, *value, *why;
	const char *const *choices; /* what it takes; ends with NULL; NULL: 0 and 1 */
};

/*
 * As rebuild_policy_parse() would take them, all or those in which @policy is not like
 * @base (NULL: all); of struct rebuild_setting *, owned.  (transfer full)
 */
GPtrArray *rebuild_policy_settings(const struct rebuild_policy *policy,
				   const struct rebuild_policy *base);

const char *rebuild_caller_name(enum rebuild_caller caller); /* "resume_cpu" */
const char *rebuild_walk_name(enum rebuild_walk walk);       /* "dl_cpusets" */
const char *rebuild_totals_name(enum rebuild_totals totals); /* "all_cleared" */

#endif
