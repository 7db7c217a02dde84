/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The deadline bandwidth of root domains: what becomes of the totals when domains are
 * rebuilt, by the policy's table, and what they should be.
 */
#ifndef CPUSET_DL_REBUILD_H
#define CPUSET_DL_REBUILD_H

#include "cpuset/cpuset.h"
#include "cpuset/operation.h"

/*
 * A schedutil thread of a slow frequency switch: 1 ms every 10 ms, of BW_ONE.  Nobody
 * was asked for it.  source: sugov_kthread_create()
 */
#define SUGOV_BW 104857

/* From now on the scheduler tells @sys of its tasks. */
void dl_rebuild_hooks(cpusets *sys);

/* @ct is a deadline task from now on, or no longer, and its cpuset counts it. */
void dl_task_joins(struct cpuset_task *ct);
void dl_task_leaves(struct cpuset_task *ct);

/* Whether the policy leaves totals alone: since a suspend, if that is its way. */
bool dl_rebuild_is_frozen(const cpusets *sys);
/* The domain of @rd stays as it is. */
void dl_rebuild_matched(cpusets *sys, struct root_domain *rd);
/* The fair server of @rq, which is in its root domain now, is part of the total. */
void dl_rebuild_attached(cpusets *sys, struct rq *rq);
/* Domains are as they are to be: sums totals up anew.  source:
 * dl_rebuild_rd_accounting() */
void dl_rebuild_accounting(cpusets *sys);

/* Reserves @bw in the root domain of @cpu: 0 or -EBUSY.  source: dl_bw_alloc() */
int dl_bw_alloc(cpusets *sys, int cpu, uint64_t bw);
/* Gives it back.  source: dl_bw_free() */
void dl_bw_free(cpusets *sys, int cpu, uint64_t bw);
/*
 * Whether deadline tasks can spare @cpu, which is still active: 0 or -EBUSY.
 * source: dl_bw_deactivate(), 6.14
 */
int dl_bw_deactivate(const cpusets *sys, int cpu);

/* Appends every root domain with a CPU, by its first, to @list of struct
 * op_root_domain. */
void dl_list_root_domains(cpusets *sys, GArray *list);

#endif
