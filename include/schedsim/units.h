/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Units and fixed points, each named once.
 */
#ifndef SCHEDSIM_UNITS_H
#define SCHEDSIM_UNITS_H

#include <stdint.h>

#define NSEC_PER_USEC 1000ULL
#define NSEC_PER_MSEC 1000000ULL
#define NSEC_PER_SEC 1000000000ULL

/* Capacity and utilisation of the biggest CPU.  source: SCHED_CAPACITY_SCALE */
#define CAPACITY_SHIFT 10
#define CAPACITY_ONE (1ULL << CAPACITY_SHIFT)

/* Load weights carry 10 extra bits on 64-bit.  source: SCHED_FIXEDPOINT_SHIFT */
#define LOAD_SHIFT 10
#define NICE_0_LOAD (1ULL << 20)

/* No CPU: a search failed, or a policy has no opinion. */
#define CPU_NONE (-1)

#define MAX_NICE 19
#define MIN_NICE (-20)
#define DEFAULT_PRIO 120 /* the kernel's priority of nice 0 */

#endif
