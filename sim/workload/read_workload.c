/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The root of a workload file, in the order in which its parts need each other:
 * parameters, machine, channels, control groups, tasks, sources, operations.
 */
#include "workload/read_workload.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "workload/cgroup_spec.h"
#include "workload/dialect.h"
#include "workload/global_spec.h"
#include "workload/machine_read.h"
#include "workload/message_spec.h"
#include "workload/operation_spec.h"
#include "workload/params.h"
#include "workload/program_check.h"
#include "workload/read.h"
#include "workload/source_spec.h"
#include "workload/task_spec.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A file is read whole; more is no workload. */
#define FILE_BYTES_MAX (256 << 20)

/* source: DEFAULT_MEM_BUF_SIZE, rt-app 1.0 */
#define MEM_BUFFER_BYTES (4 << 20)

static const char *const root_keys[] = {
	"about",   "machine",    "params",  "channels", "tasks",
	"sources", "duration",   "warmup",  "global",   "resources",
	"cgroups", "operations", "$schema", NULL};

/* rt-app makes those it is told of, and looks at nothing else than an object. */
static bool check_resources(const struct node *root, GError **error)
{
	static const char *const types[] = {"mutex",     "signal", "wait",
					    "broadcast", "sync",   "sleep",
					    "run",       "timer",  NULL};
	struct node resources = node_get(root, "resources"), child, type;
	int choice;

	if (!resources.json)
		return true;
	if (!cJSON_IsObject(resources.json)) {
		node_warn(&resources, "ignored, as rt-app does but for those of before "
				      "2015, where it was a number of mutexes");
		return true;
	}
	node_for_each(child, &resources)
	{
		if (!cJSON_IsObject(child.json))
			return node_expected(&child, "an object", error);
		type = node_get(&child, "type");
		if (type.json && !read_choice(&type, types, &choice, error))
			return false;
	}
	return true;
}

static bool check_root_keys(const struct node *root, GError **error)
{
	struct node child;

	node_for_each(child, root)
	{
		if (!g_strv_contains(root_keys, child.json->string))
			return node_unknown_key(&child, root_keys, error);
		if (!node_is_first(&child, error))
			return false;
	}
	return true;
}

static void warn_of_repeated_keys(const struct node *root)
{
	guint repeated = g_hash_table_size(root->doc->repeated);

	if (repeated)
		node_warn(root,
			  "%u repeated key%s: all run in the order written, where "
			  "json-c would keep the last of a name only",
			  repeated, repeated == 1 ? "" : "s");
}

static void warn_of_loose_channels(const struct reading *r, const struct node *root)
{
	for (int i = 0; i < r->w->nr_channels; i++) {
		const char *name = r->w->channels[i].name;

		if (!g_array_index(r->channel_read, bool, i))
			node_warn(root, "channels.%s: no task receives from it", name);
		if (!g_array_index(r->channel_sent, bool, i))
			node_warn(root, "channels.%s: nothing sends to it", name);
	}
}

static void param_free(gpointer data)
{
	struct workload_param *p = data;

	g_free(p->name);
	g_free(p->value);
	g_free(p);
}

static void list_params(workload *w, const struct params *params,
			const struct node *root)
{
	for (guint i = 0; i < params->order->len; i++) {
		const struct param *param = params->order->pdata[i];
		struct workload_param *listed = g_new0(struct workload_param, 1);

		listed->name = g_strdup(param->name);
		listed->value = quantity_format(&param->value);
		g_ptr_array_add(w->params, listed);
		if (!param->used)
			node_warn(root, "params.%s: not used", param->name);
	}
}

static const char *endless_task(const workload *w)
{
	for (int i = 0; i < w->nr_tasks; i++)
		if ((w->tasks[i].instances || w->tasks[i].is_forked) &&
		    program_is_endless(&w->tasks[i].program))
			return w->tasks[i].name;
	return NULL;
}

