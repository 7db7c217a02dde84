/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people reported of where a task wakes up.  The numbers are those of README.md.
 */
#include "test.h"

#include "run_scene.h"
#include "workload_scene.h"

#include <string.h>

/* A task that may run anywhere and sleeps on @cpu. */
static struct task *sleeper_on(run_scene *s, int cpu)
{
	struct cpumask all = cpumask_first_n(s->m->nr_cpus);
	struct task *t = run_fork(s, cpu, 0);

	run_block(s, cpu);
	assert_int_equal(set_cpus_allowed(s->m, t, &all, cpu), 0);
	return t;
}

/*
 * Kernel 8b4e74ccb582, of v5.16: a task that a timer wakes while a kernel thread bound
 * to its CPU runs was taken for woken by that thread, and stacked on it.
 */
static void report_61_an_interrupt_over_a_bound_kthread_is_not_the_kthread(void **state)
{
	for (int in_task = 0; in_task < 2; in_task++) {
		g_autoptr(run_scene) s = run_scene_new("1n1l3c1t");
		struct task *t = sleeper_on(s, 1);

		s->m->nr_idle_scan_fixed = 3;
		run_fork(s, 0, 0);
		run_fork(s, 1, 0)->per_cpu_kthread = true;
		run_to_us(s, 10);
		try_to_wake_up(s->m, t, 1, 0, in_task);
		sched_resched_all(s->m);
		assert_int_equal(t->cpu, in_task ? 1 : 2);
		if (!in_task)
			assert_true(runs_on(s, t, 2));
	}
}

/* The log of @json has all of these lines. */
static void expect_lines(const char *json, const char *const *lines)
{
	struct scene sc = {0};
	g_autoptr(GError) error = NULL;

	if (!scene_run_text(&sc, json, &error))
		fail_msg("%s", error->message);
	for (; *lines; lines++)
		if (!strstr(sc.log->str, *lines))
			fail_msg("expected %s, got\n%s", *lines, sc.log->str);
	g_string_free(sc.log, TRUE);
}

/*
 * https://github.com/sched-ext/scx/pull/58: of two tasks woken in one pass both were
 * sent to the same idle CPU.  a, which waits longer, is still on its way to CPU 1,
 * where both ran.
 */
static void report_72_two_wakeups_of_one_instant_take_two_cpus(void **state)
{
	static const char *const lines[] = {"5000 cpu1 idle>a-0\n",
					    "5000 cpu2 idle>b-0\n", NULL};

	expect_lines(
		"{'duration': '7ms', 'machine': {'topology': '1n1l3c1t', "
		"'tunables': {'nr_idle_scan': 3}}, 'tasks': {"
		"'a': {'loop': 1, 'phases': {'p': {'cpus': [1], 'run': 100}, "
		"'q': {'suspend': 'x'}, 'r': {'run': 5000}}}, "
		"'b': {'delay': 1000, 'loop': 1, 'phases': {'p': {'cpus': [1], 'run': "
		"100}, "
		"'q': {'suspend': 'x'}, 'r': {'run': 5000}}}, "
		"'c': {'cpus': [0], 'loop': 1, 'run': 5000, 'resume': 'x', 'run1': "
		"5000}}}",
		lines);
}

/*
 * https://github.com/sched-ext/scx/pull/3076: 103 ms until a task of CPUs 2 and 3 ran,
 * with CPU 3 idle.  CPU 2, where it slept, is busy from 2 to 102 ms.
 */
static void report_74_an_idle_cpu_of_its_mask_is_found(void **state)
{
	static const char *const lines[] = {"5100 +t-0\n5100 cpu3 idle>t-0\n", NULL};

	expect_lines("{'duration': '20ms', 'machine': {'topology': '1n1l4c1t', "
		     "'tunables': {'nr_idle_scan': 4}}, 'tasks': {"
		     "'t': {'loop': 1, 'phases': {'p': {'cpus': [2], 'run': 100}, "
		     "'q': {'cpus': [2, 3], 'sleep': 5000, 'run': 1000}}}, "
		     "'hog': {'cpus': [2], 'delay': 2000, 'loop': 1, 'run': 100000}}}",
		     lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			report_61_an_interrupt_over_a_bound_kthread_is_not_the_kthread),
		cmocka_unit_test(report_72_two_wakeups_of_one_instant_take_two_cpus),
		cmocka_unit_test(report_74_an_idle_cpu_of_its_mask_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
