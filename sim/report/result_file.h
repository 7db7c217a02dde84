/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading back what json_report() wrote.
 */
#ifndef REPORT_RESULT_FILE_H
#define REPORT_RESULT_FILE_H

#include "report/experiment.h"

/* INPUT_ERROR as `PATH: PLACE: expected ..., got ...`. */
experiment *result_read(const char *path, GError **error);

#endif
