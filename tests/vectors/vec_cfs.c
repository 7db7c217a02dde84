/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of CFS one by one: slices, placement, preemption, min_vruntime.
 */
#include "model/machine_new.h"
#include "sched/cfs.h"
#include "vector_machine.h"

#define LEVELS_MAX 16

/* A task at the bottom of a line of groups, as sched_slice() walks it. */
struct lineage {
	struct task task;
	struct sched_entity group_se[LEVELS_MAX];
	struct cfs_rq group_rq[LEVELS_MAX];
	struct task_group tg[LEVELS_MAX];
};

/* The entity of level @i, from the task upward. */
static struct sched_entity *entity_at(struct lineage *l, size_t i)
{
	return i ? &l->group_se[i] : &l->task.se;
}

/* Level @i lies on the queue of the group at level i + 1, the last on @rq itself. */
static void build_lineage(struct vector_case *c, struct rq *rq, struct lineage *l)
{
	json_object *levels = vector_array(c, "levels", SIZE_MAX);
	size_t nr = json_object_array_length(levels);

	if (!nr || nr > LEVELS_MAX)
		vector_broken(c, "expected 1 to %d levels, got %zu", LEVELS_MAX, nr);
	for (size_t i = 0; i < nr; i++) {
		json_object *level = vector_array_at(c, levels, i, 3);
		struct sched_entity *se = entity_at(l, i);
		struct cfs_rq *cfs_rq = i + 1 == nr ? &rq->cfs : &l->group_rq[i + 1];

		if (i + 1 < nr)
			init_cfs_rq(rq, cfs_rq, &l->tg[i + 1]);
		se->load = (struct load_weight){vector_u64_at(c, level, 0), 0};
		se->on_rq = vector_u64_at(c, level, 1) != 0;
		se->cfs_rq = cfs_rq;
		se->parent = i + 1 < nr ? entity_at(l, i + 1) : NULL;
		se->my_q = i ? &l->group_rq[i] : NULL;
		se->depth = (unsigned)(nr - 1 - i);
		cfs_rq->load = (struct load_weight){vector_u64_at(c, level, 2), 0};
	}
}

static void check_sched_slice(struct vector_case *c)
{
	struct machine *m = vector_cpu((int)vector_s64(c, "ncpus"));
	struct rq *rq = cpu_rq(m, 0);
	g_autofree struct lineage *l = g_new0(struct lineage, 1);
	struct cfs_rq *own;

	vector_task_init(&l->task, m, 1, 0);
	build_lineage(c, rq, l);
	if (vector_bool(c, "se_idle"))
		l->task.policy = POLICY_IDLE;
	l->task.se.load.inv_weight = (uint32_t)vector_u64(c, "task_inv");
	own = l->task.se.cfs_rq;
	own->nr_running = (unsigned)vector_u64(c, "cfs_nr");
	own->idle_nr_running = (unsigned)vector_u64(c, "cfs_idle_nr");
	rq->cfs.h_nr_running = (unsigned)vector_u64(c, "root_h_nr");

	vector_expect_field(c, "slice", sched_slice(own, &l->task.se));
	vector_expect_field(c, "vslice", sched_vslice(own, &l->task.se));
	machine_free(m);
}

static void check_place_entity(struct vector_case *c)
{
	struct machine *m = vector_cpu((int)vector_s64(c, "ncpus"));
	struct rq *rq = cpu_rq(m, 0);
	struct task t;

	vector_task_init(&t, m, 1, 0);
	if (vector_bool(c, "se_idle"))
		t.policy = POLICY_IDLE;
	t.se.vruntime = vector_u64(c, "se_vruntime");
	t.se.load.weight = vector_u64(c, "se_weight");
	t.se.load.inv_weight = (uint32_t)vector_u64(c, "se_inv");
	t.se.exec_start = vector_u64(c, "exec_start");
	rq->clock_task = vector_u64(c, "clock_task");
	rq->cfs.load = (struct load_weight){vector_u64(c, "cfs_weight"), 0};
	rq->cfs.min_vruntime = vector_u64(c, "min_vruntime");
	rq->cfs.h_nr_running = (unsigned)vector_u64(c, "h_nr");
	rq->cfs.nr_running = (unsigned)vector_u64(c, "cfs_nr");
	rq->cfs.idle_nr_running = (unsigned)vector_u64(c, "cfs_idle_nr");

	place_entity(&rq->cfs, &t.se, vector_bool(c, "initial"));
	vector_expect_field(c, "vruntime", t.se.vruntime);
	machine_free(m);
}

static void check_wakeup_preempt(struct vector_case *c)
{
	struct machine *m = vector_cpu(1);
	struct task curr, wakee;

	vector_task_init(&curr, m, 1, 0);
	vector_task_init(&wakee, m, 2, 0);
	m->tunables.wakeup_granularity_ns = vector_u64(c, "sysctl_gran");
	curr.se.vruntime = vector_u64(c, "curr_vruntime");
	wakee.se.vruntime = vector_u64(c, "se_vruntime");
	wakee.se.load.weight = vector_u64(c, "se_weight");
	wakee.se.load.inv_weight = (uint32_t)vector_u64(c, "se_inv");

	vector_expect_field(c, "gran", wakeup_gran(m, &wakee.se));
	vector_expect_s64(c, vector_s64(c, "result"),
			  wakeup_preempt_entity(m, &curr.se, &wakee.se), "result");
	machine_free(m);
}

static void check_min_vruntime(struct vector_case *c)
{
	enum { NO_CURR, CURR_ON_RQ, CURR_OFF_RQ };
	struct machine *m = vector_cpu(1);
	struct cfs_rq *cfs_rq = &cpu_rq(m, 0)->cfs;
	uint64_t has_curr = vector_u64(c, "curr");
	struct task curr, left;

	vector_task_init(&curr, m, 1, 0);
	vector_task_init(&left, m, 2, 0);
	curr.se.vruntime = vector_u64(c, "curr_vruntime");
	curr.se.on_rq = has_curr == CURR_ON_RQ;
	cfs_rq->curr = has_curr == NO_CURR ? NULL : &curr.se;
	cfs_rq->min_vruntime = vector_u64(c, "min_in");
	if (vector_bool(c, "has_left")) {
		left.se.vruntime = vector_u64(c, "left_vruntime");
		left.se.on_rq = true;
		fair_ops_of(cfs_rq)->tree_insert(cfs_rq, &left.se);
	}

	cfs_update_min_vruntime(cfs_rq);
	vector_expect_field(c, "min_out", cfs_rq->min_vruntime);
	machine_free(m);
}

static const struct vector_entry entries[] = {
	{"sched_slice",
	 "ncpus root_h_nr cfs_nr cfs_idle_nr se_idle task_inv levels slice vslice",
	 NULL, check_sched_slice},
	{"place_entity",
	 "ncpus initial se_idle min_vruntime se_vruntime se_weight se_inv cfs_weight "
	 "h_nr cfs_nr cfs_idle_nr exec_start clock_task vruntime",
	 NULL, check_place_entity},
	{"wakeup_preempt",
	 "curr_vruntime se_vruntime se_weight se_inv sysctl_gran gran result", NULL,
	 check_wakeup_preempt},
	{"min_vruntime", "min_in curr curr_vruntime has_left left_vruntime min_out",
	 NULL, check_min_vruntime},
	{0},
};

int main(int argc, char **argv)
{
	return vectors_main(argc, argv, entries);
}
