/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make_workload SEED [MACHINE]: prints a workload that the seed chose from what the
 * grammar of workloads/README.md offers, of 50 to 100 ms.  The same one each time.
 *
 * Every loop takes time, and a task that wakes and answers everybody keeps the others
 * from waiting for ever; what deadline tasks ask for fits one CPU, as a reservation
 * that the kernel refuses would end the run.
 */
#include "make_groups.h"
#include "maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR_CONDITIONS 3
#define NR_MUTEXES 3
#define NR_TASKS_MAX 7
/* Thousandths of a CPU; the kernel grants 950. */
#define RESERVED_MAX 900

static const struct machine machines[] = {
	{"1n1l1c1t", 1}, {"smp4", 4}, {"smt8", 8}, {"llc2x4", 8}, {"numa16", 16},
};

#define NR_MACHINES ((int)(sizeof(machines) / sizeof(machines[0])))

/* An event's name, and a number that keeps it apart from others. */
static void put_key(struct maker *k, const char *event)
{
	printf("\"%s%d\": ", event, k->nr_events++);
}

static void put_work(struct maker *k)
{
	put_key(k, chance(k, 80) ? "run" : "runtime");
	put_time(k, 5, 3000);
	printf(", ");
}

static void put_sleep(struct maker *k)
{
	put_key(k, "sleep");
	put_time(k, 1, 5000);
	printf(", ");
}

static void put_timer(struct maker *k)
{
	put_key(k, "timer");
	if (chance(k, 70))
		printf("{\"ref\": \"unique%d\", ", below(k, 2));
	else
		printf("{\"ref\": \"shared%d\", ", below(k, 2));
	if (chance(k, 30))
		printf("\"mode\": \"absolute\", ");
	printf("\"period\": %d}, ", span_us(k, 100, 10000));
}

static void put_name(struct maker *k, const char *event, const char *kind, int nr)
{
	put_key(k, event);
	printf("\"%s%d\", ", kind, below(k, nr));
}

static void put_mutex(struct maker *k, const char *event, int mutex)
{
	put_key(k, event);
	printf("\"mutex%d\", ", mutex);
}

/* Work, a wait or a signal under a mutex. */
static void put_critical_section(struct maker *k)
{
	int mutex = below(k, NR_MUTEXES);

	put_mutex(k, "lock", mutex);
	switch (below(k, 4)) {
	case 0:
		put_key(k, chance(k, 50) ? "wait" : "sync");
		printf("{\"ref\": \"condition%d\", \"mutex\": \"mutex%d\"}, ",
		       below(k, NR_CONDITIONS), mutex);
		break;
	case 1:
		put_name(k, chance(k, 50) ? "signal" : "broad", "condition",
			 NR_CONDITIONS);
		break;
	default:
		put_work(k);
		if (chance(k, 20))
			put_sleep(k);
	}
	put_mutex(k, "unlock", mutex);
}

static void put_select(struct maker *k)
{
	static const char *const selects[] = {"\"own\"", "\"round_robin\"",
					      "\"random\"", "0"};

	printf("\"select\": %s, ", selects[below(k, 4)]);
}

static void put_send(struct maker *k)
{
	put_key(k, "send");
	printf("{\"to\": \"channel%d\", ", below(k, k->nr_channels));
	put_select(k);
	if (chance(k, 30))
		printf("\"count\": %d, ", between(k, 1, 5));
	if (chance(k, 30))
		printf("\"sync\": true, ");
	printf("}, ");
}

static void put_event(struct maker *k)
{
	switch (below(k, 12)) {
	case 0:
	case 1:
		put_work(k);
		break;
	case 2:
	case 3:
		put_sleep(k);
		break;
	case 4:
	case 5:
		put_timer(k);
		break;
	case 6:
		put_key(k, "yield");
		printf("\"\", ");
		break;
	case 7:
		put_name(k, "suspend", "condition", NR_CONDITIONS);
		break;
	case 8:
		put_name(k, "resume", "condition", NR_CONDITIONS);
		break;
	case 9:
		put_name(k, chance(k, 50) ? "signal" : "broad", "condition",
			 NR_CONDITIONS);
		break;
	case 10:
		put_critical_section(k);
		break;
	case 11:
		if (k->nr_channels)
			put_send(k);
		break;
	}
}

