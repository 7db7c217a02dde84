/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines and tasks in a state that a vector describes.
 */
#ifndef VECTOR_MACHINE_H
#define VECTOR_MACHINE_H

#include "schedsim/machine.h"
#include "vectors.h"

/* What the files' descriptions assume; each names only what it needs. */
struct vector_setup {
	const char *topology; /* as topology_find() takes it */
	int nr_cpus_tuned;    /* tunables of so many CPUs; 0: of the topology's */
	unsigned hz;          /* 0: 250 */
	uint64_t start_ns;    /* of every clock */
	bool scans_whole_llc; /* nr_idle_scan is fixed; otherwise as the kernel has it
			       */
	bool balancing;       /* newly idle and periodic */
	enum preempt_model preempt;
};

/*
 * A machine of the reference kernel under the baseline policy: wakeups are
 * activated at once, no dice, all CPUs idle.  (transfer full: machine_free())
 */
struct machine *vector_machine(const struct vector_setup *setup);

/* One CPU, the tunables of a machine of @nr_cpus. */
struct machine *vector_cpu(int nr_cpus);

/* A fair task that last ran on @cpu, asleep, in the root group; the rest zero. */
void vector_task_init(struct task *t, struct machine *m, int pid, int cpu);

/* Averages from [last_update_time, period_contrib, load_sum, runnable_sum, util_sum,
 * load_avg, runnable_avg, util_avg]. */
void vector_read_avg(const struct vector_case *c, json_object *array,
		     struct sched_avg *avg);
void vector_expect_avg(struct vector_case *c, json_object *expected,
		       const struct sched_avg *got, const char *what);

/*
 * The CPUs of a snapshot: [kind of current, nr_running, h_nr_running,
 * idle_h_nr_running, ttwu_pending, load_avg, util_avg, runnable_avg,
 * util_est.enqueued, cpu_capacity, idle_stamp] each.  What runs on a busy CPU is
 * one of @running, [nr_cpus]; @waker and @task where the kind is theirs, or NULL.
 */
void vector_set_cpus(struct vector_case *c, struct machine *m, struct task *running,
		     struct task *waker, struct task *task);

/* {"first CPU": [has_idle_cores, nr_idle_scan]} of every LLC. */
void vector_set_llcs(struct vector_case *c, struct machine *m);

/* Ends the test when @m is not as the file's "topologies" say. */
void vector_check_topology(const struct vector_case *c, const struct machine *m,
			   const char *name);

#endif
