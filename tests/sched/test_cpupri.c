/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs by priority.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/cpupri.h"

/* Four CPUs, each at the level of "no real-time task". */
static int setup(void **state)
{
	*state = run_scene_new("1n1l4c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

/* A task of this kernel priority that may use @cpus. */
static struct task *task_of_prio(run_scene *s, int prio, struct cpumask cpus)
{
	struct task *t = &s->tasks[0];

	t->prio = prio;
	t->cpus_mask = cpus;
	return t;
}

static void set(run_scene *s, int cpu, int prio)
{
	cpupri_set(&s->m->rd.cpupri, cpu, prio);
}

/* Fails unless the CPUs found for @t are @expected, as a list; "" for none. */
static void expect(run_scene *s, const struct task *t, const char *expected)
{
	struct cpumask lowest;
	bool found = cpupri_find(s->m, t, &lowest);
	g_autofree char *list = found ? cpumask_to_list(&lowest) : g_strdup("");

	assert_string_equal(list, expected);
}

static void all_cpus_of_the_lowest_level_are_found(void **state)
{
	run_scene *s = *state;
	const struct task *t = task_of_prio(s, 40, cpumask_first_n(4));

	expect(s, t, "0-3");
	set(s, 0, 98);
	set(s, 2, 50);
	expect(s, t, "1,3");
	set(s, 1, 97);
	set(s, 3, 97);
	expect(s, t, "0");
	set(s, 0, 60);
	expect(s, t, "1,3");
}

static void levels_from_its_own_up_are_no_use(void **state)
{
	run_scene *s = *state;
	const struct task *t = task_of_prio(s, 40, cpumask_first_n(4));

	set(s, 0, 0);
	set(s, 1, 39);
	set(s, 2, 40);
	set(s, 3, CPUPRI_HIGHER);
	expect(s, t, "");
	set(s, 2, 41);
	expect(s, t, "2");
}

/* Even the highest priority, 0, is below a deadline task. */
static void a_cpu_with_a_deadline_task_is_never_found(void **state)
{
	run_scene *s = *state;

	for (int cpu = 0; cpu < 4; cpu++)
		set(s, cpu, CPUPRI_HIGHER);
	expect(s, task_of_prio(s, 0, cpumask_first_n(4)), "");
	set(s, 3, 1);
	expect(s, task_of_prio(s, 0, cpumask_first_n(4)), "3");
}

static void a_level_without_a_cpu_it_may_use_is_passed_over(void **state)
{
	run_scene *s = *state;

	set(s, 1, 70);
	set(s, 2, 60);
	expect(s, task_of_prio(s, 40, cpumask_of(2)), "2");
	expect(s, task_of_prio(s, 65, cpumask_of(2)), "");
}

static void inactive_cpus_count_only_where_none_is_asked_for(void **state)
{
	run_scene *s = *state;
	const struct task *t;

	set(s, 0, 90);
	cpumask_clear(&s->m->active, 1);
	cpumask_clear(&s->m->active, 2);
	cpumask_clear(&s->m->active, 3);
	t = task_of_prio(s, 40, cpumask_first_n(4));
	expect(s, t, "0");
	t = task_of_prio(s, 95, cpumask_first_n(4));
	expect(s, t, "");
	assert_true(cpupri_find(s->m, t, NULL));
}

static void a_cpu_without_a_place_is_not_found(void **state)
{
	run_scene *s = *state;

	for (int cpu = 0; cpu < 4; cpu++)
		set(s, cpu, CPUPRI_INVALID);
	expect(s, task_of_prio(s, 0, cpumask_first_n(4)), "");
	cpupri_init(&s->m->rd.cpupri);
	expect(s, task_of_prio(s, 0, cpumask_first_n(4)), "");
	set(s, 2, MAX_RT_PRIO - 1);
	expect(s, task_of_prio(s, 98, cpumask_first_n(4)), "2");
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(all_cpus_of_the_lowest_level_are_found),
		CLAIM(levels_from_its_own_up_are_no_use),
		CLAIM(a_cpu_with_a_deadline_task_is_never_found),
		CLAIM(a_level_without_a_cpu_it_may_use_is_passed_over),
		CLAIM(inactive_cpus_count_only_where_none_is_asked_for),
		CLAIM(a_cpu_without_a_place_is_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
