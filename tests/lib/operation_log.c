/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "operation_log.h"

#include "test.h"

#include "schedsim/error.h"
#include "wakeup/registry.h"
#include "workload/control.h"
#include "workload_text.h"

struct operation_log {
	struct workload_input in;
	struct wakeup_policy policy;
	struct rebuild_policy rebuild;
	struct sim_observer listener;
	GString *lines; /* owned */
};

static guint64 us(uint64_t ns)
{
	assert_int_equal(ns % 1000, 0);
	return ns / 1000;
}

static guint64 us_of_run(uint64_t ns)
{
	return us(ns - SIM_START_NS);
}

static void on_operation(void *data, const struct operation_account *account)
{
	operation_log *log = data;
	g_autofree char *begun = NULL;

	if (account->began_ns != account->due_ns)
		begun = g_strdup_printf(" begun %" G_GUINT64_FORMAT,
					us_of_run(account->began_ns));
	g_string_append_printf(log->lines,
			       "%" G_GUINT64_FORMAT " %s since %" G_GUINT64_FORMAT
			       "%s: lock %" G_GUINT64_FORMAT " rcu %" G_GUINT64_FORMAT
			       " work %" G_GUINT64_FORMAT,
			       us_of_run(account->end_ns),
			       log->in.workload->control->rows[account->row],
			       us_of_run(account->due_ns), begun ? begun : "",
			       us(account->lock_wait_ns), us(account->grace_period_ns),
			       us(account->service_ns));
	if (account->walk_ns)
		g_string_append_printf(log->lines, ", walk %" G_GUINT64_FORMAT,
				       us(account->walk_ns));
	if (account->error)
		g_string_append_printf(log->lines, ", %s",
				       kernel_errno_name(account->error));
	g_string_append_c(log->lines, '\n');
}

static void on_turn(void *data, const struct sim_task *t, const struct phase_turn *turn)
{
	operation_log *log = data;

	if (t->group != NO_TASK_GROUP)
		g_string_append_printf(log->lines,
				       "%" G_GUINT64_FORMAT
				       " %s-%d turned, late by %" G_GUINT64_FORMAT "\n",
				       us_of_run(turn->end_ns), t->spec->name,
				       t->instance, us(turn->timer_wait_ns));
}

operation_log *operation_log_new(const char *json, const char *rebuild,
				 const char *costs)
{
	g_auto(GStrv) settings = g_strsplit(costs, " ", -1);
	operation_log *log = g_new0(operation_log, 1);

	log->in = workload_of(json);
	log->policy = wakeup_policy_complete(wakeup_policy_find("baseline"));
	log->in.spec.policy = &log->policy;
	assert_true(rebuild_policy_parse(rebuild, &log->rebuild, NULL));
	log->in.rebuild = &log->rebuild;
	assert_true(machine_spec_set(&log->in.spec, "costs=none", NULL));
	for (int i = 0; settings[i]; i++)
		assert_true(machine_spec_set(&log->in.spec, settings[i], NULL));
	log->lines = g_string_new(NULL);
	log->listener =
		(struct sim_observer){.data = log, .operation_done = on_operation};
	return log;
}

void operation_log_free(operation_log *log)
{
	workload_input_clear(&log->in);
	g_string_free(log->lines, TRUE);
	g_free(log);
}

struct workload_input *operation_log_input(operation_log *log)
{
	return &log->in;
}

void operation_log_turns(operation_log *log)
{
	log->listener.phase_turn = on_turn;
}

void operation_log_expect(operation_log *log, const char *lines)
{
	g_autoptr(simulation) s = simulation_new(&log->in, 1, NULL, &log->listener);
	g_autoptr(GError) error = NULL;

	simulation_check_invariants(s);
	if (!simulation_run(s, &error))
		fail_msg("%s", error->message);
	assert_string_equal(log->lines->str, lines);
}
