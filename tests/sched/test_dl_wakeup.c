/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where deadline tasks wake, and whom they preempt there.  Reservations are so long
 * that nobody is throttled; deadlines are ms from the start.
 */
#include "test.h"

#include "dl_scene.h"

/* Two caches of two CPUs: 0 1 | 2 3. */
static int two_by_two(void **state)
{
	*state = dl_scene_new("1n2l2c1t");
	return 0;
}

static int two_cpus(void **state)
{
	*state = dl_scene_new("1n1l2c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static void no_ipi_yet(void *data, struct rq *target)
{
}

/* Wakeups */

static void a_later_deadline_wakes_on_a_free_cpu(void **state)
{
	run_scene *s = *state;
	struct task *later = due_in_ms(s, 0, 20);
	struct task *curr;

	sleep_on(s, later, 0);
	curr = due_in_ms(s, 0, 10);
	run_wake(s, later, 0);
	assert_true(runs_on(s, curr, 0));
	assert_true(runs_on(s, later, 1));
	assert_int_equal(later->se.nr_migrations, 1);
}

/* It stays, for it may matter; current is pushed away at the same instant. */
static void an_earlier_deadline_wakes_where_it_was(void **state)
{
	run_scene *s = *state;
	struct task *earlier = due_in_ms(s, 0, 10);
	struct task *curr;

	sleep_on(s, earlier, 0);
	curr = due_in_ms(s, 0, 20);
	run_wake(s, earlier, 0);
	assert_true(runs_on(s, earlier, 0));
	assert_true(runs_on(s, curr, 1));
	assert_int_equal(earlier->se.nr_migrations, 0);
}

static void behind_a_pinned_current_it_goes_elsewhere(void **state)
{
	run_scene *s = *state;
	struct task *earlier = due_in_ms(s, 0, 10);
	struct task *curr;

	sleep_on(s, earlier, 0);
	curr = due_in_ms(s, 0, 20);
	pin(s, curr, 0);
	run_wake(s, earlier, 0);
	assert_true(runs_on(s, curr, 0));
	assert_true(runs_on(s, earlier, 1));
}

/* No CPU is free: the one with the latest deadline, if that is later. */
static void without_a_free_cpu_the_latest_deadline_gives_way(void **state)
{
	run_scene *s = *state;
	struct task *t = due_in_ms(s, 0, 20);
	struct task *first, *latest;

	sleep_on(s, t, 0);
	first = due_in_ms(s, 0, 10);
	latest = due_in_ms(s, 1, 30);
	run_wake(s, t, 0);
	assert_true(runs_on(s, first, 0));
	assert_true(runs_on(s, t, 1));
	assert_int_equal(latest->cpu, 1);
	assert_true(latest->pushable_dl);
}

static void with_earlier_deadlines_everywhere_it_waits_where_it_was(void **state)
{
	run_scene *s = *state;
	struct task *t = due_in_ms(s, 0, 40);

	sleep_on(s, t, 0);
	due_in_ms(s, 0, 10);
	due_in_ms(s, 1, 30);
	run_wake(s, t, 1);
	assert_int_equal(t->cpu, 0);
	assert_false(t->on_cpu);
	assert_int_equal(cpu_rq(s->m, 0)->dl.dl_nr_running, 2);
}

/* 0's other half is nearer than the other cache, though the waker is there. */
static void of_free_cpus_one_of_its_cache_is_taken(void **state)
{
	run_scene *s = *state;
	struct task *t = due_in_ms(s, 0, 20);

	sleep_on(s, t, 0);
	due_in_ms(s, 0, 10);
	run_wake(s, t, 3);
	assert_true(runs_on(s, t, 1));
}

/* Within the span where both are, the waker's CPU comes first. */
static void the_wakers_cpu_is_taken_where_its_domain_is_reached(void **state)
{
	run_scene *s = *state;
	struct task *t = due_in_ms(s, 0, 20);

	sleep_on(s, t, 0);
	due_in_ms(s, 0, 10);
	due_in_ms(s, 1, 10);
	run_wake(s, t, 3);
	assert_true(runs_on(s, t, 3));
}

/* From CPU 0, where nothing is free, the cursor goes from 0 to 2 and then to 3. */
static void otherwise_free_cpus_take_turns(void **state)
{
	run_scene *s = *state;
	struct task *t = due_in_ms(s, 0, 20);
	struct task *u;

	sleep_on(s, t, 0);
	u = due_in_ms(s, 0, 20);
	sleep_on(s, u, 0);
	due_in_ms(s, 0, 10);
	due_in_ms(s, 1, 10);
	cpu_rq(s->m, 0)->distribute_cursor = 0;
	run_wake(s, t, 0);
	assert_true(runs_on(s, t, 2));
	run_wake(s, u, 0);
	assert_true(runs_on(s, u, 3));
}

/* Density 0.75 fits a CPU of 768 of 1024 and no slower one. */
static void a_cpu_must_be_fast_enough_for_the_density(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(15000, 20000));
	const unsigned capacity[] = {512, 512, 767, 768};

	s->m->asym_cpucap = true;
	for (int cpu = 0; cpu < 4; cpu++)
		cpu_rq(s->m, cpu)->cpu_scale = capacity[cpu];
	sleep_on(s, t, 0);
	run_wake(s, t, 0);
	assert_true(runs_on(s, t, 3));
}

/* None is: the fastest, and its own CPU among equals. */
static void where_none_is_fast_enough_the_fastest_is_taken(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 2, implicit(15000, 20000));
	const unsigned capacity[] = {512, 700, 700, 512};

	s->m->asym_cpucap = true;
	for (int cpu = 0; cpu < 4; cpu++)
		cpu_rq(s->m, cpu)->cpu_scale = capacity[cpu];
	sleep_on(s, t, 2);
	run_wake(s, t, 0);
	assert_true(runs_on(s, t, 2));
}

