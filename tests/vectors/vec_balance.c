/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Balancing piece by piece: intervals, costs, who is busiest and by how much, and
 * which tasks are taken.
 */
#include "model/machine_new.h"
#include "sched/balance.h"
#include "sched/class.h"
#include "sched/fair.h"
#include "sched/select.h"
#include "vector_machine.h"

#include <string.h>

#define TASKS_MAX 64

static void check_balance_interval(struct vector_case *c)
{
	g_autofree char *shape =
		g_strdup_printf("1n1l%dc1t", (int)vector_s64(c, "ncpus"));
	struct machine *m = vector_machine(&(struct vector_setup){
		.topology = shape, .hz = (unsigned)vector_u64(c, "hz")});
	struct sched_domain sd = {
		.balance_interval = vector_u64(c, "balance_interval"),
		.busy_factor = (unsigned)vector_u64(c, "busy_factor"),
	};

	vector_expect_field(c, "interval",
			    sd_balance_interval(m, &sd, vector_bool(c, "cpu_busy")));
	machine_free(m);
}

static void check_nr_idle_scan(struct vector_case *c)
{
	vector_expect_s64(c, vector_s64(c, "nr_idle_scan"),
			  nr_idle_scan(vector_u64(c, "sum_util"),
				       (unsigned)vector_u64(c, "llc_weight"),
				       (unsigned)vector_u64(c, "imbalance_pct")),
			  "nr_idle_scan");
}

static void check_numa_imbalance(struct vector_case *c)
{
	vector_expect_s64(c, vector_s64(c, "out"),
			  adjust_numa_imbalance((int)vector_s64(c, "imbalance"),
						(int)vector_s64(c, "dst_running"),
						(int)vector_s64(c, "imb_numa_nr")),
			  "out");
}

static void check_newidle_cost(struct vector_case *c)
{
	json_object *steps = vector_array(c, "steps", SIZE_MAX);
	size_t nr = json_object_array_length(steps);
	json_object *expect = vector_array(c, "expect", nr);
	struct machine *m = vector_cpu(1);
	struct sched_domain sd = {
		.newidle_call = 512,
		.newidle_success = 256,
		.newidle_ratio = 512,
		.last_decay_max_lb_cost = vector_u64(c, "start"),
	};

	m->hz = (unsigned)vector_u64(c, "hz");
	for (size_t i = 0; i < nr; i++) {
		json_object *step = vector_array_at(c, steps, i, 3);
		json_object *want = vector_array_at(c, expect, i, 6);
		uint64_t got[6];

		m->jiffies = vector_u64_at(c, step, 0);
		got[0] = update_newidle_cost(m, &sd, vector_u64_at(c, step, 1),
					     (unsigned)vector_u64_at(c, step, 2));
		got[1] = sd.max_newidle_lb_cost;
		got[2] = sd.last_decay_max_lb_cost;
		got[3] = sd.newidle_call;
		got[4] = sd.newidle_success;
		got[5] = sd.newidle_ratio;
		for (size_t k = 0; k < 6; k++)
			vector_expect_u64(c, vector_u64_at(c, want, k), got[k],
					  "step %zu: figure %zu", i, k);
	}
	machine_free(m);
}

/* A balance of one CPU's domain on a snapshot. */
struct balance {
	struct machine *m;
	struct task running[CPUS_MAX];
	struct lb_env env;
};

static enum cpu_idle_type read_idle(struct vector_case *c, int64_t number)
{
	static const enum cpu_idle_type types[] = {CPU_IDLE, CPU_NOT_IDLE,
						   CPU_NEWLY_IDLE};

	if (number < 0 || number >= (int64_t)G_N_ELEMENTS(types))
		vector_broken(c, "unknown kind of idle");
	return types[number];
}

static struct sched_domain *domain_at(const struct machine *m, int cpu, uint64_t level)
{
	struct sched_domain *sd = cpu_rq(m, cpu)->sd;

	while (level--)
		sd = sd->parent;
	return sd;
}

/* Listed are the first CPUs of groups of this level, of any CPU's domain. */
static void mark_imbalanced(struct vector_case *c, struct machine *m, uint64_t level)
{
	json_object *list = vector_array(c, "sgc_imbalance", SIZE_MAX);

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		int first = (int)vector_s64_at(c, list, i);
		struct sched_group *group;

		if (first < 0 || first >= m->nr_cpus)
			vector_broken(c, "expected a CPU, got %d", first);
		group = domain_at(m, first, level)->groups;
		if (cpumask_first(&group->cpus) != first)
			vector_broken(c, "no group begins with CPU %d", first);
		group->sgc->imbalance = true;
	}
}

