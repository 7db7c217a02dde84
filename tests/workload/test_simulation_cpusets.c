/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cpusets in a run: what operations on them answer, and where threads may be then.
 * Gn is a worked example of the model's notes.  Nothing takes time.
 */
#include "test.h"

#include "cpuset/cpuset_tree.h"
#include "model/machine_new.h"
#include "schedsim/error.h"
#include "wakeup/registry.h"
#include "workload/control.h"
#include "workload/simulation.h"
#include "workload_text.h"

#include <string.h>

typedef struct scene scene;

struct scene {
	struct workload_input in;
	struct wakeup_policy policy;
	struct sim_observer listener;
	simulation *s; /* owned; after its run */
	GString *log;  /* owned: what each operation answered, in their order */
};

static void on_operation(void *data, const struct operation_account *account)
{
	struct scene *sc = data;
	int error = account->error;

	g_string_append_printf(sc->log, "%s%s", sc->log->len ? " " : "",
			       error ? kernel_errno_name(error) : "ok");
}

/* Runs @json with every invariant checked. */
static scene *run_of(const char *json)
{
	struct scene *sc = g_new0(struct scene, 1);
	GError *error = NULL;

	sc->in = workload_of(json);
	sc->policy = wakeup_policy_complete(wakeup_policy_find("baseline"));
	sc->in.spec.policy = &sc->policy;
	assert_true(machine_spec_set(&sc->in.spec, "costs=none", NULL));
	sc->log = g_string_new(NULL);
	sc->listener =
		(struct sim_observer){.data = sc, .operation_done = on_operation};
	sc->s = simulation_new(&sc->in, 1, NULL, &sc->listener);
	simulation_check_invariants(sc->s);
	if (!simulation_run(sc->s, &error))
		fail_msg("%s", error->message);
	return sc;
}

static void scene_free(scene *sc)
{
	simulation_free(sc->s);
	workload_input_clear(&sc->in);
	g_string_free(sc->log, TRUE);
	g_free(sc);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scene, scene_free)

static cpusets *cpusets_of(const scene *sc)
{
	return simulation_machine(sc->s)->cpusets->data;
}

static void assert_reads(const scene *sc, const char *path, const char *file,
			 const char *expected)
{
	g_autofree char *text = cpuset_read(cpuset_find(cpusets_of(sc), path), file);

	assert_string_equal(text, expected);
}

static void assert_effective(const scene *sc, const char *path, const char *expected)
{
	bool v2 = cpuset_on_dfl(cpusets_of(sc));

	assert_reads(sc, path, v2 ? "cpuset.cpus.effective" : "cpuset.effective_cpus",
		     expected);
}

static void assert_mask(const struct cpumask *mask, const char *expected)
{
	g_autofree char *list = cpumask_to_list(mask);

	assert_string_equal(list, expected);
}

/* The affinity of thread @i, which is on one of its CPUs. */
static void assert_may_use(const scene *sc, int i, const char *expected)
{
	const struct task *t = &simulation_task(sc->s, i)->task;

	assert_mask(&t->cpus_mask, expected);
	assert_true(cpumask_test(&t->cpus_mask, t->cpu));
}

/* Sets of CPUs that are balanced together, as "4-7 0-1". */
static void assert_domains(const scene *sc, const char *expected)
{
	const GArray *doms = cpusets_of(sc)->doms_cur;
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < doms->len; i++) {
		g_autofree char *list =
			cpumask_to_list(&g_array_index(doms, struct sched_dom, i).cpus);

		g_string_append_printf(text, "%s%s", i ? " " : "", list);
	}
	assert_string_equal(text->str, expected);
}

/* Eight CPUs; entry n comes at n ms. */
#define BEGIN "{'duration': '20ms', "
#define ENTRY(at, what) "{'at': '" #at "ms', " what "}"
#define WRITE(path, file, value)                                                       \
	"'write': {'path': '" path "', 'file': '" file "', 'value': '" value "'}"
