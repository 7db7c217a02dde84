/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU at work: its current thread's work, its ticks and its interrupts.
 *
 * Work is counted in ns at CAPACITY_ONE, in units of 1 / CAPACITY_ONE ns, so that
 * what a slower CPU did in any time is exact; only its end is rounded up to the
 * next ns.  Time of the kernel and of cache misses comes before it, and takes as long
 * on any CPU.
 */
#include "workload/cpu_power.h"

#include "sched/balance.h"
#include "sched/clock.h"
#include "workload/messages.h"

#define WORK_MAX_NS (UINT64_MAX >> CAPACITY_SHIFT)

struct thread *current_thread(const simulation *s, int cpu)
{
	return (struct thread *)cpu_rq(s->m, cpu)->curr->owner;
}

/* Takes off the work done since @t was set going. */
static void settle_work(struct thread *t)
{
	uint64_t ns = simulation_now(t->s) - t->run_since_ns;
	uint64_t kernel_ns = MIN(ns, t->kernel_ns);
	uint64_t done = (ns - kernel_ns) * t->rate;

	t->kernel_ns -= kernel_ns;
	t->work_left -= MIN(done, t->work_left);
	t->work_done += (ns - kernel_ns) * t->cpu_rate;
	t->run_since_ns += ns;
}

static void on_run_ends(void *subject, uint64_t now_ns)
{
	struct thread *t = subject;

	settle_work(t);
	cpumask_set(&t->s->todo, t->sim.task.cpu);
}

void thread_stop(struct thread *t)
{
	if (!event_is_pending(&t->run_ends))
		return;
	event_queue_cancel(t->s->q, &t->run_ends);
	settle_work(t);
}

/*
 * Each other busy CPU of the core lengthens the work by the same.
 * source: arch_scale_cpu_capacity() and arch_scale_freq_capacity()
 */
static unsigned work_rate(const simulation *s, const struct rq *rq)
{
	uint64_t rate = rq->cpu_scale * rq->freq_scale >> CAPACITY_SHIFT;
	uint64_t longer =
		s->m->costs.smt_slowdown * (unsigned)s->cpus[rq->cpu].busy_siblings;

	if (longer)
		rate = (rate << CAPACITY_SHIFT) / (CAPACITY_ONE + longer);
	return MAX(rate, 1U);
}

static void start_work(struct thread *t, const struct rq *rq)
{
	uint64_t now_ns = simulation_now(t->s);
	uint64_t takes_ns;

	t->cpu_rate = work_rate(t->s, rq);
	t->rate = t->by_time ? CAPACITY_ONE : t->cpu_rate;
	t->run_since_ns = now_ns;
	takes_ns = t->work_left / t->rate + !!(t->work_left % t->rate);
	takes_ns = later_ns(takes_ns, t->kernel_ns);
	t->run_ends.fn = on_run_ends;
	t->run_ends.subject = t;
	event_queue_move(t->s->q, &t->run_ends, later_ns(now_ns, takes_ns));
}

/* The rate of the thread on @cpu, if one is at work, has changed. */
static void retime_work(simulation *s, int cpu)
{
	struct thread *t = current_thread(s, cpu);

	if (!t || !event_is_pending(&t->run_ends))
		return;
	settle_work(t);
	start_work(t, cpu_rq(s->m, cpu));
}

/* @rq became busy, or idle. */
static void tell_siblings(simulation *s, const struct rq *rq, bool busy)
{
	int cpu;

	for_each_cpu (cpu, &s->cpus[rq->cpu].core) {
		if (cpu == rq->cpu)
			continue;
		s->cpus[cpu].busy_siblings += busy ? 1 : -1;
		retime_work(s, cpu);
	}
}

void thread_work(struct thread *t, uint64_t ns, bool by_time)
{
	t->work_left = MIN(ns, WORK_MAX_NS) << CAPACITY_SHIFT;
	t->work_done = 0;
	t->by_time = by_time;
}

/* What the scheduler took of the CPU's time. */
static void pay_debt(struct cpu_clock *c, struct thread *t)
{
	thread_stop(t);
	t->kernel_ns += c->owed_ns;
	c->owed_ns = 0;
	newidle_time_is_over(cpu_rq(c->s->m, c->cpu));
}

/* Whether something else is at work on @c. */
static bool thread_stands(const struct cpu_clock *c)
{
	if (c->in_kernel)
		return cpu_is_held(c) || event_is_pending(&c->softirq);
	return cpu_rq(c->s->m, c->cpu)->resched_waits;
}

