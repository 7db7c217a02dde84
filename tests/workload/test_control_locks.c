/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's sleeping locks without time: who gets them, who sleeps, who is woken,
 * and which writer has to wait for a grace period of RCU.
 *
 * Threads are letters; a test says in which order they act, and the answers follow
 * from kernel/locking/mutex.c, percpu-rwsem.c and kernel/rcu/sync.c by hand.
 */
#include "test.h"

#include "workload/control_locks.h"

enum { A, B, C, D, NR_THREADS };

struct scene {
	struct kernel_mutex mutex;
	struct percpu_rwsem sem;
	struct lock_waiter threads[NR_THREADS];
	struct list woken;
};

/* Lists point into the scene, so it is set up where it stays. */
static void begin(struct scene *sc, bool favours_writers)
{
	kernel_mutex_init(&sc->mutex);
	percpu_rwsem_init(&sc->sem, favours_writers);
	list_init(&sc->woken);
	for (int i = 0; i < NR_THREADS; i++)
		lock_waiter_init(&sc->threads[i]);
}

/* Those that are to be woken, in order, are @names; they are then awake. */
static void assert_woken(struct scene *sc, const char *names)
{
	char found[NR_THREADS + 1] = "";

	for (int nr = 0; !list_empty(&sc->woken); nr++) {
		struct lock_waiter *w =
			list_entry(sc->woken.next, struct lock_waiter, wake_node);

		found[nr] = (char)('A' + (w - sc->threads));
		list_del(&w->wake_node);
	}
	assert_string_equal(found, names);
}

static void assert_locks(struct scene *sc, int thread, enum lock_answer answer)
{
	assert_int_equal(mutex_lock(&sc->mutex, &sc->threads[thread]), answer);
}

static void assert_unlock_wakes(struct scene *sc, const char *names)
{
	mutex_unlock(&sc->mutex, &sc->woken);
	assert_woken(sc, names);
}

static void assert_writes(struct scene *sc, int thread, enum lock_answer answer)
{
	assert_int_equal(percpu_down_write(&sc->sem, &sc->threads[thread], &sc->woken),
			 answer);
}

static void assert_reads(struct scene *sc, int thread, enum lock_answer answer)
{
	assert_int_equal(percpu_down_read(&sc->sem, &sc->threads[thread]), answer);
}

/* A writer leaves; whether RCU is asked for a callback. */
static void assert_up_write(struct scene *sc, bool callback, const char *names)
{
	assert_int_equal(percpu_up_write(&sc->sem, &sc->woken), callback);
	assert_woken(sc, names);
}

static void assert_up_read(struct scene *sc, const char *names)
{
	percpu_up_read(&sc->sem, &sc->woken);
	assert_woken(sc, names);
}

static void assert_callback(struct scene *sc, bool again, enum rcu_sync_state state)
{
	assert_int_equal(rcu_sync_callback(&sc->sem.rss, &sc->woken), again);
	assert_woken(sc, "");
	assert_int_equal(sc->sem.rss.state, state);
}

/* @thread has it, after the grace period that an idle lock asks of a writer. */
static void first_writer(struct scene *sc, int thread)
{
	assert_writes(sc, thread, LOCK_GRACE_PERIOD);
	assert_int_equal(sc->sem.rss.state, GP_ENTER);
	assert_writes(sc, thread, LOCK_TAKEN);
	assert_int_equal(sc->sem.rss.state, GP_PASSED);
}

/* The mutex */

static void a_mutex_wakes_in_the_order_they_came(void **state)
{
	struct scene sc;

	begin(&sc, false);
	assert_locks(&sc, A, LOCK_TAKEN);
	assert_locks(&sc, B, LOCK_SLEEPS);
	assert_locks(&sc, C, LOCK_SLEEPS);
	assert_unlock_wakes(&sc, "B");
	assert_locks(&sc, B, LOCK_TAKEN);
	assert_unlock_wakes(&sc, "C");
	assert_locks(&sc, C, LOCK_TAKEN);
	assert_unlock_wakes(&sc, "");
	assert_locks(&sc, D, LOCK_TAKEN);
}