static struct balance *balance_new(struct vector_case *c)
{
	struct balance *b = g_new0(struct balance, 1);
	const char *topo = json_object_get_string(vector_get(c, "topo"));
	int dst_cpu = (int)vector_s64(c, "dst_cpu");
	struct sched_domain *sd;

	b->m = vector_machine(
		&(struct vector_setup){.topology = topo, .start_ns = NSEC_PER_SEC});
	vector_check_topology(c, b->m, topo);
	vector_set_cpus(c, b->m, b->running, NULL, NULL);
	vector_set_llcs(c, b->m);
	sd = domain_at(b->m, dst_cpu, vector_u64(c, "level"));
	mark_imbalanced(c, b->m, vector_u64(c, "level"));
	b->env = (struct lb_env){
		.m = b->m,
		.sd = sd,
		.dst_rq = cpu_rq(b->m, dst_cpu),
		.dst_cpu = dst_cpu,
		.dst_grpmask = sd->groups->sgc->balance_mask,
		.idle = read_idle(c, vector_s64(c, "idle")),
		.cpus = sd->span,
		.loop_break = 32,
	};
	list_init(&b->env.tasks);
	return b;
}

static int64_t type_number(const struct sched_group *group,
			   const struct sg_lb_stats *stats)
{
	static const int numbers[] = {
		[GROUP_HAS_SPARE] = 0,   [GROUP_FULLY_BUSY] = 1,
		[GROUP_MISFIT_TASK] = 2, [GROUP_ASYM_PACKING] = 3,
		[GROUP_IMBALANCED] = 4,  [GROUP_OVERLOADED] = 5,
	};

	return group ? numbers[stats->group_type] : -1;
}

static int64_t migration_number(const struct sched_group *group,
				enum migration_type type)
{
	static const int numbers[] = {
		[MIGRATE_LOAD] = 0, [MIGRATE_UTIL] = 1, [MIGRATE_TASK] = 2};

	return group ? numbers[type] : -1;
}

static void check_find_busiest(struct vector_case *c)
{
	g_autofree struct balance *b = balance_new(c);
	json_object *want = vector_object(
		c, "expect",
		"swb local_type busiest_type group imbalance mtype queue scan");
	struct sd_lb_stats sds;
	struct sched_group *group;
	struct rq *queue;

	vector_expect_s64(c, vector_member_s64(c, want, "swb"),
			  should_we_balance(&b->env), "swb");
	group = find_busiest_group(&b->env, &sds);
	vector_expect_s64(c, vector_member_s64(c, want, "local_type"),
			  type_number(sds.local, &sds.local_stat), "local_type");
	vector_expect_s64(c, vector_member_s64(c, want, "busiest_type"),
			  type_number(sds.busiest, &sds.busiest_stat), "busiest_type");
	vector_expect_s64(c, vector_member_s64(c, want, "group"),
			  group ? (int64_t)group->cpus.bits[0] : 0, "group");
	vector_expect_s64(c, vector_member_s64(c, want, "imbalance"), b->env.imbalance,
			  "imbalance");
	queue = group ? find_busiest_queue(&b->env, group) : NULL;
	vector_expect_s64(c, vector_member_s64(c, want, "mtype"),
			  migration_number(group, b->env.migration_type), "mtype");
	vector_expect_s64(c, vector_member_s64(c, want, "queue"),
			  queue ? queue->cpu : -1, "queue");
	vector_expect_s64(c, vector_member_s64(c, want, "scan"),
			  b->env.dst_rq->sd_llc_shared->nr_idle_scan, "scan");
	machine_free(b->m);
}

/* CPU 0 and its tasks, from which another CPU pulls. */
struct pull {
	struct machine *m;
	struct rq *src;
	struct task tasks[TASKS_MAX];
	size_t nr_tasks;
	struct sched_domain sd;
	struct lb_env env;
};

/* What a queued task adds to the counts of its queue. */
static void count_task(struct rq *rq, const struct task *t)
{
	struct cfs_rq *cfs_rq = &rq->cfs;

	cfs_rq->load.weight += t->se.load.weight;
	cfs_rq->load.inv_weight = 0;
	cfs_rq->nr_running++;
	cfs_rq->h_nr_running++;
	cfs_rq->idle_nr_running += task_is_idle_policy(t);
	cfs_rq->idle_h_nr_running += task_is_idle_policy(t);
	cfs_rq->avg.util_est.enqueued += (uint32_t)task_util_est_raw(t);
	rq->nr_running++;
}

