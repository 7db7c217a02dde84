/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests from outside the machine.
 *
 * An arrival is an interrupt: the CPU that takes it puts its requests into their
 * channels and wakes the receivers, at once or when it comes to it.  Latency counts
 * from when the arrival was due, which is when it comes.
 */
#include "workload/messages.h"

#include "schedsim/error.h"
#include "workload/arrivals.h"
#include "workload/cpu_power.h"

struct client {
	struct source *source; /* not owned */
	int number;
	struct event arrives;
	uint64_t turn; /* of dist_sample() */
};

struct source {
	simulation *s; /* not owned */
	const struct source_spec *spec;
	struct random_stream random;
	struct cpumask irq_cpus;
	uint64_t begun_ns; /* when its delay is over */
	int irq_cpu;       /* that took the last one */
	unsigned sent;     /* requests so far */
	uint64_t at_ns;    /* an instant, and the arrivals at it */
	unsigned at_once;

	/* open loop */
	struct event arrives;
	uint64_t batch_turn;
	arrivals *record;    /* owned; NULL: not recorded */
	uint64_t next_batch; /* of the recorded arrival to come */

	/* closed loop */
	struct client *clients; /* [spec->clients] owned */
};

simulation *source_simulation(const struct source *source)
{
	return source->s;
}

int source_index(const struct source *source)
{
	return (int)(source - source->s->sources);
}

static struct channel *choose(struct source *src, unsigned own)
{
	const struct source_spec *spec = src->spec;
	const struct channel_group *group = &src->s->groups[spec->channel];

	return &group->channels[channel_choose(group, spec->select, spec->index, own,
					       src->sent, &src->random)];
}

/* Counts an arrival or a request of this instant. */
static bool makes_progress(struct source *src)
{
	simulation *s = src->s;

	if (src->at_ns != simulation_now(s)) {
		src->at_ns = simulation_now(s);
		src->at_once = 0;
	}
	if (src->at_once++ < AT_ONE_INSTANT_MAX)
		return true;
	simulation_fail(s, g_error_new(INPUT_ERROR, INPUT_ERROR_VALUE,
				       "sources.%s: expected at most %d arrivals and "
				       "requests at one instant, got more",
				       src->spec->name, AT_ONE_INSTANT_MAX));
	return false;
}

static bool interrupt_begins(struct source *src)
{
	src->s->nr_coming--;
	src->irq_cpu = cpumask_next_wrap(&src->irq_cpus, src->irq_cpu);
	return makes_progress(src);
}

/* Where nobody waits, the interrupt wakes nobody. */
static int irq_cpu(const struct source *src, const struct channel *to)
{
	if (!src->spec->irq_at_receiver || list_empty(&to->waiters))
		return src->irq_cpu;
	return list_entry(to->waiters.next, struct thread, wait_node)->sim.task.cpu;
}

static void send(struct source *src, int client, unsigned own)
{
	simulation *s = src->s;
	struct channel *to = choose(src, own);

	src->sent++;
	SIM_OBSERVE(&s->listeners, request_arrived, source_index(src));
	softirq_raise(&s->cpus[cpu_for_interrupt(s, &src->irq_cpus, irq_cpu(src, to))],
		      request_new(src, client, to, src->spec->sync));
}

static void send_batch(struct source *src, uint64_t requests)
{
	while (requests-- && makes_progress(src))
		send(src, 0, src->sent);
}

static void come_at(struct source *src, struct event *arrives, uint64_t at_ns)
{
	src->s->nr_coming++;
	event_queue_add(src->s->q, arrives, at_ns);
}

/* The next line of the record, if there is one. */
static bool await_recorded(struct source *src, GError **error)
{
	struct arrival next;

	if (!arrivals_next(src->record, &next, error)) {
		g_prefix_error(error, "sources.%s: ", src->spec->name);
		return false;
	}
	src->next_batch = next.count;
	if (next.count)
		come_at(src, &src->arrives, later_ns(src->begun_ns, next.at_ns));
	return true;
}

static void on_recorded(void *subject, uint64_t now_ns)
{
	struct source *src = subject;
	GError *error = NULL;

	if (!interrupt_begins(src))
		return;
	send_batch(src, src->next_batch);
	if (!await_recorded(src, &error))
		simulation_fail(src->s, error);
}

