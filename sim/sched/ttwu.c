/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wakeups: from the call to the queue of the chosen CPU, at once or through that
 * CPU's wakelist.
 */
#include "sched/core_internal.h"

#include "sched/class.h"
#include "sched/clock.h"
#include "sched/cpuset_hooks.h"
#include "sched/load_weight.h"
#include "schedsim/observer.h"

/* source: is_cpu_allowed(), for user tasks */
static bool is_cpu_allowed(const struct machine *m, const struct task *t, int cpu)
{
	return task_may_use(t, cpu) && cpumask_test(&m->active, cpu);
}

/* An active CPU of @t's, or CPUS_MAX. */
static int any_allowed_cpu(const struct machine *m, const struct task *t)
{
	struct cpumask allowed = cpumask_and(&t->cpus_mask, &m->active);

	return cpumask_first(&allowed);
}

/* Its cpuset's CPUs, or else any. */
static int widen_affinity(struct machine *m, struct task *t)
{
	struct cpumask possible = cpumask_first_n(m->nr_cpus);
	const struct cpuset_hooks *cpusets = m->cpusets;
	struct cpumask cpus;

	if (cpusets && cpusets->cpus_allowed_fallback(cpusets->data, t, &cpus)) {
		do_set_cpus_allowed(m, t, &cpus);
		if (any_allowed_cpu(m, t) < CPUS_MAX)
			return any_allowed_cpu(m, t);
	}
	do_set_cpus_allowed(m, t, &possible);
	return any_allowed_cpu(m, t);
}

int select_fallback_rq(struct machine *m, struct task *t, int cpu)
{
	struct cpumask near = cpumask_and(&t->cpus_mask, &cpu_rq(m, cpu)->node_mask);

	near = cpumask_and(&near, &m->active);
	if (!cpumask_empty(&near))
		return cpumask_first(&near);
	cpu = any_allowed_cpu(m, t);
	return cpu < CPUS_MAX ? cpu : widen_affinity(m, t);
}

int select_allowed_cpu(struct machine *m, struct task *t, int prev_cpu, int this_cpu,
		       unsigned wake_flags, bool in_task)
{
	int cpu;

	if (t->nr_cpus_allowed > 1)
		cpu = t->sched_class->select_task_rq(m, t, prev_cpu, this_cpu,
						     wake_flags, in_task);
	else
		cpu = cpumask_first(&t->cpus_mask);
	if (!is_cpu_allowed(m, t, cpu))
		cpu = select_fallback_rq(m, t, t->cpu);
	return cpu;
}

void account_idle_end(struct rq *rq)
{
	uint64_t max = 2 * rq->max_idle_balance_cost;

	if (!rq->idle_stamp)
		return;
	update_avg(&rq->avg_idle, rq->clock - rq->idle_stamp);
	if (rq->avg_idle > max)
		rq->avg_idle = max;
	rq->wake_stamp = rq->m->jiffies;
	rq->wake_avg_idle = rq->avg_idle / 2;
	rq->idle_stamp = 0;
}

/* source: ttwu_do_activate(), ttwu_do_wakeup() */
static void ttwu_do_activate(struct rq *rq, struct task *t, unsigned wake_flags)
{
	unsigned flags = ENQUEUE_WAKEUP | QUEUE_NOCLOCK;

	if (wake_flags & WF_MIGRATED)
		flags |= ENQUEUE_MIGRATED;
	activate_task(rq, t, flags);
	rq->m->policy->task_woken(rq, t);
	check_preempt_curr(rq, t, wake_flags);
	t->state = TASK_RUNNING;
	OBSERVE(rq->m, sched_wakeup, rq->m, t, false);
	if (t->sched_class->task_woken)
		t->sched_class->task_woken(rq, t);
	account_idle_end(rq);
}

/* Whether the target CPU is to do the enqueue itself.  source: ttwu_queue_cond() */
static bool ttwu_queue_cond(const struct machine *m, const struct task *t, int cpu,
			    int this_cpu)
{
	if (!m->feat.TTWU_QUEUE || !is_cpu_allowed(m, t, cpu))
		return false;
	/* Its queue would have to be fetched from another cache. */
	if (!share_cache(m, this_cpu, cpu))
		return true;
	if (cpu == this_cpu)
		return false;
	/* It idles: let it do the work while the waker goes on. */
	return !cpu_rq(m, cpu)->nr_running;
}

static void ttwu_queue_wakelist(struct rq *rq, struct task *t)
{
	const struct sched_driver *driver = rq->m->driver;

	t->sched_remote_wakeup = t->wake_flags & WF_MIGRATED;
	t->wakelist_at_ns = rq->m->now_ns;
	list_add_tail(&rq->wakelist, &t->wake_entry);
	rq->ttwu_pending = true;
	if (driver)
		driver->send_ipi(driver->data, rq);
	else
		sched_ttwu_pending(rq);
}

void sched_ttwu_queue(struct machine *m, struct task *t)
{
	struct rq *rq = task_rq(m, t);
	bool remote = ttwu_queue_cond(m, t, t->cpu, t->waker_cpu);

	m->this_cpu = t->waker_cpu;
	OBSERVE(m, ttwu, m, t, t->waker_cpu, remote);
	if (remote) {
		ttwu_queue_wakelist(rq, t);
	} else {
		update_rq_clock(rq);
		ttwu_do_activate(rq, t, t->wake_flags);
		/* Its affinity may have changed since it was given this CPU. */
		leave_cpu(m, t);
	}
}

/* How long the choice of a CPU goes unseen by others. */
static uint64_t choice_to_queue_ns(const struct machine *m)
{
	return m->costs.select_to_enqueue_ns + m->idle_probes * m->costs.idle_probe_ns;
}

static void queue_when_seen(struct machine *m, struct task *t)
{
	const struct sched_driver *driver = m->driver;
	uint64_t ns = choice_to_queue_ns(m);

	if (ns && driver && driver->delay_ttwu)
		driver->delay_ttwu(driver->data, t, ns);
	else
		sched_ttwu_queue(m, t);
}

void sched_ttwu_pending(struct rq *rq)
{
	if (list_empty(&rq->wakelist))
		return;
	rq->m->this_cpu = rq->cpu;
	rq->ttwu_pending = false;
	update_rq_clock(rq);
	while (!list_empty(&rq->wakelist)) {
		struct task *t = list_entry(rq->wakelist.next, struct task, wake_entry);

		list_del(&t->wake_entry);
		/* WF_SYNC did not travel with it. */
		ttwu_do_activate(rq, t, t->sched_remote_wakeup ? WF_MIGRATED : 0);
	}
}

bool try_to_wake_up(struct machine *m, struct task *t, int this_cpu,
		    unsigned wake_flags, bool in_task)
{
	int cpu;

	if (t->state != TASK_INTERRUPTIBLE && t->state != TASK_UNINTERRUPTIBLE)
		return false;
	m->this_cpu = this_cpu;
	OBSERVE(m, sched_waking, m, t, this_cpu);
	t->state = TASK_WAKING;
	m->idle_probes = 0;
	cpu = select_allowed_cpu(m, t, t->wake_cpu, this_cpu, wake_flags | WF_TTWU,
				 in_task);
	if (cpu != t->cpu) {
		wake_flags |= WF_MIGRATED;
		set_task_cpu(m, t, cpu);
	}
	t->waker_cpu = this_cpu;
	t->wake_flags = wake_flags;
	queue_when_seen(m, t);
	return true;
}
