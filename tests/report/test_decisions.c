/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of the decision trace, read back.
 */
#include "test.h"

#include "report/decisions.h"
#include "report_scene.h"
#include "schedsim/wakeup.h"

#include <json-c/json.h>
#include <string.h>

enum { WEB0, WEB1, DB0, DB1 };

struct fixture {
	report_scene *s;
	stats *counting;
	decisions *trace;
	FILE *file;
	char *text;
	gsize length;
};

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->s = report_scene_new();
	f->counting = stats_new(&f->s->in);
	f->file = open_memstream(&f->text, &f->length);
	f->trace = decisions_new(f->file, &f->s->in, stats_observers(f->counting),
				 stats_sim_observer(f->counting));
	f->s->m.observers = decisions_observer(f->trace);
	scene_at(f->s, SIM_START_NS + 500);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	decisions_free(f->trace);
	stats_free(f->counting);
	report_scene_free(f->s);
	fclose(f->file);
	free(f->text);
	g_free(f);
	return 0;
}

/* Line @n, from 0, to be put. */
static json_object *line(struct fixture *f, int n)
{
	g_auto(GStrv) lines = NULL;
	json_object *object;

	fflush(f->file);
	lines = g_strsplit(f->text, "\n", -1);
	assert_true(n < (int)g_strv_length(lines));
	object = json_tokener_parse(lines[n]);
	assert_non_null(object);
	return object;
}

static void assert_member(json_object *object, const char *key, const char *json)
{
	json_object *member;

	assert_true(json_object_object_get_ex(object, key, &member));
	assert_string_equal(json_object_to_json_string(member), json);
}

static const struct sim_observer *above(struct fixture *f)
{
	return decisions_sim_observer(f->trace);
}

/* WEB0, current on CPU 0, wakes DB0, whose prev is CPU 1, onto CPU 3. */
static void wake_with_decision(struct fixture *f)
{
	report_scene *s = f->s;
	struct wakeup w = {
		.m = &s->m,
		.p = scene_task(s, DB0),
		.curr = scene_task(s, WEB0),
		.this_cpu = 0,
		.prev_cpu = 1,
		.wake_flags = WF_TTWU | WF_SYNC,
		.sync = true,
		.in_task = true,
		.wide = 0,
		.affine_cpu = 0,
		.target = 1,
		.probes = 2,
		.searched = true,
		.cpu = 3,
		.stage = "select_idle_cpu",
		.reason = "idle",
		.affine_reason = "sync",
	};

	scene_task(s, DB0)->cpu = 1;
	scene_waking(s, DB0, 0);
	OBSERVE(&s->m, select_enter, &w);
	/* what changes after the sample must not be seen */
	scene_task(s, WEB0)->wakee_flips = 99;
	OBSERVE(&s->m, select_done, &w);
	scene_placed(s, DB0, 3, 0, false);
	scene_enqueued(s, DB0);
}

static void a_wakeup_says_what_it_was_made_from(void **state)
{
	struct fixture *f = *state;
	report_scene *s = f->s;
	struct sched_domain_shared shared = {.nr_idle_scan = 7, .has_idle_cores = true};
	json_object *o;

	scene_wakeup(s, WEB0, 0, 0);
	scene_switch(s, 0, WEB0, false);
	scene_task(s, WEB0)->wakee_flips = 5;
	scene_task(s, DB0)->wakee_flips = 3;
	scene_task(s, WEB0)->se.dur_avg = 1234;
	scene_task(s, DB0)->se.dur_avg = 4321;
	scene_task(s, DB0)->recent_used_cpu = 2;
	scene_task(s, DB0)->se.avg.load_avg = 800;
	scene_task(s, DB0)->se.avg.util_avg = 300;
	s->rqs[0].cfs.avg.load_avg = 1023;
	s->rqs[1].sd_llc_shared = &shared;
	wake_with_decision(f);
	o = line(f, 2);
	assert_member(o, "type", "\"wakeup\"");
	assert_member(o, "t_ns", "500");
	assert_member(o, "wakeup", "2");
	assert_member(o, "kind", "\"wakeup\"");
	assert_member(o, "wakee", "\"db-0\"");
	assert_member(o, "wakee_pid", "102");
	assert_member(o, "waker", "\"web-0\"");
	assert_member(o, "waker_pid", "100");
	assert_member(o, "this_cpu", "0");
	assert_member(o, "prev_cpu", "1");
	assert_member(o, "cpu", "3");
	assert_member(o, "stage", "\"select_idle_cpu\"");
	assert_member(o, "reason", "\"idle\"");
	assert_member(o, "affine_cpu", "0");
	assert_member(o, "affine_reason", "\"sync\"");
	assert_member(o, "target", "1");
	assert_member(o, "probes", "2");
	assert_member(o, "wake_flags", "\"18\"");
	assert_member(o, "sync", "true");
	assert_member(o, "irq", "false");
	assert_member(o, "wide", "0");
	assert_member(o, "waker_flips", "5");
	assert_member(o, "wakee_flips", "3");
	assert_member(o, "idle", "\"e\"");
	assert_member(o, "this_nr_running", "1");
	assert_member(o, "prev_nr_running", "0");
	assert_member(o, "this_load", "1023");
	assert_member(o, "prev_load", "0");
	assert_member(o, "wakee_load_avg", "800");
	assert_member(o, "wakee_util_avg", "300");
	assert_member(o, "wakee_dur_avg_ns", "4321");
	assert_member(o, "waker_dur_avg_ns", "1234");
	assert_member(o, "recent_used_cpu", "2");
	assert_member(o, "nr_idle_scan", "7");
	assert_member(o, "has_idle_cores", "true");
	assert_member(o, "allowed", "\"0-3\"");
	json_object_put(o);
}

