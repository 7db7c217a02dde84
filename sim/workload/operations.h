/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the thread of an operation carries it out, part by part.
 */
#ifndef WORKLOAD_OPERATIONS_H
#define WORKLOAD_OPERATIONS_H

#include "model/control_costs.h"
#include "workload/arrivals.h"
#include "workload/clockwork.h"
#include "workload/control.h"
#include "workload/lock_waiter.h"

/* What an operation needs before its next part. */
enum operation_needs {
	OPERATION_IS_DONE, /* nothing more: run->error is its result */
	OPERATION_WORKS,   /* run->kernel_ns of kernel time on its CPU */
};

enum operation_phase {
	OPERATION_ENTERS, /* the kernel */
	OPERATION_LOCKS,  /* takes what its next part needs, and does it */
	OPERATION_SPENDS, /* the time of that */
	OPERATION_RELEASES,
};

enum operation_wait { WAITS_FOR_NOTHING, WAITS_FOR_LOCK, WAITS_FOR_RCU };

/* When the operations of an entry are due. */
struct operation_times {
	uint64_t begun_ns;
	arrivals *record;  /* owned; NULL: not recorded, or not opened yet */
	const char *value; /* of the record's line; not owned, NULL: it has none */
	uint64_t rounds;   /* due times so far */
	uint64_t left; /* operations due at the last one, the current one included */
	uint64_t every_turn, burst_turn; /* of dist_sample() */
};

/* One operation on its way, and the entry's to come. */
struct operation_run {
	simulation *s;                     /* not owned */
	const struct operation_spec *spec; /* not owned */
	uint64_t turn;                     /* how many of the entry came before it */
	struct operation_times times;
	uint64_t due_ns, began_ns;
	int stage;          /* parts of it that are done; 0: it has not begun */
	int error;          /* its errno; 0: none so far */
	bool has_result;    /* there are cpusets: */
	op_result result;   /* what it did to them so far; owned */
	uint64_t kernel_ns; /* OPERATION_WORKS: for so long */

	/* where there are cpusets: how it takes its time */
	struct thread *thread; /* not owned */
	enum operation_phase phase;
	enum operation_needs needs;      /* after what it spends */
	enum op_lock locks[NR_OP_LOCKS]; /* [nr_locks], of the next part, outermost
					    first */
	int nr_locks, nr_taken;
	unsigned held;  /* 1 << enum op_lock */
	unsigned early; /* of them, those whose place in the journal is still to come */
	guint next_step;           /* of the journal */
	bool charged;              /* for what each of its kind costs */
	struct lock_waiter waiter; /* its place in the queue of a lock */
	bool must_sleep;           /* there, once it has woken others */
	struct list woken;         /* of lock_waiter.wake_node: to be woken by it */
	enum operation_wait wait;
	uint64_t wait_since_ns;
	uint64_t lock_wait_ns, grace_period_ns, service_ns; /* so far */
	uint64_t walk_ns;                                   /* of service_ns */
	struct control_draws draws;
};

/*
 * A kind of operation.  advance() does one part of it, in no time, in the context of
 * its thread, which is current; run->stage is how many came before.
 */
struct operation_ops {
	enum operation_needs (*advance)(struct operation_run *run);
};

/* operation_times.c */

/*
 * The entry's next due time into @run->due_ns, with times.left operations; @t carries
 * them out.  False: there is none, or the record is not what it must be, which ends the
 * run.
 */
bool operation_next_time(struct thread *t, struct operation_run *run);

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

/* tunable_operation.c */
enum operation_needs operation_tunable(struct operation_run *run);

extern const struct operation_ops operation_ops[NR_OPERATION_KINDS];

#endif
