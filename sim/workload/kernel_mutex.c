/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/kernel_mutex.h"

#include <glib.h>

enum { MUTEX_COMES, MUTEX_WAITS };

void kernel_mutex_init(struct kernel_mutex *mutex)
{
	mutex->owner = NULL;
	mutex->handoff = false;
	list_init(&mutex->waiters);
}

static struct lock_waiter *first_waiter(const struct kernel_mutex *mutex)
{
	return list_empty(&mutex->waiters)
		       ? NULL
		       : list_entry(mutex->waiters.next, struct lock_waiter, node);
}

static enum lock_answer take(struct kernel_mutex *mutex, struct lock_waiter *w)
{
	mutex->owner = w;
	w->stage = MUTEX_COMES;
	return LOCK_TAKEN;
}

/* source: __mutex_lock_common(), __mutex_trylock_or_handoff() */
enum lock_answer mutex_lock(struct kernel_mutex *mutex, struct lock_waiter *w)
{
	bool waited = w->stage == MUTEX_WAITS;

	if (!mutex->owner || (waited && mutex->owner == w)) {
		if (waited)
			list_del(&w->node);
		return take(mutex, w);
	}
	if (!waited)
		list_add_tail(&mutex->waiters, &w->node);
	else if (first_waiter(mutex) == w)
		mutex->handoff = true;
	w->stage = MUTEX_WAITS;
	return LOCK_SLEEPS;
}

/* source: __mutex_unlock_slowpath() */
void mutex_unlock(struct kernel_mutex *mutex, struct list *woken)
{
	struct lock_waiter *first = first_waiter(mutex);

	g_assert(mutex->owner);

	mutex->owner = mutex->handoff ? first : NULL;
	mutex->handoff = false;
	if (first)
		lock_waiter_wake(first, woken);
}
