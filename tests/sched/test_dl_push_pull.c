/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who is pushed and pulled when.  Reservations are so long that nobody is throttled;
 * deadlines are ms from the start.
 */
#include "test.h"

#include "dl_scene.h"
#include "sched/dl_internal.h"
#include "sched/hotplug.h"
#include "sched/root_domain.h"

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

/* Push */

static void a_new_deadline_task_behind_another_is_pushed(void **state)
{
	run_scene *s = *state;
	struct task *first = due_in_ms(s, 0, 10);
	struct task *second = due_in_ms(s, 0, 20);

	assert_true(runs_on(s, first, 0));
	assert_true(runs_on(s, second, 1));
}

/*
 * It used up 4 of 12 ms by the tick at 4 on CPU 0, where another, due at 20, comes to
 * run.  At 12 it is due at 24: later, so it is pushed.
 */
static void a_replenished_task_is_pushed_to_a_free_cpu(void **state)
{
	run_scene *s = *state;
	struct task *hog = dl_task_on(s, 0, implicit(4000, 12000));
	struct task *other;

	run_ticking_to_us(s, 4000);
	assert_true(hog->dl.dl_throttled);
	other = dl_task_on(s, 0, implicit(10000, 16000));
	run_to_us(s, 11999);
	assert_true(runs_on(s, other, 0));
	run_to_us(s, 12000);
	assert_instance(hog, 4000000, 24000);
	assert_true(runs_on(s, other, 0));
	assert_true(runs_on(s, hog, 1));
}

/* Alone in its class it stays, though another CPU is idle. */
static void a_replenished_task_preempts_a_fair_one_where_it_is(void **state)
{
	run_scene *s = *state;
	struct task *hog = dl_task_on(s, 0, implicit(4000, 12000));
	struct task *fair = run_fork(s, 0, 0);

	run_ticking_to_us(s, 4000);
	assert_true(runs_on(s, fair, 0));
	run_to_us(s, 12000);
	assert_true(runs_on(s, hog, 0));
}

/* What runs is bound to its CPU and due later: the new one goes elsewhere. */
static void an_earlier_deadline_is_pushed_past_a_bound_task(void **state)
{
	run_scene *s = *state;
	struct task *bound = due_in_ms(s, 0, 20);
	struct task *earlier;

	pin(s, bound, 0);
	earlier = due_in_ms(s, 0, 10);
	assert_true(runs_on(s, bound, 0));
	assert_true(runs_on(s, earlier, 1));
}

static void a_pinned_task_is_not_pushed(void **state)
{
	run_scene *s = *state;
	struct task *first = due_in_ms(s, 0, 10);
	struct task *second = fair_task(s, 0);

	pin(s, second, 0);
	assert_int_equal(try_deadline(s, second, implicit(20000, 20000), 0), 0);
	assert_true(runs_on(s, first, 0));
	assert_int_equal(second->cpu, 0);
	assert_false(second->pushable_dl);
	assert_true(cpu_rq(s->m, 0)->dl.overloaded);
}

/* It is throttled on CPU 1, which goes off before the timer fires at 12. */
static void a_throttled_task_leaves_a_cpu_that_went_off(void **state)
{
	run_scene *s = *state;
	struct task *hog = dl_task_on(s, 1, implicit(4000, 12000));

	run_ticking_to_us(s, 4000);
	assert_true(hog->dl.dl_throttled);
	set_cpu_active(s->m, 1, false);
	run_to_us(s, 11999);
	assert_int_equal(hog->cpu, 1);
	run_to_us(s, 12000);
	assert_true(runs_on(s, hog, 0));
	assert_instance(hog, 4000000, 24000);
	assert_int_equal(cpu_rq(s->m, 1)->dl.this_bw, 0);
	assert_int_equal(cpu_rq(s->m, 1)->dl.running_bw, 0);
	assert_int_equal(cpu_rq(s->m, 0)->dl.this_bw, hog->dl.dl_bw);
	assert_int_equal(cpu_rq(s->m, 0)->dl.running_bw, hog->dl.dl_bw);
	assert_int_equal(s->m->rd.dl_bw.total_bw, hog->dl.dl_bw);
}

/*
 * Its root domain has CPU 0 and, off as well, CPU 2: each is to bear half of 349525,
 * and only CPU 0 does.  Before, each of three CPUs bore a third.
 */
static void where_it_goes_cpus_that_are_off_bear_their_part(void **state)
{
	g_autoptr(run_scene) s = dl_scene_new("1n1l3c1t");
	struct task *hog = dl_task_on(s, 1, implicit(4000, 12000));

	run_ticking_to_us(s, 4000);
	assert_int_equal(cpu_rq(s->m, 0)->dl.extra_bw, BW_ONE - 116508);
	set_cpu_active(s->m, 1, false);
	set_cpu_active(s->m, 2, false);
	rq_attach_root(cpu_rq(s->m, 1), &s->m->def_root_domain);
	run_to_us(s, 12000);
	assert_true(runs_on(s, hog, 0));
	assert_int_equal(cpu_rq(s->m, 0)->dl.extra_bw, BW_ONE - 116508 - 174762);
}

