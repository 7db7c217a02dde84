/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vectors: files of cases with the figures a real kernel computed for them.
 *
 * A file holds either "columns" and "rows" of numbers, or "cases" of JSON
 * objects; both are read field by field, as exact 64-bit integers.  The folder
 * is $SCHEDSIM_VECTORS when the test runs, otherwise the subset kept beside the
 * tests.
 */
#ifndef VECTORS_H
#define VECTORS_H

#include <glib.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

struct vector_file {
	const char *name;     /* without .json; not owned */
	char *path;           /* owned */
	json_object *root;    /* owned */
	json_object *cases;   /* of root: rows or cases */
	json_object *columns; /* of root; NULL where cases are objects */
	unsigned nr_mismatches;
};

/* One case; the fields of a row are found by its column's name. */
struct vector_case {
	struct vector_file *file;
	size_t number; /* from 0, in the order of the file */
	json_object *json;
};

typedef void (*vector_check)(struct vector_case *c);

/* One file a test program knows. */
struct vector_entry {
	const char *file;     /* name without .json */
	const char *fields;   /* that every case has, separated by spaces */
	const char *optional; /* that a case may have; NULL: none */
	vector_check check;
};

/*
 * Runs every case of the file named by argv[1] through its entry's check.  The
 * test fails when the file is missing or holds no case, when a case has other
 * fields than the entry says, and when any figure differs.
 *
 * @entries ends with a NULL file.  Returns the number of failed tests.
 */
int vectors_main(int argc, char **argv, const struct vector_entry *entries);

/* Ends the test: the case is not of the form that its file describes. */
void vector_broken(const struct vector_case *c, const char *format, ...)
	G_GNUC_PRINTF(2, 3) G_GNUC_NORETURN;

/* A field of the case; a missing one ends the test. */
json_object *vector_get(const struct vector_case *c, const char *field);
uint64_t vector_u64(const struct vector_case *c, const char *field);
int64_t vector_s64(const struct vector_case *c, const char *field);
bool vector_bool(const struct vector_case *c, const char *field);

/* A field that is an array of @length; SIZE_MAX: of any length. */
json_object *vector_array(const struct vector_case *c, const char *field,
			  size_t length);
/* The same for an element of an array. */
json_object *vector_array_at(const struct vector_case *c, json_object *array, size_t i,
			     size_t length);

/* Exact integers, negative ones as their 64 bits. */
uint64_t vector_u64_of(const struct vector_case *c, json_object *number);
uint64_t vector_u64_at(const struct vector_case *c, json_object *array, size_t i);
int64_t vector_s64_at(const struct vector_case *c, json_object *array, size_t i);
const char *vector_string_at(const struct vector_case *c, json_object *array, size_t i);

/* The object under @field, and a field of it. */
json_object *vector_object(const struct vector_case *c, const char *field,
			   const char *fields);
json_object *vector_member(const struct vector_case *c, json_object *object,
			   const char *field);
int64_t vector_member_s64(const struct vector_case *c, json_object *object,
			  const char *field);

/* Counts and prints a mismatch where @got is not @expected; @format says of what. */
void vector_expect_u64(struct vector_case *c, uint64_t expected, uint64_t got,
		       const char *format, ...) G_GNUC_PRINTF(4, 5);
void vector_expect_s64(struct vector_case *c, int64_t expected, int64_t got,
		       const char *format, ...) G_GNUC_PRINTF(4, 5);
/* The expected figure is the case's @field. */
void vector_expect_field(struct vector_case *c, const char *field, uint64_t got);

#endif
