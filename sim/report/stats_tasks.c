/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies, waits and CPU time of threads, and context switches.
 */
#include "report/stats_private.h"

static void sched_waking(void *data, const struct machine *m, const struct task *t,
			 int waker_cpu)
{
	struct thread_state *th = thread_state(data, t);

	if (th)
		th->waking_ns = m->now_ns;
}

static void sched_wakeup(void *data, const struct machine *m, const struct task *t,
			 bool is_new)
{
	struct thread_state *th = thread_state(data, t);

	if (!th)
		return;
	th->queued_ns = m->now_ns;
	if (!is_new)
		th->woken_ns = m->now_ns;
}

/* Adds the time since @since_ns, if it is not NEVER, which it then becomes. */
static void end_latency(struct histogram *h, uint64_t *since_ns, uint64_t now_ns)
{
	if (*since_ns == NEVER)
		return;
	histogram_add(h, now_ns - *since_ns);
	*since_ns = NEVER;
}

static void switch_in(stats *s, const struct task *t, uint64_t now_ns)
{
	struct thread_state *th = thread_state(s, t);
	struct task_results *group;

	if (!th)
		return;
	group = group_of(s, th);
	if (th->queued_ns != NEVER)
		group->run_delay_total_ns += now_ns - th->queued_ns;
	end_latency(&group->run_delay_ns, &th->queued_ns, now_ns);
	end_latency(&group->wakeup_latency_ns, &th->waking_ns, now_ns);
	end_latency(&group->wakeup_to_run_ns, &th->woken_ns, now_ns);
	th->running_ns = now_ns;
}

static void switch_out(stats *s, const struct task *t, bool sleeps, uint64_t now_ns)
{
	struct thread_state *th = thread_state(s, t);

	if (!th)
		return;
	if (sleeps)
		s->results.counters.switches_voluntary++;
	else
		s->results.counters.switches_preempted++;
	if (th->running_ns != NEVER)
		group_of(s, th)->cpu_time_ns += now_ns - th->running_ns;
	th->running_ns = NEVER;
	if (!sleeps)
		th->queued_ns = now_ns;
}

static void sched_switch(void *data, const struct machine *m, const struct rq *rq,
			 const struct task *prev, const struct task *next,
			 bool prev_sleeps)
{
	stats *s = data;

	s->results.counters.switches++;
	switch_out(s, prev, prev_sleeps, m->now_ns);
	switch_in(s, next, m->now_ns);
}

void stats_tasks_cut(stats *s, uint64_t now_ns)
{
	for (guint i = 0; i < s->threads->len; i++) {
		struct thread_state *th =
			&g_array_index(s->threads, struct thread_state, i);

		if (th->running_ns == NEVER)
			continue;
		group_of(s, th)->cpu_time_ns += now_ns - th->running_ns;
		th->running_ns = now_ns;
	}
}

void stats_tasks_init(stats *s)
{
	s->observers[OBSERVE_TASKS] = (struct observer){
		.sched_waking = sched_waking,
		.sched_wakeup = sched_wakeup,
		.sched_switch = sched_switch,
	};
}
