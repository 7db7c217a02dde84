/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be seen of a file while it is written, and afterwards.
 */
#include "test.h"

#include "report/output_file.h"
#include "schedsim/error.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int make_folder(void **state)
{
	*state = g_dir_make_tmp(NULL, NULL);
	return *state ? 0 : -1;
}

static int remove_folder(void **state)
{
	GDir *folder = g_dir_open(*state, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(folder))) {
		g_autofree char *path = g_build_filename(*state, name, NULL);

		g_remove(path);
	}
	g_dir_close(folder);
	g_rmdir(*state);
	g_free(*state);
	return 0;
}

static guint nr_files(const char *path)
{
	GDir *folder = g_dir_open(path, 0, NULL);
	guint nr = 0;

	while (g_dir_read_name(folder))
		nr++;
	g_dir_close(folder);
	return nr;
}

static void assert_content(const char *path, const char *expected)
{
	g_autofree char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_string_equal(text, expected);
}

static void one_plain_file_has_many_names(void **state)
{
	g_autofree char *path = g_build_filename(*state, "out", NULL);
	g_autofree char *link = g_build_filename(*state, "link", NULL);
	g_autofree char *roundabout = g_build_filename(*state, ".", "out", NULL);

	/* not there yet: by the name alone */
	assert_true(same_file(path, roundabout));
	assert_false(same_file(path, link));
	assert_true(g_file_set_contents(path, "", 0, NULL));
	assert_int_equal(symlink(path, link), 0);
	assert_true(same_file(path, link));
	assert_true(same_file(path, roundabout));
	assert_false(same_file(path, *state));
	assert_false(same_file("/dev/null", "/dev/null"));
}

static void nothing_is_seen_before_the_end(void **state)
{
	g_autofree char *path = g_build_filename(*state, "out", NULL);
	g_autoptr(output_file) o = output_file_open(path, NULL);

	fputs("half", output_file_stream(o));
	fflush(output_file_stream(o));
	assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	assert_true(output_file_commit(o, NULL));
	assert_content(path, "half");
	assert_int_equal(nr_files(*state), 1);
}

static void a_file_that_is_given_up_leaves_the_old_one(void **state)
{
	g_autofree char *path = g_build_filename(*state, "out", NULL);
	output_file *o;

	g_file_set_contents(path, "old", -1, NULL);
	o = output_file_open(path, NULL);
	fputs("new", output_file_stream(o));
	output_file_free(o);
	assert_content(path, "old");
	assert_int_equal(nr_files(*state), 1);
}

static void an_old_file_is_replaced(void **state)
{
	g_autofree char *path = g_build_filename(*state, "out", NULL);
	g_autoptr(output_file) o = NULL;

	g_file_set_contents(path, "old, and longer", -1, NULL);
	o = output_file_open(path, NULL);
	fputs("new", output_file_stream(o));
	assert_true(output_file_commit(o, NULL));
	assert_content(path, "new");
}

static void a_link_stays_a_link(void **state)
{
	g_autofree char *path = g_build_filename(*state, "real", NULL);
	g_autofree char *link_path = g_build_filename(*state, "link", NULL);
	g_autoptr(output_file) o = NULL;

	g_file_set_contents(path, "old", -1, NULL);
	assert_int_equal(symlink("real", link_path), 0);
	o = output_file_open(link_path, NULL);
	fputs("new", output_file_stream(o));
	assert_true(output_file_commit(o, NULL));
	assert_true(g_file_test(link_path, G_FILE_TEST_IS_SYMLINK));
	assert_content(path, "new");
}

/* As /dev/null is, which must not become a plain file. */
static void a_pipe_is_written_to(void **state)
{
	g_autofree char *path = g_build_filename(*state, "pipe", NULL);
	g_autoptr(output_file) o = NULL;
	char text[4] = "";
	int reader;

	assert_int_equal(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK);
	o = output_file_open(path, NULL);
	fputs("new", output_file_stream(o));
	assert_true(output_file_commit(o, NULL));
	assert_int_equal(read(reader, text, 3), 3);
	assert_string_equal(text, "new");
	close(reader);
}

static void a_place_that_does_not_exist_is_refused_at_once(void **state)
{
	g_autofree char *path = g_build_filename(*state, "none", "out", NULL);
	g_autofree char *message = g_strdup_printf(
		"%s: expected to write it: No such file or directory", path);
	GError *error = NULL;

	assert_null(output_file_open(path, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_FILE, message);
}

static void a_folder_is_refused(void **state)
{
	g_autofree char *message = g_strdup_printf(
		"%s: expected to write it: Is a directory", (char *)*state);
	GError *error = NULL;

	assert_null(output_file_open(*state, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_FILE, message);
}

/* Writing @size bytes to a full disk fails for want of space. */
static void assert_disk_full(const char *folder, gsize size)
{
	g_autofree char *path = g_build_filename(folder, "full", NULL);
	g_autofree char *message = g_strdup_printf(
		"%s: expected to write it: No space left on device", path);
	g_autoptr(output_file) o = NULL;
	GError *error = NULL;

	/* As /dev/full is; the real one is not for tests that may replace it. */
	if (mknod(path, S_IFCHR | 0600, makedev(1, 7)))
		skip();
	o = output_file_open(path, NULL);
	if (!o)
		skip(); /* a file system without devices */
	for (gsize i = 0; i < size; i++)
		fputc('x', output_file_stream(o));
	assert_false(output_file_commit(o, &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_FILE, message);
}

static void a_full_disk_is_reported(void **state)
{
	assert_disk_full(*state, 4);
}

/* As many bytes as the stream keeps leave it empty when the file is closed. */
static void a_disk_that_was_full_before_the_end_is_too(void **state)
{
	assert_disk_full(*state, 2 * BUFSIZ + 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_plain_file_has_many_names),
		TEST(nothing_is_seen_before_the_end),
		TEST(a_file_that_is_given_up_leaves_the_old_one),
		TEST(an_old_file_is_replaced),
		TEST(a_link_stays_a_link),
		TEST(a_pipe_is_written_to),
		TEST(a_place_that_does_not_exist_is_refused_at_once),
		TEST(a_folder_is_refused),
		TEST(a_full_disk_is_reported),
		TEST(a_disk_that_was_full_before_the_end_is_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
