/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulated time: what happens next.
 *
 * Events are totally ordered by (time, phase, sequence): two events of one
 * nanosecond run by phase, and within a phase in the order they were added.
 */
#ifndef ENGINE_EVENT_QUEUE_H
#define ENGINE_EVENT_QUEUE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct event_queue event_queue;

typedef void (*event_fn)(void *subject, uint64_t now_ns);

/* Set fn, subject and phase; the queue keeps the rest. */
struct event {
	event_fn fn;
	void *subject;  /* not owned */
	uint32_t phase; /* lower runs first; whoever uses the queue numbers them */
	uint32_t slot;  /* place in the heap, from 1; 0 when not pending */
	uint64_t at_ns;
	uint64_t seq;
};

event_queue *event_queue_new(void);
void event_queue_free(event_queue *q);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(event_queue, event_queue_free)

/* @ev must not be pending and @at_ns must not lie in the past. */
void event_queue_add(event_queue *q, struct event *ev, uint64_t at_ns);
/* @ev may be pending or not. */
void event_queue_cancel(event_queue *q, struct event *ev);
/* Cancels and adds. */
void event_queue_move(event_queue *q, struct event *ev, uint64_t at_ns);

static inline bool event_is_pending(const struct event *ev)
{
	return ev->slot;
}

uint64_t event_queue_now(const event_queue *q);
/* When the next event is due, or UINT64_MAX. */
uint64_t event_queue_next_at(const event_queue *q);
/* Takes the first event out, moves time to it and calls it.  False when empty. */
bool event_queue_run_next(event_queue *q);
/*
 * Calls @fn for every pending event, in no order that means anything.  @fn changes
 * nothing of the event that the queue keeps.
 */
void event_queue_foreach(const event_queue *q, void (*fn)(struct event *ev, void *data),
			 void *data);
/* Moves time forward to @now_ns, which must not pass a pending event. */
void event_queue_advance(event_queue *q, uint64_t now_ns);

#endif
