/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A circular list whose nodes lie inside their subjects; no allocation.
 */
#ifndef SCHEDSIM_LIST_H
#define SCHEDSIM_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
	struct list *next, *prev;
};

#define list_entry(ptr, type, member)                                                  \
	((type *)(void *)((char *)(ptr)-offsetof(type, member)))

static inline void list_init(struct list *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list *head)
{
	return head->next == head;
}

static inline void list_insert_between(struct list *node, struct list *prev,
				       struct list *next)
{
	node->prev = prev;
	node->next = next;
	prev->next = node;
	next->prev = node;
}

static inline void list_add_head(struct list *head, struct list *node)
{
	list_insert_between(node, head, head->next);
}

static inline void list_add_tail(struct list *head, struct list *node)
{
	list_insert_between(node, head->prev, head);
}

static inline void list_del(struct list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	list_init(node);
}

#endif
