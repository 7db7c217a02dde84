/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows wakeups, switches and messages and writes a line for each.
 */
#include "report/decisions.h"

#include "report/decision_inputs.h"
#include "report/json_writer.h"
#include "schedsim/error.h"
#include "workload/control.h"

/* A choice that has been made, and is written once its task is queued. */
struct choice {
	bool made;
	struct decision_inputs inputs;
	struct wakeup decision;
};

/* What is known of one thread. */
struct followed {
	uint64_t request;    /* it took last; 0: of no source, or none */
	uint64_t wakeup;     /* number of the wakeup it has not run after; 0: none */
	uint64_t waiting_ns; /* on a queue or on its way to one since */
	bool on_its_way;     /* its wakeup has begun and it is not queued yet */
	uint64_t behind;     /* request on whose behalf that is; 0: none */
	uint64_t woken_for;  /* that of the wakeup it has not run after */
	struct choice choice;
};

struct decisions {
	FILE *out;         /* not owned */
	const workload *w; /* not owned */
	struct observer observer;
	struct sim_observer sim_observer;
	json_writer *line; /* owned */
	GArray *threads;   /* of struct followed, by pid; owned */
	uint64_t nr_wakeups;
	uint64_t arriving;       /* request that an interrupt delivers... */
	uint64_t arriving_at_ns; /* ...at this instant */
};

static struct followed *follow(decisions *d, const struct task *t)
{
	if (d->threads->len <= (guint)t->pid)
		g_array_set_size(d->threads, t->pid + 1);
	return &g_array_index(d->threads, struct followed, t->pid);
}

static int64_t trace_time(uint64_t ns)
{
	return (int64_t)(ns - SIM_START_NS);
}

static void begin_line(decisions *d, const char *type, uint64_t now_ns)
{
	json_writer_reset(d->line);
	json_writer_begin(d->line, NULL, '{');
	json_writer_string(d->line, "type", type);
	json_writer_int(d->line, "t_ns", trace_time(now_ns));
}

static void end_line(decisions *d)
{
	json_writer_end(d->line, '}');
	fputs(json_writer_text(d->line), d->out);
	fputc('\n', d->out);
}

/* Wakeups */

static const char *kind_of(unsigned wake_flags)
{
	if (wake_flags & WF_FORK)
		return "fork";
	return wake_flags & WF_EXEC ? "exec" : "wakeup";
}

static void write_request(decisions *d, const char *key, uint64_t id)
{
	if (id)
		json_writer_int(d->line, key, id);
	else
		json_writer_null(d->line, key);
}

/* The request that an interrupt delivers at this instant, or 0. */
static uint64_t arriving(const decisions *d, uint64_t now_ns)
{
	return d->arriving_at_ns == now_ns ? d->arriving : 0;
}

/* The request on whose behalf the waker, a thread or an interrupt, wakes. */
static uint64_t request_behind(decisions *d, const struct wakeup *w)
{
	uint64_t id;

	if (w->in_task)
		return w->curr->pid ? follow(d, w->curr)->request : 0;
	id = arriving(d, w->m->now_ns);
	d->arriving = 0;
	return id;
}

static void sched_waking(void *data, const struct machine *m, const struct task *t,
			 int waker_cpu)
{
	decisions *d = data;
	struct followed *f = follow(d, t);

	f->on_its_way = true;
	f->waiting_ns = m->now_ns;
	f->behind = arriving(d, m->now_ns);
}

static void select_enter(void *data, const struct wakeup *w)
{
	decisions *d = data;

	decision_inputs_sample(&follow(d, w->p)->choice.inputs, w);
}

static void select_done(void *data, const struct wakeup *w)
{
	decisions *d = data;
	uint64_t behind = request_behind(d, w);
	struct followed *f = follow(d, w->p);

	f->behind = behind;
	f->choice.made = true;
	f->choice.decision = *w;
}

static void write_parties(decisions *d, const struct task *wakee,
			  const struct task *curr)
{
	json_writer_string(d->line, "wakee", wakee->comm);
	json_writer_int(d->line, "wakee_pid", wakee->pid);
	json_writer_string(d->line, "waker", curr->pid ? curr->comm : "idle");
	json_writer_int(d->line, "waker_pid", curr->pid);
}

