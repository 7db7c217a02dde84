/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole runs, event by event: forks, wakeups, sleeps, ticks and what each leaves
 * behind on every CPU and task, driven as a simulation drives the scheduler.
 */
#include "model/machine_new.h"
#include "sched/clock.h"
#include "sched/core.h"
#include "sched/fair.h"
#include "sched/task_group.h"
#include "vector_machine.h"

#include <string.h>

#define START_NS NSEC_PER_SEC

/* One recorded event; what its kind lacks is zero. */
struct trace_event {
	const char *kind;
	uint64_t at_ns;
	int cpu;
	int pid;
	int nice;
	enum sched_policy policy;
	uint64_t mask; /* of CPUs */
	int group;     /* index, or -1: the root */
	bool sync;
};

struct run {
	struct machine *m;
	GPtrArray *tasks;  /* of struct task, in order of their forks */
	GPtrArray *groups; /* of struct task_group, parents first */
	int chosen_cpu;    /* of the task this event woke or started, or -1 */
	struct task *subject;
};

static void task_free(void *p)
{
	struct task *t = p;

	g_free(t->policy_state);
	g_free(t);
}

static void run_start(struct run *run, struct machine *m)
{
	run->m = m;
	run->tasks = g_ptr_array_new_with_free_func(task_free);
	run->groups = g_ptr_array_new();
}

/* Groups go when their tasks have gone, the youngest first. */
static void run_end(struct run *run)
{
	struct machine *m = run->m;

	for (int cpu = 0; cpu < m->nr_cpus; cpu++)
		while (cpu_rq(m, cpu)->curr != cpu_rq(m, cpu)->idle)
			sched_exit(m, cpu);
	for (guint i = run->groups->len; i; i--)
		task_group_free(m, g_ptr_array_index(run->groups, i - 1));
	g_ptr_array_free(run->tasks, TRUE);
	g_ptr_array_free(run->groups, TRUE);
	machine_free(m);
}

static struct task *find_task(struct vector_case *c, const struct run *run, int pid)
{
	for (guint i = 0; i < run->tasks->len; i++) {
		struct task *t = g_ptr_array_index(run->tasks, i);

		if (t->pid == pid)
			return t;
	}
	vector_broken(c, "no task %d", pid);
}

static struct task *fork_task(struct run *run, const struct trace_event *ev)
{
	struct task *t = g_new0(struct task, 1);
	struct cpumask cpus = cpumask_none();

	t->pid = ev->pid;
	t->comm = "vector";
	cpus.bits[0] = ev->mask;
	g_ptr_array_add(run->tasks, t);
	if (ev->group >= 0)
		t->sched_task_group = g_ptr_array_index(run->groups, ev->group);
	sched_fork(run->m, t, ev->policy, ev->nice, &cpus, ev->cpu);
	wake_up_new_task(run->m, t, ev->cpu);
	return t;
}

static struct task *wake_task(struct vector_case *c, struct run *run,
			      const struct trace_event *ev)
{
	struct task *t = find_task(c, run, ev->pid);
	const struct rq *rq = cpu_rq(run->m, ev->cpu);

	try_to_wake_up(run->m, t, ev->cpu, ev->sync ? WF_SYNC : 0,
		       rq->curr != rq->idle);
	return t;
}

/* Performs @ev and everything that follows from it at the same instant. */
static void perform(struct vector_case *c, struct run *run,
		    const struct trace_event *ev)
{
	struct machine *m = run->m;

	machine_set_time(m, ev->at_ns);
	run->chosen_cpu = -1;
	run->subject = cpu_rq(m, ev->cpu)->curr;
	if (!strcmp(ev->kind, "fork")) {
		run->subject = fork_task(run, ev);
		run->chosen_cpu = run->subject->cpu;
	} else if (!strcmp(ev->kind, "wake")) {
		run->subject = wake_task(c, run, ev);
		run->chosen_cpu = run->subject->cpu;
	} else if (!strcmp(ev->kind, "block")) {
		sched_block(m, ev->cpu, TASK_INTERRUPTIBLE);
	} else if (!strcmp(ev->kind, "exit")) {
		sched_exit(m, ev->cpu);
	} else if (!strcmp(ev->kind, "yield")) {
		do_sched_yield(m, ev->cpu);
	} else if (!strcmp(ev->kind, "tick")) {
		sched_tick(m, ev->cpu);
	} else if (!strcmp(ev->kind, "nice")) {
		run->subject = find_task(c, run, ev->pid);
		set_user_nice(m, run->subject, ev->nice);
	} else {
		vector_broken(c, "unknown event %s", ev->kind);
	}
	sched_resched_all(m);
}

