/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduling domains, groups and what the CPUs of one last-level cache share.
 */
#ifndef SCHEDSIM_DOMAIN_H
#define SCHEDSIM_DOMAIN_H

#include "schedsim/deadline.h"
#include "schedsim/rt.h"

/* source: include/linux/sched/sd_flags.h */
enum sd_flags {
	SD_BALANCE_NEWIDLE = 1 << 0,
	SD_BALANCE_EXEC = 1 << 1,
	SD_BALANCE_FORK = 1 << 2,
	SD_BALANCE_WAKE = 1 << 3,
	SD_WAKE_AFFINE = 1 << 4,
	SD_ASYM_CPUCAPACITY = 1 << 5,
	SD_ASYM_CPUCAPACITY_FULL = 1 << 6,
	SD_SHARE_CPUCAPACITY = 1 << 7,
	SD_SHARE_PKG_RESOURCES = 1 << 8,
	SD_SERIALIZE = 1 << 9,
	SD_ASYM_PACKING = 1 << 10,
	SD_PREFER_SIBLING = 1 << 11,
	SD_OVERLAP = 1 << 12,
	SD_NUMA = 1 << 13,
};

/* Capacity of a group, one for all CPUs that see the group. */
struct sched_group_capacity {
	uint64_t capacity; /* sum over its CPUs of rq.cpu_capacity, when last updated */
	uint64_t min_capacity;
	uint64_t max_capacity;
	uint64_t next_update; /* jiffies */
	bool imbalance;       /* affinity kept a balance below from finishing */
	struct cpumask balance_mask;
};

struct sched_group {
	struct sched_group *next; /* circular, the local group first */
	unsigned group_weight;
	struct sched_group_capacity *sgc; /* not owned */
	struct cpumask cpus;
	uint32_t flags; /* the child domain's */
};

/* One per last-level cache. */
struct sched_domain_shared {
	int nr_busy_cpus;
	bool has_idle_cores;
	int nr_idle_scan;   /* CPUs select_idle_cpu() may test; 0: none */
	void *policy_state; /* owned; [policy->llc_size], zeroed */
};

struct sched_domain {
	struct sched_domain *parent, *child; /* not owned */
	struct sched_group *groups;          /* not owned; the local group first */
	const char *name;
	int level;
	uint32_t flags;

	uint64_t min_interval; /* ms */
	uint64_t max_interval; /* ms */
	unsigned busy_factor;
	unsigned imbalance_pct;
	unsigned cache_nice_tries;
	unsigned imb_numa_nr;

	uint64_t last_balance;     /* jiffies */
	uint64_t balance_interval; /* ms */
	unsigned nr_balance_failed;

	unsigned newidle_call, newidle_success, newidle_ratio;
	uint64_t max_newidle_lb_cost;    /* ns */
	uint64_t last_decay_max_lb_cost; /* jiffies */
	uint64_t avg_scan_cost;          /* ns, SIS_PROP */

	struct sched_domain_shared *shared; /* not owned; NULL above the LLC */
	unsigned span_weight;
	struct cpumask span;
};

/*
 * What CPUs that are balanced together share.  A machine starts with one, has another
 * for CPUs that are in no domain, and gets one for each set of domains built later.
 */
struct root_domain {
	struct list node;    /* in machine.root_domains */
	int refcount;        /* run queues in it, and a push on its way */
	struct cpumask span; /* their CPUs */
	struct cpumask online;
	bool overload;
	struct cpupri cpupri;
	struct cpumask rto_mask; /* CPUs with real-time tasks to push */
	int rto_count;
	/* The interrupt that has them push, in rq.rto_pushes of whom it comes to. */
	struct list rto_push_work;
	int rto_cpu;                 /* where it is; CPU_NONE: nowhere */
	int rto_loop, rto_loop_next; /* rounds begun, and asked for */
	struct dl_bw dl_bw;
	struct cpudl cpudl;
	struct cpumask dlo_mask;   /* CPUs with deadline tasks to push */
	uint64_t max_cpu_capacity; /* of its biggest CPU */
};

#endif
