/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other people's rt-app files, as tests/rtapp/expected.tsv lists them: each runs,
 * or is refused for a feature, or is wrong at a place.
 *
 * They are read from the folder that SCHEDSIM_RTAPP names; without it the test is
 * skipped.
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

static const char *folder;

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

/* The place of "FILE: PLACE: expected ...". */
static char *place_of(const char *message, const char *path)
{
	const char *place = message + strlen(path) + 2;
	const char *end = strstr(place, ": expected");

	g_assert_nonnull(end);
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

/* Name, checksum and verdict by name. */
static GHashTable *read_expected(void)
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
		row = g_strsplit(*line, "\t", 3);
		assert_int_equal(g_strv_length(row), 3);
		g_hash_table_insert(rows, g_strdup(row[0]), row);
	}
	return rows;
}

static int check_file(const char *name, const char *const *row)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
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

static void every_file_is_as_the_table_says(void **state)
{
	g_autoptr(GHashTable) expected = read_expected();
	g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
	guint count = 0;
	int wrong = 0;
	const char *name;

	assert_non_null(files);
	while ((name = g_dir_read_name(files))) {
		if (!g_str_has_suffix(name, ".json"))
			continue;
		count++;
		wrong += check_file(name, g_hash_table_lookup(expected, name));
	}
	print_message("%u files\n", count);
	assert_int_equal(wrong, 0);
	assert_int_equal(count, g_hash_table_size(expected));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_file_is_as_the_table_says),
	};

	folder = g_getenv("SCHEDSIM_RTAPP");
	if (!folder) {
		puts("skipped: SCHEDSIM_RTAPP names no folder of rt-app files");
		return SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
