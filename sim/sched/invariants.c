/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds between any two events if the scheduler has no bug.
 */
#include "sched/invariants.h"

#include "sched/bandwidth.h"
#include "sched/deadline.h"
#include "sched/load_weight.h"
#include "sched/pelt.h"
#include "sched/rbtree.h"
#include "sched/stop.h"
#include "schedsim/wakeup.h"

G_DEFINE_QUARK(invariant_error, invariant_error)

/* What one CPU was charged, against what it was seen to run. */
struct cpu_account {
	uint64_t charged_ns;
	uint64_t busy_ns;
	uint64_t since_ns; /* when the current task came */
	bool unwatched; /* since then, it ran for a while that nobody is charged for */
	bool untold;    /* it idles over a task that the kernel told it nothing of */
	/* counted in this check */
	unsigned queued;
	unsigned rt, dl;              /* tasks on the queues of these classes */
	unsigned lifted;              /* of the latter, for who waits for them */
	uint64_t this_bw, running_bw; /* of deadline tasks */
};

struct invariants {
	struct observer observer;
	struct cpu_account *cpus; /* [nr_cpus] owned */
	char *breach;             /* owned; found between checks; NULL: none */
	uint64_t groups_checked;  /* jiffy of the last look at the groups */
};

static bool broken(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool broken(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (error)
		*error = g_error_new_valist(INVARIANT_ERROR, 0, format, args);
	va_end(args);
	return false;
}

static void on_stat_runtime(void *data, const struct machine *m, const struct task *t,
			    uint64_t delta_ns)
{
	invariants *inv = data;

	inv->cpus[t->cpu].charged_ns += delta_ns;
}

/*
 * A deadline task that is throttled while it runs is off its queue until the switch
 * comes, and update_curr_dl() charges nobody for the time between.
 */
static uint64_t uncharged_ns(const struct rq *rq, const struct task *prev)
{
	if (!dl_task(prev) || prev->dl.on_rq || !prev->dl.dl_throttled)
		return 0;
	return rq->clock_task - prev->se.exec_start;
}

/*
 * A deadline task that changes what it is between a deadline and the next period is
 * throttled on the spot and runs on, unseen until it is switched out for another
 * reason. source: dl_check_constrained_dl(), which asks for no reschedule
 */
static void note_uncharged(struct cpu_account *c, const struct rq *rq)
{
	const struct task *curr = rq->curr;

	if (dl_task(curr) && curr->dl.dl_throttled && !curr->dl.on_rq &&
	    !rq->need_resched)
		c->unwatched = true;
}

/*
 * When a CPU goes idle, all it did has been charged to somebody.  By the queue's clock:
 * a switch that an interrupt held up reads it as it was at the wakeup, and so the rest
 * of the interrupt is the next task's; where that is the stopper, which is charged for
 * nothing, it is nobody's.  source: rq_clock_skip_update()
 */
static void on_switch(void *data, const struct machine *m, const struct rq *rq,
		      const struct task *prev, const struct task *next,
		      bool prev_sleeps)
{
	invariants *inv = data;
	struct cpu_account *c = &inv->cpus[rq->cpu];

	if (prev != rq->idle && prev != rq->stop)
		c->busy_ns += rq->clock - c->since_ns - uncharged_ns(rq, prev);
	if (c->unwatched)
		c->busy_ns = c->charged_ns;
	c->unwatched = false;
	c->since_ns = rq->clock;
	if (next == rq->idle && c->charged_ns != c->busy_ns && !inv->breach)
		inv->breach =
			g_strdup_printf("CPU %d: ran for %" G_GUINT64_FORMAT
					" ns and charged %" G_GUINT64_FORMAT " ns",
					rq->cpu, c->busy_ns, c->charged_ns);
}

invariants *invariants_new(const struct machine *m)
{
	invariants *inv = g_new0(invariants, 1);

	inv->cpus = g_new0(struct cpu_account, (gsize)m->nr_cpus);
	inv->observer = (struct observer){
		.data = inv,
		.sched_stat_runtime = on_stat_runtime,
		.sched_switch = on_switch,
	};
	return inv;
}

void invariants_free(invariants *inv)
{
	if (!inv)
		return;
	g_free(inv->cpus);
	g_free(inv->breach);
	g_free(inv);
}

struct observer *invariants_observer(invariants *inv)
{
	return &inv->observer;
}

/* What is counted while walking a queue and those below it. */
struct sums {
	uint64_t weight;
	unsigned nr, h_nr, idle_h_nr;
};

static bool check_cfs_rq(struct cfs_rq *cfs_rq, struct sums *sums, GError **error);

/* One entity of @cfs_rq, on its time line or current. */
static bool add_entity(struct cfs_rq *cfs_rq, struct sched_entity *se,
		       struct sums *sums, GError **error)
{
	struct sums below = {.h_nr = 1};

	if (se->cfs_rq != cfs_rq || !se->on_rq)
		return broken(error,
			      "CPU %d: an entity stands on a queue that is not its own",
			      cfs_rq->rq->cpu);
	if (se->my_q && !check_cfs_rq(se->my_q, &below, error))
		return false;
	sums->weight += se->load.weight;
	sums->nr++;
	sums->h_nr += below.h_nr;
	if (entity_is_task(se) ? task_is_idle_policy(task_of(se)) : se->my_q->idle)
		sums->idle_h_nr += below.h_nr;
	else
		sums->idle_h_nr += below.idle_h_nr;
	return true;
}

static bool check_order(const struct sched_entity *before,
			const struct sched_entity *se, int cpu, GError **error)
{
	if (before && (int64_t)(se->vruntime - before->vruntime) < 0)
		return broken(error, "CPU %d: the time line is out of order", cpu);
	return true;
}

static bool check_time_line(struct cfs_rq *cfs_rq, struct sums *sums, GError **error)
{
	const struct sched_entity *before = NULL;

	for (struct rb_node *node = rb_first(&cfs_rq->timeline); node;
	     node = rb_next(node)) {
		struct sched_entity *se =
			list_entry(node, struct sched_entity, run_node);

		if (!check_order(before, se, cfs_rq->rq->cpu, error) ||
		    !add_entity(cfs_rq, se, sums, error))
			return false;
		before = se;
	}
	return true;
}

/* Fills in what stands on @cfs_rq and below, and compares it with its counts. */
static bool check_cfs_rq(struct cfs_rq *cfs_rq, struct sums *sums, GError **error)
{
	int cpu = cfs_rq->rq->cpu;

	*sums = (struct sums){0};
	if (!check_time_line(cfs_rq, sums, error))
		return false;
	if (cfs_rq->curr && cfs_rq->curr->on_rq &&
	    !add_entity(cfs_rq, cfs_rq->curr, sums, error))
		return false;
	if (sums->nr != cfs_rq->nr_running)
		return broken(error, "CPU %d: nr_running is %u with %u entities", cpu,
			      cfs_rq->nr_running, sums->nr);
	if (sums->h_nr != cfs_rq->h_nr_running)
		return broken(error, "CPU %d: h_nr_running is %u with %u tasks", cpu,
			      cfs_rq->h_nr_running, sums->h_nr);
	if (sums->idle_h_nr != cfs_rq->idle_h_nr_running)
		return broken(error,
			      "CPU %d: idle_h_nr_running is %u with %u idle tasks", cpu,
			      cfs_rq->idle_h_nr_running, sums->idle_h_nr);
	if (sums->weight != cfs_rq->load.weight)
		return broken(error,
			      "CPU %d: load is %" G_GUINT64_FORMAT
			      " with weights of %" G_GUINT64_FORMAT,
			      cpu, cfs_rq->load.weight, sums->weight);
	if ((int64_t)(cfs_rq->min_vruntime - cfs_rq->checked_min_vruntime) < 0)
		return broken(error, "CPU %d: min_vruntime went back", cpu);
	cfs_rq->checked_min_vruntime = cfs_rq->min_vruntime;
	return true;
}

static bool check_rt_rq(const struct rq *rq, const struct cpu_account *c,
			GError **error)
{
	if (rq->rt.rt_nr_running != c->rt)
		return broken(error, "CPU %d: rt_nr_running is %u with %u tasks",
			      rq->cpu, rq->rt.rt_nr_running, c->rt);
	return true;
}

static bool check_dl_rq(const struct rq *rq, const struct cpu_account *c,
			GError **error)
{
	const struct dl_rq *dl_rq = &rq->dl;

	if (dl_rq->dl_nr_running != c->dl)
		return broken(error, "CPU %d: dl_nr_running is %u with %u tasks",
			      rq->cpu, dl_rq->dl_nr_running, c->dl);
	if (rq->m->dl_bw_lost)
		return true;
	if (dl_rq->this_bw != c->this_bw)
		return broken(error,
			      "CPU %d: this_bw is %" G_GUINT64_FORMAT
			      " with tasks of %" G_GUINT64_FORMAT,
			      rq->cpu, dl_rq->this_bw, c->this_bw);
	if (dl_rq->running_bw != c->running_bw)
		return broken(error,
			      "CPU %d: running_bw is %" G_GUINT64_FORMAT
			      " with active tasks of %" G_GUINT64_FORMAT,
			      rq->cpu, dl_rq->running_bw, c->running_bw);
	return true;
}

/* source: what cfs_rq_is_decayed() warns of */
static bool check_average(const struct sched_avg *avg, const char *whose, int cpu,
			  GError **error)
{
	if ((!avg->load_sum && avg->load_avg) || (!avg->util_sum && avg->util_avg) ||
	    (!avg->runnable_sum && avg->runnable_avg))
		return broken(error, "CPU %d: an average of %s without its sum", cpu,
			      whose);
	return true;
}

static bool check_averages(const struct rq *rq, GError **error)
{
	return check_average(&rq->cfs.avg, "the fair class", rq->cpu, error) &&
	       check_average(&rq->avg_rt, "real-time tasks", rq->cpu, error) &&
	       check_average(&rq->avg_dl, "deadline tasks", rq->cpu, error);
}

/*
 * Whether @rq has nothing to run, is about to, or nobody told it.  Who leaves a
 * throttled group is queued, and the kernel tells nobody; nor does prio_changed_dl()
 * when a throttled task is lifted, who may fall back while the CPU idles on.
 */
static bool idles_rightly(const struct rq *rq, struct cpu_account *c)
{
	bool idles = rq->curr == rq->idle && rq->nr_running && !rq->need_resched;

	c->untold = idles && (c->untold || c->lifted);
	return !idles || c->untold || rq->m->nr_cfs_limits;
}

static bool check_rq(struct rq *rq, struct cpu_account *c, GError **error)
{
	struct sums sums;
	unsigned stopper = has_stop_works(rq);

	if (!check_cfs_rq(&rq->cfs, &sums, error) || !check_rt_rq(rq, c, error) ||
	    !check_dl_rq(rq, c, error) || !check_averages(rq, error))
		return false;
	if (rq->nr_running != c->queued + stopper)
		return broken(error, "CPU %d: nr_running is %u with %u tasks queued",
			      rq->cpu, rq->nr_running, c->queued);
	if (!idles_rightly(rq, c))
		return broken(error,
			      "CPU %d: idles over %u tasks, and nothing will wake it",
			      rq->cpu, rq->nr_running);
	if (rq->curr != rq->idle && !cpumask_test(&rq->m->active, rq->cpu) &&
	    !rq->need_resched && !rq->curr->per_cpu_kthread)
		return broken(error, "CPU %d: runs %s though it goes off", rq->cpu,
			      rq->curr->comm);
	if (rq->curr != rq->idle && rq->curr->cpu != rq->cpu)
		return broken(error, "CPU %d: runs %s of CPU %d", rq->cpu,
			      rq->curr->comm, rq->curr->cpu);
	return true;
}

/*
 * A group's weight on one CPU is a part of its shares.  Where a limit kept it from
 * following them, it may still be of greater ones.  source: calc_group_shares()
 */
static bool check_group_weight(const struct task_group *tg, int cpu, GError **error)
{
	uint64_t weight = tg->se[cpu]->load.weight;

	if (!tg->se[cpu]->on_rq || tg->cfs_rq[cpu]->rq->m->nr_cfs_limits)
		return true;
	if (weight >= MIN_SHARES && weight <= tg->shares)
		return true;
	return broken(error,
		      "CPU %d: a group of %" G_GUINT64_FORMAT
		      " shares has a weight of %" G_GUINT64_FORMAT,
		      cpu, tg->shares, weight);
}

/* source: update_tg_load_avg() */
static bool check_group(const struct machine *m, const struct task_group *tg,
			GError **error)
{
	uint64_t load_avg = 0;

	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		load_avg += tg->cfs_rq[cpu]->tg_load_avg_contrib;
		if (!check_group_weight(tg, cpu, error))
			return false;
	}
	if (load_avg == tg->load_avg)
		return true;
	return broken(error,
		      "a group's load_avg is %" G_GUINT64_FORMAT
		      " with %" G_GUINT64_FORMAT " from its CPUs",
		      tg->load_avg, load_avg);
}

