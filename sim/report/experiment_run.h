/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What preparing and running an experiment share.
 */
#ifndef REPORT_EXPERIMENT_RUN_H
#define REPORT_EXPERIMENT_RUN_H

#include "report/experiment.h"
#include "workload/policy_choice.h"
#include "workload/simulation.h"

/* An experiment whose inputs have been read. */
typedef struct prepared prepared;

struct prepared {
	experiment *e;   /* owned */
	GArray *choices; /* of policy_choice, as e->policies; owned */
	GArray *inputs;  /* of struct workload_input, as e->cases; owned */
};

/*
 * Reads what @spec names and takes it over.  INPUT_ERROR with the place: a file's
 * path, or the option that is wrong.
 */
prepared *experiment_prepare(struct experiment_spec *spec, GError **error);
void prepared_free(prepared *p);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(prepared, prepared_free)

/* A case's input under a policy; shares everything but the spec with the case's. */
bool prepared_input(const prepared *p, guint of_case, guint policy, uint64_t seed,
		    struct workload_input *out, GError **error);

/* The experiment of @p, without results. */
experiment *prepared_steal(prepared *p);

#endif
