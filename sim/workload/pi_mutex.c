/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mutexes that lend their owner the priority of the first who waits.
 *
 * Waiters queue by priority, those of the fair class all alike.  An unlock wakes the
 * first, who stays in the queue until it runs and takes the mutex; a newcomer of higher
 * priority may take it before.  A boost goes along the chain of owners that wait
 * themselves.  Who would close a circle waits for ever and in no queue, as in glibc,
 * which gives the kernel's EDEADLK no other answer.
 *
 * source: kernel/locking/rtmutex.c, wake_futex_pi() and futex_lock_pi(), 6.1; glibc
 * 2.36, PTHREAD_PRIO_INHERIT in pthread_mutex_lock() and pthread_mutex_unlock()
 */
#include "workload/sync_objects.h"

#include "schedsim/units.h"

/* source: rt_waiter_node_less() */
static bool waits_before(const struct thread *a, const struct thread *b)
{
	if (a->wait_prio != b->wait_prio)
		return a->wait_prio < b->wait_prio;
	return a->wait_prio < 0 && (int64_t)(a->wait_deadline - b->wait_deadline) < 0;
}

/* source: __waiter_prio() */
static int waiter_prio(const struct task *task)
{
	return rt_task(task) ? task->prio : DEFAULT_PRIO;
}

/* source: waiter_update_prio() */
static void update_key(struct thread *t)
{
	t->wait_prio = waiter_prio(&t->sim.task);
	t->wait_deadline = t->sim.task.dl.deadline;
}

/* Whether it queues as it would now.  source: rt_waiter_node_equal() */
static bool key_is_current(const struct thread *t)
{
	const struct task *task = &t->sim.task;

	return t->wait_prio == waiter_prio(task) &&
	       (t->wait_prio >= 0 || t->wait_deadline == task->dl.deadline);
}

static struct thread *top_waiter(const struct mutex *mutex)
{
	if (list_empty(&mutex->waiters))
		return NULL;
	return list_entry(mutex->waiters.next, struct thread, wait_node);
}

/* Behind those of its own priority. */
static void enqueue(struct mutex *mutex, struct thread *t)
{
	struct list *at = mutex->waiters.next;

	update_key(t);
	while (at != &mutex->waiters &&
	       !waits_before(t, list_entry(at, struct thread, wait_node)))
		at = at->next;
	list_add_tail(at, &t->wait_node);
}

/* The first of those that wait for anything that @t holds, or NULL. */
static struct thread *top_pi_waiter(const struct thread *t)
{
	struct thread *top = NULL;

	for (const struct list *l = t->holds.next; l != &t->holds; l = l->next) {
		struct thread *w = top_waiter(list_entry(l, struct mutex, owner_node));

		if (w && (!top || waits_before(w, top)))
			top = w;
	}
	return top;
}

/* source: rt_mutex_adjust_prio() */
static void adjust_prio(struct thread *t, int this_cpu)
{
	const struct thread *top = top_pi_waiter(t);

	if (t->sim.task.state != TASK_DEAD)
		rt_mutex_setprio(t->s->m, &t->sim.task, top ? &top->sim.task : NULL,
				 this_cpu);
}

/* By its present priority.  True when that concerns the owner of what it waits for. */
static bool requeue(struct thread *t)
{
	struct mutex *mutex = t->blocked_on;
	bool was_top = top_waiter(mutex) == t;

	list_del(&t->wait_node);
	enqueue(mutex, t);
	return was_top || top_waiter(mutex) == t;
}

/*
 * The queue of @mutex has changed, and its first waiter if @concerns_owner: the owner,
 * and whom that one waits for, may rise or fall.  Where nobody owns it, whoever is the
 * first now is woken, for the one that was may no longer take it.
 * source: rt_mutex_adjust_prio_chain()
 */
static void adjust_chain(struct mutex *mutex, bool concerns_owner, struct waker by)
{
	struct thread *owner;

	while ((owner = mutex->owner)) {
		if (concerns_owner)
			adjust_prio(owner, by.cpu);
		mutex = owner->blocked_on;
		if (!mutex || key_is_current(owner))
			return;
		concerns_owner = requeue(owner);
	}
	if (concerns_owner)
		thread_wake(top_waiter(mutex), by, 0);
}

static void take(struct thread *t, struct mutex *mutex)
{
	mutex->owner = t;
	list_add_tail(&t->holds, &mutex->owner_node);
	t->blocked_on = NULL;
}

/* source: try_to_take_rt_mutex() */
static bool try_to_take(struct thread *t, struct mutex *mutex)
{
	struct thread *top = top_waiter(mutex);

	if (mutex->owner)
		return false;
	update_key(t);
	if (top && top != t && !waits_before(t, top))
		return false;
	if (t->blocked_on)
		list_del(&t->wait_node);
	take(t, mutex);
	return true;
}

/* Whether the owner of @mutex waits for @t, be it through others. */
static bool is_circle(const struct thread *t, const struct mutex *mutex)
{
	for (; mutex && mutex->owner; mutex = mutex->owner->blocked_on)
		if (mutex->owner == t)
			return true;
	return false;
}

bool pi_mutex_lock(struct thread *t, struct mutex *mutex)
{
	if (try_to_take(t, mutex))
		return true;
	if (!list_empty(&t->wait_node))
		return false;
	if (is_circle(t, mutex)) {
		list_add_tail(&t->s->deadlocked, &t->wait_node);
		return false;
	}
	t->blocked_on = mutex;
	enqueue(mutex, t);
	if (mutex->owner)
		adjust_chain(mutex, top_waiter(mutex) == t, waker_thread(t));
	return false;
}

void pi_mutex_adjust(struct thread *t, struct waker by)
{
	if (t->blocked_on && !key_is_current(t))
		adjust_chain(t->blocked_on, requeue(t), by);
}

/* Of another's mutex: EPERM, which rt-app does not look at. */
void pi_mutex_unlock(struct thread *t, struct mutex *mutex)
{
	struct thread *next = top_waiter(mutex);

	if (mutex->owner != t)
		return;
	list_del(&mutex->owner_node);
	mutex->owner = NULL;
	if (!next)
		return;
	adjust_prio(t, t->sim.task.cpu);
	thread_wake(next, waker_thread(t), 0);
}