#define SLEEPER "'tasks': {'t': {'delay': 5000000, 'loop': 1, 'run': 1}}"
#define V1(cpus) "'cpuset.cpus': '" cpus "', 'cpuset.mems': 0"

static void partitions_are_balanced_alone_or_not_at_all(void **state) /* G15 */
{
	static const char tree[] =
		"'cgroups': {'P1': {'cpuset.cpus': '0-1', 'cpuset.cpus.partition': "
		"'root'}, 'P2': {'cpuset.cpus': '2-3', 'cpuset.cpus.partition': "
		"'isolated'}}, " SLEEPER;
	g_autofree char *still = g_strconcat(BEGIN, tree, "}", NULL);
	g_autofree char *changed = g_strconcat(
		BEGIN, tree, ", 'operations': [",
		ENTRY(1, WRITE("/P1", "cpuset.cpus.partition", "member")) "]}", NULL);
	g_autoptr(scene) before = run_of(still);
	g_autoptr(scene) after = run_of(changed);
	const struct machine *m = simulation_machine(before->s);

	assert_effective(before, "", "4-7");
	assert_domains(before, "4-7 0-1");
	assert_ptr_equal(m->rqs[2].rd, &m->def_root_domain);
	assert_ptr_equal(m->rqs[3].rd, &m->def_root_domain);
	assert_string_equal(after->log->str, "ok");
	assert_effective(after, "", "0-1,4-7");
	assert_domains(after, "0-1,4-7");
}

static void what_is_in_effect_follows_the_parent_in_version_2(void **state) /* G16 */
{
	static const char tree[] =
		"'cgroups': {'A': {'cpuset.cpus': '0-3', 'B': {'cpuset.cpus': '2-5'}, "
		"'C': {'cpuset.cpus': '6-7'}}}, " SLEEPER;
	g_autofree char *still = g_strconcat(BEGIN, tree, "}", NULL);
	g_autofree char *changed =
		g_strconcat(BEGIN, tree, ", 'operations': [",
			    ENTRY(1, WRITE("/A", "cpuset.cpus", "2-7")) "]}", NULL);
	g_autoptr(scene) before = run_of(still);
	g_autoptr(scene) after = run_of(changed);

	assert_effective(before, "A/B", "2-3");
	assert_effective(before, "A/C", "0-3");
	assert_effective(after, "A/B", "2-5");
	assert_effective(after, "A/C", "6-7");
}

static void parent_and_child_hold_each_other_in_version_1(void **state) /* G17 */
{
	static const char operations[] = "'operations': [" ENTRY(
		1, WRITE("/A", "cpuset.cpus",
			 "0-1")) ", " ENTRY(2,
					    WRITE("/A/B", "cpuset.cpus", "2-4")) "]}";
	g_autofree char *old =
		g_strconcat(BEGIN "'cgroups': {'version': 1, 'A': {" V1(
				    "0-3") ", 'B': {" V1("2-3") "}}}, " SLEEPER ", ",
			    operations, NULL);
	g_autofree char *new = g_strconcat(
		BEGIN "'cgroups': {'A': {'cpuset.cpus': '0-3', 'B': {'cpuset.cpus': "
		      "'2-3'}}}, " SLEEPER ", ",
		operations, NULL);
	g_autoptr(scene) v1 = run_of(old);
	g_autoptr(scene) v2 = run_of(new);

	assert_string_equal(v1->log->str, "EBUSY EACCES");
	assert_effective(v1, "A", "0-3");
	assert_effective(v1, "A/B", "2-3");
	assert_string_equal(v2->log->str, "ok ok");
	/* 0-1 and 2-4 do not meet: the parent's stand in. */
	assert_effective(v2, "A/B", "0-1");
}

