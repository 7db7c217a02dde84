/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of an operation: counts, and the steps they came in.
 */
#include "cpuset/operation.h"

void op_result_init(op_result *result)
{
	*result = (op_result){
		.steps = g_array_new(FALSE, FALSE, sizeof(struct op_step)),
		.before = g_array_new(FALSE, FALSE, sizeof(struct op_root_domain)),
		.after = g_array_new(FALSE, FALSE, sizeof(struct op_root_domain)),
	};
}

void op_result_clear(op_result *result)
{
	g_clear_pointer(&result->steps, g_array_unref);
	g_clear_pointer(&result->before, g_array_unref);
	g_clear_pointer(&result->after, g_array_unref);
}

enum bw_fault op_bw_fault(const struct op_root_domain *rd)
{
	if (rd->total_bw == rd->expected_bw)
		return BW_RIGHT;
	if ((int64_t)rd->total_bw < 0)
		return BW_NEGATIVE;
	return rd->total_bw < rd->expected_bw ? BW_LOST : BW_EXCESS;
}

const struct op_root_domain *op_root_domain_of(const GArray *list, int cpu)
{
	for (guint i = 0; i < list->len; i++) {
		const struct op_root_domain *rd =
			&g_array_index(list, struct op_root_domain, i);

		if (cpumask_test(&rd->span, cpu))
			return rd;
	}
	return NULL;
}

const char *op_lock_name(enum op_lock lock)
{
	static const char *const names[] = {
		[OP_LOCK_CGROUP_MUTEX] = "cgroup_mutex",
		[OP_LOCK_CPU_MAPS] = "cpu_add_remove_lock",
		[OP_LOCK_CPUS_READ] = "cpus_read_lock",
		[OP_LOCK_CPUS_WRITE] = "cpus_write_lock",
		[OP_LOCK_THREADGROUP] = "cgroup_threadgroup_rwsem",
		[OP_LOCK_CPUSET] = "cpuset_lock",
		[OP_LOCK_CPUSET_READ] = "cpuset_read_lock",
		[OP_LOCK_SCHED_DOMAINS] = "sched_domains_mutex",
	};

	return names[lock];
}

const char *op_step_name(enum op_step_kind kind)
{
	static const char *const names[] = {
		[OP_STEP_LOCK] = "lock",
		[OP_STEP_UNLOCK] = "unlock",
		[OP_STEP_GRACE_PERIOD] = "grace period",
		[OP_STEP_CPUSETS] = "cpusets",
		[OP_STEP_AFFINITY] = "affinity",
		[OP_STEP_GENERATE] = "generate",
		[OP_STEP_DETACH] = "detach",
		[OP_STEP_BUILD] = "build",
		[OP_STEP_PERF_DOMAINS] = "performance domains",
		[OP_STEP_WALK_CPUSETS] = "walk cpusets",
		[OP_STEP_WALK_TASKS] = "walk tasks",
		[OP_STEP_WALK_DL_TASKS] = "walk deadline tasks",
		[OP_STEP_CPU_OFF] = "cpu off",
		[OP_STEP_CPU_ON] = "cpu on",
		[OP_STEP_MIGRATIONS] = "migrations",
	};

	return names[kind];
}

static void add_step(op_result *result, enum op_step_kind kind, int what,
		     uint64_t count)
{
	struct op_step step = {kind, what, count};

	g_array_append_val(result->steps, step);
}

bool op_step_is_barrier(enum op_step_kind kind)
{
	return kind == OP_STEP_LOCK || kind == OP_STEP_UNLOCK ||
	       kind == OP_STEP_GRACE_PERIOD;
}

/* The step of @kind since the last lock or wait, or NULL. */
static struct op_step *open_step(const op_result *result, enum op_step_kind kind)
{
	for (guint i = result->steps->len; i; i--) {
		struct op_step *step =
			&g_array_index(result->steps, struct op_step, i - 1);

		if (step->kind == kind)
			return step;
		if (op_step_is_barrier(step->kind))
			break;
	}
	return NULL;
}

static uint64_t *total_of(op_result *result, enum op_step_kind kind)
{
	switch (kind) {
	case OP_STEP_CPUSETS:
		return &result->cpusets_updated;
	case OP_STEP_AFFINITY:
		return &result->affinities_set;
	case OP_STEP_WALK_CPUSETS:
		return &result->cpusets_walked;
	case OP_STEP_WALK_TASKS:
		return &result->tasks_walked;
	case OP_STEP_WALK_DL_TASKS:
		return &result->dl_tasks_walked;
	default:
		return NULL;
	}
}

void op_count(op_result *result, enum op_step_kind kind, uint64_t count)
{
	struct op_step *step = open_step(result, kind);
	uint64_t *total = total_of(result, kind);

	if (!count)
		return;
	if (step)
		step->count += count;
	else
		add_step(result, kind, 0, count);
	if (total)
		*total += count;
}

void op_lock(op_result *result, enum op_lock lock)
{
	add_step(result, OP_STEP_LOCK, lock, 1);
	result->locks[lock]++;
}

void op_unlock(op_result *result, enum op_lock lock)
{
	add_step(result, OP_STEP_UNLOCK, lock, 1);
}

void op_grace_period(op_result *result, enum op_grace_period kind)
{
	add_step(result, OP_STEP_GRACE_PERIOD, kind, 1);
	result->grace_periods[kind]++;
}

static void copy_root_domains(GArray *to, const GArray *from)
{
	g_array_set_size(to, 0);
	g_array_append_vals(to, from->data, from->len);
}

void op_result_join(op_result *whole, const op_result *part)
{
	if (!whole->before->len)
		copy_root_domains(whole->before, part->before);
	copy_root_domains(whole->after, part->after);
	g_array_append_vals(whole->steps, part->steps->data, part->steps->len);
	whole->rebuilds_requested += part->rebuilds_requested;
	whole->rebuilds_dropped += part->rebuilds_dropped;
	whole->domains_destroyed += part->domains_destroyed;
	whole->domains_built += part->domains_built;
	whole->cpusets_updated += part->cpusets_updated;
	whole->affinities_set += part->affinities_set;
	whole->tasks_moved += part->tasks_moved;
	whole->walks += part->walks;
	whole->cpusets_walked += part->cpusets_walked;
	whole->tasks_walked += part->tasks_walked;
	whole->dl_tasks_walked += part->dl_tasks_walked;
	for (int i = 0; i < NR_OP_LOCKS; i++)
		whole->locks[i] += part->locks[i];
	for (int i = 0; i < NR_OP_GRACE_PERIODS; i++)
		whole->grace_periods[i] += part->grace_periods[i];
	if (part->err && !whole->err)
		whole->err = part->err;
}
