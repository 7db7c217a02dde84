/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Masks and errnos: the worked examples G16 to G19 of the model's notes, and cases
 * around them worked out by hand from update_cpumasks_hier(), validate_change() and
 * cpuset_hotplug_workfn() of 6.1.
 */
#include "test.h"

#include "cpuset_scene.h"

#include <errno.h>

#define V1(topology) cpuset_scene_new(topology, CPUSET_V1, "rebuild_v6_5", "")
#define V2(topology) cpuset_scene_new(topology, CPUSET_V2, "rebuild_v6_5", "")

static int write_cpus(cpuset_scene *s, const char *path, const char *cpus)
{
	return cs_write(s, path, "cpuset.cpus", cpus);
}

static void assert_effective(const cpuset_scene *s, const char *path, const char *cpus)
{
	assert_cpus(&cs_find(s, path)->effective_cpus, cpus);
}

/* G16 and G17: masks in effect */

static void g16_v2_takes_what_the_parent_has_of_the_mask_or_all_it_has(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l8c1t");

	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "A/B", "2-5");
	cs_mkdir(s, "A/C", "6-7");
	assert_effective(s, "A", "0-3");
	assert_effective(s, "A/B", "2-3");
	assert_effective(s, "A/C", "0-3");
	assert_true(cs_find(s, "A/C")->use_parent_ecpus);
	assert_int_equal(cs_find(s, "A")->child_ecpus_count, 1);

	assert_int_equal(write_cpus(s, "A", "2-7"), 0);
	assert_effective(s, "A/B", "2-5");
	assert_effective(s, "A/C", "6-7");
	assert_false(cs_find(s, "A/C")->use_parent_ecpus);
	assert_int_equal(cs_find(s, "A")->child_ecpus_count, 0);
}

static void g17_v1_keeps_children_within_their_parents(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l8c1t");

	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "A/B", "2-3");
	assert_int_equal(write_cpus(s, "A", "0-1"), -EBUSY);
	assert_int_equal(write_cpus(s, "A/B", "2-4"), -EACCES);
	assert_file(s, "A", "cpuset.cpus", "0-3");
	assert_file(s, "A/B", "cpuset.cpus", "2-3");
}

static void g17_v2_lets_children_ask_for_more_than_there_is(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l8c1t");

	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "A/B", "2-3");
	assert_int_equal(write_cpus(s, "A", "0-1"), 0);
	assert_effective(s, "A/B", "0-1");
	assert_int_equal(write_cpus(s, "A", "0-3"), 0);
	assert_int_equal(write_cpus(s, "A/B", "2-4"), 0);
	assert_effective(s, "A/B", "2-3");
}

/* G18: errnos */

static void g18_the_roots_mask_is_not_to_be_written(void **state)
{
	g_autoptr(cpuset_scene) v1 = V1("1n1l4c1t");
	g_autoptr(cpuset_scene) v2 = V2("1n1l4c1t");

	assert_int_equal(write_cpus(v1, "", "0-1"), -EACCES);
	/* Even before anybody reads it. */
	assert_int_equal(write_cpus(v1, "", "many"), -EACCES);
	assert_int_equal(v1->last.err, -EACCES);
	assert_int_equal(write_cpus(v2, "", "0-1"), -ENOENT);
}

static void g18_tasks_keep_at_least_one_cpu(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");

	cs_mkdir(s, "A", "0-1");
	assert_int_equal(write_cpus(s, "A", ""), 0);
	assert_int_equal(write_cpus(s, "A", "0-1"), 0);
	cs_task(s, "A");
	assert_int_equal(write_cpus(s, "A", ""), -ENOSPC);
	assert_int_equal(cs_write(s, "A", "cpuset.mems", ""), -ENOSPC);
}

static void g18_tasks_further_down_count_too(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l4c1t");

	cs_mkdir(s, "A", "0-1");
	cs_mkdir(s, "A/B", "");
	cs_task(s, "A/B");
	assert_int_equal(write_cpus(s, "A", ""), -ENOSPC);
}

