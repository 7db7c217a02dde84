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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
