/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs share what, before any scheduling domain is made of it.
 */
#ifndef MODEL_TOPOLOGY_H
#define MODEL_TOPOLOGY_H

#include "schedsim/cpumask.h"

#define NODES_MAX 64

typedef struct topology topology;

struct topology {
	char *name;    /* owned */
	char *summary; /* owned; NULL: none */
	int nr_cpus;
	int nr_nodes;
	struct {
		int core; /* numbered over the whole machine */
		int llc;  /* likewise */
		int node;
		unsigned capacity; /* 0..CAPACITY_ONE */
	} cpu[CPUS_MAX];
	int distance[NODES_MAX][NODES_MAX]; /* as in the SLIT: 10 is local */
	int node_reclaim_distance; /* above it domains lose their fork, exec and affine
				      flags */
};

/*
 * One NUMA node, one LLC, @nr_cpus (1..CPUS_MAX) cores of one thread and full
 * capacity, for the caller to change.  Distances are the kernel's defaults: 10
 * local, 20 remote, 30 for node_reclaim_distance.
 */
topology *topology_new(const char *name, int nr_cpus);
topology *topology_copy(const topology *t);
void topology_free(topology *t);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(topology, topology_free)

/*
 * Whether a machine can be made of it: counts in range, every node has CPUs, a
 * core lies in one LLC and an LLC in one node, capacities are 1..CAPACITY_ONE,
 * distances symmetric and 10 for local.  INPUT_ERROR_VALUE names the first fault.
 */
bool topology_validate(const topology *t, GError **error);

/*
 * Equal shape: "1n2l4c2t" is NUMA nodes, LLCs, cores, threads, of one of the level
 * above.  CPUs are numbered as x86 does: every core's first thread, cores in the
 * order of nodes and LLCs, then the second threads in the same order.
 * INPUT_ERROR_VALUE for another form and for more than CPUS_MAX CPUs.
 */
topology *topology_from_string(const char *text, GError **error);
/* A named machine ("zen3-nps1") or a topology string; INPUT_ERROR_VALUE otherwise. */
topology *topology_find(const char *name, GError **error);

#define LOCAL_DISTANCE 10   /* source: include/linux/topology.h, 6.1 */
#define REMOTE_DISTANCE 20  /* likewise */
#define RECLAIM_DISTANCE 30 /* likewise; AMD's Zen sets node_reclaim_distance to 32 */

struct named_machine {
	const char *name, *topology, *summary;
	int remote_distance, node_reclaim_distance;
	/* Of its first CPUs; the others have CAPACITY_ONE. */
	int nr_little;
	unsigned little_capacity;
};
/* Ends with a NULL name. */
const struct named_machine *named_machines(void);

#endif
