/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/operation_time.h"

#include "workload/control_plane.h"

void operation_time_begin(struct operation_run *run)
{
	run->began_ns = simulation_now(run->s);
	run->held = run->early = 0;
	run->next_step = 0;
	run->charged = false;
	run->lock_wait_ns = run->grace_period_ns = 0;
	run->service_ns = run->walk_ns = 0;
}

/* Waiting */

static void begin_wait(struct operation_run *run, enum operation_wait wait)
{
	run->wait = wait;
	run->wait_since_ns = simulation_now(run->s);
}

static void end_wait(struct operation_run *run)
{
	uint64_t ns = simulation_now(run->s) - run->wait_since_ns;

	if (run->wait == WAITS_FOR_LOCK)
		run->lock_wait_ns += ns;
	else if (run->wait == WAITS_FOR_RCU)
		run->grace_period_ns += ns;
	run->wait = WAITS_FOR_NOTHING;
}

/* False: it takes no time. */
static bool sleep_grace_period(struct thread *t, struct operation_run *run)
{
	uint64_t ns = grace_period_ns(run->s, &run->draws);

	begin_wait(run, WAITS_FOR_RCU);
	if (!ns)
		return false;
	thread_sleep_in_kernel(t, later_ns(simulation_now(run->s), ns));
	return true;
}

/* Each wakeup has to be over before the next one; false: one is on its way. */
static bool wakes_waiters(struct thread *t, struct operation_run *run)
{
	const struct cpu_clock *c = &t->s->cpus[t->sim.task.cpu];

	while (!list_empty(&run->woken) && !cpu_is_held(c)) {
		struct lock_waiter *w =
			list_entry(run->woken.next, struct lock_waiter, wake_node);
		struct operation_run *waiter =
			list_entry(w, struct operation_run, waiter);

		list_del(&w->wake_node);
		thread_wake(waiter->thread, waker_thread(t), 0);
	}
	return !cpu_is_held(c);
}

/* Locks */

static unsigned bit_of(enum op_lock lock)
{
	return 1U << lock;
}

/* source: might_sleep() with CONFIG_PREEMPT_VOLUNTARY */
static bool is_preempted(const struct thread *t)
{
	const struct machine *m = t->s->m;

	if (m->preempt != PREEMPT_VOLUNTARY ||
	    !cpu_rq(m, t->sim.task.cpu)->need_resched)
		return false;
	cpu_may_preempt(&t->s->cpus[t->sim.task.cpu]);
	return true;
}

/* True: it has @lock. */
static bool takes(struct thread *t, struct operation_run *run, enum op_lock lock)
{
	enum lock_answer answer = LOCK_SLEEPS;

	g_assert(!(run->held & bit_of(lock)));

	while (wakes_waiters(t, run)) {
		if (run->wait == WAITS_FOR_NOTHING && is_preempted(t))
			return false;
		/* It was perhaps told to go on while it woke others. */
		if (run->must_sleep && !run->waiter.told) {
			run->must_sleep = false;
			thread_wait_in_kernel(t);
			return false;
		}
		end_wait(run);
		run->waiter.told = false;
		answer = control_lock(&t->s->control_plane->locks, lock, &run->waiter,
				      &run->woken);
		run->must_sleep = false;
		if (answer == LOCK_TAKEN) {
			run->held |= bit_of(lock);
			return true;
		}
		if (answer == LOCK_GRACE_PERIOD && sleep_grace_period(t, run))
			return false;
		if (answer == LOCK_GRACE_PERIOD)
			continue;
		run->must_sleep = true;
		begin_wait(run, answer == LOCK_SLEEPS ? WAITS_FOR_LOCK : WAITS_FOR_RCU);
	}
	return false;
}

static void gives_back(struct operation_run *run, enum op_lock lock)
{
	run->held &= ~bit_of(lock);
	control_plane_unlock(run->s->control_plane, lock, &run->woken);
}

bool operation_takes_locks(struct thread *t, struct operation_run *run)
{
	while (wakes_waiters(t, run) && run->nr_taken < run->nr_locks) {
		enum op_lock lock = run->locks[run->nr_taken];

		if (!takes(t, run, lock))
			return false;
		run->early |= bit_of(lock);
		run->nr_taken++;
	}
	return list_empty(&run->woken) && run->nr_taken == run->nr_locks;
}

/* source: cpu_down(), which has all parts of it under cpu_add_remove_lock */
static unsigned kept_locks(const struct operation_run *run)
{
	if (run->needs != OPERATION_IS_DONE && (run->spec->kind == OPERATION_OFFLINE ||
						run->spec->kind == OPERATION_ONLINE))
		return bit_of(OP_LOCK_CPU_MAPS);
	return 0;
}

