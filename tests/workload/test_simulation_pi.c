/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mutexes with priority inheritance, worked out by hand; on one CPU but for two tests.
 */
#include "test.h"
#include "workload_scene.h"

#define FIFO(priority, ...) fifo(scene_task(__VA_ARGS__), (priority))

static void fifo(struct task_spec *spec, unsigned priority)
{
	spec->policy = POLICY_FIFO;
	spec->rt_priority = priority;
}

static void begin(struct scene *sc, bool pi_enabled)
{
	scene_init(sc, "1n1l1c1t", 100 * MS);
	sc->w.pi_enabled = pi_enabled;
	sc->invariants = true;
}

/* low holds what high wants, and mid wants the CPU. */
static void low_mid_and_high(struct scene *sc)
{
	FIFO(10, sc, "low", LOCK(0), RUN(4 * MS), UNLOCK(0), RUN(1 * MS));
	FIFO(20, sc, "mid", SLEEP(1 * MS), RUN(5 * MS));
	FIFO(30, sc, "high", SLEEP(2 * MS), LOCK(0), RUN(1 * MS), UNLOCK(0));
}

#define LOW_MID_HIGH_BEGIN                                                             \
	"0 cpu0 idle>high-0\n"                                                         \
	"0 cpu0 high-0>mid-0\n"                                                        \
	"0 cpu0 mid-0>low-0\n"                                                         \
	"1000 +mid-0\n"                                                                \
	"1000 cpu0 low-0>mid-0\n"                                                      \
	"2000 +high-0\n"                                                               \
	"2000 cpu0 mid-0>high-0\n"

static void the_owner_runs_with_the_priority_of_who_waits(void **state)
{
	struct scene sc;

	begin(&sc, true);
	low_mid_and_high(&sc);
	/* low does its 3 ms before mid, and then falls behind it. */
	scene_expect(&sc, LOW_MID_HIGH_BEGIN "2000 cpu0 high-0>low-0\n"
					     "5000 +high-0\n"
					     "5000 cpu0 low-0>high-0\n"
					     "6000 cpu0 high-0>mid-0\n"
					     "10000 cpu0 mid-0>low-0\n"
					     "11000 cpu0 low-0>idle\n");
	scene_clear(&sc);
}

static void without_inheritance_high_waits_for_mid(void **state)
{
	struct scene sc;

	begin(&sc, false);
	low_mid_and_high(&sc);
	scene_expect(&sc, LOW_MID_HIGH_BEGIN "2000 cpu0 high-0>mid-0\n"
					     "6000 cpu0 mid-0>low-0\n"
					     "9000 +high-0\n"
					     "9000 cpu0 low-0>high-0\n"
					     "10000 cpu0 high-0>low-0\n"
					     "11000 cpu0 low-0>idle\n");
	scene_clear(&sc);
}

/* d has 5 of 20 ms, which low may use for the 3 ms that d waits for it. */
static void a_fair_owner_is_lifted_into_the_deadline_class(void **state)
{
	struct scene sc;

	begin(&sc, true);
	scene_task(&sc, "low", LOCK(0), RUN(4 * MS), UNLOCK(0), RUN(1 * MS));
	FIFO(50, &sc, "hog", SLEEP(1 * MS), RUN(10 * MS));
	scene_task(&sc, "d",
		   STEP(STEP_SET_SCHED, .policy = POLICY_DEADLINE,
			.dl = {.runtime_ns = 5 * MS,
			       .deadline_ns = 20 * MS,
			       .period_ns = 20 * MS}),
		   SLEEP(2 * MS), LOCK(0), RUN(1 * MS), UNLOCK(0));
	scene_expect(&sc, "0 cpu0 idle>hog-0\n"
			  "0 cpu0 hog-0>d-0\n"
			  "0 cpu0 d-0>low-0\n"
			  "1000 +hog-0\n"
			  "1000 cpu0 low-0>hog-0\n"
			  "2000 +d-0\n"
			  "2000 cpu0 hog-0>d-0\n"
			  "2000 cpu0 d-0>low-0\n"
			  "5000 +d-0\n"
			  "5000 cpu0 low-0>d-0\n"
			  "6000 cpu0 d-0>hog-0\n"
			  "15000 cpu0 hog-0>low-0\n"
			  "16000 cpu0 low-0>idle\n");
	scene_clear(&sc);
}

