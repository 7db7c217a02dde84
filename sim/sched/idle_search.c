/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast path of a wakeup: an idle CPU near the target.  First the few that are
 * likely, then a search through the cache's CPUs.
 */
#include "sched/asym.h"
#include "sched/fair_load.h"
#include "sched/load_weight.h"
#include "sched/select.h"

#include <limits.h>

/* The search's least bound with SIS_PROP.  source: select_idle_cpu(), v6.1 */
#define SIS_PROP_MIN_NR 4

/* source: available_idle_cpu() or sched_idle_cpu() */
static bool takes_work_at_once(const struct machine *m, int cpu)
{
	return cpu_is_idle(m, cpu) || cpu_is_sched_idle(m, cpu);
}

/* Notes who decided and why; returns @cpu. */
static int settle(struct wakeup *w, const char *stage, int cpu, const char *reason)
{
	w->stage = stage;
	w->reason = reason;
	return cpu;
}

static int found(struct wakeup *w, int cpu, const char *idle, const char *sched_idle)
{
	return settle(w, "select_idle_sibling", cpu,
		      cpu_is_idle(w->m, cpu) ? idle : sched_idle);
}

static bool has_idle_cores(const struct machine *m, int cpu)
{
	const struct sched_domain_shared *shared = cpu_rq(m, cpu)->sd_llc_shared;

	return shared && shared->has_idle_cores;
}

static void set_idle_cores(const struct machine *m, int cpu, bool value)
{
	struct sched_domain_shared *shared = cpu_rq(m, cpu)->sd_llc_shared;

	if (shared)
		shared->has_idle_cores = value;
}

void update_idle_core(struct rq *rq)
{
	const struct machine *m = rq->m;
	int cpu;

	if (!m->smt_active || has_idle_cores(m, rq->cpu))
		return;
	for_each_cpu (cpu, &rq->smt_mask) {
		if (cpu != rq->cpu && !cpu_is_idle(m, cpu))
			return;
	}
	set_idle_cores(m, rq->cpu, true);
}

/* The lowest idle sibling of @of, or CPU_NONE.  source: select_idle_smt() */
static int select_idle_smt(const struct wakeup *w, const struct sched_domain *llc,
			   int of)
{
	const struct machine *m = w->m;
	struct cpumask siblings = cpu_rq(m, of)->smt_mask;
	int cpu;

	siblings = cpumask_and(&siblings, &w->p->cpus_mask);
	if (m->profile->idle_smt_in_llc)
		siblings = cpumask_and(&siblings, &llc->span);
	for_each_cpu (cpu, &siblings) {
		if (cpu != of && takes_work_at_once(m, cpu))
			return cpu;
	}
	return CPU_NONE;
}

/* One pass of select_idle_cpu(). */
struct search {
	struct wakeup *w;
	struct cpumask cpus; /* still to be looked at */
	int target;
	int nr;         /* one more than the CPUs that may be tested */
	int first_idle; /* of those the policy refused, or outside an idle core */
};

static bool may_take(const struct search *s, int cpu)
{
	const struct wakeup_policy *policy = s->w->m->policy;

	return !policy->may_take_idle || policy->may_take_idle(s->w, cpu);
}

/*
 * Whether the whole core of @core is idle.  On the way s->first_idle becomes the
 * first CPU seen that is idle, or else runs only SCHED_IDLE tasks.  A core that is
 * not idle is not looked at again.
 *
 * source: select_idle_core(), kernel/sched/fair.c, v6.1
 */
static bool core_is_idle(struct search *s, int core)
{
	const struct machine *m = s->w->m;
	const struct cpumask *smt = &cpu_rq(m, core)->smt_mask;
	const struct cpumask *usable =
		m->profile->idle_core_in_llc ? &s->cpus : &s->w->p->cpus_mask;
	bool idle = true;
	int cpu;

	for_each_cpu (cpu, smt) {
		bool may_be_first =
			s->first_idle == CPU_NONE && cpumask_test(usable, cpu);

		s->w->probes++;
		if (cpu_is_idle(m, cpu)) {
			if (may_be_first)
				s->first_idle = cpu;
			continue;
		}
		idle = false;
		if (s->first_idle != CPU_NONE)
			break;
		if (may_be_first && cpu_is_sched_idle(m, cpu)) {
			s->first_idle = cpu;
			break;
		}
	}
	if (!idle)
		s->cpus = cpumask_andnot(&s->cpus, smt);
	return idle;
}

