/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "operations": what each entry becomes, and the message for what is wrong with one.
 */
#include "test.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "workload/control.h"
#include "workload_text.h"

#define REST                                                                           \
	", 'duration': '1s', 'cgroups': {'web': {}}, 'tasks': {'t-1': {'run': 1}, "    \
	"'t': {'instance': 2, 'run': 1}}}"

static struct workload_input operations_of(const char *entries)
{
	g_autofree char *json =
		g_strconcat("{'operations': [", entries, "]", REST, NULL);

	return workload_of(json);
}

static void a_write_is_done_once(void **state)
{
	struct workload_input in = operations_of(
		"{'at': '200ms', 'write': {'path': '/web', 'file': 'cpu.weight', "
		"'value': 50}}");
	const struct control *c = in.workload->control;
	const struct operation_spec *op = &c->operations[0];

	assert_int_equal(c->nr_operations, 1);
	assert_int_equal(op->kind, OPERATION_WRITE);
	assert_string_equal(op->path, "/web");
	assert_string_equal(op->file, "cpu.weight");
	assert_string_equal(op->values[0], "50");
	assert_null(op->values[1]);
	assert_int_equal(op->count, 1);
	assert_int_equal(op->thread.delay_ns, 200 * NSEC_PER_MSEC);
	assert_true(cpumask_empty(&op->thread.cpus));
	assert_int_equal(op->thread.program.steps[0].op, STEP_OPERATION);
	assert_string_equal(op->place, "operations[0]");
	assert_string_equal(c->rows[op->row], "write cpu.weight");
	workload_input_clear(&in);
}

static void operations_repeat_on_their_cpus(void **state)
{
	struct workload_input in = operations_of(
		"{'at': '0s', 'every': '10ms', 'count': 3, 'cpus': [2], 'write': "
		"{'path': '/web', 'file': 'cpu.max', 'value': ['max', 5000]}}, "
		"{'at': '1us', 'every': {'exp': '1ms'}, 'target': '7ms', 'mkdir': "
		"{'path': '/a'}}");
	const struct operation_spec *op = in.workload->control->operations;

	assert_int_equal(op[0].count, 3);
	assert_int_equal(op[0].target_ns, 0);
	assert_int_equal(op[1].target_ns, 7 * NSEC_PER_MSEC);
	assert_int_equal(op[0].every.kind, DIST_FIXED);
	assert_int_equal(op[0].every.a, 10 * NSEC_PER_MSEC);
	assert_string_equal(op[0].values[0], "max");
	assert_string_equal(op[0].values[1], "5000");
	assert_int_equal(cpumask_first(&op[0].thread.cpus), 2);
	assert_int_equal(op[1].count, -1);
	assert_int_equal(op[1].every.kind, DIST_EXP);
	workload_input_clear(&in);
}

/* 200 a second are 5 ms apart. */
static void operations_come_at_a_rate_and_in_bursts(void **state)
{
	struct workload_input in = operations_of(
		"{'rate': 200, 'burst': 3, 'count': 4, 'instance': 2, 'mkdir': "
		"{'path': '/a'}}, {'at': '1s', 'rate': 1000, 'arrivals': 'fixed', "
		"'burst': {'uniform': [1, 9]}, 'mkdir': {'path': '/b'}}, "
		"{'at': '2s', 'burst': 7, 'mkdir': {'path': '/c'}}");
	const struct operation_spec *op = in.workload->control->operations;

	assert_int_equal(op[0].every.kind, DIST_EXP);
	assert_int_equal(op[0].every.a, 5 * NSEC_PER_MSEC);
	assert_true(op[0].every_first);
	assert_int_equal(op[0].burst.a, 3);
	assert_int_equal(op[0].count, 4);
	assert_int_equal(op[0].thread.instances, 2);
	assert_int_equal(op[0].thread.delay_ns, 0);
	assert_int_equal(op[1].every.kind, DIST_FIXED);
	assert_int_equal(op[1].every.a, NSEC_PER_MSEC);
	assert_int_equal(op[1].burst.kind, DIST_UNIFORM);
	assert_int_equal(op[1].count, -1);
	assert_int_equal(op[1].thread.delay_ns, NSEC_PER_SEC);
	assert_false(op[2].every_first);
	assert_int_equal(op[2].burst.a, 7);
	assert_int_equal(op[2].count, 1);
	workload_input_clear(&in);
}

