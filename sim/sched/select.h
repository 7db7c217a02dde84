/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPU a waking, new or exec'ing task gets, stage by stage.
 */
#ifndef SCHED_SELECT_H
#define SCHED_SELECT_H

#include "schedsim/wakeup.h"

/* source: select_task_rq_fair(); the CPU need not be allowed */
int select_task_rq_fair(struct machine *m, struct task *t, int prev_cpu, int this_cpu,
			unsigned wake_flags, bool in_task);

/* @waker woke @t.  source: record_wakee() */
void record_wakee(const struct machine *m, struct task *waker, const struct task *t);
/* source: wake_wide() */
bool wake_wide(unsigned waker_flips, unsigned wakee_flips, unsigned llc_size);

/* The baseline's stages; a policy's hooks may call them. */
struct verdict baseline_wake_affine_idle(const struct wakeup *w);
struct verdict baseline_wake_affine_weight(const struct wakeup *w);
/* this_cpu or prev_cpu; fills in w->affine_*.  source: wake_affine() */
int wake_affine(struct wakeup *w, const struct sched_domain *sd);

/* source: select_idle_sibling(); fills in stage, reason and the search's figures */
int select_idle_sibling(struct wakeup *w, int prev, int target);
/* CPU_NONE: none found.  source: select_idle_cpu() */
int select_idle_cpu(struct wakeup *w, struct sched_domain *llc, bool has_idle_core,
		    int target);
/* How many CPUs SIS_UTIL lets the search test: the LLC's, or the machine's for all. */
static inline int llc_nr_idle_scan(const struct machine *m,
				   const struct sched_domain_shared *shared)
{
	return m->nr_idle_scan_fixed >= 0 ? m->nr_idle_scan_fixed
					  : shared->nr_idle_scan;
}

/* @rq goes idle: perhaps its core does.  source: __update_idle_core() */
void update_idle_core(struct rq *rq);

/* source: find_idlest_cpu() */
int find_idlest_cpu(struct machine *m, struct sched_domain *sd, struct task *t, int cpu,
		    int prev_cpu, unsigned sd_flag);
/* source: adjust_numa_imbalance() */
long adjust_numa_imbalance(int imbalance, int dst_running, int imb_numa_nr);

#endif
