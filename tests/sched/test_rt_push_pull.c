/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPU a real-time task gets, and who moves when priorities change.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/class.h"
#include "sched/hotplug.h"
#include "schedsim/wakeup.h"

/* Four CPUs in two caches: 0 1 | 2 3. */
static int setup(void **state)
{
	*state = run_scene_new("1n2l2c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static struct task *fifo_on(run_scene *s, int cpu, unsigned priority,
			    struct cpumask cpus)
{
	return run_fork_rt(s, cpu, POLICY_FIFO, priority, &cpus);
}

static struct task *pinned(run_scene *s, int cpu, unsigned priority)
{
	return fifo_on(s, cpu, priority, cpumask_of(cpu));
}

static struct task *anywhere(run_scene *s, int cpu, unsigned priority)
{
	return fifo_on(s, cpu, priority, cpumask_first_n(4));
}

static struct cpumask two_cpus(int a, int b)
{
	struct cpumask mask = cpumask_of(a);

	cpumask_set(&mask, b);
	return mask;
}

/* A task of @priority that slept on @cpu and may run anywhere. */
static struct task *sleeper(run_scene *s, int cpu, unsigned priority)
{
	struct cpumask all = cpumask_first_n(4);
	struct task *t = pinned(s, cpu, priority);

	assert_true(runs_on(s, t, cpu));
	run_block(s, cpu);
	set_cpus_allowed(s->m, t, &all, cpu);
	return t;
}

/* The CPU chosen for sleeping @t when @this_cpu wakes it. */
static int choice(run_scene *s, struct task *t, int this_cpu)
{
	s->m->this_cpu = this_cpu;
	return t->sched_class->select_task_rq(s->m, t, t->cpu, this_cpu, WF_TTWU, true);
}

/* Where a wakee goes */

static void a_cpu_of_a_fair_task_is_taken(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	run_fork(s, 0, 0);
	assert_int_equal(choice(s, t, 3), 0);
}

static void a_lower_one_is_preempted_where_it_is(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	anywhere(s, 0, 9);
	assert_int_equal(choice(s, t, 3), 0);
}

static void an_equal_or_higher_one_is_avoided(void **state)
{
	run_scene *s = *state;
	struct task *low = sleeper(s, 0, 10);
	struct task *high = sleeper(s, 0, 20);

	anywhere(s, 0, 15);
	assert_int_equal(choice(s, low, 0), 1);
	assert_int_equal(choice(s, high, 0), 0);
	run_block(s, 0);
	anywhere(s, 0, 10);
	assert_int_equal(choice(s, low, 0), 1);
}

/* It could not make room by moving. */
static void a_lower_one_that_is_pinned_is_avoided(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	pinned(s, 0, 9);
	assert_int_equal(choice(s, t, 0), 1);
}

static void it_stays_where_no_cpu_is_lower(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	for (int cpu = 0; cpu < 4; cpu++)
		pinned(s, cpu, 10);
	assert_int_equal(choice(s, t, 3), 0);
}

static void only_wakeups_and_forks_look_around(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	pinned(s, 0, 20);
	assert_int_equal(t->sched_class->select_task_rq(s->m, t, 0, 3, WF_EXEC, true),
			 0);
	assert_int_equal(t->sched_class->select_task_rq(s->m, t, 0, 3, WF_FORK, true),
			 1);
}

/* CPUs 0 and 1 run at one low priority, which cannot move; it ran on 0. */
static void of_the_lowest_its_last_cpu_is_taken(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 1, 15);

	pinned(s, 0, 10);
	pinned(s, 1, 10);
	pinned(s, 2, 20);
	pinned(s, 3, 20);
	assert_int_equal(choice(s, t, 0), 1);
}

/* CPU 1 shares its cache with the last one, and the waker's CPU 3 does not. */
static void the_nearest_domain_comes_before_the_waker(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	pinned(s, 0, 20);
	assert_int_equal(choice(s, t, 3), 1);
}

static void within_a_domain_the_waker_is_taken(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	pinned(s, 0, 20);
	pinned(s, 1, 20);
	assert_int_equal(choice(s, t, 3), 3);
	assert_int_equal(choice(s, t, 2), 2);
}

