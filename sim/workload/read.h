/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One value each: a time, a whole number, a distribution, a list of CPUs.
 *
 * A value that @n does not hold is INPUT_ERROR_VALUE with the place, what was
 * expected and what came; the output is then untouched.
 */
#ifndef WORKLOAD_READ_H
#define WORKLOAD_READ_H

#include "base/dist.h"
#include "base/duration.h"
#include "schedsim/cpumask.h"
#include "workload/node.h"

/* What a number without unit is, where a time is expected. */
enum bare_unit {
	BARE_US,   /* microseconds: the keys of rt-app */
	BARE_NONE, /* refused */
};

/* 0..SPAN_MAX_NS, to the nearest nanosecond. */
bool read_time(const struct node *n, enum bare_unit bare, uint64_t *out_ns,
	       GError **error);
/* Whether @n is meant as a distribution; {"param": ...} is a value. */
bool is_distribution(const struct node *n);
/* As read_time(), or a distribution of times.  @out is to be cleared. */
bool read_time_dist(const struct node *n, enum bare_unit bare, struct dist *out,
		    GError **error);
/* A whole number from 1 or a distribution of them.  @out is to be cleared. */
bool read_count_dist(const struct node *n, struct dist *out, GError **error);
/* A whole number from @min to @max. */
bool read_int(const struct node *n, int64_t min, int64_t max, int64_t *out,
	      GError **error);
bool read_bool(const struct node *n, bool *out, GError **error);
/* Any string; it stays the file's. */
bool read_string(const struct node *n, const char **out, GError **error);
/* A string that is not empty, saying @what it is. */
bool read_name(const struct node *n, const char *what, const char **out,
	       GError **error);
/* The index in @names (ends with NULL). */
bool read_choice(const struct node *n, const char *const *names, int *out,
		 GError **error);
/* "0-3,8" or an array of numbers; never empty. */
bool read_cpus(const struct node *n, int nr_cpus, struct cpumask *out, GError **error);

#endif
