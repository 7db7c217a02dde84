/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks and phases with rt-app's rules: a task's "loop" counts all its phases
 * and is endless by default, a phase's is 1 by default; a phase's "cpus" hold
 * for that phase, its policy until another phase changes it.
 *
 * source: rt-app, doc/tutorial.txt, and what its thread_body() does
 */
#include "workload/task_spec.h"

#include "schedsim/error.h"
#include "workload/cgroup_spec.h"
#include "workload/event_spec.h"
#include "workload/policy_spec.h"
#include "workload/program_check.h"
#include "workload/read.h"

#include <string.h>

#define LOOPS_MAX G_MAXINT32
#define FOR_EVER (-1)
#define FLIPS_MAX 1000000

static const char *const task_keys[] = {
	"instance",    "policy",      "priority",    "cpus",      "delay",
	"loop",        "dl-runtime",  "dl-deadline", "dl-period", "dl-reclaim",
	"short_below", "wakee_flips", "cgroup",      "taskgroup", "nodes_membind",
	"util_min",    "util_max",    NULL};
static const char *const phase_keys[] = {
	"loop",        "policy",    "priority",   "cpus",      "dl-runtime",
	"dl-deadline", "dl-period", "dl-reclaim", "taskgroup", "nodes_membind",
	"util_min",    "util_max",  NULL};
/* Of older versions of rt-app; today's does not look at them in a fair task. */
static const char *const ignored_keys[] = {"exec", "period", "deadline", "resources",
					   NULL};

/* Names @known and every event, for the nearest one. */
static bool unknown_key(const struct node *member, const char *const *known,
			GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (; *known; known++)
		g_ptr_array_add(all, (gpointer)*known);
	for (known = event_names(); *known; known++)
		g_ptr_array_add(all, (gpointer)*known);
	g_ptr_array_add(all, NULL);
	return node_unknown_key(member, (const char *const *)all->pdata, error);
}

/* Whether @member may stand in a task or phase whose keys are @known. */
static bool check_key(const struct node *member, const char *const *known,
		      GError **error)
{
	const char *key = member->json->string;

	if (g_strv_contains(known, key))
		return node_is_first(member, error);
	if (key_is_event(key))
		return true;
	if (!g_strv_contains(ignored_keys, key))
		return unknown_key(member, known, error);
	node_warn(member, "ignored, as rt-app does");
	return true;
}

/* Memory has no place: the nodes need only be there. */
static bool check_nodes(const struct reading *r, const struct node *n, GError **error)
{
	struct node nodes = node_get(n, "nodes_membind"), child;
	int64_t node;

	if (!nodes.json)
		return true;
	if (!cJSON_IsArray(nodes.json))
		return node_expected(&nodes, "an array of nodes", error);
	node_for_each(child, &nodes)
	{
		if (!read_int(&child, 0, r->topo->nr_nodes - 1, &node, error))
			return false;
	}
	node_warn(&nodes, "without meaning here, as memory has no place");
	return true;
}

static bool read_loop(const struct node *n, int fallback, int *out, GError **error)
{
	struct node loop = node_get(n, "loop");
	int64_t count = fallback;

	if (loop.json && !read_int(&loop, FOR_EVER, LOOPS_MAX, &count, error))
		return false;
	if (!count)
		return node_fail(&loop, INPUT_ERROR_VALUE, error,
				 "expected -1 (for ever) or at least 1, got 0");
	*out = count;
	return true;
}

/* Index of the step, or -1 where no loop is needed. */
static int loop_begin(struct task_reading *t, const struct node *n, int count)
{
	if (count == 1)
		return -1;
	step_add(t, STEP_LOOP, n)->count = count;
	return t->steps->len - 1;
}

