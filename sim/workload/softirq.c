/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What comes from outside: the CPU that takes the interrupt receives one message
 * after the other, wakes who waits for it, and only then goes on with its thread.
 * Other interrupts come in between.
 */
#include "workload/messages.h"

static struct message *take_first(struct cpu_clock *c)
{
	struct message *msg = c->backlog;

	c->backlog = msg->next;
	if (!c->backlog)
		c->backlog_end = &c->backlog;
	msg->next = NULL;
	c->s->nr_coming--;
	return msg;
}

/* One step of the first message; each may take the CPU some time. */
static void advance(struct cpu_clock *c)
{
	const struct machine_costs *costs = &c->s->m->costs;

	switch (c->backlog_stage) {
	case MSG_COMES:
		cpu_hold(c, costs->irq_message_ns);
		c->backlog_stage = MSG_RECEIVED;
		break;
	case MSG_RECEIVED:
		if (channel_has_waiter(c->backlog->to))
			cpu_hold(c, costs->irq_wakeup_ns);
		c->backlog_stage = MSG_WAKES;
		break;
	case MSG_WAKES:
		c->backlog_stage = MSG_COMES;
		message_deliver(c->s, take_first(c), c->cpu);
		break;
	}
}

static void run_softirq(struct cpu_clock *c)
{
	while (c->backlog && !c->s->error) {
		if (interrupt_waits(c, &c->softirq))
			return;
		advance(c);
	}
	cpu_release(c);
}

static void on_softirq(void *subject, uint64_t now_ns)
{
	run_softirq(subject);
}

void softirq_raise(struct cpu_clock *c, struct message *msg)
{
	*c->backlog_end = msg;
	c->backlog_end = &msg->next;
	c->s->nr_coming++;
	if (!event_is_pending(&c->softirq))
		run_softirq(c);
}

void softirq_init(struct cpu_clock *c)
{
	c->backlog_end = &c->backlog;
	c->softirq =
		(struct event){.fn = on_softirq, .subject = c, .phase = EVENT_SOFTIRQ};
}
