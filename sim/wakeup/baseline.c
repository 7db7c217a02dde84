/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel as it is: its stages where a policy has none, no opinion elsewhere.
 */
#include "sched/select.h"

static struct verdict early(struct wakeup *w)
{
	return NO_OPINION;
}

static struct verdict last(const struct wakeup *w)
{
	return NO_OPINION;
}

static struct verdict before_scan(const struct wakeup *w, bool has_idle_core, int nr,
				  const struct sched_domain *llc)
{
	return NO_OPINION;
}

static void task_event(struct rq *rq, struct task *t)
{
}

static void cpu_event(struct rq *rq)
{
}

static int task_hot(const struct rq *src, const struct task *t)
{
	return -1;
}

const struct wakeup_policy wakeup_baseline = {
	.name = "baseline",
	.summary = "the kernel's own choice, without any patch",
	.wake_early = early,
	.wake_affine_idle = baseline_wake_affine_idle,
	.wake_affine_weight = baseline_wake_affine_weight,
	.before_scan = before_scan,
	.wake_last = last,
	.task_sleeps = task_event,
	.task_woken = task_event,
	.tick = cpu_event,
	.cpu_goes_idle = cpu_event,
	.task_hot = task_hot,
};
