/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task as the scheduler sees it.
 */
#ifndef SCHEDSIM_TASK_H
#define SCHEDSIM_TASK_H

#include "schedsim/cpumask.h"
#include "schedsim/deadline.h"
#include "schedsim/entity.h"
#include "schedsim/rt.h"
#include "schedsim/uclamp.h"

/* SCHED_NORMAL and so on; the C library has those names.  source: uapi/linux/sched.h */
enum sched_policy {
	POLICY_NORMAL = 0,
	POLICY_FIFO = 1,
	POLICY_RR = 2,
	POLICY_BATCH = 3,
	POLICY_IDLE = 5,
	POLICY_DEADLINE = 6,
};

/*
 * What sched_setattr() sets.  The nice value is clamped to its range; the priority is
 * 1..99 for SCHED_FIFO and SCHED_RR and 0 for others.
 * source: struct sched_attr, uapi/linux/sched/types.h
 */
struct sched_attr {
	enum sched_policy sched_policy;
	int sched_nice;
	unsigned sched_priority;
	/* SCHED_DEADLINE, ns; a period of 0: sched_deadline */
	uint64_t sched_runtime, sched_deadline, sched_period;
	unsigned sched_flags; /* enum sched_attr_flags */
	/* 0..CAPACITY_ONE, or -1 for what they are without a wish; each with its flag
	 */
	int sched_util_min, sched_util_max;
};

enum task_state {
	TASK_RUNNING, /* running or runnable */
	TASK_INTERRUPTIBLE,
	TASK_UNINTERRUPTIBLE,
	TASK_WAKING, /* between the choice of a CPU and the enqueue */
	TASK_NEW,
	TASK_DEAD,
};

enum task_on_rq { TASK_ON_RQ_NONE, TASK_ON_RQ_QUEUED, TASK_ON_RQ_MIGRATING };

struct sched_class;
struct cpuset_task;
struct rq;

/* Something a CPU's stopper is to do. */
struct cpu_stop_work {
	struct list node; /* in rq.stop_works */
	void (*fn)(struct rq *rq, void *arg);
	void *arg; /* not owned */
};

struct task {
	int pid;          /* 0 for the idle tasks */
	const char *comm; /* not owned */
	enum task_state state;
	enum task_on_rq on_rq;
	bool on_cpu;      /* running on its CPU */
	bool pushable_dl; /* in dl_rq.pushable_dl_tasks_root */
	bool load_stale;  /* once had a weight that load_avg did not follow at once; for
			     the invariants */
	int cpu;          /* task_cpu(): where it runs, is queued, or last was */
	int wake_cpu;
	int recent_used_cpu;

	enum sched_policy policy;
	int static_prio;      /* 120 + nice */
	unsigned rt_priority; /* 1..99, 99 the highest; 0: not real-time */
	int prio;             /* kernel priority: 0..98 real-time,
				 100..139 fair */
	const struct sched_class *sched_class; /* not owned */
	const struct task *pi_top_task; /* that it is boosted by; not owned; NULL */
	struct sched_entity se;
	struct sched_rt_entity rt;
	struct uclamp_se uclamp_req[UCLAMP_CNT];
	struct task_group *sched_task_group; /* not owned */
	struct cgroup *cgroup;               /* not owned; NULL: in none */
	struct list cgroup_node;             /* in cgroup->tasks */

	struct cpumask cpus_mask;
	int nr_cpus_allowed;
	bool per_cpu_kthread;
	bool exiting; /* PF_EXITING */
	bool sched_contributes_to_load;
	bool sched_remote_wakeup; /* the pending remote wakeup migrates it */
	int migration_cpu;
	int waker_cpu;       /* of the wakeup under way */
	unsigned wake_flags; /* likewise */

	unsigned wakee_flips;
	uint64_t wakee_flip_decay_ts;  /* jiffies */
	const struct task *last_wakee; /* not owned */

	struct list wake_entry;  /* in a CPU's wakelist while pending */
	uint64_t wakelist_at_ns; /* when it was put there */

	struct cpu_stop_work migration_work; /* moves it off a CPU it may not use,
						to migration_cpu */

	uint64_t nvcsw, nivcsw;  /* voluntary and involuntary switches */
	uint64_t run_delay_ns;   /* /proc/PID/schedstat, field 2 */
	uint64_t last_queued_ns; /* clock when it became runnable; 0: not waiting */
	uint64_t pcount;         /* times switched in */

	struct sched_dl_entity dl;
	struct rb_node pushable_dl_tasks; /* in dl_rq.pushable_dl_tasks_root */

	uint64_t short_below_ns; /* this task's own bound for "short"; 0: the run's */
	void *policy_state;      /* owned; [policy->task_size], zeroed */
	void *owner;             /* for whoever drives the scheduler; not owned */
	struct cpuset_task *cpuset; /* its place among cpusets; not owned; NULL: none */
};

static inline struct task *task_of(struct sched_entity *se)
{
	return list_entry(se, struct task, se);
}

static inline const struct task *task_of_const(const struct sched_entity *se)
{
	return (const struct task *)((const char *)se - offsetof(struct task, se));
}

static inline bool task_is_idle_policy(const struct task *t)
{
	return t->policy == POLICY_IDLE;
}

/* source: fair_policy(), rt_policy() */
static inline bool fair_policy(enum sched_policy policy)
{
	return policy == POLICY_NORMAL || policy == POLICY_BATCH ||
	       policy == POLICY_IDLE;
}

static inline bool rt_policy(enum sched_policy policy)
{
	return policy == POLICY_FIFO || policy == POLICY_RR;
}

/* Above the fair class.  source: rt_task() */
static inline bool rt_task(const struct task *t)
{
	return t->prio < MAX_RT_PRIO;
}

/* Between two run queues.  source: task_on_rq_migrating() */
static inline bool task_is_migrating(const struct task *t)
{
	return t->on_rq == TASK_ON_RQ_MIGRATING;
}

static inline int task_nice(const struct task *t)
{
	return t->static_prio - DEFAULT_PRIO;
}

#endif
