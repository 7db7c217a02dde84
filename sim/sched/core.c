/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The core: run queues, switches and ticks.  Wakeups are in ttwu.c, what changes
 * a task's attributes in attributes.c.
 */
#include "sched/core_internal.h"

#include "sched/balance.h"
#include "sched/class.h"
#include "sched/clock.h"
#include "sched/deadline.h"
#include "sched/fair.h"
#include "sched/load_weight.h"
#include "sched/nohz.h"
#include "sched/pelt.h"
#include "sched/rt.h"
#include "sched/stop.h"
#include "sched/uclamp.h"
#include "schedsim/observer.h"

#include <errno.h>

/* What depends on when the machine starts; the rest is as machine_new() left it. */
static void init_rq(struct machine *m, struct rq *rq)
{
	init_cfs_rq(rq, &rq->cfs, &m->root_tg);
	init_rt_rq(rq);
	init_dl_rq(rq);
	rq->tmp_alone_branch = &rq->leaf_cfs_rq_list;
	rq->clock = rq->clock_task = rq->clock_pelt = m->now_ns;
	rq->clock_idle = rq->clock_pelt_idle = m->now_ns;
	/* It may be asked for the time of its averages before anything ran there. */
	pelt_update_cfs_rq(rq_clock_pelt(rq), &rq->cfs);
	rq->next_balance = m->jiffies;
	rq->wake_stamp = m->jiffies;
	rq->last_blocked_load_update_tick = m->jiffies;

	rq->idle->sched_class = &idle_sched_class;
	set_task_rq_fair(rq->idle, rq->cpu);
	rq->stop->sched_class = &stop_sched_class;
	set_task_rq_fair(rq->stop, rq->cpu);
	rq_online_rt(rq);
}

void sched_init(struct machine *m)
{
	init_rt_bandwidth(m);
	init_uclamp(m);
	init_rt_root_domain(&m->rd);
	init_dl_root_domain(m, &m->rd);
	m->nohz.next_balance = m->jiffies;
	m->nohz.next_blocked = m->jiffies;
	for (int cpu = 0; cpu < m->nr_cpus; cpu++)
		init_rq(m, cpu_rq(m, cpu));
}

void resched_curr(struct rq *rq)
{
	struct machine *m = rq->m;

	rq->need_resched = true;
	if (rq->resched_waits)
		m->driver->resched_waits(m->driver->data, rq);
	else
		cpumask_set(&m->resched, rq->cpu);
}

void check_preempt_curr(struct rq *rq, struct task *t, unsigned wake_flags)
{
	const struct sched_class *current = rq->curr->sched_class;

	if (t->sched_class == current)
		current->check_preempt_curr(rq, t, wake_flags);
	else if (t->sched_class->rank > current->rank)
		resched_curr(rq);
	/* The switch to come reads the same clock. */
	if (rq->curr->on_rq == TASK_ON_RQ_QUEUED && rq->need_resched)
		rq_clock_skip_update(rq);
}

void add_nr_running(struct rq *rq, unsigned count)
{
	unsigned before = rq->nr_running;

	rq->nr_running += count;
	if (before < 2 && rq->nr_running >= 2)
		rq->rd->overload = true;
}

void sub_nr_running(struct rq *rq, unsigned count)
{
	rq->nr_running -= count;
}

/* Run delay as in /proc/PID/schedstat.  source: sched_info_enqueue() and its kin */
static void sched_info_enqueue(struct rq *rq, struct task *t)
{
	if (!t->last_queued_ns)
		t->last_queued_ns = rq->clock;
}

static void sched_info_dequeue(struct rq *rq, struct task *t)
{
	if (!t->last_queued_ns)
		return;
	t->run_delay_ns += rq->clock - t->last_queued_ns;
	t->last_queued_ns = 0;
}

static bool is_ordinary(const struct rq *rq, const struct task *t)
{
	return t != rq->idle && t != rq->stop;
}

