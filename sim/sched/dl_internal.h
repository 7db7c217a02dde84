/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the deadline class share with each other and their tests.
 */
#ifndef SCHED_DL_INTERNAL_H
#define SCHED_DL_INTERNAL_H

#include "sched/deadline.h"
#include "sched/rbtree.h"
#include "sched/root_domain.h"

/* Figures of a wakeup are compared in units of 2^DL_SCALE ns. */
#define DL_SCALE 10

static inline struct task *dl_task_of(struct sched_dl_entity *dl_se)
{
	return list_entry(dl_se, struct task, dl);
}

/* source: dl_entity_preempt() */
static inline bool dl_entity_preempt(const struct sched_dl_entity *a,
				     const struct sched_dl_entity *b)
{
	return dl_time_before(a->deadline, b->deadline);
}

/* dl_entity.c: the server's rules, at @clock_ns of rq.clock */

/* A deadline that is past at @clock_ns, whatever the period. */
uint64_t dl_deadline_long_ago(uint64_t clock_ns);
/* A whole instance, from now on.  source: replenish_dl_new_period() */
void replenish_dl_new_period(struct sched_dl_entity *dl_se, uint64_t clock_ns);
/* The timer fired, or was too late to be set.  source: replenish_dl_entity() */
void replenish_dl_entity(struct sched_dl_entity *dl_se, uint64_t clock_ns);
/*
 * Whether what is left, used until the deadline, would be more than was reserved.
 * source: dl_entity_overflow()
 */
bool dl_entity_overflow(const struct sched_dl_entity *dl_se, uint64_t clock_ns);
/* A wakeup.  source: update_dl_entity() */
void update_dl_entity(struct sched_dl_entity *dl_se, uint64_t clock_ns);

/* source: pi_of() */
static inline const struct sched_dl_entity *pi_of(const struct sched_dl_entity *dl_se)
{
	return dl_se->pi_se ? dl_se->pi_se : dl_se;
}

/* source: is_dl_boosted() */
static inline bool is_dl_boosted(const struct sched_dl_entity *dl_se)
{
	return dl_se->pi_se;
}

/* source: dl_is_implicit() */
static inline bool dl_is_implicit(const struct sched_dl_entity *dl_se)
{
	return dl_se->dl_deadline == dl_se->dl_period;
}

/* source: dl_next_period() */
static inline uint64_t dl_next_period(const struct sched_dl_entity *dl_se)
{
	return dl_se->deadline - dl_se->dl_deadline + dl_se->dl_period;
}

/* dl_bandwidth.c: how much of what belongs to a CPU is in use */

void add_rq_bw(struct dl_rq *dl_rq, uint64_t bw);
void sub_rq_bw(struct dl_rq *dl_rq, uint64_t bw);
void add_running_bw(struct dl_rq *dl_rq, uint64_t bw);
void sub_running_bw(struct dl_rq *dl_rq, uint64_t bw);
/* @t sleeps, dies or leaves the class.  source: task_non_contending() */
void task_non_contending(struct rq *rq, struct task *t);
/* @t wakes up.  source: task_contending() */
void task_contending(struct rq *rq, struct task *t, unsigned flags);
/* @t sleeps in the class with other figures.  source: dl_change_utilization() */
void dl_change_utilization(struct rq *rq, struct task *t, uint64_t new_bw);
/* A sleeping @t leaves @rq for another CPU.  source: migrate_task_rq_dl() */
void dl_bandwidth_migrate(struct rq *rq, struct task *t);
/* source: inactive_task_timer() */
void inactive_task_timer(struct machine *m, void *subject);
/* What of @delta_ns a reclaiming task is charged, ns.  source: grub_reclaim() */
uint64_t grub_reclaim(uint64_t delta_ns, const struct rq *rq,
		      const struct sched_dl_entity *dl_se);

/* cpudeadline.c */

/*
 * Whether @cpu is fast enough for the density of @t; true where all CPUs are alike.
 * source: dl_task_fits_capacity(), sched_asym_cpucap_active()
 */
bool dl_fits_capacity(const struct machine *m, const struct task *t, int cpu);

void cpudl_init(struct cpudl *cp, const struct cpumask *cpus);
/* @cpu's earliest deadline is @dl. */
void cpudl_set(struct cpudl *cp, int cpu, uint64_t dl);
/* @cpu has no deadline task; it may be given one if @online. */
void cpudl_clear(struct cpudl *cp, int cpu, bool online);
/*
 * Whether some CPU could run @t now, in the order of the deadlines: those without a
 * deadline task, or else the one with the latest.  @later_mask (NULL: the latter
 * alone is looked for) gets them.
 */
bool cpudl_find(const struct machine *m, const struct task *t,
		struct cpumask *later_mask);

/* dl_push_pull.c */

void enqueue_pushable_dl_task(struct rq *rq, struct task *t);
void dequeue_pushable_dl_task(struct rq *rq, struct task *t);
/* A task that may use several CPUs was queued, or is no longer. */
void inc_dl_migration(struct rq *rq, const struct task *t);
void dec_dl_migration(struct rq *rq, const struct task *t);

static inline bool has_pushable_dl_tasks(const struct rq *rq)
{
	return rq->dl.pushable_dl_tasks_root.node;
}

int select_task_rq_dl(struct machine *m, struct task *t, int prev_cpu, int this_cpu,
		      unsigned wake_flags, bool in_task);
/* True when a task was moved. */
bool push_dl_task(struct rq *rq);
void push_dl_tasks(struct rq *rq);
/*
 * The throttled @t is to run again but @rq went off: moves it, and its bandwidth too if
 * that is of another root domain.  Returns where to.
 */
struct rq *dl_task_offline_migration(struct rq *rq, struct task *t);
void pull_dl_task(struct rq *this_rq);

#endif
