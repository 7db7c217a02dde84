/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CFS: order by vruntime.  The arithmetic of its rules, one by one.
 */
#ifndef SCHED_CFS_H
#define SCHED_CFS_H

#include "sched/fair.h"

/* source: update_min_vruntime() */
void cfs_update_min_vruntime(struct cfs_rq *cfs_rq);
/* ns of real time.  source: sched_slice() */
uint64_t sched_slice(struct cfs_rq *cfs_rq, struct sched_entity *se);
/* ns of vruntime.  source: sched_vslice() */
uint64_t sched_vslice(struct cfs_rq *cfs_rq, struct sched_entity *se);
/* source: place_entity() */
void place_entity(struct cfs_rq *cfs_rq, struct sched_entity *se, bool initial);
/* source: wakeup_gran() */
uint64_t wakeup_gran(const struct machine *m, struct sched_entity *se);
/* -1: @se is not left of @curr; 0: within the granularity; 1: it preempts. */
int wakeup_preempt_entity(const struct machine *m, const struct sched_entity *curr,
			  struct sched_entity *se);

#endif
