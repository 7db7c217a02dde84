/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run: from the workload and the machine to the last event.
 */
#include "workload/simulation.h"

#include "base/duration.h"
#include "sched/balance.h"
#include "sched/clock.h"
#include "schedsim/error.h"
#include "workload/clockwork.h"
#include "workload/messages.h"
#include "workload/sync_objects.h"

/*
 * The end of the longest run with an end, and of the clock for others: times HZ it
 * still fits, as counting ticks needs it.
 */
#define HORIZON_NS (2 * SPAN_MAX_NS + SIM_START_NS)

static void on_start(void *subject, uint64_t now_ns)
{
	cgroups_start(subject);
	sleepers_start(subject);
	threads_start(subject);
}

static uint64_t run_length_ns(const workload *w)
{
	return later_ns(w->warmup_ns, w->duration_ns);
}

void simulation_check_invariants(simulation *s)
{
	struct observer *observer;

	s->invariants = invariants_new(s->m);
	observer = invariants_observer(s->invariants);
	observer->next = s->observer.next;
	s->observer.next = observer;
}

/* Every thread, as the invariants want them. */
static void check_invariants(simulation *s)
{
	GError *error = NULL;

	if (!invariants_check(s->invariants, s->m, s->tasks, s->nr_threads, &error) ||
	    !wakeups_check(s, &error)) {
		g_prefix_error(&error, "at %llu ns: ",
			       (unsigned long long)(simulation_now(s) - SIM_START_NS));
		simulation_fail(s, error);
	}
}

static void init_machine(simulation *s)
{
	s->m = machine_new(s->in->topology, &s->in->spec);
	machine_set_time(s->m, SIM_START_NS);
	sched_init(s->m);
	sched_boot_idle(s->m);
	event_queue_advance(s->q, SIM_START_NS);
}

simulation *simulation_new(const struct workload_input *in, uint64_t seed,
			   struct observer *scheduler_observers,
			   const struct sim_observer *sim_observers)
{
	simulation *s = g_new0(simulation, 1);

	s->in = in;
	s->w = in->workload;
	s->seed = seed;
	s->q = event_queue_new();
	s->end_ns = later_ns(SIM_START_NS, run_length_ns(s->w));
	if (sim_observers)
		s->listeners = *sim_observers;
	init_machine(s);
	s->observer.next = scheduler_observers;
	s->m->observers = &s->observer;
	cgroups_init(s);
	programs_init(s);
	timers_init(s);
	sync_objects_init(s);
	channels_init(s);
	threads_init(s);
	cpus_init(s);
	s->start = (struct event){.fn = on_start, .subject = s, .phase = EVENT_START};
	event_queue_add(s->q, &s->start, SIM_START_NS);
	return s;
}

void simulation_free(simulation *s)
{
	if (!s)
		return;
	sources_clear(s);
	channels_clear(s);
	sync_objects_clear(s);
	timers_clear(s);
	cpus_clear(s);
	cgroups_clear(s);
	sleepers_clear(s);
	machine_free(s->m);
	threads_clear(s);
	programs_clear(s);
	event_queue_free(s->q);
	invariants_free(s->invariants);
	g_clear_error(&s->error);
	g_free(s);
}

void simulation_fail(simulation *s, GError *error)
{
	if (s->error)
		g_error_free(error);
	else
		s->error = error;
}

/* Whether nothing but ticks can happen any more. */
static bool all_is_over(const simulation *s)
{
	return s->nr_dormant == s->nr_threads && !s->nr_coming;
}

/* A run without end reached the clock's. */
static void fail_at_horizon(simulation *s)
{
	simulation_fail(s, g_error_new(INPUT_ERROR, INPUT_ERROR_VALUE,
				       "expected tasks and operations that end within "
				       "2^54 ns, 208 days, or a \"duration\""));
}

/* Events before @end_ns; of a run without end, until all is over. */
static void run_until(simulation *s, uint64_t end_ns)
{
	bool endless = s->end_ns == UINT64_MAX;
	uint64_t last_ns = MIN(end_ns, HORIZON_NS);
	uint64_t at_ns;

	while ((at_ns = event_queue_next_at(s->q)) < last_ns && !s->error) {
		if (endless && all_is_over(s))
			return;
		machine_set_time(s->m, at_ns);
		event_queue_run_next(s->q);
		settle(s);
		if (s->invariants && !s->error)
			check_invariants(s);
		s->events++;
	}
	if (end_ns == UINT64_MAX && !s->error && !all_is_over(s))
		fail_at_horizon(s);
	if (s->error || end_ns == UINT64_MAX)
		return;
	machine_set_time(s->m, end_ns);
	event_queue_advance(s->q, end_ns);
}

bool simulation_run(simulation *s, GError **error)
{
	if (!sources_start(s, error))
		return false;
	run_until(s, later_ns(SIM_START_NS, s->w->warmup_ns));
	if (!s->error)
		SIM_OBSERVE(&s->listeners, warmup_over, simulation_now(s));
	run_until(s, s->end_ns);
	if (!s->error)
		return true;
	g_propagate_error(error, g_steal_pointer(&s->error));
	return false;
}

int simulation_stuck_threads(const simulation *s, const char **first)
{
	int nr = 0;

	if (!all_is_over(s))
		return 0;
	for (int i = 0; i < s->nr_threads; i++) {
		const struct thread *t = &s->threads[i];

		if (t->sim.task.state == TASK_DEAD)
			continue;
		if (!nr++)
			*first = t->comm;
	}
	return nr;
}

const struct machine *simulation_machine(const simulation *s)
{
	return s->m;
}

int simulation_nr_tasks(const simulation *s)
{
	return s->nr_threads;
}

const struct sim_task *simulation_task(const simulation *s, int i)
{
	return &s->threads[i].sim;
}

uint64_t simulation_events(const simulation *s)
{
	return s->events;
}