/*
 * The current thread of @cpu goes on: with the work it has, or else with the
 * steps of its program, until one needs time, sleeps, calls for a reschedule, or has
 * the kernel at work.
 */
static void continue_cpu(simulation *s, int cpu)
{
	struct cpu_clock *c = &s->cpus[cpu];
	struct rq *rq = cpu_rq(s->m, cpu);
	struct thread *t = current_thread(s, cpu);

	if (t && c->owed_ns)
		pay_debt(c, t);
	while (t && &t->sim.task == rq->curr && !s->error && !thread_stands(c)) {
		if (rq->need_resched && !c->in_kernel) {
			cpumask_set(&s->todo, cpu);
			return;
		}
		if (thread_freezes(t)) {
			thread_freeze(t);
			return;
		}
		if (t->work_left || t->kernel_ns) {
			if (!event_is_pending(&t->run_ends))
				start_work(t, rq);
			return;
		}
		thread_step(t);
	}
}

/* The CPU's idle task is left alone, with nothing else to do at this instant. */
static void enter_idle(simulation *s, int cpu)
{
	struct cpu_clock *c = &s->cpus[cpu];

	if (c->went_idle && sched_idle_enter(s->m, cpu))
		event_queue_cancel(s->q, &c->tick);
	c->went_idle = false;
	cpu_rest(c);
}

/* CPU_NONE: none.  Looks at the words of the machine's CPUs alone. */
static int first_cpu(const simulation *s, const struct cpumask *mask)
{
	for (int i = 0; i <= (s->m->nr_cpus - 1) / 64; i++)
		if (mask->bits[i])
			return i * 64 + __builtin_ctzll(mask->bits[i]);
	return CPU_NONE;
}

static void settle_once(simulation *s)
{
	int cpu;

	sched_resched_all(s->m);
	while (!s->error && (cpu = first_cpu(s, &s->todo)) != CPU_NONE) {
		cpumask_clear(&s->todo, cpu);
		continue_cpu(s, cpu);
		sched_resched_all(s->m);
	}
	while ((cpu = first_cpu(s, &s->idlers)) != CPU_NONE) {
		cpumask_clear(&s->idlers, cpu);
		enter_idle(s, cpu);
	}
}

void settle(simulation *s)
{
	do
		settle_once(s);
	while (s->nr_leaving && cpus_leave(s));
}

/* Rounded up, so that the jiffy of the tick has begun. */
static uint64_t tick_time(const struct machine *m, uint64_t tick)
{
	return (tick * NSEC_PER_SEC + m->hz - 1) / m->hz;
}

/* Those that the CPU had no time for are left out.  source: hrtimer_forward() */
static void await_tick(struct cpu_clock *c)
{
	const struct machine *m = c->s->m;
	uint64_t at_ns = tick_time(m, ++c->ticks);

	if (at_ns <= m->now_ns) {
		c->ticks = m->jiffies + 1;
		at_ns = tick_time(m, c->ticks);
	}
	event_queue_add(c->s->q, &c->tick, at_ns);
}

/* The grid is kept: the next multiple of the period.  source: tick_nohz_restart() */
static void restart_tick(struct cpu_clock *c)
{
	if (event_is_pending(&c->tick))
		return;
	c->ticks = c->s->m->jiffies;
	await_tick(c);
}

/* What a thread finds cold that ran on @from and now runs on @to. */
static uint64_t refill_ns(const struct machine *m, int from, int to)
{
	const struct machine_costs *costs = &m->costs;
	const struct rq *rq = cpu_rq(m, to);

	if (from == to || from == CPU_NONE || cpumask_test(&rq->smt_mask, from))
		return 0;
	if (share_cache(m, from, to))
		return costs->migration_llc_ns;
	if (cpumask_test(&rq->node_mask, from))
		return costs->migration_cross_llc_ns;
	return costs->migration_cross_node_ns;
}

static void switch_in(struct thread *t, int cpu)
{
	const struct machine *m = t->s->m;
	uint64_t ns = refill_ns(m, t->ran_on, cpu);

	t->ran_on = cpu;
	t->kernel_ns += m->costs.context_switch_ns + ns;
	if (ns)
		SIM_OBSERVE(&t->s->listeners, cache_refill, &t->sim, ns);
	cpumask_set(&t->s->todo, cpu);
}

