/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of cpusets, and the frame of every operation on it.
 *
 * source: cpuset_css_alloc(), cpuset_css_online(), cpuset_css_offline(),
 * cpuset_init_smp()
 */
#include "cpuset/internal.h"

#include "cpuset/cpuset_tree.h"
#include "cpuset/dl_rebuild.h"
#include "cpuset/domains_from_cpusets.h"

#include <errno.h>
#include <string.h>

/* Operations */

void cpuset_op_begin(cpusets *sys, struct op_scope *scope, enum rebuild_caller caller,
		     op_result *out)
{
	scope->is_part = sys->op != NULL;
	scope->whole_caller = sys->caller;
	sys->caller = caller;
	g_assert(!scope->is_part || !out);
	if (scope->is_part)
		return;
	scope->out = out;
	op_result_init(&scope->result);
	sys->op = &scope->result;
	dl_list_root_domains(sys, scope->result.before);
}

int cpuset_op_end(cpusets *sys, struct op_scope *scope, int err)
{
	if (scope->is_part) {
		sys->caller = scope->whole_caller;
		return err;
	}
	scope->result.err = err;
	dl_list_root_domains(sys, scope->result.after);
	sys->op = NULL;
	if (sys->journal)
		op_result_join(sys->journal, &scope->result);
	if (scope->out)
		*scope->out = scope->result;
	else
		op_result_clear(&scope->result);
	return err;
}

void cpusets_journal(cpusets *sys, op_result *into)
{
	sys->journal = into;
}

void cpuset_lock(cpusets *sys)
{
	op_lock(sys->op, OP_LOCK_CPUSET);
	if (sys->policy.lock == REBUILD_LOCK_PERCPU_RWSEM)
		sys->op->grace_periods[OP_GP_CPUSET]++;
}

void cpuset_unlock(cpusets *sys)
{
	op_unlock(sys->op, OP_LOCK_CPUSET);
}

void cpuset_lock_write(cpusets *sys)
{
	if (!sys->policy.hotplug_lock_inside)
		op_lock(sys->op, OP_LOCK_CPUS_READ);
	cpuset_lock(sys);
}

void cpuset_unlock_write(cpusets *sys)
{
	cpuset_unlock(sys);
	if (!sys->policy.hotplug_lock_inside)
		op_unlock(sys->op, OP_LOCK_CPUS_READ);
}

/* Walking */

struct cpuset *cpuset_next(const struct cpuset *top, struct cpuset *pos, bool skip)
{
	if (!skip && !list_empty(&pos->children))
		return cpuset_of_sibling(pos->children.next);
	while (pos != top) {
		if (pos->sibling.next != &pos->parent->children)
			return cpuset_of_sibling(pos->sibling.next);
		pos = pos->parent;
	}
	return NULL;
}

static struct cpuset *find_child(const struct cpuset *cs, const char *name)
{
	struct cpuset *child;

	for_each_child_cpuset(child, cs) if (!strcmp(child->name, name)) return child;
	return NULL;
}

struct cpuset *cpuset_find(const cpusets *sys, const char *path)
{
	g_auto(GStrv) names = g_strsplit(path, "/", -1);
	struct cpuset *cs = sys->root;

	for (int i = 0; names[i] && cs; i++)
		if (*names[i])
			cs = find_child(cs, names[i]);
	return cs;
}

char *cpuset_path(const struct cpuset *cs)
{
	char *path = g_strdup(cs->parent ? "" : "/");

	for (; cs->parent; cs = cs->parent) {
		char *longer = g_strconcat("/", cs->name, path, NULL);

		g_free(path);
		path = longer;
	}
	return path;
}

/* Making */

struct cpuset *cpuset_new(cpusets *sys, struct cpuset *parent, const char *name)
{
	struct cpuset *cs = g_new0(struct cpuset, 1);

	cs->sys = sys;
	cs->name = g_strdup(name);
	cs->parent = parent;
	list_init(&cs->children);
	list_init(&cs->sibling);
	list_init(&cs->tasks);
	cs->load_balance = true;
	cs->relax_domain_level = -1;
	sys->nr_cpusets++;
	return cs;
}

void cpuset_free(struct cpuset *cs)
{
	cs->sys->nr_cpusets--;
	list_del(&cs->sibling);
	g_free(cs->name);
	g_free(cs);
}

static bool has_exclusive_child(const struct cpuset *parent)
{
	const struct cpuset *child;

	for_each_child_cpuset(child, parent) if (child->cpu_exclusive ||
						 child->mem_exclusive) return true;
	return false;
}

void cpuset_bring_online(struct cpuset *cs)
{
	struct cpuset *parent = cs->parent;

	list_add_tail(&parent->children, &cs->sibling);
	cs->clone_children = parent->clone_children;
	if (cpuset_in_v2_mode(cs->sys)) {
		cs->effective_cpus = parent->effective_cpus;
		cs->effective_mems = parent->effective_mems;
		cs->use_parent_ecpus = true;
		parent->child_ecpus_count++;
	}
	if (cpuset_on_dfl(cs->sys) && !parent->load_balance)
		cs->load_balance = false;
	if (!parent->clone_children || has_exclusive_child(parent))
		return;
	cs->mems_allowed = cs->effective_mems = parent->mems_allowed;
	cs->cpus_allowed = cs->effective_cpus = parent->cpus_allowed;
}