/* An idle core's CPU, else the first idle CPU seen, else CPU_NONE. */
static int search_cores(struct search *s)
{
	int cpu = s->target;

	while ((cpu = cpumask_next_wrap(&s->cpus, cpu)) < CPUS_MAX) {
		if (core_is_idle(s, cpu)) {
			if (may_take(s, cpu))
				return settle(s->w, "select_idle_core", cpu,
					      "a whole core is idle");
			cpumask_clear(&s->cpus, cpu);
		}
	}
	set_idle_cores(s->w->m, s->target, false);
	return settle(s->w, "select_idle_core", s->first_idle,
		      s->first_idle == CPU_NONE
			      ? "no idle CPU found: target"
			      : "no idle core to take: the first idle CPU seen");
}

static int search_cpus(struct search *s)
{
	struct wakeup *w = s->w;
	int cpu, left;

	for_each_cpu_wrap (cpu, &s->cpus, s->target + 1, left) {
		if (!--s->nr)
			return settle(w, "select_idle_cpu", CPU_NONE,
				      "no idle CPU found within the bound: target");
		w->probes++;
		if (!takes_work_at_once(w->m, cpu))
			continue;
		if (may_take(s, cpu))
			return settle(w, "select_idle_cpu", cpu,
				      "first idle CPU of the search");
		if (s->first_idle == CPU_NONE)
			s->first_idle = cpu;
	}
	return settle(w, "select_idle_cpu", s->first_idle,
		      s->first_idle == CPU_NONE
			      ? "no idle CPU found: target"
			      : "the policy wants none of the idle CPUs: the first");
}

/*
 * SIS_PROP's bound: as many CPUs as fit into the time this CPU is expected to be
 * idle, which halves with each jiffy since it was last measured.
 */
static int proportional_nr(const struct machine *m, struct rq *rq,
			   const struct sched_domain *this_llc, unsigned span_weight)
{
	uint64_t cost = this_llc->avg_scan_cost + 1;
	uint64_t span_avg;

	while (rq->wake_stamp < m->jiffies && rq->wake_avg_idle) {
		rq->wake_stamp++;
		rq->wake_avg_idle >>= 1;
	}
	span_avg = span_weight * rq->wake_avg_idle;
	return span_avg > 4 * cost ? (int)(span_avg / cost) : SIS_PROP_MIN_NR;
}

/* What a search that looked at @probes CPUs took of this CPU's idle time. */
static void account_scan(const struct machine *m, struct rq *rq,
			 struct sched_domain *this_llc, unsigned probes)
{
	uint64_t took_ns = probes * m->costs.idle_probe_ns;

	rq->wake_avg_idle -= MIN(rq->wake_avg_idle, took_ns);
	update_avg(&this_llc->avg_scan_cost, took_ns);
}

static int no_search(struct wakeup *w, const char *reason)
{
	return settle(w, "select_idle_cpu", CPU_NONE, reason);
}

/*
 * The scan itself, from the target's neighbour round to the target.  SIS_PROP
 * learns from a scan that came to its end or found a CPU, not from one cut short.
 */
static int scan(struct search *s, bool has_idle_core, struct sched_domain *this_llc)
{
	struct wakeup *w = s->w;
	int cpu = has_idle_core ? search_cores(s) : search_cpus(s);

	w->search_hit = cpu != CPU_NONE;
	if (this_llc && s->nr)
		account_scan(w->m, cpu_rq(w->m, w->this_cpu), this_llc, w->probes);
	return cpu;
}

int select_idle_cpu(struct wakeup *w, struct sched_domain *llc, bool has_idle_core,
		    int target)
{
	const struct machine *m = w->m;
	struct rq *this_rq = cpu_rq(m, w->this_cpu);
	const struct sched_domain_shared *shared = cpu_rq(m, target)->sd_llc_shared;
	struct sched_domain *this_llc = NULL;
	struct search s = {
		.w = w,
		.cpus = cpumask_and(&llc->span, &w->p->cpus_mask),
		.target = target,
		.nr = INT_MAX,
		.first_idle = CPU_NONE,
	};
	bool by_util = m->feat.SIS_UTIL && shared;
	struct verdict verdict;

	w->searched = true;
	if (m->feat.SIS_PROP && !has_idle_core) {
		this_llc = this_rq->sd_llc;
		if (!this_llc)
			return no_search(w, "this CPU shares no cache: target");
		s.nr = proportional_nr(m, this_rq, this_llc, llc->span_weight);
	}
	if (by_util) {
		s.nr = llc_nr_idle_scan(m, shared) + 1;
		if (s.nr == 1)
			return no_search(w, "the LLC is too busy to search: target");
	}
	verdict = m->policy->before_scan(w, has_idle_core, by_util ? s.nr : 0, llc);
	if (verdict.cpu != CPU_NONE)
		return settle(w, "before_scan", verdict.cpu, verdict.reason);
	return scan(&s, has_idle_core, this_llc);
}

