/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live machine whose groups have limits, and a log of who is throttled when.
 */
#ifndef BANDWIDTH_SCENE_H
#define BANDWIDTH_SCENE_H

#include "run_scene.h"
#include "sched/bandwidth.h"
#include "sched/task_group.h"
#include "schedsim/observer.h"

#define BW_START_NS NSEC_PER_SEC
#define BW_PERIOD_NS (100 * NSEC_PER_MSEC)

struct bw_scene {
	run_scene *s;
	struct observer observer;
	GString *log; /* "8000000 cpu0 throttled": ns from the start, a line each */
};

/* As run_scene_new(), into @state. */
int bw_setup(void **state, const char *topology);
int bw_teardown(void **state);

/* Of each period of 100 ms, in a cgroup v2 tree; it must be accepted. */
void bw_limit(struct bw_scene *sc, struct task_group *tg, uint64_t quota_ns,
	      uint64_t burst_ns);
/* Below @parent (NULL: the root). */
struct task_group *bw_group(struct bw_scene *sc, struct task_group *parent,
			    uint64_t quota_ns);

/* The log since the last time. */
void bw_assert_log(struct bw_scene *sc, const char *log);
void bw_assert_runtime(const struct task_group *tg, int cpu, int64_t remaining_ns,
		       uint64_t pool_ns);
void bw_assert_statistics(const struct task_group *tg, uint64_t nr_periods,
			  uint64_t nr_throttled, uint64_t throttled_ns);

#endif
