/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a thread does in each turn of a phase, as rt-app measures it.
 *
 * rt-app looks at the clock before an event that takes time and after it, so waits
 * for a CPU count: here a run is over when the thread goes on with its program.
 *
 * source: rt-app 1.0, run_event() and thread_body()
 */
#include "workload/clockwork.h"

/* The event that took time is over. */
static void end_event(struct thread *t)
{
	struct phase_turn_state *state = &t->turn;
	uint64_t ns = simulation_now(t->s) - state->event_ns;

	if (state->event == TURN_RUNS) {
		state->turn.run_ns += ns;
		state->turn.work_ns += t->work_done >> CAPACITY_SHIFT;
	} else if (state->event == TURN_AWAITS_TIMER) {
		state->turn.timer_wait_ns += ns;
		state->turn.timer_waited = true;
	}
	state->event = TURN_NO_EVENT;
}

static void end_turn(struct thread *t)
{
	struct phase_turn_state *state = &t->turn;

	if (!state->open)
		return;
	state->open = false;
	state->turn.end_ns = simulation_now(t->s);
	SIM_OBSERVE(&t->s->listeners, phase_turn, &t->sim, &state->turn);
}

static void begin_turn(struct thread *t)
{
	t->turn.open = true;
	t->turn.turn = (struct phase_turn){.start_ns = simulation_now(t->s)};
}

void phase_turn_follow(struct thread *t, const struct step *st)
{
	end_event(t);
	if (t->seen)
		return;
	t->seen = true;
	if (st->ends_turn)
		end_turn(t);
	if (st->begins_turn)
		begin_turn(t);
}

void phase_turn_run(struct thread *t, uint64_t ns)
{
	t->turn.turn.asked_run_ns += ns;
	t->turn.event = TURN_RUNS;
	t->turn.event_ns = simulation_now(t->s);
}

void phase_turn_timer(struct thread *t, uint64_t period_ns, uint64_t next_ns)
{
	struct phase_turn *turn = &t->turn.turn;
	uint64_t now_ns = simulation_now(t->s);

	turn->asked_period_ns += period_ns;
	turn->slack_ns = (int64_t)(next_ns - now_ns);
	turn->slack_sum_ns += turn->slack_ns;
	turn->has_timer = true;
	if (now_ns >= next_ns)
		return;
	t->turn.event = TURN_AWAITS_TIMER;
	t->turn.event_ns = next_ns;
}
