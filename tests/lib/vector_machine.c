/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vector_machine.h"

#include "model/machine_new.h"
#include "sched/balance.h"
#include "sched/class.h"
#include "sched/clock.h"
#include "sched/core.h"
#include "sched/profile.h"
#include "test.h"

#include <string.h>

static void set_feature(struct machine_spec *spec, const char *setting)
{
	g_autoptr(GError) error = NULL;

	if (!machine_spec_set(spec, setting, &error))
		fail_msg("%s", error->message);
}

/* As if the domains had been built at the start of the run. */
static void start_domains(struct machine *m)
{
	for (int cpu = 0; cpu < m->nr_cpus; cpu++)
		for (struct sched_domain *sd = cpu_rq(m, cpu)->sd; sd;
		     sd = sd->parent) {
			sd->last_balance = m->jiffies;
			sd->last_decay_max_lb_cost = m->jiffies;
		}
}

struct machine *vector_machine(const struct vector_setup *setup)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(topology) topo = topology_find(setup->topology, &error);
	struct machine_spec spec;
	struct machine *m;

	if (!topo)
		fail_msg("%s", error->message);
	machine_spec_init(&spec, kernel_profile_find("6.1-lts"));
	spec.hz = setup->hz ? setup->hz : 250;
	spec.preempt = setup->preempt;
	spec.policy = wakeup_policy_find("baseline");
	memset(&spec.costs, 0, sizeof(spec.costs));
	spec.nohz = false;
	set_feature(&spec, "NO_TTWU_QUEUE");
	set_feature(&spec, "NO_NI_RANDOM");
	set_feature(&spec, "NO_LB_ACTIVE");
	if (!setup->balancing) {
		set_feature(&spec, "NO_LB_PERIODIC");
		set_feature(&spec, "NO_LB_NEWIDLE");
	}
	m = machine_new(topo, &spec);
	if (setup->nr_cpus_tuned)
		m->tunables = tunables_for(SCALING_LOG, setup->nr_cpus_tuned);
	if (setup->scans_whole_llc)
		m->nr_idle_scan_fixed = cpu_rq(m, 0)->sd_llc_size;
	machine_set_time(m, setup->start_ns);
	start_domains(m);
	sched_init(m);
	return m;
}

struct machine *vector_cpu(int nr_cpus)
{
	return vector_machine(&(struct vector_setup){.topology = "1n1l1c1t",
						     .nr_cpus_tuned = nr_cpus});
}

void vector_task_init(struct task *t, struct machine *m, int pid, int cpu)
{
	memset(t, 0, sizeof(*t));
	t->pid = pid;
	t->comm = "vector";
	t->state = TASK_INTERRUPTIBLE;
	t->cpu = cpu;
	t->wake_cpu = cpu;
	t->recent_used_cpu = cpu;
	t->static_prio = DEFAULT_PRIO;
	t->prio = DEFAULT_PRIO;
	t->sched_class = &fair_sched_class;
	t->sched_task_group = &m->root_tg;
	t->cpus_mask = cpumask_first_n(m->nr_cpus);
	t->nr_cpus_allowed = m->nr_cpus;
	t->se.cfs_rq = &cpu_rq(m, cpu)->cfs;
	t->se.load = (struct load_weight){NICE_0_LOAD, 4194304};
	list_init(&t->se.group_node);
	list_init(&t->wake_entry);
}

void vector_read_avg(const struct vector_case *c, json_object *array,
		     struct sched_avg *avg)
{
	if (json_object_array_length(array) != 8)
		vector_broken(c, "expected 8 figures of an average");
	*avg = (struct sched_avg){
		.last_update_time = vector_u64_at(c, array, 0),
		.period_contrib = (uint32_t)vector_u64_at(c, array, 1),
		.load_sum = vector_u64_at(c, array, 2),
		.runnable_sum = vector_u64_at(c, array, 3),
		.util_sum = (uint32_t)vector_u64_at(c, array, 4),
		.load_avg = vector_u64_at(c, array, 5),
		.runnable_avg = vector_u64_at(c, array, 6),
		.util_avg = vector_u64_at(c, array, 7),
	};
}

