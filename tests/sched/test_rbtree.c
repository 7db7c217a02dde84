/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree keeps its order and its colours whatever comes and goes.
 */
#include "test.h"

#include "base/random.h"
#include "sched/rbtree.h"

#define NODES 400

struct item {
	struct rb_node node;
	uint64_t key;
	unsigned order; /* in which it came */
	bool in_tree;
};

static const struct item *item_of(const struct rb_node *node)
{
	return (const struct item *)node;
}

static bool before(const struct rb_node *a, const struct rb_node *b)
{
	return item_of(a)->key < item_of(b)->key;
}

/* The number of black nodes on every path below; fails where a rule is broken. */
static int black_height(const struct rb_node *node, const struct rb_node *parent)
{
	int left, right;

	if (!node)
		return 0;
	assert_ptr_equal(node->parent, parent);
	if (node->red) {
		assert_false(node->left && node->left->red);
		assert_false(node->right && node->right->red);
	}
	left = black_height(node->left, node);
	right = black_height(node->right, node);
	assert_int_equal(left, right);
	return left + !node->red;
}

static void assert_is_search_tree(const struct rb_root *root, unsigned nr)
{
	const struct item *last = NULL;
	unsigned seen = 0;

	assert_false(root->node && root->node->red);
	black_height(root->node, NULL);
	for (struct rb_node *node = rb_first(root); node; node = rb_next(node)) {
		const struct item *item = item_of(node);

		if (last && last->key == item->key)
			assert_true(last->order < item->order);
		else if (last)
			assert_true(last->key < item->key);
		last = item;
		seen++;
	}
	assert_int_equal(seen, nr);
}

static void any_sequence_keeps_order_and_balance(void **state)
{
	static struct item items[NODES];
	struct rb_root root = {0};
	struct random_stream random;
	unsigned nr = 0;

	random_stream_init(&random, 1, "rbtree");
	for (unsigned round = 0; round < 20000; round++) {
		struct item *item = &items[random_below(&random, NODES)];

		if (item->in_tree) {
			rb_remove(&root, &item->node);
			nr--;
		} else {
			item->key = random_below(&random, NODES / 4);
			item->order = round;
			rb_insert(&root, &item->node, before);
			nr++;
		}
		item->in_tree = !item->in_tree;
		if (round % 16 == 0)
			assert_is_search_tree(&root, nr);
	}
}

static void equal_keys_leave_in_the_order_they_came(void **state)
{
	struct item a = {.key = 7}, b = {.key = 7}, c = {.key = 6};
	struct rb_root root = {0};

	rb_insert(&root, &a.node, before);
	rb_insert(&root, &b.node, before);
	rb_insert(&root, &c.node, before);
	assert_ptr_equal(rb_first(&root), &c.node);
	assert_ptr_equal(rb_next(&c.node), &a.node);
	assert_ptr_equal(rb_next(&a.node), &b.node);
	assert_null(rb_next(&b.node));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_sequence_keeps_order_and_balance),
		cmocka_unit_test(equal_keys_leave_in_the_order_they_came),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
