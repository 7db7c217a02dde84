/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the counting observers make of events that are announced by hand.
 */
#include "test.h"

#include "report/figures.h"
#include "report_scene.h"
#include "schedsim/wakeup.h"

enum { WEB0, WEB1, DB0, DB1 };
enum { GROUP_WEB, GROUP_DB };

struct fixture {
	report_scene *s;
	stats *counting;
};

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->s = report_scene_new();
	f->counting = stats_new(&f->s->in);
	f->s->m.observers = stats_observers(f->counting);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	stats_free(f->counting);
	report_scene_free(f->s);
	g_free(f);
	return 0;
}

static const struct sim_observer *above(struct fixture *f)
{
	return stats_sim_observer(f->counting);
}

static void warmup_over(struct fixture *f, uint64_t now_ns)
{
	scene_at(f->s, now_ns);
	above(f)->warmup_over(above(f)->data, now_ns);
}

static const struct results *end_at(struct fixture *f, uint64_t now_ns)
{
	scene_at(f->s, now_ns);
	return stats_finish(f->counting, now_ns);
}

/* Latencies */

static void wakeup_latency_runs_from_waking_to_switch_in(void **state)
{
	struct fixture *f = *state;
	const struct results *r;

	scene_at(f->s, 1000);
	scene_waking(f->s, WEB0, 0);
	scene_placed(f->s, WEB0, 1, 0, true);
	scene_at(f->s, 1030);
	scene_enqueued(f->s, WEB0);
	scene_at(f->s, 1100);
	scene_switch(f->s, 1, WEB0, false);
	r = end_at(f, 2000);
	assert_int_equal(r->groups[GROUP_WEB].wakeup_latency_ns.count, 1);
	assert_int_equal(r->groups[GROUP_WEB].wakeup_latency_ns.max, 100);
	assert_int_equal(r->groups[GROUP_WEB].wakeup_to_run_ns.max, 70);
	assert_int_equal(r->groups[GROUP_WEB].run_delay_ns.max, 70);
	assert_int_equal(r->groups[GROUP_DB].wakeup_latency_ns.count, 0);
	assert_int_equal(r->all.wakeup_latency_ns.max, 100);
}

/* A preemption begins another wait, but no other wakeup. */
static void run_delay_counts_waits_after_preemption(void **state)
{
	struct fixture *f = *state;
	const struct results *r;

	scene_at(f->s, 100);
	scene_wakeup(f->s, WEB0, 0, 0);
	scene_at(f->s, 110);
	scene_switch(f->s, 0, WEB0, false);
	scene_at(f->s, 200);
	scene_wakeup(f->s, DB0, 0, 0);
	scene_switch(f->s, 0, DB0, false);
	scene_at(f->s, 240);
	scene_switch(f->s, 0, WEB0, true);
	r = end_at(f, 300);
	assert_int_equal(r->groups[GROUP_WEB].wakeup_latency_ns.count, 1);
	assert_int_equal(r->groups[GROUP_WEB].run_delay_ns.count, 2);
	assert_int_equal(r->groups[GROUP_WEB].run_delay_ns.max, 40);
	assert_int_equal(r->groups[GROUP_WEB].run_delay_total_ns, 10 + 40);
}

/* 1..100 ns once each: the nearest ranks are the numbers themselves. */
static void percentiles_are_nearest_rank(void **state)
{
	static const int64_t expected[] = {100, 50, 1, 50, 90, 95, 99, 100, 100};
	struct fixture *f = *state;
	g_autoptr(figures) all = NULL;

	for (uint64_t i = 1; i <= 100; i++) {
		scene_at(f->s, i * 1000);
		scene_wakeup(f->s, WEB0, 0, 0);
		scene_at(f->s, i * 1000 + i);
		scene_switch(f->s, 0, WEB0, false);
		scene_at(f->s, i * 1000 + 500);
		scene_switch(f->s, 0, IDLE, true);
	}
	all = figures_from_results(end_at(f, 200000));
	for (int i = 0; distribution_stats()[i]; i++) {
		struct figure name = {
			{"tasks", "web", "wakeup_latency_ns", distribution_stats()[i]},
			0};

		assert_int_equal(figures_find(all, &name, 0)->value, expected[i]);
	}
}

