/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt-app's events with rt-app's meaning: what takes time, what synchronises.
 *
 * source: rt-app, doc/tutorial.txt
 */
#include "workload/event_spec.h"

#include "schedsim/error.h"
#include "workload/message_spec.h"
#include "workload/read.h"

#include <string.h>

typedef bool (*event_reader)(struct task_reading *t, const struct node *n,
			     GError **error);

struct step *step_add(struct task_reading *t, enum step_op op, const struct node *n)
{
	struct step step = {.op = op,
			    .object = -1,
			    .object2 = -1,
			    .reply_to = -1,
			    .count = 1,
			    .begins_turn = t->begins_turn,
			    .ends_turn = t->ends_turn,
			    .place = node_path(n)};

	t->begins_turn = t->ends_turn = false;
	g_array_append_val(t->steps, step);
	return &g_array_index(t->steps, struct step, t->steps->len - 1);
}

static bool read_amount(struct task_reading *t, enum step_op op, const struct node *n,
			GError **error)
{
	struct dist amount;

	if (!read_time_dist(n, BARE_US, &amount, error))
		return false;
	step_add(t, op, n)->amount = amount;
	return true;
}

static bool read_run(struct task_reading *t, const struct node *n, GError **error)
{
	return read_amount(t, STEP_RUN, n, error);
}

static bool read_runtime(struct task_reading *t, const struct node *n, GError **error)
{
	return read_amount(t, STEP_RUNTIME, n, error);
}

static bool read_sleep(struct task_reading *t, const struct node *n, GError **error)
{
	return read_amount(t, STEP_SLEEP, n, error);
}

/* A name that starts with "unique" means one timer per thread, which two tasks do
 * not share either. */
static int timer_index(struct task_reading *t, const char *ref)
{
	bool unique = g_str_has_prefix(ref, "unique");
	g_autofree char *key = g_strconcat(unique ? t->name : "", "\n", ref, NULL);
	int index = name_table_index(&t->r->timers, key);
	struct timer_spec spec = {.unique = unique};
	bool absolute = false;

	if (index < (int)t->r->timer_specs->len)
		return index;
	spec.name = g_strdup(ref);
	g_array_append_val(t->r->timer_specs, spec);
	g_array_append_val(t->r->timer_absolute, absolute);
	/* cppcheck-suppress memleak; the array took it */
	return index;
}

static bool read_timer(struct task_reading *t, const struct node *n, GError **error)
{
	static const char *const keys[] = {"ref", "period", "mode", NULL};
	static const char *const modes[] = {"relative", "absolute", NULL};
	struct node ref, period, mode;
	const char *name;
	int timer, choice = 0;

	if (!node_has_only(n, keys, error))
		return false;
	ref = node_get(n, "ref");
	period = node_get(n, "period");
	mode = node_get(n, "mode");
	if (!ref.json || !period.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the keys \"ref\" and \"period\"");
	if (!read_name(&ref, "a timer's name", &name, error) ||
	    (mode.json && !read_choice(&mode, modes, &choice, error)) ||
	    !read_amount(t, STEP_TIMER, &period, error))
		return false;
	timer = timer_index(t, name);
	if (choice)
		g_array_index(t->r->timer_absolute, bool, timer) = true;
	g_array_index(t->steps, struct step, t->steps->len - 1).object = timer;
	return true;
}

static bool read_yield(struct task_reading *t, const struct node *n, GError **error)
{
	if (cJSON_IsObject(n->json) || cJSON_IsArray(n->json))
		return node_expected(n, "\"\"", error);
	step_add(t, STEP_YIELD, n);
	return true;
}

static bool read_condition(struct task_reading *t, enum step_op op,
			   const struct node *n, GError **error)
{
	const char *name;

	if (!read_name(n, "a condition's name", &name, error))
		return false;
	step_add(t, op, n)->object = name_table_index(&t->r->conditions, name);
	return true;
}

/* An empty name is the task's own, as workgen fills it in. */
static bool read_suspend(struct task_reading *t, const struct node *n, GError **error)
{
	const char *name;

	if (!read_string(n, &name, error))
		return false;
	step_add(t, STEP_SUSPEND, n)->object =
		name_table_index(&t->r->conditions, *name ? name : t->name);
	return true;
}