/*
 * It was on its way to idle CPU 2 when another, due earlier, came to run there: it goes
 * on to CPU 3.
 */
static void behind_who_came_meanwhile_it_goes_on(void **state)
{
	run_scene *s = *state;
	struct task *t = due_in_ms(s, 2, 20);

	sleep_on(s, t, 2);
	s->m->feat.TTWU_QUEUE = true;
	s->driver.send_ipi = no_ipi_yet;
	try_to_wake_up(s->m, t, 0, 0, false);
	assert_true(cpu_rq(s->m, 2)->ttwu_pending);
	due_in_ms(s, 2, 10);
	sched_ipi(cpu_rq(s->m, 2));
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 3));
}

/* Equal deadlines */

/*
 * @t wakes on CPU 0 with the deadline of what runs there.  Whether that asks for a
 * reschedule.
 */
static bool equal_deadline_asks(run_scene *s, struct task *t)
{
	try_to_wake_up(s->m, t, 0, 0, false);
	assert_int_equal(t->cpu, 0);
	assert_int_equal(t->dl.deadline, cpu_rq(s->m, 0)->curr->dl.deadline);
	return cpu_rq(s->m, 0)->need_resched;
}

/* Asleep on CPU 0, and then another of the same deadline runs there. */
static struct task *asleep_before_its_equal(run_scene *s, struct task **equal)
{
	struct task *t = due_in_ms(s, 0, 10);

	sleep_on(s, t, 0);
	*equal = due_in_ms(s, 0, 10);
	assert_true(runs_on(s, *equal, 0));
	return t;
}

static void a_bound_task_asks_its_equal_to_move(void **state)
{
	run_scene *s = *state;
	struct task *equal, *t = asleep_before_its_equal(s, &equal);

	pin(s, t, 0);
	due_in_ms(s, 1, 30);
	assert_true(equal_deadline_asks(s, t));
}

/* It is bound for the wakeup alone, which would send it to CPU 1 otherwise. */
static void an_equal_that_could_move_itself_does_not_ask(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);
	struct task *equal, *t = asleep_before_its_equal(s, &equal);
	struct cpumask both = t->cpus_mask;

	due_in_ms(s, 1, 30);
	t->cpus_mask = cpumask_of(0);
	t->nr_cpus_allowed = 1;
	try_to_wake_up(s->m, t, 0, 0, false);
	t->cpus_mask = both;
	t->nr_cpus_allowed = 2;
	rq->need_resched = false;
	check_preempt_curr(rq, t, 0);
	assert_false(rq->need_resched);
}

static void a_bound_equal_is_not_asked(void **state)
{
	run_scene *s = *state;
	struct task *equal, *t = asleep_before_its_equal(s, &equal);

	pin(s, t, 0);
	pin(s, equal, 0);
	due_in_ms(s, 1, 30);
	assert_false(equal_deadline_asks(s, t));
}

static void an_equal_with_nowhere_to_go_is_not_asked(void **state)
{
	run_scene *s = *state;
	struct task *equal, *t = asleep_before_its_equal(s, &equal);

	pin(s, t, 0);
	due_in_ms(s, 1, 5);
	assert_false(equal_deadline_asks(s, t));
}

int main(void)
{
#define ON(setup, f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		ON(two_cpus, a_later_deadline_wakes_on_a_free_cpu),
		ON(two_cpus, an_earlier_deadline_wakes_where_it_was),
		ON(two_cpus, behind_a_pinned_current_it_goes_elsewhere),
		ON(two_cpus, without_a_free_cpu_the_latest_deadline_gives_way),
		ON(two_cpus, with_earlier_deadlines_everywhere_it_waits_where_it_was),
		ON(two_by_two, of_free_cpus_one_of_its_cache_is_taken),
		ON(two_by_two, the_wakers_cpu_is_taken_where_its_domain_is_reached),
		ON(two_by_two, otherwise_free_cpus_take_turns),
		ON(two_by_two, a_cpu_must_be_fast_enough_for_the_density),
		ON(two_by_two, where_none_is_fast_enough_the_fastest_is_taken),
		ON(two_by_two, behind_who_came_meanwhile_it_goes_on),
		ON(two_cpus, a_bound_task_asks_its_equal_to_move),
		ON(two_cpus, an_equal_that_could_move_itself_does_not_ask),
		ON(two_cpus, a_bound_equal_is_not_asked),
		ON(two_cpus, an_equal_with_nowhere_to_go_is_not_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