static void sched_info_switch(struct rq *rq, struct task *prev, struct task *next)
{
	if (is_ordinary(rq, prev) && prev->state == TASK_RUNNING)
		sched_info_enqueue(rq, prev);
	if (is_ordinary(rq, next)) {
		sched_info_dequeue(rq, next);
		next->pcount++;
	}
}

static void enqueue_task(struct rq *rq, struct task *t, unsigned flags)
{
	if (!(flags & QUEUE_NOCLOCK))
		update_rq_clock(rq);
	if (!(flags & QUEUE_SAVE))
		sched_info_enqueue(rq, t);
	t->sched_class->enqueue_task(rq, t, flags);
}

static void dequeue_task(struct rq *rq, struct task *t, unsigned flags)
{
	if (!(flags & QUEUE_NOCLOCK))
		update_rq_clock(rq);
	if (!(flags & QUEUE_SAVE))
		sched_info_dequeue(rq, t);
	t->sched_class->dequeue_task(rq, t, flags);
}

void activate_task(struct rq *rq, struct task *t, unsigned flags)
{
	if (t->on_rq == TASK_ON_RQ_MIGRATING)
		flags |= ENQUEUE_MIGRATED;
	enqueue_task(rq, t, flags);
	t->on_rq = TASK_ON_RQ_QUEUED;
}

void deactivate_task(struct rq *rq, struct task *t, unsigned flags)
{
	t->on_rq = flags & DEQUEUE_SLEEP ? TASK_ON_RQ_NONE : TASK_ON_RQ_MIGRATING;
	dequeue_task(rq, t, flags);
}

void task_set_aside(struct rq *rq, struct task *t, unsigned flags,
		    struct set_aside *aside)
{
	aside->queued = t->on_rq == TASK_ON_RQ_QUEUED;
	aside->running = rq->curr == t;
	aside->flags = flags;
	if (aside->queued)
		dequeue_task(rq, t, flags | QUEUE_SAVE | QUEUE_NOCLOCK);
	if (aside->running)
		t->sched_class->put_prev_task(rq, t);
}

void task_put_back(struct rq *rq, struct task *t, const struct set_aside *aside)
{
	if (aside->queued)
		enqueue_task(rq, t, aside->flags | QUEUE_SAVE | QUEUE_NOCLOCK);
	if (aside->running)
		t->sched_class->set_next_task(rq, t);
}

/* Without the class's migrate hook.  source: __set_task_cpu() */
static void set_task_cpu_raw(struct task *t, int cpu)
{
	set_task_rq_fair(t, cpu);
	t->cpu = cpu;
	t->wake_cpu = cpu;
}

void set_task_cpu(struct machine *m, struct task *t, int cpu)
{
	if (t->cpu != cpu) {
		OBSERVE(m, sched_migrate_task, m, t, cpu);
		if (t->sched_class->migrate_task_rq)
			t->sched_class->migrate_task_rq(m, t, cpu);
		t->se.nr_migrations++;
	}
	set_task_cpu_raw(t, cpu);
}

/* Highest first. */
static const struct sched_class *const classes[] = {
	&stop_sched_class, &dl_sched_class,   &rt_sched_class,
	&fair_sched_class, &idle_sched_class, NULL,
};

const struct sched_class *const *sched_classes(void)
{
	return classes;
}

const struct sched_class *sched_class_of(enum sched_policy policy)
{
	switch (policy) {
	case POLICY_NORMAL:
	case POLICY_BATCH:
	case POLICY_IDLE:
		return &fair_sched_class;
	case POLICY_DEADLINE:
		return &dl_sched_class;
	case POLICY_FIFO:
	case POLICY_RR:
		return &rt_sched_class;
	}
	return NULL;
}

/*
 * Lets the classes from @prev's down pull tasks, until one has something to run;
 * then nothing below it matters.  source: put_prev_task_balance()
 */