static bool check_groups_below(const struct machine *m, const struct task_group *tg,
			       GError **error)
{
	const struct list *pos;

	for (pos = tg->children.next; pos != &tg->children; pos = pos->next) {
		const struct task_group *child =
			list_entry(pos, struct task_group, siblings);

		if (!check_group(m, child, error) ||
		    !check_groups_below(m, child, error))
			return false;
	}
	return true;
}

/* Once a jiffy: what goes wrong stays wrong, and there may be many. */
static bool check_groups(invariants *inv, const struct machine *m, GError **error)
{
	if (inv->groups_checked == m->jiffies)
		return true;
	inv->groups_checked = m->jiffies;
	return check_groups_below(m, &m->root_tg, error);
}

/* Averages of a task; those of queues may pass theirs for a while after migrations. */
static bool check_pelt(const struct task *t, GError **error)
{
	const struct sched_avg *avg = &t->se.avg;

	if (avg->util_avg > CAPACITY_ONE || avg->runnable_avg > CAPACITY_ONE)
		return broken(error,
			      "%s: util_avg %" G_GUINT64_FORMAT
			      " and runnable_avg %" G_GUINT64_FORMAT " exceed 1024",
			      t->comm, avg->util_avg, avg->runnable_avg);
	if (avg->load_avg > se_weight(&t->se) && !t->load_stale)
		return broken(error,
			      "%s: load_avg %" G_GUINT64_FORMAT " exceeds its weight",
			      t->comm, avg->load_avg);
	return true;
}

