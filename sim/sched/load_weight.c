/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weights, and the fixed-point division by them.
 */
#include "sched/load_weight.h"

/* Each step of nice is about 25 % of weight.  source: sched_prio_to_weight */
const uint32_t prio_to_weight[40] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548,  7620,  6100,  4904,  3906,  3121,  2501,  1991,  1586,  1277,
	1024,  820,   655,   526,   423,   335,   272,   215,   172,   137,
	110,   87,    70,    56,    45,    36,    29,    23,    18,    15,
};

/* 2^32 / weight, as tabled: not always rounded alike.  source: sched_prio_to_wmult */
const uint32_t prio_to_wmult[40] = {
	48388,     59856,     76040,     92818,     118348,    147320,   184698,
	229616,    287308,    360437,    449829,    563644,    704093,   875809,
	1099582,   1376151,   1717300,   2157191,   2708050,   3363326,  4194304,
	5237765,   6557202,   8165337,   10153587,  12820798,  15790321, 19976592,
	24970740,  31350126,  39045157,  49367440,  61356676,  76695844, 95443717,
	119304647, 148102320, 186737708, 238609294, 286331153,
};

/* source: WEIGHT_IDLEPRIO, WMULT_IDLEPRIO */
#define IDLE_POLICY_WEIGHT 3
#define IDLE_POLICY_WMULT 1431655765

#define WMULT_CONST UINT32_MAX
#define WMULT_SHIFT 32

struct load_weight task_load_weight(enum sched_policy policy, int nice)
{
	if (policy == POLICY_IDLE)
		return (struct load_weight){scale_load(IDLE_POLICY_WEIGHT),
					    IDLE_POLICY_WMULT};
	return (struct load_weight){scale_load(prio_to_weight[nice - MIN_NICE]),
				    prio_to_wmult[nice - MIN_NICE]};
}

void load_weight_set(struct load_weight *lw, uint64_t weight)
{
	lw->weight = weight;
	lw->inv_weight = 0;
}

void load_weight_add(struct load_weight *lw, uint64_t weight)
{
	load_weight_set(lw, lw->weight + weight);
}

void load_weight_sub(struct load_weight *lw, uint64_t weight)
{
	load_weight_set(lw, lw->weight - weight);
}

static uint32_t inverse_of(uint64_t weight)
{
	uint64_t w = scale_load_down(weight);

	if (w >= WMULT_CONST)
		return 1;
	if (!w)
		return WMULT_CONST;
	return (uint32_t)(WMULT_CONST / w);
}

/* Shifts @fact until it fits in 32 bits, and takes as much off @shift. */
static uint64_t keep_32_bits(uint64_t fact, int *shift)
{
	uint32_t high = (uint32_t)(fact >> 32);
	int excess = high ? 32 - __builtin_clz(high) : 0;

	*shift -= excess;
	return fact >> excess;
}

uint64_t calc_delta(uint64_t delta, uint64_t weight, struct load_weight *lw)
{
	int shift = WMULT_SHIFT;
	uint64_t fact;

	if (!lw->inv_weight)
		lw->inv_weight = inverse_of(lw->weight);
	fact = keep_32_bits(scale_load_down(weight), &shift);
	fact = keep_32_bits((uint64_t)(uint32_t)fact * lw->inv_weight, &shift);
	return (uint64_t)((unsigned __int128)delta * (uint32_t)fact >> shift);
}
