/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit that real-time and deadline tasks share, changed while the machine runs.
 */
#include "sched/rt_limit.h"

#include "sched/deadline.h"

#include <errno.h>

int set_rt_limit(struct machine *m, uint64_t period_us, uint64_t runtime_us)
{
	bool unlimited = runtime_us == RT_RUNTIME_UNLIMITED;
	uint64_t runtime_ns = unlimited ? RUNTIME_INF : runtime_us * NSEC_PER_USEC;
	int error;

	if (!period_us || (!unlimited && runtime_us > period_us))
		return -EINVAL;
	error = dl_global_validate(m, period_us * NSEC_PER_USEC, runtime_ns);
	if (error)
		return error;
	m->tunables.sched_rt_period_us = period_us;
	m->tunables.sched_rt_runtime_us = runtime_us;
	dl_do_global(m);
	return 0;
}
