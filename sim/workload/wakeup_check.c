/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No wakeup is lost: whatever sleeps is where somebody will find it.
 */
#include "workload/clockwork.h"

static bool lost(const struct thread *t, const char *how, GError **error)
{
	g_set_error(error, INVARIANT_ERROR, 0, "%s: %s", t->comm, how);
	return false;
}

/* Until another thread or its own timer wakes it. */
static bool check_sleeper(const struct thread *t, GError **error)
{
	if (t->dormant)
		return !list_empty(&t->wait_node) ||
		       lost(t, "waits, and nobody knows of it", error);
	return event_is_pending(&t->sleep_ends) ||
	       lost(t, "sleeps, and nothing will wake it", error);
}

static bool check_thread(const struct thread *t, GError **error)
{
	switch (t->sim.task.state) {
	case TASK_INTERRUPTIBLE:
		return check_sleeper(t, error);
	case TASK_WAKING:
		return !list_empty(&t->sim.task.wake_entry) ||
		       lost(t, "was woken, and is on the way to no CPU", error);
	default:
		return true;
	}
}

/* The CPU will come to what waits for it. */
static bool check_cpu(const struct cpu_clock *c, GError **error)
{
	const struct rq *rq = cpu_rq(c->s->m, c->cpu);

	if ((list_empty(&rq->wakelist) || event_is_pending(&c->ipi)) &&
	    (list_empty(&c->waking) || cpu_is_held(c)))
		return true;
	g_set_error(error, INVARIANT_ERROR, 0,
		    "CPU %d: woken tasks wait for it, and nothing tells it", c->cpu);
	return false;
}

static bool is_about_to_receive(const struct thread *t, const struct channel *from)
{
	return t->channel == from && t->stage && t->sim.task.state != TASK_DEAD &&
	       t->program->steps[t->pc].op == STEP_RECV && !t->dormant;
}

/*
 * While somebody waits, each message in the channel has woken one who did not get to
 * it yet, unless one who came by took it.
 */
static bool check_channel(const simulation *s, const struct channel *c, GError **error)
{
	int surplus = 0;

	if (!c->first || list_empty(&c->waiters))
		return true;
	for (const struct message *msg = c->first; msg; msg = msg->next)
		surplus++;
	for (int i = 0; i < s->nr_threads; i++)
		surplus -= is_about_to_receive(&s->threads[i], c);
	if (surplus <= 0)
		return true;
	g_set_error(error, INVARIANT_ERROR, 0,
		    "channels.%s: a thread waits beside a message that woke nobody",
		    s->w->channels[c->group].name);
	return false;
}

static bool check_channels(const simulation *s, GError **error)
{
	for (int i = 0; i < s->w->nr_channels; i++)
		for (int j = 0; j < s->groups[i].count; j++)
			if (!check_channel(s, &s->groups[i].channels[j], error))
				return false;
	return true;
}

bool wakeups_check(const simulation *s, GError **error)
{
	for (int i = 0; i < s->nr_threads; i++)
		if (!check_thread(&s->threads[i], error))
			return false;
	for (int cpu = 0; cpu < s->m->nr_cpus; cpu++)
		if (!check_cpu(&s->cpus[cpu], error))
			return false;
	return check_channels(s, error);
}
