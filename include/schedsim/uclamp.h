/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Utilisation clamps: the least and the most that a task, or a group of tasks, is to
 * count as, 0..CAPACITY_ONE, whatever its utilisation is.
 */
#ifndef SCHEDSIM_UCLAMP_H
#define SCHEDSIM_UCLAMP_H

#include <stdbool.h>

enum uclamp_id { UCLAMP_MIN, UCLAMP_MAX, UCLAMP_CNT };

/* What somebody asked for.  source: struct uclamp_se */
struct uclamp_se {
	unsigned value;
	bool user_defined; /* by sched_setattr(): a change of policy leaves it */
};

#endif
