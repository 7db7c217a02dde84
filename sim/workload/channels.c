/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages between threads, and the way their answers go back.
 *
 * A channel is a queue with no bound of its own.  Each message wakes one of those that
 * wait, the longest first; a receiver that comes by takes the oldest message, so a
 * woken one may find nothing and wait again.  Whoever forwards a message without asking
 * for its answer hands the duty to answer on.
 */
#include "workload/messages.h"

#include "schedsim/error.h"

/* On their way or in channels, in all; some 400 MB. */
#define MESSAGES_MAX 4000000

static struct call *call_get(struct call *call)
{
	if (call)
		call->refs++;
	return call;
}

static void call_put(simulation *s, struct call *call)
{
	while (call && !--call->refs) {
		struct call *up = call->up;

		pool_put(&s->calls, call);
		call = up;
	}
}

static void deliver(simulation *s, struct channel *to, struct message *msg,
		    struct waker by, unsigned wake_flags)
{
	*to->end = msg;
	to->end = &msg->next;
	if (!list_empty(&to->waiters)) {
		struct thread *t =
			list_entry(to->waiters.next, struct thread, wait_node);

		list_del(&t->wait_node);
		thread_wake(t, by, wake_flags);
	}
}

/* So that senders nobody keeps up with end in an error, and not in want of memory. */
static struct message *message_new(simulation *s, const struct channel *to)
{
	if (s->nr_messages++ == MESSAGES_MAX)
		simulation_fail(
			s, g_error_new(INPUT_ERROR, INPUT_ERROR_VALUE,
				       "channels.%s: expected receivers that keep "
				       "up, got more than %d messages that wait",
				       s->w->channels[to->group].name, MESSAGES_MAX));
	return pool_get(&s->messages);
}

static void message_free(simulation *s, struct message *msg)
{
	if (!msg)
		return;
	call_put(s, msg->call);
	pool_put(&s->messages, msg);
	s->nr_messages--;
}

static struct message *take_first(struct channel *from)
{
	struct message *msg = from->first;

	from->first = msg->next;
	if (!from->first)
		from->end = &from->first;
	msg->next = NULL;
	return msg;
}

int channel_choose(const struct channel_group *group, enum channel_select select,
		   int index, unsigned own, unsigned sent, struct random_stream *random)
{
	unsigned count = (unsigned)group->count;

	switch (select) {
	case SELECT_OWN:
		return (int)(own % count);
	case SELECT_ROUND_ROBIN:
		return (int)(sent % count);
	case SELECT_RANDOM:
		return (int)random_below(random, count);
	case SELECT_FIXED:
		break;
	}
	return index;
}

static int choose(struct thread *t, const struct step *st)
{
	return channel_choose(&t->s->groups[st->object], st->select, st->index,
			      (unsigned)t->sim.instance, t->sent_to[st->object],
			      &t->random);
}

static struct channel *own_channel(struct thread *t, int group)
{
	const struct channel_group *g = &t->s->groups[group];

	return &g->channels[t->sim.instance % g->count];
}

static void receive(struct thread *t)
{
	message_free(t->s, t->received);
	t->received = take_first(t->channel);
	SIM_OBSERVE(&t->s->listeners, message_received, &t->sim, t->received->id,
		    t->channel->group);
}

void step_recv(struct thread *t, const struct step *st)
{
	if (!t->stage) {
		t->channel = &t->s->groups[st->object].channels[choose(t, st)];
		t->waited = false;
		t->stage = 1;
	}
	if (!t->channel->first) {
		t->waited = true;
		list_add_tail(&t->channel->waiters, &t->wait_node);
		thread_wait(t);
		return;
	}
	receive(t);
	if (t->waited)
		thread_work(t, step_amount(t, st), false);
	step_done(t);
}

/* What the copies of a message are to be answered by. */
static struct call *begin_call(struct thread *t, const struct step *st, int copies)
{
	struct call *up = t->received ? t->received->call : NULL;
	struct call *call;

