/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cpusets as a real kernel had them: how many deadline tasks it admitted in one, which
 * writes it refused, and what it said of partitions.
 *
 * Reads dl.jsonl, dl_v2.jsonl, cpuset_v1.jsonl and cpuset_v2.jsonl in the folder that
 * SCHEDSIM_ORACLE names; without it there is nothing to do.  Rows of dl.jsonl that need
 * no cpuset are dl_admission.c's, and times are left aside.
 */
#include "test.h"

#include "cpuset_scene.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#define EXIT_SKIPPED 77 /* ctest's SKIP_RETURN_CODE */

/* The recorded kernel is 6.1.192, which has the series that became 6.5. */
#define POLICY "rebuild_v6_5"
/* Four CPUs in two caches; the recordings call it s2c2. */
#define TOPOLOGY "1n2l2c1t"

static const char *string_of(json_object *o, const char *field)
{
	return json_object_get_string(json_object_object_get(o, field));
}

static int64_t number(json_object *o, const char *field, int64_t fallback)
{
	json_object *value = json_object_object_get(o, field);

	return value ? json_object_get_int64(value) : fallback;
}

static void write_ok(cpuset_scene *s, const char *path, const char *file,
		     const char *text)
{
	assert_int_equal(cs_write(s, path, file, text), 0);
}

/* Where tasks ask, by the row's "where"; and the machine made so. */
struct place {
	const char *where;
	enum cpuset_mode mode;
	const char *path;
	bool exclusive; /* v1: cpu_exclusive, and the root not balanced */
	bool partition; /* v2 */
};

static const struct place places[] = {
	{"v1 a=0-1 not exclusive, root load_balance=1", CPUSET_V1, "p", false, false},
	{"v1 a=0-1 exclusive, root load_balance=0 (own root domain)", CPUSET_V1, "p",
	 true, false},
	{"v1 task in root cpuset, root load_balance=0", CPUSET_V1, "", true, false},
	{"v1 full DL load in a", CPUSET_V1, "p", true, false},
	{"v1 a full", CPUSET_V1, "p", true, false},
	{"v2 p=0-1 member", CPUSET_V2, "p", false, false},
	{"v2", CPUSET_V2, "p", false, true},
	{"v2 p=0-1 partition root", CPUSET_V2, "p", false, true},
	{"v2 task in root cgroup (rest of the cpus)", CPUSET_V2, "", false, true},
	{"v2 full DL load in p", CPUSET_V2, "p", false, true},
};

static const struct place *find_place(const char *where)
{
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
		if (!strcmp(places[i].where, where))
			return &places[i];
	return NULL;
}

static cpuset_scene *scene_at(const struct place *place)
{
	cpuset_scene *s = cpuset_scene_new(TOPOLOGY, place->mode, POLICY, "");

	cs_mkdir(s, "p", "0-1");
	cs_mkdir(s, "b", "2-3");
	if (place->exclusive) {
		write_ok(s, "p", "cpuset.cpu_exclusive", "1");
		write_ok(s, "", "cpuset.sched_load_balance", "0");
	}
	if (place->partition)
		write_ok(s, "p", "cpuset.cpus.partition", "root");
	return s;
}

/* A new task's errno; @pin: the only CPU it may use, or -1. */
static int ask(cpuset_scene *s, const char *path, int64_t runtime_us,
	       int64_t deadline_us, int64_t period_us, int pin)
{
	struct cpuset_task *ct = cs_task(s, path);
	struct cpumask one = cpumask_of(MAX(pin, 0));
	struct sched_attr attr = {
		.sched_policy = POLICY_DEADLINE,
		.sched_runtime = (uint64_t)runtime_us * NSEC_PER_USEC,
		.sched_deadline = (uint64_t)deadline_us * NSEC_PER_USEC,
		.sched_period = (uint64_t)period_us * NSEC_PER_USEC,
	};

	if (pin >= 0)
		assert_int_equal(cpuset_setaffinity(ct, &one, NULL), 0);
	return -cpuset_setattr(ct, &attr, NULL);
}

