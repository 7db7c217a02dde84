/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a wakee is drawn to the waker's CPU or stays at its own: who is idle
 * now, and else who carries less load.
 */
#include "sched/fair_load.h"
#include "sched/select.h"

/* source: wake_affine_idle(), kernel/sched/fair.c, v6.1 */
struct verdict baseline_wake_affine_idle(const struct wakeup *w)
{
	const struct machine *m = w->m;
	bool prev_is_idle = cpu_is_idle(m, w->prev_cpu);

	/* Then an interrupt wakes; it must not draw tasks out of their cache. */
	if (cpu_is_idle(m, w->this_cpu) && share_cache(m, w->this_cpu, w->prev_cpu)) {
		if (prev_is_idle)
			return (struct verdict){w->prev_cpu,
						"both CPUs are idle: prev"};
		return (struct verdict){w->this_cpu,
					"the waker's CPU is idle and shares the cache"};
	}
	if (w->sync && cpu_rq(m, w->this_cpu)->nr_running == 1)
		return (struct verdict){w->this_cpu,
					"sync wakeup by the only task of its CPU"};
	if (prev_is_idle)
		return (struct verdict){w->prev_cpu, "prev is idle"};
	return NO_OPINION;
}

/*
 * Compares what each CPU's load would be with the wakee on it, each times the
 * other's capacity.  The sleeping wakee's load is still part of prev's.
 *
 * source: wake_affine_weight(), kernel/sched/fair.c, v6.1
 */
struct verdict baseline_wake_affine_weight(const struct wakeup *w)
{
	const struct machine *m = w->m;
	int64_t this_eff_load = (int64_t)cpu_load(cpu_rq(m, w->this_cpu));
	int64_t prev_eff_load = (int64_t)cpu_load(cpu_rq(m, w->prev_cpu));
	int64_t task_load;

	if (w->sync) {
		uint64_t current_load = task_h_load(m, w->curr);

		/* The kernel compares as unsigned. */
		if (current_load > (uint64_t)this_eff_load)
			return (struct verdict){
				w->this_cpu,
				"sync, and the waker is all its CPU's load"};
		this_eff_load -= (int64_t)current_load;
	}
	task_load = (int64_t)task_h_load(m, w->p);
	this_eff_load += task_load;
	prev_eff_load -= task_load;
	if (m->feat.WA_BIAS) {
		this_eff_load *= 100;
		prev_eff_load *= 100 + (w->affine_sd->imbalance_pct - 100) / 2;
	}
	this_eff_load *= (int64_t)capacity_of(m, w->prev_cpu);
	prev_eff_load *= (int64_t)capacity_of(m, w->this_cpu);
	if (w->sync)
		prev_eff_load += 1;
	if (this_eff_load < prev_eff_load)
		return (struct verdict){w->this_cpu,
					"the waker's CPU carries less load"};
	return (struct verdict){CPU_NONE, "prev carries no more load"};
}

int wake_affine(struct wakeup *w, const struct sched_domain *sd)
{
	const struct wakeup_policy *policy = w->m->policy;
	struct verdict verdict = NO_OPINION;

	w->affine_sd = sd;
	if (w->m->feat.WA_IDLE)
		verdict = policy->wake_affine_idle(w);
	if (w->m->feat.WA_WEIGHT && verdict.cpu == CPU_NONE)
		verdict = policy->wake_affine_weight(w);
	w->affine_cpu = verdict.cpu == w->this_cpu ? w->this_cpu : w->prev_cpu;
	w->affine_reason =
		verdict.reason ? verdict.reason : "nothing speaks for the waker's CPU";
	return w->affine_cpu;
}
