/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time that newly idle balancing takes of the CPU that has nothing to run.
 */
#include "test.h"
#include "workload_scene.h"

static struct cpumask both_cpus(void)
{
	return cpumask_first_n(2);
}

/*
 * c leaves CPU 1 at 1 ms, when a waits behind b on CPU 0; a may use @a_cpus.  The
 * domain has two CPUs: a pass takes 200 ns.
 */
static void scene_of_a_pass(struct scene *sc, struct cpumask a_cpus)
{
	scene_init(sc, "1n1l2c1t", 3 * MS);
	sc->in.spec.costs = (struct machine_costs){.newidle_cpu_ns = 100};
	sc->in.spec.feat.WAKEUP_PREEMPTION = false;
	sc->in.spec.feat.NI_RANDOM = false;
	scene_task(sc, "b", RUN(2 * MS))->cpus = cpumask_of(0);
	scene_task(sc, "a", SET_CPUS(a_cpus), SLEEP(100 * US), RUN(1 * MS))->cpus =
		cpumask_of(0);
}

static void add_leaver(struct scene *sc)
{
	scene_task(sc, "c", RUN(1 * MS))->cpus = cpumask_of(1);
}

static void what_was_pulled_runs_after_the_pass(void **state)
{
	struct scene sc;

	scene_of_a_pass(&sc, both_cpus());
	add_leaver(&sc);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>c-0\n"
			  "0 cpu0 a-0>b-0\n"
			  "100 +a-0\n"
			  "1000 cpu1 c-0>a-0\n"
			  "2000 cpu0 b-0>idle\n"
			  "2000.200 cpu1 a-0>idle\n");
	scene_clear(&sc);
}

/* d's timer is due on CPU 1 100 ns after c left, in the middle of the pass. */
static void a_cpu_that_found_nothing_idles_after_the_pass(void **state)
{
	struct scene sc;

	scene_of_a_pass(&sc, cpumask_of(0));
	scene_task(&sc, "d", SLEEP(1 * MS + 100), RUN(100 * US))->cpus = cpumask_of(1);
	add_leaver(&sc);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>d-0\n"
			  "0 cpu0 a-0>b-0\n"
			  "0 cpu1 d-0>c-0\n"
			  "100 +a-0\n"
			  "1000 cpu1 c-0>idle\n"
			  "1000.200 +d-0\n"
			  "1000.200 cpu1 idle>d-0\n"
			  "1100.200 cpu1 d-0>idle\n"
			  "2000 cpu0 b-0>a-0\n");
	scene_clear(&sc);
}

/*
 * e's timer is due on CPU 0 in the middle of the pass of CPU 1, which does not count
 * as idle before the pass is over; b runs on CPU 0.
 */
static void a_cpu_is_not_idle_before_the_pass_is_over(void **state)
{
	struct scene sc;

	scene_of_a_pass(&sc, cpumask_of(0));
	scene_task(&sc, "e", SET_CPUS(both_cpus()), SLEEP(1 * MS + 100), RUN(100 * US))
		->cpus = cpumask_of(0);
	add_leaver(&sc);
	sc.w.duration_ns = 1500 * US;
	scene_expect(&sc, "0 cpu0 idle>e-0\n"
			  "0 cpu1 idle>c-0\n"
			  "0 cpu0 e-0>a-0\n"
			  "0 cpu0 a-0>b-0\n"
			  "100 +a-0\n"
			  "1000 cpu1 c-0>idle\n"
			  "1000.100 +e-0\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_pulled_runs_after_the_pass),
		cmocka_unit_test(a_cpu_that_found_nothing_idles_after_the_pass),
		cmocka_unit_test(a_cpu_is_not_idle_before_the_pass_is_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