static void g18_cpus_that_the_root_has_not_are_refused(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");

	cs_mkdir(s, "A", "0-1");
	assert_int_equal(write_cpus(s, "A", "3-4"), -EINVAL);
	assert_int_equal(cs_cpu_down(s, 3), 0);
	assert_int_equal(write_cpus(s, "A", "3"), -EINVAL);
	assert_int_equal(write_cpus(s, "A", "512"), -ERANGE);
}

static void g18_v1_siblings_keep_off_the_exclusive(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");

	cs_mkdir(s, "A", "0-1");
	assert_int_equal(cs_write(s, "A", "cpuset.cpu_exclusive", "1"), 0);
	cs_mkdir(s, "B", "2-3");
	assert_int_equal(write_cpus(s, "B", "1-2"), -EINVAL);
	assert_int_equal(write_cpus(s, "B", "2"), 0);
	/* Nor does one become exclusive that meets another. */
	cs_mkdir(s, "C", "2-3");
	assert_int_equal(cs_write(s, "C", "cpuset.cpu_exclusive", "1"), -EINVAL);
}

static void g18_v2_overlap_costs_the_partition(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l4c1t");

	cs_mkdir(s, "A", "0-1");
	assert_int_equal(cs_write(s, "A", "cpuset.cpus.partition", "root"), 0);
	assert_effective(s, "", "2-3");
	cs_mkdir(s, "B", "2");
	assert_int_equal(write_cpus(s, "B", "0-3"), 0);
	assert_file(s, "A", "cpuset.cpus.partition",
		    "root invalid (Cpu list in cpuset.cpus not exclusive)");
	assert_effective(s, "", "0-3");
	assert_effective(s, "B", "0-3");
	/* B is none itself, so 6.1 asks for no rebuild; the next one finds out. */
	assert_int_equal(s->last.rebuilds_requested, 0);
	assert_domains(s, "2-3 0-1");
	cs_governor_change(s);
	assert_domains(s, "0-3");
}

static void g18_an_empty_v1_cpuset_takes_no_task(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");
	struct cpuset_task *ct = cs_task(s, "");

	cs_mkdir(s, "A", "");
	assert_int_equal(cs_attach(s, "A", ct), -ENOSPC);
	assert_int_equal(write_cpus(s, "A", "0-1"), 0);
	assert_int_equal(cs_write(s, "A", "cpuset.mems", ""), 0);
	assert_int_equal(cs_attach(s, "A", ct), -ENOSPC);
	assert_int_equal(cs_write(s, "A", "cpuset.mems", "0"), 0);
	assert_int_equal(cs_attach(s, "A", ct), 0);
	assert_cpus(&ct->task->cpus_mask, "0-1");
}

static void g18_a_bound_thread_is_not_moved(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");
	struct cpuset_task *ct = cs_task(s, "");

	ct->kthread = ct->no_setaffinity = true;
	cs_mkdir(s, "A", "0-1");
	assert_int_equal(cs_attach(s, "A", ct), -EINVAL);
	assert_ptr_equal(ct->cs, s->sys->root);
	assert_cpus(&ct->task->cpus_mask, "0-3");
}

static void g18_relax_levels_lie_within_the_domains(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");
	const char *file = "cpuset.sched_relax_domain_level";

	/* The highest level is that of the cache, 1. */
	assert_int_equal(cs_write(s, "", file, "-2"), -EINVAL);
	assert_int_equal(cs_write(s, "", file, "3"), -EINVAL);
	assert_int_equal(cs_write(s, "", file, "2"), 0);
	assert_int_equal(cs_write(s, "", file, "-1"), 0);
}

/* G19: CPUs that go off and come on */

static void g19_v1_forgets_a_cpu_that_went_off(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");

	cs_mkdir(s, "A", "2-3");
	assert_int_equal(cs_cpu_down(s, 3), 0);
	assert_file(s, "A", "cpuset.cpus", "2");
	assert_file(s, "", "cpuset.cpus", "0-2");
	assert_int_equal(cs_cpu_up(s, 3), 0);
	assert_file(s, "A", "cpuset.cpus", "2");
	assert_file(s, "", "cpuset.cpus", "0-3");
}

