/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wakelists, affinity and run delay.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/clock.h"
#include "sched/hotplug.h"
#include "sched/profile.h"

#include <errno.h>

/* Four CPUs in two caches: 0 1 | 2 3. */
static int setup(void **state)
{
	*state = run_scene_new("1n2l2c1t");
	return 0;
}

static int teardown(void **state)
{
	run_scene_free(*state);
	return 0;
}

static void count_ipi(void *data, struct rq *target)
{
	++*(int *)data;
}

/* A task that sleeps on @cpu and may run there alone. */
static struct task *sleeper_on(run_scene *s, int cpu)
{
	struct task *t = run_fork(s, cpu, 0);

	run_block(s, cpu);
	return t;
}

static void a_wakelist_holds_the_wakee_until_the_interrupt(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper_on(s, 3);
	int ipis = 0;
	struct sched_driver driver = {.send_ipi = count_ipi, .data = &ipis};

	s->m->feat.TTWU_QUEUE = true;
	s->m->driver = &driver;
	run_to_us(s, 10);
	run_wake(s, t, 0);
	assert_int_equal(ipis, 1);
	assert_int_equal(t->state, TASK_WAKING);
	assert_true(cpu_rq(s->m, 3)->ttwu_pending);
	/* Nothing runs there, and yet it is not idle. */
	assert_false(cpu_is_idle(s->m, 3));
	run_to_us(s, 12);
	sched_ttwu_pending(cpu_rq(s->m, 3));
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 3));
	assert_int_equal(t->se.exec_start, NSEC_PER_SEC + 12000);
}

static void a_busy_cpu_of_the_same_cache_is_locked_instead(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper_on(s, 1);
	int ipis = 0;
	struct sched_driver driver = {.send_ipi = count_ipi, .data = &ipis};

	s->m->feat.TTWU_QUEUE = true;
	s->m->driver = &driver;
	run_fork(s, 1, 0);
	run_wake(s, t, 0);
	assert_int_equal(ipis, 0);
	assert_int_equal(t->state, TASK_RUNNING);
}

static void a_busy_cpu_of_another_cache_gets_a_wakelist(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper_on(s, 2);
	int ipis = 0;
	struct sched_driver driver = {.send_ipi = count_ipi, .data = &ipis};

	s->m->feat.TTWU_QUEUE = true;
	s->m->driver = &driver;
	run_fork(s, 2, 0);
	run_wake(s, t, 0);
	assert_int_equal(ipis, 1);
}

static void a_runnable_task_is_not_woken_twice(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);

	assert_false(try_to_wake_up(s->m, t, 1, 0, true));
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 1);
}

static void a_running_task_leaves_a_cpu_it_may_not_use(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);
	struct task *other = run_fork(s, 0, 0);
	struct cpumask only_2 = cpumask_of(2);

	run_to_us(s, 100);
	assert_int_equal(set_cpus_allowed(s->m, t, &only_2, 0), 0);
	sched_resched_all(s->m);
	assert_true(runs_on(s, t, 2));
	assert_true(runs_on(s, other, 0));
	assert_int_equal(cpu_rq(s->m, 0)->nr_running, 1);
	assert_int_equal(t->se.sum_exec_runtime, 100000);
}

static void a_waiting_task_leaves_a_cpu_it_may_not_use(void **state)
{
	run_scene *s = *state;
	struct task *runs = run_fork(s, 0, 0);
	struct task *waits = run_fork(s, 0, 0);
	struct cpumask only_3 = cpumask_of(3);

	assert_int_equal(set_cpus_allowed(s->m, waits, &only_3, 0), 0);
	sched_resched_all(s->m);
	assert_true(runs_on(s, waits, 3));
	assert_true(runs_on(s, runs, 0));
}

static void a_sleeping_task_moves_when_it_wakes(void **state)
{
	run_scene *s = *state;
	struct task *t = sleeper_on(s, 0);
	struct cpumask only_3 = cpumask_of(3);

	assert_int_equal(set_cpus_allowed(s->m, t, &only_3, 0), 0);
	assert_int_equal(t->cpu, 0);
	run_wake(s, t, 0);
	assert_true(runs_on(s, t, 3));
}

