/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bandwidth_scene.h"

#include "test.h"

static void on_throttle(void *data, const struct machine *m,
			const struct cfs_rq *cfs_rq, bool throttled)
{
	struct bw_scene *sc = data;

	g_string_append_printf(sc->log, "%" G_GUINT64_FORMAT " cpu%d %s\n",
			       (guint64)(m->now_ns - BW_START_NS), cfs_rq->rq->cpu,
			       throttled ? "throttled" : "goes on");
}

int bw_setup(void **state, const char *topology)
{
	struct bw_scene *sc = g_new0(struct bw_scene, 1);

	sc->s = run_scene_new(topology);
	sc->log = g_string_new(NULL);
	sc->observer = (struct observer){.data = sc, .cfs_throttle = on_throttle};
	sc->s->m->observers = &sc->observer;
	*state = sc;
	return 0;
}

int bw_teardown(void **state)
{
	struct bw_scene *sc = *state;

	run_scene_free(sc->s);
	g_string_free(sc->log, TRUE);
	g_free(sc);
	return 0;
}

void bw_limit(struct bw_scene *sc, struct task_group *tg, uint64_t quota_ns,
	      uint64_t burst_ns)
{
	struct cfs_limit limit = {BW_PERIOD_NS, quota_ns, burst_ns};

	assert_int_equal(tg_set_cfs_bandwidth(sc->s->m, tg, &limit, true), 0);
}

struct task_group *bw_group(struct bw_scene *sc, struct task_group *parent,
			    uint64_t quota_ns)
{
	struct task_group *tg = task_group_new(sc->s->m, parent);

	bw_limit(sc, tg, quota_ns, 0);
	return tg;
}

void bw_assert_log(struct bw_scene *sc, const char *log)
{
	assert_string_equal(sc->log->str, log);
	g_string_truncate(sc->log, 0);
}

void bw_assert_runtime(const struct task_group *tg, int cpu, int64_t remaining_ns,
		       uint64_t pool_ns)
{
	assert_int_equal(tg->cfs_rq[cpu]->runtime_remaining, remaining_ns);
	assert_int_equal(tg->cfs_bandwidth->runtime, pool_ns);
}

void bw_assert_statistics(const struct task_group *tg, uint64_t nr_periods,
			  uint64_t nr_throttled, uint64_t throttled_ns)
{
	assert_int_equal(tg->cfs_bandwidth->nr_periods, nr_periods);
	assert_int_equal(tg->cfs_bandwidth->nr_throttled, nr_throttled);
	assert_int_equal(tg->cfs_bandwidth->throttled_time, throttled_ns);
}
