/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control files of groups, as keys of "cgroups" and in operations.
 */
#ifndef WORKLOAD_CONTROL_FILE_SPEC_H
#define WORKLOAD_CONTROL_FILE_SPEC_H

#include "model/cgroup.h"
#include "workload/node.h"

/* Whether @key begins as control files do; others are names of groups. */
bool is_control_key(const char *key);
/* What is written to a control file: a text as it is, or a whole number.
 * (transfer full) */
bool control_value_read(const struct node *n, char **value, GError **error);
/*
 * Fails unless @name is a control file that is simulated: @place is where the message
 * points to, and @name the key or value there.
 */
bool control_file_check(const struct node *place, const char *name,
			enum cgroup_version version, GError **error);

#endif