void vector_expect_avg(struct vector_case *c, json_object *expected,
		       const struct sched_avg *got, const char *what)
{
	struct sched_avg want;

	vector_read_avg(c, expected, &want);
	vector_expect_u64(c, want.last_update_time, got->last_update_time,
			  "%s: last_update_time", what);
	vector_expect_u64(c, want.period_contrib, got->period_contrib,
			  "%s: period_contrib", what);
	vector_expect_u64(c, want.load_sum, got->load_sum, "%s: load_sum", what);
	vector_expect_u64(c, want.runnable_sum, got->runnable_sum, "%s: runnable_sum",
			  what);
	vector_expect_u64(c, want.util_sum, got->util_sum, "%s: util_sum", what);
	vector_expect_u64(c, want.load_avg, got->load_avg, "%s: load_avg", what);
	vector_expect_u64(c, want.runnable_avg, got->runnable_avg, "%s: runnable_avg",
			  what);
	vector_expect_u64(c, want.util_avg, got->util_avg, "%s: util_avg", what);
}

enum curr_kind { CURR_IDLE, CURR_OTHER, CURR_WAKER, CURR_TASK };

static struct task *pick_curr(const struct vector_case *c, struct rq *rq,
			      struct task *other, struct task *waker, struct task *task,
			      uint64_t kind)
{
	struct task *const curr[] = {rq->idle, other, waker, task};

	if (kind > CURR_TASK || !curr[kind])
		vector_broken(c, "unknown kind of current task");
	return curr[kind];
}

static void set_cpu(struct vector_case *c, struct rq *rq, json_object *figures,
		    struct task *curr)
{
	rq->curr = curr;
	rq->nr_running = (unsigned)vector_u64_at(c, figures, 1);
	rq->cfs.nr_running = (unsigned)vector_u64_at(c, figures, 2);
	rq->cfs.h_nr_running = (unsigned)vector_u64_at(c, figures, 2);
	rq->cfs.idle_h_nr_running = (unsigned)vector_u64_at(c, figures, 3);
	rq->cfs.idle_nr_running = (unsigned)vector_u64_at(c, figures, 3);
	rq->ttwu_pending = vector_u64_at(c, figures, 4) != 0;
	rq->cfs.avg.last_update_time = rq_clock_pelt(rq);
	rq->cfs.avg.load_avg = vector_u64_at(c, figures, 5);
	rq->cfs.avg.util_avg = vector_u64_at(c, figures, 6);
	rq->cfs.avg.runnable_avg = vector_u64_at(c, figures, 7);
	rq->cfs.avg.util_est.enqueued = (uint32_t)vector_u64_at(c, figures, 8);
	rq->cpu_capacity = vector_u64_at(c, figures, 9);
	/* What a refresh of the capacity is to find taken by higher classes. */
	rq->avg_rt.util_avg = rq->cpu_capacity_orig - rq->cpu_capacity;
	rq->idle_stamp = vector_u64_at(c, figures, 10);
	rq->cfs.last_h_load_update = rq->m->jiffies - 1;
}

void vector_set_cpus(struct vector_case *c, struct machine *m, struct task *running,
		     struct task *waker, struct task *task)
{
	json_object *cpus = vector_array(c, "cpus", (size_t)m->nr_cpus);

	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		json_object *figures = vector_array_at(c, cpus, (size_t)cpu, 11);
		struct rq *rq = cpu_rq(m, cpu);

		vector_task_init(&running[cpu], m, 1000 + cpu, cpu);
		running[cpu].state = TASK_RUNNING;
		running[cpu].on_rq = TASK_ON_RQ_QUEUED;
		running[cpu].on_cpu = true;
		set_cpu(c, rq, figures,
			pick_curr(c, rq, &running[cpu], waker, task,
				  vector_u64_at(c, figures, 0)));
	}
	/* Groups' capacities as sums of these, from the lowest domain up. */
	for (int pass = 0; pass < 4; pass++)
		for (int cpu = 0; cpu < m->nr_cpus; cpu++)
			for (struct sched_domain *sd = cpu_rq(m, cpu)->sd; sd;
			     sd = sd->parent)
				update_group_capacity(m, sd, cpu);
}

