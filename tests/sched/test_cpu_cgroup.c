/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control files of the cpu controller: what each value means, and which errno the
 * kernel has for the others.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/bandwidth.h"
#include "sched/cpu_cgroup.h"

#include <errno.h>

#define MS(x) ((uint64_t)(x)*NSEC_PER_MSEC)

struct scene {
	run_scene *s;
	cgroup_tree *tree;
};

static int setup_of(void **state, enum cgroup_version version)
{
	const struct cgroup_controller *controllers[NR_CGROUP_SUBSYS] = {
		[CGROUP_CPU] = &cpu_cgroup};
	struct scene *sc = g_new0(struct scene, 1);

	sc->s = run_scene_new("1n1l1c1t");
	sc->tree = cgroup_tree_new(sc->s->m, version, controllers);
	assert_int_equal(cgroup_mkdir(sc->tree, "/web"), 0);
	*state = sc;
	return 0;
}

static int setup(void **state)
{
	return setup_of(state, CGROUP_V2);
}

static int setup_v1(void **state)
{
	return setup_of(state, CGROUP_V1);
}

static int teardown(void **state)
{
	struct scene *sc = *state;

	cgroup_tree_free(sc->tree);
	run_scene_free(sc->s);
	g_free(sc);
	return 0;
}

static struct task_group *web(struct scene *sc)
{
	return cgroup_tg(cgroup_find(sc->tree, "/web"));
}

static int put(struct scene *sc, const char *file, const char *text)
{
	return cgroup_write(sc->tree, "/web", file, text);
}

struct case_u64 {
	const char *text;
	int result;
	uint64_t shares; /* afterwards */
};

static void assert_shares(struct scene *sc, const char *file,
			  const struct case_u64 *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(put(sc, file, cases[i].text), cases[i].result);
		assert_int_equal(web(sc)->shares, cases[i].shares << LOAD_SHIFT);
	}
}

static void weight_is_in_hundredths_of_1024(void **state)
{
	static const struct case_u64 cases[] = {
		{"200", 0, 2048},       {"100", 0, 1024},
		{"1", 0, 10},           {"10000", 0, 102400},
		{"0", -ERANGE, 102400}, {"10001", -ERANGE, 102400},
		{"3", 0, 31},           {"150", 0, 1536},
		{"-1", -EINVAL, 1536},  {"a", -EINVAL, 1536},
	};

	assert_shares(*state, "cpu.weight", cases, G_N_ELEMENTS(cases));
}

static void weight_nice_is_the_weight_of_a_task(void **state)
{
	static const struct case_u64 cases[] = {
		{"0", 0, 1024},      {"-20", 0, 88761},    {"19", 0, 15},
		{"20", -ERANGE, 15}, {"-21", -ERANGE, 15}, {"5", 0, 335},
	};

	assert_shares(*state, "cpu.weight.nice", cases, G_N_ELEMENTS(cases));
}

/* Of 1024, to the closest; two decimals count. */
static void clamps_are_percentages(void **state)
{
	static const struct {
		const char *text;
		int result;
		unsigned value; /* afterwards */
	} cases[] = {
		{"50", 0, 512},
		{"max", 0, 1024},
		{"12.5", 0, 128},
		{" 33.33\n", 0, 341},
		{"0", 0, 0},
		{"100", 0, 1024},
		{"0.05", 0, 1},
		{"0.04", 0, 0},
		/* 0.044 is 0.04 and 0.045 0.05 */
		{"0.045", 0, 1},
		{"0.044", 0, 0},
		{"7.", 0, 72},
		{"7 of 8", 0, 72},
		{"100.01", -ERANGE, 72},
		{"-1", -ERANGE, 72},
		{"99999999999999999999", -ERANGE, 72},

		{"x", -EINVAL, 72},
		{".5", -EINVAL, 72},
		{"5.-1", -EINVAL, 72},
		{"-0", 0, 0},
	};
	static const char *const files[] = {"cpu.uclamp.min", "cpu.uclamp.max"};
	struct scene *sc = *state;

	for (enum uclamp_id id = 0; id < UCLAMP_CNT; id++)
		for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
			assert_int_equal(put(sc, files[id], cases[i].text),
					 cases[i].result);
			assert_int_equal(web(sc)->uclamp_req[id], cases[i].value);
		}
	assert_true(sc->s->m->uclamp_used);
}

static void the_root_has_no_clamps(void **state)
{
	struct scene *sc = *state;

	assert_int_equal(cgroup_write(sc->tree, "/", "cpu.uclamp.min", "50"), -ENOENT);
}

