/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths are worked out only when a message needs one.
 */
#include "workload/node.h"

#include "base/nearest.h"
#include "schedsim/error.h"

#include <string.h>

/* Longer strings are cut in messages. */
#define SHOWN_CHARS_MAX 60

struct node node_first(const struct node *n)
{
	return (struct node){.json = n->json->child,
			     .up = n,
			     .params = n->params,
			     .warnings = n->warnings};
}

struct node node_next(const struct node *n)
{
	struct node next = *n;

	next.json = n->json->next;
	return next;
}

struct node node_get(const struct node *n, const char *key)
{
	struct node child;

	node_for_each(child, n) if (!strcmp(child.json->string, key)) break;
	return child;
}

/* How many members before @n share its key, or stand before it in the array. */
static int members_before(const struct node *n)
{
	const cJSON *c;
	int count = 0;

	for (c = n->up->json->child; c != n->json; c = c->next)
		if (!n->json->string || !strcmp(c->string, n->json->string))
			count++;
	return count;
}

static bool is_plain_key(const char *key)
{
	for (const char *c = key; *c; c++)
		if (!g_ascii_isalnum(*c) && *c != '_' && *c != '-')
			return false;
	return *key;
}

static void append_step(GString *path, const struct node *n)
{
	const char *key = n->json->string;
	int before = members_before(n);

	if (!key) {
		g_string_append_printf(path, "[%d]", before);
		return;
	}
	if (is_plain_key(key))
		g_string_append_printf(path, "%s%s", path->len ? "." : "", key);
	else
		g_string_append_printf(path, "[\"%s\"]", key);
	if (before)
		g_string_append_printf(path, "#%d", before + 1);
}

static void append_path(GString *path, const struct node *n)
{
	if (!n->up)
		return;
	append_path(path, n->up);
	append_step(path, n);
}

char *node_path(const struct node *n)
{
	GString *path = g_string_new(NULL);

	append_path(path, n);
	return g_string_free(path, FALSE);
}

static char *number_text(double value)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strdup(g_ascii_formatd(buffer, sizeof(buffer), "%.16g", value));
}

static char *string_text(const char *value)
{
	g_autofree char *escaped = g_strescape(value, NULL);

	if (g_utf8_strlen(value, -1) <= SHOWN_CHARS_MAX)
		return g_strdup_printf("\"%s\"", value);
	g_free(escaped);
	escaped = g_utf8_substring(value, 0, SHOWN_CHARS_MAX);
	return g_strdup_printf("\"%s...\"", escaped);
}

char *node_text(const struct node *n)
{
	const cJSON *json = n->json;

	if (cJSON_IsString(json))
		return string_text(json->valuestring);
	if (cJSON_IsNumber(json))
		return number_text(json->valuedouble);
	if (cJSON_IsObject(json))
		return g_strdup("an object");
	if (cJSON_IsArray(json))
		return g_strdup("an array");
	if (cJSON_IsNull(json))
		return g_strdup("null");
	return g_strdup(cJSON_IsTrue(json) ? "true" : "false");
}

bool node_fail(const struct node *n, int code, GError **error, const char *format, ...)
{
	g_autofree char *path = node_path(n);
	g_autofree char *message = NULL;
	va_list args;

	va_start(args, format);
	message = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, INPUT_ERROR, code, "%s%s%s", path, *path ? ": " : "",
		    message);
	return false;
}

bool node_expected(const struct node *n, const char *what, GError **error)
{
	g_autofree char *got = node_text(n);

	return node_fail(n, INPUT_ERROR_VALUE, error, "expected %s, got %s", what, got);
}

bool node_prefix(const struct node *n, GError **error)
{
	g_autofree char *path = node_path(n);

	g_prefix_error(error, "%s%s", path, *path ? ": " : "");
	return false;
}

bool node_unsupported(const struct node *n, const char *what, GError **error)
{
	return node_fail(n, INPUT_ERROR_UNSUPPORTED, error, "%s is not simulated yet",
			 what);
}

void node_warn(const struct node *n, const char *format, ...)
{
	g_autofree char *path = node_path(n);
	g_autofree char *message = NULL;
	va_list args;

	va_start(args, format);
	message = g_strdup_vprintf(format, args);
	va_end(args);
	g_ptr_array_add(n->warnings,
			g_strdup_printf("%s%s%s", path, *path ? ": " : "", message));
}

bool node_unknown_key(const struct node *member, const char *const *keys,
		      GError **error)
{
	const char *nearest = nearest_name(member->json->string, keys);

	return node_fail(member->up, INPUT_ERROR_VALUE, error,
			 "expected a known key, got \"%s\"; the nearest is \"%s\"",
			 member->json->string, nearest);
}

bool node_is_first(const struct node *member, GError **error)
{
	if (!members_before(member))
		return true;
	return node_fail(member->up, INPUT_ERROR_VALUE, error,
			 "expected the key \"%s\" once, got it again",
			 member->json->string);
}

bool node_has_only(const struct node *n, const char *const *keys, GError **error)
{
	struct node child;

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object", error);
	node_for_each(child, n)
	{
		if (!g_strv_contains(keys, child.json->string))
			return node_unknown_key(&child, keys, error);
		if (!node_is_first(&child, error))
			return false;
	}
	return true;
}
