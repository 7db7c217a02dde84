/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules of a wakeup's choice, on machines in the state that was recorded.
 *
 * Idle CPUs, queue lengths and loads were sampled at the choice's start, while
 * other CPUs went on: a few choices saw another machine than the record shows.
 */
#include "replay.h"
#include "sched/class.h"
#include "sched/select.h"

#include <string.h>

enum path { PATH_SLOW = 1, PATH_FAST = 2 };

/* The machine of a record, and the question put to it. */
struct scene {
	struct task running[CPUS_MAX], waker, wakee;
	struct cfs_rq wakees_rq; /* that the wakee's load is seen through */
	struct wakeup w;
};

static bool was_idle(const struct decision *d, int cpu)
{
	return d->idle >> cpu & 1;
}

static void init_task(struct task *t, struct machine *m, int pid, int cpu)
{
	t->pid = pid;
	t->comm = "recorded";
	t->cpu = cpu;
	t->sched_class = &fair_sched_class;
	t->sched_task_group = &m->root_tg;
	t->se.cfs_rq = &cpu_rq(m, cpu)->cfs;
}

/* A CPU that is not idle though nothing is queued there has a wakeup pending. */
static void set_cpu(struct scene *s, struct rq *rq, bool idle, unsigned nr_running,
		    struct task *curr)
{
	rq->nr_running = idle ? 0 : nr_running;
	rq->cfs.nr_running = rq->cfs.h_nr_running = rq->nr_running;
	rq->ttwu_pending = !idle && !nr_running;
	rq->curr = idle || !nr_running ? rq->idle : curr;
}

static void set_cpus(struct scene *s, struct machine *m, const struct decision *d)
{
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		struct rq *rq = cpu_rq(m, cpu);

		init_task(&s->running[cpu], m, 1000000 + cpu, cpu);
		set_cpu(s, rq, was_idle(d, cpu), 1, &s->running[cpu]);
		if (rq->sd_llc_shared) {
			rq->sd_llc_shared->nr_idle_scan = d->nr_idle_scan;
			rq->sd_llc_shared->has_idle_cores = d->has_idle_cores;
		}
	}
	set_cpu(s, cpu_rq(m, d->prev_cpu), was_idle(d, d->prev_cpu), d->prev_nr,
		&s->running[d->prev_cpu]);
	set_cpu(s, cpu_rq(m, d->this_cpu), was_idle(d, d->this_cpu), d->this_nr,
		d->waker ? &s->waker : cpu_rq(m, d->this_cpu)->idle);
	cpu_rq(m, d->prev_cpu)->cfs.avg.load_avg = d->prev_load;
	cpu_rq(m, d->this_cpu)->cfs.avg.load_avg = d->this_load;
}

/* Its load as recorded is what task_h_load() gives, whatever its queue holds now. */
static void set_wakee(struct scene *s, struct machine *m, const struct decision *d)
{
	struct task *t = &s->wakee;

	init_task(t, m, d->wakee, d->prev_cpu);
	t->cpus_mask = cpumask_none();
	t->cpus_mask.bits[0] = d->allowed;
	t->nr_cpus_allowed = cpumask_weight(&t->cpus_mask);
	t->recent_used_cpu = d->recent_used_cpu;
	t->wakee_flips = d->wakee_flips;
	t->se.dur_avg = d->dur_avg_ns;
	t->se.avg.load_avg = d->h_load;
	s->wakees_rq = (struct cfs_rq){
		.rq = cpu_rq(m, d->prev_cpu),
		.tg = &m->root_tg,
		.h_load = 1,
		.last_h_load_update = m->jiffies,
	};
	t->se.cfs_rq = &s->wakees_rq;
}

static const struct sched_domain *affine_domain(const struct machine *m,
						const struct decision *d)
{
	const struct sched_domain *sd = cpu_rq(m, d->this_cpu)->sd;

	while (sd && !cpumask_test(&sd->span, d->prev_cpu))
		sd = sd->parent;
	return sd;
}

static struct scene *scene_new(struct replay *r, const struct decision *d)
{
	struct scene *s = g_new0(struct scene, 1);
	struct machine *m = r->m;