static bool loop_end(struct task_reading *t, const struct node *n, int begin,
		     GError **error)
{
	struct step *steps = (struct step *)t->steps->data;

	if (begin < 0)
		return true;
	if (steps[begin].count == FOR_EVER &&
	    !steps_can_take_time(steps + begin, t->steps->len - begin))
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected an endless loop that runs, sleeps or waits, "
				 "got one that never lets time pass");
	step_add(t, STEP_LOOP_END, n)->target = begin;
	g_array_index(t->steps, struct step, begin).target = t->steps->len - 1;
	return true;
}

/* A file that says what its threads do in the words of 2010 deserves to be told. */
static bool no_events(const struct node *n, GError **error)
{
	bool old = node_get(n, "exec").json || node_get(n, "lock_order").json;

	return node_fail(
		n, INPUT_ERROR_VALUE, error, "expected at least one event, got none%s",
		old ? ": \"exec\", \"period\" and \"lock_order\" are of rt-app "
		      "of before 2015; today's has \"run\", \"timer\" and "
		      "\"lock\""
		    : "");
}

static bool read_events(struct task_reading *t, const struct node *n, GError **error)
{
	struct node child;
	bool any = false;

	t->begins_turn = true;
	node_for_each(child, n)
	{
		if (!key_is_event(child.json->string))
			continue;
		any = true;
		if (!event_read(t, &child, error))
			return false;
	}
	t->ends_turn = true;
	return any || no_events(n, error);
}

/* A phase without "cpus" runs on the task's. */
static bool read_phase_cpus(struct task_reading *t, const struct node *n,
			    const struct task_spec *spec, GError **error)
{
	struct node cpus = node_get(n, "cpus");
	struct cpumask mask = spec->cpus;

	if (cpus.json && !read_cpus(&cpus, t->r->nr_cpus, &mask, error))
		return false;
	if (cpumask_empty(&mask))
		mask = cpumask_first_n(t->r->nr_cpus);
	step_add(t, STEP_SET_CPUS, cpus.json ? &cpus : n)->cpus = mask;
	return true;
}

/* @place: what its message names when the kernel refuses the figures. */
static void add_deadline(struct task_reading *t, const struct node *place,
			 const struct dl_setting *dl)
{
	struct step *step = step_add(t, STEP_SET_SCHED, place);

	step->policy = POLICY_DEADLINE;
	step->dl = *dl;
}

/* The first of these that is there, or @n. */
static struct node deadline_place(const struct node *n)
{
	struct node runtime = node_get(n, "dl-runtime"), policy = node_get(n, "policy");

	return runtime.json ? runtime : policy.json ? policy : *n;
}

/* A phase of a deadline task gives all its figures, or those it leaves out are 0. */
static bool read_phase_deadline(struct task_reading *t, const struct node *n,
				GError **error)
{
	struct node place = deadline_place(n);
	struct dl_setting dl;

	if (!dl_setting_read(n, false, &dl, error))
		return false;
	add_deadline(t, &place, &dl);
	return true;
}

/* @now is what holds before the phase and afterwards what holds in it. */
static bool read_phase_policy(struct task_reading *t, const struct node *n,
			      struct sched_setting *now, GError **error)
{
	struct node policy = node_get(n, "policy");
	struct node priority = node_get(n, "priority");
	struct step *step;

	if (!policy.json && !priority.json && !dl_keys_any(n))
		return true;
	if (policy.json) {
		if (!policy_read(&policy, &now->policy, error))
			return false;
		*now = sched_setting_default(now->policy);
	}
	if (priority.json && !priority_read(&priority, now, error))
		return false;
	if (now->policy == POLICY_DEADLINE)
		return read_phase_deadline(t, n, error);
	dl_keys_warn(n);
	if (!policy.json && !priority.json)
		return true;
	step = step_add(t, STEP_SET_SCHED, policy.json ? &policy : &priority);
	step->policy = now->policy;
	step->nice = now->nice;
	step->rt_priority = now->rt_priority;
	return true;
}

/* rt-app sets none for a deadline task. */
static bool read_clamps(const struct node *n, enum sched_policy policy,
			struct clamp_setting *out, GError **error)
{
	struct node min = node_get(n, "util_min"), max = node_get(n, "util_max");

