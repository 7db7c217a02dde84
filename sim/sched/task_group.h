/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of tasks that share a weight.
 */
#ifndef SCHED_TASK_GROUP_H
#define SCHED_TASK_GROUP_H

#include "schedsim/machine.h"

/*
 * An empty group below @parent (NULL: the root) with the weight of nice 0.
 * source: alloc_fair_sched_group(), online_fair_sched_group()
 */
struct task_group *task_group_new(struct machine *m, struct task_group *parent);

/* @tg has neither tasks nor children. */
void task_group_free(struct machine *m, struct task_group *tg);

/*
 * Sets the weight, scaled by LOAD_SHIFT and clamped to 2..2^18 units.
 * source: __sched_group_set_shares()
 */
void sched_group_set_shares(struct machine *m, struct task_group *tg, uint64_t shares);

#endif
