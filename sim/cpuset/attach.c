/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that come, move and go.
 *
 * source: cpuset_can_attach(), cpuset_attach(), cpuset_fork(), and cgroup_exit()
 */
#include "cpuset/internal.h"

#include "cpuset/cpuset_tree.h"
#include "cpuset/dl_rebuild.h"
#include "sched/core.h"
#include "sched/deadline.h"

#include <errno.h>

/* Membership */

static void count_tasks(struct cpuset *cs, int64_t change)
{
	cs->nr_tasks += (uint64_t)change;
	for (; cs; cs = cs->parent)
		cs->nr_subtree_tasks += (uint64_t)change;
}

void cpuset_link_task(struct cpuset_task *ct, struct cpuset *cs)
{
	ct->cs = cs;
	list_add_tail(&cs->tasks, &ct->node);
	count_tasks(cs, 1);
}

void cpuset_unlink_task(struct cpuset_task *ct)
{
	list_del(&ct->node);
	count_tasks(ct->cs, -1);
}

void cpuset_task_init(struct cpuset_task *ct, struct task *t, struct cpuset *cs)
{
	ct->task = t;
	list_init(&ct->node);
	list_init(&ct->bw_node);
	ct->is_deadline = false;
	t->cpuset = ct;
	cpuset_link_task(ct, cs);
	if (ct->sugov || dl_task(t))
		dl_task_joins(ct);
}

void cpuset_task_exit(struct cpuset_task *ct)
{
	if (ct->is_deadline)
		dl_task_leaves(ct);
	if (!ct->task->dl.dl_bw)
		list_del(&ct->bw_node);
	cpuset_unlink_task(ct);
	ct->task->cpuset = NULL;
}

/* Where its tasks may run */

struct cpumask cpuset_cpus_allowed(const struct cpuset *cs)
{
	const struct cpumask *online = &cs->sys->online;

	while (!cpumask_intersects(&cs->effective_cpus, online)) {
		cs = cs->parent;
		if (!cs)
			return *online;
	}
	return cpumask_and(&cs->effective_cpus, online);
}

bool cpuset_can_have_tasks(const struct cpuset *cs)
{
	return !cpumask_empty(&cs->effective_cpus) &&
	       (cpuset_in_v2_mode(cs->sys) || cs->mems_allowed);
}

/* Moving */

/* The CPU whose root domain is to have room; CPUS_MAX: none is active. */
static int target_cpu(const struct cpuset *to)
{
	struct cpumask active = cpumask_and(&to->effective_cpus, &to->sys->m->active);

	return cpumask_first(&active);
}

static int reserve(const struct cpuset *to, uint64_t bw)
{
	int cpu = target_cpu(to);

	return cpu < CPUS_MAX ? dl_bw_alloc(to->sys, cpu, bw) : -EINVAL;
}

/* Whether @ct's root domain lies outside of @to. */
static bool changes_root_domain(const struct cpuset_task *ct, const struct cpuset *to)
{
	const struct root_domain *rd = task_rq(to->sys->m, ct->task)->rd;

	return !cpumask_intersects(&rd->span, &to->effective_cpus);
}

/* @ct is a deadline task that is to move with others. */
static int count_migrating(struct cpuset *to, const struct cpuset_task *ct)
{
	uint64_t bw = ct->task->dl.dl_bw;

	to->nr_migrate_dl_tasks++;
	switch (to->sys->policy.reserve) {
	case RESERVE_PER_TASK:
		return changes_root_domain(ct, to) ? reserve(to, bw) : 0;
	case RESERVE_ROOT_DOMAINS:
		if (changes_root_domain(ct, to))
			to->sum_migrate_dl_bw += bw;
		break;
	case RESERVE_CPUSETS:
		to->sum_migrate_dl_bw += bw;
		break;
	}
	return 0;
}

/* Where tasks are not reserved for one by one.  @from: the first task's cpuset. */
static int reserve_sum(const struct cpuset *to, const struct cpuset *from)
{
	switch (to->sys->policy.reserve) {
	case RESERVE_PER_TASK:
		return 0;
	case RESERVE_ROOT_DOMAINS:
		break;
	case RESERVE_CPUSETS:
		if (cpumask_intersects(&from->effective_cpus, &to->effective_cpus))
			return 0;
		break;
	}
	return to->sum_migrate_dl_bw ? reserve(to, to->sum_migrate_dl_bw) : 0;
}

static int check_tasks(struct cpuset *to, struct cpuset_task *const *tasks, size_t nr)
{
	int err = cpuset_can_have_tasks(to) ? 0 : -ENOSPC;

	for (size_t i = 0; !err && i < nr; i++) {
		if (tasks[i]->no_setaffinity)
			err = -EINVAL;
		else if (tasks[i]->is_deadline)
			err = count_migrating(to, tasks[i]);
	}
	if (!err && to->nr_migrate_dl_tasks)
		err = reserve_sum(to, tasks[0]->cs);
	return err;
}

static void forget_migrating(struct cpuset *to)
{
	to->nr_migrate_dl_tasks = 0;
	to->sum_migrate_dl_bw = 0;
}