static void version_1_refuses_with_its_errnos(void **state) /* G18 */
{
	g_autoptr(scene) sc = run_of(BEGIN "'cgroups': {'version': 1, 'E': {" V1(
		"0-1") ", "
		       "'cpuset.cpu_exclusive': 1}, 'S': {" V1("2") "}, 'full': {" V1(
			       "4") "}, 'none': {}}, 'tasks': {'t': {'cgroup': "
				    "'/full', 'delay': "
				    "5000000, 'loop': 1, 'run': 1}}, 'operations': "
				    "[" ENTRY(
					    1,
					    WRITE("/", "cpuset.cpus",
						  "0")) ", " ENTRY(2,
								   WRITE("/full",
									 "cpuset.cpus", "\\n")) ", " ENTRY(3,
													   WRITE("/S", "cpuset.cpus", "\\n")) ", " ENTRY(4,
																			 WRITE(
																				 "/S", "cpuset.cpus", "8")) ", " ENTRY(5,
																								       WRITE(
																									       "/S", "cpuset.cpus", "1-2")) ", " ENTRY(6, "'attach': {'path': '/none', 'task': 't'}") ", " ENTRY(7,
																																						 WRITE("/S",
																																						       "cpuset.sched_relax_domain_level", "-2")) ", " ENTRY(8,
																																													    "'rmdir': {'path': '/full'}") "]}");

	assert_string_equal(sc->log->str,
			    "EACCES ENOSPC ok EINVAL EINVAL ENOSPC EINVAL EBUSY");
	assert_reads(sc, "S", "cpuset.cpus", "");
}

static void overlap_costs_version_2_its_partition(void **state) /* G18 */
{
	g_autoptr(scene) sc = run_of(
		BEGIN
		"'cgroups': {'A': {'cpuset.cpus': '0-1', "
		"'cpuset.cpus.partition': 'root'}, 'B': {}}, " SLEEPER
		", 'operations': [" ENTRY(1, WRITE("/B", "cpuset.cpus", "0-3")) "]}");

	assert_string_equal(sc->log->str, "ok");
	assert_reads(sc, "A", "cpuset.cpus.partition",
		     "root invalid (Cpu list in cpuset.cpus not exclusive)");
	assert_effective(sc, "", "0-7");
}

/* Where the kernel's own threads are, before any of the workload. */
static void no_partition_leaves_the_root_without_a_cpu(void **state)
{
	g_autoptr(scene) sc =
		run_of(BEGIN "'cgroups': {'A': {'cpuset.cpus': '0-7', "
			     "'cpuset.cpus.partition': 'root'}}, " SLEEPER "}");

	assert_reads(sc, "A", "cpuset.cpus.partition",
		     "root invalid (Parent unable to distribute cpu downstream)");
	assert_effective(sc, "", "0-7");
}

#define OFF_AND_ON                                                                     \
	", 'operations': [" ENTRY(5, "'offline': {'cpu': 3}") ", " ENTRY(              \
		10, "'online': {'cpu': 3}") "]}"

static void version_1_loses_a_cpu_for_good(void **state) /* G19 */
{
	g_autoptr(scene) off = run_of(BEGIN "'cgroups': {'version': 1, 'A': {" V1(
		"2-3") "}, 'B': {" V1("3") "}}, 'tasks': {'t': {'cgroup': '/B', "
					   "'loop': -1, 'run': 1000}}" OFF_AND_ON);
	g_autoptr(scene) slept = run_of(BEGIN "'cgroups': {'version': 1, 'A': {" V1(
		"2-3") "}}, " SLEEPER
		       ", 'operations': [" ENTRY(5, "'suspend': {}") ", " ENTRY(
			       10, "'resume': {}") "]}");

	assert_string_equal(off->log->str, "ok ok");
	assert_reads(off, "A", "cpuset.cpus", "2");
	assert_reads(off, "B", "cpuset.cpus", "");
	/* Its task went to the root. */
	assert_may_use(off, 0, "0-7");
	assert_string_equal(slept->log->str, "ok ok");
	assert_reads(slept, "A", "cpuset.cpus", "2-3");
}

