/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cpusets: which CPUs the tasks of a group may use, and which CPUs are balanced
 * together.  One hierarchy for a machine, with the rules of cgroup v1 or v2.
 *
 * source: kernel/cgroup/cpuset.c, 6.1.192
 */
#ifndef CPUSET_CPUSET_H
#define CPUSET_CPUSET_H

#include "cpuset/rebuild_policy.h"
#include "sched/cpuset_hooks.h"
#include "schedsim/machine.h"

enum cpuset_mode {
	CPUSET_V1,
	CPUSET_V2,
	CPUSET_V1_V2_MODE, /* v1 mounted with cpuset_v2_mode: its files, v2's masks */
};

/* source: PRS_* */
enum partition_state {
	PARTITION_INVALID_ISOLATED = -2,
	PARTITION_INVALID_ROOT = -1,
	PARTITION_MEMBER = 0,
	PARTITION_ROOT = 1,
	PARTITION_ISOLATED = 2,
};

/* Why a partition is invalid.  source: enum prs_errcode */
enum partition_error {
	PERR_NONE,
	PERR_INVCPUS,
	PERR_INVPARENT,
	PERR_NOTPART,
	PERR_NOTEXCL,
	PERR_NOCPUS,
	PERR_HOTPLUG,
	PERR_CPUSEMPTY,
};

typedef struct cpusets cpusets;

/* A set of memory nodes, bit n for node n; only who is a subset of whom matters. */
typedef uint64_t node_set;

struct cpuset {
	cpusets *sys;          /* not owned */
	char *name;            /* owned; "" for the root */
	void *owner;           /* for whoever made it; not owned */
	struct cpuset *parent; /* not owned; NULL for the root */
	struct list children;  /* of .sibling, oldest first */
	struct list sibling;

	struct cpumask cpus_allowed; /* as the user set it; v1: less what went off */
	struct cpumask effective_cpus;
	struct cpumask subparts_cpus; /* v2: given to partitions among the children */
	node_set mems_allowed, effective_mems;

	bool cpu_exclusive, mem_exclusive;
	bool load_balance;
	bool clone_children;    /* v1: new children start with a copy of the masks */
	int relax_domain_level; /* -1: none asked for */
	enum partition_state partition;
	enum partition_error partition_error;
	bool use_parent_ecpus;
	int child_ecpus_count;

	struct list tasks; /* of struct cpuset_task.node */
	uint64_t nr_tasks;
	uint64_t nr_subtree_tasks; /* with those of all descendants */
	int attach_in_progress;

	/* As the kernel counts them, which may drift from the truth. */
	int nr_deadline_tasks;
	int nr_migrate_dl_tasks;
	uint64_t sum_migrate_dl_bw;

	int partition_number; /* while domains are generated */
	uint64_t walk_id;     /* of the last walk that came here */
};

/* The place of a task; lies with whoever made the task. */
struct cpuset_task {
	struct task *task;   /* not owned */
	struct cpuset *cs;   /* not owned */
	struct list node;    /* in cs->tasks */
	struct list bw_node; /* in cpusets.dl_tasks while it is owed bandwidth */
	bool is_deadline;
	bool kthread;
	bool no_setaffinity; /* PF_NO_SETAFFINITY: bound, cannot be moved */
	bool sugov;          /* a slow frequency switch's thread: never admitted */
};

/* A set of CPUs that are balanced together.  source: doms_cur, dattr_cur */
struct sched_dom {
	struct cpumask cpus;
	int relax_domain_level;
};

struct cpusets {
	struct machine *m; /* not owned */
	enum cpuset_mode mode;
	struct rebuild_policy policy;
	struct cpuset_hooks hooks;

	struct cpumask possible;
	struct cpumask online;
	struct cpumask housekeeping; /* CPUs that isolcpus= left to be balanced */
	node_set memory;             /* nodes with memory */

	struct cpuset *root; /* owned */
	unsigned nr_cpusets;
	struct list dl_tasks; /* of struct cpuset_task.bw_node */
	uint64_t walk_id;     /* of the last walk */

	GArray *doms_cur;    /* owned, of struct sched_dom */
	bool new_topology;   /* the next rebuild is of everything */
	bool energy_update;  /* the next rebuild renews performance domains */
	bool totals_stale;   /* TOTALS_CARRIED: CPUs moved since the last walk */
	int num_cpus_frozen; /* off to suspend */
	struct cpumask frozen_cpus;
	bool tasks_frozen; /* cpuhp_tasks_frozen: the last CPU that went was frozen */
	bool force_rebuild;
	bool force_resume;   /* the work to come is that of a resume */
	bool hotplug_work;   /* is pending */
	bool migration_work; /* likewise: tasks are to leave cpusets without CPUs */

	enum rebuild_caller caller; /* of the operation under way */
	struct op_result *op;       /* likewise; not owned */
	struct op_scope *whole;    /* owned: what an operation on cgroups is, or NULL */
	struct op_result *journal; /* where accounts add up; NULL: nowhere; not owned */
};

static inline bool cpuset_on_dfl(const cpusets *sys)
{
	return sys->mode == CPUSET_V2;
}

/* source: is_in_v2_mode() */
static inline bool cpuset_in_v2_mode(const cpusets *sys)
{
	return sys->mode != CPUSET_V1;
}

static inline bool partition_is_valid(const struct cpuset *cs)
{
	return cs->partition > 0;
}

static inline bool partition_is_invalid(const struct cpuset *cs)
{
	return cs->partition < 0;
}

static inline bool cpuset_has_subparts(const struct cpuset *cs)
{
	return !cpumask_empty(&cs->subparts_cpus);
}

/* source: cpuset_is_populated() */
static inline bool cpuset_is_populated(const struct cpuset *cs)
{
	return cs->nr_subtree_tasks || cs->attach_in_progress;
}

static inline struct cpuset *cpuset_of_sibling(struct list *node)
{
	return list_entry(node, struct cpuset, sibling);
}

static inline struct cpuset_task *cpuset_task_of_node(struct list *node)
{
	return list_entry(node, struct cpuset_task, node);
}

/* Children of @cs, oldest first.  @child: struct cpuset *. */
#define for_each_child_cpuset(child, cs)                                               \
	for ((child) = cpuset_of_sibling((cs)->children.next);                         \
	     &(child)->sibling != &(cs)->children;                                     \
	     (child) = cpuset_of_sibling((child)->sibling.next))

/*
 * The one after @pos in pre-order within the tree of @top, NULL at the end.
 * @skip: without the descendants of @pos.
 */
struct cpuset *cpuset_next(const struct cpuset *top, struct cpuset *pos, bool skip);

#endif
