/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine in a line, and CPUs in whatever state a balancing test wants them.
 */
#ifndef BALANCE_SCENE_H
#define BALANCE_SCENE_H

#include "sched/balance.h"

#define SCENE_TASKS 80

typedef struct lb_scene lb_scene;

struct lb_scene {
	struct machine *m; /* owned */
	int nr_tasks;
	struct task tasks[SCENE_TASKS];
	struct task *running; /* [m->nr_cpus] owned; stands for what busy CPUs run */
};

/*
 * 6.1-lts at 1000 Hz and one second, so a jiffy is a millisecond.  No dice, no
 * costs; every CPU idle.
 */
lb_scene *lb_scene_new(const char *topology);
void lb_scene_free(lb_scene *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(lb_scene, lb_scene_free)

/* @level counts from the lowest domain of @cpu, 0. */
struct sched_domain *lb_scene_domain(const lb_scene *s, int cpu, int level);

/*
 * Gives @cpu the figures of @nr fair tasks, none of which exists; utilisation and
 * runnable average are one number.  For what only looks at figures.
 */
void lb_scene_set_figures(lb_scene *s, int cpu, unsigned nr, uint64_t load,
			  uint64_t util);

/* A task of nice 0 that is new, runnable on @cpu and may run anywhere. */
struct task *lb_scene_task(lb_scene *s, int cpu);
/* Likewise for @nice. */
struct task *lb_scene_task_nice(lb_scene *s, int cpu, int nice);

/* @t last ran @ago_ns before the clock of its CPU. */
void lb_scene_ran(lb_scene *s, struct task *t, uint64_t ago_ns);

/* The environment load_balance() would make for @cpu, without a source. */
struct lb_env lb_scene_env(const lb_scene *s, int cpu, int level,
			   enum cpu_idle_type idle);

#endif
