/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIS_CACHE: a CPU that a task left for a short sleep is kept for it.  Others that
 * search an idle CPU pass it over until the task may be expected back; where all idle
 * CPUs are kept so, they take the first.
 *
 * source: "Introduce SIS_CACHE to choose previous CPU during task wakeup", v1
 * (2023-09-26, <cover.1695704179.git.yu.c.chen@intel.com>)
 */
#include "sched/load_weight.h"
#include "schedsim/wakeup.h"

/* In the patch: prev_dequeue_time and sis_rsv_avg. */
struct sleeper {
	uint64_t slept_at_ns; /* 0: not yet */
	uint64_t rsv_avg_ns;
};

/* In the patch: cache_hot_timeout. */
struct reservation {
	uint64_t hot_until_ns;
};

struct settings {
	uint64_t sleep_below_ns;
	bool halve_after_long;
	bool rq_left_empty;
	bool never_earlier;
};

static const struct policy_param params[] = {
	{"sleep_below_ns", offsetof(struct settings, sleep_below_ns), POLICY_PARAM_U64,
	 0, "only sleeps below this count into the reservation; 0: migration_cost_ns"},
	{"halve_after_long", offsetof(struct settings, halve_after_long),
	 POLICY_PARAM_BOOL, true, "a longer sleep halves the reservation"},
	{"rq_left_empty", offsetof(struct settings, rq_left_empty), POLICY_PARAM_BOOL,
	 true, "only a task that leaves nobody behind reserves its CPU"},
	{"never_earlier", offsetof(struct settings, never_earlier), POLICY_PARAM_BOOL,
	 true, "a reservation never ends an older one earlier"},
	{.name = NULL},
};

static void task_sleeps(struct rq *rq, struct task *t)
{
	const struct settings *set = rq->m->policy_params;
	struct sleeper *sleeper = t->policy_state;
	struct reservation *kept = rq->policy_state;
	uint64_t until_ns = rq->m->now_ns + sleeper->rsv_avg_ns;

	sleeper->slept_at_ns = rq->m->now_ns;
	if (!sleeper->rsv_avg_ns || (set->rq_left_empty && rq->nr_running))
		return;
	if (!set->never_earlier || until_ns > kept->hot_until_ns)
		kept->hot_until_ns = until_ns;
}

static void task_woken(struct rq *rq, struct task *t)
{
	const struct machine *m = rq->m;
	const struct settings *set = m->policy_params;
	struct sleeper *sleeper = t->policy_state;
	uint64_t slept_ns = m->now_ns - sleeper->slept_at_ns;
	uint64_t below_ns = set->sleep_below_ns ? set->sleep_below_ns
						: m->tunables.migration_cost_ns;

	if (!sleeper->slept_at_ns || !slept_ns)
		return;
	if (slept_ns < below_ns)
		update_avg(&sleeper->rsv_avg_ns, slept_ns);
	else if (set->halve_after_long)
		sleeper->rsv_avg_ns >>= 1;
}

static bool may_take_idle(const struct wakeup *w, int cpu)
{
	const struct reservation *kept = cpu_rq(w->m, cpu)->policy_state;

	return w->m->now_ns >= kept->hot_until_ns;
}

const struct wakeup_policy wakeup_sis_cache = {
	.name = "sis_cache",
	.summary = "a CPU left for a short sleep is kept for its task (SIS_CACHE v1, "
		   "2023)",
	.params = params,
	.params_size = sizeof(struct settings),
	.task_size = sizeof(struct sleeper),
	.cpu_size = sizeof(struct reservation),
	.task_sleeps = task_sleeps,
	.task_woken = task_woken,
	.may_take_idle = may_take_idle,
};