static void shares_are_clamped_and_never_refused(void **state)
{
	static const struct case_u64 cases[] = {
		{"2048", 0, 2048},
		{"0", 0, 2},
		{"1", 0, 2},
		{"262144", 0, 262144},
		{"262145", 0, 262144},
		{"18014398509481983", 0, 262144},
		/* Above what can be scaled, which would wrap to 0. */
		{"18014398509481984", 0, 262144},
		{"18446744073709551615", 0, 262144},
		{"x", -EINVAL, 262144},
	};

	assert_shares(*state, "cpu.shares", cases, G_N_ELEMENTS(cases));
}

static void idle_takes_the_weight_away(void **state)
{
	struct scene *sc = *state;

	assert_int_equal(put(sc, "cpu.idle", "1"), 0);
	assert_true(web(sc)->idle);
	assert_int_equal(web(sc)->shares, 3 << LOAD_SHIFT);
	assert_int_equal(put(sc, "cpu.weight", "100"), -EINVAL);
	assert_int_equal(put(sc, "cpu.weight.nice", "0"), -EINVAL);
	assert_int_equal(put(sc, "cpu.idle", "2"), -EINVAL);
	assert_int_equal(put(sc, "cpu.idle", "-1"), -EINVAL);
	assert_int_equal(put(sc, "cpu.idle", "0"), 0);
	assert_int_equal(put(sc, "cpu.weight", "100"), 0);
}

struct case_limit {
	const char *file, *text;
	int result;
	struct cfs_limit limit; /* afterwards */
};

static void assert_limits(struct scene *sc, const struct case_limit *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct cfs_limit limit;

		assert_int_equal(put(sc, cases[i].file, cases[i].text),
				 cases[i].result);
		limit = tg_cfs_limit(web(sc));
		assert_int_equal(limit.period_ns, cases[i].limit.period_ns);
		assert_int_equal(limit.quota_ns, cases[i].limit.quota_ns);
		assert_int_equal(limit.burst_ns, cases[i].limit.burst_ns);
	}
}

static void max_is_a_quota_and_perhaps_a_period(void **state)
{
	static const struct case_limit cases[] = {
		{"cpu.max", "20000", 0, {MS(100), MS(20), 0}},
		{"cpu.max", "20000 50000", 0, {MS(50), MS(20), 0}},
		{"cpu.max", " 30000\n", 0, {MS(50), MS(30), 0}},
		{"cpu.max", "max", 0, {MS(50), RUNTIME_INF, 0}},
		{"cpu.max", "max 100000", 0, {MS(100), RUNTIME_INF, 0}},
		{"cpu.max", "999", -EINVAL, {MS(100), RUNTIME_INF, 0}},
		{"cpu.max", "1000 999", -EINVAL, {MS(100), RUNTIME_INF, 0}},
		{"cpu.max", "1000 1000001", -EINVAL, {MS(100), RUNTIME_INF, 0}},
		{"cpu.max", "-1", -EINVAL, {MS(100), RUNTIME_INF, 0}},
		{"cpu.max", "maximum", -EINVAL, {MS(100), RUNTIME_INF, 0}},
		{"cpu.max", " ", -EINVAL, {MS(100), RUNTIME_INF, 0}},
		/* sscanf() is content with a beginning. */
		{"cpu.max", "40000us", 0, {MS(100), MS(40), 0}},
		{"cpu.max", "50000 ms", 0, {MS(100), MS(50), 0}},
		{"cpu.max", "60000 20000us", 0, {MS(20), MS(60), 0}},
		{"cpu.max.burst", "60000", 0, {MS(20), MS(60), MS(60)}},
		{"cpu.max.burst", "60001", -EINVAL, {MS(20), MS(60), MS(60)}},
		/* The burst stays, and is too much for this quota. */
		{"cpu.max", "50000", -EINVAL, {MS(20), MS(60), MS(60)}},
		{"cpu.max.burst",
		 "18446744073729552",
		 -EINVAL,
		 {MS(20), MS(60), MS(60)}},
	};

	assert_limits(*state, cases, G_N_ELEMENTS(cases));
}

