/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include "model/machine_new.h"
#include "schedsim/wakeup.h"

static const struct kernel_profile lts = {.name = "6.1-lts", .has_ni_random = true};
static const struct kernel_profile plain = {.name = "6.1.0"};

static struct machine_spec default_spec(void)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	return spec;
}

static struct machine *build(const char *name, const struct machine_spec *spec)
{
	g_autoptr(topology) topo = topology_find(name, NULL);

	assert_non_null(topo);
	return machine_new(topo, spec);
}

static void a_machine_starts_at_time_zero(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m = build("smp4", &spec);

	assert_int_equal(m->now_ns, 0);
	assert_int_equal(m->jiffies, 0);
	assert_int_equal(m->hz, 250);
	assert_int_equal(m->next_jiffy_ns, 4000000);
	assert_ptr_equal(m->profile, &lts);
	assert_null(m->policy);
	assert_null(m->policy_params);
	assert_null(m->observers);
	assert_null(m->driver);
	machine_free(m);
}

/* At 300 Hz a jiffy is 3333333.3 ns, and over once a whole ns is. */
static void an_uneven_jiffy_is_rounded_up(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m;

	spec.hz = 300;
	m = build("smp4", &spec);
	assert_int_equal(m->next_jiffy_ns, 3333334);
	machine_free(m);
}

static void balancing_waits_at_most_a_tenth_second_per_cpu(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m = build("smp4", &spec);

	assert_int_equal(m->max_load_balance_interval, 250 * 4 / 10);
	machine_free(m);

	spec.hz = 1000;
	m = build("zen3-nps1", &spec);
	assert_int_equal(m->max_load_balance_interval, 25600);
	machine_free(m);
}

static void every_cpu_is_active_in_one_root_domain(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m = build("numa16", &spec);
	struct cpumask all = cpumask_first_n(16);

	assert_int_equal(m->nr_cpus, 16);
	assert_true(cpumask_equal(&m->active, &all));
	assert_true(cpumask_equal(&m->rd.span, &all));
	assert_false(m->rd.overload);
	assert_true(cpumask_empty(&m->resched));
	assert_false(m->balancing_serialized);
	machine_free(m);
}

static void a_run_queue_starts_as_after_boot(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m = build("numa16", &spec);
	const struct rq *rq = cpu_rq(m, 9);

	assert_ptr_equal(rq->m, m);
	assert_int_equal(rq->cpu, 9);
	assert_ptr_equal(rq->rd, &m->rd);
	assert_int_equal(rq->smt_mask.bits[0], 0x202);
	assert_int_equal(rq->nr_running, 0);
	assert_true(list_empty(&rq->cfs_tasks));
	assert_true(list_empty(&rq->leaf_cfs_rq_list));
	assert_true(list_empty(&rq->wakelist));
	assert_int_equal(rq->clock, 0);
	assert_int_equal(rq->next_balance, 0);
	assert_int_equal(rq->idle_stamp, 0);
	assert_int_equal(rq->avg_idle, 1000000);
	assert_int_equal(rq->wake_avg_idle, 1000000);
	assert_int_equal(rq->max_idle_balance_cost, 500000);
	assert_null(rq->policy_state);
	machine_free(m);
}

/* avg_idle was set at boot, before anybody could write migration_cost_ns. */
static void a_users_migration_cost_does_not_reach_back_to_boot(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m;

	spec.tunables.migration_cost_ns = 7;
	m = build("smp4", &spec);
	assert_int_equal(m->tunables.migration_cost_ns, 7);
	assert_int_equal(cpu_rq(m, 0)->avg_idle, 1000000);
	assert_int_equal(cpu_rq(m, 0)->max_idle_balance_cost, 500000);
	machine_free(m);
}

static void capacities_are_the_topologys(void **state)
{
	g_autoptr(topology) topo = topology_find("smp4", NULL);
	struct machine_spec spec = default_spec();
	struct machine *m;

	topo->cpu[2].capacity = 446;
	m = machine_new(topo, &spec);
	assert_int_equal(cpu_rq(m, 2)->cpu_scale, 446);
	assert_int_equal(cpu_rq(m, 2)->cpu_capacity, 446);
	assert_int_equal(cpu_rq(m, 2)->cpu_capacity_orig, 446);
	assert_int_equal(cpu_rq(m, 2)->freq_scale, 1024);
	assert_int_equal(cpu_rq(m, 3)->cpu_scale, 1024);
	assert_int_equal(cpu_rq(m, 3)->cpu_capacity, 1024);
	machine_free(m);
}