static void an_affinity_without_a_cpu_is_refused(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 0, 0);
	struct cpumask none = cpumask_of(200);

	assert_int_equal(set_cpus_allowed(s->m, t, &none, 0), -EINVAL);
	assert_true(task_may_use(t, 0));
}

/* Asked for what it has, the kernel does not look whether one of them is active. */
static void the_same_affinity_is_no_change(void **state)
{
	run_scene *s = *state;
	struct task *t = run_fork(s, 1, 0);
	struct cpumask only_1 = cpumask_of(1);

	run_block(s, 1);
	set_cpu_active(s->m, 1, false);
	assert_int_equal(set_cpus_allowed(s->m, t, &only_1, 0), 0);
}

static void run_delay_counts_waiting_only(void **state)
{
	run_scene *s = *state;
	struct task *first = run_fork(s, 0, 0);
	struct task *second = run_fork(s, 0, 0);

	run_to_us(s, 700);
	run_block(s, 0);
	assert_true(runs_on(s, second, 0));
	assert_int_equal(second->run_delay_ns, 700000);
	assert_int_equal(first->run_delay_ns, 0);
	run_to_us(s, 900);
	run_wake(s, first, 0);
	run_to_us(s, 950);
	run_block(s, 0);
	assert_int_equal(first->run_delay_ns + second->run_delay_ns, 750000);
}

static void who_yields_is_still_runnable_and_switched_out_involuntarily(void **state)
{
	run_scene *s = *state;
	struct task *yields = run_fork(s, 0, 0);
	struct task *other = run_fork(s, 0, 0);

	run_to_us(s, 100);
	do_sched_yield(s->m, 0);
	assert_true(runs_on(s, other, 0));
	assert_int_equal(yields->nivcsw, 1);
	assert_int_equal(yields->nvcsw, 0);
	run_block(s, 0);
	assert_int_equal(other->nivcsw, 0);
	assert_int_equal(other->nvcsw, 1);
}

/* Its load_avg is 3 = 3 * load_sum / divider, unless it is left as it is. */
static uint64_t idle_policy_load_after_nice(run_scene *s, const char *kernel)
{
	struct cpumask only_0 = cpumask_of(0);
	struct task *t = run_fork_on(s, 0, 0, POLICY_IDLE, &only_0);

	s->m->profile = kernel_profile_find(kernel);
	t->se.avg.load_avg = 7;
	set_user_nice(s->m, t, 5);
	return t->se.avg.load_avg;
}

static void nice_reweights_an_idle_policy_task_since_a_backport(void **state)
{
	assert_int_equal(idle_policy_load_after_nice(*state, "6.1-lts"), 3);
	assert_int_equal(idle_policy_load_after_nice(*state, "6.1.0"), 7);
}

static void jiffies_grow_at_multiples_of_the_tick(void **state)
{
	run_scene *s = *state;

	assert_int_equal(s->m->jiffies, 250);
	run_to_us(s, 3999);
	assert_int_equal(s->m->jiffies, 250);
	run_to_us(s, 4000);
	assert_int_equal(s->m->jiffies, 251);
	run_to_us(s, 1000000);
	assert_int_equal(s->m->jiffies, 500);
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(a_wakelist_holds_the_wakee_until_the_interrupt),
		CLAIM(a_busy_cpu_of_the_same_cache_is_locked_instead),
		CLAIM(a_busy_cpu_of_another_cache_gets_a_wakelist),
		CLAIM(a_runnable_task_is_not_woken_twice),
		CLAIM(a_running_task_leaves_a_cpu_it_may_not_use),
		CLAIM(a_waiting_task_leaves_a_cpu_it_may_not_use),
		CLAIM(a_sleeping_task_moves_when_it_wakes),
		CLAIM(an_affinity_without_a_cpu_is_refused),
		CLAIM(the_same_affinity_is_no_change),
		CLAIM(run_delay_counts_waiting_only),
		CLAIM(who_yields_is_still_runnable_and_switched_out_involuntarily),
		CLAIM(nice_reweights_an_idle_policy_task_since_a_backport),
		CLAIM(jiffies_grow_at_multiples_of_the_tick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
