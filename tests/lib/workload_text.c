/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload_text.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "test.h"
#include "workload/control.h"

static char *double_quotes(const char *json)
{
	return g_strdelimit(g_strdup(json), "'", '"');
}

struct workload_input workload_with(const char *json,
				    const struct workload_options *options)
{
	g_autofree char *text = double_quotes(json);
	g_autoptr(GError) error = NULL;
	struct workload_input in;

	if (!workload_read_text(text, strlen(text), "w.json", options, &in, &error))
		fail_msg("%s", error->message);
	return in;
}

struct workload_input workload_of(const char *json)
{
	return workload_with(json, NULL);
}

struct workload_input workload_of_task(const char *members)
{
	g_autofree char *json =
		g_strdup_printf("{'duration': '1s', 'tasks': {'t': {%s}}}", members);

	return workload_of(json);
}

void assert_workload_error(const char *json, int code, const char *message)
{
	g_autofree char *text = double_quotes(json);
	g_autofree char *whole = g_strconcat("w.json: ", message, NULL);
	GError *error = NULL;
	struct workload_input in;

	if (workload_read_text(text, strlen(text), "w.json", NULL, &in, &error)) {
		workload_input_clear(&in);
		fail_msg("expected \"%s\", got no error for %s", message, json);
	}
	assert_error(error, INPUT_ERROR, code, whole);
}

void assert_workload_warnings(const char *json, const char *warnings)
{
	struct workload_input in = workload_of(json);
	g_autofree char *all = NULL;

	g_ptr_array_add(in.workload->warnings, NULL);
	all = g_strjoinv("\n", (char **)in.workload->warnings->pdata);
	assert_string_equal(all, warnings);
	workload_input_clear(&in);
}

static const char *const names[] = {
	[STEP_RUN] = "run",
	[STEP_RUNTIME] = "runtime",
	[STEP_SLEEP] = "sleep",
	[STEP_TIMER] = "timer",
	[STEP_YIELD] = "yield",
	[STEP_MEM] = "mem",
	[STEP_IORUN] = "iorun",
	[STEP_LOCK] = "lock",
	[STEP_UNLOCK] = "unlock",
	[STEP_WAIT] = "wait",
	[STEP_SIGNAL] = "signal",
	[STEP_BROADCAST] = "broadcast",
	[STEP_SYNC] = "sync",
	[STEP_RECV] = "recv",
	[STEP_SEND] = "send",
	[STEP_REPLY] = "reply",
	[STEP_IF_REPLY] = "if_reply",
	[STEP_JUMP] = "jump",
	[STEP_LOOP] = "loop",
	[STEP_LOOP_END] = "loop_end",
	[STEP_SET_CPUS] = "cpus",
	[STEP_SET_SCHED] = "sched",
	[STEP_SET_CLAMPS] = "clamps",
	[STEP_SET_GROUP] = "group",
	[STEP_OPERATION] = "operation",
	[STEP_FORK] = "fork",
	[STEP_BARRIER] = "barrier",
	[STEP_BARRIER_LEAVE] = "leave",
	[STEP_EXIT] = "exit",
};

/* In us, as files have them. */
static void append_deadline(GString *out, const struct dl_setting *dl)
{
	g_string_append_printf(out,
			       " runtime %" G_GUINT64_FORMAT
			       " deadline %" G_GUINT64_FORMAT
			       " period %" G_GUINT64_FORMAT "%s",
			       (guint64)(dl->runtime_ns / NSEC_PER_USEC),
			       (guint64)(dl->deadline_ns / NSEC_PER_USEC),
			       (guint64)(dl->period_ns / NSEC_PER_USEC),
			       dl->reclaim ? " reclaim" : "");
}

static void append_amount(GString *out, const struct step *s)
{
	g_assert_cmpint(s->amount.kind, ==, DIST_FIXED);
	g_string_append_printf(out, " %" G_GUINT64_FORMAT, s->amount.a);
}

