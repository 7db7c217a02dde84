/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the thread of an operation carries it out, part by part.
 */
#ifndef WORKLOAD_OPERATIONS_H
#define WORKLOAD_OPERATIONS_H

#include "workload/clockwork.h"
#include "workload/control.h"

/* One operation on its way, and the entry's to come. */
struct operation_run {
	simulation *s;                     /* not owned */
	const struct operation_spec *spec; /* not owned */
	uint64_t turn;                     /* how many of the entry came before it */
	uint64_t due_ns;
	int stage;              /* parts of it that are done; 0: it has not begun */
	int error;              /* its errno; 0: none so far */
	bool has_result;        /* there are cpusets: */
	op_result result;       /* what it did to them so far; owned */
	uint64_t kernel_ns;     /* OPERATION_WORKS: for so long */
	uint64_t interval_turn; /* of dist_sample() */
};

/* What an operation needs before its next part. */
enum operation_needs {
	OPERATION_IS_DONE, /* nothing more: run->error is its result */
	OPERATION_WORKS,   /* run->kernel_ns of kernel time on its CPU */
};

/*
 * A kind of operation.  advance() does one part of it, in no time, in the context of
 * its thread, which is current; run->stage is how many came before.
 */
struct operation_ops {
	enum operation_needs (*advance)(struct operation_run *run);
};

/* task_operations.c */

/* The threads that the operation is about, of struct task *.  (transfer container) */
GPtrArray *operation_tasks(const struct operation_run *run);
enum operation_needs operation_setscheduler(struct operation_run *run);
enum operation_needs operation_affinity(struct operation_run *run);
enum operation_needs operation_renice(struct operation_run *run);

/* cpu_operations.c */
enum operation_needs operation_offline(struct operation_run *run);
enum operation_needs operation_online(struct operation_run *run);
enum operation_needs operation_suspend(struct operation_run *run);
enum operation_needs operation_resume(struct operation_run *run);
enum operation_needs operation_governor(struct operation_run *run);
enum operation_needs operation_topology(struct operation_run *run);

extern const struct operation_ops operation_ops[NR_OPERATION_KINDS];

#endif
