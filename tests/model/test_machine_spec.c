/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include "model/machine_new.h"
#include "schedsim/error.h"

static const struct kernel_profile lts = {.name = "6.1-lts", .has_ni_random = true};
static const struct kernel_profile plain = {.name = "6.1.0"};

/* Tunables: 6 ms, 0.75 ms and 1 ms times the factor */

struct factor_row {
	int nr_cpus;
	uint64_t none, log, linear;
};

static const struct factor_row factors[] = {
	{1, 1, 1, 1}, {2, 1, 2, 2}, {3, 1, 2, 3}, {4, 1, 3, 4},  {5, 1, 3, 5},
	{7, 1, 3, 7}, {8, 1, 4, 8}, {9, 1, 4, 8}, {16, 1, 4, 8}, {512, 1, 4, 8},
};

static void factor_grows_with_up_to_8_cpus(void **state)
{
	for (size_t i = 0; i < G_N_ELEMENTS(factors); i++) {
		const struct factor_row *row = &factors[i];

		assert_int_equal(tunable_scaling_factor(SCALING_NONE, row->nr_cpus),
				 row->none);
		assert_int_equal(tunable_scaling_factor(SCALING_LOG, row->nr_cpus),
				 row->log);
		assert_int_equal(tunable_scaling_factor(SCALING_LINEAR, row->nr_cpus),
				 row->linear);
	}
}

struct tunable_row {
	enum tunable_scaling scaling;
	int nr_cpus;
	uint64_t latency_ns, min_granularity_ns, wakeup_granularity_ns;
};

static const struct tunable_row rows[] = {
	{SCALING_NONE, 1, 6000000, 750000, 1000000},
	{SCALING_NONE, 16, 6000000, 750000, 1000000},
	{SCALING_LOG, 1, 6000000, 750000, 1000000},
	{SCALING_LOG, 2, 12000000, 1500000, 2000000},
	{SCALING_LOG, 4, 18000000, 2250000, 3000000},
	{SCALING_LOG, 8, 24000000, 3000000, 4000000},
	{SCALING_LOG, 16, 24000000, 3000000, 4000000},
	{SCALING_LINEAR, 1, 6000000, 750000, 1000000},
	{SCALING_LINEAR, 2, 12000000, 1500000, 2000000},
	{SCALING_LINEAR, 4, 24000000, 3000000, 4000000},
	{SCALING_LINEAR, 8, 48000000, 6000000, 8000000},
	{SCALING_LINEAR, 16, 48000000, 6000000, 8000000},
};

static void three_tunables_scale(void **state)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct sched_tunables t =
			tunables_for(rows[i].scaling, rows[i].nr_cpus);

		assert_int_equal(t.latency_ns, rows[i].latency_ns);
		assert_int_equal(t.min_granularity_ns, rows[i].min_granularity_ns);
		assert_int_equal(t.wakeup_granularity_ns,
				 rows[i].wakeup_granularity_ns);
	}
}

static void the_other_tunables_do_not_scale(void **state)
{
	struct sched_tunables t = tunables_for(SCALING_LINEAR, 16);

	assert_int_equal(t.idle_min_granularity_ns, 750000);
	assert_int_equal(t.migration_cost_ns, 500000);
	assert_int_equal(t.nr_latency, 8);
	assert_int_equal(t.nr_migrate, 32);
	assert_int_equal(t.child_runs_first, 0);
}

/* Defaults */

static void defaults_are_a_distributions_kernel(void **state)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	assert_ptr_equal(spec.profile, &lts);
	assert_int_equal(spec.hz, 250);
	assert_int_equal(spec.preempt, PREEMPT_VOLUNTARY);
	assert_int_equal(spec.scaling, SCALING_LOG);
	assert_int_equal(spec.nr_idle_scan_fixed, -1);
	assert_null(spec.policy);
	assert_null(spec.policy_params);
	assert_true(spec.tunables.latency_ns == UINT64_MAX);
	assert_true(spec.tunables.child_runs_first == UINT64_MAX);
}

