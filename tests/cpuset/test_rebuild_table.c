/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of policies and operations of the model's notes, section 4: each cell is
 * got by running the operation and reading what was walked and what became of the
 * bandwidth.
 */
#include "test.h"

#include "cpuset_scene.h"

#include <errno.h>
#include <string.h>

#define B10 104857ULL
#define SERVER 52428ULL

/* A has one deadline task and two others, B five, the root three. */
enum { TASKS_OF_A = 3, ALL_TASKS = 11 };

static const char *const policies[] = {"rebuild_v4_15", "rebuild_v5_4", "rebuild_v3",
				       "rebuild_v6_5", "rebuild_v6_15"};

#define NR_POLICIES G_N_ELEMENTS(policies)

static void fill(cpuset_scene *s)
{
	cs_b10(s, "A", 1);
	cs_tasks(s, "A", 2);
	cs_tasks(s, "B", 5);
	cs_tasks(s, "", 3);
}

/* One root domain; the deadline task is in it. */
static cpuset_scene *balanced(const char *policy)
{
	cpuset_scene *s = cpuset_scene_new("1n1l6c1t", CPUSET_V1, policy, "");

	cs_mkdir(s, "A", "0-5");
	cs_mkdir(s, "B", "0-1");
	fill(s);
	return s;
}

/* v1 with two root domains, A 0-3 and B 4-5. */
static cpuset_scene *divided(const char *policy)
{
	cpuset_scene *s = cpuset_scene_new("1n1l6c1t", CPUSET_V1, policy, "");

	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "B", "4-5");
	assert_int_equal(cs_write(s, "", "cpuset.sched_load_balance", "0"), 0);
	fill(s);
	return s;
}

/* v2 with two, A the partition 0-3. */
static cpuset_scene *partitioned(const char *policy)
{
	cpuset_scene *s = cpuset_scene_new("1n1l6c1t", CPUSET_V2, policy, "");

	cs_mkdir(s, "A", "0-3");
	cs_mkdir(s, "B", "");
	assert_int_equal(cs_write(s, "A", "cpuset.cpus.partition", "root"), 0);
	fill(s);
	return s;
}

static cpuset_scene *v2(const char *policy)
{
	cpuset_scene *s = cpuset_scene_new("1n1l6c1t", CPUSET_V2, policy, "");

	cs_mkdir(s, "A", "");
	cs_mkdir(s, "B", "0-1");
	fill(s);
	return s;
}

/* Operations */

static void write_ok(cpuset_scene *s, const char *path, const char *file,
		     const char *text)
{
	assert_int_equal(cs_write(s, path, file, text), 0);
}

static void make_directory(cpuset_scene *s)
{
	struct cpuset *cs;

	op_result_clear(&s->last);
	assert_int_equal(cpuset_mkdir(s->sys->root, "C", &cs, &s->last), 0);
}

static void attach(cpuset_scene *s)
{
	assert_int_equal(cs_attach(s, "B", cs_task(s, "")), 0);
}

static void set_policy(cpuset_scene *s)
{
	const struct sched_attr fifo = {.sched_policy = POLICY_FIFO,
					.sched_priority = 1};

	op_result_clear(&s->last);
	assert_int_equal(cpuset_setattr(cs_task(s, "B"), &fifo, &s->last), 0);
}

static void write_the_same(cpuset_scene *s)
{
	write_ok(s, "B", "cpuset.cpus", "0-1");
}

static void write_unbalanced(cpuset_scene *s)
{
	write_ok(s, "B", "cpuset.sched_load_balance", "0");
	write_ok(s, "B", "cpuset.cpus", "0-2");
}

static void write_b(cpuset_scene *s)
{
	write_ok(s, "B", "cpuset.cpus", "0-2");
}

static void shrink_a(cpuset_scene *s)
{
	write_ok(s, "A", "cpuset.cpus", "0-2");
}

static void balance_off(cpuset_scene *s)
{
	write_ok(s, "B", "cpuset.sched_load_balance", "0");
}

static void end_partition(cpuset_scene *s)
{
	write_ok(s, "A", "cpuset.cpus.partition", "member");
}

static void remove_balanced(cpuset_scene *s)
{
	cs_mkdir(s, "C", "0-1");
	assert_int_equal(cs_rmdir(s, "C"), 0);
}

static void relax_below_the_highest(cpuset_scene *s)
{
	write_ok(s, "B", "cpuset.sched_relax_domain_level", "0");
}

static void relax_above(cpuset_scene *s)
{
	write_ok(s, "B", "cpuset.sched_relax_domain_level", "2");
}

static void change_governor(cpuset_scene *s)
{
	cs_governor_change(s);
}

static void change_topology(cpuset_scene *s)
{
	cs_topology_update(s);
}

static void cpu_off(cpuset_scene *s)
{
	assert_int_equal(cs_cpu_down(s, 5), 0);
}

static void suspend_step(cpuset_scene *s)
{
	op_result_clear(&s->last);
	assert_int_equal(cpuset_suspend_cpu(s->sys, 5, &s->last), 0);
}

/* The last CPU comes back; before it is done, what went is as it was. */
static void resume(cpuset_scene *s)
{
	op_result step;

	assert_int_equal(cpuset_suspend_cpu(s->sys, 5, NULL), 0);
	assert_int_equal(cpuset_resume_cpu(s->sys, 5, &step), 0);
	op_result_clear(&s->last);
	cpuset_hotplug_work(s->sys, &s->last);
	/* From 6.10 on the work is part of the step; it also walked for itself. */
	if (s->sys->policy.hotplug_work_is_sync) {
		assert_int_equal(step.walks, 2);
		op_result_join(&s->last, &step);
		s->last.walks--;
		s->last.tasks_walked -= TASKS_OF_A;
	}
	op_result_clear(&step);
}

