/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings that an administrator changes while the workload runs.  Nothing takes time.
 */
#include "test.h"

#include "schedsim/error.h"
#include "schedsim/observer.h"
#include "wakeup/registry.h"
#include "workload/simulation.h"
#include "workload_text.h"

#include <errno.h>
#include <string.h>

struct run {
	struct workload_input in;
	policy_instance policy;
	struct observer observer;
	struct sim_observer listener;
	simulation *s;
	uint64_t b_ns[4]; /* since the start: when b-0 got the CPU */
	int nr_b;
	int errors[4]; /* of the operations, in their order */
	int nr_operations;
};

static void on_switch(void *data, const struct machine *m, const struct rq *rq,
		      const struct task *prev, const struct task *next,
		      bool prev_sleeps)
{
	struct run *r = data;

	if (!strcmp(next->comm, "b-0") && r->nr_b < 4)
		r->b_ns[r->nr_b++] = m->now_ns - SIM_START_NS;
}

static void on_operation(void *data, const struct operation_account *account)
{
	struct run *r = data;

	assert_true(r->nr_operations < 4);
	r->errors[r->nr_operations++] = account->error;
}

/* On one CPU, with a kernel of that profile. */
static void run_on(struct run *r, const char *kernel, const char *policy,
		   const char *tasks, const char *operations)
{
	g_autofree char *json = g_strdup_printf(
		"{'machine': {'topology': '1n1l1c1t', 'kernel': '%s'}, 'duration': "
		"'15ms', 'tasks': {%s}, 'operations': [%s]}",
		kernel, tasks, operations);
	GError *error = NULL;

	*r = (struct run){.in = workload_of(json)};
	assert_true(wakeup_policy_instance(policy, &r->policy, &error));
	r->in.spec.policy = &r->policy.policy;
	r->in.spec.policy_params = r->policy.params;
	memset(&r->in.spec.costs, 0, sizeof(r->in.spec.costs));
	r->observer = (struct observer){.data = r, .sched_switch = on_switch};
	r->listener = (struct sim_observer){.data = r, .operation_done = on_operation};
	r->s = simulation_new(&r->in, 1, &r->observer, &r->listener);
	assert_true(simulation_run(r->s, &error));
}

static void run_it(struct run *r, const char *policy, const char *tasks,
		   const char *operations)
{
	run_on(r, "6.1-lts", policy, tasks, operations);
}

static void run_clear(struct run *r)
{
	simulation_free(r->s);
	policy_instance_clear(&r->policy);
	workload_input_clear(&r->in);
}

#define IDLE "'t': {'delay': 5000000, 'loop': 1, 'run': 1}"

/*
 * Hog a begins at 1 ms.  b wakes at 5 ms, placed 3 ms behind it and so far enough to
 * preempt, and again at 10.001 ms, when wakeups no longer preempt: it waits for the
 * tick at 12 ms, at which a has run for more than its 3 ms since it came back at 7 ms.
 */
static void a_feature_is_off_from_then_on(void **state)
{
	struct run r;

	run_it(&r, "baseline",
	       "'a': {'delay': 1000, 'run': 1000000}, "
	       "'b': {'phases': {'p': {'sleep': 5000, 'run': 1}}}",
	       "{'at': '7ms', 'tunable': {'name': 'NO_WAKEUP_PREEMPTION'}}");
	assert_int_equal(r.errors[0], 0);
	assert_int_equal(r.nr_b, 3);
	assert_int_equal(r.b_ns[1], 5000000);
	assert_int_equal(r.b_ns[2], 12000000);
	run_clear(&r);
}

/* What a write of @value to @name is answered with; the tunables after it. */
static struct sched_tunables write_tunable(const char *name, const char *value,
					   int error)
{
	g_autofree char *operation = g_strdup_printf(
		"{'at': '1ms', 'tunable': {'name': '%s', 'value': %s}}", name, value);
	struct sched_tunables after;
	struct run r;

	run_it(&r, "baseline", IDLE, operation);
	assert_int_equal(r.nr_operations, 1);
	assert_int_equal(r.errors[0], error);
	after = simulation_machine(r.s)->tunables;
	run_clear(&r);
	return after;
}

static void a_tunable_has_its_new_value(void **state)
{
	struct sched_tunables got = write_tunable("migration_cost_ns", "7", 0);

	assert_int_equal(got.migration_cost_ns, 7);
	assert_int_equal(got.min_granularity_ns, 750000);
	got = write_tunable("sched_rt_runtime_us", "5000", 0);
	assert_int_equal(got.sched_rt_runtime_us, 5000);
	assert_int_equal(got.sched_rt_period_us, 1000000);
	got = write_tunable("sched_rt_period_us", "2000000", 0);
	assert_int_equal(got.sched_rt_runtime_us, 950000);
	assert_int_equal(got.sched_rt_period_us, 2000000);
}

/* More runtime than its second; no slice; a least period above the longest. */
static void what_the_kernel_refuses_changes_nothing(void **state)
{
	struct sched_tunables got;

	got = write_tunable("sched_rt_runtime_us", "1000001", EINVAL);
	assert_int_equal(got.sched_rt_runtime_us, 950000);
	got = write_tunable("sched_cfs_bandwidth_slice_us", "0", EINVAL);
	assert_int_equal(got.sched_cfs_bandwidth_slice_us, 5000);
	got = write_tunable("sched_deadline_period_min_us", "4194305", EINVAL);
	assert_int_equal(got.sched_deadline_period_min_us, 100);
	got = write_tunable("sched_deadline_period_max_us", "99", EINVAL);
	assert_int_equal(got.sched_deadline_period_max_us, 4194304);
}

#define NO_IDLE_ARM "{'at': '1ms', 'tunable': {'name': 'idle_arm', 'value': 0}}"

static bool switch_of(const struct run *r, const char *name)
{
	const struct machine *m = simulation_machine(r->s);
	const struct policy_param *param = m->policy->params;

	while (strcmp(param->name, name))
		param++;
	return *((const bool *)m->policy_params + param->offset);
}

/* Of this run, not of the instance that other runs begin with. */
static void a_policy_has_its_own_settings(void **state)
{
	struct run r;

	run_it(&r, "sis_short", IDLE, NO_IDLE_ARM);
	assert_int_equal(r.errors[0], 0);
	assert_false(switch_of(&r, "idle_arm"));
	assert_true(switch_of(&r, "scan_arm"));
	run_clear(&r);
}

static void another_policy_has_no_such_setting(void **state)
{
	struct run r;

	run_it(&r, "baseline", IDLE, NO_IDLE_ARM);
	assert_int_equal(r.errors[0], ENOENT);
	run_clear(&r);
}

static void a_kernel_without_a_feature_does_not_turn_it_on(void **state)
{
	struct run r;

	run_on(&r, "6.1.0", "baseline", IDLE,
	       "{'at': '1ms', 'tunable': {'name': 'NI_RANDOM'}}");
	assert_int_equal(r.errors[0], EINVAL);
	assert_false(simulation_machine(r.s)->feat.NI_RANDOM);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_feature_is_off_from_then_on),
		cmocka_unit_test(a_tunable_has_its_new_value),
		cmocka_unit_test(what_the_kernel_refuses_changes_nothing),
		cmocka_unit_test(a_policy_has_its_own_settings),
		cmocka_unit_test(another_policy_has_no_such_setting),
		cmocka_unit_test(a_kernel_without_a_feature_does_not_turn_it_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