#define RECORD TEST_DATA "/workload/operations.jsonl"

/* Its second line that counts has no value, and its first one has. */
static void a_record_is_read_and_gives_values_to_writes_alone(void **state)
{
	struct workload_input in = operations_of("{'file': '" RECORD
						 "', 'write': {'path': '/web', 'file': "
						 "'cpu.weight', 'value': 1}}");

	assert_string_equal(in.workload->control->operations[0].record, RECORD);
	workload_input_clear(&in);
	assert_workload_error("{'operations': [{'file': '" RECORD "', 'write': "
			      "{'path': '/web', 'file': 'cpu.weight'}}]" REST,
			      INPUT_ERROR_VALUE,
			      "operations[0].file: " RECORD
			      ":3: expected \"value\", got none");
	assert_workload_error("{'operations': [{'file': '" RECORD "', 'mkdir': "
			      "{'path': '/a'}}]" REST,
			      INPUT_ERROR_VALUE,
			      "operations[0].file: " RECORD
			      ":2: expected \"at_ns\" or \"count\", got \"value\"");
	assert_workload_error("{'operations': [{'file': '/nowhere/x', 'mkdir': "
			      "{'path': '/a'}}]" REST,
			      INPUT_ERROR_FILE,
			      "operations[0].file: expected a file, got "
			      "\"/nowhere/x\", which is none");
}

/* A task of that very name goes before an instance of another. */
static void an_attach_names_a_task_or_an_instance(void **state)
{
	struct workload_input in = operations_of(
		"{'at': '0s', 'attach': {'path': '/web', 'task': 't'}}, "
		"{'at': '0s', 'attach': {'path': '/web', 'task': 't-0'}}, "
		"{'at': '0s', 'attach': {'path': '/web', 'task': 't-1'}}, "
		"{'at': '0s', 'attach': {'path': '/web', 'task': 't-1-0'}}");
	const struct operation_spec *op = in.workload->control->operations;

	assert_int_equal(op[0].task, 1);
	assert_int_equal(op[0].instance, -1);
	assert_int_equal(op[1].task, 1);
	assert_int_equal(op[1].instance, 0);
	assert_int_equal(op[2].task, 0);
	assert_int_equal(op[2].instance, -1);
	assert_int_equal(op[3].task, 0);
	assert_int_equal(op[3].instance, 0);
	workload_input_clear(&in);
}

static void operations_of_a_kind_share_a_row(void **state)
{
	struct workload_input in = operations_of(
		"{'at': '0s', 'mkdir': {'path': '/a'}}, "
		"{'at': '0s', 'write': {'path': '/a', 'file': 'cpu.idle', 'value': "
		"1}}, {'at': '0s', 'rmdir': {'path': '/a'}}, "
		"{'at': '1s', 'mkdir': {'path': '/b'}}");
	const struct control *c = in.workload->control;

	assert_int_equal(c->nr_rows, 3);
	assert_string_equal(c->rows[0], "mkdir");
	assert_string_equal(c->rows[1], "write cpu.idle");
	assert_string_equal(c->rows[2], "rmdir");
	assert_int_equal(c->operations[3].row, 0);
	workload_input_clear(&in);
}

/* A tree of version 2 is there for them. */
static void operations_need_no_groups(void **state)
{
	struct workload_input in = workload_of(
		"{'duration': '1s', 'tasks': {'t': {'run': 1}}, 'operations': "
		"[{'at': '0s', 'mkdir': {'path': '/a'}}]}");

	assert_int_equal(in.workload->control->version, CGROUP_V2);
	assert_int_equal(in.workload->control->nr_steps, 0);
	workload_input_clear(&in);
}

