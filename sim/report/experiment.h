/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of runs: workloads and parameter steps (the cases) by policies by seeds.
 */
#ifndef REPORT_EXPERIMENT_H
#define REPORT_EXPERIMENT_H

#include "report/figures.h"
#include "report/interval.h"

/* JSON's numbers are read as doubles, which hold whole numbers up to here. */
#define SEED_MAX ((1ULL << 53) - 1)
#define RUNS_MAX INTERVAL_SAMPLES_MAX
#define CASES_MAX 10000
#define CELLS_MAX 1000000
#define THREADS_MAX 1024

/* A workload's parameter and the values it takes in turn. */
struct param_axis {
	char *name;   /* owned */
	char **steps; /* owned */
};

/* What to run; what its results depend on, and no more. */
struct experiment_spec {
	char **workloads; /* paths; owned */
	char **policies;  /* as the user named them; owned */
	GArray *params;   /* of struct param_axis; owned */
	char *machine;    /* name, topology or file; owned; NULL: each workload's */
	uint64_t seed;    /* of run 0; run i has seed + i */
	unsigned runs;
	uint64_t duration_ns, warmup_ns; /* UINT64_MAX: each workload's */
};

void experiment_spec_init(struct experiment_spec *spec);
void experiment_spec_clear(struct experiment_spec *spec);
/* Adds NAME=VALUE or NAME=FROM..TO:STEPS.  INPUT_ERROR_VALUE: no such form. */
bool experiment_spec_add_param(struct experiment_spec *spec, const char *text,
			       GError **error);

/* A file that was read, for whoever repeats the experiment. */
struct input_file {
	char *path;   /* owned */
	char *sha256; /* owned */
};

struct experiment_policy {
	char *text, *label, *name, *summary; /* owned */
	char **settings;                     /* "short_below_ns=375000"; owned */
};

/* One workload under one step of each parameter. */
struct experiment_case {
	guint workload; /* index */
	char **params;  /* "load=0.9", in order of the spec's params; owned */
	char **notes;   /* what is simulated: "machine", text, "tasks", text, ...; owned
			 */
	char **warnings; /* of the reader; owned */
};

typedef struct experiment experiment;

struct experiment {
	char *version; /* owned; of the program that ran it */
	struct experiment_spec spec;
	GArray *files; /* of struct input_file: the workloads, then the others; owned */
	GArray *policies; /* of struct experiment_policy; owned */
	GArray *cases;    /* of struct experiment_case; owned */
	figures **cells;  /* [cases->len][policies->len][spec.runs] owned */
};

/* How to run it; the results do not depend on it. */
struct experiment_options {
	unsigned threads;
	bool invariants;       /* checked after each event; a breach ends the run */
	const char *output;    /* file the caller will write; no input; NULL: none */
	const char *decisions; /* file that gets the wakeups of every run; NULL: none */
	const char *rtapp_logs; /* folder for logs as rt-app's; NULL: none */
	/* Called with the runs done and all runs; NULL: nobody cares. */
	void (*progress)(guint done, guint total);
};

/*
 * Runs @spec, which it takes over, whether or not it succeeds.  NULL with
 * INPUT_ERROR for what a user can mend; any other domain is a failure of ours.
 */
experiment *experiment_run(struct experiment_spec *spec,
			   const struct experiment_options *options, GError **error);
/* As experiment_run() up to the first simulation: only reads.  No cells. */
experiment *experiment_read(struct experiment_spec *spec, GError **error);
/* Empty. */
experiment *experiment_new(void);
void experiment_free(experiment *e);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(experiment, experiment_free)

guint experiment_nr_cells(const experiment *e);

static inline gsize experiment_cell(const experiment *e, guint of_case, guint policy,
				    guint run)
{
	return ((gsize)of_case * e->policies->len + policy) * e->spec.runs + run;
}

static inline const struct experiment_case *experiment_case(const experiment *e,
							    guint i)
{
	return &g_array_index(e->cases, struct experiment_case, i);
}

static inline const struct experiment_policy *experiment_policy(const experiment *e,
								guint i)
{
	return &g_array_index(e->policies, struct experiment_policy, i);
}

static inline const struct input_file *experiment_file(const experiment *e, guint i)
{
	return &g_array_index(e->files, struct input_file, i);
}

#endif
