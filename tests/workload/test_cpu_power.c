/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that go off and come back in the middle of a run: where their tasks, wakeups,
 * timers and interrupts go, and when.
 *
 * Times are in us.  The kernel's parts of a switch cost nothing here; a wakeup across
 * caches or to an idle CPU takes 1 us.
 */
#include "test.h"

#include "sched/core.h"
#include "sched/hotplug.h"
#include "workload/cpu_power.h"
#include "workload_scene.h"

static struct cpumask two_cpus(int a, int b)
{
	struct cpumask mask = cpumask_of(a);

	cpumask_set(&mask, b);
	return mask;
}

static void take_off(simulation *s, int cpu)
{
	set_cpu_active(s->m, cpu, false);
	cpu_goes_offline(s, cpu);
}

static void bring_back(simulation *s, int cpu)
{
	set_cpu_active(s->m, cpu, true);
	cpu_comes_online(s, cpu);
}

static void take_off_2(simulation *s)
{
	take_off(s, 2);
}

static void still_there_2(simulation *s)
{
	assert_false(cpu_is_off(s, 2));
}

static void is_off_2(simulation *s)
{
	assert_true(cpu_is_off(s, 2));
	assert_false(event_is_pending(&s->cpus[2].tick));
}

static void busy_cpu_goes_off(struct scene *sc)
{
	struct task_spec *b;

	scene_init(sc, "1n2l2c1t", 3500 * US);
	sc->wakers = sc->invariants = true;
	scene_task(sc, "a", RUN(999500), SEND(1))->cpus = cpumask_of(0);
	b = scene_task(sc, "b", RUN(2 * MS));
	b->cpus = cpumask_of(3);
	b->policy = POLICY_FIFO;
	b->rt_priority = 10;
	scene_task(sc, "v", RECV(0, 0), RUN(10 * US), JUMP(0))->cpus = cpumask_of(1);
	scene_task(sc, "sl", SET_CPUS(two_cpus(2, 3)), SLEEP(3 * MS), RUN(100 * US))
		->cpus = cpumask_of(2);
	scene_task(sc, "w", SET_CPUS(two_cpus(2, 3)), RECV(1, 0), RUN(100 * US))->cpus =
		cpumask_of(2);
	scene_task(sc, "r", SET_CPUS(two_cpus(2, 3)), RUN(1500 * US))->cpus =
		cpumask_of(2);
	scene_task(sc, "q", RUN(500 * US))->cpus = cpumask_of(2);
	scene_source(sc, "s", ARRIVE_FIXED, 1200 * US)->irq_cpus = cpumask_of(2);
	scene_act_at(sc, 1000 * US, take_off_2);
	scene_act_at(sc, 1000499, still_there_2);
	scene_act_at(sc, 1000501, is_off_2);
}

/*
 * CPUs 0 and 1, 2 and 3 share a cache.  At 1000 CPU 2 has r, which runs, q, which is
 * bound to it and waits, w, woken by a at 999.5 and on its wakelist, sl, whose timer
 * is due there at 3000, and the interrupts of a source, due at 1200 and 2400.
 *
 * r has run 1000 us more than q, so q is picked as the CPU reschedules, and pushed
 * first: nothing is left of its affinity, so it may go anywhere, which is CPU 0.  r may
 * go to CPU 3 alone, where b of a higher class is until 2000.  w comes with its
 * interrupt at 1000.5 and leaves at once; it slept while r ran, so it is before r on
 * CPU
 * 3.  Then the CPU is off: the timer's interrupt comes on CPU 0, and for the source,
 * which knows of no other CPU, on the first one as well.
 */