static void every_cpu_runs_its_idle_task(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m = build("64n1l8c1t", &spec);
	const struct task *idle = cpu_rq(m, 511)->idle;
	struct cpumask own = cpumask_of(511);

	assert_ptr_equal(cpu_rq(m, 511)->curr, idle);
	assert_string_equal(idle->comm, "swapper/511");
	assert_string_equal(cpu_rq(m, 0)->idle->comm, "swapper/0");
	assert_int_equal(idle->pid, 0);
	assert_int_equal(idle->cpu, 511);
	assert_true(idle->on_cpu);
	assert_int_equal(idle->on_rq, TASK_ON_RQ_QUEUED);
	assert_int_equal(idle->state, TASK_RUNNING);
	assert_int_equal(idle->nr_cpus_allowed, 1);
	assert_true(cpumask_equal(&idle->cpus_mask, &own));
	assert_true(idle->per_cpu_kthread);
	assert_true(list_empty(&idle->wake_entry));
	assert_true(cpu_is_idle(m, 511));
	machine_free(m);
}

static void the_root_group_holds_the_cpus_queues(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m = build("smp4", &spec);

	assert_int_equal(m->root_tg.shares, 1048576);
	assert_null(m->root_tg.parent);
	assert_null(m->root_tg.se);
	for (int cpu = 0; cpu < 4; cpu++) {
		struct rq *rq = cpu_rq(m, cpu);

		assert_ptr_equal(m->root_tg.cfs_rq[cpu], &rq->cfs);
		assert_ptr_equal(rq->cfs.rq, rq);
		assert_ptr_equal(rq->cfs.tg, &m->root_tg);
	}
	machine_free(m);
}

static void settings_are_copied(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m;

	spec.preempt = PREEMPT_FULL;
	spec.feat.WA_WEIGHT = false;
	spec.costs.wakeup_ipi_ns = 77;
	spec.seed = 42;
	m = build("smp4", &spec);
	assert_int_equal(m->preempt, PREEMPT_FULL);
	assert_false(m->feat.WA_WEIGHT);
	assert_true(m->feat.WA_IDLE);
	assert_int_equal(m->costs.wakeup_ipi_ns, 77);
	assert_int_equal(m->newidle_random, 42);
	machine_free(m);
}

static void tunables_scale_unless_the_user_set_them(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m;

	spec.tunables.min_granularity_ns = 1234;
	m = build("smp4", &spec);
	assert_int_equal(m->tunables.latency_ns, 18000000);
	assert_int_equal(m->tunables.min_granularity_ns, 1234);
	assert_int_equal(m->tunables.wakeup_granularity_ns, 3000000);
	machine_free(m);

	spec.scaling = SCALING_NONE;
	m = build("smp4", &spec);
	assert_int_equal(m->tunables.latency_ns, 6000000);
	machine_free(m);
}

static void a_kernel_without_the_dice_never_throws_them(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m = build("smp4", &spec);

	assert_true(m->feat.NI_RANDOM);
	machine_free(m);

	spec.profile = &plain;
	m = build("smp4", &spec);
	assert_false(m->feat.NI_RANDOM);
	machine_free(m);
}

static void a_fixed_scan_is_every_llcs(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *m;

	spec.nr_idle_scan_fixed = 3;
	m = build("llc2x4", &spec);
	assert_int_equal(m->nr_idle_scan_fixed, 3);
	assert_int_equal(cpu_rq(m, 0)->sd_llc_shared->nr_idle_scan, 3);
	assert_int_equal(cpu_rq(m, 7)->sd_llc_shared->nr_idle_scan, 3);
	machine_free(m);
}

/* Policies */

struct policy_params {
	uint64_t bound;
};

static const struct wakeup_policy policy = {
	.name = "test",
	.params_size = sizeof(struct policy_params),
	.task_size = 8,
	.cpu_size = 16,
	.llc_size = 24,
};

