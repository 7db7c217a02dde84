/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Active bandwidth: when a task's share is free for others, and what it costs to run
 * while it is (GRUB).
 */
#include "test.h"

#include "dl_scene.h"
#include "sched/dl_internal.h"

#include <errno.h>

static int one_cpu(void **state)
{
	*state = dl_scene_new("1n1l1c1t");
	return 0;
}

/* With the kernel's limit, 0.95 of a CPU. */
static int limited_cpu(void **state)
{
	*state = run_scene_new("1n1l1c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static void run_exit(run_scene *s, int cpu)
{
	sched_exit(s->m, cpu);
	sched_resched_all(s->m);
}

static uint64_t running_bw(const run_scene *s)
{
	return cpu_rq(s->m, 0)->dl.running_bw;
}

static uint64_t this_bw(const run_scene *s)
{
	return cpu_rq(s->m, 0)->dl.this_bw;
}

/*
 * Two tasks of 40 of 80 ms.  T1 blocks at 20 with 20 left, so its 0-lag time is 80 -
 * 20 * 80 / 40 = 40: running_bw falls from 1 to 0.5 then, and rises at 80 when T1
 * wakes.  T2 runs from 20 on and is charged half from 40 on: 20 + 20 at 80.
 *
 * source: the example of Documentation/scheduler/sched-deadline.rst, 2.2 Bandwidth
 * reclaiming, a unit being 10 ms
 */
static void reclaiming_as_in_the_kernels_documentation(void **state)
{
	run_scene *s = *state;
	struct task *t1 = fair_task(s, 0), *t2 = fair_task(s, 0);

	try_deadline(s, t1, implicit(40000, 80000), SCHED_FLAG_RECLAIM);
	try_deadline(s, t2, implicit(40000, 80000), SCHED_FLAG_RECLAIM);
	assert_true(runs_on(s, t1, 0));
	assert_int_equal(running_bw(s), BW_ONE);
	run_to_us(s, 20000);
	run_block(s, 0);
	assert_instance(t1, 20000000, 80000);
	assert_true(t1->dl.dl_non_contending);
	assert_int_equal(t1->dl.inactive_timer.at_ns, RUN_START_NS + 40000000);
	assert_int_equal(running_bw(s), BW_ONE);

	/* Charged in full up to the last ns before; of the rest half, rounded down. */
	run_to_ns(s, 39999999);
	run_tick(s, 0);
	assert_instance(t2, 40000000 - 19999999, 80000);
	run_to_us(s, 40000);
	assert_int_equal(running_bw(s), BW_ONE / 2);
	assert_int_equal(this_bw(s), BW_ONE);
	run_to_ns(s, 79999999);
	run_tick(s, 0);
	assert_instance(t2, 20000001 - 20000000, 80000);
	run_to_us(s, 80000);
	run_wake(s, t1, 0);
	assert_int_equal(running_bw(s), BW_ONE);
}

/*
 * What is free when the time is charged counts for all of it: the tick at 40 comes
 * right after the 0-lag time, so the 4 ms before cost 2.
 */
static void a_charge_goes_by_what_is_active_at_its_end(void **state)
{
	run_scene *s = *state;
	struct task *t1 = fair_task(s, 0), *t2 = fair_task(s, 0);

	try_deadline(s, t1, implicit(40000, 80000), SCHED_FLAG_RECLAIM);
	try_deadline(s, t2, implicit(40000, 80000), SCHED_FLAG_RECLAIM);
	run_to_us(s, 20000);
	run_block(s, 0);
	run_ticking_to_us(s, 36000);
	assert_instance(t2, 24000000, 80000);
	run_ticking_to_us(s, 40000);
	assert_instance(t2, 22000000, 80000);
}

/*
 * Alone with 0.5 of a CPU whose limit is 996147: the limit has 471859 left, so it is
 * charged 1048576 - 471859 = 576717 of 1048576, for 4 ms 2200000 ns.
 */
static void alone_it_is_charged_what_the_limit_leaves(void **state)
{
	run_scene *s = *state;
	struct task *t = fair_task(s, 0);

	try_deadline(s, t, implicit(10000, 20000), SCHED_FLAG_RECLAIM);
	assert_int_equal(cpu_rq(s->m, 0)->dl.extra_bw, 471859);
	run_ticking_to_us(s, 4000);
	assert_instance(t, 10000000 - 2200000, 20000);
}

/*
 * 0.25 on a machine of two CPUs takes 131072 from each one's 996147, so 865075 is more
 * than what u / limit leaves: 0.25 * 269 / 256 = 275456, for 4 ms 1050781 ns.
 */
static void never_less_than_its_share_of_the_limit(void **state)
{
	g_autoptr(run_scene) s = run_scene_new("1n1l2c1t");
	struct task *t = fair_task(s, 0);

	try_deadline(s, t, implicit(5000, 20000), SCHED_FLAG_RECLAIM);
	assert_int_equal(cpu_rq(s->m, 0)->dl.bw_ratio, 269);
	assert_int_equal(cpu_rq(s->m, 0)->dl.extra_bw, 865075);
	assert_int_equal(cpu_rq(s->m, 1)->dl.extra_bw, 865075);
	run_ticking_to_us(s, 4000);
	assert_instance(t, 5000000 - 1050781, 20000);
}

/*
 * Without a limit 0.5 of two CPUs leave 0.75 of each: it is charged its share, 2 of 4
 * ms.
 */
static void without_a_limit_its_share_is_the_least(void **state)
{
	g_autoptr(run_scene) s = dl_scene_new("1n1l2c1t");
	struct task *t = fair_task(s, 0);

	try_deadline(s, t, implicit(10000, 20000), SCHED_FLAG_RECLAIM);
	assert_int_equal(cpu_rq(s->m, 0)->dl.extra_bw, BW_ONE * 3 / 4);
	run_ticking_to_us(s, 4000);
	assert_instance(t, 8000000, 20000);
}

static void who_does_not_reclaim_is_charged_in_full(void **state)
{
	run_scene *s = *state;
	struct task *t = fair_task(s, 0);

	try_deadline(s, t, implicit(10000, 20000), 0);
	run_ticking_to_us(s, 4000);
	assert_instance(t, 6000000, 20000);
}

/* 4 of 8 ms, asleep at 1 with 3 left: 0-lag at 2.  Awake at 1.5 it never was idle. */
static void awake_before_its_zero_lag_time_it_stays_active(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	run_block(s, 0);
	run_to_us(s, 1500);
	run_wake(s, t, 0);
	assert_false(t->dl.inactive_timer.pending);
	run_to_us(s, 3000);
	assert_int_equal(running_bw(s), BW_ONE / 2);
}

static void awake_after_it_it_becomes_active_again(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	run_block(s, 0);
	run_to_us(s, 2000);
	assert_int_equal(running_bw(s), 0);
	assert_int_equal(this_bw(s), BW_ONE / 2);
	run_to_us(s, 2500);
	run_wake(s, t, 0);
	assert_int_equal(running_bw(s), BW_ONE / 2);
}

/* Asleep with an overrun of 4 ms: the 0-lag time 8 + 4 * 8 / 4 = 16 is still to come.
 */
static void an_overrun_puts_the_zero_lag_time_off(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 7999);
	run_block(s, 0);
	assert_int_equal(t->dl.runtime, -3999000);
	run_to_ns(s, 15997999);
	assert_int_equal(running_bw(s), BW_ONE / 2);
	run_to_ns(s, 15998000);
	assert_int_equal(running_bw(s), 0);
}

/* Asleep at 1.001 with 3.999 of 4 ms left: 0-lag was at 0.002. */
static void past_its_zero_lag_time_it_is_inactive_at_once(void **state)
{
	run_scene *s = *state;
	struct task *first = dl_task_on(s, 0, implicit(1000, 4000));
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	run_block(s, 0);
	run_to_us(s, 1001);
	assert_true(runs_on(s, t, 0));
	run_block(s, 0);
	assert_false(t->dl.dl_non_contending);
	assert_int_equal(running_bw(s), first->dl.dl_bw);
}

/*
 * 4 of 8 ms; at 1 it dies with 3 left.  Until 2 its half of the CPU is promised; from
 * then on a new task may have it.
 */
static void the_dead_keep_their_bandwidth_until_zero_lag(void **state)
{
	run_scene *s = *state;
	struct task *heir;

	assert_int_equal(try_deadline(s, fair_task(s, 0), implicit(4000, 8000), 0), 0);
	run_to_us(s, 1000);
	run_exit(s, 0);
	assert_int_equal(s->m->rd.dl_bw.total_bw, BW_ONE / 2);
	assert_int_equal(this_bw(s), BW_ONE / 2);
	heir = fair_task(s, 0);
	run_to_us(s, 1999);
	assert_int_equal(try_deadline(s, heir, implicit(4000, 8000), 0), -EBUSY);
	run_to_us(s, 2000);
	assert_int_equal(s->m->rd.dl_bw.total_bw, 0);
	assert_int_equal(this_bw(s), 0);
	assert_int_equal(running_bw(s), 0);
	assert_int_equal(try_deadline(s, heir, implicit(4000, 8000), 0), 0);
	assert_int_equal(s->m->rd.dl_bw.total_bw, BW_ONE / 2);
}

/* Dead at 1.001 with 3.999 of 4 ms left, its 0-lag time was at 0.002. */
static void the_dead_past_zero_lag_keep_nothing(void **state)
{
	run_scene *s = *state;
	struct task *first = dl_task_on(s, 0, implicit(1000, 4000));
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	run_block(s, 0);
	run_to_us(s, 1001);
	assert_true(runs_on(s, t, 0));
	run_exit(s, 0);
	assert_int_equal(s->m->rd.dl_bw.total_bw, first->dl.dl_bw);
	assert_int_equal(this_bw(s), first->dl.dl_bw);
	assert_int_equal(running_bw(s), first->dl.dl_bw);
}

/* At 2, with 2 of 4 ms left: 0-lag is 4. */
static void who_leaves_the_class_is_promised_until_zero_lag(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 2000);
	assert_int_equal(try_normal(s, t), 0);
	assert_int_equal(this_bw(s), 0);
	assert_int_equal(running_bw(s), 0);
	run_to_us(s, 3999);
	assert_int_equal(s->m->rd.dl_bw.total_bw, BW_ONE / 2);
	run_to_us(s, 4000);
	assert_int_equal(s->m->rd.dl_bw.total_bw, 0);
	assert_int_equal(t->dl.dl_runtime, 0);
}