	if (st->reply_to < 0)
		return call_get(up);
	call = pool_get(&t->s->calls);
	call->refs = 1;
	call->unanswered = (unsigned)copies;
	call->up = call_get(up);
	call->to = own_channel(t, st->reply_to);
	return call;
}

/* One copy at a time: the wakeup of a receiver may preempt its sender. */
void step_send(struct thread *t, const struct step *st)
{
	simulation *s = t->s;
	struct channel_group *group = &s->groups[st->object];
	unsigned wake_flags = st->flag ? WF_SYNC : 0;
	int copies = MAX(st->count, 1);
	struct message *msg;
	int to;

	if (!t->stage) {
		t->sending = begin_call(t, st, copies);
		t->send_from = choose(t, st);
	}
	to = (t->send_from + t->stage) % group->count;
	t->sent_to[st->object]++;
	msg = message_new(s, &group->channels[to]);
	msg->id = t->received ? t->received->id : 0;
	msg->call = call_get(t->sending);
	if (++t->stage == copies) {
		call_put(s, t->sending);
		t->sending = NULL;
		step_done(t);
	}
	deliver(s, &group->channels[to], msg, waker_thread(t), wake_flags);
}

static void answer(struct thread *t, struct call *call, unsigned wake_flags)
{
	simulation *s = t->s;
	struct message *msg;

	if (!call->unanswered || --call->unanswered)
		return;
	if (!call->to) {
		source_answered(call->source, call, t->received->id);
		return;
	}
	msg = message_new(s, call->to);
	msg->id = t->received->id;
	msg->call = call_get(call->up);
	msg->is_reply = true;
	deliver(s, call->to, msg, waker_thread(t), wake_flags);
}

/* Nothing happens when nobody asked, or when the message was answered before. */
void step_reply(struct thread *t, const struct step *st)
{
	struct call *call;

	step_done(t);
	if (!t->received || !t->received->call)
		return;
	call = t->received->call;
	t->received->call = NULL;
	answer(t, call, st->flag ? WF_SYNC : 0);
	call_put(t->s, call);
}

struct message *request_new(struct source *source, int client, struct channel *to,
			    bool sync)
{
	simulation *s = source_simulation(source);
	struct call *call = pool_get(&s->calls);
	struct message *msg = message_new(s, to);

	*call = (struct call){.refs = 1,
			      .unanswered = 1,
			      .source = source,
			      .client = client,
			      .scheduled_ns = simulation_now(s)};
	msg->call = call;
	msg->to = to;
	msg->sync = sync;
	return msg;
}

void message_deliver(simulation *s, struct message *msg, int cpu)
{
	msg->id = ++s->last_id;
	SIM_OBSERVE(&s->listeners, request_sent, source_index(msg->call->source),
		    msg->id, simulation_now(s));
	deliver(s, msg->to, msg, waker_interrupt(cpu), msg->sync ? WF_SYNC : 0);
}

static void init_group(struct channel_group *group, int index, int count)
{
	group->count = count;
	group->channels = g_new0(struct channel, (size_t)count);
	for (int i = 0; i < count; i++) {
		struct channel *c = &group->channels[i];

		c->group = index;
		c->end = &c->first;
		list_init(&c->waiters);
	}
}

void channels_init(simulation *s)
{
	s->groups = g_new0(struct channel_group, (size_t)s->w->nr_channels);
	for (int i = 0; i < s->w->nr_channels; i++)
		init_group(&s->groups[i], i, s->w->channels[i].count);
	pool_init(&s->messages, sizeof(struct message));
	pool_init(&s->calls, sizeof(struct call));
}

void channels_clear(simulation *s)
{
	for (int i = 0; i < s->w->nr_channels; i++)
		g_free(s->groups[i].channels);
	g_free(s->groups);
	pool_clear(&s->messages);
	pool_clear(&s->calls);
}
