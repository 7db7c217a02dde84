/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Admission of deadline tasks as a real kernel did it: how many of equal reservations
 * were accepted, the errno of each, and which changes of the machine were refused.
 *
 * Reads dl.jsonl in the folder that SCHEDSIM_ORACLE names; without it there is nothing
 * to do.  Rows that need cpusets are left out here.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/deadline.h"
#include "sched/rt_limit.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#define EXIT_SKIPPED 77 /* ctest's SKIP_RETURN_CODE */

/* Rows of the recording that no cpuset had a part in. */
#define ROWS_EXPECTED 38

#define TASKS_MAX 512

/* Four CPUs in two caches, and tasks that ask. */
struct scene {
	run_scene *run;     /* owned */
	struct task *tasks; /* [TASKS_MAX] owned */
	int nr_tasks;
};

static void scene_init(struct scene *s, const char *topology)
{
	assert_string_equal(topology, "s2c2");
	s->run = run_scene_new("1n2l2c1t");
	s->tasks = g_new0(struct task, TASKS_MAX);
	s->nr_tasks = 0;
}

static void scene_clear(struct scene *s)
{
	run_scene_free(s->run);
	g_free(s->tasks);
}

/* A new task's errno; @pin: the only CPU it may use, or -1. */
static int ask(struct scene *s, int64_t runtime_us, int64_t deadline_us,
	       int64_t period_us, int pin)
{
	struct machine *m = s->run->m;
	struct task *t = &s->tasks[s->nr_tasks++];
	struct cpumask cpus = pin < 0 ? m->active : cpumask_of(pin);
	struct sched_attr attr = {
		.sched_policy = POLICY_DEADLINE,
		.sched_runtime = (uint64_t)runtime_us * NSEC_PER_USEC,
		.sched_deadline = (uint64_t)deadline_us * NSEC_PER_USEC,
		.sched_period = (uint64_t)period_us * NSEC_PER_USEC,
	};
	int error;

	assert_true(s->nr_tasks <= TASKS_MAX);
	t->comm = "asks";
	assert_int_equal(sched_fork(m, t, POLICY_NORMAL, 0, &cpus, 0), 0);
	wake_up_new_task(m, t, 0);
	error = sched_setattr(m, t, &attr, 0);
	sched_resched_all(m);
	return -error;
}

static int64_t number(json_object *o, const char *field, int64_t fallback)
{
	json_object *value = json_object_object_get(o, field);

	return value ? json_object_get_int64(value) : fallback;
}

/* Equal tasks, one after the other, those after the first refusal too. */
static void check_equal_tasks(struct scene *s, json_object *params, json_object *result)
{
	int64_t n = number(params, "n", 0);
	int64_t accepted = 0, first_errno = 0;

	assert_true(n > 0);
	for (int64_t i = 0; i < n; i++) {
		int error = ask(s, number(params, "run_us", 1000),
				number(params, "deadline_us", 10000),
				number(params, "period_us", 10000),
				(int)number(params, "pin", -1));

		accepted += !error;
		if (!first_errno)
			first_errno = error;
	}
	assert_int_equal(accepted, number(result, "accepted", -1));
	assert_int_equal(first_errno, number(result, "first_refusal_errno", -1));
}

/* A list of "runtime/period" in us. */
static void check_set(struct scene *s, json_object *params, json_object *result)
{
	const char *text =
		json_object_get_string(json_object_object_get(params, "set"));
	json_object *errors = json_object_object_get(result, "errno_each");
	g_auto(GStrv) asked = g_strsplit(text, ",", -1);

	assert_int_equal(g_strv_length(asked), json_object_array_length(errors));
	for (size_t i = 0; asked[i]; i++) {
		long run_us, period_us;

		assert_int_equal(sscanf(asked[i], "%ld/%ld", &run_us, &period_us), 2);
		assert_int_equal(
			ask(s, run_us, period_us, period_us, -1),
			json_object_get_int(json_object_array_get_idx(errors, i)));
	}
}

