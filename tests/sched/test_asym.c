/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wakeups and forks on CPUs of unequal capacity: CPUs 0 to 3 have 446 of 1024, as on
 * Arm's Juno, and 4 to 7 all of it.
 *
 * A task fits where its utilisation * 1280 is below the capacity * 1024: on a CPU of
 * 446 (446 * 1024 = 456704) up to 356, on one of 1024 (1048576) up to 819.
 */
#include "test.h"

#include "model/machine_new.h"
#include "sched/asym.h"
#include "sched/core.h"
#include "sched/profile.h"
#include "sched/uclamp.h"
#include "wake_scene.h"

static int one_cache(void **state)
{
	*state = wake_scene_new("1n1l8c1t/4x446");
	return 0;
}

static int two_caches(void **state)
{
	*state = wake_scene_new("1n2l4c1t/4x446");
	return 0;
}

static int teardown(void **state)
{
	wake_scene_free(*state);
	return 0;
}

static struct task *sleeper(wake_scene *s, int cpu, uint64_t util)
{
	struct task *t = scene_sleeper(s, cpu, 0);

	t->se.avg.util_avg = util;
	return t;
}

static void clamp(wake_scene *s, struct task *t, unsigned flag, int value)
{
	struct sched_attr attr = {.sched_flags = SCHED_FLAG_KEEP_ALL | flag,
				  .sched_util_min = value,
				  .sched_util_max = value};

	assert_int_equal(uclamp_validate(scene_machine(s), t, &attr), 0);
	uclamp_setscheduler(scene_machine(s), t, &attr);
}

static void boost(wake_scene *s, struct task *t, int util_min)
{
	clamp(s, t, SCHED_FLAG_UTIL_CLAMP_MIN, util_min);
}

static void cap(wake_scene *s, struct task *t, int util_max)
{
	clamp(s, t, SCHED_FLAG_UTIL_CLAMP_MAX, util_max);
}

/* Woken on the CPU it ran on last. */
static struct wakeup wake(wake_scene *s, struct task *t)
{
	return scene_wake(s, t->cpu, t, 0);
}

static void assert_went(struct wakeup w, int cpu, const char *stage, const char *reason)
{
	assert_int_equal(w.cpu, cpu);
	assert_string_equal(w.stage, stage);
	assert_string_equal(w.reason, reason);
}

static void set_capacity(wake_scene *s, int cpu, uint64_t capacity)
{
	cpu_rq(scene_machine(s), cpu)->cpu_capacity = capacity;
}

/* 300 * 1280 = 384000 < 456704 */
static void a_task_of_300_stays_on_a_little_cpu(void **state)
{
	assert_went(wake(*state, sleeper(*state, 1, 300)), 1, "select_idle_sibling",
		    "target is idle");
}

/* 400 * 1280 = 512000 >= 456704; from CPU 1 on, 4 is the first that is enough. */
static void a_task_of_400_goes_to_the_first_big_cpu(void **state)
{
	struct wakeup w = wake(*state, sleeper(*state, 1, 400));

	assert_went(w, 4, "select_idle_capacity",
		    "first idle CPU that the task fits on");
	assert_true(w.searched);
	assert_true(w.search_hit);
	assert_int_equal(w.probes, 4);
}

/* 356 * 1280 = 455680, 357 * 1280 = 456960 */
static void the_bound_is_strict(void **state)
{
	assert_int_equal(wake(*state, sleeper(*state, 0, 356)).cpu, 0);
	assert_int_equal(wake(*state, sleeper(*state, 0, 357)).cpu, 4);
}

/* What counts is the greater of the average and the estimate. */
static void an_estimate_counts(void **state)
{
	struct task *t = sleeper(*state, 0, 100);

	t->se.avg.util_est.ewma = 400;
	assert_int_equal(wake(*state, t).cpu, 4);
}

/*
 * Two half-lives, 64 periods, leave a quarter of 1000: 249, for the last factor of the
 * table is 2^32 - 1 and not 2^32.
 */
