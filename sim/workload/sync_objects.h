/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What threads of a simulation take and wait for: mutexes, conditions and barriers.
 */
#ifndef WORKLOAD_SYNC_OBJECTS_H
#define WORKLOAD_SYNC_OBJECTS_H

#include "workload/clockwork.h"

/*
 * A lock as glibc makes it from a futex: whoever finds it free has it, a woken
 * waiter has to try again and to queue anew when it comes too late.
 * source: glibc 2.36, lowlevellock.h
 */
struct mutex {
	enum { MUTEX_FREE, MUTEX_HELD, MUTEX_CONTENDED } state;
	struct list waiters; /* of thread.wait_node, longest wait first */

	/* With priority inheritance instead of a state, and the waiters by priority. */
	struct thread *owner;   /* not owned; NULL: nobody has it */
	struct list owner_node; /* in owner->holds */
};

struct condition {
	struct list waiters; /* of thread.wait_node, longest wait first */
};

void sync_objects_init(simulation *s);
void sync_objects_clear(simulation *s);
void step_lock(struct thread *t, const struct step *st);
void step_unlock(struct thread *t, const struct step *st);
void step_wait(struct thread *t, const struct step *st);
void step_signal(struct thread *t, const struct step *st);
void step_broadcast(struct thread *t, const struct step *st);
void step_sync(struct thread *t, const struct step *st);
void step_barrier(struct thread *t, const struct step *st);
void step_barrier_leave(struct thread *t, const struct step *st);

/* pi_mutex.c */
/* The current thread has @mutex, or queues for it and is to sleep. */
bool pi_mutex_lock(struct thread *t, struct mutex *mutex);
void pi_mutex_unlock(struct thread *t, struct mutex *mutex);
/* The policy of @t was changed, by a thread on by.cpu.  source: rt_mutex_adjust_pi() */
void pi_mutex_adjust(struct thread *t, struct waker by);

#endif
