/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "machine": a name, a topology, or an object that says more.
 */
#ifndef WORKLOAD_MACHINE_READ_H
#define WORKLOAD_MACHINE_READ_H

#include "model/machine_new.h"
#include "workload/node.h"

/* Eight CPUs that share a cache, where neither the file nor the command line says
 * anything. */
#define DEFAULT_MACHINE "1n1l8c1t"

/*
 * Reads @n (json may be NULL: DEFAULT_MACHINE) into *@topo (transfer full) and
 * @spec.  @shape is a name or topology that takes the place of the file's shape;
 * NULL: the file's.
 */
bool machine_read(const struct node *n, const char *shape, topology **topo,
		  struct machine_spec *spec, GError **error);

/*
 * A whole number from @min to @max in the unit that @name ends in (_ns, _us, _ms), or a
 * time that is a multiple of it.
 */
bool setting_number_read(const struct node *n, const char *name, int64_t min,
			 int64_t max, int64_t *out, GError **error);

#endif
