/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wake_scene.h"

#include "model/machine_new.h"
#include "scene_topology.h"
#include "sched/class.h"
#include "sched/clock.h"
#include "sched/core.h"
#include "sched/profile.h"
#include "sched/select.h"
#include "sched/uclamp.h"
#include "schedsim/observer.h"
#include "test.h"
#include "wakeup/registry.h"

#include <string.h>

#define TASKS_MAX 64

struct wake_scene {
	struct machine *m; /* owned */
	topology *topo;    /* owned */
	struct policy_instance policy;
	struct observer observer;
	struct wakeup seen; /* by the observer */
	int nr_tasks;
	struct task tasks[TASKS_MAX];
};

static void remember(void *data, const struct wakeup *w)
{
	wake_scene *s = data;

	s->seen = *w;
}

static void must(bool ok, GError *error)
{
	if (!ok)
		fail_msg("%s", error->message);
}

static struct sched_domain_shared *llc_of(wake_scene *s, int cpu)
{
	return cpu_rq(s->m, cpu)->sd_llc_shared;
}

static void renew(void **state, size_t size)
{
	g_free(*state);
	*state = size ? g_malloc0(size) : NULL;
}

static void renew_state(wake_scene *s)
{
	const struct wakeup_policy *policy = s->m->policy;

	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++) {
		struct rq *rq = cpu_rq(s->m, cpu);

		renew(&rq->policy_state, policy->cpu_size);
		renew(&rq->idle->policy_state, policy->task_size);
		if (rq->sd_llc_id == cpu && llc_of(s, cpu))
			renew(&llc_of(s, cpu)->policy_state, policy->llc_size);
	}
	for (int i = 0; i < s->nr_tasks; i++)
		renew(&s->tasks[i].policy_state, policy->task_size);
}

/* What @spec says of the scene's machine, as machine_new() would have it. */
static void adopt(wake_scene *s, const struct machine_spec *spec)
{
	struct machine *like = machine_new(s->topo, spec);

	s->m->feat = like->feat;
	s->m->tunables = like->tunables;
	machine_free(like);
}

void scene_policy(wake_scene *s, const char *policy)
{
	struct machine_spec spec;
	GError *error = NULL;

	policy_instance_clear(&s->policy);
	must(wakeup_policy_instance(policy, &s->policy, &error), error);
	machine_spec_init(&spec, s->m->profile);
	for (guint i = 0; i < s->policy.settings->len; i++)
		must(machine_spec_set(&spec, s->policy.settings->pdata[i], &error),
		     error);
	adopt(s, &spec);
	s->m->policy = &s->policy.policy;
	g_free(s->m->policy_params);
	s->m->policy_params = g_memdup2(s->policy.params, s->policy.policy.params_size);
	renew_state(s);
}

wake_scene *wake_scene_new(const char *topology_name)
{
	wake_scene *s = g_new0(wake_scene, 1);
	struct machine_spec spec;

	s->topo = scene_topology(topology_name);
	machine_spec_init(&spec, kernel_profile_find("6.1-lts"));
	memset(&spec.costs, 0, sizeof(spec.costs));
	spec.policy = wakeup_policies()[0];
	s->m = machine_new(s->topo, &spec);
	sched_init(s->m);
	machine_set_time(s->m, NSEC_PER_SEC);
	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++)
		cpu_rq(s->m, cpu)->cfs.avg.last_update_time = s->m->now_ns;
	scene_policy(s, "baseline");
	scene_nr_idle_scan(s, s->m->nr_cpus);
	s->observer = (struct observer){.data = s, .select_done = remember};
	s->m->observers = &s->observer;
	return s;
}

void wake_scene_free(wake_scene *s)
{
	for (int i = 0; i < s->nr_tasks; i++)
		g_free(s->tasks[i].policy_state);
	machine_free(s->m);
	topology_free(s->topo);
	policy_instance_clear(&s->policy);
	g_free(s);
}

struct machine *scene_machine(wake_scene *s)
{
	return s->m;
}

static struct task *new_task(wake_scene *s, int cpu, uint64_t dur_avg_ns)
{
	struct task *t = &s->tasks[s->nr_tasks++];

