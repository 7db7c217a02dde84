/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a task wakes: who wakes whom, wide or affine, which of two CPUs, and
 * the whole choice on snapshots of machines.
 */
#include "model/machine_new.h"
#include "sched/fair_load.h"
#include "sched/select.h"
#include "vector_machine.h"

#include <string.h>

#define START_NS NSEC_PER_SEC
#define WAKEES_MAX 64

static void check_record_wakee(struct vector_case *c)
{
	json_object *steps = vector_array(c, "steps", SIZE_MAX);
	size_t nr = json_object_array_length(steps);
	json_object *expect = vector_array(c, "expect", nr);
	struct machine *m = vector_cpu(1);
	g_autofree struct task *wakees = g_new0(struct task, WAKEES_MAX);
	struct task waker;

	m->hz = (unsigned)vector_u64(c, "hz");
	vector_task_init(&waker, m, 1, 0);
	for (size_t i = 0; i < nr; i++) {
		json_object *step = vector_array_at(c, steps, i, 2);
		json_object *want = vector_array_at(c, expect, i, 2);
		uint64_t wakee = vector_u64_at(c, step, 1);

		if (wakee >= WAKEES_MAX)
			vector_broken(c, "expected fewer wakees");
		m->jiffies = vector_u64_at(c, step, 0);
		record_wakee(m, &waker, &wakees[wakee]);
		vector_expect_u64(c, vector_u64_at(c, want, 0), waker.wakee_flips,
				  "step %zu: wakee_flips", i);
		vector_expect_u64(c, vector_u64_at(c, want, 1),
				  waker.wakee_flip_decay_ts,
				  "step %zu: wakee_flip_decay_ts", i);
	}
	machine_free(m);
}

static void check_wake_wide(struct vector_case *c)
{
	vector_expect_field(c, "wide",
			    wake_wide((unsigned)vector_u64(c, "waker_flips"),
				      (unsigned)vector_u64(c, "wakee_flips"),
				      (unsigned)vector_u64(c, "llc_size")));
}

/* CPU 0 wakes a task that last ran on CPU 1. */
struct affine_scene {
	struct machine *m;
	struct task waker, wakee, other;
	struct sched_domain sd;
	struct wakeup w;
};

static void set_affine_cpu(struct vector_case *c, struct rq *rq, struct task *busy_with,
			   const char *idle, const char *load, const char *capacity)
{
	bool is_idle = vector_bool(c, idle);

	rq->curr = is_idle ? rq->idle : busy_with;
	rq->nr_running = is_idle ? 0 : 1;
	rq->cfs.avg.load_avg = vector_u64(c, load);
	rq->cpu_capacity = vector_u64(c, capacity);
	rq->cfs.last_h_load_update = rq->m->jiffies - 1;
}

static struct affine_scene *affine_scene_new(struct vector_case *c)
{
	struct affine_scene *s = g_new0(struct affine_scene, 1);
	bool shared = vector_bool(c, "share_cache");
	struct rq *this_rq;

	s->m = vector_machine(
		&(struct vector_setup){.topology = shared ? "1n1l2c1t" : "1n2l1c1t"});
	this_rq = cpu_rq(s->m, 0);
	vector_task_init(&s->waker, s->m, 1, 0);
	vector_task_init(&s->wakee, s->m, 2, 1);
	vector_task_init(&s->other, s->m, 3, 1);
	s->waker.se.avg.load_avg = vector_u64(c, "curr_load_avg");
	s->wakee.se.avg.load_avg = vector_u64(c, "task_load_avg");
	set_affine_cpu(c, this_rq, &s->waker, "this_idle", "this_load", "this_cap");
	set_affine_cpu(c, cpu_rq(s->m, 1), &s->other, "prev_idle", "prev_load",
		       "prev_cap");
	this_rq->nr_running = (unsigned)vector_u64(c, "this_nr");
	s->sd = *this_rq->sd;
	s->sd.imbalance_pct = (unsigned)vector_u64(c, "imbalance_pct");
	s->w = (struct wakeup){
		.m = s->m,
		.p = &s->wakee,
		.curr = &s->waker,
		.this_cpu = 0,
		.prev_cpu = 1,
		.wake_flags = WF_TTWU | (vector_bool(c, "sync") ? WF_SYNC : 0),
		.sync = vector_bool(c, "sync"),
		.in_task = true,
		.affine_sd = &s->sd,
		.cpu = CPU_NONE,
		.affine_cpu = CPU_NONE,
		.params = s->m->policy_params,
	};
	return s;
}

static void check_wake_affine(struct vector_case *c)
{
	g_autofree struct affine_scene *s = affine_scene_new(c);

	vector_expect_field(c, "curr_h_load", task_h_load(s->m, &s->waker));
	vector_expect_field(c, "task_h_load", task_h_load(s->m, &s->wakee));
	vector_expect_s64(c, vector_s64(c, "idle_result"),
			  baseline_wake_affine_idle(&s->w).cpu, "idle_result");
	vector_expect_s64(c, vector_s64(c, "weight_result"),
			  baseline_wake_affine_weight(&s->w).cpu, "weight_result");
	vector_expect_s64(c, vector_s64(c, "target"), wake_affine(&s->w, &s->sd),
			  "target");
	machine_free(s->m);
}

/* A whole choice: the machine's snapshot, who wakes and who is woken. */
struct choice {
	struct machine *m;
	struct task running[CPUS_MAX], waker, task;
	struct task *curr;
	int this_cpu, prev_cpu;
	unsigned wake_flags;
};

