/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load tracking: decay, sums and averages, attaching and detaching, groups,
 * estimates, and the clock it runs on.
 */
#include "model/machine_new.h"
#include "sched/clock.h"
#include "sched/fair.h"
#include "sched/pelt.h"
#include "vector_machine.h"

#include <string.h>

static void check_decay_load(struct vector_case *c)
{
	vector_expect_field(c, "out",
			    decay_load(vector_u64(c, "val"), vector_u64(c, "n")));
}

/* What a sequence's steps act on; only the part of its kind is used. */
struct subject {
	struct machine *m;
	struct task task;
	struct cfs_rq group; /* makes the task's entity a group's */
	struct sched_avg *avg;
};

typedef unsigned (*pelt_step)(struct vector_case *c, struct subject *s,
			      json_object *step);

static unsigned step_se(struct vector_case *c, struct subject *s, json_object *step)
{
	struct sched_entity *se = &s->task.se;
	uint64_t on_rq = vector_u64_at(c, step, 1);
	uint64_t runnable = vector_u64_at(c, step, 2);

	se->on_rq = on_rq != 0;
	se->my_q = runnable == on_rq ? NULL : &s->group;
	se->runnable_weight = runnable;
	se->cfs_rq->curr = vector_u64_at(c, step, 3) ? se : NULL;
	return pelt_update_se(vector_u64_at(c, step, 0), se->cfs_rq, se);
}

static unsigned step_blocked_se(struct vector_case *c, struct subject *s,
				json_object *step)
{
	return pelt_update_blocked_se(vector_u64_at(c, step, 0), &s->task.se);
}

static unsigned step_cfs_rq(struct vector_case *c, struct subject *s, json_object *step)
{
	struct cfs_rq *cfs_rq = &cpu_rq(s->m, 0)->cfs;

	cfs_rq->load = (struct load_weight){vector_u64_at(c, step, 1), 0};
	cfs_rq->h_nr_running = (unsigned)vector_u64_at(c, step, 2);
	cfs_rq->curr = vector_u64_at(c, step, 3) ? &s->task.se : NULL;
	return pelt_update_cfs_rq(vector_u64_at(c, step, 0), cfs_rq);
}

static unsigned step_rt(struct vector_case *c, struct subject *s, json_object *step)
{
	return pelt_update_class(vector_u64_at(c, step, 0), s->avg,
				 vector_u64_at(c, step, 1) != 0);
}

static unsigned step_irq(struct vector_case *c, struct subject *s, json_object *step)
{
	struct rq *rq = cpu_rq(s->m, 0);

	rq->clock = vector_u64_at(c, step, 0);
	rq->freq_scale = (unsigned)vector_u64_at(c, step, 2);
	rq->cpu_scale = (unsigned)vector_u64_at(c, step, 3);
	return pelt_update_irq(rq, vector_u64_at(c, step, 1));
}

static const struct {
	const char *kind;
	pelt_step step;
} pelt_kinds[] = {
	{"se", step_se},         {"blocked_se", step_blocked_se},
	{"cfs_rq", step_cfs_rq}, {"rt", step_rt},
	{"irq", step_irq},
};

static pelt_step find_kind(struct vector_case *c, struct subject *s)
{
	const char *kind = json_object_get_string(vector_get(c, "kind"));
	struct rq *rq = cpu_rq(s->m, 0);
	struct sched_avg *avgs[] = {&s->task.se.avg, &s->task.se.avg, &rq->cfs.avg,
				    &rq->avg_rt, &rq->avg_irq};

	for (size_t i = 0; i < G_N_ELEMENTS(pelt_kinds); i++)
		if (!strcmp(kind, pelt_kinds[i].kind)) {
			s->avg = avgs[i];
			return pelt_kinds[i].step;
		}
	vector_broken(c, "unknown kind %s", kind);
}

