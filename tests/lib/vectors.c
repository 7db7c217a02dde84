/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vectors.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

/* Mismatches printed of one file; the rest is counted. */
#define MISMATCHES_SHOWN 20

void vector_broken(const struct vector_case *c, const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list args;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	fail_msg("%s: case %zu: %s", c->file->path, c->number, what);
	g_assert_not_reached();
}

static bool lists_word(const char *words, const char *word)
{
	g_auto(GStrv) list = g_strsplit(words ? words : "", " ", -1);

	return g_strv_contains((const char *const *)list, word);
}

static json_object *find_field(const struct vector_case *c, const char *field)
{
	json_object *value = NULL;

	if (!c->file->columns) {
		json_object_object_get_ex(c->json, field, &value);
		return value;
	}
	for (size_t i = 0; i < json_object_array_length(c->file->columns); i++)
		if (!strcmp(field, json_object_get_string(json_object_array_get_idx(
					   c->file->columns, i))))
			value = json_object_array_get_idx(c->json, i);
	return value;
}

json_object *vector_get(const struct vector_case *c, const char *field)
{
	json_object *value = find_field(c, field);

	if (!value)
		vector_broken(c, "%s: expected a field, got none", field);
	return value;
}

uint64_t vector_u64_of(const struct vector_case *c, json_object *number)
{
	int64_t value;

	if (!json_object_is_type(number, json_type_int))
		vector_broken(c, "expected an integer, got %s",
			      number ? json_object_to_json_string(number) : "none");
	value = json_object_get_int64(number);
	return value < 0 ? (uint64_t)value : json_object_get_uint64(number);
}

uint64_t vector_u64(const struct vector_case *c, const char *field)
{
	return vector_u64_of(c, vector_get(c, field));
}

int64_t vector_s64(const struct vector_case *c, const char *field)
{
	return (int64_t)vector_u64(c, field);
}

bool vector_bool(const struct vector_case *c, const char *field)
{
	return vector_u64(c, field) != 0;
}

static json_object *checked_array(const struct vector_case *c, json_object *array,
				  size_t length, const char *what)
{
	if (!json_object_is_type(array, json_type_array))
		vector_broken(c, "%s: expected an array", what);
	if (length != SIZE_MAX && json_object_array_length(array) != length)
		vector_broken(c, "%s: expected %zu elements, got %zu", what, length,
			      json_object_array_length(array));
	return array;
}

json_object *vector_array(const struct vector_case *c, const char *field, size_t length)
{
	return checked_array(c, vector_get(c, field), length, field);
}

json_object *vector_array_at(const struct vector_case *c, json_object *array, size_t i,
			     size_t length)
{
	return checked_array(c, json_object_array_get_idx(array, i), length,
			     "an array's element");
}

uint64_t vector_u64_at(const struct vector_case *c, json_object *array, size_t i)
{
	return vector_u64_of(c, json_object_array_get_idx(array, i));
}

int64_t vector_s64_at(const struct vector_case *c, json_object *array, size_t i)
{
	return (int64_t)vector_u64_at(c, array, i);
}

const char *vector_string_at(const struct vector_case *c, json_object *array, size_t i)
{
	json_object *text = json_object_array_get_idx(array, i);

	if (!json_object_is_type(text, json_type_string))
		vector_broken(c, "expected a string");
	return json_object_get_string(text);
}

/* @object has all of @fields and, beside them, nothing but @optional. */
static void check_fields(const struct vector_case *c, json_object *object,
			 const char *fields, const char *optional)
{
	g_auto(GStrv) wanted = g_strsplit(fields, " ", -1);

	if (!json_object_is_type(object, json_type_object))
		vector_broken(c, "expected an object");
	for (char **field = wanted; *field; field++)
		if (!json_object_object_get_ex(object, *field, NULL))
			vector_broken(c, "%s: expected a field, got none", *field);
	json_object_object_foreach(object, key, value) if (!lists_word(fields, key) &&
							   !lists_word(optional, key))
		vector_broken(c, "unknown field \"%s\"", key);
}

json_object *vector_object(const struct vector_case *c, const char *field,
			   const char *fields)
{
	json_object *object = vector_get(c, field);

	check_fields(c, object, fields, NULL);
	return object;
}

json_object *vector_member(const struct vector_case *c, json_object *object,
			   const char *field)
{
	json_object *value = NULL;

	if (!json_object_object_get_ex(object, field, &value))
		vector_broken(c, "%s: expected a field, got none", field);
	return value;
}