static void version_2_gets_a_cpu_back(void **state) /* G19 */
{
	g_autoptr(scene) sc =
		run_of(BEGIN "'cgroups': {'A': {'cpuset.cpus': '2-3'}}, 'tasks': {'t': "
			     "{'cgroup': '/A', 'loop': -1, 'run': 1000}}" OFF_AND_ON);

	assert_string_equal(sc->log->str, "ok ok");
	assert_effective(sc, "A", "2-3");
	assert_may_use(sc, 0, "2-3");
}

static void the_mount_option_keeps_what_was_asked_for(void **state)
{
	g_autoptr(scene) sc =
		run_of(BEGIN "'cgroups': {'version': 1, 'cpuset_v2_mode': true, 'A': "
			     "{'cpuset.cpus': '2-3'}}, " SLEEPER OFF_AND_ON);

	assert_reads(sc, "A", "cpuset.cpus", "2-3");
	assert_effective(sc, "A", "2-3");
}

static void children_begin_as_clones_if_asked_to(void **state)
{
	g_autoptr(scene) sc = run_of(BEGIN "'cgroups': {'version': 1, 'A': {" V1(
		"2-3") ", "
		       "'cgroup.clone_children': 1}}, "
		       "'tasks': {'t': {'loop': -1, 'run': 1000}}"
		       ", 'operations': [" ENTRY(
			       1, "'mkdir': {'path': '/A/B'}") ", " ENTRY(2,
									  "'attach': "
									  "{'path': "
									  "'/A/B', "
									  "'task': "
									  "'t'}") "]}");

	assert_string_equal(sc->log->str, "ok ok");
	assert_reads(sc, "A/B", "cpuset.cpus", "2-3");
	assert_may_use(sc, 0, "2-3");
}

/* In version 1, rmdir of a balanced cpuset changes the domains. */
static void a_group_that_goes_is_balanced_no_longer(void **state)
{
	g_autoptr(scene) sc = run_of(
		BEGIN "'cgroups': {'version': 1, 'cpuset.sched_load_balance': 0, 'A': "
		      "{" V1("0-3") "}, 'B': {" V1(
			      "4-5") "}}, " SLEEPER
				     ", 'operations': [" ENTRY(
					     1, "'rmdir': {'path': '/B'}") "]}");

	assert_string_equal(sc->log->str, "ok");
	assert_domains(sc, "0-3");
}

static void threads_begin_and_stay_in_their_groups_cpus(void **state)
{
	g_autoptr(scene) sc = run_of(
		BEGIN "'cgroups': {'A': {'cpuset.cpus': '2-5'}}, 'tasks': {"
		      "'a': {'cgroup': '/A', 'loop': -1, 'run': 1000}, "
		      "'b': {'cgroup': '/A', 'cpus': '4-7', 'loop': -1, 'run': 1000}, "
		      "'c': {'loop': -1, 'run': 1000}}}");

	assert_may_use(sc, 0, "2-5");
	assert_may_use(sc, 1, "4-5");
	assert_may_use(sc, 2, "0-7");
}

static void affinity_is_narrowed_to_the_group_and_lost_with_its_change(void **state)
{
	static const char tree[] =
		"'cgroups': {'A': {'cpuset.cpus': '2-5'}}, 'tasks': "
		"{'t': {'cgroup': "
		"'/A', 'loop': -1, 'run': 1000}}, 'operations': "
		"[" ENTRY(1, "'affinity': {'task': 't', 'cpus': "
			     "'0-3'}") ", " ENTRY(2, "'affinity': {'task': 't', "
						     "'cpus': '0-1'}");
	g_autofree char *narrow = g_strconcat(BEGIN, tree, "]}", NULL);
	g_autofree char *changed =
		g_strconcat(BEGIN, tree, ", ",
			    ENTRY(3, WRITE("/A", "cpuset.cpus", "2-6")) "]}", NULL);
	g_autoptr(scene) before = run_of(narrow);
	g_autoptr(scene) after = run_of(changed);

	assert_string_equal(before->log->str, "ok EINVAL");
	assert_may_use(before, 0, "2-3");
	assert_string_equal(after->log->str, "ok EINVAL ok");
	assert_may_use(after, 0, "2-6");
}