	if (!clamps_read(n, out, error))
		return false;
	if (policy != POLICY_DEADLINE)
		return true;
	if (min.json)
		node_warn(&min, "ignored, as rt-app does for SCHED_DEADLINE");
	if (max.json)
		node_warn(&max, "ignored, as rt-app does for SCHED_DEADLINE");
	*out = (struct clamp_setting){0};
	return true;
}

/* They hold until another phase changes them. */
static bool read_phase_clamps(struct task_reading *t, const struct node *n,
			      const struct sched_setting *now, GError **error)
{
	struct node min = node_get(n, "util_min"), max = node_get(n, "util_max");
	struct clamp_setting clamps;

	if (!read_clamps(n, now->policy, &clamps, error))
		return false;
	if (clamps.set_min || clamps.set_max)
		step_add(t, STEP_SET_CLAMPS, clamps.set_min ? &min : &max)->clamps =
			clamps;
	return true;
}

/* It holds until another phase changes it. */
static bool read_phase_group(struct task_reading *t, const struct node *n,
			     GError **error)
{
	struct node group = node_get(n, "taskgroup");
	int index = -1;

	if (group.json && !taskgroup_read(t->r, &group, &index, error))
		return false;
	if (index >= 0)
		step_add(t, STEP_SET_GROUP, &group)->object = index;
	return true;
}

static bool check_phase_keys(const struct node *n, GError **error)
{
	struct node child;

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object of events", error);
	node_for_each(child, n)
	{
		if (!strcmp(child.json->string, "delay"))
			return node_fail(&child, INPUT_ERROR_VALUE, error,
					 "expected \"sleep\" in a phase, for \"delay\" "
					 "is a task's key");
		if (g_strv_contains(task_keys, child.json->string) &&
		    !g_strv_contains(phase_keys, child.json->string))
			return node_fail(&child, INPUT_ERROR_VALUE, error,
					 "expected a phase's key, got a task's");
		if (!check_key(&child, phase_keys, error))
			return false;
	}
	return true;
}

static bool read_phase(struct task_reading *t, const struct node *n,
		       const struct task_spec *spec, bool set_cpus,
		       struct sched_setting *now, GError **error)
{
	int loop = 1, begin;

	if (!check_phase_keys(n, error) || !check_nodes(t->r, n, error) ||
	    !read_loop(n, 1, &loop, error) ||
	    (set_cpus && !read_phase_cpus(t, n, spec, error)) ||
	    !read_phase_policy(t, n, now, error) ||
	    !read_phase_clamps(t, n, now, error) || !read_phase_group(t, n, error))
		return false;
	begin = loop_begin(t, n, loop);
	return read_events(t, n, error) && loop_end(t, n, begin, error);
}

static bool any_phase_has_cpus(const struct node *phases)
{
	struct node child;

	node_for_each(child, phases) if (cJSON_IsObject(child.json) &&
					 node_get(&child, "cpus").json) return true;
	return false;
}

/*
 * Older names of a deadline task's figures.  In other tasks they mean nothing, but for
 * "runtime", which is an event.
 */
static bool is_legacy_deadline_key(const char *key, enum sched_policy policy)
{
	return policy == POLICY_DEADLINE &&
	       (!strcmp(key, "runtime") || !strcmp(key, "period") ||
		!strcmp(key, "deadline"));
}

static bool check_no_events(const struct node *n, enum sched_policy policy,
			    GError **error)
{
	struct node child;

	node_for_each(child, n)
	{
		const char *key = child.json->string;

		if (key_is_event(key) && !is_legacy_deadline_key(key, policy))
			return node_fail(&child, INPUT_ERROR_VALUE, error,
					 "expected events inside \"phases\" only, got "
					 "one beside it");
	}
	return true;
}