/* Whoever waits there is no offer to others. */
static void a_cpu_that_went_off_has_nobody_to_pull(void **state)
{
	run_scene *s = *state;
	struct task *waits;

	due_in_ms(s, 0, 10);
	due_in_ms(s, 1, 20);
	waits = due_in_ms(s, 0, 30);
	assert_true(cpumask_test(&s->m->rd.dlo_mask, 0));
	set_cpu_active(s->m, 0, false);
	assert_false(cpumask_test(&s->m->rd.dlo_mask, 0));
	assert_false(cpumask_test(&s->m->rd.cpudl.free_cpus, 0));
	sched_resched_all(s->m);
	assert_int_equal(waits->cpu, 1);
	assert_int_equal(cpu_rq(s->m, 1)->dl.dl_nr_running, 3);
	assert_false(cpumask_test(&s->m->rd.cpudl.free_cpus, 0));
}

/* Pull */

/* 10, 20 and 30 on two CPUs: the last waits until one of them sleeps. */
static void a_cpu_without_work_pulls_who_waits(void **state)
{
	run_scene *s = *state;
	struct task *a = due_in_ms(s, 0, 10);
	struct task *b = due_in_ms(s, 1, 20);
	struct task *c = due_in_ms(s, 0, 30);

	assert_true(runs_on(s, a, 0));
	assert_true(runs_on(s, b, 1));
	assert_int_equal(c->cpu, 0);
	run_to_us(s, 5000);
	run_block(s, 1);
	assert_true(runs_on(s, c, 1));
	assert_false(cpu_rq(s->m, 0)->dl.overloaded);
}

/* Each time the next earlier of what waits anywhere is pulled, in the CPUs' order. */
static void of_all_that_wait_the_earliest_is_pulled(void **state)
{
	run_scene *s = *state;
	struct task *runs[4], *waits[3];

	for (int cpu = 0; cpu < 4; cpu++)
		runs[cpu] = due_in_ms(s, cpu, 10);
	waits[0] = due_in_ms(s, 0, 40);
	waits[1] = due_in_ms(s, 1, 20);
	waits[2] = due_in_ms(s, 2, 30);
	for (int cpu = 0; cpu < 3; cpu++)
		assert_int_equal(waits[cpu]->cpu, cpu);
	run_to_us(s, 1000);
	run_block(s, 3);
	assert_true(runs_on(s, waits[1], 3));
	assert_int_equal(waits[2]->cpu, 2);
	assert_false(runs[3]->on_cpu);
}

/* It is about to run on CPU 0 when CPU 1 looks for work. */
static void who_is_about_to_run_is_not_pulled(void **state)
{
	run_scene *s = *state;
	struct task *t = due_in_ms(s, 0, 10);
	struct task *later;

	sleep_on(s, t, 0);
	later = due_in_ms(s, 0, 30);
	due_in_ms(s, 1, 20);
	try_to_wake_up(s->m, t, 0, 0, false);
	assert_true(cpu_rq(s->m, 0)->need_resched);
	sched_block(s->m, 1, TASK_INTERRUPTIBLE);
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 0));
	assert_int_equal(t->se.nr_migrations, 0);
	assert_true(runs_on(s, later, 1));
}

/*
 * CPU 1 runs what is due at 5 and keeps what is due at 18 waiting.  At 12 what runs on
 * CPU 0 changes from being due at 10 to 20, and lets that in.
 */
static void a_change_of_figures_lets_another_in(void **state)
{
	run_scene *s = *state;
	struct task *changes = due_in_ms(s, 0, 10), *waits;

	due_in_ms(s, 1, 5);
	waits = due_in_ms(s, 1, 18);
	assert_int_equal(waits->cpu, 1);
	run_to_us(s, 12000);
	assert_int_equal(try_deadline(s, changes, implicit(20000, 20000), 0), 0);
	assert_instance(changes, 8000000, 20000);
	assert_true(runs_on(s, waits, 0));
}

static void what_may_not_run_here_is_not_pulled(void **state)
{
	run_scene *s = *state;
	struct task *waits = fair_task(s, 0);
	struct cpumask cpus = cpumask_first_n(2);

	due_in_ms(s, 0, 10);
	due_in_ms(s, 1, 10);
	due_in_ms(s, 2, 10);
	set_cpus_allowed(s->m, waits, &cpus, 0);
	assert_int_equal(try_deadline(s, waits, implicit(20000, 20000), 0), 0);
	run_to_us(s, 1000);
	run_block(s, 2);
	assert_int_equal(waits->cpu, 0);
	run_block(s, 1);
	assert_true(runs_on(s, waits, 1));
}

