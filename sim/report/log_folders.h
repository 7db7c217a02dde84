/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A folder for the logs of each run of an experiment.
 */
#ifndef REPORT_LOG_FOLDERS_H
#define REPORT_LOG_FOLDERS_H

#include "report/experiment.h"

/*
 * Those of all runs, in the order of cells; NULL at the end.  One run's is @folder;
 * of several, each has its own in it: WORKLOAD,NAME=VALUE.../POLICY/seed-N, without
 * what all runs have in common.
 *
 * INPUT_ERROR_VALUE when two workloads would share one.  (transfer full)
 */
char **log_folders_new(const experiment *e, const char *folder, GError **error);

#endif
