/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules of what a task keeps: its average run between sleeps, and its place on the
 * time line when it wakes.
 */
#include "replay.h"
#include "sched/cfs.h"
#include "sched/core.h"
#include "sched/load_weight.h"

#include <string.h>

/* What is known of a task from its records so far. */
struct memory {
	bool slept;            /* or is new: the next two fields say how it was then */
	uint64_t slept_sum_ns; /* CPU time it had used */
	uint64_t vruntime;
	bool moved; /* to another CPU since then */

	bool has_expectation;
	uint64_t dur_avg_ns; /* as the next record is to have it */
};

static struct memory *memory_of(struct replay *r, int pid)
{
	struct memory *mem = g_hash_table_lookup(r->tasks, GINT_TO_POINTER(pid));

	if (!mem) {
		mem = g_new0(struct memory, 1);
		g_hash_table_insert(r->tasks, GINT_TO_POINTER(pid), mem);
	}
	return mem;
}

/* A task with this past sleeps on CPU 0; @mem keeps what that made of it. */
static void make_sleep(struct machine *m, const struct change *c, struct memory *mem)
{
	struct cpumask cpus = cpumask_of(0);
	struct task t = {.pid = c->pid, .comm = "recorded"};

	sched_fork(m, &t, POLICY_NORMAL, 0, &cpus, 0);
	wake_up_new_task(m, &t, 0);
	sched_resched_all(m);
	t.se.dur_avg = c->dur_avg_ns;
	t.se.prev_sleep_sum_runtime = mem->slept_sum_ns;
	t.se.sum_exec_runtime = c->sum_exec_ns;
	sched_block(m, 0, TASK_INTERRUPTIBLE);
	mem->dur_avg_ns = t.se.dur_avg;
	mem->slept_sum_ns = t.se.prev_sleep_sum_runtime;
}

static void replay_dur_avg(void *data, const struct change *c)
{
	struct replay *r = data;
	struct memory *mem = memory_of(r, c->pid);

	if (mem->has_expectation)
		replay_expect_u64(r, c, c->dur_avg_ns, mem->dur_avg_ns);
	mem->has_expectation = false;
	if (!strcmp(c->what, "enq") && !c->sum_exec_ns)
		mem->slept = true;
	if (strcmp(c->what, "deqS"))
		return;
	make_sleep(r->m, c, mem);
	mem->has_expectation = mem->slept;
	r->nr_apart += !mem->slept;
	mem->slept = true;
}

/* SCHED_IDLE is told by its weight. */
static enum sched_policy policy_of_weight(uint64_t weight)
{
	return weight == task_load_weight(POLICY_IDLE, 0).weight ? POLICY_IDLE
								 : POLICY_NORMAL;
}

static uint64_t vruntime_after_wakeup(struct machine *m, const struct change *c,
				      uint64_t vruntime)
{
	struct rq *rq = cpu_rq(m, 0);
	struct task t = {.pid = c->pid, .policy = policy_of_weight(c->weight)};

	t.se.cfs_rq = &rq->cfs;
	t.se.load.weight = c->weight;
	t.se.vruntime = vruntime;
	t.se.exec_start = c->now_ns;
	rq->clock_task = c->now_ns;
	rq->cfs.min_vruntime = c->min_vruntime;
	place_entity(&rq->cfs, &t.se, false);
	return t.se.vruntime;
}

/*
 * Set apart: a task's first wakeup, a move, and a task that was charged for more
 * after the record of its sleep (while its CPU looked for work elsewhere).
 */
static void replay_place_entity(void *data, const struct change *c)
{
	struct replay *r = data;
	struct memory *mem = memory_of(r, c->pid);

	if (!strcmp(c->what, "deqS")) {
		mem->slept = true;
		mem->moved = false;
		mem->slept_sum_ns = c->sum_exec_ns;
		mem->vruntime = c->vruntime;
	}
	if (strcmp(c->what, "enqW"))
		return;
	if (mem->slept && !mem->moved && c->sum_exec_ns == mem->slept_sum_ns)
		replay_expect_u64(r, c, c->vruntime,
				  vruntime_after_wakeup(r->m, c, mem->vruntime));
	else
		r->nr_apart++;
	mem->slept = false;
}

static void note_move(void *data, int pid)
{
	memory_of(data, pid)->moved = true;
}

const struct rule task_rules[] = {
	{"dur_avg", 999, {.change = replay_dur_avg}},
	{"place_entity", 980, {.change = replay_place_entity, .migration = note_move}},
	{.name = NULL},
};
