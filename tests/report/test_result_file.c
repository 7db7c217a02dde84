/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What json_report() writes, result_read() reads; what nobody wrote is refused
 * with its place.
 */
#include "test.h"

#include "report/check.h"
#include "report/result_file.h"
#include "report/writers.h"
#include "schedsim/error.h"

#include <glib/gstdio.h>
#include <string.h>

#define WORKLOAD                                                                       \
	"{\"duration\": \"20ms\", \"machine\": \"1n1l2c1t\", \"params\": {\"work\": "  \
	"1}, "                                                                         \
	"\"tasks\": {\"a\": {\"loop\": -1, \"run\": \"=work*1ms\", \"sleep\": 500}, "  \
	"\"b\": {\"loop\": -1, \"instance\": 3, \"run\": 700, \"sleep\": 300}}}"

struct fixture {
	char *folder, *workload, *result;
};

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->folder = g_dir_make_tmp(NULL, NULL);
	f->workload = g_build_filename(f->folder, "workload.json", NULL);
	f->result = g_build_filename(f->folder, "result.json", NULL);
	*state = f;
	return g_file_set_contents(f->workload, WORKLOAD, -1, NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	g_remove(f->workload);
	g_remove(f->result);
	g_rmdir(f->folder);
	g_free(f->folder);
	g_free(f->workload);
	g_free(f->result);
	g_free(f);
	return 0;
}

/* Two steps, two policies, three seeds. */
static experiment *run(const struct fixture *f, unsigned threads)
{
	struct experiment_options options = {.threads = threads};
	struct experiment_spec spec;
	experiment *e;

	experiment_spec_init(&spec);
	spec.workloads = g_strsplit(f->workload, "\n", -1);
	spec.policies = g_strsplit("baseline|mine=baseline:NO_WA_WEIGHT", "|", -1);
	spec.runs = 3;
	spec.seed = 5;
	assert_true(experiment_spec_add_param(&spec, "work=1..2:2", NULL));
	e = experiment_run(&spec, &options, NULL);
	assert_non_null(e);
	return e;
}

static experiment *read_back(const struct fixture *f, const char *text)
{
	experiment *e;

	assert_true(g_file_set_contents(f->result, text, -1, NULL));
	e = result_read(f->result, NULL);
	assert_non_null(e);
	return e;
}

static void what_is_written_is_read(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(experiment) e = run(f, 1);
	g_autofree char *text = json_report(e);
	g_autoptr(experiment) again = read_back(f, text);
	g_autofree char *text_again = json_report(again);
	g_autoptr(GString) differences = g_string_new(NULL);

	assert_string_equal(text_again, text);
	assert_true(check_comparable(again, e, NULL));
	assert_true(check_equal(again, e, differences));
	assert_string_equal(differences->str, "");
	assert_int_equal(experiment_nr_cells(again), 2 * 2 * 3);
}

static void threads_change_nothing(void **state)
{
	g_autoptr(experiment) one = run(*state, 1);
	g_autoptr(experiment) three = run(*state, 3);
	g_autofree char *text = json_report(one);
	g_autofree char *text_of_three = json_report(three);

	assert_string_equal(text, text_of_three);
}

/* @text with its first @from replaced by @to.  (transfer full) */
static char *changed(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	assert_non_null(at);
	return g_strdup_printf("%.*s%s%s", (int)(at - text), text, to,
			       at + strlen(from));
}

static void a_difference_is_named_with_its_size(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(experiment) e = run(f, 1);
	g_autofree char *text = json_report(e);
	g_autoptr(GString) differences = g_string_new(NULL);
	g_autofree char *other = NULL, *expected = NULL;
	g_autoptr(experiment) old = NULL;
	struct figure name = {{"machine", "ttwu_count", NULL, NULL}, 0};
	int64_t is = figures_find(e->cells[0], &name, 0)->value;
	g_autofree char *member = g_strdup_printf("\"ttwu_count\": %d", (int)is);

	other = changed(text, member, "\"ttwu_count\": 1");
	old = read_back(f, other);
	assert_false(check_equal(old, e, differences));
	expected = g_strdup_printf("%s with work=1, policy baseline, seed 5: "
				   "machine.ttwu_count: was 1, is %d (+%d.0 %%)\n",
				   f->workload, (int)is, (int)(is - 1) * 100);
	assert_string_equal(differences->str, expected);
}

