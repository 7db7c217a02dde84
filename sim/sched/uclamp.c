/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked for, by whom, and what comes of it.
 *
 * source: kernel/sched/core.c, 6.1
 */
#include "sched/uclamp.h"

#include "schedsim/units.h"

#include <errno.h>

static const unsigned clamp_flag[UCLAMP_CNT] = {
	[UCLAMP_MIN] = SCHED_FLAG_UTIL_CLAMP_MIN,
	[UCLAMP_MAX] = SCHED_FLAG_UTIL_CLAMP_MAX,
};

/* What does not clamp. */
static unsigned uclamp_none(enum uclamp_id id)
{
	return id == UCLAMP_MIN ? 0 : CAPACITY_ONE;
}

/* Nobody gets more than this.  source: uclamp_default */
static unsigned system_limit(const struct machine *m, enum uclamp_id id)
{
	return (unsigned)(id == UCLAMP_MIN ? m->tunables.sched_util_clamp_min
					   : m->tunables.sched_util_clamp_max);
}

/* Real-time tasks want the whole of a CPU unless they or the administrator say so. */
static unsigned default_of(const struct machine *m, const struct task *t,
			   enum uclamp_id id)
{
	if (rt_task(t) && id == UCLAMP_MIN)
		return (unsigned)m->tunables.sched_util_clamp_min_rt_default;
	return uclamp_none(id);
}

void uclamp_init(const struct machine *m, struct task *t)
{
	for (enum uclamp_id id = 0; id < UCLAMP_CNT; id++)
		t->uclamp_req[id] = (struct uclamp_se){default_of(m, t, id), false};
}

void uclamp_fork(const struct machine *m, struct task *t, const struct task *parent)
{
	struct uclamp_se *min = &t->uclamp_req[UCLAMP_MIN];

	for (enum uclamp_id id = 0; id < UCLAMP_CNT; id++)
		t->uclamp_req[id] = parent->uclamp_req[id];
	if (rt_task(t) && !min->user_defined)
		min->value = default_of(m, t, UCLAMP_MIN);
}

/* source: uclamp_tg_restrict() */
static unsigned in_group(const struct machine *m, const struct task *t,
			 enum uclamp_id id)
{
	const struct task_group *tg = t->sched_task_group;
	unsigned value = t->uclamp_req[id].value;

	if (tg == &m->root_tg)
		return value;
	return CLAMP(value, tg->uclamp[UCLAMP_MIN], tg->uclamp[UCLAMP_MAX]);
}

unsigned uclamp_eff_value(const struct machine *m, const struct task *t,
			  enum uclamp_id id)
{
	return MIN(in_group(m, t, id), system_limit(m, id));
}

/* What @attr makes of clamp @id of @t; -1: its default. */
static int asked_for(const struct task *t, const struct sched_attr *attr,
		     enum uclamp_id id)
{
	if (!(attr->sched_flags & clamp_flag[id]))
		return (int)t->uclamp_req[id].value;
	return id == UCLAMP_MIN ? attr->sched_util_min : attr->sched_util_max;
}

int uclamp_validate(struct machine *m, const struct task *t,
		    const struct sched_attr *attr)
{
	int min = asked_for(t, attr, UCLAMP_MIN), max = asked_for(t, attr, UCLAMP_MAX);

	if (!(attr->sched_flags & SCHED_FLAG_UTIL_CLAMP))
		return 0;
	if (min < -1 || min > (int)CAPACITY_ONE || max < -1 || max > (int)CAPACITY_ONE)
		return -EINVAL;
	if (min != -1 && max != -1 && min > max)
		return -EINVAL;
	m->uclamp_used = true;
	return 0;
}

void uclamp_setscheduler(const struct machine *m, struct task *t,
			 const struct sched_attr *attr)
{
	bool sets_any = attr->sched_flags & SCHED_FLAG_UTIL_CLAMP;

	for (enum uclamp_id id = 0; id < UCLAMP_CNT; id++) {
		struct uclamp_se *req = &t->uclamp_req[id];
		bool sets = attr->sched_flags & clamp_flag[id];
		int value = asked_for(t, attr, id);

		if (sets && value != -1)
			*req = (struct uclamp_se){(unsigned)value, true};
		else if (sets || (!sets_any && !req->user_defined))
			*req = (struct uclamp_se){default_of(m, t, id), false};
	}
}

/* Groups */

/* A group gets no more than the one above it.  source: cpu_util_update_eff() */
static void update_eff(struct task_group *tg)
{
	for (enum uclamp_id id = 0; id < UCLAMP_CNT; id++) {
		tg->uclamp[id] = tg->uclamp_req[id];
		if (tg->parent)
			tg->uclamp[id] = MIN(tg->uclamp[id], tg->parent->uclamp[id]);
	}
	tg->uclamp[UCLAMP_MIN] = MIN(tg->uclamp[UCLAMP_MIN], tg->uclamp[UCLAMP_MAX]);
}

/* @tg and all below it, each after the one above. */
static void update_eff_tree(struct task_group *tg)
{
	update_eff(tg);
	for (struct list *pos = tg->children.next; pos != &tg->children;
	     pos = pos->next)
		update_eff_tree(list_entry(pos, struct task_group, siblings));
}

void init_uclamp(struct machine *m)
{
	for (enum uclamp_id id = 0; id < UCLAMP_CNT; id++) {
		m->root_tg.uclamp_req[id] = system_limit(m, id);
		m->uclamp_used |= system_limit(m, id) != CAPACITY_ONE;
	}
	m->uclamp_used |= m->tunables.sched_util_clamp_min_rt_default != CAPACITY_ONE;
	update_eff(&m->root_tg);
}

void uclamp_tg_init(struct task_group *tg)
{
	for (enum uclamp_id id = 0; id < UCLAMP_CNT; id++)
		tg->uclamp_req[id] = uclamp_none(id);
	update_eff(tg);
}

void uclamp_tg_set(struct machine *m, struct task_group *tg, enum uclamp_id id,
		   unsigned value)
{
	m->uclamp_used = true;
	tg->uclamp_req[id] = value;
	update_eff_tree(tg);
}
