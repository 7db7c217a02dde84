/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle CPUs whose tick is stopped: who balances for them, and when.
 *
 * A CPU joins the set when its tick stops, and leaves it at its first busy tick,
 * not when it is woken; until then others still count it as idle.
 */
#include "sched/nohz.h"

#include "sched/asym.h"
#include "sched/balance.h"
#include "sched/clock.h"
#include "sched/fair_load.h"

/* Blocked load is looked at once per half-life.  source: LOAD_AVG_PERIOD */
#define BLOCKED_UPDATE_MS 32

/* No idle CPU goes longer without a look.  source: _nohz_idle_balance() */
#define MAX_NEXT_BALANCE_S 60

#define NOHZ_KICK_MASK (NOHZ_BALANCE_KICK | NOHZ_STATS_KICK | NOHZ_NEXT_KICK)

/* source: set_cpu_sd_state_busy(), set_cpu_sd_state_idle() */
static void count_llc_busy(struct rq *rq, bool busy)
{
	if (!rq->sd_llc_shared || rq->nohz_llc_idle == !busy)
		return;
	rq->nohz_llc_idle = !busy;
	rq->sd_llc_shared->nr_busy_cpus += busy ? 1 : -1;
}

void nohz_balance_exit_idle(struct rq *rq)
{
	if (!rq->nohz_tick_stopped)
		return;
	rq->nohz_tick_stopped = false;
	cpumask_clear(&rq->m->nohz.idle_cpus, rq->cpu);
	count_llc_busy(rq, true);
}

/* source: nohz_balance_enter_idle() */
static void enter_idle(struct rq *rq)
{
	struct nohz *nohz = &rq->m->nohz;

	if (!cpumask_test(&rq->m->active, rq->cpu))
		return;
	rq->has_blocked_load = true;
	if (!rq->nohz_tick_stopped) {
		if (!rq->sd)
			return;
		rq->nohz_tick_stopped = true;
		cpumask_set(&nohz->idle_cpus, rq->cpu);
		count_llc_busy(rq, false);
		nohz->needs_update = true;
	}
	nohz->has_blocked = true;
}

/* The lowest idle CPU of the set but @rq's own, or CPUS_MAX. */
static int find_new_ilb(const struct rq *rq)
{
	int cpu;

	for_each_cpu (cpu, &rq->m->nohz.idle_cpus)
		if (cpu != rq->cpu && cpu_is_idle(rq->m, cpu))
			return cpu;
	return CPUS_MAX;
}

static void kick_ilb(struct rq *rq, unsigned flags)
{
	struct machine *m = rq->m;
	struct rq *target;
	unsigned before;
	int cpu;

	if (flags & NOHZ_BALANCE_KICK)
		m->nohz.next_balance = m->jiffies + 1;
	cpu = find_new_ilb(rq);
	if (cpu == CPUS_MAX)
		return;
	target = cpu_rq(m, cpu);
	before = target->nohz_flags;
	target->nohz_flags |= flags;
	/* Whoever set the first flag has sent the interrupt. */
	if (before & NOHZ_KICK_MASK)
		return;
	if (m->driver)
		m->driver->send_ipi(m->driver->data, target);
}

/* Whether what @rq sees of itself and its cache calls for a balance of idle CPUs. */
static bool wants_balance(const struct rq *rq)
{
	const struct sched_domain *sd = rq->sd;

	if (rq->nr_running >= 2)
		return true;
	/* Interrupts or higher classes leave it less: somewhere else may be better. */
	if (sd && rq->cfs.h_nr_running >= 1 && capacity_is_reduced(rq, sd))
		return true;
	/* What CPUs that differ share matters less than where tasks fit. */
	if (rq->sd_asym_cpucapacity)
		return check_misfit_status(rq, rq->sd_asym_cpucapacity);
	return rq->sd_llc_shared && rq->sd_llc_shared->nr_busy_cpus > 1;
}

void nohz_balancer_kick(struct rq *rq)
{
	struct machine *m = rq->m;
	unsigned flags = 0;

	if (rq->idle_balance)
		return;
	nohz_balance_exit_idle(rq);
	if (cpumask_empty(&m->nohz.idle_cpus))
		return;
	if (m->nohz.has_blocked && time_after(m->jiffies, m->nohz.next_blocked))
		flags = NOHZ_STATS_KICK;
	if (time_after_eq(m->jiffies, m->nohz.next_balance) && wants_balance(rq))
		flags = NOHZ_STATS_KICK | NOHZ_BALANCE_KICK;
	if (m->nohz.needs_update)
		flags |= NOHZ_NEXT_KICK;
	if (flags)
		kick_ilb(rq, flags);
}