static bool read_resume(struct task_reading *t, const struct node *n, GError **error)
{
	const char *name;

	if (!read_name(n, "a task's name", &name, error))
		return false;
	step_add(t, STEP_RESUME, n)->object = name_table_index(&t->r->conditions, name);
	return true;
}

static bool read_signal(struct task_reading *t, const struct node *n, GError **error)
{
	return read_condition(t, STEP_SIGNAL, n, error);
}

static bool read_broad(struct task_reading *t, const struct node *n, GError **error)
{
	return read_condition(t, STEP_BROADCAST, n, error);
}

static bool read_mutex(struct task_reading *t, enum step_op op, const struct node *n,
		       GError **error)
{
	const char *name;

	if (!read_name(n, "a mutex's name", &name, error))
		return false;
	step_add(t, op, n)->object = name_table_index(&t->r->mutexes, name);
	return true;
}

static bool read_lock(struct task_reading *t, const struct node *n, GError **error)
{
	return read_mutex(t, STEP_LOCK, n, error);
}

static bool read_unlock(struct task_reading *t, const struct node *n, GError **error)
{
	return read_mutex(t, STEP_UNLOCK, n, error);
}

static bool read_waiting(struct task_reading *t, enum step_op op, const struct node *n,
			 GError **error)
{
	static const char *const keys[] = {"ref", "mutex", NULL};
	struct node ref, mutex;
	const char *condition_name, *mutex_name;
	struct step *step;

	if (!node_has_only(n, keys, error))
		return false;
	ref = node_get(n, "ref");
	mutex = node_get(n, "mutex");
	if (!ref.json || !mutex.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the keys \"ref\" and \"mutex\"");
	if (!read_name(&ref, "a condition's name", &condition_name, error) ||
	    !read_name(&mutex, "a mutex's name", &mutex_name, error))
		return false;
	step = step_add(t, op, n);
	step->object = name_table_index(&t->r->conditions, condition_name);
	step->object2 = name_table_index(&t->r->mutexes, mutex_name);
	return true;
}

static bool read_wait(struct task_reading *t, const struct node *n, GError **error)
{
	return read_waiting(t, STEP_WAIT, n, error);
}

static bool read_sync(struct task_reading *t, const struct node *n, GError **error)
{
	return read_waiting(t, STEP_SYNC, n, error);
}

/* A name that starts another one stands after it. */
static const struct {
	const char *name;
	event_reader read; /* NULL: not simulated yet */
} events[] = {
	{"runtime", read_runtime}, {"run", read_run},       {"sleep", read_sleep},
	{"timer", read_timer},     {"yield", read_yield},   {"suspend", read_suspend},
	{"resume", read_resume},   {"lock", read_lock},     {"unlock", read_unlock},
	{"wait", read_wait},       {"signal", read_signal}, {"broad", read_broad},
	{"sync", read_sync},       {"recv", read_recv},     {"send", read_send},
	{"reply", read_reply},     {"mem", NULL},           {"iorun", NULL},
	{"barrier", NULL},         {"fork", NULL},
};

const char *const *event_names(void)
{
	static const char *const names[] = {
		"runtime", "run",    "sleep", "timer",  "yield",   "suspend", "resume",
		"lock",    "unlock", "wait",  "signal", "broad",   "sync",    "recv",
		"send",    "reply",  "mem",   "iorun",  "barrier", "fork",    NULL};

	G_STATIC_ASSERT(G_N_ELEMENTS(names) == G_N_ELEMENTS(events) + 1);
	return names;
}

static int event_find(const char *key)
{
	for (gsize i = 0; i < G_N_ELEMENTS(events); i++)
		if (g_str_has_prefix(key, events[i].name))
			return i;
	return -1;
}

bool key_is_event(const char *key)
{
	return event_find(key) >= 0;
}

bool event_read(struct task_reading *t, const struct node *n, GError **error)
{
	int event = event_find(n->json->string);
	const char *suffix = n->json->string + strlen(events[event].name);

	/* workgen appends digits; a word is more often a mistake */
	if (g_ascii_isalpha(*suffix))
		node_warn(
			n,
			"taken for \"%s\", as rt-app does with any key that starts so",
			events[event].name);
	if (!events[event].read) {
		g_autofree char *what = g_strdup_printf("\"%s\"", events[event].name);

		return node_unsupported(n, what, error);
	}
	return events[event].read(t, n, error);
}
