/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No wakeup is lost: whatever sleeps is where somebody will find it.  And nothing is
 * left behind on a CPU that is off.
 */
#include "workload/cpu_power.h"
#include "workload/messages.h"
#include "workload/operations.h"

static bool lost(const struct thread *t, const char *how, GError **error)
{
	g_set_error(error, INVARIANT_ERROR, 0, "%s: %s", t->comm, how);
	return false;
}

/* Whether a lock knows of it: it is queued there, or the next to have it. */
static bool operation_waits(const struct thread *t)
{
	return t->operation && t->operation->wait != WAITS_FOR_NOTHING;
}

/* Until another thread or its own timer wakes it. */
static bool check_sleeper(const struct thread *t, GError **error)
{
	if (t->wakes_at_thaw)
		return t->s->freezing ||
		       lost(t, "was woken, and the thaw passed it by", error);
	if (t->dormant)
		return !list_empty(&t->wait_node) || operation_waits(t) ||
		       lost(t, "waits, and nobody knows of it", error);
	if (!event_is_pending(&t->sleep_ends))
		return lost(t, "sleeps, and nothing will wake it", error);
	return !cpu_is_off(t->s, t->sleep_cpu) ||
	       lost(t, "sleeps, and its timer is on a CPU that is off", error);
}

/* A deadline task between two periods counts as queued, and its timer moves it. */
static bool check_queued(const struct thread *t, GError **error)
{
	const struct task *task = &t->sim.task;

	return !cpu_is_off(t->s, task->cpu) || task->dl.dl_throttled ||
	       lost(t, "is queued on a CPU that is off", error);
}

static bool check_thread(const struct thread *t, GError **error)
{
	switch (t->sim.task.state) {
	case TASK_INTERRUPTIBLE:
		return check_sleeper(t, error);
	case TASK_UNINTERRUPTIBLE:
		if (!t->frozen)
			return check_sleeper(t, error);
		return t->s->freezing ||
		       lost(t, "stands still, and the thaw passed it by", error);
	case TASK_WAKING:
		if (list_empty(&t->sim.task.wake_entry))
			return lost(t, "was woken, and is on the way to no CPU", error);
		return !cpu_is_off(t->s, t->sim.task.cpu) ||
		       lost(t, "was woken, and is on the way to a CPU that is off",
			    error);
	case TASK_RUNNING:
		return check_queued(t, error);
	default:
		return true;
	}
}

/* One that is off has nothing left to do. */
static bool check_power(const struct cpu_clock *c, GError **error)
{
	if (c->power != CPU_OFF ||
	    (cpu_rq(c->s->m, c->cpu)->curr == cpu_rq(c->s->m, c->cpu)->idle &&
	     !event_is_pending(&c->tick) && !event_is_pending(&c->ipi) && !c->backlog &&
	     !cpu_is_held(c)))
		return true;
	g_set_error(error, INVARIANT_ERROR, 0, "CPU %d: is off, and has things to do",
		    c->cpu);
	return false;
}

/* The CPU will come to what waits for it. */
static bool check_cpu(const struct cpu_clock *c, GError **error)
{
	const struct rq *rq = cpu_rq(c->s->m, c->cpu);

	if (!check_power(c, error))
		return false;
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
