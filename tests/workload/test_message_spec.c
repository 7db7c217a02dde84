/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Channels and the events on them.
 */
#include "workload/message_spec.h"

#include "schedsim/error.h"
#include "test.h"
#include "workload_text.h"

/* Channels a (2) and b (4), and a task that does @events once. */
static char *with_channels(const char *events)
{
	return g_strdup_printf("{'duration': '1s', 'channels': {'a': 2, 'b': '=2*2'}, "
			       "'tasks': {'t': {'loop': 1, %s}}}",
			       events);
}

static void assert_events(const char *events, const char *steps)
{
	g_autofree char *json = with_channels(events);
	struct workload_input in = workload_of(json);

	assert_program(&in, 0, steps);
	workload_input_clear(&in);
}

static void assert_refused(const char *events, const char *message)
{
	g_autofree char *json = with_channels(events);

	assert_workload_error(json, INPUT_ERROR_VALUE, message);
}

static void channels_are_groups_with_a_size(void **state)
{
	g_autofree char *json = with_channels("'recv': 'a'");
	struct workload_input in = workload_of(json);

	assert_int_equal(in.workload->nr_channels, 2);
	assert_string_equal(in.workload->channels[0].name, "a");
	assert_int_equal(in.workload->channels[0].count, 2);
	assert_int_equal(in.workload->channels[1].count, 4);
	workload_input_clear(&in);
}

static void a_message_is_received_and_answered(void **state)
{
	assert_events("'recv': 'b', 'run': 1, 'reply': ''",
		      "recv b 0\nrun 1000\nreply\nexit");
	assert_events("'recv': {'ref': 'a', 'activation': '17us'}, 'reply': {'sync': "
		      "true}",
		      "recv a 17000\nreply sync\nexit");
	assert_events("'recv': {'ref': 'a', 'select': 1}, 'reply': {}",
		      "recv a 0\nreply\nexit");
}

static void answers_run_events_of_their_own_and_wait_again(void **state)
{
	assert_events("'sleep': 1, 'recv': {'ref': 'a', 'replies': {'run': 2, 'reply': "
		      "''}}, 'run': 3",
		      "sleep 1000\nrecv a 0\nif_reply 6\nrun 2000\nreply\njump 1\n"
		      "run 3000\nexit");
}

static void messages_go_where_they_are_sent(void **state)
{
	assert_events("'send': 'a'", "send a own\nexit");
	assert_events("'send1': {'to': 'b', 'select': 'random', 'reply_to': 'a', "
		      "'count': 4, 'sync': true}, 'send2': {'to': 'b', 'select': 3}, "
		      "'send3': {'to': 'a', 'select': 'round_robin'}",
		      "send b random x4 back to a sync\nsend b fixed 3\nsend a "
		      "round_robin\nexit");
}

static void mistakes_are_named(void **state)
{
	static const char *const cases[][2] = {
		{"'recv': 'c'", "tasks.t.recv: expected a channel that \"channels\" "
				"defines, got \"c\""},
		{"'recv': 1", "tasks.t.recv: expected a channel's name, got 1"},
		{"'recv': {}", "tasks.t.recv: expected the key \"ref\""},
		{"'recv': {'ref': 'a', 'replys': {}}",
		 "tasks.t.recv: expected a known key, got \"replys\"; the nearest is "
		 "\"replies\""},
		{"'recv': {'ref': 'a', 'replies': {}}",
		 "tasks.t.recv.replies: expected an object of at least one event, got "
		 "an empty object"},
		{"'recv': {'ref': 'a', 'replies': {'loop': 2}}",
		 "tasks.t.recv.replies: expected a known key, got \"loop\"; the "
		 "nearest is \"lock\""},
		{"'send': {'select': 1}", "tasks.t.send: expected the key \"to\""},
		{"'send': {'to': 'a', 'select': 2}",
		 "tasks.t.send.select: expected a whole number from 0 to 1, got 2"},
		{"'send': {'to': 'a', 'select': 'rand'}",
		 "tasks.t.send.select: expected \"own\", \"round_robin\" or "
		 "\"random\", got \"rand\""},
		{"'send': {'to': 'a', 'reply_to': 'x'}",
		 "tasks.t.send.reply_to: expected a channel that \"channels\" defines, "
		 "got \"x\""},
		{"'send': {'to': 'a', 'count': 0}",
		 "tasks.t.send.count: expected a whole number from 1 to 100000, got 0"},
		{"'send': {'to': 'a', 'sync': 1}",
		 "tasks.t.send.sync: expected true or false, got 1"},
		{"'reply': ''",
		 "tasks.t.reply: expected a \"recv\" before a \"reply\""},
		{"'recv': 'a', 'reply': 'x'",
		 "tasks.t.reply: expected \"\" or an object, got \"x\""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_refused(cases[i][0], cases[i][1]);
}

static void channels_themselves_are_checked(void **state)
{
	assert_workload_error("{'channels': {'a': 0}, 'tasks': {'t': {'run': 1}}}",
			      INPUT_ERROR_VALUE,
			      "channels.a: expected a whole number from 1 to 100000, "
			      "got 0");
	assert_workload_error("{'channels': {'a': 1, 'a': 1}, 'tasks': {'t': {'run': "
			      "1}}}",
			      INPUT_ERROR_VALUE,
			      "channels: expected the key \"a\" once, got it again");
	assert_workload_error("{'channels': ['a'], 'tasks': {'t': {'run': 1}}}",
			      INPUT_ERROR_VALUE,
			      "channels: expected an object of channels, got an array");
}

static void channels_without_both_ends_are_warned_of(void **state)
{
	assert_workload_warnings("{'duration': '1s', 'channels': {'a': 1, 'b': 1}, "
				 "'tasks': {'t': {'recv': 'b', 'send': 'a'}}}",
				 "channels.a: no task receives from it\n"
				 "channels.b: nothing sends to it");
	/* answers and requests are sent, too */
	assert_workload_warnings(
		"{'duration': '1s', 'channels': {'a': 1, 'b': 1, 'c': 1}, 'sources': "
		"{'s': {'arrivals': 'closed', 'clients': 1, 'to': 'a'}}, 'tasks': "
		"{'t': {'recv': 'a', 'send': {'to': 'b', 'reply_to': 'c'}, 'recv1': "
		"'c'}, 'u': {'recv': 'b', 'run': 1, 'reply': ''}}}",
		"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(channels_are_groups_with_a_size),
		cmocka_unit_test(a_message_is_received_and_answered),
		cmocka_unit_test(answers_run_events_of_their_own_and_wait_again),
		cmocka_unit_test(messages_go_where_they_are_sent),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(channels_themselves_are_checked),
		cmocka_unit_test(channels_without_both_ends_are_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
