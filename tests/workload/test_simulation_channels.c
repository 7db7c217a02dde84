/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages, who gets them, and the way of their answers, on one CPU.
 *
 * Of two tasks made at the start the first is at M + 6 ms of vruntime and the
 * second at M + 3; of three the third is at M + 2.  All have slept before anything
 * happens, so min_vruntime is M + 6 then, nobody comes back at less than M + 3, and
 * who was created later preempts the first by a lead of about 3 ms.
 */
#include "test.h"
#include "workload/messages.h"
#include "workload_scene.h"

static void a_wait_costs_once_for_what_it_brings(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "r", LOOP(3, 3), RECV(0, 10 * US), RUN(100 * US), LOOP_END(0));
	scene_task(&sc, "s", SLEEP(1 * MS), SEND(0), SEND(0), SEND(0));
	scene_expect(&sc, "0 cpu0 idle>s-0\n"
			  "0 cpu0 s-0>r-0\n"
			  "0 cpu0 r-0>idle\n"
			  "1000 +s-0\n"
			  "1000 cpu0 idle>s-0\n"
			  "1000 +r-0\n"
			  "1000 cpu0 s-0>r-0\n"
			  "1000 r-0 got 0\n"
			  "1110 r-0 active\n"
			  "1110 r-0 got 0\n"
			  "1210 r-0 active\n"
			  "1210 r-0 got 0\n"
			  "1310 r-0 active\n"
			  "1310 cpu0 r-0>idle\n");
	scene_clear(&sc);
}

static void a_message_wakes_the_longest_waiter_alone(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "r", RECV(0, 0), RUN(100 * US))->instances = 2;
	scene_task(&sc, "s", SLEEP(1 * MS), SEND(0), SLEEP(1 * MS), SEND(0));
	scene_expect(&sc, "0 cpu0 idle>s-0\n"
			  "0 cpu0 s-0>r-1\n"
			  "0 cpu0 r-1>r-0\n"
			  "0 cpu0 r-0>idle\n"
			  "1000 +s-0\n"
			  "1000 cpu0 idle>s-0\n"
			  "1000 +r-1\n"
			  "1000 cpu0 s-0>r-1\n"
			  "1000 r-1 got 0\n"
			  "1100 cpu0 r-1>idle\n"
			  "2000 +s-0\n"
			  "2000 cpu0 idle>s-0\n"
			  "2000 +r-0\n"
			  "2000 cpu0 s-0>r-0\n"
			  "2000 r-0 got 0\n"
			  "2100 cpu0 r-0>idle\n");
	scene_clear(&sc);
}

static void two_messages_wake_two_waiters(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "r", RECV(0, 0))->instances = 2;
	scene_task(&sc, "s", SLEEP(1 * MS), SEND(0), SEND(0));
	scene_expect(&sc, "0 cpu0 idle>s-0\n"
			  "0 cpu0 s-0>r-1\n"
			  "0 cpu0 r-1>r-0\n"
			  "0 cpu0 r-0>idle\n"
			  "1000 +s-0\n"
			  "1000 cpu0 idle>s-0\n"
			  "1000 +r-1\n"
			  "1000 +r-0\n"
			  "1000 cpu0 s-0>r-1\n"
			  "1000 r-1 got 0\n"
			  "1000 cpu0 r-1>r-0\n"
			  "1000 r-0 got 0\n"
			  "1000 cpu0 r-0>idle\n");
	scene_clear(&sc);
}

static void who_comes_by_first_takes_the_message(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 100 * MS);
	scene_task(&sc, "r", RECV(0, 10 * US), RUN(100 * US));
	scene_task(&sc, "s", SLEEP(1 * MS), SEND(0), RECV(0, 10 * US), SLEEP(1 * MS),
		   SEND(0));
	/* s gets its own, for nothing; r was woken in vain and pays for one wait. */
	scene_expect(&sc, "0 cpu0 idle>s-0\n"
			  "0 cpu0 s-0>r-0\n"
			  "0 cpu0 r-0>idle\n"
			  "1000 +s-0\n"
			  "1000 cpu0 idle>s-0\n"
			  "1000 +r-0\n"
			  "1000 s-0 got 0\n"
			  "1000 cpu0 s-0>r-0\n"
			  "1000 cpu0 r-0>idle\n"
			  "2000 +s-0\n"
			  "2000 cpu0 idle>s-0\n"
			  "2000 +r-0\n"
			  "2000 cpu0 s-0>r-0\n"
			  "2000 r-0 got 0\n"
			  "2110 cpu0 r-0>idle\n");
	scene_clear(&sc);
}

static void an_answer_goes_back_the_way_the_request_came(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 2500 * US);
	scene_source(&sc, "clients", ARRIVE_FIXED, 1 * MS);
	scene_task(&sc, "proxy", RECV(0, 0), IF_REPLY(4), REPLY, JUMP(0), RUN(10 * US),
		   CALL(1, 0, 1), JUMP(0));
	scene_task(&sc, "backend", RECV(1, 0), RUN(20 * US), REPLY, JUMP(0));
	scene_expect(&sc, "0 cpu0 idle>backend-0\n"
			  "0 cpu0 backend-0>proxy-0\n"
			  "0 cpu0 proxy-0>idle\n"
			  "1000 +proxy-0\n"
			  "1000 cpu0 idle>proxy-0\n"
			  "1000 proxy-0 got 1\n"
			  "1010 +backend-0\n"
			  "1010 cpu0 proxy-0>backend-0\n"
			  "1010 backend-0 got 1\n"
			  "1030 cpu0 backend-0>proxy-0\n"
			  "1030 proxy-0 got 1\n"
			  "1030 done 1 since 1000\n"
			  "1030 cpu0 proxy-0>idle\n"
			  "2000 +proxy-0\n"
			  "2000 cpu0 idle>proxy-0\n"
			  "2000 proxy-0 got 2\n"
			  "2010 +backend-0\n"
			  "2010 cpu0 proxy-0>backend-0\n"
			  "2010 backend-0 got 2\n"
			  "2030 cpu0 backend-0>proxy-0\n"
			  "2030 proxy-0 got 2\n"
			  "2030 done 2 since 2000\n"
			  "2030 cpu0 proxy-0>idle\n");
	scene_clear(&sc);
}

