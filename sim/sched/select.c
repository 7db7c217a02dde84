/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way from "this task wakes, is new, or execs" to a CPU: who decides, and in
 * which order.  Energy-aware placement is not simulated, so its branch is absent.
 */
#include "sched/select.h"
#include "sched/clock.h"
#include "schedsim/observer.h"

/* The low four bits of the wake flags are the flag a domain must have. */
#define WAKE_FLAGS_SD_MASK 0xFU

/*
 * Flips count how often a waker's wakee changes; they halve at most once a second,
 * and only when it wakes somebody.
 */
void record_wakee(const struct machine *m, struct task *waker, const struct task *t)
{
	if (time_after(m->jiffies, waker->wakee_flip_decay_ts + m->hz)) {
		waker->wakee_flips >>= 1;
		waker->wakee_flip_decay_ts = m->jiffies;
	}
	if (waker->last_wakee != t) {
		waker->last_wakee = t;
		waker->wakee_flips++;
	}
}

/* The product wraps at 32 bits, as in the kernel. */
bool wake_wide(unsigned waker_flips, unsigned wakee_flips, unsigned llc_size)
{
	unsigned more = MAX(waker_flips, wakee_flips);
	unsigned less = MIN(waker_flips, wakee_flips);

	return less >= llc_size && more >= less * llc_size;
}

static void answer(struct wakeup *w, const char *stage, struct verdict verdict)
{
	w->cpu = verdict.cpu;
	w->stage = stage;
	w->reason = verdict.reason;
}

static bool wants_affine(struct wakeup *w)
{
	w->wide = wake_wide(w->curr->wakee_flips, w->p->wakee_flips,
			    cpu_rq(w->m, w->this_cpu)->sd_llc_size);
	return !w->wide && task_may_use(w->p, w->this_cpu);
}

/*
 * Walks the domains of this_cpu upwards.  Where waking affine is wanted, the first
 * that spans prev_cpu too settles w->target.
 *
 * Returns the domain to search for its idlest CPU, or NULL for the fast path.
 */
static struct sched_domain *find_domain(struct wakeup *w, bool want_affine)
{
	unsigned sd_flag = w->wake_flags & WAKE_FLAGS_SD_MASK;
	struct sched_domain *sd, *slow = NULL;

	for (sd = cpu_rq(w->m, w->this_cpu)->sd; sd; sd = sd->parent) {
		if (want_affine && (sd->flags & SD_WAKE_AFFINE) &&
		    cpumask_test(&sd->span, w->prev_cpu)) {
			w->affine_sd = sd;
			if (w->this_cpu != w->prev_cpu)
				w->target = wake_affine(w, sd);
			return NULL;
		}
		if (sd->flags & sd_flag)
			slow = sd;
		else if (!want_affine)
			break;
	}
	return slow;
}

static void select_idlest(struct wakeup *w, struct machine *m, struct sched_domain *sd)
{
	struct verdict verdict = {CPU_NONE, "the idlest CPU of the idlest group"};

	w->slow_path = true;
	if (!cpumask_intersects(&sd->span, &w->p->cpus_mask))
		verdict.reason = "no allowed CPU in the domain: prev";
	verdict.cpu = find_idlest_cpu(m, sd, w->p, w->this_cpu, w->prev_cpu,
				      w->wake_flags & WAKE_FLAGS_SD_MASK);
	answer(w, "find_idlest_cpu", verdict);
}

/* The kernel's path, between the policy's first and last word. */
static void select_kernel(struct wakeup *w, struct machine *m)
{
	bool wakes = w->wake_flags & WF_TTWU;
	struct sched_domain *sd = find_domain(w, wakes && wants_affine(w));

	if (sd)
		select_idlest(w, m, sd);
	else if (wakes)
		w->cpu = select_idle_sibling(w, w->prev_cpu, w->target);
}

static void select_wakeup(struct wakeup *w, struct machine *m, struct task *waker)
{
	const struct wakeup_policy *policy = m->policy;
	struct verdict verdict;

	record_wakee(m, waker, w->p);
	verdict = policy->wake_early(w);
	if (verdict.cpu == CPU_NONE) {
		select_kernel(w, m);
		verdict = policy->wake_last(w);
		if (verdict.cpu != CPU_NONE)
			answer(w, "wake_last", verdict);
	} else {
		answer(w, "wake_early", verdict);
	}
}

int select_task_rq_fair(struct machine *m, struct task *t, int prev_cpu, int this_cpu,
			unsigned wake_flags, bool in_task)
{
	struct task *curr = cpu_rq(m, this_cpu)->curr;
	struct wakeup w = {
		.m = m,
		.p = t,
		.curr = curr,
		.this_cpu = this_cpu,
		.prev_cpu = prev_cpu,
		.wake_flags = wake_flags,
		.sync = (wake_flags & WF_SYNC) && !curr->exiting,
		.in_task = in_task,
		.wide = -1,
		.affine_cpu = CPU_NONE,
		.target = prev_cpu,
		.cpu = prev_cpu,
		.stage = "select_task_rq_fair",
		.reason = "no domain to search: prev",
		.params = m->policy_params,
	};

	OBSERVE(m, select_enter, &w);
	if (wake_flags & WF_TTWU)
		select_wakeup(&w, m, curr);
	else
		select_kernel(&w, m);
	m->idle_probes = w.probes;
	OBSERVE(m, select_done, &w);
	return w.cpu;
}
