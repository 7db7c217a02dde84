/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How operations on cpusets take their time: locks, grace periods, and what each step
 * costs.
 *
 * Nothing takes time but what a test says.  Of what an operation says about itself, in
 * us: its end, when it was due, when it began if that was later, and how long it waited
 * for locks, for RCU and worked. Threads of operations are tasks of the root's cpuset
 * too, and are walked as such.
 */
#include "test.h"

#include "operation_log.h"

/* Two CPUs, a cpuset of both, and a task that sleeps throughout. */
#define BEGIN                                                                          \
	"{'machine': '1n1l2c1t', 'duration': '400ms', 'cgroups': {'version': 1, "      \
	"'a': {'cpuset.cpus': '0-1', 'cpuset.mems': 0}}, "
#define SLEEPERS(n)                                                                    \
	"'tasks': {'t': {'instance': " #n ", 'delay': 5000000, 'loop': 1, 'run': "     \
	"1}}, "
#define WRITE(at, cpu, value)                                                          \
	"{'at': '" #at "us', 'cpus': [" #cpu "], 'write': {'path': '/a', 'file': "     \
	"'cpuset.cpus', 'value': '" value "'}}"
#define ATTACH(at)                                                                     \
	"{'at': '" #at "us', 'cpus': [0], 'attach': {'path': '/a', 'task': 't'}}"
#define OPERATIONS(...) "'operations': [" __VA_ARGS__ "]}"

#define WRITE_10_MS "cpuset_write_ns=10000000"
#define RCU_30_MS " grace_period_ns=30000000"

/* Due at 5, 6 and 7 ms, each takes 10: a thread does one after the other. */
static void an_operation_begins_once_those_before_it_are_over(void **state)
{
	g_autoptr(operation_log) r = operation_log_new(
		BEGIN SLEEPERS(1) OPERATIONS(
			"{'at': '5ms', 'every': '1ms', 'count': 3, 'cpus': [0], "
			"'write': {'path': '/a', 'file': 'cpuset.cpus', "
			"'value': ['0', '1']}}"),
		"rebuild_v6_5", WRITE_10_MS);

	operation_log_expect(
		r, "15000 write cpuset.cpus since 5000: lock 0 rcu 0 work 10000\n"
		   "25000 write cpuset.cpus since 6000 begun 15000: lock 0 rcu 0 work "
		   "10000\n"
		   "35000 write cpuset.cpus since 7000 begun 25000: lock 0 rcu 0 work "
		   "10000\n");
}

/* The first has the lock until 15 ms; the second comes at 6 and has it until 25. */
static void a_second_writer_waits_for_what_is_left_of_the_first(void **state)
{
	g_autoptr(operation_log) r = operation_log_new(
		BEGIN SLEEPERS(1)
			OPERATIONS(WRITE(5000, 0, "0") "," WRITE(6000, 1, "1")),
		"rebuild_v6_5", WRITE_10_MS RCU_30_MS);

	operation_log_expect(
		r, "15000 write cpuset.cpus since 5000: lock 0 rcu 0 work 10000\n"
		   "25000 write cpuset.cpus since 6000: lock 9000 rcu 0 work 10000\n");
}

/*
 * The lock is idle at 5 ms, so the first waits until 35 and leaves at 45.  RCU calls
 * back at 75, the second having come and gone at 46 to 56, and again at 105: the third
 * waits for a period of its own.
 */
static void a_writer_pays_for_rcu_where_the_lock_was_idle(void **state)
{
	g_autoptr(operation_log) r = operation_log_new(
		BEGIN SLEEPERS(1) OPERATIONS(WRITE(5000, 0, "0") "," WRITE(
			46000, 0, "1") "," WRITE(106000, 0, "0")),
		"rebuild_v5_4", WRITE_10_MS RCU_30_MS);

	operation_log_expect(
		r,
		"45000 write cpuset.cpus since 5000: lock 0 rcu 30000 work 10000\n"
		"56000 write cpuset.cpus since 46000: lock 0 rcu 0 work 10000\n"
		"146000 write cpuset.cpus since 106000: lock 0 rcu 30000 work 10000\n");
}

/* At 104 ms the callback asked for at 75 is still to come. */
static void a_writer_within_a_grace_period_of_the_last_pays_none(void **state)
{
	g_autoptr(operation_log) r = operation_log_new(
		BEGIN SLEEPERS(1) OPERATIONS(WRITE(5000, 0, "0") "," WRITE(
			46000, 0, "1") "," WRITE(104000, 0, "0")),
		"rebuild_v5_4", WRITE_10_MS RCU_30_MS);

	operation_log_expect(
		r, "45000 write cpuset.cpus since 5000: lock 0 rcu 30000 work 10000\n"
		   "56000 write cpuset.cpus since 46000: lock 0 rcu 0 work 10000\n"
		   "114000 write cpuset.cpus since 104000: lock 0 rcu 0 work 10000\n");
}

