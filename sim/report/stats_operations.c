/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations of the administrator: how long they took and for what, what they did to
 * cpusets, and whether that left the deadline bandwidth of root domains right.
 */
#include "report/stats_private.h"

#include "workload/control.h"

#include <string.h>

static void count_error(struct operation_results *o, int error)
{
	int i = 0;

	if (!error)
		return;
	o->refused++;
	while (i < o->nr_errors && o->errors[i].error != error)
		i++;
	g_assert(i < OPERATION_ERRORS_MAX);
	if (i == o->nr_errors)
		o->errors[o->nr_errors++].error = error;
	o->errors[i].count++;
}

/* That of the CPUs @cpus, which may be new. */
static struct root_domain_results *results_of(stats *s, const struct cpumask *cpus)
{
	GArray *list = s->results.root_domains;
	struct root_domain_results new = {0};
	g_autofree char *span = cpumask_to_list(cpus);

	for (guint i = 0; i < list->len; i++) {
		struct root_domain_results *rd =
			&g_array_index(list, struct root_domain_results, i);

		if (!strcmp(rd->span, span))
			return rd;
	}
	new.span = g_steal_pointer(&span);
	g_array_append_val(list, new);
	return &g_array_index(list, struct root_domain_results, list->len - 1);
}

static void note_before(stats *s, const GArray *before)
{
	for (guint i = 0; i < before->len; i++) {
		const struct op_root_domain *rd =
			&g_array_index(before, struct op_root_domain, i);
		struct root_domain_results *is = results_of(s, &rd->span);

		is->was = true;
		is->before = rd->total_bw;
	}
}

/* Until the next operation. */
static void note_after(stats *s, const GArray *after)
{
	GArray *list = s->results.root_domains;

	for (guint i = 0; i < list->len; i++)
		g_array_index(list, struct root_domain_results, i).is = false;
	for (guint i = 0; i < after->len; i++) {
		const struct op_root_domain *rd =
			&g_array_index(after, struct op_root_domain, i);
		struct root_domain_results *is = results_of(s, &rd->span);

		is->is = true;
		is->after = rd->total_bw;
		is->expected = rd->expected_bw;
	}
}

/* A fault counts where it appears, not for as long as it lasts. */
static void count_faults(struct operation_results *o, const struct op_result *result)
{
	for (guint i = 0; i < result->after->len; i++) {
		const struct op_root_domain *rd =
			&g_array_index(result->after, struct op_root_domain, i);
		const struct op_root_domain *before =
			op_root_domain_of(result->before, cpumask_first(&rd->span));
		enum bw_fault fault = op_bw_fault(rd);

		if (before && op_bw_fault(before) == fault)
			continue;
#define OPERATION_TIME(name, label, why)
#define OPERATION_COUNT(name, better, label, why)
#define OPERATION_FAULT(name, fault_, label, why) o->name += fault == fault_;
#define OPERATION_ABOVE(name, unit, label, why)
#include "report/operation_metrics.def"
	}
}

static void count_account(stats *s, struct operation_results *o,
			  const struct operation_account *account)
{
	const struct op_result *result = account->result;

	o->accounts++;
	histogram_add(&o->call_ns, account->end_ns - account->began_ns);
	histogram_add(&o->lock_wait_ns, account->lock_wait_ns);
	histogram_add(&o->grace_period_ns, account->grace_period_ns);
	histogram_add(&o->service_ns, account->service_ns);
	histogram_add(&o->walk_ns, account->walk_ns);
#define OPERATION_TIME(name, label, why)
#define OPERATION_COUNT(name, better, label, why) o->name += result->name;
#define OPERATION_FAULT(name, fault, label, why)
#define OPERATION_ABOVE(name, unit, label, why)
#include "report/operation_metrics.def"
	count_faults(o, result);
	if (!s->results.root_domains->len)
		note_before(s, result->before);
	note_after(s, result->after);
}

static void count_target(struct operation_results *o,
			 const struct operation_account *account)
{
	uint64_t call_ns = account->end_ns - account->began_ns;
	uint64_t wait_ns = account->lock_wait_ns + account->grace_period_ns;

	o->with_target++;
	if (call_ns <= account->target_ns)
		return;
	o->above_target++;
	o->above_target_by_service += call_ns - wait_ns > account->target_ns;
	o->above_target_call_ns += call_ns;
	o->above_target_lock_wait_ns += account->lock_wait_ns;
	o->above_target_grace_period_ns += account->grace_period_ns;
	o->above_target_service_ns += account->service_ns;
	o->above_target_rest_ns += call_ns - wait_ns - account->service_ns;
}

static void operation_done(void *data, const struct operation_account *account)
{
	stats *s = data;
	struct operation_results *o = &s->results.operations[account->row];

	histogram_add(&o->latency_ns, account->end_ns - account->due_ns);
	o->done++;
	count_error(o, account->error);
	if (account->target_ns)
		count_target(o, account);
	if (account->result)
		count_account(s, o, account);
}

void stats_operations_init(stats *s)
{
	s->sim_observer.operation_done = operation_done;
}
