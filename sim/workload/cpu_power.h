/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that go off and come back in the middle of a run, and threads that a suspend
 * freezes: what the clockwork has to do besides the scheduler.
 */
#ifndef WORKLOAD_CPU_POWER_H
#define WORKLOAD_CPU_POWER_H

#include "workload/clockwork.h"

/*
 * @cpu, which the scheduler does not use any more (set_cpu_active(), or an operation
 * on cpusets that succeeded), goes off: interrupts of devices come elsewhere from now
 * on.  Once its tasks have left and what it was at is done, which may be at this
 * instant when events are settled, its tick stops, its timers go to the first active
 * CPU, and cpu_is_off().  Nothing where it was off or going already. source:
 * sched_cpu_wait_empty(), take_cpu_down(), hrtimers_cpu_dying(), 6.1
 */
void cpu_goes_offline(simulation *s, int cpu);
/*
 * @cpu, which the scheduler uses again or will at this instant, runs its idle task and
 * ticks.  One that was still on its way off stays on.
 */
void cpu_comes_online(simulation *s, int cpu);
bool cpu_is_off(const simulation *s, int cpu);
/* Likewise for every CPU: those of @online are on, or come back, the others go off. */
void cpus_set_online(simulation *s, const struct cpumask *online);
/*
 * The current thread sleeps until @cpu, which goes off, is off; false when it is, and
 * the thread goes on.  source: wait_for_ap_thread() of takedown_cpu()
 */
bool thread_awaits_cpu_off(struct thread *t, int cpu);

/*
 * A CPU of @among for an interrupt that would come on @cpu: that one, or if it is off
 * or going the next one of @among, or the first of all, that is not.
 * source: irq_migrate_all_off_this_cpu()
 */
int cpu_for_interrupt(const simulation *s, const struct cpumask *among, int cpu);

/*
 * Threads of the workload, not those of operations, stop: one that runs at this
 * instant, one that is runnable as soon as it gets a CPU, one that sleeps goes on
 * sleeping whatever wakes it.  Clocks and timers go on.  source: freeze_processes()
 */
void threads_freeze(simulation *s);
/* Whether none of them is runnable any more. */
bool threads_are_frozen(const simulation *s);
/*
 * They go on, woken by the current task of @this_cpu in the order they were made: those
 * that were stopped and those that something woke meanwhile.  source: thaw_processes()
 */
void threads_thaw(simulation *s, int this_cpu);

#endif