static void put_prev_task_balance(struct rq *rq, struct task *prev)
{
	size_t i = 0;

	while (classes[i] != prev->sched_class)
		i++;
	while (!classes[i]->balance(rq, prev))
		i++;
	prev->sched_class->put_prev_task(rq, prev);
}

/* source: __pick_next_task() */
static struct task *pick_next_task(struct rq *rq, struct task *prev)
{
	struct task *next = NULL;

	if (prev->sched_class->rank <= fair_sched_class.rank &&
	    rq->nr_running == rq->cfs.h_nr_running) {
		next = pick_next_task_after_fair(rq, prev);
		if (next)
			return next;
		/* Balancing may have let tasks of other classes in. */
		if (rq->nr_running == rq->cfs.h_nr_running) {
			prev->sched_class->put_prev_task(rq, prev);
			return idle_sched_class.pick_next_task(rq);
		}
	}
	put_prev_task_balance(rq, prev);
	for (size_t i = 0; !next; i++)
		next = classes[i]->pick_next_task(rq);
	return next;
}

void queue_balance_callback(struct rq *rq, void (*fn)(struct rq *rq))
{
	for (int i = 0; i < rq->nr_balance_callbacks; i++)
		if (rq->balance_callbacks[i] == fn)
			return;
	g_assert(rq->nr_balance_callbacks < (int)G_N_ELEMENTS(rq->balance_callbacks));
	rq->balance_callbacks[rq->nr_balance_callbacks++] = fn;
}

/* source: __balance_callbacks() */
void run_balance_callbacks(struct rq *rq)
{
	while (rq->nr_balance_callbacks) {
		void (*fn)(struct rq *) = rq->balance_callbacks[0];

		rq->nr_balance_callbacks--;
		for (int i = 0; i < rq->nr_balance_callbacks; i++)
			rq->balance_callbacks[i] = rq->balance_callbacks[i + 1];
		fn(rq);
	}
}

/*
 * @next takes over from @prev.  The observers see it before any of its steps run.
 * source: context_switch(), finish_task_switch()
 */
static void switch_to(struct rq *rq, struct task *prev, struct task *next,
		      bool prev_sleeps)
{
	rq->nr_switches++;
	sched_info_switch(rq, prev, next);
	rq->curr = next;
	prev->on_cpu = false;
	next->on_cpu = true;
	OBSERVE(rq->m, sched_switch, rq->m, rq, prev, next, prev_sleeps);
}

/*
 * Picks what runs next on @rq.  @sleeps: the current task called this to sleep or
 * die, and its state says which.  source: __schedule()
 */
static void schedule_once(struct rq *rq, bool sleeps, bool voluntary)
{
	struct task *prev = rq->curr;
	struct task *next;

	/* A skip asked for since the last clock update holds for this one. */
	rq->clock_update_flags <<= 1;
	update_rq_clock(rq);
	if (sleeps && prev != rq->stop) {
		deactivate_task(rq, prev, DEQUEUE_SLEEP | QUEUE_NOCLOCK);
		rq->m->policy->task_sleeps(rq, prev);
	}
	next = pick_next_task(rq, prev);
	rq->need_resched = false;
	cpumask_clear(&rq->m->resched, rq->cpu);
	rq->clock_update_flags = 0;
	if (next != prev) {
		if (voluntary)
			prev->nvcsw++;
		else
			prev->nivcsw++;
		switch_to(rq, prev, next, sleeps);
	}
	run_balance_callbacks(rq);
}

/* What the stopper does takes no time, so it gives way at once. */
static void schedule(struct rq *rq, bool sleeps, bool voluntary)
{
	rq->m->this_cpu = rq->cpu;
	schedule_once(rq, sleeps, voluntary);
	while (rq->curr == rq->stop || balance_push(rq)) {
		if (rq->curr != rq->stop)
			schedule_once(rq, false, false);
		run_stop_works(rq);
		schedule_once(rq, true, true);
	}
}

void sched_block(struct machine *m, int cpu, enum task_state state)
{
	struct rq *rq = cpu_rq(m, cpu);

	g_assert(rq->curr != rq->idle);
	rq->curr->state = state;
	schedule(rq, true, true);
}