static void figures_that_come_or_go_are_differences(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(experiment) e = run(f, 1);
	g_autofree char *text = json_report(e);
	g_autofree char *other = changed(text, "\"ttwu_count\"", "\"ttwu_kount\"");
	g_autoptr(experiment) old = read_back(f, other);
	g_autoptr(GString) differences = g_string_new(NULL);

	assert_false(check_equal(old, e, differences));
	assert_non_null(strstr(differences->str, "machine.ttwu_kount: is missing\n"));
	assert_non_null(strstr(differences->str, "machine.ttwu_count: is new\n"));
}

static void another_workload_cannot_be_judged(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(experiment) e = run(f, 1);
	g_autofree char *text = json_report(e);
	g_autoptr(experiment) old = read_back(f, text);
	g_autoptr(experiment) now = NULL;
	g_autofree char *longer = g_strconcat(WORKLOAD, "\n", NULL);
	GError *error = NULL;

	assert_true(g_file_set_contents(f->workload, longer, -1, NULL));
	now = run(f, 1);
	assert_false(check_comparable(old, now, &error));
	assert_int_equal(error->code, INPUT_ERROR_VALUE);
	assert_non_null(strstr(error->message, "expected the file of the reference"));
	g_error_free(error);
}

static GArray *tolerances_of(const char *text)
{
	GArray *list = g_array_new(FALSE, TRUE, sizeof(struct tolerance));
	struct tolerance t;

	assert_true(tolerance_read(text, &t, NULL));
	g_array_append_val(list, t);
	return list;
}

static void free_tolerances(GArray *list)
{
	tolerance_clear(&g_array_index(list, struct tolerance, 0));
	g_array_unref(list);
}

/* Adds @amount to ttwu_count of every run. */
static void add_to_all(experiment *e, int64_t amount)
{
	static const struct figure name = {{"machine", "ttwu_count", NULL, NULL}, 0};

	for (guint i = 0; i < experiment_nr_cells(e); i++)
		((struct figure *)figures_find(e->cells[i], &name, 0))->value += amount;
}

static bool keeps(const experiment *was, const experiment *is, const char *limit)
{
	GArray *list = tolerances_of(limit);
	g_autoptr(GString) out = g_string_new(NULL);
	bool kept;

	assert_true(check_tolerances(was, is, list, out, &kept, NULL));
	assert_int_equal(kept, !out->len);
	free_tolerances(list);
	return kept;
}

static void tolerances_judge_the_metrics_they_name(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(experiment) e = run(f, 1);
	g_autofree char *text = json_report(e);
	g_autoptr(experiment) old = read_back(f, text);

	assert_true(keeps(old, e, "ttwu_count:0"));
	add_to_all(e, 2);
	assert_false(keeps(old, e, "ttwu_count:1"));
	assert_true(keeps(old, e, "ttwu_count:2"));
	assert_true(keeps(old, e, "switches:0"));
}

