/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window between choosing a CPU and the enqueue: who else chooses meanwhile, and
 * what the waker's CPU does.
 */
#include "test.h"
#include "workload_scene.h"

static struct cpumask two_cpus(int a, int b)
{
	struct cpumask mask = cpumask_of(a);

	cpumask_set(&mask, b);
	return mask;
}

static struct cpumask three_cpus(int a, int b, int c)
{
	struct cpumask mask = two_cpus(a, b);

	cpumask_set(&mask, c);
	return mask;
}

/* Sleeps from the start, having run on CPU 2 last; may then run on @cpus. */
static void add_sleeper(struct scene *sc, const char *name, int channel,
			struct cpumask cpus)
{
	scene_task(sc, name, SET_CPUS(cpus), RECV(channel, 0), RUN(100 * US))->cpus =
		cpumask_of(2);
}

/*
 * c and d ran on CPU 2 and may also use CPU 3.  CPU 0 wakes c at 1 ms, CPU 1 wakes d
 * @later_ns after that.
 */
static void race(struct scene *sc, uint64_t later_ns)
{
	scene_init(sc, "1n1l4c1t", 20 * MS);
	sc->in.spec.costs = (struct machine_costs){.select_to_enqueue_ns = 300};
	sc->in.spec.nr_idle_scan_fixed = 4;
	scene_task(sc, "a", RUN(1 * MS), SEND(0))->cpus = cpumask_of(0);
	scene_task(sc, "b", RUN(1 * MS + later_ns), SEND(1))->cpus = cpumask_of(1);
	add_sleeper(sc, "c", 0, two_cpus(2, 3));
	add_sleeper(sc, "d", 1, two_cpus(2, 3));
}

#define RACE_BEGINS                                                                    \
	"0 cpu0 idle>a-0\n"                                                            \
	"0 cpu1 idle>b-0\n"                                                            \
	"0 cpu2 idle>c-0\n"                                                            \
	"0 cpu2 c-0>d-0\n"                                                             \
	"0 cpu2 d-0>idle\n"

static void two_wakers_choose_the_same_idle_cpu_within_it(void **state)
{
	struct scene sc;

	race(&sc, 200);
	/* d arrives at a busy CPU of the cache, and waits there. */
	scene_expect(&sc, RACE_BEGINS "1000.300 cpu0 a-0>idle\n"
				      "1000.300 +c-0\n"
				      "1000.300 cpu2 idle>c-0\n"
				      "1000.300 c-0 got 0\n"
				      "1000.500 +d-0\n"
				      "1000.500 cpu1 b-0>idle\n"
				      "1100.300 cpu2 c-0>d-0\n"
				      "1100.300 d-0 got 0\n"
				      "1200.300 cpu2 d-0>idle\n");
	scene_clear(&sc);
}

static void the_second_sees_the_first_after_it(void **state)
{
	struct scene sc;

	race(&sc, 400);
	scene_expect(&sc, RACE_BEGINS "1000.300 cpu0 a-0>idle\n"
				      "1000.300 +c-0\n"
				      "1000.300 cpu2 idle>c-0\n"
				      "1000.300 c-0 got 0\n"
				      "1000.700 cpu1 b-0>idle\n"
				      "1000.700 +d-0\n"
				      "1000.700 cpu3 idle>d-0\n"
				      "1000.700 d-0 got 0\n"
				      "1100.300 cpu2 c-0>idle\n"
				      "1100.700 cpu3 d-0>idle\n");
	scene_clear(&sc);
}

/* From the interrupt's sending on, ttwu_pending tells others. */
static void the_interrupt_is_sent_after_it(void **state)
{
	struct scene sc;

	race(&sc, 400);
	sc.in.spec.costs.wakeup_ipi_ns = 1000;
	scene_expect(&sc, RACE_BEGINS "1000.300 cpu0 a-0>idle\n"
				      "1000.700 cpu1 b-0>idle\n"
				      "1001.300 +c-0\n"
				      "1001.300 cpu2 idle>c-0\n"
				      "1001.300 c-0 got 0\n"
				      "1001.700 +d-0\n"
				      "1001.700 cpu3 idle>d-0\n"
				      "1001.700 d-0 got 0\n"
				      "1101.300 cpu2 c-0>idle\n"
				      "1101.700 cpu3 d-0>idle\n");
	scene_clear(&sc);
}