/* Work first, so that no loop is without time. */
static void put_events(struct maker *k)
{
	int nr = below(k, 6);

	put_work(k);
	while (nr--)
		put_event(k);
}

/* One CPU, those from one on, or every other. */
static void put_cpus(struct maker *k, int first)
{
	int nr = k->machine->nr_cpus;
	int step = between(k, 1, 3);

	if (chance(k, 30))
		step = nr;
	printf("\"cpus\": [");
	for (int cpu = first; cpu < nr; cpu += step)
		printf("%s%d", cpu == first ? "" : ", ", cpu);
	printf("], ");
}

static void put_fair_policy(struct maker *k)
{
	static const char *const policies[] = {"SCHED_OTHER", "SCHED_OTHER",
					       "SCHED_BATCH", "SCHED_IDLE"};

	printf("\"policy\": \"%s\", ", policies[below(k, 4)]);
	if (chance(k, 60))
		printf("\"priority\": %d, ", between(k, -20, 19));
}

static void put_rt_policy(struct maker *k)
{
	printf("\"policy\": \"%s\", ", chance(k, 50) ? "SCHED_FIFO" : "SCHED_RR");
	if (chance(k, 70))
		printf("\"priority\": %d, ", between(k, 1, 99));
}

/* False when @threads of them would be more than what is left. */
static bool put_dl_policy(struct maker *k, int threads)
{
	int share = between(k, 10, 200), period_us = span_us(k, 1000, 20000);
	int runtime_us = period_us * share / 1000;

	if (share * threads > k->left)
		return false;
	k->left -= share * threads;
	printf("\"policy\": \"SCHED_DEADLINE\", \"dl-runtime\": %d, "
	       "\"dl-period\": %d, ",
	       runtime_us, period_us);
	/* the reservation counts by the period, whatever the deadline */
	if (chance(k, 40))
		printf("\"dl-deadline\": %d, ", between(k, runtime_us, period_us));
	if (chance(k, 30))
		printf("\"dl-reclaim\": true, ");
	return true;
}

/*
 * A task that is ever under SCHED_DEADLINE keeps all CPUs, as the kernel wants it.
 * @threads: of the task
 */
static bool put_policy(struct maker *k, int threads, bool may_reserve)
{
	if (chance(k, 60))
		put_fair_policy(k);
	else if (may_reserve && chance(k, 50))
		return put_dl_policy(k, threads);
	else
		put_rt_policy(k);
	return true;
}

/*
 * Whoever comes back to SCHED_DEADLINE before the time of an earlier reservation is
 * over needs room for both.
 */
static void put_phases(struct maker *k, int threads, bool pinned)
{
	int nr = between(k, 1, 4);

	printf("\"phases\": {");
	for (int i = 0; i < nr; i++) {
		printf("\n\t\t\t\"phase%d\": {", i);
		if (chance(k, 50))
			printf("\"loop\": %d, ", between(k, 1, 8));
		/* Whoever asks for CPUs that are off, if only those of before, fails.
		 */
		if (pinned && !k->has_power && chance(k, 40))
			put_cpus(k, below(k, k->machine->nr_cpus));
		if (chance(k, 40))
			put_policy(k, 2 * threads, !pinned);
		put_events(k);
		printf("},");
	}
	printf("\n\t\t},");
}

/* What a receiver does with a message. */
static void put_receiver(struct maker *k)
{
	put_key(k, "recv");
	printf("{\"ref\": \"channel%d\", ", below(k, k->nr_channels));
	put_select(k);
	if (chance(k, 30)) {
		printf("\"activation\": ");
		put_time(k, 1, 20);
		printf(", ");
	}
	printf("}, ");
	put_work(k);
	if (chance(k, 30))
		put_event(k);
	put_key(k, "reply");
	printf(chance(k, 30) ? "{\"sync\": true}, " : "\"\", ");
}

