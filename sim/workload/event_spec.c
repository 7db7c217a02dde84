/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt-app's events with rt-app's meaning: what takes time, what synchronises.
 *
 * source: rt-app, doc/tutorial.txt; parse_thread_event_data() and run_event() of
 * rt-app 1.0 and later
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

/* The name under @key; rt-app has one for where it is missing. */
static bool read_ref(const struct node *n, const char *key, const char *what,
		     const char **out, GError **error)
{
	struct node ref = node_get(n, key);

	*out = "unknown";
	if (ref.json)
		return read_name(&ref, what, out, error);
	node_warn(n, "\"%s\" is missing: taken for \"unknown\", as rt-app does", key);
	return true;
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
	struct node period, mode;
	const char *name;
	int timer, choice = 0;

	if (!node_has_only(n, keys, error))
		return false;
	period = node_get(n, "period");
	mode = node_get(n, "mode");
	if (!period.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"period\"");
	if (!read_ref(n, "ref", "a timer's name", &name, error) ||
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

static struct step *add_mutex_step(struct task_reading *t, enum step_op op,
				   const struct node *n, const char *mutex)
{
	struct step *step = step_add(t, op, n);

	step->object = name_table_index(&t->r->mutexes, mutex);
	return step;
}

static struct step *add_wait(struct task_reading *t, enum step_op op,
			     const struct node *n, const char *condition,
			     const char *mutex)
{
	struct step *step = step_add(t, op, n);

	step->object = name_table_index(&t->r->conditions, condition);
	step->object2 = name_table_index(&t->r->mutexes, mutex);
	return step;
}

/*
 * The condition and the mutex of that name, which "wait" and "lock" may use as well.
 * An empty name is the task's own, as workgen fills it in.
 */
static bool read_suspend(struct task_reading *t, const struct node *n, GError **error)
{
	const char *name;

	if (!read_string(n, &name, error))
		return false;
	if (!*name)
		name = t->name;
	add_mutex_step(t, STEP_LOCK, n, name);
	add_wait(t, STEP_WAIT, n, name, name);
	add_mutex_step(t, STEP_UNLOCK, n, name);
	return true;
}

static bool read_resume(struct task_reading *t, const struct node *n, GError **error)
{
	const char *name;

	if (!read_name(n, "a task's name", &name, error))
		return false;
	add_mutex_step(t, STEP_LOCK, n, name);
	step_add(t, STEP_BROADCAST, n)->object =
		name_table_index(&t->r->conditions, name);
	add_mutex_step(t, STEP_UNLOCK, n, name);
	return true;
}

/* Each instance that an event is for is one that the others wait for. */
static int barrier_index(struct task_reading *t, const char *name)
{
	int index = name_table_index(&t->r->barriers, name), none = 0;

	if (index >= (int)t->r->barrier_users->len)
		g_array_append_val(t->r->barrier_users, none);
	g_array_index(t->r->barrier_users, int, index) += t->instances;
	return index;
}

/*
 * A counter under a mutex: who finds that all others wait wakes them, others wait.
 * The names of both hold a character that no name of a file has.
 */
static bool read_barrier(struct task_reading *t, const struct node *n, GError **error)
{
	g_autofree char *own = NULL;
	const char *name;
	int barrier, enter;

	if (!read_name(n, "a barrier's name", &name, error))
		return false;
	own = g_strconcat("barrier\001", name, NULL);
	barrier = barrier_index(t, name);
	add_mutex_step(t, STEP_LOCK, n, own);
	step_add(t, STEP_BARRIER, n)->object = barrier;
	enter = t->steps->len - 1;
	step_add(t, STEP_BROADCAST, n)->object =
		name_table_index(&t->r->conditions, own);
	step_add(t, STEP_JUMP, n)->target = enter + 5;
	g_array_index(t->steps, struct step, enter).target = t->steps->len;
	add_wait(t, STEP_WAIT, n, own, own);
	step_add(t, STEP_BARRIER_LEAVE, n)->object = barrier;
	add_mutex_step(t, STEP_UNLOCK, n, own);
	return true;
}

/* Of a task that may follow: tasks_read() makes its index of the name's. */
static bool read_fork(struct task_reading *t, const struct node *n, GError **error)
{
	const char *name;

	if (!read_name(n, "a task's name", &name, error))
		return false;
	step_add(t, STEP_FORK, n)->object = name_table_index(&t->r->forks, name);
	return true;
}

static bool read_bytes(struct task_reading *t, enum step_op op, const struct node *n,
		       GError **error)
{
	int64_t bytes;

	if (!read_int(n, 0, G_MAXINT32, &bytes, error))
		return false;
	step_add(t, op, n)->count = (int)bytes;
	return true;
}

static bool read_mem(struct task_reading *t, const struct node *n, GError **error)
{
	return read_bytes(t, STEP_MEM, n, error);
}

static bool read_iorun(struct task_reading *t, const struct node *n, GError **error)
{
	return read_bytes(t, STEP_IORUN, n, error);
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
	add_mutex_step(t, op, n, name);
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
	const char *condition, *mutex;

	if (!node_has_only(n, keys, error) ||
	    !read_ref(n, "ref", "a condition's name", &condition, error) ||
	    !read_ref(n, "mutex", "a mutex's name", &mutex, error))
		return false;
	add_wait(t, op, n, condition, mutex);
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
	event_reader read;
} events[] = {
	{"runtime", read_runtime}, {"run", read_run},       {"sleep", read_sleep},
	{"timer", read_timer},     {"yield", read_yield},   {"suspend", read_suspend},
	{"resume", read_resume},   {"lock", read_lock},     {"unlock", read_unlock},
	{"wait", read_wait},       {"signal", read_signal}, {"broad", read_broad},
	{"sync", read_sync},       {"recv", read_recv},     {"send", read_send},
	{"reply", read_reply},     {"mem", read_mem},       {"iorun", read_iorun},
	{"barrier", read_barrier}, {"fork", read_fork},
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
	if (!strcmp(n->json->string, "lock_order") && cJSON_IsArray(n->json))
		return node_expected(n,
				     "a mutex's name, as today's rt-app does, not the "
				     "list of rt-app of before 2015",
				     error);
	return events[event].read(t, n, error);
}
