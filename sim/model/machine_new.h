/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a description to a machine with its run queues and domains.
 */
#ifndef MODEL_MACHINE_NEW_H
#define MODEL_MACHINE_NEW_H

#include "model/control_costs.h"
#include "model/topology.h"
#include "schedsim/machine.h"

/* What a user may say of a machine; machine_spec_init() fills in the defaults. */
struct machine_spec {
	const struct kernel_profile *profile;
	enum preempt_model preempt;
	unsigned hz;
	enum tunable_scaling scaling;
	struct sched_features feat;
	/* A tunable the user set, or UINT64_MAX: the kernel's value for these CPUs. */
	struct sched_tunables tunables;
	struct machine_costs costs;
	struct control_costs control_costs; /* whose arrays are not owned */
	int nr_idle_scan_fixed;             /* -1: as the kernel computes it */
	bool nohz;               /* the tick of an idle CPU stops (boot option nohz=) */
	uint64_t seed;           /* of NI_RANDOM's dice */
	struct cpumask isolated; /* boot option isolcpus=; for whoever makes domains */
	const struct wakeup_policy *policy; /* complete: every hook it needs */
	const void *policy_params;          /* [policy->params_size]; not owned */
};

void machine_spec_init(struct machine_spec *spec, const struct kernel_profile *profile);

/* Domains are built, nothing runs; sched_init() follows.  Never fails. */
struct machine *machine_new(const topology *topo, const struct machine_spec *spec);
void machine_free(struct machine *m);

/*
 * Sets "[NO_]FEATURE" or "tunable=number" by the kernel's names, "cost=number",
 * "costs=none", or "costs=50%": every cost becomes that share of what it is.
 * INPUT_ERROR_VALUE otherwise.
 */
bool machine_spec_set(struct machine_spec *spec, const char *setting, GError **error);
/*
 * Whether the settings go together, as the kernel would have it when they are written.
 * INPUT_ERROR_VALUE otherwise.  source: sched_rt_global_validate(), sched_dl_sysctls
 */
bool machine_spec_check(const struct machine_spec *spec, GError **error);
/*
 * What a running machine does by it, at once; false where there is no such name. Ranges
 * and what else a write may mean are the caller's.
 */
bool machine_write_feature(struct machine *m, const char *name, bool on);
bool machine_write_tunable(struct machine *m, const char *name, uint64_t value);
/* The names it takes: features, tunables, costs.  Ends with NULL. */
const char *const *machine_setting_names(void);

/* 1, 1 + log2 or n of at most 8 CPUs.  source: get_update_sysctl_factor() */
uint64_t tunable_scaling_factor(enum tunable_scaling scaling, int nr_cpus);
/* The kernel's tunables for @nr_cpus. */
struct sched_tunables tunables_for(enum tunable_scaling scaling, int nr_cpus);
/* What m->tunables are without their scaling.  source: sched_update_scaling() */
void machine_normalize_tunables(struct machine *m);
/* Scales them by the number of CPUs that are online.  source: update_sysctl() */
void machine_scale_tunables(struct machine *m);

/* Room for the domains of a machine of @topo, none of them built. */
struct machine_domains *domains_new(const topology *topo);
void domains_free(struct machine_domains *d);
/*
 * Balances @cpus (at least one) among themselves and with nobody else; whatever they
 * had before is forgotten, and no other CPU's domain may span one of them.  From
 * @relax_level up domains do without newidle balancing; -1: no such level.
 *
 * source: build_sched_domains(), sd_init()
 */
void domains_build_for(struct machine *m, const struct cpumask *cpus, int relax_level);
/* @cpus are balanced with nobody.  source: detach_destroy_domains() */
void domains_detach(struct machine *m, const struct cpumask *cpus);
/* The CPUs of @cpu's core, as the machine was made.  source:
 * topology_sibling_cpumask() with every CPU online */
struct cpumask core_cpus(const struct machine *m, int cpu);
/* The highest level of any domain so far.  source: sched_domain_level_max */
int domains_level_max(const struct machine *m);

#endif