/* rt-app's run, period and wu_lat; a turn without such an event has none. */
static void turns_of_phases_are_measured_as_rt_app_does(void **state)
{
	struct fixture *f = *state;
	const struct sim_observer *o = above(f);
	const struct phase_turn turns[] = {
		{.start_ns = 100,
		 .end_ns = 500,
		 .run_ns = 50,
		 .work_ns = 40,
		 .asked_run_ns = 40},
		{.start_ns = 500,
		 .end_ns = 800,
		 .timer_waited = true,
		 .timer_wait_ns = 7},
		{.start_ns = 800,
		 .end_ns = 830,
		 .run_ns = 30,
		 .work_ns = 30,
		 .asked_run_ns = 30},
	};
	const struct results *r;

	o->phase_turn(o->data, &f->s->threads[WEB0], &turns[0]);
	o->phase_turn(o->data, &f->s->threads[WEB1], &turns[1]);
	o->phase_turn(o->data, &f->s->threads[DB0], &turns[2]);
	r = end_at(f, 1000);
	assert_int_equal(r->groups[GROUP_WEB].period_ns.count, 2);
	assert_int_equal(r->groups[GROUP_WEB].period_ns.min, 300);
	assert_int_equal(r->groups[GROUP_WEB].period_ns.max, 400);
	assert_int_equal(r->groups[GROUP_WEB].run_ns.count, 1);
	assert_int_equal(r->groups[GROUP_WEB].run_ns.max, 50);
	assert_int_equal(r->groups[GROUP_WEB].timer_wakeup_ns.count, 1);
	assert_int_equal(r->groups[GROUP_WEB].timer_wakeup_ns.max, 7);
	assert_int_equal(r->groups[GROUP_WEB].work_ns, 40);
	assert_int_equal(r->all.work_ns, 40 + 30);
	assert_int_equal(r->groups[GROUP_DB].timer_wakeup_ns.count, 0);
}

static void latencies_count_by_their_end(void **state)
{
	struct fixture *f = *state;
	const struct results *r;

	scene_at(f->s, 100);
	scene_wakeup(f->s, WEB0, 0, 0);
	scene_switch(f->s, 0, WEB0, false);
	scene_at(f->s, 150);
	scene_wakeup(f->s, WEB1, 0, 0);
	warmup_over(f, 200);
	scene_at(f->s, 230);
	scene_switch(f->s, 0, WEB1, true);
	scene_wakeup(f->s, DB0, 0, 0);
	r = end_at(f, 300);
	assert_int_equal(r->groups[GROUP_WEB].wakeup_latency_ns.count, 1);
	assert_int_equal(r->groups[GROUP_WEB].wakeup_latency_ns.max, 80);
	assert_int_equal(r->groups[GROUP_DB].wakeup_latency_ns.count, 0);
}

/* Times */

static void cpu_time_is_cut_at_both_ends(void **state)
{
	struct fixture *f = *state;
	const struct results *r;

	scene_at(f->s, 100);
	scene_wakeup(f->s, WEB0, 0, 0);
	scene_switch(f->s, 0, WEB0, false);
	scene_wakeup(f->s, DB0, 2, 0);
	scene_switch(f->s, 2, DB0, false);
	warmup_over(f, 1000);
	scene_at(f->s, 1400);
	scene_switch(f->s, 2, IDLE, true);
	r = end_at(f, 2000);
	assert_int_equal(r->groups[GROUP_WEB].cpu_time_ns, 1000);
	assert_int_equal(r->groups[GROUP_DB].cpu_time_ns, 400);
	assert_int_equal(r->busy_ns[0], 1000);
	assert_int_equal(r->busy_ns[1], 0);
	assert_int_equal(r->busy_ns[2], 400);
	/* 1400 of 4 * 1000 */
	assert_int_equal(r->counters.utilisation_ppm, 350000);
}

