/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole machine: its run queues, domains, clock and settings, and the
 * questions a policy, a test or an observer may ask of it.
 */
#ifndef SCHEDSIM_MACHINE_H
#define SCHEDSIM_MACHINE_H

#include "schedsim/rq.h"
#include "schedsim/timer.h"

struct fair_ops;
struct wakeup_policy;
struct observer;
struct machine_domains;
struct cpuset_hooks;

/* Gives real-time tasks their budget anew each period. */
struct rt_bandwidth {
	struct sched_timer rt_period_timer;
	bool rt_period_active;
};

/*
 * How whoever drives the scheduler delivers interrupts and lets time pass.  Those
 * that say so may be NULL: then no time passes.
 */
struct sched_driver {
	/* A remote wakeup waits in target->wakelist; sched_ttwu_pending() is to follow.
	 */
	void (*send_ipi)(void *data, struct rq *target);
	/* timer->fn is to be called at timer->at_ns, or no longer. */
	void (*timer_start)(void *data, struct sched_timer *timer);
	void (*timer_cancel)(void *data, struct sched_timer *timer);
	void *data; /* not owned */
	/*
	 * @t has its CPU, and sched_ttwu_queue() is to follow in @ns, during which
	 * t->waker_cpu does nothing else.  May be NULL.
	 */
	void (*delay_ttwu)(void *data, struct task *t, uint64_t ns);
	/*
	 * @rq is to be rescheduled, but rq->resched_waits: machine.resched is to have
	 * it as soon as it can be.  Never NULL for a driver that sets that.
	 */
	void (*resched_waits)(void *data, struct rq *rq);
	/* The scheduler takes @ns on @rq before it goes on.  May be NULL. */
	void (*spend)(void *data, struct rq *rq, uint64_t ns);
};

struct sched_features {
#define SCHED_FEATURE(name, on, why) bool name;
#include "schedsim/features.def"
#undef SCHED_FEATURE
};

/* The -1 of sched_rt_runtime_us: no limit. */
#define RT_RUNTIME_UNLIMITED (UINT64_MAX - 1)

struct sched_tunables {
#define SCHED_TUNABLE(name, base, scaled, why) uint64_t name;
#include "schedsim/tunables.def"
#undef SCHED_TUNABLE
};

/* source: enum sched_tunable_scaling */
enum tunable_scaling { SCALING_NONE, SCALING_LOG, SCALING_LINEAR };

/* How the kernel was built to be preempted; what differs is listed in the README. */
enum preempt_model { PREEMPT_NONE, PREEMPT_VOLUNTARY, PREEMPT_FULL };

/*
 * What differs between the kernels that share this fair class.
 * source: spec of 6.1.192 against 6.1.0; each field is one backport
 */
struct kernel_profile {
	const char *name; /* "6.1-lts" */
	const char *summary;
	const char
		*rebuild; /* the rebuild policy that it has, as its parser reads it */
	const struct fair_ops *fair;
	bool has_ni_random;           /* newly idle balancing keeps a success ratio */
	bool long_sleeper_guard;      /* place_entity() and exec_start over a wakeup
					 migration */
	bool recent_used_cpu_tested;  /* cpus_ptr against recent_used_cpu, not prev */
	bool idle_smt_in_llc;         /* select_idle_smt() keeps to the LLC's domain */
	bool idle_core_in_llc;        /* select_idle_core() likewise */
	bool wakeup_stats_of_allowed; /* update_sg_wakeup_stats() */
	bool local_above_average_guard; /* calculate_imbalance() */
	bool pinned_end_at_loop_max;    /* detach_tasks() counts pinned tasks too */
	bool reweight_on_idle_policy;   /* a queued task that becomes SCHED_IDLE */
	bool max_keeps_burst;           /* cpu_max_write() */
	bool util_fits_cpu;       /* clamps are asked apart from the utilisation, not
				     applied to it */
	bool misfit_to_idle_core; /* update_sd_pick_busiest() */
};

/* Costs, ns but where the name says otherwise.  Sources are in costs.def. */
struct machine_costs {
#define MACHINE_COST(name, ns, why) uint64_t name;
#include "schedsim/costs.def"
#undef MACHINE_COST
};

/*
 * Idle CPUs without a tick, and who looks after them.
 * source: the static nohz of kernel/sched/fair.c
 */
struct nohz {
	bool on; /* ticks stop; the boot option nohz= */
	struct cpumask idle_cpus;
	bool has_blocked;
	bool needs_update;
	uint64_t next_balance; /* jiffies */
	uint64_t next_blocked; /* jiffies */
};

struct machine {
	/* time */
	uint64_t now_ns; /* sched_clock() of every CPU */
	unsigned hz;
	uint64_t jiffies;       /* now_ns * hz / 10^9 */
	uint64_t next_jiffy_ns; /* when jiffies grows */

