/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is reported of operations and of groups with a limit.
 */
#include "test.h"

#include "report/decisions.h"
#include "report/describe.h"
#include "report/figures.h"
#include "report/stats.h"
#include "wakeup/registry.h"
#include "workload/control.h"
#include "workload_text.h"

#include <errno.h>
#include <string.h>

#define OPERATIONS                                                                     \
	"{'duration': '1s', 'tasks': {'t': {'run': 1}}, 'operations': ["               \
	"{'at': '0s', 'mkdir': {'path': '/a'}}, "                                      \
	"{'at': '0s', 'write': {'path': '/a', 'file': 'cpu.idle', 'value': 1}}]}"

enum { MKDIR, WRITE_IDLE };

static void done(stats *s, int row, uint64_t latency_ns, int error)
{
	const struct sim_observer *o = stats_sim_observer(s);

	const struct operation_account account = {
		.row = row,
		.due_ns = 1000,
		.end_ns = 1000 + latency_ns,
		.error = error,
	};

	o->operation_done(o->data, &account);
}

static const struct figure *find(const figures *f, const char *name)
{
	for (guint i = 0; i < f->list->len; i++) {
		g_autofree char *own = figure_name(figure_at(f, i));

		if (!strcmp(own, name))
			return figure_at(f, i);
	}
	return NULL;
}

static void assert_figure(const figures *f, const char *name, int64_t value)
{
	const struct figure *figure = find(f, name);

	if (!figure)
		fail_msg("no figure %s", name);
	assert_int_equal(figure->value, value);
	assert_non_null(figure_metric(figure));
}

static void operations_are_counted_by_kind(void **state)
{
	struct workload_input in = workload_of(OPERATIONS);
	g_autoptr(stats) s = stats_new(&in);
	g_autoptr(figures) f = NULL;

	done(s, MKDIR, 10, 0);
	done(s, MKDIR, 30, EEXIST);
	done(s, MKDIR, 20, EEXIST);
	done(s, MKDIR, 20, ENOENT);
	done(s, WRITE_IDLE, 5, 0);
	f = figures_from_results(stats_finish(s, 2000));
	assert_figure(f, "operations.mkdir.latency_ns.count", 4);
	assert_figure(f, "operations.mkdir.latency_ns.p50", 20);
	assert_figure(f, "operations.mkdir.latency_ns.max", 30);
	assert_figure(f, "operations.mkdir.done", 4);
	assert_figure(f, "operations.mkdir.refused", 3);
	assert_figure(f, "operations.mkdir.EEXIST", 2);
	assert_figure(f, "operations.mkdir.ENOENT", 1);
	assert_figure(f, "operations.write cpu.idle.done", 1);
	assert_figure(f, "operations.write cpu.idle.refused", 0);
	assert_null(find(f, "operations.write cpu.idle.EEXIST"));
	workload_input_clear(&in);
}

/* Begins 100 ns after it was due, and has 7 us. */
static void call(stats *s, uint64_t lock_wait_ns, uint64_t rcu_ns, uint64_t service_ns,
		 uint64_t rest_ns)
{
	const struct sim_observer *o = stats_sim_observer(s);
	const struct operation_account account = {
		.row = WRITE_IDLE,
		.due_ns = 1000,
		.began_ns = 1100,
		.end_ns = 1100 + lock_wait_ns + rcu_ns + service_ns + rest_ns,
		.target_ns = 7000,
		.lock_wait_ns = lock_wait_ns,
		.grace_period_ns = rcu_ns,
		.service_ns = service_ns,
	};

	o->operation_done(o->data, &account);
}

/*
 * Kept by the first, to the nanosecond, and by the last; the second is above it by its
 * service and its way into the kernel alone, the third and the fourth for their waits.
 * What has no target does not count.
 */
