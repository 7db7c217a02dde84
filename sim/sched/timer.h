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

/*
 * Moves timer->at_ns of one that is not pending by whole intervals (0: 1 ns), to
 * after @now_ns.  Returns how many; 0 when it lies there already.
 * source: hrtimer_forward()
 */
uint64_t sched_timer_forward(struct sched_timer *timer, uint64_t now_ns,
			     uint64_t interval_ns);

/* True when it was pending.  source: hrtimer_try_to_cancel() */
bool sched_timer_cancel(struct machine *m, struct sched_timer *timer);

#endif