#define KINDS                                                                          \
	"write, attach, mkdir, rmdir, offline, online, suspend, resume, governor, "    \
	"topology, setscheduler, affinity, renice, tunable"

static void operations_on_tasks_and_cpus_say_which(void **state)
{
	struct workload_input in = operations_of(
		"{'at': '1s', 'setscheduler': {'task': 't-1', 'policy': "
		"'SCHED_DEADLINE', 'dl-runtime': 2000, 'dl-period': '10ms'}}, "
		"{'at': '1s', 'affinity': {'task': 't', 'cpus': '1,3'}}, "
		"{'at': '1s', 'renice': {'task': 't', 'nice': -3}}, "
		"{'at': '1s', 'offline': {'cpu': 5}}");
	const struct control *c = in.workload->control;
	const struct operation_spec *op = c->operations;

	assert_true(c->needs_cpusets);
	assert_false(c->has_cpuset_files);
	assert_int_equal(op[0].task, 0);
	assert_int_equal(op[0].instance, -1);
	assert_int_equal(op[0].attr.sched_policy, POLICY_DEADLINE);
	assert_int_equal(op[0].attr.sched_runtime, 2 * NSEC_PER_MSEC);
	assert_int_equal(op[0].attr.sched_deadline, 10 * NSEC_PER_MSEC);
	assert_int_equal(op[0].attr.sched_period, 10 * NSEC_PER_MSEC);
	assert_true(cpumask_test(&op[1].cpus, 3));
	assert_int_equal(cpumask_weight(&op[1].cpus), 2);
	assert_int_equal(op[2].nice, -3);
	assert_int_equal(op[3].cpu, 5);
	assert_string_equal(c->rows[op[3].row], "offline");
	workload_input_clear(&in);
}

/* "priority" is rt-app's word for it. */
static void a_nice_value_may_be_called_so(void **state)
{
	struct workload_input in = operations_of(
		"{'at': '1s', 'setscheduler': {'task': 't', 'policy': 'SCHED_BATCH', "
		"'nice': 7}}, {'at': '1s', 'setscheduler': {'task': 't', 'policy': "
		"'SCHED_OTHER', 'priority': -7}}");
	const struct operation_spec *op = in.workload->control->operations;

	assert_int_equal(op[0].attr.sched_policy, POLICY_BATCH);
	assert_int_equal(op[0].attr.sched_nice, 7);
	assert_int_equal(op[1].attr.sched_nice, -7);
	workload_input_clear(&in);
}

static void tunables_are_features_of_the_kernel_or_of_a_policy(void **state)
{
	struct workload_input in = operations_of(
		"{'at': '1s', 'tunable': {'name': 'NO_WA_IDLE'}}, "
		"{'at': '1s', 'tunable': {'name': 'migration_cost_ns', 'value': "
		"'2ms'}}, {'at': '1s', 'tunable': {'name': 'sched_rt_runtime_us', "
		"'value': -1}}, {'at': '1s', 'tunable': {'name': 'idle_arm', 'value': "
		"1}}, {'at': '1s', 'tunable': {'name': 'short_below_ns', 'value': "
		"'3us'}}");
	const struct control *c = in.workload->control;
	const struct operation_spec *op = c->operations;

	assert_false(c->needs_cpusets);
	assert_int_equal(op[0].tunable, TUNABLE_FEATURE);
	assert_int_equal(op[0].value, 0);
	assert_string_equal(c->rows[op[0].row], "tunable NO_WA_IDLE");
	assert_int_equal(op[1].tunable, TUNABLE_OF_KERNEL);
	assert_int_equal(op[1].value, 2 * NSEC_PER_MSEC);
	assert_true(op[2].value == RT_RUNTIME_UNLIMITED);
	assert_int_equal(op[3].tunable, TUNABLE_OF_POLICY);
	assert_int_equal(op[3].value, 1);
	assert_int_equal(op[4].value, 3 * NSEC_PER_USEC);
	workload_input_clear(&in);
}