	init_task(&s->waker, m, d->waker, d->this_cpu);
	s->waker.wakee_flips = d->waker_flips;
	s->waker.se.dur_avg = d->waker_dur_avg_ns;
	set_wakee(s, m, d);
	set_cpus(s, m, d);
	s->w = (struct wakeup){
		.m = m,
		.p = &s->wakee,
		.curr = cpu_rq(m, d->this_cpu)->curr,
		.this_cpu = d->this_cpu,
		.prev_cpu = d->prev_cpu,
		.wake_flags = d->wake_flags,
		.sync = d->sync,
		.in_task = !d->from_irq,
		.wide = d->wide,
		.affine_cpu = d->affine_cpu,
		.target = d->affine_cpu >= 0 ? d->affine_cpu : d->prev_cpu,
		.affine_sd = affine_domain(m, d),
		.params = m->policy_params,
	};
	s->w.cpu = s->w.target;
	return s;
}

static bool is_fast_wakeup(const struct decision *d)
{
	return d->wake_flags & WF_TTWU && d->path == PATH_FAST;
}

static void replay_wake_wide(void *data, const struct decision *d)
{
	struct replay *r = data;
	int llc_size = cpu_rq(r->m, d->this_cpu)->sd_llc_size;

	if (d->wide >= 0)
		replay_expect_cpu(
			r, d, d->wide,
			wake_wide(d->waker_flips, d->wakee_flips, (unsigned)llc_size),
			0);
}

/* Which part of wake_affine() settles a record. */
enum affine_part { AFFINE_NOT_TRIED, AFFINE_IDLE, AFFINE_WEIGHT, AFFINE_SKIP };

/* As the recording kernel had it: the bound is an eighth of its min_granularity. */
static bool wakee_was_short(const struct replay *r, const struct decision *d)
{
	return d->dur_avg_ns && d->dur_avg_ns * 8 < r->recording->min_granularity_ns;
}

static bool skips_weight(const struct replay *r)
{
	return strchr(r->recording->features, 'w');
}

static enum affine_part part_of(const struct replay *r, const struct decision *d,
				const struct scene *s)
{
	if (!is_fast_wakeup(d) || d->affine_cpu < 0 || d->this_cpu == d->prev_cpu)
		return AFFINE_NOT_TRIED;
	if (r->m->policy->wake_affine_idle(&s->w).cpu != CPU_NONE)
		return AFFINE_IDLE;
	if (skips_weight(r) && wakee_was_short(r, d))
		return AFFINE_SKIP;
	return AFFINE_WEIGHT;
}

static void replay_affine(struct replay *r, const struct decision *d,
			  enum affine_part part)
{
	g_autofree struct scene *s = scene_new(r, d);

	if (part_of(r, d, s) != part)
		return;
	/* The load of a sync wakeup's waker was not recorded. */
	if (part == AFFINE_WEIGHT && d->sync) {
		r->nr_apart++;
		return;
	}
	replay_expect_cpu(r, d, d->affine_cpu, wake_affine(&s->w, s->w.affine_sd),
			  1ULL << d->this_cpu | 1ULL << d->prev_cpu);
}

static void replay_affine_idle(void *data, const struct decision *d)
{
	replay_affine(data, d, AFFINE_IDLE);
}

static void replay_affine_weight(void *data, const struct decision *d)
{
	replay_affine(data, d, AFFINE_WEIGHT);
}

static void replay_skip_weight(void *data, const struct decision *d)
{
	replay_affine(data, d, AFFINE_SKIP);
}

static void replay_sibling(struct replay *r, const struct decision *d)
{
	g_autofree struct scene *s = scene_new(r, d);

	replay_expect_cpu(r, d, d->chosen_cpu,
			  select_idle_sibling(&s->w, d->prev_cpu, s->w.target),
			  UINT64_MAX);
}

static void replay_target_idle(void *data, const struct decision *d)
{
	int target = d->affine_cpu >= 0 ? d->affine_cpu : d->prev_cpu;

	if (is_fast_wakeup(d) && was_idle(d, target))
		replay_sibling(data, d);
}

static void replay_no_idle_cpu(void *data, const struct decision *d)
{
	if (is_fast_wakeup(d) && !d->idle)
		replay_sibling(data, d);
}

const struct rule wakeup_rules[] = {
	{"wake_wide", 999, {.decision = replay_wake_wide}},
	{"wake_affine_idle", 999, {.decision = replay_affine_idle}},
	{"wake_affine_weight", 999, {.decision = replay_affine_weight}},
	{"skip_weight", 999, {.decision = replay_skip_weight}},
	{"target_idle", 999, {.decision = replay_target_idle}},
	{"no_idle_cpu", 999, {.decision = replay_no_idle_cpu}},
	{.name = NULL},
};
