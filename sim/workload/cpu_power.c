/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clockwork of CPUs that go off and come back.
 *
 * A CPU on its way off is like any other, but that the scheduler puts nothing on it
 * and devices interrupt others.  It is off once nothing is left that it would have to
 * do; only its timers are still to go then.
 */
#include "workload/cpu_power.h"

void cpu_power_init(struct cpu_clock *c)
{
	list_init(&c->off_waiters);
}

bool cpu_is_off(const simulation *s, int cpu)
{
	return s->cpus[cpu].power == CPU_OFF;
}

void cpu_goes_offline(simulation *s, int cpu)
{
	struct cpu_clock *c = &s->cpus[cpu];

	g_assert(!cpumask_test(&s->m->active, cpu));

	if (c->power != CPU_ON)
		return;
	c->power = CPU_LEAVES;
	s->nr_leaving++;
}

static void wake_waiters(struct cpu_clock *c)
{
	int cpu = cpumask_first(&c->s->m->active);

	while (!list_empty(&c->off_waiters)) {
		struct thread *t =
			list_entry(c->off_waiters.next, struct thread, wait_node);

		list_del(&t->wait_node);
		thread_wake(t, waker_interrupt(cpu), 0);
	}
}

void cpu_comes_online(simulation *s, int cpu)
{
	struct cpu_clock *c = &s->cpus[cpu];

	if (c->power == CPU_LEAVES) {
		s->nr_leaving--;
		c->power = CPU_ON;
		/* Whoever waited for it would wait for ever. */
		wake_waiters(c);
	} else if (c->power == CPU_OFF) {
		c->power = CPU_ON;
		cpu_clock_start(c);
	}
}

void cpus_set_online(simulation *s, const struct cpumask *online)
{
	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++) {
		if (cpumask_test(online, cpu))
			cpu_comes_online(s, cpu);
		else
			cpu_goes_offline(s, cpu);
	}
}

bool thread_awaits_cpu_off(struct thread *t, int cpu)
{
	struct cpu_clock *c = &t->s->cpus[cpu];

	if (c->power != CPU_LEAVES)
		return false;
	list_add_tail(&c->off_waiters, &t->wait_node);
	thread_wait(t);
	return true;
}

int cpu_for_interrupt(const simulation *s, const struct cpumask *among, int cpu)
{
	int other, left;

	if (s->cpus[cpu].power == CPU_ON)
		return cpu;
	for_each_cpu_wrap (other, among, cpu + 1, left)
		if (s->cpus[other].power == CPU_ON)
			return other;
	for (other = 0; s->cpus[other].power != CPU_ON; other++)
		;
	return other;
}

/* Off */

/*
 * A wakeup that has chosen @cpu and is about to queue its task there.
 * source: synchronize_rcu() of sched_cpu_deactivate() waits for those
 */
static bool is_chosen(const simulation *s, int cpu)
{
	for (int i = 0; i < s->m->nr_cpus; i++) {
		const struct list *waking = &s->cpus[i].waking, *pos;

		for (pos = waking->next; pos != waking; pos = pos->next)
			if (list_entry(pos, struct task, wake_entry)->cpu == cpu)
				return true;
	}
	return false;
}

/* Whether nothing is left for @c to do but to wait for its timers. */
static bool has_finished(const struct cpu_clock *c)
{
	const struct rq *rq = cpu_rq(c->s->m, c->cpu);

	return rq->curr == rq->idle && !rq->nr_running && !rq->need_resched &&
	       list_empty(&rq->wakelist) && list_empty(&c->waking) && !c->backlog &&
	       !cpu_is_held(c) && !event_is_pending(&c->softirq) &&
	       !event_is_pending(&c->ipi) && !is_chosen(c->s, c->cpu);
}

struct timer_move {
	int from, to;
};

static void move_timer(struct event *ev, void *data)
{
	const struct timer_move *move = data;
	struct sched_timer *timer = ev->subject;
	struct thread *t = ev->subject;

	if (ev->phase == EVENT_SLEEP_ENDS && t->sleep_cpu == move->from)
		t->sleep_cpu = move->to;
	else if (ev->phase == EVENT_SCHED_TIMER && timer->cpu == move->from)
		timer->cpu = move->to;
}

/* source: hrtimers_cpu_dying() */
static void move_timers(struct cpu_clock *c)
{
	struct timer_move move = {c->cpu, cpumask_first(&c->s->m->active)};

	event_queue_foreach(c->s->q, move_timer, &move);
}

static void go_off(struct cpu_clock *c)
{
	c->power = CPU_OFF;
	c->s->nr_leaving--;
	event_queue_cancel(c->s->q, &c->tick);
	move_timers(c);
	/* Whatever state it idled in, it will come out of a reset. */
	c->asleep = false;
	c->owed_ns = 0;
	cpu_rq(c->s->m, c->cpu)->resched_waits = false;
	wake_waiters(c);
}

bool cpus_leave(simulation *s)
{
	bool left = false;

	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++) {
		struct cpu_clock *c = &s->cpus[cpu];

		if (c->power != CPU_LEAVES || !has_finished(c))
			continue;
		go_off(c);
		left = true;
	}
	return left;
}
