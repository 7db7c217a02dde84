/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the scheduler announces, at the kernel's tracepoints and a few places of
 * its own.  Observers form a chain; each sets the callbacks it wants.
 */
#ifndef SCHEDSIM_OBSERVER_H
#define SCHEDSIM_OBSERVER_H

#include "schedsim/machine.h"

struct wakeup;

/* source: enum cpu_idle_type */
enum cpu_idle_type { CPU_IDLE, CPU_NOT_IDLE, CPU_NEWLY_IDLE };

struct balance_event {
	int cpu; /* that pulls */
	enum cpu_idle_type idle;
	const struct sched_domain *sd;
	int busiest_cpu; /* CPU_NONE: balanced */
	unsigned nr_moved;
	bool active; /* the source's stopper pushed; nobody looked for it now */
};

struct observer {
	struct observer *next; /* not owned */
	void *data;            /* not owned */

	/* Before a CPU is chosen; t->cpu is its old CPU.  @waker_cpu runs the waker. */
	void (*sched_waking)(void *data, const struct machine *m, const struct task *t,
			     int waker_cpu);
	/* After the enqueue; t->cpu is its CPU.  @is_new: sched_wakeup_new. */
	void (*sched_wakeup)(void *data, const struct machine *m, const struct task *t,
			     bool is_new);
	/* @prev_sleeps: it left the queue; otherwise it was preempted or yielded. */
	void (*sched_switch)(void *data, const struct machine *m, const struct rq *rq,
			     const struct task *prev, const struct task *next,
			     bool prev_sleeps);
	/* Before the change; t->cpu is the old CPU. */
	void (*sched_migrate_task)(void *data, const struct machine *m,
				   const struct task *t, int new_cpu);
	/* @delta_ns of CPU time were charged to @t. */
	void (*sched_stat_runtime)(void *data, const struct machine *m,
				   const struct task *t, uint64_t delta_ns);
	/*
	 * A decision of select_task_rq(), before it is carried out.
	 * select_enter comes before any state changed, select_done with the answer.
	 */
	void (*select_enter)(void *data, const struct wakeup *w);
	void (*select_done)(void *data, const struct wakeup *w);
	/* A wakeup's CPU is settled and the enqueue follows; @remote: by wakelist. */
	void (*ttwu)(void *data, const struct machine *m, const struct task *t,
		     int waker_cpu, bool remote);
	void (*load_balance)(void *data, const struct machine *m,
			     const struct balance_event *ev);
	/* @cfs_rq ran out of its group's CPU time, or (@throttled false) goes on. */
	void (*cfs_throttle)(void *data, const struct machine *m,
			     const struct cfs_rq *cfs_rq, bool throttled);
	void (*tick)(void *data, const struct machine *m, const struct rq *rq);
};

/* Calls one callback of every observer that has it. */
#define OBSERVE(m, callback, ...)                                                      \
	do {                                                                           \
		for (struct observer *ob_ = (m)->observers; ob_; ob_ = ob_->next)      \
			if (ob_->callback)                                             \
				ob_->callback(ob_->data, __VA_ARGS__);                 \
	} while (0)

#endif