/* The waker's next wakeup comes when the one before is over. */
static void a_waker_wakes_one_after_the_other(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	sc.in.spec.costs = (struct machine_costs){.select_to_enqueue_ns = 300};
	scene_task(&sc, "a", RUN(1 * MS), BROADCAST(0), RUN(1 * MS))->cpus =
		cpumask_of(0);
	scene_task(&sc, "b", WAIT(0, -1), RUN(100 * US))->cpus = cpumask_of(1);
	scene_task(&sc, "c", WAIT(0, -1), RUN(100 * US))->cpus = cpumask_of(1);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu1 b-0>c-0\n"
			  "0 cpu1 c-0>idle\n"
			  "1000.300 +b-0\n"
			  "1000.300 cpu1 idle>b-0\n"
			  "1000.600 +c-0\n"
			  "1100.300 cpu1 b-0>c-0\n"
			  "1200.300 cpu1 c-0>idle\n"
			  "2000.600 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/* b waits again while c is being woken, and has to wait for the next time. */
static void a_broadcast_wakes_whom_it_found(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l3c1t", 20 * MS);
	sc.in.spec.costs = (struct machine_costs){.select_to_enqueue_ns = 300};
	scene_task(&sc, "a", RUN(1 * MS), BROADCAST(0), RUN(1 * MS))->cpus =
		cpumask_of(0);
	scene_task(&sc, "b", WAIT(0, -1), WAIT(0, -1), RUN(100 * US))->cpus =
		cpumask_of(1);
	scene_task(&sc, "c", WAIT(0, -1), RUN(100 * US))->cpus = cpumask_of(2);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu2 idle>c-0\n"
			  "0 cpu1 b-0>idle\n"
			  "0 cpu2 c-0>idle\n"
			  "1000.300 +b-0\n"
			  "1000.300 cpu1 idle>b-0\n"
			  "1000.300 cpu1 b-0>idle\n"
			  "1000.600 +c-0\n"
			  "1000.600 cpu2 idle>c-0\n"
			  "1100.600 cpu2 c-0>idle\n"
			  "2000.600 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

/*
 * s's timer comes due on CPU 0 100 ns after a began to wake b: it is taken when that
 * is over, and its own wakeup takes as long again.
 */
static void an_interrupt_waits_for_it(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	sc.in.spec.costs = (struct machine_costs){.select_to_enqueue_ns = 300};
	sc.in.spec.feat.WAKEUP_PREEMPTION = false;
	scene_task(&sc, "a", RUN(1 * MS), SEND(0), RUN(1 * MS))->cpus = cpumask_of(0);
	scene_task(&sc, "s", SLEEP(1 * MS + 100), RUN(100 * US))->cpus = cpumask_of(0);
	scene_task(&sc, "b", RECV(0, 0))->cpus = cpumask_of(1);
	scene_expect(&sc, "0 cpu0 idle>s-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu0 s-0>a-0\n"
			  "0 cpu1 b-0>idle\n"
			  "1000.300 +b-0\n"
			  "1000.300 cpu1 idle>b-0\n"
			  "1000.300 b-0 got 0\n"
			  "1000.300 cpu1 b-0>idle\n"
			  "1000.600 +s-0\n"
			  "2000.600 cpu0 a-0>s-0\n"
			  "2100.600 cpu0 s-0>idle\n");
	scene_clear(&sc);
}

/*
 * w ran on CPU 2, which is busy, as is 3: the search looks at 3, then at 1 (it may
 * not use 0).  What it looked at joins the window.  For p nothing is searched.
 */
static void each_probe_lengthens_it(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l4c1t", 2 * MS);
	sc.in.spec.costs = (struct machine_costs){.select_to_enqueue_ns = 300,
						  .idle_probe_ns = 50};
	sc.in.spec.nr_idle_scan_fixed = 4;
	sc.in.spec.feat.WAKEUP_PREEMPTION = false;
	scene_task(&sc, "a", RUN(1 * MS), SEND(0), SEND(1))->cpus = cpumask_of(0);
	scene_task(&sc, "p", RECV(1, 0))->cpus = cpumask_of(0);
	add_sleeper(&sc, "w", 0, three_cpus(1, 2, 3));
	scene_task(&sc, "h", RUN(10 * MS))->cpus = cpumask_of(2);
	scene_task(&sc, "i", RUN(10 * MS))->cpus = cpumask_of(3);
	scene_expect(&sc, "0 cpu0 idle>p-0\n"
			  "0 cpu2 idle>w-0\n"
			  "0 cpu3 idle>i-0\n"
			  "0 cpu0 p-0>a-0\n"
			  "0 cpu2 w-0>h-0\n"
			  "1000.400 +w-0\n"
			  "1000.400 cpu1 idle>w-0\n"
			  "1000.400 w-0 got 0\n"
			  "1000.700 +p-0\n"
			  "1000.700 cpu0 a-0>p-0\n"
			  "1000.700 p-0 got 0\n"
			  "1000.700 cpu0 p-0>idle\n"
			  "1100.400 cpu1 w-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_wakers_choose_the_same_idle_cpu_within_it),
		cmocka_unit_test(the_second_sees_the_first_after_it),
		cmocka_unit_test(the_interrupt_is_sent_after_it),
		cmocka_unit_test(a_waker_wakes_one_after_the_other),
		cmocka_unit_test(a_broadcast_wakes_whom_it_found),
		cmocka_unit_test(an_interrupt_waits_for_it),
		cmocka_unit_test(each_probe_lengthens_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
