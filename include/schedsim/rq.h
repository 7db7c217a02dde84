/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU's run queue.  Fields carry the kernel's names.
 */
#ifndef SCHEDSIM_RQ_H
#define SCHEDSIM_RQ_H

#include "schedsim/domain.h"
#include "schedsim/task.h"

struct machine;

/* source: RQCF_REQ_SKIP and RQCF_ACT_SKIP */
enum rq_clock_flags { RQCF_REQ_SKIP = 1, RQCF_ACT_SKIP = 2 };

struct rq {
	struct machine *m; /* not owned */
	int cpu;
	unsigned nr_running; /* of all classes */
	bool need_resched;
	bool resched_waits; /* kept from rescheduling by the driver: it handles an
			       interrupt, or is in an idle state */
	bool ttwu_pending;
	struct task *curr;      /* not owned */
	struct task *idle;      /* owned */
	struct task *stop;      /* owned; the stopper, above every class */
	struct list stop_works; /* of cpu_stop_work, in order */
	struct cfs_rq cfs;
	struct list cfs_tasks;         /* most recently run first */
	struct list leaf_cfs_rq_list;  /* children before parents */
	struct list *tmp_alone_branch; /* where a parent still to come is to be put */
	struct list wakelist;          /* of task.wake_entry, in order of arrival */
	struct list rto_pushes;        /* of root_domain.rto_push_work, likewise */

	unsigned clock_update_flags;
	uint64_t clock;      /* ns, as of the last update_rq_clock() */
	uint64_t clock_task; /* less interrupt time */
	uint64_t clock_pelt; /* scaled by capacity and frequency */
	uint64_t lost_idle_time;
	uint64_t clock_idle; /* clock when it went idle */
	uint64_t clock_pelt_idle;
	uint64_t prev_irq_time;
	uint64_t irq_time;   /* ns spent in interrupts so far */
	unsigned cpu_scale;  /* arch_scale_cpu_capacity(), 0..CAPACITY_ONE */
	unsigned freq_scale; /* arch_scale_freq_capacity() */

	struct rt_rq rt;
	struct dl_rq dl;

	struct sched_avg avg_rt, avg_dl, avg_irq;
	uint64_t cpu_capacity; /* what is left for CFS, when last updated */
	uint64_t cpu_capacity_orig;
	uint64_t misfit_task_load; /* of the task it runs, if that is too big for it */

	struct sched_domain *sd;     /* lowest domain; not owned; NULL without any */
	struct root_domain *rd;      /* not owned */
	struct sched_domain *sd_llc; /* highest that shares the cache; NULL if none */
	struct sched_domain_shared *sd_llc_shared; /* not owned; NULL if none */
	int sd_llc_id;                             /* its first CPU */
	int sd_llc_size;
	/* Lowest that spans all capacities there are; not owned; NULL if they are one.
	 */
	struct sched_domain *sd_asym_cpucapacity;
	struct cpumask smt_mask;  /* CPUs of this core */
	struct cpumask node_mask; /* CPUs of this NUMA node */

	uint64_t next_balance; /* jiffies */
	bool idle_balance;     /* idle at the last tick */
	void (*balance_callbacks[4])(struct rq *rq);
	int nr_balance_callbacks;
	bool active_balance; /* active_balance_work is queued */
	struct cpu_stop_work active_balance_work;
	int push_cpu;
	struct cpu_stop_work push_work; /* moves what runs off a CPU that goes off */
	uint64_t last_blocked_load_update_tick;
	bool has_blocked_load;

	bool nohz_tick_stopped;     /* in nohz.idle_cpus */
	bool nohz_llc_idle;         /* not in the LLC's nr_busy_cpus */
	unsigned nohz_flags;        /* kicks on their way */
	unsigned nohz_idle_balance; /* kicks for the softirq */

	bool searching;                 /* in the time a newly idle pass takes */
	uint64_t idle_stamp;            /* clock of the last newly idle pass; 0: none */
	uint64_t avg_idle;              /* ns */
	uint64_t wake_stamp;            /* jiffies */
	uint64_t wake_avg_idle;         /* ns, SIS_PROP */
	uint64_t max_idle_balance_cost; /* ns */

	int distribute_cursor; /* of cpumask_any_and_distribute() by callers here */
	uint64_t nr_switches;
	void *policy_state; /* owned; [policy->cpu_size], zeroed */
};

#endif
