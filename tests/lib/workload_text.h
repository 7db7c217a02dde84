/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads written into the test: JSON with single quotes for double ones.
 */
#ifndef WORKLOAD_TEXT_H
#define WORKLOAD_TEXT_H

#include "workload/read_workload.h"

/* Reads @json, which must be good, without options.  Clear the result. */
struct workload_input workload_of(const char *json);
struct workload_input workload_with(const char *json,
				    const struct workload_options *options);
/* As workload_of(), of one task `t` with the members @members and a second to run. */
struct workload_input workload_of_task(const char *members);

/* Reading @json fails with @code (of INPUT_ERROR) and "w.json: " and @message. */
void assert_workload_error(const char *json, int code, const char *message);

/* Reading @json gives these warnings, one a line. */
void assert_workload_warnings(const char *json, const char *warnings);

/*
 * The steps of task @task, one a line, with the names and numbers that count:
 *
 *	loop 3 to 5
 *	run 1000
 *	timer 0 500 absolute
 */
void assert_program(const struct workload_input *in, int task, const char *steps);

#endif
