/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations on cpusets, as an administrator has them.
 *
 * Each takes effect at once, at m->now_ns and from m->this_cpu, and says what it did in
 * @out, which may be NULL and is the caller's to clear (op_result_clear()); results of
 * 0 or minus an errno are out->err too.  Reschedules that it asks for are to follow
 * (sched_resched_all()).
 */
#ifndef CPUSET_TREE_H
#define CPUSET_TREE_H

#include "cpuset/cpuset.h"
#include "cpuset/operation.h"

struct cpusets_spec {
	enum cpuset_mode mode;
	const struct rebuild_policy *policy; /* copied; NULL: the first of the list */
	struct cpumask isolated;             /* isolcpus=; not all CPUs */
};

/*
 * The root cpuset of @m, whose scheduler is initialised; from now on domains follow
 * cpusets, and @m reports to them.  One for a machine.
 */
cpusets *cpusets_new(struct machine *m, const struct cpusets_spec *spec);
void cpusets_free(cpusets *sys);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(cpusets, cpusets_free)

/*
 * Operations from now on add their accounts to @into, which op_result_init() made, as
 * well; NULL: no longer.
 */
void cpusets_journal(cpusets *sys, op_result *into);

/* The cpuset at @path ("" for the root, "a/b"), or NULL. */
struct cpuset *cpuset_find(const cpusets *sys, const char *path);
/* "/" or "/a/b".  (transfer full) */
char *cpuset_path(const struct cpuset *cs);

/* The tree */

/*
 * -EINVAL for an empty name or one with a slash or newline, -EEXIST.  *@out_cs gets the
 * new one.
 */
int cpuset_mkdir(struct cpuset *parent, const char *name, struct cpuset **out_cs,
		 op_result *out);
/* Frees @cs.  -EBUSY with tasks or children, and for the root. */
int cpuset_rmdir(struct cpuset *cs, op_result *out);

/* Control files */

/*
 * Writes @text to @file by the name it has in cgroupfs ("cpuset.cpus").
 *	-ENOENT   no such file here in this mode
 *	-EINVAL, -ERANGE  @text is not what the file takes; nothing can be written to it
 * and what the operations below say.
 */
int cpuset_write(struct cpuset *cs, const char *file, const char *text, op_result *out);
/* What a reader finds, without the newline; NULL: no such file.  (transfer full) */
char *cpuset_read(const struct cpuset *cs, const char *file);

/*
 * cpuset.cpus: -EACCES for the root, -EINVAL for CPUs that the root has not, and the
 * errnos of cpuset_validate(); but v2 lets siblings overlap, at the cost of their
 * partitions.
 */
int cpuset_set_cpus(struct cpuset *cs, const struct cpumask *cpus, op_result *out);
/* cpuset.mems: likewise. */
int cpuset_set_mems(struct cpuset *cs, node_set mems, op_result *out);
/* v1's flags: errnos of cpuset_validate(). */
int cpuset_set_cpu_exclusive(struct cpuset *cs, bool on, op_result *out);
int cpuset_set_mem_exclusive(struct cpuset *cs, bool on, op_result *out);
int cpuset_set_load_balance(struct cpuset *cs, bool on, op_result *out);
/* -EINVAL below -1 and more than one above the highest level of any domain. */
int cpuset_set_relax_domain_level(struct cpuset *cs, int64_t level, op_result *out);
/* v2: @state is member, root or isolated; what cannot be had becomes invalid. */
void cpuset_set_partition(struct cpuset *cs, enum partition_state state,
			  op_result *out);

/* "root invalid (Cpu list in cpuset.cpus not exclusive)".  (transfer full) */
char *cpuset_partition_text(const struct cpuset *cs);
/* NULL for PERR_NONE. */
const char *cpuset_partition_error_text(enum partition_error error);

/* Tasks */

/* Whether tasks may be in it: it has CPUs, and in v1 memory nodes.
 * source: cpuset_can_attach_check() */
bool cpuset_can_have_tasks(const struct cpuset *cs);
/* What its tasks may run on now, never empty.  source: cpuset_cpus_allowed() */
struct cpumask cpuset_cpus_allowed(const struct cpuset *cs);

/*
 * @t is forked into @cs, its parent's cpuset: no check is made and its affinity is as
 * forked.  @ct: its flags are set by the caller, the rest here; both outlive the
 * membership.
 */
void cpuset_task_init(struct cpuset_task *ct, struct task *t, struct cpuset *cs);
/*
 * @ct->task dies, or is about to.  A deadline task's @ct must stay until the task's
 * 0-lag time is past, as the task itself must.
 */
void cpuset_task_exit(struct cpuset_task *ct);

/*
 * Moves @tasks, a process, to @to; those that are there already are left alone.
 *	-ENOSPC  no CPUs, or in v1 no memory nodes
 *	-EINVAL  a task is bound, or no CPU of @to is active for deadline tasks
 *	-EBUSY   its root domain has no room for deadline tasks
 */
int cpuset_attach(struct cpuset *to, struct cpuset_task *const *tasks, size_t nr,
		  op_result *out);
/*
 * Changes @ct's policy under the lock that the release takes for it; the errnos of
 * sched_setattr().
 */
int cpuset_setattr(struct cpuset_task *ct, const struct sched_attr *attr,
		   op_result *out);
/*
 * sched_setaffinity(): @cpus within its cpuset.
 *	-EINVAL  bound, or none of them can be used
 *	-EBUSY   a deadline task would lose a CPU of its root domain
 */
int cpuset_setaffinity(struct cpuset_task *ct, const struct cpumask *cpus,
		       op_result *out);

/* CPUs and power */

/*
 * A CPU goes off, or comes on.
 *	-EBUSY   deadline tasks need it, or it is the last
 *	-EINVAL  it is off, or on, already
 */
int cpuset_cpu_down(cpusets *sys, int cpu, op_result *out);
int cpuset_cpu_up(cpusets *sys, int cpu, op_result *out);
/*
 * Likewise, but what is left to do for cpusets stays to be done by
 * cpuset_hotplug_work(); until then sys->hotplug_work is set and rebuilds that others
 * ask for are dropped.
 */
int cpuset_cpu_down_begin(cpusets *sys, int cpu, op_result *out);
int cpuset_cpu_up_begin(cpusets *sys, int cpu, op_result *out);
void cpuset_hotplug_work(cpusets *sys, op_result *out);

/* A step of a suspend or a resume, with tasks frozen.  -EBUSY as above. */
int cpuset_suspend_cpu(cpusets *sys, int cpu, op_result *out);
int cpuset_resume_cpu(cpusets *sys, int cpu, op_result *out);
/*
 * The whole: every CPU but the first online goes off, and when one refuses, those that
 * went come back.
 */
int cpuset_suspend(cpusets *sys, op_result *out);
void cpuset_resume(cpusets *sys, op_result *out);

/* A frequency governor came to use the energy model, or no longer does. */
void cpuset_governor_change(cpusets *sys, op_result *out);
/* The architecture found that CPUs are connected otherwise. */
void cpuset_topology_update(cpusets *sys, op_result *out);
/*
 * kernel.sched_rt_period_us and kernel.sched_rt_runtime_us: -EBUSY when more than that
 * is promised, -EINVAL for a period of 0 or more runtime than period.
 */
int cpuset_set_rt_limit(cpusets *sys, uint64_t period_us, uint64_t runtime_us,
			op_result *out);

#endif
