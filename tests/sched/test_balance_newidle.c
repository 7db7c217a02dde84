/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU that finds no task: whether it searches, where, and what it keeps of it.
 */
#include "balance_scene.h"
#include "sched/clock.h"
#include "sched/profile.h"
#include "test.h"

static void count_balances(void *data, const struct machine *m,
			   const struct balance_event *ev)
{
	(*(int *)data)++;
}

/* Four waiting tasks on CPU @busy, and the root domain knows it. */
static lb_scene *scene_with_work(const char *topology, int busy)
{
	lb_scene *s = lb_scene_new(topology);

	for (int i = 0; i < 4; i++)
		lb_scene_task(s, busy);
	s->m->rd.overload = true;
	return s;
}

static void waiting_tasks_are_pulled(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	assert_int_equal(newidle_balance(rq), 2);
	assert_int_equal(rq->nr_running, 2);
	assert_int_equal(rq->idle_stamp, 0);
}

static void cpu_stays_idle_without_overload(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	s->m->rd.overload = false;
	assert_int_equal(newidle_balance(rq), 0);
	assert_int_equal(rq->nr_running, 0);
	assert_int_equal(rq->idle_stamp, rq->clock);
}

static void wakeup_on_its_way_ends_it_before_the_stamp(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	rq->ttwu_pending = true;
	rq->idle_stamp = 5;
	assert_int_equal(newidle_balance(rq), 0);
	assert_int_equal(rq->nr_running, 0);
	assert_int_equal(rq->idle_stamp, 5);
}

static void inactive_cpu_pulls_nothing(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	cpumask_clear(&s->m->active, 1);
	rq->next_balance = s->m->jiffies + 500;
	assert_int_equal(newidle_balance(rq), 0);
	assert_int_equal(rq->nr_running, 0);
	assert_int_equal(rq->idle_stamp, rq->clock);
	assert_int_equal(rq->next_balance, s->m->jiffies + 500);
}

static void switched_off_it_still_stamps(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	s->m->feat.LB_NEWIDLE = false;
	assert_int_equal(newidle_balance(rq), 0);
	assert_int_equal(rq->nr_running, 0);
	assert_int_equal(rq->idle_stamp, rq->clock);
}

static void machine_of_one_cpu_stamps(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("1n1l1c1t");
	struct rq *rq = cpu_rq(s->m, 0);

	s->m->rd.overload = true;
	assert_int_equal(newidle_balance(rq), 0);
	assert_int_equal(rq->idle_stamp, rq->clock);
}

static void cost_above_the_expected_idle_time_forbids_the_search(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	rq->sd->max_newidle_lb_cost = 20001;
	rq->avg_idle = 20000;
	assert_int_equal(newidle_balance(rq), 0);
	rq->avg_idle = 20001;
	assert_int_equal(newidle_balance(rq), 2);
}

/* Work is in the other LLC.  What the first level cost counts for the second. */
static void costs_add_up_over_the_levels(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("llc2x4", 4);
	struct rq *rq = cpu_rq(s->m, 1);

	s->m->costs.newidle_cpu_ns = 100;
	rq->sd->parent->max_newidle_lb_cost = 20000;
	rq->avg_idle = 20399;
	assert_int_equal(newidle_balance(rq), 0);
	rq->avg_idle = 20400;
	assert_int_equal(newidle_balance(rq), 2);
}

static void search_ends_with_the_first_pull(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("llc2x4", 0);
	int balances = 0;
	struct observer observer = {.data = &balances, .load_balance = count_balances};

	s->m->observers = &observer;
	assert_int_equal(newidle_balance(cpu_rq(s->m, 1)), 2);
	assert_int_equal(balances, 1);
}

/* The clock of the run queue moves with the averages, after the stamp. */
static void averages_are_brought_up_to_date_by_a_search(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct rq *rq = cpu_rq(s->m, 1);

	s->m->rd.overload = true;
	machine_set_time(s->m, s->m->now_ns + 100);
	assert_int_equal(newidle_balance(rq), 0);
	assert_int_equal(rq->idle_stamp, s->m->now_ns - 100);
	assert_int_equal(rq->clock, s->m->now_ns);
}