/* Asks, and waits for the answer. */
static void put_client(struct maker *k)
{
	put_work(k);
	put_key(k, "send");
	printf("{\"to\": \"channel%d\", \"reply_to\": \"answers\", ",
	       below(k, k->nr_channels));
	put_select(k);
	if (chance(k, 30))
		printf("\"count\": %d, ", between(k, 2, 4));
	printf("}, ");
	put_key(k, "recv");
	printf("\"answers\", ");
}

static void put_program(struct maker *k, int threads, bool pinned)
{
	int kind = k->nr_channels ? below(k, 10) : 9;

	if (kind > 4) {
		put_phases(k, threads, pinned);
		return;
	}
	printf("\"phases\": {\"messages\": {");
	if (kind > 1)
		put_receiver(k);
	else
		put_client(k);
	printf("}},");
}

/* Whether it may ever reserve is settled first, since it must not be pinned then. */
static void put_task(struct maker *k, int number)
{
	int threads = between(k, 1, chance(k, 20) ? 12 : 4);
	bool pinned = chance(k, 50);

	printf("\n\t\t\"task%d\": {\"instance\": %d, ", number, threads);
	if (k->has_groups && chance(k, 70))
		put_group_of_task(k);
	if (pinned && chance(k, 60))
		put_cpus(k, below(k, k->machine->nr_cpus));
	if (chance(k, 40))
		printf("\"delay\": %d, ", span_us(k, 10, 20000));
	if (chance(k, 20))
		printf("\"loop\": %d, ", between(k, 1, 30));
	if (chance(k, 50))
		put_policy(k, threads, !pinned);
	if (chance(k, 20))
		printf("\"short_below\": \"%dus\", ", span_us(k, 10, 2000));
	if (chance(k, 20))
		printf("\"wakee_flips\": %d, ", between(k, 0, 20));
	put_program(k, threads, pinned);
	printf("\n\t\t},");
}

/* Wakes all that wait for a condition, every now and then. */
static void put_waker(struct maker *k)
{
	printf("\n\t\t\"waker\": {\"run\": 10, ");
	for (int i = 0; i < NR_CONDITIONS; i++)
		printf("\"broad%d\": \"condition%d\", ", i, i);
	for (int i = 0; i < k->nr_channels; i++)
		printf("\"send%d\": {\"to\": \"channel%d\", \"select\": \"random\"}, ",
		       i, i);
	printf("\"timer\": {\"ref\": \"unique\", \"period\": %d}},",
	       span_us(k, 500, 8000));
}

static void put_open_source(struct maker *k)
{
	int interval_us = span_us(k, 50, 5000);

	printf("\"arrivals\": \"%s\", ", chance(k, 50) ? "fixed" : "poisson");
	if (chance(k, 50))
		printf("\"interval\": \"%dus\", ", interval_us);
	else
		printf("\"rate\": %d, ", 1000000 / interval_us);
	if (chance(k, 40))
		printf("\"batch\": %d, ", between(k, 1, 8));
}

static void put_closed_source(struct maker *k)
{
	int clients = between(k, 1, 12);

	printf("\"arrivals\": \"closed\", \"clients\": %d, \"think\": \"%dus\", ",
	       clients, span_us(k, 20, 2000));
}

static void put_source(struct maker *k, int number)
{
	printf("\n\t\t\"source%d\": {\"to\": \"channel%d\", ", number,
	       below(k, k->nr_channels));
	if (chance(k, 60))
		put_open_source(k);
	else
		put_closed_source(k);
	put_select(k);
	if (chance(k, 30))
		printf("\"irq_cpus\": \"receiver\", ");
	else if (chance(k, 50))
		printf("\"irq_cpus\": [%d], ", below(k, k->machine->nr_cpus));
	if (chance(k, 20))
		printf("\"sync\": true, ");
	if (chance(k, 20))
		printf("\"delay\": \"%dus\", ", span_us(k, 1, 20000));
	printf("},");
}

static void put_messages(struct maker *k)
{
	int nr_sources = between(k, 0, 3);

	if (!k->nr_channels)
		return;
	printf("\t\"channels\": {");
	for (int i = 0; i < k->nr_channels; i++)
		printf("\"channel%d\": %d, ", i, between(k, 1, 6));
	printf("\"answers\": %d},\n\t\"sources\": {", between(k, 1, 4));
	for (int i = 0; i < nr_sources; i++)
		put_source(k, i);
	printf("\n\t},\n");
}

