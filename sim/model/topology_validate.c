/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a topology that somebody wrote by hand can be a machine.
 *
 * source: topology_span_sane() and sched_init_numa(), kernel/sched/topology.c,
 * which print a warning where this refuses
 */
#include "model/topology.h"

#include "schedsim/error.h"
#include "schedsim/units.h"

/* Distances are bytes in the SLIT.  source: NR_DISTANCE_VALUES */
#define DISTANCE_MAX 255

G_GNUC_PRINTF(2, 3) static bool refuse(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (error)
		*error = g_error_new_valist(INPUT_ERROR, INPUT_ERROR_VALUE, format,
					    args);
	va_end(args);
	return false;
}

static bool check_counts(const topology *t, GError **error)
{
	if (t->nr_cpus < 1 || t->nr_cpus > CPUS_MAX)
		return refuse(error, "expected 1 to %d CPUs, got %d", CPUS_MAX,
			      t->nr_cpus);
	if (t->nr_nodes < 1 || t->nr_nodes > NODES_MAX)
		return refuse(error, "expected 1 to %d NUMA nodes, got %d", NODES_MAX,
			      t->nr_nodes);
	return true;
}

static bool check_cpu(const topology *t, int cpu, GError **error)
{
	int node = t->cpu[cpu].node;
	unsigned capacity = t->cpu[cpu].capacity;

	if (node < 0 || node >= t->nr_nodes)
		return refuse(error, "CPU %d: expected a node from 0 to %d, got %d",
			      cpu, t->nr_nodes - 1, node);
	if (capacity < 1 || capacity > CAPACITY_ONE)
		return refuse(error,
			      "CPU %d: expected a capacity from 1 to %llu, got %u", cpu,
			      CAPACITY_ONE, capacity);
	return true;
}

/* Whether the parts that @cpu and an @earlier CPU share lie in one larger part. */
static bool check_pair(const topology *t, int earlier, int cpu, GError **error)
{
	bool same_core = t->cpu[earlier].core == t->cpu[cpu].core;
	bool same_llc = t->cpu[earlier].llc == t->cpu[cpu].llc;

	if (same_core && !same_llc)
		return refuse(error,
			      "CPUs %d and %d: expected one LLC for core %d, got %d "
			      "and %d",
			      earlier, cpu, t->cpu[cpu].core, t->cpu[earlier].llc,
			      t->cpu[cpu].llc);
	if (same_llc && t->cpu[earlier].node != t->cpu[cpu].node)
		return refuse(error,
			      "CPUs %d and %d: expected one node for LLC %d, got %d "
			      "and %d",
			      earlier, cpu, t->cpu[cpu].llc, t->cpu[earlier].node,
			      t->cpu[cpu].node);
	return true;
}

static bool check_cpus(const topology *t, GError **error)
{
	for (int cpu = 0; cpu < t->nr_cpus; cpu++) {
		if (!check_cpu(t, cpu, error))
			return false;
		for (int earlier = 0; earlier < cpu; earlier++)
			if (!check_pair(t, earlier, cpu, error))
				return false;
	}
	return true;
}

static bool check_nodes_used(const topology *t, GError **error)
{
	bool used[NODES_MAX] = {false};

	for (int cpu = 0; cpu < t->nr_cpus; cpu++)
		used[t->cpu[cpu].node] = true;
	for (int node = 0; node < t->nr_nodes; node++)
		if (!used[node])
			return refuse(error, "node %d: expected a CPU, got none", node);
	return true;
}

static bool check_distance(const topology *t, int a, int b, GError **error)
{
	int distance = t->distance[a][b];

	if (a == b && distance != LOCAL_DISTANCE)
		return refuse(error, "node %d: expected distance %d to itself, got %d",
			      a, LOCAL_DISTANCE, distance);
	if (a != b && (distance <= LOCAL_DISTANCE || distance > DISTANCE_MAX))
		return refuse(error,
			      "nodes %d and %d: expected a distance from %d to %d, got "
			      "%d",
			      a, b, LOCAL_DISTANCE + 1, DISTANCE_MAX, distance);
	if (distance != t->distance[b][a])
		return refuse(error,
			      "nodes %d and %d: expected one distance both ways, got "
			      "%d and %d",
			      a, b, distance, t->distance[b][a]);
	return true;
}

static bool check_distances(const topology *t, GError **error)
{
	for (int a = 0; a < t->nr_nodes; a++)
		for (int b = 0; b < t->nr_nodes; b++)
			if (!check_distance(t, a, b, error))
				return false;
	return true;
}

bool topology_validate(const topology *t, GError **error)
{
	return check_counts(t, error) && check_cpus(t, error) &&
	       check_nodes_used(t, error) && check_distances(t, error);
}