static void an_answer_waits_for_every_copy(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 1500 * US);
	sc.no_scheduling = true;
	sc.channels[1].count = 2;
	scene_source(&sc, "clients", ARRIVE_FIXED, 1 * MS);
	scene_task(&sc, "proxy", RECV(0, 0), IF_REPLY(4), REPLY, JUMP(0), RUN(10 * US),
		   CALL(1, 0, 2), JUMP(0));
	scene_task(&sc, "backend", RECV(1, 0), RUN(20 * US), REPLY, JUMP(0))
		->instances = 2;
	/* The first copy's receiver runs before the second is sent. */
	scene_expect(&sc, "1000 proxy-0 got 1\n"
			  "1010 backend-0 got 1\n"
			  "1030 backend-1 got 1\n"
			  "1050 proxy-0 got 1\n"
			  "1050 done 1 since 1000\n");
	scene_clear(&sc);
}

static void a_forwarded_request_is_answered_by_who_gets_it(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 1500 * US);
	sc.no_scheduling = true;
	scene_source(&sc, "clients", ARRIVE_FIXED, 1 * MS);
	scene_task(&sc, "first", RECV(0, 0), RUN(10 * US), SEND(1), JUMP(0));
	scene_task(&sc, "second", RECV(1, 0), RUN(20 * US), REPLY, JUMP(0));
	scene_expect(&sc, "1000 first-0 got 1\n"
			  "1010 second-0 got 1\n"
			  "1030 done 1 since 1000\n");
	scene_clear(&sc);
}

static void a_second_answer_is_nothing(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 1500 * US);
	sc.no_scheduling = true;
	scene_source(&sc, "clients", ARRIVE_FIXED, 1 * MS);
	scene_task(&sc, "a", REPLY, RECV(0, 0), REPLY, REPLY);
	scene_expect(&sc, "1000 a-0 got 1\n"
			  "1000 done 1 since 1000\n");
	scene_clear(&sc);
}

static void two_calls_for_one_request_answer_it_once(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 1500 * US);
	sc.no_scheduling = true;
	scene_source(&sc, "clients", ARRIVE_FIXED, 1 * MS);
	scene_task(&sc, "proxy", RECV(0, 0), CALL(1, 0, 1), CALL(1, 0, 1), RECV(0, 0),
		   REPLY, RECV(0, 0), REPLY);
	scene_task(&sc, "backend", RECV(1, 0), RUN(20 * US), REPLY, JUMP(0));
	/* The backend takes over at the first call, and at the second anew. */
	scene_expect(&sc, "1000 proxy-0 got 1\n"
			  "1000 backend-0 got 1\n"
			  "1020 backend-0 got 1\n"
			  "1040 proxy-0 got 1\n"
			  "1040 done 1 since 1000\n"
			  "1040 proxy-0 got 1\n");
	scene_clear(&sc);
}

static void a_flagged_send_wakes_in_sync(void **state)
{
	struct scene sc;
	struct task_spec *s;

	scene_init(&sc, "1n1l2c1t", 20 * MS);
	scene_task(&sc, "r", RECV(0, 0), RECV(0, 0));
	s = scene_task(&sc, "s", RUN(1 * MS), SEND(0), RUN(1 * MS), SEND(0));
	s->program.steps[1].flag = true;
	assert_true(scene_run(&sc, NULL));
	assert_int_equal(sc.nr_from_task, 2);
	assert_int_equal(sc.nr_sync, 1);
	scene_clear(&sc);
}

static void a_group_has_a_channel_for_every_choice(void **state)
{
	const struct channel_group group = {.count = 3};
	struct random_stream random;
	bool seen[3] = {false};

	random_stream_init(&random, 1, "test");
	assert_int_equal(channel_choose(&group, SELECT_OWN, 0, 4, 0, &random), 1);
	assert_int_equal(channel_choose(&group, SELECT_ROUND_ROBIN, 0, 4, 5, &random),
			 2);
	assert_int_equal(channel_choose(&group, SELECT_FIXED, 2, 4, 4, &random), 2);
	for (int i = 0; i < 100; i++)
		seen[channel_choose(&group, SELECT_RANDOM, 0, 0, 0, &random)] = true;
	assert_true(seen[0] && seen[1] && seen[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_costs_once_for_what_it_brings),
		cmocka_unit_test(a_message_wakes_the_longest_waiter_alone),
		cmocka_unit_test(two_messages_wake_two_waiters),
		cmocka_unit_test(who_comes_by_first_takes_the_message),
		cmocka_unit_test(an_answer_goes_back_the_way_the_request_came),
		cmocka_unit_test(an_answer_waits_for_every_copy),
		cmocka_unit_test(a_forwarded_request_is_answered_by_who_gets_it),
		cmocka_unit_test(a_second_answer_is_nothing),
		cmocka_unit_test(two_calls_for_one_request_answer_it_once),
		cmocka_unit_test(a_flagged_send_wakes_in_sync),
		cmocka_unit_test(a_group_has_a_channel_for_every_choice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