void sched_exit(struct machine *m, int cpu)
{
	struct task *t = cpu_rq(m, cpu)->curr;

	t->exiting = true;
	sched_block(m, cpu, TASK_DEAD);
	if (t->sched_class->task_dead)
		t->sched_class->task_dead(t);
}

void do_sched_yield(struct machine *m, int cpu)
{
	struct rq *rq = cpu_rq(m, cpu);

	m->this_cpu = cpu;
	update_rq_clock(rq);
	rq->curr->sched_class->yield_task(rq);
	/* Still runnable, so the kernel counts no voluntary switch. */
	schedule(rq, false, false);
}

/* Looks at the words of the machine's CPUs alone: after most events none is due. */
static bool resched_is_due(const struct machine *m)
{
	for (int i = 0; i <= (m->nr_cpus - 1) / 64; i++)
		if (m->resched.bits[i])
			return true;
	return false;
}

void sched_resched_all(struct machine *m)
{
	while (resched_is_due(m)) {
		int cpu;

		for_each_cpu (cpu, &m->resched)
			schedule(cpu_rq(m, cpu), false, false);
	}
}

void sched_tick(struct machine *m, int cpu)
{
	struct rq *rq = cpu_rq(m, cpu);

	m->this_cpu = cpu;
	update_rq_clock(rq);
	rq->curr->sched_class->task_tick(rq, rq->curr);
	m->policy->tick(rq);
	OBSERVE(m, tick, m, rq);
	rq->idle_balance = cpu_is_idle(m, cpu);
	/* The balancing softirq runs as the tick's interrupt ends, before the switch.
	 */
	trigger_load_balance(rq);
}

bool sched_idle_enter(struct machine *m, int cpu)
{
	return nohz_idle_enter(cpu_rq(m, cpu));
}

/* source: __sched_fork(), sched_cgroup_fork() */
int sched_fork(struct machine *m, struct task *t, enum sched_policy policy, int nice,
	       const struct cpumask *cpus, int this_cpu)
{
	if (policy == POLICY_DEADLINE)
		return -EAGAIN;
	g_assert(rt_policy(policy) == (t->rt_priority != 0) &&
		 t->rt_priority < MAX_RT_PRIO);
	t->state = TASK_NEW;
	t->policy = policy;
	t->static_prio = DEFAULT_PRIO + nice;
	t->prio = normal_prio(policy, t->rt_priority, nice);
	t->sched_class = sched_class_of(policy);
	uclamp_init(m, t);
	t->se.load = task_load_weight(policy, nice);
	t->cpus_mask = *cpus;
	t->nr_cpus_allowed = cpumask_weight(cpus);
	if (!t->sched_task_group)
		t->sched_task_group = &m->root_tg;
	list_init(&t->se.group_node);
	list_init(&t->wake_entry);
	init_entity_runnable_average(&t->se);
	init_rt_task(m, t);
	init_dl_task(m, t);
	set_task_cpu_raw(t, this_cpu);
	if (t->sched_class->task_fork)
		t->sched_class->task_fork(m, t, this_cpu);
	return 0;
}

void wake_up_new_task(struct machine *m, struct task *t, int this_cpu)
{
	struct rq *rq;

	m->this_cpu = this_cpu;
	t->state = TASK_RUNNING;
	t->recent_used_cpu = t->cpu;
	set_task_cpu_raw(t, select_allowed_cpu(m, t, t->cpu, this_cpu, WF_FORK, true));
	rq = task_rq(m, t);
	update_rq_clock(rq);
	post_init_entity_util_avg(t);
	activate_task(rq, t, QUEUE_NOCLOCK);
	OBSERVE(m, sched_wakeup, m, t, true);
	check_preempt_curr(rq, t, WF_FORK);
	if (t->sched_class->task_woken)
		t->sched_class->task_woken(rq, t);
}