static void g19_v1_tasks_leave_a_cpuset_without_cpus(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");
	struct cpuset_task *ct;

	cs_mkdir(s, "P", "1-3");
	cs_mkdir(s, "P/A", "3");
	ct = cs_task(s, "P/A");
	assert_int_equal(cs_cpu_down(s, 3), 0);
	assert_file(s, "P/A", "cpuset.cpus", "");
	assert_ptr_equal(ct->cs, cs_find(s, "P"));
	assert_cpus(&ct->task->cpus_mask, "1-2");
	assert_int_equal(cs_find(s, "P/A")->nr_tasks, 0);
	assert_int_equal(cs_cpu_up(s, 3), 0);
	assert_file(s, "P/A", "cpuset.cpus", "");
}

static void g19_v2_gives_the_cpu_back(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l4c1t");
	struct cpuset_task *ct;

	cs_mkdir(s, "A", "2-3");
	ct = cs_task(s, "A");
	assert_int_equal(cs_cpu_down(s, 3), 0);
	assert_effective(s, "A", "2");
	assert_file(s, "A", "cpuset.cpus", "2-3");
	assert_cpus(&ct->task->cpus_mask, "2");
	assert_domains(s, "0-2");
	assert_int_equal(cs_cpu_up(s, 3), 0);
	assert_effective(s, "A", "2-3");
	assert_cpus(&ct->task->cpus_mask, "2-3");
	assert_domains(s, "0-3");
}

static void g19_a_suspend_leaves_cpusets_alone(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");

	cs_mkdir(s, "A", "2-3");
	cs_suspend_and_resume(s);
	assert_file(s, "A", "cpuset.cpus", "2-3");
	assert_domains(s, "0-3");
}

static void g19_a_populated_partition_without_cpus_becomes_invalid(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l4c1t");
	struct cpuset_task *ct;

	cs_mkdir(s, "P", "2-3");
	assert_int_equal(cs_write(s, "P", "cpuset.cpus.partition", "root"), 0);
	ct = cs_task(s, "P");
	assert_int_equal(cs_cpu_down(s, 2), 0);
	assert_file(s, "P", "cpuset.cpus.partition", "root");
	assert_int_equal(cs_cpu_down(s, 3), 0);
	assert_file(s, "P", "cpuset.cpus.partition",
		    "root invalid (No cpu available due to hotplug)");
	assert_effective(s, "P", "0-1");
	assert_cpus(&ct->task->cpus_mask, "0-1");
	assert_domains(s, "0-1");
	/* It is tried again when a CPU comes back. */
	assert_int_equal(cs_cpu_up(s, 3), 0);
	assert_file(s, "P", "cpuset.cpus.partition", "root");
	assert_effective(s, "P", "3");
	assert_domains(s, "0-1 3");
}

/* Beside them */

static void writing_the_same_mask_does_nothing(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");

	cs_mkdir(s, "A", "0-1");
	cs_task(s, "A");
	assert_int_equal(write_cpus(s, "A", " 0,1 \n"), 0);
	assert_int_equal(s->last.rebuilds_requested, 0);
	assert_int_equal(s->last.affinities_set, 0);
	assert_int_equal(s->last.cpusets_updated, 0);
}

static void a_write_sets_the_affinity_of_the_tasks_below(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l8c1t");
	struct cpuset_task *a, *b, *c;

	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "A/B", "");
	cs_mkdir(s, "A/C", "0-1");
	a = cs_task(s, "A");
	b = cs_task(s, "A/B");
	c = cs_task(s, "A/C");
	assert_int_equal(write_cpus(s, "A", "0-5"), 0);
	assert_cpus(&a->task->cpus_mask, "0-5");
	assert_cpus(&b->task->cpus_mask, "0-5");
	assert_cpus(&c->task->cpus_mask, "0-1");
	/* C did not change and was not visited. */
	assert_int_equal(s->last.affinities_set, 2);
	assert_int_equal(s->last.cpusets_updated, 2);
	assert_int_equal(s->last.tasks_moved, 0);
}