static uint64_t gap_ns(struct source *src)
{
	struct dist gap = {.kind = DIST_EXP, .a = src->spec->interval_ns};

	if (src->spec->kind == ARRIVE_FIXED)
		return src->spec->interval_ns;
	return dist_sample(&gap, &src->random, NULL);
}

static void await_open(struct source *src, uint64_t from_ns)
{
	come_at(src, &src->arrives, later_ns(from_ns, gap_ns(src)));
}

static void on_open(void *subject, uint64_t now_ns)
{
	struct source *src = subject;

	if (!interrupt_begins(src))
		return;
	send_batch(src, dist_sample(&src->spec->batch, &src->random, &src->batch_turn));
	await_open(src, now_ns);
}

static void on_client(void *subject, uint64_t now_ns)
{
	struct client *c = subject;

	if (interrupt_begins(c->source))
		send(c->source, c->number, (unsigned)c->number);
}

static void think(struct client *c, uint64_t from_ns)
{
	struct source *src = c->source;
	uint64_t ns = dist_sample(&src->spec->think, &src->random, &c->turn);

	come_at(src, &c->arrives, later_ns(from_ns, ns));
}

void source_answered(struct source *src, const struct call *call, uint64_t id)
{
	SIM_OBSERVE(&src->s->listeners, request_done, source_index(src),
		    call->scheduled_ns, simulation_now(src->s), id);
	if (src->spec->kind == ARRIVE_CLOSED)
		think(&src->clients[call->client], simulation_now(src->s));
}

static void start_clients(struct source *src)
{
	src->clients = g_new0(struct client, (size_t)src->spec->clients);
	for (int i = 0; i < src->spec->clients; i++) {
		struct client *c = &src->clients[i];

		c->source = src;
		c->number = i;
		c->arrives = (struct event){
			.fn = on_client, .subject = c, .phase = EVENT_ARRIVAL};
		think(c, src->begun_ns);
	}
}

static bool start_recorded(struct source *src, GError **error)
{
	src->record = arrivals_open(src->spec->file, ARRIVALS_WITHOUT_VALUES, error);
	if (src->record)
		return await_recorded(src, error);
	g_prefix_error(error, "sources.%s: ", src->spec->name);
	return false;
}

static bool start_source(struct source *src, GError **error)
{
	bool recorded = src->spec->kind == ARRIVE_RECORDED;

	src->arrives = (struct event){.fn = recorded ? on_recorded : on_open,
				      .subject = src,
				      .phase = EVENT_ARRIVAL};
	switch (src->spec->kind) {
	case ARRIVE_FIXED:
	case ARRIVE_POISSON:
		await_open(src, src->begun_ns);
		return true;
	case ARRIVE_RECORDED:
		return start_recorded(src, error);
	case ARRIVE_CLOSED:
		start_clients(src);
		return true;
	}
	g_assert_not_reached();
}

static void init_source(simulation *s, struct source *src,
			const struct source_spec *spec)
{
	g_autofree char *name = g_strdup_printf("source %s", spec->name);

	src->s = s;
	src->spec = spec;
	src->irq_cpus = spec->irq_cpus;
	if (cpumask_empty(&src->irq_cpus))
		src->irq_cpus = cpumask_first_n(s->m->nr_cpus);
	src->irq_cpu = CPU_NONE;
	src->begun_ns = later_ns(simulation_now(s), spec->delay_ns);
	random_stream_init(&src->random, s->seed, name);
}

bool sources_start(simulation *s, GError **error)
{
	s->sources = g_new0(struct source, (size_t)s->w->nr_sources);
	for (int i = 0; i < s->w->nr_sources; i++) {
		init_source(s, &s->sources[i], &s->w->sources[i]);
		if (!start_source(&s->sources[i], error))
			return false;
	}
	return true;
}

void sources_clear(simulation *s)
{
	for (int i = 0; s->sources && i < s->w->nr_sources; i++) {
		arrivals_close(s->sources[i].record);
		g_free(s->sources[i].clients);
	}
	g_free(s->sources);
}
