/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the simulations of an experiment, side by side on threads.
 *
 * Each run has its own simulation and writes to its own cell, so neither the
 * number of threads nor the order in which they finish is seen in the results.
 */
#include "report/experiment_run.h"

#include "report/decisions.h"
#include "report/json_writer.h"
#include "report/log_folders.h"
#include "report/output_file.h"
#include "report/rtapp_logs.h"
#include "report/stats.h"
#include "schedsim/error.h"

/* One cell to be filled. */
struct job {
	guint of_case, policy, run;
	GError *error; /* owned */
	char *warning; /* owned; NULL: none */
};

struct runner {
	const prepared *p;
	const struct experiment_options *options;
	FILE *decisions;    /* not owned; NULL: none */
	char **log_folders; /* [nr_jobs] not owned; NULL: no logs */
	struct job *jobs;   /* [nr_jobs] owned */
	guint nr_jobs;
	GMutex lock; /* of what follows */
	guint nr_done;
	guint failed; /* the first job that did; nr_jobs: none.  None behind it begins
		       */
};

/* The line that says what the lines below it are of. */
static void write_run_line(FILE *out, const experiment *e, const struct job *job)
{
	const struct experiment_case *c = experiment_case(e, job->of_case);
	g_autoptr(json_writer) w = json_writer_new();

	json_writer_one_line(w, true);
	json_writer_begin(w, NULL, '{');
	json_writer_string(w, "type", "run");
	json_writer_string(w, "workload", experiment_file(e, c->workload)->path);
	json_writer_begin(w, "params", '[');
	for (guint i = 0; c->params[i]; i++)
		json_writer_string(w, NULL, c->params[i]);
	json_writer_end(w, ']');
	json_writer_string(w, "policy", experiment_policy(e, job->policy)->label);
	json_writer_int(w, "seed", e->spec.seed + job->run);
	json_writer_end(w, '}');
	fprintf(out, "%s\n", json_writer_text(w));
}

/* What a deadlock would else leave to be guessed from low figures; or NULL. */
static char *stuck_threads(const simulation *sim)
{
	const char *first;
	int nr = simulation_stuck_threads(sim, &first);

	if (!nr)
		return NULL;
	return g_strdup_printf("%d thread%s for ever, with nothing left that could "
			       "wake: %s%s",
			       nr, nr == 1 ? " waits" : "s wait", first,
			       nr == 1 ? "" : " and others");
}

static bool simulate(const struct runner *r, struct job *job, figures **out)
{
	const experiment *e = r->p->e;
	uint64_t seed = e->spec.seed + job->run;
	g_autoptr(stats) counting = NULL;
	g_autoptr(decisions) trace = NULL;
	g_autoptr(rtapp_logs) logs = NULL;
	g_autoptr(simulation) sim = NULL;
	struct workload_input in;
	struct observer *observers;
	const struct sim_observer *sim_observer;

	if (!prepared_input(r->p, job->of_case, job->policy, seed, &in, &job->error))
		return false;
	counting = stats_new(&in);
	observers = stats_observers(counting);
	sim_observer = stats_sim_observer(counting);
	if (r->decisions) {
		write_run_line(r->decisions, e, job);
		trace = decisions_new(r->decisions, &in, observers, sim_observer);
		observers = decisions_observer(trace);
		sim_observer = decisions_sim_observer(trace);
	}
	if (r->log_folders) {
		logs = rtapp_logs_new(r->log_folders[job - r->jobs], in.workload,
				      sim_observer);
		sim_observer = rtapp_logs_observer(logs);
	}
	sim = simulation_new(&in, seed, observers, sim_observer);
	if (logs && !rtapp_logs_open(logs, sim, &job->error))
		return false;
	stats_set_machine(counting, simulation_machine(sim));
	if (r->options->invariants)
		simulation_check_invariants(sim);
	if (!simulation_run(sim, &job->error) ||
	    (logs && !rtapp_logs_commit(logs, &job->error)))
		return false;
	job->warning = stuck_threads(sim);
	*out = figures_from_results(
		stats_finish(counting, simulation_machine(sim)->now_ns));
	return true;
}

static void prefix_place(const struct runner *r, struct job *job)
{
	const experiment *e = r->p->e;
	const struct experiment_case *c = experiment_case(e, job->of_case);
	g_autofree char *params = g_strjoinv(" ", c->params);

	g_prefix_error(&job->error, "%s: %s%spolicy %s, seed %llu: ",
		       experiment_file(e, c->workload)->path, params,
		       *params ? ", " : "", experiment_policy(e, job->policy)->label,
		       (unsigned long long)(e->spec.seed + job->run));
}

/* Those before a failed one still run: it is the first error that is told. */
static bool may_begin(struct runner *r, guint index)
{
	bool may;

	g_mutex_lock(&r->lock);
	may = index < r->failed;
	g_mutex_unlock(&r->lock);
	return may;
}

