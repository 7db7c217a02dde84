/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a machine: run queues, idle tasks, settings, domains, a policy's state.
 */
#include "model/machine_new.h"

#include "schedsim/wakeup.h"

#include <string.h>

/* An idle task and the name it points to. */
/* The idle task or the stopper of a CPU. */
struct cpu_task {
	struct task task; /* first: it is what is freed */
	char comm[16];
};

G_STATIC_ASSERT(sizeof("migration/511") <= sizeof(((struct cpu_task *)0)->comm));

/* NULL for nothing. */
static void *policy_state_new(const struct machine *m, size_t size)
{
	return m->policy && size ? g_malloc0(size) : NULL;
}

/* source: init_idle() */
static struct task *cpu_task_new(struct machine *m, int cpu, const char *name)
{
	struct cpu_task *own = g_new0(struct cpu_task, 1);
	struct task *t = &own->task;

	g_snprintf(own->comm, sizeof(own->comm), "%s/%d", name, cpu);
	t->comm = own->comm;
	t->state = TASK_RUNNING;
	t->on_rq = TASK_ON_RQ_QUEUED;
	t->on_cpu = true;
	t->cpu = cpu;
	t->wake_cpu = cpu;
	t->recent_used_cpu = cpu;
	t->static_prio = DEFAULT_PRIO;
	t->prio = DEFAULT_PRIO;
	t->sched_task_group = &m->root_tg;
	t->cpus_mask = cpumask_of(cpu);
	t->nr_cpus_allowed = 1;
	t->per_cpu_kthread = true;
	list_init(&t->wake_entry);
	list_init(&t->se.group_node);
	t->se.cfs_rq = &cpu_rq(m, cpu)->cfs;
	t->policy_state = policy_state_new(m, m->policy ? m->policy->task_size : 0);
	return t;
}

static void cpu_task_free(struct task *t)
{
	g_free(t->policy_state);
	g_free(t);
}

static struct cpumask core_mask(const topology *topo, int cpu)
{
	struct cpumask mask = cpumask_none();

	for (int other = 0; other < topo->nr_cpus; other++)
		if (topo->cpu[other].core == topo->cpu[cpu].core)
			cpumask_set(&mask, other);
	return mask;
}

static struct cpumask node_mask(const topology *topo, int cpu)
{
	struct cpumask mask = cpumask_none();

	for (int other = 0; other < topo->nr_cpus; other++)
		if (topo->cpu[other].node == topo->cpu[cpu].node)
			cpumask_set(&mask, other);
	return mask;
}

/* source: sched_init(), kernel/sched/core.c, 6.1: migration cost as it is at boot */
static void rq_init(struct machine *m, const topology *topo, int cpu)
{
	uint64_t migration_cost_ns = tunables_for(SCALING_NONE, 1).migration_cost_ns;
	struct rq *rq = cpu_rq(m, cpu);

	rq->m = m;
	rq->cpu = cpu;
	rq->rd = &m->rd;
	rq->smt_mask = core_mask(topo, cpu);
	rq->node_mask = node_mask(topo, cpu);
	m->smt_active |= cpumask_weight(&rq->smt_mask) > 1;
	list_init(&rq->cfs_tasks);
	list_init(&rq->leaf_cfs_rq_list);
	list_init(&rq->wakelist);
	list_init(&rq->rto_pushes);
	rq->cfs.rq = rq;
	rq->cfs.tg = &m->root_tg;
	m->root_tg.cfs_rq[cpu] = &rq->cfs;

	rq->cpu_scale = topo->cpu[cpu].capacity;
	rq->freq_scale = CAPACITY_ONE;
	rq->cpu_capacity = rq->cpu_scale;
	rq->cpu_capacity_orig = rq->cpu_scale;
	m->rd.max_cpu_capacity = MAX(m->rd.max_cpu_capacity, rq->cpu_capacity_orig);

	rq->next_balance = m->jiffies;
	rq->wake_stamp = m->jiffies;
	rq->last_blocked_load_update_tick = m->jiffies;
	rq->avg_idle = 2 * migration_cost_ns;
	rq->wake_avg_idle = rq->avg_idle;
	rq->max_idle_balance_cost = migration_cost_ns;

	rq->policy_state = policy_state_new(m, m->policy ? m->policy->cpu_size : 0);
	list_init(&rq->stop_works);
	rq->idle = cpu_task_new(m, cpu, "swapper");
	/* Forked like any other, but for the boot CPU's: it keeps a new task's load.
	 * source: fork_idle(), init_entity_runnable_average() */
	if (cpu)
		rq->idle->se.avg.load_avg = NICE_0_LOAD >> LOAD_SHIFT;
	rq->stop = cpu_task_new(m, cpu, "migration");
	rq->stop->on_rq = TASK_ON_RQ_NONE;
	rq->stop->on_cpu = false;
	/* It passes for a task of SCHED_FIFO 99.  source: sched_set_stop_task() */
	rq->stop->prio = 0;
	rq->curr = rq->idle;
}