/* As where NUMA nodes are far apart: there, distance is no reason to stay near. */
static void a_domain_without_affinity_is_passed_over(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	pinned(s, 0, 20);
	cpu_rq(s->m, 0)->sd->flags &= ~(uint32_t)SD_WAKE_AFFINE;
	assert_int_equal(choice(s, t, 3), 3);
}

/* Each search goes on behind what the last one found. */
static void others_of_a_domain_are_taken_in_turn(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);

	pinned(s, 0, 20);
	pinned(s, 1, 20);
	cpu_rq(s->m, 0)->distribute_cursor = 0;
	assert_int_equal(choice(s, t, 0), 2);
	assert_int_equal(choice(s, t, 0), 3);
	assert_int_equal(choice(s, t, 0), 2);
}

/* Nothing is lower than the fair tasks' CPUs, of which 2 is not allowed. */
static void affinity_is_kept(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 10);
	struct cpumask some = two_cpus(0, 3);

	pinned(s, 0, 20);
	set_cpus_allowed(s->m, t, &some, 0);
	assert_int_equal(choice(s, t, 2), 3);
}

/* As current it does; for what is queued on the CPU it does not count. */
static void a_stopper_passes_for_the_highest_priority(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper(s, 0, 50);
	struct rq *rq = cpu_rq(s->m, 0);

	rq->curr = rq->stop;
	assert_int_equal(choice(s, t, 3), 0);
	rq->curr = rq->idle;
	anywhere(s, 0, 20);
	rq->curr = rq->stop;
	assert_int_equal(choice(s, t, 3), 1);
}

/* Forks from CPU 0 fill the machine; then equals wait, and a higher one preempts. */
static void forks_spread_over_the_machine(void **state)
{
	run_scene *s = *state;
	struct task *a = anywhere(s, 0, 10);
	struct task *b = anywhere(s, 0, 10);
	struct task *c = anywhere(s, 0, 10);
	struct task *d = anywhere(s, 0, 10);
	struct task *e = anywhere(s, 0, 10);
	struct task *f = anywhere(s, 0, 11);

	assert_true(runs_on(s, b, 1));
	assert_true(runs_on(s, c, 2));
	assert_true(runs_on(s, d, 3));
	assert_true(runs_on(s, f, 0));
	assert_int_equal(a->cpu, 0);
	assert_int_equal(e->cpu, 0);
	run_block(s, 0);
	assert_true(runs_on(s, a, 0));
}

/* Pushing */

/*
 * Those of priority 30 come first, in their order; the one of 20 finds no CPU lower
 * any more.  The pinned one of 35 is not in their way.
 */
static void waiting_tasks_are_pushed_from_the_highest_on(void **state)
{
	run_scene *s = *state;
	struct task *running = pinned(s, 0, 40);
	struct task *low, *first, *second;

	for (int cpu = 1; cpu < 4; cpu++)
		pinned(s, cpu, 50);
	pinned(s, 0, 35);
	low = fifo_on(s, 0, 20, cpumask_first_n(3));
	first = fifo_on(s, 0, 30, two_cpus(0, 1));
	second = fifo_on(s, 0, 30, cpumask_first_n(3));
	/* Without pulling, as if CPUs 1 and 2 had been idle for long. */
	cpumask_clear(&s->m->rd.rto_mask, 0);
	run_block(s, 1);
	run_block(s, 2);
	cpumask_set(&s->m->rd.rto_mask, 0);
	assert_true(cpu_is_idle(s->m, 1) && cpu_is_idle(s->m, 2));

	do_sched_yield(s->m, 0);
	sched_resched_all(s->m);
	assert_true(runs_on(s, running, 0));
	assert_true(runs_on(s, first, 1));
	assert_true(runs_on(s, second, 2));
	assert_int_equal(low->cpu, 0);
	run_block(s, 2);
	assert_true(runs_on(s, low, 2));
	assert_false(cpu_rq(s->m, 0)->rt.overloaded);
}

/*
 * @low, a fair task waiting behind @curr, becomes the higher one: it is not pushed to
 * an idle CPU but runs, and @curr is pushed.
 */
