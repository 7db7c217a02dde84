/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the domains of a CPU are balanced.  A jiffy is 1 ms.
 */
#include "balance_scene.h"
#include "sched/clock.h"
#include "test.h"

/* Intervals */

static uint64_t interval_of(unsigned hz, uint64_t interval_ms, bool busy)
{
	struct machine m = {.hz = hz, .max_load_balance_interval = 4 * hz / 10};
	struct sched_domain sd = {.balance_interval = interval_ms, .busy_factor = 16};

	return sd_balance_interval(&m, &sd, busy);
}

static void busy_cpu_waits_sixteen_times_less_a_jiffy(void **state)
{
	assert_int_equal(interval_of(1000, 4, false), 4);
	assert_int_equal(interval_of(1000, 4, true), 63);
	assert_int_equal(interval_of(250, 4, true), 15);
}

static void interval_is_rounded_up_to_jiffies(void **state)
{
	assert_int_equal(interval_of(100, 4, false), 1);
	assert_int_equal(interval_of(100, 11, false), 2);
	assert_int_equal(interval_of(250, 5, false), 2);
}

/* 1 ms * 16 at 100 Hz is 2 jiffies, less 1; nothing less than 1 */
static void interval_has_bounds(void **state)
{
	assert_int_equal(interval_of(100, 1, true), 1);
	assert_int_equal(interval_of(1000, 0, false), 1);
	assert_int_equal(interval_of(1000, 512, true), 400);
	assert_int_equal(interval_of(1000, 400, false), 400);
	assert_int_equal(interval_of(1000, 401, false), 400);
}

/* The walk */

/* @sd was balanced @ago jiffies ago. */
static void balanced_ago(lb_scene *s, struct sched_domain *sd, uint64_t ago)
{
	sd->last_balance = s->m->jiffies - ago;
}

static bool balances_after(uint64_t ago, enum cpu_idle_type idle, bool sched_idle)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 1, 0);
	struct rq *rq = cpu_rq(s->m, 1);

	lb_scene_set_figures(s, 1, idle == CPU_NOT_IDLE, 0, 0);
	if (sched_idle)
		rq->cfs.idle_h_nr_running = 1;
	balanced_ago(s, sd, ago);
	rebalance_domains(rq, idle);
	return sd->last_balance == s->m->jiffies;
}

static void domain_is_balanced_when_due(void **state)
{
	assert_false(balances_after(3, CPU_IDLE, false));
	assert_true(balances_after(4, CPU_IDLE, false));
	assert_false(balances_after(62, CPU_NOT_IDLE, false));
	assert_true(balances_after(63, CPU_NOT_IDLE, false));
}

static void cpu_with_idle_policy_tasks_alone_is_not_busy(void **state)
{
	assert_false(balances_after(3, CPU_NOT_IDLE, true));
	assert_true(balances_after(4, CPU_NOT_IDLE, true));
}

/* Balanced: the interval doubles to 8 before the next time is set. */
static void next_balance_is_the_earliest_of_all_domains(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct rq *rq = cpu_rq(s->m, 0);

	balanced_ago(s, lb_scene_domain(s, 0, 0), 4);
	balanced_ago(s, lb_scene_domain(s, 0, 1), 3);
	rebalance_domains(rq, CPU_IDLE);
	assert_int_equal(rq->next_balance, s->m->jiffies - 3 + 8);
	balanced_ago(s, lb_scene_domain(s, 0, 0), 7);
	rebalance_domains(rq, CPU_IDLE);
	assert_int_equal(rq->next_balance, s->m->jiffies + 1);
}

static void next_balance_stays_without_a_domain_due_within_a_minute(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct rq *rq = cpu_rq(s->m, 0);

	rq->next_balance = 7;
	balanced_ago(s, lb_scene_domain(s, 0, 0), (uint64_t)-60000);
	rebalance_domains(rq, CPU_IDLE);
	assert_int_equal(rq->next_balance, 7);
}

/* CPU 8 is the second thread of CPU 0, which is idle and stands for the core. */
static void walk_ends_where_another_cpu_balances(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("numa16");

	for (int level = 0; level < 3; level++)
		balanced_ago(s, lb_scene_domain(s, 8, level), 500);
	rebalance_domains(cpu_rq(s->m, 8), CPU_IDLE);
	assert_int_equal(lb_scene_domain(s, 8, 0)->last_balance, s->m->jiffies);
	assert_int_equal(lb_scene_domain(s, 8, 1)->last_balance, s->m->jiffies);
	assert_int_equal(lb_scene_domain(s, 8, 2)->last_balance, s->m->jiffies - 500);
}

static void numa_domain_waits_while_another_is_balanced(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("numa16");
	struct sched_domain *numa = lb_scene_domain(s, 0, 2);

	balanced_ago(s, numa, 500);
	s->m->balancing_serialized = true;
	rebalance_domains(cpu_rq(s->m, 0), CPU_IDLE);
	assert_int_equal(numa->last_balance, s->m->jiffies - 500);
	assert_true(s->m->balancing_serialized);
	s->m->balancing_serialized = false;
	rebalance_domains(cpu_rq(s->m, 0), CPU_IDLE);
	assert_int_equal(numa->last_balance, s->m->jiffies);
	assert_false(s->m->balancing_serialized);
}

