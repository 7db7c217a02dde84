/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same inputs give the same run, whatever runs beside it.
 */
#include "test.h"
#include "workload_scene.h"

#include <stdlib.h>
#include <string.h>

static struct task_spec *add_random_task(struct scene *sc, const char *name)
{
	struct task_spec *spec = scene_task(sc, name, LOOP(-1, 4), RUN(0), SLEEP(0),
					    SEND(0), LOOP_END(0));

	spec->program.steps[1].amount = (struct dist){.kind = DIST_EXP, .a = 300 * US};
	spec->program.steps[2].amount =
		(struct dist){.kind = DIST_UNIFORM, .a = 10 * US, .b = 500 * US};
	return spec;
}

static void init_random(struct scene *sc)
{
	scene_init(sc, "1n2l2c2t", 100 * MS);
	scene_source(sc, "s", ARRIVE_POISSON, 100 * US);
	scene_task(sc, "r", LOOP(-1, 4), RECV(0, 5 * US), RUN(20 * US), REPLY,
		   LOOP_END(0))
		->instances = 3;
	add_random_task(sc, "a")->instances = 12;
}

static void the_same_seed_gives_the_same_run(void **state)
{
	struct scene sc;
	g_autofree char *first = NULL;

	init_random(&sc);
	assert_true(scene_run(&sc, NULL));
	first = g_strdup(sc.log->str);
	assert_true(strlen(first) > 10000);
	scene_expect(&sc, first);
	scene_clear(&sc);
}

static void another_seed_gives_another_run(void **state)
{
	struct scene sc;
	g_autofree char *first = NULL;

	init_random(&sc);
	assert_true(scene_run(&sc, NULL));
	first = g_strdup(sc.log->str);
	sc.seed = 2;
	assert_true(scene_run(&sc, NULL));
	assert_string_not_equal(sc.log->str, first);
	scene_clear(&sc);
}

static void *run_beside(void *data)
{
	scene_run(data, NULL);
	return NULL;
}

static void runs_side_by_side_are_as_alone(void **state)
{
	struct scene alone, beside[3];
	GThread *threads[3];

	init_random(&alone);
	assert_true(scene_run(&alone, NULL));
	for (int i = 0; i < 3; i++)
		init_random(&beside[i]);
	for (int i = 0; i < 3; i++)
		threads[i] = g_thread_new("beside", run_beside, &beside[i]);
	for (int i = 0; i < 3; i++) {
		g_thread_join(threads[i]);
		assert_string_equal(beside[i].log->str, alone.log->str);
		scene_clear(&beside[i]);
	}
	scene_clear(&alone);
}

/* The lines of sc->log that speak of @name. */
static char *lines_about(const struct scene *sc, const char *name)
{
	g_auto(GStrv) lines = g_strsplit(sc->log->str, "\n", -1);
	GString *about = g_string_new(NULL);

	for (char **line = lines; *line; line++)
		if (strstr(*line, name))
			g_string_append_printf(about, "%s\n", *line);
	return g_string_free(about, FALSE);
}

static void another_task_does_not_shift_a_tasks_numbers(void **state)
{
	struct scene sc;
	g_autofree char *alone = NULL, *beside = NULL;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	add_random_task(&sc, "a")->cpus = cpumask_of(0);
	assert_true(scene_run(&sc, NULL));
	alone = lines_about(&sc, "a-0");
	add_random_task(&sc, "b")->cpus = cpumask_of(1);
	assert_true(scene_run(&sc, NULL));
	beside = lines_about(&sc, "a-0");
	assert_true(strlen(alone) > 1000);
	assert_string_equal(alone, beside);
	scene_clear(&sc);
}

static void instances_draw_numbers_of_their_own(void **state)
{
	struct scene sc;
	g_autofree char *first = NULL, *second = NULL;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	add_random_task(&sc, "a")->instances = 2;
	assert_true(scene_run(&sc, NULL));
	/* The first activation of each: the time before the name. */
	first = lines_about(&sc, "a-0 active");
	second = lines_about(&sc, "a-1 active");
	assert_int_not_equal(strtod(first, NULL), strtod(second, NULL));
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_seed_gives_the_same_run),
		cmocka_unit_test(another_seed_gives_another_run),
		cmocka_unit_test(runs_side_by_side_are_as_alone),
		cmocka_unit_test(another_task_does_not_shift_a_tasks_numbers),
		cmocka_unit_test(instances_draw_numbers_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
