/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array heap of pending events, each knowing its place.
 *
 * The array holds the time beside the pointer: nearly every comparison is decided
 * without touching the event.
 */
#include "engine/event_queue.h"

#define ARITY 4 /* a node's children share a cache line or two; faster than 2 or 8 */
#define ROOT 1

struct entry {
	uint64_t at_ns;
	struct event *ev; /* not owned */
};

struct event_queue {
	uint64_t now_ns;
	uint64_t next_seq;
	uint32_t nr;
	uint32_t capacity;
	struct entry *heap; /* [capacity + 1], owned; from ROOT */
};

static uint32_t parent_of(uint32_t slot)
{
	return (slot + ARITY - 2) / ARITY;
}

static uint32_t first_child_of(uint32_t slot)
{
	return (slot - 1) * ARITY + 2;
}

static bool runs_before(const struct entry *a, const struct entry *b)
{
	if (a->at_ns != b->at_ns)
		return a->at_ns < b->at_ns;
	if (a->ev->phase != b->ev->phase)
		return a->ev->phase < b->ev->phase;
	return a->ev->seq < b->ev->seq;
}

static void put(struct entry *heap, uint32_t slot, struct entry entry)
{
	heap[slot] = entry;
	entry.ev->slot = slot;
}

/* Puts @entry at @slot or, past later ones, nearer to the root. */
static void sift_up(event_queue *q, uint32_t slot, struct entry entry)
{
	struct entry *heap = q->heap;

	while (slot > ROOT && runs_before(&entry, &heap[parent_of(slot)])) {
		put(heap, slot, heap[parent_of(slot)]);
		slot = parent_of(slot);
	}
	put(heap, slot, entry);
}

/* Of the children from @child on, in a heap of @nr entries. */
static uint32_t first_of_children(const struct entry *heap, uint32_t child, uint32_t nr)
{
	uint32_t end = MIN(child + ARITY, nr + 1);
	uint32_t first = child;

	while (++child < end)
		if (runs_before(&heap[child], &heap[first]))
			first = child;
	return first;
}

/* Puts @entry at @slot or, past earlier ones, further from the root. */
static void sift_down(event_queue *q, uint32_t slot, struct entry entry)
{
	struct entry *heap = q->heap;
	uint32_t nr = q->nr;

	while (first_child_of(slot) <= nr) {
		uint32_t child = first_of_children(heap, first_child_of(slot), nr);

		if (!runs_before(&heap[child], &entry))
			break;
		put(heap, slot, heap[child]);
		slot = child;
	}
	put(heap, slot, entry);
}

/* Puts @entry at the free @slot or wherever the order has it. */
static void settle(event_queue *q, uint32_t slot, struct entry entry)
{
	if (slot > ROOT && runs_before(&entry, &q->heap[parent_of(slot)]))
		sift_up(q, slot, entry);
	else
		sift_down(q, slot, entry);
}

static void take_out(event_queue *q, struct event *ev)
{
	uint32_t slot = ev->slot;
	struct entry last = q->heap[q->nr--];

	ev->slot = 0;
	if (last.ev != ev)
		settle(q, slot, last);
}

static void grow(event_queue *q)
{
	g_assert(q->capacity < G_MAXUINT32 / 4);

	q->capacity *= 2;
	q->heap = g_renew(struct entry, q->heap, q->capacity + 1);
}

static struct entry stamp(event_queue *q, struct event *ev, uint64_t at_ns)
{
	ev->at_ns = at_ns;
	ev->seq = q->next_seq++;
	return (struct entry){at_ns, ev};
}

/* An event pending in another queue must not be taken for one of this. */
static bool holds(const event_queue *q, const struct event *ev)
{
	return ev->slot <= q->nr && q->heap[ev->slot].ev == ev;
}

event_queue *event_queue_new(void)
{
	event_queue *q = g_new0(event_queue, 1);

	q->capacity = 64;
	q->heap = g_new(struct entry, q->capacity + 1);
	return q;
}

void event_queue_free(event_queue *q)
{
	if (!q)
		return;
	g_free(q->heap);
	g_free(q);
}

void event_queue_add(event_queue *q, struct event *ev, uint64_t at_ns)
{
	g_assert(ev->fn && !event_is_pending(ev) && at_ns >= q->now_ns);

	if (q->nr == q->capacity)
		grow(q);
	q->nr++;
	sift_up(q, q->nr, stamp(q, ev, at_ns));
}

void event_queue_cancel(event_queue *q, struct event *ev)
{
	g_assert(!event_is_pending(ev) || holds(q, ev));

	if (event_is_pending(ev))
		take_out(q, ev);
}

void event_queue_move(event_queue *q, struct event *ev, uint64_t at_ns)
{
	g_assert(!event_is_pending(ev) || holds(q, ev));
	g_assert(at_ns >= q->now_ns);

	if (event_is_pending(ev))
		settle(q, ev->slot, stamp(q, ev, at_ns));
	else
		event_queue_add(q, ev, at_ns);
}

void event_queue_foreach(const event_queue *q, void (*fn)(struct event *ev, void *data),
			 void *data)
{
	for (uint32_t slot = ROOT; slot <= q->nr; slot++)
		fn(q->heap[slot].ev, data);
}

uint64_t event_queue_now(const event_queue *q)
{
	return q->now_ns;
}

uint64_t event_queue_next_at(const event_queue *q)
{
	return q->nr ? q->heap[ROOT].at_ns : UINT64_MAX;
}

bool event_queue_run_next(event_queue *q)
{
	struct event *ev;

	if (!q->nr)
		return false;
	ev = q->heap[ROOT].ev;
	take_out(q, ev);
	q->now_ns = ev->at_ns;
	ev->fn(ev->subject, q->now_ns);
	return true;
}

void event_queue_advance(event_queue *q, uint64_t now_ns)
{
	g_assert(now_ns >= q->now_ns && now_ns <= event_queue_next_at(q));

	q->now_ns = now_ns;
}
