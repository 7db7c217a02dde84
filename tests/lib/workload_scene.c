/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload_scene.h"

#include "scene_topology.h"
#include "sched/profile.h"
#include "schedsim/observer.h"
#include "schedsim/wakeup.h"
#include "test.h"
#include "wakeup/registry.h"
#include "workload/clockwork.h"
#include "workload_text.h"

#include <string.h>

void scene_init(struct scene *sc, const char *machine, uint64_t duration_ns)
{
	memset(sc, 0, sizeof(*sc));
	sc->in.topology = scene_topology(machine);
	machine_spec_init(&sc->in.spec, kernel_profiles()[0]);
	sc->in.spec.costs = (struct machine_costs){.wakeup_ipi_ns = 1000};
	sc->in.workload = &sc->w;
	sc->w.duration_ns = duration_ns;
	sc->w.tasks = sc->tasks;
	sc->w.sources = sc->sources;
	sc->w.channels = sc->channels;
	sc->w.timers = sc->timers;
	sc->w.mutexes = sc->w.conditions = sc->names;
	sc->w.barriers = sc->barriers;
	sc->w.nr_barriers = SCENE_OBJECTS;
	sc->w.mem_buffer_bytes = 4 << 20;
	sc->w.nr_channels = sc->w.nr_timers = SCENE_OBJECTS;
	sc->w.nr_mutexes = sc->w.nr_conditions = SCENE_OBJECTS;
	for (int i = 0; i < SCENE_OBJECTS; i++) {
		sc->names[i] = g_strdup_printf("object%d", i);
		sc->channels[i].name = sc->names[i];
		sc->channels[i].count = 1;
		sc->timers[i].name = sc->names[i];
	}
	sc->seed = 1;
	sc->log = g_string_new(NULL);
}

void scene_clear(struct scene *sc)
{
	for (int i = 0; i < sc->w.nr_tasks; i++)
		g_free(sc->tasks[i].program.steps);
	for (int i = 0; i < SCENE_OBJECTS; i++)
		g_free(sc->names[i]);
	g_string_free(sc->log, TRUE);
	topology_free(sc->in.topology);
}

struct task_spec *scene_add_task(struct scene *sc, const char *name,
				 const struct step *steps, size_t nr)
{
	struct task_spec *spec = &sc->tasks[sc->w.nr_tasks++];

	assert_true(sc->w.nr_tasks <= SCENE_TASKS);
	spec->name = (char *)name;
	spec->instances = 1;
	spec->program.steps = g_new0(struct step, nr + 1);
	memcpy(spec->program.steps, steps, nr * sizeof(*steps));
	spec->program.steps[nr].op = STEP_EXIT;
	spec->program.nr_steps = (int)nr + 1;
	for (size_t i = 0; i <= nr; i++)
		spec->program.steps[i].place = (char *)name;
	return spec;
}

struct source_spec *scene_source(struct scene *sc, const char *name,
				 enum arrival_kind kind, uint64_t interval_ns)
{
	struct source_spec *spec = &sc->sources[sc->w.nr_sources++];

	assert_true(sc->w.nr_sources <= SCENE_OBJECTS);
	spec->name = (char *)name;
	spec->kind = kind;
	spec->interval_ns = interval_ns;
	spec->batch = dist_fixed(1);
	spec->irq_cpus = cpumask_of(0);
	return spec;
}

static void add_us(GString *log, uint64_t ns)
{
	g_string_append_printf(log, "%" G_GUINT64_FORMAT, ns / 1000);
	if (ns % 1000)
		g_string_append_printf(log, ".%03u", (unsigned)(ns % 1000));
}

static void begin_line(struct scene *sc, uint64_t now_ns)
{
	add_us(sc->log, now_ns - SIM_START_NS);
	g_string_append_c(sc->log, ' ');
}

static const char *name_of(const struct task *t)
{
	if (t->pid)
		return t->comm;
	return g_str_has_prefix(t->comm, "swapper/") ? "idle" : "stop";
}

static void on_switch(void *data, const struct machine *m, const struct rq *rq,
		      const struct task *prev, const struct task *next,
		      bool prev_sleeps)
{
	struct scene *sc = data;

	if (sc->no_scheduling)
		return;
	begin_line(sc, m->now_ns);
	g_string_append_printf(sc->log, "cpu%d %s>%s\n", rq->cpu, name_of(prev),
			       name_of(next));
}

static void on_waking(void *data, const struct machine *m, const struct task *t,
		      int waker_cpu)
{
	struct scene *sc = data;

	if (!sc->wakers)
		return;
	begin_line(sc, m->now_ns);
	g_string_append_printf(sc->log, "cpu%d wakes %s\n", waker_cpu, t->comm);
}

static void on_select(void *data, const struct wakeup *w)
{
	struct scene *sc = data;

	if (!(w->wake_flags & WF_TTWU))
		return;
	sc->nr_sync += !!(w->wake_flags & WF_SYNC);
	sc->nr_from_task += w->in_task;
}

static void on_wakeup(void *data, const struct machine *m, const struct task *t,
		      bool is_new)
{
	struct scene *sc = data;

	if (is_new || sc->no_scheduling)
		return;
	begin_line(sc, m->now_ns);
	g_string_append_printf(sc->log, "+%s\n", t->comm);
}