static void idle_while_runnable_needs_both_in_one_llc(void **state)
{
	struct fixture *f = *state;
	const struct results *r;

	scene_at(f->s, 100);
	scene_wakeup(f->s, WEB0, 0, 0);
	scene_switch(f->s, 0, WEB0, false);
	scene_at(f->s, 200);
	scene_wakeup(f->s, WEB1, 0, 0); /* waits, CPU 1 idles: from 200 */
	scene_at(f->s, 260);
	scene_wakeup(f->s, DB0, 1, 0); /* CPU 1 has work: to 260 */
	scene_switch(f->s, 1, DB0, false);
	scene_at(f->s, 300);
	scene_switch(f->s, 1, IDLE, true); /* idles again: from 300 */
	scene_at(f->s, 310);
	scene_pull(f->s, WEB1, 2); /* nothing waits in this LLC: to 310 */
	scene_switch(f->s, 2, WEB1, false);
	r = end_at(f, 500);
	assert_int_equal(r->idle_while_runnable_ns[0], 60 + 10);
	/* WEB1 was queued and switched to at one instant */
	assert_int_equal(r->idle_while_runnable_ns[1], 0);
	assert_int_equal(r->counters.idle_while_runnable_ns, 70);
}

/* Before it switches, an idle CPU has a task that waits, and is not the idle one. */
static void a_cpu_about_to_switch_is_not_idle(void **state)
{
	struct fixture *f = *state;

	scene_at(f->s, 100);
	scene_wakeup(f->s, DB0, 1, 1);
	scene_switch(f->s, 1, DB0, false);
	scene_wakeup(f->s, WEB0, 0, 1); /* CPU 0 is about to; nobody idles */
	scene_at(f->s, 150);
	scene_switch(f->s, 1, IDLE, true); /* CPU 1 idles: from 150 */
	scene_at(f->s, 170);
	scene_switch(f->s, 0, WEB0, false); /* nothing waits: to 170 */
	assert_int_equal(end_at(f, 500)->idle_while_runnable_ns[0], 20);
}

static void idle_while_runnable_is_cut_at_the_warmup(void **state)
{
	struct fixture *f = *state;

	scene_at(f->s, 100);
	scene_wakeup(f->s, WEB0, 0, 0);
	scene_switch(f->s, 0, WEB0, false);
	scene_wakeup(f->s, WEB1, 0, 0);
	warmup_over(f, 1000);
	assert_int_equal(end_at(f, 1700)->idle_while_runnable_ns[0], 700);
}

/* Stacking */

static void avoidable_wait_is_against_the_shortest_allowed_queue_near(void **state)
{
	struct fixture *f = *state;
	const struct results *r;

	/* CPU 0: two tasks; CPU 1: one; CPU 2, of the other LLC: none */
	scene_wakeup(f->s, WEB0, 0, 3);
	scene_switch(f->s, 0, WEB0, false);
	scene_wakeup(f->s, WEB1, 0, 3);
	scene_wakeup(f->s, DB0, 1, 3);
	scene_switch(f->s, 1, DB0, false);
	scene_wakeup(f->s, DB1, 0, 0);
	r = end_at(f, 100);
	/* DB0 found an empty queue; DB1 two tasks, where CPU 1 had one */
	assert_int_equal(r->groups[GROUP_DB].wakeups, 2);
	assert_int_equal(r->groups[GROUP_DB].queue_length_mean_milli, 1000);
	assert_int_equal(r->groups[GROUP_DB].avoidable_wakeups, 1);
	assert_int_equal(r->groups[GROUP_DB].avoidable_wait_mean_milli, 500);
	assert_int_equal(r->groups[GROUP_DB].avoidable_wait_max, 1);
	assert_int_equal(r->groups[GROUP_DB].on_waker_cpu, 1);
	/* WEB1 found WEB0, where CPU 1 was empty */
	assert_int_equal(r->groups[GROUP_WEB].avoidable_wakeups, 1);
}

