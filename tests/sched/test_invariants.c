/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each invariant notices the fault it is there for.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/invariants.h"
#include "sched/task_group.h"
#include "schedsim/units.h"
#include "schedsim/wakeup.h"

struct watched {
	run_scene *s;
	invariants *inv;
	struct task *runs, *waits, *sleeps;
};

/* CPU 0 runs one task while another waits; a third sleeps on CPU 1. */
static int setup(void **state)
{
	struct watched *w = g_new0(struct watched, 1);

	w->s = run_scene_new("1n1l2c1t");
	w->inv = invariants_new(w->s->m);
	w->s->m->observers = invariants_observer(w->inv);
	w->sleeps = run_fork(w->s, 1, 0);
	run_to_us(w->s, 30);
	run_block(w->s, 1);
	w->runs = run_fork(w->s, 0, 0);
	w->waits = run_fork(w->s, 0, 0);
	run_to_us(w->s, 100);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct watched *w = *state;

	invariants_free(w->inv);
	run_scene_free(w->s);
	g_free(w);
	return 0;
}

static bool check(struct watched *w, GError **error)
{
	const struct task *tasks[] = {w->runs, w->waits, w->sleeps};

	return invariants_check(w->inv, w->s->m, tasks, 3, error);
}

static void assert_breach(struct watched *w, const char *message)
{
	GError *error = NULL;

	assert_false(check(w, &error));
	assert_error(error, INVARIANT_ERROR, 0, message);
}

static void a_sound_machine_passes(void **state)
{
	struct watched *w = *state;
	GError *error = NULL;

	assert_true(check(w, &error));
	assert_null(error);
	run_block(w->s, 0);
	run_wake(w->s, w->sleeps, 1);
	run_to_us(w->s, 500);
	run_block(w->s, 0);
	assert_true(check(w, &error));
}

static void a_task_left_in_h_nr_running_is_noticed(void **state)
{
	struct watched *w = *state;

	cpu_rq(w->s->m, 0)->cfs.h_nr_running++;
	assert_breach(w, "CPU 0: h_nr_running is 3 with 2 tasks");
}

static void a_queue_of_the_wrong_length_is_noticed(void **state)
{
	struct watched *w = *state;

	cpu_rq(w->s->m, 0)->cfs.nr_running--;
	assert_breach(w, "CPU 0: nr_running is 1 with 2 entities");
}

static void a_cpu_of_the_wrong_length_is_noticed(void **state)
{
	struct watched *w = *state;

	cpu_rq(w->s->m, 0)->nr_running = 1;
	assert_breach(w, "CPU 0: nr_running is 1 with 2 tasks queued");
}

static void a_real_time_task_too_many_is_noticed(void **state)
{
	struct watched *w = *state;

	cpu_rq(w->s->m, 0)->rt.rt_nr_running++;
	assert_breach(w, "CPU 0: rt_nr_running is 1 with 0 tasks");
}

static void a_deadline_task_too_many_is_noticed(void **state)
{
	struct watched *w = *state;

	cpu_rq(w->s->m, 1)->dl.dl_nr_running++;
	assert_breach(w, "CPU 1: dl_nr_running is 1 with 0 tasks");
}

/* Asleep on CPU 1, with a tenth of it: 2^20 / 10. */
static void reserve_for_the_sleeper(struct watched *w)
{
	struct sched_attr attr = {.sched_policy = POLICY_DEADLINE,
				  .sched_runtime = NSEC_PER_MSEC,
				  .sched_deadline = 10 * NSEC_PER_MSEC,
				  .sched_period = 10 * NSEC_PER_MSEC};

	struct cpumask all = cpumask_first_n(2);

	assert_int_equal(set_cpus_allowed(w->s->m, w->sleeps, &all, 0), 0);
	assert_int_equal(sched_setattr(w->s->m, w->sleeps, &attr, 0), 0);
	assert_true(check(w, NULL));
	w->sleeps->state = TASK_WAKING;
}

/* Whatever its wakeup before this one did. */
static void a_reservation_stays_with_a_wakeup_on_its_cpu(void **state)
{
	struct watched *w = *state;

	reserve_for_the_sleeper(w);
	w->sleeps->sched_remote_wakeup = true;
	assert_true(check(w, NULL));
	cpu_rq(w->s->m, 1)->dl.this_bw = 0;
	assert_breach(w, "CPU 1: this_bw is 0 with tasks of 104857");
}

static void a_reservation_is_nowhere_in_a_wakeup_to_another_cpu(void **state)
{
	struct watched *w = *state;

	reserve_for_the_sleeper(w);
	w->sleeps->wake_flags = WF_MIGRATED;
	assert_breach(w, "CPU 1: this_bw is 104857 with tasks of 0");
	cpu_rq(w->s->m, 1)->dl.this_bw = 0;
	assert_true(check(w, NULL));
}

static void a_weight_left_in_the_load_is_noticed(void **state)
{
	struct watched *w = *state;

	cpu_rq(w->s->m, 0)->cfs.load.weight += 1024;
	assert_breach(w, "CPU 0: load is 2098176 with weights of 2097152");
}

static void a_lost_wakeup_is_noticed(void **state)
{
	struct watched *w = *state;

	/* Woken by name only. */
	w->sleeps->state = TASK_RUNNING;
	assert_breach(w, "task: state 0 while on_rq is 0");
}

static void a_task_on_a_cpu_it_may_not_use_is_noticed(void **state)
{
	struct watched *w = *state;

	w->waits->cpus_mask = cpumask_of(1);
	assert_breach(w, "task: is queued on CPU 0, which it may not use");
}

