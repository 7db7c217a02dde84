/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Totals of deadline bandwidth over rebuilds, and the tasks they are made of.
 *
 * source: dl_rebuild_rd_accounting(), dl_add_task_root_domain() and
 * dl_clear_root_domain(), from 5.4 to 6.19
 */
#include "cpuset/dl_rebuild.h"

#include "cpuset/cpuset_tree.h"
#include "cpuset/internal.h"
#include "sched/deadline.h"

#include <errno.h>

static const struct rebuild_row *row_of(const cpusets *sys)
{
	return &sys->policy.rows[sys->caller];
}

/* Deadline tasks */

void dl_task_joins(struct cpuset_task *ct)
{
	if (ct->is_deadline)
		return;
	ct->is_deadline = true;
	ct->cs->nr_deadline_tasks++;
	if (list_empty(&ct->bw_node))
		list_add_tail(&ct->cs->sys->dl_tasks, &ct->bw_node);
}

/* What it was promised stays promised until its 0-lag time. */
void dl_task_leaves(struct cpuset_task *ct)
{
	if (!ct->is_deadline)
		return;
	ct->is_deadline = false;
	ct->cs->nr_deadline_tasks--;
}

static void dl_tasks_change(void *data, struct task *t, int change)
{
	if (!t->cpuset)
		return;
	if (change > 0)
		dl_task_joins(t->cpuset);
	else
		dl_task_leaves(t->cpuset);
}

/* v1 has no mask that a user asked for and hotplug did not shrink. */
static bool cpus_allowed_fallback(void *data, const struct task *t,
				  struct cpumask *cpus)
{
	const cpusets *sys = data;

	if (!t->cpuset || !cpuset_in_v2_mode(sys))
		return false;
	*cpus = t->cpuset->cs->cpus_allowed;
	return true;
}

static struct cpumask cpus_allowed(void *data, const struct task *t)
{
	const cpusets *sys = data;

	return cpuset_cpus_allowed(t->cpuset ? t->cpuset->cs : sys->root);
}

void dl_rebuild_hooks(cpusets *sys)
{
	sys->hooks = (struct cpuset_hooks){
		.cpus_allowed_fallback = cpus_allowed_fallback,
		.cpus_allowed = cpus_allowed,
		.dl_tasks_change = dl_tasks_change,
		.data = sys,
	};
	sys->m->cpusets = &sys->hooks;
}

/* Clearing */

static struct cpumask active_in(const cpusets *sys, const struct root_domain *rd)
{
	return cpumask_and(&rd->span, &sys->m->active);
}

static void restore_servers(cpusets *sys, struct root_domain *rd)
{
	struct cpumask active = active_in(sys, rd);
	int cpu;

	for_each_cpu (cpu, &active) {
		if (sys->policy.servers == SERVERS_RESTORED)
			rd->dl_bw.total_bw += FAIR_SERVER_BW;
		else
			dl_bw_add(sys->m, rd, FAIR_SERVER_BW);
	}
}

/* source: dl_clear_root_domain() */
static void clear_total(cpusets *sys, struct root_domain *rd)
{
	int cpu;

	rd->dl_bw.total_bw = 0;
	if (sys->policy.servers == SERVERS_RESET)
		for_each_cpu (cpu, &rd->span)
			init_dl_rq_bw_ratio(&cpu_rq(sys->m, cpu)->dl, sys->m);
	if (sys->policy.servers != SERVERS_NONE)
		restore_servers(sys, rd);
}

/* Whether @cpu is the first of its root domain, to visit each of them once. */
static bool is_first(const cpusets *sys, int cpu)
{
	return cpumask_first(&cpu_rq(sys->m, cpu)->rd->span) == cpu;
}

static void clear_all_totals(cpusets *sys)
{
	for (int cpu = 0; cpu < sys->m->nr_cpus; cpu++)
		if (is_first(sys, cpu))
			clear_total(sys, cpu_rq(sys->m, cpu)->rd);
}

bool dl_rebuild_is_frozen(const cpusets *sys)
{
	return sys->policy.skip_while_frozen && sys->tasks_frozen;
}

void dl_rebuild_matched(cpusets *sys, struct root_domain *rd)
{
	if (row_of(sys)->totals == TOTALS_CLEARED && !dl_rebuild_is_frozen(sys))
		clear_total(sys, rd);
}

void dl_rebuild_attached(cpusets *sys, struct rq *rq)
{
	if (sys->policy.servers != SERVERS_NONE)
		dl_bw_add(sys->m, rq->rd, FAIR_SERVER_BW);
}

/* Walking */

/*
 * A CPU of the root domain that @t counts in: of those it may use, or if it may use
 * none that is balanced, of the isolated ones.  source: dl_get_task_effective_cpus()
 */
static int cpu_by_cpuset(const cpusets *sys, const struct task *t)
{
	const struct cpumask *active = &sys->m->active;
	struct cpumask cpus = cpuset_cpus_allowed(t->cpuset->cs);

	if (!cpumask_intersects(&t->cpus_mask, &sys->housekeeping))
		cpus = cpumask_andnot(active, &sys->housekeeping);
	cpus = cpumask_and(&cpus, active);
	return cpumask_empty(&cpus) ? t->cpu : cpumask_first(&cpus);
}

/* source: dl_add_task_root_domain() */
static void add_task(cpusets *sys, const struct cpuset_task *ct)
{
	const struct task *t = ct->task;
	int cpu = sys->policy.walk_by_cpuset ? cpu_by_cpuset(sys, t) : t->cpu;

	if (ct->sugov && !sys->policy.walk_counts_sugov)
		return;
	dl_bw_add_span(sys->m, cpu_rq(sys->m, cpu)->rd,
		       ct->sugov ? SUGOV_BW : t->dl.dl_bw);
	op_count(sys->op, OP_STEP_WALK_DL_TASKS, 1);
}

