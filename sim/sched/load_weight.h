/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weights, and the fixed-point division by them.
 */
#ifndef SCHED_LOAD_WEIGHT_H
#define SCHED_LOAD_WEIGHT_H

#include "schedsim/task.h"

/* Least shares of a group on one CPU; not scaled up, as in the kernel. */
#define MIN_SHARES 2

/* @weight without its extra bits, at least 2 unless 0.  source: scale_load_down() */
static inline uint64_t scale_load_down(uint64_t weight)
{
	uint64_t w = weight >> LOAD_SHIFT;

	if (!weight)
		return 0;
	return w > 2 ? w : 2;
}

static inline uint64_t scale_load(uint64_t weight)
{
	return weight << LOAD_SHIFT;
}

/* The weight of a task, with the tabled inverse.  source: set_load_weight() */
struct load_weight task_load_weight(enum sched_policy policy, int nice);

/* The table behind it, and its inverse; index nice + 20.  source: sched_prio_to_weight
 */
extern const uint32_t prio_to_weight[40];
extern const uint32_t prio_to_wmult[40];

void load_weight_add(struct load_weight *lw, uint64_t weight);
void load_weight_sub(struct load_weight *lw, uint64_t weight);
void load_weight_set(struct load_weight *lw, uint64_t weight);

/*
 * About @delta * @weight / lw->weight; fills in lw->inv_weight where it is 0.
 * source: __calc_delta()
 */
uint64_t calc_delta(uint64_t delta, uint64_t weight, struct load_weight *lw);

/* @delta ns of real time as vruntime of @se.  source: calc_delta_fair() */
static inline uint64_t calc_delta_fair(uint64_t delta, struct sched_entity *se)
{
	if (se->load.weight == NICE_0_LOAD)
		return delta;
	return calc_delta(delta, NICE_0_LOAD, &se->load);
}

/* Moves @avg an eighth of the way to @sample, toward zero.  source: update_avg() */
static inline void update_avg(uint64_t *avg, uint64_t sample)
{
	int64_t diff = (int64_t)(sample - *avg);

	*avg += (uint64_t)(diff / 8);
}

#endif