static void a_limit_must_mean_a_figure(void **state)
{
	g_autoptr(experiment) e = run(*state, 1);
	g_autoptr(GString) out = g_string_new(NULL);
	GArray *list = tolerances_of("no_such:5%");
	GError *error = NULL;
	bool kept;

	assert_false(check_tolerances(e, e, list, out, &kept, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		     "--limit: expected a figure's name, or the end of one, got "
		     "\"no_such\"; see schedsim list metrics");
	free_tolerances(list);
}

static void assert_refused(const struct fixture *f, const char *text,
			   const char *message)
{
	g_autofree char *whole = g_strdup_printf("%s: %s", f->result, message);
	GError *error = NULL;

	assert_true(g_file_set_contents(f->result, text, -1, NULL));
	assert_null(result_read(f->result, &error));
	assert_non_null(error);
	assert_string_equal(error->message, whole);
	assert_int_equal(error->domain, INPUT_ERROR);
	g_error_free(error);
}

/* What becomes of a result when @from is @to. */
static const struct {
	const char *from, *to, *message;
} changes[] = {
	{"\"schedsim\"", "\"sketchsim\"", "expected a key \"schedsim\", got none"},
	{"\"runs\": 3", "\"runs\": 0",
	 "inputs.runs: expected a whole number from 1 to 1000, got 0"},
	{"\"runs\": 3", "\"runs\": 4",
	 "results: expected a result for each of 16 runs, got 12"},
	{"\"runs\": 3", "\"runs\": 2.5",
	 "inputs.runs: expected a whole number from 1 to 1000, got 2.5"},
	{"\"seed\": 5", "\"seed\": 6",
	 "results[0]: expected case 0, policy \"baseline\" and seed 6, got 0, "
	 "\"baseline\" and 5"},
	{"\"figures\"", "\"numbers\"",
	 "results[0]: expected a key \"figures\", got none"},
	{"\"inputs\": {", "\"inputs\": {\"sed\": 1, ",
	 "inputs: expected a known key, got \"sed\"; the nearest is \"seed\""},
	{"\"seed\": 5,", "\"seed\": 5, \"seed\": 6,",
	 "inputs: expected the key \"seed\" once, got it again"},
	{"\"label\":", "\"labels\": 1, \"label\":",
	 "inputs.policies[0]: expected a known key, got \"labels\"; the "
	 "nearest is \"label\""},
	{"\"workloads\": [", "\"workloads\": [[\"path\"], ",
	 "inputs.workloads[0]: expected a key \"path\", got none"},
	{"\"sha256\":", "\"sha1\": \"0\", \"sha256\":",
	 "inputs.workloads[0]: expected a known key, got \"sha1\"; the nearest "
	 "is \"sha256\""},
	{"\"case\": 0,", "\"case\": 0, \"note\": 1,",
	 "results[0]: expected a known key, got \"note\"; the nearest is "
	 "\"case\""},
	{"\"wakeups\":", "\"wakeups\": 1, \"wakeups\":",
	 "results[0].figures.all: expected the key \"wakeups\" once, got it "
	 "again"},
	{"\"summary\": \"", "\"summary\": \"\\u001b[2J",
	 "inputs.policies[0].summary: expected a string without control "
	 "characters, got \"\\u001b[2Jthe kernel's own choice, without any "
	 "patch\""},
	{"\"figures\": {",
	 "\"figures\": {\"all\": {\"a\": {\"b\": {\"c\": {\"d\": 1}}}}, ",
	 "results[0].figures.all.a.b.c.d: expected objects at most 4 deep, got "
	 "more"},
};

static void what_is_no_result_is_refused_with_its_place(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(experiment) e = run(f, 1);
	g_autofree char *text = json_report(e);

	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
		g_autofree char *bad = changed(text, changes[i].from, changes[i].to);

		assert_refused(f, bad, changes[i].message);
	}
	assert_refused(f, "", "line 1: expected a result in JSON, got something else");
	assert_refused(f, "{\n\"schedsim\": \"\xe9\"}",
		       "line 2: expected UTF-8, got something else");
	assert_refused(f, "{\n\"a\": \n}",
		       "line 3: expected a result in JSON, got something else");
	assert_refused(f, "[]", "expected an object, got an empty array");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_written_is_read),
		TEST(threads_change_nothing),
		TEST(a_difference_is_named_with_its_size),
		TEST(figures_that_come_or_go_are_differences),
		TEST(another_workload_cannot_be_judged),
		TEST(tolerances_judge_the_metrics_they_name),
		TEST(a_limit_must_mean_a_figure),
		TEST(what_is_no_result_is_refused_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