static struct cpuset_task *owed_task(struct list *node)
{
	return list_entry(node, struct cpuset_task, bw_node);
}

/* Whether the walk looks at the tasks of @cs. */
static bool has_deadline_tasks(const struct cpuset *cs, enum rebuild_walk walk)
{
	return walk != WALK_DL_CPUSETS || cs->nr_deadline_tasks;
}

/*
 * Only deadline tasks change anything, so those are looked up; the others that the
 * kernel would have visited are counted.
 */
static void visit_cpuset(struct cpuset *cs, enum rebuild_walk walk)
{
	if (!has_deadline_tasks(cs, walk))
		return;
	cs->walk_id = cs->sys->walk_id;
	if (walk != WALK_DL_TASKS)
		op_count(cs->sys->op, OP_STEP_WALK_TASKS, cs->nr_tasks);
}

static void add_tasks(cpusets *sys, enum rebuild_walk walk)
{
	struct list *pos;

	for (pos = sys->dl_tasks.next; pos != &sys->dl_tasks; pos = pos->next) {
		const struct cpuset_task *ct = owed_task(pos);

		if (!ct->is_deadline || ct->cs->walk_id != sys->walk_id)
			continue;
		add_task(sys, ct);
		if (walk == WALK_DL_TASKS)
			op_count(sys->op, OP_STEP_WALK_TASKS, 1);
	}
}

static void walk_cpusets(cpusets *sys, enum rebuild_walk walk)
{
	struct cpuset *cs;
	bool skip = false;

	sys->walk_id++;
	for (cs = sys->root; cs; cs = cpuset_next(sys->root, cs, skip)) {
		op_count(sys->op, OP_STEP_WALK_CPUSETS, 1);
		/* Also those below it, whatever CPUs they have. */
		skip = cpumask_empty(&cs->effective_cpus);
		if (!skip)
			visit_cpuset(cs, walk);
	}
	add_tasks(sys, walk);
}

void dl_rebuild_accounting(cpusets *sys)
{
	const struct rebuild_row *row = row_of(sys);

	if (row->walk == WALK_ABSENT || row->walk == WALK_NONE ||
	    dl_rebuild_is_frozen(sys))
		return;
	if (row->totals == TOTALS_CARRIED && !sys->totals_stale)
		return;
	sys->op->walks++;
	if (row->totals == TOTALS_ALL_CLEARED || row->totals == TOTALS_CARRIED)
		clear_all_totals(sys);
	else
		clear_total(sys, &sys->m->def_root_domain);
	walk_cpusets(sys, row->walk);
	sys->totals_stale = false;
}

/* Admission */

int dl_bw_alloc(cpusets *sys, int cpu, uint64_t bw)
{
	struct root_domain *rd = cpu_rq(sys->m, cpu)->rd;

	if (dl_overflow(&rd->dl_bw, dl_bw_capacity(sys->m, rd), 0, bw))
		return -EBUSY;
	dl_bw_add(sys->m, rd, bw);
	return 0;
}

void dl_bw_free(cpusets *sys, int cpu, uint64_t bw)
{
	dl_bw_sub(sys->m, cpu_rq(sys->m, cpu)->rd, bw);
}

int dl_bw_deactivate(const cpusets *sys, int cpu)
{
	const struct rq *rq = cpu_rq(sys->m, cpu);
	const struct root_domain *rd = rq->rd;
	uint64_t server = sys->policy.servers == SERVERS_NONE ? 0 : FAIR_SERVER_BW;
	uint64_t left = dl_bw_capacity(sys->m, rd) - rq->cpu_capacity_orig;
	struct cpumask active = active_in(sys, rd);

	/* The server has nothing to do once the CPU's tasks have left. */
	if (rd->dl_bw.total_bw == server)
		return 0;
	if (cpumask_weight(&active) == 1)
		return -EBUSY;
	return dl_overflow(&rd->dl_bw, left, server, 0) ? -EBUSY : 0;
}

/* What should be */

/* Where @t runs or would run. */
static int true_cpu(const cpusets *sys, const struct task *t)
{
	struct cpumask usable = cpumask_and(&t->cpus_mask, &sys->m->active);

	if (cpumask_test(&usable, t->cpu) || cpumask_empty(&usable))
		return t->cpu;
	return cpumask_first(&usable);
}

static uint64_t expected_bw(cpusets *sys, const struct root_domain *rd)
{
	uint64_t bw = 0;
	struct list *pos, *next;

	for (pos = sys->dl_tasks.next; pos != &sys->dl_tasks; pos = next) {
		struct cpuset_task *ct = owed_task(pos);

		next = pos->next;
		if (!ct->is_deadline && !ct->task->dl.dl_bw)
			list_del(pos); /* its 0-lag time is past */
		else if (cpu_rq(sys->m, true_cpu(sys, ct->task))->rd == rd)
			bw += ct->task->dl.dl_bw;
	}
	if (sys->policy.servers != SERVERS_NONE) {
		struct cpumask active = active_in(sys, rd);

		bw += FAIR_SERVER_BW * (uint64_t)cpumask_weight(&active);
	}
	return bw;
}

void dl_list_root_domains(cpusets *sys, GArray *list)
{
	const struct machine *m = sys->m;

	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		const struct root_domain *rd = cpu_rq(m, cpu)->rd;
		struct op_root_domain state = {
			.span = rd->span,
			.is_default = rd == &m->def_root_domain,
			.total_bw = rd->dl_bw.total_bw,
		};

		if (!is_first(sys, cpu))
			continue;
		state.expected_bw = expected_bw(sys, rd);
		g_array_append_val(list, state);
	}
}