/* B was woken in vain once; C comes too late then. */
static void who_comes_first_may_take_a_mutex_but_once(void **state)
{
	struct scene sc;

	begin(&sc, false);
	assert_locks(&sc, A, LOCK_TAKEN);
	assert_locks(&sc, B, LOCK_SLEEPS);
	assert_unlock_wakes(&sc, "B");
	assert_locks(&sc, A, LOCK_TAKEN);
	assert_locks(&sc, B, LOCK_SLEEPS);
	assert_unlock_wakes(&sc, "B");
	assert_locks(&sc, C, LOCK_SLEEPS);
	assert_locks(&sc, B, LOCK_TAKEN);
}

/* A's first wakeup of B is still to be carried out when C unlocks. */
static void nobody_is_woken_twice_at_once(void **state)
{
	struct scene sc;

	begin(&sc, false);
	assert_locks(&sc, A, LOCK_TAKEN);
	assert_locks(&sc, B, LOCK_SLEEPS);
	mutex_unlock(&sc.mutex, &sc.woken);
	assert_locks(&sc, C, LOCK_TAKEN);
	mutex_unlock(&sc.mutex, &sc.woken);
	assert_woken(&sc, "B");
}

/* Writers and RCU */

static void the_first_writer_waits_for_a_grace_period(void **state)
{
	struct scene sc;

	begin(&sc, false);
	first_writer(&sc, A);
	assert_up_write(&sc, true, "");
	assert_int_equal(sc.sem.rss.state, GP_EXIT);
}

static void a_writer_within_a_grace_period_of_the_last_waits_for_none(void **state)
{
	struct scene sc;

	begin(&sc, false);
	first_writer(&sc, A);
	assert_up_write(&sc, true, "");
	assert_writes(&sc, B, LOCK_TAKEN);
	/* A's callback finds B inside, so B's exit asks for a new one. */
	assert_callback(&sc, false, GP_PASSED);
	assert_up_write(&sc, true, "");
	assert_callback(&sc, false, GP_IDLE);
	first_writer(&sc, C);
}

static void a_writer_that_came_and_went_meanwhile_starts_it_over(void **state)
{
	struct scene sc;

	begin(&sc, false);
	first_writer(&sc, A);
	assert_up_write(&sc, true, "");
	assert_writes(&sc, B, LOCK_TAKEN);
	assert_up_write(&sc, false, "");
	assert_int_equal(sc.sem.rss.state, GP_REPLAY);
	assert_callback(&sc, true, GP_EXIT);
	assert_writes(&sc, C, LOCK_TAKEN);
	assert_up_write(&sc, false, "");
	assert_callback(&sc, true, GP_EXIT);
	assert_callback(&sc, false, GP_IDLE);
	assert_writes(&sc, D, LOCK_GRACE_PERIOD);
}

/* B comes within A's grace period and has no other; A runs first and has the lock. */
static void a_second_writer_shares_the_grace_period(void **state)
{
	struct scene sc;

	begin(&sc, false);
	assert_writes(&sc, A, LOCK_GRACE_PERIOD);
	assert_writes(&sc, B, LOCK_SLEEPS_FOR_PERIOD);
	assert_writes(&sc, A, LOCK_TAKEN);
	assert_woken(&sc, "B");
	assert_writes(&sc, B, LOCK_SLEEPS);
	assert_up_write(&sc, false, "B");
	assert_int_equal(sc.sem.rss.state, GP_PASSED);
	assert_writes(&sc, B, LOCK_TAKEN);
	assert_up_write(&sc, true, "");
}

/* Each of those that wait for another's grace period goes in front of who came before.
 */
