/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Phases with rt-app's rules: a task's "loop" counts all its phases and is endless by
 * default, a phase's is 1 by default; a phase's "cpus" hold for that phase, its policy
 * until another phase changes it.
 *
 * source: rt-app, doc/tutorial.txt, and what its thread_body() does
 */
#include "workload/task_program.h"

#include "schedsim/error.h"
#include "workload/cgroup_spec.h"
#include "workload/policy_spec.h"
#include "workload/program_check.h"
#include "workload/read.h"
#include "workload/task_keys.h"

#define LOOPS_MAX G_MAXINT32
#define FOR_EVER (-1)

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

/* They hold until another phase changes them. */
static bool read_phase_clamps(struct task_reading *t, const struct node *n,
			      const struct sched_setting *now, GError **error)
{
	struct node min = node_get(n, "util_min"), max = node_get(n, "util_max");
	struct clamp_setting clamps;

	if (!clamps_read(n, now->policy, &clamps, error))
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

static bool read_phase(struct task_reading *t, const struct node *n,
		       const struct task_spec *spec, bool set_cpus,
		       struct sched_setting *now, GError **error)
{
	int loop = 1, begin;

	if (!phase_keys_check(n, error) || !nodes_check(t->r, n, error) ||
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
	if (!phases_hold_all_events(n, spec->policy, error) ||
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

bool task_program_read(struct task_reading *t, const struct node *n,
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