/* high waits for m, m for low, and hog is between m and high. */
static void a_boost_goes_along_the_chain(void **state)
{
	struct scene sc;

	begin(&sc, true);
	FIFO(10, &sc, "low", LOCK(0), RUN(4 * MS), UNLOCK(0));
	FIFO(20, &sc, "m", SLEEP(1 * MS), LOCK(1), LOCK(0), RUN(1 * MS), UNLOCK(0),
	     UNLOCK(1));
	FIFO(25, &sc, "hog", SLEEP(2 * MS), RUN(5 * MS));
	FIFO(30, &sc, "high", SLEEP(3 * MS), LOCK(1), RUN(1 * MS), UNLOCK(1));
	scene_expect(&sc, "0 cpu0 idle>high-0\n"
			  "0 cpu0 high-0>hog-0\n"
			  "0 cpu0 hog-0>m-0\n"
			  "0 cpu0 m-0>low-0\n"
			  "1000 +m-0\n"
			  "1000 cpu0 low-0>m-0\n"
			  "1000 cpu0 m-0>low-0\n"
			  "2000 +hog-0\n"
			  "2000 cpu0 low-0>hog-0\n"
			  "3000 +high-0\n"
			  "3000 cpu0 hog-0>high-0\n"
			  "3000 cpu0 high-0>low-0\n"
			  "5000 +m-0\n"
			  "5000 cpu0 low-0>m-0\n"
			  "6000 +high-0\n"
			  "6000 cpu0 m-0>high-0\n"
			  "7000 cpu0 high-0>hog-0\n"
			  "11000 cpu0 hog-0>m-0\n"
			  "11000 cpu0 m-0>low-0\n"
			  "11000 cpu0 low-0>idle\n");
	scene_clear(&sc);
}

static void the_waiter_of_highest_priority_is_next(void **state)
{
	struct scene sc;

	begin(&sc, true);
	FIFO(10, &sc, "low", LOCK(0), RUN(4 * MS), UNLOCK(0));
	FIFO(20, &sc, "x", SLEEP(1 * MS), LOCK(0), RUN(1 * MS), UNLOCK(0));
	FIFO(30, &sc, "y", SLEEP(2 * MS), LOCK(0), RUN(1 * MS), UNLOCK(0));
	scene_expect(&sc, "0 cpu0 idle>y-0\n"
			  "0 cpu0 y-0>x-0\n"
			  "0 cpu0 x-0>low-0\n"
			  "1000 +x-0\n"
			  "1000 cpu0 low-0>x-0\n"
			  "1000 cpu0 x-0>low-0\n"
			  "2000 +y-0\n"
			  "2000 cpu0 low-0>y-0\n"
			  "2000 cpu0 y-0>low-0\n"
			  "4000 +y-0\n"
			  "4000 cpu0 low-0>y-0\n"
			  "5000 +x-0\n"
			  "5000 cpu0 y-0>x-0\n"
			  "6000 cpu0 x-0>low-0\n"
			  "6000 cpu0 low-0>idle\n");
	scene_clear(&sc);
}