/* Back at 3, before 4: the same instance goes on, promised once. */
static void who_comes_back_before_goes_on_where_he_was(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 2000);
	try_normal(s, t);
	run_to_us(s, 3000);
	assert_int_equal(try_deadline(s, t, implicit(4000, 8000), 0), 0);
	assert_instance(t, 2000000, 8000);
	assert_false(t->dl.inactive_timer.pending);
	run_to_us(s, 4500);
	assert_int_equal(s->m->rd.dl_bw.total_bw, BW_ONE / 2);
	assert_int_equal(running_bw(s), BW_ONE / 2);
}

/* Asleep, its 0-lag time to come: both lose it at once, the root domain at 2. */
static void a_sleeper_that_leaves_takes_its_bandwidth_along(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	run_block(s, 0);
	try_normal(s, t);
	assert_int_equal(this_bw(s), 0);
	assert_int_equal(running_bw(s), 0);
	assert_int_equal(s->m->rd.dl_bw.total_bw, BW_ONE / 2);
	run_to_us(s, 2000);
	assert_int_equal(s->m->rd.dl_bw.total_bw, 0);
	run_wake(s, t, 0);
	assert_int_equal(running_bw(s), 0);
}

/* A change of a sleeper's figures takes its old share off at once. */
static void a_sleeper_may_change_its_share(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	run_block(s, 0);
	assert_int_equal(try_deadline(s, t, implicit(2000, 8000), 0), 0);
	assert_int_equal(running_bw(s), 0);
	assert_int_equal(this_bw(s), BW_ONE / 4);
	assert_int_equal(s->m->rd.dl_bw.total_bw, BW_ONE / 4);
	run_wake(s, t, 0);
	assert_int_equal(running_bw(s), BW_ONE / 4);
}

