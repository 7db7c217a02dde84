/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When operations are due: at a time, again and again, or when a record says.
 */
#include "workload/operations.h"

static bool open_record(struct operation_run *run, GError **error)
{
	struct operation_times *times = &run->times;

	if (!times->record)
		times->record = arrivals_open(run->spec->record,
					      run->spec->values ? ARRIVALS_OFFER_VALUES
								: ARRIVALS_NEED_VALUES,
					      error);
	return times->record;
}

static bool next_recorded(struct operation_run *run)
{
	struct operation_times *times = &run->times;
	struct arrival next;
	GError *error = NULL;

	if (!open_record(run, &error) || !arrivals_next(times->record, &next, &error)) {
		g_prefix_error(&error, "%s: ", run->spec->place);
		simulation_fail(run->s, error);
		return false;
	}
	run->due_ns = later_ns(times->begun_ns, next.at_ns);
	times->value = next.value;
	times->left = next.count;
	return next.count;
}

bool operation_next_time(struct thread *t, struct operation_run *run)
{
	const struct operation_spec *spec = run->spec;
	struct operation_times *times = &run->times;

	if (spec->record)
		return next_recorded(run);
	if (times->rounds == (uint64_t)spec->count)
		return false;
	if (times->rounds++ || spec->every_first)
		run->due_ns =
			later_ns(run->due_ns, dist_sample(&spec->every, &t->random,
							  &times->every_turn));
	times->left = dist_sample(&spec->burst, &t->random, &times->burst_turn);
	return true;
}

uint64_t operation_first_ns(struct thread *t, uint64_t begun_ns)
{
	struct operation_run *run = t->operation;

	run->times.begun_ns = run->due_ns = begun_ns;
	operation_next_time(t, run);
	return run->due_ns;
}