static void queue_task(struct vector_case *c, struct pull *p, struct task *t,
		       json_object *figures)
{
	struct rq *rq = p->src;

	vector_task_init(t, p->m, (int)vector_s64_at(c, figures, 0), rq->cpu);
	t->policy = (enum sched_policy)vector_u64_at(c, figures, 1);
	t->se.load = (struct load_weight){vector_u64_at(c, figures, 2), 0};
	t->se.avg.load_avg = vector_u64_at(c, figures, 3);
	t->se.avg.util_avg = vector_u64_at(c, figures, 4);
	t->se.avg.util_est.ewma = (uint32_t)vector_u64_at(c, figures, 5);
	t->cpus_mask = cpumask_none();
	t->cpus_mask.bits[0] = vector_u64_at(c, figures, 6);
	t->nr_cpus_allowed = cpumask_weight(&t->cpus_mask);
	t->se.exec_start = rq->clock_task - vector_u64_at(c, figures, 7);
	t->on_cpu = vector_u64_at(c, figures, 8) != 0;
	t->per_cpu_kthread = vector_u64_at(c, figures, 9) != 0;
	t->state = TASK_RUNNING;
	t->on_rq = TASK_ON_RQ_QUEUED;
	t->se.on_rq = true;

	count_task(rq, t);
	list_add_tail(&rq->cfs_tasks, &t->se.group_node);
	attach_entity_load_avg(&rq->cfs, &t->se);
	if (t->on_cpu) {
		rq->curr = t;
		rq->cfs.curr = &t->se;
	} else {
		fair_ops_of(&rq->cfs)->tree_insert(&rq->cfs, &t->se);
	}
}

static struct sched_entity *find_buddy(struct vector_case *c, struct pull *p,
				       const char *field)
{
	int64_t pid = vector_s64(c, field);

	for (size_t i = 0; i < p->nr_tasks; i++)
		if (p->tasks[i].pid == pid)
			return &p->tasks[i].se;
	if (pid != -1)
		vector_broken(c, "%s: no task %" G_GINT64_FORMAT, field, pid);
	return NULL;
}

static void queue_tasks(struct vector_case *c, struct pull *p)
{
	json_object *tasks = vector_array(c, "tasks", SIZE_MAX);
	json_object *cfs = vector_array(c, "cfs", 3);

	p->nr_tasks = json_object_array_length(tasks);
	if (p->nr_tasks > TASKS_MAX)
		vector_broken(c, "expected fewer tasks");
	p->src->cfs.avg.last_update_time = p->src->clock_pelt;
	for (size_t i = 0; i < p->nr_tasks; i++)
		queue_task(c, p, &p->tasks[i], vector_array_at(c, tasks, i, 10));
	p->src->cfs.next = find_buddy(c, p, "buddy_next");
	p->src->cfs.last = find_buddy(c, p, "buddy_last");
	p->src->cfs.last_h_load_update = p->m->jiffies - 1;
	if (p->src->cfs.avg.load_avg != vector_u64_at(c, cfs, 0) ||
	    p->src->nr_running != vector_u64_at(c, cfs, 2))
		vector_broken(c, "the tasks do not add up to their queue");
}

static enum migration_type read_migration_type(struct vector_case *c, int64_t number)
{
	static const enum migration_type types[] = {MIGRATE_LOAD, MIGRATE_UTIL,
						    MIGRATE_TASK};

	if (number < 0 || number >= (int64_t)G_N_ELEMENTS(types))
		vector_broken(c, "unknown kind of migration");
	return types[number];
}

