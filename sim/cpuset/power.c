/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that go off and come on, alone or to suspend, and changes that concern domains
 * without any cpuset being written to.
 *
 * source: sched_cpu_activate(), sched_cpu_deactivate(), cpuset_cpu_active(),
 * cpuset_cpu_inactive(), kernel/sched/core.c; freeze_secondary_cpus(), kernel/cpu.c
 */
#include "cpuset/internal.h"

#include "cpuset/cpuset_tree.h"
#include "cpuset/dl_rebuild.h"
#include "cpuset/domains_from_cpusets.h"
#include "sched/deadline.h"
#include "sched/hotplug.h"

#include <errno.h>

/* Domains of all active CPUs, whatever the cpusets say; they are not touched. */
static void reset_domains(cpusets *sys)
{
	if (sys->policy.suspend_takes_lock)
		cpuset_lock(sys);
	partition_sched_domains(sys, NULL);
	if (sys->policy.suspend_takes_lock)
		cpuset_unlock(sys);
}

/*
 * Cpusets learn of the CPU from a work item, or from 6.10 on at once.
 * source: cpuset_update_active_cpus()
 */
static void schedule_work(cpusets *sys)
{
	if (sys->policy.hotplug_work_is_sync)
		cpuset_handle_hotplug(sys);
	else
		sys->hotplug_work = true;
}

/* Off */

/* source: cpuset_cpu_inactive() */
static int cpu_inactive(cpusets *sys, int cpu)
{
	int err;

	if (sys->tasks_frozen) {
		sys->num_cpus_frozen++;
		reset_domains(sys);
		return 0;
	}
	err = sys->policy.cpu_check == CPU_CHECK_AFTER
		      ? dl_bw_check_overflow(sys->m, cpu)
		      : 0;
	if (!err)
		schedule_work(sys);
	return err;
}

/* source: sched_cpu_deactivate() */
static int deactivate(cpusets *sys, int cpu)
{
	int err = 0;

	if (sys->policy.cpu_check == CPU_CHECK_BEFORE)
		err = dl_bw_deactivate(sys, cpu);
	if (err)
		return err;
	set_cpu_active(sys->m, cpu, false);
	op_grace_period(sys->op, OP_GP_HOTPLUG);
	err = cpu_inactive(sys, cpu);
	if (err)
		cancel_cpu_inactive(sys->m, cpu);
	return err;
}

static bool is_cpu(const cpusets *sys, int cpu)
{
	return cpu >= 0 && cpu < sys->m->nr_cpus;
}

/*
 * Whether a CPU with domains is left; a suspend, which keeps the first CPU, does not
 * ask.  source: cpu_down_maps_locked()
 */
static bool leaves_housekeeping(const cpusets *sys, int cpu)
{
	struct cpumask left = cpumask_and(&sys->online, &sys->housekeeping);

	cpumask_clear(&left, cpu);
	return !cpumask_empty(&left);
}

static int take_cpu_off(cpusets *sys, int cpu, bool frozen)
{
	int err;

	if (!is_cpu(sys, cpu) || !cpumask_test(&sys->online, cpu))
		return -EINVAL;
	if (cpumask_weight(&sys->online) == 1)
		return -EBUSY;
	if (!frozen && !leaves_housekeeping(sys, cpu))
		return -EBUSY;
	op_lock(sys->op, OP_LOCK_CPUS_WRITE);
	sys->tasks_frozen = frozen;
	err = deactivate(sys, cpu);
	if (!err) {
		cpumask_clear(&sys->online, cpu);
		set_cpu_online(sys->m, cpu, false);
		op_count(sys->op, OP_STEP_CPU_OFF, 1);
	}
	op_unlock(sys->op, OP_LOCK_CPUS_WRITE);
	return err;
}

/* On */

/* source: cpuset_cpu_active() */
static void cpu_active(cpusets *sys)
{
	if (sys->tasks_frozen) {
		reset_domains(sys);
		if (--sys->num_cpus_frozen)
			return;
		sys->force_rebuild = true;
		sys->force_resume = true;
	}
	schedule_work(sys);
}

static int bring_cpu_on(cpusets *sys, int cpu, bool frozen)
{
	if (!is_cpu(sys, cpu) || cpumask_test(&sys->online, cpu))
		return -EINVAL;
	op_lock(sys->op, OP_LOCK_CPUS_WRITE);
	sys->tasks_frozen = frozen;
	cpumask_set(&sys->online, cpu);
	set_cpu_online(sys->m, cpu, true);
	op_count(sys->op, OP_STEP_CPU_ON, 1);
	set_cpu_active(sys->m, cpu, true);
	cpu_active(sys);
	op_unlock(sys->op, OP_LOCK_CPUS_WRITE);
	return 0;
}

/* Alone */

static int cpu_begin(cpusets *sys, int cpu, bool on, op_result *out)
{
	struct op_scope scope;
	int err;

	cpuset_op_begin(sys, &scope, REBUILD_HOTPLUG, out);
	err = on ? bring_cpu_on(sys, cpu, false) : take_cpu_off(sys, cpu, false);
	return cpuset_op_end(sys, &scope, err);
}

