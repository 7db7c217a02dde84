/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be said of a program without running it.
 */
#ifndef WORKLOAD_PROGRAM_CHECK_H
#define WORKLOAD_PROGRAM_CHECK_H

#include "workload/program.h"

/* Whether every sample of @d is 0. */
bool dist_is_zero(const struct dist *d);

/* Whether some step of @steps may run, sleep or wait. */
bool steps_can_take_time(const struct step *steps, int nr_steps);

/* Whether a thread of @p loops for ever. */
bool program_is_endless(const struct program *p);

#endif
