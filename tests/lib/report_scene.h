/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine of four CPUs, 0 1 | 2 3 in two caches, on which nothing happens but
 * what a test announces.  Two groups of tasks, "web" (threads 0, 1) and "db"
 * (2, 3), and one source, "clients".
 */
#ifndef REPORT_SCENE_H
#define REPORT_SCENE_H

#include "report/stats.h"

#define NR_SCENE_CPUS 4
#define NR_SCENE_THREADS 4
/* In place of a thread: the idle task. */
#define IDLE (-1)

typedef struct report_scene report_scene;

struct report_scene {
	struct machine m;
	struct rq rqs[NR_SCENE_CPUS];
	struct task idle[NR_SCENE_CPUS];
	struct sched_domain llcs[2];
	struct sim_task threads[NR_SCENE_THREADS];
	topology topo;
	struct task_spec groups[2];
	struct source_spec source;
	struct channel_spec channel;
	workload w;
	struct workload_input in;
};

/* Nothing listens yet: set m.observers. */
report_scene *report_scene_new(void);
void report_scene_free(report_scene *s);

struct task *scene_task(report_scene *s, int thread);
void scene_at(report_scene *s, uint64_t now_ns);

/* The steps of a wakeup. */
void scene_waking(report_scene *s, int thread, int waker_cpu);
/* The CPU is settled. */
void scene_placed(report_scene *s, int thread, int cpu, int waker_cpu, bool remote);
void scene_enqueued(report_scene *s, int thread);
/* All three at once, on @cpu from @waker_cpu. */
void scene_wakeup(report_scene *s, int thread, int cpu, int waker_cpu);

/* @cpu's current task gives way to @thread; @sleeps: it left the queue. */
void scene_switch(report_scene *s, int cpu, int thread, bool sleeps);
/* A queued thread moves. */
void scene_pull(report_scene *s, int thread, int cpu);

#endif
