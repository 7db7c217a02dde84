/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that build the scheduling domains share.
 */
#ifndef MODEL_DOMAINS_H
#define MODEL_DOMAINS_H

#include "model/topology.h"
#include "schedsim/machine.h"

/* A level of the topology, bottom up.  source: struct sched_domain_topology_level */
struct domain_level {
	const char *name;
	uint32_t flags;   /* that describe the hardware */
	int max_distance; /* NODE and NUMA: of the nodes it spans; else 0 */
};

/* Levels whose CPUs share a cache: SMT and MC. */
#define CACHE_LEVELS 2

/* The CPUs of one capacity.  source: struct asym_cap_data */
struct capacity_class {
	unsigned capacity;
	struct cpumask cpus;
};

/*
 * Arrays of [nr_levels][nr_cpus] hold each level's object of each CPU.  CPUs are
 * balanced in sets that do not overlap, so each set's objects have their places.
 */
struct machine_domains {
	int nr_cpus;
	int nr_levels;
	int level_max; /* highest level built so far.  source: sched_domain_level_max */
	topology *topo;                          /* owned */
	GArray *capacity_classes;                /* of struct capacity_class, owned */
	struct domain_level *levels;             /* [nr_levels] owned */
	struct sched_domain *domains;            /* [nr_levels][nr_cpus] owned */
	struct sched_group *groups;              /* [nr_levels][nr_cpus] owned */
	struct sched_group_capacity *capacities; /* [nr_levels][nr_cpus] owned */
	struct sched_domain_shared *shared;      /* [CACHE_LEVELS][nr_cpus] owned */
	struct sched_group **overlap_groups; /* [nr_levels][nr_cpus] of owned arrays, or
						NULL */
};

static inline int level_slot(const struct machine_domains *d, int level, int cpu)
{
	return level * d->nr_cpus + cpu;
}

static inline struct sched_domain *level_domain(const struct machine_domains *d,
						int level, int cpu)
{
	return &d->domains[level_slot(d, level, cpu)];
}

/* Groups and capacities of the domains of @cpus.  source: the second pass of
 * build_sched_domains() */
void domain_groups_build(struct machine_domains *d, const struct machine *m,
			 const struct cpumask *cpus);

/* Drops what does not contribute and hangs the rest on @rq; @lowest may be NULL.
 * source: cpu_attach_domain() */
void domain_attach(struct sched_domain *lowest, struct rq *rq);

#endif
