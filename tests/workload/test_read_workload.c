/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The root of a workload: what belongs there, how long it runs, parameters.
 */
#include "workload/read_workload.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "test.h"
#include "workload_text.h"

#include <glib/gstdio.h>
#include <string.h>

#define TASK "'tasks': {'t': {'run': 1}}"
#define FINITE "'tasks': {'t': {'loop': 1, 'run': 1}}"

static uint64_t duration_of(const char *json)
{
	struct workload_input in = workload_of(json);
	uint64_t duration_ns = in.workload->duration_ns;

	workload_input_clear(&in);
	return duration_ns;
}

static void durations_of_rt_app_are_seconds(void **state)
{
	assert_int_equal(duration_of("{'global': {'duration': 6}, " TASK "}"),
			 6 * NSEC_PER_SEC);
	assert_int_equal(duration_of("{'global': {'duration': '250ms'}, " TASK "}"),
			 250 * NSEC_PER_MSEC);
	assert_int_equal(duration_of("{'duration': '2s', " TASK "}"), 2 * NSEC_PER_SEC);
	assert_int_equal(
		duration_of("{'duration': '2s', 'global': {'duration': -1}, " TASK "}"),
		2 * NSEC_PER_SEC);
}

static void a_workload_of_finite_tasks_needs_no_duration(void **state)
{
	assert_true(duration_of("{" FINITE "}") == UINT64_MAX);
	assert_true(duration_of("{'global': {'duration': -1}, " FINITE "}") ==
		    UINT64_MAX);
	/* an endless task that has no threads does not count */
	assert_true(duration_of("{'tasks': {'t': {'instance': 0, 'run': 1}}}") ==
		    UINT64_MAX);
}

static void others_without_a_duration_are_refused(void **state)
{
#define NO_DURATION                                                                    \
	"expected a duration (\"duration\", \"global\": {\"duration\"} or "            \
	"--duration), "                                                                \
	"for "
	assert_workload_error("{" TASK "}", INPUT_ERROR_VALUE,
			      NO_DURATION "task \"t\" never ends");
	assert_workload_error(
		"{'channels': {'a': 1}, 'tasks': {'t': {'loop': 2, 'recv': 'a'}}, "
		"'sources': {'s': {'arrivals': 'fixed', 'rate': 1, 'to': 'a'}}}",
		INPUT_ERROR_VALUE, NO_DURATION "source \"s\" never ends");
}

static void the_command_line_has_the_last_word_on_times(void **state)
{
	const struct workload_options options = {.duration_ns = 7, .warmup_ns = 3};
	struct workload_input in =
		workload_with("{'duration': '2s', 'warmup': '1s', " TASK "}", &options);

	assert_int_equal(in.workload->duration_ns, 7);
	assert_int_equal(in.workload->warmup_ns, 3);
	workload_input_clear(&in);
	in = workload_with("{" TASK "}", &options);
	assert_int_equal(in.workload->duration_ns, 7);
	workload_input_clear(&in);
}

static void the_text_about_it_is_kept(void **state)
{
	struct workload_input in = workload_of(
		"{'$schema': 'schema.json', 'about': 'shows \\u00e4', 'duration': "
		"'1s', 'warmup': '100ms', " TASK "}");

	assert_string_equal(in.workload->about, "shows \xc3\xa4");
	assert_string_equal(in.workload->path, "w.json");
	assert_int_equal(in.workload->warmup_ns, 100 * NSEC_PER_MSEC);
	workload_input_clear(&in);
}