static void race(cpuset_scene *s)
{
	assert_int_equal(cpuset_cpu_down_begin(s->sys, 5, NULL), 0);
	write_ok(s, "B", "cpuset.cpus", "0");
}

/* What is walked: '-' nothing, 'A' all tasks, 'D' those of A; and the total: */
static const struct {
	const char *operation;
	cpuset_scene *(*start)(const char *policy);
	void (*run)(cpuset_scene *s);
	unsigned requests;
	const char *walked; /* [NR_POLICIES] */
	const char *total;  /* [NR_POLICIES] 'k' kept or restored, 'l' lost */
} rows[] = {
	{"mkdir", balanced, make_directory, 0, "-----", "kkkkk"},
	{"attach", balanced, attach, 0, "-----", "kkkkk"},
	{"setattr", balanced, set_policy, 0, "-----", "kkkkk"},
	{"same mask", balanced, write_the_same, 0, "-----", "kkkkk"},
	{"v1 not balanced", balanced, write_unbalanced, 0, "-----", "kkkkk"},
	{"v2 member", v2, write_b, 0, "-----", "kkkkk"},
	{"cpus, nothing changes", balanced, write_b, 1, "-AADD", "kkkkk"},
	{"cpus, v1 domains differ", divided, shrink_a, 1, "-AADD", "lkkkk"},
	{"cpus, v2 partition", partitioned, shrink_a, 1, "-AADD", "lkkkk"},
	{"balance off", balanced, balance_off, 1, "-AADD", "kkkkk"},
	{"partition to member", partitioned, end_partition, 1, "-AADD", "lkkkk"},
	{"rmdir", balanced, remove_balanced, 1, "-AADD", "kkkkk"},
	{"relax, another domain", balanced, relax_above, 1, "-A-DD", "lklkk"},
	{"governor", balanced, change_governor, 1, "-A-DD", "kklkk"},
	{"arch topology", balanced, change_topology, 1, "-AADD", "lkkkk"},
	{"hotplug", balanced, cpu_off, 1, "-AADD", "lkkkk"},
	{"suspend CPU off", balanced, suspend_step, 0, "----D", "llllk"},
	{"resume, last CPU", balanced, resume, 1, "-A-DD", "lklkk"},
	/* The notes have no walk for 6.15 either, but since 6.10 nobody can get
	   between. */
	{"raced with hotplug", balanced, race, 1, "----D", "kkkkk"},
};

static uint64_t nr_walked(char walked)
{
	return walked == 'A' ? ALL_TASKS : walked == 'D' ? TASKS_OF_A : 0;
}

static uint64_t total_of(const cpuset_scene *s, char total)
{
	struct cpumask active = cpumask_and(&cpu_rq(s->m, 0)->rd->span, &s->m->active);
	uint64_t servers =
		s->sys->policy.servers ? SERVER * (uint64_t)cpumask_weight(&active) : 0;

	return servers + (total == 'k' ? B10 : 0);
}

static void check_cell(size_t row, size_t policy)
{
	bool is_absent = !strcmp(rows[row].operation, "governor") && !policy;
	g_autoptr(cpuset_scene) s = rows[row].start(policies[policy]);
	char walked = rows[row].walked[policy];

	print_message("%s, %s\n", rows[row].operation, policies[policy]);
	rows[row].run(s);
	assert_int_equal(s->last.rebuilds_requested,
			 is_absent ? 0 : rows[row].requests);
	assert_int_equal(s->last.tasks_walked, nr_walked(walked));
	assert_int_equal(s->last.walks, walked != '-');
	if (strcmp(rows[row].operation, "raced with hotplug"))
		assert_int_equal(total_bw(s, 0), total_of(s, rows[row].total[policy]));
}

static void every_cell_is_as_in_the_notes(void **state)
{
	for (size_t row = 0; row < G_N_ELEMENTS(rows); row++)
		for (size_t policy = 0; policy < NR_POLICIES; policy++)
			check_cell(row, policy);
}

/* A level that another cpuset's is above already. */
static void a_relax_level_below_the_highest_changes_no_domain(void **state)
{
	static const char walked[] = "-A-DD", total[] = "kklkk";

	for (size_t policy = 0; policy < NR_POLICIES; policy++) {
		g_autoptr(cpuset_scene) s =
			cpuset_scene_new("1n1l6c1t", CPUSET_V1, policies[policy], "");

		cs_mkdir(s, "A", "0-5");
		cs_mkdir(s, "B", "0-1");
		write_ok(s, "", "cpuset.sched_relax_domain_level", "2");
		fill(s);
		relax_below_the_highest(s);
		assert_int_equal(s->last.rebuilds_requested, 1);
		assert_int_equal(s->last.domains_built, 0);
		assert_int_equal(s->last.tasks_walked, nr_walked(walked[policy]));
		assert_int_equal(total_bw(s, 0), total_of(s, total[policy]));
	}
}

/* v3 tells a resume from one that finds other CPUs. */
static void with_partitions_v3_walks_after_a_resume(void **state)
{
	g_autoptr(cpuset_scene) s = partitioned("rebuild_v3");

	resume(s);
	assert_int_equal(s->last.tasks_walked, ALL_TASKS);
	assert_int_equal(total_bw(s, 0), B10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_is_as_in_the_notes),
		cmocka_unit_test(a_relax_level_below_the_highest_changes_no_domain),
		cmocka_unit_test(with_partitions_v3_walks_after_a_resume),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
