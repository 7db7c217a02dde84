/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Invariants in simulations: a lost wakeup is noticed wherever it was lost, and what
 * the kernel itself does is no breach.
 */
#include "test.h"
#include "workload/messages.h"
#include "workload_scene.h"

/* What a machine with one task, a, must have come to be when it is inspected. */
static void run_and_inspect(struct step step, void (*inspect)(const simulation *s))
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 10 * MS);
	scene_add_task(&sc, "a", &step, 1);
	sc.invariants = true;
	sc.inspect = inspect;
	assert_true(scene_run(&sc, NULL));
	scene_clear(&sc);
}

static void assert_breach(const simulation *s, const char *message)
{
	GError *error = NULL;

	assert_false(wakeups_check(s, &error));
	assert_error(error, INVARIANT_ERROR, 0, message);
}

static void stop_its_timer(const simulation *s)
{
	assert_true(wakeups_check(s, NULL));
	event_queue_cancel(s->q, &s->threads[0].sleep_ends);
	assert_breach(s, "a-0: sleeps, and nothing will wake it");
}

static void a_sleeper_without_a_timer_is_noticed(void **state)
{
	run_and_inspect(SLEEP(50 * MS), stop_its_timer);
}

static void forget_it(const simulation *s)
{
	list_del(&s->threads[0].wait_node);
	assert_breach(s, "a-0: waits, and nobody knows of it");
}

static void a_forgotten_waiter_is_noticed(void **state)
{
	run_and_inspect(WAIT(0, -1), forget_it);
}

static void choose_no_cpu(const simulation *s)
{
	s->threads[0].sim.task.state = TASK_WAKING;
	assert_breach(s, "a-0: was woken, and is on the way to no CPU");
}

static void a_wakeup_that_is_not_queued_is_noticed(void **state)
{
	run_and_inspect(SLEEP(50 * MS), choose_no_cpu);
}

static void queue_without_an_interrupt(const simulation *s)
{
	list_add_tail(&cpu_rq(s->m, 0)->wakelist, &s->threads[0].sim.task.wake_entry);
	assert_breach(s, "CPU 0: woken tasks wait for it, and nothing tells it");
}

static void a_wakelist_without_an_interrupt_is_noticed(void **state)
{
	run_and_inspect(SLEEP(50 * MS), queue_without_an_interrupt);
}

static void leave_a_message(const simulation *s)
{
	struct message msg = {.next = NULL};
	struct channel *c = &s->groups[0].channels[0];

	c->first = &msg;
	assert_breach(
		s,
		"channels.object0: a thread waits beside a message that woke nobody");
	c->first = NULL;
}

static void a_message_that_woke_nobody_is_noticed(void **state)
{
	run_and_inspect(RECV(0, 0), leave_a_message);
}

static void turn_its_cpu_off(const simulation *s)
{
	s->cpus[0].power = CPU_OFF;
	assert_breach(s, "a-0: sleeps, and its timer is on a CPU that is off");
	s->threads[0].sim.task.state = TASK_WAKING;
	list_add_tail(&cpu_rq(s->m, 0)->wakelist, &s->threads[0].sim.task.wake_entry);
	assert_breach(s, "a-0: was woken, and is on the way to a CPU that is off");
	s->threads[0].sim.task.state = TASK_RUNNING;
	assert_breach(s, "a-0: is queued on a CPU that is off");
}

static void whoever_is_left_on_a_cpu_that_is_off_is_noticed(void **state)
{
	run_and_inspect(SLEEP(50 * MS), turn_its_cpu_off);
}

static void leave_its_tick(const simulation *s)
{
	s->cpus[0].power = CPU_OFF;
	event_queue_add(s->q, &s->cpus[0].tick, SIM_START_NS + 12 * MS);
	assert_breach(s, "CPU 0: is off, and has things to do");
}

static void what_a_cpu_that_is_off_has_to_do_is_noticed(void **state)
{
	run_and_inspect(WAIT(0, -1), leave_its_tick);
}

static void thaw_without_it(const simulation *s)
{
	s->threads[0].wakes_at_thaw = true;
	assert_breach(s, "a-0: was woken, and the thaw passed it by");
	s->threads[0].frozen = true;
	s->threads[0].sim.task.state = TASK_UNINTERRUPTIBLE;
	assert_breach(s, "a-0: stands still, and the thaw passed it by");
}

static void who_stays_frozen_is_noticed(void **state)
{
	run_and_inspect(SLEEP(50 * MS), thaw_without_it);
}

#define SET_DEADLINE(runtime, deadline, period)                                        \
	STEP(STEP_SET_SCHED, .policy = POLICY_DEADLINE,                                \
	     .dl = {.runtime_ns = (runtime),                                           \
		    .deadline_ns = (deadline),                                         \
		    .period_ns = (period)})

/*
 * a is due at 3000 us; b, due at 2800, has the CPU from 100 to 2800.  At 3200 a leaves
 * the class and comes back at 3300: after its deadline and before its next period it is
 * throttled, but nothing tells it to go, so it runs on, and until it leaves once more
 * nobody is charged for that.
 */
static void time_of_a_task_that_is_throttled_as_it_runs_is_no_breach(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l1c1t", 10 * MS);
	scene_task(&sc, "a", SET_DEADLINE(1000 * US, 3000 * US, 20 * MS), RUN(500 * US),
		   SET_SCHED(POLICY_NORMAL, 0), RUN(100 * US),
		   SET_DEADLINE(1000 * US, 3000 * US, 20 * MS), RUN(300 * US),
		   SET_SCHED(POLICY_NORMAL, 0), RUN(100 * US));
	scene_task(&sc, "b", SET_DEADLINE(2700 * US, 2700 * US, 10 * MS),
		   SLEEP(100 * US), RUN(2700 * US));
	sc.invariants = true;
	scene_expect(&sc, "0 cpu0 idle>b-0\n"
			  "0 cpu0 b-0>a-0\n"
			  "100 +b-0\n"
			  "100 cpu0 a-0>b-0\n"
			  "2800 cpu0 b-0>a-0\n"
			  "3700 cpu0 a-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sleeper_without_a_timer_is_noticed),
		cmocka_unit_test(a_forgotten_waiter_is_noticed),
		cmocka_unit_test(a_wakeup_that_is_not_queued_is_noticed),
		cmocka_unit_test(a_wakelist_without_an_interrupt_is_noticed),
		cmocka_unit_test(a_message_that_woke_nobody_is_noticed),
		cmocka_unit_test(whoever_is_left_on_a_cpu_that_is_off_is_noticed),
		cmocka_unit_test(what_a_cpu_that_is_off_has_to_do_is_noticed),
		cmocka_unit_test(who_stays_frozen_is_noticed),
		cmocka_unit_test(
			time_of_a_task_that_is_throttled_as_it_runs_is_no_breach),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
