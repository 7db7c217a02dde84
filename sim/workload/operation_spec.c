/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An entry has one key that says what is done, and keys that say when.
 */
#include "workload/operation_spec.h"

#include "workload/operation_args.h"

#include "schedsim/error.h"
#include "workload/arrival_spec.h"
#include "workload/cgroup_spec.h"
#include "workload/program_check.h"
#include "workload/read.h"
#include "workload/task_spec.h"

#include <string.h>

#define COUNT_MAX 1000000000
#define FOR_EVER (-1)

static const char *const entry_keys[] = {
	"at",       "every",  "rate",     "arrivals", "file",
	"count",    "burst",  "instance", "cpus",     "write",
	"attach",   "mkdir",  "rmdir",    "offline",  "online",
	"suspend",  "resume", "governor", "topology", "setscheduler",
	"affinity", "renice", "tunable",  "target",   NULL};

/* The operations under construction, and the names of their rows in reports. */
struct operations_reading {
	struct reading *r;
	struct control *c;
	struct name_table rows;
};

/* Not one operation in @n, but those of @got, [nr]; always false. */
static bool fail_number(const struct node *n, const char *const *got, int nr,
			GError **error)
{
	g_autofree char *names = g_strjoinv(", ", (char **)(gpointer)operation_names);

	if (!nr)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected one operation of %s, got none", names);
	return node_fail(n, INPUT_ERROR_VALUE, error,
			 "expected one operation of %s, got \"%s\" and \"%s\"", names,
			 got[0], got[1]);
}

/* The member of @n that says which operation it is; there must be just one. */
static bool find_operation(const struct node *n, enum operation_kind *kind,
			   struct node *found, GError **error)
{
	const char *got[NR_OPERATION_KINDS];
	int nr = 0;

	for (int i = 0; i < NR_OPERATION_KINDS; i++) {
		struct node member = node_get(n, operation_names[i]);

		if (!member.json)
			continue;
		*found = member;
		*kind = (enum operation_kind)i;
		got[nr++] = operation_names[i];
	}
	return nr == 1 || fail_number(n, got, nr, error);
}

/* [its index] */
static const char *const arrival_names[] = {"fixed", "poisson", NULL};
enum { ARRIVALS_FIXED, ARRIVALS_POISSON };

/* The ways to say when it is due again, of which there may be one. */
struct repeat {
	struct node every, rate, file;
};

static bool read_rate(const struct node *n, const struct node *rate,
		      struct operation_spec *op, GError **error)
{
	struct node process = node_get(n, "arrivals");
	int kind = ARRIVALS_POISSON;

	if (process.json && !read_choice(&process, arrival_names, &kind, error))
		return false;
	op->every.kind = kind == ARRIVALS_FIXED ? DIST_FIXED : DIST_EXP;
	op->every_first = true;
	return rate_read(rate, &op->every.a, error);
}

static bool read_every(const struct node *every, struct operation_spec *op,
		       GError **error)
{
	if (!read_time_dist(every, BARE_NONE, &op->every, error))
		return false;
	return !dist_is_zero(&op->every) ||
	       node_expected(every, "a time above 0", error);
}

static bool read_file(const struct operations_reading *o, const struct node *file,
		      struct operation_spec *op, GError **error)
{
	enum arrival_values values = ARRIVALS_WITHOUT_VALUES;

	if (op->kind == OPERATION_WRITE)
		values = op->values ? ARRIVALS_OFFER_VALUES : ARRIVALS_NEED_VALUES;
	return record_read(file, o->r->w->path, values, &op->record, error);
}

/* A key that says more of another one needs that beside it. */
static bool check_repeat(const struct node *n, const struct repeat *again,
			 GError **error)
{
	struct node count = node_get(n, "count"), process = node_get(n, "arrivals");
	struct node burst = node_get(n, "burst");
	int nr = !!again->every.json + !!again->rate.json + !!again->file.json;

	if (nr > 1)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected one of \"every\", \"rate\" and \"file\", "
				 "got %d",
				 nr);
	if (count.json && !again->every.json && !again->rate.json)
		return node_fail(&count, INPUT_ERROR_VALUE, error,
				 "expected \"every\" or \"rate\" beside \"count\"");
	if (process.json && !again->rate.json)
		return node_fail(&process, INPUT_ERROR_VALUE, error,
				 "expected \"rate\" beside \"arrivals\"");
	if (burst.json && again->file.json)
		return node_fail(&burst, INPUT_ERROR_VALUE, error,
				 "expected \"count\" in the file's lines instead");
	return true;
}

static bool read_count(const struct node *n, bool again, struct operation_spec *op,
		       GError **error)
{
	struct node count = node_get(n, "count"), burst = node_get(n, "burst");
	int64_t times = again ? FOR_EVER : 1;

	if (count.json && !read_int(&count, 1, COUNT_MAX, &times, error))
		return false;
	op->count = (int)times;
	op->burst = dist_fixed(1);
	return !burst.json || read_count_dist(&burst, &op->burst, error);
}

