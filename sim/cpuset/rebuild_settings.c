/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a rebuild policy as the command line names it: a name, and what of its table
 * is to be different.
 */
#include "cpuset/rebuild_policy.h"

#include "base/nearest.h"
#include "schedsim/error.h"

#include <string.h>

/* A row's totals are set by the caller's name and this. */
#define TOTALS_SUFFIX ".totals"

#define WORDS_MAX 5

/* Ends with NULL; the place is the value. */
typedef const char *words[WORDS_MAX + 1];

/* In the order of enum rebuild_caller. */
#define CALLERS(X)                                                                     \
	X("cpus", "walk after a write to cpuset.cpus")                                 \
	X("flags", "walk after one to cpuset.sched_load_balance, or rmdir in v1")      \
	X("partition", "walk after one to cpuset.cpus.partition, or rmdir in v2")      \
	X("relax", "walk after one to cpuset.sched_relax_domain_level")                \
	X("governor", "walk after a governor took up the energy model or left it")     \
	X("topology", "walk after the architecture changed it")                        \
	X("hotplug", "walk after a CPU went off or came on")                           \
	X("suspend_cpu", "walk after a CPU went off to suspend")                       \
	X("resume_cpu", "walk after a CPU came back from it")                          \
	X("resume", "walk after the last one did, with CPUs as before")                \
	X("resume_updated", "walk after the last one did, with CPUs that seem "        \
			    "changed")

static const char *const callers[] = {
#define CALLER(name, why) name,
	CALLERS(CALLER)
#undef CALLER
		NULL,
};
G_STATIC_ASSERT(G_N_ELEMENTS(callers) == NR_REBUILD_CALLERS + 1);

static const words walks = {"absent", "none", "all", "dl_cpusets", "dl_tasks"};
static const words totals = {"kept", "cleared", "all_cleared", "carried"};

/* What holds for the whole policy: switches, and choices of words. */
#define SETTINGS(SWITCH, CHOICE)                                                       \
	CHOICE(lock, "kind of the cpuset lock", "mutex", "percpu_rwsem")               \
	SWITCH(favordynmods, "cgroup_threadgroup_rwsem never waits for RCU")           \
	SWITCH(hotplug_lock_inside,                                                    \
	       "the CPU hotplug lock is taken after the cpuset lock")                  \
	CHOICE(readers, "whose sched_setscheduler() waits for cpusets", "none", "all", \
	       "deadline")                                                             \
	SWITCH(rq_lock_per_task, "the walk takes the run queue lock of each task")     \
	SWITCH(walk_counts_sugov, "the walk counts the frequency governor's threads")  \
	SWITCH(walk_by_cpuset,                                                         \
	       "the walk finds a root domain by the task's allowed CPUs")              \
	SWITCH(skip_while_frozen, "no walk from a suspend on, until a CPU goes or "    \
				  "comes otherwise")                                   \
	SWITCH(suspend_descends, "the highest CPU goes off first")                     \
	SWITCH(hotplug_work_is_sync, "whoever takes a CPU off does what follows")      \
	SWITCH(suspend_takes_lock, "each CPU takes the cpuset lock")                   \
	CHOICE(reserve, "how tasks that move reserve bandwidth", "per_task",           \
	       "cpusets", "root_domains")                                              \
	CHOICE(servers, "how fair servers come back into totals", "none", "restored",  \
	       "added", "reset")                                                       \
	CHOICE(cpu_check,                                                              \
	       "when a CPU that goes off is asked for, once it is inactive or before", \
	       "after", "before")

static const struct setting {
	const char *name, *why;
	size_t offset;
	bool is_switch; /* a bool; else an enum, one of .words */
	words words;
} settings[] = {
#define SWITCH(field, why)                                                             \
	{#field, why, offsetof(struct rebuild_policy, field), true, {NULL}},
#define CHOICE(field, why, ...)                                                        \
	{#field, why, offsetof(struct rebuild_policy, field), false, {__VA_ARGS__}},
	SETTINGS(SWITCH, CHOICE)
#undef CHOICE
#undef SWITCH
};

const char *rebuild_caller_name(enum rebuild_caller caller)
{
	return callers[caller];
}

const char *rebuild_walk_name(enum rebuild_walk walk)
{
	return walks[walk];
}

const char *rebuild_totals_name(enum rebuild_totals value)
{
	return totals[value];
}

const char *const *rebuild_setting_names(void)
{
	static const char *const names[] = {
#define CALLER(name, why) name, name TOTALS_SUFFIX,
#define SWITCH(field, why) #field,
#define CHOICE(field, why, ...) #field,
		CALLERS(CALLER) SETTINGS(SWITCH, CHOICE)
#undef CHOICE
#undef SWITCH
#undef CALLER
			NULL,
	};

	return names;
}

static void list_setting(GPtrArray *list, const char *name, const char *value,
			 const char *why, const char *const *choices)
{
	struct rebuild_setting *setting = g_new(struct rebuild_setting, 1);

	*setting = (struct rebuild_setting){name, value, why, choices};
	g_ptr_array_add(list, setting);
}

/* @base: as in rebuild_policy_settings() */
static void list_row(GPtrArray *list, const struct rebuild_policy *policy,
		     const struct rebuild_policy *base, int row, const char *why)
{
	const struct rebuild_row *is = &policy->rows[row];
	const struct rebuild_row *was = base ? &base->rows[row] : NULL;
	const char *const *names = &rebuild_setting_names()[2 * row];

	if (!was || was->walk != is->walk)
		list_setting(list, names[0], walks[is->walk], why, walks);
	if (!was || was->totals != is->totals)
		list_setting(list, names[1], totals[is->totals],
			     "totals before that walk", totals);
}

/* The word for @setting of @policy. */
static const char *word_of(const struct rebuild_policy *policy,
			   const struct setting *setting)
{
	const void *field = (const char *)policy + setting->offset;

	if (setting->is_switch)
		return *(const bool *)field ? "1" : "0";
	return setting->words[*(const int *)field];
}

GPtrArray *rebuild_policy_settings(const struct rebuild_policy *policy,
				   const struct rebuild_policy *base)
{
	static const char *const whys[] = {
#define CALLER(name, why) why,
		CALLERS(CALLER)
#undef CALLER
	};
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);

	for (int row = 0; row < NR_REBUILD_CALLERS; row++)
		list_row(list, policy, base, row, whys[row]);
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
		const char *word = word_of(policy, &settings[i]);

		if (!base || strcmp(word, word_of(base, &settings[i])))
			list_setting(list, settings[i].name, word, settings[i].why,
				     settings[i].is_switch ? NULL : settings[i].words);
	}
	return list;
}

