/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judging new results by old ones: all figures equal, or some within limits.
 */
#ifndef REPORT_CHECK_H
#define REPORT_CHECK_H

#include "report/experiment.h"

/*
 * How much worse a metric may get: METRIC:BOUND[,BOUND], BOUND one of +5%, 50us,
 * 50.  Two bounds must both be passed for a change to count.
 */
struct tolerance {
	char *metric; /* owned; as figure_matches() takes it */
	bool has_share;
	uint64_t share_ppm;
	bool has_amount;
	bool is_time;    /* the amount: it has a unit of its own */
	uint64_t amount; /* in the metric's unit */
};

/* INPUT_ERROR_VALUE: no such form. */
bool tolerance_read(const char *text, struct tolerance *out, GError **error);
void tolerance_clear(struct tolerance *t);

/* Whether @is is worse than @was by more than @t allows. */
bool tolerance_is_passed(const struct tolerance *t, enum figure_better better,
			 int64_t was, int64_t is);

/*
 * Whether both are of the same workloads, bytes for bytes, and the same runs.
 * INPUT_ERROR_VALUE names what is not.
 */
bool check_comparable(const experiment *reference, const experiment *now,
		      GError **error);

/* Whether all figures are equal; appends to @out which are not, and by how much. */
bool check_equal(const experiment *reference, const experiment *now, GString *out);

/*
 * Whether the medians over the runs keep @tolerances, of struct tolerance; appends
 * what does not.  False with an error when one of them means no figure, or bounds one
 * that is no time by a time.
 */
bool check_tolerances(const experiment *reference, const experiment *now,
		      const GArray *tolerances, GString *out, bool *kept,
		      GError **error);

#endif