/* Whether the run has an end. */
static bool check_end(const workload *w, const struct node *root, GError **error)
{
	const char *kind = "task", *endless = endless_task(w);

	if (!endless && w->nr_sources) {
		kind = "source";
		endless = w->sources[0].name;
	} else if (!endless) {
		kind = "operation";
		endless = endless_operation(w);
	}
	if (w->duration_ns == UINT64_MAX && endless)
		return node_fail(root, INPUT_ERROR_VALUE, error,
				 "expected a duration (\"duration\", "
				 "\"global\": {\"duration\"} or --duration), for %s "
				 "\"%s\" never ends",
				 kind, endless);
	return true;
}

static bool read_duration(workload *w, const struct node *n, GError **error)
{
	if (w->duration_ns != UINT64_MAX)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected one duration, got this and "
				 "global.duration");
	if (!read_time(n, BARE_NONE, &w->duration_ns, error))
		return false;
	return w->duration_ns || node_expected(n, "a time above 0", error);
}

static bool read_times(workload *w, const struct node *root,
		       const struct workload_options *options, GError **error)
{
	struct node duration = node_get(root, "duration");
	struct node warmup = node_get(root, "warmup");

	if ((duration.json && !read_duration(w, &duration, error)) ||
	    (warmup.json && !read_time(&warmup, BARE_NONE, &w->warmup_ns, error)))
		return false;
	if (options && options->duration_ns != UINT64_MAX)
		w->duration_ns = options->duration_ns;
	if (options && options->warmup_ns != UINT64_MAX)
		w->warmup_ns = options->warmup_ns;
	return true;
}

static bool read_about(workload *w, const struct node *root, GError **error)
{
	struct node about = node_get(root, "about");
	const char *text;

	if (!about.json)
		return true;
	if (!read_string(&about, &text, error))
		return false;
	w->about = g_strdup(text);
	return true;
}

static bool read_tasks_and_sources(struct reading *r, const struct node *root,
				   GError **error)
{
	struct node channels = node_get(root, "channels");
	struct node tasks = node_get(root, "tasks");
	struct node sources = node_get(root, "sources");
	struct node cgroups = node_get(root, "cgroups");
	struct node operations = node_get(root, "operations");

	if (!tasks.json)
		return node_fail(root, INPUT_ERROR_VALUE, error,
				 "expected the key \"tasks\"");
	if ((channels.json && !channels_read(r, &channels, error)) ||
	    (cgroups.json && !cgroups_read(r, &cgroups, error)) ||
	    !tasks_read(r, &tasks, error) ||
	    (sources.json && !sources_read(r, &sources, error)) ||
	    (operations.json && !operations_read(r, &operations, error)) ||
	    !cgroups_check_tasks(r, &tasks, error))
		return false;
	cgroups_finish(r);
	warn_of_loose_channels(r, root);
	return true;
}

static bool read_behaviour(struct workload_input *in, const struct node *root,
			   const struct workload_options *options, GError **error)
{
	struct node global = node_get(root, "global");
	struct reading r;
	bool done;

	in->workload->duration_ns = UINT64_MAX;
	reading_init(&r, in->workload, in->topology, &in->spec);
	done = (!global.json || global_read(&r, &global, error)) &&
	       read_about(in->workload, root, error) &&
	       read_times(in->workload, root, options, error) &&
	       read_tasks_and_sources(&r, root, error);
	if (done)
		reading_finish(&r);
	reading_clear(&r);
	return done && check_end(in->workload, root, error);
}

static bool read_file_text(const char *path, char **text, gsize *length, GError **error)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	FILE *f = fopen(path, "rbe");
	guint8 buffer[65536];
	size_t got = 0;
	int failed = f ? 0 : errno;

	while (f && (got = fread(buffer, 1, sizeof(buffer), f)) &&
	       bytes->len <= FILE_BYTES_MAX)
		g_byte_array_append(bytes, buffer, got);
	if (f && ferror(f))
		failed = errno;
	if (f)
		fclose(f);
	if (failed || bytes->len > FILE_BYTES_MAX) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_FILE, "%s",
			    failed ? g_strerror(failed)
				   : "expected a file of at most 256 MiB");
		return false;
	}
	*length = bytes->len;
	*text = (char *)g_byte_array_free(g_steal_pointer(&bytes), FALSE);
	return true;
}

