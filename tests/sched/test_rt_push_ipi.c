/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RT_PUSH_IPI: a CPU that runs less has those push that have tasks to give, one after
 * the other.  Interrupts arrive when the test says so.
 */
#include "test.h"

#include "run_scene.h"
#include "sched/root_domain.h"

typedef struct scene scene;

struct scene {
	run_scene *run;             /* owned */
	struct machine *m;          /* of @run */
	struct rq *sent[RUN_TASKS]; /* where to, in their order; not owned */
	int nr_sent;
};

static void send_ipi(void *data, struct rq *target)
{
	scene *s = data;

	s->sent[s->nr_sent++] = target;
}

/* No time passes. */
static void ignore_timer(void *data, struct sched_timer *timer)
{
}

/* Four CPUs in two caches: 0 1 | 2 3; each runs a task bound to it, of priority 80. */
static int setup(void **state)
{
	scene *s = g_new0(scene, 1);

	s->run = run_scene_new("1n2l2c1t");
	s->m = s->run->m;
	s->m->feat.RT_PUSH_IPI = true;
	s->run->driver = (struct sched_driver){
		.send_ipi = send_ipi,
		.timer_start = ignore_timer,
		.timer_cancel = ignore_timer,
		.data = s,
	};
	for (int cpu = 0; cpu < 4; cpu++) {
		struct cpumask only = cpumask_of(cpu);

		run_fork_rt(s->run, cpu, POLICY_FIFO, 80, &only);
	}
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	scene *s = *state;

	run_scene_free(s->run);
	g_free(s);
	return 0;
}

/* It has to wait behind what @cpu runs, and may go anywhere. */
static struct task *waiting(scene *s, int cpu, unsigned priority)
{
	struct cpumask all = cpumask_first_n(4);
	struct task *t = run_fork_rt(s->run, cpu, POLICY_FIFO, priority, &all);

	assert_int_equal(t->cpu, cpu);
	assert_false(runs_on(s->run, t, cpu));
	return t;
}

/* Interrupts went out to these CPUs, as in "0 2", since the start. */
static void assert_sent(const scene *s, const char *cpus)
{
	g_autoptr(GString) sent = g_string_new(NULL);

	for (int i = 0; i < s->nr_sent; i++)
		g_string_append_printf(sent, "%s%d", i ? " " : "", s->sent[i]->cpu);
	assert_string_equal(sent->str, cpus);
}

/* The last one does; those it sends on follow. */
static void arrives(scene *s)
{
	sched_ipi(s->sent[s->nr_sent - 1]);
	sched_resched_all(s->m);
}

static void who_runs_less_has_the_first_that_waits_pushed(void **state)
{
	scene *s = *state;
	struct task *t = waiting(s, 1, 10);

	run_block(s->run, 2);
	assert_true(cpu_is_idle(s->m, 2));
	assert_int_equal(t->cpu, 1);
	assert_sent(s, "1");
	arrives(s);
	assert_true(runs_on(s->run, t, 2));
	assert_sent(s, "1");
	assert_int_equal(s->m->rd.rto_cpu, CPU_NONE);
}

/*
 * CPU 0 pushes low to CPU 2, CPU 1 the higher middle after it.  So CPU 2 has one too
 * many, which the round that was asked for at first, begun anew, finds.
 */
static void a_push_goes_on_until_all_were_asked_in_a_round(void **state)
{
	scene *s = *state;
	struct task *low = waiting(s, 0, 10);
	struct task *middle = waiting(s, 1, 20);

	run_block(s->run, 2);
	assert_sent(s, "0");
	arrives(s);
	assert_true(runs_on(s->run, low, 2));
	assert_sent(s, "0 1");
	arrives(s);
	assert_true(runs_on(s->run, middle, 2));
	assert_int_equal(low->cpu, 2);
	assert_sent(s, "0 1 2");
	arrives(s);
	assert_int_equal(low->cpu, 2);
	assert_sent(s, "0 1 2");
}

/* Nobody sends one beside it; without takers it goes round once more for CPU 3. */
static void who_asks_while_it_is_on_its_way_adds_a_round(void **state)
{
	scene *s = *state;
	struct task *first = waiting(s, 0, 20);
	struct task *second = waiting(s, 0, 10);
	struct task *third = waiting(s, 0, 5);

	run_block(s->run, 2);
	run_block(s->run, 3);
	assert_sent(s, "0");
	assert_int_equal(s->m->rd.rto_loop_next, 2);
	arrives(s);
	/* To the CPUs of the other cache in turn. */
	assert_true(runs_on(s->run, first, 2));
	assert_true(runs_on(s->run, second, 3));
	assert_int_equal(third->cpu, 0);
	assert_int_equal(s->m->rd.rto_loop, 2);
	assert_sent(s, "0");
}

/* CPU 0 is overloaded itself: it asks CPU 2, and alone nobody. */
static void nobody_interrupts_himself(void **state)
{
	scene *s = *state;
	struct task *t, *own;

	own = waiting(s, 0, 30);
	waiting(s, 0, 20);
	run_block(s->run, 0);
	assert_true(runs_on(s->run, own, 0));
	assert_sent(s, "");
	assert_int_equal(s->m->rd.rto_loop_next, 0);
	waiting(s, 0, 10);
	t = waiting(s, 2, 25);
	run_block(s->run, 0);
	assert_sent(s, "2");
	arrives(s);
	assert_true(runs_on(s->run, t, 0));
}

/* What came to CPU 1 since and runs there before what waited is not pushed away. */
static void what_is_about_to_run_is_not_pushed(void **state)
{
	scene *s = *state;
	struct task *t = waiting(s, 1, 10);

	run_block(s->run, 2);
	sched_block(s->m, 1, TASK_INTERRUPTIBLE);
	sched_resched_all(s->m);
	assert_true(runs_on(s->run, t, 1));
	arrives(s);
	assert_true(runs_on(s->run, t, 1));
	assert_true(cpu_is_idle(s->m, 2));
	assert_int_equal(s->m->rd.rto_cpu, CPU_NONE);
}

/* All CPUs leave it while the interrupt is on its way. */
static void a_root_domain_outlives_its_push(void **state)
{
	scene *s = *state;
	struct root_domain *rd = root_domain_new(s->m);

	for (int cpu = 0; cpu < 4; cpu++)
		rq_attach_root(cpu_rq(s->m, cpu), rd);
	waiting(s, 1, 10);
	run_block(s->run, 2);
	assert_int_equal(rd->refcount, 5);
	for (int cpu = 0; cpu < 4; cpu++)
		rq_attach_root(cpu_rq(s->m, cpu), &s->m->rd);
	assert_int_equal(rd->refcount, 1);
	assert_false(list_empty(&s->m->root_domains));
	arrives(s);
	assert_true(list_empty(&s->m->root_domains));
}

int main(void)
{
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CLAIM(who_runs_less_has_the_first_that_waits_pushed),
		CLAIM(a_push_goes_on_until_all_were_asked_in_a_round),
		CLAIM(who_asks_while_it_is_on_its_way_adds_a_round),
		CLAIM(nobody_interrupts_himself),
		CLAIM(what_is_about_to_run_is_not_pushed),
		CLAIM(a_root_domain_outlives_its_push),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
