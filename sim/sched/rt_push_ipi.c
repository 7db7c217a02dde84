/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pulling by asking: a CPU that comes to run less does not go through the queues of
 * all that have real-time tasks to give.  One interrupt of the root domain goes from
 * one of them to the next, and each pushes what it can.
 *
 * Who asks while it is on its way adds a round, in which it begins anew.
 *
 * source: HAVE_RT_PUSH_IPI, kernel/sched/rt.c, 6.1
 */
#include "sched/root_domain.h"
#include "sched/rt.h"

/*
 * The next CPU of the round, or of the next round if one was asked for; not the one
 * that this runs on.  CPU_NONE: all are through.
 */
static int rto_next_cpu(struct root_domain *rd, int this_cpu)
{
	for (;;) {
		rd->rto_cpu = cpumask_next(&rd->rto_mask, rd->rto_cpu);
		if (rd->rto_cpu == this_cpu)
			continue;
		if (rd->rto_cpu < CPUS_MAX)
			return rd->rto_cpu;
		rd->rto_cpu = CPU_NONE;
		if (rd->rto_loop == rd->rto_loop_next)
			return CPU_NONE;
		rd->rto_loop = rd->rto_loop_next;
	}
}

/* source: irq_work_queue_on() */
static void send_push(struct machine *m, struct root_domain *rd, int cpu)
{
	struct rq *rq = cpu_rq(m, cpu);

	list_add_tail(&rq->rto_pushes, &rd->rto_push_work);
	if (m->driver)
		m->driver->send_ipi(m->driver->data, rq);
	else
		rto_push_arrives(rq);
}

void tell_cpu_to_push(struct rq *this_rq)
{
	struct root_domain *rd = this_rq->rd;
	struct machine *m = this_rq->m;
	int this_cpu = m->this_cpu;
	int cpu;

	rd->rto_loop_next++;
	/* It is on its way, and will make another round. */
	if (rd->rto_cpu != CPU_NONE)
		return;
	cpu = rto_next_cpu(rd, this_cpu);
	if (cpu == CPU_NONE)
		return;
	sched_get_rd(rd);
	send_push(m, rd, cpu);
	/* Without a driver it has been elsewhere. */
	m->this_cpu = this_cpu;
}

/* source: rto_push_irq_work_func() */
static void push_and_pass_on(struct rq *rq, struct root_domain *rd)
{
	int cpu;

	if (!rt_array_empty(&rq->rt.pushable_tasks))
		push_rt_tasks(rq);
	cpu = rto_next_cpu(rd, rq->cpu);
	if (cpu == CPU_NONE)
		sched_put_rd(rq->m, rd);
	else
		send_push(rq->m, rd, cpu);
}

void rto_push_arrives(struct rq *rq)
{
	while (!list_empty(&rq->rto_pushes)) {
		struct root_domain *rd = list_entry(rq->rto_pushes.next,
						    struct root_domain, rto_push_work);

		list_del(&rd->rto_push_work);
		rq->m->this_cpu = rq->cpu;
		push_and_pass_on(rq, rd);
	}
}