static void a_task_that_runs_twice_is_noticed(void **state)
{
	struct watched *w = *state;

	w->waits->on_cpu = true;
	assert_breach(w, "task: on_cpu is 1 on CPU 0");
}

static void time_that_goes_back_is_noticed(void **state)
{
	struct watched *w = *state;

	assert_true(check(w, NULL));
	cpu_rq(w->s->m, 0)->cfs.min_vruntime--;
	assert_breach(w, "CPU 0: min_vruntime went back");
}

static void an_average_above_its_ceiling_is_noticed(void **state)
{
	struct watched *w = *state;

	w->sleeps->se.avg.load_avg = 1025;
	assert_breach(w, "task: load_avg 1025 exceeds its weight");
}

static void an_average_without_its_sum_is_noticed(void **state)
{
	struct watched *w = *state;

	cpu_rq(w->s->m, 0)->cfs.avg.load_sum = 0;
	assert_breach(w, "CPU 0: an average of the fair class without its sum");
}

/* source: set_load_weight() rescales load_avg in the fair class alone */
static void a_weight_that_falls_in_another_class_may_leave_its_load_behind(void **state)
{
	struct watched *w = *state;
	struct sched_attr fifo = {.sched_policy = POLICY_FIFO, .sched_priority = 1};
	struct sched_attr nice = {.sched_policy = POLICY_NORMAL, .sched_nice = 19};

	assert_int_equal(sched_setattr(w->s->m, w->sleeps, &fifo, 0), 0);
	assert_int_equal(sched_setattr(w->s->m, w->sleeps, &nice, 0), 0);
	assert_true(w->sleeps->se.avg.load_avg > 15);
	assert_true(check(w, NULL));
}

static void a_cpu_left_idle_over_a_task_is_noticed(void **state)
{
	struct watched *w = *state;

	try_to_wake_up(w->s->m, w->sleeps, 1, 0, false);
	cpu_rq(w->s->m, 1)->need_resched = false;
	assert_breach(w, "CPU 1: idles over 1 tasks, and nothing will wake it");
}

static void time_nobody_is_charged_for_is_noticed(void **state)
{
	struct watched *w = *state;

	run_block(w->s, 0);
	/* It starts late by its own account. */
	cpu_rq(w->s->m, 0)->curr->se.exec_start += 10;
	run_to_us(w->s, 200);
	run_block(w->s, 0);
	assert_breach(w, "CPU 0: ran for 170000 ns and charged 169990 ns");
}

/* All of the group's load is on CPU 0, where it has all of its shares. */
static void a_group_that_weighs_more_than_its_shares_is_noticed(void **state)
{
	struct watched *w = *state;
	struct task_group *tg = task_group_new(w->s->m, NULL);
	struct task *t = run_fork_in(w->s, 0, tg);
	const struct task *tasks[] = {w->runs, w->waits, w->sleeps, t};
	GError *error = NULL;

	/* Nobody told its queues. */
	tg->shares = 512 << 10;
	assert_false(invariants_check(w->inv, w->s->m, tasks, 4, &error));
	assert_error(error, INVARIANT_ERROR, 0,
		     "CPU 0: a group of 524288 shares has a weight of 1048576");
}

/* A new task's load is its weight. */
static void a_groups_load_that_is_not_of_its_queues_is_noticed(void **state)
{
	struct watched *w = *state;
	struct task_group *tg = task_group_new(w->s->m, NULL);
	struct task *t = run_fork_in(w->s, 0, tg);
	const struct task *tasks[] = {w->runs, w->waits, w->sleeps, t};
	GError *error = NULL;

	tg->load_avg++;
	assert_false(invariants_check(w->inv, w->s->m, tasks, 4, &error));
	assert_error(error, INVARIANT_ERROR, 0,
		     "a group's load_avg is 1025 with 1024 from its CPUs");
}

static void a_task_that_stays_on_a_cpu_that_goes_off_is_noticed(void **state)
{
	struct watched *w = *state;

	cpumask_clear(&w->s->m->active, 0);
	assert_breach(w, "CPU 0: runs task though it goes off");
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(a_sound_machine_passes),
		CLAIM(a_task_left_in_h_nr_running_is_noticed),
		CLAIM(a_queue_of_the_wrong_length_is_noticed),
		CLAIM(a_cpu_of_the_wrong_length_is_noticed),
		CLAIM(a_real_time_task_too_many_is_noticed),
		CLAIM(a_deadline_task_too_many_is_noticed),
		CLAIM(a_reservation_stays_with_a_wakeup_on_its_cpu),
		CLAIM(a_reservation_is_nowhere_in_a_wakeup_to_another_cpu),
		CLAIM(a_weight_left_in_the_load_is_noticed),
		CLAIM(a_lost_wakeup_is_noticed),
		CLAIM(a_task_on_a_cpu_it_may_not_use_is_noticed),
		CLAIM(a_task_that_runs_twice_is_noticed),
		CLAIM(time_that_goes_back_is_noticed),
		CLAIM(an_average_above_its_ceiling_is_noticed),
		CLAIM(an_average_without_its_sum_is_noticed),
		CLAIM(a_weight_that_falls_in_another_class_may_leave_its_load_behind),
		CLAIM(a_cpu_left_idle_over_a_task_is_noticed),
		CLAIM(time_nobody_is_charged_for_is_noticed),
		CLAIM(a_group_that_weighs_more_than_its_shares_is_noticed),
		CLAIM(a_groups_load_that_is_not_of_its_queues_is_noticed),
		CLAIM(a_task_that_stays_on_a_cpu_that_goes_off_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