int64_t vector_member_s64(const struct vector_case *c, json_object *object,
			  const char *field)
{
	return (int64_t)vector_u64_of(c, vector_member(c, object, field));
}

static void report_mismatch(struct vector_case *c, const char *what,
			    const char *expected, const char *got)
{
	if (++c->file->nr_mismatches <= MISMATCHES_SHOWN)
		printf("%s: case %zu: %s: expected %s, got %s\n", c->file->name,
		       c->number, what, expected, got);
}

void vector_expect_u64(struct vector_case *c, uint64_t expected, uint64_t got,
		       const char *format, ...)
{
	g_autofree char *what = NULL, *left = NULL, *right = NULL;
	va_list args;

	if (expected == got)
		return;
	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	left = g_strdup_printf("%" G_GUINT64_FORMAT, expected);
	right = g_strdup_printf("%" G_GUINT64_FORMAT, got);
	report_mismatch(c, what, left, right);
}

void vector_expect_s64(struct vector_case *c, int64_t expected, int64_t got,
		       const char *format, ...)
{
	g_autofree char *what = NULL, *left = NULL, *right = NULL;
	va_list args;

	if (expected == got)
		return;
	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	left = g_strdup_printf("%" G_GINT64_FORMAT, expected);
	right = g_strdup_printf("%" G_GINT64_FORMAT, got);
	report_mismatch(c, what, left, right);
}

void vector_expect_field(struct vector_case *c, const char *field, uint64_t got)
{
	vector_expect_u64(c, vector_u64(c, field), got, "%s", field);
}

static void open_file(struct vector_file *file, const char *name)
{
	const char *folder = g_getenv("SCHEDSIM_VECTORS");
	g_autofree char *with_suffix = g_strconcat(name, ".json", NULL);

	file->name = name;
	file->path = g_build_filename(folder && *folder ? folder : VECTORS_SUBSET,
				      with_suffix, NULL);
	file->root = json_object_from_file(file->path);
	if (!file->root)
		fail_msg("%s: %s", file->path, json_util_get_last_err());
	json_object_object_get_ex(file->root, "columns", &file->columns);
	json_object_object_get_ex(file->root, file->columns ? "rows" : "cases",
				  &file->cases);
	if (!json_object_is_type(file->cases, json_type_array) ||
	    !json_object_array_length(file->cases))
		fail_msg("%s: expected cases, got none", file->path);
}

static void close_file(struct vector_file *file)
{
	json_object_put(file->root);
	g_free(file->path);
}

/* The columns, as if they were the keys of an object. */
static void check_columns(const struct vector_case *c, const struct vector_entry *entry)
{
	json_object *keys = json_object_new_object();

	for (size_t i = 0; i < json_object_array_length(c->file->columns); i++)
		json_object_object_add(keys, vector_string_at(c, c->file->columns, i),
				       json_object_new_int(0));
	check_fields(c, keys, entry->fields, entry->optional);
	json_object_put(keys);
}

static void check_case(struct vector_case *c, const struct vector_entry *entry)
{
	if (c->file->columns) {
		checked_array(c, c->json, json_object_array_length(c->file->columns),
			      "row");
		if (!c->number)
			check_columns(c, entry);
	} else {
		check_fields(c, c->json, entry->fields, entry->optional);
	}
	entry->check(c);
}

static void every_case_gives_the_kernels_figures(void **state)
{
	const struct vector_entry *entry = *state;
	struct vector_file file = {0};
	size_t nr_cases;

	open_file(&file, entry->file);
	nr_cases = json_object_array_length(file.cases);
	for (size_t i = 0; i < nr_cases; i++) {
		struct vector_case c = {&file, i,
					json_object_array_get_idx(file.cases, i)};

		check_case(&c, entry);
	}
	printf("%s: %zu cases run, %u figures differ\n", file.path, nr_cases,
	       file.nr_mismatches);
	assert_int_equal(file.nr_mismatches, 0);
	close_file(&file);
}

int vectors_main(int argc, char **argv, const struct vector_entry *entries)
{
	const struct vector_entry *entry = entries;

	while (entry->file && (argc != 2 || strcmp(entry->file, argv[1])))
		entry++;
	if (!entry->file) {
		fprintf(stderr, "%s: expected the name of a vector file\n", argv[0]);
		return 2;
	}

	const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(
		every_case_gives_the_kernels_figures, (void *)entry)};

	return cmocka_run_group_tests_name(entry->file, tests, NULL, NULL);
}
