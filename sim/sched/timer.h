/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timers of the classes: replenishments, throttling periods, zero-lag times.
 */
#ifndef SCHED_TIMER_H
#define SCHED_TIMER_H

#include "schedsim/machine.h"

/*
 * Has timer->fn called at @at_ns, or at once as the next event if that has passed.  A
 * pending timer is moved.  source: hrtimer_start()
 */
void sched_timer_start(struct machine *m, struct sched_timer *timer, uint64_t at_ns);

/* True when it was pending.  source: hrtimer_try_to_cancel() */
bool sched_timer_cancel(struct machine *m, struct sched_timer *timer);

#endif