static void calls_above_their_target_tell_what_they_spent_it_on(void **state)
{
	struct workload_input in = workload_of(OPERATIONS);
	g_autoptr(stats) s = stats_new(&in);
	g_autoptr(figures) f = NULL;

	call(s, 1000, 2000, 3990, 10);
	call(s, 0, 0, 6991, 10);
	call(s, 500, 40000, 3000, 10);
	call(s, 60000, 300, 4000, 20);
	call(s, 0, 0, 3000, 10);
	done(s, WRITE_IDLE, 100000, 0);
	done(s, MKDIR, 10, 0);
	f = figures_from_results(stats_finish(s, 200000));
#define ABOVE "operations.write cpu.idle.above_target"
	assert_figure(f, "operations.write cpu.idle.done", 6);
	assert_figure(f, "operations.write cpu.idle.within_target", 400000);
	assert_figure(f, ABOVE, 3);
	assert_figure(f, ABOVE "_by_service", 1);
	assert_figure(f, ABOVE "_call_ns", 7001 + 43510 + 64320);
	assert_figure(f, ABOVE "_lock_wait_ns", 60500);
	assert_figure(f, ABOVE "_grace_period_ns", 40300);
	assert_figure(f, ABOVE "_service_ns", 13991);
	assert_figure(f, ABOVE "_rest_ns", 40);
	assert_null(find(f, "operations.mkdir.within_target"));
	workload_input_clear(&in);
}

static void add_domain(GArray *list, const char *cpus, uint64_t total,
		       uint64_t promised)
{
	struct op_root_domain rd = {.total_bw = total, .expected_bw = promised};

	assert_true(cpumask_parse_list(cpus, 8, &rd.span, NULL));
	g_array_append_val(list, rd);
}

static void account_of(stats *s, uint64_t lock_wait_ns, const op_result *result)
{
	const struct sim_observer *o = stats_sim_observer(s);
	const struct operation_account account = {
		.row = WRITE_IDLE,
		.due_ns = 1000,
		.began_ns = 1000 + lock_wait_ns,
		.end_ns = 1000 + 10 * lock_wait_ns,
		.lock_wait_ns = lock_wait_ns,
		.grace_period_ns = 3,
		.service_ns = 2 * lock_wait_ns,
		.walk_ns = lock_wait_ns / 2,
		.result = result,
	};

	o->operation_done(o->data, &account);
}

/*
 * The first takes apart a domain that was right and leaves two, one of which lost
 * what it was promised; the second finds that so and leaves it.
 */
static void what_operations_did_to_cpusets_is_summed_up(void **state)
{
	struct workload_input in = workload_of(OPERATIONS);
	g_autoptr(stats) s = stats_new(&in);
	g_auto(op_result) first, second;
	g_autoptr(figures) f = NULL;

	op_result_init(&first);
	op_result_init(&second);
	first.rebuilds_requested = second.rebuilds_requested = 1;
	first.tasks_walked = 5000;
	second.tasks_walked = 7;
	add_domain(first.before, "0-3", 300, 300);
	add_domain(first.after, "0-1", 0, 200);
	add_domain(first.after, "2-3", 100, 100);
	add_domain(second.before, "0-1", 0, 200);
	add_domain(second.before, "2-3", 100, 100);
	add_domain(second.after, "0-1", 0, 200);
	add_domain(second.after, "2-3", (uint64_t)-5, 100);
	account_of(s, 10, &first);
	account_of(s, 20, &second);
	f = figures_from_results(stats_finish(s, 2000));
	assert_figure(f, "operations.write cpu.idle.latency_ns.p98", 200);
	assert_figure(f, "operations.write cpu.idle.call_ns.max", 180);
	assert_figure(f, "operations.write cpu.idle.call_ns.p98", 180);
	assert_figure(f, "operations.write cpu.idle.lock_wait_ns.max", 20);
	assert_figure(f, "operations.write cpu.idle.grace_period_ns.max", 3);
	assert_figure(f, "operations.write cpu.idle.service_ns.mean", 30);
	assert_figure(f, "operations.write cpu.idle.walk_ns.max", 10);
	assert_figure(f, "operations.write cpu.idle.rebuilds_requested", 2);
	assert_figure(f, "operations.write cpu.idle.tasks_walked", 5007);
	assert_figure(f, "operations.write cpu.idle.bw_lost", 1);
	assert_figure(f, "operations.write cpu.idle.bw_negative", 1);
	assert_figure(f, "operations.write cpu.idle.bw_excess", 0);
	assert_figure(f, "root_domains.0-3.total_bw_before", 300);
	assert_null(find(f, "root_domains.0-3.total_bw_after"));
	assert_figure(f, "root_domains.0-1.total_bw_after", 0);
	assert_figure(f, "root_domains.0-1.promised_bw_after", 200);
	assert_figure(f, "root_domains.2-3.total_bw_after", -5);
	/* Those of groups alone have none of it. */
	assert_null(find(f, "operations.mkdir.lock_wait_ns.max"));
	workload_input_clear(&in);
}