static void what_comes_before_current_is_not_pushed(void **state)
{
	run_scene *s = *state;
	struct cpumask all = cpumask_first_n(4);
	struct sched_attr higher = {.sched_policy = POLICY_FIFO, .sched_priority = 50};
	struct task *low = run_fork(s, 0, 0);
	struct task *curr;

	set_cpus_allowed(s->m, low, &all, 0);
	curr = anywhere(s, 0, 40);
	assert_true(runs_on(s, curr, 0));
	assert_int_equal(sched_setattr(s->m, low, &higher, 0), 0);
	sched_resched_all(s->m);
	assert_true(runs_on(s, low, 0));
	assert_true(runs_on(s, curr, 1));
}

static void keep_waiting(void *data, struct rq *target)
{
}

/*
 * A wakee of priority 10 on its way to CPU 2 of the other cache, idle when it was
 * chosen.  It arrives when the test calls sched_ttwu_pending().
 */
static struct task *late_wakee(run_scene *s)
{
	struct task *t = sleeper(s, 2, 10);

	s->driver.send_ipi = keep_waiting;
	s->m->feat.TTWU_QUEUE = true;
	run_wake(s, t, 0);
	s->m->feat.TTWU_QUEUE = false;
	assert_int_equal(t->state, TASK_WAKING);
	return t;
}

static void arrive(run_scene *s)
{
	sched_ttwu_pending(cpu_rq(s->m, 2));
	sched_resched_all(s->m);
}

static void a_wakee_that_comes_too_late_is_pushed_on(void **state)
{
	run_scene *s = *state;
	struct task *late = late_wakee(s);

	pinned(s, 2, 20);
	arrive(s);
	assert_true(runs_on(s, late, 3));
}

/* Either could move, so current is left alone. */
static void between_equals_that_can_move_the_wakee_moves(void **state)
{
	run_scene *s = *state;
	struct task *late = late_wakee(s);
	struct task *curr = anywhere(s, 2, 10);

	arrive(s);
	assert_true(runs_on(s, curr, 2));
	assert_true(runs_on(s, late, 3));
}

/* One real-time task is no overload, even where it does not run. */
static void alone_behind_a_deadline_task_it_is_not_pushed(void **state)
{
	run_scene *s = *state;
	struct cpumask all = cpumask_first_n(4);
	struct sched_attr attr = {.sched_policy = POLICY_DEADLINE,
				  .sched_runtime = NSEC_PER_MSEC,
				  .sched_deadline = 10 * NSEC_PER_MSEC,
				  .sched_period = 10 * NSEC_PER_MSEC};
	struct task *late = late_wakee(s);
	struct task *deadline = run_fork(s, 2, 0);

	set_cpus_allowed(s->m, deadline, &all, 2);
	assert_int_equal(sched_setattr(s->m, deadline, &attr, 2), 0);
	arrive(s);
	assert_true(runs_on(s, deadline, 2));
	assert_int_equal(late->cpu, 2);
	assert_true(cpu_is_idle(s->m, 3));
}

/* Who runs next is settled anew anyway, so the pinned one does not pass current. */
static void nobody_passes_while_a_reschedule_is_due(void **state)
{
	run_scene *s = *state;
	struct task *bound = pinned(s, 0, 10);
	struct task *curr;

	run_block(s, 0);
	curr = anywhere(s, 0, 10);
	resched_curr(cpu_rq(s->m, 0));
	assert_true(try_to_wake_up(s->m, bound, 0, 0, false));
	sched_resched_all(s->m);
	assert_true(runs_on(s, curr, 0));
	assert_int_equal(bound->cpu, 0);
}

/* Pulling */

/* x may not use CPU 1, where y, though lower, then runs. */
static void the_highest_that_may_come_is_pulled(void **state)
{
	run_scene *s = *state;
	struct task *x, *y, *z;

	pinned(s, 0, 90);
	pinned(s, 1, 80);
	pinned(s, 2, 80);
	pinned(s, 3, 80);
	x = fifo_on(s, 0, 30, two_cpus(0, 2));
	z = fifo_on(s, 0, 10, two_cpus(0, 1));
	y = fifo_on(s, 0, 20, two_cpus(0, 1));
	run_block(s, 1);
	assert_true(runs_on(s, y, 1));
	assert_int_equal(x->cpu, 0);
	assert_int_equal(z->cpu, 0);
}

