/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An intrusive red-black tree that knows its leftmost node.
 *
 * The rules: the root is black, no red node has a red child, and every path from
 * the root to a missing child meets the same number of black nodes.
 * source: Cormen et al., Introduction to Algorithms, chapter 13
 */
#include "sched/rbtree.h"

#include <glib.h>

static bool is_red(const struct rb_node *node)
{
	return node && node->red;
}

static struct rb_node *lowest(struct rb_node *node)
{
	while (node->left)
		node = node->left;
	return node;
}

struct rb_node *rb_next(const struct rb_node *node)
{
	if (node->right)
		return lowest(node->right);
	while (node->parent && node == node->parent->right)
		node = node->parent;
	return node->parent;
}

/* Puts @by in the place of @node below its parent. */
static void replace_child(struct rb_root *root, struct rb_node *node,
			  struct rb_node *by)
{
	if (!node->parent)
		root->node = by;
	else if (node == node->parent->left)
		node->parent->left = by;
	else
		node->parent->right = by;
	if (by)
		by->parent = node->parent;
}

static void rotate_left(struct rb_root *root, struct rb_node *node)
{
	struct rb_node *up = node->right;

	replace_child(root, node, up);
	node->right = up->left;
	if (node->right)
		node->right->parent = node;
	up->left = node;
	node->parent = up;
}

static void rotate_right(struct rb_root *root, struct rb_node *node)
{
	struct rb_node *up = node->left;

	replace_child(root, node, up);
	node->left = up->right;
	if (node->left)
		node->left->parent = node;
	up->right = node;
	node->parent = up;
}

/* @node is red and so may be its parent. */
static void settle_insert(struct rb_root *root, struct rb_node *node)
{
	while (is_red(node->parent)) {
		struct rb_node *parent = node->parent;
		struct rb_node *grand = parent->parent;
		bool on_left = parent == grand->left;
		struct rb_node *uncle = on_left ? grand->right : grand->left;

		grand->red = true;
		if (is_red(uncle)) {
			parent->red = false;
			uncle->red = false;
			node = grand;
			continue;
		}
		if (on_left) {
			if (node == parent->right)
				rotate_left(root, parent);
			grand->left->red = false;
			rotate_right(root, grand);
		} else {
			if (node == parent->left)
				rotate_right(root, parent);
			grand->right->red = false;
			rotate_left(root, grand);
		}
		break;
	}
	root->node->red = false;
}

void rb_insert(struct rb_root *root, struct rb_node *node, rb_before_fn before)
{
	struct rb_node **link = &root->node;
	struct rb_node *parent = NULL;
	bool leftmost = true;

	while (*link) {
		parent = *link;
		if (before(node, parent)) {
			link = &parent->left;
		} else {
			link = &parent->right;
			leftmost = false;
		}
	}
	*node = (struct rb_node){.parent = parent, .red = true};
	*link = node;
	if (leftmost)
		root->leftmost = node;
	settle_insert(root, node);
}

/* Paths through @node (NULL possible, below @parent) are one black node short. */
static void settle_remove(struct rb_root *root, struct rb_node *node,
			  struct rb_node *parent)
{
	while (node != root->node && !is_red(node)) {
		bool on_left = node == parent->left;
		struct rb_node *sibling = on_left ? parent->right : parent->left;
		struct rb_node *near, *far;

		if (sibling->red) {
			sibling->red = false;
			parent->red = true;
			on_left ? rotate_left(root, parent)
				: rotate_right(root, parent);
			sibling = on_left ? parent->right : parent->left;
		}
		near = on_left ? sibling->left : sibling->right;
		far = on_left ? sibling->right : sibling->left;
		if (!is_red(near) && !is_red(far)) {
			sibling->red = true;
			node = parent;
			parent = node->parent;
			continue;
		}
		if (!is_red(far)) {
			near->red = false;
			sibling->red = true;
			on_left ? rotate_right(root, sibling)
				: rotate_left(root, sibling);
			sibling = on_left ? parent->right : parent->left;
			far = on_left ? sibling->right : sibling->left;
		}
		sibling->red = parent->red;
		parent->red = false;
		far->red = false;
		on_left ? rotate_left(root, parent) : rotate_right(root, parent);
		node = root->node;
	}
	if (node)
		node->red = false;
}

/* Takes out @node, which has two children, by putting the next node in its place. */
static void remove_inner(struct rb_root *root, struct rb_node *node)
{
	struct rb_node *next = lowest(node->right);
	struct rb_node *child = next->right;
	struct rb_node *child_parent = next;
	bool lost_black = !next->red;

	if (next->parent != node) {
		child_parent = next->parent;
		replace_child(root, next, child);
		next->right = node->right;
		next->right->parent = next;
	}
	replace_child(root, node, next);
	next->left = node->left;
	next->left->parent = next;
	next->red = node->red;
	if (lost_black)
		settle_remove(root, child, child_parent);
}

void rb_remove(struct rb_root *root, struct rb_node *node)
{
	if (root->leftmost == node)
		root->leftmost = rb_next(node);

	if (node->left && node->right) {
		remove_inner(root, node);
	} else {
		struct rb_node *child = node->left ? node->left : node->right;

		replace_child(root, node, child);
		if (!node->red)
			settle_remove(root, child, node->parent);
	}
}
