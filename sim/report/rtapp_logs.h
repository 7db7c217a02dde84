/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log for each thread, as rt-app writes them: one row for each turn of a phase.
 *
 *   # Policy : SCHED_OTHER priority : 0
 *   #idx     perf      run   period           start  ...
 *      0   100000     1000    10000               0  ...
 *
 * Times are us, "start" and "end" since the begin of the run, as "rel_st".  "perf" is
 * rt-app's loops: work by the calibration that the workload gives in ns per loop, or
 * ns of work where it gives none.  Turns that end in the warm-up are left out.
 *
 * source: rt-app 1.0, log_timing(), and doc/tutorial.txt
 */
#ifndef REPORT_RTAPP_LOGS_H
#define REPORT_RTAPP_LOGS_H

#include "workload/simulation.h"

typedef struct rtapp_logs rtapp_logs;

/*
 * Of the runs of @w, which must outlive it, in @folder.  Its observer comes before
 * @sim_next, which must outlive it.
 */
rtapp_logs *rtapp_logs_new(const char *folder, const workload *w,
			   const struct sim_observer *sim_next);
void rtapp_logs_free(rtapp_logs *l);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(rtapp_logs, rtapp_logs_free)

const struct sim_observer *rtapp_logs_observer(const rtapp_logs *l);

/*
 * Makes the folder where it is missing, and begins the logs of the threads of @s, which
 * outlives the commit and whose operations have none.  Before the run.
 * INPUT_ERROR_FILE, or INPUT_ERROR_VALUE for a name that no file can have.
 */
bool rtapp_logs_open(rtapp_logs *l, const simulation *s, GError **error);
/* Puts the logs in their places, after the run.  INPUT_ERROR_FILE. */
bool rtapp_logs_commit(rtapp_logs *l, GError **error);

#endif