static void cpu_that_pulled_is_busy_from_then_on(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct rq *rq = cpu_rq(s->m, 1);

	for (int i = 0; i < 4; i++)
		lb_scene_task(s, 0);
	balanced_ago(s, lb_scene_domain(s, 1, 0), 4);
	rebalance_domains(rq, CPU_IDLE);
	assert_int_equal(rq->nr_running, 2);
	assert_int_equal(rq->next_balance, s->m->jiffies + 63);
}

/* 1000000 * 253 / 256 = 988281 */
static void newly_idle_cost_fades_on_the_way(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 1, 0);
	struct rq *rq = cpu_rq(s->m, 1);

	sd->max_newidle_lb_cost = 1000000;
	rq->max_idle_balance_cost = 2000000;
	sd->last_decay_max_lb_cost = s->m->jiffies - 1000;
	rebalance_domains(rq, CPU_IDLE);
	assert_int_equal(rq->max_idle_balance_cost, 2000000);
	sd->last_decay_max_lb_cost = s->m->jiffies - 1001;
	rebalance_domains(rq, CPU_IDLE);
	assert_int_equal(sd->max_newidle_lb_cost, 988281);
	assert_int_equal(rq->max_idle_balance_cost, 988281);
}

static void cost_of_the_cpu_keeps_a_floor(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct rq *rq = cpu_rq(s->m, 1);

	rq->max_idle_balance_cost = 2000000;
	lb_scene_domain(s, 1, 0)->last_decay_max_lb_cost = s->m->jiffies - 1001;
	rebalance_domains(rq, CPU_IDLE);
	assert_int_equal(rq->max_idle_balance_cost, 500000);
}

/* The tick */

/* Whether the tick of CPU 1, whose domain is due, balanced it. */
static bool tick_balances(lb_scene *s)
{
	struct sched_domain *sd = lb_scene_domain(s, 1, 0);

	trigger_load_balance(cpu_rq(s->m, 1));
	return sd->last_balance == s->m->jiffies;
}

static lb_scene *scene_due(void)
{
	lb_scene *s = lb_scene_new("smp4");

	balanced_ago(s, lb_scene_domain(s, 1, 0), 100);
	cpu_rq(s->m, 1)->next_balance = s->m->jiffies;
	return s;
}

static void tick_balances_when_due(void **state)
{
	g_autoptr(lb_scene) s = scene_due();

	cpu_rq(s->m, 1)->next_balance = s->m->jiffies + 1;
	assert_false(tick_balances(s));
	cpu_rq(s->m, 1)->next_balance = s->m->jiffies;
	assert_true(tick_balances(s));
}

/* The clock of the run queue moves with the averages. */
static void averages_are_brought_up_to_date_before(void **state)
{
	g_autoptr(lb_scene) s = scene_due();

	machine_set_time(s->m, s->m->now_ns + 100);
	assert_true(tick_balances(s));
	assert_int_equal(cpu_rq(s->m, 1)->clock, s->m->now_ns);
}

static void tick_does_not_balance_when_switched_off_or_inactive(void **state)
{
	g_autoptr(lb_scene) s = scene_due();

	s->m->feat.LB_PERIODIC = false;
	assert_false(tick_balances(s));
	s->m->feat.LB_PERIODIC = true;
	cpumask_clear(&s->m->active, 1);
	assert_false(tick_balances(s));
}

static void tick_on_a_machine_of_one_cpu_is_quiet(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("1n1l1c1t");

	assert_null(cpu_rq(s->m, 0)->sd);
	machine_set_time(s->m, s->m->now_ns + 100);
	trigger_load_balance(cpu_rq(s->m, 0));
	assert_int_equal(cpu_rq(s->m, 0)->clock, s->m->now_ns - 100);
}

static void idleness_at_the_tick_decides_the_interval(void **state)
{
	g_autoptr(lb_scene) s = scene_due();

	balanced_ago(s, lb_scene_domain(s, 1, 0), 4);
	cpu_rq(s->m, 1)->idle_balance = false;
	assert_false(tick_balances(s));
	cpu_rq(s->m, 1)->next_balance = s->m->jiffies;
	cpu_rq(s->m, 1)->idle_balance = true;
	assert_true(tick_balances(s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(busy_cpu_waits_sixteen_times_less_a_jiffy),
		cmocka_unit_test(interval_is_rounded_up_to_jiffies),
		cmocka_unit_test(interval_has_bounds),
		cmocka_unit_test(domain_is_balanced_when_due),
		cmocka_unit_test(cpu_with_idle_policy_tasks_alone_is_not_busy),
		cmocka_unit_test(next_balance_is_the_earliest_of_all_domains),
		cmocka_unit_test(
			next_balance_stays_without_a_domain_due_within_a_minute),
		cmocka_unit_test(walk_ends_where_another_cpu_balances),
		cmocka_unit_test(numa_domain_waits_while_another_is_balanced),
		cmocka_unit_test(cpu_that_pulled_is_busy_from_then_on),
		cmocka_unit_test(newly_idle_cost_fades_on_the_way),
		cmocka_unit_test(cost_of_the_cpu_keeps_a_floor),
		cmocka_unit_test(tick_balances_when_due),
		cmocka_unit_test(averages_are_brought_up_to_date_before),
		cmocka_unit_test(tick_does_not_balance_when_switched_off_or_inactive),
		cmocka_unit_test(tick_on_a_machine_of_one_cpu_is_quiet),
		cmocka_unit_test(idleness_at_the_tick_decides_the_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
