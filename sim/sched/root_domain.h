/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Root domains: made for each set of domains, and gone with their last run queue.
 */
#ifndef SCHED_ROOT_DOMAIN_H
#define SCHED_ROOT_DOMAIN_H

#include "schedsim/machine.h"

/* Once for a machine: the root domain of CPUs that are in no domain. */
void init_def_root_domain(struct machine *m);
/* One without any run queue yet.  source: alloc_rootdomain() */
struct root_domain *root_domain_new(struct machine *m);
/*
 * @rq leaves its root domain for @rd; the old one goes if nobody is left in it.
 * source: rq_attach_root()
 */
void rq_attach_root(struct rq *rq, struct root_domain *rd);

/* It stays for as long as somebody has it. */
void sched_get_rd(struct root_domain *rd);
void sched_put_rd(struct machine *m, struct root_domain *rd);

/* The classes learn whether tasks may be put on @rq. */
void set_rq_online(struct rq *rq);
void set_rq_offline(struct rq *rq);

/* source: rq->online */
static inline bool rq_is_online(const struct rq *rq)
{
	return cpumask_test(&rq->rd->online, rq->cpu);
}

#endif