static void append_send(GString *out, const struct workload *w, const struct step *s)
{
	static const char *const selects[] = {"own", "round_robin", "random", "fixed"};

	g_string_append_printf(out, " %s %s", w->channels[s->object].name,
			       selects[s->select]);
	if (s->select == SELECT_FIXED)
		g_string_append_printf(out, " %d", s->index);
	if (s->count != 1)
		g_string_append_printf(out, " x%d", s->count);
	if (s->reply_to >= 0)
		g_string_append_printf(out, " back to %s",
				       w->channels[s->reply_to].name);
}

static void append_object(GString *out, const struct workload *w, const struct step *s)
{
	switch (s->op) {
	case STEP_SIGNAL:
	case STEP_BROADCAST:
		g_string_append_printf(out, " %s", w->conditions[s->object]);
		break;
	case STEP_WAIT:
	case STEP_SYNC:
		g_string_append_printf(out, " %s %s", w->conditions[s->object],
				       w->mutexes[s->object2]);
		break;
	case STEP_FORK:
		g_string_append_printf(out, " %s", w->tasks[s->object].name);
		break;
	case STEP_MEM:
	case STEP_IORUN:
		g_string_append_printf(out, " %d", s->count);
		break;
	case STEP_BARRIER:
		g_string_append_printf(out, " %s to %d", w->barriers[s->object].name,
				       s->target);
		break;
	case STEP_BARRIER_LEAVE:
		g_string_append_printf(out, " %s", w->barriers[s->object].name);
		break;
	case STEP_LOCK:
	case STEP_UNLOCK:
		g_string_append_printf(out, " %s", w->mutexes[s->object]);
		break;
	case STEP_TIMER:
		g_string_append_printf(out, " %d", s->object);
		break;
	case STEP_SET_GROUP:
		g_string_append_printf(out, " %s", w->control->paths[s->object]);
		break;
	case STEP_RECV:
		g_string_append_printf(out, " %s", w->channels[s->object].name);
		break;
	case STEP_SEND:
		append_send(out, w, s);
		break;
	default:
		break;
	}
}

static void append_rest(GString *out, const struct step *s)
{
	g_autofree char *cpus = NULL;

	switch (s->op) {
	case STEP_RUN:
	case STEP_RUNTIME:
	case STEP_SLEEP:
	case STEP_TIMER:
	case STEP_RECV:
		append_amount(out, s);
		break;
	case STEP_LOOP:
		g_string_append_printf(out, " %d to %d", s->count, s->target);
		break;
	case STEP_LOOP_END:
	case STEP_JUMP:
	case STEP_IF_REPLY:
		g_string_append_printf(out, " %d", s->target);
		break;
	case STEP_SET_CPUS:
		cpus = cpumask_to_list(&s->cpus);
		g_string_append_printf(out, " %s", cpus);
		break;
	case STEP_SET_SCHED:
		g_string_append_printf(out, " %d %d", s->policy, s->nice);
		if (s->policy == POLICY_DEADLINE)
			append_deadline(out, &s->dl);
		if (s->rt_priority)
			g_string_append_printf(out, " priority %u", s->rt_priority);
		break;
	case STEP_SET_CLAMPS:
		if (s->clamps.set_min)
			g_string_append_printf(out, " min %d", s->clamps.util_min);
		if (s->clamps.set_max)
			g_string_append_printf(out, " max %d", s->clamps.util_max);
		break;
	default:
		break;
	}
	if (s->flag)
		g_string_append(out, s->op == STEP_TIMER ? " absolute" : " sync");
}

void assert_program(const struct workload_input *in, int task, const char *steps)
{
	const struct program *p = &in->workload->tasks[task].program;
	g_autoptr(GString) out = g_string_new(NULL);

	for (int i = 0; i < p->nr_steps; i++) {
		const struct step *s = &p->steps[i];

		g_string_append_printf(out, "%s%s", i ? "\n" : "", names[s->op]);
		append_object(out, in->workload, s);
		append_rest(out, s);
	}
	assert_string_equal(out->str, steps);
}