static void assert_zeroed(const void *state, size_t size)
{
	static const char zeros[32];

	assert_non_null(state);
	assert_memory_equal(state, zeros, size);
}

static void a_policy_gets_zeroed_state_per_task_cpu_and_llc(void **state)
{
	struct policy_params params = {5};
	struct machine_spec spec = default_spec();
	struct machine *m;

	spec.policy = &policy;
	spec.policy_params = &params;
	m = build("llc2x4", &spec);
	for (int cpu = 0; cpu < 8; cpu++) {
		const struct rq *rq = cpu_rq(m, cpu);

		assert_zeroed(rq->policy_state, 16);
		assert_zeroed(rq->idle->policy_state, 8);
		assert_zeroed(rq->sd_llc_shared->policy_state, 24);
	}
	assert_ptr_equal(cpu_rq(m, 0)->sd_llc_shared->policy_state,
			 cpu_rq(m, 3)->sd_llc_shared->policy_state);
	assert_ptr_not_equal(cpu_rq(m, 0)->sd_llc_shared->policy_state,
			     cpu_rq(m, 4)->sd_llc_shared->policy_state);
	machine_free(m);
}

static void a_policys_settings_are_the_machines_own(void **state)
{
	struct policy_params params = {5};
	struct machine_spec spec = default_spec();
	const struct policy_params *own;
	struct machine *m;

	spec.policy = &policy;
	spec.policy_params = &params;
	m = build("smp4", &spec);
	params.bound = 6;
	own = m->policy_params;
	assert_int_equal(own->bound, 5);
	assert_ptr_equal(m->policy, &policy);
	machine_free(m);
}

static void a_policy_without_state_gets_none(void **state)
{
	static const struct wakeup_policy bare = {.name = "bare"};
	struct machine_spec spec = default_spec();
	struct machine *m;

	spec.policy = &bare;
	m = build("smp4", &spec);
	assert_null(m->policy_params);
	assert_null(cpu_rq(m, 0)->policy_state);
	assert_null(cpu_rq(m, 0)->idle->policy_state);
	assert_null(cpu_rq(m, 0)->sd_llc_shared->policy_state);
	machine_free(m);
}

static void two_machines_share_nothing(void **state)
{
	struct machine_spec spec = default_spec();
	struct machine *a = build("smp4", &spec);
	struct machine *b = build("smp4", &spec);

	cpu_rq(a, 0)->sd->balance_interval = 99;
	cpu_rq(a, 0)->sd_llc_shared->has_idle_cores = true;
	assert_int_equal(cpu_rq(b, 0)->sd->balance_interval, 4);
	assert_false(cpu_rq(b, 0)->sd_llc_shared->has_idle_cores);
	machine_free(a);
	assert_string_equal(cpu_rq(b, 3)->idle->comm, "swapper/3");
	machine_free(b);
}

static void freeing_no_machine_does_nothing(void **state)
{
	machine_free(NULL);
	domains_free(NULL);
	topology_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_starts_at_time_zero),
		cmocka_unit_test(an_uneven_jiffy_is_rounded_up),
		cmocka_unit_test(balancing_waits_at_most_a_tenth_second_per_cpu),
		cmocka_unit_test(every_cpu_is_active_in_one_root_domain),
		cmocka_unit_test(a_run_queue_starts_as_after_boot),
		cmocka_unit_test(a_users_migration_cost_does_not_reach_back_to_boot),
		cmocka_unit_test(capacities_are_the_topologys),
		cmocka_unit_test(every_cpu_runs_its_idle_task),
		cmocka_unit_test(the_root_group_holds_the_cpus_queues),
		cmocka_unit_test(settings_are_copied),
		cmocka_unit_test(tunables_scale_unless_the_user_set_them),
		cmocka_unit_test(a_kernel_without_the_dice_never_throws_them),
		cmocka_unit_test(a_fixed_scan_is_every_llcs),
		cmocka_unit_test(a_policy_gets_zeroed_state_per_task_cpu_and_llc),
		cmocka_unit_test(a_policys_settings_are_the_machines_own),
		cmocka_unit_test(a_policy_without_state_gets_none),
		cmocka_unit_test(two_machines_share_nothing),
		cmocka_unit_test(freeing_no_machine_does_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
