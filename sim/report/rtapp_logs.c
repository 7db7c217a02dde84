/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows go straight to the files; nothing but those is kept of a thread.
 */
#include "report/rtapp_logs.h"

#include "report/output_file.h"
#include "schedsim/error.h"
#include "schedsim/units.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define FOLDER_MODE 0777

/* Of one thread. */
struct log {
	int index; /* of the thread, from 0 */
	output_file *file;
};

struct rtapp_logs {
	char *folder;        /* owned */
	const workload *w;   /* not owned */
	const simulation *s; /* not owned; from the beginning of the logs on */
	GError *error;       /* owned; the first one during the run */
	struct sim_observer observer;
	GPtrArray *logs;       /* of struct log, in the order of threads; owned */
	GHashTable *of_thread; /* from struct sim_task to @logs; owned */
	bool warm;             /* the warm-up is over */
};

static void log_free(gpointer data)
{
	struct log *log = data;

	output_file_free(log->file);
	g_free(log);
}

/* To the nearest, as rt-app rounds. */
static uint64_t to_us(uint64_t ns)
{
	return ns / NSEC_PER_USEC + (ns % NSEC_PER_USEC >= NSEC_PER_USEC / 2);
}

static int64_t signed_us(int64_t ns)
{
	return ns < 0 ? -(int64_t)to_us(-(uint64_t)ns) : (int64_t)to_us((uint64_t)ns);
}

static void write_row(const rtapp_logs *l, const struct log *log,
		      const struct phase_turn *turn)
{
	const struct rtapp_log_spec *spec = &l->w->rtapp_log;
	uint64_t start_us = to_us(turn->start_ns - SIM_START_NS);

	fprintf(output_file_stream(log->file),
		"%4d %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %15" PRIu64 " %15" PRIu64
		" %15" PRIu64 " %10" PRId64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64
		"\n",
		log->index, turn->work_ns / MAX(spec->ns_per_loop, 1U),
		to_us(turn->run_ns), to_us(turn->end_ns - turn->start_ns), start_us,
		to_us(turn->end_ns - SIM_START_NS), start_us,
		signed_us(spec->cumulative_slack ? turn->slack_sum_ns : turn->slack_ns),
		to_us(turn->asked_run_ns), to_us(turn->asked_period_ns),
		to_us(turn->timer_wait_ns));
}

static void write_policy(FILE *out, const struct task_spec *spec)
{
	static const char *const names[] = {
		[POLICY_NORMAL] = "SCHED_OTHER", [POLICY_FIFO] = "SCHED_FIFO",
		[POLICY_RR] = "SCHED_RR",        [POLICY_BATCH] = "SCHED_BATCH",
		[POLICY_IDLE] = "SCHED_IDLE",
	};
	int priority = rt_policy(spec->policy) ? (int)spec->rt_priority : spec->nice;

	if (spec->asks_for_deadline)
		fputs("# Policy : SCHED_DEADLINE\n", out);
	else
		fprintf(out, "# Policy : %s priority : %d\n", names[spec->policy],
			priority);
}

static void write_head(FILE *out, const struct task_spec *spec)
{
	write_policy(out, spec);
	fprintf(out, "%s %8s %8s %8s %15s %15s %15s %10s %10s %10s %10s\n", "#idx",
		"perf", "run", "period", "start", "end", "rel_st", "slack",
		"c_duration", "c_period", "wu_lat");
}

static bool check_name(const char *what, const char *name, GError **error)
{
	if (!strchr(name, '/'))
		return true;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "--rtapp-logs: expected %s that a file's name can hold, got \"%s\"",
		    what, name);
	return false;
}

/* NAME-INDEX, and after a fork the number of the task's fork.  (transfer full) */
static char *unique_name(const struct sim_task *t, int index)
{
	int fork = t->instance - t->spec->instances;

	if (fork < 0)
		return g_strdup_printf("%s-%d", t->spec->name, index);
	return g_strdup_printf("%s-%d-%04d", t->spec->name, index, fork);
}