static void all_that_a_cpu_has_goes_elsewhere(void **state)
{
	struct scene sc;

	busy_cpu_goes_off(&sc);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu1 idle>v-0\n"
			  "0 cpu2 idle>sl-0\n"
			  "0 cpu3 idle>b-0\n"
			  "0 cpu1 v-0>idle\n"
			  "0 cpu2 sl-0>w-0\n"
			  "0 cpu2 w-0>r-0\n"
			  "999.500 cpu0 wakes w-0\n"
			  "999.500 cpu0 a-0>idle\n"
			  "1000 cpu2 r-0>q-0\n"
			  "1000 cpu2 q-0>stop\n"
			  "1000 cpu2 stop>r-0\n"
			  "1000 cpu2 r-0>stop\n"
			  "1000 cpu2 stop>idle\n"
			  "1000 cpu0 idle>q-0\n"
			  "1000.500 +w-0\n"
			  "1000.500 cpu2 idle>w-0\n"
			  "1000.500 cpu2 w-0>stop\n"
			  "1000.500 cpu2 stop>idle\n"
			  "1200 cpu0 wakes v-0\n"
			  "1201 +v-0\n"
			  "1201 cpu1 idle>v-0\n"
			  "1201 v-0 got 1\n"
			  "1211 cpu1 v-0>idle\n"
			  "1500 cpu0 q-0>idle\n"
			  "2000 cpu3 b-0>w-0\n"
			  "2000 w-0 got 0\n"
			  "2100 cpu3 w-0>r-0\n"
			  "2400 cpu0 wakes v-0\n"
			  "2401 +v-0\n"
			  "2401 cpu1 idle>v-0\n"
			  "2401 v-0 got 2\n"
			  "2411 cpu1 v-0>idle\n"
			  "2600 cpu3 r-0>idle\n"
			  "3000 cpu0 wakes sl-0\n"
			  "3001 +sl-0\n"
			  "3001 cpu3 idle>sl-0\n"
			  "3101 cpu3 sl-0>idle\n");
	scene_clear(&sc);
}

/* b slept on CPU 23 and may use CPU 22 as well. */
static void take_off_23(simulation *s)
{
	take_off(s, 23);
}

static void a_sleeper_on_a_cpu_that_is_off_wakes_on_one_that_is_on(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l24c1t", 3 * MS);
	sc.wakers = sc.invariants = true;
	scene_task(&sc, "b", SET_CPUS(two_cpus(22, 23)), SLEEP(2 * MS), RUN(100 * US))
		->cpus = cpumask_of(23);
	scene_act_at(&sc, 1 * MS, take_off_23);
	scene_expect(&sc, "0 cpu23 idle>b-0\n"
			  "0 cpu23 b-0>idle\n"
			  "2000 cpu0 wakes b-0\n"
			  "2001 +b-0\n"
			  "2001 cpu22 idle>b-0\n"
			  "2101 cpu22 b-0>idle\n");
	scene_clear(&sc);
}

static void take_off_1(simulation *s)
{
	take_off(s, 1);
}

static void bring_back_1(simulation *s)
{
	assert_true(cpu_is_off(s, 1));
	bring_back(s, 1);
}

/* The grid of ticks is that of all CPUs. */
static void ticks_1(simulation *s)
{
	assert_false(cpu_is_off(s, 1));
	assert_true(event_is_pending(&s->cpus[1].tick));
	assert_int_equal(s->cpus[1].tick.at_ns, SIM_START_NS + 4 * MS);
}

static void a_cpu_that_comes_back_runs_tasks_and_ticks(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 6 * MS);
	sc.invariants = true;
	scene_task(&sc, "c", RUN(3 * MS), SET_CPUS(cpumask_of(1)), RUN(2 * MS))->cpus =
		cpumask_of(0);
	scene_act_at(&sc, 1 * MS, take_off_1);
	scene_act_at(&sc, 2 * MS, bring_back_1);
	scene_act_at(&sc, 3500 * US, ticks_1);
	scene_expect(&sc, "0 cpu0 idle>c-0\n"
			  "3000 cpu0 c-0>stop\n"
			  "3000 cpu0 stop>idle\n"
			  "3000 cpu1 idle>c-0\n"
			  "5000 cpu1 c-0>idle\n");
	scene_clear(&sc);
}

static void off_and_on_at_once_1(simulation *s)
{
	take_off(s, 1);
	bring_back(s, 1);
}

static void one_that_is_called_back_before_it_is_off_stays_on(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 2 * MS);
	sc.invariants = true;
	scene_task(&sc, "c", RUN(1500 * US))->cpus = cpumask_of(1);
	scene_act_at(&sc, 1 * MS, off_and_on_at_once_1);
	scene_expect(&sc, "0 cpu1 idle>c-0\n"
			  "1500 cpu1 c-0>idle\n");
	scene_clear(&sc);
}

/* As when deadline tasks have promised its time. */
static void refuse_1(simulation *s)
{
	set_cpu_active(s->m, 1, false);
	cancel_cpu_inactive(s->m, 1);
}

static void add_two_tasks(struct scene *sc)
{
	scene_init(sc, "1n1l2c1t", 30 * MS);
	sc->invariants = true;
	scene_task(sc, "a", RUN(2 * MS), SEND(0), RUN(9 * MS))->cpus = cpumask_of(0);
	scene_task(sc, "b", RECV(0, 0), RUN(6 * MS), SLEEP(1 * MS), RUN(1 * MS));
	scene_task(sc, "c", SLEEP(3 * MS), RUN(7 * MS));
}