static void cpus_that_are_not_allowed_avoid_nothing(void **state)
{
	struct fixture *f = *state;

	scene_wakeup(f->s, WEB0, 0, 3);
	scene_task(f->s, WEB1)->cpus_mask = cpumask_of(0);
	cpumask_set(&scene_task(f->s, WEB1)->cpus_mask, 2);
	scene_task(f->s, WEB1)->nr_cpus_allowed = 2;
	scene_wakeup(f->s, WEB1, 0, 3);
	assert_int_equal(end_at(f, 100)->all.avoidable_wakeups, 0);
}

/* Two wakeups in one instant: the first is not on the queue yet. */
static void wakees_on_their_way_count_as_queued(void **state)
{
	struct fixture *f = *state;
	const struct results *r;

	scene_waking(f->s, WEB0, 0);
	scene_placed(f->s, WEB0, 1, 0, true);
	scene_waking(f->s, DB0, 0);
	scene_placed(f->s, DB0, 1, 0, true);
	scene_at(f->s, 1000);
	scene_enqueued(f->s, WEB0);
	scene_enqueued(f->s, DB0);
	scene_wakeup(f->s, DB1, 1, 0);
	scene_wakeup(f->s, WEB1, 0, 0);
	r = end_at(f, 2000);
	/* DB0 met one, DB1 met two, WEB1 none; CPU 0 had none */
	assert_int_equal(r->groups[GROUP_DB].queue_length_mean_milli, 1500);
	assert_int_equal(r->groups[GROUP_DB].avoidable_wait_max, 2);
	/* 3 of 4 wakeups */
	assert_int_equal(r->all.avoidable_wait_mean_milli, 750);
	assert_int_equal(r->all.avoidable_wait_max, 2);
}

/* The largest is not the last. */
static void the_maximum_stays(void **state)
{
	struct fixture *f = *state;

	scene_wakeup(f->s, WEB0, 0, 0);
	scene_wakeup(f->s, WEB1, 0, 0);
	scene_wakeup(f->s, DB0, 0, 0);
	scene_wakeup(f->s, DB1, 1, 0);
	assert_int_equal(end_at(f, 10)->groups[GROUP_DB].avoidable_wait_max, 2);
}

/* Counters */

static void decide(struct fixture *f, struct wakeup w)
{
	w.m = &f->s->m;
	w.p = scene_task(f->s, WEB0);
	w.curr = &f->s->idle[0];
	OBSERVE(&f->s->m, select_done, &w);
}

static void affine_successes_are_moves_to_the_wakers_cpu(void **state)
{
	struct fixture *f = *state;
	const struct counters *c;

	decide(f, (struct wakeup){.this_cpu = 0, .prev_cpu = 1, .affine_cpu = 0});
	decide(f, (struct wakeup){
			  .this_cpu = 0, .prev_cpu = 1, .affine_cpu = 0, .cpu = 1});
	decide(f, (struct wakeup){
			  .this_cpu = 0, .prev_cpu = 1, .affine_cpu = 1, .cpu = 1});
	decide(f,
	       (struct wakeup){.this_cpu = 0, .prev_cpu = 1, .affine_cpu = CPU_NONE});
	c = &end_at(f, 10)->counters;
	assert_int_equal(c->affine_attempts, 3);
	assert_int_equal(c->affine_successes, 2);
	assert_int_equal(c->affine_placed, 1);
}

static void searches_end_in_hits_or_failures(void **state)
{
	struct fixture *f = *state;
	const struct counters *c;

	decide(f, (struct wakeup){.searched = true, .probes = 4, .search_hit = true});
	decide(f, (struct wakeup){.searched = true, .probes = 7});
	decide(f, (struct wakeup){.slow_path = true});
	c = &end_at(f, 10)->counters;
	assert_int_equal(c->sis_searches, 2);
	assert_int_equal(c->sis_probes, 11);
	assert_int_equal(c->sis_hits, 1);
	assert_int_equal(c->sis_failures, 1);
	assert_int_equal(c->slow_paths, 1);
}

