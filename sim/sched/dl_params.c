/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reservations: which figures make one, and whether the root domain has room for it.
 */
#include "sched/dl_internal.h"

#include <errno.h>

uint64_t to_ratio(uint64_t period_ns, uint64_t runtime_ns)
{
	if (runtime_ns == RUNTIME_INF)
		return BW_ONE;
	if (!period_ns)
		return 0;
	return (runtime_ns << BW_SHIFT) / period_ns;
}

uint64_t global_rt_period(const struct machine *m)
{
	return m->tunables.sched_rt_period_us * NSEC_PER_USEC;
}

uint64_t global_rt_runtime(const struct machine *m)
{
	if (m->tunables.sched_rt_runtime_us == RT_RUNTIME_UNLIMITED)
		return RUNTIME_INF;
	return m->tunables.sched_rt_runtime_us * NSEC_PER_USEC;
}

/* source: dl_bandwidth_enabled() */
static bool dl_bandwidth_enabled(const struct machine *m)
{
	return global_rt_runtime(m) != RUNTIME_INF;
}

static uint64_t global_limit(const struct machine *m)
{
	return dl_bandwidth_enabled(m)
		       ? to_ratio(global_rt_period(m), global_rt_runtime(m))
		       : DL_BW_UNLIMITED;
}

void init_dl_root_domain(const struct machine *m, struct root_domain *rd)
{
	rd->dl_bw = (struct dl_bw){.bw = global_limit(m)};
	rd->dlo_mask = cpumask_none();
	cpudl_init(&rd->cpudl, &rd->span);
}

/* Room */

static struct cpumask active_cpus(const struct machine *m, const struct root_domain *rd)
{
	return cpumask_and(&rd->span, &m->active);
}

uint64_t dl_bw_capacity(const struct machine *m, const struct root_domain *rd)
{
	struct cpumask cpus = active_cpus(m, rd);
	uint64_t capacity = 0;
	int cpu;

	for_each_cpu (cpu, &cpus)
		capacity += cpu_rq(m, cpu)->cpu_capacity_orig;
	return capacity;
}

bool dl_overflow(const struct dl_bw *dl_b, uint64_t capacity, uint64_t old_bw,
		 uint64_t new_bw)
{
	return dl_b->bw != DL_BW_UNLIMITED && (dl_b->bw * capacity >> CAPACITY_SHIFT) <
						      dl_b->total_bw - old_bw + new_bw;
}

/*
 * Each active CPU's part of @bw, which is one of @nr_cpus and rounded towards 0, is
 * what its tasks may not reclaim.  source: __dl_update()
 */
static void change_extra_bw(struct machine *m, const struct root_domain *rd, int64_t bw,
			    int nr_cpus)
{
	struct cpumask cpus = active_cpus(m, rd);
	int64_t part = (int32_t)bw / MAX(nr_cpus, 1);
	int cpu;

	for_each_cpu (cpu, &cpus)
		cpu_rq(m, cpu)->dl.extra_bw += (uint64_t)part;
}

/* source: dl_bw_cpus() */
static int nr_active(const struct machine *m, const struct root_domain *rd)
{
	struct cpumask cpus = active_cpus(m, rd);

	return cpumask_weight(&cpus);
}

void dl_bw_sub(struct machine *m, struct root_domain *rd, uint64_t bw)
{
	rd->dl_bw.total_bw -= bw;
	change_extra_bw(m, rd, (int64_t)bw, nr_active(m, rd));
}

void dl_bw_add(struct machine *m, struct root_domain *rd, uint64_t bw)
{
	rd->dl_bw.total_bw += bw;
	change_extra_bw(m, rd, -(int64_t)bw, nr_active(m, rd));
}

void dl_bw_sub_span(struct machine *m, struct root_domain *rd, uint64_t bw)
{
	rd->dl_bw.total_bw -= bw;
	change_extra_bw(m, rd, (int64_t)bw, cpumask_weight(&rd->span));
}

void dl_bw_add_span(struct machine *m, struct root_domain *rd, uint64_t bw)
{
	rd->dl_bw.total_bw += bw;
	change_extra_bw(m, rd, -(int64_t)bw, cpumask_weight(&rd->span));
}

int dl_bw_check_overflow(const struct machine *m, int cpu)
{
	const struct root_domain *rd = cpu_rq(m, cpu)->rd;

	return dl_overflow(&rd->dl_bw, dl_bw_capacity(m, rd), 0, 0) ? -EBUSY : 0;
}

