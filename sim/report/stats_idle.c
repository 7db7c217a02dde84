/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How busy CPUs are, and how long an LLC has both an idle CPU and a task that
 * waits on another.
 *
 * The queues are counted here from the events, for at a migration the run queues
 * themselves have not changed yet.
 */
#include "report/stats_private.h"

static bool has_nothing(const struct cpu_state *c)
{
	return c->idle && !c->queued;
}

static bool has_waiting(const struct cpu_state *c)
{
	return c->queued > (c->idle ? 0 : 1);
}

static void close_span(stats *s, int llc, uint64_t now_ns)
{
	struct llc_state *l = &s->llcs[llc];

	if (l->since_ns != NEVER)
		s->results.idle_while_runnable_ns[llc] += now_ns - l->since_ns;
	l->since_ns = NEVER;
}

/* @cpu becomes @next; its LLC follows. */
static void set_cpu(stats *s, int cpu, struct cpu_state next, uint64_t now_ns)
{
	struct cpu_state *c = &s->cpus[cpu];
	struct llc_state *l = &s->llcs[c->llc];

	l->nr_idle += has_nothing(&next) - has_nothing(c);
	l->nr_waiting += has_waiting(&next) - has_waiting(c);
	*c = next;
	if (!l->nr_idle || !l->nr_waiting)
		close_span(s, c->llc, now_ns);
	else if (l->since_ns == NEVER)
		l->since_ns = now_ns;
}

static void add_queued(stats *s, int cpu, int count, uint64_t now_ns)
{
	struct cpu_state next = s->cpus[cpu];

	g_assert(count >= 0 || next.queued);
	next.queued += count;
	set_cpu(s, cpu, next, now_ns);
}

static void sched_wakeup(void *data, const struct machine *m, const struct task *t,
			 bool is_new)
{
	add_queued(data, t->cpu, 1, m->now_ns);
}

static void sched_migrate_task(void *data, const struct machine *m,
			       const struct task *t, int new_cpu)
{
	if (t->on_rq == TASK_ON_RQ_NONE)
		return;
	add_queued(data, t->cpu, -1, m->now_ns);
	add_queued(data, new_cpu, 1, m->now_ns);
}

static void sched_switch(void *data, const struct machine *m, const struct rq *rq,
			 const struct task *prev, const struct task *next_task,
			 bool prev_sleeps)
{
	stats *s = data;
	struct cpu_state next = s->cpus[rq->cpu];

	/* The stopper comes and goes without being woken; it takes no time. */
	if (prev != rq->idle && prev != rq->stop && prev_sleeps) {
		g_assert(next.queued);
		next.queued--;
	}
	next.idle = next_task == rq->idle;
	if (!s->cpus[rq->cpu].idle)
		s->results.busy_ns[rq->cpu] += m->now_ns - next.busy_since_ns;
	next.busy_since_ns = m->now_ns;
	set_cpu(s, rq->cpu, next, m->now_ns);
}

void stats_idle_cut(stats *s, uint64_t now_ns)
{
	for (int cpu = 0; cpu < s->results.nr_cpus; cpu++) {
		struct cpu_state *c = &s->cpus[cpu];

		if (!c->idle)
			s->results.busy_ns[cpu] += now_ns - c->busy_since_ns;
		c->busy_since_ns = now_ns;
	}
	for (int llc = 0; llc < s->results.nr_llcs; llc++) {
		bool open = s->llcs[llc].since_ns != NEVER;

		close_span(s, llc, now_ns);
		if (open)
			s->llcs[llc].since_ns = now_ns;
	}
}

void stats_idle_init(stats *s)
{
	s->observers[OBSERVE_IDLE] = (struct observer){
		.sched_wakeup = sched_wakeup,
		.sched_migrate_task = sched_migrate_task,
		.sched_switch = sched_switch,
	};
}
