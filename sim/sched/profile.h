/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernels that can be simulated.
 */
#ifndef SCHED_PROFILE_H
#define SCHED_PROFILE_H

#include "schedsim/machine.h"

/* "6.1-lts" or "6.1.0"; NULL if there is none of that name. */
const struct kernel_profile *kernel_profile_find(const char *name);

/* In the order lists show them, NULL at the end; the first is the default. */
const struct kernel_profile *const *kernel_profiles(void);

#endif