/* From CPU 0 comes low, from CPU 1 the higher middle, which runs. */
static void pulling_goes_on_to_all_cpus(void **state)
{
	run_scene *s = *state;
	struct task *low, *middle;

	for (int cpu = 0; cpu < 4; cpu++)
		pinned(s, cpu, 80);
	low = anywhere(s, 0, 10);
	middle = anywhere(s, 1, 20);
	run_block(s, 2);
	assert_true(runs_on(s, middle, 2));
	assert_int_equal(low->cpu, 2);
	assert_true(cpu_rq(s->m, 2)->rt.overloaded);
	assert_false(cpu_rq(s->m, 0)->rt.overloaded);
}

/* own would go on anyway: not higher than it means not wanted. */
static void only_what_would_run_at_once_is_pulled(void **state)
{
	run_scene *s = *state;
	struct task *own, *equal;

	for (int cpu = 0; cpu < 4; cpu++)
		pinned(s, cpu, 80);
	own = pinned(s, 1, 20);
	equal = anywhere(s, 0, 20);
	run_block(s, 1);
	assert_true(runs_on(s, own, 1));
	assert_int_equal(equal->cpu, 0);
}

/* CPU 0 is about to run what woke up there, and then pushes what it preempted. */
static void what_is_about_to_run_is_not_pulled(void **state)
{
	run_scene *s = *state;
	struct task *wakee = sleeper(s, 0, 30);
	struct task *curr = anywhere(s, 0, 10);

	for (int cpu = 1; cpu < 4; cpu++)
		pinned(s, cpu, 80);
	assert_true(try_to_wake_up(s->m, wakee, 0, 0, false));
	assert_int_equal(wakee->cpu, 0);
	sched_block(s->m, 1, TASK_INTERRUPTIBLE);
	assert_int_equal(wakee->cpu, 0);
	sched_resched_all(s->m);
	assert_true(runs_on(s, wakee, 0));
	assert_true(runs_on(s, curr, 1));
}

/*
 * What waits on CPU 1 was bound to it until now, and nobody pushes it.  CPU 0 takes
 * it when it would run less than before, and not as long as it yields among equals.
 */
static void a_cpu_that_runs_no_less_does_not_pull(void **state)
{
	run_scene *s = *state;
	struct cpumask all = cpumask_first_n(4);
	struct task *waits;

	for (int cpu = 1; cpu < 4; cpu++)
		pinned(s, cpu, 80);
	waits = pinned(s, 1, 30);
	pinned(s, 0, 20);
	pinned(s, 0, 20);
	set_cpus_allowed(s->m, waits, &all, 0);
	do_sched_yield(s->m, 0);
	assert_int_equal(waits->cpu, 1);
	run_block(s, 0);
	assert_int_equal(waits->cpu, 1);
	run_block(s, 0);
	assert_true(runs_on(s, waits, 0));
}

/* A CPU that goes on to a fair task lowers its priority as well. */
static void tasks_are_pulled_before_fair_ones_run(void **state)
{
	run_scene *s = *state;
	struct task *waiting;

	run_fork(s, 1, 0);
	for (int cpu = 0; cpu < 4; cpu++)
		pinned(s, cpu, 80);
	waiting = anywhere(s, 0, 1);
	run_block(s, 1);
	assert_true(runs_on(s, waiting, 1));
}

/* Overload */

static void two_tasks_of_which_one_can_move_are_overload(void **state)
{
	run_scene *s = *state;
	const struct root_domain *rd = &s->m->rd;
	struct cpumask both = two_cpus(0, 1);
	struct task *t;

	pinned(s, 1, 80);
	pinned(s, 0, 20);
	assert_int_equal(rd->rto_count, 0);
	t = pinned(s, 0, 10);
	assert_int_equal(rd->rto_count, 0);
	set_cpus_allowed(s->m, t, &both, 0);
	assert_int_equal(rd->rto_count, 1);
	assert_true(cpumask_test(&rd->rto_mask, 0));
	run_block(s, 0);
	assert_int_equal(rd->rto_count, 0);
	assert_true(cpumask_empty(&rd->rto_mask));
}

/* CPUs that went off */

static const struct root_domain *domain_of(const run_scene *s)
{
	return cpu_rq(s->m, 0)->rd;
}