static void a_running_task_leaves_a_cpu_it_lost(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l4c1t");
	struct cpuset *cs = cs_mkdir(s, "A", "0-1");
	struct cpuset_task ct = {0};
	struct task *t = run_fork_on(s->run, 0, 0, POLICY_NORMAL, &cs->effective_cpus);

	cpuset_task_init(&ct, t, cs);
	assert_true(t->cpu == 0 || t->cpu == 1);
	assert_true(runs_on(s->run, t, t->cpu));
	assert_int_equal(write_cpus(s, "A", "2-3"), 0);
	assert_int_equal(s->last.tasks_moved, 1);
	assert_true(t->cpu == 2 || t->cpu == 3);
	assert_true(runs_on(s->run, t, t->cpu));
	cpuset_task_exit(&ct);
}

static void bound_threads_of_the_root_keep_their_cpus(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l4c1t");
	struct cpuset_task *bound = cs_task(s, ""), *free = cs_task(s, "");
	struct cpumask one = cpus_of("1");

	bound->kthread = true;
	bound->task->per_cpu_kthread = true;
	assert_int_equal(cpuset_setaffinity(bound, &one, NULL), 0);
	cs_mkdir(s, "P", "1-2");
	assert_int_equal(cs_write(s, "P", "cpuset.cpus.partition", "root"), 0);
	assert_cpus(&free->task->cpus_mask, "0,3");
	assert_cpus(&bound->task->cpus_mask, "1");
}

static void affinity_stays_within_the_cpuset(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l4c1t");
	struct cpuset_task *ct;
	struct cpumask ask = cpus_of("1-3"), outside = cpus_of("3");

	cs_mkdir(s, "A", "0-2");
	ct = cs_task(s, "A");
	assert_int_equal(cpuset_setaffinity(ct, &ask, NULL), 0);
	assert_cpus(&ct->task->cpus_mask, "1-2");
	assert_int_equal(cpuset_setaffinity(ct, &outside, NULL), -EINVAL);
	ct->no_setaffinity = true;
	assert_int_equal(cpuset_setaffinity(ct, &ask, NULL), -EINVAL);
}

static void a_request_is_dropped_while_a_cpu_is_on_its_way(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");

	cs_mkdir(s, "A", "0-1");
	assert_int_equal(cpuset_cpu_down_begin(s->sys, 3, NULL), 0);
	assert_true(s->sys->hotplug_work);
	assert_int_equal(write_cpus(s, "A", "0-2"), 0);
	assert_int_equal(s->last.rebuilds_requested, 1);
	assert_int_equal(s->last.rebuilds_dropped, 1);
	assert_int_equal(s->last.tasks_walked, 0);
	assert_domains(s, "0-3");
	cpuset_hotplug_work(s->sys, NULL);
	assert_domains(s, "0-2");
}

static void partitions_race_with_their_own_cpus(void **state)
{
	g_autoptr(cpuset_scene) s = V2("1n1l4c1t");

	cs_mkdir(s, "P", "2-3");
	assert_int_equal(cs_write(s, "P", "cpuset.cpus.partition", "root"), 0);
	assert_int_equal(cpuset_cpu_down_begin(s->sys, 3, NULL), 0);
	cs_governor_change(s);
	assert_int_equal(s->last.rebuilds_dropped, 1);
	cpuset_hotplug_work(s->sys, NULL);
	assert_domains(s, "0-1 2");
}

static void only_balanced_cpusets_with_cpus_shape_domains(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l4c1t");
	const char *relax = "cpuset.sched_relax_domain_level";

	cs_mkdir(s, "empty", "");
	assert_int_equal(cs_write(s, "empty", "cpuset.sched_load_balance", "0"), 0);
	assert_int_equal(s->last.rebuilds_requested, 0);
	assert_int_equal(cs_write(s, "empty", "cpuset.sched_load_balance", "1"), 0);
	assert_int_equal(cs_write(s, "empty", relax, "2"), 0);
	assert_int_equal(s->last.rebuilds_requested, 0);
	cs_mkdir(s, "off", "0-1");
	assert_int_equal(cs_write(s, "off", "cpuset.sched_load_balance", "0"), 0);
	assert_int_equal(cs_write(s, "off", relax, "2"), 0);
	assert_int_equal(s->last.rebuilds_requested, 0);
	cs_mkdir(s, "on", "2-3");
	assert_int_equal(cs_write(s, "on", relax, "1"), 0);
	assert_int_equal(
		g_array_index(s->sys->doms_cur, struct sched_dom, 0).relax_domain_level,
		1);
}

