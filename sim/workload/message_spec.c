/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recv, send and reply.
 */
#include "workload/message_spec.h"

#include "schedsim/error.h"
#include "workload/read.h"

#define GROUP_MAX 100000
#define COPIES_MAX 100000

/* What runs for an answer ends in waiting for the next message. */
static bool read_replies(struct task_reading *t, const struct node *n, int recv,
			 GError **error)
{
	struct node child;
	int branch = t->steps->len;

	if (!cJSON_IsObject(n->json) || !n->json->child)
		return node_expected(n, "an object of at least one event", error);
	step_add(t, STEP_IF_REPLY, n);
	node_for_each(child, n)
	{
		if (!key_is_event(child.json->string))
			return node_unknown_key(&child, event_names(), error);
		if (!event_read(t, &child, error))
			return false;
	}
	step_add(t, STEP_JUMP, n)->target = recv;
	g_array_index(t->steps, struct step, branch).target = t->steps->len;
	return true;
}

static bool read_recv_object(struct task_reading *t, const struct node *n,
			     struct step *step, GError **error)
{
	static const char *const keys[] = {"ref", "select", "activation", "replies",
					   NULL};
	struct node ref, select, activation;

	if (!node_has_only(n, keys, error))
		return false;
	ref = node_get(n, "ref");
	select = node_get(n, "select");
	activation = node_get(n, "activation");
	if (!ref.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"ref\"");
	return channel_read(t->r, &ref, &step->object, error) &&
	       (!select.json ||
		channel_select_read(t->r, &select, step->object, &step->select,
				    &step->index, error)) &&
	       (!activation.json ||
		read_time_dist(&activation, BARE_US, &step->amount, error));
}

bool read_recv(struct task_reading *t, const struct node *n, GError **error)
{
	struct node replies = {.json = NULL};
	int recv = t->steps->len;
	struct step *step = step_add(t, STEP_RECV, n);

	step->select = SELECT_OWN;
	if (cJSON_IsObject(n->json)) {
		if (!read_recv_object(t, n, step, error))
			return false;
		replies = node_get(n, "replies");
	} else if (!channel_read(t->r, n, &step->object, error)) {
		return false;
	}
	t->receives = true;
	g_array_index(t->r->channel_read, bool, step->object) = true;
	return !replies.json || read_replies(t, &replies, recv, error);
}

static bool read_send_object(struct task_reading *t, const struct node *n,
			     struct step *step, GError **error)
{
	static const char *const keys[] = {"to",    "select", "reply_to",
					   "count", "sync",   NULL};
	struct node to, select, reply_to, count, sync;
	int64_t copies = 1;

	if (!node_has_only(n, keys, error))
		return false;
	to = node_get(n, "to");
	select = node_get(n, "select");
	reply_to = node_get(n, "reply_to");
	count = node_get(n, "count");
	sync = node_get(n, "sync");
	if (!to.json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"to\"");
	if (!channel_sent_read(t->r, &to, &step->object, error) ||
	    (select.json && !channel_select_read(t->r, &select, step->object,
						 &step->select, &step->index, error)) ||
	    (reply_to.json &&
	     !channel_sent_read(t->r, &reply_to, &step->reply_to, error)) ||
	    (count.json && !read_int(&count, 1, COPIES_MAX, &copies, error)) ||
	    (sync.json && !read_bool(&sync, &step->flag, error)))
		return false;
	step->count = copies;
	return true;
}

bool read_send(struct task_reading *t, const struct node *n, GError **error)
{
	struct step *step = step_add(t, STEP_SEND, n);

	step->select = SELECT_OWN;
	if (cJSON_IsObject(n->json))
		return read_send_object(t, n, step, error);
	return channel_sent_read(t->r, n, &step->object, error);
}

bool read_reply(struct task_reading *t, const struct node *n, GError **error)
{
	static const char *const keys[] = {"sync", NULL};
	struct step *step;
	struct node sync;

	if (!t->receives)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected a \"recv\" before a \"reply\"");
	step = step_add(t, STEP_REPLY, n);
	if (cJSON_IsString(n->json) && !*n->json->valuestring)
		return true;
	if (!cJSON_IsObject(n->json))
		return node_expected(n, "\"\" or an object", error);
	if (!node_has_only(n, keys, error))
		return false;
	sync = node_get(n, "sync");
	return !sync.json || read_bool(&sync, &step->flag, error);
}

bool channels_read(struct reading *r, const struct node *n, GError **error)
{
	struct node child;
	bool none = false;
	int64_t count;

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object of channels", error);
	r->w->channels = g_new0(struct channel_spec, cJSON_GetArraySize(n->json));
	node_for_each(child, n)
	{
		if (!node_is_first(&child, error) ||
		    !read_int(&child, 1, GROUP_MAX, &count, error))
			return false;
		name_table_index(&r->channels, child.json->string);
		r->w->channels[r->w->nr_channels++] = (struct channel_spec){
			.name = g_strdup(child.json->string), .count = count};
		g_array_append_val(r->channel_read, none);
		g_array_append_val(r->channel_sent, none);
	}
	return true;
}
