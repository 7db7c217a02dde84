/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of a simulation, from a source or a thread to the threads that receive
 * them.
 */
#ifndef WORKLOAD_MESSAGES_H
#define WORKLOAD_MESSAGES_H

#include "workload/clockwork.h"

/* Who is to be answered; shared by the copies of one message. */
struct call {
	unsigned refs;
	unsigned unanswered;   /* copies still to be answered */
	struct call *up;       /* what the caller itself has to answer; a reference */
	struct channel *to;    /* where the answer goes; NULL: to @source */
	struct source *source; /* not owned */
	int client;            /* of a closed loop */
	uint64_t scheduled_ns; /* when the source sent it */
};

struct message {
	struct message *next; /* in the channel's queue */
	struct call *call;    /* a reference; NULL: nobody waits for an answer */
	uint64_t id;          /* of the request it belongs to; 0: of no source */
	bool is_reply;
	bool sync;          /* of a source: its wakeup says WF_SYNC */
	struct channel *to; /* likewise, where it goes; not owned */
};

struct channel {
	int group;
	struct message *first;
	struct message **end; /* where the next one is linked */
	struct list waiters;  /* of thread.wait_node, longest wait first */
};

struct channel_group {
	struct channel *channels; /* [count] owned */
	int count;
};

/* channels.c */
void channels_init(simulation *s);
void channels_clear(simulation *s);
void step_recv(struct thread *t, const struct step *st);
void step_send(struct thread *t, const struct step *st);
void step_reply(struct thread *t, const struct step *st);
/*
 * Index of the channel of @group that a user of it means.
 * @own: its number; @sent: what it sent to the group so far
 */
int channel_choose(const struct channel_group *group, enum channel_select select,
		   int index, unsigned own, unsigned sent,
		   struct random_stream *random);
/* @msg (transfer full) of a source, from an interrupt on @cpu. */
void message_deliver(simulation *s, struct message *msg, int cpu);
/* Whether a thread waits for what comes to @to. */
static inline bool channel_has_waiter(const struct channel *to)
{
	return !list_empty(&to->waiters);
}
/* A request of @source (of @client, if it has those) that comes now, to @to. */
struct message *request_new(struct source *source, int client, struct channel *to,
			    bool sync);

/* softirq.c: from an interrupt to the channels */
void softirq_init(struct cpu_clock *c);
/* @msg (transfer full) has come for @c to deliver. */
void softirq_raise(struct cpu_clock *c, struct message *msg);

/* sources.c */
/* Opens what recorded sources read; false with an error of INPUT_ERROR. */
bool sources_start(simulation *s, GError **error);
void sources_clear(simulation *s);
/* @call of this source was answered. */
void source_answered(struct source *source, const struct call *call, uint64_t id);
simulation *source_simulation(const struct source *source);
int source_index(const struct source *source);

#endif