/* One that waits there leaves; only the CPU it goes to may then have too many. */
static void a_cpu_that_went_off_counts_once_as_overloaded(void **state)
{
	run_scene *s = *state;
	struct cpumask near = two_cpus(0, 1);

	pinned(s, 1, 60);
	fifo_on(s, 0, 50, near);
	fifo_on(s, 0, 40, near);
	assert_int_equal(domain_of(s)->rto_count, 1);
	assert_true(cpumask_test(&domain_of(s)->rto_mask, 0));
	set_cpu_active(s->m, 0, false);
	assert_int_equal(domain_of(s)->rto_count, 0);
	sched_resched_all(s->m);
	assert_int_equal(cpu_rq(s->m, 1)->rt.rt_nr_running, 3);
	assert_int_equal(domain_of(s)->rto_count, 1);
	assert_true(cpumask_test(&domain_of(s)->rto_mask, 1));
	set_cpu_active(s->m, 0, true);
	assert_int_equal(domain_of(s)->rto_count, 1);
}

/* A kernel thread bound to the CPU is the last to run there. */
static void a_cpu_that_went_off_pulls_nobody(void **state)
{
	run_scene *s = *state;
	struct task *waits;

	pinned(s, 0, 60)->per_cpu_kthread = true;
	pinned(s, 1, 50);
	waits = fifo_on(s, 1, 20, two_cpus(0, 1));
	assert_int_equal(waits->cpu, 1);
	set_cpu_active(s->m, 0, false);
	sched_resched_all(s->m);
	run_block(s, 0);
	assert_true(cpu_is_idle(s->m, 0));
	assert_int_equal(waits->cpu, 1);
	assert_int_equal(waits->se.nr_migrations, 0);
}

static void the_priority_of_a_cpu_that_went_off_is_nobodys_offer(void **state)
{
	run_scene *s = *state;

	pinned(s, 0, 60)->per_cpu_kthread = true;
	set_cpu_active(s->m, 0, false);
	sched_resched_all(s->m);
	assert_int_equal(domain_of(s)->cpupri.level[0], CPUPRI_INVALID);
	run_block(s, 0);
	assert_int_equal(domain_of(s)->cpupri.level[0], CPUPRI_INVALID);
	set_cpu_active(s->m, 0, true);
	assert_int_equal(domain_of(s)->cpupri.level[0], 0);
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(a_cpu_of_a_fair_task_is_taken),
		CLAIM(a_lower_one_is_preempted_where_it_is),
		CLAIM(an_equal_or_higher_one_is_avoided),
		CLAIM(a_lower_one_that_is_pinned_is_avoided),
		CLAIM(it_stays_where_no_cpu_is_lower),
		CLAIM(only_wakeups_and_forks_look_around),
		CLAIM(of_the_lowest_its_last_cpu_is_taken),
		CLAIM(the_nearest_domain_comes_before_the_waker),
		CLAIM(within_a_domain_the_waker_is_taken),
		CLAIM(a_domain_without_affinity_is_passed_over),
		CLAIM(others_of_a_domain_are_taken_in_turn),
		CLAIM(affinity_is_kept),
		CLAIM(a_stopper_passes_for_the_highest_priority),
		CLAIM(forks_spread_over_the_machine),
		CLAIM(waiting_tasks_are_pushed_from_the_highest_on),
		CLAIM(what_comes_before_current_is_not_pushed),
		CLAIM(a_wakee_that_comes_too_late_is_pushed_on),
		CLAIM(between_equals_that_can_move_the_wakee_moves),
		CLAIM(alone_behind_a_deadline_task_it_is_not_pushed),
		CLAIM(nobody_passes_while_a_reschedule_is_due),
		CLAIM(the_highest_that_may_come_is_pulled),
		CLAIM(pulling_goes_on_to_all_cpus),
		CLAIM(only_what_would_run_at_once_is_pulled),
		CLAIM(what_is_about_to_run_is_not_pulled),
		CLAIM(a_cpu_that_runs_no_less_does_not_pull),
		CLAIM(tasks_are_pulled_before_fair_ones_run),
		CLAIM(two_tasks_of_which_one_can_move_are_overload),
		CLAIM(a_cpu_that_went_off_counts_once_as_overloaded),
		CLAIM(a_cpu_that_went_off_pulls_nobody),
		CLAIM(the_priority_of_a_cpu_that_went_off_is_nobodys_offer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
