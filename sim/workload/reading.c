/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names become indices while the file is read.
 */
#include "workload/reading.h"

#include "base/nearest.h"
#include "schedsim/error.h"
#include "workload/cgroup_spec.h"
#include "workload/read.h"

void name_table_init(struct name_table *t)
{
	t->indices = g_hash_table_new(g_str_hash, g_str_equal);
	t->names = g_ptr_array_new_with_free_func(g_free);
}

void name_table_clear(struct name_table *t)
{
	g_clear_pointer(&t->indices, g_hash_table_unref);
	g_clear_pointer(&t->names, g_ptr_array_unref);
}

int name_table_find(const struct name_table *t, const char *name)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(t->indices, name)) - 1;
}

int name_table_index(struct name_table *t, const char *name)
{
	int index = name_table_find(t, name);
	char *copy;

	if (index >= 0)
		return index;
	copy = g_strdup(name);
	g_ptr_array_add(t->names, copy);
	g_hash_table_insert(t->indices, copy, GINT_TO_POINTER(t->names->len));
	return t->names->len - 1;
}

static void timer_spec_clear(gpointer data)
{
	g_free(((struct timer_spec *)data)->name);
}

void reading_init(struct reading *r, workload *w, const topology *topo,
		  const struct machine_spec *spec)
{
	*r = (struct reading){
		.w = w, .nr_cpus = topo->nr_cpus, .topo = topo, .spec = spec};
	name_table_init(&r->mutexes);
	name_table_init(&r->conditions);
	name_table_init(&r->channels);
	name_table_init(&r->timers);
	name_table_init(&r->barriers);
	name_table_init(&r->forks);
	r->barrier_users = g_array_new(FALSE, TRUE, sizeof(int));
	r->timer_specs = g_array_new(FALSE, TRUE, sizeof(struct timer_spec));
	g_array_set_clear_func(r->timer_specs, timer_spec_clear);
	r->timer_absolute = g_array_new(FALSE, TRUE, sizeof(bool));
	r->channel_read = g_array_new(FALSE, TRUE, sizeof(bool));
	r->channel_sent = g_array_new(FALSE, TRUE, sizeof(bool));
}

void reading_clear(struct reading *r)
{
	name_table_clear(&r->mutexes);
	name_table_clear(&r->conditions);
	name_table_clear(&r->channels);
	name_table_clear(&r->timers);
	name_table_clear(&r->barriers);
	name_table_clear(&r->forks);
	g_clear_pointer(&r->barrier_users, g_array_unref);
	g_clear_pointer(&r->timer_specs, g_array_unref);
	g_clear_pointer(&r->timer_absolute, g_array_unref);
	g_clear_pointer(&r->channel_read, g_array_unref);
	g_clear_pointer(&r->channel_sent, g_array_unref);
	g_clear_pointer(&r->cgroups, cgroup_reading_free);
}

char **name_table_take(struct name_table *t, int *count)
{
	gsize length;

	g_hash_table_remove_all(t->indices);
	g_ptr_array_add(t->names, NULL);
	char **names = (char **)g_ptr_array_steal(t->names, &length);

	*count = length - 1;
	return names;
}

/* rt-app keeps the mode with the timer: one event that says "absolute" is enough. */
static void settle_timer_modes(struct reading *r)
{
	for (int i = 0; i < r->w->nr_tasks; i++) {
		struct program *p = &r->w->tasks[i].program;

		for (int k = 0; k < p->nr_steps; k++)
			if (p->steps[k].op == STEP_TIMER)
				p->steps[k].flag = g_array_index(
					r->timer_absolute, bool, p->steps[k].object);
	}
}

static void take_barriers(struct reading *r)
{
	g_autofree char **names = name_table_take(&r->barriers, &r->w->nr_barriers);

	r->w->barriers = g_new0(struct barrier_spec, (size_t)r->w->nr_barriers);
	for (int i = 0; i < r->w->nr_barriers; i++) {
		r->w->barriers[i].name = names[i];
		r->w->barriers[i].users = g_array_index(r->barrier_users, int, i);
	}
}

void reading_finish(struct reading *r)
{
	settle_timer_modes(r);
	take_barriers(r);
	r->w->mutexes = name_table_take(&r->mutexes, &r->w->nr_mutexes);
	r->w->conditions = name_table_take(&r->conditions, &r->w->nr_conditions);
	r->w->nr_timers = r->timer_specs->len;
	r->w->timers = (struct timer_spec *)g_array_steal(r->timer_specs, NULL);
}

bool channel_read(const struct reading *r, const struct node *n, int *channel,
		  GError **error)
{
	const char *name;
	int index;

	if (!read_name(n, "a channel's name", &name, error))
		return false;
	index = name_table_find(&r->channels, name);
	if (index < 0)
		return node_expected(n, "a channel that \"channels\" defines", error);
	*channel = index;
	return true;
}

bool channel_sent_read(const struct reading *r, const struct node *n, int *channel,
		       GError **error)
{
	if (!channel_read(r, n, channel, error))
		return false;
	g_array_index(r->channel_sent, bool, *channel) = true;
	return true;
}

bool channel_select_read(const struct reading *r, const struct node *n, int channel,
			 enum channel_select *select, int *index, GError **error)
{
	static const char *const names[] = {"own", "round_robin", "random", NULL};
	int choice;
	int64_t fixed;

	if (cJSON_IsString(n->json) && n->json->valuestring[0] != '=') {
		if (!read_choice(n, names, &choice, error))
			return false;
		*select = (enum channel_select)choice;
		return true;
	}
	if (!read_int(n, 0, r->w->channels[channel].count - 1, &fixed, error))
		return false;
	*select = SELECT_FIXED;
	*index = fixed;
	return true;
}
