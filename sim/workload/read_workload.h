/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a workload file to what it means.
 */
#ifndef WORKLOAD_READ_WORKLOAD_H
#define WORKLOAD_READ_WORKLOAD_H

#include "cpuset/rebuild_policy.h"
#include "model/machine_new.h"
#include "workload/program.h"

/* What the command line says over the file. */
struct workload_options {
	const char *machine;             /* name, topology or file; NULL: the file's */
	uint64_t duration_ns, warmup_ns; /* UINT64_MAX: the file's */
	GHashTable *params; /* name -> value as text; not owned; NULL: none */
};

struct workload_input {
	workload *workload;       /* owned */
	topology *topology;       /* owned */
	struct machine_spec spec; /* policy and seed still to be set */
	/* NULL, as it is read: that of the kernel, where there are cpusets; not owned
	 */
	const struct rebuild_policy *rebuild;
};

/*
 * Reads @path and what it refers to.  Errors say `PATH: PLACE: what was expected
 * and what came`: line and column for syntax, the JSON path for meaning.
 */
bool workload_read(const char *path, const struct workload_options *options,
		   struct workload_input *out, GError **error);
/* As workload_read(), from @text; @path is for messages and side files. */
bool workload_read_text(const char *text, gsize length, const char *path,
			const struct workload_options *options,
			struct workload_input *out, GError **error);
void workload_input_clear(struct workload_input *in);

#endif