static int pid_of_curr(const struct rq *rq)
{
	return rq->curr == rq->idle ? -1 : rq->curr->pid;
}

static unsigned nr_live(const struct run *run)
{
	unsigned nr = 0;

	for (guint i = 0; i < run->tasks->len; i++) {
		const struct task *t = g_ptr_array_index(run->tasks, i);

		nr += t->state != TASK_DEAD;
	}
	return nr;
}

/* The events of one CPU's trace. */
static struct trace_event read_cpu_event(struct vector_case *c, json_object *json)
{
	struct trace_event ev = {
		.kind = vector_string_at(c, json, 0),
		.at_ns = vector_u64_at(c, json, 1),
		.mask = 1,
		.group = -1,
	};

	if (!strcmp(ev.kind, "fork") && json_object_array_length(json) == 6) {
		ev.pid = (int)vector_s64_at(c, json, 2);
		ev.nice = (int)vector_s64_at(c, json, 3);
		ev.policy = (enum sched_policy)vector_s64_at(c, json, 4);
		ev.group = (int)vector_s64_at(c, json, 5);
	} else if (!strcmp(ev.kind, "wake") && json_object_array_length(json) == 3) {
		ev.pid = (int)vector_s64_at(c, json, 2);
	} else if (!strcmp(ev.kind, "nice") && json_object_array_length(json) == 4) {
		ev.pid = (int)vector_s64_at(c, json, 2);
		ev.nice = (int)vector_s64_at(c, json, 3);
	} else if (json_object_array_length(json) != 2) {
		vector_broken(c, "unknown event %s", json_object_to_json_string(json));
	}
	return ev;
}

/*
 * The recorded groups had their shares written even where they were the default,
 * and writing what stands already has no effect.
 */
static void write_shares(struct machine *m, struct task_group *tg, uint64_t shares)
{
	if (tg->shares == shares)
		sched_group_set_shares(m, tg, 2 * shares);
	sched_group_set_shares(m, tg, shares);
}

static void create_groups(struct vector_case *c, struct run *run)
{
	json_object *groups = vector_array(c, "groups", SIZE_MAX);

	for (size_t i = 0; i < json_object_array_length(groups); i++) {
		json_object *group = vector_array_at(c, groups, i, 2);
		int64_t parent = vector_s64_at(c, group, 0);
		struct task_group *tg = task_group_new(
			run->m,
			parent < 0 ? NULL : g_ptr_array_index(run->groups, parent));

		g_ptr_array_add(run->groups, tg);
		write_shares(run->m, tg, vector_u64_at(c, group, 1));
	}
}

/* [pid, on_rq, vruntime] of every live task */
static void expect_cpu_tasks(struct vector_case *c, const struct run *run, size_t i,
			     json_object *want)
{
	for (size_t k = 0; k < json_object_array_length(want); k++) {
		json_object *task = vector_array_at(c, want, k, 3);
		int pid = (int)vector_s64_at(c, task, 0);
		const struct task *t = find_task(c, run, pid);

		vector_expect_u64(c, vector_u64_at(c, task, 1), t->se.on_rq,
				  "event %zu: on_rq of %d", i, pid);
		vector_expect_u64(c, vector_u64_at(c, task, 2), t->se.vruntime,
				  "event %zu: vruntime of %d", i, pid);
	}
	vector_expect_u64(c, json_object_array_length(want), nr_live(run),
			  "event %zu: number of tasks", i);
}

/* [load_avg, util_avg, runnable_avg], and of a task [util_est.enqueued, ewma] */
static void expect_averages(struct vector_case *c, size_t i, json_object *want,
			    const struct sched_avg *avg, const char *whose)
{
	vector_expect_u64(c, vector_u64_at(c, want, 0), avg->load_avg,
			  "event %zu: load_avg of %s", i, whose);
	vector_expect_u64(c, vector_u64_at(c, want, 1), avg->util_avg,
			  "event %zu: util_avg of %s", i, whose);
	vector_expect_u64(c, vector_u64_at(c, want, 2), avg->runnable_avg,
			  "event %zu: runnable_avg of %s", i, whose);
	if (json_object_array_length(want) < 5)
		return;
	vector_expect_u64(c, vector_u64_at(c, want, 3), avg->util_est.enqueued,
			  "event %zu: util_est.enqueued of %s", i, whose);
	vector_expect_u64(c, vector_u64_at(c, want, 4), avg->util_est.ewma,
			  "event %zu: util_est.ewma of %s", i, whose);
}

