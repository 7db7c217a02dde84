/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleeps for a time, and timers that keep a grid as rt-app's do.
 *
 * Both end in a timer interrupt on the CPU where the sleep began.  Timer slack is
 * none: the interrupt comes at the ns asked for.
 */
#include "workload/clockwork.h"

void step_sleep(struct thread *t, const struct step *st)
{
	uint64_t ns = step_amount(t, st);

	step_done(t);
	thread_sleep_until(t, later_ns(simulation_now(t->s), ns));
}

static struct timer *timer_of(struct thread *t, int index)
{
	return t->s->w->timers[index].unique ? &t->timers[index] : &t->s->timers[index];
}

/*
 * The next point of the grid, or on at once if it is past: a relative timer's grid
 * then begins anew, an absolute one's stays.  The grid's first point lies a period
 * after the thread's start, which counts from its creation and delay and not from
 * the first use.
 *
 * source: rt-app 1.0, rtapp_timer in run_event() and t_first in thread_body()
 */
void step_timer(struct thread *t, const struct step *st)
{
	struct timer *timer = timer_of(t, st->object);
	uint64_t now_ns = simulation_now(t->s);
	uint64_t period_ns = step_amount(t, st);

	step_done(t);
	if (!timer->started)
		*timer = (struct timer){.started = true, .next_ns = t->first_ns};
	timer->next_ns = later_ns(timer->next_ns, period_ns);
	SIM_OBSERVE(&t->s->listeners, timer_step, &t->sim,
		    (int64_t)(timer->next_ns - now_ns));
	phase_turn_timer(t, period_ns, timer->next_ns);
	if (now_ns < timer->next_ns)
		thread_sleep_until(t, timer->next_ns);
	else if (!st->flag)
		timer->next_ns = now_ns;
}

void timers_init(simulation *s)
{
	s->timers = g_new0(struct timer, (size_t)s->w->nr_timers);
}

void timers_clear(simulation *s)
{
	g_free(s->timers);
}
