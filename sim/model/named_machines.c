/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines by name: real ones that reports of scheduler patches name, and small
 * synthetic ones for tests.
 */
#include "model/topology.h"

static const struct named_machine machines[] = {
	{"i7-4790", "1n1l4c2t", "Intel Core i7-4790 (Haswell), 4 cores, 8 threads",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE},
	{"llc16", "1n1l16c1t", "one last-level cache of 16 CPUs without SMT",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE},
	{"zen3-nps1", "2n8l8c2t",
	 "two AMD Zen 3 sockets, one node each (NPS1), 16 LLCs of 16 CPUs", 32, 32},
	{"spr-2s", "2n1l56c2t",
	 "two Intel Sapphire Rapids sockets of 56 cores, 112 threads each", 21,
	 RECLAIM_DISTANCE},
	{"smp4", "1n1l4c1t", "synthetic: 4 CPUs that share a cache", REMOTE_DISTANCE,
	 RECLAIM_DISTANCE},
	{"smt8", "1n1l4c2t", "synthetic: 4 cores of 2 threads that share a cache",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE},
	{"llc2x4", "1n2l4c1t", "synthetic: one node, two LLCs of 4 CPUs",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE},
	{"numa16", "2n1l4c2t", "synthetic: two nodes of 4 cores of 2 threads",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE},
	{NULL, NULL, NULL, 0, 0},
};

const struct named_machine *named_machines(void)
{
	return machines;
}
