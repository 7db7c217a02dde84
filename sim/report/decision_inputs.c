/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the state a decision looks at, and leaves it as it is.
 */
#include "report/decision_inputs.h"

/*
 * What task_h_load() would answer.  It keeps its answer for the jiffy, which an
 * observer must not: the decision would come out differently for being watched.
 */
static uint64_t h_load_of(const struct cfs_rq *cfs_rq, uint64_t jiffies)
{
	const struct sched_entity *se;

	if (cfs_rq->last_h_load_update == jiffies)
		return cfs_rq->h_load;
	se = cfs_rq->tg && cfs_rq->tg->se ? cfs_rq->tg->se[cfs_rq->rq->cpu] : NULL;
	if (!se)
		return cfs_rq->avg.load_avg;
	return h_load_of(se->cfs_rq, jiffies) * se->avg.load_avg /
	       (se->cfs_rq->avg.load_avg + 1);
}

static uint64_t task_h_load_of(const struct task *t, uint64_t jiffies)
{
	const struct cfs_rq *cfs_rq = t->se.cfs_rq;

	return t->se.avg.load_avg * h_load_of(cfs_rq, jiffies) /
	       (cfs_rq->avg.load_avg + 1);
}

static struct cpumask idle_cpus(const struct machine *m)
{
	struct cpumask idle = cpumask_none();

	for (int cpu = 0; cpu < m->nr_cpus; cpu++)
		if (cpu_is_idle(m, cpu))
			cpumask_set(&idle, cpu);
	return idle;
}

static int nr_idle_scan_of(const struct rq *rq)
{
	if (!rq->sd_llc_shared)
		return -1;
	return rq->m->nr_idle_scan_fixed >= 0 ? rq->m->nr_idle_scan_fixed
					      : rq->sd_llc_shared->nr_idle_scan;
}

static bool has_idle_cores(const struct rq *rq)
{
	return rq->sd_llc_shared && rq->sd_llc_shared->has_idle_cores;
}

void decision_inputs_sample(struct decision_inputs *in, const struct wakeup *w)
{
	const struct rq *this_rq = cpu_rq(w->m, w->this_cpu);
	const struct rq *prev_rq = cpu_rq(w->m, w->prev_cpu);

	*in = (struct decision_inputs){
		.waker_flips = w->curr->wakee_flips,
		.wakee_flips = w->p->wakee_flips,
		.idle = idle_cpus(w->m),
		.this_nr_running = this_rq->nr_running,
		.prev_nr_running = prev_rq->nr_running,
		.this_load = cpu_load(this_rq),
		.prev_load = cpu_load(prev_rq),
		.wakee_h_load = task_h_load_of(w->p, w->m->jiffies),
		.wakee_load_avg = w->p->se.avg.load_avg,
		.wakee_util_avg = w->p->se.avg.util_avg,
		.wakee_dur_avg_ns = w->p->se.dur_avg,
		.waker_dur_avg_ns = w->curr->se.dur_avg,
		.recent_used_cpu = w->p->recent_used_cpu,
		.this_nr_idle_scan = nr_idle_scan_of(this_rq),
		.prev_nr_idle_scan = nr_idle_scan_of(prev_rq),
		.this_has_idle_cores = has_idle_cores(this_rq),
		.prev_has_idle_cores = has_idle_cores(prev_rq),
	};
}

/* As the kernel prints masks, without the commas: "ff00" */
static void write_mask(json_writer *line, const char *key, const struct cpumask *mask)
{
	char text[CPUMASK_WORDS * 16 + 1];
	char *p = text;
	int top = CPUMASK_WORDS - 1;

	while (top && !mask->bits[top])
		top--;
	p += g_snprintf(p, 17, "%llx", (unsigned long long)mask->bits[top]);
	for (int i = top - 1; i >= 0; i--)
		p += g_snprintf(p, 17, "%016llx", (unsigned long long)mask->bits[i]);
	json_writer_string(line, key, text);
}

static void write_wake_flags(json_writer *line, unsigned flags)
{
	char text[16];

	g_snprintf(text, sizeof(text), "%x", flags);
	json_writer_string(line, "wake_flags", text);
}

void decision_inputs_write(const struct decision_inputs *in, const struct wakeup *w,
			   json_writer *line)
{
	bool at_this = w->target == w->this_cpu;
	g_autofree char *allowed = cpumask_to_list(&w->p->cpus_mask);

	write_wake_flags(line, w->wake_flags);
	json_writer_bool(line, "sync", w->sync);
	json_writer_bool(line, "irq", !w->in_task);
	json_writer_int(line, "wide", w->wide);
	json_writer_int(line, "waker_flips", in->waker_flips);
	json_writer_int(line, "wakee_flips", in->wakee_flips);
	write_mask(line, "idle", &in->idle);
	json_writer_int(line, "this_nr_running", in->this_nr_running);
	json_writer_int(line, "prev_nr_running", in->prev_nr_running);
	json_writer_int(line, "this_load", in->this_load);
	json_writer_int(line, "prev_load", in->prev_load);
	json_writer_int(line, "wakee_h_load", in->wakee_h_load);
	json_writer_int(line, "wakee_load_avg", in->wakee_load_avg);
	json_writer_int(line, "wakee_util_avg", in->wakee_util_avg);
	json_writer_int(line, "wakee_dur_avg_ns", in->wakee_dur_avg_ns);
	json_writer_int(line, "waker_dur_avg_ns", in->waker_dur_avg_ns);
	json_writer_int(line, "recent_used_cpu", in->recent_used_cpu);
	json_writer_int(line, "nr_idle_scan",
			at_this ? in->this_nr_idle_scan : in->prev_nr_idle_scan);
	json_writer_bool(line, "has_idle_cores",
			 at_this ? in->this_has_idle_cores : in->prev_has_idle_cores);
	json_writer_string(line, "allowed", allowed);
}