static void a_mutex_of_another_stays_locked(void **state)
{
	struct scene sc;

	begin(&sc, true);
	FIFO(10, &sc, "a", LOCK(0), SLEEP(2 * MS), UNLOCK(0));
	FIFO(20, &sc, "b", SLEEP(1 * MS), UNLOCK(0), LOCK(0), RUN(1 * MS));
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>a-0\n"
			  "0 cpu0 a-0>idle\n"
			  "1000 +b-0\n"
			  "1000 cpu0 idle>b-0\n"
			  "1000 cpu0 b-0>idle\n"
			  "2000 +a-0\n"
			  "2000 cpu0 idle>a-0\n"
			  "2000 +b-0\n"
			  "2000 cpu0 a-0>b-0\n"
			  "3000 cpu0 b-0>a-0\n"
			  "3000 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* b would close the circle; nobody comes out of it. */
static void who_would_close_a_circle_waits_for_ever(void **state)
{
	struct scene sc;

	begin(&sc, true);
	FIFO(10, &sc, "a", LOCK(0), SLEEP(1 * MS), LOCK(1), RUN(1 * MS));
	FIFO(20, &sc, "b", LOCK(1), SLEEP(2 * MS), LOCK(0), RUN(1 * MS));
	FIFO(30, &sc, "c", SLEEP(3 * MS), LOCK(0), RUN(1 * MS));
	scene_expect(&sc, "0 cpu0 idle>c-0\n"
			  "0 cpu0 c-0>b-0\n"
			  "0 cpu0 b-0>a-0\n"
			  "0 cpu0 a-0>idle\n"
			  "1000 +a-0\n"
			  "1000 cpu0 idle>a-0\n"
			  "1000 cpu0 a-0>idle\n"
			  "2000 +b-0\n"
			  "2000 cpu0 idle>b-0\n"
			  "2000 cpu0 b-0>idle\n"
			  "3000 +c-0\n"
			  "3000 cpu0 idle>c-0\n"
			  "3000 cpu0 c-0>idle\n");
	scene_clear(&sc);
}

/* z comes back for what x has been woken for; x hears of it 1 us later, elsewhere. */
static void two_that_meet_at_an_unlock(struct scene *sc, unsigned priority)
{
	scene_init(sc, "1n1l2c1t", 100 * MS);
	sc->w.pi_enabled = true;
	sc->invariants = true;
	FIFO(priority, sc, "z", LOCK(0), RUN(4 * MS), UNLOCK(0), LOCK(0), RUN(2 * MS),
	     UNLOCK(0));
	FIFO(20, sc, "x", SLEEP(1 * MS), LOCK(0), RUN(1 * MS), UNLOCK(0));
	sc->tasks[0].cpus = cpumask_of(0);
	sc->tasks[1].cpus = cpumask_of(1);
}

#define MEET_BEGIN                                                                     \
	"0 cpu0 idle>z-0\n"                                                            \
	"0 cpu1 idle>x-0\n"                                                            \
	"0 cpu1 x-0>idle\n"                                                            \
	"1000 +x-0\n"                                                                  \
	"1000 cpu1 idle>x-0\n"                                                         \
	"1000 cpu1 x-0>idle\n"

static void higher_priority_takes_it_before_who_was_woken(void **state)
{
	struct scene sc;

	two_that_meet_at_an_unlock(&sc, 30);
	scene_expect(&sc, MEET_BEGIN "4001 +x-0\n"
				     "4001 cpu1 idle>x-0\n"
				     "4001 cpu1 x-0>idle\n"
				     "6000 cpu0 z-0>idle\n"
				     "6001 +x-0\n"
				     "6001 cpu1 idle>x-0\n"
				     "7001 cpu1 x-0>idle\n");
	scene_clear(&sc);
}

static void equal_priority_queues_behind_who_was_woken(void **state)
{
	struct scene sc;

	two_that_meet_at_an_unlock(&sc, 20);
	scene_expect(&sc, MEET_BEGIN "4000 cpu0 z-0>idle\n"
				     "4001 +x-0\n"
				     "4001 cpu1 idle>x-0\n"
				     "5001 cpu1 x-0>idle\n"
				     "5002 +z-0\n"
				     "5002 cpu0 idle>z-0\n"
				     "7002 cpu0 z-0>idle\n");
	scene_clear(&sc);
}

/* o waits before x, and goes on to when w, below both, begins to wait for o. */
static void a_waiter_whom_nobody_lifts_keeps_its_place(void **state)
{
	struct scene sc;

	begin(&sc, true);
	FIFO(30, &sc, "h", LOCK(0), SLEEP(4 * MS), UNLOCK(0));
	FIFO(20, &sc, "o", SLEEP(1 * MS), LOCK(1), LOCK(0), RUN(1 * MS), UNLOCK(0),
	     UNLOCK(1));
	FIFO(20, &sc, "x", SLEEP(2 * MS), LOCK(0), RUN(1 * MS), UNLOCK(0));
	FIFO(10, &sc, "w", SLEEP(3 * MS), LOCK(1), UNLOCK(1));
	scene_expect(&sc, "0 cpu0 idle>h-0\n"
			  "0 cpu0 h-0>o-0\n"
			  "0 cpu0 o-0>x-0\n"
			  "0 cpu0 x-0>w-0\n"
			  "0 cpu0 w-0>idle\n"
			  "1000 +o-0\n"
			  "1000 cpu0 idle>o-0\n"
			  "1000 cpu0 o-0>idle\n"
			  "2000 +x-0\n"
			  "2000 cpu0 idle>x-0\n"
			  "2000 cpu0 x-0>idle\n"
			  "3000 +w-0\n"
			  "3000 cpu0 idle>w-0\n"
			  "3000 cpu0 w-0>idle\n"
			  "4000 +h-0\n"
			  "4000 cpu0 idle>h-0\n"
			  "4000 +o-0\n"
			  "4000 cpu0 h-0>o-0\n"
			  "5000 +x-0\n"
			  "5000 +w-0\n"
			  "5000 cpu0 o-0>x-0\n"
			  "6000 cpu0 x-0>w-0\n"
			  "6000 cpu0 w-0>idle\n");
	scene_clear(&sc);
}

/*
 * z frees 0, for which w is woken, and lifts o above w before w runs: o is woken too,
 * for w may no longer take it.
 */
static void who_rises_above_the_one_that_was_woken_is_woken(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 100 * MS);
	sc.w.pi_enabled = true;
	sc.invariants = true;
	FIFO(30, &sc, "z", LOCK(0), RUN(4 * MS), UNLOCK(0), LOCK(1), RUN(1 * MS),
	     UNLOCK(1));
	FIFO(20, &sc, "w", SLEEP(2 * MS), LOCK(0), RUN(1 * MS), UNLOCK(0));
	FIFO(10, &sc, "o", SLEEP(1 * MS), LOCK(1), LOCK(0), RUN(1 * MS), UNLOCK(0),
	     UNLOCK(1));
	sc.tasks[0].cpus = cpumask_of(0);
	sc.tasks[1].cpus = sc.tasks[2].cpus = cpumask_of(1);
	scene_expect(&sc, "0 cpu0 idle>z-0\n"
			  "0 cpu1 idle>w-0\n"
			  "0 cpu1 w-0>o-0\n"
			  "0 cpu1 o-0>idle\n"
			  "1000 +o-0\n"
			  "1000 cpu1 idle>o-0\n"
			  "1000 cpu1 o-0>idle\n"
			  "2000 +w-0\n"
			  "2000 cpu1 idle>w-0\n"
			  "2000 cpu1 w-0>idle\n"
			  "4000 cpu0 z-0>idle\n"
			  "4001 +w-0\n"
			  "4001 +o-0\n"
			  "4001 cpu1 idle>o-0\n"
			  "5001 cpu1 o-0>w-0\n"
			  "5002 +z-0\n"
			  "5002 cpu0 idle>z-0\n"
			  "6001 cpu1 w-0>o-0\n"
			  "6001 cpu1 o-0>idle\n"
			  "6002 cpu0 z-0>idle\n");
	scene_clear(&sc);
}

