/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/control_plane.h"

/* source: rcu_pm_notify(), which has RCU hurry from before tasks freeze */
uint64_t grace_period_ns(const simulation *s, struct control_draws *draws)
{
	return control_cost_draw(&s->in->spec.control_costs,
				 s->freezing ? CONTROL_COST_expedited_grace_period_ns
					     : CONTROL_COST_grace_period_ns,
				 1, draws);
}

static void await_callback(struct rcu_callback *cb)
{
	simulation *s = cb->plane->s;

	event_queue_add(
		s->q, &cb->event,
		later_ns(simulation_now(s), grace_period_ns(s, &cb->plane->draws)));
}

/* Nobody waits for it: who comes while it is pending need not. */
static void on_callback(void *subject, uint64_t now_ns)
{
	struct rcu_callback *cb = subject;
	struct list woken;

	list_init(&woken);
	if (rcu_sync_callback(&cb->plane->locks.rwsems[cb->rwsem].rss, &woken))
		await_callback(cb);
	g_assert(list_empty(&woken));
}

struct control_plane *control_plane_new(simulation *s)
{
	struct control_plane *plane = g_new0(struct control_plane, 1);
	const struct rebuild_policy *policy = &s->cpusets->policy;

	plane->s = s;
	control_locks_init(&plane->locks, policy->lock == REBUILD_LOCK_PERCPU_RWSEM,
			   policy->favordynmods);
	for (int i = 0; i < NR_CONTROL_RWSEMS; i++) {
		struct rcu_callback *cb = &plane->callbacks[i];

		cb->plane = plane;
		cb->rwsem = (enum control_rwsem)i;
		cb->event = (struct event){
			.fn = on_callback, .subject = cb, .phase = EVENT_RCU};
	}
	control_draws_init(&plane->draws, s->seed, "RCU");
	return plane;
}

void control_plane_unlock(struct control_plane *plane, enum op_lock which,
			  struct list *woken)
{
	enum control_rwsem rwsem;

	if (control_unlock(&plane->locks, which, woken, &rwsem))
		await_callback(&plane->callbacks[rwsem]);
}
