/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel's cpu.stat counts of groups with a limit.
 */
#include "report/stats_private.h"

#include "model/cgroup.h"
#include "schedsim/bandwidth.h"
#include "workload/control.h"

static struct cgroup_results read_group(const struct task_group *tg)
{
	const struct cfs_bandwidth *b = tg->cfs_bandwidth;

	return (struct cgroup_results){
		.path = cgroup_path(tg->cgroup),
		.serial_nr = tg->cgroup->serial_nr,
		.nr_periods = b->nr_periods,
		.nr_throttled = b->nr_throttled,
		.throttled_time_ns = b->throttled_time,
		.nr_bursts = b->nr_burst,
		.burst_time_ns = b->burst_time,
	};
}

/* Appends the limited groups from @cg down, in the order they were made. */
static void read_groups(const struct cgroup *cg, GArray *groups)
{
	const struct task_group *tg = cg->css[CGROUP_CPU];

	if (tg->cfs_bandwidth) {
		struct cgroup_results group = read_group(tg);

		g_array_append_val(groups, group);
	}
	for (const struct list *pos = cg->children.next; pos != &cg->children;
	     pos = pos->next)
		read_groups(list_entry(pos, const struct cgroup, siblings), groups);
}

static void read_all_groups(const stats *s, GArray *groups)
{
	g_array_set_size(groups, 0);
	if (s->machine && s->machine->root_tg.cgroup)
		read_groups(s->machine->root_tg.cgroup, groups);
}

/* What was counted during the warm-up. */
static void take_off(struct cgroup_results *group, const struct cgroup_results *before)
{
	group->nr_periods -= before->nr_periods;
	group->nr_throttled -= before->nr_throttled;
	group->throttled_time_ns -= before->throttled_time_ns;
	group->nr_bursts -= before->nr_bursts;
	group->burst_time_ns -= before->burst_time_ns;
}

void stats_control_cut(stats *s)
{
	read_all_groups(s, s->groups_before);
}

void stats_control_finish(stats *s)
{
	GArray *groups = s->results.cgroups, *before = s->groups_before;

	read_all_groups(s, groups);
	for (guint i = 0; i < groups->len; i++) {
		struct cgroup_results *group =
			&g_array_index(groups, struct cgroup_results, i);

		for (guint k = 0; k < before->len; k++) {
			struct cgroup_results *b =
				&g_array_index(before, struct cgroup_results, k);

			if (group->serial_nr == b->serial_nr)
				take_off(group, b);
		}
	}
}

void stats_set_machine(stats *s, const struct machine *m)
{
	s->machine = m;
}

void stats_control_init(stats *s, const struct control *c)
{
	s->groups_before = cgroup_results_array_new();
	stats_operations_init(s);
	if (c)
		results_add_operations(&s->results, c->rows, c->nr_rows);
}

void stats_control_clear(stats *s)
{
	g_array_unref(s->groups_before);
}