/* source: kernel/sched/features.h */
static void features_start_as_in_the_kernel(void **state)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	assert_true(spec.feat.GENTLE_FAIR_SLEEPERS);
	assert_true(spec.feat.START_DEBIT);
	assert_false(spec.feat.NEXT_BUDDY);
	assert_true(spec.feat.LAST_BUDDY);
	assert_true(spec.feat.CACHE_HOT_BUDDY);
	assert_true(spec.feat.WAKEUP_PREEMPTION);
	assert_true(spec.feat.NONTASK_CAPACITY);
	assert_true(spec.feat.TTWU_QUEUE);
	assert_false(spec.feat.SIS_PROP);
	assert_true(spec.feat.SIS_UTIL);
	assert_true(spec.feat.ATTACH_AGE_LOAD);
	assert_true(spec.feat.WA_IDLE);
	assert_true(spec.feat.WA_WEIGHT);
	assert_true(spec.feat.WA_BIAS);
	assert_true(spec.feat.UTIL_EST);
	assert_true(spec.feat.UTIL_EST_FASTUP);
	assert_false(spec.feat.LB_MIN);
	assert_true(spec.feat.NI_RANDOM);
	assert_true(spec.feat.ALT_PERIOD);
	assert_true(spec.feat.BASE_SLICE);
}

static void an_older_kernel_starts_without_the_dice(void **state)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &plain);
	assert_false(spec.feat.NI_RANDOM);
	assert_true(spec.feat.WA_WEIGHT);
}

/* Settings */

static void assert_set(struct machine_spec *spec, const char *setting)
{
	GError *error = NULL;

	assert_true(machine_spec_set(spec, setting, &error));
	assert_null(error);
}

static void a_feature_is_set_by_name_and_cleared_with_no(void **state)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	assert_set(&spec, "NO_WA_WEIGHT");
	assert_false(spec.feat.WA_WEIGHT);
	assert_true(spec.feat.WA_IDLE);
	assert_set(&spec, "WA_WEIGHT");
	assert_true(spec.feat.WA_WEIGHT);
	assert_set(&spec, "NEXT_BUDDY");
	assert_true(spec.feat.NEXT_BUDDY);
	assert_set(&spec, "NO_LB_NEWIDLE");
	assert_false(spec.feat.LB_NEWIDLE);
}

static void a_tunable_is_set_by_name(void **state)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	assert_set(&spec, "min_granularity_ns=3000000");
	assert_int_equal(spec.tunables.min_granularity_ns, 3000000);
	assert_true(spec.tunables.latency_ns == UINT64_MAX);
	assert_set(&spec, "nr_migrate=0");
	assert_int_equal(spec.tunables.nr_migrate, 0);
	assert_set(&spec, "latency_ns=4294967295");
	assert_int_equal(spec.tunables.latency_ns, 4294967295);
}

static void the_idle_scan_can_be_fixed(void **state)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	assert_set(&spec, "nr_idle_scan=4");
	assert_int_equal(spec.nr_idle_scan_fixed, 4);
	assert_set(&spec, "nr_idle_scan=0");
	assert_int_equal(spec.nr_idle_scan_fixed, 0);
	assert_set(&spec, "nr_idle_scan=512");
	assert_int_equal(spec.nr_idle_scan_fixed, 512);
}

static void a_cost_is_set_by_name(void **state)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	assert_set(&spec, "tick_ns=1234");
	assert_int_equal(spec.costs.tick_ns, 1234);
	assert_set(&spec, "idle_c6_residency_ns=5");
	assert_int_equal(spec.costs.idle_c6_residency_ns, 5);
	assert_set(&spec, "smt_slowdown=0");
	assert_int_equal(spec.costs.smt_slowdown, 0);
}

static void all_costs_can_be_none(void **state)
{
	static const struct machine_costs none;
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	assert_set(&spec, "costs=none");
	assert_memory_equal(&spec.costs, &none, sizeof(none));
	assert_set(&spec, "tick_ns=7");
	assert_int_equal(spec.costs.tick_ns, 7);
}