static void a_phases_cpus_are_narrowed_to_the_group(void **state)
{
	g_autoptr(scene) sc = run_of(
		BEGIN "'cgroups': {'A': {'cpuset.cpus': '2-5'}}, 'tasks': {'t': "
		      "{'cgroup': '/A', 'loop': -1, 'phases': {'one': {'loop': 1, "
		      "'cpus': '0-2', 'run': 1000}}}}}");

	assert_may_use(sc, 0, "2");
}

static void isolated_cpus_are_for_those_who_name_them(void **state)
{
	g_autoptr(scene) sc = run_of(
		BEGIN
		"'machine': {'topology': '1n1l4c1t', 'isolcpus': '1-2'}, 'tasks': "
		"{'a': {'loop': -1, 'run': 1000}, "
		"'b': {'cpus': '2', 'loop': -1, 'run': 1000}}}");

	assert_domains(sc, "0,3");
	assert_may_use(sc, 0, "0,3");
	assert_may_use(sc, 1, "2");
}

/* 38 tasks of 10/100 fit on 4 CPUs (G3); here 4 of 95/100 do, and no fifth. */
static void deadline_tasks_are_admitted_while_they_fit(void **state)
{
	g_autoptr(scene) sc =
		run_of(BEGIN "'machine': '1n1l4c1t', 'tasks': {'t': "
			     "{'instance': 4, 'delay': "
			     "5000000, 'loop': 1, 'run': 1}, 'u': {'delay': "
			     "5000000, 'loop': 1, "
			     "'run': 1}}, 'operations': [" ENTRY(1,
								 "'setscheduler': "
								 "{'task': 't', "
								 "'policy': "
								 "'SCHED_DEADLINE', "
								 "'dl-runtime': "
								 "'95ms', 'dl-period': "
								 "'100ms'}") ", " ENTRY(2,
											"'setschedule"
											"r': "
											"{'task': "
											"'u', "
											"'policy': "
											"'SCHED_"
											"DEADLINE', "
											"'dl-runtime'"
											": '95ms', "
											"'dl-period':"
											" '100ms'}") ", " ENTRY(3,
														"'setscheduler': {'task': 'u', 'policy': 'SCHED_DEADLINE', "
														"'dl-runtime': '1us', 'dl-period': '100ms'}") ", " ENTRY(4,
																					 "'affinity': {'task': 't-0', 'cpus': '0-1'}") ", " ENTRY(5, "'setscheduler': {'task': 't', 'policy': 'SCHED_OTHER'}") ", " ENTRY(6, "'affinity': {'task': 't-0', 'cpus': '0-1'}") ", " ENTRY(7,
																																												      "'setscheduler': {'task': 't-0', 'policy': 'SCHED_DEADLINE', "
																																												      "'dl-runtime': '1ms', 'dl-period': '100ms'}") "]}");

	assert_string_equal(sc->log->str, "ok EBUSY EINVAL EBUSY ok ok EPERM");
	assert_int_equal(simulation_task(sc->s, 1)->task.policy, POLICY_NORMAL);
}

