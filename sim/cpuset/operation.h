/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an operation on cpusets did: its errno, what was rebuilt and walked, and in
 * what order, so that a model of its cost can turn it into time.
 */
#ifndef CPUSET_OPERATION_H
#define CPUSET_OPERATION_H

#include "schedsim/machine.h"

/* Locks that operations hold, outermost first. */
enum op_lock {
	OP_LOCK_CGROUP_MUTEX,
	OP_LOCK_CPU_MAPS,    /* cpu_add_remove_lock: one CPU at a time goes or comes */
	OP_LOCK_CPUS_READ,   /* the CPU hotplug lock, as a reader */
	OP_LOCK_CPUS_WRITE,  /* likewise, as its writer */
	OP_LOCK_THREADGROUP, /* cgroup_threadgroup_rwsem, as its writer */
	OP_LOCK_CPUSET,      /* cpuset_mutex, or cpuset_rwsem as its writer */
	OP_LOCK_CPUSET_READ, /* cpuset_rwsem, as a reader */
	OP_LOCK_SCHED_DOMAINS,
	NR_OP_LOCKS,
};

/*
 * Waits for an RCU grace period.  A writer of a percpu_rwsem waits for one only if
 * the lock has gone unused for one, which whoever has a clock can tell.
 */
enum op_grace_period {
	OP_GP_THREADGROUP,
	OP_GP_CPUSET,
	OP_GP_HOTPLUG, /* synchronize_rcu() in sched_cpu_deactivate(), always */
	NR_OP_GRACE_PERIODS,
};

enum op_step_kind {
	OP_STEP_LOCK,          /* of .what: enum op_lock */
	OP_STEP_UNLOCK,        /* likewise */
	OP_STEP_GRACE_PERIOD,  /* of .what: enum op_grace_period */
	OP_STEP_CPUSETS,       /* whose masks were computed */
	OP_STEP_AFFINITY,      /* tasks whose affinity was set */
	OP_STEP_GENERATE,      /* cpusets looked at for domains */
	OP_STEP_DETACH,        /* CPUs taken out of their domains, times their levels */
	OP_STEP_BUILD,         /* CPUs put into domains, times their levels */
	OP_STEP_PERF_DOMAINS,  /* domains whose performance domains were built */
	OP_STEP_WALK_CPUSETS,  /* looked at by the walk for deadline bandwidth */
	OP_STEP_WALK_TASKS,    /* visited by it */
	OP_STEP_WALK_DL_TASKS, /* of them, those whose bandwidth it added */
	OP_STEP_CPU_OFF,       /* a CPU was parked and its tasks moved */
	OP_STEP_CPU_ON,
	OP_STEP_MIGRATIONS, /* running tasks that had to leave their CPU */
};

struct op_step {
	enum op_step_kind kind;
	int what;       /* of a lock or a grace period */
	uint64_t count; /* of the others */
};

/* A root domain at one instant. */
struct op_root_domain {
	struct cpumask span;
	bool is_default;      /* the one of CPUs that are in no domain */
	uint64_t total_bw;    /* of BW_ONE */
	uint64_t expected_bw; /* what its tasks and servers have been promised */
};

/* How a total is not what it should be. */
enum bw_fault { BW_RIGHT, BW_LOST, BW_EXCESS, BW_NEGATIVE };

typedef struct op_result op_result;

struct op_result {
	int err; /* 0, or minus an errno */

	unsigned rebuilds_requested;
	unsigned rebuilds_dropped; /* of them: a CPU was on its way, its work follows */
	unsigned domains_destroyed;
	unsigned domains_built;

	uint64_t cpusets_updated; /* whose masks were computed */
	uint64_t affinities_set;  /* of tasks */
	uint64_t tasks_moved;     /* of them: they had to leave their CPU */

	unsigned walks; /* to sum up deadline bandwidth anew */
	uint64_t cpusets_walked;
	uint64_t tasks_walked;
	uint64_t dl_tasks_walked;

	unsigned locks[NR_OP_LOCKS];                 /* times taken */
	unsigned grace_periods[NR_OP_GRACE_PERIODS]; /* at most */
	GArray *steps; /* owned, of struct op_step; locks and waits in order */

	GArray *before, *after; /* owned, of struct op_root_domain, by first CPU */
};

void op_result_clear(op_result *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(op_result, op_result_clear)

enum bw_fault op_bw_fault(const struct op_root_domain *rd);
/* The one of @list that spans @cpu, or NULL. */
const struct op_root_domain *op_root_domain_of(const GArray *list, int cpu);

/* "cpuset_mutex" and so on; of a percpu_rwsem or a mutex alike. */
const char *op_lock_name(enum op_lock lock);
const char *op_step_name(enum op_step_kind kind);
/* Whether it is a lock or a wait, and no work. */
bool op_step_is_barrier(enum op_step_kind kind);

/* For the operations themselves. */

void op_result_init(op_result *result);
/* @count more of @kind; what was counted since the last lock or wait is one step. */
void op_count(op_result *result, enum op_step_kind kind, uint64_t count);
void op_lock(op_result *result, enum op_lock lock);
void op_unlock(op_result *result, enum op_lock lock);
void op_grace_period(op_result *result, enum op_grace_period kind);
/*
 * Adds what @part did after it.  Root domains are those before the first part and
 * after the last one.
 */
void op_result_join(op_result *whole, const op_result *part);

#endif
