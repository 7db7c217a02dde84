/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a task fit on a CPU, and which idle CPU fits it best.
 *
 * source: kernel/sched/fair.c, 6.1
 */
#include "sched/asym.h"

#include "sched/fair_load.h"
#include "sched/uclamp.h"

struct cpu_demand task_demand(const struct machine *m, const struct task *t)
{
	return (struct cpu_demand){
		.util = task_util_est(t),
		.uclamp_min = uclamp_eff_value(m, t, UCLAMP_MIN),
		.uclamp_max = uclamp_eff_value(m, t, UCLAMP_MAX),
	};
}

/* As 6.1.0 has it: the utilisation as the clamps leave it.  source: uclamp_task_util()
 */
static bool clamped_util_fits(const struct cpu_demand *d, uint64_t capacity)
{
	uint64_t util = d->util > d->uclamp_max   ? d->uclamp_max
			: d->util < d->uclamp_min ? d->uclamp_min
						  : d->util;

	return fits_capacity(util, capacity);
}

/*
 * A task that is to count as no more than the CPU has fits whatever it uses.  Not so
 * where both are the whole scale, for that clamps nothing.
 */
static bool cap_fits(unsigned uclamp_max, uint64_t capacity_orig)
{
	if (capacity_orig == CAPACITY_ONE && uclamp_max == CAPACITY_ONE)
		return false;
	return uclamp_max <= capacity_orig;
}

/*
 * Pressure by other classes counts for the utilisation alone: a wish is about the CPU
 * as it was built.
 */
int util_fits_cpu(const struct machine *m, const struct cpu_demand *d, int cpu)
{
	const struct rq *rq = cpu_rq(m, cpu);
	bool fits = fits_capacity(d->util, rq->cpu_capacity);
	unsigned boost = MIN(d->uclamp_min, d->uclamp_max);

	if (!m->profile->util_fits_cpu)
		return clamped_util_fits(d, rq->cpu_capacity);
	if (!m->uclamp_used)
		return fits;
	fits = fits || cap_fits(d->uclamp_max, rq->cpu_capacity_orig);
	if (fits && d->util < boost && boost > rq->cpu_capacity_orig)
		return -1;
	return fits;
}

bool task_fits_cpu(const struct machine *m, const struct task *t, int cpu)
{
	struct cpu_demand d = task_demand(m, t);

	return util_fits_cpu(m, &d, cpu) > 0;
}

/* The best so far of those that are not enough. */
struct candidate {
	int cpu;
	int fits; /* -1 is better than 0 */
	uint64_t capacity;
};

static void offer(struct candidate *best, const struct rq *rq, int fits)
{
	uint64_t capacity = fits < 0 ? rq->cpu_capacity_orig : rq->cpu_capacity;

	if (fits > best->fits || (fits == best->fits && capacity <= best->capacity))
		return;
	*best = (struct candidate){rq->cpu, fits, capacity};
}

static int settle(struct wakeup *w, int cpu, const char *reason)
{
	w->stage = "select_idle_capacity";
	w->reason = reason;
	w->search_hit = cpu != CPU_NONE;
	return cpu;
}

int select_idle_capacity(struct wakeup *w, const struct sched_domain *sd,
			 const struct cpu_demand *d, int target)
{
	const struct machine *m = w->m;
	struct cpumask cpus = cpumask_and(&sd->span, &w->p->cpus_mask);
	struct candidate best = {.cpu = CPU_NONE};
	int cpu, left;

	w->searched = true;
	for_each_cpu_wrap (cpu, &cpus, target, left) {
		int fits;

		w->probes++;
		if (!cpu_is_idle(m, cpu) && !cpu_is_sched_idle(m, cpu))
			continue;
		fits = util_fits_cpu(m, d, cpu);
		if (fits > 0)
			return settle(w, cpu, "first idle CPU that the task fits on");
		offer(&best, cpu_rq(m, cpu), fits);
	}
	return settle(w, best.cpu,
		      best.cpu == CPU_NONE
			      ? "no idle CPU found: target"
			      : "the task fits on no idle CPU: the best of them");
}

void note_misfit(struct rq *rq, const struct task *t)
{
	const struct machine *m = rq->m;

	if (!t || t->nr_cpus_allowed == 1 || task_fits_cpu(m, t, rq->cpu)) {
		rq->misfit_task_load = 0;
		return;
	}
	rq->misfit_task_load = MAX(task_h_load(m, t), 1);
}
