/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine in a line, its CPUs busy or idle as a wakeup is to find them.
 */
#ifndef WAKE_SCENE_H
#define WAKE_SCENE_H

#include "schedsim/wakeup.h"

#define US(n) ((n)*NSEC_PER_USEC)

typedef struct wake_scene wake_scene;

/*
 * Every CPU idle, 6.1-lts at 250 Hz and one second, no costs, the baseline.  SIS_UTIL
 * lets every LLC be searched whole.
 */
wake_scene *wake_scene_new(const char *topology);
void wake_scene_free(wake_scene *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(wake_scene, wake_scene_free)

struct machine *scene_machine(wake_scene *s);

/* POLICY as on the command line, the kernel's settings included; its state is zero. */
void scene_policy(wake_scene *s, const char *policy);

/* A task that last ran on @cpu and sleeps, may run anywhere, and has no load. */
struct task *scene_sleeper(wake_scene *s, int cpu, uint64_t dur_avg_ns);
/* What @cpu runs from now on, alone; no load. */
struct task *scene_runner(wake_scene *s, int cpu, uint64_t dur_avg_ns);
/* Long runners on every CPU of the list "0-2,4". */
void scene_occupy(wake_scene *s, const char *cpus);
/* Current of @cpu is gone and nothing is queued. */
void scene_idle(wake_scene *s, int cpu);
/* @nr more fair tasks on @cpu, of which none exists; of SCHED_IDLE if @idle. */
void scene_queue(wake_scene *s, int cpu, unsigned nr, bool idle);

/* Load of the tasks of @cpu; a task's own is t->se.avg.load_avg. */
void scene_load(wake_scene *s, int cpu, uint64_t load);
void scene_nr_idle_scan(wake_scene *s, int nr);
void scene_idle_cores(wake_scene *s, int cpu, bool has_idle_cores);

/*
 * @t is woken by what @this_cpu runs, or by an interrupt if that is idle; @flags:
 * WF_SYNC or 0.  Everything that was found out is returned; nothing is enqueued.
 */
struct wakeup scene_wake(wake_scene *s, int this_cpu, struct task *t, unsigned flags);
/* Likewise under @policy, for the CPU alone. */
int scene_wake_under(wake_scene *s, const char *policy, int this_cpu, struct task *t);
/* As a fork or exec: WF_FORK or WF_EXEC. */
struct wakeup scene_place(wake_scene *s, int this_cpu, struct task *t, unsigned flags);

#endif
