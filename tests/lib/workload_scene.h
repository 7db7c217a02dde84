/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads built by hand, run, and told as a list of lines.
 *
 * Lines begin with the time since the start in us, with as many places as it
 * needs, and an event:
 *
 *	1500 cpu0 idle>a-0          a switch
 *	1500 +b-0                   a wakeup: b-0 is queued
 *	1500 cpu0 wakes b-0         who woke it, if sc->wakers
 *	1500 a-0 timer -250         a timer step, its slack in us
 *	1500 a-0 got 3              a message of request 3
 *	1500 done 3 since 1400      the answer to a request and when it was due
 *	1500 a-0 refills 5       cache refill begins, and its time
 *	1500 a-0 active             an activation came to its end
 *	1500 warm                   the warm-up is over
 */
#ifndef WORKLOAD_SCENE_H
#define WORKLOAD_SCENE_H

#include "workload/simulation.h"

#define US NSEC_PER_USEC
#define MS NSEC_PER_MSEC

/* Steps; STEP_EXIT follows by itself. */
#define STEP(...) ((struct step){.op = __VA_ARGS__})
#define RUN(ns) STEP(STEP_RUN, .amount = dist_fixed(ns))
#define RUNTIME(ns) STEP(STEP_RUNTIME, .amount = dist_fixed(ns))
#define SLEEP(ns) STEP(STEP_SLEEP, .amount = dist_fixed(ns))
#define TIMER(t, ns) STEP(STEP_TIMER, .object = (t), .amount = dist_fixed(ns))
#define TIMER_ABSOLUTE(t, ns)                                                          \
	STEP(STEP_TIMER, .object = (t), .amount = dist_fixed(ns), .flag = true)
#define YIELD STEP(STEP_YIELD)
#define FORK(task) STEP(STEP_FORK, .object = (task))
#define MEM(bytes) STEP(STEP_MEM, .count = (bytes))
#define IORUN(bytes) STEP(STEP_IORUN, .count = (bytes))
#define LOCK(m) STEP(STEP_LOCK, .object = (m))
#define UNLOCK(m) STEP(STEP_UNLOCK, .object = (m))
#define WAIT(c, m) STEP(STEP_WAIT, .object = (c), .object2 = (m))
#define SIGNAL(c) STEP(STEP_SIGNAL, .object = (c))
#define BROADCAST(c) STEP(STEP_BROADCAST, .object = (c))
#define SUSPEND(c) LOCK(c), WAIT(c, c), UNLOCK(c)
#define RESUME(c) LOCK(c), BROADCAST(c), UNLOCK(c)
/* The first of @at and those after it, with mutex and condition of that number. */
#define BARRIER(b, at)                                                                 \
	LOCK(b), STEP(STEP_BARRIER, .object = (b), .target = (at) + 4), BROADCAST(b),  \
		JUMP((at) + 6), WAIT(b, b), STEP(STEP_BARRIER_LEAVE, .object = (b)),   \
		UNLOCK(b)
#define SYNC(c, m) STEP(STEP_SYNC, .object = (c), .object2 = (m))
#define RECV(c, ns) STEP(STEP_RECV, .object = (c), .amount = dist_fixed(ns))
#define SEND(c) STEP(STEP_SEND, .object = (c), .reply_to = -1, .count = 1)
#define CALL(c, back, n)                                                               \
	STEP(STEP_SEND, .object = (c), .reply_to = (back), .count = (n))
#define REPLY STEP(STEP_REPLY)
#define IF_REPLY(otherwise) STEP(STEP_IF_REPLY, .target = (otherwise))
#define JUMP(to) STEP(STEP_JUMP, .target = (to))
#define LOOP(n, end) STEP(STEP_LOOP, .count = (n), .target = (end))
#define LOOP_END(begin) STEP(STEP_LOOP_END, .target = (begin))
#define SET_CPUS(mask) STEP(STEP_SET_CPUS, .cpus = (mask))
#define SET_SCHED(p, n) STEP(STEP_SET_SCHED, .policy = (p), .nice = (n))
#define SET_RT(p, prio) STEP(STEP_SET_SCHED, .policy = (p), .rt_priority = (prio))

#define SCENE_OBJECTS 4 /* of each kind a scene has, all of group size 1 */
#define SCENE_TASKS 8
#define SCENE_ACTS 4

/* What happens to a run from outside, before anything else of that ns. */
struct scene_act {
	uint64_t at_ns; /* since the start */
	void (*fn)(simulation *s);
};

struct scene {
	struct workload_input in;
	workload w;
	struct task_spec tasks[SCENE_TASKS];
	struct source_spec sources[SCENE_OBJECTS];
	struct channel_spec channels[SCENE_OBJECTS];
	struct timer_spec timers[SCENE_OBJECTS];
	struct barrier_spec barriers[SCENE_OBJECTS];
	char *names[SCENE_OBJECTS];
	uint64_t seed;
	GString *log;       /* owned */
	bool no_scheduling; /* leaves switches and wakeups out of the log */
	bool wakers;
	/* Wakeups that looked for a CPU: with WF_SYNC; not from an interrupt. */
	unsigned nr_sync, nr_from_task;
	struct machine_costs costs;           /* of scene_run_text() */
	bool invariants;                      /* checked after each event */
	void (*inspect)(const simulation *s); /* after the run; NULL: nobody does */
	struct scene_act acts[SCENE_ACTS];
	int nr_acts;
};

/*
 * On a machine as scene_topology() names it; ends after @duration_ns.  Of the costs
 * only the wakeup IPI's is on, 1 us.
 */
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

/* @fn is called at @at_ns, on each run. */
void scene_act_at(struct scene *sc, uint64_t at_ns, void (*fn)(simulation *s));

/* Runs to the end, into sc->log. */
bool scene_run(struct scene *sc, GError **error);
/* Runs and compares the log. */
void scene_expect(struct scene *sc, const char *log);

/*
 * Likewise for a whole workload, JSON with single quotes for double ones, and
 * sc->costs; the scene's switches hold, and nothing of it is to be cleared but the log.
 */
bool scene_run_text(struct scene *sc, const char *json, GError **error);
/* Runs it and compares the log, with switches and wakeups or without. */
void scene_expect_text(const char *json, const char *log);
void scene_expect_text_steps(const char *json, const char *log);
/* It is read, and its run ends with this code and message. */
void scene_expect_text_error(const char *json, int code, const char *message);

#endif