static void decisions_are_counted_by_stage_and_reason(void **state)
{
	char same[] = "idle"; /* an equal reason at another address */
	struct fixture *f = *state;
	const struct results *r;

	decide(f, (struct wakeup){.stage = "scan", .reason = "idle"});
	decide(f, (struct wakeup){.stage = "scan", .reason = same});
	decide(f, (struct wakeup){.stage = "scan", .reason = "busy"});
	r = end_at(f, 10);
	assert_int_equal(r->nr_decisions, 2);
	assert_string_equal(r->decisions[0].reason, "busy");
	assert_int_equal(r->decisions[1].count, 2);
}

static void migrations_tell_wakeups_from_queued_tasks(void **state)
{
	struct fixture *f = *state;
	const struct counters *c;

	scene_wakeup(f->s, WEB0, 1, 0);
	scene_pull(f->s, WEB0, 0);
	scene_pull(f->s, WEB0, 2);
	c = &end_at(f, 10)->counters;
	assert_int_equal(c->migrations, 3);
	assert_int_equal(c->migrations_wakeup, 1);
	assert_int_equal(c->migrations_balance, 2);
	assert_int_equal(c->migrations_llc, 1);
}

static void switches_are_voluntary_or_not(void **state)
{
	struct fixture *f = *state;
	const struct counters *c;

	scene_wakeup(f->s, WEB0, 0, 0);
	scene_wakeup(f->s, WEB1, 0, 0);
	scene_switch(f->s, 0, WEB0, false);
	scene_switch(f->s, 0, WEB1, false);
	scene_switch(f->s, 0, WEB0, true);
	scene_switch(f->s, 0, IDLE, true);
	c = &end_at(f, 10)->counters;
	assert_int_equal(c->switches, 4);
	assert_int_equal(c->switches_voluntary, 2);
	assert_int_equal(c->switches_preempted, 1);
}

static void balance(struct fixture *f, enum cpu_idle_type idle, int busiest,
		    unsigned nr_moved)
{
	struct balance_event ev = {
		.idle = idle, .busiest_cpu = busiest, .nr_moved = nr_moved};

	OBSERVE(&f->s->m, load_balance, &f->s->m, &ev);
}

static void balancing_is_counted_by_kind(void **state)
{
	struct fixture *f = *state;
	const struct counters *c;

	balance(f, CPU_NEWLY_IDLE, 1, 1);
	balance(f, CPU_NEWLY_IDLE, CPU_NONE, 0);
	balance(f, CPU_IDLE, 2, 3);
	balance(f, CPU_NOT_IDLE, 2, 2);
	c = &end_at(f, 10)->counters;
	assert_int_equal(c->lb_calls_newidle, 2);
	assert_int_equal(c->lb_calls_idle, 1);
	assert_int_equal(c->lb_calls_busy, 1);
	assert_int_equal(c->lb_balanced, 1);
	assert_int_equal(c->pulled_newidle, 1);
	assert_int_equal(c->pulled_periodic, 5);
}

static void ttwu_is_local_or_remote(void **state)
{
	struct fixture *f = *state;
	const struct counters *c;

	scene_wakeup(f->s, WEB0, 0, 0);
	scene_wakeup(f->s, WEB1, 1, 0);
	scene_waking(f->s, DB0, 0);
	scene_placed(f->s, DB0, 2, 0, true);
	c = &end_at(f, 10)->counters;
	assert_int_equal(c->ttwu_count, 3);
	assert_int_equal(c->ttwu_local, 1);
	assert_int_equal(c->ttwu_remote, 2);
	assert_int_equal(c->ttwu_wakelist, 1);
}

/* Above the scheduler */

