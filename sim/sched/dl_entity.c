/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of the constant bandwidth server: when an instance's runtime and deadline
 * still hold, and what it gets when they do not.
 *
 * source: Abeni and Buttazzo, Integrating Multimedia Applications in Hard Real-Time
 * Systems, 1998; Abeni, Lipari and Lelli, Constant Bandwidth Server Revisited, 2015
 */
#include "sched/dl_internal.h"

/* Above every period and below where a time counts as future. */
#define LONG_AGO_NS (1ULL << 62)

uint64_t dl_deadline_long_ago(uint64_t clock_ns)
{
	return clock_ns - LONG_AGO_NS;
}

void replenish_dl_new_period(struct sched_dl_entity *dl_se, uint64_t clock_ns)
{
	dl_se->deadline = clock_ns + pi_of(dl_se)->dl_deadline;
	dl_se->runtime = (int64_t)pi_of(dl_se)->dl_runtime;
}

void replenish_dl_entity(struct sched_dl_entity *dl_se, uint64_t clock_ns)
{
	g_assert(pi_of(dl_se)->dl_runtime);

	/* Boosted from another class: it begins as the one who waits for it would. */
	if (!dl_se->dl_deadline)
		replenish_dl_new_period(dl_se, clock_ns);
	if (dl_se->dl_yielded && dl_se->runtime > 0)
		dl_se->runtime = 0;
	/* An overrun is paid back by as many periods as it takes. */
	while (dl_se->runtime <= 0) {
		dl_se->deadline += pi_of(dl_se)->dl_period;
		dl_se->runtime += (int64_t)pi_of(dl_se)->dl_runtime;
	}
	/* So late that even the new deadline is past: begin anew. */
	if (dl_time_before(dl_se->deadline, clock_ns))
		replenish_dl_new_period(dl_se, clock_ns);
	dl_se->dl_yielded = false;
	dl_se->dl_throttled = false;
}

bool dl_entity_overflow(const struct sched_dl_entity *dl_se, uint64_t clock_ns)
{
	uint64_t left_ns = dl_se->deadline - clock_ns;
	uint64_t wants = (pi_of(dl_se)->dl_deadline >> DL_SCALE) *
			 (uint64_t)(dl_se->runtime >> DL_SCALE);
	uint64_t may = (left_ns >> DL_SCALE) * (pi_of(dl_se)->dl_runtime >> DL_SCALE);

	return dl_time_before(may, wants);
}

/*
 * Keeps the deadline and cuts the runtime to what the density allows until then.  A
 * new instance would give a task with a deadline before its period's end runtime by
 * deadline, which is more than it was admitted with.
 */
static void update_dl_revised_wakeup(struct sched_dl_entity *dl_se, uint64_t clock_ns)
{
	uint64_t left_ns = dl_se->deadline - clock_ns;

	dl_se->runtime = (int64_t)(dl_se->dl_density * left_ns >> BW_SHIFT);
}

void update_dl_entity(struct sched_dl_entity *dl_se, uint64_t clock_ns)
{
	bool is_past = dl_time_before(dl_se->deadline, clock_ns);

	if (!is_past && !dl_entity_overflow(dl_se, clock_ns))
		return;
	if (!is_past && !dl_is_implicit(dl_se) && !is_dl_boosted(dl_se))
		update_dl_revised_wakeup(dl_se, clock_ns);
	else
		replenish_dl_new_period(dl_se, clock_ns);
}
