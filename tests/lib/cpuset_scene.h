/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine with cpusets and tasks that sleep in them, in a line; cpusets are named by
 * their paths.
 */
#ifndef CPUSET_SCENE_H
#define CPUSET_SCENE_H

#include "cpuset/cpuset_tree.h"
#include "run_scene.h"

typedef struct cpuset_scene cpuset_scene;

struct cpuset_scene {
	run_scene *run;    /* owned */
	struct machine *m; /* run->m */
	cpusets *sys;      /* owned */
	GPtrArray *tasks;  /* owned, of struct scene_member */
	op_result last;    /* of the operation before */
};

/*
 * @topology as in "1n1l4c1t"; @policy as rebuild_policy_parse() reads it; @isolated: a
 * list of CPUs, "" for none.
 */
cpuset_scene *cpuset_scene_new(const char *topology, enum cpuset_mode mode,
			       const char *policy, const char *isolated);
/* Likewise, of CPUs with these capacities, [as many as @topology has]. */
cpuset_scene *cpuset_scene_asymmetric(const char *topology, const unsigned *capacities,
				      enum cpuset_mode mode, const char *policy);
void cpuset_scene_free(cpuset_scene *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(cpuset_scene, cpuset_scene_free)

/* "0-3,8" */
struct cpumask cpus_of(const char *list);

struct cpuset *cs_find(const cpuset_scene *s, const char *path);
/* Makes "A" or "A/B" with these CPUs ("": none), and memory node 0 in v1. */
struct cpuset *cs_mkdir(cpuset_scene *s, const char *path, const char *cpus);
/* 0, or minus the errno; s->last tells the rest. */
int cs_write(cpuset_scene *s, const char *path, const char *file, const char *text);
/* The operations of cpuset_tree.h, likewise. */
int cs_rmdir(cpuset_scene *s, const char *path);
int cs_cpu_down(cpuset_scene *s, int cpu);
int cs_cpu_up(cpuset_scene *s, int cpu);
void cs_suspend_and_resume(cpuset_scene *s);
void cs_governor_change(cpuset_scene *s);
void cs_topology_update(cpuset_scene *s);

/* Tasks that sleep, last ran on the first of their CPUs, and are forked into @path. */
struct cpuset_task *cs_task(cpuset_scene *s, const char *path);
void cs_tasks(cpuset_scene *s, const char *path, int nr);
/* A frequency governor's thread. */
struct cpuset_task *cs_sugov(cpuset_scene *s);
int cs_attach(cpuset_scene *s, const char *path, struct cpuset_task *ct);

/* Asks for a reservation; the period is the deadline. */
int cs_setattr(cpuset_scene *s, struct cpuset_task *ct, uint64_t runtime_us,
	       uint64_t period_us);
/* A new task in @path with that reservation, or NULL; *@err says why. */
struct cpuset_task *cs_dl_task(cpuset_scene *s, const char *path, uint64_t runtime_us,
			       uint64_t period_us, int *err);
/* As many as are admitted, at most @max; *@err gets the first refusal, or 0. */
int cs_dl_tasks(cpuset_scene *s, const char *path, int max, uint64_t runtime_us,
		uint64_t period_us, int *err);
/* @nr of 10/100 ms, every one of them admitted. */
void cs_b10(cpuset_scene *s, const char *path, int nr);

/* What the root domain of @cpu has promised. */
uint64_t total_bw(const cpuset_scene *s, int cpu);

void assert_cpus(const struct cpumask *mask, const char *list);
/* What a reader of the file finds. */
void assert_file(const cpuset_scene *s, const char *path, const char *file,
		 const char *text);
/* The sets of CPUs that are balanced together, "0-3 4-7", in order. */
void assert_domains(const cpuset_scene *s, const char *sets);
/* Whether @cpu is balanced with nobody and in the default root domain. */
void assert_alone(const cpuset_scene *s, int cpu);

#endif
