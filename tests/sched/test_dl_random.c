/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deadline, real-time and fair tasks that do anything at any time: what must hold of
 * the scheduler holds after each step.
 */
#include "test.h"

#include "dl_scene.h"
#include "sched/deadline.h"
#include "sched/invariants.h"
#include "sched/rt_limit.h"

#define NR_TASKS 10
#define NR_STEPS 20000

struct chaos {
	run_scene *s;    /* owned */
	invariants *inv; /* owned */
	struct task *t[NR_TASKS];
	uint64_t random;
};

/* 0 to @n - 1. */
static unsigned dice(struct chaos *c, unsigned n)
{
	c->random = c->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned)((c->random >> 33) % n);
}

static void ask_for_a_class(struct chaos *c, struct task *t)
{
	uint64_t period_us = 1000 * (1 + dice(c, 20));
	uint64_t deadline_us = period_us - dice(c, 2) * period_us / 4;
	struct sched_attr fifo = {.sched_policy = POLICY_FIFO,
				  .sched_priority = 1 + dice(c, 3)};

	switch (dice(c, 5)) {
	case 0:
		try_normal(c->s, t);
		break;
	case 1:
		sched_setattr(c->s->m, t, &fifo, t->cpu);
		sched_resched_all(c->s->m);
		break;
	default:
		try_deadline(c->s, t,
			     constrained(deadline_us / (1 + dice(c, 8)), deadline_us,
					 period_us),
			     dice(c, 2) ? SCHED_FLAG_RECLAIM : 0);
	}
}

static void change_affinity(struct chaos *c, struct task *t)
{
	struct cpumask cpus = cpumask_none();

	for (int cpu = 0; cpu < 4; cpu++)
		if (dice(c, 2))
			cpumask_set(&cpus, cpu);
	set_cpus_allowed(c->s->m, t, &cpus, (int)dice(c, 4));
	sched_resched_all(c->s->m);
}

static void step(struct chaos *c)
{
	struct task *t = c->t[dice(c, NR_TASKS)];
	uint64_t now_us = (c->s->m->now_ns - RUN_START_NS) / NSEC_PER_USEC;

	switch (dice(c, 8)) {
	case 0:
		ask_for_a_class(c, t);
		break;
	case 1:
		change_affinity(c, t);
		break;
	case 2:
	case 3:
		if (t->on_cpu)
			run_block(c->s, t->cpu);
		break;
	case 4:
	case 5:
		run_wake(c->s, t, (int)dice(c, 4));
		break;
	case 6:
		if (t->on_cpu)
			do_sched_yield(c->s->m, t->cpu);
		sched_resched_all(c->s->m);
		break;
	default:
		run_ticking_to_us(c->s, now_us + 1 + dice(c, 3000));
	}
}

/*
 * A current task that a change throttles goes on without being charged until the next
 * switch, in the kernel too.  Here that comes at once.
 */
static void switch_off_the_uncharged(run_scene *s)
{
	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++) {
		struct rq *rq = cpu_rq(s->m, cpu);

		if (dl_task(rq->curr) && !rq->curr->dl.on_rq)
			resched_curr(rq);
	}
	sched_resched_all(s->m);
}

static void assert_sane(struct chaos *c, int steps)
{
	GError *error = NULL;

	if (!invariants_check(c->inv, c->s->m, (const struct task *const *)c->t,
			      NR_TASKS, &error))
		fail_msg("after %d steps: %s", steps, error->message);
}

static void run_chaos(uint64_t seed, uint64_t limit_us)
{
	struct chaos c = {.s = dl_scene_new("1n2l2c1t"), .random = seed};

	assert_int_equal(set_rt_limit(c.s->m, 1000000, limit_us), 0);
	c.inv = invariants_new(c.s->m);
	c.s->m->observers = invariants_observer(c.inv);
	for (int i = 0; i < NR_TASKS; i++)
		c.t[i] = fair_task(c.s, (int)dice(&c, 4));
	for (int i = 0; i < NR_STEPS; i++) {
		step(&c);
		switch_off_the_uncharged(c.s);
		assert_sane(&c, i);
	}
	invariants_free(c.inv);
	run_scene_free(c.s);
}

static void anything_may_happen_without_a_limit(void **state)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		run_chaos(seed, RT_RUNTIME_UNLIMITED);
}

static void and_with_the_kernels_limit(void **state)
{
	for (uint64_t seed = 11; seed <= 15; seed++)
		run_chaos(seed, 950000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(anything_may_happen_without_a_limit),
		cmocka_unit_test(and_with_the_kernels_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
