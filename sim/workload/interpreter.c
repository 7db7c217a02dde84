/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of a thread's program, each in no time of its own.
 */
#include "workload/clockwork.h"

#include "sched/deadline.h"
#include "schedsim/error.h"
#include "workload/control.h"
#include "workload/messages.h"
#include "workload/policy_spec.h"
#include "workload/sync_objects.h"

#include <errno.h>

uint64_t step_amount(struct thread *t, const struct step *st)
{
	return dist_sample(&st->amount, &t->random, &t->steps[t->pc].turn);
}

static void step_run(struct thread *t, const struct step *st)
{
	uint64_t ns = step_amount(t, st);

	phase_turn_run(t, ns);
	thread_work(t, ns, st->op == STEP_RUNTIME);
	step_done(t);
}

/*
 * source: memload() and ioload() of rt-app: calls of memset() and, for /dev/null,
 * which takes all and copies nothing, of write(), each of up to a buffer
 */
static void step_mem(struct thread *t, const struct step *st)
{
	uint64_t ns = st->count * t->s->m->costs.mem_kib_ns / 1024;

	thread_work(t, ns, true);
	step_done(t);
}

static void step_iorun(struct thread *t, const struct step *st)
{
	uint64_t buffer = (uint64_t)t->s->w->mem_buffer_bytes;
	uint64_t calls = ((uint64_t)st->count + buffer - 1) / buffer;

	thread_work(t, calls * t->s->m->costs.io_write_ns, true);
	step_done(t);
}

static void step_yield(struct thread *t, const struct step *st)
{
	step_done(t);
	do_sched_yield(t->s->m, t->sim.task.cpu);
}

static void jump(struct thread *t, int target)
{
	t->pc = target;
	t->stage = 0;
	t->seen = false;
}

/* Back to an event of the same turn. */
static void step_jump(struct thread *t, const struct step *st)
{
	jump(t, st->target);
	t->seen = true;
}

static void step_if_reply(struct thread *t, const struct step *st)
{
	if (t->received && t->received->is_reply)
		step_done(t);
	else
		jump(t, st->target);
}

static void step_loop(struct thread *t, const struct step *st)
{
	t->steps[t->pc].loops_left = st->count;
	if (st->count)
		step_done(t);
	else
		jump(t, st->target + 1);
}

static void step_loop_end(struct thread *t, const struct step *st)
{
	int *left = &t->steps[st->target].loops_left;

	if (t->program->ends_activation[t->pc])
		SIM_OBSERVE(&t->s->listeners, activation, &t->sim);
	if (*left < 0 || --*left > 0)
		jump(t, st->target + 1);
	else
		step_done(t);
}

/* rt-app would give up here, and so does the run. */
static void refuse(struct thread *t, const struct step *st, const char *call, int code)
{
	simulation_fail(t->s,
			g_error_new(KERNEL_ERROR, code, "%s: %s() of %s: %s", st->place,
				    call, t->comm, kernel_errno_name(code)));
}

static int set_affinity(struct thread *t, const struct cpumask *cpus)
{
	struct machine *m = t->s->m;
	int error;

	m->this_cpu = t->sim.task.cpu;
	if (t->s->cpusets)
		return cpuset_setaffinity(&t->place, cpus, NULL);
	error = dl_check_affinity(m, &t->sim.task, cpus);
	return error ? error : set_cpus_allowed(m, &t->sim.task, cpus, m->this_cpu);
}

static void set_cpus(struct thread *t, const struct step *st)
{
	g_autofree char *list = NULL;
	int error = set_affinity(t, &st->cpus);

	if (error == -EBUSY)
		refuse(t, st, "sched_setaffinity", EBUSY);
	if (!error || error == -EBUSY)
		return;
	list = cpumask_to_list(&st->cpus);
	simulation_fail(t->s,
			g_error_new(INPUT_ERROR, INPUT_ERROR_VALUE,
				    "%s: expected a CPU that %s may use, got \"%s\"",
				    st->place, t->comm, list));
}

static void step_set_cpus(struct thread *t, const struct step *st)
{
	step_done(t);
	set_cpus(t, st);
}

static void set_sched(struct thread *t, const struct step *st)
{
	struct sched_attr attr = {
		.sched_policy = st->policy,
		.sched_nice = st->nice,
		.sched_priority = st->rt_priority,
		.sched_runtime = st->dl.runtime_ns,
		.sched_deadline = st->dl.deadline_ns,
		.sched_period = st->dl.period_ns,
		.sched_flags = st->dl.reclaim ? SCHED_FLAG_RECLAIM : 0,
	};
	int error = sched_setattr(t->s->m, &t->sim.task, &attr, t->sim.task.cpu);
	if (error)
		refuse(t, st, "sched_setattr", -error);
}

static void step_set_sched(struct thread *t, const struct step *st)
{
	step_done(t);
	set_sched(t, st);
}

static void set_clamps(struct thread *t, const struct step *st)
{
	struct sched_attr attr = clamps_attr(&st->clamps);
	int error = sched_setattr(t->s->m, &t->sim.task, &attr, t->sim.task.cpu);

	if (error)
		refuse(t, st, "sched_setattr", -error);
}

static void step_set_clamps(struct thread *t, const struct step *st)
{
	step_done(t);
	set_clamps(t, st);
}

/*
 * What a forked thread has of its creator gives way to what its task asks for; CPUs
 * and group stay where the task asks for none.
 * source: set_thread_param() and others, called by thread_body() of rt-app
 */