static void check_pelt_sequences(struct vector_case *c)
{
	json_object *steps = vector_array(c, "steps", SIZE_MAX);
	size_t nr = json_object_array_length(steps);
	json_object *expect = vector_array(c, "expect", nr);
	g_autofree struct subject *s = g_new0(struct subject, 1);
	pelt_step step;

	s->m = vector_cpu(1);
	vector_task_init(&s->task, s->m, 1, 0);
	s->task.se.load = (struct load_weight){vector_u64(c, "load_weight"), 0};
	step = find_kind(c, s);
	vector_read_avg(c, vector_array(c, "init", 8), s->avg);
	for (size_t i = 0; i < nr; i++) {
		json_object *want = vector_array_at(c, expect, i, 2);
		g_autofree char *name = g_strdup_printf("step %zu", i);

		vector_expect_u64(c, vector_u64_at(c, want, 0),
				  step(c, s, json_object_array_get_idx(steps, i)),
				  "%s: returned", name);
		vector_expect_avg(c, vector_array_at(c, want, 1, 8), s->avg, name);
	}
	machine_free(s->m);
}

static void remove_load(struct vector_case *c, struct cfs_rq *cfs_rq)
{
	json_object *arg = vector_array(c, "arg", 3);

	cfs_rq->removed = (struct cfs_removed){
		.nr = 1,
		.load_avg = vector_u64_at(c, arg, 0),
		.util_avg = vector_u64_at(c, arg, 1),
		.runnable_avg = vector_u64_at(c, arg, 2),
	};
	vector_expect_field(c, "ret",
			    update_cfs_rq_load_avg(vector_u64(c, "now"), cfs_rq));
}

static void move_load(struct vector_case *c, struct cfs_rq *cfs_rq,
		      struct sched_entity *se)
{
	const char *op = json_object_get_string(vector_get(c, "op"));

	if (!strcmp(op, "attach"))
		attach_entity_load_avg(cfs_rq, se);
	else if (!strcmp(op, "detach"))
		detach_entity_load_avg(cfs_rq, se);
	else if (!strcmp(op, "reweight"))
		reweight_entity(cfs_rq, se, vector_u64(c, "arg"));
	else if (!strcmp(op, "removed"))
		remove_load(c, cfs_rq);
	else
		vector_broken(c, "unknown op %s", op);
}

static void check_pelt_attach_detach(struct vector_case *c)
{
	struct machine *m = vector_cpu(1);
	struct cfs_rq *cfs_rq = &cpu_rq(m, 0)->cfs;
	json_object *prop = vector_array(c, "prop", 2);
	struct task t;

	vector_task_init(&t, m, 1, 0);
	t.se.load = (struct load_weight){vector_u64(c, "se_weight_scaled"), 0};
	vector_read_avg(c, vector_array(c, "cfs_before", 8), &cfs_rq->avg);
	vector_read_avg(c, vector_array(c, "se_before", 8), &t.se.avg);

	move_load(c, cfs_rq, &t.se);
	vector_expect_avg(c, vector_array(c, "cfs_after", 8), &cfs_rq->avg,
			  "cfs_after");
	vector_expect_avg(c, vector_array(c, "se_after", 8), &t.se.avg, "se_after");
	vector_expect_u64(c, vector_u64_at(c, prop, 0), cfs_rq->propagate,
			  "prop: propagate");
	vector_expect_s64(c, vector_s64_at(c, prop, 1), cfs_rq->prop_runnable_sum,
			  "prop: prop_runnable_sum");
	machine_free(m);
}

static void check_post_init_util(struct vector_case *c)
{
	struct machine *m = vector_cpu(1);
	struct rq *rq = cpu_rq(m, 0);
	struct task t;

	vector_task_init(&t, m, 1, 0);
	rq->cpu_scale = (unsigned)vector_u64(c, "cpu_scale");
	rq->cfs.avg.util_avg = vector_u64(c, "cfs_util");
	rq->cfs.avg.load_avg = vector_u64(c, "cfs_load");
	t.se.load = (struct load_weight){vector_u64(c, "se_weight"), 0};

	post_init_entity_util_avg(&t);
	vector_expect_field(c, "util_avg", t.se.avg.util_avg);
	vector_expect_u64(c, vector_u64(c, "util_avg"), t.se.avg.runnable_avg,
			  "runnable_avg");
	machine_free(m);
}