static void clamps_stay_as_they_are(void **state)
{
	assert_workload_error(
		"{'operations': [{'at': '1s', 'tunable': {'name': "
		"'sched_util_clamp_min', 'value': 5}}]" REST,
		INPUT_ERROR_UNSUPPORTED,
		"operations[0].tunable.name: a clamp that changes in a run is not "
		"simulated yet");
}

/* An entry, and what is said of it. */
static const char *const wrong_entries[][2] = {
	{"5", "operations[0]: expected an object, got 5"},
	{"{'mkdir': {'path': '/a'}}",
	 "operations[0]: expected the key \"at\", \"rate\" or \"file\""},
	{"{'rate': 5, 'every': '1s', 'mkdir': {'path': '/a'}}",
	 "operations[0]: expected one of \"every\", \"rate\" and \"file\", got "
	 "2"},
	{"{'rate': 0, 'mkdir': {'path': '/a'}}",
	 "operations[0].rate: expected arrivals a second, a number above 0, "
	 "got 0"},
	{"{'rate': 5, 'arrivals': 'closed', 'mkdir': {'path': '/a'}}",
	 "operations[0].arrivals: expected \"fixed\" or \"poisson\", got "
	 "\"closed\""},
	{"{'at': '1s', 'arrivals': 'fixed', 'mkdir': {'path': '/a'}}",
	 "operations[0].arrivals: expected \"rate\" beside \"arrivals\""},
	{"{'at': '1s', 'burst': 0, 'mkdir': {'path': '/a'}}",
	 "operations[0].burst: expected a whole number from 1 to 1000000, got "
	 "0"},
	{"{'at': '1s', 'instance': -1, 'mkdir': {'path': '/a'}}",
	 "operations[0].instance: expected a whole number from 0 to 100000, "
	 "got -1"},
	{"{'file': '" RECORD "', 'burst': 2, 'mkdir': {'path': '/a'}}",
	 "operations[0].burst: expected \"count\" in the file's lines instead"},
	{"{'file': '" RECORD "', 'count': 2, 'mkdir': {'path': '/a'}}",
	 "operations[0].count: expected \"every\" or \"rate\" beside "
	 "\"count\""},
	{"{'at': '1s'}",
	 "operations[0]: expected one operation of " KINDS ", got none"},
	{"{'at': '1s', 'mkdir': {'path': '/a'}, 'rmdir': {'path': '/a'}}",
	 "operations[0]: expected one operation of " KINDS ", got \"mkdir\" "
	 "and \"rmdir\""},
	{"{'at': '1s', 'mkdir': {'path': '/a/../b'}}",
	 "operations[0].mkdir.path: expected a path without \".\" and "
	 "\"..\", got \"/a/../b\""},
	{"{'at': '1s', 'rmdir': {'path': '/.'}}",
	 "operations[0].rmdir.path: expected a path without \".\" and "
	 "\"..\", got \"/.\""},
	{"{'at': '1s', 'mkdri': {'path': '/a'}}",
	 "operations[0]: expected a known key, got \"mkdri\"; the nearest is "
	 "\"mkdir\""},
	{"{'at': 5, 'mkdir': {'path': '/a'}}",
	 "operations[0].at: expected a time such as \"250us\", "
	 "got 5"},
	{"{'at': '1s', 'count': 2, 'mkdir': {'path': '/a'}}",
	 "operations[0].count: expected \"every\" or \"rate\" beside "
	 "\"count\""},
	{"{'at': '1s', 'every': '0ms', 'mkdir': {'path': '/a'}}",
	 "operations[0].every: expected a time above 0, got \"0ms\""},
	{"{'at': '1s', 'every': '1ms', 'count': 0, 'mkdir': {'path': '/a'}}",
	 "operations[0].count: expected a whole number from 1 to 1000000000, "
	 "got 0"},
	{"{'at': '1s', 'target': '0s', 'mkdir': {'path': '/a'}}",
	 "operations[0].target: expected a time above 0, got \"0s\""},
	{"{'at': '1s', 'mkdir': {}}", "operations[0].mkdir: expected the key \"path\""},
	{"{'at': '1s', 'mkdir': {'path': 'a'}}",
	 "operations[0].mkdir.path: expected a group's path, which begins with "
	 "\"/\", got \"a\""},
	{"{'at': '1s', 'write': {'path': '/web', 'file': 'cpu.weight'}}",
	 "operations[0].write: expected the keys \"file\" and \"value\""},
	{"{'at': '1s', 'write': {'path': '/web', 'file': 'cpu.shares', "
	 "'value': 1}}",
	 "operations[0].write.file: expected a control file of cgroup version "
	 "2, got \"cpu.shares\" of version 1"},
	{"{'at': '1s', 'write': {'path': '/web', 'file': 'cpu.idle', "
	 "'value': []}}",
	 "operations[0].write.value: expected at least one value, got an "
	 "empty array"},
	{"{'at': '1s', 'write': {'path': '/web', 'file': 'cpu.idle', "
	 "'value': {}}}",
	 "operations[0].write.value: expected a text or a whole number, got "
	 "an empty object"},
	{"{'at': '1s', 'attach': {'path': '/web'}}",
	 "operations[0].attach: expected the key \"task\""},
	{"{'at': '1s', 'offline': {}}",
	 "operations[0].offline: expected the key \"cpu\""},
	{"{'at': '1s', 'online': {'cpu': 8}}",
	 "operations[0].online.cpu: expected a whole number from 0 to 7, got "
	 "8"},
	{"{'at': '1s', 'suspend': true}",
	 "operations[0].suspend: expected an object, got true"},
	{"{'at': '1s', 'resume': {'cpu': 1}}",
	 "operations[0].resume: expected an empty object, got an object"},
	{"{'at': '1s', 'setscheduler': {'task': 't'}}",
	 "operations[0].setscheduler: expected the key \"policy\""},
	{"{'at': '1s', 'setscheduler': {'task': 't', 'policy': 'SCHED_RR', "
	 "'priority': 100}}",
	 "operations[0].setscheduler.priority: expected a whole number from 1 "
	 "to 99, got 100"},
	{"{'at': '1s', 'setscheduler': {'task': 't', 'policy': 'SCHED_FIFO', "
	 "'nice': 1}}",
	 "operations[0].setscheduler.nice: expected a policy of fair tasks "
	 "beside \"nice\""},
	{"{'at': '1s', 'setscheduler': {'task': 't', 'policy': 'SCHED_OTHER', "
	 "'nice': 1, 'priority': 1}}",
	 "operations[0].setscheduler: expected either \"nice\" or "
	 "\"priority\", got both"},
	{"{'at': '1s', 'tunable': {'value': 1}}",
	 "operations[0].tunable: expected the key \"name\""},
	{"{'at': '1s', 'tunable': {'name': 'latency_ns'}}",
	 "operations[0].tunable: expected the key \"value\""},
	{"{'at': '1s', 'tunable': {'name': 'latency_n', 'value': 1}}",
	 "operations[0].tunable.name: expected a feature, a tunable or a "
	 "setting of a wakeup policy, got \"latency_n\"; the nearest is "
	 "\"latency_ns\""},
	{"{'at': '1s', 'tunable': {'name': 'NO_WA_IDLE', 'value': 1}}",
	 "operations[0].tunable.value: expected no value of a feature, which "
	 "its name turns on or off (NO_)"},
	{"{'at': '1s', 'tunable': {'name': 'latency_ns', 'value': -1}}",
	 "operations[0].tunable.value: expected a whole number from 0 to "
	 "4294967295 or a time, got -1"},
	{"{'at': '1s', 'tunable': {'name': 'idle_arm', 'value': 2}}",
	 "operations[0].tunable.value: expected a whole number from 0 to 1, "
	 "got 2"},
	{"{'at': '1s', 'affinity': {'task': 't', 'cpus': ''}}",
	 "operations[0].affinity.cpus: expected at least one CPU, got \"\""},
	{"{'at': '1s', 'renice': {'task': 't', 'nice': 20}}",
	 "operations[0].renice.nice: expected a whole number from -20 to 19, "
	 "got 20"},
	{"{'at': '1s', 'attach': {'path': '/web', 'task': 'u'}}",
	 "operations[0].attach.task: expected a task, or one of its instances "
	 "(\"name-0\"), got \"u\""},
	{"{'at': '1s', 'attach': {'path': '/web', 'task': 't-2'}}",
	 "operations[0].attach.task: expected a task, or one of its instances "
	 "(\"name-0\"), got \"t-2\""},
};

