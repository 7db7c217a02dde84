/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/percpu_rwsem.h"

#include <glib.h>

/* What a writer or a reader does next when it comes back. */
enum rwsem_stage {
	RWSEM_COMES,
	RWSEM_ENDS_GRACE_PERIOD, /* that it waited for itself */
	RWSEM_WAITED_FOR_PERIOD, /* of another writer */
	RWSEM_WAS_QUEUED,        /* who woke it has taken the lock for it */
	RWSEM_WAITED_FOR_READERS,
};

static void rcu_sync_init(struct rcu_sync *rss)
{
	*rss = (struct rcu_sync){.state = GP_IDLE};
	list_init(&rss->waiters);
}

void percpu_rwsem_init(struct percpu_rwsem *sem, bool favours_writers)
{
	*sem = (struct percpu_rwsem){0};
	rcu_sync_init(&sem->rss);
	list_init(&sem->waiters);
	if (favours_writers) {
		sem->rss.state = GP_PASSED;
		sem->rss.count = 1;
	}
}

static struct lock_waiter *waiter_at(struct list *node)
{
	return list_entry(node, struct lock_waiter, node);
}

/* RCU */

/* source: rcu_sync_func() */
bool rcu_sync_callback(struct rcu_sync *rss, struct list *woken)
{
	g_assert(rss->state != GP_IDLE && rss->state != GP_PASSED);

	if (rss->count) {
		rss->state = GP_PASSED;
		while (!list_empty(&rss->waiters)) {
			struct lock_waiter *w = waiter_at(rss->waiters.next);

			list_del(&w->node);
			lock_waiter_wake(w, woken);
		}
		return false;
	}
	rss->state = rss->state == GP_REPLAY ? GP_EXIT : GP_IDLE;
	return rss->state == GP_EXIT;
}

/* LOCK_TAKEN: it need not wait.  source: rcu_sync_enter() */
static enum lock_answer rcu_sync_enter(struct rcu_sync *rss, struct lock_waiter *w)
{
	rss->count++;
	switch (rss->state) {
	case GP_IDLE:
		rss->state = GP_ENTER;
		w->stage = RWSEM_ENDS_GRACE_PERIOD;
		return LOCK_GRACE_PERIOD;
	case GP_ENTER:
		/* Not exclusive: in front of the queue.  source: wait_event() */
		list_add_head(&rss->waiters, &w->node);
		w->stage = RWSEM_WAITED_FOR_PERIOD;
		return LOCK_SLEEPS_FOR_PERIOD;
	case GP_PASSED:
	case GP_EXIT:
	case GP_REPLAY:
		break;
	}
	return LOCK_TAKEN;
}

/* Whether a callback is to follow.  source: rcu_sync_exit() */
static bool rcu_sync_exit(struct rcu_sync *rss)
{
	g_assert(rss->count && rss->state != GP_IDLE);

	if (--rss->count)
		return false;
	if (rss->state == GP_EXIT)
		rss->state = GP_REPLAY;
	if (rss->state != GP_PASSED)
		return false;
	rss->state = GP_EXIT;
	return true;
}

/* The lock */

/* source: __percpu_rwsem_trylock() */
static bool trylock(struct percpu_rwsem *sem, bool reader)
{
	if (sem->block)
		return false;
	if (reader)
		sem->readers++;
	else
		sem->block = true;
	return true;
}

/* source: percpu_rwsem_wait() */
static enum lock_answer queue(struct percpu_rwsem *sem, struct lock_waiter *w,
			      bool reader)
{
	w->reader = reader;
	w->stage = RWSEM_WAS_QUEUED;
	list_add_tail(&sem->waiters, &w->node);
	return LOCK_SLEEPS;
}

static enum lock_answer taken(struct lock_waiter *w)
{
	w->stage = RWSEM_COMES;
	return LOCK_TAKEN;
}

/* It has kept out new readers.  source: readers_active_check() */
static enum lock_answer await_readers(struct percpu_rwsem *sem, struct lock_waiter *w)
{
	if (!sem->readers)
		return taken(w);
	sem->writer = w;
	w->stage = RWSEM_WAITED_FOR_READERS;
	return LOCK_SLEEPS;
}

enum lock_answer percpu_down_write(struct percpu_rwsem *sem, struct lock_waiter *w,
				   struct list *woken)
{
	enum lock_answer answer;

	switch ((enum rwsem_stage)w->stage) {
	case RWSEM_COMES:
		answer = rcu_sync_enter(&sem->rss, w);
		if (answer != LOCK_TAKEN)
			return answer;
		break;
	case RWSEM_ENDS_GRACE_PERIOD:
		rcu_sync_callback(&sem->rss, woken);
		break;
	case RWSEM_WAITED_FOR_PERIOD:
		break;
	case RWSEM_WAS_QUEUED:
	case RWSEM_WAITED_FOR_READERS:
		return await_readers(sem, w);
	}
	if (!trylock(sem, false))
		return queue(sem, w, false);
	return await_readers(sem, w);
}

enum lock_answer percpu_down_read(struct percpu_rwsem *sem, struct lock_waiter *w)
{
	if (w->stage == RWSEM_WAS_QUEUED || trylock(sem, true))
		return taken(w);
	return queue(sem, w, true);
}

void percpu_up_read(struct percpu_rwsem *sem, struct list *woken)
{
	g_assert(sem->readers);

	sem->readers--;
	if (sem->readers || !sem->writer)
		return;
	lock_waiter_wake(sem->writer, woken);
	sem->writer = NULL;
}

/*
 * Readers up to the first writer, and that one; each has the lock already when it
 * wakes up.  source: percpu_rwsem_wake_function()
 */
static void wake_waiters(struct percpu_rwsem *sem, struct list *woken)
{
	while (!list_empty(&sem->waiters)) {
		struct lock_waiter *w = waiter_at(sem->waiters.next);

		if (!trylock(sem, w->reader))
			break;
		list_del(&w->node);
		lock_waiter_wake(w, woken);
		if (!w->reader)
			break;
	}
}

bool percpu_up_write(struct percpu_rwsem *sem, struct list *woken)
{
	g_assert(sem->block);

	sem->block = false;
	wake_waiters(sem, woken);
	return rcu_sync_exit(&sem->rss);
}