static void operations_of_the_warm_up_are_forgotten(void **state)
{
	struct workload_input in = workload_of(OPERATIONS);
	g_autoptr(stats) s = stats_new(&in);
	const struct sim_observer *o = stats_sim_observer(s);
	g_autoptr(figures) f = NULL;

	done(s, MKDIR, 10, EEXIST);
	o->warmup_over(o->data, 1500);
	done(s, MKDIR, 20, 0);
	f = figures_from_results(stats_finish(s, 2000));
	assert_figure(f, "operations.mkdir.done", 1);
	assert_figure(f, "operations.mkdir.refused", 0);
	assert_figure(f, "operations.mkdir.latency_ns.min", 20);
	workload_input_clear(&in);
}

/* The figures of a run in which nothing has a cost.  (transfer full) */
static figures *run(const char *json)
{
	struct workload_input in = workload_of(json);
	struct wakeup_policy policy =
		wakeup_policy_complete(wakeup_policy_find("baseline"));
	g_autoptr(stats) s = stats_new(&in);
	g_autoptr(simulation) sim = NULL;
	figures *f;

	in.spec.policy = &policy;
	memset(&in.spec.costs, 0, sizeof(in.spec.costs));
	sim = simulation_new(&in, 1, stats_observers(s), stats_sim_observer(s));
	stats_set_machine(s, simulation_machine(sim));
	assert_true(simulation_run(sim, NULL));
	f = figures_from_results(stats_finish(s, simulation_machine(sim)->now_ns));
	g_clear_pointer(&sim, simulation_free);
	workload_input_clear(&in);
	return f;
}

/* It runs for 20 ms from 0, 80 and 180 on, where its periods end. */
#define LIMITED                                                                        \
	"'machine': '1n1l1c1t', 'cgroups': {'a': {'cpu.max': '20000 100000'}, 'b': "   \
	"{}}, 'tasks': {'hog': {'cgroup': '/a', 'run': 1000}}}"

static void limited_groups_count_as_cpu_stat_does(void **state)
{
	g_autoptr(figures) f = run("{'duration': '250ms', " LIMITED);

	assert_figure(f, "cgroups./a.nr_periods", 2);
	assert_figure(f, "cgroups./a.nr_throttled", 2);
	assert_figure(f, "cgroups./a.throttled_time_ns", 140000000);
	assert_figure(f, "cgroups./a.nr_bursts", 0);
	assert_figure(f, "cgroups./a.burst_time_ns", 0);
	assert_null(find(f, "cgroups./b.nr_periods"));
}

static void what_a_group_counted_in_the_warm_up_is_taken_off(void **state)
{
	g_autoptr(figures) f = run("{'warmup': '90ms', 'duration': '160ms', " LIMITED);

	assert_figure(f, "cgroups./a.nr_periods", 1);
	assert_figure(f, "cgroups./a.nr_throttled", 1);
	assert_figure(f, "cgroups./a.throttled_time_ns", 80000000);
}

/* Its first life had three periods, its second has begun. */
static void a_group_made_anew_counts_from_its_beginning(void **state)
{
	g_autoptr(figures) f =
		run("{'warmup': '300ms', 'duration': '200ms', 'machine': '1n1l1c1t', "
		    "'cgroups': {'a': {'cpu.max': '20000 100000'}}, 'tasks': {'t': "
		    "{'delay': 5000000, 'run': 1}}, 'operations': ["
		    "{'at': '310ms', 'rmdir': {'path': '/a'}}, "
		    "{'at': '320ms', 'mkdir': {'path': '/a'}}, "
		    "{'at': '330ms', 'write': {'path': '/a', 'file': 'cpu.max', "
		    "'value': 20000}}]}");

	assert_figure(f, "cgroups./a.nr_periods", 2);
}

/* Threads of operations are nobody's tasks, and yet they were there. */
static void operations_are_no_tasks(void **state)
{
	g_autoptr(figures) f =
		run("{'duration': '10ms', 'machine': '1n1l1c1t', 'tasks': {'t': "
		    "{'delay': 5000000, 'run': 1}}, 'operations': [{'at': '5ms', "
		    "'mkdir': {'path': '/a'}}]}");

	assert_figure(f, "all.wakeups", 0);
	assert_figure(f, "all.wakeup_latency_ns.count", 0);
	assert_figure(f, "machine.ttwu_count", 1);
}