/* Fades the blocked load of @rq once a jiffy.  True when some is left. */
static bool update_nohz_stats(struct rq *rq)
{
	const struct machine *m = rq->m;

	if (!rq->has_blocked_load || !cpumask_test(&m->nohz.idle_cpus, rq->cpu))
		return false;
	if (!time_after(m->jiffies, rq->last_blocked_load_update_tick))
		return true;
	update_blocked_averages(rq);
	return rq->has_blocked_load;
}

/* Pulls for the idle @rq if it is due.  Returns the jiffy in which it is due next. */
static uint64_t balance_for(struct rq *rq, unsigned flags)
{
	if (time_after_eq(rq->m->jiffies, rq->next_balance)) {
		update_rq_clock(rq);
		if (flags & NOHZ_BALANCE_KICK)
			rebalance_domains(rq, CPU_IDLE);
	}
	return rq->next_balance;
}

/* What was to be done for all idle CPUs is left to the next who is kicked. */
static void abort_idle_balance(struct nohz *nohz, unsigned flags)
{
	if (flags & NOHZ_STATS_KICK)
		nohz->has_blocked = true;
	if (flags & NOHZ_NEXT_KICK)
		nohz->needs_update = true;
}

/*
 * On behalf of every idle CPU, from the one after this; this one comes last, so that
 * others have the first choice.  source: _nohz_idle_balance()
 */
static void balance_idle_cpus(struct rq *this_rq, unsigned flags)
{
	struct machine *m = this_rq->m;
	struct nohz *nohz = &m->nohz;
	struct cpumask idle_cpus = nohz->idle_cpus;
	uint64_t latest = m->jiffies + MAX_NEXT_BALANCE_S * m->hz;
	uint64_t next_balance = latest;
	bool has_blocked = false;
	int cpu, left;

	if (flags & NOHZ_STATS_KICK)
		nohz->has_blocked = false;
	if (flags & NOHZ_NEXT_KICK)
		nohz->needs_update = false;

	for_each_cpu_wrap (cpu, &idle_cpus, this_rq->cpu + 1, left) {
		uint64_t due;

		if (!cpu_is_idle(m, cpu))
			continue;
		if (!cpu_is_idle(m, this_rq->cpu) && this_rq->need_resched) {
			abort_idle_balance(nohz, flags);
			return;
		}
		if (flags & NOHZ_STATS_KICK)
			has_blocked |= update_nohz_stats(cpu_rq(m, cpu));
		due = balance_for(cpu_rq(m, cpu), flags);
		if (time_after(next_balance, due))
			next_balance = due;
	}
	if (next_balance != latest)
		nohz->next_balance = next_balance;
	if (flags & NOHZ_STATS_KICK)
		nohz->next_blocked =
			m->jiffies + msecs_to_jiffies(m, BLOCKED_UPDATE_MS);
	if (has_blocked)
		nohz->has_blocked = true;
}

bool nohz_idle_balance(struct rq *rq, enum cpu_idle_type idle)
{
	unsigned flags = rq->nohz_idle_balance;

	if (!flags)
		return false;
	rq->nohz_idle_balance = 0;
	if (idle != CPU_IDLE)
		return false;
	balance_idle_cpus(rq, flags);
	return true;
}

void nohz_newidle_balance(struct rq *rq)
{
	const struct machine *m = rq->m;

	if (rq->avg_idle < m->tunables.migration_cost_ns)
		return;
	if (!m->nohz.has_blocked || !time_after_eq(m->jiffies, m->nohz.next_blocked))
		return;
	rq->nohz_flags |= NOHZ_NEWILB_KICK;
}

bool nohz_kick_arrives(struct rq *rq)
{
	unsigned flags = rq->nohz_flags;

	if (!(flags & NOHZ_KICK_MASK))
		return false;
	rq->nohz_flags = 0;
	rq->idle_balance = cpu_is_idle(rq->m, rq->cpu);
	if (!rq->idle_balance)
		return false;
	rq->nohz_idle_balance = flags;
	return true;
}

bool nohz_idle_enter(struct rq *rq)
{
	unsigned flags = rq->nohz_flags;

	rq->nohz_flags &= ~(unsigned)NOHZ_NEWILB_KICK;
	if (flags == NOHZ_NEWILB_KICK && !rq->need_resched)
		balance_idle_cpus(rq, NOHZ_STATS_KICK);
	if (!rq->m->nohz.on)
		return false;
	enter_idle(rq);
	return true;
}