	/* settings; but for features and tunables fixed while running */
	const struct kernel_profile *profile; /* not owned */
	enum preempt_model preempt;
	struct sched_features feat;
	struct sched_tunables tunables;
	struct sched_tunables normalized; /* those that are scaled, as for one CPU */
	enum tunable_scaling scaling;
	struct machine_costs costs;
	int nr_idle_scan_fixed; /* a value for every LLC, or -1: as the kernel computes
				   it */

	/* CPUs */
	int nr_cpus;
	struct cpumask active; /* cpu_active_mask */
	struct cpumask online; /* cpu_online_mask */
	bool smt_active; /* some core has several CPUs.  source: sched_smt_active() */
	unsigned asym_cpucap;  /* sets of domains whose CPUs differ in capacity; 0: all
				  are alike.  source: sched_asym_cpucap_active() */
	bool uclamp_used;      /* some clamp was set.  source: uclamp_is_used() */
	struct rq *rqs;        /* [nr_cpus] owned */
	struct root_domain rd; /* of the domains it starts with */
	struct root_domain def_root_domain; /* of CPUs that are in no domain */
	struct list root_domains;           /* owned; those of domains built since */
	struct machine_domains
		*domains; /* owned: every domain, group and shared part */
	struct task_group root_tg;
	unsigned nr_cfs_limits; /* groups with a quota */
	bool dl_bw_lost; /* the kernel did not count one that slept, and was lifted,
			    when it came to the deadline policy */
	uint64_t max_load_balance_interval; /* jiffies */
	bool balancing_serialized;          /* a SERIALIZE domain is being balanced */
	struct rt_bandwidth rt_bandwidth;
	struct nohz nohz;
	struct cpumask resched; /* CPUs with need_resched, less those that must wait */
	unsigned idle_probes;   /* CPUs the last idle search looked at */
	int this_cpu; /* that carries out what happens now.  source: smp_processor_id()
		       */

	/* policy */
	const struct wakeup_policy
		*policy;         /* not owned; hooks filled in by the registry */
	void *policy_params;     /* owned; [policy->params_size] */
	uint64_t newidle_random; /* state of the dice of NI_RANDOM */

	const struct sched_driver
		*driver;            /* not owned; NULL: interrupts arrive at once */
	struct observer *observers; /* not owned; NULL without any */
	const struct cpuset_hooks *cpusets; /* not owned; NULL without any */
};

static inline struct rq *cpu_rq(const struct machine *m, int cpu)
{
	return &m->rqs[cpu];
}

static inline struct rq *task_rq(const struct machine *m, const struct task *t)
{
	return &m->rqs[t->cpu];
}

/* Whether @cpu runs its idle task and nothing is queued or on its way.  source:
 * idle_cpu() */
static inline bool cpu_is_idle(const struct machine *m, int cpu)
{
	const struct rq *rq = cpu_rq(m, cpu);

	return rq->curr == rq->idle && !rq->nr_running && !rq->ttwu_pending &&
	       !rq->searching;
}

/* Whether only SCHED_IDLE tasks are queued on @cpu.  source: sched_idle_cpu() */
static inline bool cpu_is_sched_idle(const struct machine *m, int cpu)
{
	const struct rq *rq = cpu_rq(m, cpu);

	return rq->nr_running && rq->nr_running == rq->cfs.idle_h_nr_running;
}

/* source: cpus_share_cache() */
static inline bool share_cache(const struct machine *m, int a, int b)
{
	return a == b || cpu_rq(m, a)->sd_llc_id == cpu_rq(m, b)->sd_llc_id;
}

static inline bool task_may_use(const struct task *t, int cpu)
{
	return cpumask_test(&t->cpus_mask, cpu);
}

static inline uint64_t capacity_of(const struct machine *m, int cpu)
{
	return cpu_rq(m, cpu)->cpu_capacity;
}

/* Load of the tasks of @cpu.  source: cpu_load() */
static inline uint64_t cpu_load(const struct rq *rq)
{
	return rq->cfs.avg.load_avg;
}

static inline uint64_t cpu_runnable(const struct rq *rq)
{
	return rq->cfs.avg.runnable_avg;
}

/* 0..capacity_orig.  source: cpu_util_cfs() */
static inline uint64_t cpu_util_cfs(const struct machine *m, const struct rq *rq)
{
	uint64_t util = rq->cfs.avg.util_avg;

	if (m->feat.UTIL_EST && rq->cfs.avg.util_est.enqueued > util)
		util = rq->cfs.avg.util_est.enqueued;
	return util < rq->cpu_capacity_orig ? util : rq->cpu_capacity_orig;
}

#endif
