/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups and operations in a run: who runs when, what an operation costs and answers.
 *
 * Nothing takes time but what a test says.  Periods end at whole tenths of a second of
 * the machine's clock, on which a run begins at 20 ms: at 80, 180, ... ms of the run.
 */
#include "test.h"

#include "sched/cpu_cgroup.h"
#include "schedsim/error.h"
#include "schedsim/observer.h"
#include "wakeup/registry.h"
#include "workload/control.h"
#include "workload/simulation.h"
#include "workload_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct run run;

struct run {
	struct workload_input in;
	struct wakeup_policy policy;
	struct observer observer;
	struct sim_observer listener;
	GString *log;            /* owned */
	bool switches;           /* log them */
	uint64_t cpu_time_ns[4]; /* of threads, in their order */
	GError *error;           /* owned */
};

static void begin_line(struct run *r, uint64_t now_ns)
{
	uint64_t ns = now_ns - SIM_START_NS;

	g_string_append_printf(r->log, "%" G_GUINT64_FORMAT, (guint64)(ns / 1000));
	if (ns % 1000)
		g_string_append_printf(r->log, ".%03d", (int)(ns % 1000));
	g_string_append_c(r->log, ' ');
}

static void on_switch(void *data, const struct machine *m, const struct rq *rq,
		      const struct task *prev, const struct task *next,
		      bool prev_sleeps)
{
	struct run *r = data;

	if (!r->switches)
		return;
	begin_line(r, m->now_ns);
	g_string_append_printf(r->log, "%s\n", next->pid ? next->comm : "idle");
}

static void on_operation(void *data, const struct operation_account *account)
{
	struct run *r = data;
	int error = account->error;

	begin_line(r, account->end_ns);
	g_string_append(r->log, r->in.workload->control->rows[account->row]);
	if (account->value)
		g_string_append_printf(r->log, "=%s", account->value);
	g_string_append(r->log, " since ");
	begin_line(r, account->due_ns);
	g_string_append_printf(r->log, "%s\n", error ? kernel_errno_name(error) : "ok");
}

static struct run *run_of(const char *json, bool switches)
{
	struct run *r = g_new0(struct run, 1);

	r->in = workload_of(json);
	r->policy = wakeup_policy_complete(wakeup_policy_find("baseline"));
	r->in.spec.policy = &r->policy;
	memset(&r->in.spec.costs, 0, sizeof(r->in.spec.costs));
	r->log = g_string_new(NULL);
	r->switches = switches;
	r->observer = (struct observer){.data = r, .sched_switch = on_switch};
	r->listener = (struct sim_observer){.data = r, .operation_done = on_operation};
	return r;
}

static void run_free(struct run *r)
{
	workload_input_clear(&r->in);
	g_string_free(r->log, TRUE);
	g_clear_error(&r->error);
	g_free(r);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(run, run_free)

/* Runs with every invariant checked; the log and CPU times are filled in. */
static bool run_it(struct run *r)
{
	g_autoptr(simulation) s = simulation_new(&r->in, 1, &r->observer, &r->listener);
	bool done;

	simulation_check_invariants(s);
	done = simulation_run(s, &r->error);
	for (int i = 0; done && i < MIN(simulation_nr_tasks(s), 4); i++) {
		const struct task *t = &simulation_task(s, i)->task;

		r->cpu_time_ns[i] = t->se.sum_exec_runtime;
		/* The dead keep no group from going. */
		if (t->state == TASK_DEAD)
			assert_ptr_equal(t->sched_task_group,
					 &simulation_machine(s)->root_tg);
	}
	return done;
}

static void expect(struct run *r, const char *log)
{
	if (!run_it(r))
		fail_msg("%s", r->error->message);
	assert_string_equal(r->log->str, log);
}

/* A machine of one CPU, and a task that never does anything. */
#define ONE_CPU "'machine': '1n1l1c1t', "
#define SLEEPER "'tasks': {'t': {'delay': 5000000, 'loop': 1, 'run': 1}}, "

static void an_operation_takes_effect_when_it_is_due(void **state)
{
	static const char json[] =
		"{" ONE_CPU "'duration': '20ms', 'cgroups': {'a': {}}, " SLEEPER
		"'operations': [{'at': '5ms', 'write': {'path': '/a', 'file': "
		"'cpu.weight', 'value': 50}}]}";
	g_autoptr(run) free_of_cost = run_of(json, false);
	g_autoptr(run) costly = run_of(json, false);

	expect(free_of_cost, "5000 write cpu.weight=50 since 5000 ok\n");
	costly->in.spec.costs.cgroup_call_ns = 4000;
	expect(costly, "5004 write cpu.weight=50 since 5000 ok\n");
}

/* Until 10 ms a real-time task has the CPU. */
static void an_operation_waits_for_its_cpu(void **state)
{
	g_autoptr(run) r =
		run_of("{" ONE_CPU
		       "'duration': '20ms', 'tasks': {'t': {'policy': 'SCHED_FIFO', "
		       "'priority': 1, 'loop': 1, 'run': 10000}}, "
		       "'operations': [{'at': '5ms', 'mkdir': {'path': '/a'}}]}",
		       false);

	expect(r, "10000 mkdir since 5000 ok\n");
}

/* Each takes 25 ms, one is due every 10. */
static void what_is_late_counts_from_when_it_was_due(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'duration': '100ms', " SLEEPER
		"'operations': [{'at': '0s', 'every': '10ms', 'count': 3, 'mkdir': "
		"{'path': '/a'}}]}",
		false);

	r->in.spec.costs.cgroup_call_ns = 25 * NSEC_PER_MSEC;
	expect(r, "25000 mkdir since 0 ok\n50000 mkdir since 10000 EEXIST\n"
		  "75000 mkdir since 20000 EEXIST\n");
}

