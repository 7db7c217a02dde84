/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What keeps a CPU from its threads: the kernel's own time, and idle states.
 *
 * While the kernel holds a CPU, interrupts and reschedules of it wait, and its thread
 * stands still.  That time is the thread's: the scheduler charges it, since interrupt
 * time accounting is off.
 */
#include "workload/clockwork.h"

#include "sched/balance.h"

void cpu_hold(struct cpu_clock *c, uint64_t ns)
{
	simulation *s = c->s;
	struct thread *t = current_thread(s, c->cpu);

	if (!ns)
		return;
	if (cpu_is_held(c)) {
		/* It may have been in an idle state meanwhile. */
		cpu_rq(s->m, c->cpu)->resched_waits = true;
		event_queue_move(s->q, &c->kernel_ends,
				 later_ns(c->kernel_ends.at_ns, ns));
		return;
	}
	if (t)
		thread_stop(t);
	cpu_rq(s->m, c->cpu)->resched_waits = true;
	cpumask_clear(&s->m->resched, c->cpu);
	event_queue_add(s->q, &c->kernel_ends, later_ns(simulation_now(s), ns));
}

void cpu_release(struct cpu_clock *c)
{
	simulation *s = c->s;
	struct rq *rq = cpu_rq(s->m, c->cpu);

	if (!rq->resched_waits || cpu_is_held(c) || event_is_pending(&c->softirq))
		return;
	rq->resched_waits = c->in_kernel;
	if (rq->need_resched && !c->in_kernel)
		cpumask_set(&s->m->resched, c->cpu);
	if (rq->curr == rq->idle)
		cpumask_set(&s->idlers, c->cpu);
	else
		cpumask_set(&s->todo, c->cpu);
}

void cpu_enters_kernel(struct cpu_clock *c)
{
	if (c->in_kernel || c->s->m->preempt == PREEMPT_FULL)
		return;
	c->in_kernel = true;
	cpu_rq(c->s->m, c->cpu)->resched_waits = true;
	cpumask_clear(&c->s->m->resched, c->cpu);
}

void cpu_may_preempt(struct cpu_clock *c)
{
	if (!c->in_kernel)
		return;
	c->in_kernel = false;
	cpu_release(c);
}

static void on_kernel_ends(void *subject, uint64_t now_ns)
{
	struct cpu_clock *c = subject;

	newidle_time_is_over(cpu_rq(c->s->m, c->cpu));
	while (!list_empty(&c->waking)) {
		struct task *t = list_entry(c->waking.next, struct task, wake_entry);

		list_del(&t->wake_entry);
		sched_ttwu_queue(c->s->m, t);
	}
	cpu_release(c);
}

void kernel_time_init(struct cpu_clock *c)
{
	list_init(&c->waking);
	c->kernel_ends = (struct event){
		.fn = on_kernel_ends, .subject = c, .phase = EVENT_KERNEL_ENDS};
}

/* Idle states */

/*
 * How long it takes to leave the state a CPU is in after @idle_ns: the deepest that
 * was worth it, as if the time had been foreseen.  A state without exit latency is
 * off, and a CPU that has just gone idle is in none.
 */
static uint64_t idle_exit_ns(const struct machine_costs *costs, uint64_t idle_ns)
{
	const struct {
		uint64_t residency_ns, exit_ns;
	} states[] = {
		{costs->idle_c6_residency_ns, costs->idle_c6_exit_ns},
		{costs->idle_c1e_residency_ns, costs->idle_c1e_exit_ns},
		{costs->idle_c1_residency_ns, costs->idle_c1_exit_ns},
	};

	for (gsize i = 0; idle_ns && i < G_N_ELEMENTS(states); i++)
		if (states[i].exit_ns && states[i].residency_ns <= idle_ns)
			return states[i].exit_ns;
	return 0;
}

void cpu_rest(struct cpu_clock *c)
{
	const struct machine_costs *costs = &c->s->m->costs;
	struct rq *rq = cpu_rq(c->s->m, c->cpu);

	if (rq->curr != rq->idle || rq->need_resched || rq->resched_waits)
		return;
	if (c->owed_ns) {
		cpu_hold(c, c->owed_ns);
		c->owed_ns = 0;
	} else if (costs->idle_c1_exit_ns || costs->idle_c1e_exit_ns ||
		   costs->idle_c6_exit_ns) {
		c->asleep = true;
		c->idle_since_ns = simulation_now(c->s);
		rq->resched_waits = true;
	}
}

static void leave_idle_state(struct cpu_clock *c)
{
	uint64_t idle_ns = simulation_now(c->s) - c->idle_since_ns;

	c->asleep = false;
	cpu_rq(c->s->m, c->cpu)->resched_waits = false;
	cpumask_set(&c->s->idlers, c->cpu);
	cpu_hold(c, idle_exit_ns(&c->s->m->costs, idle_ns));
}

bool interrupt_put_off(struct cpu_clock *c, struct event *interrupt)
{
	if (c->asleep)
		leave_idle_state(c);
	if (!cpu_is_held(c))
		return false;
	event_queue_add(c->s->q, interrupt, c->kernel_ends.at_ns);
	return true;
}

/* Hooks of the driver */

void delay_ttwu(void *data, struct task *t, uint64_t ns)
{
	simulation *s = data;
	struct cpu_clock *c = &s->cpus[t->waker_cpu];

	list_add_tail(&c->waking, &t->wake_entry);
	cpu_hold(c, ns);
}

void resched_waits(void *data, struct rq *rq)
{
	simulation *s = data;
	struct cpu_clock *c = &s->cpus[rq->cpu];

	/* Otherwise cpu_release() will see to it. */
	if (!c->asleep)
		return;
	leave_idle_state(c);
	if (!rq->resched_waits)
		cpumask_set(&s->m->resched, rq->cpu);
}

void spend(void *data, struct rq *rq, uint64_t ns)
{
	simulation *s = data;

	s->cpus[rq->cpu].owed_ns += ns;
	if (rq->curr == rq->idle)
		cpumask_set(&s->idlers, rq->cpu);
}