static void level_without_the_flag_is_passed_over(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	rq->sd->flags &= ~(uint32_t)SD_BALANCE_NEWIDLE;
	assert_int_equal(newidle_balance(rq), 0);
}

static void tasks_of_another_class_are_told_apart(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	rq->nr_running = 1;
	assert_int_equal(newidle_balance(rq), -1);
	assert_int_equal(rq->idle_stamp, 0);
}

/* Idle CPUs balance every 4 jiffies; without overload too the time is set. */
static void next_balance_is_only_pulled_forward(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct rq *rq = cpu_rq(s->m, 1);

	rq->sd->last_balance = s->m->jiffies - 1;
	rq->next_balance = s->m->jiffies + 500;
	newidle_balance(rq);
	assert_int_equal(rq->next_balance, s->m->jiffies + 3);
	rq->next_balance = s->m->jiffies + 2;
	newidle_balance(rq);
	assert_int_equal(rq->next_balance, s->m->jiffies + 2);
}

static void next_balance_is_at_most_a_second_away(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct rq *rq = cpu_rq(s->m, 1);

	rq->sd->last_balance = s->m->jiffies + 5000;
	rq->next_balance = s->m->jiffies + 9000;
	newidle_balance(rq);
	assert_int_equal(rq->next_balance, s->m->jiffies + 1000);
}

/* The dice: SplitMix64 from 0 throws 57, 618, 280, 168. */

static int balances_at_ratio(unsigned ratio, int passes, struct sched_domain *after)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct rq *rq = cpu_rq(s->m, 1);
	int balances = 0;
	struct observer observer = {.data = &balances, .load_balance = count_balances};

	s->m->observers = &observer;
	s->m->feat.NI_RANDOM = true;
	s->m->newidle_random = 0;
	rq->sd->newidle_ratio = ratio;
	while (passes--) {
		s->m->rd.overload = true; /* or the pass before found nobody */
		newidle_balance(rq);
	}
	*after = *rq->sd;
	return balances;
}

static void dice_let_passes_through_by_their_success(void **state)
{
	struct sched_domain sd;

	assert_int_equal(balances_at_ratio(512, 1, &sd), 1);
	assert_int_equal(balances_at_ratio(512, 2, &sd), 1);
	assert_int_equal(balances_at_ratio(512, 4, &sd), 3);
}

static void dice_pass_up_to_one_more_than_the_ratio(void **state)
{
	struct sched_domain sd;

	assert_int_equal(balances_at_ratio(55, 1, &sd), 0);
	assert_int_equal(balances_at_ratio(56, 1, &sd), 1);
}

static void passes_count_whether_made_or_refused(void **state)
{
	struct sched_domain sd;

	balances_at_ratio(512, 2, &sd);
	assert_int_equal(sd.newidle_call, 514);
	assert_int_equal(sd.newidle_success, 256);
}

/* One of 513 in 1024 is let through, so a success counts (1024 + 256) / 513 = 2. */
static void success_makes_up_for_the_passes_refused(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	s->m->feat.NI_RANDOM = true;
	s->m->newidle_random = 0;
	assert_int_equal(newidle_balance(rq), 2);
	assert_int_equal(rq->sd->newidle_call, 513);
	assert_int_equal(rq->sd->newidle_success, 258);
}

static void without_dice_a_success_counts_one(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	newidle_balance(rq);
	assert_int_equal(rq->sd->newidle_success, 257);
}

static void plain_6_1_throws_no_dice_and_keeps_no_ratio(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	s->m->profile = kernel_profile_find("6.1.0");
	s->m->feat.NI_RANDOM = true;
	s->m->newidle_random = 0;
	rq->sd->newidle_ratio = 0;
	assert_int_equal(newidle_balance(rq), 2);
	assert_int_equal(s->m->newidle_random, 0);
	assert_int_equal(rq->sd->newidle_call, 512);
	assert_int_equal(rq->sd->newidle_success, 256);
}