static void a_cpu_that_was_refused_to_go_takes_tasks_as_before(void **state)
{
	struct scene sc, refused;

	add_two_tasks(&sc);
	assert_true(scene_run(&sc, NULL));
	assert_non_null(strstr(sc.log->str, "cpu1 idle>b-0"));
	add_two_tasks(&refused);
	scene_act_at(&refused, 1 * MS, refuse_1);
	scene_expect(&refused, sc.log->str);
	scene_clear(&refused);
	scene_clear(&sc);
}

static void still_there_1(simulation *s)
{
	assert_false(cpu_is_off(s, 1));
}

static void is_off_1(simulation *s)
{
	assert_true(cpu_is_off(s, 1));
}

/*
 * Each message takes its CPU 3 us.  The one that is there at 1001 is finished first;
 * CPU 2 has the third one's interrupt, which CPU 1 would have had, as well as its own.
 */
static void
interrupts_at_work_end_and_later_ones_come_on_the_sources_next_cpu(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l3c1t", 3500 * US);
	sc.in.spec.costs.irq_message_ns = 3000;
	sc.wakers = sc.no_scheduling = sc.invariants = true;
	scene_source(&sc, "s", ARRIVE_FIXED, 1 * MS)->irq_cpus = two_cpus(1, 2);
	scene_task(&sc, "v", RECV(0, 0), RUN(10 * US), JUMP(0))->cpus = cpumask_of(0);
	scene_act_at(&sc, 1001 * US, take_off_1);
	scene_act_at(&sc, 1002 * US, still_there_1);
	scene_act_at(&sc, 1004 * US, is_off_1);
	scene_expect(&sc, "1003 cpu1 wakes v-0\n"
			  "1004 v-0 got 1\n"
			  "2003 cpu2 wakes v-0\n"
			  "2004 v-0 got 2\n"
			  "3003 cpu2 wakes v-0\n"
			  "3004 v-0 got 3\n");
	scene_clear(&sc);
}

static void take_off_0(simulation *s)
{
	take_off(s, 0);
}

/*
 * Its 4 ms are used up at the tick at 4000, and its next period begins at 20000: by
 * then its CPU is off, and its timer comes on the other one.
 */
static void a_throttled_deadline_task_goes_on_elsewhere(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c1t", 30 * MS);
	sc.invariants = true;
	scene_task(&sc, "t",
		   STEP(STEP_SET_SCHED, .policy = POLICY_DEADLINE,
			.dl = {.runtime_ns = 4 * MS,
			       .deadline_ns = 20 * MS,
			       .period_ns = 20 * MS}),
		   RUN(5 * MS));
	scene_act_at(&sc, 5 * MS, take_off_0);
	scene_expect(&sc, "0 cpu0 idle>t-0\n"
			  "4000 cpu0 t-0>idle\n"
			  "20000 cpu1 idle>t-0\n"
			  "21000 cpu1 t-0>idle\n");
	scene_clear(&sc);
}

/* CPUs 0 and 2 are a core.  a has it to itself before 1000 and after 2000. */
static void core_is_shared_no_more(simulation *s)
{
	take_off(s, 2);
}

