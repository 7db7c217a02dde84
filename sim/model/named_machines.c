/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines by name: real ones that reports of scheduler patches name, and small
 * synthetic ones for tests.
 */
#include "model/topology.h"

/*
 * Capacities: capacity-dmips-mhz times the highest frequency, of the biggest's; 592 *
 * 1844 MHz for the Cortex-A53, 1024 * 2362 MHz for the Cortex-A73 (hi3660.dtsi, 6.1).
 * Each four share a level 2 cache, and nothing is shared by all.
 */
#define HIKEY960_LITTLE (592 * 1844 / 2362)

static const struct named_machine machines[] = {
	{"i7-4790", "1n1l4c2t", "Intel Core i7-4790 (Haswell), 4 cores, 8 threads",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE, 0, 0},
	{"llc16", "1n1l16c1t", "one last-level cache of 16 CPUs without SMT",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE, 0, 0},
	{"zen3-nps1", "2n8l8c2t",
	 "two AMD Zen 3 sockets, one node each (NPS1), 16 LLCs of 16 CPUs", 32, 32, 0,
	 0},
	{"spr-2s", "2n1l56c2t",
	 "two Intel Sapphire Rapids sockets of 56 cores, 112 threads each", 21,
	 RECLAIM_DISTANCE, 0, 0},
	{"hikey960", "1n2l4c1t",
	 "HiSilicon Kirin 960: 4 Cortex-A53 of capacity 462, 4 Cortex-A73 of 1024",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE, 4, HIKEY960_LITTLE},
	{"smp4", "1n1l4c1t", "synthetic: 4 CPUs that share a cache", REMOTE_DISTANCE,
	 RECLAIM_DISTANCE, 0, 0},
	{"smt8", "1n1l4c2t", "synthetic: 4 cores of 2 threads that share a cache",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE, 0, 0},
	{"llc2x4", "1n2l4c1t", "synthetic: one node, two LLCs of 4 CPUs",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE, 0, 0},
	{"numa16", "2n1l4c2t", "synthetic: two nodes of 4 cores of 2 threads",
	 REMOTE_DISTANCE, RECLAIM_DISTANCE, 0, 0},
	{NULL, NULL, NULL, 0, 0, 0, 0},
};

const struct named_machine *named_machines(void)
{
	return machines;
}
