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

void topology_free(topology *t);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(topology, topology_free)

/* Equal shape: "1n2l4c2t" is NUMA nodes, LLCs, cores, threads, of one of the level
 * above. */
topology *topology_from_string(const char *text, GError **error);
/* A named machine ("zen3-nps1") or a topology string. */
topology *topology_find(const char *name, GError **error);

struct named_machine {
	const char *name, *topology, *summary;
	int remote_distance, node_reclaim_distance;
};
/* Ends with a NULL name. */
const struct named_machine *named_machines(void);

#endif