static void a_sibling_that_goes_off_slows_nobody_down(void **state)
{
	struct scene sc;

	scene_init(&sc, "1n1l2c2t", 8 * MS);
	sc.in.spec.costs.smt_slowdown = CAPACITY_ONE;
	sc.invariants = true;
	scene_task(&sc, "a", RUN(3 * MS))->cpus = cpumask_of(0);
	scene_task(&sc, "b", SLEEP(1 * MS), RUN(5 * MS))->cpus = cpumask_of(2);
	scene_act_at(&sc, 2 * MS, core_is_shared_no_more);
	/* Half as fast for 1 ms: 1.5 ms done at 2000; b goes on on CPU 0, behind it. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu2 idle>b-0\n"
			  "0 cpu2 b-0>idle\n"
			  "1000 +b-0\n"
			  "1000 cpu2 idle>b-0\n"
			  "2000 cpu2 b-0>stop\n"
			  "2000 cpu2 stop>idle\n"
			  "3500 cpu0 a-0>b-0\n");
	scene_clear(&sc);
}

/* A change of affinity meets a wakeup: b may use CPU 3 alone from then on. */
static void let_b_use_3(simulation *s)
{
	struct cpumask three = cpumask_of(3);

	assert_int_equal(s->threads[1].sim.task.state, TASK_WAKING);
	assert_int_equal(set_cpus_allowed(s->m, &s->threads[1].sim.task, &three, 0), 0);
}

static void add_wakeup(struct scene *sc)
{
	scene_init(sc, "1n2l2c1t", 3 * MS);
	sc->invariants = true;
	scene_task(sc, "a", RUN(1 * MS), SEND(0))->cpus = cpumask_of(0);
	scene_task(sc, "b", RECV(0, 0), RUN(100 * US))->cpus = cpumask_of(2);
}

/* The stopper does not wait for the interrupt, which is due at 1001. */
static void a_task_on_a_wakelist_arrives_where_its_new_affinity_is(void **state)
{
	struct scene sc;

	add_wakeup(&sc);
	scene_act_at(&sc, 1000500, let_b_use_3);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu2 idle>b-0\n"
			  "0 cpu2 b-0>idle\n"
			  "1000 cpu0 a-0>idle\n"
			  "1000.500 cpu2 idle>stop\n"
			  "1000.500 +b-0\n"
			  "1000.500 cpu2 stop>idle\n"
			  "1000.500 cpu3 idle>b-0\n"
			  "1000.500 b-0 got 0\n"
			  "1100.500 cpu3 b-0>idle\n");
	scene_clear(&sc);
}

/* Between the choice of CPU 2 and the enqueue, 300 ns. */
static void a_task_about_to_be_queued_goes_where_its_new_affinity_is(void **state)
{
	struct scene sc;

	add_wakeup(&sc);
	sc.in.spec.costs = (struct machine_costs){.select_to_enqueue_ns = 300};
	scene_act_at(&sc, 1000100, let_b_use_3);
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu2 idle>b-0\n"
			  "0 cpu2 b-0>idle\n"
			  "1000.300 +b-0\n"
			  "1000.300 cpu3 idle>b-0\n"
			  "1000.300 cpu0 a-0>idle\n"
			  "1000.300 b-0 got 0\n"
			  "1100.300 cpu3 b-0>idle\n");
	scene_clear(&sc);
}

/* A CPU that goes off waits for those who chose it before. */
static void take_off_2_chosen(simulation *s)
{
	assert_int_equal(s->threads[1].sim.task.state, TASK_WAKING);
	take_off(s, 2);
}

static void a_wakeup_that_chose_a_cpu_just_before_is_not_lost(void **state)
{
	struct scene sc;

	add_wakeup(&sc);
	sc.in.spec.costs = (struct machine_costs){.select_to_enqueue_ns = 300};
	scene_act_at(&sc, 1000100, take_off_2_chosen);
	scene_act_at(&sc, 1000200, still_there_2);
	scene_act_at(&sc, 1000301, is_off_2);
	/* Bound to CPU 2, it may then go anywhere. */
	scene_expect(&sc, "0 cpu0 idle>a-0\n"
			  "0 cpu2 idle>b-0\n"
			  "0 cpu2 b-0>idle\n"
			  "1000.300 +b-0\n"
			  "1000.300 cpu2 idle>b-0\n"
			  "1000.300 cpu2 b-0>stop\n"
			  "1000.300 cpu2 stop>idle\n"
			  "1000.300 cpu0 a-0>b-0\n"
			  "1000.300 b-0 got 0\n"
			  "1100.300 cpu0 b-0>idle\n");
	scene_clear(&sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_a_cpu_has_goes_elsewhere),
		cmocka_unit_test(
			a_sleeper_on_a_cpu_that_is_off_wakes_on_one_that_is_on),
		cmocka_unit_test(a_cpu_that_comes_back_runs_tasks_and_ticks),
		cmocka_unit_test(one_that_is_called_back_before_it_is_off_stays_on),
		cmocka_unit_test(a_cpu_that_was_refused_to_go_takes_tasks_as_before),
		cmocka_unit_test(
			interrupts_at_work_end_and_later_ones_come_on_the_sources_next_cpu),
		cmocka_unit_test(a_throttled_deadline_task_goes_on_elsewhere),
		cmocka_unit_test(a_sibling_that_goes_off_slows_nobody_down),
		cmocka_unit_test(
			a_task_on_a_wakelist_arrives_where_its_new_affinity_is),
		cmocka_unit_test(
			a_task_about_to_be_queued_goes_where_its_new_affinity_is),
		cmocka_unit_test(a_wakeup_that_chose_a_cpu_just_before_is_not_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
