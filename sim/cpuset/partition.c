/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Partitions of v2: a cpuset with CPUs, and perhaps domains, of its own.
 *
 * What is written is kept even if it cannot be had; the partition is then invalid and
 * says why.
 *
 * source: update_prstate(), sched_partition_show()
 */
#include "cpuset/internal.h"

#include "cpuset/cpuset_tree.h"
#include "cpuset/domains_from_cpusets.h"

const char *cpuset_partition_error_text(enum partition_error error)
{
	static const char *const texts[] = {
		[PERR_INVCPUS] = "Invalid cpu list in cpuset.cpus",
		[PERR_INVPARENT] = "Parent is an invalid partition root",
		[PERR_NOTPART] = "Parent is not a partition root",
		[PERR_NOTEXCL] = "Cpu list in cpuset.cpus not exclusive",
		[PERR_NOCPUS] = "Parent unable to distribute cpu downstream",
		[PERR_HOTPLUG] = "No cpu available due to hotplug",
		[PERR_CPUSEMPTY] = "cpuset.cpus is empty",
	};

	return texts[error];
}

char *cpuset_partition_text(const struct cpuset *cs)
{
	static const char *const names[] = {"member", "root", "isolated"};
	const char *name = names[ABS(cs->partition)];
	const char *why = cpuset_partition_error_text(cs->partition_error);

	if (!partition_is_invalid(cs))
		return g_strdup(name);
	if (!why)
		return g_strdup_printf("%s invalid", name);
	return g_strdup_printf("%s invalid (%s)", name, why);
}

/* What a change of state did on its way. */
struct change {
	enum partition_error error;
	bool rebuilt;   /* domains, by a flag that changed */
	bool flag_only; /* no CPU moved */
};

static void enable(struct cpuset *cs, enum partition_state state, struct change *change)
{
	if (cpumask_empty(&cs->cpus_allowed)) {
		change->error = PERR_CPUSEMPTY;
		return;
	}
	if (cpuset_update_flag(cs, CS_CPU_EXCLUSIVE, true)) {
		change->error = PERR_NOTEXCL;
		return;
	}
	change->error = cpuset_update_subparts(cs, SUBPARTS_ENABLE, NULL);
	if (change->error) {
		cpuset_update_flag(cs, CS_CPU_EXCLUSIVE, false);
		return;
	}
	if (state == PARTITION_ISOLATED) {
		cpuset_update_flag(cs, CS_LOAD_BALANCE, false);
		change->rebuilt = true;
	}
}

/* Always allowed, although partitions below it become invalid. */
static void disable(struct cpuset *cs, struct change *change)
{
	cpuset_update_subparts(cs, SUBPARTS_DISABLE, NULL);
	if (cpuset_has_subparts(cs)) {
		cs->subparts_cpus = cpumask_none();
		cs->effective_cpus =
			cpuset_compute_effective(cs, &cs->cpus_allowed, cs->parent);
	}
	cpuset_update_flag(cs, CS_CPU_EXCLUSIVE, false);
	if (!cs->load_balance) {
		cpuset_update_flag(cs, CS_LOAD_BALANCE, true);
		change->rebuilt = true;
	}
}

/* From root to isolated, or back. */
static void change_balance(struct cpuset *cs, enum partition_state state,
			   struct change *change)
{
	cpuset_update_flag(cs, CS_LOAD_BALANCE, state != PARTITION_ISOLATED);
	change->flag_only = true;
}

/* Those around it that its CPUs concern, and domains. */
static void update_around(struct cpuset *cs, const struct change *change)
{
	cpuset_update_tasks(cs->parent);
	cpuset_update_siblings(cs);
	if (!change->rebuilt)
		rebuild_sched_domains(cs->sys);
}

void cpuset_update_partition(struct cpuset *cs, enum partition_state state)
{
	struct change change = {.error = PERR_NONE};

	if (cs->partition == state)
		return;
	/* What is invalid is tried again when CPUs change, not when asked. */
	if (state && partition_is_invalid(cs)) {
		cs->partition = -state;
		return;
	}
	if (!cs->partition)
		enable(cs, state, &change);
	else if (state)
		change_balance(cs, state, &change);
	else
		disable(cs, &change);
	if (!change.error && !change.flag_only)
		update_around(cs, &change);

	cs->partition = change.error ? -state : state;
	cs->partition_error = change.error;
	if (!list_empty(&cs->children))
		cpuset_update_hierarchy(cs, !state);
}

void cpuset_set_partition(struct cpuset *cs, enum partition_state state, op_result *out)
{
	struct op_scope scope;

	g_assert(cs->parent && state >= PARTITION_MEMBER);

	cpuset_op_begin(cs->sys, &scope, REBUILD_PARTITION, out);
	cpuset_lock_write(cs->sys);
	cpuset_update_partition(cs, state);
	cpuset_unlock_write(cs->sys);
	cpuset_op_end(cs->sys, &scope, 0);
}
