/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control groups that a seed chooses, and an administrator who changes them.
 */
#ifndef MAKE_GROUPS_H
#define MAKE_GROUPS_H

#include "maker.h"

/* A tree of version 2 with weights and limits, as a workload's "cgroups". */
void put_groups(struct maker *k);
/* Writes, attaches, and CPUs off and on, as "operations"; task0 is there. */
void put_operations(struct maker *k);
/* One of the leaves, as a task's "cgroup". */
void put_group_of_task(struct maker *k);

#endif
