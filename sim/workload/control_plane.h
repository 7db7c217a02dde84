/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What operations share while they take their time: locks, and RCU.
 */
#ifndef WORKLOAD_CONTROL_PLANE_H
#define WORKLOAD_CONTROL_PLANE_H

#include "model/control_costs.h"
#include "workload/clockwork.h"
#include "workload/control_locks.h"

/* A writer has left a lock, and RCU will say when readers may be fast again. */
struct rcu_callback {
	struct control_plane *plane; /* not owned */
	enum control_rwsem rwsem;
	struct event event;
};

struct control_plane {
	simulation *s; /* not owned */
	struct control_locks locks;
	struct rcu_callback callbacks[NR_CONTROL_RWSEMS];
	struct control_draws draws; /* of their grace periods */
};

/* With the locks that the release of @s's cpusets has. */
struct control_plane *control_plane_new(simulation *s);
/* How long one takes that begins now, ns. */
uint64_t grace_period_ns(const simulation *s, struct control_draws *draws);
/* control_unlock(), and RCU is asked for a callback where one is due. */
void control_plane_unlock(struct control_plane *plane, enum op_lock which,
			  struct list *woken);

#endif
