/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs are balanced together, as it follows from the cpusets; and making the
 * machine's domains and root domains so.
 */
#ifndef CPUSET_DOMAINS_FROM_CPUSETS_H
#define CPUSET_DOMAINS_FROM_CPUSETS_H

#include "cpuset/cpuset.h"

/*
 * Disjoint sets of CPUs, of struct sched_dom, in the kernel's order; empty where
 * nothing is balanced.  *@looked_at gets the number of cpusets that took part.
 * (transfer full)
 *
 * source: generate_sched_domains()
 */
GArray *generate_sched_domains(cpusets *sys, uint64_t *looked_at);

/*
 * Brings the domains up to date, on behalf of sys->caller and under the cpuset lock.
 * Dropped while a CPU is on its way off or on: the work that follows asks again.
 *
 * source: rebuild_sched_domains_locked()
 */
void rebuild_sched_domains(cpusets *sys);

/*
 * Makes the domains those of @doms, NULL: one of all CPUs that may be balanced.  What
 * is so already is left alone.
 *
 * source: partition_sched_domains()
 */
void partition_sched_domains(cpusets *sys, GArray *doms);

/* The domains of boot, and fair servers if there are any. */
void sched_domains_init(cpusets *sys);

#endif