static bool read_repeat(struct operations_reading *o, const struct node *n,
			struct operation_spec *op, GError **error)
{
	struct repeat again = {node_get(n, "every"), node_get(n, "rate"),
			       node_get(n, "file")};

	return check_repeat(n, &again, error) &&
	       (!again.every.json || read_every(&again.every, op, error)) &&
	       (!again.rate.json || read_rate(n, &again.rate, op, error)) &&
	       (!again.file.json || read_file(o, &again.file, op, error)) &&
	       read_count(n, again.every.json || again.rate.json, op, error);
}

static bool read_target(const struct node *n, struct operation_spec *op, GError **error)
{
	struct node target = node_get(n, "target");

	if (!target.json)
		return true;
	if (!read_time(&target, BARE_NONE, &op->target_ns, error))
		return false;
	return op->target_ns || node_expected(&target, "a time above 0", error);
}

/* A rate and a record begin at the start unless told otherwise. */
static bool read_when(struct operations_reading *o, const struct node *n,
		      struct operation_spec *op, GError **error)
{
	struct node at = node_get(n, "at"), cpus = node_get(n, "cpus");

	if (!at.json && !node_get(n, "rate").json && !node_get(n, "file").json)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected the key \"at\", \"rate\" or \"file\"");
	return (!at.json || read_time(&at, BARE_NONE, &op->thread.delay_ns, error)) &&
	       (!cpus.json ||
		read_cpus(&cpus, o->r->nr_cpus, &op->thread.cpus, error)) &&
	       instances_read(o->r, n, &op->thread.instances, error) &&
	       read_repeat(o, n, op, error) && read_target(n, op, error);
}

/* What reports call it: its kind, and the file or setting that it writes. */
static void name_row(struct operations_reading *o, struct operation_spec *op)
{
	g_autofree char *row = g_strconcat(operation_names[op->kind],
					   op->file ? " " : NULL, op->file, NULL);

	op->row = name_table_index(&o->rows, row);
	op->thread.name = g_strdup(row);
}

/* A thread that does the operation, each time it is due, and ends. */
static void make_program(const struct node *n, struct operation_spec *op, int index)
{
	struct step *steps = g_new0(struct step, 2);

	steps[0].op = STEP_OPERATION;
	steps[0].object = index;
	steps[0].place = node_path(n);
	steps[1].op = STEP_EXIT;
	steps[1].place = node_path(n);
	op->thread.program = (struct program){.steps = steps, .nr_steps = 2};
	op->place = node_path(n);
}

static bool read_entry(struct operations_reading *o, const struct node *n,
		       struct operation_spec *op, GError **error)
{
	struct node what;

	if (!node_has_only(n, entry_keys, error) ||
	    !find_operation(n, &op->kind, &what, error) ||
	    !operation_args_read(o->r, &what, op, error) || !read_when(o, n, op, error))
		return false;
	o->c->needs_cpusets |=
		op->kind >= OPERATION_OFFLINE && op->kind != OPERATION_TUNABLE;
	name_row(o, op);
	make_program(n, op, (int)(op - o->c->operations));
	return true;
}

static bool some_mkdir_makes(const struct control *c, const char *path)
{
	for (int i = 0; i < c->nr_operations; i++)
		if (c->operations[i].kind == OPERATION_MKDIR &&
		    !strcmp(c->operations[i].path, path))
			return true;
	return false;
}

static void warn_of_unknown_paths(const struct operations_reading *o,
				  const struct node *n)
{
	for (int i = 0; i < o->c->nr_operations; i++) {
		const struct operation_spec *op = &o->c->operations[i];

		if (op->path && op->kind != OPERATION_MKDIR &&
		    !cgroup_is_known(o->r->cgroups, op->path) &&
		    !some_mkdir_makes(o->c, op->path))
			node_warn(n, "%s: nothing makes the group \"%s\"", op->place,
				  op->path);
	}
}

bool operations_read(struct reading *r, const struct node *n, GError **error)
{
	struct operations_reading o = {.r = r};
	struct node child;
	bool done = true;

	if (!cJSON_IsArray(n->json))
		return node_expected(n, "an array of operations", error);
	cgroup_reading_of(r, CGROUP_V2);
	o.c = r->w->control = g_new0(struct control, 1);
	o.c->operations =
		g_new0(struct operation_spec, cJSON_GetArraySize(n->json) + 1);
	name_table_init(&o.rows);
	for (child = node_first(n); done && child.json; child = node_next(&child))
		done = read_entry(&o, &child, &o.c->operations[o.c->nr_operations++],
				  error);
	if (done) {
		warn_of_unknown_paths(&o, n);
		o.c->rows = name_table_take(&o.rows, &o.c->nr_rows);
	}
	name_table_clear(&o.rows);
	return done;
}

const char *endless_operation(const workload *w)
{
	for (int i = 0; w->control && i < w->control->nr_operations; i++)
		if (w->control->operations[i].count < 0)
			return w->control->operations[i].place;
	return NULL;
}