/* [min_vruntime, vruntime of the entity, weight of the entity] of every group */
static void expect_groups(struct vector_case *c, const struct run *run, size_t i,
			  json_object *want)
{
	for (guint k = 0; k < run->groups->len; k++) {
		json_object *group = vector_array_at(c, want, k, 3);
		const struct task_group *tg = g_ptr_array_index(run->groups, k);

		vector_expect_u64(c, vector_u64_at(c, group, 0),
				  tg->cfs_rq[0]->min_vruntime,
				  "event %zu: min_vruntime of group %u", i, k);
		vector_expect_u64(c, vector_u64_at(c, group, 1), tg->se[0]->vruntime,
				  "event %zu: vruntime of group %u", i, k);
		vector_expect_u64(c, vector_u64_at(c, group, 2), tg->se[0]->load.weight,
				  "event %zu: weight of group %u", i, k);
	}
}

static void expect_cpu_state(struct vector_case *c, const struct run *run, size_t i,
			     json_object *want)
{
	const struct rq *rq = cpu_rq(run->m, 0);

	vector_expect_s64(c, vector_s64_at(c, want, 0), pid_of_curr(rq),
			  "event %zu: current", i);
	vector_expect_u64(c, vector_u64_at(c, want, 1), rq->cfs.min_vruntime,
			  "event %zu: min_vruntime", i);
	vector_expect_u64(c, vector_u64_at(c, want, 2), rq->nr_running,
			  "event %zu: nr_running", i);
	expect_cpu_tasks(c, run, i, vector_array_at(c, want, 3, SIZE_MAX));
	expect_averages(c, i, vector_array_at(c, want, 4, 3), &rq->cfs.avg,
			"the queue");
	expect_averages(c, i, vector_array_at(c, want, 5, 5), &run->subject->se.avg,
			"the task");
	expect_groups(c, run, i, vector_array_at(c, want, 6, run->groups->len));
}

/* What differs once differs ever after, so the first wrong event ends a run. */
static void check_cpu_trace(struct vector_case *c)
{
	json_object *events = vector_array(c, "events", SIZE_MAX);
	size_t nr = json_object_array_length(events);
	json_object *expect = vector_array(c, "expect", nr);
	unsigned before = c->file->nr_mismatches;
	struct run run = {0};

	run_start(&run, vector_machine(&(struct vector_setup){
				.topology = "1n1l1c1t",
				.hz = (unsigned)vector_u64(c, "hz"),
				.nr_cpus_tuned = (int)vector_s64(c, "ncpus"),
				.start_ns = START_NS}));
	create_groups(c, &run);
	for (size_t i = 0; i < nr && c->file->nr_mismatches == before; i++) {
		struct trace_event ev =
			read_cpu_event(c, json_object_array_get_idx(events, i));

		perform(c, &run, &ev);
		expect_cpu_state(c, &run, i, vector_array_at(c, expect, i, 7));
	}
	run_end(&run);
}

/* The events of a trace of many CPUs. */
static struct trace_event read_smp_event(struct vector_case *c, json_object *json)
{
	struct trace_event ev = {
		.kind = vector_string_at(c, json, 0),
		.at_ns = vector_u64_at(c, json, 1),
		.cpu = (int)vector_s64_at(c, json, 2),
		.group = -1,
	};

	if (!strcmp(ev.kind, "fork") && json_object_array_length(json) == 7) {
		ev.pid = (int)vector_s64_at(c, json, 3);
		ev.nice = (int)vector_s64_at(c, json, 4);
		ev.policy = (enum sched_policy)vector_s64_at(c, json, 5);
		ev.mask = vector_u64_at(c, json, 6);
	} else if (!strcmp(ev.kind, "wake") && json_object_array_length(json) == 5) {
		ev.pid = (int)vector_s64_at(c, json, 3);
		ev.sync = vector_u64_at(c, json, 4) != 0;
	} else if (json_object_array_length(json) != 3) {
		vector_broken(c, "unknown event %s", json_object_to_json_string(json));
	}
	return ev;
}

