/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which reservations are accepted, and the errno of the others.  CPUs have the
 * kernel's limit of 0.95 unless a test sets another.
 */
#include "test.h"

#include "dl_scene.h"
#include "sched/dl_internal.h"
#include "sched/rt_limit.h"

#include <errno.h>

static int two_cpus(void **state)
{
	*state = run_scene_new("1n1l2c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static int ask(run_scene *s, uint64_t runtime_ns, uint64_t deadline_ns,
	       uint64_t period_ns)
{
	struct task *t = fair_task(s, 0);
	struct sched_attr attr = {
		.sched_policy = POLICY_DEADLINE,
		.sched_runtime = runtime_ns,
		.sched_deadline = deadline_ns,
		.sched_period = period_ns,
	};
	int error = sched_setattr(s->m, t, &attr, 0);

	assert_int_equal(t->policy, error ? POLICY_NORMAL : POLICY_DEADLINE);
	return error;
}

static void the_least_runtime_is_1024_ns(void **state)
{
	assert_int_equal(ask(*state, 1023, 100000, 100000), -EINVAL);
	assert_int_equal(ask(*state, 1024, 100000, 100000), 0);
}

static void periods_are_100_us_to_4194304_us(void **state)
{
	run_scene *s = *state;

	assert_int_equal(ask(s, 2000, 99999, 99999), -EINVAL);
	assert_int_equal(ask(s, 2000, 100000, 100000), 0);
	assert_int_equal(ask(s, 2000, 4194304000, 4194304000), 0);
	assert_int_equal(ask(s, 2000, 4194304000, 4194304001), -EINVAL);
	s->m->tunables.sched_deadline_period_min_us = 50;
	s->m->tunables.sched_deadline_period_max_us = 5000000;
	assert_int_equal(ask(s, 2000, 50000, 50000), 0);
	assert_int_equal(ask(s, 2000, 4194304000, 5000000000), 0);
}

/* It is the period that has limits; a deadline may be shorter. */
static void runtime_deadline_and_period_come_in_this_order(void **state)
{
	assert_int_equal(ask(*state, 2001, 2000, 100000), -EINVAL);
	assert_int_equal(ask(*state, 2000, 2000, 100000), 0);
	assert_int_equal(ask(*state, 2000, 100001, 100000), -EINVAL);
	assert_int_equal(ask(*state, 2000, 0, 100000), -EINVAL);
}

static void a_period_of_0_is_the_deadline(void **state)
{
	run_scene *s = *state;

	assert_int_equal(ask(s, 25000, 100000, 0), 0);
	assert_int_equal(s->tasks[0].dl.dl_period, 100000);
	assert_int_equal(s->tasks[0].dl.dl_bw, BW_ONE / 4);
	assert_int_equal(ask(s, 2000, 99999, 0), -EINVAL);
}

static void the_upper_half_of_64_bits_is_no_time(void **state)
{
	run_scene *s = *state;

	s->m->tunables.sched_deadline_period_max_us = UINT64_MAX / 1000;
	assert_int_equal(ask(s, 2000, 1ULL << 63, 1ULL << 63), -EINVAL);
	assert_int_equal(ask(s, 2000, 100000, 1ULL << 63), -EINVAL);
	assert_int_equal(ask(s, 2000, (1ULL << 63) - 1, (1ULL << 63) - 1), 0);
}

static void density_goes_by_the_deadline_and_bandwidth_by_the_period(void **state)
{
	run_scene *s = *state;

	assert_int_equal(ask(s, 1000000, 2000000, 8000000), 0);
	assert_int_equal(s->tasks[0].dl.dl_density, BW_ONE / 2);
	assert_int_equal(s->tasks[0].dl.dl_bw, BW_ONE / 8);
	assert_int_equal(s->m->rd.dl_bw.total_bw, BW_ONE / 8);
}

/* Two CPUs have 2 * 996147 = 1992294; 95 of 100 twice are exactly that. */
static void exactly_the_limit_is_accepted_and_no_more(void **state)
{
	run_scene *s = *state;

	assert_int_equal(ask(s, 950000, 1000000, 1000000), 0);
	assert_int_equal(ask(s, 950000, 1000000, 1000000), 0);
	assert_int_equal(s->m->rd.dl_bw.total_bw, 1992294);
	assert_int_equal(ask(s, 1024, 4194304000, 4194304000), 0);
	assert_int_equal(ask(s, 4001, 4194304000, 4194304000), -EBUSY);
	assert_int_equal(s->m->rd.dl_bw.total_bw, 1992294);
}

/* The limit is of capacity: of 1024 + 512 it leaves 1494220. */
static void slow_cpus_count_by_their_capacity(void **state)
{
	run_scene *s = *state;

	cpu_rq(s->m, 1)->cpu_capacity_orig = 512;
	assert_int_equal(ask(s, 950000, 1000000, 1000000), 0);
	assert_int_equal(ask(s, 476000, 1000000, 1000000), -EBUSY);
	assert_int_equal(ask(s, 474000, 1000000, 1000000), 0);
}

static void a_change_counts_the_difference_alone(void **state)
{
	run_scene *s = *state;
	struct task *a = fair_task(s, 0), *b = fair_task(s, 0);

	assert_int_equal(try_deadline(s, a, implicit(900, 1000), 0), 0);
	assert_int_equal(try_deadline(s, b, implicit(900, 1000), 0), 0);
	assert_int_equal(try_deadline(s, a, implicit(1000, 1000), 0), 0);
	assert_int_equal(try_deadline(s, b, implicit(901, 1000), 0), -EBUSY);
	assert_int_equal(b->dl.dl_runtime, 900000);
	assert_int_equal(try_deadline(s, b, implicit(800, 1000), 0), 0);
	assert_int_equal(s->m->rd.dl_bw.total_bw, to_ratio(10, 10) + to_ratio(10, 8));
}

/* Same bandwidth, other period: accepted though the domain is over its limit. */
static void the_same_bandwidth_is_not_looked_at(void **state)
{
	run_scene *s = *state;
	struct task *t = fair_task(s, 0);

	assert_int_equal(try_deadline(s, t, implicit(500, 1000), 0), 0);
	s->m->rd.dl_bw.bw = 1;
	assert_int_equal(try_deadline(s, t, implicit(1000, 2000), 0), 0);
	assert_int_equal(t->dl.dl_period, 2000000);
	assert_int_equal(try_deadline(s, t, implicit(400, 1000), 0), -EBUSY);
}

static void a_task_bound_to_a_part_of_the_root_domain_may_not(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	assert_int_equal(try_deadline(s, t, implicit(100, 1000), 0), -EPERM);
	/* EINVAL comes before it. */
	assert_int_equal(try_deadline(s, t, implicit(0, 1000), 0), -EINVAL);
	assert_int_equal(set_rt_limit(s->m, 1000000, RT_RUNTIME_UNLIMITED), 0);
	assert_int_equal(try_deadline(s, t, implicit(100, 1000), 0), 0);
}

static void without_a_limit_everybody_may(void **state)
{
	run_scene *s = *state;

	assert_int_equal(set_rt_limit(s->m, 1000000, RT_RUNTIME_UNLIMITED), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(ask(s, 1000000, 1000000, 1000000), 0);
	assert_int_equal(s->m->rd.dl_bw.total_bw, 5 * BW_ONE);
}

static void a_limit_of_0_lets_nobody_in(void **state)
{
	run_scene *s = *state;

	assert_int_equal(set_rt_limit(s->m, 1000000, 0), 0);
	assert_int_equal(ask(s, 2000, 100000, 100000), -EPERM);
}

static void a_limit_below_what_is_promised_is_refused(void **state)
{
	run_scene *s = *state;

	assert_int_equal(ask(s, 500000, 1000000, 1000000), 0);
	assert_int_equal(ask(s, 500000, 1000000, 1000000), 0);
	assert_int_equal(set_rt_limit(s->m, 1000000, 499999), -EBUSY);
	assert_int_equal(s->m->tunables.sched_rt_runtime_us, 950000);
	assert_int_equal(set_rt_limit(s->m, 1000000, 500000), 0);
	assert_int_equal(s->m->rd.dl_bw.bw, BW_ONE / 2);
}

static void a_limit_is_a_part_of_its_period(void **state)
{
	run_scene *s = *state;

	assert_int_equal(set_rt_limit(s->m, 1000, 1001), -EINVAL);
	assert_int_equal(set_rt_limit(s->m, 0, 0), -EINVAL);
	assert_int_equal(set_rt_limit(s->m, 1000, 1000), 0);
	assert_int_equal(s->m->tunables.sched_rt_period_us, 1000);
}

/* Offline CPUs have nothing to promise. */
static void a_cpu_that_goes_offline_may_be_needed(void **state)
{
	run_scene *s = *state;

	assert_int_equal(ask(s, 900000, 1000000, 1000000), 0);
	cpumask_clear(&s->m->active, 1);
	assert_int_equal(dl_bw_check_overflow(s->m, 1), 0);
	cpumask_set(&s->m->active, 1);
	assert_int_equal(ask(s, 100000, 1000000, 1000000), 0);
	cpumask_clear(&s->m->active, 1);
	assert_int_equal(dl_bw_check_overflow(s->m, 1), -EBUSY);
	assert_int_equal(ask(s, 2000, 100000, 100000), -EBUSY);
}

static void an_admitted_task_may_not_give_up_cpus(void **state)
{
	run_scene *s = *state;
	struct cpumask first = cpumask_of(0), both = cpumask_first_n(2);
	struct task *t = dl_task_on(s, 0, implicit(100, 1000));

	assert_int_equal(dl_check_affinity(s->m, t, &first), -EBUSY);
	assert_int_equal(dl_check_affinity(s->m, t, &both), 0);
	assert_int_equal(dl_check_affinity(s->m, fair_task(s, 0), &first), 0);
	set_rt_limit(s->m, 1000000, RT_RUNTIME_UNLIMITED);
	assert_int_equal(dl_check_affinity(s->m, t, &first), 0);
}

static void deadline_tasks_do_not_fork(void **state)
{
	run_scene *s = *state;
	struct cpumask all = cpumask_first_n(2);
	struct task child = {0};

	assert_int_equal(sched_fork(s->m, &child, POLICY_DEADLINE, 0, &all, 0),
			 -EAGAIN);
}

static void other_flags_are_refused(void **state)
{
	run_scene *s = *state;
	struct task *t = fair_task(s, 0);

	assert_int_equal(try_deadline(s, t, implicit(100, 1000), 1U << 31), -EINVAL);
	assert_int_equal(try_deadline(s, t, implicit(100, 1000), SCHED_FLAG_RECLAIM),
			 0);
	assert_int_equal(t->dl.flags, SCHED_FLAG_RECLAIM);
}

int main(void)
{
#define DL_TEST(f) cmocka_unit_test_setup_teardown(f, two_cpus, teardown)
	const struct CMUnitTest tests[] = {
		DL_TEST(the_least_runtime_is_1024_ns),
		DL_TEST(periods_are_100_us_to_4194304_us),
		DL_TEST(runtime_deadline_and_period_come_in_this_order),
		DL_TEST(a_period_of_0_is_the_deadline),
		DL_TEST(the_upper_half_of_64_bits_is_no_time),
		DL_TEST(density_goes_by_the_deadline_and_bandwidth_by_the_period),
		DL_TEST(exactly_the_limit_is_accepted_and_no_more),
		DL_TEST(slow_cpus_count_by_their_capacity),
		DL_TEST(a_change_counts_the_difference_alone),
		DL_TEST(the_same_bandwidth_is_not_looked_at),
		DL_TEST(a_task_bound_to_a_part_of_the_root_domain_may_not),
		DL_TEST(without_a_limit_everybody_may),
		DL_TEST(a_limit_of_0_lets_nobody_in),
		DL_TEST(a_limit_below_what_is_promised_is_refused),
		DL_TEST(a_limit_is_a_part_of_its_period),
		DL_TEST(a_cpu_that_goes_offline_may_be_needed),
		DL_TEST(an_admitted_task_may_not_give_up_cpus),
		DL_TEST(deadline_tasks_do_not_fork),
		DL_TEST(other_flags_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
