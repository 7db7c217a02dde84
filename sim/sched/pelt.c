/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-entity load tracking: a geometric series over periods of 1024 * 1024 ns
 * whose factor y halves after 32 periods.
 *
 * Time since the last update falls in three parts: what completes the period in
 * which that update fell (d1), whole periods (d2) and the begun one (d3).  When a
 * boundary was crossed, the old sum and d1 fade by the number of boundaries, the
 * whole periods add a piece of the series, d3 adds itself.
 */
#include "sched/pelt.h"

#include "sched/load_weight.h"

#define PELT_HALF_LIFE 32
#define PERIOD 1024U

/* y^n in 32 bits of fraction.  source: runnable_avg_yN_inv */
static const uint32_t y_pow[PELT_HALF_LIFE] = {
	0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6,
	0xe0ccdeeb, 0xdbfbb796, 0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85,
	0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46, 0xb504f333, 0xb123f581,
	0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
	0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80,
	0x85aac367, 0x82cd8698,
};

uint64_t decay_load(uint64_t val, uint64_t n)
{
	if (n > PELT_HALF_LIFE * 63)
		return 0;
	val >>= n / PELT_HALF_LIFE;
	return (uint64_t)((unsigned __int128)val * y_pow[n % PELT_HALF_LIFE] >> 32);
}

/* What full activity over d1, @periods - 1 whole periods and d3 adds up to. */
static uint32_t full_contribution(uint64_t periods, uint32_t d1, uint32_t d3)
{
	uint32_t c1 = (uint32_t)decay_load(d1, periods);
	uint32_t c2 =
		(uint32_t)(LOAD_AVG_MAX - decay_load(LOAD_AVG_MAX, periods) - PERIOD);

	return c1 + c2 + d3;
}

/* @delta in units of 1024 ns.  Returns the boundaries crossed. */
static uint64_t accumulate_sum(uint64_t delta, struct sched_avg *avg, uint64_t load,
			       uint64_t runnable, bool running)
{
	uint32_t contrib = (uint32_t)delta;
	uint64_t periods;

	delta += avg->period_contrib;
	periods = delta / PERIOD;
	if (periods) {
		avg->load_sum = decay_load(avg->load_sum, periods);
		avg->runnable_sum = decay_load(avg->runnable_sum, periods);
		avg->util_sum = (uint32_t)decay_load(avg->util_sum, periods);
		delta %= PERIOD;
		if (load)
			contrib = full_contribution(
				periods, PERIOD - avg->period_contrib, (uint32_t)delta);
	}
	avg->period_contrib = (uint32_t)delta;

	if (load)
		avg->load_sum += load * contrib;
	if (runnable)
		avg->runnable_sum += runnable * contrib << CAPACITY_SHIFT;
	if (running)
		avg->util_sum += contrib << CAPACITY_SHIFT;
	return periods;
}

bool pelt_update_sum(uint64_t now_ns, struct sched_avg *avg, uint64_t load,
		     uint64_t runnable, bool running)
{
	uint64_t delta = now_ns - avg->last_update_time;

	/* The clock stepped back: take it as it is rather than forget a history. */
	if ((int64_t)delta < 0) {
		avg->last_update_time = now_ns;
		return false;
	}
	delta >>= 10;
	if (!delta)
		return false;
	avg->last_update_time += delta << 10;
	/* Something blocked can have no part in the new time. */
	if (!load) {
		runnable = 0;
		running = false;
	}
	return accumulate_sum(delta, avg, load, runnable, running) != 0;
}

void pelt_update_avg(struct sched_avg *avg, uint64_t load)
{
	uint32_t divider = pelt_divider(avg);

	avg->load_avg = load * avg->load_sum / divider;
	avg->runnable_avg = avg->runnable_sum / divider;
	avg->util_avg = avg->util_sum / divider;
}

uint64_t se_weight(const struct sched_entity *se)
{
	return scale_load_down(se->load.weight);
}

uint64_t se_runnable(const struct sched_entity *se)
{
	return entity_is_task(se) ? se->on_rq : se->runnable_weight;
}

/* Its utilisation moved, so the estimate may be taken anew.  source:
 * cfs_se_util_change() */
static void util_est_unfreeze(struct sched_avg *avg)
{
	avg->util_est.enqueued &= ~UTIL_AVG_UNCHANGED;
}

bool pelt_update_blocked_se(uint64_t now_ns, struct sched_entity *se)
{
	if (!pelt_update_sum(now_ns, &se->avg, 0, 0, false))
		return false;
	pelt_update_avg(&se->avg, se_weight(se));
	return true;
}

bool pelt_update_se(uint64_t now_ns, struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	if (!pelt_update_sum(now_ns, &se->avg, se->on_rq, se_runnable(se),
			     cfs_rq->curr == se))
		return false;
	pelt_update_avg(&se->avg, se_weight(se));
	util_est_unfreeze(&se->avg);
	return true;
}

bool pelt_update_cfs_rq(uint64_t now_ns, struct cfs_rq *cfs_rq)
{
	if (!pelt_update_sum(now_ns, &cfs_rq->avg, scale_load_down(cfs_rq->load.weight),
			     cfs_rq->h_nr_running, cfs_rq->curr != NULL))
		return false;
	pelt_update_avg(&cfs_rq->avg, 1);
	return true;
}

bool pelt_update_class(uint64_t now_ns, struct sched_avg *avg, bool running)
{
	if (!pelt_update_sum(now_ns, avg, running, running, running))
		return false;
	pelt_update_avg(avg, 1);
	return true;
}

unsigned pelt_update_irq(struct rq *rq, uint64_t running_ns)
{
	unsigned decayed;

	running_ns = running_ns * rq->freq_scale >> CAPACITY_SHIFT;
	running_ns = running_ns * rq->cpu_scale >> CAPACITY_SHIFT;

	/*
	 * When inside the interval the interrupts ran is not known, so they are taken
	 * to have come last: first the time without them, then theirs.
	 */
	decayed = pelt_update_sum(rq->clock - running_ns, &rq->avg_irq, 0, 0, false);
	decayed += pelt_update_sum(rq->clock, &rq->avg_irq, 1, 1, true);
	if (decayed)
		pelt_update_avg(&rq->avg_irq, 1);
	return decayed;
}