int cpuset_can_attach(struct cpuset *to, struct cpuset_task *const *tasks, size_t nr)
{
	int err;

	cpuset_lock(to->sys);
	err = check_tasks(to, tasks, nr);
	if (err)
		forget_migrating(to);
	else
		to->attach_in_progress++;
	cpuset_unlock(to->sys);
	return err;
}

void cpuset_cancel_attach(struct cpuset *to)
{
	cpuset_lock(to->sys);
	to->attach_in_progress--;
	if (to->nr_migrate_dl_tasks) {
		dl_bw_free(to->sys, cpumask_first(&to->effective_cpus),
			   to->sum_migrate_dl_bw);
		forget_migrating(to);
	}
	cpuset_unlock(to->sys);
}

void cpuset_confine_task(struct cpuset_task *ct, const struct cpumask *cpus)
{
	cpusets *sys = ct->cs->sys;
	struct task *t = ct->task;

	if (!cpumask_test(cpus, t->cpu)) {
		sys->op->tasks_moved++;
		op_count(sys->op, OP_STEP_MIGRATIONS,
			 cpu_rq(sys->m, t->cpu)->curr == t);
	}
	set_cpus_allowed(sys->m, t, cpus, sys->m->this_cpu);
}

static void set_affinity(struct cpuset *to, struct cpuset_task *ct)
{
	struct cpumask cpus = to->parent ? cpuset_cpus_allowed(to) : to->sys->possible;

	cpuset_confine_task(ct, &cpus);
}

void cpuset_attach_tasks(struct cpuset *to, struct cpuset_task *const *tasks, size_t nr)
{
	struct cpuset *from = tasks[0]->cs;

	for (size_t i = 0; i < nr; i++) {
		cpuset_unlink_task(tasks[i]);
		cpuset_link_task(tasks[i], to);
	}
	cpuset_lock(to->sys);
	for (size_t i = 0; i < nr; i++)
		set_affinity(to, tasks[i]);
	op_count(to->sys->op, OP_STEP_AFFINITY, nr);
	/* All count as having come from where the first was, as in the kernel. */
	to->nr_deadline_tasks += to->nr_migrate_dl_tasks;
	from->nr_deadline_tasks -= to->nr_migrate_dl_tasks;
	forget_migrating(to);
	to->attach_in_progress--;
	cpuset_unlock(to->sys);
}

/* source: cgroup_migrate_execute() */
static int migrate(struct cpuset *to, struct cpuset_task *const *tasks, size_t nr)
{
	int err = cpuset_can_attach(to, tasks, nr);

	if (!err)
		cpuset_attach_tasks(to, tasks, nr);
	return err;
}

/* Those that are not there yet, in order.  (transfer full) */
static GPtrArray *from_elsewhere(const struct cpuset *to,
				 struct cpuset_task *const *tasks, size_t nr)
{
	GPtrArray *moving = g_ptr_array_new();

	for (size_t i = 0; i < nr; i++)
		if (tasks[i]->cs != to)
			g_ptr_array_add(moving, tasks[i]);
	return moving;
}

static int migrate_from_elsewhere(struct cpuset *to, struct cpuset_task *const *tasks,
				  size_t nr)
{
	g_autoptr(GPtrArray) moving = from_elsewhere(to, tasks, nr);

	if (!moving->len)
		return 0;
	return migrate(to, (struct cpuset_task *const *)moving->pdata, moving->len);
}

void cpuset_lock_for_attach(cpusets *sys)
{
	op_result *op = sys->op;

	op_lock(op, OP_LOCK_CGROUP_MUTEX);
	if (!sys->policy.hotplug_lock_inside)
		op_lock(op, OP_LOCK_CPUS_READ);
	op_lock(op, OP_LOCK_THREADGROUP);
	if (!sys->policy.favordynmods)
		op->grace_periods[OP_GP_THREADGROUP]++;
}

void cpuset_unlock_after_attach(cpusets *sys)
{
	op_unlock(sys->op, OP_LOCK_THREADGROUP);
	if (!sys->policy.hotplug_lock_inside)
		op_unlock(sys->op, OP_LOCK_CPUS_READ);
	op_unlock(sys->op, OP_LOCK_CGROUP_MUTEX);
}

int cpuset_attach(struct cpuset *to, struct cpuset_task *const *tasks, size_t nr,
		  op_result *out)
{
	struct op_scope scope;
	int err;

	cpuset_op_begin(to->sys, &scope, REBUILD_CPUS, out);
	cpuset_lock_for_attach(to->sys);
	err = migrate_from_elsewhere(to, tasks, nr);
	cpuset_unlock_after_attach(to->sys);
	return cpuset_op_end(to->sys, &scope, err);
}

void cpuset_transfer_tasks(struct cpuset *to, struct cpuset *from)
{
	int err = 0;

	cpuset_lock_for_attach(to->sys);
	while (!err && !list_empty(&from->tasks)) {
		struct cpuset_task *ct = cpuset_task_of_node(from->tasks.next);

		err = migrate(to, &ct, 1);
	}
	cpuset_unlock_after_attach(to->sys);
}
