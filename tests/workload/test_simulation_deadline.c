/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deadline tasks in a simulation, worked out by hand.  Ticks come every 4 ms from the
 * start on.
 */
#include "schedsim/error.h"
#include "test.h"
#include "wakeup/registry.h"
#include "workload_scene.h"
#include "workload_text.h"

#include <errno.h>

#define SET_DEADLINE(runtime, period)                                                  \
	STEP(STEP_SET_SCHED, .policy = POLICY_DEADLINE,                                \
	     .dl = {.runtime_ns = (runtime),                                           \
		    .deadline_ns = (period),                                           \
		    .period_ns = (period)})

/*
 * b does its 6 of each 12 ms and a never ends, with 4 of each 12 ms.
 *
 * b was created last and runs first; its instances are due at 12, 24 and 36.  a begins
 * at 6 and is due at 18; the tick at 12 finds that it has overrun by 2 ms, so the
 * instance that begins at 18 has 2 ms, which the tick at 20 finds used up.
 */
static void a_hog_and_a_periodic_task_share_a_cpu(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 30 * MS);
	scene_task(&sc, "a", SET_DEADLINE(4 * MS, 12 * MS), RUN(100 * MS));
	scene_task(&sc, "b", SET_DEADLINE(6 * MS, 12 * MS), LOOP(2, 4), RUN(6 * MS),
		   TIMER(0, 12 * MS), LOOP_END(1));
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "6000 b-0 timer 6000\n"
			  "6000 cpu0 b-0>a-0\n"
			  "12000 +b-0\n"
			  "12000 cpu0 a-0>b-0\n"
			  "12000 b-0 active\n"
			  "18000 b-0 timer 6000\n"
			  "18000 cpu0 b-0>idle\n"
			  "18000 cpu0 idle>a-0\n"
			  "20000 cpu0 a-0>idle\n"
			  "24000 +b-0\n"
			  "24000 cpu0 idle>b-0\n"
			  "24000 b-0 active\n"
			  "24000 cpu0 b-0>idle\n");
	scene_clear(&sc);
}

/* Half of 1 ms is left when it yields: the next 1 ms comes with the next period. */
static void yield_waits_for_the_next_period(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 30 * MS);
	scene_task(&sc, "a", SET_DEADLINE(1 * MS, 5 * MS), RUN(MS / 2), YIELD,
		   RUN(MS / 2), YIELD, RUN(MS / 2));
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "500 cpu0 a-0>idle\n"
			  "5000 cpu0 idle>a-0\n"
			  "5500 cpu0 a-0>idle\n"
			  "10000 cpu0 idle>a-0\n"
			  "10500 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

static char *error_of(const char *json, int code)
{
	struct wakeup_policy policy =
		wakeup_policy_complete(wakeup_policy_find("baseline"));
	struct workload_input in = workload_of(json);
	g_autoptr(GError) error = NULL;
	simulation *s;

	in.spec.policy = &policy;
	s = simulation_new(&in, 1, NULL, NULL);
	assert_false(simulation_run(s, &error));
	assert_true(g_error_matches(error, KERNEL_ERROR, code));
	simulation_free(s);
	workload_input_clear(&in);
	return g_strdup(error->message);
}

static void assert_refused(const char *json, int code, const char *message)
{
	g_autofree char *got = error_of(json, code);

	assert_string_equal(got, message);
}

/* Two CPUs have 1.9: 5 of 0.4 are too many, whichever comes last. */
static void a_full_machine_refuses_by_name_and_place(void **state)
{
	g_autofree char *message =
		error_of("{'machine': '1n1l2c1t', 'tasks': {'t': {'policy': "
			 "'SCHED_DEADLINE', 'dl-runtime': 4000, 'dl-period': 10000, "
			 "'instance': 5, 'loop': 1, 'run': 90000}}}",
			 EBUSY);

	assert_true(
		g_str_has_prefix(message, "tasks.t.dl-runtime: sched_setattr() of t-"));
	assert_true(g_str_has_suffix(message, ": EBUSY"));
}

static void figures_that_are_none_are_refused_when_they_are_asked_for(void **state)
{
	assert_refused("{'machine': '1n1l2c1t', 'tasks': {'t': {'policy': "
		       "'SCHED_DEADLINE', 'loop': 1, 'run': 1}}}",
		       EINVAL, "tasks.t.policy: sched_setattr() of t-0: EINVAL");
}

static void a_deadline_task_may_not_give_up_cpus(void **state)
{
	assert_refused("{'machine': '1n1l2c1t', 'tasks': {'t': {'policy': "
		       "'SCHED_DEADLINE', 'dl-runtime': 4000, 'dl-period': 10000, "
		       "'cpus': [0], 'loop': 1, 'run': 1}}}",
		       EBUSY, "tasks.t.cpus: sched_setaffinity() of t-0: EBUSY");
}

static void a_bound_task_may_not_become_one(void **state)
{
	assert_refused(
		"{'machine': '1n1l2c1t', 'tasks': {'t': {'cpus': [0], 'loop': 1, "
		"'phases': {'a': {'run': 1}, 'b': {'policy': 'SCHED_DEADLINE', "
		"'dl-runtime': 4000, 'dl-period': 10000, 'run': 1}}}}}",
		EPERM, "tasks.t.phases.b.dl-runtime: sched_setattr() of t-0: EPERM");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hog_and_a_periodic_task_share_a_cpu),
		cmocka_unit_test(yield_waits_for_the_next_period),
		cmocka_unit_test(a_full_machine_refuses_by_name_and_place),
		cmocka_unit_test(
			figures_that_are_none_are_refused_when_they_are_asked_for),
		cmocka_unit_test(a_deadline_task_may_not_give_up_cpus),
		cmocka_unit_test(a_bound_task_may_not_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
