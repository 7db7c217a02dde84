/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control groups that a seed chooses, and an administrator who changes them.
 */
#include "make_groups.h"

#include <stdio.h>

/* The leaves of put_groups(), where tasks may be. */
static const char *const leaves[] = {"/web", "/batch/front", "/batch/back"};

static void put_quota(struct maker *k)
{
	int period_us = between(k, 1000, 40000);
	int quota_us = between(k, 1000, 2 * period_us);

	printf(", \"cpu.max\": \"%d %d\"", quota_us, period_us);
}

void put_groups(struct maker *k)
{
	printf("\t\"cgroups\": {\n\t\t\"web\": {\"cpu.weight\": %d",
	       between(k, 1, 1000));
	if (chance(k, 40))
		put_quota(k);
	printf("},\n\t\t\"batch\": {\"cpu.weight\": %d", between(k, 1, 1000));
	if (chance(k, 30))
		put_quota(k);
	printf(",\n\t\t\t\"front\": {\"cpu.weight\": %d", between(k, 1, 10000));
	if (chance(k, 30))
		put_quota(k);
	printf("},\n\t\t\t\"back\": {%s}\n\t\t}\n\t},\n",
	       chance(k, 30) ? "\"cpu.idle\": 1" : "");
}

/* When an operation is due: one draw at a time, for arguments have no order. */
static void put_due(struct maker *k)
{
	int at_us = between(k, 100, 20000);
	int every_us = between(k, 1000, 20000);

	printf("\n\t\t{\"at\": \"%dus\", \"every\": \"%dus\", ", at_us, every_us);
}

/* By several administrators, a few at each time. */
static void put_rate(struct maker *k)
{
	int rate = between(k, 50, 1000);
	int instances = between(k, 1, 3);
	int most = between(k, 1, 4);

	printf("\n\t\t{\"rate\": %d, \"instance\": %d, \"burst\": {\"uniform\": [1, "
	       "%d]}, ",
	       rate, instances, most);
}

/*
 * Settings go back and forth, in half of the workloads; by a maker of its own, so that
 * the rest is as it would be without.
 */
static void put_tunables(struct maker own)
{
	struct maker *k = &own;
	static const char *const features[] = {
		"WA_IDLE",  "WA_WEIGHT",  "SIS_UTIL", "SIS_PROP",
		"UTIL_EST", "TTWU_QUEUE", "LB_MIN",   "GENTLE_FAIR_SLEEPERS"};
	const char *feature = features[below(k, 8)];

	if (chance(k, 50))
		return;
	put_due(k);
	printf("\"tunable\": {\"name\": \"%s\"}},", feature);
	put_due(k);
	printf("\"tunable\": {\"name\": \"NO_%s\"}},", feature);
	put_rate(k);
	printf("\"tunable\": {\"name\": \"min_granularity_ns\", \"value\": %d}},",
	       between(k, 100000, 4000000));
	put_rate(k);
	printf("\"tunable\": {\"name\": \"migration_cost_ns\", \"value\": %d}},",
	       between(k, 0, 2000000));
}

static void put_attach(struct maker *k)
{
	put_due(k);
	printf("\"attach\": {\"path\": \"%s\", \"task\": \"task0-0\"}},",
	       leaves[below(k, 3)]);
}

/* At a rate of its own, so that they meet each other and everything else anywhere. */
static void put_power(struct maker *k)
{
	int cpu = between(k, 1, k->machine->nr_cpus - 1);

	k->has_power = true;
	put_due(k);
	printf("\"offline\": {\"cpu\": %d}},", cpu);
	put_due(k);
	printf("\"online\": {\"cpu\": %d}},", cpu);
	if (!chance(k, 40))
		return;
	put_due(k);
	printf("\"suspend\": {}},");
	put_due(k);
	printf("\"resume\": {}},");
}

/* An administrator who changes weights, moves tasks and turns CPUs off and on. */
void put_operations(struct maker *k)
{
	printf("\t\"operations\": [");
	put_due(k);
	printf("\"write\": {\"path\": \"/web\", \"file\": \"cpu.weight\", \"value\": "
	       "[%d,",
	       between(k, 1, 10000));
	printf(" %d]}},", between(k, 1, 10000));
	put_attach(k);
	put_attach(k);
	put_tunables(*k);
	if (k->machine->nr_cpus > 1 && chance(k, 60))
		put_power(k);
	printf("\n\t],\n");
}

void put_group_of_task(struct maker *k)
{
	printf("\"cgroup\": \"%s\", ", leaves[below(k, 3)]);
}