static void a_cpu_goes_off_once_and_not_the_last(void **state)
{
	g_autoptr(cpuset_scene) s = V1("1n1l2c1t");

	assert_int_equal(cs_cpu_up(s, 1), -EINVAL);
	assert_int_equal(cs_cpu_up(s, 2), -EINVAL);
	assert_int_equal(cs_cpu_down(s, 2), -EINVAL);
	assert_int_equal(cs_cpu_down(s, -1), -EINVAL);
	assert_int_equal(cs_cpu_down(s, 1), 0);
	assert_int_equal(cs_cpu_down(s, 1), -EINVAL);
	assert_int_equal(cs_cpu_down(s, 0), -EBUSY);
	assert_int_equal(cs_cpu_up(s, 1), 0);
}

/* A task that runs on CPU 3 alone, in A of CPUs 2 and 3; 3 goes off. */
static void lose_the_only_cpu(cpuset_scene *s, const char *expected)
{
	struct cpuset_task ct = {0};
	struct task *t;

	cs_mkdir(s, "A", "2-3");
	t = run_fork(s->run, 3, 0);
	cpuset_task_init(&ct, t, cs_find(s, "A"));
	assert_int_equal(cpuset_cpu_down_begin(s->sys, 3, NULL), 0);
	sched_resched_all(s->m);
	assert_cpus(&t->cpus_mask, expected);
	cpuset_hotplug_work(s->sys, NULL);
	sched_resched_all(s->m);
	assert_cpus(&t->cpus_mask, "2");
	assert_true(runs_on(s->run, t, 2));
	cpuset_task_exit(&ct);
}

static void until_the_work_is_done_a_task_goes_where_the_mode_says(void **state)
{
	g_autoptr(cpuset_scene) v1 = V1("1n1l4c1t"), v2 = V2("1n1l4c1t");

	lose_the_only_cpu(v1, "0-3");
	lose_the_only_cpu(v2, "2-3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			g16_v2_takes_what_the_parent_has_of_the_mask_or_all_it_has),
		cmocka_unit_test(g17_v1_keeps_children_within_their_parents),
		cmocka_unit_test(g17_v2_lets_children_ask_for_more_than_there_is),
		cmocka_unit_test(g18_the_roots_mask_is_not_to_be_written),
		cmocka_unit_test(g18_tasks_keep_at_least_one_cpu),
		cmocka_unit_test(g18_tasks_further_down_count_too),
		cmocka_unit_test(g18_cpus_that_the_root_has_not_are_refused),
		cmocka_unit_test(g18_v1_siblings_keep_off_the_exclusive),
		cmocka_unit_test(g18_v2_overlap_costs_the_partition),
		cmocka_unit_test(g18_an_empty_v1_cpuset_takes_no_task),
		cmocka_unit_test(g18_a_bound_thread_is_not_moved),
		cmocka_unit_test(g18_relax_levels_lie_within_the_domains),
		cmocka_unit_test(g19_v1_forgets_a_cpu_that_went_off),
		cmocka_unit_test(g19_v1_tasks_leave_a_cpuset_without_cpus),
		cmocka_unit_test(g19_v2_gives_the_cpu_back),
		cmocka_unit_test(g19_a_suspend_leaves_cpusets_alone),
		cmocka_unit_test(
			g19_a_populated_partition_without_cpus_becomes_invalid),
		cmocka_unit_test(writing_the_same_mask_does_nothing),
		cmocka_unit_test(a_write_sets_the_affinity_of_the_tasks_below),
		cmocka_unit_test(a_running_task_leaves_a_cpu_it_lost),
		cmocka_unit_test(bound_threads_of_the_root_keep_their_cpus),
		cmocka_unit_test(affinity_stays_within_the_cpuset),
		cmocka_unit_test(a_request_is_dropped_while_a_cpu_is_on_its_way),
		cmocka_unit_test(partitions_race_with_their_own_cpus),
		cmocka_unit_test(only_balanced_cpusets_with_cpus_shape_domains),
		cmocka_unit_test(a_cpu_goes_off_once_and_not_the_last),
		cmocka_unit_test(
			until_the_work_is_done_a_task_goes_where_the_mode_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