/* Leaving the class counts as being done. */
static void who_leaves_the_class_lets_another_in(void **state)
{
	run_scene *s = *state;
	struct task *b, *c;

	due_in_ms(s, 0, 10);
	b = due_in_ms(s, 1, 20);
	c = due_in_ms(s, 0, 30);
	assert_int_equal(try_normal(s, b), 0);
	assert_true(runs_on(s, c, 1));
	assert_int_equal(b->cpu, 1);
}

/* Bandwidth and load go where the task goes. */
static void what_a_task_stands_for_moves_with_it(void **state)
{
	run_scene *s = *state;
	struct task *later = dl_task_on(s, 0, implicit(10000, 20000));
	struct dl_rq *dl[] = {&cpu_rq(s->m, 0)->dl, &cpu_rq(s->m, 1)->dl};

	assert_int_equal(dl[0]->this_bw, BW_ONE / 2);
	assert_int_equal(dl[0]->running_bw, BW_ONE / 2);
	run_to_us(s, 1000);
	sleep_on(s, later, 0);
	dl_task_on(s, 0, implicit(2500, 10000));
	assert_int_equal(dl[0]->this_bw, BW_ONE * 3 / 4);
	run_wake(s, later, 0);
	assert_true(runs_on(s, later, 1));
	assert_int_equal(dl[0]->this_bw, BW_ONE / 4);
	assert_int_equal(dl[0]->running_bw, BW_ONE / 4);
	assert_int_equal(dl[1]->this_bw, BW_ONE / 2);
	assert_int_equal(dl[1]->running_bw, BW_ONE / 2);
	assert_false(later->dl.inactive_timer.pending);
}

static void deadline_time_leaves_less_capacity_for_others(void **state)
{
	run_scene *s = *state;
	struct rq *rq = cpu_rq(s->m, 0);

	due_in_ms(s, 0, 100);
	run_ticking_to_us(s, 64000);
	/* Two half-lives of 32 periods of 1024 * 1024 ns less a little: below 3/4. */
	assert_in_range(rq->avg_dl.util_avg, 700, 768);
	assert_int_equal(rq->cfs.avg.util_avg, 0);
}

/* 100 ms of sleep do not count as deadline time when it wakes and runs 4 ms. */
static void time_before_it_came_is_not_its_own(void **state)
{
	run_scene *s = *state;
	struct task *t = due_in_ms(s, 0, 1000);

	sleep_on(s, t, 0);
	run_to_us(s, 100000);
	run_wake(s, t, 0);
	run_ticking_to_us(s, 104000);
	/* 1024 * (1 - 2^(-4 / 33.5)) is 81. */
	assert_in_range(cpu_rq(s->m, 0)->avg_dl.util_avg, 60, 100);
}

/* Room was made where it goes; where it was it is given up. */
static void to_another_root_domain_bandwidth_is_given_up(void **state)
{
	run_scene *s = *state;
	struct cpumask other = cpumask_of(1);
	struct task *t;

	rq_attach_root(cpu_rq(s->m, 1), root_domain_new(s->m));
	t = dl_task_on(s, 0, implicit(10000, 20000));
	assert_int_equal(s->m->rd.dl_bw.total_bw, BW_ONE / 2);
	assert_int_equal(set_cpus_allowed(s->m, t, &other, 0), 0);
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 1));
	assert_int_equal(s->m->rd.dl_bw.total_bw, 0);
	assert_int_equal(cpu_rq(s->m, 0)->dl.this_bw, 0);
	assert_int_equal(cpu_rq(s->m, 1)->dl.this_bw, BW_ONE / 2);
}

int main(void)
{
#define ON(setup, f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		ON(two_cpus, a_replenished_task_preempts_a_fair_one_where_it_is),
		ON(two_cpus, an_earlier_deadline_is_pushed_past_a_bound_task),
		ON(two_cpus, a_new_deadline_task_behind_another_is_pushed),
		ON(two_cpus, a_replenished_task_is_pushed_to_a_free_cpu),
		ON(two_cpus, a_pinned_task_is_not_pushed),
		ON(two_cpus, a_throttled_task_leaves_a_cpu_that_went_off),
		cmocka_unit_test(where_it_goes_cpus_that_are_off_bear_their_part),
		ON(two_cpus, a_cpu_that_went_off_has_nobody_to_pull),
		ON(two_cpus, a_cpu_without_work_pulls_who_waits),
		ON(two_by_two, of_all_that_wait_the_earliest_is_pulled),
		ON(two_cpus, who_is_about_to_run_is_not_pulled),
		ON(two_cpus, a_change_of_figures_lets_another_in),
		ON(two_by_two, what_may_not_run_here_is_not_pulled),
		ON(two_cpus, who_leaves_the_class_lets_another_in),
		ON(two_cpus, what_a_task_stands_for_moves_with_it),
		ON(two_cpus, time_before_it_came_is_not_its_own),
		ON(two_cpus, to_another_root_domain_bandwidth_is_given_up),
		ON(two_cpus, deadline_time_leaves_less_capacity_for_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