static void put_features(struct maker *k)
{
	static const char *const features[] = {
		"NO_GENTLE_FAIR_SLEEPERS", "NO_START_DEBIT", "NEXT_BUDDY",
		"NO_LAST_BUDDY",           "NO_WA_WEIGHT",   "NO_WA_IDLE",
		"NO_TTWU_QUEUE",           "NO_SIS_UTIL",    "SIS_PROP",
		"NO_WAKEUP_PREEMPTION",    "NO_UTIL_EST",    "NO_NONTASK_CAPACITY",
		"NO_ALT_PERIOD",           "NO_BASE_SLICE",  "LB_MIN",
		"NO_LB_NEWIDLE",
	};

	printf("\"features\": [");
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if (chance(k, 15))
			printf("\"%s\", ", features[i]);
	printf("], ");
}

static void put_costs(struct maker *k)
{
	int ipi_ns = span_us(k, 1, 10000), enqueue_us = span_us(k, 1, 20);

	if (chance(k, 40))
		printf("\"costs\": \"none\", ");
	else if (chance(k, 40))
		printf("\"costs\": {\"wakeup_ipi_ns\": \"%dns\", "
		       "\"select_to_enqueue_ns\": \"%dus\"}, ",
		       ipi_ns, enqueue_us);
}

/* Real-time tasks come to their limit within the run, at the usual share. */
static void put_tunables(struct maker *k)
{
	int period_us = span_us(k, 5000, 40000);

	printf("\"tunables\": {");
	if (chance(k, 30))
		printf("\"min_granularity_ns\": \"%dus\", ", span_us(k, 200, 10000));
	if (chance(k, 60))
		printf("\"sched_rt_period_us\": %d, \"sched_rt_runtime_us\": %d, ",
		       period_us, period_us / 100 * 95);
	if (chance(k, 30))
		printf("\"sched_rr_timeslice_ms\": %d, ", between(k, 1, 20));
	printf("}, ");
}

static void put_machine(struct maker *k)
{
	static const int hz[] = {100, 250, 300, 1000};
	static const char *const preempt[] = {"none", "voluntary", "full"};
	int ticks = hz[below(k, 4)];

	printf("\t\"machine\": {\"topology\": \"%s\", \"hz\": %d, ", k->machine->name,
	       ticks);
	printf("\"preempt\": \"%s\", ", preempt[below(k, 3)]);
	if (chance(k, 30))
		printf("\"kernel\": \"6.1.0\", ");
	put_features(k);
	put_costs(k);
	put_tunables(k);
	printf("},\n");
}

static void put_workload(struct maker *k)
{
	int nr_tasks = between(k, 1, NR_TASKS_MAX);

	printf("{\n");
	put_machine(k);
	k->has_groups = chance(k, 50);
	if (k->has_groups)
		put_groups(k);
	if (k->has_groups && chance(k, 60))
		put_operations(k);
	put_messages(k);
	printf("\t\"tasks\": {");
	for (int i = 0; i < nr_tasks; i++)
		put_task(k, i);
	put_waker(k);
	printf("\n\t},\n\t\"duration\": \"%dms\",\n}\n", between(k, 50, 100));
}

static const struct machine *find_machine(const char *name)
{
	for (int i = 0; i < NR_MACHINES; i++)
		if (!strcmp(machines[i].name, name))
			return &machines[i];
	return NULL;
}

int main(int argc, char **argv)
{
	struct maker k = {.left = RESERVED_MAX};
	char *end;

	if (argc < 2 || argc > 3)
		return 2;
	k.state = strtoull(argv[1], &end, 10);
	if (*end || end == argv[1])
		return 2;
	k.machine = argc > 2 ? find_machine(argv[2])
			     : &machines[k.state % (uint64_t)NR_MACHINES];
	if (!k.machine)
		return 2;
	k.nr_channels = below(&k, 4);
	put_workload(&k);
	return 0;
}