/* A running one's new figures hold from its next instance on. */
static void a_running_task_may_change_its_share(void **state)
{
	run_scene *s = *state;
	struct task *t = dl_task_on(s, 0, implicit(4000, 8000));

	run_to_us(s, 1000);
	assert_int_equal(try_deadline(s, t, implicit(2000, 16000), 0), 0);
	assert_instance(t, 3000000, 8000);
	assert_int_equal(running_bw(s), BW_ONE / 8);
	assert_int_equal(this_bw(s), BW_ONE / 8);
	assert_int_equal(s->m->rd.dl_bw.total_bw, BW_ONE / 8);
	run_to_us(s, 4000);
	run_tick(s, 0);
	assert_instance(t, 0, 8000);
	/* 8 - 16 + 16: what the new figures make of the old deadline. */
	assert_int_equal(t->dl.dl_timer.at_ns, RUN_START_NS + 8000000);
	run_to_us(s, 8000);
	assert_instance(t, 2000000, 24000);
}

int main(void)
{
#define ON(setup, f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		ON(one_cpu, reclaiming_as_in_the_kernels_documentation),
		ON(one_cpu, a_charge_goes_by_what_is_active_at_its_end),
		ON(limited_cpu, alone_it_is_charged_what_the_limit_leaves),
		cmocka_unit_test(never_less_than_its_share_of_the_limit),
		cmocka_unit_test(without_a_limit_its_share_is_the_least),
		ON(limited_cpu, who_does_not_reclaim_is_charged_in_full),
		ON(one_cpu, awake_before_its_zero_lag_time_it_stays_active),
		ON(one_cpu, awake_after_it_it_becomes_active_again),
		ON(one_cpu, an_overrun_puts_the_zero_lag_time_off),
		ON(one_cpu, past_its_zero_lag_time_it_is_inactive_at_once),
		ON(limited_cpu, the_dead_keep_their_bandwidth_until_zero_lag),
		ON(one_cpu, the_dead_past_zero_lag_keep_nothing),
		ON(one_cpu, who_leaves_the_class_is_promised_until_zero_lag),
		ON(one_cpu, who_comes_back_before_goes_on_where_he_was),
		ON(one_cpu, a_sleeper_that_leaves_takes_its_bandwidth_along),
		ON(one_cpu, a_sleeper_may_change_its_share),
		ON(one_cpu, a_running_task_may_change_its_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
