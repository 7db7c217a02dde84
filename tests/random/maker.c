/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream of numbers of its own, so that a seed means the same workload everywhere.
 */
#include "maker.h"

#include <stdio.h>

/* source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014 */
static uint64_t next(struct maker *k)
{
	uint64_t z = (k->state += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

int below(struct maker *k, int n)
{
	return (int)(next(k) % (uint64_t)n);
}

int between(struct maker *k, int least, int most)
{
	return least + below(k, most - least + 1);
}

bool chance(struct maker *k, int percent)
{
	return below(k, 100) < percent;
}

int span_us(struct maker *k, int least_us, int most_us)
{
	int doublings = 0;

	while (least_us << (doublings + 1) <= most_us)
		doublings++;
	least_us <<= below(k, doublings + 1);
	return between(k, least_us, 2 * least_us < most_us ? 2 * least_us : most_us);
}

void put_time(struct maker *k, int least_us, int most_us)
{
	int us = span_us(k, least_us, most_us);

	switch (below(k, 10)) {
	case 0:
		printf("{\"exp\": \"%dus\"}", us);
		break;
	case 1:
		printf("{\"uniform\": [\"%dus\", \"%dus\"]}", us, 2 * us);
		break;
	case 2:
		printf("{\"lognormal\": {\"median\": \"%dus\", \"p99\": \"%dus\"}}", us,
		       3 * us);
		break;
	case 3:
		printf("{\"pareto\": {\"min\": \"%dus\", \"mean\": \"%dus\"}}", us,
		       2 * us);
		break;
	case 4:
		printf("{\"list\": [%d, %d, %d]}", us, 2 * us, us + 1);
		break;
	case 5:
		printf("\"%dns\"", us * 1000 + below(k, 1000));
		break;
	default:
		printf("%d", us);
	}
}