static void write_decision(decisions *d, const struct task *t)
{
	const struct followed *f = follow(d, t);
	const struct wakeup *w = &f->choice.decision;

	json_writer_string(d->line, "kind", kind_of(w->wake_flags));
	write_parties(d, t, w->curr);
	write_request(d, "request", f->behind);
	json_writer_int(d->line, "this_cpu", w->this_cpu);
	json_writer_int(d->line, "prev_cpu", w->prev_cpu);
	json_writer_int(d->line, "cpu", t->cpu);
	json_writer_string(d->line, "stage", w->stage ? w->stage : "");
	json_writer_string(d->line, "reason", w->reason ? w->reason : "");
	json_writer_int(d->line, "affine_cpu", w->affine_cpu);
	if (w->affine_reason)
		json_writer_string(d->line, "affine_reason", w->affine_reason);
	json_writer_int(d->line, "target", w->target);
	json_writer_bool(d->line, "searched", w->searched);
	json_writer_int(d->line, "probes", w->probes);
	decision_inputs_write(&f->choice.inputs, w, d->line);
}

/*
 * A thread that may use one CPU only is asked about nowhere, and nothing says
 * whether an interrupt or the current thread woke it.
 */
static void write_pinned(decisions *d, const struct machine *m, const struct task *t,
			 int this_cpu, const char *kind)
{
	const struct task *curr = cpu_rq(m, this_cpu)->curr;
	uint64_t behind = follow(d, t)->behind;

	json_writer_string(d->line, "kind", kind);
	write_parties(d, t, curr);
	write_request(d, "request", behind);
	if (d->arriving == behind)
		d->arriving = 0;
	json_writer_int(d->line, "this_cpu", this_cpu);
	json_writer_int(d->line, "cpu", t->cpu);
	json_writer_string(d->line, "stage", "pinned");
	json_writer_string(d->line, "reason", "one CPU allowed");
}

static void write_wakeup(decisions *d, const struct machine *m, const struct task *t,
			 int this_cpu, const char *kind)
{
	struct followed *f = follow(d, t);

	f->wakeup = ++d->nr_wakeups;
	if (!f->on_its_way)
		f->waiting_ns = m->now_ns;
	begin_line(d, "wakeup", m->now_ns);
	json_writer_int(d->line, "wakeup", f->wakeup);
	if (f->waiting_ns != m->now_ns)
		json_writer_int(d->line, "began_ns", trace_time(f->waiting_ns));
	if (f->choice.made)
		write_decision(d, t);
	else
		write_pinned(d, m, t, this_cpu, kind);
	end_line(d);
	f->choice.made = false;
	f->on_its_way = false;
	f->woken_for = f->behind;
	f->behind = 0;
}

static void ttwu(void *data, const struct machine *m, const struct task *t,
		 int waker_cpu, bool remote)
{
	write_wakeup(data, m, t, waker_cpu, "wakeup");
}

static void sched_wakeup(void *data, const struct machine *m, const struct task *t,
			 bool is_new)
{
	if (is_new)
		write_wakeup(data, m, t, t->cpu, "fork");
}

/* Switches */

static void switch_out(decisions *d, const struct machine *m, const struct task *t,
		       const struct task *by)
{
	follow(d, t)->waiting_ns = m->now_ns;
	begin_line(d, "preempted", m->now_ns);
	json_writer_int(d->line, "pid", t->pid);
	json_writer_int(d->line, "cpu", t->cpu);
	json_writer_int(d->line, "by_pid", by->pid);
	write_request(d, "request", follow(d, t)->request);
	end_line(d);
}

static void switch_in(decisions *d, const struct machine *m, const struct task *t)
{
	struct followed *f = follow(d, t);

	begin_line(d, "switch_in", m->now_ns);
	json_writer_int(d->line, "pid", t->pid);
	json_writer_int(d->line, "cpu", t->cpu);
	write_request(d, "wakeup", f->wakeup);
	write_request(d, "request", f->wakeup ? f->woken_for : f->request);
	json_writer_int(d->line, "waited_ns", (int64_t)(m->now_ns - f->waiting_ns));
	end_line(d);
	f->wakeup = 0;
}

static void sched_switch(void *data, const struct machine *m, const struct rq *rq,
			 const struct task *prev, const struct task *next,
			 bool prev_sleeps)
{
	decisions *d = data;

	if (prev->pid && !prev_sleeps)
		switch_out(d, m, prev, next);
	if (next->pid)
		switch_in(d, m, next);
}

/* Above the scheduler */

