/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the real-time class share, and what others need of it.
 */
#ifndef SCHED_RT_H
#define SCHED_RT_H

#include "sched/class.h"

/* Once for a machine, for each of its root domains, queues and tasks. */
void init_rt_bandwidth(struct machine *m);
void init_rt_root_domain(struct root_domain *rd);
void init_rt_rq(struct rq *rq);
void init_rt_task(const struct machine *m, struct task *t);
/* @rq, in its root domain, takes part in pushing and pulling. */
void rq_online_rt(struct rq *rq);

/* Priority arrays */

/* At most MAX_RT_PRIO, which means that none of @after + 1 and lower has a task. */
static inline int rt_array_next(const struct rt_prio_array *array, int after)
{
	int prio = after + 1;
	uint64_t word;

	for (int i = prio / 64; i < 2; i++, prio = 64) {
		word = array->bitmap[i] & ~0ULL << prio % 64;
		if (word)
			return i * 64 + __builtin_ctzll(word);
	}
	return MAX_RT_PRIO;
}

/* The highest priority that has a task. */
static inline int rt_array_first(const struct rt_prio_array *array)
{
	return rt_array_next(array, -1);
}

static inline bool rt_array_empty(const struct rt_prio_array *array)
{
	return !(array->bitmap[0] | array->bitmap[1]);
}

void rt_array_init(struct rt_prio_array *array);
void rt_array_add(struct rt_prio_array *array, struct list *node, int prio, bool head);
/* Nothing happens to one that is in no array. */
void rt_array_del(struct rt_prio_array *array, struct list *node, int prio);

/* rt.c: whether the queued tasks are part of rq.nr_running */

void enqueue_top_rt_rq(struct rq *rq);
/* @count of them were. */
void dequeue_top_rt_rq(struct rq *rq, unsigned count);

/* rt_push_pull.c */

/* @t waits and may run elsewhere; or no longer. */
void enqueue_pushable_task(struct rq *rq, struct task *t);
void dequeue_pushable_task(struct rq *rq, struct task *t);
/* Whether others of its root domain may pull from @rq. */
void set_rt_overload(struct rq *rq, bool overloaded);
/* @t was queued, or is no longer; rt_nr_running says so already. */
void inc_rt_migration(struct rq *rq, const struct task *t);
void dec_rt_migration(struct rq *rq, const struct task *t);
int select_task_rq_rt(struct machine *m, struct task *t, int prev_cpu, int this_cpu,
		      unsigned wake_flags, bool in_task);
/* After the switch under way, tasks that wait here are to go elsewhere. */
void rt_queue_push_tasks(struct rq *rq);
/* Tasks that wait elsewhere and come before all of @this_rq come here. */
void pull_rt_task(struct rq *this_rq);
void task_woken_rt(struct rq *rq, struct task *t);
void push_rt_tasks(struct rq *rq);

/* rt_push_ipi.c */

/* Those that have tasks to give are to push, for @this_rq is to run less. */
void tell_cpu_to_push(struct rq *this_rq);
/* The interrupt of that is at @rq. */
void rto_push_arrives(struct rq *rq);

/* rt_throttle.c: the budget */

/* A real-time task was queued, so that budgets are to be renewed each period. */
void start_rt_bandwidth(struct machine *m);
/* Current, a real-time task, ran @delta_ns; asks for a reschedule when it is out. */
void charge_rt_time(struct rq *rq, uint64_t delta_ns);
/*
 * Current, a deadline task, ran @delta_ns.  That is taken from the budget, but bounded
 * by its own.  source: update_curr_dl(), sched_rt_bandwidth_account()
 */
void charge_dl_time(struct rq *rq, uint64_t delta_ns);

#endif
