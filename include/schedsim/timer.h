/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A high-resolution timer of the scheduler's own.
 */
#ifndef SCHEDSIM_TIMER_H
#define SCHEDSIM_TIMER_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

/* Lies inside its subject.  Set fn and subject; start and cancel by sched/timer.h. */
struct sched_timer {
	void (*fn)(struct machine *m, void *subject);
	void *subject; /* not owned */
	int cpu;       /* whose interrupt it is */
	uint64_t at_ns;
	bool pending;
	struct machine *machine;  /* where it was started; not owned */
	uint64_t driver_state[5]; /* for the driver alone, zeroed at first */
};

#endif
