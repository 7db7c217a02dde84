/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One of several CPUs that would all do.
 */
#include "sched/core.h"

int any_and_distribute(struct rq *rq, const struct cpumask *mask)
{
	int cpu = cpumask_next_wrap(mask, rq->distribute_cursor);

	if (cpu < CPUS_MAX)
		rq->distribute_cursor = cpu;
	return cpu;
}

/*
 * In the smallest domain that has one: the CPU that carries this out, for to preempt
 * there is cheaper than elsewhere, or the next of the others.
 */
static int nearest_in_domains(struct machine *m, const struct task *t,
			      const struct cpumask *among, int this_cpu)
{
	const struct sched_domain *sd;

	for (sd = task_rq(m, t)->sd; sd; sd = sd->parent) {
		struct cpumask near = cpumask_and(among, &sd->span);
		int cpu;

		if (!(sd->flags & SD_WAKE_AFFINE))
			continue;
		if (this_cpu != CPU_NONE && cpumask_test(&sd->span, this_cpu))
			return this_cpu;
		cpu = any_and_distribute(cpu_rq(m, m->this_cpu), &near);
		if (cpu < CPUS_MAX)
			return cpu;
	}
	return this_cpu;
}

int find_near_cpu(struct machine *m, const struct task *t, const struct cpumask *among)
{
	int this_cpu = cpumask_test(among, m->this_cpu) ? m->this_cpu : CPU_NONE;
	int cpu;

	g_assert(!cpumask_empty(among));
	/* Its cache may still be warm. */
	if (cpumask_test(among, t->cpu))
		return t->cpu;
	cpu = nearest_in_domains(m, t, among, this_cpu);
	if (cpu != CPU_NONE)
		return cpu;
	return any_and_distribute(cpu_rq(m, m->this_cpu), among);
}