/* The second joins the first's grace period at 6 ms and is behind it after that. */
static void two_writers_share_a_grace_period(void **state)
{
	g_autoptr(operation_log) r = operation_log_new(
		BEGIN SLEEPERS(1)
			OPERATIONS(WRITE(5000, 0, "0") "," WRITE(6000, 1, "1")),
		"rebuild_v5_4", WRITE_10_MS RCU_30_MS);

	operation_log_expect(
		r, "45000 write cpuset.cpus since 5000: lock 0 rcu 30000 work 10000\n"
		   "55000 write cpuset.cpus since 6000: lock 10000 rcu 29000 work "
		   "10000\n");
}

/* Three sleepers and the operation's own thread, 100 us each. */
static void the_blind_walk_costs_each_task(void **state)
{
	static const char json[] = BEGIN SLEEPERS(3) OPERATIONS(WRITE(5000, 0, "0"));
	g_autoptr(operation_log) blind =
		operation_log_new(json, "rebuild_v5_4", "walk_task_ns=100000");
	g_autoptr(operation_log) locks = operation_log_new(
		json, "rebuild_v5_4", "walk_task_ns=100000 walk_rq_lock_ns=1000");
	g_autoptr(operation_log) counted =
		operation_log_new(json, "rebuild_v6_5", "walk_task_ns=100000");

	operation_log_expect(
		blind,
		"5400 write cpuset.cpus since 5000: lock 0 rcu 0 work 400, walk 400\n");
	operation_log_expect(
		locks,
		"5404 write cpuset.cpus since 5000: lock 0 rcu 0 work 404, walk 404\n");
	operation_log_expect(
		counted, "5000 write cpuset.cpus since 5000: lock 0 rcu 0 work 0\n");
}

/* A write of what is there already asks for no rebuild. */
static void what_changes_nothing_costs_the_write_alone(void **state)
{
	g_autoptr(operation_log) r = operation_log_new(
		BEGIN SLEEPERS(3) OPERATIONS(WRITE(5000, 0, "0-1")), "rebuild_v5_4",
		"walk_task_ns=100000 cpuset_write_ns=7000");

	operation_log_expect(
		r, "5007 write cpuset.cpus since 5000: lock 0 rcu 0 work 7\n");
}

/* Refused before it takes a lock; what it was given for nothing is given back. */
static void a_refused_write_gives_its_locks_back(void **state)
{
	g_autoptr(operation_log) r = operation_log_new(
		BEGIN SLEEPERS(1)
			OPERATIONS(WRITE(5000, 0, "x") "," WRITE(6000, 1, "1")),
		"rebuild_v6_5", WRITE_10_MS);

	operation_log_expect(
		r,
		"15000 write cpuset.cpus since 5000: lock 0 rcu 0 work 10000, EINVAL\n"

		"25000 write cpuset.cpus since 6000: lock 9000 rcu 0 work 10000\n");
}

/* Two tasks, 1 us each; the thread group lock is a percpu_rwsem whatever the other. */
static void an_attach_pays_for_the_thread_group_lock(void **state)
{
	static const char json[] = BEGIN SLEEPERS(2) OPERATIONS(ATTACH(5000));
	static const char costs[] = "set_affinity_ns=1000" RCU_30_MS;
	g_autoptr(operation_log) r = operation_log_new(json, "rebuild_v6_5", costs);
	g_autoptr(operation_log) favoured =
		operation_log_new(json, "rebuild_v6_5:favordynmods=1", costs);
	g_autoptr(operation_log) both = operation_log_new(json, "rebuild_v5_4", costs);

	operation_log_expect(r, "35002 attach since 5000: lock 0 rcu 30000 work 2\n");
	operation_log_expect(favoured, "5002 attach since 5000: lock 0 rcu 0 work 2\n");
	operation_log_expect(both,
			     "65002 attach since 5000: lock 0 rcu 60000 work 2\n");
}