static void read_env(struct vector_case *c, struct pull *p)
{
	json_object *env = vector_object(
		c, "env",
		"dst_cpu sd_smt nr_balance_failed cache_nice_tries idle mtype "
		"imbalance loop_max dst_nr_running dst_grpmask cpus");
	int dst_cpu = (int)vector_member_s64(c, env, "dst_cpu");

	p->sd = *cpu_rq(p->m, dst_cpu)->sd;
	p->sd.flags &= ~(uint32_t)SD_SHARE_CPUCAPACITY;
	if (vector_member_s64(c, env, "sd_smt"))
		p->sd.flags |= SD_SHARE_CPUCAPACITY;
	p->sd.nr_balance_failed =
		(unsigned)vector_member_s64(c, env, "nr_balance_failed");
	p->sd.cache_nice_tries =
		(unsigned)vector_member_s64(c, env, "cache_nice_tries");
	p->env = (struct lb_env){
		.m = p->m,
		.sd = &p->sd,
		.src_rq = p->src,
		.src_cpu = p->src->cpu,
		.dst_rq = cpu_rq(p->m, dst_cpu),
		.dst_cpu = dst_cpu,
		.new_dst_cpu = -1,
		.idle = read_idle(c, vector_member_s64(c, env, "idle")),
		.imbalance = vector_member_s64(c, env, "imbalance"),
		.flags = LBF_ALL_PINNED,
		.loop_break = 32,
		.loop_max = (unsigned)vector_member_s64(c, env, "loop_max"),
		.migration_type =
			read_migration_type(c, vector_member_s64(c, env, "mtype")),
	};
	p->env.dst_grpmask.bits[0] = (uint64_t)vector_member_s64(c, env, "dst_grpmask");
	p->env.cpus.bits[0] = (uint64_t)vector_member_s64(c, env, "cpus");
	p->env.dst_rq->nr_running =
		(unsigned)vector_member_s64(c, env, "dst_nr_running");
	list_init(&p->env.tasks);
}

static const struct task *task_of_node(const struct list *node)
{
	return list_entry(node, struct task, se.group_node);
}

/* @want lists the pids of @head from its first to its last, or the other way. */
static void expect_pids(struct vector_case *c, json_object *want,
			const struct list *head, bool from_tail, const char *what)
{
	const struct list *node = from_tail ? head->prev : head->next;
	size_t nr = 0;

	for (; node != head; node = from_tail ? node->prev : node->next, nr++)
		if (nr < json_object_array_length(want))
			vector_expect_s64(c, vector_s64_at(c, want, nr),
					  task_of_node(node)->pid, "%s[%zu]", what, nr);
	vector_expect_u64(c, json_object_array_length(want), nr, "length of %s", what);
}

static void check_detach_tasks(struct vector_case *c)
{
	json_object *want = vector_object(
		c, "expect",
		"detached imbalance flags new_dst_cpu order cfs_load_after");
	g_autofree struct pull *p = g_new0(struct pull, 1);

	p->m = vector_machine(&(struct vector_setup){.topology = "smp4",
						     .preempt = PREEMPT_FULL,
						     .start_ns = 1000 * NSEC_PER_SEC});
	p->src = cpu_rq(p->m, 0);
	queue_tasks(c, p);
	read_env(c, p);

	detach_tasks(&p->env);
	expect_pids(c, vector_member(c, want, "detached"), &p->env.tasks, true,
		    "detached");
	expect_pids(c, vector_member(c, want, "order"), &p->src->cfs_tasks, false,
		    "order");
	vector_expect_s64(c, vector_member_s64(c, want, "imbalance"), p->env.imbalance,
			  "imbalance");
	vector_expect_s64(c, vector_member_s64(c, want, "flags"), p->env.flags,
			  "flags");
	vector_expect_s64(c, vector_member_s64(c, want, "new_dst_cpu"),
			  p->env.new_dst_cpu, "new_dst_cpu");
	vector_expect_s64(c, vector_member_s64(c, want, "cfs_load_after"),
			  (int64_t)p->src->cfs.avg.load_avg, "cfs_load_after");
	machine_free(p->m);
}

static const struct vector_entry entries[] = {
	{"balance_interval", "hz ncpus balance_interval busy_factor cpu_busy interval",
	 NULL, check_balance_interval},
	{"nr_idle_scan", "llc_weight imbalance_pct sum_util nr_idle_scan", NULL,
	 check_nr_idle_scan},
	{"numa_imbalance", "imbalance dst_running imb_numa_nr out", NULL,
	 check_numa_imbalance},
	{"newidle_cost", "hz start steps expect", NULL, check_newidle_cost},
	{"find_busiest", "topo dst_cpu level idle sgc_imbalance cpus llc_shared expect",
	 NULL, check_find_busiest},
	{"detach_tasks", "tasks cfs buddy_next buddy_last env expect", NULL,
	 check_detach_tasks},
	{0},
};

int main(int argc, char **argv)
{
	return vectors_main(argc, argv, entries);
}