/* task_h_load() would keep h_load for the jiffy; a trace must leave no mark. */
static void h_load_is_read_without_being_kept(void **state)
{
	struct fixture *f = *state;
	report_scene *s = f->s;
	struct cfs_rq *cfs = &s->rqs[1].cfs;
	json_object *o;

	scene_wakeup(s, WEB0, 0, 0);
	scene_switch(s, 0, WEB0, false);
	s->m.jiffies = 10;
	cfs->last_h_load_update = 9;
	cfs->h_load = 5;
	cfs->avg.load_avg = 1999;
	scene_task(s, DB0)->se.cfs_rq = cfs;
	scene_task(s, DB0)->se.avg.load_avg = 1000;
	wake_with_decision(f);
	o = line(f, 2);
	/* 1000 * 1999 / 2000 */
	assert_member(o, "wakee_h_load", "999");
	assert_int_equal(cfs->h_load, 5);
	assert_int_equal(cfs->last_h_load_update, 9);
	json_object_put(o);
}

static void a_kept_h_load_is_used(void **state)
{
	struct fixture *f = *state;
	report_scene *s = f->s;
	json_object *o;

	scene_wakeup(s, WEB0, 0, 0);
	scene_switch(s, 0, WEB0, false);
	s->m.jiffies = 10;
	s->rqs[1].cfs.last_h_load_update = 10;
	s->rqs[1].cfs.h_load = 500;
	s->rqs[1].cfs.avg.load_avg = 1999;
	scene_task(s, DB0)->se.cfs_rq = &s->rqs[1].cfs;
	scene_task(s, DB0)->se.avg.load_avg = 1000;
	wake_with_decision(f);
	o = line(f, 2);
	/* 1000 * 500 / 2000 */
	assert_member(o, "wakee_h_load", "250");
	json_object_put(o);
}

static void a_switch_in_names_its_wakeup(void **state)
{
	struct fixture *f = *state;
	json_object *o;

	scene_wakeup(f->s, WEB0, 1, 0);
	scene_at(f->s, SIM_START_NS + 800);
	scene_switch(f->s, 1, WEB0, false);
	o = line(f, 1);
	assert_member(o, "type", "\"switch_in\"");
	assert_member(o, "t_ns", "800");
	assert_member(o, "pid", "100");
	assert_member(o, "cpu", "1");
	assert_member(o, "wakeup", "1");
	assert_member(o, "waited_ns", "300");
	json_object_put(o);
}

/* After a preemption there is no wakeup to name. */
static void a_preemption_begins_a_wait(void **state)
{
	struct fixture *f = *state;
	json_object *o;

	scene_wakeup(f->s, WEB0, 0, 0);
	scene_switch(f->s, 0, WEB0, false);
	scene_wakeup(f->s, DB0, 0, 0);
	scene_switch(f->s, 0, DB0, false);
	o = line(f, 3);
	assert_member(o, "type", "\"preempted\"");
	assert_member(o, "pid", "100");
	assert_member(o, "by_pid", "102");
	json_object_put(o);
	scene_at(f->s, SIM_START_NS + 700);
	scene_switch(f->s, 0, WEB0, true);
	o = line(f, 5);
	assert_member(o, "type", "\"switch_in\"");
	assert_member(o, "wakeup", "null");
	assert_member(o, "waited_ns", "200");
	json_object_put(o);
}

