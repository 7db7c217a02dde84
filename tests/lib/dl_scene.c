/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include "dl_scene.h"
#include "sched/clock.h"
#include "sched/rt_limit.h"

run_scene *dl_scene_new(const char *topology)
{
	run_scene *s = run_scene_new(topology);

	assert_int_equal(set_rt_limit(s->m, 1000000, RT_RUNTIME_UNLIMITED), 0);
	return s;
}

struct task *fair_task(run_scene *s, int cpu)
{
	struct cpumask all = cpumask_first_n(s->m->nr_cpus);
	struct task *t = run_fork(s, cpu, 0);

	set_cpus_allowed(s->m, t, &all, cpu);
	return t;
}

int try_deadline(run_scene *s, struct task *t, struct dl_wish wish, unsigned flags)
{
	struct sched_attr attr = {
		.sched_policy = POLICY_DEADLINE,
		.sched_runtime = wish.runtime_us * NSEC_PER_USEC,
		.sched_deadline = wish.deadline_us * NSEC_PER_USEC,
		.sched_period = wish.period_us * NSEC_PER_USEC,
		.sched_flags = flags,
	};
	int error = sched_setattr(s->m, t, &attr, t->cpu);

	sched_resched_all(s->m);
	return error;
}

int try_normal(run_scene *s, struct task *t)
{
	struct sched_attr attr = {.sched_policy = POLICY_NORMAL};
	int error = sched_setattr(s->m, t, &attr, t->cpu);

	sched_resched_all(s->m);
	return error;
}

struct task *dl_task_on(run_scene *s, int cpu, struct dl_wish wish)
{
	struct task *t = fair_task(s, cpu);

	assert_int_equal(try_deadline(s, t, wish, 0), 0);
	return t;
}

struct task *due_in_ms(run_scene *s, int cpu, uint64_t ms)
{
	return dl_task_on(s, cpu, implicit(ms * 1000, ms * 1000));
}

void pin(run_scene *s, struct task *t, int cpu)
{
	struct cpumask cpus = cpumask_of(cpu);

	assert_int_equal(set_cpus_allowed(s->m, t, &cpus, cpu), 0);
	sched_resched_all(s->m);
}

void sleep_on(run_scene *s, struct task *t, int cpu)
{
	assert_true(runs_on(s, t, cpu));
	run_block(s, cpu);
}

void assert_instance(const struct task *t, int64_t runtime_ns, uint64_t deadline_us)
{
	assert_int_equal(t->dl.runtime, runtime_ns);
	assert_int_equal(t->dl.deadline, RUN_START_NS + deadline_us * NSEC_PER_USEC);
}

static const struct periodic *running_on(const run_scene *s, struct periodic *tasks,
					 int nr_tasks, int cpu)
{
	for (int i = 0; i < nr_tasks; i++)
		if (runs_on(s, tasks[i].t, cpu))
			return &tasks[i];
	return NULL;
}

static void assert_ms(const run_scene *s, struct periodic *tasks, int nr_tasks,
		      const char *const *schedule, unsigned ms)
{
	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++) {
		const struct periodic *p = running_on(s, tasks, nr_tasks, cpu);
		char letter = p ? p->letter : '.';

		if (letter != schedule[cpu][ms])
			fail_msg("CPU %d, ms %u: expected %c, got %c", cpu, ms,
				 schedule[cpu][ms], letter);
	}
}

/* @p ran for a ms that is over now: it sleeps when its work is done. */
static void account_ms(run_scene *s, struct periodic *p)
{
	if (++p->done_ms < p->run_ms)
		return;
	p->done_ms = 0;
	p->sleeps = true;
	assert_true(runs_on(s, p->t, p->t->cpu));
	run_block(s, p->t->cpu);
}

static void release(run_scene *s, struct periodic *p)
{
	if (!p->sleeps)
		return;
	p->sleeps = false;
	run_wake(s, p->t, p->t->cpu);
}

/* Work ends, then timers fire, then sleeps end: the order of a simulation. */
static void pass_a_ms(run_scene *s, struct periodic *tasks, int nr_tasks, unsigned ms)
{
	bool worked[RUN_TASKS];

	for (int i = 0; i < nr_tasks; i++)
		worked[i] = runs_on(s, tasks[i].t, tasks[i].t->cpu);
	run_to_ns(s, ms * NSEC_PER_MSEC - 1);
	machine_set_time(s->m, RUN_START_NS + ms * NSEC_PER_MSEC);
	for (int i = 0; i < nr_tasks; i++)
		if (worked[i])
			account_ms(s, &tasks[i]);
	run_to_us(s, ms * 1000);
	for (int i = 0; i < nr_tasks; i++)
		if (ms % tasks[i].period_ms == 0)
			release(s, &tasks[i]);
}

void assert_schedule(run_scene *s, struct periodic *tasks, int nr_tasks,
		     const char *const *schedule)
{
	for (unsigned ms = 0; schedule[0][ms]; ms++) {
		if (ms)
			pass_a_ms(s, tasks, nr_tasks, ms);
		assert_ms(s, tasks, nr_tasks, schedule, ms);
	}
}
