/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timers of the classes, which the driver keeps.
 */
#include "sched/timer.h"

void sched_timer_start(struct machine *m, struct sched_timer *timer, uint64_t at_ns)
{
	g_assert(timer->fn && m->driver && m->driver->timer_start);

	sched_timer_cancel(m, timer);
	timer->at_ns = MAX(at_ns, m->now_ns);
	timer->pending = true;
	timer->machine = m;
	m->driver->timer_start(m->driver->data, timer);
}

uint64_t sched_timer_forward(struct sched_timer *timer, uint64_t now_ns,
			     uint64_t interval_ns)
{
	uint64_t intervals;

	g_assert(!timer->pending);
	if (now_ns < timer->at_ns)
		return 0;
	interval_ns = MAX(interval_ns, 1);
	intervals = (now_ns - timer->at_ns) / interval_ns + 1;
	timer->at_ns += intervals * interval_ns;
	return intervals;
}

bool sched_timer_cancel(struct machine *m, struct sched_timer *timer)
{
	if (!timer->pending)
		return false;
	timer->pending = false;
	m->driver->timer_cancel(m->driver->data, timer);
	return true;
}
