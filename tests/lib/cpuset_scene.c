/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpuset_scene.h"

#include "test.h"

#include <string.h>

struct scene_member {
	struct cpuset_task member; /* first: it is what is handed out */
	struct task task;
};

struct cpumask cpus_of(const char *list)
{
	struct cpumask mask;

	assert_true(cpumask_parse_list(list, CPUS_MAX, &mask, NULL));
	return mask;
}

static void set_capacity(struct rq *rq, unsigned capacity)
{
	rq->cpu_scale = capacity;
	rq->cpu_capacity_orig = capacity;
	rq->cpu_capacity = capacity;
}

static cpuset_scene *scene_new(const char *topology, const unsigned *capacities,
			       struct cpusets_spec *spec, const char *policy_text)
{
	cpuset_scene *s = g_new0(cpuset_scene, 1);
	struct rebuild_policy policy;

	assert_true(rebuild_policy_parse(policy_text, &policy, NULL));
	s->run = run_scene_new(topology);
	s->m = s->run->m;
	for (int cpu = 0; capacities && cpu < s->m->nr_cpus; cpu++)
		set_capacity(cpu_rq(s->m, cpu), capacities[cpu]);
	spec->policy = &policy;
	s->sys = cpusets_new(s->m, spec);
	s->tasks = g_ptr_array_new_with_free_func(g_free);
	return s;
}

cpuset_scene *cpuset_scene_new(const char *topology, enum cpuset_mode mode,
			       const char *policy, const char *isolated)
{
	struct cpusets_spec spec = {.mode = mode, .isolated = cpus_of(isolated)};

	return scene_new(topology, NULL, &spec, policy);
}

cpuset_scene *cpuset_scene_asymmetric(const char *topology, const unsigned *capacities,
				      enum cpuset_mode mode, const char *policy)
{
	struct cpusets_spec spec = {.mode = mode};

	return scene_new(topology, capacities, &spec, policy);
}

void cpuset_scene_free(cpuset_scene *s)
{
	op_result_clear(&s->last);
	cpusets_free(s->sys);
	run_scene_free(s->run);
	g_ptr_array_unref(s->tasks);
	g_free(s);
}

/* Operations */

/* Where the next operation says what it did. */
static op_result *next_result(cpuset_scene *s)
{
	op_result_clear(&s->last);
	return &s->last;
}

/* The operation's tasks leave their CPUs, as they would when it is over. */
static int done(cpuset_scene *s, int err)
{
	sched_resched_all(s->m);
	return err;
}

struct cpuset *cs_find(const cpuset_scene *s, const char *path)
{
	struct cpuset *cs = cpuset_find(s->sys, path);

	assert_non_null(cs);
	return cs;
}

struct cpuset *cs_mkdir(cpuset_scene *s, const char *path, const char *cpus)
{
	const char *slash = strrchr(path, '/');
	g_autofree char *parent = g_strndup(path, slash ? (gsize)(slash - path) : 0);
	struct cpuset *cs;

	assert_int_equal(cpuset_mkdir(cs_find(s, parent), slash ? slash + 1 : path, &cs,
				      next_result(s)),
			 0);
	if (s->sys->mode != CPUSET_V2)
		assert_int_equal(cs_write(s, path, "cpuset.mems", "0"), 0);
	assert_int_equal(cs_write(s, path, "cpuset.cpus", cpus), 0);
	return cs;
}

int cs_write(cpuset_scene *s, const char *path, const char *file, const char *text)
{
	return done(s, cpuset_write(cs_find(s, path), file, text, next_result(s)));
}

int cs_rmdir(cpuset_scene *s, const char *path)
{
	return done(s, cpuset_rmdir(cs_find(s, path), next_result(s)));
}

int cs_cpu_down(cpuset_scene *s, int cpu)
{
	return done(s, cpuset_cpu_down(s->sys, cpu, next_result(s)));
}

int cs_cpu_up(cpuset_scene *s, int cpu)
{
	return done(s, cpuset_cpu_up(s->sys, cpu, next_result(s)));
}

/* s->last is of both together. */
void cs_suspend_and_resume(cpuset_scene *s)
{
	op_result suspend;

	assert_int_equal(cpuset_suspend(s->sys, &suspend), 0);
	cpuset_resume(s->sys, next_result(s));
	op_result_join(&s->last, &suspend);
	op_result_clear(&suspend);
	done(s, 0);
}

void cs_governor_change(cpuset_scene *s)
{
	cpuset_governor_change(s->sys, next_result(s));
}

void cs_topology_update(cpuset_scene *s)
{
	cpuset_topology_update(s->sys, next_result(s));
}

/* Tasks */