static void request_sent(void *data, int source, uint64_t id, uint64_t now_ns)
{
	decisions *d = data;

	d->arriving = id;
	d->arriving_at_ns = now_ns;
	begin_line(d, "arrived", now_ns);
	json_writer_int(d->line, "request", id);
	json_writer_string(d->line, "source", d->w->sources[source].name);
	end_line(d);
}

static void message_received(void *data, const struct sim_task *t, uint64_t id,
			     int channel)
{
	decisions *d = data;
	const struct machine *m = t->task.se.cfs_rq->rq->m;

	follow(d, &t->task)->request = id;
	begin_line(d, "received", m->now_ns);
	json_writer_int(d->line, "pid", t->task.pid);
	json_writer_int(d->line, "cpu", t->task.cpu);
	write_request(d, "request", id);
	json_writer_string(d->line, "channel", d->w->channels[channel].name);
	end_line(d);
}

static void request_done(void *data, int source, uint64_t scheduled_ns, uint64_t now_ns,
			 uint64_t id)
{
	decisions *d = data;

	begin_line(d, "request", now_ns);
	json_writer_int(d->line, "request", id);
	json_writer_string(d->line, "source", d->w->sources[source].name);
	json_writer_int(d->line, "scheduled_ns", trace_time(scheduled_ns));
	json_writer_int(d->line, "latency_ns", (int64_t)(now_ns - scheduled_ns));
	end_line(d);
}

/* Where there are cpusets. */
static void write_account(json_writer *line, const struct operation_account *account)
{
	const struct op_result *result = account->result;

	json_writer_int(line, "lock_wait_ns", (int64_t)account->lock_wait_ns);
	json_writer_int(line, "grace_period_ns", (int64_t)account->grace_period_ns);
	json_writer_int(line, "service_ns", (int64_t)account->service_ns);
	json_writer_int(line, "walk_ns", (int64_t)account->walk_ns);
	json_writer_int(line, "rebuilds_requested", result->rebuilds_requested);
	json_writer_int(line, "tasks_walked", (int64_t)result->tasks_walked);
}

static void operation_done(void *data, const struct operation_account *account)
{
	decisions *d = data;
	int error = account->error;

	begin_line(d, "operation", account->end_ns);
	json_writer_string(d->line, "operation", d->w->control->rows[account->row]);
	json_writer_string(d->line, "place", account->spec->place);
	if (account->spec->path)
		json_writer_string(d->line, "path", account->spec->path);
	if (account->value)
		json_writer_string(d->line, "value", account->value);
	json_writer_int(d->line, "due_ns", trace_time(account->due_ns));
	json_writer_int(d->line, "began_ns", trace_time(account->began_ns));
	json_writer_int(d->line, "latency_ns",
			(int64_t)(account->end_ns - account->due_ns));
	json_writer_string(d->line, "errno", error ? kernel_errno_name(error) : "0");
	if (account->result)
		write_account(d->line, account);
	end_line(d);
}

static void warmup_over(void *data, uint64_t now_ns)
{
	decisions *d = data;

	begin_line(d, "warmup_over", now_ns);
	end_line(d);
}

decisions *decisions_new(FILE *out, const struct workload_input *in,
			 struct observer *next, const struct sim_observer *sim_next)
{
	decisions *d = g_new0(decisions, 1);

	d->out = out;
	d->w = in->workload;
	d->line = json_writer_new();
	json_writer_one_line(d->line, true);
	d->threads = g_array_new(FALSE, TRUE, sizeof(struct followed));
	d->observer = (struct observer){
		.next = next,
		.data = d,
		.sched_waking = sched_waking,
		.select_enter = select_enter,
		.select_done = select_done,
		.ttwu = ttwu,
		.sched_wakeup = sched_wakeup,
		.sched_switch = sched_switch,
	};
	d->sim_observer = (struct sim_observer){
		.next = sim_next,
		.data = d,
		.request_sent = request_sent,
		.request_done = request_done,
		.warmup_over = warmup_over,
		.message_received = message_received,
		.operation_done = operation_done,
	};
	return d;
}

void decisions_free(decisions *d)
{
	if (!d)
		return;
	json_writer_free(d->line);
	g_array_unref(d->threads);
	g_free(d);
}

struct observer *decisions_observer(decisions *d)
{
	return &d->observer;
}

const struct sim_observer *decisions_sim_observer(const decisions *d)
{
	return &d->sim_observer;
}
