/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an administrator sets up and does: the tree of control groups as it is at the
 * start, and operations on it while the workload runs.
 */
#ifndef WORKLOAD_CONTROL_H
#define WORKLOAD_CONTROL_H

#include "cpuset/cpuset.h"
#include "model/cgroup.h"
#include "sched/core.h"
#include "workload/program.h"

/* One step of setting up the tree: a directory, or a write to a file in it. */
struct cgroup_step {
	int cgroup;  /* index into control.paths */
	char *file;  /* owned; NULL: the directory is made */
	char *value; /* owned; NULL with it */
};

/* Tasks of a group that sleep all the time. */
struct group_sleepers {
	int cgroup; /* index into control.paths */
	unsigned nr;
	char *place; /* JSON path, for messages; owned */
};

enum operation_kind {
	OPERATION_WRITE,
	OPERATION_ATTACH,
	OPERATION_MKDIR,
	OPERATION_RMDIR,
	OPERATION_OFFLINE,
	OPERATION_ONLINE,
	OPERATION_SUSPEND,
	OPERATION_RESUME,
	OPERATION_GOVERNOR,
	OPERATION_TOPOLOGY,
	OPERATION_SETSCHEDULER,
	OPERATION_AFFINITY,
	OPERATION_RENICE,
	OPERATION_TUNABLE,
	NR_OPERATION_KINDS,
};

/* What a tunable is; of a feature file is what is written, and value 0 with NO_. */
enum tunable_kind { TUNABLE_FEATURE, TUNABLE_OF_KERNEL, TUNABLE_OF_POLICY };

/* An entry of "operations": done at a time, or again and again. */
struct operation_spec {
	enum operation_kind kind;
	int row;       /* in reports: index into control.rows */
	char *path;    /* of the group; owned */
	char *file;    /* of a write, or what a tunable is about; owned */
	char **values; /* of a write: one after the other, then from the start; owned;
			  NULL: each due time of record has its own */
	int task;      /* whose threads it is about: index of its task_spec */
	int instance;  /* likewise; -1: all of them */
	int cpu;       /* of offline and online */
	struct sched_attr attr; /* of setscheduler */
	struct cpumask cpus;    /* of affinity */
	int nice;               /* of renice */
	enum tunable_kind tunable;
	uint64_t value;          /* of a tunable */
	struct dist every;       /* ns from one due time to the next; owned */
	bool every_first;        /* likewise, from thread.delay_ns to the first */
	int count;               /* due times; -1: for ever */
	struct dist burst;       /* operations at each (a number, not ns); owned */
	char *record;            /* due times are in a file of arrivals, counted from
				    thread.delay_ns: resolved path; owned, NULL: not */
	uint64_t target_ns;      /* how long it may take, for reports; 0: not said */
	char *place;             /* JSON path, for messages; owned */
	struct task_spec thread; /* what carries it out, from its delay on */
};

struct control {
	enum cgroup_version version;
	enum cpuset_mode cpuset_mode; /* of that version */
	bool has_cpuset_files;        /* some are written to: groups have cpusets */
	bool needs_cpusets; /* some operation is about them, if only of the root */
	char **paths;       /* [nr_paths] owned, of owned; the root is the first */
	int nr_paths;
	struct cgroup_step *steps; /* [nr_steps] owned, in the order of the file */
	int nr_steps;
	struct group_sleepers *sleepers; /* [nr_sleepers] owned */
	int nr_sleepers;
	struct operation_spec *operations; /* [nr_operations] owned */
	int nr_operations;
	char **rows; /* [nr_rows] owned, of owned: names of operations in reports */
	int nr_rows;
};

void control_free(struct control *c);

/* The names of operations in a file, by kind; NULL at the end. */
extern const char *const operation_names[NR_OPERATION_KINDS + 1];

/* The controllers there are, for cgroup_tree_new(). */
extern const struct cgroup_controller *const cgroup_controllers[NR_CGROUP_SUBSYS];

#endif