static void the_trace_tells_of_operations(void **state)
{
	struct workload_input in = workload_of(OPERATIONS);
	g_autoptr(stats) s = stats_new(&in);
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);
	g_autoptr(decisions) d =
		decisions_new(file, &in, stats_observers(s), stats_sim_observer(s));
	const struct sim_observer *o = decisions_sim_observer(d);
	const struct operation_spec write = {.place = "operations[1]", .path = "/a"};
	const struct operation_spec pathless = {.place = "operations[0]"};
	const struct results *r;

	SIM_OBSERVE(o, operation_done,
		    &((struct operation_account){.spec = &write,
						 .value = "1",
						 .row = WRITE_IDLE,
						 .due_ns = SIM_START_NS + 5,
						 .began_ns = SIM_START_NS + 7,
						 .end_ns = SIM_START_NS + 25,
						 .error = EINVAL}));
	SIM_OBSERVE(o, operation_done,
		    &((struct operation_account){.spec = &pathless,
						 .row = MKDIR,
						 .due_ns = SIM_START_NS + 5,
						 .began_ns = SIM_START_NS + 6,
						 .end_ns = SIM_START_NS + 30}));
	fclose(file);
	assert_string_equal(
		text, "{\"type\": \"operation\", \"t_ns\": 25, "
		      "\"operation\": \"write cpu.idle\", \"place\": "
		      "\"operations[1]\", \"path\": \"/a\", \"value\": \"1\", "
		      "\"due_ns\": 5, "
		      "\"began_ns\": 7, \"latency_ns\": 20, \"errno\": \"EINVAL\"}\n"
		      "{\"type\": \"operation\", \"t_ns\": 30, "
		      "\"operation\": \"mkdir\", \"place\": \"operations[0]\", "
		      "\"due_ns\": 5, "
		      "\"began_ns\": 6, \"latency_ns\": 25, \"errno\": \"0\"}\n");
	free(text);
	r = stats_finish(s, SIM_START_NS + 100);
	assert_int_equal(r->operations[MKDIR].done, 1);
	workload_input_clear(&in);
}

/* The notes of @json's description, a line each. */
static void assert_notes(const char *json, const char *notes)
{
	struct workload_input in = workload_of(json);
	g_auto(GStrv) all = describe_input(&in);
	g_autoptr(GString) text = g_string_new(NULL);

	for (int i = 0; all[i]; i += 2)
		if (!strcmp(all[i], "cgroups") || !strcmp(all[i], "operations"))
			g_string_append_printf(text, "%s: %s\n", all[i], all[i + 1]);
	assert_string_equal(text->str, notes);
	workload_input_clear(&in);
}

static void a_description_counts_groups_and_operations(void **state)
{
	assert_notes("{'duration': '1s', 'tasks': {'t': {'run': 1}}}", "");
	assert_notes(OPERATIONS, "operations: mkdir, write cpu.idle\n");
	assert_notes("{'duration': '1s', 'cgroups': {'version': 1, 'a': {'b': {}}}, "
		     "'tasks': {'t': {'run': 1}}, 'operations': ["
		     "{'at': '0s', 'mkdir': {'path': '/c'}}, "
		     "{'at': '0s', 'mkdir': {'path': '/d'}}]}",
		     "cgroups: version 1, 2 groups\noperations: mkdir x2\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_are_counted_by_kind),
		cmocka_unit_test(calls_above_their_target_tell_what_they_spent_it_on),
		cmocka_unit_test(what_operations_did_to_cpusets_is_summed_up),
		cmocka_unit_test(operations_of_the_warm_up_are_forgotten),
		cmocka_unit_test(limited_groups_count_as_cpu_stat_does),
		cmocka_unit_test(what_a_group_counted_in_the_warm_up_is_taken_off),
		cmocka_unit_test(a_group_made_anew_counts_from_its_beginning),
		cmocka_unit_test(operations_are_no_tasks),
		cmocka_unit_test(the_trace_tells_of_operations),
		cmocka_unit_test(a_description_counts_groups_and_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