/* @cpu would run the task now, and is enough for it. */
static bool suits(const struct machine *m, const struct cpu_demand *d, int cpu)
{
	return takes_work_at_once(m, cpu) && asym_fits_cpu(m, d, cpu);
}

/*
 * An IO completion's worker, bound to its CPU, wakes who queued the work there: as
 * good as a sync wakeup.
 */
static bool stacks_on_its_kthread(const struct wakeup *w, int prev)
{
	return w->curr->per_cpu_kthread && w->in_task && prev == w->this_cpu &&
	       cpu_rq(w->m, w->this_cpu)->nr_running <= 1;
}

/* The CPU the task used before prev, if it can go there at once, or CPU_NONE. */
static int recent_cpu(struct wakeup *w, const struct cpu_demand *d, int prev,
		      int target)
{
	const struct machine *m = w->m;
	int recent = w->p->recent_used_cpu;

	w->p->recent_used_cpu = prev;
	if (recent == prev || recent == target || !share_cache(m, recent, target) ||
	    !suits(m, d, recent))
		return CPU_NONE;
	/* 6.1.0 asks for the field it has just overwritten. */
	return task_may_use(w->p, m->profile->recent_used_cpu_tested ? recent : prev)
		       ? recent
		       : CPU_NONE;
}

static int search_llc(struct wakeup *w, int prev, int target)
{
	const struct machine *m = w->m;
	struct sched_domain *llc = cpu_rq(m, target)->sd_llc;
	bool has_idle_core = false;
	int cpu;

	if (!llc)
		return settle(w, "select_idle_sibling", target,
			      "the target shares no cache: target");
	if (m->smt_active) {
		has_idle_core = has_idle_cores(m, target);
		if (!has_idle_core && share_cache(m, prev, target)) {
			cpu = select_idle_smt(w, llc, prev);
			if (cpu != CPU_NONE)
				return settle(w, "select_idle_smt", cpu,
					      "prev's sibling is idle");
		}
	}
	cpu = select_idle_cpu(w, llc, has_idle_core, target);
	return cpu != CPU_NONE ? cpu : target;
}

/*
 * What is left of select_idle_sibling() when the likely CPUs are busy.  A set of CPUs
 * that are alike on a machine where others differ is searched as on any machine.
 */
static int search(struct wakeup *w, const struct cpu_demand *d, int prev, int target)
{
	const struct sched_domain *sd = cpu_rq(w->m, target)->sd_asym_cpucapacity;
	int cpu;

	if (!sd)
		return search_llc(w, prev, target);
	cpu = select_idle_capacity(w, sd, d, target);
	return cpu != CPU_NONE ? cpu : target;
}

/* The utilisation is brought up to date first, for it will be compared. */
static struct cpu_demand current_demand(const struct wakeup *w)
{
	if (!w->m->asym_cpucap)
		return (struct cpu_demand){0};
	sync_entity_load_avg(&w->p->se);
	return task_demand(w->m, w->p);
}

/* The allowed CPUs are not asked of target and prev; select_task_rq() repairs it. */
int select_idle_sibling(struct wakeup *w, int prev, int target)
{
	const struct machine *m = w->m;
	struct cpu_demand d = current_demand(w);
	int cpu;

	w->target = target;
	if (suits(m, &d, target))
		return found(w, target, "target is idle",
			     "target runs only SCHED_IDLE tasks");
	if (prev != target && share_cache(m, prev, target) && suits(m, &d, prev))
		return found(w, prev, "prev is idle and shares the cache",
			     "prev runs only SCHED_IDLE tasks and shares the cache");
	if (stacks_on_its_kthread(w, prev) && asym_fits_cpu(m, &d, prev))
		return settle(w, "select_idle_sibling", prev,
			      "woken by a kthread bound to prev: prev");
	cpu = recent_cpu(w, &d, prev, target);
	if (cpu != CPU_NONE)
		return found(w, cpu, "the CPU used before prev is idle",
			     "the CPU used before prev runs only SCHED_IDLE tasks");
	return search(w, &d, prev, target);
}
