/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters in the manner of schedstats: decisions of wakeups, migrations, and
 * load balancing.
 */
#include "report/stats_private.h"

#include <string.h>

/* Policies' reasons are static strings, so the pointers nearly always tell. */
static void count_decision(struct results *r, const char *stage, const char *reason)
{
	int i;

	for (i = 0; i < r->nr_decisions; i++)
		if (r->decisions[i].reason == reason && r->decisions[i].stage == stage)
			break;
	for (int j = 0; i == r->nr_decisions && j < r->nr_decisions; j++)
		if (!strcmp(r->decisions[j].reason, reason) &&
		    !strcmp(r->decisions[j].stage, stage))
			i = j;
	if (i == r->nr_decisions) {
		g_assert(r->nr_decisions < DECISIONS_MAX);
		r->decisions[r->nr_decisions++] =
			(struct decision_count){stage, reason, 0};
	}
	r->decisions[i].count++;
}

static void count_affine(struct counters *c, const struct wakeup *w)
{
	if (w->affine_cpu == CPU_NONE)
		return;
	c->affine_attempts++;
	if (w->affine_cpu != w->this_cpu || w->this_cpu == w->prev_cpu)
		return;
	c->affine_successes++;
	if (w->cpu == w->this_cpu)
		c->affine_placed++;
}

static void select_done(void *data, const struct wakeup *w)
{
	stats *s = data;
	struct counters *c = &s->results.counters;

	count_affine(c, w);
	c->slow_paths += w->slow_path;
	c->sis_searches += w->searched;
	c->sis_probes += w->probes;
	c->sis_hits += w->searched && w->search_hit;
	c->sis_failures += w->searched && !w->search_hit;
	if (w->stage)
		count_decision(&s->results, w->stage, w->reason ? w->reason : "none");
}

static void ttwu(void *data, const struct machine *m, const struct task *t,
		 int waker_cpu, bool remote)
{
	stats *s = data;
	struct counters *c = &s->results.counters;

	c->ttwu_count++;
	if (t->cpu == waker_cpu)
		c->ttwu_local++;
	else
		c->ttwu_remote++;
	c->ttwu_wakelist += remote;
}

static void sched_migrate_task(void *data, const struct machine *m,
			       const struct task *t, int new_cpu)
{
	stats *s = data;
	struct counters *c = &s->results.counters;

	c->migrations++;
	if (t->on_rq == TASK_ON_RQ_NONE)
		c->migrations_wakeup++;
	else
		c->migrations_balance++;
	c->migrations_llc += s->cpus[t->cpu].llc != s->cpus[new_cpu].llc;
}

static void load_balance(void *data, const struct machine *m,
			 const struct balance_event *ev)
{
	stats *s = data;
	struct counters *c = &s->results.counters;

	switch (ev->idle) {
	case CPU_IDLE:
		c->lb_calls_idle++;
		break;
	case CPU_NOT_IDLE:
		c->lb_calls_busy++;
		break;
	case CPU_NEWLY_IDLE:
		c->lb_calls_newidle++;
		break;
	}
	c->lb_balanced += ev->busiest_cpu == CPU_NONE;
	if (ev->idle == CPU_NEWLY_IDLE)
		c->pulled_newidle += ev->nr_moved;
	else
		c->pulled_periodic += ev->nr_moved;
}

void stats_wakeups_init(stats *s)
{
	s->observers[OBSERVE_WAKEUPS] = (struct observer){
		.select_done = select_done,
		.ttwu = ttwu,
		.sched_migrate_task = sched_migrate_task,
		.load_balance = load_balance,
	};
}