static void mistakes_are_named(void **state)
{
#define DURATION "-1, a whole number of seconds from 1 or a time such as \"250ms\""
	static const char *const cases[][2] = {
		{"{}", "expected the key \"tasks\""},
		{"{'taks': {}}",
		 "expected a known key, got \"taks\"; the nearest is \"tasks\""},
		{"{" TASK ", " TASK "}",
		 "expected the key \"tasks\" once, got it again"},
		{"{'tasks': []}",
		 "tasks: expected an object of at least one task, got an empty "
		 "array"},
		{"{'tasks': {'t': 1}}", "tasks.t: expected an object, got 1"},
		{"{'about': 1, " TASK "}", "about: expected a string, got 1"},
		{"{'duration': 5, " TASK "}",
		 "duration: expected a time such as \"250us\", got 5"},
		{"{'duration': '0s', " TASK "}",
		 "duration: expected a time above 0, got \"0s\""},
		{"{'duration': '1s', 'global': {'duration': 1}, " TASK "}",
		 "duration: expected one duration, got this and global.duration"},
		{"{'about': 'a\\u001b[2J', " TASK "}",
		 "about: expected a string without control characters, got "
		 "\"a\\u001b[2J\""},
		{"{'tasks': {'a\\nb': {'run': 1}}}",
		 "tasks[\"a\\nb\"]: expected a key without control characters"},
		{"{'tasks': {'t': {'run': 1, 'lock': '\\u009b'}}}",
		 "tasks.t.lock: expected a string without control characters, got "
		 "\"\xc2\x9b\""},
		{"{'global': 1, " TASK "}", "global: expected an object, got 1"},
		{"{'global': {'duration': 0}, " TASK "}",
		 "global.duration: expected " DURATION ", got 0"},
		{"{'global': {'duration': 0.5}, " TASK "}",
		 "global.duration: expected " DURATION ", got 0.5"},
		{"{'global': {'duration': 9007199254740992}, " TASK "}",
		 "global.duration: expected " DURATION ", got 9007199254740992"},
		{"{'global': {'duration': null}, " TASK "}",
		 "global.duration: expected " DURATION ", got null"},
		{"{'global': {'default_policy': 'OTHER'}, " TASK "}",
		 "global.default_policy: expected \"SCHED_OTHER\", \"SCHED_BATCH\", "
		 "\"SCHED_IDLE\", \"SCHED_FIFO\", \"SCHED_RR\" or \"SCHED_DEADLINE\", "
		 "got \"OTHER\""},
		{"{'global': {'calibration': true}, " TASK "}",
		 "global.calibration: expected ns per loop or the name of a CPU, got "
		 "true"},
		{"{'global': {'calibration': -1}, " TASK "}",
		 "global.calibration: expected a whole number from 0 to 2147483647, "
		 "got "
		 "-1"},
		{"{'global': {'log_basename': 1}, " TASK "}",
		 "global.log_basename: expected a string, got 1"},
		{"{'global': {'cumulative_slack': 1}, " TASK "}",
		 "global.cumulative_slack: expected true or false, got 1"},
		{"{'global': {'calibrate': 1}, " TASK "}",
		 "global: expected a known key, got \"calibrate\"; the nearest is "
		 "\"calibration\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_workload_error(cases[i][0], INPUT_ERROR_VALUE, cases[i][1]);
}

static void syntax_errors_have_the_file_before_them(void **state)
{
	assert_workload_error(
		"{\n'tasks'\n}", INPUT_ERROR_SYNTAX,
		"line 3, column 1: expected ':' and a value after the key "
		"\"tasks\", got '}'");
}

static void settings_of_rt_app_s_logs_are_taken_without_noise(void **state)
{
	assert_workload_warnings(
		"{'resources': {'m': {'type': 'mutex'}}, 'global': {'duration': 1, "
		"'calibration': 'CPU0', 'pi_enabled': false, 'lock_pages': true, "
		"'logdir': './', 'log_basename': 'x', 'log_size': 'file', 'ftrace': "
		"false, 'gnuplot': true, 'io_device': '/dev/null', 'mem_buffer_size': "
		"1, 'cumulative_slack': true}, " TASK "}",
		"");
}

static void assert_global_error(const char *global, const char *message)
{
	g_autofree char *json =
		g_strdup_printf("{'global': {'duration': 1, %s}, " TASK "}", global);

	assert_workload_error(json, INPUT_ERROR_VALUE, message);
}

static void settings_without_meaning_have_values_all_the_same(void **state)
{
	assert_global_error("'gnuplot': 1",
			    "global.gnuplot: expected true or false, got 1");
	assert_global_error("'lock_pages': 'yes'",
			    "global.lock_pages: expected true or false, got \"yes\"");
	assert_global_error("'calibration': 'CPU'",
			    "global.calibration: expected ns per loop or the name of a "
			    "CPU, got \"CPU\"");
	assert_global_error(
		"'ftrace': 'main,taks'",
		"global.ftrace: expected true, false or some of none, main, "
		"task, loop, event, stats and attrs, got \"main,taks\"");
	assert_global_error("'mem_buffer_size': 0",
			    "global.mem_buffer_size: expected a whole number from 1 to "
			    "2147483647, got 0");
	assert_global_error("'logdir': 5", "global.logdir: expected a string, got 5");
	assert_workload_warnings(
		"{'global': {'duration': 1, 'calibration': 12, 'log_size': 2, "
		"'ftrace': 'main, task', 'logdir': null}, " TASK "}",
		"");
}

static void settings_with_meaning_are_kept(void **state)
{
	struct workload_input in = workload_of(
		"{'global': {'duration': 1, 'mem_buffer_size': 4096, 'pi_enabled': "
		"true}, " TASK "}");

	assert_int_equal(in.workload->mem_buffer_bytes, 4096);
	assert_true(in.workload->pi_enabled);
	workload_input_clear(&in);
	in = workload_of("{'duration': '1s', " TASK "}");
	assert_int_equal(in.workload->mem_buffer_bytes, 4194304);
	assert_false(in.workload->pi_enabled);
	workload_input_clear(&in);
}

static void devices_are_taken_for_dev_null(void **state)
{
	assert_workload_warnings(
		"{'global': {'duration': 1, 'io_device': '/dev/sda'}, " TASK "}",
		"global.io_device: taken for \"/dev/null\", for devices are not "
		"simulated");
}

static void resources_are_objects_of_known_types(void **state)
{
	assert_workload_error(
		"{'resources': {'m': {'type': 'mutx'}}, " TASK "}", INPUT_ERROR_VALUE,
		"resources.m.type: expected \"mutex\", \"signal\", "
		"\"wait\", \"broadcast\", \"sync\", \"sleep\", \"run\" or "
		"\"timer\", got \"mutx\"");
	assert_workload_warnings("{'resources': 4, 'duration': '1s', " TASK "}",
				 "resources: ignored, as rt-app does but for those of "
				 "before 2015, where "
				 "it was a number of mutexes");
}

static void keys_that_rt_app_ignores_are_warned_of(void **state)
{
	assert_workload_warnings(
		"{'global': {'duration': 1, 'frag': 1, 'spacing': 0}, " TASK "}",
		"global.frag: ignored, as rt-app does\n"
		"global.spacing: ignored, as rt-app does");
}

static void assert_param(const struct workload_input *in, guint i, const char *name,
			 const char *value)
{
	const struct workload_param *p = in->workload->params->pdata[i];

	assert_string_equal(p->name, name);
	assert_string_equal(p->value, value);
}

static void parameters_are_computed_from_those_before(void **state)
{
	struct workload_input in = workload_of(
		"{'duration': '1s', 'params': {'load': 0.9, 'cpus': 16, 'gap': "
		"'=45us/(cpus*load)'}, 'tasks': {'t': {'run': '=gap'}}}");

	assert_int_equal(in.workload->params->len, 3);
	assert_param(&in, 0, "load", "0.9");
	assert_param(&in, 2, "gap", "3125ns");
	workload_input_clear(&in);
}

/* The names and values of @pairs (ends with NULL). */
static GHashTable *overrides_of(const char *const *pairs)
{
	GHashTable *t = g_hash_table_new(g_str_hash, g_str_equal);

	for (; *pairs; pairs += 2)
		g_hash_table_insert(t, (gpointer)pairs[0], (gpointer)pairs[1]);
	return t;
}

static void the_command_line_sets_parameters_before_others_use_them(void **state)
{
	const char *const pairs[] = {"load", "0.5", NULL};
	g_autoptr(GHashTable) overrides = overrides_of(pairs);
	const struct workload_options options = {.duration_ns = UINT64_MAX,
						 .warmup_ns = UINT64_MAX,
						 .params = overrides};
	struct workload_input in = workload_with(
		"{'duration': '1s', 'params': {'load': 0.9, 'gap': '=45us/load'}, "
		"'tasks': {'t': {'run': '=gap'}}}",
		&options);

	assert_param(&in, 0, "load", "0.5");
	assert_param(&in, 1, "gap", "90us");
	workload_input_clear(&in);
}

static void assert_override_error(const char *name, const char *value,
				  const char *message)
{
	const char *const pairs[] = {name, value, NULL};
	g_autoptr(GHashTable) overrides = overrides_of(pairs);
	const struct workload_options options = {.duration_ns = UINT64_MAX,
						 .warmup_ns = UINT64_MAX,
						 .params = overrides};
	const char *json = "{\"duration\": \"1s\", \"params\": {\"load\": 0.9}, "
			   "\"tasks\": {\"t\": {\"run\": {\"param\": \"load\"}}}}";
	struct workload_input in;
	GError *error = NULL;

	assert_false(workload_read_text(json, strlen(json), "w.json", &options, &in,
					&error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
}

static void wrong_parameters_of_the_command_line_are_named(void **state)
{
	assert_override_error("laod", "1",
			      "w.json: --param laod: expected a parameter, got "
			      "\"laod\"; the nearest is \"load\"");
	assert_override_error("load", "0,9",
			      "w.json: --param load: expected an operator or the end, "
			      "got ',' in \"0,9\"");
	assert_override_error("load", "load",
			      "w.json: --param load: expected a number or a time, got "
			      "\"load\" in \"load\"");
}

static void wrong_parameters_of_the_file_are_named(void **state)
{
	static const char *const cases[][2] = {
		{"{'params': 1, " TASK "}",
		 "params: expected an object of named numbers, got 1"},
		{"{'params': {'a-b': 1}, " TASK "}",
		 "params.a-b: expected a name of letters, digits and _"},
		{"{'params': {'a': 1, 'a': 2}, " TASK "}",
		 "params: expected the key \"a\" once, got it again"},
		{"{'params': {'a': '=b', 'b': 1}, " TASK "}",
		 "params.a: expected no parameter, for \"params\" defines none so far, "
		 "got \"b\""},
		{"{'params': {'a': 'x'}, " TASK "}",
		 "params.a: expected a number or a time such as \"250us\", got \"x\""},
		{"{'duration': '1s', 'tasks': {'t': {'run': {'param': 'x'}}}}",
		 "tasks.t.run.param: expected no parameter, for \"params\" defines "
		 "none "
		 "so far, got \"x\""},
		{"{'duration': '1s', 'tasks': {'t': {'run': {'param': 1}}}}",
		 "tasks.t.run: expected a parameter's name in \"param\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_workload_error(cases[i][0], INPUT_ERROR_VALUE, cases[i][1]);
}

static void a_parameter_without_use_is_warned_of(void **state)
{
	assert_workload_warnings("{'duration': '1s', 'params': {'load': 0.9}, " TASK
				 "}",
				 "params.load: not used");
	assert_workload_warnings("{'duration': '1s', 'params': {'load': 2, 'gap': "
				 "'=load*1us'}, 'tasks': {'t': {'run': {'param': "
				 "'gap'}}}}",
				 "");
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
	struct workload_input in;
	GError *error = NULL;

	assert_false(workload_read("/nowhere/w.json", NULL, &in, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_FILE,
		     "/nowhere/w.json: No such file or directory");
	error = NULL;
	assert_false(workload_read("/", NULL, &in, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_FILE, "/: Is a directory");
}

static void a_file_is_read_as_its_text(void **state)
{
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp(NULL, &path, NULL);
	struct workload_input in;

	assert_true(fd >= 0);
	assert_true(g_file_set_contents(
		path, "{\"tasks\": {\"t\": {\"loop\": 1, \"run\": 1}}}\n", -1, NULL));
	assert_true(workload_read(path, NULL, &in, NULL));
	assert_int_equal(in.workload->nr_tasks, 1);
	assert_string_equal(in.workload->path, path);
	workload_input_clear(&in);
	g_close(fd, NULL);
	g_unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_of_rt_app_are_seconds),
		cmocka_unit_test(a_workload_of_finite_tasks_needs_no_duration),
		cmocka_unit_test(others_without_a_duration_are_refused),
		cmocka_unit_test(the_command_line_has_the_last_word_on_times),
		cmocka_unit_test(the_text_about_it_is_kept),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(syntax_errors_have_the_file_before_them),
		cmocka_unit_test(settings_of_rt_app_s_logs_are_taken_without_noise),
		cmocka_unit_test(settings_without_meaning_have_values_all_the_same),
		cmocka_unit_test(settings_with_meaning_are_kept),
		cmocka_unit_test(devices_are_taken_for_dev_null),
		cmocka_unit_test(resources_are_objects_of_known_types),
		cmocka_unit_test(keys_that_rt_app_ignores_are_warned_of),
		cmocka_unit_test(parameters_are_computed_from_those_before),
		cmocka_unit_test(
			the_command_line_sets_parameters_before_others_use_them),
		cmocka_unit_test(wrong_parameters_of_the_command_line_are_named),
		cmocka_unit_test(wrong_parameters_of_the_file_are_named),
		cmocka_unit_test(a_parameter_without_use_is_warned_of),
		cmocka_unit_test(a_file_that_cannot_be_read_is_named),
		cmocka_unit_test(a_file_is_read_as_its_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