static void on_timer(void *data, const struct sim_task *t, int64_t slack_ns)
{
	struct scene *sc = data;

	begin_line(sc, t->task.se.cfs_rq->rq->m->now_ns);
	g_string_append_printf(sc->log, "%s timer %" G_GINT64_FORMAT "\n", t->task.comm,
			       slack_ns / 1000);
}

static void on_message(void *data, const struct sim_task *t, uint64_t id, int channel)
{
	struct scene *sc = data;

	begin_line(sc, t->task.se.cfs_rq->rq->m->now_ns);
	g_string_append_printf(sc->log, "%s got %" G_GUINT64_FORMAT "\n", t->task.comm,
			       id);
}

static void on_done(void *data, int source, uint64_t scheduled_ns, uint64_t now_ns,
		    uint64_t id)
{
	struct scene *sc = data;

	begin_line(sc, now_ns);
	g_string_append_printf(sc->log, "done %" G_GUINT64_FORMAT " since ", id);
	add_us(sc->log, scheduled_ns - SIM_START_NS);
	g_string_append_c(sc->log, '\n');
}

static void on_refill(void *data, const struct sim_task *t, uint64_t ns)
{
	struct scene *sc = data;

	begin_line(sc, t->task.se.cfs_rq->rq->m->now_ns);
	g_string_append_printf(sc->log, "%s refills ", t->task.comm);
	add_us(sc->log, ns);
	g_string_append_c(sc->log, '\n');
}

static void on_activation(void *data, const struct sim_task *t)
{
	struct scene *sc = data;

	begin_line(sc, t->task.se.cfs_rq->rq->m->now_ns);
	g_string_append_printf(sc->log, "%s active\n", t->task.comm);
}

static void on_warm(void *data, uint64_t now_ns)
{
	struct scene *sc = data;

	if (!sc->in.workload->warmup_ns)
		return;
	begin_line(sc, now_ns);
	g_string_append(sc->log, "warm\n");
}

void scene_act_at(struct scene *sc, uint64_t at_ns, void (*fn)(simulation *s))
{
	assert_true(sc->nr_acts < SCENE_ACTS);
	sc->acts[sc->nr_acts++] = (struct scene_act){at_ns, fn};
}

/* An act of one run. */
struct act {
	struct event event;
	simulation *s; /* not owned */
	void (*fn)(simulation *s);
};

static void on_act(void *subject, uint64_t now_ns)
{
	struct act *act = subject;

	act->fn(act->s);
}

static void add_acts(const struct scene *sc, simulation *s, struct act *acts)
{
	for (int i = 0; i < sc->nr_acts; i++) {
		acts[i] = (struct act){
			.event = {.fn = on_act,
				  .subject = &acts[i],
				  .phase = EVENT_START},
			.s = s,
			.fn = sc->acts[i].fn,
		};
		event_queue_add(s->q, &acts[i].event, SIM_START_NS + sc->acts[i].at_ns);
	}
}

bool scene_run(struct scene *sc, GError **error)
{
	struct act acts[SCENE_ACTS];
	struct wakeup_policy baseline =
		wakeup_policy_complete(wakeup_policy_find("baseline"));
	struct observer observer = {.data = sc,
				    .sched_switch = on_switch,
				    .sched_waking = on_waking,
				    .sched_wakeup = on_wakeup,
				    .select_enter = on_select};
	struct sim_observer listener = {.data = sc,
					.request_done = on_done,
					.timer_step = on_timer,
					.warmup_over = on_warm,
					.message_received = on_message,
					.cache_refill = on_refill,
					.activation = on_activation};
	g_autoptr(simulation) s = NULL;

	sc->in.spec.policy = &baseline;
	g_string_truncate(sc->log, 0);
	s = simulation_new(&sc->in, sc->seed, &observer, &listener);
	add_acts(sc, s, acts);
	if (sc->invariants)
		simulation_check_invariants(s);
	if (!simulation_run(s, error))
		return false;
	if (sc->inspect)
		sc->inspect(s);
	return true;
}

void scene_expect(struct scene *sc, const char *log)
{
	g_autoptr(GError) error = NULL;

	if (!scene_run(sc, &error))
		fail_msg("%s", error->message);
	assert_string_equal(sc->log->str, log);
}

bool scene_run_text(struct scene *sc, const char *json, GError **error)
{
	bool done;

	sc->in = workload_of(json);
	sc->in.spec.costs = sc->costs;
	sc->seed = 1;
	sc->log = g_string_new(NULL);
	done = scene_run(sc, error);
	workload_input_clear(&sc->in);
	return done;
}

static void assert_log_of_text(const char *json, bool scheduling, const char *log)
{
	struct scene sc = {.no_scheduling = !scheduling};
	g_autoptr(GError) error = NULL;

	if (!scene_run_text(&sc, json, &error))
		fail_msg("%s", error->message);
	assert_string_equal(sc.log->str, log);
	g_string_free(sc.log, TRUE);
}

void scene_expect_text(const char *json, const char *log)
{
	assert_log_of_text(json, true, log);
}

void scene_expect_text_steps(const char *json, const char *log)
{
	assert_log_of_text(json, false, log);
}

void scene_expect_text_error(const char *json, int code, const char *message)
{
	struct scene sc = {.no_scheduling = true};
	GError *error = NULL;

	assert_false(scene_run_text(&sc, json, &error));
	g_string_free(sc.log, TRUE);
	assert_error(error, error->domain, code, message);
}
