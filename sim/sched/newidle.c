/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU that finds no task looks for one elsewhere before it goes idle.
 */
#include "sched/clock.h"
#include "sched/fair_load.h"
#include "sched/lb.h"
#include "sched/nohz.h"
#include "sched/select.h"

/* Sides of the dice, and passes after which the success ratio is taken. */
#define NEWIDLE_DICE 1024

void update_newidle_stats(struct sched_domain *sd, unsigned success_weight)
{
	sd->newidle_call++;
	sd->newidle_success += success_weight;
	if (sd->newidle_call >= NEWIDLE_DICE) {
		sd->newidle_ratio = sd->newidle_success;
		sd->newidle_call /= 2;
		sd->newidle_success /= 2;
	}
}

/*
 * The greatest cost is kept and fades by about 1 % a second.
 */
bool update_newidle_cost(const struct machine *m, struct sched_domain *sd,
			 uint64_t cost_ns, unsigned success_weight)
{
	if (cost_ns && m->profile->has_ni_random)
		update_newidle_stats(sd, success_weight);

	if (cost_ns > sd->max_newidle_lb_cost) {
		sd->max_newidle_lb_cost = cost_ns;
		sd->last_decay_max_lb_cost = m->jiffies;
		return false;
	}
	if (time_after(m->jiffies, sd->last_decay_max_lb_cost + m->hz)) {
		sd->max_newidle_lb_cost = sd->max_newidle_lb_cost * 253 / 256;
		sd->last_decay_max_lb_cost = m->jiffies;
		return true;
	}
	return false;
}

/* SplitMix64 (Steele, Lea and Flood 2014), its upper half. */
static uint32_t throw_dice(struct machine *m)
{
	uint64_t z = m->newidle_random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (uint32_t)((z ^ z >> 31) >> 32);
}

/*
 * Lets passes through in proportion to how often they pulled.  @weight is what a
 * success counts, so that the passes left out are made up for.
 */
static bool dice_allow(struct machine *m, struct sched_domain *sd, unsigned *weight)
{
	unsigned chance = 1 + sd->newidle_ratio;

	*weight = 1;
	if (!m->feat.NI_RANDOM || !m->profile->has_ni_random)
		return true;
	if (throw_dice(m) % NEWIDLE_DICE > chance) {
		update_newidle_stats(sd, 0);
		return false;
	}
	*weight = (NEWIDLE_DICE + chance / 2) / chance;
	return true;
}

/*
 * What a pass over @sd is taken to have cost; the time itself passes afterwards.
 *
 * Never 0: a clock read twice has moved on every real machine, and the kernel
 * counts no success at a cost of 0, while the dice's refusals always count.  The
 * success ratio would sink to nothing.
 */
static uint64_t pass_cost_ns(const struct machine *m, const struct sched_domain *sd)
{
	return MAX(m->costs.newidle_cpu_ns * sd->span_weight, 1);
}

/* The kernel switches to the idle task after the pass only: it is not idle yet. */
static void let_time_pass(struct rq *this_rq, uint64_t ns)
{
	const struct sched_driver *driver = this_rq->m->driver;

	if (!ns || !driver || !driver->spend)
		return;
	this_rq->searching = true;
	driver->spend(driver->data, this_rq, ns);
}

void newidle_time_is_over(struct rq *rq)
{
	if (!rq->searching)
		return;
	rq->searching = false;
	if (rq->curr == rq->idle)
		update_idle_core(rq);
}

/* Number of tasks pulled. */
static unsigned search_domains(struct rq *this_rq, uint64_t *next_balance)
{
	struct machine *m = this_rq->m;
	uint64_t cost_ns = 0, time_ns = 0;
	unsigned pulled = 0;

	update_blocked_averages(this_rq);
	for (struct sched_domain *sd = this_rq->sd; sd; sd = sd->parent) {
		bool continue_balancing = true;
		unsigned weight;

		update_next_balance(m, sd, next_balance);
		if (this_rq->avg_idle < cost_ns + sd->max_newidle_lb_cost)
			break;
		if (sd->flags & SD_BALANCE_NEWIDLE) {
			if (!dice_allow(m, sd, &weight))
				continue;
			pulled = load_balance(this_rq, sd, CPU_NEWLY_IDLE,
					      &continue_balancing);
			cost_ns += pass_cost_ns(m, sd);
			time_ns += m->costs.newidle_cpu_ns * sd->span_weight;
			update_newidle_cost(m, sd, pass_cost_ns(m, sd),
					    pulled ? weight : 0);
		}
		if (pulled || this_rq->nr_running || this_rq->ttwu_pending)
			break;
	}
	let_time_pass(this_rq, time_ns);
	this_rq->max_idle_balance_cost = MAX(this_rq->max_idle_balance_cost, cost_ns);
	return pulled;
}

/* Somebody waits somewhere, and the idle time expected is worth the search. */
static bool is_worthwhile(const struct rq *this_rq)
{
	return this_rq->m->feat.LB_NEWIDLE && this_rq->rd->overload &&
	       this_rq->avg_idle >= this_rq->sd->max_newidle_lb_cost;
}

static int pull_fair_tasks(struct rq *this_rq, uint64_t *next_balance)
{
	unsigned pulled;

	if (!this_rq->sd)
		return 0;
	if (!is_worthwhile(this_rq)) {
		update_next_balance(this_rq->m, this_rq->sd, next_balance);
		return 0;
	}
	pulled = search_domains(this_rq, next_balance);
	if (this_rq->nr_running != this_rq->cfs.h_nr_running)
		return -1;
	return pulled ? (int)pulled : this_rq->cfs.h_nr_running > 0;
}

int newidle_balance(struct rq *this_rq)
{
	const struct machine *m = this_rq->m;
	uint64_t next_balance = m->jiffies + m->hz;
	int pulled;

	update_misfit_status(this_rq, NULL);
	if (this_rq->ttwu_pending)
		return 0;
	this_rq->idle_stamp = this_rq->clock;
	if (!cpumask_test(&m->active, this_rq->cpu))
		return 0;

	pulled = pull_fair_tasks(this_rq, &next_balance);
	if (time_after(this_rq->next_balance, next_balance))
		this_rq->next_balance = next_balance;
	if (pulled)
		this_rq->idle_stamp = 0;
	else
		nohz_newidle_balance(this_rq);
	return pulled;
}

void sched_boot_idle(struct machine *m)
{
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		struct rq *rq = cpu_rq(m, cpu);

		rq->idle_stamp = m->now_ns;
		if (!rq->sd_llc_shared)
			continue;
		rq->sd_llc_shared->has_idle_cores = m->smt_active;
		if (m->nr_idle_scan_fixed < 0)
			rq->sd_llc_shared->nr_idle_scan = rq->sd_llc_size;
	}
}
