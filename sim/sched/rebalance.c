/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the domains of a CPU are balanced: the tick's softirq and its intervals.
 */
#include "sched/clock.h"
#include "sched/core.h"
#include "sched/fair_load.h"
#include "sched/lb.h"
#include "sched/nohz.h"
#include "sched/rt.h"

/* No CPU goes longer without a look at its domains. */
#define MAX_NEXT_BALANCE_S 60

/*
 * A busy CPU waits longer, and a jiffy less than a multiple so that levels do not
 * fall due together.
 */
uint64_t sd_balance_interval(const struct machine *m, const struct sched_domain *sd,
			     bool cpu_busy)
{
	uint64_t interval_ms = sd->balance_interval;
	uint64_t interval;

	if (cpu_busy)
		interval_ms *= sd->busy_factor;
	interval = msecs_to_jiffies(m, interval_ms);
	if (cpu_busy)
		interval--;
	return CLAMP(interval, 1, m->max_load_balance_interval);
}

void update_next_balance(const struct machine *m, const struct sched_domain *sd,
			 uint64_t *next_balance_jiffies)
{
	uint64_t next = sd->last_balance + sd_balance_interval(m, sd, false);

	if (time_after(*next_balance_jiffies, next))
		*next_balance_jiffies = next;
}

static bool is_busy(const struct rq *rq, enum cpu_idle_type idle)
{
	return idle != CPU_IDLE && !cpu_is_sched_idle(rq->m, rq->cpu);
}

/*
 * Balances @sd if it is due, and gives the interval that holds now, in jiffies.
 * Only one CPU at a time may balance a domain marked to be serialized.
 */
static uint64_t balance_if_due(struct rq *rq, struct sched_domain *sd,
			       enum cpu_idle_type *idle, bool *continue_balancing)
{
	struct machine *m = rq->m;
	bool serialize = sd->flags & SD_SERIALIZE;
	uint64_t interval = sd_balance_interval(m, sd, is_busy(rq, *idle));

	if (serialize && m->balancing_serialized)
		return interval;
	m->balancing_serialized |= serialize;
	if (time_after_eq(m->jiffies, sd->last_balance + interval)) {
		if (load_balance(rq, sd, *idle, continue_balancing))
			*idle = cpu_is_idle(m, rq->cpu) ? CPU_IDLE : CPU_NOT_IDLE;
		sd->last_balance = m->jiffies;
		interval = sd_balance_interval(m, sd, is_busy(rq, *idle));
	}
	if (serialize)
		m->balancing_serialized = false;
	return interval;
}

void rebalance_domains(struct rq *rq, enum cpu_idle_type idle)
{
	struct machine *m = rq->m;
	uint64_t latest = m->jiffies + MAX_NEXT_BALANCE_S * m->hz;
	uint64_t next_balance = latest;
	uint64_t max_cost_ns = 0;
	bool continue_balancing = true;
	bool decayed = false;

	for (struct sched_domain *sd = rq->sd; sd; sd = sd->parent) {
		uint64_t next;

		decayed = update_newidle_cost(m, sd, 0, 0);
		max_cost_ns += sd->max_newidle_lb_cost;
		if (!continue_balancing) {
			if (decayed)
				continue;
			break;
		}
		next = balance_if_due(rq, sd, &idle, &continue_balancing);
		next += sd->last_balance;
		if (time_after(next_balance, next))
			next_balance = next;
	}

	/* As in the kernel, the last domain visited speaks for all. */
	if (decayed)
		rq->max_idle_balance_cost =
			MAX(m->tunables.migration_cost_ns, max_cost_ns);
	if (next_balance != latest)
		rq->next_balance = next_balance;
}

void run_rebalance_domains(struct rq *rq)
{
	enum cpu_idle_type idle = rq->idle_balance ? CPU_IDLE : CPU_NOT_IDLE;

	if (nohz_idle_balance(rq, idle))
		return;
	update_blocked_averages(rq);
	rebalance_domains(rq, idle);
}

void trigger_load_balance(struct rq *rq)
{
	const struct machine *m = rq->m;
	bool is_due;

	if (!m->feat.LB_PERIODIC || !rq->sd || !cpumask_test(&m->active, rq->cpu))
		return;
	is_due = time_after_eq(m->jiffies, rq->next_balance);
	nohz_balancer_kick(rq);
	if (is_due)
		run_rebalance_domains(rq);
}

void sched_ipi(struct rq *rq)
{
	bool softirq = nohz_kick_arrives(rq);

	/* What is to be called comes before wakeups.
	 * source: __flush_smp_call_function_queue() */
	rto_push_arrives(rq);
	sched_ttwu_pending(rq);
	if (softirq)
		run_rebalance_domains(rq);
}
