/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flags of a cpuset and its relax level.
 */
#include "cpuset/internal.h"

#include "cpuset/cpuset_tree.h"
#include "cpuset/domains_from_cpusets.h"
#include "model/machine_new.h"

#include <errno.h>

static bool *flag_of(struct cpuset *cs, enum cpuset_flag flag)
{
	switch (flag) {
	case CS_CPU_EXCLUSIVE:
		return &cs->cpu_exclusive;
	case CS_MEM_EXCLUSIVE:
		return &cs->mem_exclusive;
	case CS_LOAD_BALANCE:
		break;
	}
	return &cs->load_balance;
}

int cpuset_update_flag(struct cpuset *cs, enum cpuset_flag flag, bool on)
{
	struct cpuset trial = *cs;
	bool balance_changes = flag == CS_LOAD_BALANCE && on != cs->load_balance;
	int err;

	*flag_of(&trial, flag) = on;
	err = cpuset_validate(cs, &trial);
	if (err)
		return err;
	*flag_of(cs, flag) = on;
	if (balance_changes && !cpumask_empty(&cs->cpus_allowed))
		rebuild_sched_domains(cs->sys);
	return 0;
}

static int write_flag(struct cpuset *cs, enum cpuset_flag flag, bool on, op_result *out)
{
	struct op_scope scope;
	int err;

	cpuset_op_begin(cs->sys, &scope, REBUILD_FLAGS, out);
	cpuset_lock_write(cs->sys);
	err = cpuset_update_flag(cs, flag, on);
	cpuset_unlock_write(cs->sys);
	return cpuset_op_end(cs->sys, &scope, err);
}

int cpuset_set_cpu_exclusive(struct cpuset *cs, bool on, op_result *out)
{
	return write_flag(cs, CS_CPU_EXCLUSIVE, on, out);
}

int cpuset_set_mem_exclusive(struct cpuset *cs, bool on, op_result *out)
{
	return write_flag(cs, CS_MEM_EXCLUSIVE, on, out);
}

int cpuset_set_load_balance(struct cpuset *cs, bool on, op_result *out)
{
	return write_flag(cs, CS_LOAD_BALANCE, on, out);
}

/* source: update_relax_domain_level() */
static int update_relax_level(struct cpuset *cs, int64_t level)
{
	if (level < -1 || level > domains_level_max(cs->sys->m) + 1)
		return -EINVAL;
	if (level == cs->relax_domain_level)
		return 0;
	cs->relax_domain_level = (int)level;
	if (!cpumask_empty(&cs->cpus_allowed) && cs->load_balance)
		rebuild_sched_domains(cs->sys);
	return 0;
}

int cpuset_set_relax_domain_level(struct cpuset *cs, int64_t level, op_result *out)
{
	struct op_scope scope;
	int err;

	cpuset_op_begin(cs->sys, &scope, REBUILD_RELAX, out);
	cpuset_lock_write(cs->sys);
	err = update_relax_level(cs, level);
	cpuset_unlock_write(cs->sys);
	return cpuset_op_end(cs->sys, &scope, err);
}
