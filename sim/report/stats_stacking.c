/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacking: wakeups put behind other tasks where a shorter queue was near.
 *
 * A CPU's queue length is its nr_running and the wakees on their way to it in
 * its wakelist, which will be queued before the one being placed.
 */
#include "report/stats_private.h"

static unsigned queue_length(const stats *s, const struct machine *m, int cpu)
{
	return cpu_rq(m, cpu)->nr_running + s->cpus[cpu].on_their_way;
}

/* The shortest queue among the CPUs of @cpu's LLC that @t may use. */
static unsigned shortest_near(const stats *s, const struct machine *m,
			      const struct task *t, int cpu, unsigned length)
{
	const struct sched_domain *llc = cpu_rq(m, cpu)->sd_llc;
	unsigned shortest = length;
	int other;

	if (!llc || t->nr_cpus_allowed == 1)
		return shortest;
	for_each_cpu (other, &llc->span) {
		if (!shortest)
			break;
		if (task_may_use(t, other))
			shortest = MIN(shortest, queue_length(s, m, other));
	}
	return shortest;
}

static void ttwu(void *data, const struct machine *m, const struct task *t,
		 int waker_cpu, bool remote)
{
	stats *s = data;
	struct thread_state *th = thread_state(s, t);
	unsigned length = queue_length(s, m, t->cpu);
	unsigned avoidable;
	struct task_results *group;

	if (!th)
		return;
	group = group_of(s, th);
	avoidable = length - shortest_near(s, m, t, t->cpu, length);
	group->wakeups++;
	group->on_waker_cpu += t->cpu == waker_cpu;
	group->queue_length_sum += length;
	group->avoidable_wakeups += avoidable > 0;
	group->avoidable_wait_sum += avoidable;
	group->avoidable_wait_max = MAX(group->avoidable_wait_max, avoidable);
	th->on_its_way = remote;
	s->cpus[t->cpu].on_their_way += remote;
}

static void sched_wakeup(void *data, const struct machine *m, const struct task *t,
			 bool is_new)
{
	stats *s = data;
	struct thread_state *th = thread_state(s, t);

	if (!th || !th->on_its_way)
		return;
	th->on_its_way = false;
	s->cpus[t->cpu].on_their_way--;
}

void stats_stacking_init(stats *s)
{
	s->observers[OBSERVE_STACKING] = (struct observer){
		.ttwu = ttwu,
		.sched_wakeup = sched_wakeup,
	};
}