/* Equal tasks, one after the other, those after the first refusal too. */
static void check_equal_tasks(cpuset_scene *s, const char *path, json_object *params,
			      json_object *result)
{
	int64_t n = number(params, "n", 0);
	int64_t accepted = 0, first_errno = 0;

	assert_true(n > 0);
	for (int64_t i = 0; i < n; i++) {
		int error = ask(s, path, number(params, "run_us", 1000),
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
static void check_set(cpuset_scene *s, const char *path, json_object *params,
		      json_object *result)
{
	json_object *errors = json_object_object_get(result, "errno_each");
	g_auto(GStrv) asked = g_strsplit(string_of(params, "set"), ",", -1);

	assert_int_equal(g_strv_length(asked), json_object_array_length(errors));
	for (size_t i = 0; asked[i]; i++) {
		long run_us, period_us;

		assert_int_equal(sscanf(asked[i], "%ld/%ld", &run_us, &period_us), 2);
		assert_int_equal(
			ask(s, path, run_us, period_us, period_us, -1),
			json_object_get_int(json_object_array_get_idx(errors, i)));
	}
}

static void check_asking(cpuset_scene *s, const char *path, json_object *out)
{
	json_object *params = json_object_object_get(out, "params");
	json_object *result = json_object_object_get(out, "result");

	if (json_object_object_get(params, "set"))
		check_set(s, path, params, result);
	else
		check_equal_tasks(s, path, params, result);
}

static void fill_up(cpuset_scene *s, const char *path)
{
	while (!ask(s, path, 1000, 10000, 10000, -1))
		;
}

/* What the shell said of a write, or a file of its reader. */
static void check_write(cpuset_scene *s, const char *what, const char *out)
{
	int err = strstr(out, "Device or resource busy") ? -EBUSY : 0;

	if (!strcmp(what, "partition state")) {
		g_autofree char *state = g_strchomp(g_strdup(out));

		assert_file(s, "p", "cpuset.cpus.partition", state);
		return;
	}
	fill_up(s, "p");
	if (!strcmp(what, "write cpuset.cpus of a = 0") ||
	    !strcmp(what, "write cpuset.cpus=0")) {
		assert_int_equal(cs_write(s, "p", "cpuset.cpus", "0"), err);
	} else if (!strcmp(what, "write cpuset.cpus of b = 3")) {
		assert_int_equal(cs_write(s, "b", "cpuset.cpus", "3"), err);
	} else if (!strcmp(what, "move one 1000/10000 DL task b->a")) {
		struct cpuset_task *ct = cs_dl_task(s, "b", 1000, 10000, &(int){0});

		assert_non_null(ct);
		assert_int_equal(cs_attach(s, "p", ct), err);
	} else if (!strcmp(what, "partition -> member")) {
		assert_string_equal(out, "accepted member");
		write_ok(s, "p", "cpuset.cpus.partition", "member");
		assert_file(s, "p", "cpuset.cpus.partition", "member");
	} else {
		fail_msg("unknown row \"%s\"", what);
	}
}

/* False for a row that no cpuset had a part in. */
static bool check_deadline_row(json_object *row)
{
	const char *where = string_of(row, "where");
	const char *what = string_of(row, "what");
	json_object *out = json_object_object_get(row, "out");
	const struct place *place = find_place(where);
	g_autoptr(cpuset_scene) s = NULL;

	if (!strcmp(where, "root"))
		return false;
	print_message("%s: %s\n", where, what);
	if (!place)
		fail_msg("unknown place \"%s\"", where);
	s = scene_at(place);
	if (json_object_is_type(out, json_type_object))
		check_asking(s, place->path, out);
	else
		check_write(s, what, json_object_get_string(out));
	return true;
}

/* Timed writes */

/* The cpuset and the file of "/cg/leaf/cpuset.cpus" or "/cg2/...". */
static void split_file(const char *text, char **path, char **file)
{
	g_auto(GStrv) parts = g_strsplit(text, "/", -1);
	guint nr = g_strv_length(parts);

	assert_true(nr >= 3 && g_str_has_prefix(parts[1], "cg"));
	*path = g_strdup(nr == 3 ? "" : parts[2]);
	*file = g_strdup(parts[nr - 1]);
}

static int set_cpu1_online(cpuset_scene *s, const char *text)
{
	return text[0] == '0' ? cs_cpu_down(s, 1) : cs_cpu_up(s, 1);
}

static int write_once(cpuset_scene *s, const char *target, const char *text)
{
	g_autofree char *path = NULL, *file = NULL;

	if (!strcmp(target, "/sys/devices/system/cpu/cpu1/online"))
		return set_cpu1_online(s, text);
	split_file(target, &path, &file);
	return cs_write(s, path, file, text);
}

/* What a write shows afterwards, beside its errno. */
static void check_written(const cpuset_scene *s, const char *target, const char *text)
{
	g_autofree char *path = NULL, *file = NULL;

	if (!strcmp(target, "/sys/devices/system/cpu/cpu1/online")) {
		assert_int_equal(cpumask_test(&s->m->active, 1), text[0] == '1');
		return;
	}
	split_file(target, &path, &file);
	assert_file(s, path, file, text);
}

static bool check_timed_row(json_object *row)
{
	json_object *out = json_object_object_get(row, "out");
	json_object *params = json_object_object_get(out, "params");
	json_object *result = json_object_object_get(out, "result");
	const char *target = string_of(params, "file");
	bool v2 = !strcmp(string_of(row, "v"), "v2");
	g_auto(GStrv) values = g_strsplit(string_of(params, "vals"), ";", -1);
	g_autoptr(cpuset_scene) s =
		cpuset_scene_new(TOPOLOGY, v2 ? CPUSET_V2 : CPUSET_V1, POLICY, "");

	print_message("%s: %s, %d tasks\n", string_of(row, "v"),
		      string_of(row, "where"), (int)number(row, "tasks", 0));
	cs_mkdir(s, "t", v2 ? "0-2" : "0-3");
	cs_mkdir(s, "leaf", "0-3");
	cs_mkdir(s, "leaf2", "3");
	if (v2 && g_str_has_suffix(target, "partition"))
		assert_int_equal(cs_rmdir(s, "leaf"), 0);
	cs_tasks(s, "t", (int)number(row, "tasks", 0));
	for (int64_t i = 0; i < number(params, "reps", 0); i++) {
		const char *text = values[i % (int64_t)g_strv_length(values)];

		assert_int_equal(-write_once(s, target, text),
				 number(result, "errno", -1));
		check_written(s, target, text);
	}
	return true;
}

/* Calls @check for each line of @name; the rows that had something for it. */
static int for_each_row(const char *name, bool (*check)(json_object *row))
{
	g_autofree char *path =
		g_build_filename(g_getenv("SCHEDSIM_ORACLE"), name, NULL);
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
		if (row)
			rows += check(row);
		json_object_put(row);
	}
	return rows;
}

static void v1_admits_and_refuses_as_recorded(void **state)
{
	assert_int_equal(for_each_row("dl.jsonl", check_deadline_row), 36);
}

static void v2_admits_and_refuses_as_recorded(void **state)
{
	assert_int_equal(for_each_row("dl_v2.jsonl", check_deadline_row), 36);
}

static void v1_writes_succeed_as_recorded(void **state)
{
	assert_int_equal(for_each_row("cpuset_v1.jsonl", check_timed_row), 15);
}

static void v2_writes_succeed_as_recorded(void **state)
{
	assert_int_equal(for_each_row("cpuset_v2.jsonl", check_timed_row), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(v1_admits_and_refuses_as_recorded),
		cmocka_unit_test(v2_admits_and_refuses_as_recorded),
		cmocka_unit_test(v1_writes_succeed_as_recorded),
		cmocka_unit_test(v2_writes_succeed_as_recorded),
	};

	if (!g_getenv("SCHEDSIM_ORACLE"))
		return EXIT_SKIPPED;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