static bool read_phases(struct task_reading *t, const struct node *n,
			const struct node *phases, const struct task_spec *spec,
			GError **error)
{
	struct sched_setting now = {spec->policy, spec->nice, spec->rt_priority};
	struct node phase;
	bool set_cpus;
	int loop = 1, begin;

	if (!cJSON_IsObject(phases->json) || !phases->json->child)
		return node_expected(phases, "an object of at least one phase", error);
	set_cpus = any_phase_has_cpus(phases);
	if (!check_no_events(n, spec->policy, error) ||
	    !read_loop(n, FOR_EVER, &loop, error))
		return false;
	begin = loop_begin(t, n, loop);
	node_for_each(phase, phases) if (!read_phase(t, &phase, spec, set_cpus, &now,
						     error)) return false;
	return loop_end(t, n, begin, error);
}

static bool read_single_phase(struct task_reading *t, const struct node *n,
			      GError **error)
{
	int loop = 1, begin;

	if (!read_loop(n, FOR_EVER, &loop, error))
		return false;
	begin = loop_begin(t, n, loop);
	return read_events(t, n, error) && loop_end(t, n, begin, error);
}

/*
 * A deadline task begins as an ordinary one on every CPU, as what creates it is; after
 * its delay it asks for its reservation, and then for its own CPUs.
 */
static bool begin_as_deadline(struct task_reading *t, const struct node *n,
			      const struct task_spec *spec, GError **error)
{
	struct node phases = node_get(n, "phases"), cpus = node_get(n, "cpus");
	struct node place = deadline_place(n);
	struct dl_setting dl;

	if (!dl_setting_read(n, true, &dl, error))
		return false;
	add_deadline(t, &place, &dl);
	if (cpus.json && !(cJSON_IsObject(phases.json) && any_phase_has_cpus(&phases)))
		step_add(t, STEP_SET_CPUS, &cpus)->cpus = spec->cpus;
	return true;
}

static bool read_all_phases(struct task_reading *t, const struct node *n,
			    const struct task_spec *spec, GError **error)
{
	struct node phases = node_get(n, "phases");

	return phases.json ? read_phases(t, n, &phases, spec, error)
			   : read_single_phase(t, n, error);
}

static bool read_program(struct task_reading *t, const struct node *n,
			 struct task_spec *spec, GError **error)
{
	bool is_deadline = spec->policy == POLICY_DEADLINE;
	bool done = (!is_deadline || begin_as_deadline(t, n, spec, error)) &&
		    read_all_phases(t, n, spec, error);

	spec->asks_for_deadline = is_deadline;
	if (is_deadline) {
		spec->policy = POLICY_NORMAL;
		spec->cpus = cpumask_none();
	} else {
		dl_keys_warn(n);
	}

	if (done)
		step_add(t, STEP_EXIT, n);
	spec->program.nr_steps = t->steps->len;
	spec->program.steps = (struct step *)g_array_free(t->steps, FALSE);
	return done;
}

static bool read_sched(const struct reading *r, const struct node *n,
		       struct task_spec *spec, GError **error)
{
	struct node policy = node_get(n, "policy");
	struct node priority = node_get(n, "priority");
	struct sched_setting s;

	spec->policy = r->default_policy;
	if (policy.json && !policy_read(&policy, &spec->policy, error))
		return false;
	s = sched_setting_default(spec->policy);
	if (priority.json && !priority_read(&priority, &s, error))
		return false;
	spec->nice = s.nice;
	spec->rt_priority = s.rt_priority;
	return true;
}

bool instances_read(struct reading *r, const struct node *n, int *instances,
		    GError **error)
{
	struct node instance = node_get(n, "instance");
	int64_t count = 1;

	if (instance.json && !read_int(&instance, 0, THREADS_MAX, &count, error))
		return false;
	*instances = (int)count;
	r->nr_threads += (int)count;
	if (r->nr_threads <= THREADS_MAX)
		return true;
	return node_fail(n, INPUT_ERROR_VALUE, error,
			 "expected at most %d threads in all, got %d", THREADS_MAX,
			 r->nr_threads);
}

