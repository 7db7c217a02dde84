/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remote wakeups: the wakee's CPU hears of them by an interrupt.
 */
#include "test.h"
#include "workload_scene.h"

static void add_tasks(struct scene *sc)
{
	scene_task(sc, "a", RUN(1 * MS), SEND(0), RUN(400), SEND(1), RUN(1 * MS))
		->cpus = cpumask_of(0);
	scene_task(sc, "b", RECV(0, 0), RUN(100 * US))->cpus = cpumask_of(1);
	scene_task(sc, "c", RECV(1, 0), RUN(100 * US))->cpus = cpumask_of(1);
}

static void an_ipi_takes_its_time_and_brings_all_that_wait(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	add_tasks(&sc);
	/* b and c were both forked beside a, so b is first on CPU 1. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu1 b-0>c-0\n"
			  "0 cpu1 c-0>idle\n"
			  "1001 +b-0\n"
			  "1001 +c-0\n"
			  "1001 cpu1 idle>b-0\n"
			  "1001 b-0 got 0\n"
			  "1101 cpu1 b-0>c-0\n"
			  "1101 c-0 got 0\n"
			  "1201 cpu1 c-0>idle\n"
			  "2000.400 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static void an_ipi_for_nothing_comes_at_once(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	sc.in.spec.costs.wakeup_ipi_ns = 0;
	add_tasks(&sc);
	/* c then comes to a busy CPU of its cache, with no interrupt, and waits: b is
	 * 400 ns after it and no granularity. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>b-0\n"
			  "0 cpu1 b-0>c-0\n"
			  "0 cpu1 c-0>idle\n"
			  "1000 +b-0\n"
			  "1000 cpu1 idle>b-0\n"
			  "1000 b-0 got 0\n"
			  "1000.400 +c-0\n"
			  "1100 cpu1 b-0>c-0\n"
			  "1100 c-0 got 0\n"
			  "1200 cpu1 c-0>idle\n"
			  "2000.400 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ipi_takes_its_time_and_brings_all_that_wait),
		cmocka_unit_test(an_ipi_for_nothing_comes_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