static void take_settings(struct thread *t)
{
	const struct task_spec *spec = t->sim.spec;
	const struct step settings = {
		.place = t->program->steps[0].place,
		.policy = spec->policy,
		.nice = spec->nice,
		.rt_priority = spec->rt_priority,
		.cpus = spec->cpus,
		.clamps = spec->clamps,
	};

	t->forked = false;
	if (!spec->asks_for_deadline)
		set_sched(t, &settings);
	if (spec->clamps.set_min || spec->clamps.set_max)
		set_clamps(t, &settings);
	if (spec->cgroup)
		thread_join_group(t, spec->cgroup, settings.place);
	if (!cpumask_empty(&spec->cpus))
		set_cpus(t, &settings);
}

/* More than so many threads of a task are a loop.  source: FORKS_LIMIT, rt-app */
static bool may_fork(struct thread *t, const struct step *st)
{
	if (t->s->nr_forks[st->object] < FORKS_MAX)
		return true;
	simulation_fail(t->s, g_error_new(INPUT_ERROR, INPUT_ERROR_VALUE,
					  "%s: expected at most %d forks of a task, as "
					  "in rt-app, got one more",
					  st->place, FORKS_MAX));
	return false;
}

static void step_fork(struct thread *t, const struct step *st)
{
	int error;

	step_done(t);
	if (!may_fork(t, st))
		return;
	error = thread_fork(t, st->object);
	if (error)
		refuse(t, st, "pthread_create", -error);
}

static void step_exit(struct thread *t, const struct step *st)
{
	thread_exit(t);
}

static void (*const step_functions[])(struct thread *t, const struct step *st) = {
	[STEP_RUN] = step_run,
	[STEP_RUNTIME] = step_run,
	[STEP_SLEEP] = step_sleep,
	[STEP_TIMER] = step_timer,
	[STEP_YIELD] = step_yield,
	[STEP_FORK] = step_fork,
	[STEP_MEM] = step_mem,
	[STEP_IORUN] = step_iorun,
	[STEP_LOCK] = step_lock,
	[STEP_UNLOCK] = step_unlock,
	[STEP_WAIT] = step_wait,
	[STEP_SIGNAL] = step_signal,
	[STEP_BROADCAST] = step_broadcast,
	[STEP_SYNC] = step_sync,
	[STEP_BARRIER] = step_barrier,
	[STEP_BARRIER_LEAVE] = step_barrier_leave,
	[STEP_RECV] = step_recv,
	[STEP_SEND] = step_send,
	[STEP_REPLY] = step_reply,
	[STEP_IF_REPLY] = step_if_reply,
	[STEP_JUMP] = step_jump,
	[STEP_LOOP] = step_loop,
	[STEP_LOOP_END] = step_loop_end,
	[STEP_SET_CPUS] = step_set_cpus,
	[STEP_SET_SCHED] = step_set_sched,
	[STEP_SET_CLAMPS] = step_set_clamps,
	[STEP_SET_GROUP] = step_set_group,
	[STEP_OPERATION] = step_operation,
	[STEP_EXIT] = step_exit,
};

static bool makes_progress(struct thread *t, const struct step *st)
{
	simulation *s = t->s;

	if (t->steps_at_ns != simulation_now(s)) {
		t->steps_at_ns = simulation_now(s);
		t->steps_at_once = 0;
	}
	if (t->steps_at_once++ < AT_ONE_INSTANT_MAX)
		return true;
	simulation_fail(s,
			g_error_new(INPUT_ERROR, INPUT_ERROR_VALUE,
				    "%s: expected steps that take time, got %d at one "
				    "instant: %s makes no progress in time",
				    st->place, AT_ONE_INSTANT_MAX, t->comm));
	return false;
}

/* True when the delay is over, if there was one. */
static bool begin(struct thread *t)
{
	t->begun = true;
	if (t->first_ns <= simulation_now(t->s))
		return true;
	thread_sleep_until(t, t->first_ns);
	return false;
}

void thread_step(struct thread *t)
{
	const struct step *st;

	if (!t->begun && !begin(t))
		return;
	if (t->forked) {
		take_settings(t);
		return;
	}
	st = &t->program->steps[t->pc];
	phase_turn_follow(t, st);
	if (makes_progress(t, st))
		step_functions[st->op](t, st);
}

static void compile(struct compiled_program *compiled, const struct program *program)
{
	int depth = 0;

	compiled->steps = program->steps;
	compiled->nr_steps = program->nr_steps;
	compiled->ends_activation = g_new0(bool, (size_t)program->nr_steps);
	for (int i = 0; i < program->nr_steps; i++) {
		if (program->steps[i].op == STEP_LOOP)
			depth++;
		if (program->steps[i].op == STEP_LOOP_END)
			compiled->ends_activation[i] = !--depth;
	}
}

/* Those of the tasks, and then those of the operations. */
static int nr_programs(const simulation *s)
{
	return s->w->nr_tasks + (s->w->control ? s->w->control->nr_operations : 0);
}

void programs_init(simulation *s)
{
	s->programs = g_new0(struct compiled_program, (size_t)nr_programs(s));
	for (int i = 0; i < nr_programs(s); i++)
		compile(&s->programs[i], &thread_spec(s, i)->program);
}

void programs_clear(simulation *s)
{
	for (int i = 0; i < nr_programs(s); i++)
		g_free(s->programs[i].ends_activation);
	g_free(s->programs);
}
