/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deadline tasks on a live machine.  Times are us after the scene's start.
 */
#ifndef DL_SCENE_H
#define DL_SCENE_H

#include "run_scene.h"

/* A reservation, us. */
struct dl_wish {
	uint64_t runtime_us, deadline_us, period_us;
};

/* With the deadline at the period's end. */
static inline struct dl_wish implicit(uint64_t runtime_us, uint64_t period_us)
{
	return (struct dl_wish){runtime_us, period_us, period_us};
}

static inline struct dl_wish constrained(uint64_t runtime_us, uint64_t deadline_us,
					 uint64_t period_us)
{
	return (struct dl_wish){runtime_us, deadline_us, period_us};
}

/* As run_scene_new(), and without a limit to what may be reserved. */
run_scene *dl_scene_new(const char *topology);

/* A new fair task on @cpu that may use every CPU. */
struct task *fair_task(run_scene *s, int cpu);
/* Likewise, and at once a deadline task; it runs if its deadline is the earliest. */
struct task *dl_task_on(run_scene *s, int cpu, struct dl_wish wish);

/* What sched_setattr() says to SCHED_DEADLINE and SCHED_OTHER; reschedules. */
int try_deadline(run_scene *s, struct task *t, struct dl_wish wish, unsigned flags);
int try_normal(run_scene *s, struct task *t);

/* A task that is due in @ms and has that long to run. */
struct task *due_in_ms(run_scene *s, int cpu, uint64_t ms);
/* @t may use @cpu alone from now on; reschedules. */
void pin(run_scene *s, struct task *t, int cpu);
/* @t, which runs on @cpu, is asleep there from now on. */
void sleep_on(run_scene *s, struct task *t, int cpu);

/* Fails unless @t has this much runtime left, and its deadline then. */
void assert_instance(const struct task *t, int64_t runtime_ns, uint64_t deadline_us);

/* A task that works for run_ms of each period_ms and then sleeps. */
struct periodic {
	struct task *t;
	char letter; /* in a schedule */
	unsigned run_ms, period_ms;
	unsigned done_ms; /* of the instance under way */
	bool sleeps;
};

/*
 * Runs @tasks, all released at the start, and fails unless what each CPU runs in each
 * ms is what its line of @schedule says, '.' for idle.  Lines are of one length.
 */
void assert_schedule(run_scene *s, struct periodic *tasks, int nr_tasks,
		     const char *const *schedule);

#endif