static void values_are_written_in_turn(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'duration': '10ms', 'cgroups': {'a': {}}, " SLEEPER
		"'operations': [{'at': '1ms', 'every': '1ms', 'count': 4, 'write': "
		"{'path': '/a', 'file': 'cpu.weight', 'value': [50, 0, 'x']}}]}",
		false);

	expect(r, "1000 write cpu.weight=50 since 1000 ok\n"
		  "2000 write cpu.weight=0 since 2000 ERANGE\n"
		  "3000 write cpu.weight=x since 3000 EINVAL\n"
		  "4000 write cpu.weight=50 since 4000 ok\n");
}

/* Slices of 5, 8 and 7 ms charged at ticks of 4 ms: 20 of each 100. */
/* As of a source: the first comes one interval after the rate begins. */
static void a_rate_begins_with_an_interval(void **state)
{
	g_autoptr(run) r =
		run_of("{" ONE_CPU "'duration': '20ms', " SLEEPER
		       "'operations': [{'at': '1ms', 'rate': 500, 'arrivals': 'fixed', "
		       "'count': 2, 'mkdir': {'path': '/a'}}]}",
		       false);

	expect(r, "3000 mkdir since 3000 ok\n"
		  "5000 mkdir since 5000 EEXIST\n");
}

/* 4 us each; what is due meanwhile waits. */
static void a_burst_is_done_one_by_one(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'duration': '20ms', " SLEEPER
		"'operations': [{'at': '5ms', 'every': '6us', 'count': 2, 'burst': 2, "
		"'mkdir': {'path': '/a'}}]}",
		false);

	r->in.spec.costs.cgroup_call_ns = 4000;
	expect(r, "5004 mkdir since 5000 ok\n"
		  "5008 mkdir since 5000 EEXIST\n"
		  "5012 mkdir since 5006 EEXIST\n"
		  "5016 mkdir since 5006 EEXIST\n");
}

/* Each goes through the values by itself. */
static void each_instance_does_it_all(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'duration': '20ms', 'cgroups': {'a': {}}, " SLEEPER
		"'operations': [{'at': '5ms', 'every': '1ms', 'count': 2, 'instance': "
		"2, 'write': {'path': '/a', 'file': 'cpu.weight', 'value': [50, "
		"'x']}}]}",
		false);

	r->in.spec.costs.cgroup_call_ns = 4000;
	expect(r, "5004 write cpu.weight=50 since 5000 ok\n"
		  "5008 write cpu.weight=50 since 5000 ok\n"
		  "6004 write cpu.weight=x since 6000 EINVAL\n"
		  "6008 write cpu.weight=x since 6000 EINVAL\n");
}

/* The same rate and another stream of random numbers. */
static void instances_draw_by_themselves(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'duration': '10s', " SLEEPER
		"'operations': [{'rate': 100, 'count': 1, 'instance': 2, 'mkdir': "
		"{'path': '/a'}}]}",
		false);
	guint64 first, second;

	if (!run_it(r))
		fail_msg("%s", r->error->message);
	assert_int_equal(sscanf(r->log->str,
				"%" G_GUINT64_FORMAT "%*[^\n] %" G_GUINT64_FORMAT,
				&first, &second),
			 2);
	assert_true(first < second);
}

