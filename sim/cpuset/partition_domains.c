/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From one set of domains to another: those that stay are left alone, the others are
 * destroyed and built, and each new one gets a root domain of its own.
 *
 * source: partition_sched_domains_locked(), build_sched_domains() and
 * detach_destroy_domains(), kernel/sched/topology.c, 6.1
 */
#include "cpuset/domains_from_cpusets.h"

#include "cpuset/dl_rebuild.h"
#include "cpuset/internal.h"
#include "model/machine_new.h"
#include "sched/root_domain.h"

static struct sched_dom *dom_at(GArray *doms, guint i)
{
	return &g_array_index(doms, struct sched_dom, i);
}

/* source: dattrs_equal() and the masks */
static bool holds(GArray *doms, const struct sched_dom *dom)
{
	for (guint i = 0; i < doms->len; i++) {
		const struct sched_dom *other = dom_at(doms, i);

		if (cpumask_equal(&other->cpus, &dom->cpus) &&
		    other->relax_domain_level == dom->relax_domain_level)
			return true;
	}
	return false;
}

/* Whether some domain has these CPUs, if perhaps another relax level. */
static bool has_cpus(GArray *doms, const struct cpumask *cpus)
{
	for (guint i = 0; i < doms->len; i++)
		if (cpumask_equal(&dom_at(doms, i)->cpus, cpus))
			return true;
	return false;
}

static struct root_domain *root_domain_of(const cpusets *sys,
					  const struct cpumask *cpus)
{
	return cpu_rq(sys->m, cpumask_first(cpus))->rd;
}

static uint64_t nr_levels(const struct machine *m, const struct cpumask *cpus)
{
	uint64_t levels = 0;
	int cpu;

	for_each_cpu (cpu, cpus)
		for (const struct sched_domain *sd = cpu_rq(m, cpu)->sd; sd;
		     sd = sd->parent)
			levels++;
	return levels;
}

static void attach_root(cpusets *sys, const struct cpumask *cpus,
			struct root_domain *rd)
{
	int cpu;

	for_each_cpu (cpu, cpus) {
		struct rq *rq = cpu_rq(sys->m, cpu);

		rq_attach_root(rq, rd);
		dl_rebuild_attached(sys, rq);
	}
}

static void destroy_domain(cpusets *sys, const struct cpumask *cpus)
{
	sys->op->domains_destroyed++;
	op_count(sys->op, OP_STEP_DETACH, nr_levels(sys->m, cpus));
	domains_detach(sys->m, cpus);
	attach_root(sys, cpus, &sys->m->def_root_domain);
}

static struct root_domain *build_domain(cpusets *sys, const struct sched_dom *dom)
{
	struct root_domain *rd = root_domain_new(sys->m);

	sys->op->domains_built++;
	domains_build_for(sys->m, &dom->cpus, dom->relax_domain_level);
	attach_root(sys, &dom->cpus, rd);
	op_count(sys->op, OP_STEP_BUILD, nr_levels(sys->m, &dom->cpus));
	return rd;
}

/* The total of a domain that had just these CPUs, taken before it was destroyed. */
struct carried {
	struct cpumask cpus;
	uint64_t total_bw;
};

static void destroy_old(cpusets *sys, GArray *doms, GArray *carried)
{
	for (guint i = 0; i < sys->doms_cur->len; i++) {
		struct sched_dom *dom = dom_at(sys->doms_cur, i);
		struct root_domain *rd = root_domain_of(sys, &dom->cpus);
		struct carried old = {dom->cpus, rd->dl_bw.total_bw};

		if (!sys->new_topology && holds(doms, dom)) {
			dl_rebuild_matched(sys, rd);
			continue;
		}
		if (!has_cpus(doms, &dom->cpus))
			sys->totals_stale = true;
		g_array_append_val(carried, old);
		destroy_domain(sys, &dom->cpus);
	}
}

static void carry_total(cpusets *sys, GArray *carried, const struct cpumask *cpus,
			struct root_domain *rd)
{
	for (guint i = 0; i < carried->len; i++) {
		const struct carried *old = &g_array_index(carried, struct carried, i);

		if (cpumask_equal(&old->cpus, cpus)) {
			rd->dl_bw.total_bw = old->total_bw;
			return;
		}
	}
	sys->totals_stale = true;
}

static void build_new(cpusets *sys, GArray *doms, GArray *carried)
{
	bool carries = sys->policy.rows[sys->caller].totals == TOTALS_CARRIED;

	for (guint i = 0; i < doms->len; i++) {
		struct sched_dom *dom = dom_at(doms, i);
		struct root_domain *rd;

		if (!sys->new_topology && holds(sys->doms_cur, dom))
			continue;
		rd = build_domain(sys, dom);
		if (carries)
			carry_total(sys, carried, &dom->cpus, rd);
	}
}

static void rebuild_perf_domains(cpusets *sys, GArray *doms)
{
	if (sys->energy_update)
		op_count(sys->op, OP_STEP_PERF_DOMAINS, doms->len);
}

/* One of all CPUs that are active and may be balanced.  (transfer full) */
static GArray *single_domain(const cpusets *sys)
{
	GArray *doms = g_array_new(FALSE, FALSE, sizeof(struct sched_dom));
	struct sched_dom dom = {
		.cpus = cpumask_and(&sys->m->active, &sys->housekeeping),
		.relax_domain_level = -1,
	};

	if (!cpumask_empty(&dom.cpus))
		g_array_append_val(doms, dom);
	return doms;
}

void partition_sched_domains(cpusets *sys, GArray *doms)
{
	g_autoptr(GArray) carried = g_array_new(FALSE, FALSE, sizeof(struct carried));

	if (!doms)
		doms = single_domain(sys);
	op_lock(sys->op, OP_LOCK_SCHED_DOMAINS);
	destroy_old(sys, doms, carried);
	build_new(sys, doms, carried);
	rebuild_perf_domains(sys, doms);
	g_array_unref(sys->doms_cur);
	sys->doms_cur = doms;
	sys->new_topology = false;
	dl_rebuild_accounting(sys);
	op_unlock(sys->op, OP_LOCK_SCHED_DOMAINS);
}

void sched_domains_init(cpusets *sys)
{
	struct machine *m = sys->m;
	struct cpumask isolated = cpumask_andnot(&m->active, &sys->housekeeping);
	struct cpumask balanced = cpumask_and(&m->active, &sys->housekeeping);
	struct sched_dom dom = {balanced, -1};
	int cpu;

	init_def_root_domain(m);
	if (!cpumask_empty(&isolated)) {
		domains_detach(m, &isolated);
		for_each_cpu (cpu, &isolated)
			rq_attach_root(cpu_rq(m, cpu), &m->def_root_domain);
		domains_build_for(m, &balanced, -1);
	}
	g_array_append_val(sys->doms_cur, dom);
	for_each_cpu (cpu, &m->active)
		dl_rebuild_attached(sys, cpu_rq(m, cpu));
}
