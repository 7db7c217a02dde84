/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a workload on one machine: the clockwork that drives sched/.
 */
#ifndef WORKLOAD_SIMULATION_H
#define WORKLOAD_SIMULATION_H

#include "cpuset/operation.h"
#include "workload/read_workload.h"

typedef struct simulation simulation;

/*
 * When a run starts, on every clock.  Not at 0, which the scheduler takes for
 * "never"; a whole number of ticks at each HZ.  Times that observers see include it.
 */
#define SIM_START_NS (20 * NSEC_PER_MSEC)

/* The group of threads that belong to no task: those of operations. */
#define NO_TASK_GROUP (-1)

/* A thread of the simulation: one instance of a task_spec. */
struct sim_task {
	struct task task;
	const struct task_spec *spec; /* not owned */
	int group;                    /* index of spec, or NO_TASK_GROUP */
	int instance;
	/* the interpreter's own state follows in clockwork.h's type */
};

/*
 * One turn of a phase, as rt-app's logs have it: of the phase's loop, or of the task's
 * where it has no phases.  Times are absolute ns; those of events that the thread is
 * at when it is preempted include the wait.
 */
struct phase_turn {
	uint64_t start_ns, end_ns;
	uint64_t run_ns;          /* in run and runtime events */
	uint64_t work_ns;         /* done in them, at CAPACITY_ONE */
	uint64_t asked_run_ns;    /* by those events */
	uint64_t asked_period_ns; /* by timer events */
	uint64_t timer_wait_ns;   /* from a timer's end until the thread ran on */
	bool timer_waited;        /* some timer was waited for */
	bool has_timer;           /* there was a timer event */
	int64_t slack_ns;         /* of the last timer event */
	int64_t slack_sum_ns;     /* of all of them */
};

/* An operation that has come to its end. */
struct operation_account {
	const struct operation_spec *spec; /* its entry; not owned */
	const char *value;       /* that was written; not owned; NULL: it is no write */
	int row;                 /* of the workload's control */
	uint64_t due_ns, end_ns; /* absolute */
	uint64_t began_ns;  /* likewise: its thread began it, the ones before over */
	uint64_t target_ns; /* how long from there on is not too long; 0: not said */
	int error;          /* its errno; 0: none */
	/* What of the time from there on was spent in which way; the rest is the way
	 * into the kernel, waits for a CPU, and interrupts. */
	uint64_t lock_wait_ns, grace_period_ns, service_ns;
	uint64_t walk_ns; /* of service_ns: in walks for deadline bandwidth */
	const struct op_result *result; /* what it did to cpusets; NULL: there are none
					 */
};

/* What happens above the scheduler, for whoever listens. */
struct sim_observer {
	const struct sim_observer *next; /* not owned */
	void *data;                      /* not owned */
	/* A request of source @source arrives; its interrupt may have to wait. */
	void (*request_arrived)(void *data, int source);
	/* It is delivered as request @id; the wakeup of its receiver follows. */
	void (*request_sent)(void *data, int source, uint64_t id, uint64_t now_ns);
	/* A request of source @source was answered; times are absolute ns. */
	void (*request_done)(void *data, int source, uint64_t scheduled_ns,
			     uint64_t now_ns, uint64_t id);
	/*
	 * A timer step of @t: @slack_ns until the next period (negative: it was missed,
	 * and there was no sleep).
	 */
	void (*timer_step)(void *data, const struct sim_task *t, int64_t slack_ns);
	/* The measured part begins: forget what came before. */
	void (*warmup_over)(void *data, uint64_t now_ns);
	/* A thread got message of request @id (0: of no source) from channel group
	 * @channel. */
	void (*message_received)(void *data, const struct sim_task *t, uint64_t id,
				 int channel);
	/* @t runs on another core than last, and spends @ns on refilling caches. */
	void (*cache_refill)(void *data, const struct sim_task *t, uint64_t ns);
	/* A loop of the outermost kind of @t came round: one activation. */
	void (*activation)(void *data, const struct sim_task *t);
	/* A turn of a phase of @t is over; one cut short by the end is not told. */
	void (*phase_turn)(void *data, const struct sim_task *t,
			   const struct phase_turn *turn);
	/* An operation ended; @account is for the time of the call. */
	void (*operation_done)(void *data, const struct operation_account *account);
};

/* Calls one callback of every observer from @first on that has it. */
#define SIM_OBSERVE(first, callback, ...)                                              \
	do {                                                                           \
		for (const struct sim_observer *so_ = (first); so_; so_ = so_->next)   \
			if (so_->callback)                                             \
				so_->callback(so_->data, __VA_ARGS__);                 \
	} while (0)

/*
 * @in->spec must carry the policy and the NI_RANDOM seed; @in outlives the
 * simulation.  @scheduler_observers (NULL: none) become the machine's; of
 * @sim_observers (NULL: none), a chain, the first is copied.
 */
simulation *simulation_new(const struct workload_input *in, uint64_t seed,
			   struct observer *scheduler_observers,
			   const struct sim_observer *sim_observers);
/*
 * Runs for the workload's warm-up and then its duration; without an end
 * (duration_ns UINT64_MAX) until every thread is dead or waits for another.  Once
 * for each simulation.
 *
 * False with INPUT_ERROR when the workload makes no progress in time or a file of
 * recorded arrivals is not what it must be.
 */
bool simulation_run(simulation *s, GError **error);

/*
 * After the run: threads that wait although nothing is left that could wake them, as
 * in a deadlock, and the first one's name.
 */
int simulation_stuck_threads(const simulation *s, const char **first);

/*
 * Has simulation_run() check after every event what must hold if the scheduler has no
 * bug; the first breach ends the run with an INVARIANT_ERROR.  To be called before.
 */
void simulation_check_invariants(simulation *s);

void simulation_free(simulation *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(simulation, simulation_free)

const struct machine *simulation_machine(const simulation *s);
/* Threads in the order they were made. */
int simulation_nr_tasks(const simulation *s);
const struct sim_task *simulation_task(const simulation *s, int i);
uint64_t simulation_events(const simulation *s);

/* The simulation's thread, or NULL for an idle task. */
static inline const struct sim_task *sim_task_of(const struct task *t)
{
	return (const struct sim_task *)t->owner;
}

#endif
