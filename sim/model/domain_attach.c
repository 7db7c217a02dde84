/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the full chain of domains to the one a CPU uses, and its last-level cache.
 *
 * source: cpu_attach_domain() and update_top_cache_domain(),
 * kernel/sched/topology.c, 6.1
 */
#include "model/domains.h"

/* Flags that mean nothing in a domain of one group.  source: SDF_NEEDS_GROUPS */
#define FLAGS_OF_GROUPS                                                                \
	(SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_BALANCE_WAKE |    \
	 SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL | SD_SHARE_CPUCAPACITY |       \
	 SD_SHARE_PKG_RESOURCES | SD_SERIALIZE | SD_ASYM_PACKING | SD_PREFER_SIBLING | \
	 SD_OVERLAP | SD_NUMA)

static bool has_one_group(const struct sched_domain *sd)
{
	return sd->groups == sd->groups->next;
}

/* source: sd_degenerate() */
static bool is_degenerate(const struct sched_domain *sd)
{
	if (sd->span_weight == 1)
		return true;
	if (sd->flags & FLAGS_OF_GROUPS && !has_one_group(sd))
		return false;
	return !(sd->flags & SD_WAKE_AFFINE);
}

/* Whether @parent adds nothing to @sd.  source: sd_parent_degenerate() */
static bool parent_is_degenerate(const struct sched_domain *sd,
				 const struct sched_domain *parent)
{
	uint32_t flags = parent->flags;

	if (is_degenerate(parent))
		return true;
	if (!cpumask_equal(&sd->span, &parent->span))
		return false;
	if (has_one_group(parent))
		flags &= ~(uint32_t)FLAGS_OF_GROUPS;
	return !(flags & ~sd->flags);
}

static void remove_parent(struct sched_domain *sd)
{
	struct sched_domain *parent = sd->parent;

	sd->parent = parent->parent;
	if (parent->parent)
		parent->parent->child = sd;
	/* The spans are equal, so the wish to spread over siblings is this one's. */
	if (parent->flags & SD_PREFER_SIBLING)
		sd->flags |= SD_PREFER_SIBLING;
}

static struct sched_domain *drop_degenerate(struct sched_domain *lowest)
{
	struct sched_domain *sd = lowest;

	while (sd->parent) {
		if (parent_is_degenerate(sd, sd->parent))
			remove_parent(sd);
		else
			sd = sd->parent;
	}
	if (!is_degenerate(lowest))
		return lowest;

	sd = lowest->parent;
	if (sd) {
		/* The kernel means all groups, but its loop stops after the local one.
		 */
		sd->groups->flags = 0;
		sd->child = NULL;
	}
	return sd;
}

/* source: highest_flag_domain() */
static struct sched_domain *highest_cache_domain(struct sched_domain *lowest)
{
	struct sched_domain *highest = NULL;

	for (struct sched_domain *sd = lowest; sd; sd = sd->parent) {
		if (!(sd->flags & SD_SHARE_PKG_RESOURCES))
			break;
		highest = sd;
	}
	return highest;
}

/* source: lowest_flag_domain() */
static struct sched_domain *lowest_domain_with(struct sched_domain *sd, uint32_t flag)
{
	while (sd && !(sd->flags & flag))
		sd = sd->parent;
	return sd;
}

void domain_attach(struct sched_domain *lowest, struct rq *rq)
{
	struct sched_domain *llc;

	rq->sd = lowest ? drop_degenerate(lowest) : NULL;
	llc = highest_cache_domain(rq->sd);
	rq->sd_llc = llc;
	rq->sd_llc_shared = llc ? llc->shared : NULL;
	rq->sd_llc_id = llc ? cpumask_first(&llc->span) : rq->cpu;
	rq->sd_llc_size = llc ? (int)llc->span_weight : 1;
	rq->sd_asym_cpucapacity = lowest_domain_with(rq->sd, SD_ASYM_CPUCAPACITY_FULL);
	/* The new domains count every CPU as busy. */
	rq->nohz_llc_idle = false;
}
