/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces that a real kernel wrote: its wakeup decisions with what it knew, and
 * its tasks' figures at every change of their state.
 */
#ifndef ORACLE_RECORDING_H
#define ORACLE_RECORDING_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* One select_task_rq_fair(): what it was asked, what it found, what it chose. */
struct decision {
	int wakee, waker; /* pids; the waker is what the CPU ran */
	int this_cpu, prev_cpu;
	unsigned wake_flags;
	int sync;
	int wide; /* wake_wide(); -1: not asked */
	unsigned waker_flips, wakee_flips;
	int path;       /* 1 slow, 2 fast */
	int affine_cpu; /* after wake_affine(); -1: not tried */
	int chosen_cpu;
	uint64_t idle; /* CPUs */
	unsigned this_nr, prev_nr;
	uint64_t this_load, prev_load;
	uint64_t h_load; /* task_h_load() of the wakee */
	uint64_t load_avg, util_avg;
	uint64_t dur_avg_ns, waker_dur_avg_ns;
	int recent_used_cpu;
	int nr_idle_scan, has_idle_cores;
	int from_irq;
	uint64_t allowed; /* CPUs */

	/*
	 * CPUs on which another one woke, moved or switched a task between this
	 * wakeup's sched_waking and its record: what was sampled may have changed
	 * before it was used.
	 */
	uint64_t disturbed;
};

/* One change of a task's state. */
struct change {
	char what[8]; /* enqW, enq, deqS, deq, set or put */
	int pid;
	uint64_t now_ns;
	uint64_t sum_exec_ns;
	uint64_t vruntime, min_vruntime; /* an enqueue's is after the placement */
	uint64_t dur_avg_ns;             /* a sleep's is before its own update */
	uint64_t weight;                 /* scaled */
};

struct recording {
	char *path;     /* owned; of the trace */
	char *features; /* owned; "base", "v5", "v5w" or "w" */
	int nr_cpus, cpus_per_llc, cpus_per_core;
	uint64_t latency_ns, min_granularity_ns;
	char *text;       /* owned */
	GPtrArray *lines; /* owned; each into text */
};

/*
 * Every trace of @folder whose workload's name begins with dec_ or pelt_, in the
 * order of their names.  A folder, description or trace that cannot be read ends
 * the test.  (transfer full)
 */
GPtrArray *recordings_in(const char *folder);

/* What a reader of a trace's lines wants to know; callbacks may be NULL. */
struct listener {
	void (*decision)(void *data, const struct decision *d);
	void (*change)(void *data, const struct change *c);
	void (*migration)(void *data, int pid);
};

/* Calls @listener for every line of @r, in order. */
void recording_play(const struct recording *r, const struct listener *listener,
		    void *data);

#endif