static struct cpuset_task *new_task(cpuset_scene *s, const char *path, bool sugov)
{
	struct cpuset *cs = cs_find(s, path);
	struct scene_member *own = g_new0(struct scene_member, 1);
	int cpu = cpumask_first(&cs->effective_cpus);

	g_ptr_array_add(s->tasks, own);
	own->task.pid = 1000 + (int)s->tasks->len;
	own->task.comm = "member";
	sched_fork(s->m, &own->task, POLICY_NORMAL, 0, &cs->effective_cpus, cpu);
	own->task.state = TASK_INTERRUPTIBLE;
	own->member.kthread = own->member.no_setaffinity = own->member.sugov = sugov;
	cpuset_task_init(&own->member, &own->task, cs);
	return &own->member;
}

struct cpuset_task *cs_task(cpuset_scene *s, const char *path)
{
	return new_task(s, path, false);
}

void cs_tasks(cpuset_scene *s, const char *path, int nr)
{
	while (nr--)
		cs_task(s, path);
}

struct cpuset_task *cs_sugov(cpuset_scene *s)
{
	return new_task(s, "", true);
}

int cs_attach(cpuset_scene *s, const char *path, struct cpuset_task *ct)
{
	return done(s, cpuset_attach(cs_find(s, path), &ct, 1, next_result(s)));
}

int cs_setattr(cpuset_scene *s, struct cpuset_task *ct, uint64_t runtime_us,
	       uint64_t period_us)
{
	struct sched_attr attr = {
		.sched_policy = POLICY_DEADLINE,
		.sched_runtime = runtime_us * NSEC_PER_USEC,
		.sched_deadline = period_us * NSEC_PER_USEC,
		.sched_period = period_us * NSEC_PER_USEC,
	};

	return done(s, cpuset_setattr(ct, &attr, next_result(s)));
}

struct cpuset_task *cs_dl_task(cpuset_scene *s, const char *path, uint64_t runtime_us,
			       uint64_t period_us, int *err)
{
	struct cpuset_task *ct = cs_task(s, path);

	*err = cs_setattr(s, ct, runtime_us, period_us);
	if (!*err)
		return ct;
	cpuset_task_exit(ct);
	return NULL;
}

int cs_dl_tasks(cpuset_scene *s, const char *path, int max, uint64_t runtime_us,
		uint64_t period_us, int *err)
{
	int nr = 0;

	*err = 0;
	while (nr < max && cs_dl_task(s, path, runtime_us, period_us, err))
		nr++;
	return nr;
}

void cs_b10(cpuset_scene *s, const char *path, int nr)
{
	int err;

	assert_int_equal(cs_dl_tasks(s, path, nr, 10000, 100000, &err), nr);
}

/* Questions */

uint64_t total_bw(const cpuset_scene *s, int cpu)
{
	return cpu_rq(s->m, cpu)->rd->dl_bw.total_bw;
}

void assert_cpus(const struct cpumask *mask, const char *list)
{
	g_autofree char *text = cpumask_to_list(mask);

	assert_string_equal(text, list);
}

void assert_file(const cpuset_scene *s, const char *path, const char *file,
		 const char *text)
{
	g_autofree char *found = cpuset_read(cs_find(s, path), file);

	assert_non_null(found);
	assert_string_equal(found, text);
}

/* Every CPU of the set is in one root domain, and no domain reaches beyond it. */
static void assert_is_one_domain(const cpuset_scene *s, const struct cpumask *cpus)
{
	const struct root_domain *rd = cpu_rq(s->m, cpumask_first(cpus))->rd;
	int cpu;

	assert_true(cpumask_equal(&rd->span, cpus));
	for_each_cpu (cpu, cpus) {
		const struct sched_domain *sd = cpu_rq(s->m, cpu)->sd;

		assert_ptr_equal(cpu_rq(s->m, cpu)->rd, rd);
		for (; sd; sd = sd->parent) {
			assert_true(cpumask_subset(&sd->span, cpus));
			if (!sd->parent)
				assert_true(cpumask_equal(&sd->span, cpus));
		}
	}
}

void assert_domains(const cpuset_scene *s, const char *sets)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < s->sys->doms_cur->len; i++) {
		const struct sched_dom *dom =
			&g_array_index(s->sys->doms_cur, struct sched_dom, i);
		g_autofree char *list = cpumask_to_list(&dom->cpus);

		g_string_append_printf(text, "%s%s", i ? " " : "", list);
		assert_is_one_domain(s, &dom->cpus);
	}
	assert_string_equal(text->str, sets);
}

void assert_alone(const cpuset_scene *s, int cpu)
{
	assert_ptr_equal(cpu_rq(s->m, cpu)->rd, &s->m->def_root_domain);
	assert_null(cpu_rq(s->m, cpu)->sd);
}