static void what_is_wrong_with_an_entry_is_named(void **state)
{
	for (gsize i = 0; i < G_N_ELEMENTS(wrong_entries); i++) {
		g_autofree char *json = g_strconcat(
			"{'operations': [", wrong_entries[i][0], "]", REST, NULL);

		assert_workload_error(json, INPUT_ERROR_VALUE, wrong_entries[i][1]);
	}
	assert_workload_error("{'operations': {}" REST, INPUT_ERROR_VALUE,
			      "operations: expected an array of operations, got an "
			      "empty object");
}

static void other_controllers_are_refused_by_name(void **state)
{
	assert_workload_error(
		"{'operations': [{'at': '1s', 'write': {'path': '/web', 'file': "
		"'memory.max', 'value': '0'}}]" REST,
		INPUT_ERROR_UNSUPPORTED,
		"operations[0].write.file: \"memory.max\" is not simulated yet");
}

static void an_operation_without_end_needs_a_duration(void **state)
{
	assert_workload_error(
		"{'tasks': {'t': {'loop': 1, 'run': 1}}, 'operations': [{'at': '1s', "
		"'every': '1s', 'mkdir': {'path': '/a'}}]}",
		INPUT_ERROR_VALUE,
		"expected a duration (\"duration\", \"global\": {\"duration\"} or "
		"--duration), for operation \"operations[0]\" never ends");
}

