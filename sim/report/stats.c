/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making the counting observers, and what is counted above the scheduler:
 * requests, timers, activations.
 */
#include "report/stats_private.h"

static const struct thread_state new_thread = {
	.waking_ns = NEVER,
	.woken_ns = NEVER,
	.queued_ns = NEVER,
	.running_ns = NEVER,
};

struct thread_state *thread_state(stats *s, const struct task *t)
{
	struct thread_state *th;

	if (!t->pid || !t->owner)
		return NULL;
	while (s->threads->len <= (guint)t->pid)
		g_array_append_val(s->threads, new_thread);
	th = &g_array_index(s->threads, struct thread_state, t->pid);
	th->group = sim_task_of(t)->group;
	return th;
}

/* The state of a thread of the simulation, which knows its group. */
static struct task_results *group_of_thread(stats *s, const struct sim_task *t)
{
	return t->group == NO_TASK_GROUP ? &s->results.no_task
					 : &s->results.groups[t->group];
}

static void request_arrived(void *data, int source)
{
	stats *s = data;

	s->results.sources[source].arrived++;
	s->results.sources[source].pending++;
}

static void request_done(void *data, int source, uint64_t scheduled_ns, uint64_t now_ns,
			 uint64_t id)
{
	stats *s = data;

	histogram_add(&s->results.sources[source].request_latency_ns,
		      now_ns - scheduled_ns);
	s->results.sources[source].pending--;
}

static void timer_step(void *data, const struct sim_task *t, int64_t slack_ns)
{
	stats *s = data;
	struct task_results *group = group_of_thread(s, t);

	if (slack_ns >= 0) {
		histogram_add(&group->timer_slack_ns, slack_ns);
		return;
	}
	histogram_add(&group->timer_overrun_ns, -(uint64_t)slack_ns);
	group->missed_activations++;
}

static void cache_refill(void *data, const struct sim_task *t, uint64_t ns)
{
	group_of_thread(data, t)->cache_refill_ns += ns;
}

static void activation(void *data, const struct sim_task *t)
{
	group_of_thread(data, t)->activations++;
}

static void phase_turn(void *data, const struct sim_task *t,
		       const struct phase_turn *turn)
{
	struct task_results *group = group_of_thread(data, t);

	histogram_add(&group->period_ns, turn->end_ns - turn->start_ns);
	if (turn->asked_run_ns)
		histogram_add(&group->run_ns, turn->run_ns);
	if (turn->timer_waited)
		histogram_add(&group->timer_wakeup_ns, turn->timer_wait_ns);
	group->work_ns += turn->work_ns;
}

static void warmup_over(void *data, uint64_t now_ns)
{
	stats *s = data;

	stats_tasks_cut(s, now_ns);
	stats_idle_cut(s, now_ns);
	stats_control_cut(s);
	results_reset(&s->results);
	s->results.from_ns = now_ns;
}

static int nr_llcs(const topology *topo)
{
	int nr = 0;

	for (int cpu = 0; cpu < topo->nr_cpus; cpu++)
		nr = MAX(nr, topo->cpu[cpu].llc + 1);
	return nr;
}

static void init_cpus(stats *s, const topology *topo)
{
	s->cpus = g_new0(struct cpu_state, topo->nr_cpus);
	s->llcs = g_new0(struct llc_state, s->results.nr_llcs);
	for (int i = 0; i < s->results.nr_llcs; i++)
		s->llcs[i].since_ns = NEVER;
	for (int cpu = 0; cpu < topo->nr_cpus; cpu++) {
		s->cpus[cpu].llc = topo->cpu[cpu].llc;
		s->cpus[cpu].idle = true;
		s->llcs[topo->cpu[cpu].llc].nr_idle++;
	}
}

static void init_results(struct results *r, const struct workload_input *in)
{
	const workload *w = in->workload;

	results_init(r, w->nr_tasks, w->nr_sources, nr_llcs(in->topology),
		     in->topology->nr_cpus);
	for (int i = 0; i < w->nr_tasks; i++)
		r->group_names[i] = g_strdup(w->tasks[i].name);
	for (int i = 0; i < w->nr_sources; i++)
		r->source_names[i] = g_strdup(w->sources[i].name);
}

stats *stats_new(const struct workload_input *in)
{
	stats *s = g_new0(stats, 1);

	init_results(&s->results, in);
	init_cpus(s, in->topology);
	s->threads = g_array_new(FALSE, FALSE, sizeof(struct thread_state));
	s->sim_observer = (struct sim_observer){
		.data = s,
		.request_arrived = request_arrived,
		.request_done = request_done,
		.timer_step = timer_step,
		.cache_refill = cache_refill,
		.activation = activation,
		.phase_turn = phase_turn,
		.warmup_over = warmup_over,
	};
	stats_tasks_init(s);
	stats_wakeups_init(s);
	stats_stacking_init(s);
	stats_idle_init(s);
	stats_control_init(s, in->workload->control);
	for (int i = 0; i < NR_OBSERVERS; i++) {
		s->observers[i].data = s;
		if (i + 1 < NR_OBSERVERS)
			s->observers[i].next = &s->observers[i + 1];
	}
	return s;
}

void stats_free(stats *s)
{
	if (!s)
		return;
	results_clear(&s->results);
	stats_control_clear(s);
	g_array_unref(s->threads);
	g_free(s->cpus);
	g_free(s->llcs);
	g_free(s);
}

struct observer *stats_observers(stats *s)
{
	return s->observers;
}

const struct sim_observer *stats_sim_observer(const stats *s)
{
	return &s->sim_observer;
}

const struct results *stats_finish(stats *s, uint64_t now_ns)
{
	stats_tasks_cut(s, now_ns);
	stats_idle_cut(s, now_ns);
	stats_control_finish(s);
	s->results.to_ns = now_ns;
	results_sum_up(&s->results);
	return &s->results;
}
