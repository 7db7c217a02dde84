/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other people's rt-app files, as tests/rtapp/expected.tsv lists them: each runs,
 * or is refused for a feature, or is wrong at a place.
 *
 * They are read from the folders that SCHEDSIM_RTAPP and SCHEDSIM_RTAPP_EXAMPLES name,
 * the latter by default where Debian's package puts its examples; the test of a folder
 * that is not there is skipped.
 */
#include "schedsim/error.h"
#include "schedsim/units.h"
#include "schedsim/wakeup.h"
#include "test.h"
#include "wakeup/registry.h"
#include "workload/simulation.h"

#include <stdio.h>
#include <string.h>

#define SKIPPED 77

/* Enough for each file's threads to start and meet. */
#define SIMULATED_NS (300 * NSEC_PER_MSEC)

#define DEBIAN_EXAMPLES "/usr/share/doc/rt-app/examples"

/* Files of rows whose names begin with @prefix. */
struct set {
	const char *folder; /* not owned */
	const char *prefix;
};

/* "runs", and it does for a while. */
static char *run(struct workload_input *in)
{
	struct wakeup_policy policy =
		wakeup_policy_complete(wakeup_policy_find("baseline"));
	g_autoptr(simulation) s = NULL;
	g_autoptr(GError) error = NULL;

	in->spec.policy = &policy;
	s = simulation_new(in, 1, NULL, NULL);
	if (simulation_run(s, &error))
		return g_strdup("runs");
	return g_strdup_printf("stops: %s", error->message);
}

/* The feature of "PLACE: FEATURE is not simulated yet". */
static char *feature_of(const char *message)
{
	g_autofree char *text = g_strdup(message);
	char *end = strstr(text, " is not simulated yet");

	g_assert_nonnull(end);
	*end = '\0';
	return g_strconcat("refused:", strrchr(text, ':') + 2, NULL);
}

/* The place of "FILE: PLACE: expected ..." or "FILE: expected ...". */
static char *place_of(const char *message, const char *path)
{
	const char *place = message + strlen(path) + 2;
	const char *end = strstr(place - 2, ": expected");

	g_assert_nonnull(end);
	if (end < place)
		return g_strdup("error:the root");
	return g_strdup_printf("error:%.*s", (int)(end - place), place);
}

static char *verdict_of(const char *path)
{
	const struct workload_options options = {.duration_ns = SIMULATED_NS,
						 .warmup_ns = UINT64_MAX};
	g_autoptr(GError) error = NULL;
	struct workload_input in;
	char *verdict;

	if (!workload_read(path, &options, &in, &error))
		return g_error_matches(error, INPUT_ERROR, INPUT_ERROR_UNSUPPORTED)
			       ? feature_of(error->message)
			       : place_of(error->message, path);
	verdict = run(&in);
	workload_input_clear(&in);
	return verdict;
}

static char *sha256_of(const char *path)
{
	g_autofree char *text = NULL;
	gsize length;

	if (!g_file_get_contents(path, &text, &length, NULL))
		fail_msg("%s cannot be read", path);
	return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (guchar *)text, length);
}

static bool is_of(const struct set *set, const char *name)
{
	return *set->prefix ? g_str_has_prefix(name, set->prefix) : !strchr(name, '/');
}

/* Name, checksum, verdict and perhaps a reason, by name: rows of @set. */
static GHashTable *read_expected(const struct set *set)
{
	GHashTable *rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						 (GDestroyNotify)g_strfreev);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	assert_true(g_file_get_contents(TEST_DATA "/rtapp/expected.tsv", &text, NULL,
					NULL));
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		char **row;

		if (!**line || **line == '#')
			continue;
		row = g_strsplit(*line, "\t", 4);
		assert_true(g_strv_length(row) >= 3);
		if (is_of(set, row[0]))
			g_hash_table_insert(rows, g_strdup(row[0]), row);
		else
			g_strfreev(row);
	}
	return rows;
}

static int check_file(const char *path, const char *name, const char *const *row)
{
	g_autofree char *sha256 = sha256_of(path);
	g_autofree char *verdict = verdict_of(path);

	if (!row)
		print_error("%s: not in the table\t%s\t%s\n", name, sha256, verdict);
	else if (strcmp(row[1], sha256))
		print_error("%s: not the file of the table\n", name);
	else if (strcmp(row[2], verdict))
		print_error("%s: expected %s, got %s\n", name, row[2], verdict);
	else
		return 0;
	return 1;
}

/* Adds the .json files below @folder, as names relative to it after @prefix. */
static void list_files(const char *folder, const char *prefix, GPtrArray *names)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	assert_non_null(dir);
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		g_autofree char *below = g_strconcat(prefix, name, "/", NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR))
			list_files(path, below, names);
		else if (g_str_has_suffix(name, ".json"))
			g_ptr_array_add(names, g_strconcat(prefix, name, NULL));
	}
}

static void check_set(const struct set *set)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) expected = read_expected(set);
	int wrong = 0;

	list_files(set->folder, set->prefix, names);
	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *path =
			g_build_filename(set->folder, name + strlen(set->prefix), NULL);

		wrong += check_file(path, name, g_hash_table_lookup(expected, name));
	}
	print_message("%u files\n", names->len);
	assert_int_equal(wrong, 0);
	assert_int_equal(names->len, g_hash_table_size(expected));
}

static void every_file_is_as_the_table_says(void **state)
{
	const struct set set = {g_getenv("SCHEDSIM_RTAPP"), ""};

	if (!set.folder) {
		print_message("SCHEDSIM_RTAPP names no folder of rt-app files\n");
		skip();
	}
	check_set(&set);
}

static const char *examples_folder(void)
{
	const char *named = g_getenv("SCHEDSIM_RTAPP_EXAMPLES");

	if (named)
		return named;
	return g_file_test(DEBIAN_EXAMPLES, G_FILE_TEST_IS_DIR) ? DEBIAN_EXAMPLES
								: NULL;
}

static void every_example_of_debian_is_as_the_table_says(void **state)
{
	const struct set set = {examples_folder(), "debian/"};

	if (!set.folder) {
		print_message("no examples of rt-app in " DEBIAN_EXAMPLES
			      ", and SCHEDSIM_RTAPP_EXAMPLES names no folder\n");
		skip();
	}
	check_set(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_file_is_as_the_table_says),
		cmocka_unit_test(every_example_of_debian_is_as_the_table_says),
	};

	if (!g_getenv("SCHEDSIM_RTAPP") && !examples_folder()) {
		puts("skipped: SCHEDSIM_RTAPP names no folder of rt-app files, and "
		     "there "
		     "are no examples of rt-app in " DEBIAN_EXAMPLES);
		return SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