static void the_average_is_brought_up_to_date_first(void **state)
{
	wake_scene *s = *state;
	struct task *t = sleeper(s, 0, 1000);

	t->se.avg.util_sum = 1000 * 46718;
	t->se.avg.last_update_time -= 64 * 1024 * 1024;
	assert_int_equal(wake(s, t).cpu, 0);
	assert_int_equal(t->se.avg.util_avg, 249);
}

static void busy_big_cpus_leave_the_first_of_the_best_idle_ones(void **state)
{
	wake_scene *s = *state;

	scene_occupy(s, "4-7");
	assert_went(wake(s, sleeper(s, 2, 400)), 2, "select_idle_capacity",
		    "the task fits on no idle CPU: the best of them");
	set_capacity(s, 1, 400);
	set_capacity(s, 2, 440);
	set_capacity(s, 3, 430);
	set_capacity(s, 0, 435);
	assert_int_equal(wake(s, sleeper(s, 1, 400)).cpu, 2);
}

static void with_no_idle_cpu_it_is_the_target(void **state)
{
	scene_occupy(*state, "0-7");
	assert_went(wake(*state, sleeper(*state, 2, 400)), 2, "select_idle_capacity",
		    "no idle CPU found: target");
}

/* 900 * 1280 = 1152000: too much for any, so the biggest. */
static void what_fits_nowhere_gets_the_biggest(void **state)
{
	assert_int_equal(wake(*state, sleeper(*state, 1, 900)).cpu, 4);
}

static void prev_in_the_same_cache_must_fit_too(void **state)
{
	wake_scene *s = *state;
	struct task *t = sleeper(s, 1, 400);

	scene_runner(s, 5, 0);
	/* The target, the waker's, is busy and prev too small: from 5 on, 6. */
	assert_int_equal(scene_wake(s, 5, t, WF_SYNC).cpu, 6);
}

static void the_cpu_used_before_prev_must_fit_too(void **state)
{
	wake_scene *s = *state;
	struct task *t = sleeper(s, 4, 400);

	scene_occupy(s, "4");
	t->recent_used_cpu = 2;
	assert_int_equal(wake(s, t).cpu, 5);
	t = sleeper(s, 4, 300);
	t->recent_used_cpu = 2;
	assert_int_equal(wake(s, t).cpu, 2);
}

/* As one that completes its IO, on prev, which runs nothing else. */
static void to_stack_on_a_kthread_it_must_fit_too(void **state)
{
	wake_scene *s = *state;

	scene_runner(s, 1, 0)->per_cpu_kthread = true;
	assert_int_equal(wake(s, sleeper(s, 1, 300)).cpu, 1);
	assert_int_equal(wake(s, sleeper(s, 1, 400)).cpu, 4);
}

static void other_caches_are_searched_too(void **state)
{
	assert_int_equal(wake(*state, sleeper(*state, 1, 400)).cpu, 4);
}

static void affinity_bounds_the_search(void **state)
{
	struct task *t = sleeper(*state, 1, 400);

	t->cpus_mask = cpumask_of(1);
	cpumask_set(&t->cpus_mask, 6);
	assert_int_equal(wake(*state, t).cpu, 6);
}

/* CPUs 0 and 1 are alike among themselves, on a machine where others differ. */
static void an_island_of_like_cpus_is_searched_as_a_cache(void **state)
{
	wake_scene *s = *state;
	struct machine *m = scene_machine(s);
	struct cpumask all = m->active, island = cpumask_first_n(2);
	struct cpumask rest = cpumask_andnot(&all, &island);
	struct task *t = sleeper(s, 0, 400);

	domains_detach(m, &all);
	assert_int_equal(m->asym_cpucap, 0);
	domains_build_for(m, &island, -1);
	assert_int_equal(m->asym_cpucap, 0);
	domains_build_for(m, &rest, -1);
	assert_int_equal(m->asym_cpucap, 1);
	assert_null(cpu_rq(m, 0)->sd_asym_cpucapacity);
	assert_non_null(cpu_rq(m, 2)->sd_asym_cpucapacity);
	scene_nr_idle_scan(s, 2);

	t->cpus_mask = island;
	/* Idle, but the target does not fit; the search asks for no fit. */
	assert_went(wake(s, t), 1, "select_idle_cpu", "first idle CPU of the search");
}

