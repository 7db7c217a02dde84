/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values, their places, and the messages about them.
 */
#include "workload/node.h"

#include "base/nearest.h"
#include "schedsim/error.h"

#include <string.h>

/* Longer strings are cut in messages. */
#define SHOWN_CHARS_MAX 60

static void note_repeated(struct document *d, const cJSON *json)
{
	g_autoptr(GHashTable) count = g_hash_table_new(g_str_hash, g_str_equal);

	for (const cJSON *c = json->child; c; c = c->next) {
		if (c->string) {
			int before =
				GPOINTER_TO_INT(g_hash_table_lookup(count, c->string));

			g_hash_table_insert(count, c->string,
					    GINT_TO_POINTER(before + 1));
			if (before)
				g_hash_table_insert(d->repeated, (gpointer)c,
						    GINT_TO_POINTER(before + 1));
		}
		if (c->child)
			note_repeated(d, c);
	}
}

void document_init(struct document *d, const cJSON *root, struct params *params,
		   GPtrArray *warnings)
{
	*d = (struct document){.root = root,
			       .repeated = g_hash_table_new(NULL, NULL),
			       .params = params,
			       .warnings = warnings};
	note_repeated(d, root);
}

void document_clear(struct document *d)
{
	g_clear_pointer(&d->repeated, g_hash_table_unref);
}

struct node document_root(const struct document *d)
{
	return (struct node){.json = d->root, .doc = d};
}

struct node node_first(const struct node *n)
{
	return (struct node){.json = n->json->child, .up = n, .doc = n->doc};
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

	node_for_each(child, n) if (!g_strcmp0(child.json->string, key)) break;
	return child;
}

/* In double quotes, with JSON's escapes.  (transfer full) */
static char *quote(const char *text)
{
	g_autofree char *cut = NULL;
	cJSON *json;
	char *printed, *copy;

	if (g_utf8_strlen(text, -1) > SHOWN_CHARS_MAX) {
		g_autofree char *start = g_utf8_substring(text, 0, SHOWN_CHARS_MAX);

		cut = g_strconcat(start, "...", NULL);
	}
	json = cJSON_CreateString(cut ? cut : text);
	printed = cJSON_PrintUnformatted(json);
	copy = g_strdup(printed);
	cJSON_free(printed);
	cJSON_Delete(json);
	return copy;
}

static bool is_plain_key(const char *key)
{
	const char *c = key;

	while (g_ascii_isalnum(*c) || *c == '_' || *c == '-')
		c++;
	return *key && !*c && c - key <= SHOWN_CHARS_MAX;
}

static int array_index(const struct node *n)
{
	int index = 0;

	for (const cJSON *c = n->up->json->child; c != n->json; c = c->next)
		index++;
	return index;
}

/* Which of the members with its key @n is, from 1. */
static int key_number(const struct node *n)
{
	gpointer number = g_hash_table_lookup(n->doc->repeated, n->json);

	return number ? GPOINTER_TO_INT(number) : 1;
}

static void append_step(GString *path, const struct node *n)
{
	const char *key = n->json->string;

	if (!key) {
		g_string_append_printf(path, "[%d]", array_index(n));
		return;
	}
	if (is_plain_key(key)) {
		g_string_append_printf(path, "%s%s", path->len ? "." : "", key);
	} else {
		g_autofree char *quoted = quote(key);

		g_string_append_printf(path, "[%s]", quoted);
	}
	if (key_number(n) > 1)
		g_string_append_printf(path, "#%d", key_number(n));
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

char *node_text(const struct node *n)
{
	const cJSON *json = n->json;

	if (cJSON_IsString(json))
		return quote(json->valuestring);
	if (cJSON_IsNumber(json))
		return number_text(json->valuedouble);
	if (cJSON_IsObject(json))
		return g_strdup(json->child ? "an object" : "an empty object");
	if (cJSON_IsArray(json))
		return g_strdup(json->child ? "an array" : "an empty array");
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
	g_ptr_array_add(n->doc->warnings,
			g_strdup_printf("%s%s%s", path, *path ? ": " : "", message));
}

bool node_unknown_key(const struct node *member, const char *const *keys,
		      GError **error)
{
	g_autofree char *key = quote(member->json->string);

	return node_fail(member->up, INPUT_ERROR_VALUE, error,
			 "expected a known key, got %s; the nearest is \"%s\"", key,
			 nearest_name(member->json->string, keys));
}

bool node_is_first(const struct node *member, GError **error)
{
	g_autofree char *key = NULL;

	if (key_number(member) == 1)
		return true;
	key = quote(member->json->string);
	return node_fail(member->up, INPUT_ERROR_VALUE, error,
			 "expected the key %s once, got it again", key);
}

/* None of C0, DEL or C1; @layout: but for line breaks and tabs. */
static bool is_harmless(const char *text, bool layout)
{
	for (const char *c = text; *c; c = g_utf8_next_char(c))
		if (g_unichar_iscntrl(g_utf8_get_char(c)) &&
		    !(layout && strchr("\n\r\t", *c)))
			return false;
	return true;
}

bool node_is_harmless(const struct node *n, GError **error)
{
	const cJSON *json = n->json;
	struct node child;

	if (json->string && !is_harmless(json->string, false))
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected a key without control characters");
	if (cJSON_IsString(json) && !is_harmless(json->valuestring, true))
		return node_expected(n, "a string without control characters", error);
	node_for_each(child, n) if (!node_is_harmless(&child, error)) return false;
	return true;
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