static void of_those_that_share_a_grace_period_the_last_is_woken_first(void **state)
{
	struct scene sc;

	begin(&sc, false);
	assert_writes(&sc, A, LOCK_GRACE_PERIOD);
	assert_writes(&sc, B, LOCK_SLEEPS_FOR_PERIOD);
	assert_writes(&sc, C, LOCK_SLEEPS_FOR_PERIOD);
	assert_writes(&sc, D, LOCK_SLEEPS_FOR_PERIOD);
	assert_writes(&sc, A, LOCK_TAKEN);
	assert_woken(&sc, "DCB");
}

static void writers_that_are_favoured_never_wait_for_rcu(void **state)
{
	struct scene sc;

	begin(&sc, true);
	assert_writes(&sc, A, LOCK_TAKEN);
	assert_up_write(&sc, false, "");
	assert_int_equal(sc.sem.rss.state, GP_PASSED);
	assert_writes(&sc, B, LOCK_TAKEN);
}

/* Readers and writers */

static void readers_share_the_lock(void **state)
{
	struct scene sc;

	begin(&sc, false);
	assert_reads(&sc, A, LOCK_TAKEN);
	assert_reads(&sc, B, LOCK_TAKEN);
	assert_up_read(&sc, "");
	assert_up_read(&sc, "");
}

/* Readers still come in during the grace period, and out again after it. */
static void a_writer_waits_for_the_last_reader(void **state)
{
	struct scene sc;

	begin(&sc, false);
	assert_reads(&sc, A, LOCK_TAKEN);
	assert_writes(&sc, C, LOCK_GRACE_PERIOD);
	assert_reads(&sc, B, LOCK_TAKEN);
	assert_writes(&sc, C, LOCK_SLEEPS);
	assert_up_read(&sc, "");
	assert_up_read(&sc, "C");
	assert_writes(&sc, C, LOCK_TAKEN);
}

static void a_reader_waits_for_the_writer(void **state)
{
	struct scene sc;

	begin(&sc, false);
	first_writer(&sc, A);
	assert_reads(&sc, B, LOCK_SLEEPS);
	assert_up_write(&sc, true, "B");
	assert_reads(&sc, B, LOCK_TAKEN);
	assert_int_equal(sc.sem.readers, 1);
}

/* A writer waiting for readers lets no new one in. */
static void a_writer_that_waits_for_readers_keeps_new_ones_out(void **state)
{
	struct scene sc;

	begin(&sc, false);
	assert_reads(&sc, A, LOCK_TAKEN);
	assert_writes(&sc, B, LOCK_GRACE_PERIOD);
	assert_writes(&sc, B, LOCK_SLEEPS);
	assert_reads(&sc, C, LOCK_SLEEPS);
	assert_up_read(&sc, "B");
	assert_writes(&sc, B, LOCK_TAKEN);
	assert_up_write(&sc, true, "C");
}

/*
 * Behind A wait the readers B and C and the writer D, in that order: the readers and
 * the writer are woken at once, the lock is the readers' and then D's.
 */
static void readers_are_woken_up_to_the_first_writer(void **state)
{
	struct scene sc;

	begin(&sc, false);
	first_writer(&sc, A);
	assert_reads(&sc, B, LOCK_SLEEPS);
	assert_reads(&sc, C, LOCK_SLEEPS);
	assert_writes(&sc, D, LOCK_SLEEPS);
	assert_up_write(&sc, false, "BCD");
	assert_writes(&sc, D, LOCK_SLEEPS);
	assert_reads(&sc, B, LOCK_TAKEN);
	assert_reads(&sc, C, LOCK_TAKEN);
	assert_up_read(&sc, "");
	assert_up_read(&sc, "D");
	assert_writes(&sc, D, LOCK_TAKEN);
	assert_up_write(&sc, true, "");
}

/* Behind A the writer B comes first: the reader C has to wait for it too. */
static void a_writer_in_front_keeps_readers_behind(void **state)
{
	struct scene sc;

	begin(&sc, false);
	first_writer(&sc, A);
	assert_writes(&sc, B, LOCK_SLEEPS);
	assert_reads(&sc, C, LOCK_SLEEPS);
	assert_up_write(&sc, false, "B");
	assert_writes(&sc, B, LOCK_TAKEN);
	assert_up_write(&sc, true, "C");
}