/* Idle times that decide on a state are no costs. */
static void costs_scale_and_bounds_do_not(void **state)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	spec.costs.tick_ns = 2001;
	spec.costs.smt_slowdown = 600;
	spec.costs.idle_c1_exit_ns = 3000;
	spec.costs.idle_c1_residency_ns = 5000;
	assert_set(&spec, "costs=50%");
	assert_int_equal(spec.costs.tick_ns, 1000);
	assert_int_equal(spec.costs.smt_slowdown, 300);
	assert_int_equal(spec.costs.idle_c1_exit_ns, 1500);
	assert_int_equal(spec.costs.idle_c1_residency_ns, 5000);
	assert_set(&spec, "costs=200%");
	assert_int_equal(spec.costs.tick_ns, 2000);
	spec.costs.tick_ns = INT64_MAX;
	assert_set(&spec, "costs=200%");
	assert_true(spec.costs.tick_ns == INT64_MAX);
	assert_set(&spec, "costs=0%");
	assert_int_equal(spec.costs.tick_ns, 0);
}

static void a_kernel_without_the_dice_may_be_told_so(void **state)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &plain);
	assert_set(&spec, "NO_NI_RANDOM");
	assert_false(spec.feat.NI_RANDOM);
}

struct refusal {
	const char *setting, *message;
};

static const struct refusal refusals[] = {
	{"WA_WIEGHT",
	 "expected a feature, a tunable or a cost, got \"WA_WIEGHT\"; the nearest "
	 "is \"WA_WEIGHT\""},
	{"NO_WA_WIEGHT",
	 "expected a feature, a tunable or a cost, got \"NO_WA_WIEGHT\"; the "
	 "nearest is \"NO_WA_WEIGHT\""},
	{"wa_weight",
	 "expected a feature, a tunable or a cost, got \"wa_weight\"; the nearest "
	 "is \"WA_WEIGHT\""},
	{"NO_latency_ns",
	 "expected a feature, a tunable or a cost, got \"NO_latency_ns\"; the "
	 "nearest is \"latency_ns\""},
	{"min_granularity=3",
	 "expected a feature, a tunable or a cost, got \"min_granularity\"; "
	 "the nearest is \"min_granularity_ns\""},
	{"nr_idle_scans=3",
	 "expected a feature, a tunable or a cost, got \"nr_idle_scans\"; the "
	 "nearest is \"nr_idle_scan\""},
	{"latency_ns", "expected \"latency_ns=NUMBER\", got \"latency_ns\""},
	{"nr_idle_scan", "expected \"nr_idle_scan=NUMBER\", got \"nr_idle_scan\""},
	{"WA_WEIGHT=1",
	 "expected \"WA_WEIGHT\" or \"NO_WA_WEIGHT\", got \"WA_WEIGHT=1\""},
	{"latency_ns=", "latency_ns: expected a whole number from 0 to 4294967295, got "
			"\"\""},
	{"latency_ns=3ms", "latency_ns: expected a whole number from 0 to 4294967295, "
			   "got \"3ms\""},
	{"latency_ns=-1",
	 "latency_ns: expected a whole number from 0 to 4294967295, got "
	 "\"-1\""},
	{"latency_ns=4294967296", "latency_ns: expected a whole number from 0 to "
				  "4294967295, got \"4294967296\""},
	{"costs", "costs: expected \"none\" or a percentage from 0% to 10000%, got "
		  "\"\""},
	{"costs=off", "costs: expected \"none\" or a percentage from 0% to 10000%, got "
		      "\"off\""},
	{"costs=x2", "costs: expected \"none\" or a percentage from 0% to 10000%, got "
		     "\"x2\""},
	{"costs=-1%", "costs: expected \"none\" or a percentage from 0% to 10000%, got "
		      "\"-1%\""},
	{"costs=10001%", "costs: expected \"none\" or a percentage from 0% to 10000%, "
			 "got \"10001%\""},
	{"tick_ns", "expected \"tick_ns=NUMBER\", got \"tick_ns\""},
	{"tick_ns=2us", "tick_ns: expected a whole number from 0 to 4294967295, got "
			"\"2us\""},
	{"tick=2", "expected a feature, a tunable or a cost, got \"tick\"; the nearest "
		   "is \"tick_ns\""},
	{"nr_idle_scan=513",
	 "nr_idle_scan: expected a whole number from 0 to 512, got \"513\""},
};