static int check_name(const struct cpuset *parent, const char *name)
{
	if (!*name || strpbrk(name, "/\n"))
		return -EINVAL;
	return find_child(parent, name) ? -EEXIST : 0;
}

int cpuset_mkdir(struct cpuset *parent, const char *name, struct cpuset **out_cs,
		 op_result *out)
{
	cpusets *sys = parent->sys;
	int err = check_name(parent, name);
	struct op_scope scope;

	cpuset_op_begin(sys, &scope, REBUILD_FLAGS, out);
	op_lock(sys->op, OP_LOCK_CGROUP_MUTEX);
	if (!err) {
		*out_cs = cpuset_new(sys, parent, name);
		cpuset_lock_write(sys);
		cpuset_bring_online(*out_cs);
		cpuset_unlock_write(sys);
	}
	op_unlock(sys->op, OP_LOCK_CGROUP_MUTEX);
	return cpuset_op_end(sys, &scope, err);
}

void cpuset_take_offline(struct cpuset *cs)
{
	if (partition_is_valid(cs))
		cpuset_update_partition(cs, PARTITION_MEMBER);
	if (!cpuset_on_dfl(cs->sys) && cs->load_balance)
		cpuset_update_flag(cs, CS_LOAD_BALANCE, false);
	if (cs->use_parent_ecpus)
		cs->parent->child_ecpus_count--;
}

enum rebuild_caller cpuset_caller_of_rmdir(const cpusets *sys)
{
	return cpuset_on_dfl(sys) ? REBUILD_PARTITION : REBUILD_FLAGS;
}

int cpuset_rmdir(struct cpuset *cs, op_result *out)
{
	cpusets *sys = cs->sys;
	bool busy = !cs->parent || cs->nr_tasks || !list_empty(&cs->children);
	struct op_scope scope;

	cpuset_op_begin(sys, &scope, cpuset_caller_of_rmdir(sys), out);
	op_lock(sys->op, OP_LOCK_CGROUP_MUTEX);
	if (!busy) {
		cpuset_lock_write(sys);
		cpuset_take_offline(cs);
		cpuset_unlock_write(sys);
		cpuset_free(cs);
	}
	op_unlock(sys->op, OP_LOCK_CGROUP_MUTEX);
	return cpuset_op_end(sys, &scope, busy ? -EBUSY : 0);
}

/* The whole */

static struct cpuset *root_new(cpusets *sys)
{
	struct cpuset *root = cpuset_new(sys, NULL, "");

	root->cpu_exclusive = root->mem_exclusive = true;
	root->partition = PARTITION_ROOT;
	root->cpus_allowed = cpuset_in_v2_mode(sys) ? sys->possible : sys->m->active;
	root->effective_cpus = sys->m->active;
	root->mems_allowed = root->effective_mems = sys->memory;
	return root;
}

/* One bit for each node that a CPU lies in. */
static node_set nodes_of(const struct machine *m)
{
	node_set nodes = 0;
	int node = 0;

	for (int cpu = 0; cpu < m->nr_cpus; cpu++)
		if (cpumask_first(&cpu_rq(m, cpu)->node_mask) == cpu)
			nodes |= 1ULL << node++;
	return nodes;
}

cpusets *cpusets_new(struct machine *m, const struct cpusets_spec *spec)
{
	cpusets *sys = g_new0(cpusets, 1);

	g_assert(!m->cpusets);

	sys->m = m;
	sys->mode = spec->mode;
	sys->policy = spec->policy ? *spec->policy : *rebuild_policies()[0];
	sys->possible = cpumask_first_n(m->nr_cpus);
	sys->online = m->active;
	sys->housekeeping = cpumask_andnot(&sys->possible, &spec->isolated);
	sys->memory = nodes_of(m);
	sys->doms_cur = g_array_new(FALSE, FALSE, sizeof(struct sched_dom));
	list_init(&sys->dl_tasks);
	sys->root = root_new(sys);
	dl_rebuild_hooks(sys);
	sched_domains_init(sys);
	return sys;
}

static void free_tree(struct cpuset *cs)
{
	while (!list_empty(&cs->children))
		free_tree(cpuset_of_sibling(cs->children.next));
	while (!list_empty(&cs->tasks))
		cpuset_unlink_task(cpuset_task_of_node(cs->tasks.next));
	cpuset_free(cs);
}

void cpusets_free(cpusets *sys)
{
	if (!sys)
		return;
	sys->m->cpusets = NULL;
	free_tree(sys->root);
	g_array_unref(sys->doms_cur);
	g_free(sys->whole);
	g_free(sys);
}
