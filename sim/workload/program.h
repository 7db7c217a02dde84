/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tasks do: generic steps to which every event of the grammar compiles.
 */
#ifndef WORKLOAD_PROGRAM_H
#define WORKLOAD_PROGRAM_H

#include "base/dist.h"
#include "schedsim/task.h"

enum step_op {
	STEP_RUN,     /* amount: work, ns at CAPACITY_ONE */
	STEP_RUNTIME, /* amount: CPU time, ns */
	STEP_SLEEP,   /* amount: ns */
	STEP_TIMER,   /* object: timer; amount: period; flag: absolute mode */
	STEP_YIELD,
	STEP_FORK,          /* object: task of which it starts one more thread */
	STEP_MEM,           /* count: bytes set */
	STEP_IORUN,         /* count: bytes written */
	STEP_LOCK,          /* object: mutex */
	STEP_UNLOCK,        /* object: mutex */
	STEP_WAIT,          /* object: condition; object2: mutex */
	STEP_SIGNAL,        /* object: condition; wakes one */
	STEP_BROADCAST,     /* object: condition; wakes all */
	STEP_SYNC,          /* object: condition; object2: mutex: signal, then wait */
	STEP_BARRIER,       /* object: barrier; jump to target unless all others wait */
	STEP_BARRIER_LEAVE, /* object: barrier, at which the thread waited */
	STEP_RECV,  /* object: channel; amount: work done once each time it had to wait
		     */
	STEP_SEND,  /* object: channel; select, reply_to, count; flag: sync wakeup */
	STEP_REPLY, /* the message last received goes back; flag: sync wakeup */
	STEP_IF_REPLY, /* jump to target unless the message last received is a reply */
	STEP_JUMP,     /* target */
	STEP_LOOP, /* count times to the matching STEP_LOOP_END at target; -1: for ever
		    */
	STEP_LOOP_END,   /* target: the STEP_LOOP */
	STEP_SET_CPUS,   /* cpus */
	STEP_SET_SCHED,  /* policy, nice, rt_priority, dl */
	STEP_SET_CLAMPS, /* clamps */
	STEP_SET_GROUP,  /* object: control group, which the thread joins */
	STEP_OPERATION,  /* object: operation, each time it is due */
	STEP_EXIT,
};

/* Which channel of a group a message goes to. */
enum channel_select {
	SELECT_OWN,         /* of the task's instance number, modulo the group's size */
	SELECT_ROUND_ROBIN, /* per sender */
	SELECT_RANDOM,
	SELECT_FIXED, /* index */
};

/* What SCHED_DEADLINE asks for. */
struct dl_setting {
	uint64_t runtime_ns, deadline_ns, period_ns;
	bool reclaim;
};

/* Utilisation clamps to be set; those that are not stay. */
struct clamp_setting {
	bool set_min, set_max;
	int util_min, util_max; /* 0..CAPACITY_ONE; -1: as without a wish */
};

struct step {
	enum step_op op;
	bool flag;
	int object, object2; /* index into the workload's objects; -1: none */
	struct dist amount;  /* owned */
	enum channel_select select;
	int index;    /* SELECT_FIXED */
	int reply_to; /* channel group whose own channel gets the answer; -1: none */
	int count;    /* loops, bytes, or copies of a message (its reply waits for all)
		       */
	int target;   /* index of a step */
	bool begins_turn, ends_turn; /* of a phase, before the step itself */
	struct cpumask cpus;
	enum sched_policy policy;
	int nice;
	unsigned rt_priority; /* 1..99 for SCHED_FIFO and SCHED_RR, else 0 */
	struct dl_setting dl;
	struct clamp_setting clamps;
	char *place; /* JSON path, for messages; owned */
};

struct program {
	struct step *steps; /* [nr_steps] owned; ends in STEP_EXIT */
	int nr_steps;
};

void program_clear(struct program *p);

/* How well a task's steps can be told apart in reports: its name and instance. */
struct task_spec {
	char *name;     /* owned; the group in reports */
	int instances;  /* that begin with the run */
	bool is_forked; /* others may follow */
	enum sched_policy policy;
	int nice;
	unsigned rt_priority; /* as in a step */
	struct clamp_setting clamps;
	struct cpumask cpus; /* empty: every CPU of the machine */
	uint64_t delay_ns;
	bool asks_for_deadline;  /* its first step does, instead of @policy */
	uint64_t short_below_ns; /* 0: the run's bound */
	unsigned wakee_flips;    /* its threads begin with */
	int cgroup; /* index into the workload's control.paths; 0: the root */
	struct program program;
};

enum arrival_kind { ARRIVE_FIXED, ARRIVE_POISSON, ARRIVE_RECORDED, ARRIVE_CLOSED };

/* Requests from outside the machine. */
struct source_spec {
	char *name; /* owned; the group in reports */
	enum arrival_kind kind;
	uint64_t delay_ns;    /* before it begins */
	uint64_t interval_ns; /* mean time between arrivals (of batches) */
	struct dist batch;    /* requests per arrival (a number, not ns); owned */
	char *file;        /* recorded arrivals: JSON Lines; resolved path, owned; NULL
			      otherwise */
	int clients;       /* closed loop */
	struct dist think; /* closed loop, owned */
	int channel;       /* group that receives */
	enum channel_select select;
	int index;
	struct cpumask irq_cpus; /* take the interrupts, in turn; empty: every CPU */
	bool irq_at_receiver;    /* instead: where the receiver ran last */
	bool sync;               /* the wakeup says WF_SYNC */
};

struct channel_spec {
	char *name; /* owned */
	int count;
};

struct timer_spec {
	char *name;  /* owned */
	bool unique; /* one for every thread */
};

/* Where a number of threads meet. */
struct barrier_spec {
	char *name; /* owned */
	int users;  /* events that use it, times the instances of their tasks */
};

struct control;

#define RTAPP_LOG_BASENAME "rt-app"

/* How rt-app is to log, as far as it concerns what a log says. */
struct rtapp_log_spec {
	char *basename;        /* owned; NULL: RTAPP_LOG_BASENAME */
	unsigned ns_per_loop;  /* of rt-app's calibration; 0: not given */
	bool cumulative_slack; /* of all timers of a turn, not of its last */
};

/* A whole workload, independent of any policy. */
typedef struct workload workload;

struct workload {
	char *path;           /* owned */
	char *about;          /* owned; NULL */
	uint64_t duration_ns; /* UINT64_MAX: until every thread has ended, as all do */
	uint64_t warmup_ns;
	struct task_spec *tasks; /* [nr_tasks] owned */
	int nr_tasks;
	struct source_spec *sources; /* [nr_sources] owned */
	int nr_sources;
	struct channel_spec *channels; /* [nr_channels] groups, owned */
	int nr_channels;
	struct timer_spec *timers; /* [nr_timers] owned */
	int nr_timers;
	char **mutexes; /* [nr_mutexes] names, owned */
	int nr_mutexes;
	char **conditions; /* [nr_conditions] names, owned */
	int nr_conditions;
	struct rtapp_log_spec rtapp_log;
	struct barrier_spec *barriers; /* [nr_barriers] owned */
	int nr_barriers;
	int mem_buffer_bytes;    /* of mem and iorun; more takes several calls */
	bool pi_enabled;         /* mutexes inherit priority */
	struct control *control; /* owned; NULL: neither groups nor operations */
	GPtrArray *warnings;     /* of char *, owned */
	GPtrArray *params;       /* of struct workload_param *, owned: as used */
};

struct workload_param {
	char *name;  /* owned */
	char *value; /* as a number, owned */
};

void workload_free(workload *w);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(workload, workload_free)

#endif
