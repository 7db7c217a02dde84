/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit that real-time and deadline tasks share, changed while the machine runs.
 */
#ifndef SCHED_RT_LIMIT_H
#define SCHED_RT_LIMIT_H

#include "schedsim/machine.h"

/*
 * Makes the limit @runtime_us (or RT_RUNTIME_UNLIMITED) of each @period_us: 0, or an
 * errno and nothing changed:
 *	-EINVAL: no period, or more runtime than period
 *	-EBUSY: deadline tasks were promised more
 * source: sched_rt_handler()
 */
int set_rt_limit(struct machine *m, uint64_t period_us, uint64_t runtime_us);

#endif
