/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations of an administrator: each entry of the file is a thread that sleeps until
 * the operation is due, and then does it on the CPU it gets.
 *
 * What is due while the one before is still under way follows at once, as do those of
 * a burst; latency counts from when they were due.
 */
#include "workload/operation_time.h"

#include <errno.h>

/* What the write that is under way writes, or NULL: it is no write. */
static const char *value_written(const struct operation_run *run)
{
	char *const *values = run->spec->values;

	if (run->spec->kind != OPERATION_WRITE)
		return NULL;
	if (run->times.value)
		return run->times.value;
	return values[run->turn % g_strv_length(run->spec->values)];
}

static enum operation_needs write_file(struct operation_run *run)
{
	run->error = -cgroup_write(run->s->cgroups, run->spec->path, run->spec->file,
				   value_written(run));
	return OPERATION_IS_DONE;
}

static enum operation_needs attach(struct operation_run *run)
{
	g_autoptr(GPtrArray) tasks = NULL;
	struct cgroup *to;

	to = cgroup_find(run->s->cgroups, run->spec->path);
	tasks = operation_tasks(run);
	run->error =
		to ? -cgroup_attach(to, (struct task *const *)tasks->pdata, tasks->len)
		   : ENOENT;
	return OPERATION_IS_DONE;
}

static enum operation_needs make_directory(struct operation_run *run)
{
	run->error = -cgroup_mkdir(run->s->cgroups, run->spec->path);
	return OPERATION_IS_DONE;
}

static enum operation_needs remove_directory(struct operation_run *run)
{
	run->error = -cgroup_rmdir(run->s->cgroups, run->spec->path);
	return OPERATION_IS_DONE;
}

const struct operation_ops operation_ops[NR_OPERATION_KINDS] = {
	[OPERATION_WRITE] = {write_file},
	[OPERATION_ATTACH] = {attach},
	[OPERATION_MKDIR] = {make_directory},
	[OPERATION_RMDIR] = {remove_directory},
	[OPERATION_OFFLINE] = {operation_offline},
	[OPERATION_ONLINE] = {operation_online},
	[OPERATION_SUSPEND] = {operation_suspend},
	[OPERATION_RESUME] = {operation_resume},
	[OPERATION_GOVERNOR] = {operation_governor},
	[OPERATION_TOPOLOGY] = {operation_topology},
	[OPERATION_SETSCHEDULER] = {operation_setscheduler},
	[OPERATION_AFFINITY] = {operation_affinity},
	[OPERATION_RENICE] = {operation_renice},
	[OPERATION_TUNABLE] = {operation_tunable},
};

struct operation_run *operation_run_new(simulation *s, int index, int instance)
{
	struct operation_run *run = g_new0(struct operation_run, 1);
	g_autofree char *draws = NULL;

	run->s = s;
	run->spec = &s->w->control->operations[index];
	lock_waiter_init(&run->waiter);
	list_init(&run->woken);
	draws = instance ? g_strdup_printf("%s/%d", run->spec->place, instance)
			 : g_strdup(run->spec->place);
	control_draws_init(&run->draws, s->seed, draws);
	return run;
}

static void clear_result(struct operation_run *run)
{
	if (run->has_result)
		op_result_clear(&run->result);
	run->has_result = false;
}

void operation_run_free(struct operation_run *run)
{
	if (!run)
		return;
	clear_result(run);
	arrivals_close(run->times.record);
	g_free(run);
}

/* What its next part does to cpusets is entered in its result. */
static enum operation_needs advance(struct operation_run *run)
{
	cpusets *sys = run->s->cpusets;
	enum operation_needs needs;

	if (!sys)
		return operation_ops[run->spec->kind].advance(run);
	if (!run->has_result)
		op_result_init(&run->result);
	run->has_result = true;
	cpusets_journal(sys, &run->result);
	needs = operation_ops[run->spec->kind].advance(run);
	cpusets_journal(sys, NULL);
	return needs;
}

static void report(const struct operation_run *run)
{
	struct operation_account account = {
		.spec = run->spec,
		.value = value_written(run),
		.row = run->spec->row,
		.due_ns = run->due_ns,
		.end_ns = simulation_now(run->s),
		.began_ns = run->began_ns,
		.target_ns = run->spec->target_ns,
		.error = run->error,
		.lock_wait_ns = run->lock_wait_ns,
		.grace_period_ns = run->grace_period_ns,
		.service_ns = run->service_ns,
		.walk_ns = run->walk_ns,
		.result = run->has_result ? &run->result : NULL,
	};

	SIM_OBSERVE(&run->s->listeners, operation_done, &account);
}

/* Sleeps until the entry's next operation is due, or is done with it. */
static void await_next(struct thread *t, struct operation_run *run)
{
	cpu_may_preempt(&t->s->cpus[t->sim.task.cpu]);
	run->phase = OPERATION_ENTERS;
	clear_result(run);
	if (run->times.left)
		return;
	if (!operation_next_time(t, run))
		step_done(t);
	else if (run->due_ns > simulation_now(t->s))
		thread_sleep_until(t, run->due_ns);
}

static void begin_part(struct operation_run *run)
{
	run->nr_locks = run->nr_taken = 0;
	if (run->s->cpusets)
		operation_names_locks(run);
	run->phase = OPERATION_LOCKS;
}

/* A call on control groups or a file has its way into the kernel first. */
static void begin(struct thread *t, struct operation_run *run)
{
	run->thread = t;
	run->stage = 0;
	run->error = 0;
	operation_time_begin(run);
	begin_part(run);
	if (run->spec->kind <= OPERATION_RMDIR || run->spec->kind == OPERATION_TUNABLE)
		t->kernel_ns += t->s->m->costs.cgroup_call_ns;
}

static void end_part(struct thread *t, struct operation_run *run)
{
	if (run->needs == OPERATION_IS_DONE) {
		report(run);
		run->turn++;
		run->times.left--;
		await_next(t, run);
		return;
	}
	run->stage++;
	t->kernel_ns += run->kernel_ns;
	begin_part(run);
}

/* Calls into plain groups are preempted as if they were the thread's own work. */
static void enter_kernel(struct thread *t)
{
	t->s->m->this_cpu = t->sim.task.cpu;
	if (t->s->cpusets)
		cpu_enters_kernel(&t->s->cpus[t->sim.task.cpu]);
}

static void change(struct operation_run *run)
{
	run->needs = advance(run);
	run->phase = OPERATION_SPENDS;
}

/* What takes no time is done at once: nothing preempts it in between. */
void step_operation(struct thread *t, const struct step *st)
{
	struct operation_run *run = t->operation;

	if (!run->times.left) {
		await_next(t, run);
		return;
	}
	enter_kernel(t);
	if (run->phase == OPERATION_ENTERS)
		begin(t, run);
	if (t->kernel_ns)
		return;
	if (run->phase == OPERATION_LOCKS && operation_takes_locks(t, run))
		change(run);
	/* What it did may have put it to sleep. */
	if (current_thread(t->s, t->sim.task.cpu) != t)
		return;
	if (run->phase == OPERATION_SPENDS && operation_spends_journal(t, run))
		run->phase = OPERATION_RELEASES;
	if (run->phase == OPERATION_RELEASES && operation_releases_locks(t, run))
		end_part(t, run);
}