/* Clamps */

/* 446 < 600, so the wish is not met; the utilisation alone would fit. */
static void a_small_task_with_a_wish_of_600_goes_big(void **state)
{
	struct task *t = sleeper(*state, 1, 50);

	assert_int_equal(wake(*state, t).cpu, 1);
	boost(*state, t, 600);
	assert_int_equal(wake(*state, t).cpu, 4);
	/* A wish is about the CPU as built, and takes no 20 % on top. */
	boost(*state, t, 446);
	t->cpu = 1;
	assert_int_equal(wake(*state, t).cpu, 1);
	boost(*state, t, 447);
	assert_int_equal(wake(*state, t).cpu, 4);
}

/* Both would have to wait for the wish; one has room for the utilisation at least. */
static void a_cpu_that_lacks_the_wish_alone_is_better_than_one_too_small(void **state)
{
	wake_scene *s = *state;
	struct task *t = sleeper(s, 0, 300);

	boost(s, t, 600);
	scene_occupy(s, "4-6");
	/* Pressed down, CPU 7 has 374: 300 * 1280 = 384000 > 382976. */
	set_capacity(s, 7, 374);
	set_capacity(s, 0, 374);
	assert_went(wake(s, t), 1, "select_idle_capacity",
		    "the task fits on no idle CPU: the best of them");
}

/* 900 is too much for a CPU of 446, but it is to count as 200 at most. */
static void a_heavy_task_capped_at_200_stays_little(void **state)
{
	struct task *t = sleeper(*state, 1, 900);

	cap(*state, t, 200);
	assert_int_equal(wake(*state, t).cpu, 1);
	cap(*state, t, 446);
	assert_int_equal(wake(*state, t).cpu, 1);
	/* No longer of use on a CPU of 446; on one of 1024 it is. */
	cap(*state, t, 447);
	assert_int_equal(wake(*state, t).cpu, 4);
}

static int fits(wake_scene *s, uint64_t util, unsigned min, unsigned max, int cpu)
{
	const struct cpu_demand d = {util, min, max};

	return util_fits_cpu(scene_machine(s), &d, cpu);
}

static void the_verdict_on_a_cpu(void **state)
{
	static const struct {
		uint64_t util;
		unsigned min, max;
		int little, big;
	} cases[] = {
		{819, 0, 1024, 0, 1},
		{820, 0, 1024, 0, 0},
		/* 1024 of 1024 is no cap, so that a full CPU is not taken to fit */
		{1000, 0, 1024, 0, 0},
		{1000, 0, 1023, 0, 1},
		{300, 600, 1024, -1, 1},
		{400, 600, 1024, 0, 1},
		/* the cap is above the wish */
		{50, 600, 400, 1, 1},
		{50, 1024, 1024, -1, 1},
		/* more than the wish is used */
		{350, 340, 1024, 1, 1},
	};
	wake_scene *s = *state;

	scene_machine(s)->uclamp_used = true;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		assert_int_equal(fits(s, cases[i].util, cases[i].min, cases[i].max, 0),
				 cases[i].little);
		assert_int_equal(fits(s, cases[i].util, cases[i].min, cases[i].max, 4),
				 cases[i].big);
	}
}

/* Nobody set one: clamps are not looked at, not even the defaults of a real-time task.
 */
static void without_a_clamp_in_use_utilisation_alone_counts(void **state)
{
	assert_int_equal(fits(*state, 50, 1024, 1024, 0), 1);
	assert_int_equal(fits(*state, 900, 0, 200, 0), 0);
}