static const struct log *open_log(rtapp_logs *l, const struct sim_task *t, int index,
				  GError **error)
{
	const char *base = l->w->rtapp_log.basename ? l->w->rtapp_log.basename
						    : RTAPP_LOG_BASENAME;
	g_autofree char *name = unique_name(t, index);
	g_autofree char *path = g_strdup_printf("%s/%s-%s.log", l->folder, base, name);
	output_file *file;
	struct log *log;

	if (!check_name("a log_basename", base, error) ||
	    !check_name("a task's name", t->spec->name, error))
		return NULL;
	file = output_file_open(path, error);
	if (!file)
		return NULL;
	log = g_new0(struct log, 1);
	log->index = index;
	log->file = file;
	g_ptr_array_add(l->logs, log);
	g_hash_table_insert(l->of_thread, (gpointer)t, log);
	write_head(output_file_stream(file), t->spec);
	return log;
}

/* Threads are numbered as they are made. */
static int thread_index(const rtapp_logs *l, const struct sim_task *t)
{
	return t->task.pid - simulation_task(l->s, 0)->task.pid;
}

/* That of a thread that was forked begins late. */
static const struct log *log_of(rtapp_logs *l, const struct sim_task *t, GError **error)
{
	const struct log *log = g_hash_table_lookup(l->of_thread, t);

	return log ? log : open_log(l, t, thread_index(l, t), error);
}

static void phase_turn(void *data, const struct sim_task *t,
		       const struct phase_turn *turn)
{
	rtapp_logs *l = data;
	const struct log *log;

	if (t->group == NO_TASK_GROUP || !l->warm || l->error)
		return;
	log = log_of(l, t, &l->error);
	if (log)
		write_row(l, log, turn);
}

static void warmup_over(void *data, uint64_t now_ns)
{
	rtapp_logs *l = data;

	l->warm = true;
}

rtapp_logs *rtapp_logs_new(const char *folder, const workload *w,
			   const struct sim_observer *sim_next)
{
	rtapp_logs *l = g_new0(rtapp_logs, 1);

	l->folder = g_strdup(folder);
	l->w = w;
	l->logs = g_ptr_array_new_with_free_func(log_free);
	l->of_thread = g_hash_table_new(NULL, NULL);
	l->observer = (struct sim_observer){
		.next = sim_next,
		.data = l,
		.phase_turn = phase_turn,
		.warmup_over = warmup_over,
	};
	return l;
}

void rtapp_logs_free(rtapp_logs *l)
{
	if (!l)
		return;
	g_ptr_array_unref(l->logs);
	g_hash_table_unref(l->of_thread);
	g_clear_error(&l->error);
	g_free(l->folder);
	g_free(l);
}

const struct sim_observer *rtapp_logs_observer(const rtapp_logs *l)
{
	return &l->observer;
}

/* Of those threads that there are. */
static bool open_all(rtapp_logs *l, GError **error)
{
	for (int i = 0; i < simulation_nr_tasks(l->s); i++) {
		const struct sim_task *t = simulation_task(l->s, i);

		if (t->group != NO_TASK_GROUP &&
		    !g_hash_table_contains(l->of_thread, t) &&
		    !open_log(l, t, i, error))
			return false;
	}
	return true;
}

bool rtapp_logs_open(rtapp_logs *l, const simulation *s, GError **error)
{
	if (g_mkdir_with_parents(l->folder, FOLDER_MODE)) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_FILE,
			    "%s: expected a folder, or to make one: %s", l->folder,
			    g_strerror(errno));
		return false;
	}
	l->s = s;
	return open_all(l, error);
}

bool rtapp_logs_commit(rtapp_logs *l, GError **error)
{
	if (l->error) {
		g_propagate_error(error, g_steal_pointer(&l->error));
		return false;
	}
	if (!open_all(l, error))
		return false;
	for (guint i = 0; i < l->logs->len; i++) {
		const struct log *log = g_ptr_array_index(l->logs, i);

		if (!output_file_commit(log->file, error))
			return false;
	}
	return true;
}