static void v1_has_a_file_for_each(void **state)
{
	static const struct case_limit cases[] = {
		{"cpu.cfs_quota_us", "20000", 0, {MS(100), MS(20), 0}},
		{"cpu.cfs_period_us", "50000", 0, {MS(50), MS(20), 0}},
		{"cpu.cfs_burst_us", "10000", 0, {MS(50), MS(20), MS(10)}},
		{"cpu.cfs_quota_us", "0", -EINVAL, {MS(50), MS(20), MS(10)}},
		{"cpu.cfs_quota_us",
		 "18446744073729552",
		 -EINVAL,
		 {MS(50), MS(20), MS(10)}},
		{"cpu.cfs_period_us", "0", -EINVAL, {MS(50), MS(20), MS(10)}},
		{"cpu.cfs_period_us",
		 "18446744073729552",
		 -EINVAL,
		 {MS(50), MS(20), MS(10)}},
		{"cpu.cfs_burst_us", "-1", -EINVAL, {MS(50), MS(20), MS(10)}},
		{"cpu.cfs_quota_us", "-1", 0, {MS(50), RUNTIME_INF, MS(10)}},
		{"cpu.cfs_quota_us", "-7", 0, {MS(50), RUNTIME_INF, MS(10)}},
		{"cpu.max", "20000", -ENOENT, {MS(50), RUNTIME_INF, MS(10)}},
	};

	assert_limits(*state, cases, G_N_ELEMENTS(cases));
}

static void v1_s_root_has_files_that_refuse(void **state)
{
	struct scene *sc = *state;

	assert_int_equal(cgroup_write(sc->tree, "/", "cpu.shares", "5"), -EINVAL);
	assert_int_equal(cgroup_write(sc->tree, "/", "cpu.idle", "1"), -EINVAL);
	assert_int_equal(cgroup_write(sc->tree, "/", "cpu.cfs_quota_us", "5000"),
			 -EINVAL);
}

static void v2_s_root_has_none(void **state)
{
	struct scene *sc = *state;

	assert_int_equal(cgroup_write(sc->tree, "/", "cpu.weight", "5"), -ENOENT);
	assert_int_equal(cgroup_write(sc->tree, "/", "cpu.max", "max"), -ENOENT);
}

/* The share of a child is held against its parent's only in version 1. */
static void versions_differ_in_what_a_child_may_have(void **state)
{
	struct scene *sc = *state;
	bool v1 = sc->tree->version == CGROUP_V1;
	const char *file = v1 ? "cpu.cfs_quota_us" : "cpu.max";

	assert_int_equal(cgroup_mkdir(sc->tree, "/web/a"), 0);
	assert_int_equal(put(sc, file, "20000"), 0);
	assert_int_equal(cgroup_write(sc->tree, "/web/a", file, "30000"),
			 v1 ? -EINVAL : 0);
}

static void attached_tasks_change_their_group(void **state)
{
	struct scene *sc = *state;
	struct task *a = run_fork(sc->s, 0, 0), *b = run_fork(sc->s, 0, 0);
	struct task *both[] = {a, b};

	cgroup_add_task(&sc->tree->root, a);
	cgroup_add_task(&sc->tree->root, b);
	assert_int_equal(cgroup_attach(cgroup_find(sc->tree, "/web"), both, 2), 0);
	assert_ptr_equal(a->sched_task_group, web(sc));
	assert_int_equal(web(sc)->cfs_rq[0]->h_nr_running, 2);
	assert_int_equal(cgroup_attach(&sc->tree->root, both, 2), 0);
	assert_ptr_equal(b->sched_task_group, &sc->s->m->root_tg);
	assert_int_equal(cgroup_rmdir(sc->tree, "/web"), 0);
	assert_true(list_empty(&sc->s->m->root_tg.children));
}

static void groups_know_their_directories(void **state)
{
	struct scene *sc = *state;
	struct task_group *tg;

	assert_int_equal(cgroup_mkdir(sc->tree, "/web/a"), 0);
	tg = cgroup_tg(cgroup_find(sc->tree, "/web/a"));
	assert_ptr_equal(tg->parent, web(sc));
	assert_ptr_equal(tg->cgroup, cgroup_find(sc->tree, "/web/a"));
	assert_ptr_equal(sc->s->m->root_tg.cgroup, &sc->tree->root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
#define TEST_V1(test) cmocka_unit_test_setup_teardown(test, setup_v1, teardown)
		TEST(weight_is_in_hundredths_of_1024),
		TEST(weight_nice_is_the_weight_of_a_task),
		TEST(clamps_are_percentages),
		TEST(the_root_has_no_clamps),
		TEST_V1(shares_are_clamped_and_never_refused),
		TEST(idle_takes_the_weight_away),
		TEST(max_is_a_quota_and_perhaps_a_period),
		TEST_V1(v1_has_a_file_for_each),
		TEST_V1(v1_s_root_has_files_that_refuse),
		TEST(v2_s_root_has_none),
		TEST(versions_differ_in_what_a_child_may_have),
		TEST_V1(versions_differ_in_what_a_child_may_have),
		TEST(attached_tasks_change_their_group),
		TEST(groups_know_their_directories),
#undef TEST
#undef TEST_V1
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