/* A throttled task is on its run queue and counts nowhere. */
static bool counts_as_running(const struct rq *rq, const struct task *t)
{
	if (t->on_rq != TASK_ON_RQ_QUEUED)
		return false;
	if (dl_task(t))
		return t->dl.on_rq;
	if (rt_task(t))
		return rq->rt.rt_queued;
	return !throttled_hierarchy(t->se.cfs_rq);
}

/* On the way to another CPU by a wakeup a task belongs to neither. */
static void add_bandwidth(struct cpu_account *c, const struct task *t)
{
	if (!dl_task(t) || (t->state == TASK_WAKING && t->wake_flags & WF_MIGRATED))
		return;
	c->this_bw += t->dl.dl_bw;
	if (t->on_rq == TASK_ON_RQ_QUEUED || t->dl.dl_non_contending)
		c->running_bw += t->dl.dl_bw;
}

static void count_task(struct cpu_account *c, const struct rq *rq, const struct task *t)
{
	c->queued += counts_as_running(rq, t);
	c->rt += t->sched_class == &rt_sched_class && t->on_rq == TASK_ON_RQ_QUEUED;
	c->dl += dl_task(t) && t->dl.on_rq;
	c->lifted += dl_task(t) && t->dl.on_rq && t->dl.pi_se;
}