static void policies_and_nice_change_for_all_of_a_task(void **state)
{
	g_autoptr(scene) sc = run_of(
		BEGIN
		"'tasks': {'t': {'instance': 2, 'delay': 5000000, 'loop': 1, "
		"'run': 1}, 'u': {'delay': 5000000, 'loop': 1, 'run': 1}, 'gone': "
		"{'loop': 1, 'run': 1}}, 'operations': [" ENTRY(
			1,
			"'setscheduler': {'task': 't-1', 'policy': 'SCHED_FIFO', "
			"'priority': 7}") ", " ENTRY(2,
						     "'renice': {'task': 'u', 'nice': "
						     "5}") ", " ENTRY(3,
								      "'renice': "
								      "{'task': "
								      "'gone', 'nice': "
								      "5}") "]}");

	assert_string_equal(sc->log->str, "ok ok ESRCH");
	assert_int_equal(simulation_task(sc->s, 0)->task.policy, POLICY_NORMAL);
	assert_int_equal(simulation_task(sc->s, 1)->task.policy, POLICY_FIFO);
	assert_int_equal(simulation_task(sc->s, 1)->task.rt_priority, 7);
	assert_int_equal(task_nice(&simulation_task(sc->s, 2)->task), 5);
}

/* low, of priority 10, holds what w, of 5, waits for; @entries change w. */
static scene *waiting_for_low(const char *entries)
{
	g_autofree char *json = g_strconcat(
		BEGIN "'machine': '1n1l2c1t', 'global': {'pi_enabled': true}, "
		      "'tasks': {'low': {'policy': 'SCHED_FIFO', 'priority': 10, "
		      "'loop': 1, 'lock': 'm', 'run': 50000, 'unlock': 'm'}, "
		      "'w': {'policy': 'SCHED_FIFO', 'priority': 5, 'delay': 1000, "
		      "'loop': 1, 'lock': 'm', 'unlock': 'm'}}, 'operations': [",
		entries, "]}", NULL);

	return run_of(json);
}

#define SET_W(at, what) ENTRY(at, "'setscheduler': {'task': 'w', 'policy': " what "}")
#define FIFO_30 "'SCHED_FIFO', 'priority': 30"
#define DEADLINE "'SCHED_DEADLINE', 'dl-runtime': '5ms', 'dl-period': '10ms'"
#define OTHER "'SCHED_OTHER'"

static void a_waiter_whose_policy_changes_lifts_anew(void **state)
{
	g_autoptr(scene) raised = waiting_for_low(SET_W(2, FIFO_30));
	g_autoptr(scene) lowered =
		waiting_for_low(SET_W(2, FIFO_30) ", " SET_W(3, OTHER));
	g_autoptr(scene) lent = waiting_for_low(SET_W(2, DEADLINE));
	g_autoptr(scene) taken_back =
		waiting_for_low(SET_W(2, DEADLINE) ", " SET_W(3, OTHER));

	assert_string_equal(taken_back->log->str, "ok ok");
	assert_int_equal(simulation_task(raised->s, 0)->task.prio, 99 - 30);
	assert_int_equal(simulation_task(lowered->s, 0)->task.prio, 99 - 10);
	assert_int_equal(simulation_task(lent->s, 0)->task.prio, -1);
	assert_int_equal(simulation_task(taken_back->s, 0)->task.prio, 99 - 10);
	assert_null(simulation_task(taken_back->s, 0)->task.dl.pi_se);
}

/* Who only runs as a deadline task has no bandwidth to give back: EBUSY, as it is. */
static void who_was_lifted_into_the_deadline_class_keeps_its_policy(void **state)
{
	g_autoptr(scene) lifted = waiting_for_low(
		SET_W(2, DEADLINE) ", " ENTRY(3, "'setscheduler': {'task': 'low', "
						 "'policy': 'SCHED_OTHER'}"));
	g_autoptr(scene) alone = waiting_for_low(
		ENTRY(3, "'setscheduler': {'task': 'low', 'policy': 'SCHED_OTHER'}"));

	assert_string_equal(lifted->log->str, "ok EBUSY");
	assert_int_equal(simulation_task(lifted->s, 0)->task.policy, POLICY_FIFO);
	assert_string_equal(alone->log->str, "ok");
	assert_int_equal(simulation_task(alone->s, 0)->task.policy, POLICY_NORMAL);
}