bool operation_releases_locks(struct thread *t, struct operation_run *run)
{
	unsigned kept = kept_locks(run);

	for (int lock = NR_OP_LOCKS - 1; wakes_waiters(t, run) && lock >= 0; lock--)
		if (run->held & ~kept & bit_of((enum op_lock)lock))
			gives_back(run, (enum op_lock)lock);
	run->early = 0;
	return !(run->held & ~kept) && list_empty(&run->woken);
}

/* Steps */

static void work(struct thread *t, struct operation_run *run, enum control_cost_id cost,
		 uint64_t count)
{
	uint64_t ns = control_cost_draw(&t->s->in->spec.control_costs, cost, count,
					&run->draws);

	t->kernel_ns = later_ns(t->kernel_ns, ns);
	run->service_ns = later_ns(run->service_ns, ns);
}

static void works_on_tasks(struct thread *t, struct operation_run *run, uint64_t count)
{
	work(t, run, CONTROL_COST_walk_task_ns, count);
	if (t->s->cpusets->policy.rq_lock_per_task)
		work(t, run, CONTROL_COST_walk_rq_lock_ns, count);
}

static bool is_walk(enum op_step_kind kind)
{
	return kind == OP_STEP_WALK_CPUSETS || kind == OP_STEP_WALK_TASKS ||
	       kind == OP_STEP_WALK_DL_TASKS;
}

static void works(struct thread *t, struct operation_run *run,
		  const struct op_step *step)
{
	static const enum control_cost_id costs[] = {
		[OP_STEP_CPUSETS] = CONTROL_COST_cpuset_update_ns,
		[OP_STEP_AFFINITY] = CONTROL_COST_set_affinity_ns,
		[OP_STEP_GENERATE] = CONTROL_COST_generate_cpuset_ns,
		[OP_STEP_DETACH] = CONTROL_COST_detach_cpu_ns,
		[OP_STEP_BUILD] = CONTROL_COST_build_cpu_ns,
		[OP_STEP_PERF_DOMAINS] = CONTROL_COST_perf_domain_ns,
		[OP_STEP_WALK_CPUSETS] = CONTROL_COST_walk_cpuset_ns,
		[OP_STEP_WALK_DL_TASKS] = CONTROL_COST_walk_dl_task_ns,
		[OP_STEP_CPU_OFF] = CONTROL_COST_cpu_off_ns,
		[OP_STEP_CPU_ON] = CONTROL_COST_cpu_on_ns,
		[OP_STEP_MIGRATIONS] = CONTROL_COST_forced_migration_ns,
	};

	uint64_t before_ns = run->service_ns;

	if (step->kind == OP_STEP_WALK_TASKS)
		works_on_tasks(t, run, step->count);
	else
		work(t, run, costs[step->kind], step->count);
	if (is_walk(step->kind))
		run->walk_ns += run->service_ns - before_ns;
}

/* True: it is done with @step; what it costs is still to be spent. */
static bool does_step(struct thread *t, struct operation_run *run,
		      const struct op_step *step)
{
	enum op_lock lock = (enum op_lock)step->what;

	switch (step->kind) {
	case OP_STEP_LOCK:
		if (!(run->early & bit_of(lock)))
			return takes(t, run, lock);
		run->early &= ~bit_of(lock);
		return true;
	case OP_STEP_UNLOCK:
		gives_back(run, lock);
		return true;
	case OP_STEP_GRACE_PERIOD:
		if (run->wait == WAITS_FOR_NOTHING && sleep_grace_period(t, run))
			return false;
		end_wait(run);
		return true;
	default:
		works(t, run, step);
		return true;
	}
}

/* Whether what came before has to be over before @step. */
static bool awaits_work(const struct thread *t, const struct operation_run *run,
			const struct op_step *step)
{
	if (step->kind == OP_STEP_LOCK && run->early & bit_of((enum op_lock)step->what))
		return false;
	return t->kernel_ns && op_step_is_barrier(step->kind);
}

bool operation_spends_journal(struct thread *t, struct operation_run *run)
{
	const GArray *steps = run->result.steps;

	if (!run->has_result)
		return true;
	if (!run->charged && operation_base_cost(run->spec) != NR_CONTROL_COSTS)
		work(t, run, operation_base_cost(run->spec), 1);
	run->charged = true;
	while (wakes_waiters(t, run) && run->next_step < steps->len) {
		const struct op_step *step =
			&g_array_index(steps, struct op_step, run->next_step);

		if (awaits_work(t, run, step) || !does_step(t, run, step))
			return false;
		run->next_step++;
	}
	return run->next_step == steps->len && list_empty(&run->woken) && !t->kernel_ns;
}
