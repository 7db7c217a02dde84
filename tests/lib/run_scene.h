/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live machine driven event by event: forks, wakes and blocks at given times.
 */
#ifndef RUN_SCENE_H
#define RUN_SCENE_H

#include "sched/core.h"

#define RUN_TASKS 16

typedef struct run_scene run_scene;

struct run_scene {
	struct machine *m; /* owned */
	struct wakeup_policy policy;
	struct sched_driver driver;
	struct sched_timer *timers[RUN_TASKS * 2]; /* pending, not owned */
	int nr_timers;
	int nr_tasks;
	struct task tasks[RUN_TASKS];
};

/*
 * @topology as in "1n1l2c1t", 6.1-lts, 250 Hz, no wakelists, no pushes by interrupt and
 * no balancing, so that what happens is what the test makes happen.  Starts at one
 * second.
 */
run_scene *run_scene_new(const char *topology);
void run_scene_free(run_scene *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_scene, run_scene_free)

/*
 * Moves time to @us after the start; the class timers due until then fire on the way,
 * and what must be rescheduled is, before and after.
 */
void run_to_us(run_scene *s, uint64_t us);
void run_to_ns(run_scene *s, uint64_t ns);
/* Likewise; CPUs that are not idle tick every 4 ms from the start on, timers first. */
void run_ticking_to_us(run_scene *s, uint64_t us);

/* When a machine of run_scene_new() starts, on every clock. */
#define RUN_START_NS NSEC_PER_SEC

/* A new task, forked by @cpu's current task now; it may run on @cpus. */
struct task *run_fork_on(run_scene *s, int cpu, int nice, enum sched_policy policy,
			 const struct cpumask *cpus);
/* Likewise, of SCHED_FIFO or SCHED_RR; @rt_priority is 1..99, 99 the highest. */
struct task *run_fork_rt(run_scene *s, int cpu, enum sched_policy policy,
			 unsigned rt_priority, const struct cpumask *cpus);
/* A fair task of SCHED_NORMAL, pinned to @cpu. */
struct task *run_fork(run_scene *s, int cpu, int nice);
/* Likewise, of nice 0 in @tg. */
struct task *run_fork_in(run_scene *s, int cpu, struct task_group *tg);

/* Wakes @t from an interrupt on @cpu and reschedules. */
void run_wake(run_scene *s, struct task *t, int cpu);
/* @cpu's current task sleeps. */
void run_block(run_scene *s, int cpu);
/* A tick on @cpu and the reschedule it asks for. */
void run_tick(run_scene *s, int cpu);

/* Whether @t is what @cpu runs. */
bool runs_on(const run_scene *s, const struct task *t, int cpu);

#endif