static void paths_that_nothing_makes_are_warned_of(void **state)
{
	assert_workload_warnings(
		"{'operations': [{'at': '1s', 'mkdir': {'path': '/made'}}, "
		"{'at': '2s', 'rmdir': {'path': '/made'}}, "
		"{'at': '2s', 'rmdir': {'path': '/web/'}}, "
		"{'at': '2s', 'attach': {'path': '/wbe', 'task': 't'}}]" REST,
		"operations: operations[3]: nothing makes the group \"/wbe\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_write_is_done_once),
		cmocka_unit_test(operations_repeat_on_their_cpus),
		cmocka_unit_test(operations_come_at_a_rate_and_in_bursts),
		cmocka_unit_test(a_record_is_read_and_gives_values_to_writes_alone),
		cmocka_unit_test(an_attach_names_a_task_or_an_instance),
		cmocka_unit_test(operations_of_a_kind_share_a_row),
		cmocka_unit_test(operations_need_no_groups),
		cmocka_unit_test(operations_on_tasks_and_cpus_say_which),
		cmocka_unit_test(a_nice_value_may_be_called_so),
		cmocka_unit_test(tunables_are_features_of_the_kernel_or_of_a_policy),
		cmocka_unit_test(clamps_stay_as_they_are),
		cmocka_unit_test(what_is_wrong_with_an_entry_is_named),
		cmocka_unit_test(other_controllers_are_refused_by_name),
		cmocka_unit_test(an_operation_without_end_needs_a_duration),
		cmocka_unit_test(paths_that_nothing_makes_are_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