/* of @runtime_us each @period_us */
#define SET_DL(runtime_us, period_us)                                                  \
	STEP(STEP_SET_SCHED, .policy = POLICY_DEADLINE,                                \
	     .dl = {.runtime_ns = (runtime_us)*US,                                     \
		    .deadline_ns = (period_us)*US,                                     \
		    .period_ns = (period_us)*US})

/*
 * low is lifted at 4 ms, with a deadline at 24 ms by the figures of d, whose own is at
 * 22 ms.  That f, 23 ms, queues behind d at 5 ms changes nothing for low, so that it
 * stays before e, 24.5 ms.
 */
static void a_lower_waiter_does_not_put_off_a_lent_deadline(void **state)
{
	struct scene sc;

	begin(&sc, true);
	scene_task(&sc, "low", LOCK(0), RUN(5 * MS), UNLOCK(0));
	FIFO(40, &sc, "d", SET_DL(5000, 20000), SLEEP(2 * MS), RUN(2 * MS), LOCK(0),
	     RUN(1 * MS), UNLOCK(0));
	FIFO(30, &sc, "f", SET_DL(2000, 18000), SLEEP(5 * MS), LOCK(0), RUN(1 * MS),
	     UNLOCK(0));
	FIFO(20, &sc, "e", SET_DL(2000, 18500), SLEEP(6 * MS), RUN(1 * MS));
	/* f's turn comes at 8 ms; having too much left for it, it has until 26 ms. */
	scene_expect(&sc, "0 cpu0 idle>d-0\n"
			  "0 cpu0 d-0>f-0\n"
			  "0 cpu0 f-0>e-0\n"
			  "0 cpu0 e-0>low-0\n"
			  "2000 +d-0\n"
			  "2000 cpu0 low-0>d-0\n"
			  "4000 cpu0 d-0>low-0\n"
			  "5000 +f-0\n"
			  "5000 cpu0 low-0>f-0\n"
			  "5000 cpu0 f-0>low-0\n"
			  "6000 +e-0\n"
			  "7000 +d-0\n"
			  "7000 cpu0 low-0>d-0\n"
			  "8000 +f-0\n"
			  "8000 cpu0 d-0>e-0\n"
			  "9000 cpu0 e-0>f-0\n"
			  "10000 cpu0 f-0>low-0\n"
			  "10000 cpu0 low-0>idle\n");
	scene_clear(&sc);
}