int cpuset_cpu_down_begin(cpusets *sys, int cpu, op_result *out)
{
	return cpu_begin(sys, cpu, false, out);
}

int cpuset_cpu_up_begin(cpusets *sys, int cpu, op_result *out)
{
	return cpu_begin(sys, cpu, true, out);
}

/* Adds @part to what @out says, and clears it. */
static void join_result(op_result *out, op_result *part)
{
	if (out)
		op_result_join(out, part);
	op_result_clear(part);
}

static void work_follows(cpusets *sys, op_result *out)
{
	op_result part;

	if (!sys->hotplug_work && !sys->migration_work)
		return;
	cpuset_hotplug_work(sys, &part);
	join_result(out, &part);
}

int cpuset_cpu_down(cpusets *sys, int cpu, op_result *out)
{
	int err = cpuset_cpu_down_begin(sys, cpu, out);

	work_follows(sys, out);
	return err;
}

int cpuset_cpu_up(cpusets *sys, int cpu, op_result *out)
{
	int err = cpuset_cpu_up_begin(sys, cpu, out);

	work_follows(sys, out);
	return err;
}

/* To suspend and back */

int cpuset_suspend_cpu(cpusets *sys, int cpu, op_result *out)
{
	struct op_scope scope;

	cpuset_op_begin(sys, &scope, REBUILD_SUSPEND_CPU, out);
	return cpuset_op_end(sys, &scope, take_cpu_off(sys, cpu, true));
}

int cpuset_resume_cpu(cpusets *sys, int cpu, op_result *out)
{
	struct op_scope scope;

	cpuset_op_begin(sys, &scope, REBUILD_RESUME_CPU, out);
	return cpuset_op_end(sys, &scope, bring_cpu_on(sys, cpu, true));
}

/* An account with nothing in it yet. */
static void begin_account(cpusets *sys, enum rebuild_caller caller, op_result *out)
{
	struct op_scope scope;

	cpuset_op_begin(sys, &scope, caller, out);
	cpuset_op_end(sys, &scope, 0);
}

/* The next CPU to go after @cpu, of @cpus; CPUS_MAX when there is none. */
static int next_to_freeze(const cpusets *sys, const struct cpumask *cpus, int cpu)
{
	if (!sys->policy.suspend_descends)
		return cpumask_next(cpus, cpu);
	for (cpu = cpu < 0 ? sys->m->nr_cpus - 1 : cpu - 1; cpu >= 0; cpu--)
		if (cpumask_test(cpus, cpu))
			return cpu;
	return CPUS_MAX;
}

/* source: thaw_secondary_cpus(), and cpuset_wait_for_hotplug() of thaw_processes() */
static void thaw_cpus(cpusets *sys, op_result *out)
{
	struct cpumask cpus = sys->frozen_cpus;
	int cpu;

	for_each_cpu (cpu, &cpus) {
		op_result part;

		cpuset_resume_cpu(sys, cpu, &part);
		join_result(out, &part);
	}
	sys->frozen_cpus = cpumask_none();
	work_follows(sys, out);
}

/* source: freeze_secondary_cpus() */
int cpuset_suspend(cpusets *sys, op_result *out)
{
	struct cpumask cpus = sys->online;
	int cpu, err = 0;

	begin_account(sys, REBUILD_SUSPEND_CPU, out);
	cpumask_clear(&cpus, cpumask_first(&cpus));
	for (cpu = next_to_freeze(sys, &cpus, -1); cpu < CPUS_MAX && !err;
	     cpu = next_to_freeze(sys, &cpus, cpu)) {
		op_result part;

		err = cpuset_suspend_cpu(sys, cpu, &part);
		if (!err)
			cpumask_set(&sys->frozen_cpus, cpu);
		join_result(out, &part);
	}
	if (err)
		thaw_cpus(sys, out);
	return err;
}

void cpuset_resume(cpusets *sys, op_result *out)
{
	begin_account(sys, REBUILD_RESUME_CPU, out);
	thaw_cpus(sys, out);
}

/* Without CPUs or cpusets */

/* source: rebuild_sched_domains() */
static void rebuild_alone(cpusets *sys, enum rebuild_caller caller, op_result *out)
{
	struct op_scope scope;

	cpuset_op_begin(sys, &scope, caller, out);
	cpuset_lock_write(sys);
	rebuild_sched_domains(sys);
	cpuset_unlock_write(sys);
	cpuset_op_end(sys, &scope, 0);
}

void cpuset_governor_change(cpusets *sys, op_result *out)
{
	sys->energy_update = true;
	rebuild_alone(sys, REBUILD_GOVERNOR, out);
	sys->energy_update = false;
}

void cpuset_topology_update(cpusets *sys, op_result *out)
{
	sys->new_topology = true;
	rebuild_alone(sys, REBUILD_TOPOLOGY, out);
}
