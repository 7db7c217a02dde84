/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle CPUs without a tick: who is in the set, who is kicked, and what it does.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/nohz.h"

/* Four CPUs that share a cache, all idle without a tick but for where tasks run. */
static int setup(void **state)
{
	run_scene *s = run_scene_new("1n1l4c1t");

	s->m->feat.LB_PERIODIC = true;
	for (int cpu = 0; cpu < 4; cpu++)
		assert_true(sched_idle_enter(s->m, cpu));
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static struct task *fork_anywhere_from(run_scene *s, int cpu)
{
	struct task *t = run_fork(s, cpu, 0);
	struct cpumask all = cpumask_first_n(4);

	set_cpus_allowed(s->m, t, &all, cpu);
	return t;
}

static void entering_idle_leaves_the_busy_count(void **state)
{
	run_scene *s = *state;

	assert_int_equal(cpumask_weight(&s->m->nohz.idle_cpus), 4);
	assert_int_equal(cpu_rq(s->m, 0)->sd_llc_shared->nr_busy_cpus, 0);
	assert_true(s->m->nohz.has_blocked);
	assert_true(s->m->nohz.needs_update);
}

static void a_cpu_counts_as_idle_until_its_first_busy_tick(void **state)
{
	run_scene *s = *state;

	run_fork(s, 2, 0);
	assert_true(cpumask_test(&s->m->nohz.idle_cpus, 2));
	run_to_us(s, 4000);
	run_tick(s, 2);
	assert_false(cpumask_test(&s->m->nohz.idle_cpus, 2));
	assert_int_equal(cpu_rq(s->m, 2)->sd_llc_shared->nr_busy_cpus, 1);
}

static void with_the_tick_kept_nobody_joins(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l4c1t");

	s->m->nohz.on = false;
	assert_false(sched_idle_enter(s->m, 1));
	assert_true(cpumask_empty(&s->m->nohz.idle_cpus));
}

static void two_tasks_on_a_cpu_make_an_idle_one_pull(void **state)
{
	run_scene *s = *state;
	struct task *a = fork_anywhere_from(s, 3);
	struct task *b = fork_anywhere_from(s, 3);

	/* The tick kicks CPU 0, the lowest; it pulls for itself last, 1 first. */
	run_to_us(s, 8000);
	run_tick(s, 3);
	assert_int_not_equal(a->cpu, b->cpu);
	assert_int_equal(cpu_rq(s->m, 3)->nr_running, 1);
	assert_int_equal(cpu_rq(s->m, 1)->nr_running, 1);
}

static void one_task_in_the_cache_kicks_nobody(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 3);

	run_fork(s, 3, 0);
	s->m->nohz.needs_update = false;
	s->m->nohz.has_blocked = false;
	s->m->nohz.next_balance = s->m->jiffies;
	run_to_us(s, 4000);
	nohz_balancer_kick(rq);
	/* A balance would have been put off by a jiffy. */
	assert_int_equal(s->m->nohz.next_balance, 250);
}

static void a_second_busy_cpu_in_the_cache_kicks(void **state)
{
	run_scene *s = *state;

	run_fork(s, 2, 0);
	run_fork(s, 3, 0);
	run_to_us(s, 4000);
	run_tick(s, 2);
	run_tick(s, 3);
	/* Both left the set, so both count: the second tick asked for a balance. */
	assert_true(s->m->nohz.next_balance > s->m->jiffies);
}

static void blocked_load_of_idle_cpus_fades_when_due(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 1, 0);
	uint64_t before;

	run_to_us(s, 10000);
	run_block(s, 1);
	assert_true(sched_idle_enter(s->m, 1));
	before = cpu_load(cpu_rq(s->m, 1));
	assert_true(before > 0);
	run_fork(s, 3, 0);
	/* next_blocked is jiffy 250 at first; 80 ms are two and a half half-lives. */
	run_to_us(s, 90000);
	run_tick(s, 3);
	assert_true(cpu_load(cpu_rq(s->m, 1)) < before / 4);
	assert_true(t->state != TASK_RUNNING);
}

static void a_kick_to_a_cpu_that_got_work_does_nothing(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);

	rq->nohz_flags = NOHZ_BALANCE_KICK | NOHZ_STATS_KICK;
	run_fork(s, 0, 0);
	assert_false(nohz_kick_arrives(rq));
	assert_int_equal(rq->nohz_flags, 0);
	assert_int_equal(rq->nohz_idle_balance, 0);
}

static void a_kick_is_heeded_by_an_idle_cpu_about_to_reschedule(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 1);

	rq->nohz_flags = NOHZ_BALANCE_KICK | NOHZ_STATS_KICK;
	rq->need_resched = true;
	assert_true(nohz_kick_arrives(rq));
	assert_int_equal(rq->nohz_idle_balance, NOHZ_BALANCE_KICK | NOHZ_STATS_KICK);
	rq->need_resched = false;
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(entering_idle_leaves_the_busy_count),
		CLAIM(a_cpu_counts_as_idle_until_its_first_busy_tick),
		CLAIM(with_the_tick_kept_nobody_joins),
		CLAIM(two_tasks_on_a_cpu_make_an_idle_one_pull),
		CLAIM(one_task_in_the_cache_kicks_nobody),
		CLAIM(a_second_busy_cpu_in_the_cache_kicks),
		CLAIM(blocked_load_of_idle_cpus_fades_when_due),
		CLAIM(a_kick_to_a_cpu_that_got_work_does_nothing),
		CLAIM(a_kick_is_heeded_by_an_idle_cpu_about_to_reschedule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