static uint64_t limit_of(const char *text)
{
	long us;

	assert_int_equal(sscanf(text, "rt_runtime_us=%ld", &us), 1);
	return us < 0 ? RT_RUNTIME_UNLIMITED : (uint64_t)us;
}

static void check_asking(struct scene *s, const char *what, json_object *out)
{
	json_object *params = json_object_object_get(out, "params");
	json_object *result = json_object_object_get(out, "result");

	if (g_str_has_prefix(what, "rt_runtime_us="))
		assert_int_equal(set_rt_limit(s->run->m, 1000000, limit_of(what)), 0);
	if (json_object_object_get(params, "set"))
		check_set(s, params, result);
	else
		check_equal_tasks(s, params, result);
}

static void check_defaults(const struct machine *m, const char *out)
{
	g_autofree char *ours = g_strdup_printf(
		"rt_runtime=%" G_GUINT64_FORMAT " rt_period=%" G_GUINT64_FORMAT
		" dl_min=%" G_GUINT64_FORMAT " dl_max=%" G_GUINT64_FORMAT,
		m->tunables.sched_rt_runtime_us, m->tunables.sched_rt_period_us,
		m->tunables.sched_deadline_period_min_us,
		m->tunables.sched_deadline_period_max_us);

	assert_string_equal(ours, out);
}

static void fill_up(struct scene *s)
{
	while (!ask(s, 1000, 10000, 10000, -1))
		;
}

/* What the shell said of a write; its text tells whether it was refused. */
static void check_write(struct scene *s, const char *what, const char *out)
{
	struct machine *m = s->run->m;

	if (!strcmp(what, "sysctl")) {
		check_defaults(m, out);
	} else if (!strcmp(what, "rt_runtime_us=0 refused")) {
		/* The recorder thought it would be; the kernel had nothing to say. */
		assert_string_equal(out, "");
		assert_int_equal(set_rt_limit(m, 1000000, 0), 0);
	} else if (!strcmp(what, "lower rt_runtime with full DL load")) {
		assert_string_equal(out, "refused EBUSY");
		fill_up(s);
		assert_int_equal(set_rt_limit(m, 1000000, 500000), -EBUSY);
	} else if (!strcmp(what, "offline cpu1 with full DL load")) {
		assert_non_null(strstr(out, "Device or resource busy"));
		fill_up(s);
		cpumask_clear(&m->active, 1);
		assert_int_equal(dl_bw_check_overflow(m, 1), -EBUSY);
	} else {
		fail_msg("unknown row \"%s\"", what);
	}
}

static void check_row(json_object *row)
{
	const char *what = json_object_get_string(json_object_object_get(row, "what"));
	json_object *out = json_object_object_get(row, "out");
	struct scene s;

	scene_init(&s, json_object_get_string(json_object_object_get(row, "topology")));
	print_message("%s\n", what);
	if (json_object_is_type(out, json_type_object))
		check_asking(&s, what, out);
	else
		check_write(&s, what, json_object_get_string(out));
	scene_clear(&s);
}

static bool needs_no_cpuset(json_object *row)
{
	json_object *where = json_object_object_get(row, "where");

	return !strcmp(json_object_get_string(where), "root");
}

static void admission_is_as_recorded(void **state)
{
	g_autofree char *path =
		g_build_filename(g_getenv("SCHEDSIM_ORACLE"), "dl.jsonl", NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	int rows = 0;

	if (!g_file_get_contents(path, &text, NULL, &error))
		fail_msg("%s", error->message);
	lines = g_strsplit(text, "\n", -1);
	for (size_t i = 0; lines[i]; i++) {
		json_object *row = *lines[i] ? json_tokener_parse(lines[i]) : NULL;

		if (*lines[i] && !row)
			fail_msg("%s: line %zu is not JSON", path, i + 1);
		if (row && needs_no_cpuset(row)) {
			check_row(row);
			rows++;
		}
		json_object_put(row);
	}
	assert_int_equal(rows, ROWS_EXPECTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(admission_is_as_recorded),
	};

	if (!g_getenv("SCHEDSIM_ORACLE"))
		return EXIT_SKIPPED;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
