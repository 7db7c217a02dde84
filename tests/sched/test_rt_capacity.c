/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real-time tasks on CPUs of unequal capacity: 0 and 1 have 446 of 1024, 2 and 3 all of
 * it.  Without a wish of its own such a task wants a whole CPU.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/class.h"
#include "schedsim/wakeup.h"

static int setup(void **state)
{
	*state = run_scene_new("1n1l4c1t/2x446");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static struct task *runner(run_scene *s, int cpu, unsigned priority)
{
	struct cpumask only = cpumask_of(cpu);

	return run_fork_rt(s, cpu, POLICY_FIFO, priority, &only);
}

/* A task of @priority that slept on @cpu and may run anywhere. */
static struct task *sleeper(run_scene *s, int cpu, unsigned priority)
{
	struct cpumask all = cpumask_first_n(4);
	struct task *t = runner(s, cpu, priority);

	assert_true(runs_on(s, t, cpu));
	run_block(s, cpu);
	set_cpus_allowed(s->m, t, &all, cpu);
	return t;
}

static void wish(run_scene *s, struct task *t, int util_min)
{
	struct sched_attr attr = {.sched_flags = SCHED_FLAG_KEEP_ALL |
						 SCHED_FLAG_UTIL_CLAMP_MIN,
				  .sched_util_min = util_min};

	assert_int_equal(sched_setattr(s->m, t, &attr, 0), 0);
}

/* The CPU chosen for sleeping @t when @this_cpu wakes it. */
static int choice(run_scene *s, struct task *t, int this_cpu)
{
	s->m->this_cpu = this_cpu;
	return t->sched_class->select_task_rq(s->m, t, t->cpu, this_cpu, WF_TTWU, true);
}

static void it_leaves_an_idle_little_cpu(void **state)
{
	run_scene *s = *state;

	/* The waker's, for it fits; from elsewhere the next in turn. */
	assert_int_equal(choice(s, sleeper(s, 0, 10), 3), 3);
	cpu_rq(s->m, 1)->distribute_cursor = 1;
	assert_int_equal(choice(s, sleeper(s, 0, 10), 1), 2);
}

static void it_stays_where_its_wish_is_met(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	wish(s, t, 446);
	assert_int_equal(choice(s, t, 3), 0);
	wish(s, t, 447);
	assert_int_equal(choice(s, t, 3), 3);
}

/* The cap counts too. */
static void a_cap_makes_a_little_cpu_do(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);
	struct sched_attr attr = {.sched_flags =
					  SCHED_FLAG_KEEP_ALL | SCHED_FLAG_UTIL_CLAMP,
				  .sched_util_min = 0,
				  .sched_util_max = 200};

	assert_int_equal(sched_setattr(s->m, t, &attr, 0), 0);
	assert_int_equal(choice(s, t, 3), 0);
}

/* Fair tasks run on the big CPUs; the little one is free, and still too small. */
static void a_fit_goes_before_an_idle_cpu(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	run_fork(s, 2, 0);
	run_fork(s, 3, 0);
	assert_int_equal(choice(s, t, 3), 3);
}

/* Lower ones run on the big CPUs, 5 on CPU 2 and 6 on CPU 3: the lowest is preempted.
 */
static void among_those_that_fit_the_lowest_priority_is_taken(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	runner(s, 2, 5);
	runner(s, 3, 6);
	assert_int_equal(choice(s, t, 3), 2);
}

/* Equals and higher ones hold the big CPUs: nothing better to be had. */
static void without_a_fit_it_stays(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	runner(s, 2, 10);
	runner(s, 3, 11);
	assert_int_equal(choice(s, t, 3), 0);
}

/* It would preempt where it is, and idle CPU 1 fits no better. */
static void for_no_better_a_fit_it_does_not_move(void **state)
{
	run_scene *s = *state;
	struct cpumask little = cpumask_first_n(2);
	struct task *t = sleeper(s, 0, 10);
	struct task *low = run_fork_rt(s, 0, POLICY_FIFO, 5, &little);

	assert_true(runs_on(s, low, 0));
	runner(s, 2, 10);
	runner(s, 3, 11);
	assert_int_equal(choice(s, t, 3), 0);
}

/* To run at all goes before the fit. */
static void one_that_would_wait_takes_a_cpu_too_small(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	runner(s, 0, 20);
	runner(s, 2, 10);
	runner(s, 3, 11);
	assert_int_equal(choice(s, t, 3), 1);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(it_leaves_an_idle_little_cpu),
		T(it_stays_where_its_wish_is_met),
		T(a_cap_makes_a_little_cpu_do),
		T(a_fit_goes_before_an_idle_cpu),
		T(among_those_that_fit_the_lowest_priority_is_taken),
		T(without_a_fit_it_stays),
		T(for_no_better_a_fit_it_does_not_move),
		T(one_that_would_wait_takes_a_cpu_too_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
