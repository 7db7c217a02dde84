/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shape of a machine: which CPUs share what.
 */
#ifndef WORKLOAD_TOPOLOGY_READ_H
#define WORKLOAD_TOPOLOGY_READ_H

#include "model/topology.h"
#include "workload/node.h"

/*
 * From a name or topology string, or from an object with "topology" or "cpus" and
 * what changes it ("distances", "capacities", "node_reclaim_distance"); other
 * keys are not looked at.  NULL with the place and what was expected.
 */
topology *topology_read(const struct node *n, GError **error);

#endif
