/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of cpusets share with each other and nobody else.
 */
#ifndef CPUSET_INTERNAL_H
#define CPUSET_INTERNAL_H

#include "cpuset/cpuset.h"
#include "cpuset/operation.h"

/* validate.c */

/*
 * Whether @cs may become like @trial, a copy of it with other masks or flags: 0, or
 * the errno of the first rule that does not hold, as the kernel checks them:
 *	-EBUSY   v1: a child would not be a subset any more
 *	-EACCES  v1: it would not be a subset of its parent
 *	-ENOSPC  it would have tasks and no CPUs, or no memory nodes
 *	-EBUSY   deadline tasks need more CPUs
 *	-EINVAL  it would overlap a sibling, and one of the two is exclusive
 * source: validate_change()
 */
int cpuset_validate(const struct cpuset *cs, const struct cpuset *trial);

/* flags.c */

enum cpuset_flag { CS_CPU_EXCLUSIVE, CS_MEM_EXCLUSIVE, CS_LOAD_BALANCE };

/* 0 or the errno of cpuset_validate().  source: update_flag() */
int cpuset_update_flag(struct cpuset *cs, enum cpuset_flag flag, bool on);

/* subparts.c */

enum subparts_change {
	SUBPARTS_ENABLE,     /* @cs becomes a partition */
	SUBPARTS_DISABLE,    /* it is none any more */
	SUBPARTS_INVALIDATE, /* it overlaps a sibling */
	SUBPARTS_UPDATE,     /* its CPUs or its parent's changed */
};

/*
 * Moves CPUs between @cs, a partition, and its parent's own.  @newmask, of an update:
 * what cpus_allowed is about to be; NULL: it stays.  Says why it cannot be done.
 * source: update_parent_subparts_cpumask()
 */
enum partition_error cpuset_update_subparts(struct cpuset *cs,
					    enum subparts_change change,
					    const struct cpumask *newmask);
/* @excluded: a child about to be a partition, or NULL.  source:
 * partition_is_populated() */
bool cpuset_partition_populated(const struct cpuset *cs, const struct cpuset *excluded);

/* masks.c */

/* source: compute_effective_cpumask() */
struct cpumask cpuset_compute_effective(const struct cpuset *cs,
					const struct cpumask *cpus_allowed,
					const struct cpuset *parent);
/* Sets the affinity of its tasks.  source: update_tasks_cpumask() */
void cpuset_update_tasks(struct cpuset *cs);
/*
 * Brings the masks of @cs and its descendants up to date.  @force: also where nothing
 * seems to have changed.  source: update_cpumasks_hier()
 */
void cpuset_update_hierarchy(struct cpuset *cs, bool force);
/* Likewise for those siblings of @cs that use its parent's CPUs.  source:
 * update_sibling_cpumasks() */
void cpuset_update_siblings(struct cpuset *cs);

/* partition.c */

/* source: update_prstate() */
void cpuset_update_partition(struct cpuset *cs, enum partition_state state);

/* attach.c */

/* @ct leaves its cpuset for @cs; no check, no affinity. */
void cpuset_link_task(struct cpuset_task *ct, struct cpuset *cs);
void cpuset_unlink_task(struct cpuset_task *ct);
/* @ct is allowed @cpus, and leaves its CPU if that is none of them. */
void cpuset_confine_task(struct cpuset_task *ct, const struct cpumask *cpus);
/* 0, and an attach is in progress, or the errno of cpuset_attach(). */
int cpuset_can_attach(struct cpuset *to, struct cpuset_task *const *tasks, size_t nr);
/* What cpuset_can_attach() let begin comes to nothing.  source:
 * cpuset_cancel_attach() */
void cpuset_cancel_attach(struct cpuset *to);
/* What it let begin is done.  @tasks, [nr > 0], are those it was asked about. */
void cpuset_attach_tasks(struct cpuset *to, struct cpuset_task *const *tasks,
			 size_t nr);
/* The locks around both.  source: cgroup_attach_lock() */
void cpuset_lock_for_attach(cpusets *sys);
void cpuset_unlock_after_attach(cpusets *sys);
/* Moves all tasks of @from to @to.  source: cgroup_transfer_tasks() */
void cpuset_transfer_tasks(struct cpuset *to, struct cpuset *from);

/* hotplug.c */

/* Cpusets take note of which CPUs are active.  source: cpuset_hotplug_workfn() */
void cpuset_handle_hotplug(cpusets *sys);

/* tree.c */

/* Joins its parent's children, with their masks.  source: cpuset_css_online() */
void cpuset_bring_online(struct cpuset *cs);
/* Is no partition and balances nobody any more.  source: cpuset_css_offline() */
void cpuset_take_offline(struct cpuset *cs);
/* On whose behalf that is. */
enum rebuild_caller cpuset_caller_of_rmdir(const cpusets *sys);
struct cpuset *cpuset_new(cpusets *sys, struct cpuset *parent, const char *name);
void cpuset_free(struct cpuset *cs);

/*
 * An operation begins and ends; @out may be NULL, and else is the caller's to clear.
 * Within another it is a part of that one, and @out is NULL.
 */
struct op_scope {
	op_result result;
	op_result *out;
	bool is_part;
	enum rebuild_caller whole_caller; /* of a part */
};
void cpuset_op_begin(cpusets *sys, struct op_scope *scope, enum rebuild_caller caller,
		     op_result *out);
int cpuset_op_end(cpusets *sys, struct op_scope *scope, int err);
/* The locks of a write to a control file. */
void cpuset_lock_write(cpusets *sys);
void cpuset_unlock_write(cpusets *sys);
/* The cpuset lock alone. */
void cpuset_lock(cpusets *sys);
void cpuset_unlock(cpusets *sys);

#endif
