/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads built by hand, run, and told as a list of lines.
 *
 * Lines begin with the time since the start in us, with as many places as it
 * needs, and an event:
 *
 *	1500 cpu0 idle>a-0          a switch
 *	1500 +b-0                   a wakeup: b-0 is queued
 *	1500 a-0 timer -250         a timer step, its slack in us
 *	1500 a-0 got 3              a message of request 3
 *	1500 done 3 since 1400      the answer to a request and when it was due
 *	1500 a-0 active             an activation came to its end
 *	1500 warm                   the warm-up is over
 */
#ifndef WORKLOAD_SCENE_H
#define WORKLOAD_SCENE_H

#include "workload/simulation.h"

#define US NSEC_PER_USEC
#define MS NSEC_PER_MSEC

#define FOR(ns)                                                                        \
	{                                                                              \
		.a = (ns)                                                              \
	}

/* Steps; STEP_EXIT follows by itself. */
#define RUN(ns)                                                                        \
	{                                                                              \
		.op = STEP_RUN, .amount = FOR(ns)                                      \
	}
#define RUNTIME(ns)                                                                    \
	{                                                                              \
		.op = STEP_RUNTIME, .amount = FOR(ns)                                  \
	}
#define SLEEP(ns)                                                                      \
	{                                                                              \
		.op = STEP_SLEEP, .amount = FOR(ns)                                    \
	}
#define TIMER(t, ns)                                                                   \
	{                                                                              \
		.op = STEP_TIMER, .object = (t), .amount = FOR(ns)                     \
	}
#define TIMER_ABSOLUTE(t, ns)                                                          \
	{                                                                              \
		.op = STEP_TIMER, .object = (t), .amount = FOR(ns), .flag = true       \
	}
#define YIELD                                                                          \
	{                                                                              \
		.op = STEP_YIELD                                                       \
	}
#define SUSPEND(c)                                                                     \
	{                                                                              \
		.op = STEP_SUSPEND, .object = (c), .object2 = -1                       \
	}
#define RESUME(c)                                                                      \
	{                                                                              \
		.op = STEP_RESUME, .object = (c)                                       \
	}
#define LOCK(m)                                                                        \
	{                                                                              \
		.op = STEP_LOCK, .object = (m)                                         \
	}
#define UNLOCK(m)                                                                      \
	{                                                                              \
		.op = STEP_UNLOCK, .object = (m)                                       \
	}
#define WAIT(c, m)                                                                     \
	{                                                                              \
		.op = STEP_WAIT, .object = (c), .object2 = (m)                         \
	}
#define SIGNAL(c)                                                                      \
	{                                                                              \
		.op = STEP_SIGNAL, .object = (c)                                       \
	}
#define BROADCAST(c)                                                                   \
	{                                                                              \
		.op = STEP_BROADCAST, .object = (c)                                    \
	}
#define SYNC(c, m)                                                                     \
	{                                                                              \
		.op = STEP_SYNC, .object = (c), .object2 = (m)                         \
	}
#define RECV(c, ns)                                                                    \
	{                                                                              \
		.op = STEP_RECV, .object = (c), .amount = FOR(ns)                      \
	}
#define SEND(c)                                                                        \
	{                                                                              \
		.op = STEP_SEND, .object = (c), .reply_to = -1, .count = 1             \
	}
#define CALL(c, back, n)                                                               \
	{                                                                              \
		.op = STEP_SEND, .object = (c), .reply_to = (back), .count = (n)       \
	}
#define REPLY                                                                          \
	{                                                                              \
		.op = STEP_REPLY                                                       \
	}
#define IF_REPLY(to)                                                                   \
	{                                                                              \
		.op = STEP_IF_REPLY, .target = (to)                                    \
	}
#define JUMP(to)                                                                       \
	{                                                                              \
		.op = STEP_JUMP, .target = (to)                                        \
	}
#define LOOP(n, end)                                                                   \
	{                                                                              \
		.op = STEP_LOOP, .count = (n), .target = (end)                         \
	}
#define LOOP_END(begin)                                                                \
	{                                                                              \
		.op = STEP_LOOP_END, .target = (begin)                                 \
	}
#define SET_CPUS(mask)                                                                 \
	{                                                                              \
		.op = STEP_SET_CPUS, .cpus = (mask)                                    \
	}
#define SET_NICE(n)                                                                    \
	{                                                                              \
		.op = STEP_SET_SCHED, .policy = POLICY_NORMAL, .nice = (n)             \
	}

#define SCENE_OBJECTS 4 /* of each kind a scene has, all of group size 1 */
#define SCENE_TASKS 8

struct scene {
	struct workload_input in;
	workload w;
	struct task_spec tasks[SCENE_TASKS];
	struct source_spec sources[SCENE_OBJECTS];
	struct channel_spec channels[SCENE_OBJECTS];
	struct timer_spec timers[SCENE_OBJECTS];
	char *names[SCENE_OBJECTS];
	uint64_t seed;
	GString *log;                     /* owned */
	bool wakeups_only, no_scheduling; /* what to leave out of the log */
};

/* On a machine as topology_find() names it; ends after @duration_ns. */
void scene_init(struct scene *sc, const char *machine, uint64_t duration_ns);
void scene_clear(struct scene *sc);

/* One more task, on every CPU and of nice 0 until changed. */
#define scene_task(sc, name, ...)                                                      \
	scene_add_task(sc, name, (const struct step[]){__VA_ARGS__},                   \
		       G_N_ELEMENTS(((const struct step[]){__VA_ARGS__})))
struct task_spec *scene_add_task(struct scene *sc, const char *name,
				 const struct step *steps, size_t nr);
/* One more source, of single requests to channel group 0, from CPU 0. */
struct source_spec *scene_source(struct scene *sc, const char *name,
				 enum arrival_kind kind, uint64_t interval_ns);

/* Runs to the end, into sc->log. */
bool scene_run(struct scene *sc, GError **error);
/* Runs and compares the log. */
void scene_expect(struct scene *sc, const char *log);

#endif