static void check_util_est(struct vector_case *c)
{
	struct machine *m = vector_cpu(1);
	struct rq *rq = cpu_rq(m, 0);
	struct task t;

	vector_task_init(&t, m, 1, 0);
	rq->cpu_capacity_orig = vector_u64(c, "cap_orig");
	t.se.avg.util_avg = vector_u64(c, "util_avg");
	t.se.avg.util_est.enqueued = (uint32_t)vector_u64(c, "enq_in");
	t.se.avg.util_est.ewma = (uint32_t)vector_u64(c, "ewma_in");

	util_est_update(rq, &t, vector_bool(c, "task_sleep"));
	vector_expect_field(c, "enq_out", t.se.avg.util_est.enqueued);
	vector_expect_field(c, "ewma_out", t.se.avg.util_est.ewma);
	vector_expect_field(c, "est", task_util_est_raw(&t));
	machine_free(m);
}

/* A queue whose current task is @t, or its idle task, moves on by @delta_ns. */
static void run_clock(struct rq *rq, struct task *curr, uint64_t delta_ns)
{
	rq->curr = curr;
	rq->m->now_ns += delta_ns;
	update_rq_clock(rq);
}

/* @util_sum is that of all classes together. */
static void go_idle(struct rq *rq, uint32_t util_sum)
{
	uint32_t rt = util_sum / 4, dl = util_sum / 3;

	rq->avg_rt.util_sum = rt;
	rq->avg_dl.util_sum = dl;
	rq->cfs.avg.util_sum = util_sum - rt - dl;
	update_idle_rq_clock_pelt(rq);
}

static void clock_step(struct vector_case *c, struct rq *rq, struct task *t,
		       json_object *step)
{
	uint64_t delta_ns = vector_u64_at(c, step, 1);

	rq->cpu_scale = (unsigned)vector_u64_at(c, step, 2);
	rq->freq_scale = (unsigned)vector_u64_at(c, step, 3);
	switch (vector_u64_at(c, step, 0)) {
	case 0:
		run_clock(rq, t, delta_ns);
		break;
	case 1:
		run_clock(rq, rq->idle, delta_ns);
		break;
	case 2:
		go_idle(rq, (uint32_t)vector_u64_at(c, step, 4));
		break;
	default:
		vector_broken(c, "unknown step");
	}
}

static void check_clock_pelt(struct vector_case *c)
{
	struct machine *m = vector_cpu(1);
	struct rq *rq = cpu_rq(m, 0);
	json_object *steps = vector_array(c, "steps", SIZE_MAX);
	size_t nr = json_object_array_length(steps);
	json_object *expect = vector_array(c, "expect", nr);
	struct task t;

	vector_task_init(&t, m, 1, 0);
	for (size_t i = 0; i < nr; i++) {
		json_object *want = vector_array_at(c, expect, i, 4);

		clock_step(c, rq, &t, vector_array_at(c, steps, i, 5));
		vector_expect_u64(c, vector_u64_at(c, want, 0), rq->clock_task,
				  "step %zu: clock_task", i);
		vector_expect_u64(c, vector_u64_at(c, want, 1), rq->clock_pelt,
				  "step %zu: clock_pelt", i);
		vector_expect_u64(c, vector_u64_at(c, want, 2), rq->lost_idle_time,
				  "step %zu: lost_idle_time", i);
		vector_expect_u64(c, vector_u64_at(c, want, 3), rq_clock_pelt(rq),
				  "step %zu: rq_clock_pelt", i);
	}
	machine_free(m);
}

/* A group with one queue, whose entity lies on the root's. */
struct group {
	struct task_group tg;
	struct sched_entity se, *se_of_cpu;
	struct cfs_rq gcfs, *gcfs_of_cpu;
};

