/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events beyond rt-app: messages on channels.
 */
#ifndef WORKLOAD_MESSAGE_SPEC_H
#define WORKLOAD_MESSAGE_SPEC_H

#include "workload/event_spec.h"

/* Each appends the steps of one event. */
bool read_recv(struct task_reading *t, const struct node *n, GError **error);
bool read_send(struct task_reading *t, const struct node *n, GError **error);
bool read_reply(struct task_reading *t, const struct node *n, GError **error);

/* Reads "channels": {name: size of the group}; before any task. */
bool channels_read(struct reading *r, const struct node *n, GError **error);

#endif
