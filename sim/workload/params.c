/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters in the order of the file, so that one may be computed from those
 * before it, and found by name.
 */
#include "workload/params.h"

#include "base/nearest.h"
#include "schedsim/error.h"

#include <string.h>

static void param_free(gpointer data)
{
	struct param *param = data;

	g_free(param->name);
	g_free(param);
}

void params_init(struct params *p)
{
	p->values = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, param_free);
	p->order = g_ptr_array_new();
}

void params_clear(struct params *p)
{
	g_clear_pointer(&p->order, g_ptr_array_unref);
	g_clear_pointer(&p->values, g_hash_table_unref);
}

/* Fails with the nearest parameter's name. */
static bool unknown_param(const struct params *p, const char *name, GError **error)
{
	g_autofree const char **names = g_new0(const char *, p->order->len + 1);

	for (guint i = 0; i < p->order->len; i++)
		names[i] = ((const struct param *)p->order->pdata[i])->name;
	if (!p->order->len)
		g_set_error(
			error, INPUT_ERROR, INPUT_ERROR_VALUE,
			"expected no parameter, for \"params\" defines none so far, "
			"got \"%s\"",
			name);
	else
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected a parameter, got \"%s\"; the nearest is \"%s\"",
			    name, nearest_name(name, names));
	return false;
}

const struct quantity *params_lookup(void *data, const char *name, GError **error)
{
	struct params *p = data;
	struct param *param = g_hash_table_lookup(p->values, name);

	if (!param) {
		unknown_param(p, name, error);
		return NULL;
	}
	param->used = true;
	return &param->value;
}

/* The dialect has seen to it that 15 digits say all of a fraction. */
static bool number_read(const struct node *n, struct quantity *out, GError **error)
{
	double value = n->json->valuedouble;
	double size = ABS(value);
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	g_ascii_formatd(text, sizeof(text),
			size == (double)(int64_t)size ? "%.16g" : "%.15g", size);
	out->time_power = 0;
	if (!rational_parse(text, &out->value))
		return node_expected(n, "a number within 64 bits", error);
	if (value < 0)
		out->value.num = -out->value.num;
	return true;
}

static bool text_read(const struct node *n, const char *text, struct quantity *out,
		      GError **error)
{
	if (expression_eval(text, n->doc->params ? params_lookup : NULL, n->doc->params,
			    out, error))
		return true;
	return node_prefix(n, error);
}

/* {"param": "load"} */
static bool reference_read(const struct node *n, struct quantity *out, GError **error)
{
	static const char *const keys[] = {"param", NULL};
	struct node name = node_get(n, "param");
	const struct quantity *found;

	if (!node_has_only(n, keys, error))
		return false;
	if (!cJSON_IsString(name.json))
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected a parameter's name in \"param\"");
	if (!n->doc->params)
		return node_expected(&name, "no parameter here", error);
	found = params_lookup(n->doc->params, name.json->valuestring, error);
	if (!found)
		return node_prefix(&name, error);
	*out = *found;
	return true;
}

/* Without "=" no sum may be meant by chance, only one time written out. */
static bool time_read(const struct node *n, const char *what, struct quantity *out,
		      GError **error)
{
	const char *text = n->json->valuestring;
	struct quantity result;

	if (!g_ascii_isdigit(*text) || strpbrk(text, "+-*/() ") ||
	    !expression_eval(text, NULL, NULL, &result, NULL) || result.time_power != 1)
		return node_expected(n, what, error);
	*out = result;
	return true;
}

bool quantity_read(const struct node *n, const char *what, struct quantity *out,
		   GError **error)
{
	if (cJSON_IsNumber(n->json))
		return number_read(n, out, error);
	if (cJSON_IsObject(n->json) && n->json->child)
		return reference_read(n, out, error);
	if (!cJSON_IsString(n->json))
		return node_expected(n, what, error);
	if (*n->json->valuestring == '=')
		return text_read(n, n->json->valuestring + 1, out, error);
	return time_read(n, what, out, error);
}

static bool is_name(const char *text)
{
	if (!g_ascii_isalpha(*text))
		return false;
	for (; *text; text++)
		if (!g_ascii_isalnum(*text) && *text != '_')
			return false;
	return true;
}

static void param_add(struct params *p, const char *name, const struct quantity *value)
{
	struct param *param = g_new0(struct param, 1);

	param->name = g_strdup(name);
	param->value = *value;
	g_hash_table_insert(p->values, param->name, param);
	g_ptr_array_add(p->order, param);
}

static bool override_read(const char *name, const char *text, struct quantity *out,
			  GError **error)
{
	if (expression_eval(text, NULL, NULL, out, error))
		return true;
	g_prefix_error(error, "--param %s: ", name);
	return false;
}

static bool param_read(struct params *p, const struct node *n, GHashTable *overrides,
		       GError **error)
{
	const char *name = n->json->string;
	const char *text = overrides ? g_hash_table_lookup(overrides, name) : NULL;
	struct quantity value;

	if (!is_name(name))
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected a name of letters, digits and _");
	if (!node_is_first(n, error) ||
	    !quantity_read(n, "a number or a time such as \"250us\"", &value, error))
		return false;
	if (text && !override_read(name, text, &value, error))
		return false;
	param_add(p, name, &value);
	return true;
}

/* In the order of names, so that the message does not depend on the table's. */
static bool check_overrides(const struct params *p, GHashTable *overrides,
			    GError **error)
{
	g_autoptr(GList) names = g_hash_table_get_keys(overrides);

	names = g_list_sort(names, (GCompareFunc)strcmp);
	for (const GList *l = names; l; l = l->next) {
		if (g_hash_table_contains(p->values, l->data))
			continue;
		unknown_param(p, l->data, error);
		g_prefix_error(error, "--param %s: ", (const char *)l->data);
		return false;
	}
	return true;
}

bool params_read(struct params *p, const struct node *n, GHashTable *overrides,
		 GError **error)
{
	struct node child;

	if (n->json && !cJSON_IsObject(n->json))
		return node_expected(n, "an object of named numbers", error);
	if (n->json)
		node_for_each(child, n) if (!param_read(p, &child, overrides,
							error)) return false;
	return !overrides || check_overrides(p, overrides, error);
}
