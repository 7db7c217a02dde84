/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which limits a kernel accepts.  Bounds: tg_set_cfs_bandwidth() of 6.1.
 */
#include "test.h"

#include "bandwidth_scene.h"

#include <errno.h>

#define MS(x) ((uint64_t)(x)*NSEC_PER_MSEC)
#define RUNTIME_MAX_NS (((1ULL << 44) - 1) * 1000)

static int setup(void **state)
{
	return bw_setup(state, "1n1l1c1t");
}

static int set(struct bw_scene *sc, struct task_group *tg, uint64_t period_ns,
	       uint64_t quota_ns, uint64_t burst_ns, bool unified)
{
	struct cfs_limit limit = {period_ns, quota_ns, burst_ns};

	return tg_set_cfs_bandwidth(sc->s->m, tg, &limit, unified);
}

static void values_have_bounds(void **state)
{
	static const struct {
		uint64_t period_ns, quota_ns, burst_ns;
		int result;
	} cases[] = {
		{MS(1), MS(1), 0, 0},
		{MS(1) - 1, MS(1), 0, -EINVAL},
		{MS(1), MS(1) - 1, 0, -EINVAL},
		{MS(1000), MS(1), 0, 0},
		{MS(1000) + 1, MS(1), 0, -EINVAL},
		{MS(100), RUNTIME_MAX_NS, 0, 0},
		{MS(100), RUNTIME_MAX_NS + 1, 0, -EINVAL},
		{MS(100), MS(10), MS(10), 0},
		{MS(100), MS(10), MS(10) + 1, -EINVAL},
		{MS(100), RUNTIME_MAX_NS - MS(1), MS(1), 0},
		{MS(100), RUNTIME_MAX_NS - MS(1), MS(1) + 1, -EINVAL},
		{MS(100), RUNTIME_INF - 1, 2, -EINVAL},
		/* Without a quota a burst means nothing and is taken. */
		{MS(100), RUNTIME_INF, MS(10), 0},
		{MS(1) - 1, RUNTIME_INF, 0, -EINVAL},
	};
	struct bw_scene *sc = *state;
	struct task_group *tg = task_group_new(sc->s->m, NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_int_equal(set(sc, tg, cases[i].period_ns, cases[i].quota_ns,
				     cases[i].burst_ns, true),
				 cases[i].result);
}

static void the_root_has_no_limit(void **state)
{
	struct bw_scene *sc = *state;

	assert_int_equal(set(sc, &sc->s->m->root_tg, MS(100), MS(10), 0, true),
			 -EINVAL);
}

static void a_refused_limit_changes_nothing(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *tg = bw_group(sc, NULL, MS(10));
	struct cfs_limit limit;

	assert_int_equal(set(sc, tg, MS(100), MS(20), MS(30), true), -EINVAL);
	limit = tg_cfs_limit(tg);
	assert_int_equal(limit.period_ns, MS(100));
	assert_int_equal(limit.quota_ns, MS(10));
	assert_int_equal(limit.burst_ns, 0);
}

static void a_group_never_limited_has_the_default_period(void **state)
{
	struct bw_scene *sc = *state;
	struct cfs_limit limit = tg_cfs_limit(task_group_new(sc->s->m, NULL));

	assert_int_equal(limit.period_ns, MS(100));
	assert_int_equal(limit.quota_ns, RUNTIME_INF);
	assert_int_equal(limit.burst_ns, 0);
}

/* Shares of a CPU, whatever the periods; between them is a group without a limit. */
static void in_v1_nobody_has_more_than_a_group_above(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *top = task_group_new(sc->s->m, NULL);
	struct task_group *middle = task_group_new(sc->s->m, top);
	struct task_group *low = task_group_new(sc->s->m, middle);

	assert_int_equal(set(sc, top, MS(100), MS(50), 0, false), 0);
	assert_int_equal(set(sc, low, MS(10), MS(6), 0, false), -EINVAL);
	assert_int_equal(set(sc, low, MS(10), MS(5), 0, false), 0);
	assert_int_equal(set(sc, top, MS(100), MS(49), 0, false), -EINVAL);
	assert_int_equal(set(sc, middle, MS(100), MS(49), 0, false), -EINVAL);
	assert_int_equal(set(sc, middle, MS(1000), MS(500), 0, false), 0);
	assert_int_equal(set(sc, top, MS(100), RUNTIME_INF, 0, false), 0);
	assert_int_equal(set(sc, middle, MS(1000), MS(600), 0, false), 0);
}

static void in_v2_a_child_may_be_given_more(void **state)
{
	struct bw_scene *sc = *state;
	struct task_group *top = bw_group(sc, NULL, MS(10));
	struct task_group *low = task_group_new(sc->s->m, top);

	assert_int_equal(set(sc, low, MS(100), MS(50), 0, true), 0);
	assert_int_equal(sc->s->m->nr_cfs_limits, 2);
	assert_int_equal(set(sc, low, MS(100), RUNTIME_INF, 0, true), 0);
	assert_int_equal(sc->s->m->nr_cfs_limits, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, bw_teardown)
		TEST(values_have_bounds),
		TEST(the_root_has_no_limit),
		TEST(a_refused_limit_changes_nothing),
		TEST(a_group_never_limited_has_the_default_period),
		TEST(in_v1_nobody_has_more_than_a_group_above),
		TEST(in_v2_a_child_may_be_given_more),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