static void the_last_cpu_stays_on(void **state)
{
	g_autoptr(scene) sc = run_of(
		BEGIN
		"'machine': '1n1l2c1t', " SLEEPER
		", 'operations': [" ENTRY(1, "'offline': {'cpu': 1}") ", " ENTRY(
			2,
			"'offline': {'cpu': 1}") ", " ENTRY(3,
							    "'offline': {'cpu': "
							    "0}") ", " ENTRY(4,
									     "'on"
									     "lin"
									     "e':"
									     " {'"
									     "cpu"
									     "': "
									     "0}") "]"
										   "}");

	assert_string_equal(sc->log->str, "ok ok EBUSY ok");
}

/* It runs from 0 to 5 ms and from 15 ms on; the tick of 20 ms is the last to look. */
static void nothing_runs_while_the_machine_sleeps(void **state)
{
	g_autoptr(scene) sc = run_of(
		"{'duration': '21ms', "
		"'machine': '1n1l2c1t', 'tasks': {'t': {'cpus': '1', 'loop': -1, "
		"'run': 1000}}, 'operations': [" ENTRY(5, "'suspend': {}") ", " ENTRY(8, "'suspend': {}") ", " ENTRY(
			9,
			"'offline': {'cpu': 1}") ", " ENTRY(15,
							    "'resume': {}") ", " ENTRY(16,
										       "'resume': {}") "]}");

	assert_string_equal(sc->log->str, "ok EBUSY EBUSY ok EINVAL");
	assert_int_equal(simulation_task(sc->s, 0)->task.se.sum_exec_runtime,
			 10 * NSEC_PER_MSEC);
	assert_may_use(sc, 0, "1");
}

static void changes_without_a_cpu_are_no_more_than_a_rebuild(void **state)
{
	g_autoptr(scene) sc = run_of(BEGIN SLEEPER ", 'operations': [" ENTRY(
		1, "'governor': {}") ", " ENTRY(2, "'topology': {}") "]}");

	assert_string_equal(sc->log->str, "ok ok");
	assert_domains(sc, "0-7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(partitions_are_balanced_alone_or_not_at_all),
		cmocka_unit_test(what_is_in_effect_follows_the_parent_in_version_2),
		cmocka_unit_test(parent_and_child_hold_each_other_in_version_1),
		cmocka_unit_test(version_1_refuses_with_its_errnos),
		cmocka_unit_test(overlap_costs_version_2_its_partition),
		cmocka_unit_test(no_partition_leaves_the_root_without_a_cpu),
		cmocka_unit_test(version_1_loses_a_cpu_for_good),
		cmocka_unit_test(version_2_gets_a_cpu_back),
		cmocka_unit_test(the_mount_option_keeps_what_was_asked_for),
		cmocka_unit_test(children_begin_as_clones_if_asked_to),
		cmocka_unit_test(a_group_that_goes_is_balanced_no_longer),
		cmocka_unit_test(threads_begin_and_stay_in_their_groups_cpus),
		cmocka_unit_test(
			affinity_is_narrowed_to_the_group_and_lost_with_its_change),
		cmocka_unit_test(a_phases_cpus_are_narrowed_to_the_group),
		cmocka_unit_test(isolated_cpus_are_for_those_who_name_them),
		cmocka_unit_test(deadline_tasks_are_admitted_while_they_fit),
		cmocka_unit_test(policies_and_nice_change_for_all_of_a_task),
		cmocka_unit_test(a_waiter_whose_policy_changes_lifts_anew),
		cmocka_unit_test(
			who_was_lifted_into_the_deadline_class_keeps_its_policy),
		cmocka_unit_test(the_last_cpu_stays_on),
		cmocka_unit_test(nothing_runs_while_the_machine_sleeps),
		cmocka_unit_test(changes_without_a_cpu_are_no_more_than_a_rebuild),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