/* The writer has the lock from 35 to 45 ms; later releases ask for it for deadlines. */
static void a_change_of_policy_waits_for_a_writer(void **state)
{
	static const char json[] = BEGIN SLEEPERS(1) OPERATIONS(
		WRITE(5000, 0, "0") ", {'at': '40ms', 'cpus': [1], 'setscheduler': "
				    "{'task': 't', 'policy': 'SCHED_BATCH'}}");
	g_autoptr(operation_log) all =
		operation_log_new(json, "rebuild_v5_4", WRITE_10_MS RCU_30_MS);
	g_autoptr(operation_log) deadline = operation_log_new(
		json, "rebuild_v6_5:lock=percpu_rwsem", WRITE_10_MS RCU_30_MS);

	operation_log_expect(
		all, "45000 write cpuset.cpus since 5000: lock 0 rcu 30000 work 10000\n"
		     "45000 setscheduler since 40000: lock 5000 rcu 0 work 0\n");
	operation_log_expect(
		deadline,
		"40000 setscheduler since 40000: lock 0 rcu 0 work 0\n"
		"45000 write cpuset.cpus since 5000: lock 0 rcu 30000 work 10000\n");
}

/*
 * One CPU, on which a real-time task comes at 8 ms, for 1 ms: before the write is done
 * at 15, if the kernel lets it.
 */
#define UNDER_WAY(value)                                                               \
	"{'machine': '1n1l1c1t', 'duration': '30ms', 'cgroups': {'version': 1, 'a': "  \
	"{'cpuset.cpus': '0', 'cpuset.mems': 0}}, 'tasks': {'rt': {'policy': "         \
	"'SCHED_FIFO', 'priority': 1, 'delay': 8000, 'loop': 1, 'run': 1000}}, "       \
	"'operations': [{'at': '5ms', 'write': {'path': '/a', 'file': "                \
	"'cpuset.sched_load_balance', 'value': " #value "}}]}"

static void expect_end(const char *json, enum preempt_model preempt, const char *end)
{
	g_autoptr(operation_log) r =
		operation_log_new(json, "rebuild_v6_5", WRITE_10_MS);
	g_autofree char *log =
		g_strconcat(end,
			    " write cpuset.sched_load_balance since 5000: lock 0 rcu 0 "
			    "work 10000\n",
			    NULL);

	operation_log_input(r)->spec.preempt = preempt;
	operation_log_expect(r, log);
}

static void a_write_keeps_its_cpu(void **state)
{
	expect_end(UNDER_WAY(1), PREEMPT_NONE, "15000");
	expect_end(UNDER_WAY(1), PREEMPT_VOLUNTARY, "15000");
	expect_end(UNDER_WAY(1), PREEMPT_FULL, "16000");
}

/* sched_domains_mutex, once the write itself is paid for. */
static void a_lock_is_where_a_voluntary_kernel_reschedules(void **state)
{
	expect_end(UNDER_WAY(0), PREEMPT_NONE, "15000");
	expect_end(UNDER_WAY(0), PREEMPT_VOLUNTARY, "16000");
}

/*
 * A grace period for the lock and one for the CPU; that the tasks of the cpuset that
 * has lost its last CPU leave it is a worker's, which waits for the same lock.
 */
static void who_takes_the_last_cpu_of_a_cpuset_off_is_done(void **state)
{
	g_autoptr(operation_log) r = operation_log_new(
		"{'machine': '1n1l2c1t', 'duration': '400ms', 'cgroups': {'version': "
		"1, 'a': {'cpuset.cpus': '1', 'cpuset.mems': 0}}, 'tasks': {'t': "
		"{'cgroup': '/a', 'delay': 5000000, 'loop': 1, 'run': 1}}, "
		"'operations': [{'at': '5ms', 'cpus': [0], 'offline': {'cpu': 1}}]}",
		"rebuild_v6_15", "grace_period_ns=30000000");

	operation_log_expect(r, "65000 offline since 5000: lock 0 rcu 60000 work 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operation_begins_once_those_before_it_are_over),
		cmocka_unit_test(a_second_writer_waits_for_what_is_left_of_the_first),
		cmocka_unit_test(a_writer_pays_for_rcu_where_the_lock_was_idle),
		cmocka_unit_test(a_writer_within_a_grace_period_of_the_last_pays_none),
		cmocka_unit_test(two_writers_share_a_grace_period),
		cmocka_unit_test(the_blind_walk_costs_each_task),
		cmocka_unit_test(what_changes_nothing_costs_the_write_alone),
		cmocka_unit_test(a_refused_write_gives_its_locks_back),
		cmocka_unit_test(an_attach_pays_for_the_thread_group_lock),
		cmocka_unit_test(a_change_of_policy_waits_for_a_writer),
		cmocka_unit_test(a_write_keeps_its_cpu),
		cmocka_unit_test(a_lock_is_where_a_voluntary_kernel_reschedules),
		cmocka_unit_test(who_takes_the_last_cpu_of_a_cpuset_off_is_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