static bool check_task(invariants *inv, const struct machine *m, const struct task *t,
		       GError **error)
{
	bool is_current = task_rq(m, t)->curr == t;

	if (t->state == TASK_NEW)
		return true;
	if (t->on_cpu != is_current)
		return broken(error, "%s: on_cpu is %d on CPU %d", t->comm, t->on_cpu,
			      t->cpu);
	if (t->on_rq == TASK_ON_RQ_MIGRATING)
		return broken(error, "%s: is between two queues", t->comm);
	if ((t->state == TASK_RUNNING) != (t->on_rq == TASK_ON_RQ_QUEUED))
		return broken(error, "%s: state %d while on_rq is %d", t->comm,
			      t->state, t->on_rq);
	if (t->on_rq == TASK_ON_RQ_QUEUED && !task_may_use(t, t->cpu) &&
	    !task_is_leaving(t))
		return broken(error, "%s: is queued on CPU %d, which it may not use",
			      t->comm, t->cpu);
	count_task(&inv->cpus[t->cpu], task_rq(m, t), t);
	add_bandwidth(&inv->cpus[t->cpu], t);
	return check_pelt(t, error);
}

bool invariants_check(invariants *inv, const struct machine *m,
		      const struct task *const *tasks, int nr_tasks, GError **error)
{
	if (inv->breach)
		return broken(error, "%s", inv->breach);
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		struct cpu_account *c = &inv->cpus[cpu];

		c->queued = c->rt = c->dl = c->lifted = 0;
		c->this_bw = c->running_bw = 0;
	}
	for (int i = 0; i < nr_tasks; i++)
		if (!check_task(inv, m, tasks[i], error))
			return false;
	for (int cpu = 0; cpu < m->nr_cpus; cpu++) {
		note_uncharged(&inv->cpus[cpu], cpu_rq(m, cpu));
		if (!check_rq(cpu_rq(m, cpu), &inv->cpus[cpu], error))
			return false;
	}
	return check_groups(inv, m, error);
}
