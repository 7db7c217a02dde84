/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the bare event queue costs, by the "hold" model: the first event is taken
 * out and added again an exponential time later, so that as many stay pending.
 */
#include "bench.h"

#include "base/dist.h"
#include "engine/event_queue.h"

#define NR_GAPS                                                                        \
	65536 /* a power of two; drawn beforehand, so only the queue is timed          \
	       */
#define NR_HOLDS 4000000
#define NR_ROUNDS 5 /* the fastest counts: the machine has other work */
#define MEAN_GAP_NS 1000000

struct hold {
	event_queue *queue; /* not owned */
	uint64_t *gaps_ns;  /* [NR_GAPS], owned */
	unsigned next_gap;
};

/* What an event points to: itself and what all share. */
struct held {
	struct event event;
	struct hold *hold; /* not owned */
};

static uint64_t take_gap(struct hold *hold)
{
	return hold->gaps_ns[hold->next_gap++ % NR_GAPS];
}

static void add_again(void *subject, uint64_t now_ns)
{
	struct held *held = subject;

	event_queue_add(held->hold->queue, &held->event, now_ns + take_gap(held->hold));
}

static uint64_t *draw_gaps(void)
{
	uint64_t *gaps_ns = g_new(uint64_t, NR_GAPS);
	struct dist gap = {.kind = DIST_EXP, .a = MEAN_GAP_NS};
	struct random_stream stream;
	uint64_t turn = 0;

	random_stream_init(&stream, 1, "gaps");
	for (unsigned i = 0; i < NR_GAPS; i++)
		gaps_ns[i] = dist_sample(&gap, &stream, &turn);
	return gaps_ns;
}

/* The best time of a round, in ns per event taken out and added. */
static double time_holds(struct hold *hold)
{
	double best_ns = 0;

	for (int round = 0; round < NR_ROUNDS; round++) {
		double from_ns = bench_now_ns(), ns;

		for (int i = 0; i < NR_HOLDS; i++)
			event_queue_run_next(hold->queue);
		ns = (bench_now_ns() - from_ns) / NR_HOLDS;
		if (!round || ns < best_ns)
			best_ns = ns;
	}
	return best_ns;
}

static void bench_pending(unsigned nr_pending)
{
	g_autoptr(event_queue) queue = event_queue_new();
	g_autofree uint64_t *gaps_ns = draw_gaps();
	g_autofree struct held *held = g_new0(struct held, nr_pending);
	struct hold hold = {.queue = queue, .gaps_ns = gaps_ns};

	for (unsigned i = 0; i < nr_pending; i++) {
		held[i].hold = &hold;
		held[i].event.fn = add_again;
		held[i].event.subject = &held[i];
		event_queue_add(queue, &held[i].event, take_gap(&hold));
	}
	bench_print("event_queue", time_holds(&hold), "ns per add and pop, %u pending",
		    nr_pending);
}

int main(void)
{
	bench_pending(64);
	bench_pending(1024);
	bench_pending(16384);
	return 0;
}