static void read_task(struct vector_case *c, struct choice *s)
{
	json_object *figures = vector_array(c, "task", 8);
	uint64_t mask = vector_u64_at(c, figures, 5);
	struct task *t = &s->task;

	s->prev_cpu = (int)vector_s64_at(c, figures, 0);
	vector_task_init(t, s->m, 1, s->prev_cpu);
	t->se.avg.load_avg = vector_u64_at(c, figures, 1);
	t->se.avg.util_avg = vector_u64_at(c, figures, 2);
	t->se.avg.runnable_avg = vector_u64_at(c, figures, 3);
	t->se.avg.util_est.ewma = (uint32_t)vector_u64_at(c, figures, 4);
	t->cpus_mask = cpumask_none();
	t->cpus_mask.bits[0] = mask;
	t->nr_cpus_allowed = cpumask_weight(&t->cpus_mask);
	t->recent_used_cpu = (int)vector_s64_at(c, figures, 6);
	t->wakee_flips = (unsigned)vector_u64_at(c, figures, 7);
}

static void read_kind(struct vector_case *c, struct choice *s)
{
	const char *kind = json_object_get_string(vector_get(c, "kind"));
	struct task *t = &s->task;

	if (!strcmp(kind, "wake")) {
		s->wake_flags = WF_TTWU | (vector_bool(c, "sync") ? WF_SYNC : 0);
		t->se.avg.last_update_time = START_NS;
	} else if (!strcmp(kind, "fork")) {
		s->wake_flags = WF_FORK;
		t->state = TASK_NEW;
	} else if (!strcmp(kind, "exec")) {
		s->wake_flags = WF_EXEC;
		t->se.avg.last_update_time = START_NS;
		t->state = TASK_RUNNING;
		t->on_rq = TASK_ON_RQ_QUEUED;
		t->se.on_rq = true;
		t->on_cpu = true;
	} else {
		vector_broken(c, "unknown kind %s", kind);
	}
}

/* The idle task of an interrupted idle CPU counts as the waker. */
static void set_waker(struct vector_case *c, struct choice *s)
{
	json_object *figures = vector_array(c, "waker", 6);
	struct rq *rq = cpu_rq(s->m, s->this_cpu);
	struct task *waker;

	if ((rq->curr == rq->idle) != (vector_u64_at(c, figures, 1) != 0))
		vector_broken(c, "the waker is not what its CPU runs");
	waker = rq->curr;
	if (waker != &s->task)
		waker->wakee_flips = (unsigned)vector_u64_at(c, figures, 3);
	waker->se.avg.load_avg = vector_u64_at(c, figures, 2);
	waker->wakee_flip_decay_ts = s->m->jiffies;
	waker->last_wakee = vector_u64_at(c, figures, 4) ? &s->task : NULL;
	waker->per_cpu_kthread = vector_u64_at(c, figures, 5) != 0;
	s->curr = waker;
}

static struct choice *choice_new(struct vector_case *c)
{
	struct choice *s = g_new0(struct choice, 1);
	const char *topo = json_object_get_string(vector_get(c, "topo"));

	s->m = vector_machine(
		&(struct vector_setup){.topology = topo, .start_ns = START_NS});
	vector_check_topology(c, s->m, topo);
	s->this_cpu = (int)vector_s64_at(c, vector_array(c, "waker", 6), 0);
	read_task(c, s);
	read_kind(c, s);
	vector_task_init(&s->waker, s->m, 2, s->this_cpu);
	vector_set_cpus(c, s->m, s->running, &s->waker, &s->task);
	vector_set_llcs(c, s->m);
	set_waker(c, s);
	return s;
}

static void check_idle_cores(struct vector_case *c, const struct machine *m)
{
	json_object *llcs = vector_get(c, "idle_cores_after");

	json_object_object_foreach(llcs, key, want)
	{
		int cpu = (int)g_ascii_strtoll(key, NULL, 10);

		vector_expect_u64(c, vector_u64_of(c, want),
				  cpu_rq(m, cpu)->sd_llc_shared->has_idle_cores,
				  "idle_cores_after of %d", cpu);
	}
}

static void check_select_task_rq(struct vector_case *c)
{
	g_autofree struct choice *s = choice_new(c);
	json_object *expect = vector_array(c, "expect", 3);
	int cpu = select_task_rq_fair(s->m, &s->task, s->prev_cpu, s->this_cpu,
				      s->wake_flags, true);

	vector_expect_s64(c, vector_s64_at(c, expect, 0), cpu, "cpu");
	vector_expect_s64(c, vector_s64_at(c, expect, 1), s->task.recent_used_cpu,
			  "recent_used_cpu");
	vector_expect_u64(c, vector_u64_at(c, expect, 2), s->curr->wakee_flips,
			  "wakee_flips");
	check_idle_cores(c, s->m);
	machine_free(s->m);
}

static const struct vector_entry entries[] = {
	{"record_wakee", "hz steps expect", NULL, check_record_wakee},
	{"wake_wide", "waker_flips wakee_flips llc_size wide", NULL, check_wake_wide},
	{"wake_affine",
	 "this_idle prev_idle share_cache sync this_nr this_load prev_load "
	 "curr_load_avg task_load_avg this_cap prev_cap imbalance_pct curr_h_load "
	 "task_h_load idle_result weight_result target",
	 NULL, check_wake_affine},
	{"select_task_rq",
	 "topo kind sync cpus llc_shared task waker expect idle_cores_after", NULL,
	 check_select_task_rq},
	{0},
};

int main(int argc, char **argv)
{
	return vectors_main(argc, argv, entries);
}