/* The tree of @text, or NULL.  (transfer full) */
static cJSON *parse(const char *text, gsize length, GError **error)
{
	g_autofree char *strict = dialect_to_json(text, length, error);
	cJSON *json;

	if (!strict)
		return NULL;
	json = cJSON_Parse(strict);
	if (!json)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_SYNTAX,
			    "expected JSON, got what cJSON cannot read");
	return json;
}

/* A name and a topology string have neither of these. */
static bool is_machine_file(const char *machine)
{
	return strchr(machine, '/') || g_str_has_suffix(machine, ".json");
}

static bool read_machine_file(struct workload_input *in, const char *path,
			      GError **error)
{
	g_autofree char *text = NULL;
	struct document doc;
	struct node root;
	cJSON *json;
	gsize length;
	bool done;

	if (!read_file_text(path, &text, &length, error))
		return false;
	json = parse(text, length, error);
	if (!json)
		return false;
	document_init(&doc, json, NULL, in->workload->warnings);
	root = document_root(&doc);
	done = node_is_harmless(&root, error) &&
	       machine_read(&root, NULL, &in->topology, &in->spec, error);
	document_clear(&doc);
	cJSON_Delete(json);
	return done;
}

static bool read_machine(struct workload_input *in, const struct node *root,
			 const struct workload_options *options, GError **error)
{
	struct node machine = node_get(root, "machine");
	const char *named = options ? options->machine : NULL;

	if (!named || !is_machine_file(named))
		return machine_read(&machine, named, &in->topology, &in->spec, error);
	if (read_machine_file(in, named, error))
		return true;
	g_prefix_error(error, "--machine %s: ", named);
	return false;
}

static bool read_root(struct workload_input *in, const struct node *root,
		      const struct workload_options *options, GError **error)
{
	struct params *params = root->doc->params;
	struct node named = node_get(root, "params");

	warn_of_repeated_keys(root);
	if (!node_is_harmless(root, error) || !check_root_keys(root, error) ||
	    !check_resources(root, error) ||
	    !params_read(params, &named, options ? options->params : NULL, error) ||
	    !read_machine(in, root, options, error) ||
	    !read_behaviour(in, root, options, error))
		return false;
	list_params(in->workload, params, root);
	return true;
}

static bool read_document(struct workload_input *in, const char *text, gsize length,
			  const struct workload_options *options, GError **error)
{
	cJSON *json = parse(text, length, error);
	struct document doc;
	struct params params;
	struct node root;
	bool done;

	if (!json)
		return false;
	params_init(&params);
	document_init(&doc, json, &params, in->workload->warnings);
	root = document_root(&doc);
	done = read_root(in, &root, options, error);
	document_clear(&doc);
	params_clear(&params);
	cJSON_Delete(json);
	return done;
}

static workload *workload_new(const char *path)
{
	workload *w = g_new0(workload, 1);

	w->mem_buffer_bytes = MEM_BUFFER_BYTES;
	w->path = g_strdup(path);
	w->warnings = g_ptr_array_new_with_free_func(g_free);
	w->params = g_ptr_array_new_with_free_func(param_free);
	return w;
}

bool workload_read_text(const char *text, gsize length, const char *path,
			const struct workload_options *options,
			struct workload_input *out, GError **error)
{
	struct workload_input in = {.workload = workload_new(path)};

	if (!read_document(&in, text, length, options, error)) {
		g_prefix_error(error, "%s: ", path);
		workload_input_clear(&in);
		return false;
	}
	*out = in;
	return true;
}

bool workload_read(const char *path, const struct workload_options *options,
		   struct workload_input *out, GError **error)
{
	g_autofree char *text = NULL;
	gsize length;

	if (read_file_text(path, &text, &length, error))
		return workload_read_text(text, length, path, options, out, error);
	g_prefix_error(error, "%s: ", path);
	return false;
}

void workload_input_clear(struct workload_input *in)
{
	g_clear_pointer(&in->workload, workload_free);
	g_clear_pointer(&in->topology, topology_free);
	control_costs_clear(&in->spec.control_costs);
}