static bool refuse(GError **error, const char *expected, const char *got)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, "expected %s, got \"%s\"",
		    expected, got);
	return false;
}

static bool refuse_name(GError **error, const char *expected, const char *got,
			const char *const *known)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "expected %s, got \"%s\"; the nearest is \"%s\"", expected, got,
		    nearest_name(got, known));
	return false;
}

/* The place of @text in @list, or -1. */
static int index_in(const char *const *list, const char *text)
{
	for (int i = 0; list[i]; i++)
		if (!strcmp(list[i], text))
			return i;
	return -1;
}

static bool read_word(const char *const *list, const char *text, int *out,
		      GError **error)
{
	g_autofree char *all = g_strjoinv(", ", (char **)list);

	*out = index_in(list, text);
	if (*out < 0) {
		g_autofree char *expected = g_strdup_printf("one of %s", all);

		return refuse(error, expected, text);
	}
	return true;
}

static bool read_switch(const char *text, bool *out, GError **error)
{
	if (strcmp(text, "0") && strcmp(text, "1"))
		return refuse(error, "0 or 1", text);
	*out = text[0] == '1';
	return true;
}

static bool set_whole(struct rebuild_policy *policy, const struct setting *setting,
		      const char *text, GError **error)
{
	void *field = (char *)policy + setting->offset;
	int value;

	if (setting->is_switch)
		return read_switch(text, field, error);
	if (!read_word(setting->words, text, &value, error))
		return false;
	/* Every enum of the table has the size of an int. */
	*(int *)field = value;
	return true;
}

static bool set_row(struct rebuild_row *row, bool is_totals, const char *text,
		    GError **error)
{
	int value;

	if (!read_word(is_totals ? totals : walks, text, &value, error))
		return false;
	if (is_totals)
		row->totals = (enum rebuild_totals)value;
	else
		row->walk = (enum rebuild_walk)value;
	return true;
}

static const struct setting *find_setting(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++)
		if (!strcmp(settings[i].name, name))
			return &settings[i];
	return NULL;
}

static bool set_named(struct rebuild_policy *policy, const char *name, const char *text,
		      GError **error)
{
	bool is_totals = g_str_has_suffix(name, TOTALS_SUFFIX);
	g_autofree char *caller =
		g_strndup(name, strlen(name) - (is_totals ? strlen(TOTALS_SUFFIX) : 0));
	const struct setting *setting = find_setting(name);
	int row = index_in(callers, caller);

	if (setting)
		return set_whole(policy, setting, text, error);
	if (row >= 0)
		return set_row(&policy->rows[row], is_totals, text, error);
	return refuse_name(error, "a setting of a rebuild policy", name,
			   rebuild_setting_names());
}

/* "resume=none".  @seen: names set so far, as a set. */
static bool read_setting(struct rebuild_policy *policy, const char *setting,
			 GHashTable *seen, GError **error)
{
	const char *equals = strchr(setting, '=');
	g_autofree char *name = NULL;

	if (!equals)
		return refuse(error, "NAME=VALUE", setting);
	name = g_strndup(setting, (gsize)(equals - setting));
	if (!g_hash_table_add(seen, g_strdup(name)))
		return refuse(error, "each setting once", setting);
	if (!set_named(policy, name, equals + 1, error)) {
		if (g_strv_contains(rebuild_setting_names(), name))
			g_prefix_error(error, "%s: ", name);
		return false;
	}
	return true;
}

static bool read_settings(struct rebuild_policy *policy, const char *text,
			  GError **error)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_auto(GStrv) list = g_strsplit(text, ",", -1);

	if (!list[0])
		return refuse(error, "a setting after the colon", text);
	for (int i = 0; list[i]; i++)
		if (!read_setting(policy, list[i], seen, error))
			return false;
	return true;
}

static bool refuse_policy(GError **error, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (int i = 0; rebuild_policies()[i]; i++)
		g_ptr_array_add(names, (char *)rebuild_policies()[i]->name);
	g_ptr_array_add(names, NULL);
	return refuse_name(error, "a rebuild policy's name", name,
			   (const char *const *)names->pdata);
}

bool rebuild_policy_parse(const char *text, struct rebuild_policy *out, GError **error)
{
	const char *colon = strchr(text, ':');
	g_autofree char *name =
		g_strndup(text, colon ? (gsize)(colon - text) : strlen(text));
	const struct rebuild_policy *found = rebuild_policy_find(name);
	struct rebuild_policy policy;

	if (!found)
		return refuse_policy(error, name);
	policy = *found;
	if (colon && !read_settings(&policy, colon + 1, error)) {
		g_prefix_error(error, "%s: ", name);
		return false;
	}
	*out = policy;
	return true;
}
