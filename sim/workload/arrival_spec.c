/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/arrival_spec.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "workload/params.h"
#include "workload/read.h"

#define EXPECTED_RATE "arrivals a second, a number above 0"

/* Arrivals a second, or a rate that an expression made of times. */
bool rate_read(const struct node *n, uint64_t *interval_ns, GError **error)
{
	struct quantity rate;
	struct rational second = rational_of(NSEC_PER_SEC);
	struct rational interval;

	if (!quantity_read(n, EXPECTED_RATE, &rate, error))
		return false;
	if (rate.time_power == -1)
		second = rational_of(1);
	if (rate.time_power > 0 || rate.value.num <= 0 ||
	    !rational_div(second, rate.value, &interval))
		return node_expected(n, EXPECTED_RATE, error);
	if (interval.num / interval.den >= (int64_t)SPAN_MAX_NS ||
	    !rational_round(interval))
		return node_expected(n, "a rate from 10^-6 to 10^9 a second", error);
	*interval_ns = rational_round(interval);
	return true;
}

/* Beside the workload's file, unless its path is absolute. */
static char *resolve(const char *workload_path, const char *file)
{
	g_autofree char *folder = g_path_get_dirname(workload_path);

	return g_path_is_absolute(file) ? g_strdup(file)
					: g_build_filename(folder, file, NULL);
}

static bool check_record(const char *path, enum arrival_values values, GError **error)
{
	g_autoptr(arrivals) record = arrivals_open(path, values, error);
	struct arrival next = {.count = 1};

	while (record && next.count)
		if (!arrivals_next(record, &next, error))
			return false;
	return record;
}

bool record_read(const struct node *n, const char *workload_path,
		 enum arrival_values values, char **path, GError **error)
{
	const char *name;

	if (!read_name(n, "a file's name", &name, error))
		return false;
	*path = resolve(workload_path, name);
	if (!g_file_test(*path, G_FILE_TEST_IS_REGULAR))
		return node_fail(n, INPUT_ERROR_FILE, error,
				 "expected a file, got \"%s\", which is none", *path);
	return check_record(*path, values, error) || node_prefix(n, error);
}
