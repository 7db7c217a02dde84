/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Root domains and the run queues in them.
 *
 * source: kernel/sched/topology.c, 6.1
 */
#include "sched/root_domain.h"

#include "sched/class.h"
#include "sched/deadline.h"
#include "sched/rt.h"

/* source: init_rootdomain() */
static void init_root_domain(struct machine *m, struct root_domain *rd)
{
	list_init(&rd->node);
	init_rt_root_domain(rd);
	init_dl_root_domain(m, rd);
}

void init_def_root_domain(struct machine *m)
{
	init_root_domain(m, &m->def_root_domain);
}

struct root_domain *root_domain_new(struct machine *m)
{
	struct root_domain *rd = g_new0(struct root_domain, 1);

	init_root_domain(m, rd);
	list_add_tail(&m->root_domains, &rd->node);
	return rd;
}

void set_rq_online(struct rq *rq)
{
	const struct sched_class *const *class;

	if (cpumask_test(&rq->rd->online, rq->cpu))
		return;
	cpumask_set(&rq->rd->online, rq->cpu);
	for (class = sched_classes(); *class; class ++)
		if ((*class)->rq_online)
			(*class)->rq_online(rq);
}

void set_rq_offline(struct rq *rq)
{
	const struct sched_class *const *class;

	if (!cpumask_test(&rq->rd->online, rq->cpu))
		return;
	for (class = sched_classes(); *class; class ++)
		if ((*class)->rq_offline)
			(*class)->rq_offline(rq);
	cpumask_clear(&rq->rd->online, rq->cpu);
}

void sched_get_rd(struct root_domain *rd)
{
	rd->refcount++;
}

/* The two that are part of the machine itself stay. */
void sched_put_rd(struct machine *m, struct root_domain *rd)
{
	if (--rd->refcount || rd == &m->rd || rd == &m->def_root_domain)
		return;
	list_del(&rd->node);
	g_free(rd);
}

void rq_attach_root(struct rq *rq, struct root_domain *rd)
{
	struct root_domain *old = rq->rd;

	set_rq_offline(rq);
	cpumask_clear(&old->span, rq->cpu);
	rq->rd = rd;
	sched_get_rd(rd);
	cpumask_set(&rd->span, rq->cpu);
	rd->max_cpu_capacity = MAX(rd->max_cpu_capacity, rq->cpu_capacity_orig);
	if (cpumask_test(&rq->m->active, rq->cpu))
		set_rq_online(rq);
	sched_put_rd(rq->m, old);
}