/* After a wakeup it is the wakeup's, after a preemption the one that it took. */
static void a_switch_in_names_its_request(void **state)
{
	struct fixture *f = *state;
	const struct sim_observer *o = above(f);
	json_object *l;

	scene_wakeup(f->s, WEB0, 0, 0);
	scene_switch(f->s, 0, WEB0, false);
	o->message_received(o->data, &f->s->threads[WEB0], 17, 0);
	wake_with_decision(f);
	scene_switch(f->s, 3, DB0, false);
	l = line(f, 1);
	assert_member(l, "request", "null");
	json_object_put(l);
	l = line(f, 4);
	assert_member(l, "type", "\"switch_in\"");
	assert_member(l, "pid", "102");
	assert_member(l, "request", "17");
	json_object_put(l);
	/* it takes another, is preempted and comes back */
	o->message_received(o->data, &f->s->threads[DB0], 18, 0);
	scene_wakeup(f->s, WEB1, 3, 3);
	scene_switch(f->s, 3, WEB1, false);
	scene_switch(f->s, 3, DB0, true);
	l = line(f, 9);
	assert_member(l, "type", "\"switch_in\"");
	assert_member(l, "pid", "102");
	assert_member(l, "wakeup", "null");
	assert_member(l, "request", "18");
	json_object_put(l);
}

static void a_request_can_be_followed(void **state)
{
	struct fixture *f = *state;
	const struct sim_observer *o = above(f);
	json_object *l;

	scene_wakeup(f->s, WEB0, 0, 0);
	scene_switch(f->s, 0, WEB0, false);
	o->request_sent(o->data, 0, 17, f->s->m.now_ns);
	o->message_received(o->data, &f->s->threads[WEB0], 17, 0);
	wake_with_decision(f);
	o->request_done(o->data, 0, SIM_START_NS + 100, f->s->m.now_ns, 17);
	l = line(f, 2);
	assert_member(l, "type", "\"arrived\"");
	assert_member(l, "source", "\"clients\"");
	json_object_put(l);
	l = line(f, 3);
	assert_member(l, "type", "\"received\"");
	assert_member(l, "request", "17");
	assert_member(l, "channel", "\"inbox\"");
	json_object_put(l);
	l = line(f, 4);
	assert_member(l, "type", "\"wakeup\"");
	assert_member(l, "request", "17");
	json_object_put(l);
	l = line(f, 5);
	assert_member(l, "type", "\"request\"");
	assert_member(l, "scheduled_ns", "100");
	assert_member(l, "latency_ns", "400");
	json_object_put(l);
}

/* No stage is asked where one CPU is allowed; the decision before is another's. */
static void a_pinned_wakeup_has_no_inputs(void **state)
{
	struct fixture *f = *state;
	json_object *l;

	scene_wakeup(f->s, WEB0, 0, 0);
	scene_switch(f->s, 0, WEB0, false);
	wake_with_decision(f);
	scene_switch(f->s, 3, DB0, false);
	scene_switch(f->s, 3, IDLE, true);
	scene_wakeup(f->s, DB0, 3, 0);
	l = line(f, 4);
	assert_member(l, "type", "\"wakeup\"");
	assert_member(l, "stage", "\"pinned\"");
	assert_member(l, "waker", "\"web-0\"");
	assert_member(l, "request", "null");
	json_object_put(l);
}

static void an_arrival_is_behind_one_wakeup_only(void **state)
{
	struct fixture *f = *state;
	const struct sim_observer *o = above(f);
	json_object *l;

	o->request_sent(o->data, 0, 17, f->s->m.now_ns);
	scene_wakeup(f->s, WEB0, 0, 0);
	scene_wakeup(f->s, WEB1, 0, 0);
	l = line(f, 1);
	assert_member(l, "request", "17");
	json_object_put(l);
	l = line(f, 2);
	assert_member(l, "request", "null");
	json_object_put(l);
}

/* @waker, current on its CPU, chooses @cpu for @wakee. */
static void choose(struct fixture *f, int waker, int wakee, int cpu)
{
	report_scene *s = f->s;
	struct wakeup w = {
		.m = &s->m,
		.p = scene_task(s, wakee),
		.curr = scene_task(s, waker),
		.this_cpu = scene_task(s, waker)->cpu,
		.wake_flags = WF_TTWU,
		.in_task = true,
		.cpu = cpu,
		.stage = "select_idle_cpu",
		.reason = cpu == 3 ? "third" : "second",
	};

	scene_waking(s, wakee, w.this_cpu);
	OBSERVE(&s->m, select_enter, &w);
	OBSERVE(&s->m, select_done, &w);
}