/* From 1 ms on: the file's own value or the entry's, of which the third is due. */
static void recorded_writes_have_values_of_their_own(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'cgroups': {'a': {}}, 'tasks': {'t': {'loop': 1, 'run': "
		"1}}, 'operations': [{'at': '1ms', 'file': '" TEST_DATA
		"/workload/operations.jsonl', 'write': {'path': '/a', 'file': "
		"'cpu.weight', 'value': [200, 'y']}}]}",
		false);

	expect(r, "2000 write cpu.weight=50 since 2000 ok\n"
		  "2000 write cpu.weight=y since 2000 EINVAL\n"
		  "2000 write cpu.weight=200 since 2000 ok\n"
		  "4000 write cpu.weight=x since 4000 EINVAL\n");
}

static void a_limited_group_stands_still_until_its_period_ends(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'duration': '250ms', 'cgroups': {'a': {'cpu.max': "
		"'20000 100000'}}, 'tasks': {'hog': {'cgroup': '/a', 'run': 1000}}}",
		true);

	expect(r, "0 hog-0\n20000 idle\n80000 hog-0\n100000 idle\n180000 hog-0\n"
		  "200000 idle\n");
	assert_int_equal(r->cpu_time_ns[0], 60 * NSEC_PER_MSEC);
}

/* At 50 ms the pool is filled, which also frees who waits. */
static void a_written_limit_holds_at_once(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'duration': '200ms', 'cgroups': {'a': {'cpu.max': "
		"'8000 100000'}}, 'tasks': {'hog': {'cgroup': '/a', 'run': 1000}}, "
		"'operations': [{'at': '50ms', 'write': {'path': '/a', 'file': "
		"'cpu.max', 'value': 'max'}}]}",
		true);

	/* At 4 ms its slice is over; at 8 it owes 3 and takes the 3 that are left. */
	expect(r, "0 hog-0\n4000 write cpu.max-0\n4000 hog-0\n8000 idle\n"
		  "50000 write cpu.max-0\n50000 write cpu.max=max since 50000 ok\n"
		  "50000 hog-0\n");
}

static void tasks_are_moved_and_groups_come_and_go(void **state)
{
	g_autoptr(run) r = run_of(
		"{'machine': '1n1l3c1t', 'duration': '20ms', 'cgroups': {'a': {}}, "
		"'tasks': {'t': {'instance': 2, 'cpus': [0, 1], 'loop': 1, 'run': "
		"6000}}, "
		"'operations': ["
		"{'at': '1ms', 'cpus': [2], 'attach': {'path': '/a', 'task': 't'}}, "
		"{'at': '2ms', 'cpus': [2], 'rmdir': {'path': '/a'}}, "
		"{'at': '3ms', 'cpus': [2], 'attach': {'path': '/', 'task': 't-0'}}, "
		"{'at': '4ms', 'cpus': [2], 'rmdir': {'path': '/a'}}, "
		"{'at': '5ms', 'cpus': [2], 'mkdir': {'path': '/a'}}, "
		"{'at': '8ms', 'cpus': [2], 'rmdir': {'path': '/a'}}, "
		"{'at': '9ms', 'cpus': [2], 'attach': {'path': '/a', 'task': 't-1'}}, "
		"{'at': '9ms', 'cpus': [2], 'attach': {'path': '/', 'task': 't-1'}}]}",
		false);
	g_autoptr(GString) errors = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;

	assert_true(run_it(r));
	lines = g_strsplit(r->log->str, "\n", -1);
	for (char **line = lines; **line; line++)
		g_string_append_printf(errors, "%s ", strrchr(*line, ' ') + 1);
	/* t-1 is in it until it ends. */
	assert_string_equal(errors->str, "ok EBUSY ok EBUSY EEXIST ok ENOENT ESRCH ");
	assert_int_equal(r->cpu_time_ns[0], 6 * NSEC_PER_MSEC);
	assert_int_equal(r->cpu_time_ns[1], 6 * NSEC_PER_MSEC);
}

/* In turn /a and /b, each of which is in use while its phase runs. */
#define PHASES                                                                         \
	"'tasks': {'t': {'policy': 'SCHED_FIFO', 'priority': 1, 'cpus': [0], 'loop': " \
	"1, 'phases': {'p': {'taskgroup': '/a', 'run': 2000}, 'q': {'taskgroup': "     \
	"'/b', 'run': 2000}}}}, "

static void a_phase_moves_its_thread(void **state)
{
	g_autoptr(run) r = run_of(
		"{'machine': '1n1l2c1t', 'duration': '10ms', " PHASES
		"'operations': [{'at': '1ms', 'cpus': [1], 'rmdir': {'path': '/a'}}, "
		"{'at': '3ms', 'cpus': [1], 'rmdir': {'path': '/a'}}, "
		"{'at': '3500us', 'cpus': [1], 'rmdir': {'path': '/b'}}, "
		"{'at': '5ms', 'cpus': [1], 'rmdir': {'path': '/b'}}]}",
		false);

	expect(r, "1000 rmdir since 1000 EBUSY\n3000 rmdir since 3000 ok\n"
		  "3500 rmdir since 3500 EBUSY\n5000 rmdir since 5000 ok\n");
}

static void a_phase_whose_group_is_gone_ends_the_run(void **state)
{
	g_autoptr(run) r =
		run_of("{'machine': '1n1l2c1t', 'duration': '10ms', " PHASES
		       "'operations': [{'at': '1ms', 'cpus': [1], 'rmdir': {'path': "
		       "'/b'}}]}",
		       false);

	assert_false(run_it(r));
	assert_error(g_steal_pointer(&r->error), KERNEL_ERROR, ENOENT,
		     "tasks.t.phases.q.taskgroup: t-0 to \"/b\": ENOENT");
}

static void assert_near(uint64_t got_ns, uint64_t want_ns)
{
	assert_in_range(got_ns, want_ns - 24 * NSEC_PER_MSEC,
			want_ns + 24 * NSEC_PER_MSEC);
}

/* Twice the weight is twice the time, however many share it. */
static void weights_divide_the_cpu(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'duration': '3s', 'cgroups': {'web': {'cpu.weight': 200}, "
		"'db': {}}, 'tasks': {'a': {'instance': 2, 'cgroup': '/web', 'run': "
		"1000}, 'b': {'cgroup': '/db', 'run': 1000}}}",
		false);

	expect(r, "");
	assert_near(r->cpu_time_ns[0], 1000 * NSEC_PER_MSEC);
	assert_near(r->cpu_time_ns[1], 1000 * NSEC_PER_MSEC);
	assert_near(r->cpu_time_ns[2], 1000 * NSEC_PER_MSEC);
}

/* 3 of 1027, in slices of at least 0.75 ms that end at ticks. */
static void an_idle_group_gets_next_to_nothing(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'duration': '2s', 'cgroups': {'scrub': {'cpu.idle': 1}}, "
		"'tasks': {'a': {'cgroup': '/scrub', 'run': 1000}, "
		"'b': {'run': 1000}}}",
		false);

	expect(r, "");
	assert_in_range(r->cpu_time_ns[0], 1, 24 * NSEC_PER_MSEC);
}

/* After the last thread, which is the last operation's. */
static void a_run_without_end_ends_with_its_operations(void **state)
{
	g_autoptr(run) r = run_of(
		"{" ONE_CPU "'tasks': {'t': {'loop': 1, 'run': 1}}, 'operations': "
		"[{'at': '1ms', 'every': '1ms', 'count': 2, 'mkdir': {'path': '/a'}}]}",
		false);

	expect(r, "1000 mkdir since 1000 ok\n2000 mkdir since 2000 EEXIST\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operation_takes_effect_when_it_is_due),
		cmocka_unit_test(an_operation_waits_for_its_cpu),
		cmocka_unit_test(what_is_late_counts_from_when_it_was_due),
		cmocka_unit_test(values_are_written_in_turn),
		cmocka_unit_test(a_rate_begins_with_an_interval),
		cmocka_unit_test(a_burst_is_done_one_by_one),
		cmocka_unit_test(each_instance_does_it_all),
		cmocka_unit_test(instances_draw_by_themselves),
		cmocka_unit_test(recorded_writes_have_values_of_their_own),
		cmocka_unit_test(a_limited_group_stands_still_until_its_period_ends),
		cmocka_unit_test(a_written_limit_holds_at_once),
		cmocka_unit_test(tasks_are_moved_and_groups_come_and_go),
		cmocka_unit_test(a_phase_moves_its_thread),
		cmocka_unit_test(a_phase_whose_group_is_gone_ends_the_run),
		cmocka_unit_test(weights_divide_the_cpu),
		cmocka_unit_test(an_idle_group_gets_next_to_nothing),
		cmocka_unit_test(a_run_without_end_ends_with_its_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