/* Each root domain once: at the first of its CPUs. */
static bool is_first_of_root_domain(const struct machine *m, int cpu)
{
	return cpumask_first(&cpu_rq(m, cpu)->rd->span) == cpu;
}

int dl_global_validate(const struct machine *m, uint64_t period_ns, uint64_t runtime_ns)
{
	uint64_t bw = to_ratio(period_ns, runtime_ns);

	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		const struct root_domain *rd = cpu_rq(m, cpu)->rd;
		struct cpumask cpus = active_cpus(m, rd);

		if (is_first_of_root_domain(m, cpu) &&
		    bw * (uint64_t)cpumask_weight(&cpus) < rd->dl_bw.total_bw)
			return -EBUSY;
	}
	return 0;
}

void dl_do_global(struct machine *m)
{
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		struct rq *rq = cpu_rq(m, cpu);

		rq->rd->dl_bw.bw = global_limit(m);
		init_dl_rq_bw_ratio(&rq->dl, m);
	}
}

/* Figures */

static uint64_t period_of(const struct sched_attr *attr)
{
	return attr->sched_period ? attr->sched_period : attr->sched_deadline;
}

/* Half of all values stand for times that are past. */
static bool is_relative_time(uint64_t ns)
{
	return !(ns >> 63);
}

bool dl_check_attr(const struct machine *m, const struct sched_attr *attr)
{
	uint64_t min = m->tunables.sched_deadline_period_min_us * NSEC_PER_USEC;
	uint64_t max = m->tunables.sched_deadline_period_max_us * NSEC_PER_USEC;
	uint64_t period = period_of(attr);

	if (!attr->sched_deadline || attr->sched_runtime < 1ULL << DL_SCALE)
		return false;
	if (!is_relative_time(attr->sched_deadline) ||
	    !is_relative_time(attr->sched_period))
		return false;
	if (attr->sched_runtime > attr->sched_deadline || attr->sched_deadline > period)
		return false;
	return period >= min && period <= max;
}

bool dl_attr_changed(const struct task *t, const struct sched_attr *attr)
{
	return t->dl.dl_runtime != attr->sched_runtime ||
	       t->dl.dl_deadline != attr->sched_deadline ||
	       t->dl.dl_period != attr->sched_period ||
	       t->dl.flags != (attr->sched_flags & SCHED_FLAG_RECLAIM);
}

bool dl_may_enter(const struct machine *m, const struct task *t)
{
	const struct root_domain *rd = task_rq(m, t)->rd;

	if (!dl_bandwidth_enabled(m))
		return true;
	return cpumask_subset(&rd->span, &t->cpus_mask) && rd->dl_bw.bw;
}

int dl_check_affinity(const struct machine *m, const struct task *t,
		      const struct cpumask *cpus)
{
	if (t->policy != POLICY_DEADLINE || !dl_bandwidth_enabled(m))
		return 0;
	return cpumask_subset(&task_rq(m, t)->rd->span, cpus) ? 0 : -EBUSY;
}

int dl_admit(struct machine *m, struct task *t, const struct sched_attr *attr)
{
	uint64_t new_bw = to_ratio(period_of(attr), attr->sched_runtime);
	bool stays = t->policy == POLICY_DEADLINE;
	struct rq *rq = task_rq(m, t);
	struct root_domain *rd = rq->rd;

	/* What it leaves is returned at the 0-lag time, which switched_from knows. */
	if (attr->sched_policy != POLICY_DEADLINE)
		return 0;
	if (stays && new_bw == t->dl.dl_bw)
		return 0;
	if (dl_overflow(&rd->dl_bw, dl_bw_capacity(m, rd), stays ? t->dl.dl_bw : 0,
			new_bw))
		return -EBUSY;
	/* One that came back before its 0-lag time still has its old share. */
	if (stays || t->dl.inactive_timer.pending)
		dl_bw_sub(m, rd, t->dl.dl_bw);
	dl_bw_add(m, rd, new_bw);
	if (stays)
		dl_change_utilization(rq, t, new_bw);
	return 0;
}

void dl_apply_attr(struct task *t, const struct sched_attr *attr)
{
	struct sched_dl_entity *dl_se = &t->dl;

	dl_se->dl_runtime = attr->sched_runtime;
	dl_se->dl_deadline = attr->sched_deadline;
	dl_se->dl_period = period_of(attr);
	dl_se->flags = attr->sched_flags & SCHED_FLAG_RECLAIM;
	dl_se->dl_bw = to_ratio(dl_se->dl_period, dl_se->dl_runtime);
	dl_se->dl_density = to_ratio(dl_se->dl_deadline, dl_se->dl_runtime);
}
