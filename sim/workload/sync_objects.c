/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mutexes and conditions, as a C library makes them from futexes.
 *
 * Wakeups are plain ones, never sync ones.  A mutex is not handed over: an unlock
 * frees it and wakes the longest waiter, and whoever comes before that one runs
 * takes it.  A signal without a waiter is lost.  Barriers are rt-app's, a counter
 * with a mutex and a condition: who has woken the others may come back to it before
 * they have left, and finds it open.
 *
 * source: glibc 2.36, pthread_mutex_lock(), pthread_cond_wait(); futex_wake()
 */
#include "workload/sync_objects.h"

/* source: pthread_mutexattr_setprotocol() in init_mutex_resource() of rt-app */
static bool inherits_priority(const struct thread *t)
{
	return t->s->w->pi_enabled;
}

/* Takes @mutex as one that may have to wait for it, or queues @t. */
static bool lock_or_queue(struct thread *t, struct mutex *mutex)
{
	bool was_free = mutex->state == MUTEX_FREE;

	if (inherits_priority(t))
		return pi_mutex_lock(t, mutex);
	/* There may be other waiters: the unlock has to look. */
	mutex->state = MUTEX_CONTENDED;
	if (!was_free)
		list_add_tail(&mutex->waiters, &t->wait_node);
	return was_free;
}

void step_lock(struct thread *t, const struct step *st)
{
	struct mutex *mutex = &t->s->mutexes[st->object];

	if (!t->stage++ && mutex->state == MUTEX_FREE && !inherits_priority(t)) {
		mutex->state = MUTEX_HELD;
		step_done(t);
	} else if (lock_or_queue(t, mutex)) {
		step_done(t);
	} else if (!cpu_is_held(&t->s->cpus[t->sim.task.cpu])) {
		/* Else it first wakes another, and comes back. */
		thread_wait(t);
	}
}

static struct thread *first_waiter(struct list *waiters)
{
	struct thread *t;

	if (list_empty(waiters))
		return NULL;
	t = list_entry(waiters->next, struct thread, wait_node);
	list_del(&t->wait_node);
	return t;
}

static void unlock(struct thread *t, struct mutex *mutex)
{
	bool contended = mutex->state == MUTEX_CONTENDED;
	struct thread *waiter;

	if (inherits_priority(t)) {
		pi_mutex_unlock(t, mutex);
		return;
	}
	mutex->state = MUTEX_FREE;
	if (contended && (waiter = first_waiter(&mutex->waiters)))
		thread_wake(waiter, waker_thread(t), 0);
}

void step_unlock(struct thread *t, const struct step *st)
{
	step_done(t);
	unlock(t, &t->s->mutexes[st->object]);
}

/* False when nobody waits. */
static bool signal_one(struct condition *condition, struct waker by)
{
	struct thread *t = first_waiter(&condition->waiters);

	if (!t)
		return false;
	t->signalled = true;
	thread_wake(t, by, 0);
	return true;
}

void step_signal(struct thread *t, const struct step *st)
{
	step_done(t);
	signal_one(&t->s->conditions[st->object], waker_thread(t));
}

static int count_waiters(const struct condition *condition)
{
	int nr = 0;

	for (const struct list *l = condition->waiters.next; l != &condition->waiters;
	     l = l->next)
		nr++;
	return nr;
}

/*
 * Wakes those that wait when it begins, each after the wakeup before is over.
 * source: wake_up_q()
 */
void step_broadcast(struct thread *t, const struct step *st)
{
	struct condition *condition = &t->s->conditions[st->object];
	const struct cpu_clock *c = &t->s->cpus[t->sim.task.cpu];

	if (!t->stage)
		t->stage = 1 + count_waiters(condition);
	while (t->stage > 1 && !cpu_is_held(c)) {
		t->stage--;
		if (!signal_one(condition, waker_thread(t)))
			t->stage = 1;
	}
	if (t->stage == 1)
		step_done(t);
}

enum wait_stage { WAIT_BEGINS, WAIT_SLEEPS, WAIT_LOCKS };

/*
 * A waiter is on the list before it gives up the mutex, so a signal sent between
 * that and its sleep (the unlock may have preempted it) keeps it awake.
 */
static void wait_begins(struct thread *t, const struct step *st, int sleeps)
{
	t->signalled = false;
	list_add_tail(&t->s->conditions[st->object].waiters, &t->wait_node);
	t->stage = sleeps;
	if (st->object2 >= 0)
		unlock(t, &t->s->mutexes[st->object2]);
}

static void wait_from(struct thread *t, const struct step *st, int begins)
{
	switch (t->stage - begins) {
	case WAIT_BEGINS:
		wait_begins(t, st, begins + WAIT_SLEEPS);
		return;
	case WAIT_SLEEPS:
		if (!t->signalled) {
			thread_wait(t);
			return;
		}
		t->stage = begins + WAIT_LOCKS;
		G_GNUC_FALLTHROUGH;
	case WAIT_LOCKS:
		if (st->object2 < 0 || lock_or_queue(t, &t->s->mutexes[st->object2]))
			step_done(t);
		else
			thread_wait(t);
		return;
	}
}

void step_wait(struct thread *t, const struct step *st)
{
	wait_from(t, st, 0);
}

/* A signal, after which the other may run first, and a wait. */
void step_sync(struct thread *t, const struct step *st)
{
	if (!t->stage) {
		t->stage = 1;
		signal_one(&t->s->conditions[st->object], waker_thread(t));
		return;
	}
	wait_from(t, st, 1);
}

void step_barrier(struct thread *t, const struct step *st)
{
	int *to_come = &t->s->barriers[st->object];

	step_done(t);
	if (!*to_come)
		return;
	--*to_come;
	t->pc = st->target;
}

void step_barrier_leave(struct thread *t, const struct step *st)
{
	step_done(t);
	t->s->barriers[st->object]++;
}

void sync_objects_init(simulation *s)
{
	list_init(&s->deadlocked);
	s->mutexes = g_new0(struct mutex, (size_t)s->w->nr_mutexes);
	for (int i = 0; i < s->w->nr_mutexes; i++)
		list_init(&s->mutexes[i].waiters);
	s->conditions = g_new0(struct condition, (size_t)s->w->nr_conditions);
	for (int i = 0; i < s->w->nr_conditions; i++)
		list_init(&s->conditions[i].waiters);
	s->barriers = g_new0(int, (size_t)s->w->nr_barriers);
	for (int i = 0; i < s->w->nr_barriers; i++)
		s->barriers[i] = s->w->barriers[i].users - 1;
}

void sync_objects_clear(simulation *s)
{
	g_free(s->mutexes);
	g_free(s->conditions);
	g_free(s->barriers);
}