static struct group *group_new(struct vector_case *c, struct rq *rq)
{
	struct group *g = g_new0(struct group, 1);

	g->se_of_cpu = &g->se;
	g->gcfs_of_cpu = &g->gcfs;
	g->tg = (struct task_group){
		.shares = vector_u64(c, "tg_shares"),
		.load_avg = vector_u64(c, "tg_load_avg"),
		.parent = &rq->m->root_tg,
		.se = &g->se_of_cpu,
		.cfs_rq = &g->gcfs_of_cpu,
	};
	init_cfs_rq(rq, &g->gcfs, &g->tg);
	g->gcfs.load = (struct load_weight){vector_u64(c, "gcfs_load_weight"), 0};
	g->gcfs.tg_load_avg_contrib = vector_u64(c, "contrib");
	g->gcfs.propagate = true;
	g->gcfs.prop_runnable_sum = vector_s64(c, "prop_runnable_sum");
	vector_read_avg(c, vector_array(c, "gcfs", 8), &g->gcfs.avg);

	g->se.my_q = &g->gcfs;
	g->se.cfs_rq = &rq->cfs;
	g->se.load = (struct load_weight){vector_u64(c, "se_weight_scaled"), 0};
	vector_read_avg(c, vector_array(c, "se_before", 8), &g->se.avg);
	return g;
}

static void check_group_propagate(struct vector_case *c)
{
	struct machine *m = vector_cpu(1);
	struct cfs_rq *parent = &cpu_rq(m, 0)->cfs;
	g_autofree struct group *g = group_new(c, cpu_rq(m, 0));
	json_object *prop = vector_array(c, "prop_after", 2);
	json_object *tg = vector_array(c, "tg_after", 2);

	vector_read_avg(c, vector_array(c, "cfs_before", 8), &parent->avg);
	vector_expect_field(c, "shares", calc_group_shares(&g->gcfs));

	propagate_entity_load_avg(&g->se);
	vector_expect_avg(c, vector_array(c, "cfs_after", 8), &parent->avg,
			  "cfs_after");
	vector_expect_avg(c, vector_array(c, "se_after", 8), &g->se.avg, "se_after");
	vector_expect_u64(c, vector_u64_at(c, prop, 0), parent->propagate,
			  "prop_after: propagate");
	vector_expect_s64(c, vector_s64_at(c, prop, 1), parent->prop_runnable_sum,
			  "prop_after: prop_runnable_sum");

	update_tg_load_avg(&g->gcfs);
	vector_expect_u64(c, vector_u64_at(c, tg, 0), g->tg.load_avg,
			  "tg_after: load_avg");
	vector_expect_u64(c, vector_u64_at(c, tg, 1), g->gcfs.tg_load_avg_contrib,
			  "tg_after: contrib");
	machine_free(m);
}

static const struct vector_entry entries[] = {
	{"decay_load", "val n out", NULL, check_decay_load},
	{"pelt_sequences", "kind load_weight init steps expect", NULL,
	 check_pelt_sequences},
	{"pelt_attach_detach",
	 "op se_weight_scaled cfs_before se_before cfs_after se_after prop",
	 "arg now ret", check_pelt_attach_detach},
	{"post_init_util", "cpu_scale cfs_util cfs_load se_weight util_avg", NULL,
	 check_post_init_util},
	{"util_est", "enq_in ewma_in util_avg task_sleep cap_orig enq_out ewma_out est",
	 NULL, check_util_est},
	{"clock_pelt", "steps expect", NULL, check_clock_pelt},
	{"group_propagate",
	 "se_weight_scaled gcfs_load_weight prop_runnable_sum tg_shares tg_load_avg "
	 "contrib cfs_before se_before gcfs cfs_after se_after prop_after shares "
	 "tg_after",
	 NULL, check_group_propagate},
	{0},
};

int main(int argc, char **argv)
{
	return vectors_main(argc, argv, entries);
}
