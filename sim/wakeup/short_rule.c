/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short tasks are better off beside their waker than on a CPU that has to be
 * found, woken and warmed: three places of the wakeup where that may be so.
 */
#include "wakeup/short_rule.h"

#include "sched/select.h"

/* The default bound, as a part of min_granularity_ns. */
#define SHORT_FRACTION 8

static bool is_short(const struct wakeup *w, const struct task *t)
{
	const struct short_rule *rule = w->params;
	uint64_t bound_ns =
		t->short_below_ns ? t->short_below_ns : rule->short_below_ns;
	uint64_t dur_avg = t->se.dur_avg;

	if (rule->dur_avg_nonzero && !dur_avg)
		return false;
	if (bound_ns)
		return dur_avg < bound_ns;
	return dur_avg * SHORT_FRACTION < w->m->tunables.min_granularity_ns;
}

struct verdict short_rule_wake_affine_idle(const struct wakeup *w)
{
	const struct short_rule *rule = w->params;
	struct verdict verdict = baseline_wake_affine_idle(w);

	if (verdict.cpu != CPU_NONE || !rule->idle_arm)
		return verdict;
	if (rule->idle_arm_nr_running && cpu_rq(w->m, w->this_cpu)->nr_running != 1)
		return verdict;
	if (rule->idle_arm_curr_short && !is_short(w, w->curr))
		return verdict;
	return (struct verdict){w->this_cpu,
				"a short task is alone on the waker's CPU"};
}

struct verdict short_rule_wake_affine_weight(const struct wakeup *w)
{
	const struct short_rule *rule = w->params;

	if (rule->skip_weight && is_short(w, w->p))
		return (struct verdict){CPU_NONE,
					"the wakee is short: loads are not compared"};
	return baseline_wake_affine_weight(w);
}

/* The LLC is so busy that SIS_UTIL allows only a part of it to be searched. */
static bool is_busy(int nr, const struct sched_domain *llc)
{
	return nr && 5 * nr < 3 * (int)llc->span_weight;
}

struct verdict short_rule_before_scan(const struct wakeup *w, bool has_idle_core,
				      int nr, const struct sched_domain *llc)
{
	const struct short_rule *rule = w->params;
	const struct rq *target = cpu_rq(w->m, w->target);

	if (!rule->scan_arm)
		return NO_OPINION;
	if (rule->scan_arm_no_idle_core && has_idle_core)
		return NO_OPINION;
	if (rule->scan_arm_this_is_target && w->this_cpu != w->target)
		return NO_OPINION;
	if (rule->scan_arm_utilisation && !is_busy(nr, llc))
		return NO_OPINION;
	if (rule->scan_arm_nr_running && target->nr_running > 1)
		return NO_OPINION;
	if (rule->scan_arm_wakee_short && !is_short(w, w->p))
		return NO_OPINION;
	if (rule->scan_arm_curr_short && !is_short(w, target->curr))
		return NO_OPINION;
	return (struct verdict){w->target, "the wakee and the target's task are short"};
}