static void requests_are_counted_by_their_answer(void **state)
{
	struct fixture *f = *state;
	const struct sim_observer *o = above(f);
	const struct results *r;
	struct figure throughput = {{"sources", "clients", "throughput_per_s", NULL},
				    0};
	g_autoptr(figures) all = NULL;

	o->request_arrived(o->data, 0);
	o->request_arrived(o->data, 0);
	warmup_over(f, 1000);
	o->request_done(o->data, 0, 100, 1050, 1);
	o->request_arrived(o->data, 0);
	o->request_done(o->data, 0, 2000, 2040, 3);
	o->request_arrived(o->data, 0);
	o->request_done(o->data, 0, 3000, 3500, 4);
	r = end_at(f, 1000 + 2 * NSEC_PER_SEC);
	assert_int_equal(r->sources[0].request_latency_ns.count, 3);
	assert_int_equal(r->sources[0].request_latency_ns.min, 40);
	assert_int_equal(r->sources[0].request_latency_ns.max, 950);
	assert_int_equal(r->sources[0].arrived, 2);
	assert_int_equal(r->sources[0].pending, 1);
	all = figures_from_results(r);
	/* 3 in 2 s, rounded */
	assert_int_equal(figures_find(all, &throughput, 0)->value, 2);
}

static void cache_refills_add_up(void **state)
{
	struct fixture *f = *state;
	const struct sim_observer *o = above(f);
	const struct results *r;

	o->cache_refill(o->data, &f->s->threads[WEB0], 700);
	warmup_over(f, 1000);
	o->cache_refill(o->data, &f->s->threads[WEB0], 30);
	o->cache_refill(o->data, &f->s->threads[WEB1], 5);
	o->cache_refill(o->data, &f->s->threads[DB0], 2);
	r = end_at(f, 2000);
	assert_int_equal(r->groups[GROUP_WEB].cache_refill_ns, 35);
	assert_int_equal(r->groups[GROUP_DB].cache_refill_ns, 2);
	assert_int_equal(r->all.cache_refill_ns, 37);
}

static void missed_periods_have_no_slack(void **state)
{
	struct fixture *f = *state;
	const struct sim_observer *o = above(f);
	const struct task_results *web;

	o->timer_step(o->data, &f->s->threads[WEB0], 70);
	o->timer_step(o->data, &f->s->threads[WEB1], 0);
	o->timer_step(o->data, &f->s->threads[WEB1], -30);
	o->activation(o->data, &f->s->threads[WEB1]);
	web = &end_at(f, 10)->groups[GROUP_WEB];
	assert_int_equal(web->timer_slack_ns.count, 2);
	assert_int_equal(web->timer_slack_ns.max, 70);
	assert_int_equal(web->timer_overrun_ns.max, 30);
	assert_int_equal(web->missed_activations, 1);
	assert_int_equal(web->activations, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(wakeup_latency_runs_from_waking_to_switch_in),
		TEST(run_delay_counts_waits_after_preemption),
		TEST(percentiles_are_nearest_rank),
		TEST(turns_of_phases_are_measured_as_rt_app_does),
		TEST(latencies_count_by_their_end),
		TEST(cpu_time_is_cut_at_both_ends),
		TEST(idle_while_runnable_needs_both_in_one_llc),
		TEST(a_cpu_about_to_switch_is_not_idle),
		TEST(idle_while_runnable_is_cut_at_the_warmup),
		TEST(avoidable_wait_is_against_the_shortest_allowed_queue_near),
		TEST(cpus_that_are_not_allowed_avoid_nothing),
		TEST(wakees_on_their_way_count_as_queued),
		TEST(the_maximum_stays),
		TEST(affine_successes_are_moves_to_the_wakers_cpu),
		TEST(searches_end_in_hits_or_failures),
		TEST(decisions_are_counted_by_stage_and_reason),
		TEST(migrations_tell_wakeups_from_queued_tasks),
		TEST(switches_are_voluntary_or_not),
		TEST(balancing_is_counted_by_kind),
		TEST(ttwu_is_local_or_remote),
		TEST(requests_are_counted_by_their_answer),
		TEST(cache_refills_add_up),
		TEST(missed_periods_have_no_slack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
