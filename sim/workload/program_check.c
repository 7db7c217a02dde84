/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cautious answers: a step that may take time counts as if it did.
 */
#include "workload/program_check.h"

bool dist_is_zero(const struct dist *d)
{
	if (d->kind == DIST_LIST || d->kind == DIST_QUANTILES) {
		for (unsigned i = 0; i < d->nr; i++)
			if (d->values[i])
				return false;
		return true;
	}
	return !d->a && !d->b;
}

static bool step_can_take_time(const struct step *s)
{
	switch (s->op) {
	case STEP_RUN:
	case STEP_RUNTIME:
	case STEP_SLEEP:
	case STEP_TIMER:
		return !dist_is_zero(&s->amount);
	case STEP_MEM:
	case STEP_IORUN:
		return s->count;
	case STEP_WAIT:
	case STEP_SYNC:
	case STEP_RECV:
		return true;
	default:
		return false;
	}
}

bool steps_can_take_time(const struct step *steps, int nr_steps)
{
	for (int i = 0; i < nr_steps; i++)
		if (step_can_take_time(&steps[i]))
			return true;
	return false;
}

bool program_is_endless(const struct program *p)
{
	for (int i = 0; i < p->nr_steps; i++)
		if (p->steps[i].op == STEP_LOOP && p->steps[i].count < 0)
			return true;
	return false;
}