static void other_settings_are_refused(void **state)
{
	for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++) {
		struct machine_spec spec;
		GError *error = NULL;

		machine_spec_init(&spec, &lts);
		assert_false(machine_spec_set(&spec, refusals[i].setting, &error));
		assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			     refusals[i].message);
	}
}

static void assert_together(const char *one, const char *other, const char *message)
{
	struct machine_spec spec;
	GError *error = NULL;

	machine_spec_init(&spec, &lts);
	assert_set(&spec, one);
	assert_set(&spec, other);
	assert_int_equal(machine_spec_check(&spec, &error), !message);
	if (message)
		assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, message);
}

static void the_budget_is_a_part_of_its_period(void **state)
{
	assert_together("sched_rt_period_us=1000000", "sched_rt_runtime_us=1000000",
			NULL);
	assert_together("sched_rt_runtime_us=-1", "sched_rt_period_us=1", NULL);
	assert_together("sched_rt_runtime_us=1000001", "WA_IDLE",
			"sched_rt_runtime_us: expected at most sched_rt_period_us, "
			"1000000, got 1000001");
	assert_together("sched_rt_period_us=949999", "WA_IDLE",
			"sched_rt_runtime_us: expected at most sched_rt_period_us, "
			"949999, got 950000");
}

static void the_least_period_is_below_the_longest(void **state)
{
	assert_together("sched_deadline_period_min_us=7",
			"sched_deadline_period_max_us=7", NULL);
	assert_together("sched_deadline_period_min_us=8",
			"sched_deadline_period_max_us=7",
			"sched_deadline_period_min_us: expected at most "
			"sched_deadline_period_max_us, 7, got 8");
}

static void a_refused_setting_changes_nothing(void **state)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	assert_false(machine_spec_set(&spec, "latency_ns=3x", NULL));
	assert_false(machine_spec_set(&spec, "nr_idle_scan=9999", NULL));
	assert_true(spec.tunables.latency_ns == UINT64_MAX);
	assert_int_equal(spec.nr_idle_scan_fixed, -1);
}

static void the_dice_are_refused_where_the_kernel_has_none(void **state)
{
	struct machine_spec spec;
	GError *error = NULL;

	machine_spec_init(&spec, &plain);
	assert_false(machine_spec_set(&spec, "NI_RANDOM", &error));
	assert_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		     "expected a feature of kernel 6.1.0, got \"NI_RANDOM\"");
	assert_false(spec.feat.NI_RANDOM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(factor_grows_with_up_to_8_cpus),
		cmocka_unit_test(three_tunables_scale),
		cmocka_unit_test(the_other_tunables_do_not_scale),
		cmocka_unit_test(defaults_are_a_distributions_kernel),
		cmocka_unit_test(features_start_as_in_the_kernel),
		cmocka_unit_test(an_older_kernel_starts_without_the_dice),
		cmocka_unit_test(a_feature_is_set_by_name_and_cleared_with_no),
		cmocka_unit_test(a_tunable_is_set_by_name),
		cmocka_unit_test(the_idle_scan_can_be_fixed),
		cmocka_unit_test(a_cost_is_set_by_name),
		cmocka_unit_test(all_costs_can_be_none),
		cmocka_unit_test(costs_scale_and_bounds_do_not),
		cmocka_unit_test(a_kernel_without_the_dice_may_be_told_so),
		cmocka_unit_test(other_settings_are_refused),
		cmocka_unit_test(the_budget_is_a_part_of_its_period),
		cmocka_unit_test(the_least_period_is_below_the_longest),
		cmocka_unit_test(a_refused_setting_changes_nothing),
		cmocka_unit_test(the_dice_are_refused_where_the_kernel_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