/* The kernel's tunables, and over them what the user set. */
static struct sched_tunables effective_tunables(const struct machine_spec *spec,
						int nr_cpus)
{
	struct sched_tunables values = tunables_for(spec->scaling, nr_cpus);

#define SCHED_TUNABLE(name, base, scaled, why)                                         \
	if (spec->tunables.name != UINT64_MAX)                                         \
		values.name = spec->tunables.name;
#include "schedsim/tunables.def"
#undef SCHED_TUNABLE
	return values;
}

static void set_settings(struct machine *m, const struct machine_spec *spec)
{
	m->profile = spec->profile;
	m->preempt = spec->preempt;
	m->hz = spec->hz;
	m->next_jiffy_ns = (NSEC_PER_SEC + spec->hz - 1) / spec->hz;
	m->feat = spec->feat;
	if (m->profile && !m->profile->has_ni_random)
		m->feat.NI_RANDOM = false;
	m->tunables = effective_tunables(spec, m->nr_cpus);
	m->costs = spec->costs;
	m->nr_idle_scan_fixed = spec->nr_idle_scan_fixed;
	m->nohz.on = spec->nohz;
	m->newidle_random = spec->seed;
	/* source: update_max_interval() */
	m->max_load_balance_interval = (uint64_t)spec->hz * (uint64_t)m->nr_cpus / 10;

	m->policy = spec->policy;
	if (m->policy && m->policy->params_size)
		m->policy_params =
			g_memdup2(spec->policy_params, m->policy->params_size);
}

struct machine *machine_new(const topology *topo, const struct machine_spec *spec)
{
	struct machine *m = g_new0(struct machine, 1);

	g_assert(topo->nr_cpus >= 1 && topo->nr_cpus <= CPUS_MAX && spec->hz);

	m->nr_cpus = topo->nr_cpus;
	set_settings(m, spec);
	m->active = m->online = cpumask_first_n(m->nr_cpus);
	m->scaling = spec->scaling;
	machine_normalize_tunables(m);
	m->rd.span = m->rd.online = m->active;
	m->rd.refcount = m->nr_cpus;
	list_init(&m->root_domains);
	m->root_tg.shares = NICE_0_LOAD;
	list_init(&m->root_tg.children);
	list_init(&m->root_tg.siblings);
	m->root_tg.cfs_rq = g_new0(struct cfs_rq *, m->nr_cpus);
	m->rqs = g_new0(struct rq, m->nr_cpus);
	for (int cpu = 0; cpu < m->nr_cpus; cpu++)
		rq_init(m, topo, cpu);
	m->domains = domains_new(topo);
	domains_build_for(m, &m->active, -1);
	return m;
}

/* Groups below @tg, and all they have. */
static void free_children(const struct machine *m, struct task_group *tg)
{
	while (!list_empty(&tg->children)) {
		struct task_group *child =
			list_entry(tg->children.next, struct task_group, siblings);

		list_del(&child->siblings);
		free_children(m, child);
		for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
			g_free(child->cfs_rq[cpu]);
			g_free(child->se[cpu]);
		}
		g_free(child->cfs_rq);
		g_free(child->se);
		g_free(child->cfs_bandwidth);
		g_free(child);
	}
}

static void root_domains_free(struct machine *m)
{
	while (!list_empty(&m->root_domains)) {
		struct root_domain *rd =
			list_entry(m->root_domains.next, struct root_domain, node);

		list_del(&rd->node);
		g_free(rd);
	}
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	free_children(m, &m->root_tg);
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		cpu_task_free(m->rqs[cpu].idle);
		cpu_task_free(m->rqs[cpu].stop);
		g_free(m->rqs[cpu].policy_state);
	}
	domains_free(m->domains);
	root_domains_free(m);
	g_free(m->root_tg.cfs_rq);
	g_free(m->rqs);
	g_free(m->policy_params);
	g_free(m);
}