static void on_switch(void *data, const struct machine *m, const struct rq *rq,
		      const struct task *prev, const struct task *next,
		      bool prev_sleeps)
{
	simulation *s = data;
	struct cpu_clock *c = &s->cpus[rq->cpu];

	if (prev->owner)
		thread_stop((struct thread *)prev->owner);
	if (next->owner)
		switch_in((struct thread *)next->owner, rq->cpu);
	else
		cpumask_clear(&s->todo, rq->cpu);
	c->went_idle = next == rq->idle;
	if (c->went_idle)
		cpumask_set(&s->idlers, rq->cpu);
	else
		cpumask_clear(&s->idlers, rq->cpu);
	if (prev == rq->idle)
		restart_tick(c);
	if (m->costs.smt_slowdown && (prev == rq->idle) != (next == rq->idle))
		tell_siblings(s, rq, prev == rq->idle);
}

static void on_tick(void *subject, uint64_t now_ns)
{
	struct cpu_clock *c = subject;

	if (interrupt_waits(c, &c->tick))
		return;
	await_tick(c);
	sched_tick(c->s->m, c->cpu);
	cpu_hold(c, c->s->m->costs.tick_ns);
}

static void on_ipi(void *subject, uint64_t now_ns)
{
	struct cpu_clock *c = subject;

	if (!interrupt_waits(c, &c->ipi))
		sched_ipi(cpu_rq(c->s->m, c->cpu));
}

/* One that is under way finds whatever was put into the wakelist since. */
static void send_ipi(void *data, struct rq *target)
{
	simulation *s = data;
	struct event *ipi = &s->cpus[target->cpu].ipi;

	if (!event_is_pending(ipi))
		event_queue_add(s->q, ipi,
				later_ns(simulation_now(s), s->m->costs.wakeup_ipi_ns));
}

G_STATIC_ASSERT(sizeof(struct event) <=
		sizeof(((struct sched_timer *)0)->driver_state));

static struct event *event_of(struct sched_timer *timer)
{
	return (struct event *)(void *)timer->driver_state;
}

static void on_timer(void *subject, uint64_t now_ns)
{
	struct sched_timer *timer = subject;
	simulation *s = timer->machine->driver->data;

	if (interrupt_waits(&s->cpus[timer->cpu], event_of(timer)))
		return;
	timer->pending = false;
	timer->fn(timer->machine, timer->subject);
}

static void timer_start(void *data, struct sched_timer *timer)
{
	simulation *s = data;
	struct event *ev = event_of(timer);

	if (cpu_is_off(s, timer->cpu))
		timer->cpu = cpumask_first(&s->m->active);
	ev->fn = on_timer;
	ev->subject = timer;
	ev->phase = EVENT_SCHED_TIMER;
	event_queue_add(s->q, ev, timer->at_ns);
}

static void timer_cancel(void *data, struct sched_timer *timer)
{
	simulation *s = data;

	event_queue_cancel(s->q, event_of(timer));
}

/* @c runs its idle task and ticks. */
void cpu_clock_start(struct cpu_clock *c)
{
	c->ticks = c->s->m->jiffies;
	await_tick(c);
	c->went_idle = true;
	cpumask_set(&c->s->idlers, c->cpu);
}

static void cpu_clock_init(simulation *s, struct cpu_clock *c, int cpu)
{
	c->s = s;
	c->cpu = cpu;
	c->core = cpu_rq(s->m, cpu)->smt_mask;
	c->tick = (struct event){
		.fn = on_tick, .subject = c, .phase = EVENT_TICK + (uint32_t)cpu};
	c->ipi = (struct event){.fn = on_ipi, .subject = c, .phase = EVENT_IPI};
	kernel_time_init(c);
	softirq_init(c);
	cpu_power_init(c);
	cpu_clock_start(c);
}

void cpus_init(simulation *s)
{
	s->cpus = g_new0(struct cpu_clock, (size_t)s->m->nr_cpus);
	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++)
		cpu_clock_init(s, &s->cpus[cpu], cpu);
	s->driver = (struct sched_driver){
		.send_ipi = send_ipi,
		.timer_start = timer_start,
		.timer_cancel = timer_cancel,
		.data = s,
		.delay_ttwu = delay_ttwu,
		.resched_waits = resched_waits,
		.spend = spend,
	};
	s->m->driver = &s->driver;
	s->observer.data = s;
	s->observer.sched_switch = on_switch;
}

void cpus_clear(simulation *s)
{
	g_free(s->cpus);
}