static bool read_flips(const struct node *n, struct task_spec *spec, GError **error)
{
	struct node flips = node_get(n, "wakee_flips");
	int64_t count = 0;

	if (flips.json && !read_int(&flips, 0, FLIPS_MAX, &count, error))
		return false;
	spec->wakee_flips = (unsigned)count;
	return true;
}

static bool read_settings(struct reading *r, const struct node *n,
			  struct task_spec *spec, GError **error)
{
	struct node delay = node_get(n, "delay");
	struct node cpus = node_get(n, "cpus");
	struct node short_below = node_get(n, "short_below");

	return instances_read(r, n, &spec->instances, error) &&
	       check_nodes(r, n, error) &&
	       (!cpus.json || read_cpus(&cpus, r->nr_cpus, &spec->cpus, error)) &&
	       (!delay.json || read_time(&delay, BARE_US, &spec->delay_ns, error)) &&
	       (!short_below.json ||
		read_time(&short_below, BARE_NONE, &spec->short_below_ns, error)) &&
	       read_flips(n, spec, error) &&
	       read_clamps(n, spec->policy, &spec->clamps, error) &&
	       task_cgroup_read(r, n, &spec->cgroup, error);
}

static bool check_task_key(const struct node *member, enum sched_policy policy,
			   GError **error)
{
	const char *key = member->json->string;

	if (!strcmp(key, "phases") ||
	    (is_legacy_deadline_key(key, policy) && !key_is_event(key)))
		return node_is_first(member, error);
	return check_key(member, task_keys, error);
}

static bool check_task_keys(const struct node *n, enum sched_policy policy,
			    GError **error)
{
	struct node child;

	node_for_each(child,
		      n) if (!check_task_key(&child, policy, error)) return false;
	return true;
}

static bool task_read(struct reading *r, const struct node *n, struct task_spec *spec,
		      GError **error)
{
	struct task_reading t = {.r = r, .name = n->json->string};

	spec->name = g_strdup(n->json->string);
	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object", error);
	if (!*n->json->string)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected a task's name, got \"\"");
	if (!node_is_first(n, error) || !read_sched(r, n, spec, error) ||
	    !check_task_keys(n, spec->policy, error) ||
	    !read_settings(r, n, spec, error))
		return false;
	t.instances = spec->instances;
	t.steps = g_array_new(FALSE, TRUE, sizeof(struct step));
	return read_program(&t, n, spec, error);
}

static int find_task(const workload *w, const char *name)
{
	for (int i = 0; i < w->nr_tasks; i++)
		if (!strcmp(w->tasks[i].name, name))
			return i;
	return -1;
}

/* Forks name tasks, which are all known now. */
static bool settle_fork(struct reading *r, struct step *step, GError **error)
{
	const char *name = g_ptr_array_index(r->forks.names, step->object);

	step->object = find_task(r->w, name);
	if (step->object < 0) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "%s: expected a task of the file, got \"%s\"", step->place,
			    name);
		return false;
	}
	r->w->tasks[step->object].is_forked = true;
	return true;
}

static bool settle_forks(struct reading *r, GError **error)
{
	for (int i = 0; i < r->w->nr_tasks; i++) {
		const struct program *p = &r->w->tasks[i].program;

		for (int k = 0; k < p->nr_steps; k++)
			if (p->steps[k].op == STEP_FORK &&
			    !settle_fork(r, &p->steps[k], error))
				return false;
	}
	return true;
}

bool tasks_read(struct reading *r, const struct node *n, GError **error)
{
	struct node child;

	if (!cJSON_IsObject(n->json) || !n->json->child)
		return node_expected(n, "an object of at least one task", error);
	r->w->tasks = g_new0(struct task_spec, cJSON_GetArraySize(n->json));
	node_for_each(child,
		      n) if (!task_read(r, &child, &r->w->tasks[r->w->nr_tasks++],
					error)) return false;
	return settle_forks(r, error);
}
