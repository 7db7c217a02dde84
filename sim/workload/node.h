/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A value of the file together with where it stands, so that every message can
 * say so.
 */
#ifndef WORKLOAD_NODE_H
#define WORKLOAD_NODE_H

#include <cjson/cJSON.h>
#include <glib.h>
#include <stdbool.h>

struct params;

/* What all values of one file share. */
struct document {
	const cJSON *root; /* not owned */
	GHashTable
		*repeated; /* cJSON of a key that stood before -> its number, owned */
	struct params *params; /* not owned; NULL: none may be used */
	GPtrArray *warnings;   /* of char *, not owned */
};

/* Both pointers outlive @d.  One pass over the file finds the repeated keys. */
void document_init(struct document *d, const cJSON *root, struct params *params,
		   GPtrArray *warnings);
void document_clear(struct document *d);

struct node {
	const cJSON *json;          /* not owned */
	const struct node *up;      /* not owned; NULL: the root */
	const struct document *doc; /* not owned */
};

struct node document_root(const struct document *d);

/* Every member of object or array @n; @child is a struct node. */
#define node_for_each(child, n)                                                        \
	for ((child) = node_first(n); (child).json; (child) = node_next(&(child)))

struct node node_first(const struct node *n);
struct node node_next(const struct node *n);

/* The member of object @n with @key; its json is NULL when there is none. */
struct node node_get(const struct node *n, const char *key);

/* The path from the root, `tasks.web.phases.p.run#2` for the second "run" there;
 * empty for the root.  (transfer full) */
char *node_path(const struct node *n);

/* What stands there, for messages: 12, "text", an object.  (transfer full) */
char *node_text(const struct node *n);

/* Sets @error with the path before the message; always false. */
bool node_fail(const struct node *n, int code, GError **error, const char *format, ...)
	G_GNUC_PRINTF(4, 5);
/* "expected @what, got ..." with INPUT_ERROR_VALUE; always false. */
bool node_expected(const struct node *n, const char *what, GError **error);
/* Prefixes the path to an error that a lower layer has set; always false. */
bool node_prefix(const struct node *n, GError **error);
/* INPUT_ERROR_UNSUPPORTED: @what is not simulated yet; always false. */
bool node_unsupported(const struct node *n, const char *what, GError **error);
void node_warn(const struct node *n, const char *format, ...) G_GNUC_PRINTF(2, 3);

/*
 * Whether nothing in @n, printed, would do more than be printed: no key holds control
 * characters, and no string any but line breaks and tabs.
 */
bool node_is_harmless(const struct node *n, GError **error);

/*
 * Whether @n is an object with no key but @keys (ends with NULL), and none of
 * them twice.  An unknown key's message names the nearest known one.
 */
bool node_has_only(const struct node *n, const char *const *keys, GError **error);
/* The message of node_has_only() for @member; always false. */
bool node_unknown_key(const struct node *member, const char *const *keys,
		      GError **error);
/* Whether no member of object @n before @member has its key. */
bool node_is_first(const struct node *member, GError **error);

#endif
