/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds between any two events if the scheduler has no bug.
 *
 * Only what is true by construction.  That no CPU idles while another has tasks
 * waiting is not: CFS gives no bound for it, so reports count it instead.
 */
#ifndef SCHED_INVARIANTS_H
#define SCHED_INVARIANTS_H

#include "schedsim/machine.h"
#include "schedsim/observer.h"

typedef struct invariants invariants;

/* @m is as sched_init() left it; nothing ran yet. */
invariants *invariants_new(const struct machine *m);
void invariants_free(invariants *inv);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(invariants, invariants_free)

/* To be linked into the machine's observers: it follows who was charged what. */
struct observer *invariants_observer(invariants *inv);

/*
 * Checks every run queue and @tasks, [nr_tasks], every task there is but the CPUs' own.
 * To be called when no reschedule is due.  The first breach is the error, of
 * INVARIANT_ERROR with code 0.
 */
bool invariants_check(invariants *inv, const struct machine *m,
		      const struct task *const *tasks, int nr_tasks, GError **error);

#define INVARIANT_ERROR invariant_error_quark()
GQuark invariant_error_quark(void);

#endif