void vector_set_llcs(struct vector_case *c, struct machine *m)
{
	json_object *llcs = vector_get(c, "llc_shared");

	json_object_object_foreach(llcs, key, figures)
	{
		int cpu = (int)g_ascii_strtoll(key, NULL, 10);
		struct sched_domain_shared *shared;

		if (cpu < 0 || cpu >= m->nr_cpus || cpu_rq(m, cpu)->sd_llc_id != cpu)
			vector_broken(c, "expected the first CPU of an LLC, got %s",
				      key);
		shared = cpu_rq(m, cpu)->sd_llc_shared;
		shared->has_idle_cores = vector_u64_at(c, figures, 0) != 0;
		shared->nr_idle_scan = (int)vector_s64_at(c, figures, 1);
	}
}

static const struct {
	const char *name;
	uint32_t flag;
} flag_names[] = {
	{"NEWIDLE", SD_BALANCE_NEWIDLE},
	{"EXEC", SD_BALANCE_EXEC},
	{"FORK", SD_BALANCE_FORK},
	{"WAKE_AFFINE", SD_WAKE_AFFINE},
	{"SHARE_CPUCAPACITY", SD_SHARE_CPUCAPACITY},
	{"SHARE_PKG_RESOURCES", SD_SHARE_PKG_RESOURCES},
	{"SERIALIZE", SD_SERIALIZE},
	{"PREFER_SIBLING", SD_PREFER_SIBLING},
	{"OVERLAP", SD_OVERLAP},
	{"NUMA", SD_NUMA},
};

static uint32_t flags_named(const struct vector_case *c, const char *names)
{
	g_auto(GStrv) list = g_strsplit(names, " ", -1);
	uint32_t flags = 0;

	for (char **name = list; *name; name++) {
		uint32_t flag = 0;

		for (size_t i = 0; i < G_N_ELEMENTS(flag_names); i++)
			if (!strcmp(*name, flag_names[i].name))
				flag = flag_names[i].flag;
		if (!flag)
			vector_broken(c, "unknown domain flag %s", *name);
		flags |= flag;
	}
	return flags;
}

static uint64_t low_bits(const struct cpumask *mask)
{
	return mask->bits[0];
}

static void check_domain(const struct vector_case *c, const struct sched_domain *sd,
			 json_object *want, int cpu)
{
	json_object *span = vector_member(c, want, "span");
	const char *flags = json_object_get_string(vector_member(c, want, "flags"));
	const char *name = json_object_get_string(vector_member(c, want, "name"));

	if (!sd || strcmp(sd->name, name))
		vector_broken(c, "cpu %d: expected domain %s, got %s", cpu, name,
			      sd ? sd->name : "none");
	if (low_bits(&sd->span) != vector_u64_at(c, span, (size_t)cpu) ||
	    sd->flags != flags_named(c, flags) ||
	    sd->imbalance_pct != vector_member_s64(c, want, "imbalance_pct") ||
	    sd->cache_nice_tries != vector_member_s64(c, want, "cache_nice_tries"))
		vector_broken(c, "cpu %d: domain %s differs", cpu, name);
	if (sd->flags & SD_NUMA &&
	    sd->imb_numa_nr != vector_member_s64(c, want, "imb_numa_nr"))
		vector_broken(c, "cpu %d: imb_numa_nr differs", cpu);
}

void vector_check_topology(const struct vector_case *c, const struct machine *m,
			   const char *name)
{
	json_object *all = NULL, *want, *domains;

	if (!json_object_object_get_ex(c->file->root, "topologies", &all))
		vector_broken(c, "expected topologies, got none");
	want = vector_member(c, all, name);
	domains = vector_member(c, want, "domains");
	if (m->nr_cpus != vector_member_s64(c, want, "ncpus"))
		vector_broken(c, "%s: another number of CPUs", name);
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		const struct sched_domain *sd = cpu_rq(m, cpu)->sd;

		if (low_bits(&cpu_rq(m, cpu)->smt_mask) !=
		    vector_u64_at(c, vector_member(c, want, "smt_mask"), (size_t)cpu))
			vector_broken(c, "cpu %d: another core", cpu);
		for (size_t i = 0; i < json_object_array_length(domains); i++) {
			check_domain(c, sd, json_object_array_get_idx(domains, i), cpu);
			sd = sd->parent;
		}
		if (sd)
			vector_broken(c, "cpu %d: a domain too many", cpu);
	}
}
