/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The deadline class as the core and the setting of attributes use it.
 *
 * A task reserves runtime for each period.  Among tasks with reservations the
 * earliest absolute deadline runs; one that used up its runtime waits for its next
 * period (the constant bandwidth server, CBS).
 */
#ifndef SCHED_DEADLINE_H
#define SCHED_DEADLINE_H

#include "sched/class.h"

/* The kernel priority of all deadline tasks. */
#define DL_PRIO (-1)

extern const struct sched_class dl_sched_class;

static inline bool dl_task(const struct task *t)
{
	return t->prio < 0;
}

/* Whether time @a lies before @b, over wraps. */
static inline bool dl_time_before(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) < 0;
}

/* @runtime_ns by @period_ns, of BW_ONE; 0 without a period. */
uint64_t to_ratio(uint64_t period_ns, uint64_t runtime_ns);

/* What the global limit of m->tunables says, ns; RUNTIME_INF for none. */
uint64_t global_rt_period(const struct machine *m);
uint64_t global_rt_runtime(const struct machine *m);

/* Nothing is promised in @rd, whose span stands.  source: init_rootdomain() */
void init_dl_root_domain(const struct machine *m, struct root_domain *rd);
void init_dl_rq(struct rq *rq);
/* @t is new: without a reservation. */
void init_dl_task(const struct machine *m, struct task *t);

/*
 * The steps of a change of attributes that are about deadlines, in this order.
 *
 * Whether the figures of @attr can be a reservation at all (EINVAL).
 * source: __checkparam_dl()
 */
bool dl_check_attr(const struct machine *m, const struct sched_attr *attr);
/* Whether @attr differs from what @t has.  source: dl_param_changed() */
bool dl_attr_changed(const struct task *t, const struct sched_attr *attr);
/*
 * Whether @t may have a reservation where it is: on every CPU of its root domain, of
 * which some bandwidth may be reserved (EPERM).  source: __sched_setscheduler()
 */
bool dl_may_enter(const struct machine *m, const struct task *t);
/*
 * Reserves what @t needs with @attr, which it comes to, stays in or leaves the class
 * by: 0, or -EBUSY and nothing changed.  What is given up when it leaves is returned at
 * its 0-lag time.  source: sched_dl_overflow()
 */
int dl_admit(struct machine *m, struct task *t, const struct sched_attr *attr);
/* @t takes over the figures of @attr.  source: __setparam_dl() */
void dl_apply_attr(struct task *t, const struct sched_attr *attr);

/*
 * 0, or -EBUSY when a deadline task would lose a CPU of its root domain by moving to
 * @cpus only.  source: dl_task_check_affinity()
 */
int dl_check_affinity(const struct machine *m, const struct task *t,
		      const struct cpumask *cpus);

/* Bandwidth of a root domain, of BW_ONE. */

/* Capacity of its active CPUs.  source: dl_bw_capacity() */
uint64_t dl_bw_capacity(const struct machine *m, const struct root_domain *rd);
/*
 * Whether @new_bw in the place of @old_bw is more than @dl_b allows on CPUs of
 * @capacity in all.  source: __dl_overflow()
 */
bool dl_overflow(const struct dl_bw *dl_b, uint64_t capacity, uint64_t old_bw,
		 uint64_t new_bw);
/* @bw is given up, or taken, in @rd.  source: __dl_sub(), __dl_add() */
void dl_bw_sub(struct machine *m, struct root_domain *rd, uint64_t bw);
void dl_bw_add(struct machine *m, struct root_domain *rd, uint64_t bw);
/*
 * Likewise, where the kernel divides among all CPUs of @rd, though those that are off
 * bear nothing.  source: dl_task_offline_migration(), dl_add_task_root_domain()
 */
void dl_bw_sub_span(struct machine *m, struct root_domain *rd, uint64_t bw);
void dl_bw_add_span(struct machine *m, struct root_domain *rd, uint64_t bw);
/* What @dl_rq may give to who reclaims, from the limit. */
void init_dl_rq_bw_ratio(struct dl_rq *dl_rq, const struct machine *m);

/*
 * Whether the root domain of @cpu has promised more than its active CPUs have: 0 or
 * -EBUSY.  source: dl_bw_check_overflow()
 */
int dl_bw_check_overflow(const struct machine *m, int cpu);

/*
 * Whether what is promised fits a limit of @runtime_ns by @period_ns on each CPU: 0 or
 * -EBUSY.  source: sched_dl_global_validate()
 */
int dl_global_validate(const struct machine *m, uint64_t period_ns,
		       uint64_t runtime_ns);
/* The limit in m->tunables changed.  source: sched_dl_do_global() */
void dl_do_global(struct machine *m);

#endif