/* [min_vruntime, nr_running, load_avg, util_avg, runnable_avg] */
static void expect_rq(struct vector_case *c, size_t i, json_object *want,
		      const struct rq *rq)
{
	const struct cfs_rq *cfs_rq = &rq->cfs;
	const uint64_t got[] = {cfs_rq->min_vruntime, rq->nr_running,
				cfs_rq->avg.load_avg, cfs_rq->avg.util_avg,
				cfs_rq->avg.runnable_avg};
	static const char *const names[] = {"min_vruntime", "nr_running", "load_avg",
					    "util_avg", "runnable_avg"};

	for (size_t k = 0; k < G_N_ELEMENTS(got); k++)
		vector_expect_u64(c, vector_u64_at(c, want, k), got[k],
				  "event %zu: %s of cpu %d", i, names[k], rq->cpu);
}

/* [pid, cpu, on_rq, vruntime, load_avg, util_avg] */
static void expect_task(struct vector_case *c, size_t i, json_object *want,
			const struct run *run)
{
	int pid = (int)vector_s64_at(c, want, 0);
	const struct task *t = find_task(c, run, pid);
	const uint64_t got[] = {(uint64_t)t->cpu, t->se.on_rq, t->se.vruntime,
				t->se.avg.load_avg, t->se.avg.util_avg};
	static const char *const names[] = {"cpu", "on_rq", "vruntime", "load_avg",
					    "util_avg"};

	for (size_t k = 0; k < G_N_ELEMENTS(got); k++)
		vector_expect_u64(c, vector_u64_at(c, want, k + 1), got[k],
				  "event %zu: %s of task %d", i, names[k], pid);
}

static void expect_smp_state(struct vector_case *c, const struct run *run, size_t i,
			     json_object *want)
{
	size_t nr_cpus = (size_t)run->m->nr_cpus;
	json_object *currs = vector_array_at(c, want, 1, nr_cpus);
	json_object *rqs = vector_array_at(c, want, 2, nr_cpus);
	json_object *tasks = vector_array_at(c, want, 3, nr_live(run));

	vector_expect_s64(c, vector_s64_at(c, want, 0), run->chosen_cpu,
			  "event %zu: chosen cpu", i);
	for (size_t cpu = 0; cpu < nr_cpus; cpu++) {
		const struct rq *rq = cpu_rq(run->m, (int)cpu);

		vector_expect_s64(c, vector_s64_at(c, currs, cpu), pid_of_curr(rq),
				  "event %zu: current of cpu %zu", i, cpu);
		expect_rq(c, i, vector_array_at(c, rqs, cpu, 5), rq);
	}
	for (size_t k = 0; k < json_object_array_length(tasks); k++)
		expect_task(c, i, vector_array_at(c, tasks, k, 6), run);
}

static void run_smp_trace(struct vector_case *c, const struct vector_setup *setup)
{
	json_object *events = vector_array(c, "events", SIZE_MAX);
	size_t nr = json_object_array_length(events);
	json_object *expect = vector_array(c, "expect", nr);
	unsigned before = c->file->nr_mismatches;
	struct run run = {0};

	run_start(&run, vector_machine(setup));
	for (size_t i = 0; i < nr && c->file->nr_mismatches == before; i++) {
		struct trace_event ev =
			read_smp_event(c, json_object_array_get_idx(events, i));

		perform(c, &run, &ev);
		expect_smp_state(c, &run, i, vector_array_at(c, expect, i, 4));
	}
	run_end(&run);
}

static void check_smp_wakeup(struct vector_case *c)
{
	struct vector_setup setup = {
		.topology = json_object_get_string(vector_get(c, "topo")),
		.hz = (unsigned)vector_u64(c, "hz"),
		.scans_whole_llc = true,
		.start_ns = START_NS,
	};

	run_smp_trace(c, &setup);
}

static void check_smp_balance(struct vector_case *c)
{
	struct vector_setup setup = {
		.topology = json_object_get_string(vector_get(c, "topo")),
		.hz = (unsigned)vector_u64(c, "hz"),
		.balancing = true,
		.preempt = PREEMPT_FULL,
		.start_ns = START_NS,
	};

	run_smp_trace(c, &setup);
}

static const struct vector_entry entries[] = {
	{"cfs_trace_flat", "hz ncpus groups events expect", NULL, check_cpu_trace},
	{"cfs_trace_groups", "hz ncpus groups events expect", NULL, check_cpu_trace},
	{"smp_trace_wakeup", "topo hz events expect", NULL, check_smp_wakeup},
	{"smp_trace_balance", "topo hz events expect", NULL, check_smp_balance},
	{0},
};

int main(int argc, char **argv)
{
	return vectors_main(argc, argv, entries);
}