	g_assert(s->nr_tasks <= TASKS_MAX);
	t->pid = s->nr_tasks;
	t->comm = "task";
	t->cpu = cpu;
	t->wake_cpu = cpu;
	t->recent_used_cpu = cpu;
	t->static_prio = DEFAULT_PRIO;
	t->prio = DEFAULT_PRIO;
	t->sched_class = &fair_sched_class;
	t->sched_task_group = &s->m->root_tg;
	uclamp_init(s->m, t);
	t->cpus_mask = s->m->active;
	t->nr_cpus_allowed = s->m->nr_cpus;
	t->wakee_flip_decay_ts = s->m->jiffies;
	t->se.cfs_rq = &cpu_rq(s->m, cpu)->cfs;
	t->se.load = (struct load_weight){NICE_0_LOAD, 0};
	t->se.dur_avg = dur_avg_ns;
	t->se.avg.last_update_time = s->m->now_ns;
	list_init(&t->se.group_node);
	list_init(&t->wake_entry);
	renew(&t->policy_state, s->m->policy->task_size);
	return t;
}

struct task *scene_sleeper(wake_scene *s, int cpu, uint64_t dur_avg_ns)
{
	struct task *t = new_task(s, cpu, dur_avg_ns);

	t->state = TASK_INTERRUPTIBLE;
	return t;
}

void scene_idle(wake_scene *s, int cpu)
{
	struct rq *rq = cpu_rq(s->m, cpu);

	rq->curr = rq->idle;
	rq->nr_running = 0;
	rq->cfs.nr_running = 0;
	rq->cfs.h_nr_running = 0;
	rq->cfs.idle_h_nr_running = 0;
}

void scene_queue(wake_scene *s, int cpu, unsigned nr, bool idle)
{
	struct rq *rq = cpu_rq(s->m, cpu);

	rq->nr_running += nr;
	rq->cfs.nr_running += nr;
	rq->cfs.h_nr_running += nr;
	if (idle)
		rq->cfs.idle_h_nr_running += nr;
}

struct task *scene_runner(wake_scene *s, int cpu, uint64_t dur_avg_ns)
{
	struct task *t = new_task(s, cpu, dur_avg_ns);

	scene_idle(s, cpu);
	scene_queue(s, cpu, 1, false);
	cpu_rq(s->m, cpu)->curr = t;
	t->state = TASK_RUNNING;
	t->on_rq = TASK_ON_RQ_QUEUED;
	t->se.on_rq = true;
	t->on_cpu = true;
	return t;
}

void scene_occupy(wake_scene *s, const char *cpus)
{
	struct cpumask mask;
	GError *error = NULL;
	int cpu;

	must(cpumask_parse_list(cpus, s->m->nr_cpus, &mask, &error), error);
	for_each_cpu (cpu, &mask)
		scene_runner(s, cpu, NSEC_PER_SEC);
}

void scene_load(wake_scene *s, int cpu, uint64_t load)
{
	struct cfs_rq *cfs_rq = &cpu_rq(s->m, cpu)->cfs;

	cfs_rq->avg.load_avg = load;
	cfs_rq->last_h_load_update = s->m->jiffies - 1;
}

void scene_nr_idle_scan(wake_scene *s, int nr)
{
	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++)
		if (llc_of(s, cpu))
			llc_of(s, cpu)->nr_idle_scan = nr;
}

void scene_idle_cores(wake_scene *s, int cpu, bool has_idle_cores)
{
	llc_of(s, cpu)->has_idle_cores = has_idle_cores;
}

struct wakeup scene_place(wake_scene *s, int this_cpu, struct task *t, unsigned flags)
{
	const struct rq *rq = cpu_rq(s->m, this_cpu);
	int cpu = select_task_rq_fair(s->m, t, t->cpu, this_cpu, flags,
				      rq->curr != rq->idle);

	assert_int_equal(cpu, s->seen.cpu);
	return s->seen;
}

struct wakeup scene_wake(wake_scene *s, int this_cpu, struct task *t, unsigned flags)
{
	return scene_place(s, this_cpu, t, flags | WF_TTWU);
}

int scene_wake_under(wake_scene *s, const char *policy, int this_cpu, struct task *t)
{
	scene_policy(s, policy);
	return scene_wake(s, this_cpu, t, 0).cpu;
}