/* The set */

static enum lock_answer ask(struct control_locks *locks, enum op_lock which,
			    struct lock_waiter *w)
{
	struct list woken;

	list_init(&woken);
	return control_lock(locks, which, w, &woken);
}

static void the_cpuset_lock_is_what_the_release_has(void **state)
{
	struct control_locks mutex, rwsem;
	struct lock_waiter a, b;

	control_locks_init(&mutex, false, false);
	control_locks_init(&rwsem, true, false);
	lock_waiter_init(&a);
	lock_waiter_init(&b);
	assert_int_equal(ask(&mutex, OP_LOCK_CPUSET, &a), LOCK_TAKEN);
	assert_int_equal(ask(&mutex, OP_LOCK_CPUSET_READ, &b), LOCK_SLEEPS);

	lock_waiter_init(&b);
	assert_int_equal(ask(&rwsem, OP_LOCK_CPUSET_READ, &b), LOCK_TAKEN);
	assert_int_equal(ask(&rwsem, OP_LOCK_CPUSET, &a), LOCK_GRACE_PERIOD);
}

static void dynmods_favour_writers_of_the_thread_group_lock_alone(void **state)
{
	struct control_locks locks;
	struct lock_waiter a;

	control_locks_init(&locks, true, true);
	lock_waiter_init(&a);
	assert_int_equal(ask(&locks, OP_LOCK_THREADGROUP, &a), LOCK_TAKEN);
	assert_int_equal(ask(&locks, OP_LOCK_CPUSET, &a), LOCK_GRACE_PERIOD);
}

static void a_cpu_on_its_way_keeps_out_who_needs_them_all(void **state)
{
	struct control_locks locks;
	struct lock_waiter a, b;
	struct list woken;
	enum control_rwsem rwsem;

	control_locks_init(&locks, false, false);
	lock_waiter_init(&a);
	lock_waiter_init(&b);
	list_init(&woken);
	assert_int_equal(ask(&locks, OP_LOCK_CPUS_WRITE, &a), LOCK_GRACE_PERIOD);
	assert_int_equal(ask(&locks, OP_LOCK_CPUS_WRITE, &a), LOCK_TAKEN);
	assert_int_equal(ask(&locks, OP_LOCK_CPUS_READ, &b), LOCK_SLEEPS);
	assert_true(control_unlock(&locks, OP_LOCK_CPUS_WRITE, &woken, &rwsem));
	assert_int_equal(rwsem, RWSEM_CPUS);
	assert_ptr_equal(woken.next, &b.wake_node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mutex_wakes_in_the_order_they_came),
		cmocka_unit_test(who_comes_first_may_take_a_mutex_but_once),
		cmocka_unit_test(nobody_is_woken_twice_at_once),
		cmocka_unit_test(the_first_writer_waits_for_a_grace_period),
		cmocka_unit_test(
			a_writer_within_a_grace_period_of_the_last_waits_for_none),
		cmocka_unit_test(a_writer_that_came_and_went_meanwhile_starts_it_over),
		cmocka_unit_test(a_second_writer_shares_the_grace_period),
		cmocka_unit_test(
			of_those_that_share_a_grace_period_the_last_is_woken_first),
		cmocka_unit_test(writers_that_are_favoured_never_wait_for_rcu),
		cmocka_unit_test(readers_share_the_lock),
		cmocka_unit_test(a_writer_waits_for_the_last_reader),
		cmocka_unit_test(a_reader_waits_for_the_writer),
		cmocka_unit_test(a_writer_that_waits_for_readers_keeps_new_ones_out),
		cmocka_unit_test(readers_are_woken_up_to_the_first_writer),
		cmocka_unit_test(a_writer_in_front_keeps_readers_behind),
		cmocka_unit_test(the_cpuset_lock_is_what_the_release_has),
		cmocka_unit_test(dynmods_favour_writers_of_the_thread_group_lock_alone),
		cmocka_unit_test(a_cpu_on_its_way_keeps_out_who_needs_them_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
