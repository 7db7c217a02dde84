/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of a task or phase, compiled to steps.
 */
#ifndef WORKLOAD_EVENT_SPEC_H
#define WORKLOAD_EVENT_SPEC_H

#include "workload/reading.h"

/* One task while its events are compiled. */
struct task_reading {
	struct reading *r;           /* not owned */
	const char *name;            /* not owned */
	int instances;               /* of it */
	GArray *steps;               /* of struct step, not owned */
	bool receives;               /* some event was a recv */
	bool begins_turn, ends_turn; /* marks for the next step that is added */
};

/*
 * Whether @key is an event, or an event with a suffix ("run1", "lock_b"), which
 * rt-app takes to keep keys apart.
 */
bool key_is_event(const char *key);
/* Every event's name, NULL at the end, for messages. */
const char *const *event_names(void);

/* Appends what @n, whose key is an event, means. */
bool event_read(struct task_reading *t, const struct node *n, GError **error);

/* Appends a step with nothing but an operation and @n's place; valid until the
 * next one. */
struct step *step_add(struct task_reading *t, enum step_op op, const struct node *n);

#endif