/* 6.1.0: 400 * 1280 > 456704, while 400 <= 446 satisfies later kernels. */
static void the_first_kernel_applies_clamps_to_the_utilisation(void **state)
{
	wake_scene *s = *state;

	scene_machine(s)->uclamp_used = true;
	assert_int_equal(fits(s, 50, 400, 1024, 0), 1);
	scene_machine(s)->profile = kernel_profile_find("6.1.0");
	assert_int_equal(fits(s, 50, 400, 1024, 0), 0);
	assert_int_equal(fits(s, 900, 0, 200, 0), 1);
	assert_int_equal(fits(s, 900, 0, 400, 0), 0);
}

static void on_like_cpus_clamps_mean_nothing(void **state)
{
	g_autoptr(wake_scene) s = wake_scene_new("1n1l8c1t");
	struct task *t = sleeper(s, 1, 1000);

	assert_int_equal(scene_machine(s)->asym_cpucap, 0);
	assert_null(cpu_rq(scene_machine(s), 0)->sd_asym_cpucapacity);
	boost(s, t, 1024);
	assert_int_equal(wake(s, t).cpu, 1);
}

/* Forks */

static void idle_since(wake_scene *s, int cpu, uint64_t ms)
{
	cpu_rq(scene_machine(s), cpu)->idle_stamp = ms * NSEC_PER_MSEC;
}

/* As prev of an exec; CPU 6 went idle last of the group that has CPUs to fit. */
static void what_does_not_fit_in_a_group_leaves_it(void **state)
{
	wake_scene *s = *state;
	struct task *t = scene_runner(s, 0, 0);

	for (int cpu = 1; cpu < 8; cpu++)
		idle_since(s, cpu, cpu == 6 ? 20 : 10);
	scene_occupy(s, "4,5,7");
	/* 300: the little group has more idle CPUs and stays. */
	t->se.avg.util_avg = 300;
	assert_int_equal(scene_place(s, 0, t, WF_EXEC).cpu, 0);
	t->se.avg.util_avg = 400;
	assert_int_equal(scene_place(s, 0, t, WF_EXEC).cpu, 6);
}

/* 900 fits in neither: the one of greater capacity. */
static void what_fits_in_no_group_goes_to_the_bigger(void **state)
{
	wake_scene *s = *state;
	struct task *t = scene_runner(s, 0, 0);

	idle_since(s, 5, 10);
	t->se.avg.util_avg = 900;
	assert_int_equal(scene_place(s, 0, t, WF_EXEC).cpu, 5);
}

#define ONE(f) cmocka_unit_test_setup_teardown(f, one_cache, teardown)
#define TWO(f) cmocka_unit_test_setup_teardown(f, two_caches, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(a_task_of_300_stays_on_a_little_cpu),
		ONE(a_task_of_400_goes_to_the_first_big_cpu),
		ONE(the_bound_is_strict),
		ONE(an_estimate_counts),
		ONE(the_average_is_brought_up_to_date_first),
		ONE(busy_big_cpus_leave_the_first_of_the_best_idle_ones),
		ONE(with_no_idle_cpu_it_is_the_target),
		ONE(what_fits_nowhere_gets_the_biggest),
		ONE(prev_in_the_same_cache_must_fit_too),
		ONE(the_cpu_used_before_prev_must_fit_too),
		ONE(to_stack_on_a_kthread_it_must_fit_too),
		TWO(other_caches_are_searched_too),
		ONE(affinity_bounds_the_search),
		ONE(an_island_of_like_cpus_is_searched_as_a_cache),
		ONE(a_small_task_with_a_wish_of_600_goes_big),
		ONE(a_cpu_that_lacks_the_wish_alone_is_better_than_one_too_small),
		ONE(a_heavy_task_capped_at_200_stays_little),
		ONE(the_verdict_on_a_cpu),
		ONE(without_a_clamp_in_use_utilisation_alone_counts),
		ONE(the_first_kernel_applies_clamps_to_the_utilisation),
		cmocka_unit_test(on_like_cpus_clamps_mean_nothing),
		TWO(what_does_not_fit_in_a_group_leaves_it),
		TWO(what_fits_in_no_group_goes_to_the_bigger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