/*
 * low has 2 of 50 ms and overruns that.  With the figures of d it goes on, later by a
 * period of d each time, and stays before hog.
 */
static void a_deadline_owner_runs_on_with_the_waiters_runtime(void **state)
{
	struct scene sc;

	begin(&sc, true);
	FIFO(40, &sc, "low", SET_DL(2000, 50000), LOCK(0), RUN(5 * MS), UNLOCK(0),
	     RUN(1 * MS));
	FIFO(60, &sc, "d", SET_DL(5000, 20000), SLEEP(1 * MS), LOCK(0), RUN(1 * MS),
	     UNLOCK(0));
	FIFO(50, &sc, "hog", SLEEP(1500 * US), RUN(3 * MS));
	/* At 4 ms, 2 ms too late, low is given 5 ms, of which 3 ms are left. */
	scene_expect(&sc, "0 cpu0 idle>d-0\n"
			  "0 cpu0 d-0>hog-0\n"
			  "0 cpu0 hog-0>low-0\n"
			  "1000 +d-0\n"
			  "1000 cpu0 low-0>d-0\n"
			  "1000 cpu0 d-0>low-0\n"
			  "1500 +hog-0\n"
			  "5000 +d-0\n"
			  "5000 cpu0 low-0>d-0\n"
			  "6000 cpu0 d-0>low-0\n"
			  "7000 cpu0 low-0>hog-0\n"
			  "10000 cpu0 hog-0>idle\n");
	scene_clear(&sc);
}

/*
 * While d, of a later deadline, waits for it, low leaves the deadline class; it is
 * lifted back at once, by the figures of d, and stays before hog until it unlocks.
 */
static void an_owner_that_leaves_the_class_of_its_waiter_is_lifted(void **state)
{
	struct scene sc;

	begin(&sc, true);
	FIFO(40, &sc, "low", SET_DL(4000, 10000), LOCK(0), SLEEP(2 * MS), RUN(1 * MS),
	     SET_SCHED(POLICY_NORMAL, 0), RUN(2500 * US), UNLOCK(0));
	FIFO(50, &sc, "d", SET_DL(5000, 20000), SLEEP(1 * MS), LOCK(0), RUN(1 * MS),
	     UNLOCK(0));
	FIFO(30, &sc, "hog", SLEEP(3500 * US), RUN(2 * MS));
	scene_expect(&sc, "0 cpu0 idle>d-0\n"
			  "0 cpu0 d-0>low-0\n"
			  "0 cpu0 low-0>hog-0\n"
			  "0 cpu0 hog-0>idle\n"
			  "1000 +d-0\n"
			  "1000 cpu0 idle>d-0\n"
			  "1000 cpu0 d-0>idle\n"
			  "2000 +low-0\n"
			  "2000 cpu0 idle>low-0\n"
			  "3500 +hog-0\n"
			  "5500 +d-0\n"
			  "5500 cpu0 low-0>d-0\n"
			  "6500 cpu0 d-0>hog-0\n"
			  "8500 cpu0 hog-0>low-0\n"
			  "8500 cpu0 low-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_owner_runs_with_the_priority_of_who_waits),
		cmocka_unit_test(without_inheritance_high_waits_for_mid),
		cmocka_unit_test(a_fair_owner_is_lifted_into_the_deadline_class),
		cmocka_unit_test(a_boost_goes_along_the_chain),
		cmocka_unit_test(the_waiter_of_highest_priority_is_next),
		cmocka_unit_test(higher_priority_takes_it_before_who_was_woken),
		cmocka_unit_test(equal_priority_queues_behind_who_was_woken),
		cmocka_unit_test(a_mutex_of_another_stays_locked),
		cmocka_unit_test(who_would_close_a_circle_waits_for_ever),
		cmocka_unit_test(a_waiter_whom_nobody_lifts_keeps_its_place),
		cmocka_unit_test(who_rises_above_the_one_that_was_woken_is_woken),
		cmocka_unit_test(a_lower_waiter_does_not_put_off_a_lent_deadline),
		cmocka_unit_test(a_deadline_owner_runs_on_with_the_waiters_runtime),
		cmocka_unit_test(
			an_owner_that_leaves_the_class_of_its_waiter_is_lifted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
