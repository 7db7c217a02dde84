/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU at work: its current thread's work, its ticks and its interrupts.
 *
 * Work is counted in ns at CAPACITY_ONE, in units of 1 / CAPACITY_ONE ns, so that
 * what a slower CPU did in any time is exact; only its end is rounded up to the
 * next ns.
 */
#include "workload/clockwork.h"

#include "sched/clock.h"

#define WORK_MAX_NS (UINT64_MAX >> CAPACITY_SHIFT)

static struct thread *current_thread(const simulation *s, int cpu)
{
	return (struct thread *)cpu_rq(s->m, cpu)->curr->owner;
}

/* Takes off the work done since @t was set going. */
static void settle_work(struct thread *t)
{
	uint64_t done = (simulation_now(t->s) - t->run_since_ns) * t->rate;

	t->work_left -= MIN(done, t->work_left);
}

static void on_run_ends(void *subject, uint64_t now_ns)
{
	struct thread *t = subject;

	settle_work(t);
	cpumask_set(&t->s->todo, t->sim.task.cpu);
}

static void stop_work(struct thread *t)
{
	if (!event_is_pending(&t->run_ends))
		return;
	event_queue_cancel(t->s->q, &t->run_ends);
	settle_work(t);
}

/* source: arch_scale_cpu_capacity() and arch_scale_freq_capacity() */
static unsigned work_rate(const struct rq *rq)
{
	return MAX(rq->cpu_scale * rq->freq_scale >> CAPACITY_SHIFT, 1U);
}

static void start_work(struct thread *t, const struct rq *rq)
{
	uint64_t now_ns = simulation_now(t->s);
	uint64_t takes_ns;

	t->rate = t->by_time ? CAPACITY_ONE : work_rate(rq);
	t->run_since_ns = now_ns;
	takes_ns = t->work_left / t->rate + !!(t->work_left % t->rate);
	t->run_ends.fn = on_run_ends;
	t->run_ends.subject = t;
	event_queue_add(t->s->q, &t->run_ends, later_ns(now_ns, takes_ns));
}

void thread_work(struct thread *t, uint64_t ns, bool by_time)
{
	t->work_left = MIN(ns, WORK_MAX_NS) << CAPACITY_SHIFT;
	t->by_time = by_time;
}

/*
 * The current thread of @cpu goes on: with the work it has, or else with the
 * steps of its program, until one needs time, sleeps, or calls for a reschedule.
 */
static void continue_cpu(simulation *s, int cpu)
{
	struct rq *rq = cpu_rq(s->m, cpu);
	struct thread *t = current_thread(s, cpu);

	while (t && &t->sim.task == rq->curr && !s->error) {
		if (rq->need_resched) {
			cpumask_set(&s->todo, cpu);
			return;
		}
		if (t->work_left) {
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
	if (sched_idle_enter(s->m, cpu))
		event_queue_cancel(s->q, &s->cpus[cpu].tick);
}

/* CPU_NONE: none.  Looks at the words of the machine's CPUs alone. */
static int first_todo(const simulation *s)
{
	for (int i = 0; i <= (s->m->nr_cpus - 1) / 64; i++)
		if (s->todo.bits[i])
			return i * 64 + __builtin_ctzll(s->todo.bits[i]);
	return CPU_NONE;
}

void settle(simulation *s)
{
	int cpu;

	sched_resched_all(s->m);
	while (!s->error && (cpu = first_todo(s)) != CPU_NONE) {
		cpumask_clear(&s->todo, cpu);
		continue_cpu(s, cpu);
		sched_resched_all(s->m);
	}
	for_each_cpu (cpu, &s->idlers)
		enter_idle(s, cpu);
	s->idlers = cpumask_none();
}

/* Rounded up, so that the jiffy of the tick has begun. */
static uint64_t tick_time(const struct machine *m, uint64_t tick)
{
	return (tick * NSEC_PER_SEC + m->hz - 1) / m->hz;
}

static void await_tick(struct cpu_clock *c)
{
	event_queue_add(c->s->q, &c->tick, tick_time(c->s->m, ++c->ticks));
}

/* The grid is kept: the next multiple of the period.  source: tick_nohz_restart() */
static void restart_tick(struct cpu_clock *c)
{
	if (event_is_pending(&c->tick))
		return;
	c->ticks = c->s->m->jiffies;
	await_tick(c);
}

static void on_switch(void *data, const struct machine *m, const struct rq *rq,
		      const struct task *prev, const struct task *next,
		      bool prev_sleeps)
{
	simulation *s = data;

	if (prev->owner)
		stop_work((struct thread *)prev->owner);
	if (next->owner)
		cpumask_set(&s->todo, rq->cpu);
	else
		cpumask_clear(&s->todo, rq->cpu);
	if (next == rq->idle)
		cpumask_set(&s->idlers, rq->cpu);
	else
		cpumask_clear(&s->idlers, rq->cpu);
	if (prev == rq->idle)
		restart_tick(&s->cpus[rq->cpu]);
}

static void on_tick(void *subject, uint64_t now_ns)
{
	struct cpu_clock *c = subject;

	await_tick(c);
	sched_tick(c->s->m, c->cpu);
}

static void on_ipi(void *subject, uint64_t now_ns)
{
	struct cpu_clock *c = subject;

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

	timer->pending = false;
	timer->fn(timer->machine, timer->subject);
}

static void timer_start(void *data, struct sched_timer *timer)
{
	simulation *s = data;
	struct event *ev = event_of(timer);

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

static void cpu_clock_init(simulation *s, struct cpu_clock *c, int cpu)
{
	c->s = s;
	c->cpu = cpu;
	c->ticks = s->m->jiffies;
	c->tick = (struct event){
		.fn = on_tick, .subject = c, .phase = EVENT_TICK + (uint32_t)cpu};
	c->ipi = (struct event){.fn = on_ipi, .subject = c, .phase = EVENT_IPI};
	await_tick(c);
	cpumask_set(&s->idlers, cpu);
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
	};
	s->m->driver = &s->driver;
	s->observer.data = s;
	s->observer.sched_switch = on_switch;
}

void cpus_clear(simulation *s)
{
	g_free(s->cpus);
}
