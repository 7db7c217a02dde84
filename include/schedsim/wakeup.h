/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wakeup policies: named changes to where the kernel wakes a task.
 *
 * A policy is one file of sim/wakeup/ that ends in a const struct wakeup_policy of the
 * name wakeup_NAME, and one line WAKEUP_POLICY(NAME) of sim/wakeup/policies.def.  Its
 * member name is NAME too.  Hooks left NULL are the baseline's, which can be called
 * where sched/select.h declares them.
 */
#ifndef SCHEDSIM_WAKEUP_H
#define SCHEDSIM_WAKEUP_H

#include "schedsim/machine.h"

/* source: kernel/sched/sched.h */
enum wake_flags {
	WF_EXEC = 0x02,
	WF_FORK = 0x04,
	WF_TTWU = 0x08,
	WF_SYNC = 0x10,
	WF_MIGRATED = 0x20,
};

/*
 * A stage's answer: a CPU, or CPU_NONE: no opinion.  One that the wakee may not use
 * is replaced, as in the kernel; a policy asks task_may_use() first, and tests hold
 * each to it.  source: select_fallback_rq()
 */
struct verdict {
	int cpu;
	const char *reason; /* static; why, with an opinion or without; may be NULL */
};

#define NO_OPINION ((struct verdict){CPU_NONE, NULL})

/*
 * One decision of select_task_rq(): the question, what the stages found, and
 * the answer.  The inputs are sampled before the decision changes any state.
 */
struct wakeup {
	const struct machine *m; /* not owned */
	struct task *p;          /* the wakee */
	const struct task
		*curr; /* runs on this_cpu: the waker, or who was interrupted */
	int this_cpu;
	int prev_cpu;
	unsigned wake_flags;
	bool sync;    /* WF_SYNC, and the waker is not exiting */
	bool in_task; /* woken by curr itself, not from an interrupt over it */

	/* filled in as the stages run */
	int wide;       /* wake_wide(): 0, 1, or -1 not asked */
	int affine_cpu; /* wake_affine()'s answer, or CPU_NONE: not asked */
	int target;     /* where select_idle_sibling() begins */
	const struct sched_domain *affine_sd; /* domain of this_cpu that spans prev */
	unsigned probes; /* CPUs select_idle_cpu() or select_idle_capacity() looked at
			  */
	bool searched;   /* one of them was entered */
	bool search_hit; /* and found an idle CPU */
	bool slow_path;  /* find_idlest_cpu() */

	/* the answer */
	int cpu;
	const char *stage;  /* static: "select_idle_sibling", "before_scan", ... */
	const char *reason; /* static */
	const char *affine_reason; /* static; why affine_cpu, or NULL */

	/* what the policy keeps */
	const void *params; /* m->policy_params, for hooks without a struct wakeup;
			       [policy->params_size] */
};

enum policy_param_type { POLICY_PARAM_U64, POLICY_PARAM_BOOL };

/* A row of a policy's own settings.  Fields are uint64_t (ns or a number) or bool. */
struct policy_param {
	const char *name;
	size_t offset;
	enum policy_param_type type;
	uint64_t value; /* the default */
	const char *why;
};

struct wakeup_policy {
	const char *name;
	const char *summary; /* one sentence, with the patch or release */

	const struct policy_param *params; /* ends with a NULL name; NULL: none */
	size_t params_size;

	/*
	 * Private state, zeroed when made: bytes per task, CPU and LLC, to be found at
	 * policy_state of struct task, rq and sched_domain_shared.
	 */
	size_t task_size;
	size_t cpu_size;
	size_t llc_size;

	/*
	 * Each is called in the kernel's order during a wakeup (WF_TTWU) and may
	 * write only to the policy's own state.
	 */

	/* First, after record_wakee(): an opinion ends the decision. */
	struct verdict (*wake_early)(struct wakeup *w);
	/* In place of wake_affine_idle(), where WA_IDLE is on. */
	struct verdict (*wake_affine_idle)(const struct wakeup *w);
	/* In place of wake_affine_weight(), where WA_WEIGHT is on and idle had no
	 * opinion. */
	struct verdict (*wake_affine_weight)(const struct wakeup *w);
	/*
	 * In select_idle_cpu(), after SIS_UTIL's exit for a busy LLC and before the
	 * first probe.  @nr is nr_idle_scan + 1, or 0 with SIS_UTIL off.
	 */
	struct verdict (*before_scan)(const struct wakeup *w, bool has_idle_core,
				      int nr, const struct sched_domain *llc);
	/*
	 * Whether select_idle_cpu() may take @cpu, which is idle (or, in search of an
	 * idle core, is the one it would take of an idle core).  The search goes on
	 * past a CPU refused, within its bound, and comes back to the first idle one
	 * when it finds no other.  Not asked of target, of prev or of prev's sibling.
	 * NULL: any.
	 */
	bool (*may_take_idle)(const struct wakeup *w, int cpu);
	/* Last: may replace the chosen w->cpu. */
	struct verdict (*wake_last)(const struct wakeup *w);

	/* Beyond the wakeup. */

	/* @t was dequeued to sleep; @rq no longer counts it. */
	void (*task_sleeps)(struct rq *rq, struct task *t);
	/* @t was enqueued by a wakeup on @rq. */
	void (*task_woken)(struct rq *rq, struct task *t);
	void (*tick)(struct rq *rq);
	void (*cpu_goes_idle)(struct rq *rq);
	/* In place of the last test of task_hot(): 1 hot, 0 not, -1 no opinion. */
	int (*task_hot)(const struct rq *src, const struct task *t);
};

/* NULL if there is none of that name. */
const struct wakeup_policy *wakeup_policy_find(const char *name);

/* In the order of policies.def, NULL at the end. */
const struct wakeup_policy *const *wakeup_policies(void);

#endif