static void run_job(gpointer data, gpointer user)
{
	struct job *job = data;
	struct runner *r = user;
	experiment *e = r->p->e;
	guint index = job - r->jobs;
	bool ok;

	if (!may_begin(r, index))
		return;
	ok = simulate(
		r, job,
		&e->cells[experiment_cell(e, job->of_case, job->policy, job->run)]);
	if (!ok)
		prefix_place(r, job);
	g_mutex_lock(&r->lock);
	if (!ok)
		r->failed = MIN(r->failed, index);
	r->nr_done++;
	if (r->options->progress && ok)
		r->options->progress(r->nr_done, r->nr_jobs);
	g_mutex_unlock(&r->lock);
}

static void make_jobs(struct runner *r)
{
	const experiment *e = r->p->e;
	guint i = 0;

	r->nr_jobs = experiment_nr_cells(e);
	r->failed = r->nr_jobs;
	r->jobs = g_new0(struct job, r->nr_jobs);
	for (guint c = 0; c < e->cases->len; c++)
		for (guint policy = 0; policy < e->policies->len; policy++)
			for (guint run = 0; run < e->spec.runs; run++)
				r->jobs[i++] = (struct job){c, policy, run, NULL, NULL};
}

static void run_all(struct runner *r, unsigned threads)
{
	GThreadPool *pool;

	if (threads == 1) {
		for (guint i = 0; i < r->nr_jobs; i++)
			run_job(&r->jobs[i], r);
		return;
	}
	pool = g_thread_pool_new(run_job, r, (int)threads, FALSE, NULL);
	for (guint i = 0; i < r->nr_jobs; i++)
		g_thread_pool_push(pool, &r->jobs[i], NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
}

/* The first error in the order of jobs. */
static bool take_errors(struct runner *r, GError **error)
{
	bool ok = true;

	for (guint i = 0; i < r->nr_jobs; i++) {
		if (!r->jobs[i].error)
			continue;
		if (ok)
			g_propagate_error(error, g_steal_pointer(&r->jobs[i].error));
		g_clear_error(&r->jobs[i].error);
		ok = false;
	}
	return ok;
}

static void add_warning(struct experiment_case *c, const char *text)
{
	guint nr = g_strv_length(c->warnings);

	c->warnings = g_renew(char *, c->warnings, nr + 2);
	c->warnings[nr] = g_strdup(text);
	c->warnings[nr + 1] = NULL;
}

/* The first run of each case that has something to say; others will say the same. */
static void take_warnings(struct runner *r)
{
	experiment *e = r->p->e;
	guint of_case = G_MAXUINT;

	for (guint i = 0; i < r->nr_jobs; i++) {
		struct job *job = &r->jobs[i];
		g_autofree char *warning = g_steal_pointer(&job->warning);
		g_autofree char *text = NULL;

		if (!warning || job->of_case == of_case)
			continue;
		of_case = job->of_case;
		text = g_strdup_printf("policy %s, seed %llu: %s",
				       experiment_policy(e, job->policy)->label,
				       (unsigned long long)(e->spec.seed + job->run),
				       warning);
		add_warning(&g_array_index(e->cases, struct experiment_case, of_case),
			    text);
	}
}

static bool fill_cells(const prepared *p, const struct experiment_options *options,
		       FILE *trace, GError **error)
{
	g_auto(GStrv) folders = NULL;
	struct runner r = {.p = p, .options = options, .decisions = trace};
	/* a trace holds the runs one after the other */
	unsigned threads = trace ? 1 : options->threads;
	bool ok;

	if (options->rtapp_logs) {
		folders = log_folders_new(p->e, options->rtapp_logs, error);
		if (!folders)
			return false;
		r.log_folders = folders;
	}
	g_mutex_init(&r.lock);
	make_jobs(&r);
	p->e->cells = g_new0(figures *, r.nr_jobs);
	run_all(&r, MIN(threads, r.nr_jobs));
	ok = take_errors(&r, error);
	take_warnings(&r);
	g_free(r.jobs);
	g_mutex_clear(&r.lock);
	return ok;
}

/* Whether the file at @path, which @option names, is none that was read. */
static bool spares_inputs(const experiment *e, const char *option, const char *path,
			  GError **error)
{
	for (guint i = 0; path && i < e->files->len; i++)
		if (same_file(path, experiment_file(e, i)->path)) {
			g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
				    "%s: expected another file than the input %s, got "
				    "\"%s\"",
				    option, experiment_file(e, i)->path, path);
			return false;
		}
	return true;
}

experiment *experiment_run(struct experiment_spec *spec,
			   const struct experiment_options *options, GError **error)
{
	g_autoptr(prepared) p = experiment_prepare(spec, error);
	g_autoptr(output_file) trace = NULL;

	if (!p || !spares_inputs(p->e, "--output", options->output, error) ||
	    !spares_inputs(p->e, "--decisions", options->decisions, error))
		return NULL;
	if (options->decisions) {
		trace = output_file_open(options->decisions, error);
		if (!trace)
			return NULL;
	}
	if (!fill_cells(p, options, trace ? output_file_stream(trace) : NULL, error))
		return NULL;
	if (trace && !output_file_commit(trace, error))
		return NULL;
	return prepared_steal(p);
}

experiment *experiment_read(struct experiment_spec *spec, GError **error)
{
	g_autoptr(prepared) p = experiment_prepare(spec, error);

	return p ? prepared_steal(p) : NULL;
}
