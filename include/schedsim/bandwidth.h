/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit on the CPU time of a group of fair tasks.  Fields carry the kernel's
 * names.
 */
#ifndef SCHEDSIM_BANDWIDTH_H
#define SCHEDSIM_BANDWIDTH_H

#include "schedsim/list.h"
#include "schedsim/timer.h"

#include <stdint.h>

struct cfs_bandwidth {
	uint64_t period; /* ns */
	uint64_t quota;  /* ns of CPU time a period, or RUNTIME_INF */
	uint64_t burst;  /* ns of unused quota that may be added to a later period */

	uint64_t runtime;      /* what the queues may still take, ns */
	uint64_t runtime_snap; /* the same as the last refill left it */
	bool idle;             /* nothing was taken since the period began */
	bool period_active;    /* periods are being counted */
	bool slack_started;
	struct sched_timer period_timer; /* at_ns also when it does not run: the grid */
	struct sched_timer slack_timer;
	struct list throttled_cfs_rq; /* longest throttled first */

	/* statistics, as in cpu.stat */
	uint64_t nr_periods;
	uint64_t nr_throttled; /* periods that ended with some queue throttled */
	uint64_t nr_burst;
	uint64_t throttled_time; /* ns, the sum over queues, once they go on */
	uint64_t burst_time;     /* ns used beyond the quota */
};

#endif
