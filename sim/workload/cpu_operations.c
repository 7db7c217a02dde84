/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations on CPUs and on the machine as a whole.
 *
 * source: online_store(), drivers/base/core.c; cpu_down() and cpu_up(), kernel/cpu.c;
 * suspend_prepare() and suspend_enter(), kernel/power/suspend.c
 */
#include "workload/cpu_power.h"
#include "workload/operations.h"

#include <errno.h>

/* How long a suspend waits before it looks again whether all is frozen.
 * source: try_to_freeze_tasks() */
#define FREEZE_POLL_FIRST_NS NSEC_PER_MSEC
#define FREEZE_POLL_LAST_NS (8 * NSEC_PER_MSEC)

static enum operation_needs done(struct operation_run *run, int result)
{
	run->error = -result;
	return OPERATION_IS_DONE;
}

/* Its thread sleeps, or has time to spend; the next part follows. */
static enum operation_needs go_on(struct operation_run *run)
{
	run->kernel_ns = 0;
	return OPERATION_WORKS;
}

static struct thread *thread_of(const struct operation_run *run)
{
	return current_thread(run->s, run->s->m->this_cpu);
}

/*
 * A CPU.  Those that a suspend took off are on for whoever writes to their file
 * "online"; what is there already is no error.
 */

static bool was_taken_off(const cpusets *sys, int cpu)
{
	return !cpumask_test(&sys->online, cpu) &&
	       !cpumask_test(&sys->frozen_cpus, cpu);
}

/* Whether a CPU may go or come; if not, @run says so.  source: cpu_down_maps_locked()
 */
static bool may_begin(struct operation_run *run, bool on)
{
	if (on != was_taken_off(run->s->cpusets, run->spec->cpu))
		return false;
	if (run->s->freezing)
		run->error = EBUSY;
	return !run->error;
}

enum operation_needs operation_offline(struct operation_run *run)
{
	cpusets *sys = run->s->cpusets;
	int cpu = run->spec->cpu;
	int result;

	if (!run->stage)
		return may_begin(run, false) ? go_on(run) : OPERATION_IS_DONE;
	if (run->stage == 1) {
		result = cpuset_cpu_down_begin(sys, cpu, NULL);
		if (result)
			return done(run, result);
		cpu_goes_offline(run->s, cpu);
	}
	if (thread_awaits_cpu_off(thread_of(run), cpu))
		return go_on(run);
	cpuset_hotplug_work(sys, NULL);
	return done(run, 0);
}

enum operation_needs operation_online(struct operation_run *run)
{
	cpusets *sys = run->s->cpusets;
	int cpu = run->spec->cpu;

	if (!run->stage)
		return may_begin(run, true) ? go_on(run) : OPERATION_IS_DONE;
	cpuset_cpu_up_begin(sys, cpu, NULL);
	cpu_comes_online(run->s, cpu);
	cpuset_hotplug_work(sys, NULL);
	return done(run, 0);
}

/* The machine to sleep and back */

/* The first CPU that is still going off, or CPUS_MAX. */
static int leaving_cpu(const simulation *s)
{
	struct cpumask all = cpumask_first_n(s->m->nr_cpus);
	struct cpumask off = cpumask_andnot(&all, &s->cpusets->online);
	int cpu;

	for_each_cpu (cpu, &off)
		if (!cpu_is_off(s, cpu))
			break;
	return cpu;
}

static bool has_frozen(struct operation_run *run)
{
	uint64_t wait_ns = FREEZE_POLL_LAST_NS;
	simulation *s = run->s;

	if (threads_are_frozen(s))
		return true;
	if (run->stage < 3)
		wait_ns = FREEZE_POLL_FIRST_NS << run->stage;
	thread_sleep_until(thread_of(run), later_ns(simulation_now(s), wait_ns));
	return false;
}

/* Threads go on once the time of the CPUs that had gone and came back is spent. */
static enum operation_needs give_up(struct operation_run *run)
{
	threads_thaw(run->s, run->s->m->this_cpu);
	return OPERATION_IS_DONE;
}

/* Threads freeze, and then every CPU but the first goes off, or all stay. */
enum operation_needs operation_suspend(struct operation_run *run)
{
	simulation *s = run->s;
	int cpu;

	if (!run->stage && s->freezing)
		return done(run, -EBUSY);
	if (!run->stage)
		threads_freeze(s);
	if (run->error)
		return give_up(run);
	if (!s->suspended) {
		if (!has_frozen(run))
			return go_on(run);
		run->error = -cpuset_suspend(s->cpusets, NULL);
		cpus_set_online(s, &s->cpusets->online);
		s->suspended = !run->error;
		return go_on(run);
	}
	cpu = leaving_cpu(s);
	if (cpu < CPUS_MAX && thread_awaits_cpu_off(thread_of(run), cpu))
		return go_on(run);
	s->asleep = true;
	return done(run, 0);
}

/* EINVAL: it is not suspended.  Threads go on once the CPUs' time is spent. */
enum operation_needs operation_resume(struct operation_run *run)
{
	simulation *s = run->s;

	if (run->stage) {
		s->suspended = false;
		threads_thaw(s, s->m->this_cpu);
		return done(run, 0);
	}
	if (!s->asleep)
		return done(run, -EINVAL);
	s->asleep = false;
	cpuset_resume(s->cpusets, NULL);
	cpus_set_online(s, &s->cpusets->online);
	return go_on(run);
}

/* Without a CPU that goes or comes */

enum operation_needs operation_governor(struct operation_run *run)
{
	cpuset_governor_change(run->s->cpusets, NULL);
	return done(run, 0);
}

enum operation_needs operation_topology(struct operation_run *run)
{
	cpuset_topology_update(run->s->cpusets, NULL);
	return done(run, 0);
}
