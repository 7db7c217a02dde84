/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of tasks that share a weight.
 */
#ifndef SCHED_TASK_GROUP_H
#define SCHED_TASK_GROUP_H

#include "schedsim/machine.h"

/*
 * An empty group below @parent (NULL: the root) with the weight of nice 0.  The
 * machine owns it until task_group_free().
 * source: alloc_fair_sched_group(), online_fair_sched_group()
 */
struct task_group *task_group_new(struct machine *m, struct task_group *parent);

/*
 * @tg has neither tasks nor children.
 * source: sched_release_group(), unregister_fair_sched_group()
 */
void task_group_free(struct machine *m, struct task_group *tg);

/*
 * Sets the weight, scaled by LOAD_SHIFT and clamped to 2..2^18 units.  0, or -EINVAL
 * for the root group and for one with cpu.idle, whose weight is fixed.
 * source: sched_group_set_shares()
 */
int sched_group_set_shares(struct machine *m, struct task_group *tg, uint64_t shares);

/*
 * Its tasks count as SCHED_IDLE's outside, and the group weighs as one of them; or
 * (@idle 0) it weighs as nice 0 again.  0, or -EINVAL for the root group and for
 * anything but 0 and 1.  source: sched_group_set_idle()
 */
int sched_group_set_idle(struct machine *m, struct task_group *tg, int64_t idle);

/* Moves @t, wherever it is, to @tg.  source: sched_move_task() */
void sched_move_task(struct machine *m, struct task *t, struct task_group *tg);
/* @t is dead, and its group may go before it. */
void sched_forget_group(struct machine *m, struct task *t);

#endif
