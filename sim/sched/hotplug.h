/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that stop being used, and come back.
 */
#ifndef SCHED_HOTPLUG_H
#define SCHED_HOTPLUG_H

#include "schedsim/machine.h"

/*
 * From now on tasks may be put on @cpu, or not; then what it has leaves at its next
 * reschedule, which this asks for.  Domains are the caller's to change.
 * source: set_cpu_active() and balance_push_set() of sched_cpu_activate() and
 * sched_cpu_deactivate()
 */
void set_cpu_active(struct machine *m, int cpu, bool active);
/*
 * @cpu went inactive, but something needs it: it is active again.  Its run queue stays
 * offline, so that real-time and deadline tasks are not pushed to it, until it comes to
 * another root domain; mended in 6.11.  source: sched_cpu_deactivate() of 6.1.192
 */
void cancel_cpu_inactive(struct machine *m, int cpu);
/*
 * @cpu is there, or not; to come before the one and after the other of going active.
 * Tunables follow as the next run queue goes online or offline.
 */
void set_cpu_online(struct machine *m, int cpu, bool online);

#endif