/* Costs */

static void a_pass_costs_by_the_cpu(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	s->m->costs.newidle_cpu_ns = 200000;
	newidle_balance(rq);
	assert_int_equal(rq->sd->max_newidle_lb_cost, 800000);
	assert_int_equal(rq->max_idle_balance_cost, 800000);
}

static void cheap_pass_leaves_the_cpus_greatest_cost(void **state)
{
	g_autoptr(lb_scene) s = scene_with_work("smp4", 0);
	struct rq *rq = cpu_rq(s->m, 1);

	newidle_balance(rq);
	assert_int_equal(rq->sd->max_newidle_lb_cost, 1);
	assert_int_equal(rq->max_idle_balance_cost, 500000);
}

static void ratio_is_taken_at_1024_calls(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 0, 0);

	sd->newidle_call = 1022;
	sd->newidle_success = 300;
	update_newidle_cost(s->m, sd, 10, 0);
	assert_int_equal(sd->newidle_ratio, 512);
	update_newidle_cost(s->m, sd, 0, 7);
	assert_int_equal(sd->newidle_call, 1023);
	update_newidle_cost(s->m, sd, 10, 3);
	assert_int_equal(sd->newidle_ratio, 303);
	assert_int_equal(sd->newidle_call, 512);
	assert_int_equal(sd->newidle_success, 151);
}

/* 256 * 253 / 256 = 253 */
static void greatest_cost_is_kept_for_a_second_and_fades(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 0, 0);

	assert_false(update_newidle_cost(s->m, sd, 256, 0));
	assert_int_equal(sd->last_decay_max_lb_cost, s->m->jiffies);
	s->m->jiffies += 1000;
	assert_false(update_newidle_cost(s->m, sd, 256, 0));
	assert_int_equal(sd->max_newidle_lb_cost, 256);
	s->m->jiffies += 1;
	assert_true(update_newidle_cost(s->m, sd, 256, 0));
	assert_int_equal(sd->max_newidle_lb_cost, 253);
	assert_int_equal(sd->last_decay_max_lb_cost, s->m->jiffies);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waiting_tasks_are_pulled),
		cmocka_unit_test(cpu_stays_idle_without_overload),
		cmocka_unit_test(wakeup_on_its_way_ends_it_before_the_stamp),
		cmocka_unit_test(inactive_cpu_pulls_nothing),
		cmocka_unit_test(switched_off_it_still_stamps),
		cmocka_unit_test(machine_of_one_cpu_stamps),
		cmocka_unit_test(cost_above_the_expected_idle_time_forbids_the_search),
		cmocka_unit_test(costs_add_up_over_the_levels),
		cmocka_unit_test(search_ends_with_the_first_pull),
		cmocka_unit_test(averages_are_brought_up_to_date_by_a_search),
		cmocka_unit_test(level_without_the_flag_is_passed_over),
		cmocka_unit_test(tasks_of_another_class_are_told_apart),
		cmocka_unit_test(next_balance_is_only_pulled_forward),
		cmocka_unit_test(next_balance_is_at_most_a_second_away),
		cmocka_unit_test(dice_let_passes_through_by_their_success),
		cmocka_unit_test(dice_pass_up_to_one_more_than_the_ratio),
		cmocka_unit_test(passes_count_whether_made_or_refused),
		cmocka_unit_test(success_makes_up_for_the_passes_refused),
		cmocka_unit_test(without_dice_a_success_counts_one),
		cmocka_unit_test(plain_6_1_throws_no_dice_and_keeps_no_ratio),
		cmocka_unit_test(a_pass_costs_by_the_cpu),
		cmocka_unit_test(cheap_pass_leaves_the_cpus_greatest_cost),
		cmocka_unit_test(ratio_is_taken_at_1024_calls),
		cmocka_unit_test(greatest_cost_is_kept_for_a_second_and_fades),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
