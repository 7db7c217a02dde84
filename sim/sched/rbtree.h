/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An intrusive red-black tree that knows its leftmost node.
 */
#ifndef SCHED_RBTREE_H
#define SCHED_RBTREE_H

#include "schedsim/entity.h"

typedef bool (*rb_before_fn)(const struct rb_node *a, const struct rb_node *b);

/* Equal keys go to the right, so they leave in the order they came. */
void rb_insert(struct rb_root *root, struct rb_node *node, rb_before_fn before);
void rb_remove(struct rb_root *root, struct rb_node *node);
struct rb_node *rb_next(const struct rb_node *node);

static inline struct rb_node *rb_first(const struct rb_root *root)
{
	return root->leftmost;
}

#endif