/* WEB1 chooses while what WEB0 chose is not queued yet. */
static void choices_that_overlap_are_kept_apart(void **state)
{
	struct fixture *f = *state;
	json_object *l;

	scene_wakeup(f->s, WEB0, 0, 0);
	scene_switch(f->s, 0, WEB0, false);
	scene_wakeup(f->s, WEB1, 1, 1);
	scene_switch(f->s, 1, WEB1, false);
	choose(f, WEB0, DB0, 3);
	scene_at(f->s, SIM_START_NS + 700);
	choose(f, WEB1, DB1, 2);
	scene_at(f->s, SIM_START_NS + 800);
	scene_placed(f->s, DB0, 3, 0, false);
	scene_at(f->s, SIM_START_NS + 1000);
	scene_placed(f->s, DB1, 2, 1, false);
	l = line(f, 4);
	assert_member(l, "t_ns", "800");
	assert_member(l, "began_ns", "500");
	assert_member(l, "wakee", "\"db-0\"");
	assert_member(l, "waker", "\"web-0\"");
	assert_member(l, "reason", "\"third\"");
	json_object_put(l);
	l = line(f, 5);
	assert_member(l, "t_ns", "1000");
	assert_member(l, "began_ns", "700");
	assert_member(l, "wakee", "\"db-1\"");
	assert_member(l, "waker", "\"web-1\"");
	assert_member(l, "reason", "\"second\"");
	json_object_put(l);
}

/* An arrival is known when its wakeup begins; it is queued later. */
static void a_delayed_wakeup_keeps_its_request(void **state)
{
	struct fixture *f = *state;
	const struct sim_observer *o = above(f);
	json_object *l;

	o->request_sent(o->data, 0, 17, f->s->m.now_ns);
	scene_waking(f->s, WEB0, 0);
	scene_at(f->s, SIM_START_NS + 800);
	scene_placed(f->s, WEB0, 0, 0, false);
	scene_enqueued(f->s, WEB0);
	scene_at(f->s, SIM_START_NS + 900);
	scene_switch(f->s, 0, WEB0, false);
	l = line(f, 1);
	assert_member(l, "request", "17");
	json_object_put(l);
	l = line(f, 2);
	assert_member(l, "waited_ns", "400");
	json_object_put(l);
}

/* The statistics behind the trace see all of it. */
static void everything_is_passed_on(void **state)
{
	struct fixture *f = *state;
	const struct sim_observer *o = above(f);
	const struct results *r;

	SIM_OBSERVE(o, request_arrived, 0);
	SIM_OBSERVE(o, request_sent, 0, 1, f->s->m.now_ns);
	SIM_OBSERVE(o, request_done, 0, SIM_START_NS, f->s->m.now_ns, 1);
	SIM_OBSERVE(o, cache_refill, &f->s->threads[WEB0], 30);
	SIM_OBSERVE(o, timer_step, &f->s->threads[WEB0], 5);
	SIM_OBSERVE(o, activation, &f->s->threads[WEB0]);
	scene_wakeup(f->s, WEB0, 1, 0);
	scene_switch(f->s, 1, WEB0, false);
	r = stats_finish(f->counting, f->s->m.now_ns);
	assert_int_equal(r->sources[0].arrived, 1);
	assert_int_equal(r->sources[0].request_latency_ns.count, 1);
	assert_int_equal(r->all.timer_slack_ns.count, 1);
	assert_int_equal(r->all.activations, 1);
	assert_int_equal(r->all.cache_refill_ns, 30);
	assert_int_equal(r->all.wakeup_latency_ns.count, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_wakeup_says_what_it_was_made_from),
		TEST(h_load_is_read_without_being_kept),
		TEST(a_kept_h_load_is_used),
		TEST(a_switch_in_names_its_wakeup),
		TEST(a_preemption_begins_a_wait),
		TEST(a_switch_in_names_its_request),
		TEST(a_request_can_be_followed),
		TEST(a_pinned_wakeup_has_no_inputs),
		TEST(an_arrival_is_behind_one_wakeup_only),
		TEST(choices_that_overlap_are_kept_apart),
		TEST(a_delayed_wakeup_keeps_its_request),
		TEST(everything_is_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
