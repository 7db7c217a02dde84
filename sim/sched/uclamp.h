/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Utilisation clamps of tasks, of their groups and of the system.
 *
 * What a run queue makes of its tasks' clamps is not kept: only the choice of
 * frequencies and energy-aware placement look at it.
 */
#ifndef SCHED_UCLAMP_H
#define SCHED_UCLAMP_H

#include "schedsim/machine.h"

/* @t is new, its policy set: it wishes nothing. */
void uclamp_init(const struct machine *m, struct task *t);
/*
 * @t, not yet woken, has what @parent, of the same policy, asked for.
 * source: uclamp_fork(), uclamp_post_fork()
 */
void uclamp_fork(const struct machine *m, struct task *t, const struct task *parent);

/* What @t's clamp comes to, 0..CAPACITY_ONE, by its group and the system's.  source:
 * uclamp_eff_value() */
unsigned uclamp_eff_value(const struct machine *m, const struct task *t,
			  enum uclamp_id id);

/*
 * Whether @t may have the clamps of @attr, if that sets any: 0 or -EINVAL.  Clamps
 * count from the first that may.  source: uclamp_validate()
 */
int uclamp_validate(struct machine *m, const struct task *t,
		    const struct sched_attr *attr);
/* @t has the policy of @attr by now.  source: __setscheduler_uclamp() */
void uclamp_setscheduler(const struct machine *m, struct task *t,
			 const struct sched_attr *attr);

/* The root group's; groups below it begin with none of their own. */
void init_uclamp(struct machine *m);
void uclamp_tg_init(struct task_group *tg);
/* Asks for @value, 0..CAPACITY_ONE, for @tg.  source: cpu_uclamp_write() */
void uclamp_tg_set(struct machine *m, struct task_group *tg, enum uclamp_id id,
		   unsigned value);

#endif
